/* Transforms along all axes but one, tridiagonal systems along that one: as rows that pass by (stream.h) where lines are of
 * axis 0 and need no pivoting; else by plans, with 2 words a point for each sweep of transforms and for the lines. */
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"
#include "src/poisson/stream.h"

typedef struct spectral {
    sb_sweeps sweeps;
    sb_lines lines;
    sb_facr facr;
    slimband_rows *rows; /* NULL: lines have plans */
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
        status = SB_NAME(lines_shift)(&s->lines, plan, &s->sweeps);
    if (!status)
        status = SB_NAME(facr_make)(&s->facr, s->sweeps.kernels, plan);
    if (!status)
        status = SB_NAME(stream_make)(&s->rows, &s->lines, &s->facr, plan);
    if (status == SLIMBAND_BREAKDOWN)
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
    SB_NAME(facr_free)(&s->facr);
    slimband_rows_destroy(s->rows);
    SB_NAME(singular_free)(&s->singular);
    free(s);
}

static slimband_status solve(slimband_poisson_plan *plan, const void *f,
                             const slimband_poisson_boundary *boundary, void *u)
{
    spectral *s = plan->state;
    sb_rhs rhs = {&plan->problem, plan->stencil, f, boundary};
    plan->subproblems = s->lines.total;
    if (s->facr.rows)
        plan->subproblems += (s->facr.planes - s->facr.rows) * plan->problem.fields;
    if (s->rows) {
        const sb_stream stream = {s->rows, &s->sweeps, &s->lines, &s->facr, &s->singular, s->norm};
        return SB_NAME(stream_solve)(&stream, plan, &rhs, u);
    }
    SB_NAME(sweeps_forward)(&s->sweeps, plan, &rhs, u);
    if (plan->singular)
        SB_NAME(singular_take)(&s->singular, plan, u);
    slimband_status status = SB_NAME(lines_solve)(&s->lines, plan, u);
    for (int64_t field = 0; plan->singular && field < plan->problem.fields && !status; ++field)
        status = SB_NAME(singular_solve)(&s->singular, plan, field, s->norm);
    if (plan->singular)
        SB_NAME(singular_put)(&s->singular, plan, u);
    SB_NAME(sweeps_backward)(&s->sweeps, plan, u);
    return status == SLIMBAND_SINGULAR ? SLIMBAND_NEAR_EIGENVALUE : status;
}

const sb_poisson_engine SB_NAME(spectral) = {create, destroy, solve, NULL};
