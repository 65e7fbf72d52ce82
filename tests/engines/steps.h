/* Checking by algebra which unknowns a row couples. */
#ifndef TEST_ENGINES_STEPS_H
#define TEST_ENGINES_STEPS_H

#include "support.h"

/* A random problem whose solution is random too: an equation that names a wrong unknown does not hold for it.
 */
typedef struct known {
    problem p;
    sb_row *rows; /* of the problem as it was; the test frees neither */
    T *x;
} known;

known known_problem(int64_t n, uint64_t seed);
void free_known(known *k);

/* row holds for x as {left, own, right}, counted from 0. Outside 0..n-1 nothing exists and the coefficient must
   be 0; inside it must be different from 0. */
void assert_couples(const known *k, sb_row row, int64_t left, int64_t own, int64_t right);

#endif
