/* Links: all that the rest of a tridiagonal system has to know of a run of its rows, found with pivoting.
 *
 * A run of m rows touches its surroundings by two pairs of unknowns, left (x[-1], x[0]) and right (x[m-1], x[m]).
 * Eliminating what lies between leaves two equations between the two pairs, the run's link. Links of neighbouring
 * runs join into the link of both by eliminating the pair between them; a system is solved by joining all its
 * runs, in any order, closing the ends, and walking back. Every elimination may choose its pivot among all rows
 * that still hold the unknown, so that no run is singular unless the system is: the almost block diagonal
 * elimination of S. J. Wright (1992), with scaled partial pivoting.
 *
 * Which equation eliminates: one of which the unknown's is the largest coefficient may do it at once, for then no other
 * equation grows by more than it held of the unknown; where the equation at hand is none, the one that holds most of the
 * unknown for its size does. Less than the largest would not do: an equation of the run is changed by every row, and what grows
 * by half with each of them grows beyond all bounds. Sizes are compared by the leading bits of numbers: an int that grows with
 * log2 of the size. */
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

/* a + product, which is m p and is wanted besides: a GPU adds without waiting for it. */
SB_ALWAYS_INLINE T sb_more(T a, T product, T m, T p)
{
#if !SB_COMPLEX && defined __CUDA_ARCH__
    (void)product;
    return fma(m, p, a);
#else
    (void)m, (void)p;
    return a + product;
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

/* By how much a coefficient is smaller than its row's largest if it is lost in the row's roundings, 64 times over. */
#define SB_SIZE_LOST ((sizeof(R) == 4 ? 30 : 59) * SB_DOUBLED)

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
    int64_t bits = (int64_t)leading * (INT64_C(1) << 32);
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

/* For a coefficient p: q, which is the power of 2 times p (real) or |p|^2 that lies next to 1, and w = q / p. */
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

SB_ALWAYS_INLINE int sb_largest_of(T a, T b, T c)
{
    return sb_larger_size(sb_larger_size(sb_size(a), sb_size(b)), sb_size(c));
}

SB_ALWAYS_INLINE int sb_largest_in(const sb_equation *e)
{
    return sb_larger_size(sb_largest_of(e->l0, e->l1, e->r0), sb_size(e->r1));
}

/* The first row of a run; a run of one row is complete with it. */
SB_ALWAYS_INLINE void sb_first_row(sb_link *s, T a, T b, T c, T d)
{
    s->top.l0 = a;
    s->top.l1 = b;
    s->top.r0 = 0;
    s->top.r1 = c;
    s->top.d = d;
    s->bottom = sb_no_rows().bottom;
    s->bottom.r0 = -1;
    s->bottom.r1 = 0;
}

/* The second: nothing to eliminate yet. */
SB_ALWAYS_INLINE void sb_second_row(sb_link *s, T a, T b, T c, T d)
{
    s->top.r0 = s->top.r1;
    s->top.r1 = 0;
    s->bottom.l0 = 0;
    s->bottom.l1 = a;
    s->bottom.r0 = b;
    s->bottom.r1 = c;
    s->bottom.d = d;
}

/* Inside a branch that is seldom taken: keeps compilers from computing both of its sides. */
#ifdef __CUDACC__
#define SB_SELDOM asm volatile("")
#else
#define SB_SELDOM ((void)0)
#endif

/* x[i] of the next row eliminated by the bottom equation, which has no x[i+2]. The row is weighed by q (see sb_pivot), so
   that no quotient stands between this elimination and the next. */
SB_ALWAYS_INLINE void sb_by_bottom(sb_link *s, T a, T b, T c, T d, sb_kept *kept)
{
    sb_equation p = s->bottom;
    sb_pivot v = sb_pivot_of(p.r0);
    T m = a * v.w, inverse = sb_inverse_of(&v), m_top = s->top.r0 * inverse;
    s->bottom.l0 = -m * p.l0;
    s->bottom.l1 = -m * p.l1;
    s->bottom.r0 = sb_weighed(v.q, b, m, p.r1);
    s->bottom.r1 = v.q * c;
    s->bottom.d = sb_weighed(v.q, d, m, p.d);
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
SB_ALWAYS_INLINE void sb_by_next_row(sb_link *s, T a, T b, T c, T d, sb_kept *kept)
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

/* One more row, a x[i] + b x[i+1] + c x[i+2] = d, and x[i] eliminated. */
SB_ALWAYS_INLINE void sb_next_row(sb_link *s, T a, T b, T c, T d, sb_kept *kept)
{
    if (sb_size(s->bottom.r0) < sb_largest_in(&s->bottom)) {
        SB_SELDOM;
        int row = sb_size(a) - sb_largest_of(a, b, c), top = sb_size(s->top.r0) - sb_largest_in(&s->top);
        int bottom = sb_size(s->bottom.r0) - sb_largest_in(&s->bottom);
        if (row >= sb_larger_size(bottom, top)) {
            sb_by_next_row(s, a, b, c, d, kept);
            return;
        }
        if (top > bottom) {
            sb_equation was = s->top;
            s->top = s->bottom;
            s->bottom = was;
        }
    }
    sb_by_bottom(s, a, b, c, d, kept);
}

SB_ALWAYS_INLINE T sb_kept_value(const sb_kept *kept, sb_pair left, T next, T after)
{
    T other = kept->ahead ? after : left.second;
    return sb_less(sb_less(sb_less(kept->d, kept->left, left.first), kept->other, other), kept->next, next);
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

SB_ALWAYS_INLINE int sb_largest_in_wide(const sb_wide_equation *e)
{
    return sb_larger_size(sb_largest_of(e->l0, e->l1, e->y0), sb_largest_of(e->y1, e->r0, e->r1));
}

/* p becomes the equation of the two that holds more, for its size, of an unknown with these coefficients. */
SB_ALWAYS_INLINE void sb_choose(sb_wide_equation *p, sb_wide_equation *q, T in_p, T in_q)
{
    if (sb_size(in_q) - sb_largest_in_wide(q) > sb_size(in_p) - sb_largest_in_wide(p)) {
        sb_wide_equation was = *p;
        *p = *q;
        *q = was;
    }
}

SB_ALWAYS_INLINE void sb_less_equation(sb_wide_equation *e, T m, const sb_wide_equation *p)
{
    e->l0 = sb_less(e->l0, m, p->l0);
    e->l1 = sb_less(e->l1, m, p->l1);
    e->y1 = sb_less(e->y1, m, p->y1);
    e->r0 = sb_less(e->r0, m, p->r0);
    e->r1 = sb_less(e->r1, m, p->r1);
    e->d = sb_less(e->d, m, p->d);
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

/* The two equations that joining two runs uses up, and the inverses of what eliminated. */
typedef struct sb_used {
    sb_wide_equation y0, y1;
    T inverse0, inverse1;
} sb_used;

/* The link of run `a` followed by run `b`. */
SB_ALWAYS_INLINE sb_link sb_join_links(const sb_link *a, const sb_link *b, sb_used *used)
{
    sb_wide_equation p = sb_of_left_run(a->bottom), q = sb_of_right_run(b->top);
    sb_wide_equation top = sb_of_left_run(a->top), bottom = sb_of_right_run(b->bottom);
    if (sb_size(p.y0) < sb_largest_in(&a->bottom)) {
        SB_SELDOM;
        sb_choose(&p, &q, p.y0, q.y0);
        sb_choose(&p, &top, p.y0, top.y0);
        sb_choose(&p, &bottom, p.y0, bottom.y0);
    }
    sb_pivot v = sb_pivot_of(p.y0);
    used->inverse0 = sb_inverse_of(&v);
    sb_less_equation(&q, q.y0 * used->inverse0, &p);
    sb_less_equation(&top, top.y0 * used->inverse0, &p);
    sb_less_equation(&bottom, bottom.y0 * used->inverse0, &p);
    used->y0 = p;
    q.y0 = top.y0 = bottom.y0 = 0;
    if (sb_size(q.y1) < sb_largest_in_wide(&q)) {
        SB_SELDOM;
        sb_choose(&q, &top, q.y1, top.y1);
        sb_choose(&q, &bottom, q.y1, bottom.y1);
    }
    v = sb_pivot_of(q.y1);
    used->inverse1 = sb_inverse_of(&v);
    sb_less_equation(&top, top.y1 * used->inverse1, &q);
    sb_less_equation(&bottom, bottom.y1 * used->inverse1, &q);
    used->y1 = q;
    sb_link both;
    both.top = sb_narrow(&top);
    both.bottom = sb_narrow(&bottom);
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
    joint.first = sb_solved(&used->y0, used->inverse0);
    joint.next = used->y0.y1 * used->inverse0;
    joint.second = sb_solved(&used->y1, used->inverse1);
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

/* The outermost pairs of a whole system from its link: nothing lies beyond open ends, and periodic ends meet. False if
   its matrix is singular. */
SB_ALWAYS_INLINE bool sb_close(const sb_link *link, bool periodic, sb_pair *left, sb_pair *right)
{
    const T zero = 0;
    sb_equation e = link->top, f = link->bottom;
    T e_first = periodic ? e.l1 + e.r1 : e.l1, e_last = periodic ? e.l0 + e.r0 : e.r0;
    T f_first = periodic ? f.l1 + f.r1 : f.l1, f_last = periodic ? f.l0 + f.r0 : f.r0;
    int e_size = sb_larger_size(sb_size(e_first), sb_size(e_last));
    int f_size = sb_larger_size(sb_size(f_first), sb_size(f_last));
    bool swap = sb_size(f_first) - f_size > sb_size(e_first) - e_size;
    T p = swap ? f_first : e_first, p_last = swap ? f_last : e_last, p_d = swap ? f.d : e.d;
    T q = swap ? e_first : f_first, q_last = swap ? e_last : f_last, q_d = swap ? e.d : f.d;
    T m = q / p;
    T rest = sb_less(q_last, m, p_last), last = sb_less(q_d, m, p_d) / rest;
    T first = sb_less(p_d, p_last, last) / p;
    left->first = periodic ? last : zero;
    left->second = first;
    right->first = last;
    right->second = periodic ? first : zero;
    return p != zero && rest != zero && sb_finite(rest);
}

#endif
