/* One row of elimination without pivoting, a matrix in each lane. */
#ifndef SB_PIVOTLESS_H
#define SB_PIVOTLESS_H

#include "src/cpu/wide/names.h"

/* growth, or product / largest if that is larger; infinite if that is no number. Whether it is larger is asked without
   a division; where growth starts from 1, hardly any row has to form the quotient. */
SB_INLINE V grow(V growth, V product, V largest)
{
    vmask more = vexceeds(product, growth * largest);
    if (__builtin_expect(!vany(more), 1))
        return growth;
    V quotient = product / largest;
    V known = vselect(vexceeds(vsplat(0), quotient), vsplat((R)INFINITY), quotient);
    return vselect(more, known, growth);
}

/* row: lower + 1 + upper words of A; multipliers, reciprocal pivot and U on return. above: of the rows i - 1, i - 2 ...
   `reach` words each, reciprocal pivot and U. bad: NaN once a pivot was unfit. */
SB_INLINE void eliminate_row(bool scaled, int lower, int upper, W *row, const W *above, int reach, V *growth,
                             V *bad)
{
    V largest = wabs1(row[0]), product = vsplat(0);
    for (int d = 1; d < lower + 1 + upper; ++d)
        largest = vmax(largest, wabs1(row[d]));
    for (int k = lower; k > 0; --k) {
        const W *u = above + (k - 1) * reach;
        W a = row[lower - k], l = wmul(a, u[0]);
        row[lower - k] = l;
        for (int t = 1; t <= upper; ++t) {
            V grown = wabs1(wmul(scaled ? a : l, u[t]));
            product = k == lower && t == 1 ? grown : vmax(product, grown);
            row[lower - k + t] = wnmadd(scaled ? a : l, u[t], row[lower - k + t]);
        }
    }
    *growth = grow(*growth, product, largest);
    W pivot = row[lower];
    row[lower] = wreciprocal(pivot);
    if (scaled)
        row[2] = wmul(row[2], row[1]);
    *bad = wodd(pivot, wodd(row[lower], *bad));
    if (scaled)
        *bad = wodd(row[2], *bad);
}

#endif
