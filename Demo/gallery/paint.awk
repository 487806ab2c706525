# Paints one landscape as SVG: the same picture for the same seed, on every machine.
#
#   awk -v seed=7 -v detail=1 -f paint.awk    the picture, some 50 KB
#   awk -v seed=7 -v detail=0 -f paint.awk    its preview, some 2 KB: smaller and without grass

# A number in 0..<1; the generator of Park and Miller, exact in double precision.
function draw() {
  state = (state * 16807) % 2147483647
  return state / 2147483647
}

function colour(hue, light) {
  return sprintf("hsl(%d,45%%,%d%%)", hue % 360, light)
}

# The height of the ridge at x: three waves whose shape was drawn for it.
function ridge(x) {
  return base + high * (sin(x * long + shift) + 0.5 * sin(x * long * 2.3 + 2 * shift) \
    + 0.25 * sin(x * long * 5.1 + 3 * shift))
}

function hill(place, steps, step, x) {
  base = 150 + 70 * place
  high = 26 - 4 * place
  long = 0.006 + 0.006 * draw()
  shift = 6.28 * draw()
  printf "<path fill=\"%s\" d=\"M0 480", colour(hue + 24 * place, 62 - 11 * place)
  for (step = 0; step <= steps; step++) {
    x = 640 * step / steps
    printf "L%.1f %.1f", x, ridge(x)
  }
  print "L640 480Z\"/>"
}

function grass(blades, blade, x) {
  printf "<path fill=\"none\" stroke=\"%s\" d=\"", colour(hue + 90, 22)
  for (blade = 0; blade < blades; blade++) {
    x = 640 * draw()
    printf "M%.1f %.1fq%.1f -9 %.1f -%.1f", x, ridge(x) + 90 * draw(), 4 * draw() - 2,
      8 * draw() - 4, 10 + 12 * draw()
  }
  print "\"/>"
}

BEGIN {
  state = 48271 * seed + 11
  for (warm = 0; warm < 8; warm++) draw()
  hue = int(360 * draw())
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 480\" width=\"%d\">\n",
    detail ? 1280 : 160
  printf "<rect width=\"640\" height=\"480\" fill=\"%s\"/>\n", colour(hue + 200, 84)
  printf "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"%.0f\" fill=\"%s\"/>\n",
    80 + 480 * draw(), 60 + 70 * draw(), 22 + 20 * draw(), colour(45, 88)
  for (place = 0; place < 4; place++) hill(place, detail ? 320 : 24)
  if (detail) grass(900)
  print "</svg>"
}
