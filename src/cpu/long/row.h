/* The elimination of one row by the k rows above it: the same arithmetic, to the last bit, whenever a chunk is
 * eliminated. Rows above are kept divided by their pivots, so that a row is done with one division:
 *
 *     row -= l * above   for each row above, farthest first,   l the row's entry in that row's column. */
#ifndef SB_LONG_ROW_H
#define SB_LONG_ROW_H

#include "src/chunk/growth.h"
#include "src/cpu/long/names.h"
#include "src/cpu/vec/pivots.h"

enum { BAND = SB_CHUNKED_BAND };

/* Nearest first. */
typedef struct above {
    W upper[BAND][BAND], y[BAND];
} above;

typedef struct row {
    W a[2 * BAND + 1], y;
} row;

/* An equation of the top: coefficients of the top unknowns and of the next k unknowns to be eliminated. */
typedef struct folded {
    W top[BAND], next[BAND], y;
    V largest, reach;
} folded;

/* What reduction carries from row to row. fill: of the rows above, coefficients of the top unknowns. */
typedef struct carried {
    above up;
    W fill[BAND][BAND];
    folded equation[BAND];
    V growth, odd, rest, least;
} carried;

/* What truncation carries from row to row. reach: of the rows above, how much of an error in what was dropped before the
   first row comes through to them, its sign of no meaning; next, error: unknowns below the next one, and how wrong they
   may be. */
typedef struct truncated {
    above up;
    V reach[BAND], most, growth, odd, rest, least, spoilt, bound;
    W next[BAND];
    V error[BAND];
} truncated;

/* What is carried from row to row while factors are kept. reciprocal, fill: of the rows above, nearest first. */
typedef struct keeping {
    above up;
    W reciprocal[BAND], fill[BAND][BAND];
    folded equation[BAND];
} keeping;

/* Beside what is so much larger, nothing is left after rounding. */
#if SB_SINGLE
#define NOTHING (FLT_EPSILON * FLT_EPSILON)
#else
#define NOTHING (DBL_EPSILON * DBL_EPSILON)
#endif

/* a, or 0 where it is far below the rounding of `largest`. */
SB_INLINE W unless_gone(W a, V size, V largest)
{
    vmask there = vexceeds(size, largest * vsplat(NOTHING));
#if SB_COMPLEX
    return (W){vselect(there, a.re, vsplat(0)), vselect(there, a.im, vsplat(0))};
#else
    return vselect(there, a, vsplat(0));
#endif
}

/* What is carried while rows pivot. Of each active row: left neighbour's bottom (k), own top (k), the 2 k + 1 unknowns from the
   one that is next, right-hand side. */
typedef struct pivoting {
    W rows[2 * BAND + 1][4 * BAND + 2];
    V unit[2 * BAND + 1];                     /* of each active row: see pivot.c */
    V in_a[4 * BAND + 1], in_u[4 * BAND + 1]; /* the largest entries so far, likewise */
    V number, unfit; /* of the next interior row; of the first whose pivot was unfit, or -1 */
} pivoting;

/* What is carried has room for the widest band; only what half bandwidth k fills is copied, and `rest` and `least` are a call's. */
SB_INLINE void copy_above(above *to, const above *from, int k)
{
    for (int j = 0; j < k; ++j) {
        for (int t = 0; t < k; ++t)
            to->upper[j][t] = from->upper[j][t];
        to->y[j] = from->y[j];
    }
}

/* fill and equation: of either kind of reduction. */
SB_INLINE void copy_folded(W (*fill)[BAND], folded *equation, const W (*from_fill)[BAND], const folded *from,
                           int k)
{
    for (int j = 0; j < k; ++j) {
        for (int b = 0; b < k; ++b) {
            fill[j][b] = from_fill[j][b];
            equation[j].top[b] = from[j].top[b];
            equation[j].next[b] = from[j].next[b];
        }
        equation[j].y = from[j].y;
        equation[j].largest = from[j].largest;
        equation[j].reach = from[j].reach;
    }
}

SB_INLINE void copy_carried(carried *to, const carried *from, int k)
{
    copy_above(&to->up, &from->up, k);
    copy_folded(to->fill, to->equation, from->fill, from->equation, k);
    to->growth = from->growth;
    to->odd = from->odd;
}

SB_INLINE void copy_keeping(keeping *to, const keeping *from, int k)
{
    copy_above(&to->up, &from->up, k);
    copy_folded(to->fill, to->equation, from->fill, from->equation, k);
    for (int j = 0; j < k; ++j)
        to->reciprocal[j] = from->reciprocal[j];
}

SB_INLINE void copy_pivoting(pivoting *to, const pivoting *from, int k)
{
    for (int i = 0; i <= 2 * k; ++i)
        for (int w = 0; w < 4 * k + 2; ++w)
            to->rows[i][w] = from->rows[i][w];
    for (int i = 0; i <= 2 * k; ++i)
        to->unit[i] = from->unit[i];
    for (int w = 0; w <= 4 * k; ++w) {
        to->in_a[w] = from->in_a[w];
        to->in_u[w] = from->in_u[w];
    }
    to->number = from->number;
    to->unfit = from->unfit;
}

/* at: this word of lanes in the row's first word. */
SB_INLINE row load_row(const R *at, int k)
{
    row r;
    for (int d = 0; d <= 2 * k; ++d)
        r.a[d] = wload(at + d * WORD, LANES);
    r.y = wload(at + (2 * k + 1) * WORD, LANES);
    return r;
}

/* Row r, no longer needed, becomes the nearest row above. */
SB_INLINE void push(above *up, const row *r, W reciprocal, int k)
{
    for (int j = k - 1; j > 0; --j) {
        up->y[j] = up->y[j - 1];
        for (int t = 0; t < k; ++t)
            up->upper[j][t] = up->upper[j - 1][t];
    }
    up->y[0] = wmul(r->y, reciprocal);
    for (int t = 0; t < k; ++t)
        up->upper[0][t] = wmul(r->a[k + 1 + t], reciprocal);
}

/* What row j + 1 above, `skipped` rows not counted, takes away from row r. Returns the multiplier. */
SB_INLINE W subtract(row *r, const above *up, int j, int skipped, int k)
{
    W l = r->a[k - 1 - j - skipped];
    for (int t = 0; t < k; ++t)
        r->a[k - j - skipped + t] = wnmadd(l, up->upper[j][t], r->a[k - j - skipped + t]);
    r->y = wnmadd(l, up->y[j], r->y);
    return l;
}

/* growth, or product / largest if that is larger; infinite if that is no number. */
SB_INLINE V grow(V growth, V product, V largest)
{
    vmask more = vexceeds(product, growth * largest);
    if (!vany(more))
        return growth;
    V quotient = product / largest;
    V known = vselect(vexceeds(vsplat(0), quotient), vsplat((R)INFINITY), quotient);
    return vselect(more, known, growth);
}

/* The largest |l u| of a row's elimination by one row above. */
SB_INLINE V largest_product(W l, const W *upper, int k)
{
    V product = vsplat(0);
    for (int t = 0; t < k; ++t)
        product = vmax(product, wabs1(wmul(l, upper[t])));
    return product;
}

/* growth, or that of a row above if it is larger, before that is subtracted: each product over the larger of the two entries it
   comes from and is subtracted from, lest a column in other units hide it; see growth.h. */
SB_INLINE V grow_beside(V growth, const row *r, const above *up, int j, int k)
{
    W l = r->a[k - 1 - j];
    for (int t = 0; t < k; ++t) {
        V from = wabs1(r->a[k - j + t]), beside = vmax(wabs1(l), from);
        growth = grow(growth, wabs1(wmul(l, up->upper[j][t])),
                      t == j ? vmin(beside, vsplat(SB_BESIDE_OWN) * from) : beside);
    }
    return growth;
}

/* Least, or what a row's own coefficient, `was` before elimination, is of its pivot, if that is less. Where that is 1 / 16, what was subtracted is
   no more than 16 times it; where less, or negative, products must be looked at. Of complex numbers: 1, or 0 where the pivot is more than
   15 times as large. */
SB_INLINE V own_beside(V least, W was, W pivot, W reciprocal)
{
#if SB_COMPLEX
    (void)reciprocal;
    return vselect(vexceeds(wabs1(pivot), vsplat(SB_BESIDE_OWN - 1) * wabs1(was)), vsplat(0), least);
#else
    (void)pivot;
    return vmin(least, was * reciprocal);
#endif
}

/* May products have grown? */
SB_INLINE bool may_have_grown(V rest, V least)
{
    return vany(vexceeds(rest, vsplat(1))) || vany(vexceeds(vsplat((R)1 / SB_BESIDE_OWN), least));
}

/* The row's largest entry, and the largest up to the diagonal. */
SB_INLINE void measure_row(const row *r, int k, V *largest, V *left)
{
    *left = vsplat(0);
    for (int d = 0; d <= k; ++d)
        *left = vmax(*left, wabs1(r->a[d]));
    *largest = *left;
    for (int d = k + 1; d <= 2 * k; ++d)
        *largest = vmax(*largest, wabs1(r->a[d]));
}

/* What is left beside the pivot in row j + 1 above, if that is more than before: entries of U and, where there is any,
   fill-in. Without a larger row than 1, every product |l u| stays below the entries of the row that it is subtracted from: a
   single entry of it, or for larger k those k that l comes from. So growth need not be measured, except of what is subtracted from
   the row's own coefficient: own_beside. */
SB_INLINE V left_beside(V rest, const above *up, int j, const W *fill, int k)
{
    if (k == 1)
        return wlargest(fill ? wlargest(rest, fill[0]) : rest, up->upper[j][0]);
    V sum = wabs1(up->upper[j][0]);
    for (int t = 1; t < k; ++t)
        sum = sum + wabs1(up->upper[j][t]);
    for (int b = 0; b < k && fill; ++b)
        sum = sum + wabs1(fill[b]);
    return vmax(rest, sum);
}

/* Copy interfaces from..to-1 of a chunk's to rows of x. */
SB_INLINE void put_ends(const R *ends, int from, int to, R *x)
{
    for (int i = 0; i < (to - from) * WORD; ++i)
        x[i] = ends[from * WORD + i];
}

SB_INLINE const R *row_at(const R *rows, int64_t row, int words)
{
    return rows + row * words * WORD;
}

SB_INLINE W invert(W pivot, V *odd)
{
    *odd = wodd(pivot, *odd);
    return wreciprocal(pivot);
}

enum { TOGETHER = 2 };

/* Rows that are eliminated together where the first has an even number. */
SB_INLINE int together(int k)
{
    return k == 1 && !SB_COMPLEX ? TOGETHER : 1;
}

/* Their reciprocal pivots, to be found one by one if `rows` is 1: NULL then. */
SB_INLINE const W *invert_together(const R *at, const above *up, int k, int rows, W *reciprocal, V *odd)
{
#if !SB_COMPLEX
    if (rows == TOGETHER) {
        const R *next = row_at(at, 1, 2 * k + 2);
        V q = vinvert_two(vload(at), vload(at + WORD), vload(at + 2 * WORD), vload(next), vload(next + WORD),
                          up->upper[0][0], reciprocal);
        *odd = vmadd(q, vsplat(0), *odd);
        return reciprocal;
    }
#endif
    (void)at, (void)up, (void)k, (void)rows, (void)reciprocal, (void)odd;
    return NULL;
}

/* Of rows from i to `last`, how many go together. */
SB_INLINE int next_rows(int64_t i, int64_t last, int k)
{
    return i % together(k) == 0 && i + together(k) <= last ? together(k) : 1;
}

#endif
