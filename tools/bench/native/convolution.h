/* What the shims are given: one convolution on NCHW, its filters FCHW. Each shim has buffers of its own, so that a call passes
 * nothing but a pointer. */
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/** Memory for a buffer: aligned to lines, and in large pages from half of one on, as that of @sconv/native. */
static inline float *buffer_of(size_t bytes) {
  const size_t page = (size_t)1 << 21, alignment = bytes >= page / 2 ? page : 64;
  const size_t length = (bytes + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, length);
  if (memory != NULL && alignment == page) madvise(memory, length, MADV_HUGEPAGE);
  return (float *)memory;
}

struct convolution {
  int32_t batch, channels, height, width, filters, filter_height, filter_width;
  int32_t stride_h, stride_w, dilation_h, dilation_w;
  int32_t top, bottom, left, right, output_height, output_width;
  /** Whether the filters stay: else what is made of them is made in every call. */
  int32_t bound;
};

#ifdef __cplusplus
extern "C" {
#endif
/** What the library says of itself: version, and the instruction set that it has chosen. */
const char *peer_version(void);
/** NULL where the library has no such convolution. */
void *peer_prepare(const struct convolution *, const float *input, const float *filters);
void peer_run(void *);
/** Copies the output of the last run, as NCHW. */
void peer_output(void *, float *);
void peer_dispose(void *);
#ifdef __cplusplus
}
#endif
