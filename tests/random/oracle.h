/* What the answer should be, worked out independently of the library in long double. */
#ifndef SB_RANDOM_ORACLE_H
#define SB_RANDOM_ORACLE_H

#include "tests/random/trial.h"

typedef struct verdict {
    bool memory;                    /* false: there was not enough for the oracle itself */
    bool finite;                    /* every unknown */
    double normwise, componentwise; /* as residual.h defines them */
    double error; /* normwise, but against the couplings as they were given: where some coincide and cancel, no
                     solver can keep to their sum */
    int64_t system; /* of the largest error */
} verdict;

/* Backward errors of t->x, for the operator that t->operation stands for. */
verdict oracle_backward_error(const trial *t);

/* The largest, over systems of at most 16 unknowns, of ||x - y|| / (||y|| cond), y from a dense elimination in
   long double; infinity norms. 0 where all systems are larger; negative without memory. */
double oracle_dense_error(const trial *t);

/* The number of column `row + k` of a row, folded into the matrix when the ends are periodic. */
int64_t folded(const trial *t, int64_t system, int64_t column);

#endif
