/* Kernels of slimband/rows.h: plain loops, which the compiler turns into vectors of this file's instruction set. */
#include "src/cpu/wide/shifted.h"

#include "src/cpu/wide/names.h"

#if !SB_COMPLEX

enum { GROUP = SLIMBAND_ROWS_GROUP };

SB_INLINE const T *pivots_of(const sb_pivots *pivots, int64_t j, int64_t group)
{
    int64_t last = pivots->stored[group] - 1;
    return (const T *)pivots->table[group] + (j < last ? j : last) * GROUP;
}

SB_INLINE void eliminate_group(T c, const T *restrict w, const T *restrict outer, T *restrict row,
                               int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        row[k] = (row[k] - c * outer[k]) * w[k];
}

SB_INLINE void substitute_group(T c, const T *restrict w, const T *restrict inner, T *restrict row,
                                int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        row[k] -= c * w[k] * inner[k];
}

static void scale(const sb_pivots *pivots, int64_t j, int64_t group, int64_t count, T *restrict row)
{
    for (int64_t at = 0; at < count; at += GROUP, ++group) {
        const T *restrict w = pivots_of(pivots, j, group);
        for (int64_t k = at; k < count && k < at + GROUP; ++k)
            row[k] *= w[k - at];
    }
}

/* Whole groups are loops of constant length. */
static void eliminate(double coupling, const sb_pivots *pivots, int64_t j, int64_t group, int64_t count,
                      const void *neighbour, void *memory)
{
    const T *outer = neighbour;
    T *row = memory, c = (T)coupling;
    if (!outer) {
        scale(pivots, j, group, count, row);
        return;
    }
    int64_t at = 0;
    for (; at + GROUP <= count; at += GROUP, ++group)
        eliminate_group(c, pivots_of(pivots, j, group), outer + at, row + at, GROUP);
    if (at < count)
        eliminate_group(c, pivots_of(pivots, j, group), outer + at, row + at, count - at);
}

static void substitute(double coupling, const sb_pivots *pivots, int64_t j, int64_t group, int64_t count,
                       const void *neighbour, void *memory)
{
    const T *inner = neighbour;
    T *row = memory, c = (T)coupling;
    int64_t at = 0;
    for (; at + GROUP <= count; at += GROUP, ++group)
        substitute_group(c, pivots_of(pivots, j, group), inner + at, row + at, GROUP);
    if (at < count)
        substitute_group(c, pivots_of(pivots, j, group), inner + at, row + at, count - at);
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
