/* Along which axis lines run, where the caller leaves it open. */
#include <float.h>
#include <math.h>

#include "src/poisson/internal.h"

/* The longest rows are transformed best, so lines run along the first axis; but periodic ones are slower. On a GPU lines along
   the last axis are slower still. */
static int fastest(const slimband_poisson_plan *plan)
{
    const slimband_poisson_problem *p = &plan->problem;
    bool ring = p->rank > (plan->executor.place == SLIMBAND_ON_CUDA ? 2 : 1) &&
                p->axis[0].walls == SLIMBAND_WALLS_PP && p->axis[1].walls != SLIMBAND_WALLS_PP;
    return ring ? 1 : 0;
}

/* The least eigenvalue of an axis but for zero; INFINITY where there is none. */
static double least_above_zero(const slimband_poisson_plan *plan, int a)
{
    const slimband_poisson_axis *axis = &plan->problem.axis[a];
    int64_t first = plan->stencil[a].floating;
    return first < axis->n ? sb_eigenvalue(axis, first) : (double)INFINITY;
}

/* The condition of the worst of the lines along an axis, which is how many times a rounding of their matrix tells in the solution:
   their norm over their least eigenvalue, which between walls that leave constants alone is all due to the other axes. The line of
   a singular problem's constants is solved otherwise. Eigenvalues of an indefinite problem are as near to zero as a gap between
   them, to say the least. */
static double condition(const slimband_poisson_plan *plan, int line)
{
    const slimband_poisson_problem *p = &plan->problem;
    double shift = p->lambda, above = INFINITY;
    for (int a = 0; a < p->rank; ++a) {
        if (a != line)
            shift += sb_eigenvalue(&p->axis[a], 0);
        if (a != line || p->lambda < 0)
            above = fmin(above, least_above_zero(plan, a));
    }
    double least = shift + sb_eigenvalue(&p->axis[line], 0);
    if (plan->singular)
        least = shift = above;
    if (p->lambda < 0)
        least = fmin(fabs(least), above);
    return isinf(least) ? 1 : (sb_stencil_norm(&plan->stencil[line]) + fabs(shift)) / least;
}

/* A GPU divides by eigenvalues instead where lines are periodic or the problem is indefinite. */
static bool divides(const slimband_poisson_plan *plan, int axis)
{
    return plan->executor.place == SLIMBAND_ON_CUDA && (plan->stencil[axis].ring || plan->problem.lambda < 0);
}

/* Speed decides, unless lines between walls that leave constants alone are worse than Dirichlet walls would make them, cost more
   than a third of the type's digits, and another axis saves two of them: such an axis, much finer than the others, is transformed,
   which leaves its constants exactly alone. */
int sb_choose_line_axis(const slimband_poisson_plan *plan)
{
    const slimband_poisson_problem *p = &plan->problem;
    if (p->line_axis >= 0)
        return p->line_axis;
    int chosen = fastest(plan);
    double n = (double)p->axis[chosen].n, third = p->scalar == SLIMBAND_F32 ? 0x1p10 : 0x1p20, saving = 100;
    double least = divides(plan, chosen) ? 1 : condition(plan, chosen);
    if (!plan->stencil[chosen].floating || least <= fmax(4 * n * n, third))
        return chosen;
    least /= saving;
    for (int a = 0; a < p->rank; ++a) {
        double other = divides(plan, a) ? 1 : condition(plan, a);
        if (other < least) {
            least = other;
            chosen = a;
        }
    }
    return chosen;
}
