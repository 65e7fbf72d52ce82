/* A matrix and its right-hand sides by one plan, in both calls or in one. */
#ifndef TESTS_FACTOR_AND_SOLVE_H
#define TESTS_FACTOR_AND_SOLVE_H

#include "slimband/slimband.h"

/* one_pass: what the plan's problem says. */
static inline slimband_status factor_and_solve(slimband_plan *plan, bool one_pass, const void *const *diagonals,
                                               const void *b, void *x)
{
    if (one_pass)
        return slimband_factor_solve(plan, diagonals, b, x);
    const slimband_status status = slimband_factor(plan, diagonals);
    return status ? status : slimband_solve(plan, b, x);
}

#endif
