/* Kernels of slimband/rows.h: plain loops, which the compiler turns into vectors of this file's instruction set. */
#include "src/cpu/wide/shifted.h"

#include "src/cpu/wide/names.h"

#if !SB_COMPLEX

static void eliminate(double coupling, const void *pivots, const void *neighbour, void *memory, int64_t count)
{
    const T *restrict w = pivots, *restrict outer = neighbour;
    T *restrict row = memory;
    T c = (T)coupling;
    if (!outer)
        for (int64_t k = 0; k < count; ++k)
            row[k] *= w[k];
    else
        for (int64_t k = 0; k < count; ++k)
            row[k] = (row[k] - c * outer[k]) * w[k];
}

static void substitute(double coupling, const void *pivots, const void *neighbour, void *memory, int64_t count)
{
    const T *restrict w = pivots, *restrict inner = neighbour;
    T *restrict row = memory;
    T c = (T)coupling;
    for (int64_t k = 0; k < count; ++k)
        row[k] -= c * w[k] * inner[k];
}

static void meet(const double coupling[2], const void *pivots0, const void *pivots1, void *memory0,
                 void *memory1, int64_t count)
{
    const T *restrict w0 = pivots0, *restrict w1 = pivots1;
    T *restrict row0 = memory0, *restrict row1 = memory1;
    for (int64_t k = 0; k < count; ++k) {
        T a = (T)coupling[0] * w0[k], b = (T)coupling[1] * w1[k];
        T x = (row1[k] - b * row0[k]) / (1 - a * b);
        row1[k] = x;
        row0[k] -= a * x;
    }
}

const sb_rows_kernels SB_WIDE(rows) = {eliminate, substitute, meet};

#endif
