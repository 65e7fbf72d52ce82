/* Who else takes hyperdiffusion's steps: plain C on the CPU, cuSPARSE on a GPU. */
#ifndef SB_BENCH_STEPPERS_RIVAL_H
#define SB_BENCH_STEPPERS_RIVAL_H

#include "cli/fail.h"
#include "slimband/steppers.h"

typedef struct sb_rival sb_rival;

/* The published way to take the steps of a batch of rings without forcing. *rival is NULL if there is none here, since
   cuSPARSE is not installed. */
bool sb_rival_make(sb_rival **rival, const slimband_evolution *evolution, bool cuda, int threads,
                   sb_failure *failure);

/* state: members one after another, before and after; *seconds of the steps alone. */
bool sb_rival_run(sb_rival *rival, int64_t steps, double *state, double *seconds, sb_failure *failure);

void sb_rival_free(sb_rival *rival); /* NULL is fine */

#endif
