/* Band elimination with partial pivoting: A = P L U, U with lower + upper superdiagonals.
 *
 * Entry (i, j) is at a[i * row + j * column], which says both rows of 2 lower + upper + 1 entries one after
 * another and LAPACK's columns. Entries of A for which no place exists (beyond the matrix, or more than lower +
 * upper to the right) are not touched. L's multipliers replace A below the diagonal, each in the row where it
 * was formed. Called with constant bandwidths, the loops over them unroll. */
#ifndef SB_PIVOT_BAND_H
#define SB_PIVOT_BAND_H

#include "src/chunk/pivot_tri.h"

typedef struct sb_steps {
    int64_t row, column;
} sb_steps;

SB_BOTH int64_t sb_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

SB_ALWAYS_INLINE void sb_subtract(T *SB_RESTRICT line, const T *SB_RESTRICT first, T factor, int64_t count,
                                  int64_t step)
{
    for (int64_t i = 1; i <= count; ++i)
        line[i * step] -= factor * first[i * step];
}

/* block(o, i) -= block(o, 0) * block(0, i) for o = 1..outer, i = 1..inner: the same update for rows and
   columns, so that the inner loop can run along whichever lies contiguous. */
SB_ALWAYS_INLINE void sb_rank_one(T *block, int64_t outer, int64_t outer_step, int64_t inner,
                                  int64_t inner_step)
{
    for (int64_t o = 1; o <= outer; ++o)
        sb_subtract(block + o * outer_step, block, block[o * outer_step], inner, inner_step);
}

/* Offset of the first largest entry of a column. */
SB_ALWAYS_INLINE int64_t sb_first_largest(const T *column, int64_t below, int64_t step, R *size)
{
    int64_t offset = 0;
    *size = sb_abs1(column[0]);
    for (int64_t r = 1; r <= below; ++r) {
        R other = sb_abs1(column[r * step]);
        if (other > *size) {
            *size = other;
            offset = r;
        }
    }
    return offset;
}

SB_ALWAYS_INLINE void sb_swap_rows(T *SB_RESTRICT row, T *SB_RESTRICT other, int64_t count, int64_t step)
{
    for (int64_t k = 0; k < count; ++k) {
        T kept = row[k * step];
        row[k * step] = other[k * step];
        other[k * step] = kept;
    }
}

/* Eliminates a column from the `below` rows under its pivot row, `right` columns beside it. size: the pivot's.
 */
SB_ALWAYS_INLINE void sb_eliminate_column(T *pivot, R size, sb_steps at, int64_t below, int64_t right)
{
    bool invertible = sb_invertible(size);
    T d = pivot[0], inverse = invertible ? 1 / d : 0;
    for (int64_t r = 1; r <= below; ++r)
        pivot[r * at.row] = invertible ? pivot[r * at.row] * inverse : pivot[r * at.row] / d;
    if (at.row == 1)
        sb_rank_one(pivot, right, at.column, below, 1);
    else
        sb_rank_one(pivot, below, at.row, right, at.column);
}

/* largest: NULL, or for k = 0..lower + upper the largest |U(j, j + k)|, raised. `unrolled` takes every row at
   its full width, whatever the pivots were. */
SB_ALWAYS_INLINE sb_elimination sb_band_eliminate(T *a, sb_steps at, int64_t n, int64_t lower, int64_t upper,
                                                  int32_t *pivots, sb_pivots how, R *largest, bool unrolled)
{
    sb_elimination outcome = {-1, -1};
    int64_t reach = 0;
    for (int64_t j = 0; j < n; ++j) {
        T *pivot = a + j * (at.row + at.column);
        bool inside = j + lower + upper < n;
        int64_t below = inside ? lower : sb_smaller(lower, n - 1 - j);
        R size;
        int64_t offset = sb_first_largest(pivot, below, at.row, &size);
        pivots[j * how.step] = sb_pivot_at(j, offset, how);
        reach = reach - 1 > upper + offset ? reach - 1 : upper + offset;
        int64_t right = unrolled ? lower + upper : reach;
        right = inside ? right : sb_smaller(right, n - 1 - j);
        sb_note_pivot(&outcome, j, pivot[offset * at.row], size);
        if (offset)
            sb_swap_rows(pivot, pivot + offset * at.row, right + 1, at.column);
        if (largest)
            for (int64_t k = 0; k <= right; ++k)
                largest[k] = sb_larger(sb_abs1(pivot[k * at.column]), largest[k]);
        if (size != 0)
            sb_eliminate_column(pivot, size, at, below, right);
    }
    return outcome;
}

/* L of A = P L U, rows swapped as they were: x becomes what U is solved with. */
SB_ALWAYS_INLINE void sb_band_forward(const T *a, sb_steps at, int64_t n, int64_t lower, const int32_t *pivots,
                                      sb_pivots how, T *x, int64_t step)
{
    for (int64_t j = 0; j < n; ++j) {
        const T *pivot = a + j * (at.row + at.column);
        int64_t offset = sb_pivot_offset(pivots, j, how);
        T first = x[(j + offset) * step];
        x[(j + offset) * step] = x[j * step];
        x[j * step] = first;
        int64_t below = j + lower < n ? lower : n - 1 - j;
        for (int64_t r = 1; r <= below; ++r)
            x[(j + r) * step] -= pivot[r * at.row] * first;
    }
}

/* U x = b; reach is U's number of superdiagonals. The nearest unknown comes last: it is the one waited for. */
SB_ALWAYS_INLINE void sb_band_backward(const T *a, sb_steps at, int64_t n, int64_t reach, T *x, int64_t step)
{
    for (int64_t i = n - 1; i >= 0; --i) {
        const T *pivot = a + i * (at.row + at.column);
        int64_t right = i + reach < n ? reach : n - 1 - i;
        T t = x[i * step];
        for (int64_t k = right; k > 0; --k)
            t -= pivot[k * at.column] * x[(i + k) * step];
        x[i * step] = sb_divide(t, pivot[0]);
    }
}

SB_ALWAYS_INLINE void sb_band_solve(const T *a, sb_steps at, int64_t n, int64_t lower, int64_t upper,
                                    const int32_t *pivots, sb_pivots how, T *x, int64_t step)
{
    sb_band_forward(a, at, n, lower, pivots, how, x, step);
    sb_band_backward(a, at, n, lower + upper, x, step);
}

/* transpose(A) x = b: transpose(U) forwards, then the columns of L backwards, undoing each swap. */
SB_ALWAYS_INLINE void sb_band_solve_transposed(const T *a, sb_steps at, int64_t n, int64_t lower, int64_t upper,
                                               const int32_t *pivots, sb_pivots how, T *x, int64_t step)
{
    for (int64_t i = 0; i < n; ++i) {
        const T *pivot = a + i * (at.row + at.column);
        int64_t right = i + lower + upper < n ? lower + upper : n - 1 - i;
        T t = x[i * step] = sb_divide(x[i * step], pivot[0]);
        for (int64_t k = 1; k <= right; ++k)
            x[(i + k) * step] -= pivot[k * at.column] * t;
    }
    for (int64_t j = n - 1; j >= 0; --j) {
        const T *pivot = a + j * (at.row + at.column);
        int64_t below = j + lower < n ? lower : n - 1 - j;
        T t = x[j * step];
        for (int64_t r = below; r > 0; --r)
            t -= pivot[r * at.row] * x[(j + r) * step];
        int64_t offset = sb_pivot_offset(pivots, j, how);
        x[j * step] = x[(j + offset) * step];
        x[(j + offset) * step] = t;
    }
}

#endif
