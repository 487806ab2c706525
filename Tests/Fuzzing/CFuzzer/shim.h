#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library (llvm.org, "Using libFuzzer as a library"); it has no header of its own.
extern int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*test_one_input)(const uint8_t *bytes, size_t count));
