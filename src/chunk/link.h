/* Links: all that the rest of a tridiagonal system has to know of a run of its rows, found with pivoting.
 *
 * A run of m rows touches its surroundings by two pairs of unknowns, left (x[-1], x[0]) and right (x[m-1], x[m]).
 * Eliminating what lies between leaves two equations between the two pairs, the run's link. Links of neighbouring
 * runs join into the link of both by eliminating the pair between them; a system is solved by joining all its
 * runs, in any order, closing the ends, and walking back. Every elimination may choose its pivot among all rows
 * that still hold the unknown, so that no run is singular unless the system is: the almost block diagonal
 * elimination of S. J. Wright (1992), with scaled partial pivoting.
 *
 * The unknown x with coefficient p leaves an equation e through e := q e - (q / p) e.x P, with the power of 2 times p
 * (real) or |p|^2 that lies next to 1 for q: no quotient stands between one elimination and the next. Sizes are
 * compared by the leading bits of the numbers, an int that grows with log2 of the size. The equations of a link are
 * scaled by powers of 2 so that their largest coefficient lies in [1, 2). */
#ifndef SB_CHUNK_LINK_H
#define SB_CHUNK_LINK_H

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "src/chunk/scalar.h"

/* l0 x[-1] + l1 x[0] + r0 x[m-1] + r1 x[m] = d */
typedef struct sb_equation {
    T l0, l1, r0, r1, d;
} sb_equation;

typedef struct sb_link {
    sb_equation top, bottom;
} sb_link;

typedef struct sb_pair {
    T first, second;
} sb_pair;

/* The pair between two joined runs from the pairs around them:
   second = its d - l . left - r . right, first = its d - next second - l . left - r . right */
typedef struct sb_joint {
    sb_equation second, first;
    T next;
} sb_joint;

/* A run that grows row by row: its link so far, and the sizes of the rows that the two equations came from. */
typedef struct sb_sweep {
    sb_equation top, bottom;
    int top_size, bottom_size;
} sb_sweep;

/* The equation that gave x[i]: x[i] = d - next x[i+1] - left x[-1] - other (ahead ? x[i+2] : x[0]) */
typedef struct sb_kept {
    T other, next, left, d;
    bool ahead;
} sb_kept;

/* a - m p */
SB_ALWAYS_INLINE T sb_less(T a, T m, T p)
{
#if SB_COMPLEX && defined __CUDACC__
    return T(a.re - m.re * p.re + m.im * p.im, a.im - m.re * p.im - m.im * p.re);
#else
    return a - m * p;
#endif
}

/* Grows with log2 |z|: by SB_DOUBLED where |z| doubles. 0 for zeros of either sign. */
#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_c64
#define SB_DOUBLED (1 << 23)
#else
#define SB_DOUBLED (1 << 20)
#endif

SB_ALWAYS_INLINE int sb_size(T z)
{
#if SB_COMPLEX
    R size = sb_abs1(z);
#else
    R size = z;
#endif
#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_c64
#ifdef __CUDA_ARCH__
    return __float_as_int(size) & INT_MAX;
#else
    int bits;
    memcpy(&bits, &size, sizeof bits);
    return bits & INT_MAX;
#endif
#elif defined __CUDA_ARCH__
    return __double2hiint(size) & INT_MAX;
#else
    int64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (int)(bits >> 32) & INT_MAX;
#endif
}

/* The power of 2 that brings z of this size to [1, 2). */
SB_ALWAYS_INLINE R sb_unit(int size)
{
#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_c64
    int bits = 0x7f000000 - (size & 0x7f800000);
#ifdef __CUDA_ARCH__
    return __int_as_float(bits);
#else
    R unit;
    memcpy(&unit, &bits, sizeof unit);
    return unit;
#endif
#else
    int leading = 0x7fe00000 - (size & 0x7ff00000);
#ifdef __CUDA_ARCH__
    return __hiloint2double(leading, 0);
#else
    int64_t bits = (int64_t)leading << 32;
    R unit;
    memcpy(&unit, &bits, sizeof unit);
    return unit;
#endif
#endif
}

/* 1 / q for q near 1. The GPU's own quotient is correctly rounded, branches, and takes twice as long; this one is off by
   an ulp at most. */
SB_ALWAYS_INLINE R sb_reciprocal(R q)
{
#if defined __CUDA_ARCH__ && (SB_IS(SB_TYPE) == SB_IS_f64 || SB_IS(SB_TYPE) == SB_IS_c128)
    R y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(q));
    R e = fma(-q, y, 1.0);
    return fma(y, fma(e, e, e), y);
#elif defined __CUDA_ARCH__
    R y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(q));
    return fmaf(y, fmaf(-q, y, 1.0f), y);
#else
    return 1 / q;
#endif
}

/* q, and w = q / p. */
typedef struct sb_pivot {
    R q;
    T w;
} sb_pivot;

SB_ALWAYS_INLINE sb_pivot sb_pivot_of(T p)
{
    sb_pivot v;
    R unit = sb_unit(sb_size(p));
#if SB_COMPLEX
    T scaled = unit * p;
    v.q = sb_real(scaled) * sb_real(scaled) + sb_imaginary(scaled) * sb_imaginary(scaled);
    v.w = unit * sb_conj(scaled);
#else
    v.q = unit * p;
    v.w = unit;
#endif
    return v;
}

SB_ALWAYS_INLINE T sb_inverse_of(const sb_pivot *v)
{
    return sb_reciprocal(v->q) * v->w;
}

/* q e - m p */
SB_ALWAYS_INLINE T sb_weighed(R q, T e, T m, T p)
{
    return sb_less(q * e, m, p);
}

SB_ALWAYS_INLINE int sb_larger_size(int a, int b)
{
    return a > b ? a : b;
}

/* The link of no rows: both pairs are one. */
SB_ALWAYS_INLINE sb_link sb_no_rows(void)
{
    sb_link link;
    link.top.l0 = link.bottom.l1 = 1;
    link.top.r0 = link.bottom.r1 = -1;
    link.top.l1 = link.top.r1 = link.bottom.l0 = link.bottom.r0 = link.top.d = link.bottom.d = 0;
    return link;
}

SB_ALWAYS_INLINE int sb_row_size(T a, T b, T c)
{
    return sb_larger_size(sb_larger_size(sb_size(a), sb_size(b)), sb_size(c));
}

/* The first row of a run; a run of one row is complete with it. */
SB_ALWAYS_INLINE void sb_first_row(sb_sweep *s, T a, T b, T c, T d)
{
    s->top.l0 = a;
    s->top.l1 = b;
    s->top.r0 = 0;
    s->top.r1 = c;
    s->top.d = d;
    s->top_size = sb_row_size(a, b, c);
    s->bottom = sb_no_rows().bottom;
    s->bottom.r0 = -1;
    s->bottom.r1 = 0;
    s->bottom_size = sb_size(1);
}

/* The second: nothing to eliminate yet. */
SB_ALWAYS_INLINE void sb_second_row(sb_sweep *s, T a, T b, T c, T d)
{
    s->top.r0 = s->top.r1;
    s->top.r1 = 0;
    s->bottom.l0 = 0;
    s->bottom.l1 = a;
    s->bottom.r0 = b;
    s->bottom.r1 = c;
    s->bottom.d = d;
    s->bottom_size = sb_row_size(a, b, c);
}

/* Inside a branch that is seldom taken: keeps compilers from computing both of its sides. */
#ifdef __CUDACC__
#define SB_SELDOM asm volatile("")
#else
#define SB_SELDOM ((void)0)
#endif

/* x[i] of the next row eliminated by the bottom equation, which has no x[i+2]. */
SB_ALWAYS_INLINE void sb_by_bottom(sb_sweep *s, T a, T b, T c, T d, int size, sb_kept *kept)
{
    const T one = 1;
    sb_equation p = s->bottom;
    sb_pivot v = sb_pivot_of(p.r0);
    T m = a * v.w, inverse = sb_inverse_of(&v), m_top = s->top.r0 * inverse;
    s->bottom.l0 = -m * p.l0;
    s->bottom.l1 = -m * p.l1;
    s->bottom.r0 = sb_weighed(v.q, b, m, p.r1);
    s->bottom.r1 = v.q * c;
    s->bottom.d = sb_weighed(v.q, d, m, p.d);
    s->bottom_size = size + sb_size(v.q) - sb_size(one);
    s->top.l0 = sb_less(s->top.l0, m_top, p.l0);
    s->top.l1 = sb_less(s->top.l1, m_top, p.l1);
    s->top.r0 = sb_less(s->top.r1, m_top, p.r1);
    s->top.r1 = 0;
    s->top.d = sb_less(s->top.d, m_top, p.d);
    kept->other = p.l1 * inverse;
    kept->next = p.r1 * inverse;
    kept->left = p.l0 * inverse;
    kept->d = p.d * inverse;
    kept->ahead = false;
}

/* x[i] of both equations eliminated by the next row, which is then spent. */
SB_ALWAYS_INLINE void sb_by_next_row(sb_sweep *s, T a, T b, T c, T d, sb_kept *kept)
{
    sb_pivot v = sb_pivot_of(a);
    T inverse = sb_inverse_of(&v), m = s->bottom.r0 * inverse, m_top = s->top.r0 * inverse;
    s->bottom.r0 = sb_less(s->bottom.r1, m, b);
    s->bottom.r1 = -m * c;
    s->bottom.d = sb_less(s->bottom.d, m, d);
    s->top.r0 = sb_less(s->top.r1, m_top, b);
    s->top.r1 = -m_top * c;
    s->top.d = sb_less(s->top.d, m_top, d);
    kept->other = c * inverse;
    kept->next = b * inverse;
    kept->left = 0;
    kept->d = d * inverse;
    kept->ahead = true;
}

/* One more row, a x[i] + b x[i+1] + c x[i+2] = d, eliminates x[i]: by itself or by the bottom equation, whichever
   holds more of x[i]; by the top equation, in the bottom one's place, only where that holds four times as much as
   both. */
SB_ALWAYS_INLINE void sb_next_row(sb_sweep *s, T a, T b, T c, T d, sb_kept *kept)
{
    int size = sb_row_size(a, b, c);
    int here = sb_size(a) - size, below = sb_size(s->bottom.r0) - s->bottom_size;
    if (sb_size(s->top.r0) - s->top_size > sb_larger_size(here, below) + 2 * SB_DOUBLED) {
        SB_SELDOM;
        sb_equation was = s->top;
        s->top = s->bottom;
        s->bottom = was;
        s->top_size = s->bottom_size;
        sb_by_bottom(s, a, b, c, d, size, kept);
    } else if (here > below) {
        SB_SELDOM;
        sb_by_next_row(s, a, b, c, d, kept);
    } else
        sb_by_bottom(s, a, b, c, d, size, kept);
}

SB_ALWAYS_INLINE T sb_kept_value(const sb_kept *kept, sb_pair left, T next, T after)
{
    T other = kept->ahead ? after : left.second;
    return sb_less(sb_less(sb_less(kept->d, kept->left, left.first), kept->other, other), kept->next, next);
}

/* Scaled as the equations of links are. */
SB_ALWAYS_INLINE sb_equation sb_scaled(sb_equation e)
{
    R unit = sb_unit(sb_larger_size(sb_row_size(e.l0, e.l1, e.r0), sb_size(e.r1)));
    e.l0 = unit * e.l0;
    e.l1 = unit * e.l1;
    e.r0 = unit * e.r0;
    e.r1 = unit * e.r1;
    e.d = unit * e.d;
    return e;
}

SB_ALWAYS_INLINE sb_link sb_swept(const sb_sweep *s)
{
    sb_link link;
    link.top = sb_scaled(s->top);
    link.bottom = sb_scaled(s->bottom);
    return link;
}

/* An equation while two runs are joined: y0 and y1 are the pair between them. */
typedef struct sb_wide_equation {
    T l0, l1, y0, y1, r0, r1, d;
} sb_wide_equation;

SB_ALWAYS_INLINE sb_wide_equation sb_of_left_run(sb_equation e)
{
    sb_wide_equation w;
    w.l0 = e.l0, w.l1 = e.l1, w.y0 = e.r0, w.y1 = e.r1, w.r0 = w.r1 = 0, w.d = e.d;
    return w;
}

SB_ALWAYS_INLINE sb_wide_equation sb_of_right_run(sb_equation e)
{
    sb_wide_equation w;
    w.l0 = w.l1 = 0, w.y0 = e.l0, w.y1 = e.l1, w.r0 = e.r0, w.r1 = e.r1, w.d = e.d;
    return w;
}

/* p becomes the equation of the two that is to eliminate an unknown which they hold with these coefficients: q only if it
   holds twice as much, so that rows of dominant matrices stay where they are. */
SB_ALWAYS_INLINE void sb_choose(sb_wide_equation *p, sb_wide_equation *q, T in_p, T in_q)
{
    if (sb_size(in_q) > sb_size(in_p) + SB_DOUBLED) {
        sb_wide_equation was = *p;
        *p = *q;
        *q = was;
    }
}

SB_ALWAYS_INLINE void sb_weigh(sb_wide_equation *e, R q, T m, const sb_wide_equation *p)
{
    e->l0 = sb_weighed(q, e->l0, m, p->l0);
    e->l1 = sb_weighed(q, e->l1, m, p->l1);
    e->y1 = sb_weighed(q, e->y1, m, p->y1);
    e->r0 = sb_weighed(q, e->r0, m, p->r0);
    e->r1 = sb_weighed(q, e->r1, m, p->r1);
    e->d = sb_weighed(q, e->d, m, p->d);
}

SB_ALWAYS_INLINE sb_equation sb_narrow(const sb_wide_equation *e)
{
    sb_equation narrow;
    narrow.l0 = e->l0;
    narrow.l1 = e->l1;
    narrow.r0 = e->r0;
    narrow.r1 = e->r1;
    narrow.d = e->d;
    return narrow;
}

/* The two equations that joining two runs uses up. */
typedef struct sb_used {
    sb_wide_equation y0, y1;
    sb_pivot pivot0, pivot1;
} sb_used;

/* The link of run `a` followed by run `b`. */
SB_ALWAYS_INLINE sb_link sb_join_links(const sb_link *a, const sb_link *b, sb_used *used)
{
    sb_wide_equation p = sb_of_left_run(a->bottom), q = sb_of_right_run(b->top);
    sb_wide_equation top = sb_of_left_run(a->top), bottom = sb_of_right_run(b->bottom);
    int others = sb_larger_size(sb_size(q.y0), sb_larger_size(sb_size(top.y0), sb_size(bottom.y0)));
    if (others > sb_size(p.y0) + SB_DOUBLED) {
        SB_SELDOM;
        sb_choose(&p, &q, p.y0, q.y0);
        sb_choose(&p, &top, p.y0, top.y0);
        sb_choose(&p, &bottom, p.y0, bottom.y0);
    }
    sb_pivot v = sb_pivot_of(p.y0);
    sb_weigh(&q, v.q, q.y0 * v.w, &p);
    sb_weigh(&top, v.q, top.y0 * v.w, &p);
    sb_weigh(&bottom, v.q, bottom.y0 * v.w, &p);
    used->y0 = p;
    used->pivot0 = v;
    others = sb_larger_size(sb_size(top.y1), sb_size(bottom.y1));
    if (others > sb_size(q.y1) + SB_DOUBLED) {
        SB_SELDOM;
        sb_choose(&q, &top, q.y1, top.y1);
        sb_choose(&q, &bottom, q.y1, bottom.y1);
    }
    v = sb_pivot_of(q.y1);
    sb_weigh(&top, v.q, top.y1 * v.w, &q);
    sb_weigh(&bottom, v.q, bottom.y1 * v.w, &q);
    used->y1 = q;
    used->pivot1 = v;
    sb_link both;
    both.top = sb_scaled(sb_narrow(&top));
    both.bottom = sb_scaled(sb_narrow(&bottom));
    return both;
}

SB_ALWAYS_INLINE sb_equation sb_solved(const sb_wide_equation *e, T inverse)
{
    sb_equation s;
    s.l0 = e->l0 * inverse;
    s.l1 = e->l1 * inverse;
    s.r0 = e->r0 * inverse;
    s.r1 = e->r1 * inverse;
    s.d = e->d * inverse;
    return s;
}

/* What gives the pair between two joined runs. */
SB_ALWAYS_INLINE sb_joint sb_joint_of(const sb_used *used)
{
    sb_joint joint;
    T inverse = sb_inverse_of(&used->pivot0);
    joint.first = sb_solved(&used->y0, inverse);
    joint.next = used->y0.y1 * inverse;
    joint.second = sb_solved(&used->y1, sb_inverse_of(&used->pivot1));
    return joint;
}

SB_ALWAYS_INLINE T sb_equation_value(const sb_equation *e, sb_pair left, sb_pair right)
{
    T near_left = sb_less(sb_less(e->d, e->l0, left.first), e->l1, left.second);
    return sb_less(sb_less(near_left, e->r0, right.first), e->r1, right.second);
}

SB_ALWAYS_INLINE sb_pair sb_between(const sb_joint *joint, sb_pair left, sb_pair right)
{
    sb_pair pair;
    pair.second = sb_equation_value(&joint->second, left, right);
    pair.first = sb_less(sb_equation_value(&joint->first, left, right), joint->next, pair.second);
    return pair;
}

/* The outermost pairs of a whole system from its link: nothing lies beyond open ends, and periodic ends meet. */
SB_ALWAYS_INLINE void sb_close(const sb_link *link, bool periodic, sb_pair *left, sb_pair *right)
{
    const T zero = 0;
    sb_equation e = link->top, f = link->bottom;
    T e_first = periodic ? e.l1 + e.r1 : e.l1, e_last = periodic ? e.l0 + e.r0 : e.r0;
    T f_first = periodic ? f.l1 + f.r1 : f.l1, f_last = periodic ? f.l0 + f.r0 : f.r0;
    bool swap = sb_size(f_first) > sb_size(e_first);
    T p = swap ? f_first : e_first, p_last = swap ? f_last : e_last, p_d = swap ? f.d : e.d;
    T q = swap ? e_first : f_first, q_last = swap ? e_last : f_last, q_d = swap ? e.d : f.d;
    T m = q / p;
    T last = sb_less(q_d, m, p_d) / sb_less(q_last, m, p_last);
    T first = sb_less(p_d, p_last, last) / p;
    left->first = periodic ? last : zero;
    left->second = first;
    right->first = last;
    right->second = periodic ? first : zero;
}

#endif
