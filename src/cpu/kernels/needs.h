/* What engines need that sweep through a matrix' factors. */
#ifndef SB_NEEDS_H
#define SB_NEEDS_H

#include "src/cpu/engine.h"

/* Of a tridiagonal row: what is below, on and above the diagonal. */
static inline size_t sb_three_words_stored(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return (size_t)n * 3 * sizeof(T);
}

static inline size_t sb_no_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)n, (void)lower, (void)upper, (void)tuning;
    return 0;
}

#endif
