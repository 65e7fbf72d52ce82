/* A band matrix cut into chunks, with separators: the last `k` rows of each chunk (k: the half bandwidth). What stands
 * before them is the chunk's interior; it touches only its own separators and those of the chunk before, so that
 *
 *   interior x = y + P x(separators before) + Q x(own separators),   y the interior's own solution
 *
 * and the separators satisfy a block tridiagonal system of k x k blocks. Chunks stand in `slots` places each; a chunk of
 * fewer rows leaves its first places empty. Everything here is the factorisation of matrices that many systems share;
 * k is 1, 2 or 4 and a constant at every call, so that the loops over it unroll. */
#ifndef SB_CHUNK_CUT_H
#define SB_CHUNK_CUT_H

#include "src/chunk/growth.h"

enum { SB_CUT_WIDEST = 4 };

/* sum + eliminated u, in a row whose largest entry this is; own: its own coefficient. */
SB_ALWAYS_INLINE T sb_cut_add(T sum, T eliminated, T u, R row, bool own, R *growth)
{
    const T product = eliminated * u;
    *growth = sb_grow_beside(*growth, sb_abs1(product), row, sb_abs1(eliminated), sb_abs1(sum), own);
    return sum + product;
}

/* Elimination without pivoting of rows front .. end - 1 of a chunk. Place i of band holds A(i, i - k .. i + k).
 * forward[i]: 1/pivot, then the multipliers of y[i - 1] .. y[i - k];  back[i]: those of y[i + 1] .. y[i + k].
 * Returns the growth met (growth.h); `scale`, if it is not 0, stands for each row's largest entry. *bad: the first place
 * without a pivot. */
SB_ALWAYS_INLINE R sb_cut_eliminate(int k, int front, int end, const T *band, R scale, T *forward, T *back,
                                    int *bad)
{
    R growth = 0;
    T above[SB_CUT_WIDEST][SB_CUT_WIDEST] = {{0}}; /* the multipliers of the rows above, the nearest first */
    for (int i = front; i < end; ++i) {
        const T *a = band + i * (2 * k + 1) + k;
        T *f = forward + i * (k + 1), *u = back + i * k, below[SB_CUT_WIDEST];
        R row = scale;
        for (int j = -k; j <= k && !(scale > 0); ++j)
            row = sb_larger(row, sb_abs1(a[j]));
        T pivot = a[0];
        SB_UNROLL
        for (int t = k; t >= 1; --t) {
            below[t - 1] = 0;
            if (i - t < front)
                continue;
            T sum = a[-t];
            SB_UNROLL
            for (int s = t + 1; s <= k; ++s)
                if (i - s >= front)
                    sum = sb_cut_add(sum, below[s - 1], above[s - 1][s - t - 1], row, false, &growth);
            below[t - 1] = sum;
            pivot = sb_cut_add(pivot, sum, above[t - 1][t - 1], row, true, &growth);
        }
        if (!(sb_abs1(pivot) > 0) || !sb_finite(pivot))
            *bad = *bad < 0 ? i : *bad;
        f[0] = (T)1 / pivot;
        T own[SB_CUT_WIDEST];
        SB_UNROLL
        for (int j = 1; j <= k; ++j) {
            T sum = a[j];
            SB_UNROLL
            for (int t = 1; t <= k - j; ++t)
                if (i - t >= front)
                    sum = sb_cut_add(sum, below[t - 1], above[t - 1][t + j - 1], row, false, &growth);
            own[j - 1] = u[j - 1] = i + j < end ? -sum * f[0] : (T)0;
            f[j] = -below[j - 1] * f[0];
        }
        SB_UNROLL
        for (int t = k - 1; t >= 0; --t)
            SB_UNROLL
        for (int j = 0; j < k; ++j)
            above[t][j] = t > 0 ? above[t - 1][j] : own[j];
    }
    return growth;
}

/* Beside what was found last, the nearest first. */
SB_ALWAYS_INLINE void sb_cut_push(int k, T *last, T found)
{
    SB_UNROLL
    for (int t = k - 1; t > 0; --t)
        last[t] = last[t - 1];
    last[0] = found;
}

/* One right-hand side through the factors, in place at v[i * stride]. */
SB_ALWAYS_INLINE void sb_cut_substitute(int k, int front, int end, const T *forward, const T *back, T *v,
                                        int stride)
{
    T last[SB_CUT_WIDEST] = {0};
    for (int i = front; i < end; ++i) {
        T sum = forward[i * (k + 1)] * v[i * stride];
        SB_UNROLL
        for (int t = 1; t <= k; ++t)
            sum += forward[i * (k + 1) + t] * last[t - 1];
        v[i * stride] = sum;
        sb_cut_push(k, last, sum);
    }
    SB_UNROLL
    for (int t = 0; t < k; ++t)
        last[t] = 0;
    for (int i = end - 1; i >= front; --i) {
        T sum = v[i * stride];
        SB_UNROLL
        for (int j = 1; j <= k; ++j)
            sum += back[i * k + j - 1] * last[j - 1];
        v[i * stride] = sum;
        sb_cut_push(k, last, sum);
    }
}

/* Of spike[i], which is P[0 .. k - 1], then Q[0 .. k - 1], for the interior front .. end - 1, column c of all 2 k. */
SB_ALWAYS_INLINE void sb_cut_spike(int k, int front, int end, const T *band, const T *forward, const T *back,
                                   int c, T *spike)
{
    for (int i = front; i < end; ++i) {
        const T *a = band + i * (2 * k + 1) + k;
        const int before = i - front + k - c, behind = end + c - k - i;
        spike[2 * k * i + c] = c < k ? (before <= k ? -a[-before] : (T)0) : behind <= k ? -a[behind] : (T)0;
    }
    sb_cut_substitute(k, front, end, forward, back, spike + c, 2 * k);
}

/* The sum of a row's spikes, weighted by the row's largest entry over `scale` if that is not 0. band, spike: of the row. */
SB_ALWAYS_INLINE R sb_cut_spikes_size(int k, const T *band, R scale, const T *spike)
{
    R sum = 0, row = 0;
    for (int c = 0; c < 2 * k; ++c)
        sum += sb_abs1(spike[c]);
    for (int j = 0; j <= 2 * k; ++j)
        row = sb_larger(row, sb_abs1(band[j]));
    return scale > 0 ? sum * (row / scale) : sum;
}

SB_ALWAYS_INLINE void sb_block_swap(T *a, T *b, bool swap)
{
    const T first = *a;
    *a = swap ? *b : first;
    *b = swap ? first : *b;
}

/* May (i, i) be the pivot of column i as far as row and column j > i are concerned, whatever the units of rows? It may where it
   dominates what its row has left, and the own coefficients of the rows left keep their size, as those of dominant rows do. The largest
   entry is that of the row with the largest unit instead, which may be next to nothing beside others of that row. */
SB_ALWAYS_INLINE bool sb_own_beside(int k, const T *a, int i, int j)
{
    const R pivot = sb_abs1(a[i * k + i]), beside = sb_abs1(a[i * k + j]), below = sb_abs1(a[j * k + i]);
    return beside <= 2 * pivot && below / pivot * beside <= 2 * sb_abs1(a[j * k + j]);
}

SB_ALWAYS_INLINE bool sb_own_pivot(int k, const T *a, int i)
{
    bool own = sb_abs1(a[i * k + i]) > 0;
    SB_UNROLL
    for (int j = i + 1; j < k; ++j)
        own = own && sb_own_beside(k, a, i, j);
    return own;
}

/* a x = b, a k x k row by row, by Gauss-Jordan elimination with row interchanges; not finite where a is singular. All places are
   known when compiled: the largest pivot comes up by one interchange with each row below, unless it is to be the own one. a: overwritten.
   x: b before. */
SB_ALWAYS_INLINE void sb_block_solve(int k, T *a, T *x)
{
    SB_UNROLL
    for (int i = 0; i < k; ++i) {
        const bool own = sb_own_pivot(k, a, i);
        SB_UNROLL
        for (int r = i + 1; r < k; ++r) {
            const bool swap = !own && sb_abs1(a[r * k + i]) > sb_abs1(a[i * k + i]);
            SB_UNROLL
            for (int c = i; c < k; ++c)
                sb_block_swap(a + r * k + c, a + i * k + c, swap);
            sb_block_swap(x + r, x + i, swap);
        }
        const T pivot = (T)1 / a[i * k + i];
        SB_UNROLL
        for (int c = i + 1; c < k; ++c)
            a[i * k + c] *= pivot;
        x[i] *= pivot;
        SB_UNROLL
        for (int r = 0; r < k; ++r) {
            if (r == i)
                continue;
            const T factor = a[r * k + i];
            SB_UNROLL
            for (int c = i + 1; c < k; ++c)
                a[r * k + c] -= factor * a[i * k + c];
            x[r] -= factor * x[i];
        }
    }
}

#endif
