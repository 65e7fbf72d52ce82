/* A band matrix, or one per system, as slimband takes it: row-aligned diagonals. */
#ifndef SB_BAND_H
#define SB_BAND_H

#include <stdio.h>

#include "cli/fail.h"
#include "slimband/problem.h"

typedef struct sb_band {
    slimband_scalar scalar;
    int lower, upper;
    int64_t n;
    int64_t matrices; /* 1, or as many as there are systems */
    /* (lower + 1 + upper) x matrices x n: entry [lower + k, m, i] is A_m(i, i + k). From malloc. */
    void *diagonals;
} sb_band;

/* Allocate the diagonals, all zero, for the sizes that are set. */
bool sb_band_allocate(sb_band *band, const char *name, sb_failure *failure);

void sb_band_free(sb_band *band); /* an empty struct is fine */

/* "band->lower and upper must lie in 0..8", as a sentence about this file. */
bool sb_band_fits(int64_t lower, int64_t upper, const char *name, sb_failure *failure);

#endif
