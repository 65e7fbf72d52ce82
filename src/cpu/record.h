/* What is remembered of each matrix and each system, whatever the scalar type. */
#ifndef SB_RECORD_H
#define SB_RECORD_H

#include "slimband/plan.h"
#include "src/cpu/tuning.h"

typedef struct sb_matrix_record {
    int64_t row; /* first zero pivot, or first row with NaN or Inf */
    double growth;
    double
        bound; /* truncated: relative to the largest unknown, errors are no larger; 0 where nothing is dropped */
    slimband_status status;
    bool fallback; /* factored by the second route, the one that pivots */
    bool pivoted;
    bool kept; /* partition, truncated: its factors are; lanes: in lane order, with those of its tile */
} sb_matrix_record;

typedef struct sb_system_record {
    int64_t row;
    slimband_status status;
} sb_system_record;

/* How the systems of a plan are to be solved: what system.c reads. */
typedef struct sb_recipe {
    const void *engine;  /* const sb_engine * of the scalar type: the method's */
    const void *pivoted; /* and the one that pivots */
    slimband_pivoting pivoting;
    int lower, upper;
    bool periodic, check_finite;
    bool keeps_matrix; /* a copy of the matrix is stored with the factors, for what must read it when solving */
    int refinements;
    bool toeplitz;
    int64_t first, last; /* Toeplitz rows with entries of their own */
    sb_tuning tuning;
} sb_recipe;

/* A row's error bound is 3 growth eps or so; 4 keeps `auto` within a small factor of partial pivoting. */
static const double sb_growth_limit = 4;

/* The ring needs an interior whose two ends are apart; smaller systems are folded. */
static inline bool sb_ring_fits(int64_t n, int lower, int upper)
{
    return n >= 3 * (lower > upper ? lower : upper);
}

#endif
