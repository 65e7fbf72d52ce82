/* A trial through the public calls. */
#include "tests/random/place.h"

void trial_diagonals(const trial *t, const void **pointers)
{
    for (int d = 0; d < t->diagonal_count; ++d)
        pointers[d] = array_pointer(&t->diagonals[d]);
}

static slimband_status call(const trial *t, slimband_plan *plan, bool factored, const placed *arrays)
{
    typedef slimband_status solver(slimband_plan *, const void *, void *);
    static solver *const solvers[] = {slimband_solve, slimband_solve_transposed, slimband_solve_adjoint};
    if (t->operation == FACTOR_SOLVE)
        return slimband_factor_solve(plan, arrays->diagonals, arrays->b, arrays->x);
    slimband_status status = factored ? SLIMBAND_OK : slimband_factor(plan, arrays->diagonals);
    return status ? status : solvers[t->operation](plan, arrays->b, arrays->x);
}

slimband_status trial_solve(const trial *t, slimband_plan *plan, bool factored)
{
    placed arrays;
    if (!place_bring(t, &arrays))
        return SLIMBAND_OUT_OF_MEMORY;
    return place_take_back(t, &arrays, plan, call(t, plan, factored, &arrays));
}

void trial_restore(trial *t)
{
    const slimband_layout *layout = &t->problem.solution;
    for (int64_t s = 0, systems = slimband_systems(&t->problem); s < systems; ++s) {
        for (int64_t i = 0; i < length_of(t, s); ++i) {
            int64_t at = line_start(t, layout, s) + i * layout->line;
            array_set(&t->x, at, array_get(&t->b, at));
        }
    }
}
