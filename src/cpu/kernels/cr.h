/* Cyclic reduction on every u-th row, for cr itself and for the tree that joins tpr's slices. */
#ifndef SB_CR_H
#define SB_CR_H

#include "src/chunk/levels.h"
#include "src/chunk/row.h"

/* Rows u-1, 2u-1, ... below n, each {i-u, i, i+u}, form a system by themselves. One step: the rows 2u-1, 4u-1,
   ... become {i-2u, i, i+2u}. Returns the smallest row with an unfit pivot, or SB_NO_ROW; so do the next two.
 */
int64_t SB_NAME(cr_reduce)(sb_row *rows, int64_t u, int64_t n, int threads);

/* The other way: x[u-1], x[3u-1], ... from x[2u-1], x[4u-1], ... */
int64_t SB_NAME(cr_substitute)(const sb_row *rows, int64_t u, int64_t n, T *x, int threads);

/* The whole of it. 12 + 5 operations a row. */
int64_t SB_NAME(cr_every)(sb_row *rows, int64_t u, int64_t n, T *x, int threads);

#endif
