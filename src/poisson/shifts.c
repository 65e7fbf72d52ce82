/* What the transforms of the other axes add to the line axis' matrix. */
#include "src/poisson/internal.h"

void sb_fill_shifts(const slimband_poisson_plan *plan, const int64_t *const order[], double *shift)
{
    const slimband_poisson_problem *p = &plan->problem;
    int64_t modes = plan->points / p->axis[plan->line_axis].n;
    int64_t run = 1; /* modes over which the coefficient of axis a stays the same */
    for (int64_t m = 0; m < modes; ++m)
        shift[m] = p->lambda;
    for (int a = p->rank - 1; a >= 0; --a) {
        if (a == plan->line_axis)
            continue;
        for (int64_t k = 0; k < p->axis[a].n; ++k) {
            double value = sb_eigenvalue(&p->axis[a], order[a] ? order[a][k] : k);
            for (int64_t block = k * run; block < modes; block += run * p->axis[a].n)
                for (int64_t m = block; m < block + run; ++m)
                    shift[m] += value;
        }
        run *= p->axis[a].n;
    }
}
