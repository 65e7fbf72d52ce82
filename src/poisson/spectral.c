/* Transforms along all axes but one, tridiagonal plans along that one. Words a point: 2 for each sweep of transforms
 * there and back (two axes in front of lines of axis 0 count once) and 2 for the lines. */
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"
#include "src/poisson/lines.h"
#include "src/poisson/singular.h"
#include "src/poisson/sweep.h"

typedef struct spectral {
    sb_sweeps sweeps;
    sb_lines lines;
    sb_singular singular;
    double norm;
} spectral;

static slimband_status create(slimband_poisson_plan *plan, const char *options)
{
    bool measure = !strcmp(options, "measure");
    if (*options && !measure)
        return SLIMBAND_UNKNOWN_OPTION;
    spectral *s = plan->state = sb_app_allocate(1, sizeof *s, &plan->bytes);
    if (!s)
        return SLIMBAND_OUT_OF_MEMORY;
    slimband_status status = SB_NAME(sweeps_make)(&s->sweeps, plan, measure);
    if (!status)
        status = SB_NAME(lines_make)(&s->lines, plan);
    if (!status && plan->singular)
        status = SB_NAME(singular_make)(&s->singular, plan);
    s->norm = 1;
    for (int k = 0; k < s->sweeps.count; ++k)
        s->norm *= s->sweeps.fourier[k].norm;
    return status;
}

static void destroy(slimband_poisson_plan *plan)
{
    spectral *s = plan->state;
    SB_NAME(sweeps_free)(&s->sweeps);
    SB_NAME(lines_free)(&s->lines);
    SB_NAME(singular_free)(&s->singular);
    free(s);
}

static slimband_status solve(slimband_poisson_plan *plan, const void *f, const slimband_poisson_boundary *boundary,
                             void *u)
{
    spectral *s = plan->state;
    sb_rhs rhs = {&plan->problem, plan->stencil, f, boundary};
    SB_NAME(sweeps_forward)(&s->sweeps, plan, &rhs, u);
    if (plan->singular)
        SB_NAME(singular_take)(&s->singular, plan, u);
    slimband_status status = SB_NAME(lines_solve)(&s->lines, plan, u);
    if (plan->singular) {
        slimband_status other = SB_NAME(singular_put)(&s->singular, plan, s->norm, u);
        status = status ? status : other;
    }
    plan->subproblems = s->lines.total;
    SB_NAME(sweeps_backward)(&s->sweeps, plan, u);
    return status == SLIMBAND_SINGULAR ? SLIMBAND_NEAR_EIGENVALUE : status;
}

const sb_poisson_engine SB_NAME(spectral) = {create, destroy, solve};
