/* slimband_residual: arguments checked, then the drivers of the scalar type. */
#include "src/cpu/workspace.h"

slimband_status slimband_residual(const slimband_problem *problem, const void *const *diagonals, const void *b,
                                  const void *x, slimband_backward_error *error)
{
    if (!error)
        return SLIMBAND_NULL_ARGUMENT;
    slimband_status status = slimband_validate(problem);
    if (status)
        return status;
    int64_t systems = slimband_systems(problem);
    bool empty = systems == 0 || sb_longest(problem) == 0;
    if (!empty && (!diagonals || !b || !x))
        return SLIMBAND_NULL_ARGUMENT;
    for (int d = 0; !empty && d <= problem->lower + problem->upper; ++d)
        if (!diagonals[d])
            return SLIMBAND_NULL_ARGUMENT;
    *error = (slimband_backward_error){.system = systems ? 0 : -1};
    if (!empty)
        sb_drivers_of[problem->scalar]->backward_error(problem, diagonals, b, x, error);
    return SLIMBAND_OK;
}
