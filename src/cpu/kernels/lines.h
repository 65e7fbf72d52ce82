/* Lines between the user's arrays and contiguous scratch. */
#ifndef SB_LINES_H
#define SB_LINES_H

#include "src/cpu/engine.h"

/* `count` lines of n entries; entry i of line s at [i * line + s * between]. Consecutive lines that lie side by
   side are moved row by row, so that every cache line that is fetched is used up. conjugate: copy conj(entry).
 */
void SB_NAME(copy_lines)(const T *from, int64_t from_line, int64_t from_between, T *to, int64_t to_line,
                         int64_t to_between, int64_t n, int64_t count, bool conjugate);

/* The first entry that is NaN or Inf, or -1. */
int64_t SB_NAME(first_not_finite)(const T *x, int64_t n);

#endif
