/* The host. */
#include "tests/accuracy/place.h"

const char place_name[] = "cpu";

const char *place_missing(void)
{
    return NULL;
}

slimband_executor place_executor(void)
{
    return slimband_cpu(1);
}

slimband_status place_solve(slimband_plan *plan, const slimband_problem *p, const void *const *diagonals,
                            int64_t entries, void *x)
{
    (void)p;
    (void)entries;
    return slimband_factor_solve(plan, diagonals, x, x);
}
