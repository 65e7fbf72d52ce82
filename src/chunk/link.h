/* Links: all that the rest of a tridiagonal system has to know of a run of its rows, found with pivoting.
 *
 * A run of m rows touches its surroundings by two pairs of unknowns, left (x[-1], x[0]) and right (x[m-1], x[m]).
 * Eliminating what lies between leaves two equations between the two pairs, the run's link. Links of neighbouring
 * runs join into the link of both by eliminating the pair between them; a system is solved by joining all its
 * runs, in any order, closing the ends, and walking back. Every elimination may choose its pivot among all rows
 * that still hold the unknown, so that no run is singular unless the system is: the almost block diagonal
 * elimination of S. J. Wright (1992), with scaled partial pivoting.
 *
 * Sizes are compared by the leading bits of the numbers: an int that grows with log2 of the size. */
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

/* 1 / x. The GPU's own quotient is correctly rounded and twice as long; this one is off by an ulp at most, and leaves
   the numbers that its estimate cannot reach to the other. */
SB_ALWAYS_INLINE R sb_reciprocal(R x)
{
#if defined __CUDA_ARCH__ && (SB_IS(SB_TYPE) == SB_IS_f64 || SB_IS(SB_TYPE) == SB_IS_c128)
    const int least = 0x00300000, range = 0x7fa00000; /* leading bits of 2^-1020, and up to 2^1022 */
    unsigned above = (unsigned)(__double2hiint(x) & INT_MAX) - least;
    if (above > range)
        return 1 / x;
    R y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    R e = fma(-x, y, 1.0);
    return fma(y, fma(e, e, e), y);
#elif defined __CUDA_ARCH__
    const int least = 0x01000000, range = 0x7d000000;
    unsigned above = (unsigned)(__float_as_int(x) & INT_MAX) - least;
    if (above > range)
        return 1 / x;
    R y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(y, fmaf(-x, y, 1.0f), y);
#else
    return 1 / x;
#endif
}

SB_ALWAYS_INLINE T sb_inverse(T z)
{
#if SB_COMPLEX && defined __CUDACC__
    bool flat = fabs(z.re) >= fabs(z.im);
    R large = flat ? z.re : z.im, small = flat ? z.im : z.re;
    R ratio = small * sb_reciprocal(large), q = sb_reciprocal(large + small * ratio);
    return flat ? T(q, -ratio * q) : T(ratio * q, -q);
#elif SB_COMPLEX
    return 1 / z;
#else
    return sb_reciprocal(z);
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

/* x[i] of the next row eliminated by the bottom equation (which has no x[i+2]): 17 multiplications. */
SB_ALWAYS_INLINE void sb_by_bottom(sb_sweep *s, T a, T b, T c, T d, sb_kept *kept)
{
    sb_equation p = s->bottom;
    T inverse = sb_inverse(p.r0), m = a * inverse, m_top = s->top.r0 * inverse;
    s->bottom.l0 = -(m * p.l0);
    s->bottom.l1 = -(m * p.l1);
    s->bottom.r0 = sb_less(b, m, p.r1);
    s->bottom.r1 = c;
    s->bottom.d = sb_less(d, m, p.d);
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

/* x[i] of both equations eliminated by the next row, which is then spent: 13. */
SB_ALWAYS_INLINE void sb_by_next_row(sb_sweep *s, T a, T b, T c, T d, sb_kept *kept)
{
    T inverse = sb_inverse(a), m = s->bottom.r0 * inverse, m_top = s->top.r0 * inverse;
    s->bottom.r0 = sb_less(s->bottom.r1, m, b);
    s->bottom.r1 = -(m * c);
    s->bottom.d = sb_less(s->bottom.d, m, d);
    s->top.r0 = sb_less(s->top.r1, m_top, b);
    s->top.r1 = -(m_top * c);
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
        int was_size = s->top_size;
        s->top_size = s->bottom_size;
        s->bottom_size = was_size;
        below = here;
    }
    if (here > below) {
        SB_SELDOM;
        sb_by_next_row(s, a, b, c, d, kept);
    } else {
        sb_by_bottom(s, a, b, c, d, kept);
        s->bottom_size = size;
    }
}

SB_ALWAYS_INLINE T sb_kept_value(const sb_kept *kept, sb_pair left, T next, T after)
{
    T other = kept->ahead ? after : left.second;
    return sb_less(sb_less(sb_less(kept->d, kept->left, left.first), kept->other, other), kept->next, next);
}

/* An equation while two runs are joined: y0 and y1 are the pair between them. */
typedef struct sb_wide_equation {
    T l0, l1, y0, y1, r0, r1, d;
    int size;
} sb_wide_equation;

SB_ALWAYS_INLINE sb_wide_equation sb_of_left_run(sb_equation e)
{
    sb_wide_equation w;
    w.l0 = e.l0, w.l1 = e.l1, w.y0 = e.r0, w.y1 = e.r1, w.r0 = w.r1 = 0, w.d = e.d;
    w.size = sb_larger_size(sb_row_size(e.l0, e.l1, e.r0), sb_size(e.r1));
    return w;
}

SB_ALWAYS_INLINE sb_wide_equation sb_of_right_run(sb_equation e)
{
    sb_wide_equation w;
    w.l0 = w.l1 = 0, w.y0 = e.l0, w.y1 = e.l1, w.r0 = e.r0, w.r1 = e.r1, w.d = e.d;
    w.size = sb_larger_size(sb_row_size(e.l0, e.l1, e.r0), sb_size(e.r1));
    return w;
}

/* p becomes the equation of the two that is to eliminate an unknown which they hold with sizes here and there: q only
   if it holds twice as much, so that rows of dominant matrices stay where they are. */
SB_ALWAYS_INLINE void sb_choose(sb_wide_equation *p, sb_wide_equation *q, int here, int there)
{
    if (there - q->size > here - p->size + SB_DOUBLED) {
        SB_SELDOM;
        sb_wide_equation was = *p;
        *p = *q;
        *q = was;
    }
}

SB_ALWAYS_INLINE void sb_choose_y0(sb_wide_equation *p, sb_wide_equation *q)
{
    sb_choose(p, q, sb_size(p->y0), sb_size(q->y0));
}

SB_ALWAYS_INLINE void sb_choose_y1(sb_wide_equation *p, sb_wide_equation *q)
{
    sb_choose(p, q, sb_size(p->y1), sb_size(q->y1));
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

SB_ALWAYS_INLINE sb_equation sb_narrow(const sb_wide_equation *e, T factor)
{
    sb_equation narrow;
    narrow.l0 = e->l0 * factor;
    narrow.l1 = e->l1 * factor;
    narrow.r0 = e->r0 * factor;
    narrow.r1 = e->r1 * factor;
    narrow.d = e->d * factor;
    return narrow;
}

/* The link of run `a` followed by run `b`, and what gives the pair between them. */
SB_ALWAYS_INLINE sb_link sb_join_links(const sb_link *a, const sb_link *b, sb_joint *joint)
{
    sb_wide_equation p = sb_of_left_run(a->bottom), q = sb_of_right_run(b->top);
    sb_wide_equation top = sb_of_left_run(a->top), bottom = sb_of_right_run(b->bottom);
    sb_choose_y0(&p, &q);
    sb_choose_y0(&p, &top);
    sb_choose_y0(&p, &bottom);
    T inverse = sb_inverse(p.y0);
    sb_less_equation(&q, q.y0 * inverse, &p);
    sb_less_equation(&top, top.y0 * inverse, &p);
    sb_less_equation(&bottom, bottom.y0 * inverse, &p);
    joint->first = sb_narrow(&p, inverse);
    joint->next = p.y1 * inverse;
    sb_choose_y1(&q, &top);
    sb_choose_y1(&q, &bottom);
    inverse = sb_inverse(q.y1);
    sb_less_equation(&top, top.y1 * inverse, &q);
    sb_less_equation(&bottom, bottom.y1 * inverse, &q);
    joint->second = sb_narrow(&q, inverse);
    const T one = 1;
    sb_link both;
    both.top = sb_narrow(&top, one);
    both.bottom = sb_narrow(&bottom, one);
    return both;
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
    int e_size = sb_larger_size(sb_size(e_first), sb_size(e_last));
    int f_size = sb_larger_size(sb_size(f_first), sb_size(f_last));
    bool swap = sb_size(f_first) - f_size > sb_size(e_first) - e_size;
    T p = swap ? f_first : e_first, p_last = swap ? f_last : e_last, p_d = swap ? f.d : e.d;
    T q = swap ? e_first : f_first, q_last = swap ? e_last : f_last, q_d = swap ? e.d : f.d;
    T inverse = sb_inverse(p), m = q * inverse;
    T last = sb_less(q_d, m, p_d) / sb_less(q_last, m, p_last);
    T first = sb_less(p_d, p_last, last) * inverse;
    left->first = periodic ? last : zero;
    left->second = first;
    right->first = last;
    right->second = periodic ? first : zero;
}

#endif
