/* Solve a trial through the public interface and hold everything that it did against the contract. */
#ifndef SB_RANDOM_CHECK_H
#define SB_RANDOM_CHECK_H

#include "tests/random/oracle.h"

enum { COMPLAINT = 240 };

typedef struct result {
    char complaint[COMPLAINT]; /* "" when all is well */
    verdict verdict;
    double bound;    /* that the verdict's error has to keep */
    char method[32]; /* that ran */
    bool pivoted;
} result;

void check_trial(trial *t, result *r);

#endif
