/* 128-bit vectors in what gcc and clang know of every processor: one chunk. No fused multiply-add, no stores
 * past the caches. */
#include "src/cpu/vec/chunk.h"

static inline V vmadd(V a, V b, V c)
{
    return c + a * b;
}

static inline V vnmadd(V a, V b, V c)
{
    return c - a * b;
}
