/* One row of elimination without pivoting, for any narrow band: row i arrives as A(i, i - lower .. i + upper) and
 * leaves as its multipliers, the reciprocal pivot and its part of U. The rows above lie where the caller has them:
 * in memory, or in registers. Operations a row, k = lower = upper: k (2 k + 1) + 1. */
#ifndef SB_CHUNK_BAND_H
#define SB_CHUNK_BAND_H

#include "src/chunk/growth.h"

/* growth, or that of the products with one row above if it is larger: see growth.h. a: the entry that is eliminated; to[t]: those that are
   subtracted from, to[own] the row's own coefficient. Few products are larger than a. */
SB_ALWAYS_INLINE R sb_band_beside(const T *to, const T *u, T a, T l, int upper, int own, R growth)
{
    R product = 0;
    SB_UNROLL
    for (int t = 1; t <= upper; ++t)
        product = sb_larger(product, sb_abs1(l * u[t]));
    if (product <= growth * sb_abs1(a) &&
        (own > upper || sb_abs1(l * u[own]) <= growth * (SB_BESIDE_OWN * sb_abs1(to[own]))))
        return growth;
    SB_UNROLL
    for (int t = 1; t <= upper; ++t) {
        const R from = sb_abs1(to[t]);
        growth = sb_grow(growth, sb_abs1(l * u[t]),
                         t == own ? sb_beside_own(sb_abs1(a), from) : sb_larger(sb_abs1(a), from));
    }
    return growth;
}

/* Subtracts the rows above from `row`. The reciprocal pivot of row i - k, followed by that row's U, is at
   pivots + k * step; `present` such rows exist. Returns the largest |l u|. beside: NULL, or raised by sb_band_beside. */
SB_ALWAYS_INLINE R sb_band_eliminate_row(T *row, const T *pivots, int64_t step, int64_t present, int lower,
                                         int upper, R *beside)
{
    R product = 0;
    SB_UNROLL
    for (int k = lower; k > 0; --k) {
        if (k > present)
            continue;
        const T *u = pivots + k * step;
        T a = row[lower - k], l = a * u[0];
        row[lower - k] = l;
        if (beside)
            *beside = sb_band_beside(row + lower - k, u, a, l, upper, k, *beside);
        SB_UNROLL
        for (int t = 1; t <= upper; ++t) {
            T lu = l * u[t];
            product = sb_larger(product, sb_abs1(lu));
            row[lower - k + t] -= lu;
        }
    }
    return product;
}

/* Puts the reciprocal pivot in its place; false if the pivot is none. */
SB_ALWAYS_INLINE bool sb_band_invert_pivot(T *pivot)
{
    T u = *pivot;
    *pivot = 1 / u;
    return sb_finite(*pivot) && sb_finite(u);
}

/* The largest entry of a row. */
SB_ALWAYS_INLINE R sb_band_largest(const T *row, int diagonals)
{
    R largest = 0;
    SB_UNROLL
    for (int d = 0; d < diagonals; ++d)
        largest = sb_larger(largest, sb_abs1(row[d]));
    return largest;
}

#endif
