/* What pcr_thomas is made of besides pcr's own steps. After `level` steps there are 2^level systems: number s
 * holds the rows s, s + 2^level, s + 2 2^level, ... of all n >= 2^level, in number n / 2^level, and one more in
 * the first n mod 2^level systems. Systems that stand apart lie one after the other, in the order of s. */
#ifndef SB_PCR_THOMAS_H
#define SB_PCR_THOMAS_H

#include "src/chunk/levels.h"
#include "src/chunk/row.h"

static inline int64_t sb_system_start(int64_t n, int level, int64_t s)
{
    int64_t longer = n & ((INT64_C(1) << level) - 1);
    return s * (n >> level) + (s < longer ? s : longer);
}

/* Where row i stands. */
static inline int64_t sb_place(int64_t n, int level, int64_t i)
{
    return sb_system_start(n, level, i & ((INT64_C(1) << level) - 1)) + (i >> level);
}

/* The step from `level` to level + 1, for 2^(level + 1) <= n: every row {i-u, i, i+u}, u = 2^level, becomes
   {i-2u, i, i+2u}. Both leave the systems apart; the first finds the rows in their own order, the second the
   systems apart. Smallest row with an unfit pivot, or SB_NO_ROW. */
int64_t SB_NAME(pcr_separate)(const sb_row *from, sb_row *to, int level, int64_t n, int threads);
int64_t SB_NAME(pcr_shuffle)(const sb_row *from, sb_row *to, int level, int64_t n, int threads);

/* A system that stands apart, by Thomas: its d become the unknowns, its c are used up. Returns the first of the
   `count` rows with an unfit pivot, counted from 0 in the system, or SB_NO_ROW. */
int64_t SB_NAME(thomas_rows)(sb_row *rows, int64_t count);

#endif
