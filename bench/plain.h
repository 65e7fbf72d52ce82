/* The fair baseline: elimination without pivoting in plain C, for the compiler to vectorise. */
#ifndef SB_BENCH_PLAIN_H
#define SB_BENCH_PLAIN_H

#include "bench/level.h"
#include "slimband/problem.h"

/* One line, or a strip of lines side by side (element i of line s at i * stride + s). x may be b. */
typedef struct sb_plain_job {
    int lower, upper;
    int64_t n;
    const void *diagonals[SLIMBAND_MAX_DIAGONALS]; /* of the line or strip, at b's strides, where it owns them;
                                                      otherwise lines of stride 1 */
    const void *b;
    void *x;
    int64_t stride, width;
    /* eliminate: room for upper * n * width; factor, substitute: (lower + 1 + upper) * n, of a row its
       multipliers, reciprocal pivot and scaled upper entries */
    void *store;
} sb_plain_job;

typedef void sb_plain_function(const sb_plain_job *job);

typedef struct sb_plain_kernels {
    sb_plain_function *eliminate_line;  /* matrix and right-hand side together */
    sb_plain_function *eliminate_strip; /* the same; every line of the strip has its own matrix */
    sb_plain_function *factor;          /* a line of stride 1 */
    sb_plain_function *substitute_line, *substitute_strip;
} sb_plain_kernels;

/* Of this scalar type at this level. */
const sb_plain_kernels *sb_plain_kernels_of(slimband_scalar scalar, int level);

#endif
