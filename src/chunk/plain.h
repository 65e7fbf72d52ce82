/* Plain links: what link.h does for any matrix, at half the cost and without pivoting, for matrices that allow it.
 *
 * The last unknown of a run is its separator. All others are eliminated in order, which leaves the head, the run's first
 * unknown from the separators before it and its own, and the tail, its last row as an equation of its separator, its
 * neighbour's and the next run's first unknown. Joining two runs eliminates the separator between them. Every unknown is
 * given by the one row that eliminated it, so this is LU of the system with its rows in another order.
 *
 * What gives an eliminated unknown from two others has two coefficients. Where no such pair of coefficients sums to more
 * than a limit near 1, as of every matrix that is diagonally dominant by rows, no product that is subtracted exceeds the
 * entry it came from by more than the limit's power of as many eliminations as follow one another: nothing can grow.
 * Where a pair does, or is no number, the run's tail becomes NaN, and so does that of all that it is joined to. */
#ifndef SB_CHUNK_PLAIN_H
#define SB_CHUNK_PLAIN_H

#include "src/chunk/link.h"

#define SB_PLAIN_LIMIT ((R)1.03125)

/* Of any size, while that is no more than the type's. */
#define SB_PLAIN_UNLIMITED (sizeof(R) == 4 ? (R)FLT_MAX : (R)DBL_MAX)

/* Where no such pair exceeds SB_PLAIN_LIMIT, and no d of theirs has a larger size (sb_size), all unknowns are finite: fewer than
   64 of them follow from one another, each of which adds its d to what is at most the limit's multiple of the one before. */
#define SB_PLAIN_LARGEST (sb_size((T)SB_PLAIN_UNLIMITED) - 16 * SB_DOUBLED)

typedef struct sb_plain_link {
    T head_before, head_own, head_d; /* x[0] = d + before x[-1] + own x[m-1] */
    T own, before, d, next;          /* before x[-1] + own x[m-1] + next x[m] = d */
} sb_plain_link;

/* x = d + before x_before + next x_next: a row's unknown from the separator before the run and the row behind, or a
   separator from its neighbours. */
typedef struct sb_plain_kept {
    T d, before, next;
} sb_plain_kept;

/* 1 / p. least: the smallest size of any so far; 0 where one is lost in underflow. */
SB_ALWAYS_INLINE T sb_plain_inverse(T p, int *least)
{
#if SB_COMPLEX
    sb_pivot v = sb_pivot_of(p);
    T inverse = sb_inverse_of(&v);
#else
    T inverse = sb_reciprocal(p);
#endif
    int size = sb_size(inverse);
    *least = size < *least ? size : *least;
    return inverse;
}

SB_ALWAYS_INLINE bool sb_plain_holds(const sb_plain_kept *kept, R limit)
{
    return sb_abs1(kept->before) + sb_abs1(kept->next) <= limit;
}

/* A run before its first row: x[-1] is its own first unknown. */
SB_ALWAYS_INLINE void sb_plain_begin(sb_plain_link *s, sb_plain_kept *last)
{
    last->d = last->next = s->head_d = s->head_before = 0;
    last->before = s->head_own = 1;
}

/* A row that is not the run's last: its unknown goes. last: what gives the unknown before, then what gives this one. */
SB_ALWAYS_INLINE void sb_plain_row(sb_plain_link *s, T a, T b, T c, T d, sb_plain_kept *last, int *least)
{
    T inverse = sb_plain_inverse(b + a * last->next, least), m = a * inverse;
    last->next = -c * inverse;
    last->d = sb_less(d * inverse, m, last->d);
    last->before = -m * last->before;
    s->head_d = s->head_d + s->head_own * last->d;
    s->head_before = s->head_before + s->head_own * last->before;
    s->head_own = s->head_own * last->next;
}

SB_ALWAYS_INLINE void sb_plain_last_row(sb_plain_link *s, T a, T b, T c, T d, const sb_plain_kept *last)
{
    s->before = a * last->before;
    s->own = b + a * last->next;
    s->next = c;
    s->d = sb_less(d, a, last->d);
}

SB_ALWAYS_INLINE void sb_plain_poison(sb_plain_link *s)
{
    s->own = (R)NAN;
}

SB_ALWAYS_INLINE bool sb_plain_poisoned(const sb_plain_link *s)
{
    return s->own != s->own;
}

/* The link of run a followed by run b, whether or not that is safe; kept: the separator between them. What the next level's
   pivot waits for is two operations behind the inverse. Only one factor of each product has the matrix's units. */
SB_ALWAYS_INLINE sb_plain_link sb_plain_joined(const sb_plain_link *a, const sb_plain_link *b,
                                               sb_plain_kept *kept, int *least)
{
    T inverse = sb_plain_inverse(a->own + a->next * b->head_before, least);
    T behind = -a->next * b->head_own, d = sb_less(a->d, a->next, b->head_d);
    T head = -a->head_own * a->before;
    sb_plain_link both;
    both.head_before = a->head_before + head * inverse;
    kept->next = behind * inverse;
    both.own = b->own + b->before * kept->next;
    kept->before = -a->before * inverse;
    kept->d = d * inverse;
    both.head_d = a->head_d + a->head_own * kept->d;
    both.head_own = a->head_own * kept->next;
    both.before = b->before * kept->before;
    both.next = b->next;
    both.d = sb_less(b->d, b->before, kept->d);
    return both;
}

/* The same; poisoned where it is not safe. */
SB_ALWAYS_INLINE sb_plain_link sb_plain_join(const sb_plain_link *a, const sb_plain_link *b, R limit,
                                             sb_plain_kept *kept)
{
    int least = INT_MAX;
    sb_plain_link both = sb_plain_joined(a, b, kept, &least);
    if (!(sb_plain_holds(kept, limit) && least > 0))
        sb_plain_poison(&both);
    return both;
}

/* What a run's separator and first unknown owe each other across the run becomes 0 where their rows' roundings hide it. True: nothing
   is left, so that the separators at both of its ends are given without each other. */
SB_ALWAYS_INLINE bool sb_plain_part(sb_plain_link *s)
{
    const int one = sb_size((T)1);
    if (sb_size(s->head_own) < one - SB_SIZE_LOST)
        s->head_own = 0;
    if (sb_size(s->before) < sb_size(s->own) - SB_SIZE_LOST)
        s->before = 0;
    return (sb_size(s->head_own) | sb_size(s->before)) == 0 && !sb_plain_poisoned(s);
}

/* The separator between run a and another one, of which only the head counts, whose ends are apart: its coefficients are 0, and
   no numbers where there is no pivot. least as above. */
SB_ALWAYS_INLINE sb_plain_kept sb_plain_between(const sb_plain_link *a, T head_before, T head_d, int *least)
{
    T inverse = sb_plain_inverse(a->own + a->next * head_before, least), none = (R)0 * inverse;
    sb_plain_kept kept = {sb_less(a->d, a->next, head_d) * inverse, none, none};
    return kept;
}

/* The two equations of link.h that it stands for, and back. */
SB_ALWAYS_INLINE sb_link sb_plain_equations(const sb_plain_link *s)
{
    sb_link link = sb_no_rows();
    link.top.l0 = -s->head_before;
    link.top.l1 = 1;
    link.top.r0 = -s->head_own;
    link.top.r1 = 0;
    link.top.d = s->head_d;
    link.bottom.l0 = s->before;
    link.bottom.l1 = 0;
    link.bottom.r0 = s->own;
    link.bottom.r1 = s->next;
    link.bottom.d = s->d;
    return link;
}

SB_ALWAYS_INLINE sb_plain_link sb_plain_of_equations(const sb_link *link)
{
    sb_plain_link s;
    s.head_before = -link->top.l0;
    s.head_own = -link->top.r0;
    s.head_d = link->top.d;
    s.before = link->bottom.l0;
    s.own = link->bottom.r0;
    s.next = link->bottom.r1;
    s.d = link->bottom.d;
    return s;
}

SB_ALWAYS_INLINE T sb_plain_value(const sb_plain_kept *kept, T before, T next)
{
    return kept->d + kept->before * before + kept->next * next;
}

/* The separators before and at the end of a whole system. False where plain elimination is not to be trusted. */
SB_ALWAYS_INLINE bool sb_plain_close(const sb_plain_link *s, bool periodic, T *before, T *last)
{
    const T zero = 0;
    T own = s->own, d = s->d;
    if (periodic) {
        own = own + s->before + s->next * (s->head_before + s->head_own);
        d = sb_less(d, s->next, s->head_d);
    }
    *last = d / own;
    *before = periodic ? *last : zero;
    return own != zero && sb_finite(own);
}

#endif
