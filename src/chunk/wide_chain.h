/* Elimination in a chain of rows of up to 4 + 4 off-diagonals without pivoting: what penta_chain.h does for pentadiagonal ones, by
 * the same rules, up to a chunk's separators, which are its last four rows, and its heads, the first four unknowns. Shorter sides are
 * padded with zeros. Every loop is over four and unrolls, but one on the GPU. */
#ifndef SB_CHUNK_WIDE_CHAIN_H
#define SB_CHUNK_WIDE_CHAIN_H

#include "src/chunk/chain.h"

enum { SB_WIDE = 4, SB_WIDE_DIAGONALS = 2 * SB_WIDE + 1 };

/* at[SB_WIDE + j] multiplies the unknown j behind. */
typedef struct sb_wide_row {
    T at[SB_WIDE_DIAGONALS], d;
} sb_wide_row;

/* x = y + p x(before) + u x(behind): the four unknowns before the chunk, and the four behind this one. */
typedef struct sb_wide_known {
    T y, p[SB_WIDE], u[SB_WIDE];
} sb_wide_known;

/* The same where those before the chunk are known. */
typedef struct sb_wide_upper {
    T y, u[SB_WIDE];
} sb_wide_upper;

/* A separator's row: a x(before) + b x(separators) + c x(behind) = d. */
typedef struct sb_wide_end {
    T a[SB_WIDE], b[SB_WIDE], c[SB_WIDE], d;
} sb_wide_end;

/* Of a chunk whose rows before this one have been swept. last[0] is the nearest of them, and largest[0] the size of its largest u. */
typedef struct sb_wide_sweep {
    sb_wide_known last[SB_WIDE];
    int largest[SB_WIDE];
} sb_wide_sweep;

SB_ALWAYS_INLINE sb_wide_sweep sb_wide_begin(void)
{
    sb_wide_sweep sweep;
    SB_UNROLL
    for (int e = 0; e < SB_WIDE; ++e) {
        sweep.last[e].y = 0;
        sweep.largest[e] = 0;
        SB_UNROLL
        for (int j = 0; j < SB_WIDE; ++j) {
            sweep.last[e].p[j] = j == SB_WIDE - 1 - e ? (T)1 : (T)0;
            sweep.last[e].u[j] = 0;
        }
    }
    return sweep;
}

/* A chunk's heads before any of its rows have been swept; u multiplies the four unknowns behind those that have. */
SB_ALWAYS_INLINE void sb_wide_begin_heads(sb_wide_known *head)
{
    SB_UNROLL
    for (int c = 0; c < SB_WIDE; ++c) {
        head[c].y = 0;
        SB_UNROLL
        for (int j = 0; j < SB_WIDE; ++j) {
            head[c].p[j] = 0;
            head[c].u[j] = j == c ? (T)1 : (T)0;
        }
    }
}

SB_ALWAYS_INLINE int sb_wide_largest(const T *z)
{
    return sb_larger_size(sb_larger_size(sb_size(z[0]), sb_size(z[1])),
                          sb_larger_size(sb_size(z[2]), sb_size(z[3])));
}

SB_ALWAYS_INLINE int sb_wide_scale(const sb_wide_row *row)
{
    return sb_larger_size(sb_size(row->at[0]),
                          sb_larger_size(sb_wide_largest(row->at + 1), sb_wide_largest(row->at + 1 + SB_WIDE)));
}

/* What a row takes from one that was swept t rows before it; its factor. */
SB_ALWAYS_INLINE T sb_wide_take(sb_wide_row *row, int t, T y, const T *u)
{
    T factor = row->at[SB_WIDE - t];
    row->d -= factor * y;
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j)
        row->at[SB_WIDE - t + 1 + j] += factor * u[j];
    return factor;
}

/* At least the size of the largest product of something of size `factor` with those of which `largest` is the largest: sizes are
   logarithms, but for a mantissa's part, of which the sum of two is too small by an octave's quarter at most. */
SB_ALWAYS_INLINE int sb_wide_product(int factor, int largest)
{
    const unsigned one = (unsigned)sb_size((T)1) - SB_DOUBLED / 4, sum = (unsigned)factor + (unsigned)largest;
    const unsigned size = (sum > one ? sum : one) - one;
    return size < (unsigned)INT_MAX ? (int)size : INT_MAX;
}

/* Without the unknowns of rows that have been swept, the nearest of which is s + 1 rows before; fill: what multiplies
   x(before) of the chunk instead. */
SB_ALWAYS_INLINE void sb_wide_take_swept(sb_wide_row *row, int s, const sb_wide_sweep *sweep, T *fill,
                                         sb_met *met)
{
    const int scale = sb_wide_scale(row);
    int largest = 0;
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j)
        fill[j] = 0;
    SB_UNROLL
    for (int t = SB_WIDE; t > s; --t) {
        const sb_wide_known *swept = &sweep->last[t - s - 1];
        const T factor = sb_wide_take(row, t, swept->y, swept->u);
        largest = sb_larger_size(largest, sb_wide_product(sb_size(factor), sweep->largest[t - s - 1]));
        SB_UNROLL
        for (int j = 0; j < SB_WIDE; ++j)
            fill[j] += factor * swept->p[j];
    }
    sb_meet_size(met, sb_larger_size(largest, sb_wide_largest(fill)), scale);
}

/* A head without the unknown that has been solved for. Returns the size of its largest u. */
SB_ALWAYS_INLINE int sb_wide_pass(sb_wide_known *head, const sb_wide_known *solved)
{
    sb_wide_known passed;
    const T factor = head->u[0];
    passed.y = head->y + factor * solved->y;
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j) {
        passed.p[j] = head->p[j] + factor * solved->p[j];
        passed.u[j] = (j < SB_WIDE - 1 ? head->u[j + 1] : (T)0) + factor * solved->u[j];
    }
    *head = passed;
    return sb_wide_largest(passed.u);
}

/* On the GPU a lane's registers do not hold the heads of complex doubles, which lie in memory, and are passed one at a time. */
#if SB_IS(SB_TYPE) == SB_IS_c128 && defined __CUDACC__
#define SB_UNROLL_HEADS _Pragma("unroll 1")
#else
#define SB_UNROLL_HEADS SB_UNROLL
#endif

/* One row of the interior: solved for in terms of the unknowns before the chunk and behind the row. */
SB_ALWAYS_INLINE void sb_wide_sweep_row(sb_wide_sweep *sweep, sb_wide_known *heads, sb_wide_row row, int number,
                                        sb_met *met)
{
    T fill[SB_WIDE];
    int largest = 0;
    sb_wide_take_swept(&row, 0, sweep, fill, met);
    const T inverse = sb_usable_inverse(row.at[SB_WIDE], number, met), minus = -inverse;
    sb_wide_known solved;
    solved.y = row.d * inverse;
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j) {
        solved.p[j] = fill[j] * minus;
        solved.u[j] = row.at[SB_WIDE + 1 + j] * minus;
    }
    SB_UNROLL_HEADS
    for (int c = 0; c < SB_WIDE; ++c)
        largest = sb_larger_size(largest, sb_wide_pass(&heads[c], &solved));
    sb_meet_size(met, largest, sb_size((T)1));
    SB_UNROLL
    for (int e = SB_WIDE - 1; e > 0; --e) {
        sweep->last[e] = sweep->last[e - 1];
        sweep->largest[e] = sweep->largest[e - 1];
    }
    sweep->last[0] = solved;
    sweep->largest[0] = sb_wide_largest(solved.u);
}

/* Separator s of a chunk all of whose interior has been swept. */
SB_ALWAYS_INLINE sb_wide_end sb_wide_end_of(int s, sb_wide_row row, const sb_wide_sweep *sweep, sb_met *met)
{
    sb_wide_end end;
    sb_wide_take_swept(&row, s, sweep, end.a, met);
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j) {
        end.b[j] = row.at[SB_WIDE + j - s];
        end.c[j] = j <= s ? row.at[2 * SB_WIDE + j - s] : (T)0;
    }
    end.d = row.d;
    return end;
}

/* What is known of a row that has been swept once those before the chunk are. */
SB_ALWAYS_INLINE sb_wide_upper sb_wide_after(const sb_wide_known *swept, const T *before)
{
    sb_wide_upper upper;
    upper.y = swept->y;
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j) {
        upper.y += swept->p[j] * before[j];
        upper.u[j] = swept->u[j];
    }
    return upper;
}

/* The same row once more, where those before the chunk are known: by those behind it. */
SB_ALWAYS_INLINE sb_wide_upper sb_wide_sweep_known(sb_wide_upper *last, sb_wide_row row)
{
    sb_met met = sb_nothing_met(); /* was looked at before */
    SB_UNROLL
    for (int t = SB_WIDE; t > 0; --t)
        (void)sb_wide_take(&row, t, last[t - 1].y, last[t - 1].u);
    const T inverse = sb_usable_inverse(row.at[SB_WIDE], 0, &met), minus = -inverse;
    sb_wide_upper solved;
    solved.y = row.d * inverse;
    SB_UNROLL
    for (int j = 0; j < SB_WIDE; ++j)
        solved.u[j] = row.at[SB_WIDE + 1 + j] * minus;
    SB_UNROLL
    for (int e = SB_WIDE - 1; e > 0; --e)
        last[e] = last[e - 1];
    last[0] = solved;
    return solved;
}

#endif
