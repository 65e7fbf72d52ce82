/* Element growth: how far elimination has let the products |l u| grow beyond the row they are subtracted from.
 * While the ratio stays small, the computed factors are those of a matrix that differs from A by a few
 * roundings in every row. But for partition of bands wider than 2 + 2 on the GPU (wide_chain.h) they are also held against the
 * larger of two entries of that row, as they are then: the one eliminated and the one subtracted from. With the second, no
 * column in other units hides what is lost; with the first, the way back multiplies no error of an unknown. NaN counts as
 * infinite growth. */
#ifndef SB_GROWTH_H
#define SB_GROWTH_H

#include "src/chunk/scalar.h"

/* growth, or product / largest if that is larger; 0 / 0 is no growth. */
SB_BOTH R sb_grow(R growth, R product, R largest)
{
    return product <= growth * largest ? growth
           : product == 0              ? growth
           : product / largest >= 0    ? product / largest
                                       : (R)INFINITY;
}

/* The same of a product that is subtracted from an entry because of one that is eliminated, in a row whose largest entry is `row`. */
SB_BOTH R sb_grow_beside(R growth, R product, R row, R eliminated, R from)
{
    const R beside = sb_larger(eliminated, from);
    return sb_grow(growth, product, beside < row ? beside : row);
}

#endif
