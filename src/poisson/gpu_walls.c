/* f and the walls' terms, as solves on a GPU begin. */
#include "src/poisson/gpu_walls.h"

void SB_NAME(gpu_rhs_describe)(sb_gpu_rhs *rhs, const slimband_poisson_plan *plan)
{
    const slimband_poisson_problem *p = &plan->problem;
    rhs->field = (sb_gpu_field){.rank = p->rank, .fields = p->fields, .points = plan->points};
    for (int a = 0; a < p->rank; ++a) {
        rhs->field.n[a] = p->axis[a].n;
        for (int side = 0; side < 2; ++side)
            rhs->inflow[a][side] = plan->stencil[a].inflow[side];
    }
}

bool SB_NAME(gpu_rhs_note)(sb_gpu_rhs *rhs, const slimband_poisson_plan *plan,
                           const slimband_poisson_boundary *boundary)
{
    bool any = false;
    for (int a = 0; a < plan->problem.rank; ++a)
        for (int side = 0; side < 2; ++side) {
            rhs->side[a][side] = plan->stencil[a].ring ? NULL : boundary->side[a][side];
            any |= rhs->side[a][side] != NULL;
        }
    return any;
}
