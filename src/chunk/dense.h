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

/* log2 of an entry's size, in whole octaves; 0: it is none. */
SB_BOTH bool sb_dense_octaves(const sb_dense *d, int i, int j, int *octaves)
{
    const R size = sb_abs1(*sb_dense_entry(d, i, j));
    (void)frexp((double)size, octaves);
    return size > 0;
}

/* The units that rows and unknowns from k on look like, in octaves: row[i] + column[j] is about what entry (i, j) has (A. R. Curtis and
   J. K. Reid 1972: least squares, here by turns). */
SB_BOTH void sb_dense_units(const sb_dense *d, int k, float *row, float *column)
{
    enum { TURNS = 3 };
    const int m = d->m;
    for (int i = k; i < m; ++i)
        row[i] = 0;
    for (int turn = 0; turn < 2 * TURNS; ++turn)
        for (int one = k; one < m; ++one) {
            float sum = 0;
            int count = 0, octaves;
            for (int other = k; other < m; ++other)
                if (sb_dense_octaves(d, turn % 2 ? one : other, turn % 2 ? other : one, &octaves)) {
                    sum += (float)octaves - (turn % 2 ? column : row)[other];
                    ++count;
                }
            (turn % 2 ? row : column)[one] = count ? sum / (float)count : 0;
        }
}

/* The largest product that row p's entry as the pivot of column k would make, in these units, as octaves. */
SB_BOTH float sb_dense_growth(const sb_dense *d, int p, int k, const float *row, const float *column)
{
    float l = -INFINITY, u = -INFINITY;
    int pivot, octaves;
    if (!sb_dense_octaves(d, p, k, &pivot))
        return INFINITY;
    for (int i = k; i < d->m; ++i)
        if (i != p && sb_dense_octaves(d, i, k, &octaves))
            l = fmaxf(l, (float)octaves - row[i]);
    for (int j = k + 1; j < d->m; ++j)
        if (sb_dense_octaves(d, p, j, &octaves))
            u = fmaxf(u, (float)octaves - column[j]);
    return l + u - (float)pivot;
}

/* The pivot's row: the one whose products are smallest, whatever units rows and unknowns have. Of two rows it is the one by which
   the diagonal's product is the larger of the two. */
SB_BOTH int sb_dense_pivot(const sb_dense *d, int k)
{
    if (k + 1 == d->m)
        return k;
    if (k + 2 == d->m) {
        const R l = sb_abs1(*sb_dense_entry(d, k + 1, k)) / sb_abs1(*sb_dense_entry(d, k, k)),
                u = sb_abs1(*sb_dense_entry(d, k + 1, k + 1)) / sb_abs1(*sb_dense_entry(d, k, k + 1));
        return l > u ? k + 1 : k;
    }
    float row[SLIMBAND_MAX_BANDWIDTH], column[SLIMBAND_MAX_BANDWIDTH], least = INFINITY;
    int best = k;
    sb_dense_units(d, k, row, column);
    for (int p = k; p < d->m; ++p) {
        const float growth = sb_dense_growth(d, p, k, row, column);
        best = growth < least ? p : best;
        least = fminf(least, growth);
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
