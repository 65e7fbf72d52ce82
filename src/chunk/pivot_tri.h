/* Tridiagonal elimination with partial pivoting: A = P L U, U with a second superdiagonal.
 *
 * Unknown i is at x[i * step]. Entry i of each of the four diagonals is at pointer[i * step]: four arrays with step 1 (LAPACK's gttrf) or
 * one array of rows or columns. l holds A(i + 1, i), then L's multiplier of column i; d, u, u2 hold U(i, i),
 * U(i, i + 1), U(i, i + 2). l and u have n - 1 entries, u2 has n - 2: those behind are neither read nor
 * written. */
#ifndef SB_PIVOT_TRI_H
#define SB_PIVOT_TRI_H

#include "src/chunk/pivot.h"

typedef struct sb_tri {
    T *l, *d, *u, *u2;
    int64_t step;
} sb_tri;

typedef struct sb_tri_factors {
    const T *l, *d, *u, *u2;
    int64_t step;
} sb_tri_factors;

typedef struct sb_tri_step {
    bool swap;
    R size; /* sb_abs1 of the pivot */
    T multiplier;
    T d, u, u2;       /* row i of U */
    T next_d, next_u; /* what is left of the other row */
} sb_tri_step;

/* Eliminates column i from rows (d u 0) and (l d1 u1). Selects instead of branches: whether rows swap is as
   good as random where it matters. A zero pivot leaves the other row as it is. */
SB_ALWAYS_INLINE sb_tri_step sb_tri_eliminate_step(T d, T u, T l, T d1, T u1)
{
    R size_d = sb_abs1(d), size_l = sb_abs1(l);
    bool swap = !(size_d >= size_l);
    sb_tri_step s = {swap, swap ? size_l : size_d, 0, swap ? l : d, swap ? d1 : u, swap ? u1 : 0, 0, 0};
    T other = swap ? d : l;
    s.multiplier = s.size == 0 ? 0 : other / s.d;
    s.next_d = (swap ? u : d1) - s.multiplier * s.u;
    s.next_u = (swap ? 0 : u1) - s.multiplier * s.u2;
    return s;
}

/* The step's effect on a right-hand side: *b0 takes its final place, *b1 goes on. */
SB_BOTH void sb_tri_forward_step(bool swap, T multiplier, T *b0, T *b1)
{
    T first = swap ? *b1 : *b0;
    T second = swap ? *b0 : *b1;
    *b0 = first;
    *b1 = second - multiplier * first;
}

/* largest[0], largest[1]: raised to the largest sb_abs1 in A and in U. */
SB_ALWAYS_INLINE sb_elimination sb_tri_eliminate(sb_tri A, int64_t n, int32_t *pivots, sb_pivots how,
                                                 R largest[2])
{
    sb_elimination outcome = {-1, -1};
    T d = A.d[0], u = n > 1 ? A.u[0] : 0;
    R in_a = sb_larger(sb_abs1(d), sb_abs1(u)), in_u = 0;
    for (int64_t i = 0; i < n - 1; ++i) {
        int64_t at = i * A.step;
        bool full = i + 2 < n;
        T l = A.l[at], d1 = A.d[at + A.step], u1 = full ? A.u[at + A.step] : 0;
        in_a = sb_larger(in_a, sb_larger(sb_abs1(l), sb_larger(sb_abs1(d1), sb_abs1(u1))));
        sb_tri_step s = sb_tri_eliminate_step(d, u, l, d1, u1);
        sb_note_pivot(&outcome, i, s.d, s.size);
        in_u = sb_larger(in_u, sb_larger(s.size, sb_larger(sb_abs1(s.u), sb_abs1(s.u2))));
        A.l[at] = s.multiplier;
        A.d[at] = s.d;
        A.u[at] = s.u;
        if (full)
            A.u2[at] = s.u2;
        pivots[i * how.step] = sb_pivot_at(i, s.swap, how);
        d = s.next_d;
        u = s.next_u;
    }
    A.d[(n - 1) * A.step] = d;
    pivots[(n - 1) * how.step] = sb_pivot_at(n - 1, 0, how);
    sb_note_pivot(&outcome, n - 1, d, sb_abs1(d));
    largest[0] = sb_larger(largest[0], in_a);
    largest[1] = sb_larger(largest[1], sb_larger(in_u, sb_abs1(d)));
    return outcome;
}

/* U x = b */
SB_ALWAYS_INLINE void sb_tri_back_substitute(sb_tri_factors F, int64_t n, T *x, int64_t step)
{
    T x1 = 0, x2 = 0;
    for (int64_t i = n - 1; i >= 0; --i) {
        int64_t at = i * F.step;
        T t = x[i * step];
        if (i + 2 < n)
            t -= F.u2[at] * x2;
        if (i + 1 < n)
            t -= F.u[at] * x1;
        x2 = x1;
        x1 = x[i * step] = sb_divide(t, F.d[at]);
    }
}

SB_ALWAYS_INLINE void sb_tri_solve(sb_tri_factors F, int64_t n, const int32_t *pivots, sb_pivots how, T *x,
                                   int64_t step)
{
    T carried = x[0];
    for (int64_t i = 0; i < n - 1; ++i) {
        T next = x[(i + 1) * step];
        sb_tri_forward_step(sb_pivot_offset(pivots, i, how) != 0, F.l[i * F.step], &carried, &next);
        x[i * step] = carried;
        carried = next;
    }
    x[(n - 1) * step] = carried;
    sb_tri_back_substitute(F, n, x, step);
}

/* transpose(A) x = b: transpose(U) forwards, then the steps' transposes backwards. */
SB_ALWAYS_INLINE void sb_tri_solve_transposed(sb_tri_factors F, int64_t n, const int32_t *pivots, sb_pivots how,
                                              T *x, int64_t step)
{
    T x1 = 0, x2 = 0;
    for (int64_t i = 0; i < n; ++i) {
        int64_t at = i * F.step;
        T t = x[i * step];
        if (i > 1)
            t -= F.u2[at - 2 * F.step] * x2;
        if (i > 0)
            t -= F.u[at - F.step] * x1;
        x2 = x1;
        x1 = x[i * step] = sb_divide(t, F.d[at]);
    }
    T carried = x[(n - 1) * step];
    for (int64_t i = n - 2; i >= 0; --i) {
        bool swap = sb_pivot_offset(pivots, i, how) != 0;
        T t = x[i * step] - F.l[i * F.step] * carried;
        x[(i + 1) * step] = swap ? t : carried;
        carried = swap ? carried : t;
    }
    x[0] = carried;
}

#endif
