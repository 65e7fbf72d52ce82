/* Reciprocal pivots of a tridiagonal matrix plus a shift, for many shifts (modes) side by side: eliminated from both ends
 * towards row n / 2, by halves. All modes are dominant by rows, so that no pivoting is needed.
 *
 * Modes are taken in groups of a warp's width, the pivots of each group and half stored row by row. Where rows are alike even.h
 * needs none of them. */
#ifndef SB_CUDA_SHIFTED_PIVOTS_H
#define SB_CUDA_SHIFTED_PIVOTS_H

#include "src/chunk/dominance.h"
#include "src/chunk/scalar.h"

enum { SB_PIVOT_GROUP = 32 };

/* Group g, half h: rows row[2 g + h] .. row[2 g + h + 1] - 1 of `table`, SB_PIVOT_GROUP numbers each; row j is row j of the
   matrix for the upper half, row n - 1 - j for the lower one. middle: of row n / 2, one of each mode, 0 for the mode of a
   singular matrix, which leaves that unknown at 0. */
typedef struct sb_pivot_table {
    int64_t n, modes, groups;
    int64_t *row; /* 2 groups + 1 */
    T *table, *middle;
} sb_pivot_table;

/* singular: a mode, or -1. Errors: OUT_OF_MEMORY; BREAKDOWN where a pivot is not finite in T. */
slimband_status SB_NAME(pivots_make)(sb_pivot_table *pivots, const sb_tridiagonal *matrix, const double *shift,
                                     int64_t modes, int64_t singular);
void SB_NAME(pivots_free)(sb_pivot_table *pivots);

#endif
