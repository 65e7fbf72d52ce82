/* One row of elimination without pivoting, a matrix in each lane. */
#ifndef SB_PIVOTLESS_H
#define SB_PIVOTLESS_H

#include "src/chunk/growth.h"
#include "src/cpu/wide/names.h"

/* Whether growth is exceeded is asked without a division; where it starts from 1, hardly any row has to form the
   quotient. */
SB_INLINE bool grows(V growth, V product, V size)
{
    return __builtin_expect(vany(vexceeds(product, growth * size)), 0);
}

/* growth, or product / largest if that is larger; infinite if that is no number. */
SB_INLINE V grown(V growth, V product, V largest)
{
    vmask more = vexceeds(product, growth * largest);
    V quotient = product / largest;
    V known = vselect(vexceeds(vsplat(0), quotient), vsplat((R)INFINITY), quotient);
    return vselect(more, known, growth);
}

/* Against what a product is held that is subtracted from the row's own coefficient: see growth.h. */
SB_INLINE V beside_own(V eliminated, V own)
{
    return vmin(vmax(eliminated, own), vsplat(SB_BESIDE_OWN) * own);
}

/* Where no entry of U in front is larger than its pivot, no product is larger than the entry it comes from. Products in the diagonal's
   own column are held against that in any case. */
SB_INLINE bool may_grow_beside(int band, const W *above)
{
    V largest = vsplat(0);
    for (int k = 1; k <= band; ++k)
        for (int t = 1; t <= band; ++t)
            if (t != k)
                largest = wlargest(largest, above[(k - 1) * band + t - 1]);
    return band > 1 && __builtin_expect(vany(vexceeds(largest, vsplat(1))), 0);
}

/* growth, raised by each product over the larger of the two entries it comes from and is subtracted from, lest a column in other units
   hide it. The row is yet to be eliminated; it stays as it is. */
SB_INLINE V grown_beside(int band, const W *whole, const W *above, V growth)
{
    W row[2 * SB_USUAL_MOST + 1];
    for (int d = 0; d <= 2 * band; ++d)
        row[d] = whole[d];
    for (int k = band; k > 0; --k)
        for (int t = 1; t <= band; ++t) {
            W a = row[band - k], u = above[(k - 1) * band + t - 1], *to = &row[band - k + t];
            V from = wabs1(*to);
            growth =
                grown(growth, wabs1(wmul(a, u)), t == k ? beside_own(wabs1(a), from) : vmax(wabs1(a), from));
            *to = wnmadd(a, u, *to);
        }
    return growth;
}

/* What eliminating a row met: the largest product |l u|, which is no number if the pivot is none; the diagonal's size; and the row as it was. */
typedef struct met_row {
    V product, diagonal;
    W was[2 * SB_USUAL_MOST + 1];
} met_row;

/* Does it show anything, growth or no pivot? Growth is 1 at least, so that the diagonal alone tells of most rows that they don't. */
SB_INLINE bool shows(const met_row *met)
{
    return grows(vsplat(1), met->product, met->diagonal);
}

/* Beside the row's largest entry, and beside what each product comes from and goes to. above: as in eliminating. */
SB_INLINE void take_note(int band, const met_row *met, const W *above, V *growth, V *bad)
{
    V largest = met->diagonal;
    for (int d = 0; d <= 2 * band; ++d)
        largest = vmax(largest, wabs1(met->was[d]));
    *growth = grown_beside(band, met->was, above, grown(*growth, met->product, largest));
    *bad = vmadd(met->product, vsplat(0), *bad);
}

/* A row whose multipliers nobody will want again: U is scaled in all bands, so that its rows and right-hand sides have all that the way
   back wants, one word less of each. row: band + 1 + band words of A; couplings as they meet the rows in front, and U's entries, on return.
   above: U's entries of the rows i - 1, i - 2 ... Returns the reciprocal pivot. One that is infinite shows in all of U's entries, be they
   0, and so in the products of the next row; after the last row somebody has to look at the first of them. */
SB_INLINE W eliminate_for_once(int band, W *row, const W *above, met_row *met)
{
    V product = vsplat(0);
    met->diagonal = wabs1(row[band]);
    for (int d = 0; d <= 2 * band; ++d)
        met->was[d] = row[d];
    for (int k = band; k > 0; --k)
        for (int t = 1; t <= band; ++t) {
            W a = row[band - k], u = above[(k - 1) * band + t - 1];
            V size = wabs1(wmul(a, u));
            product = k == band && t == 1 ? size : vmax(product, size);
            row[band - k + t] = wnmadd(a, u, row[band - k + t]);
        }
    W pivot = row[band], reciprocal = wreciprocal(pivot);
    met->product = wodd(pivot, product);
    for (int t = 1; t <= band; ++t)
        row[band + t] = wmul(row[band + t], reciprocal);
    return reciprocal;
}

/* A tridiagonal row whose U is scaled: multiplier, reciprocal pivot and the entry of U on return. An unfit reciprocal shows in
   that entry, be it 0. */
SB_INLINE void eliminate_scaled(W *row, const W *above, V *growth, V *bad)
{
    met_row met;
    row[1] = eliminate_for_once(1, row, above + 1, &met);
    row[0] = wmul(row[0], above[0]);
    if (shows(&met))
        take_note(1, &met, above + 1, growth, bad);
    *bad = wodd(row[2], *bad);
}

/* row: lower + 1 + upper words of A; multipliers, reciprocal pivot and U on return. above: of the rows i - 1, i - 2 ...
   `reach` words each, reciprocal pivot and U. bad: NaN once a pivot was unfit. scaled: of bands of 1 + 1 only. */
SB_INLINE void eliminate_row(bool scaled, int lower, int upper, W *row, const W *above, int reach, V *growth,
                             V *bad)
{
    if (scaled) {
        eliminate_scaled(row, above, growth, bad);
        return;
    }
    V largest = wabs1(row[0]), product = vsplat(0);
    for (int d = 1; d < lower + 1 + upper; ++d)
        largest = vmax(largest, wabs1(row[d]));
    for (int k = lower; k > 0; --k) {
        const W *u = above + (k - 1) * reach;
        W a = row[lower - k], l = wmul(a, u[0]);
        V of_l = vsplat(0), of_own = vsplat(0);
        row[lower - k] = l;
        for (int t = 1; t <= upper; ++t) {
            V size = wabs1(wmul(l, u[t]));
            of_l = t == 1 ? size : vmax(of_l, size);
            of_own = t == k ? size : of_own;
        }
        product = k == lower ? of_l : vmax(product, of_l);
        if (grows(*growth, of_l, wabs1(a)) || grows(*growth, of_own, vsplat(SB_BESIDE_OWN) * wabs1(row[lower])))
            for (int t = 1; t <= upper; ++t) {
                V from = wabs1(row[lower - k + t]);
                *growth = grown(*growth, wabs1(wmul(l, u[t])),
                                t == k ? beside_own(wabs1(a), from) : vmax(wabs1(a), from));
            }
        for (int t = 1; t <= upper; ++t)
            row[lower - k + t] = wnmadd(l, u[t], row[lower - k + t]);
    }
    if (grows(*growth, product, largest))
        *growth = grown(*growth, product, largest);
    W pivot = row[lower];
    row[lower] = wreciprocal(pivot);
    *bad = wodd(pivot, wodd(row[lower], *bad));
}

#endif
