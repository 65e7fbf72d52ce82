/* Equations in three unknowns, and what eliminating one of the three does to the others. Every tridiagonal
 * method but Thomas is these few lines in a different order. Nothing but arithmetic on T. */
#ifndef SB_CHUNK_ROW_H
#define SB_CHUNK_ROW_H

#include "src/chunk/scalar.h"

/* On the device rows are moved in pieces of 16 bytes. */
#ifdef __CUDACC__
#define SB_ROW_ALIGNED __align__(16)
#else
#define SB_ROW_ALIGNED
#endif

/* a x[left] + b x[own] + c x[right] = d. Which unknowns left and right are is known from where the row stands
   and how far the method has come; {left, own, right} in comments. */
typedef struct SB_ROW_ALIGNED sb_row {
    T a, b, c, d;
} sb_row;

SB_BOTH bool sb_bad_pivot(T pivot)
{
    return pivot == 0 || !sb_finite(pivot);
}

/* {i-u, i, i+u} with {i-2u, i-u, i} becomes {i-2u, i, i+u}. */
SB_BOTH sb_row sb_reduce_left(sb_row e, sb_row left)
{
    T s = e.a / left.b;
    e.a = -left.a * s;
    e.b -= left.c * s;
    e.d -= left.d * s;
    return e;
}

/* {i-u, i, i+u} with {i, i+u, i+2u} becomes {i-u, i, i+2u}. */
SB_BOTH sb_row sb_reduce_right(sb_row e, sb_row right)
{
    T s = e.c / right.b;
    e.c = -right.c * s;
    e.b -= right.a * s;
    e.d -= right.d * s;
    return e;
}

/* Both, {i-2u, i, i+2u}. A neighbour that is NULL leaves its side as it is. 12 operations. */
SB_BOTH sb_row sb_reduce(sb_row e, const sb_row *left, const sb_row *right)
{
    if (left)
        e = sb_reduce_left(e, *left);
    return right ? sb_reduce_right(e, *right) : e;
}

/* {l, i, m} with {l, m, r} becomes {l, i, r}. */
SB_BOTH sb_row sb_replace_right(sb_row e, sb_row m)
{
    T s = e.c / m.b;
    e.a -= m.a * s;
    e.c = -m.c * s;
    e.d -= m.d * s;
    return e;
}

/* {m, i, r} with {l, m, r} becomes {l, i, r}. */
SB_BOTH sb_row sb_replace_left(sb_row e, sb_row m)
{
    T s = e.a / m.b;
    e.a = -m.a * s;
    e.c -= m.c * s;
    e.d -= m.d * s;
    return e;
}

/* {l, i, r} with {l, j, r} becomes {l, i, j}. Where f does not hold x[r] at all, e does not either: c = 0 then
   serves for j as well as for r. */
SB_BOTH sb_row sb_exchange_right(sb_row e, sb_row f)
{
    T s = f.c == 0 ? e.c : e.c / f.c;
    e.a -= f.a * s;
    e.c = -f.b * s;
    e.d -= f.d * s;
    return e;
}

SB_BOTH T sb_unknown(sb_row e, T left, T right)
{
    return (e.d - e.a * left - e.c * right) / e.b;
}

/* How much of an equation in two unknowns is the first; no number where neither is in it. */
SB_BOTH R sb_share_of_first(T first, T second)
{
    return sb_abs1(first) / sb_larger(sb_abs1(first), sb_abs1(second));
}

/* The last two equations, e: {., i, j} and f: {i, j, .}. Cramer's rule of the papers, divided through by the entry of x[i]
   that is larger in its own equation, whatever their sizes, so that no product of two entries overflows or vanishes. Returns -1, or
   which unknown (0, 1) has no pivot. */
SB_BOTH int sb_solve_pair(sb_row e, sb_row f, T *xi, T *xj)
{
    bool swap = f.a != 0 && !(sb_share_of_first(f.a, f.b) <= sb_share_of_first(e.b, e.c));
    T p = swap ? f.a : e.b, q = swap ? f.b : e.c, d = swap ? f.d : e.d;
    T s = (swap ? e.b : f.a) / p;
    T pivot = (swap ? e.c : f.b) - q * s;
    *xj = ((swap ? e.d : f.d) - d * s) / pivot;
    *xi = (d - q * *xj) / p;
    return sb_bad_pivot(p) ? 0 : sb_bad_pivot(pivot) ? 1 : -1;
}

#endif
