/* Cyclic reduction of a near-Toeplitz matrix (near-toeplitz.tex 3): the coefficients of all levels. All rows are alike
 * but for the first and the last, and every reduction step leaves that so. Any n: where a level has an odd number of rows
 * its last row is eliminated, else it is kept; each level's last coefficients say which. The levels of the transposed
 * matrix are the transposes of the levels, so they take their coefficients from the same rows, one place along. */
#ifndef SB_CHUNK_NEAR_TOEPLITZ_H
#define SB_CHUNK_NEAR_TOEPLITZ_H

#include "src/chunk/levels.h"
#include "src/chunk/row.h"

/* x[i] = (x[i] - left x[i-u] - right x[i+u]) / own. */
typedef struct sb_weights {
    T left, own, right;
} sb_weights;

/* Every other row of a level: its first, those between, its last. */
typedef struct sb_stencil {
    sb_weights first, inner, last;
} sb_stencil;

/* The second of each is the transposed matrix's. Reduction updates the rows that are kept, substitution those that were
   eliminated. Stored are sb_cr_levels(n) of them, then the one or two rows they lead to. */
typedef struct sb_toeplitz_level {
    sb_stencil reduce[2], substitute[2];
} sb_toeplitz_level;

/* The m rows of one level. */
typedef struct sb_near_toeplitz {
    int64_t m;
    sb_row first, inner, last;
} sb_near_toeplitz;

SB_BOTH const sb_row *sb_toeplitz_row(const sb_near_toeplitz *A, int64_t j)
{
    return j == 0 ? &A->first : j == A->m - 1 ? &A->last : &A->inner;
}

SB_BOTH T sb_toeplitz_left(const sb_near_toeplitz *A, int64_t j, int transposed)
{
    return j == 0 ? (T)0 : transposed ? sb_toeplitz_row(A, j - 1)->c : sb_toeplitz_row(A, j)->a;
}

SB_BOTH T sb_toeplitz_right(const sb_near_toeplitz *A, int64_t j, int transposed)
{
    return j == A->m - 1 ? (T)0 : transposed ? sb_toeplitz_row(A, j + 1)->a : sb_toeplitz_row(A, j)->c;
}

SB_BOTH sb_weights sb_reduction_weights(const sb_near_toeplitz *A, int64_t j, int transposed)
{
    sb_weights w;
    w.own = 1;
    w.left = sb_toeplitz_left(A, j, transposed) / sb_toeplitz_row(A, j - 1)->b;
    w.right = j == A->m - 1 ? (T)0 : sb_toeplitz_right(A, j, transposed) / sb_toeplitz_row(A, j + 1)->b;
    return w;
}

SB_BOTH sb_weights sb_substitution_weights(const sb_near_toeplitz *A, int64_t j, int transposed)
{
    sb_weights w;
    w.left = sb_toeplitz_left(A, j, transposed);
    w.own = sb_toeplitz_row(A, j)->b;
    w.right = sb_toeplitz_right(A, j, transposed);
    return w;
}

/* Rows begin, begin + 2, ... of the level: 1 are those that are kept, 0 those that are eliminated. */
SB_BOTH sb_stencil sb_stencil_of(const sb_near_toeplitz *A, int begin, int transposed)
{
    int64_t last = A->m - 1 - (A->m - 1 - begin) % 2, inner = begin + 2 < last ? begin + 2 : begin;
    sb_stencil s;
    s.first =
        begin ? sb_reduction_weights(A, begin, transposed) : sb_substitution_weights(A, begin, transposed);
    s.inner =
        begin ? sb_reduction_weights(A, inner, transposed) : sb_substitution_weights(A, inner, transposed);
    s.last = begin ? sb_reduction_weights(A, last, transposed) : sb_substitution_weights(A, last, transposed);
    return s;
}

SB_BOTH sb_row sb_toeplitz_reduced(const sb_near_toeplitz *A, int64_t j)
{
    return sb_reduce(*sb_toeplitz_row(A, j), sb_toeplitz_row(A, j - 1),
                     j + 1 < A->m ? sb_toeplitz_row(A, j + 1) : NULL);
}

/* The next level, in place. */
SB_BOTH void sb_toeplitz_next(sb_near_toeplitz *A)
{
    int64_t m = A->m / 2;
    sb_row first = sb_toeplitz_reduced(A, 1), inner = sb_toeplitz_reduced(A, m > 2 ? 3 : 1),
           last = sb_toeplitz_reduced(A, 2 * m - 1);
    A->m = m;
    A->first = first;
    A->inner = inner;
    A->last = last;
}

/* The first eliminated row without a pivot, counted in the rows of the level, or -1. */
SB_BOTH int64_t sb_toeplitz_unfit(const sb_near_toeplitz *A)
{
    int64_t last = A->m - 1 - (A->m - 1) % 2;
    const int64_t kinds[3] = {0, last > 2 ? 2 : last, last};
    for (int k = 0; k < 3; ++k)
        if (sb_bad_pivot(sb_toeplitz_row(A, kinds[k])->b))
            return kinds[k];
    return -1;
}

/* Fills the levels and the rows behind them; A becomes its last level. Returns the first row without a pivot, or -1. */
SB_BOTH int64_t sb_toeplitz_factor(sb_near_toeplitz *A, sb_toeplitz_level *levels)
{
    int64_t u = 1, bad = -1;
    sb_row *end = (sb_row *)(levels + sb_cr_levels(A->m));
    for (; A->m > 2; sb_toeplitz_next(A), u *= 2, ++levels) {
        int64_t unfit = bad < 0 ? sb_toeplitz_unfit(A) : -1;
        if (unfit >= 0)
            bad = u * (unfit + 1) - 1;
        for (int transposed = 0; transposed < 2; ++transposed) {
            levels->reduce[transposed] = sb_stencil_of(A, 1, transposed);
            levels->substitute[transposed] = sb_stencil_of(A, 0, transposed);
        }
    }
    end[0] = A->first;
    end[1] = A->last;
    T unknown[2];
    int side = A->m == 2 ? sb_solve_pair(end[0], end[1], &unknown[0], &unknown[1]) : sb_bad_pivot(end[0].b) - 1;
    if (bad < 0 && side >= 0)
        bad = u * (side + 1) - 1;
    return bad;
}

/* The one or two unknowns that the levels lead to: right-hand sides in, unknowns out. */
SB_BOTH void sb_toeplitz_solve_last(const sb_row *rows, int transposed, int64_t m, T *x, T *y)
{
    sb_row e = rows[0], f = rows[1];
    e.d = *x;
    if (m == 1) {
        *x = e.d / e.b;
        return;
    }
    if (transposed) {
        e.c = rows[1].a;
        f.a = rows[0].c;
    }
    f.d = *y;
    sb_solve_pair(e, f, x, y);
}

#endif
