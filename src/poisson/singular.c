/* The singular line of a field: its right-hand side is projected, so that its equations are dependent and one may be left out; the
 * last unknown is held at zero, the others follow from a regular system, and the weighted mean is set afterwards. */
#include "src/poisson/singular.h"

#include <math.h>
#include <stdlib.h>

#include "src/apps/memory.h"

static slimband_status make_plan(sb_singular *s, const sb_stencil *line, slimband_scalar scalar, T *matrix)
{
    s->load = ldexp(line->diagonal[0], -ilogb((double)s->n));
    for (int64_t i = 0; i < s->n; ++i) {
        matrix[i] = (T)line->lower[i];
        matrix[s->n + i] = (T)line->diagonal[i];
        matrix[2 * s->n + i] = (T)line->upper[i];
        s->response[i] = i < s->n - 1 ? (T)s->load : 0;
    }
    slimband_problem p = slimband_tridiagonal(scalar, s->n - 1);
    slimband_status status = slimband_plan_create(&s->plan, &p, slimband_cpu(1), SLIMBAND_AUTO);
    if (!status)
        status = slimband_factor(s->plan, (const void *[]){matrix, matrix + s->n, matrix + 2 * s->n});
    return status ? status : slimband_solve(s->plan, s->response, s->response);
}

slimband_status SB_NAME(singular_make)(sb_singular *s, slimband_poisson_plan *plan)
{
    const sb_stencil *line = &plan->stencil[plan->line_axis];
    *s = (sb_singular){.n = line->n, .fields = plan->problem.fields};
    s->lines = sb_app_allocate((size_t)s->fields, (size_t)s->n * sizeof(T), &plan->bytes);
    s->response = sb_app_allocate(1, (size_t)s->n * sizeof(T), &plan->bytes);
    T *matrix = sb_app_allocate(3, (size_t)s->n * sizeof(T), &plan->bytes);
    slimband_status status = s->lines && s->response && matrix ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
    if (!status && s->n > 1)
        status = make_plan(s, line, plan->problem.scalar, matrix);
    free(matrix);
    return status;
}

void SB_NAME(singular_free)(sb_singular *s)
{
    slimband_plan_destroy(s->plan);
    free(s->lines);
    free(s->response);
}

void SB_NAME(singular_take)(const sb_singular *s, const slimband_poisson_plan *plan, const T *u)
{
    int64_t after = sb_points_after(&plan->problem, plan->line_axis);
    for (int64_t field = 0; field < s->fields; ++field)
        for (int64_t i = 0; i < s->n; ++i)
            s->lines[field * s->n + i] = u[field * plan->points + i * after];
}

static double weighted_mean(const sb_stencil *line, const T *x)
{
    double sum = 0;
    for (int64_t i = 0; i < line->n; ++i)
        sum += line->weight[i] * line->share * (double)x[i];
    return sum / (line->total * line->share);
}

/* Returns what was taken off. */
static double take_mean_off(const sb_stencil *line, T *x)
{
    double mean = weighted_mean(line, x);
    for (int64_t i = 0; i < line->n; ++i)
        x[i] = (T)((double)x[i] - mean);
    return mean;
}

/* All that rounding leaves, of the mean and in the solve, has fallen on the one equation that was left out, whose right-hand side
   was `last`: x is corrected so that each equation has the same share of it. */
static void share_out(const sb_singular *s, const sb_stencil *line, double last, T *x)
{
    int64_t n = s->n;
    double rest = last - line->lower[n - 1] * (double)x[n - 2];
    if (line->ring)
        rest -= line->upper[n - 1] * (double)x[0];
    double weight = line->weight[n - 1] * line->share, total = line->total * line->share;
    double share = rest * weight / total / s->load;
    for (int64_t i = 0; i < n; ++i)
        x[i] = (T)((double)x[i] - share * (double)s->response[i]);
}

/* The mean goes twice: what a first subtraction leaves is a rounding of the mean, a second one's a rounding of what varies. */
slimband_status SB_NAME(singular_solve)(const sb_singular *s, slimband_poisson_plan *plan, int64_t field,
                                        double norm)
{
    const sb_stencil *line = &plan->stencil[plan->line_axis];
    T *x = s->lines + field * s->n;
    double away = take_mean_off(line, x);
    away += take_mean_off(line, x);
    if (fabs(away / norm) > fabs(plan->projected))
        plan->projected = away / norm;
    double last = (double)x[s->n - 1];
    slimband_status status = s->plan ? slimband_solve(s->plan, x, x) : SLIMBAND_OK;
    x[s->n - 1] = 0;
    if (s->plan)
        share_out(s, line, last, x);
    double offset = plan->problem.mean * norm - weighted_mean(line, x);
    for (int64_t i = 0; i < s->n; ++i)
        x[i] = (T)((double)x[i] + offset);
    return status;
}

void SB_NAME(singular_put)(const sb_singular *s, const slimband_poisson_plan *plan, T *u)
{
    int64_t after = sb_points_after(&plan->problem, plan->line_axis);
    for (int64_t field = 0; field < s->fields; ++field)
        for (int64_t i = 0; i < s->n; ++i)
            u[field * plan->points + i * after] = s->lines[field * s->n + i];
}
