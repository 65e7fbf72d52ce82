/* Elimination in a chain of pentadiagonal rows without pivoting: what chain.h does for tridiagonal ones, by the same rules.
 *
 * A chunk's rows are swept from the first on; what is left of it is its last two rows, the separators, and its heads: the
 * chunk's first two unknowns, by the two before the chunk and the two behind the rows swept so far. Separators take in the
 * heads of the chunk behind, then couple separators only, and leave the chain two at a time. A ring is a chain whose first
 * rows couple to its last unknowns, and the last to the first. Every loop is over two and unrolls. */
#ifndef SB_CHUNK_PENTA_CHAIN_H
#define SB_CHUNK_PENTA_CHAIN_H

#include "src/chunk/chain.h"

/* at[2 + j] multiplies the unknown j behind. */
typedef struct sb_penta_row {
    T at[5], d;
} sb_penta_row;

/* A separator's row: a x(before) + b x(own) + c x(behind) = d, two unknowns each. scale: as in sb_row. */
typedef struct sb_penta_end {
    T a[2], b[2], c[2], d;
    int scale;
} sb_penta_end;

/* x = y + p x(before) + u x(behind) */
typedef struct sb_penta_known {
    T y, p[2], u[2];
} sb_penta_known;

/* Of a chunk whose rows before this one have been swept. last[0] is the nearest of them. */
typedef struct sb_penta_sweep {
    sb_penta_known last[2], head[2];
} sb_penta_sweep;

SB_ALWAYS_INLINE sb_penta_sweep sb_penta_begin(void)
{
    sb_penta_sweep sweep = {{{0, {0, 1}, {0, 0}}, {0, {1, 0}, {0, 0}}},
                            {{0, {0, 0}, {1, 0}}, {0, {0, 0}, {0, 1}}}};
    return sweep;
}

SB_ALWAYS_INLINE int sb_penta_scale(const sb_penta_row *row)
{
    return sb_larger_size(sb_largest_of(row->at[0], row->at[1], row->at[2]),
                          sb_larger_size(sb_size(row->at[3]), sb_size(row->at[4])));
}

/* growth.h's second measure, of all unknowns that a row loses together: what its own coefficient has become in place of one of that size.
   Single products would not do: of separators that are eliminated together they may be large and cancel, where the matrix is symmetric
   positive definite and own coefficients only shrink. Nor do other coefficients, which two unknowns in different units may make large
   without harm. */
SB_ALWAYS_INLINE void sb_meet_own(sb_met *met, T own, int was)
{
    sb_meet_size(met, sb_size(own), sb_own_limit(was));
}

/* Without the unknowns of rows that have been swept, the nearest of which is s + 1 rows before; fill: what multiplies
   x(before) of the chunk instead. What the row's own coefficient has become is held against it, besides: see sb_meet_own. */
SB_ALWAYS_INLINE void sb_penta_take_swept(sb_penta_row *row, int s, const sb_penta_sweep *sweep, T *fill,
                                          int scale, sb_met *met)
{
    const int own = sb_size(row->at[2]);
    int largest = 0;
    fill[0] = fill[1] = 0;
    SB_UNROLL
    for (int t = 2; t > s; --t) {
        const sb_penta_known *swept = &sweep->last[t - s - 1];
        T factor = row->at[2 - t], near = factor * swept->u[0], far = factor * swept->u[1];
        row->d -= factor * swept->y;
        row->at[3 - t] = sb_more(row->at[3 - t], near, factor, swept->u[0]);
        row->at[4 - t] = sb_more(row->at[4 - t], far, factor, swept->u[1]);
        fill[0] += factor * swept->p[0];
        fill[1] += factor * swept->p[1];
        largest = sb_larger_size(largest, sb_larger_size(sb_size(near), sb_size(far)));
    }
    sb_meet_own(met, row->at[2], own);
    sb_meet_size(met, sb_larger_size(largest, sb_larger_size(sb_size(fill[0]), sb_size(fill[1]))), scale);
}

/* One row of the interior: solved for in terms of the unknowns before the chunk and behind the row. Heads are to follow. */
SB_ALWAYS_INLINE sb_penta_known sb_penta_solve_row(sb_penta_sweep *sweep, sb_penta_row row, int number,
                                                   sb_met *met)
{
    T fill[2];
    sb_penta_take_swept(&row, 0, sweep, fill, sb_penta_scale(&row), met);
    T inverse = sb_usable_inverse(row.at[2], number, met), minus = -inverse;
    sb_penta_known solved = {
        row.d * inverse, {fill[0] * minus, fill[1] * minus}, {row.at[3] * minus, row.at[4] * minus}};
    sweep->last[1] = sweep->last[0];
    sweep->last[0] = solved;
    return solved;
}

/* Heads by the unknowns behind the row that was solved for last. */
SB_ALWAYS_INLINE void sb_penta_heads_follow(sb_penta_sweep *sweep, sb_met *met)
{
    const sb_penta_known solved = sweep->last[0];
    int largest = 0;
    SB_UNROLL
    for (int c = 0; c < 2; ++c) {
        sb_penta_known *head = &sweep->head[c];
        T factor = head->u[0];
        head->y += factor * solved.y;
        head->p[0] += factor * solved.p[0];
        head->p[1] += factor * solved.p[1];
        head->u[0] = head->u[1] + factor * solved.u[0];
        head->u[1] = factor * solved.u[1];
        largest = sb_larger_size(largest, sb_larger_size(sb_size(head->u[0]), sb_size(head->u[1])));
    }
    sb_meet_size(met, largest, sb_size((T)1));
}

SB_ALWAYS_INLINE sb_penta_known sb_penta_sweep_row(sb_penta_sweep *sweep, sb_penta_row row, int number,
                                                   sb_met *met)
{
    const sb_penta_known solved = sb_penta_solve_row(sweep, row, number, met);
    sb_penta_heads_follow(sweep, met);
    return solved;
}

/* Separator s of a chunk all of whose interior has been swept. */
SB_ALWAYS_INLINE sb_penta_end sb_penta_end_of(int s, sb_penta_row row, const sb_penta_sweep *sweep, sb_met *met)
{
    sb_penta_end end;
    end.scale = sb_penta_scale(&row);
    sb_penta_take_swept(&row, s, sweep, end.a, end.scale, met);
    end.b[0] = s ? row.at[1] : row.at[2];
    end.b[1] = s ? row.at[2] : row.at[3];
    end.c[0] = s ? row.at[3] : row.at[4];
    end.c[1] = s ? row.at[4] : (T)0;
    end.d = row.d;
    return end;
}

/* Of separator s. far: what multiplies the unknowns that come instead of those with these factors. */
SB_ALWAYS_INLINE void sb_penta_take(sb_penta_end *end, int s, T *factor, T own[2][2], T far[2][2], const T *y,
                                    sb_met *met)
{
    T beyond[2] = {0, 0};
    int largest = 0;
    const int was = sb_size(end->b[s]);
    SB_UNROLL
    for (int h = 0; h < 2; ++h) {
        end->d -= factor[h] * y[h];
        SB_UNROLL
        for (int j = 0; j < 2; ++j) {
            T product = factor[h] * own[h][j];
            end->b[j] = sb_more(end->b[j], product, factor[h], own[h][j]);
            beyond[j] += factor[h] * far[h][j];
            largest = sb_larger_size(largest, sb_size(product));
        }
    }
    SB_UNROLL
    for (int j = 0; j < 2; ++j) {
        factor[j] = beyond[j];
        largest = sb_larger_size(largest, sb_size(beyond[j]));
    }
    sb_meet_size(met, largest, end->scale);
    sb_meet_own(met, end->b[s], was);
}

/* Without the separators before, which have been solved for. */
SB_ALWAYS_INLINE void sb_penta_take_before(sb_penta_end *ends, const sb_penta_known *before, sb_met *met)
{
    T own[2][2] = {{before[0].u[0], before[0].u[1]}, {before[1].u[0], before[1].u[1]}},
      far[2][2] = {{before[0].p[0], before[0].p[1]}, {before[1].p[0], before[1].p[1]}},
      y[2] = {before[0].y, before[1].y};
    SB_UNROLL
    for (int s = 0; s < 2; ++s)
        sb_penta_take(&ends[s], s, ends[s].a, own, far, y, met);
}

/* Without the unknowns behind: separators, or the heads of a chunk. */
SB_ALWAYS_INLINE void sb_penta_take_behind(sb_penta_end *ends, const sb_penta_known *behind, sb_met *met)
{
    T own[2][2] = {{behind[0].p[0], behind[0].p[1]}, {behind[1].p[0], behind[1].p[1]}},
      far[2][2] = {{behind[0].u[0], behind[0].u[1]}, {behind[1].u[0], behind[1].u[1]}},
      y[2] = {behind[0].y, behind[1].y};
    SB_UNROLL
    for (int s = 0; s < 2; ++s)
        sb_penta_take(&ends[s], s, ends[s].c, own, far, y, met);
}

/* into += factor of, but for the unknown that leaves. b: which one of its own comes in instead, or none. */
SB_ALWAYS_INLINE void sb_penta_add(sb_penta_end *into, T factor, const sb_penta_end *of, int b, sb_met *met)
{
    int largest = 0;
    into->d += factor * of->d;
    SB_UNROLL
    for (int j = 0; j < 2; ++j) {
        T a = factor * of->a[j], c = factor * of->c[j];
        into->a[j] = sb_more(into->a[j], a, factor, of->a[j]);
        into->c[j] = sb_more(into->c[j], c, factor, of->c[j]);
        largest = sb_larger_size(largest, sb_larger_size(sb_size(a), sb_size(c)));
        if (j == b) {
            T product = factor * of->b[j];
            into->b[j] = sb_more(into->b[j], product, factor, of->b[j]);
            largest = sb_larger_size(largest, sb_size(product));
        }
    }
    sb_meet_size(met, largest, into->scale);
}

/* What two separators are solved for by: below, what the second one's row is without the first one's; above, the first one's
   without the second's. */
typedef struct sb_penta_pivots {
    T inverse[2], below, above;
} sb_penta_pivots;

/* Of two separators neither has the other's unknown any more. number: the first one's row. */
SB_ALWAYS_INLINE sb_penta_pivots sb_penta_pivot(sb_penta_end *here, int number, sb_met *met)
{
    sb_penta_pivots by;
    by.inverse[0] = sb_usable_inverse(here[0].b[0], number, met);
    const int was = sb_size(here[1].b[1]);
    by.below = -(here[1].b[0] * by.inverse[0]);
    sb_penta_add(&here[1], by.below, &here[0], 1, met);
    sb_meet_own(met, here[1].b[1], was);
    by.inverse[1] = sb_usable_inverse(here[1].b[1], number + 1, met);
    by.above = -(here[0].b[1] * by.inverse[1]);
    sb_penta_add(&here[0], by.above, &here[1], -1, met);
    return by;
}

/* Those two in terms of the unknowns before and behind. */
SB_ALWAYS_INLINE void sb_penta_solve_by(const sb_penta_end *here, const sb_penta_pivots *by,
                                        sb_penta_known *solved)
{
    SB_UNROLL
    for (int s = 0; s < 2; ++s) {
        solved[s].y = here[s].d * by->inverse[s];
        SB_UNROLL
        for (int j = 0; j < 2; ++j) {
            solved[s].p[j] = -(here[s].a[j] * by->inverse[s]);
            solved[s].u[j] = -(here[s].c[j] * by->inverse[s]);
        }
    }
}

/* Two separators in terms of those before and behind. number: the first one's row. */
SB_ALWAYS_INLINE void sb_penta_solve(const sb_penta_end *ends, int number, sb_penta_known *solved, sb_met *met)
{
    sb_penta_end here[2] = {ends[0], ends[1]};
    const sb_penta_pivots by = sb_penta_pivot(here, number, met);
    sb_penta_solve_by(here, &by, solved);
}

/* Two factors become 0 if they are smaller than `least`. 0: none is left. */
SB_ALWAYS_INLINE int sb_penta_lose(T *factor, int least)
{
    int left = 0;
    SB_UNROLL
    for (int j = 0; j < 2; ++j) {
        if (sb_size(factor[j]) < least)
            factor[j] = 0;
        left |= sb_size(factor[j]);
    }
    return left;
}

/* Couplings to other separators that the row's roundings hide become 0: the matrix is changed by less than its entries' roundings
   would, row by row. True: none is left. */
SB_ALWAYS_INLINE bool sb_penta_part(sb_penta_end *ends)
{
    int left = 0;
    SB_UNROLL
    for (int s = 0; s < 2; ++s) {
        int least = ends[s].scale - SB_SIZE_LOST;
        left |= sb_penta_lose(ends[s].a, least) | sb_penta_lose(ends[s].c, least);
    }
    return left == 0;
}

/* The same of a block's last separators, which keep what they have to do with the rows behind, and of its heads, which stand in
   rows whose entries are no larger than their scale. */
SB_ALWAYS_INLINE bool sb_penta_part_last(sb_penta_end *ends, sb_penta_known *head)
{
    int left = 0;
    SB_UNROLL
    for (int s = 0; s < 2; ++s)
        left |= sb_penta_lose(ends[s].a, ends[s].scale - SB_SIZE_LOST) |
                sb_penta_lose(head[s].u, sb_size((T)1) - SB_SIZE_LOST);
    return left == 0;
}

/* Heads by the unknowns behind the separators, which have been solved for. */
SB_ALWAYS_INLINE void sb_penta_heads_pass(sb_penta_known *heads, const sb_penta_known *behind)
{
    SB_UNROLL
    for (int c = 0; c < 2; ++c) {
        T near = heads[c].u[0], next = heads[c].u[1];
        heads[c].y += near * behind[0].y + next * behind[1].y;
        SB_UNROLL
        for (int j = 0; j < 2; ++j) {
            heads[c].p[j] += near * behind[0].p[j] + next * behind[1].p[j];
            heads[c].u[j] = near * behind[0].u[j] + next * behind[1].u[j];
        }
    }
}

/* An unknown without those behind. */
SB_ALWAYS_INLINE T sb_penta_from_before(sb_penta_known s, const T *before)
{
    return (s.y + s.p[0] * before[0]) + s.p[1] * before[1];
}

/* y: what is known of it without them. */
SB_ALWAYS_INLINE T sb_penta_from_behind(T y, const T *u, const T *behind)
{
    return (y + u[1] * behind[1]) + u[0] * behind[0];
}

SB_ALWAYS_INLINE T sb_penta_at(sb_penta_known s, const T *before, const T *behind)
{
    return sb_penta_from_behind(sb_penta_from_before(s, before), s.u, behind);
}

/* What is left of a ring of separators: the last couple to themselves on both sides. */
SB_ALWAYS_INLINE void sb_penta_close(const sb_penta_end *ends, int number, T *x, sb_met *met)
{
    sb_penta_end closed[2] = {ends[0], ends[1]};
    sb_penta_known solved[2];
    SB_UNROLL
    for (int s = 0; s < 2; ++s)
        SB_UNROLL
    for (int j = 0; j < 2; ++j) {
        closed[s].b[j] += ends[s].a[j] + ends[s].c[j];
        closed[s].a[j] = closed[s].c[j] = 0;
    }
    sb_penta_solve(closed, number, solved, met);
    x[0] = solved[0].y;
    x[1] = solved[1].y;
}

#endif
