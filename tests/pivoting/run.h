/* The pivoting engine on the random bands of tests/lapack. */
#ifndef PIVOTING_RUN_H
#define PIVOTING_RUN_H

#include "src/cpu/engine.h"
#include "tests/lapack/support.h"

enum { WIDEST = SB_MAX_DIAGONALS / 2 };

/* A, factored. */
typedef struct factored {
    const band *A;
    void *factors;
    sb_outcome outcome;
} factored;

factored factor_band(const band *A);
void drop_factored(factored *F);

/* A x = b (op SB_PLAIN) or transpose(A) x = b; free x after use. */
T *solve_band(const factored *F, sb_op op, const T *b);

/* Fails unless A and its transpose are solved with a backward error of `roundings` epsilon at most. */
void assert_solves(const band *A, double roundings, uint64_t seed);

#endif
