/* Elimination in a chain of unknowns without pivoting, and what it meets on the way.
 *
 * A row couples its unknown to one before and one behind. A chunk's rows are swept from the first on; what is left of the
 * chunk is its last row, the separator, and a head: the chunk's first unknown, by those before the chunk and behind
 * the rows swept so far. A row whose next is the head of another chunk takes that in, and then couples separators only.
 * Separators leave the chain in pairs' order (cyclic reduction): all of it is one Gaussian elimination, so that every
 * unknown is computed once. A ring is a chain whose first row couples to its last unknown, and the last to the first. */
#ifndef SB_CHUNK_CHAIN_H
#define SB_CHUNK_CHAIN_H

#include "src/chunk/link.h"

/* a x(before) + b x + c x(behind) = d. scale: the size of the largest coefficient it began with. */
typedef struct sb_row {
    T a, b, c, d;
    int scale;
} sb_row;

/* x = y + p x(before) + u x(behind) */
typedef struct sb_known {
    T y, p, u;
} sb_known;

/* growth: the largest size of a product, or of a coefficient that is filled in, over that of what it is held against. bad: the
   first row without a pivot to divide by. */
typedef struct sb_met {
    int growth, bad;
} sb_met;

/* Sizes (sb_size) that a pivot may have, and that of infinity. */
#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_c64
enum { SB_SIZE_SMALLEST = 2 << 23, SB_SIZE_LARGEST = 252 << 23, SB_SIZE_END = 255 << 23 };
#else
enum { SB_SIZE_SMALLEST = 2 << 20, SB_SIZE_LARGEST = 2044 << 20, SB_SIZE_END = 2047 << 20 };
#endif
enum { SB_NO_ROW = 0x7fffffff };

SB_BOTH sb_met sb_nothing_met(void)
{
    sb_met met = {-SB_SIZE_END, SB_NO_ROW};
    return met;
}

/* As a number: 0 to 20 % too large. */
SB_BOTH float sb_growth_met(sb_met met)
{
    return exp2f((float)met.growth / SB_DOUBLED + 0.18f);
}

/* Has every row had a pivot, and none grown by more than this? */
SB_BOTH bool sb_met_within(sb_met met, float growth)
{
    return met.bad == SB_NO_ROW && sb_growth_met(met) <= growth;
}

SB_ALWAYS_INLINE sb_row sb_row_of(T a, T b, T c, T d)
{
    sb_row row = {a, b, c, d, sb_largest_of(a, b, c)};
    return row;
}

/* largest: the size of a product, or of what is filled in, that is held against this one. */
SB_ALWAYS_INLINE void sb_meet_size(sb_met *met, int largest, int against)
{
    met->growth = sb_larger_size(met->growth, largest - against);
}

/* A product that is subtracted from a row's own coefficient, of this size, or what that becomes, is held against it besides; see growth.h: 4
   octaves are SB_BESIDE_OWN. */
SB_ALWAYS_INLINE int sb_own_limit(int own)
{
    return own + 4 * SB_DOUBLED;
}

/* In a row of that scale. */
SB_ALWAYS_INLINE void sb_meet_product(sb_met *met, T product, int own, int scale)
{
    const int beside = sb_own_limit(own);
    sb_meet_size(met, sb_size(product), beside < scale ? beside : scale);
}

/* 1 / b to a rounding or two; b neither tiny nor huge. */
SB_ALWAYS_INLINE T sb_inverse(T b)
{
#if SB_COMPLEX
    sb_pivot pivot = sb_pivot_of(b);
    return sb_inverse_of(&pivot);
#else
    return sb_reciprocal(b);
#endif
}

/* A bad pivot makes its unknown 0, so that no other row looks bad for its sake. */
SB_ALWAYS_INLINE T sb_usable_inverse(T pivot, int number, sb_met *met)
{
    int size = sb_size(pivot);
    bool bad = size < SB_SIZE_SMALLEST || size >= SB_SIZE_LARGEST;
    T inverse = sb_inverse(pivot); /* before it is known: what waits for it does not wait for that */
    if (bad && number < met->bad)
        met->bad = number;
    return bad ? (T)0 : inverse;
}

/* Without the unknown before, which has been solved for. */
SB_ALWAYS_INLINE void sb_take_before(sb_row *row, sb_known before, sb_met *met)
{
    T product = row->a * before.u;
    sb_meet_product(met, product, sb_size(row->b), row->scale);
    row->b = sb_more(row->b, product, row->a, before.u);
    row->d -= row->a * before.y;
    row->a *= before.p;
    sb_meet_size(met, sb_size(row->a), row->scale);
}

SB_ALWAYS_INLINE void sb_take_behind(sb_row *row, sb_known behind, sb_met *met)
{
    T product = row->c * behind.p;
    sb_meet_product(met, product, sb_size(row->b), row->scale);
    row->b = sb_more(row->b, product, row->c, behind.p);
    row->d -= row->c * behind.y;
    row->c *= behind.u;
    sb_meet_size(met, sb_size(row->c), row->scale);
}

SB_ALWAYS_INLINE sb_known sb_row_solve(const sb_row *row, int number, sb_met *met)
{
    T inverse = sb_usable_inverse(row->b, number, met);
    sb_known solved = {row->d * inverse, -(row->a * inverse), -(row->c * inverse)};
    return solved;
}

/* Of a chunk whose rows before this one have been swept. */
typedef struct sb_sweep {
    sb_known last, head;
} sb_sweep;

SB_BOTH sb_sweep sb_sweep_begin(void)
{
    sb_sweep sweep = {{0, 1, 0}, {0, 0, 1}};
    return sweep;
}

/* x(head) by the unknown behind that of `row`, which has been solved for. */
SB_ALWAYS_INLINE void sb_head_pass(sb_known *head, sb_known row)
{
    head->y += head->u * row.y;
    head->p += head->u * row.p;
    head->u *= row.u;
}

/* One row of the interior: solved for in terms of the unknowns before the chunk and behind the row. The head is to follow. */
SB_ALWAYS_INLINE sb_known sb_sweep_solve(sb_sweep *sweep, sb_row row, int number, sb_met *met)
{
    sb_take_before(&row, sweep->last, met);
    sweep->last = sb_row_solve(&row, number, met);
    return sweep->last;
}

/* The head by the unknown behind the row that was solved for last. */
SB_ALWAYS_INLINE void sb_sweep_follow(sb_sweep *sweep, sb_met *met)
{
    sb_head_pass(&sweep->head, sweep->last);
    sb_meet_size(met, sb_size(sweep->head.u), sb_size((T)1));
}

SB_ALWAYS_INLINE sb_known sb_sweep_row(sb_sweep *sweep, sb_row row, int number, sb_met *met)
{
    const sb_known solved = sb_sweep_solve(sweep, row, number, met);
    sb_sweep_follow(sweep, met);
    return solved;
}

/* An unknown without that behind. */
SB_ALWAYS_INLINE T sb_known_from_before(sb_known s, T before)
{
    return s.y + s.p * before;
}

/* y: what is known of it without that. */
SB_ALWAYS_INLINE T sb_known_from_behind(T y, T u, T behind)
{
    return y + u * behind;
}

SB_ALWAYS_INLINE T sb_known_at(sb_known s, T before, T behind)
{
    return sb_known_from_behind(sb_known_from_before(s, before), s.u, behind);
}

/* What is left of a ring of separators: the last couples to itself on both sides. */
SB_ALWAYS_INLINE T sb_close_ring(sb_row row, int number, sb_met *met)
{
    row.b += row.a + row.c;
    row.a = row.c = 0;
    return sb_row_solve(&row, number, met).y;
}

#endif
