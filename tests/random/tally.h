/* How often every method, type and so on was drawn: a test that draws nothing proves nothing. */
#ifndef SB_RANDOM_TALLY_H
#define SB_RANDOM_TALLY_H

#include "tests/random/check.h"

enum { MOST_METHODS = 32 };

typedef struct tally {
    int64_t methods[MOST_METHODS]; /* that ran, in slimband_method's order */
    int64_t scalars[4], ends[2], coefficients[3], pivoting[3], arrangements[ARRANGEMENTS],
        operations[OPERATIONS];
    int64_t in_place, dominant, refined, pivoted, two_threads;
    double worst[MOST_METHODS]; /* error in units of its bound */
} tally;

void tally_add(tally *sum, const trial *t, const result *r);
void tally_print(const tally *sum);

/* Was everything drawn at least once? */
bool tally_complete(const tally *sum);

#endif
