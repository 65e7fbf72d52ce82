/* Small dense systems by elimination with interchanges of rows: what closes a ring. Entry (i, j) of the m x m matrix is
 * at S[(i * m + j) * step], the swap of row k at swap[k * step], unknown i at t[i * t_step]. */
#ifndef SB_CHUNK_DENSE_H
#define SB_CHUNK_DENSE_H

#include <math.h>

#include "slimband/problem.h"
#include "src/chunk/scalar.h"

typedef struct sb_dense {
    int m;
    int64_t step;
    T *S;
    int32_t *swap; /* by how many rows the pivot came up */
} sb_dense;

SB_BOTH T *sb_dense_entry(const sb_dense *d, int i, int j)
{
    return d->S + (i * d->m + j) * d->step;
}

SB_BOTH void sb_dense_exchange(T *a, T *b)
{
    T kept = *a;
    *a = *b;
    *b = kept;
}

/* Less than the logarithms of any product of entries. */
#define SB_DENSE_NONE (-1e6F)

/* About log2 of an entry's size, by chords from octave to octave; SB_DENSE_NONE of 0, NaN and Inf. */
SB_BOTH float sb_dense_log(const sb_dense *d, int i, int j)
{
    const R size = sb_abs1(*sb_dense_entry(d, i, j));
    int octaves;
    if (!(size > 0) || !sb_finite(*sb_dense_entry(d, i, j)))
        return SB_DENSE_NONE;
    const double part = frexp((double)size, &octaves);
    return (float)octaves + (float)(2 * part - 2);
}

/* The pivot's row in column k: that of the largest product of entries, one in each row and column from k on. Units of rows and of unknowns are
   factors of all such products, so that neither matters; nor does what is small because it has decayed, and does not belong to it. In a
   row's column of that product, what is subtracted is no larger than what is there; nor is it elsewhere in the units in which no entry is
   larger than those of the product (I. S. Duff and J. Koster 2001). Of columns from the last one on the best product for every set of
   rows, as sums of logarithms. */
SB_BOTH int sb_dense_pivot(const sb_dense *d, int k)
{
    const int left = d->m - k;
    if (left == 1)
        return k;
    if (left == 2) {
        const R l = sb_abs1(*sb_dense_entry(d, k + 1, k)) / sb_abs1(*sb_dense_entry(d, k, k)),
                u = sb_abs1(*sb_dense_entry(d, k + 1, k + 1)) / sb_abs1(*sb_dense_entry(d, k, k + 1));
        return l > u ? k + 1 : k;
    }
    float most[1 << SLIMBAND_MAX_BANDWIDTH], log[SLIMBAND_MAX_BANDWIDTH][SLIMBAND_MAX_BANDWIDTH];
    int best = k;
    for (int r = 0; r < left; ++r)
        for (int c = 0; c < left; ++c)
            log[c][r] = sb_dense_log(d, k + r, k + c);
    most[0] = 0;
    for (int set = 1; set < 1 << left; ++set) {
        int column = left;
        for (int r = 0; r < left; ++r)
            column -= set >> r & 1;
        most[set] = -INFINITY;
        for (int r = 0; r < left; ++r) {
            const float sum = set >> r & 1 ? most[set ^ 1 << r] + log[column][r] : -INFINITY;
            best = sum > most[set] ? k + r : best;
            most[set] = fmaxf(sum, most[set]);
        }
    }
    return best;
}

/* Returns the first column without a pivot, or -1. */
SB_BOTH int sb_dense_factor(const sb_dense *d)
{
    int m = d->m, broken = -1;
    for (int k = 0; k < m; ++k) {
        const int best = sb_dense_pivot(d, k);
        d->swap[k * d->step] = best - k;
        for (int j = 0; j < m && best != k; ++j)
            sb_dense_exchange(sb_dense_entry(d, k, j), sb_dense_entry(d, best, j));
        T pivot = *sb_dense_entry(d, k, k);
        if (pivot == 0 || !sb_finite(pivot)) {
            broken = broken < 0 ? k : broken;
            continue;
        }
        for (int i = k + 1; i < m; ++i) {
            T l = *sb_dense_entry(d, i, k) /= pivot;
            for (int j = k + 1; j < m; ++j)
                *sb_dense_entry(d, i, j) -= l * *sb_dense_entry(d, k, j);
        }
    }
    return broken;
}

SB_BOTH void sb_dense_solve(const sb_dense *d, T *t, int64_t t_step)
{
    int m = d->m;
    for (int k = 0; k < m; ++k)
        sb_dense_exchange(t + k * t_step, t + (k + d->swap[k * d->step]) * t_step);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < i; ++j)
            t[i * t_step] -= *sb_dense_entry(d, i, j) * t[j * t_step];
    for (int i = m - 1; i >= 0; --i) {
        for (int j = i + 1; j < m; ++j)
            t[i * t_step] -= *sb_dense_entry(d, i, j) * t[j * t_step];
        t[i * t_step] /= *sb_dense_entry(d, i, i);
    }
}

SB_BOTH void sb_dense_solve_transposed(const sb_dense *d, T *t, int64_t t_step)
{
    int m = d->m;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < i; ++j)
            t[i * t_step] -= *sb_dense_entry(d, j, i) * t[j * t_step];
        t[i * t_step] /= *sb_dense_entry(d, i, i);
    }
    for (int i = m - 1; i >= 0; --i)
        for (int j = i + 1; j < m; ++j)
            t[i * t_step] -= *sb_dense_entry(d, j, i) * t[j * t_step];
    for (int k = m - 1; k >= 0; --k)
        sb_dense_exchange(t + k * t_step, t + (k + d->swap[k * d->step]) * t_step);
}

#endif
