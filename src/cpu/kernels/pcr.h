/* One step of parallel cyclic reduction. */
#ifndef SB_PCR_H
#define SB_PCR_H

#include "src/chunk/row.h"

/* All n rows {i-u, i, i+u} become {i-2u, i, i+2u}. Returns the smallest row with an unfit pivot, or SB_NO_ROW.
 */
int64_t SB_NAME(pcr_reduce)(const sb_row *from, sb_row *to, int64_t u, int64_t n, int threads);

#endif
