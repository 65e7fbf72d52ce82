/* Random problems of one scalar type, an answer in wider precision, and a way to run an engine. */
#ifndef TEST_ENGINES_SUPPORT_H
#define TEST_ENGINES_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/chunk/row.h"
#include "src/cpu/engine.h"

extern const sb_engine SB_NAME(cr), SB_NAME(pcr), SB_NAME(wang_mou), SB_NAME(tpr), SB_NAME(pcr_thomas),
    SB_NAME(cr_toeplitz);

#define EPSILON (sizeof(R) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON)

typedef struct problem {
    sb_matrix A;
    T *entries, *rhs, *solution;
    uint64_t seed; /* the next random number */
} problem;

/* In the square [-1, 1] x [-i, i], or in [-1, 1]. */
T random_entry(uint64_t *seed);

/* Tridiagonal, own entries, |b| at least 1.2 times |a| + |c|; the two entries outside the matrix are NaN. */
problem random_problem(int64_t n, int64_t stride, uint64_t seed);

/* The same with `reach` diagonals on either side, and so many entries outside. */
problem random_band(int64_t n, int reach, int64_t stride, uint64_t seed);

/* The same with `first` and `last` different rows (0 or 1 each); a view of `n` out of `total` rows. */
problem random_toeplitz_problem(int64_t n, int64_t total, int first, int last, uint64_t seed);

void free_problem(problem *p);

/* The entry A(i, i + k), 0 where the matrix has none. */
T entry(const sb_matrix *A, int64_t i, int k);

/* The rows of A with its right-hand side; free after use. */
sb_row *make_rows(const problem *p);

/* The solution by Gaussian elimination in wider precision; free after use. */
T *reference(const sb_matrix *A, const T *rhs);

/* Factor and solve into p->solution. Returns the row that the engine gave up at, or -1. */
int64_t run(const sb_engine *engine, problem *p, sb_op op, sb_tuning tuning);

/* Largest difference over the largest entry of y. */
double difference(const T *x, const T *y, int64_t n);

#endif
