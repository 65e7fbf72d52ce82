/* One row of elimination without pivoting, a matrix in each lane. */
#ifndef SB_PIVOTLESS_H
#define SB_PIVOTLESS_H

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

/* The same for one row of a tridiagonal matrix, before elimination; u: the scaled entry above. The diagonal alone shows of
   most rows that nothing grows. */
SB_INLINE V grown_row(V growth, const W *row, W u)
{
    V product = wabs1(wmul(row[0], u)), size = wabs1(row[1]);
    if (grows(growth, product, size))
        growth = grown(growth, product, vmax(vmax(size, wabs1(row[0])), wabs1(row[2])));
    return growth;
}

/* A row whose multipliers nobody will want again: U is scaled in all bands, so that its rows and right-hand sides have all that the way
   back wants, one word less of each. row: band + 1 + band words of A; couplings as they meet the rows in front, and U's entries, on return.
   above: U's entries of the rows i - 1, i - 2 ... growth: 1 at least, so that the diagonal alone shows of most rows that it stays. Returns
   the reciprocal pivot, which if unfit shows in U. */
SB_INLINE W eliminate_for_once(int band, W *row, const W *above, V *growth, V *bad)
{
    V product = vsplat(0), size = wabs1(row[band]);
    W was[2 * SB_USUAL_MOST + 1];
    for (int d = 0; d <= 2 * band; ++d)
        was[d] = row[d];
    for (int k = band; k > 0; --k)
        for (int t = 1; t <= band; ++t) {
            W a = row[band - k], u = above[(k - 1) * band + t - 1];
            V met = wabs1(wmul(a, u));
            product = k == band && t == 1 ? met : vmax(product, met);
            row[band - k + t] = wnmadd(a, u, row[band - k + t]);
        }
    if (grows(vsplat(1), product, size)) {
        for (int d = 0; d <= 2 * band; ++d)
            size = vmax(size, wabs1(was[d]));
        *growth = grown(*growth, product, size);
    }
    W pivot = row[band], reciprocal = wreciprocal(pivot);
    for (int t = 1; t <= band; ++t)
        row[band + t] = wmul(row[band + t], reciprocal);
    *bad = wodd(pivot, wodd(row[band + 1], *bad));
    return reciprocal;
}

/* A tridiagonal row whose U is scaled: multiplier, reciprocal pivot and the entry of U on return. An unfit reciprocal shows in
   that entry, be it 0. */
SB_INLINE void eliminate_scaled(W *row, const W *above, V *growth, V *bad)
{
    row[1] = eliminate_for_once(1, row, above + 1, growth, bad);
    row[0] = wmul(row[0], above[0]);
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
        row[lower - k] = l;
        for (int t = 1; t <= upper; ++t) {
            V size = wabs1(wmul(l, u[t]));
            product = k == lower && t == 1 ? size : vmax(product, size);
            row[lower - k + t] = wnmadd(l, u[t], row[lower - k + t]);
        }
    }
    if (grows(*growth, product, largest))
        *growth = grown(*growth, product, largest);
    W pivot = row[lower];
    row[lower] = wreciprocal(pivot);
    *bad = wodd(pivot, wodd(row[lower], *bad));
}

#endif
