/* The steps of Tree Partitioning Reduction, one at a time, on one slice each. All return the smallest row with
 * an unfit pivot, or SB_NO_ROW. */
#ifndef SB_TPR_H
#define SB_TPR_H

#include "src/chunk/row.h"

/* Rows top .. top+rows-1 of n; rows is a power of two. Of the last slice fewer may exist. */
typedef struct sb_slice {
    int64_t top, rows, n;
} sb_slice;

/* Step u = 1, 2, .., rows/2 inside the slice; counted from 0 at its top, row j u' (u' = 2u) of the first
   subsystem and j u' - 1 of the second become {-u', own, +u'}, cut off at -1 and at rows. Step u = 1 reads the
   original rows and fills `reduced`, the others read and write `reduced`. */
int64_t SB_NAME(tpr_reduce)(const sb_row *original, sb_row *reduced, sb_slice slice, int64_t u);

/* After them: the top row by the bottom row, {top-1, top, bottom}. */
void SB_NAME(tpr_join)(sb_row *reduced, sb_slice slice);

/* The bottom row by the next slice's top row: {bottom-rows, bottom, bottom+rows}. */
int64_t SB_NAME(tpr_integrate)(sb_row *reduced, sb_slice slice);

/* Unknowns u-1, 3u-1, .. of the slice (u = rows/2, .., 2, 1) from those at distance u on either side. Rows of
   the second subsystem are reduced ones, those of the first (u = 1) original ones. */
int64_t SB_NAME(tpr_substitute)(const sb_row *original, const sb_row *reduced, sb_slice slice, int64_t u, T *x);

#endif
