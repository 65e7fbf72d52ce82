/* Reciprocal pivots. */
#ifndef SB_PIVOTS_H
#define SB_PIVOTS_H

#include "src/cpu/vec/word.h"

#if !SB_COMPLEX
/* Of two rows of a tridiagonal matrix, so that the second division does not wait for the first: a1, b1, c1 and a2, b2 are theirs,
 * u what the row above has of U. The pivots are
 *
 *     p = b1 - a1 u   and   b2 - a2 c1 / p = q / (s p)   with q = b2 (s p) - a2 (s c1),
 *
 * so that s p / q is the second reciprocal. s is the power of two that makes 2 <= |s p| < 4: q is as large as the second
 * pivot, and can leave the type's range no sooner. a2 (s c1) is rounded once, and q; in plain elimination c1 / p is rounded
 * twice, and the pivot: no row's backward error is larger. Where p is no pivot, s p is no number, and q neither, which is
 * returned. */
SB_INLINE V vinvert_two(V a1, V b1, V c1, V a2, V b2, V u, V *reciprocal)
{
    V p = vnmadd(a1, u, b1), s = vcounterpart(p), sp = s * p;
    V q = vmadd(b2, sp, vnmadd(a2, s * c1, vsplat(0)));
    reciprocal[0] = vsplat(1) / p;
    reciprocal[1] = sp / q;
    return q;
}
#endif

#endif
