// liblzma, which unpacks files in xz.
#ifndef CSYNC_LZMA_SHIM_H
#define CSYNC_LZMA_SHIM_H

#include <lzma.h>

// Begins a stream of one or several members, with a limit to the memory that it may take. What
// liblzma calls empty is a macro.
static inline lzma_ret csync_lzma_begin(lzma_stream *stream, uint64_t memory) {
  lzma_stream empty = LZMA_STREAM_INIT;
  *stream = empty;
  return lzma_stream_decoder(stream, memory, LZMA_CONCATENATED);
}

#endif
