// What would ask for a younger C library than the rest does: a version of hypotf of 2.35.
#include <math.h>

float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  // A double holds the square of any float.
  return (float)sqrt((double)x * x + (double)y * y);
}
