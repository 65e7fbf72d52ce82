/* Small dense systems by elimination with partial pivoting: what closes a ring. Entry (i, j) of the m x m matrix is
 * at S[(i * m + j) * step], the swap of row k at swap[k * step], unknown i at t[i * t_step]. */
#ifndef SB_CHUNK_DENSE_H
#define SB_CHUNK_DENSE_H

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

/* How much of row i, without the unknowns that are gone, is unknown k: by which pivots are chosen, whatever the size of a row. No number
   of a row of zeros. */
SB_BOTH R sb_dense_share(const sb_dense *d, int i, int k)
{
    R largest = 0;
    for (int j = k; j < d->m; ++j)
        largest = sb_larger(largest, sb_abs1(*sb_dense_entry(d, i, j)));
    return sb_abs1(*sb_dense_entry(d, i, k)) / largest;
}

/* Returns the first column without a pivot, or -1. */
SB_BOTH int sb_dense_factor(const sb_dense *d)
{
    int m = d->m, broken = -1;
    for (int k = 0; k < m; ++k) {
        int best = k;
        R share = sb_dense_share(d, k, k);
        for (int i = k + 1; i < m; ++i) {
            R other = sb_dense_share(d, i, k);
            best = other > 0 && !(other <= share) ? i : best;
            share = best == i ? other : share;
        }
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
