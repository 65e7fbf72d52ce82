/* What engines need that sweep through a matrix' factors. */
#ifndef SB_NEEDS_H
#define SB_NEEDS_H

#include "src/cpu/engine.h"

/* As many words as the matrix has. */
static inline size_t sb_band_stored(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)tuning;
    return (size_t)n * (size_t)(lower + 1 + upper) * sizeof(T);
}

static inline size_t sb_no_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)n, (void)lower, (void)upper, (void)tuning;
    return 0;
}

#endif
