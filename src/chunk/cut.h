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
    for (int i = front; i < end; ++i) {
        const T *a = band + i * (2 * k + 1) + k;
        T *f = forward + i * (k + 1), *u = back + i * k, below[SB_CUT_WIDEST];
        R row = scale;
        for (int j = -k; j <= k && !(scale > 0); ++j)
            row = sb_larger(row, sb_abs1(a[j]));
        T pivot = a[0];
        for (int t = k; t >= 1; --t) {
            below[t - 1] = 0;
            if (i - t < front)
                continue;
            T sum = a[-t];
            for (int s = t + 1; s <= k; ++s)
                if (i - s >= front)
                    sum = sb_cut_add(sum, below[s - 1], back[(i - s) * k + s - t - 1], row, false, &growth);
            below[t - 1] = sum;
            pivot = sb_cut_add(pivot, sum, back[(i - t) * k + t - 1], row, true, &growth);
        }
        if (!(sb_abs1(pivot) > 0) || !sb_finite(pivot))
            *bad = *bad < 0 ? i : *bad;
        f[0] = (T)1 / pivot;
        for (int j = 1; j <= k; ++j) {
            T sum = a[j];
            for (int t = 1; t <= k - j; ++t)
                if (i - t >= front)
                    sum = sb_cut_add(sum, below[t - 1], back[(i - t) * k + t + j - 1], row, false, &growth);
            u[j - 1] = i + j < end ? -sum * f[0] : (T)0;
            f[j] = -below[j - 1] * f[0];
        }
    }
    return growth;
}

/* One right-hand side through the factors, in place at v[i * stride]. */
SB_ALWAYS_INLINE void sb_cut_substitute(int k, int front, int end, const T *forward, const T *back, T *v,
                                        int stride)
{
    for (int i = front; i < end; ++i) {
        T sum = forward[i * (k + 1)] * v[i * stride];
        for (int t = 1; t <= k; ++t)
            if (i - t >= front)
                sum += forward[i * (k + 1) + t] * v[(i - t) * stride];
        v[i * stride] = sum;
    }
    for (int i = end - 2; i >= front; --i)
        for (int j = 1; j <= k; ++j)
            if (i + j < end)
                v[i * stride] += back[i * k + j - 1] * v[(i + j) * stride];
}

/* spike[i]: P[0 .. k - 1], then Q[0 .. k - 1], for the interior front .. end - 1. Returns the largest row sum, weighted by
   the row's largest entry over `scale` if that is not 0. */
SB_ALWAYS_INLINE R sb_cut_spikes(int k, int front, int end, const T *band, R scale, const T *forward,
                                 const T *back, T *spike)
{
    for (int i = front; i < end; ++i)
        for (int c = 0; c < k; ++c) {
            const T *a = band + i * (2 * k + 1) + k;
            int before = i - front + k - c, behind = end + c - i;
            spike[(2 * i) * k + c] = before <= k ? -a[-before] : (T)0;
            spike[(2 * i + 1) * k + c] = behind <= k ? -a[behind] : (T)0;
        }
    for (int c = 0; c < 2 * k; ++c)
        sb_cut_substitute(k, front, end, forward, back, spike + c, 2 * k);
    R largest = 0;
    for (int i = front; i < end; ++i) {
        R sum = 0, row = 0;
        for (int c = 0; c < 2 * k; ++c)
            sum += sb_abs1(spike[2 * i * k + c]);
        for (int j = 0; j <= 2 * k; ++j)
            row = sb_larger(row, sb_abs1(band[i * (2 * k + 1) + j]));
        largest = sb_larger(largest, scale > 0 ? sum * (row / scale) : sum);
    }
    return largest;
}

/* k x k blocks, row by row: sum += scale a b. */
SB_ALWAYS_INLINE void sb_block_multiply_add(int k, T *sum, R scale, const T *a, const T *b)
{
    SB_UNROLL
    for (int r = 0; r < k; ++r)
        SB_UNROLL
    for (int c = 0; c < k; ++c)
        SB_UNROLL
    for (int t = 0; t < k; ++t)
        sum[r * k + c] += (T)scale * a[r * k + t] * b[t * k + c];
}

SB_ALWAYS_INLINE void sb_block_swap(T *a, T *b, bool swap)
{
    const T first = *a;
    *a = swap ? *b : first;
    *b = swap ? first : *b;
}

/* Is (i, i) the pivot of column i, whatever the units of rows? It is where it dominates what its row has left, and the own coefficients of
   the rows left keep their size, as those of dominant rows do. The largest entry is that of the row with the largest unit instead, which
   may be next to nothing beside others of that row. */
SB_ALWAYS_INLINE bool sb_own_pivot(int k, const T *a, int i)
{
    const R pivot = sb_abs1(a[i * k + i]);
    bool own = pivot > 0;
    SB_UNROLL
    for (int j = i + 1; j < k; ++j) {
        const R beside = sb_abs1(a[i * k + j]), below = sb_abs1(a[j * k + i]);
        own = own && beside <= 2 * pivot && below / pivot * beside <= 2 * sb_abs1(a[j * k + j]);
    }
    return own;
}

/* The inverse, by Gauss-Jordan elimination with row interchanges; not finite where there is none. All places are known when
   compiled: the largest pivot comes up by one interchange with each row below, unless it is to be the own one. left: a, overwritten. */
SB_ALWAYS_INLINE void sb_block_invert(int k, T *left, T *inverse)
{
    SB_UNROLL
    for (int i = 0; i < k * k; ++i)
        inverse[i] = i % (k + 1) == 0;
    SB_UNROLL
    for (int i = 0; i < k; ++i) {
        const bool own = sb_own_pivot(k, left, i);
        SB_UNROLL
        for (int r = i + 1; r < k; ++r) {
            const bool swap = !own && sb_abs1(left[r * k + i]) > sb_abs1(left[i * k + i]);
            SB_UNROLL
            for (int c = 0; c < k; ++c) {
                sb_block_swap(left + r * k + c, left + i * k + c, swap);
                sb_block_swap(inverse + r * k + c, inverse + i * k + c, swap);
            }
        }
        const T pivot = (T)1 / left[i * k + i];
        SB_UNROLL
        for (int c = 0; c < k; ++c) {
            left[i * k + c] *= pivot;
            inverse[i * k + c] *= pivot;
        }
        SB_UNROLL
        for (int r = 0; r < k; ++r) {
            const T factor = left[r * k + i];
            SB_UNROLL
            for (int c = 0; c < k && r != i; ++c) {
                left[r * k + c] -= factor * left[i * k + c];
                inverse[r * k + c] -= factor * inverse[i * k + c];
            }
        }
    }
}

#endif
