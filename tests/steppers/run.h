/* Steppers as tests use them: made, run and destroyed in one call, states in double. */
#ifndef SB_TEST_RUN_H
#define SB_TEST_RUN_H

#include "slimband/steppers.h"

/* Elements of the state. */
int64_t run_elements(const slimband_evolution *e);

/* From `state` at step `first`, `calls` calls of `count` steps; the result replaces the state. Fails the test on any
   status. */
void run_steps(const slimband_evolution *e, int threads, int64_t first, int calls, int64_t count,
               double *state);
void run_steps_on(slimband_executor executor, const slimband_evolution *e, int64_t first, int calls,
                  int64_t count, double *state);

/* A state of independent random numbers in -1..1, from malloc. */
double *run_random(const slimband_evolution *e, uint64_t seed);

double run_largest_difference(int64_t count, const double *a, const double *b);

#endif
