/* How a plan's shape cuts scratch memory into pieces. */
#ifndef SB_CUDA_SCRATCH_H
#define SB_CUDA_SCRATCH_H

#include "src/cuda/method.h"

static inline int64_t sb_cuda_parts(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

/* Takes this many bytes of scratch, from a place aligned to 256; *used stays SIZE_MAX once that overflows. */
static inline int64_t sb_cuda_take(size_t *used, size_t bytes)
{
    size_t at = *used == SIZE_MAX ? 0 : *used;
    *used = sb_plus(sb_plus(*used, bytes), 255);
    *used = *used == SIZE_MAX ? SIZE_MAX : *used / 256 * 256;
    return (int64_t)at;
}

#endif
