/* How good a solution is, independent of any plan. */
#include <math.h>
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/misfit.h"

static slimband_status judge(const sb_rhs *rhs, const void *u, bool singular, void *row,
                             slimband_poisson_error *error)
{
    const slimband_poisson_problem *p = rhs->problem;
    bool single = p->scalar == SLIMBAND_F32;
    double norm = fabs(p->lambda);
    for (int a = 0; a < p->rank; ++a)
        norm += sb_stencil_norm(&rhs->stencil[a]);
    for (int64_t field = 0; field < p->fields; ++field) {
        double away = !singular ? 0 : (single ? sb_mean_f32 : sb_mean_f64)(rhs, field, row);
        sb_misfit m = {0, 0, 0};
        (single ? sb_misfit_f32 : sb_misfit_f64)(rhs, field, away, u, row, &m);
        double scale = norm * m.solution + m.rhs;
        double size = isinf(scale) ? (double)INFINITY : m.residual > 0 ? m.residual / scale : 0;
        error->normwise = fmax(error->normwise, size);
        if (fabs(away) > fabs(error->projected))
            error->projected = away;
    }
    return SLIMBAND_OK;
}

slimband_status slimband_poisson_residual(const slimband_poisson_problem *problem, const void *f,
                                          const slimband_poisson_boundary *boundary, const void *u,
                                          slimband_poisson_error *error)
{
    slimband_status status = slimband_poisson_validate(problem);
    if (status)
        return status;
    if (!error || (problem->fields && (!f || !u)))
        return SLIMBAND_NULL_ARGUMENT;
    static const slimband_poisson_boundary zero;
    sb_stencil stencil[SLIMBAND_POISSON_MAX_RANK] = {{0}};
    const sb_rhs rhs = {problem, stencil, f, boundary ? boundary : &zero};
    size_t bytes = 0;
    bool singular = problem->lambda == 0;
    for (int a = 0; a < problem->rank && !status; ++a) {
        status = sb_stencil_make(&stencil[a], problem, a, &bytes);
        singular &= stencil[a].floating;
    }
    void *row = sb_app_allocate((size_t)problem->axis[problem->rank - 1].n, sizeof(double), &bytes);
    if (!row)
        status = SLIMBAND_OUT_OF_MEMORY;
    *error = (slimband_poisson_error){0};
    if (!status)
        status = judge(&rhs, u, singular, row, error);
    free(row);
    for (int a = 0; a < problem->rank; ++a)
        sb_stencil_free(&stencil[a]);
    return status;
}
