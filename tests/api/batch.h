/* A batch of f64 tridiagonal systems for the tests of the interface: own matrices, one system after another,
 * strictly dominant, NaN where nothing may be read. */
#ifndef SB_API_BATCH_H
#define SB_API_BATCH_H

#include "slimband/slimband.h"

typedef struct batch {
    slimband_problem problem;
    int64_t n, systems;
    double *lower, *diagonal, *upper, *b, *x; /* n * systems each; x holds UNTOUCHED */
    const void *diagonals[3];
} batch;

#define UNTOUCHED 12345.75

/* Ends the test when there is no memory. */
batch batch_make(int64_t n, int64_t systems, uint64_t seed);
void batch_free(batch *s);

/* Number `index` of the methods that take such systems on the CPU, `auto` among them, some also by their options; NULL
   past the last. A method joins by being registered. */
const char *batch_method(int index);

/* Create, factor, solve b into x, destroy. The first status that is not OK. */
slimband_status batch_solve(batch *s, int threads, const char *method);

/* Normwise backward error of one system's x. */
double batch_error(const batch *s, int64_t system);

/* Does x hold what batch_make put there? Are all of a system's unknowns NaN? */
bool batch_untouched(const batch *s);
bool batch_is_nan(const batch *s, int64_t system);

#endif
