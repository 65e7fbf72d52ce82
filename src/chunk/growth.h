/* Element growth: how far elimination has let the products |l u| grow beyond the row they are subtracted from.
 * While the ratio stays small, the computed factors are those of a matrix that differs from A by a few
 * roundings in every row. But for partition of bands wider than 2 + 2 on the GPU (wide_chain.h) they are also held against the
 * larger of two entries of that row, as they are then: the one eliminated and the one subtracted from. With the second, no
 * column in other units hides what is lost; with the first, the way back multiplies no error of an unknown that is as large as the
 * others. It may be far smaller: rows (1, 1), (1e17, 1) lose the second one's own coefficient in the first unknown's, which is 1e-17
 * of the second if right-hand sides say so. So what is subtracted from a row's own coefficient is held against no more than SB_BESIDE_OWN times
 * that. Other coefficients, which may be 0, are not. NaN counts as infinite growth. */
#ifndef SB_GROWTH_H
#define SB_GROWTH_H

#include "src/chunk/scalar.h"

/* growth, or another one if that is larger. */
SB_BOTH R sb_grow_to(R growth, R other)
{
    return other <= growth ? growth : other >= 0 ? other : (R)INFINITY;
}

/* growth, or product / largest if that is larger; 0 / 0 is no growth. */
SB_BOTH R sb_grow(R growth, R product, R largest)
{
    return product <= growth * largest ? growth
           : product == 0              ? growth
           : product / largest >= 0    ? product / largest
                                       : (R)INFINITY;
}

enum { SB_BESIDE_OWN = 16 };

/* Against what a product is held that is subtracted from a row's own coefficient. */
SB_BOTH R sb_beside_own(R eliminated, R own)
{
    const R most = SB_BESIDE_OWN * own;
    return eliminated <= own ? own : eliminated < most ? eliminated : most;
}

/* The same of a product that is subtracted from an entry, perhaps the row's own coefficient, because of one that is eliminated, in a row
   whose largest entry is `row`. */
SB_BOTH R sb_grow_beside(R growth, R product, R row, R eliminated, R from, bool own)
{
    const R beside = own ? sb_beside_own(eliminated, from) : sb_larger(eliminated, from);
    return sb_grow(growth, product, beside < row ? beside : row);
}

#endif
