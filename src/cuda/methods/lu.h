/* How elimination with one thread a system stores its factors: in columns, so that the threads of a warp, which
 * work on neighbouring systems, read and write side by side. Place p of column c is at [p * pitch + c]. */
#ifndef SB_CUDA_LU_H
#define SB_CUDA_LU_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cuda/record.h"

enum { SB_CUDA_LU_WIDEST = 4 };

/* Places, by where they begin: rows of 2 band + 1 entries (multipliers, reciprocal pivot, U); for rings then the
   spikes in rows of `band`, the border's band x 2 band couplings and the band x band Schur complement. Its row
   swaps follow behind all columns, as int32. */
typedef struct sb_cuda_columns {
    int64_t pitch, spikes, border, schur, places;
    int swaps;
} sb_cuda_columns;

SB_CUDA_INLINE sb_cuda_columns sb_cuda_columns_of(int64_t n, int64_t columns, int band, bool periodic)
{
    sb_cuda_columns c = {columns == 1 ? 1 : (columns + 31) / 32 * 32, 0, 0, 0, 0, 0};
    c.spikes = n * (2 * band + 1);
    c.border = c.spikes + (periodic ? n * band : 0);
    c.schur = c.border + (periodic ? 2 * band * band : 0);
    c.places = c.schur + (periodic ? band * band : 0);
    c.swaps = periodic ? band : 0;
    return c;
}

/* Columns of a one-pass solve, which goes through the batch in waves: enough threads to hide the memory's latency. */
SB_CUDA_INLINE int64_t sb_cuda_slots(int64_t systems, int processors)
{
    int64_t most = (int64_t)processors * 512, all = (systems + 31) / 32 * 32;
    return all < most ? all : most;
}

#endif
