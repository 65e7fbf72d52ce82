/* One step of Wang & Mou's method. */
#ifndef SB_WANG_MOU_H
#define SB_WANG_MOU_H

#include "src/chunk/row.h"

/* Blocks of u rows (the last may be shorter) become blocks of 2u. In a block of rows s..e-1 every row is
   {s-1, i, e}. Returns the smallest row with an unfit pivot, or SB_NO_ROW. */
int64_t SB_NAME(wang_mou_merge)(sb_row *rows, int64_t u, int64_t n, int threads);

#endif
