/* Block cyclic reduction as a list of steps, all of one kind: bcr-poisson.txt 2.1 and 2.2.
 *
 * Blocks are numbered from 1 to n = 2^k - 1 and zero outside. In interval i of a step let b = first + i * stride. With
 * D_j = (the block operator) + shift[j], for each of the step's matrices j one sub-problem is solved,
 *
 *     v_j = D_j^-1 sum_s in[j][s] block(b + source[s]),
 *
 * and the sums over j of out[j][t] v_j are added to the blocks b + target[t], or replace them. Reduction and substitution of
 * radix 2 and 4 differ only in these numbers, so that one text runs them all. */
#ifndef SB_POISSON_STEPS_H
#define SB_POISSON_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "slimband/status.h"

enum { SB_STEP_SOURCES = 6, SB_STEP_TARGETS = 3 };

typedef struct sb_fraction {
    double shift, in[SB_STEP_SOURCES], out[SB_STEP_TARGETS];
} sb_fraction;

typedef struct sb_step {
    bool add;
    int sources, targets;
    int64_t source[SB_STEP_SOURCES], target[SB_STEP_TARGETS];
    int64_t first, stride, intervals, matrices;
    sb_fraction *fraction;
} sb_step;

typedef struct sb_steps {
    int count;
    sb_step *step;
} sb_steps;

/* radix: 2 or 4. n = 2^k - 1 blocks, h apart: D_j's shift is 4 sin^2(angle / 2) / h^2, and the couplings 1 / h^2 between
   blocks are in `in`, so that a block is a right-hand side as it was given until it is an unknown. */
slimband_status sb_steps_make(sb_steps *steps, int radix, int64_t n, double h, size_t *bytes);
void sb_steps_free(sb_steps *steps);

#endif
