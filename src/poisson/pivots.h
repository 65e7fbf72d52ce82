/* Reciprocal pivots of the line axis' matrix plus a shift, for many shifts (modes) side by side: eliminated from both ends
 * towards row n / 2, by halves. Shifts are not negative and the axis is open, so that no pivoting is needed.
 *
 * Modes are taken in groups of a warp's width, the pivots of each group and half stored row by row. Axes that vary need them
 * all; uniform ones have even.h. */
#ifndef SB_POISSON_PIVOTS_H
#define SB_POISSON_PIVOTS_H

#include "src/chunk/scalar.h"
#include "src/poisson/internal.h"

enum { SB_PIVOT_GROUP = 32 };

/* Group g, half h: rows row[2 g + h] .. row[2 g + h + 1] - 1 of `table`, SB_PIVOT_GROUP numbers each; row j is row j of the
   matrix for the upper half, row n - 1 - j for the lower one. middle: of row n / 2, one of each mode, 0 for the mode of a
   singular matrix, which leaves that unknown at 0. */
typedef struct sb_pivots {
    int64_t n, modes, groups;
    int64_t *row; /* 2 groups + 1 */
    T *table, *middle;
} sb_pivots;

/* Errors: OUT_OF_MEMORY. */
slimband_status SB_NAME(pivots_make)(sb_pivots *pivots, const sb_stencil *stencil, const double *shift,
                                     int64_t modes, bool singular, size_t *bytes);
void SB_NAME(pivots_free)(sb_pivots *pivots);

#endif
