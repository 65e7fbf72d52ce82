/* The tridiagonal systems along the line axis, in strips. */
#include "src/poisson/lines.h"

#include <omp.h>
#include <stdlib.h>

#include "src/apps/memory.h"

/* Wide enough to use whole pages' lines, narrow enough that three diagonals stay in the second-level cache. */
static int64_t strip_width(const slimband_poisson_plan *plan, int64_t lines)
{
    enum { cache = 3 << 18, least = 128 / sizeof(T), most = 2048 / sizeof(T) };
    int64_t n = plan->problem.axis[plan->line_axis].n;
    int64_t width = cache / (int64_t)sizeof(T) / 3 / n / least * least;
    width = width < least ? least : width > most ? most : width;
    return width < lines ? width : lines;
}

static slimband_status make_strip(sb_strip *strip, slimband_poisson_plan *plan, const sb_lines *lines,
                                  int64_t width)
{
    int threads = lines->workers == 1 ? plan->threads : 1;
    const sb_stencil *s = &plan->stencil[plan->line_axis];
    slimband_problem p = slimband_tridiagonal(plan->problem.scalar, s->n);
    p.ends = s->ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.one_pass = true;
    p.batch_rank = 1;
    p.batch[0] = width;
    p.matrix = (slimband_layout){.line = width, .batch = {1}};
    p.rhs = p.solution = (slimband_layout){.line = lines->after, .batch = {lines->after == 1 ? s->n : 1}};
    strip->width = width;
    strip->lower = sb_app_allocate(3 * (size_t)width, (size_t)s->n * sizeof(T), &plan->bytes);
    if (!strip->lower)
        return SLIMBAND_OUT_OF_MEMORY;
    strip->diagonal = strip->lower + width * s->n;
    strip->upper = strip->diagonal + width * s->n;
    for (int64_t i = 0; i < s->n; ++i)
        for (int64_t k = 0; k < width; ++k) {
            strip->lower[i * width + k] = (T)s->lower[i];
            strip->upper[i * width + k] = (T)s->upper[i];
        }
    slimband_status status = slimband_plan_create(&strip->plan, &p, slimband_cpu(threads), SLIMBAND_AUTO);
    slimband_report report = {0};
    if (!status)
        status = slimband_plan_report(strip->plan, &report);
    plan->bytes += report.workspace_bytes;
    return status;
}

slimband_status SB_NAME(lines_shift)(sb_lines *lines, slimband_poisson_plan *plan, const sb_sweeps *sweeps)
{
    const slimband_poisson_problem *p = &plan->problem;
    *lines = (sb_lines){.n = p->axis[plan->line_axis].n, .singular = plan->singular};
    lines->after = sb_points_after(p, plan->line_axis);
    lines->modes = plan->points / lines->n;
    lines->total = lines->modes * p->fields;
    const int64_t *order[SLIMBAND_POISSON_MAX_RANK] = {NULL};
    for (int k = 0; k < sweeps->count; ++k)
        order[sweeps->axis[k]] = sweeps->fourier[k].order;
    lines->shift = sb_app_allocate((size_t)lines->modes, sizeof *lines->shift, &plan->bytes);
    if (!lines->shift)
        return SLIMBAND_OUT_OF_MEMORY;
    sb_fill_shifts(plan, order, lines->shift);
    return SLIMBAND_OK;
}

slimband_status SB_NAME(lines_make)(sb_lines *lines, slimband_poisson_plan *plan)
{
    if (lines->total == 0)
        return SLIMBAND_OK;
    lines->row = lines->after == 1 ? lines->total : lines->after;
    lines->width = strip_width(plan, lines->row);
    lines->strips = lines->total / lines->row * ((lines->row + lines->width - 1) / lines->width);
    lines->workers = lines->strips < plan->threads ? (int)lines->strips : plan->threads;
    lines->full = sb_app_allocate(2 * (size_t)lines->workers, sizeof *lines->full, &plan->bytes);
    if (!lines->full)
        return SLIMBAND_OUT_OF_MEMORY;
    lines->rest = lines->full + lines->workers;
    slimband_status status = SLIMBAND_OK;
    for (int t = 0; t < lines->workers && !status; ++t) {
        status = make_strip(&lines->full[t], plan, lines, lines->width);
        if (!status && lines->row % lines->width)
            status = make_strip(&lines->rest[t], plan, lines, lines->row % lines->width);
    }
    return status;
}

void SB_NAME(lines_free)(sb_lines *lines)
{
    for (int t = 0; lines->full && t < 2 * lines->workers; ++t) {
        slimband_plan_destroy(lines->full[t].plan);
        free(lines->full[t].lower);
    }
    free(lines->full);
    free(lines->shift);
}

/* The matrix of a line that is solved elsewhere becomes the identity, or again what it was. */
static void mask(const sb_strip *strip, const sb_stencil *s, int64_t line, bool identity)
{
    for (int64_t i = 0; i < s->n; ++i) {
        strip->lower[i * strip->width + line] = identity ? 0 : (T)s->lower[i];
        strip->upper[i * strip->width + line] = identity ? 0 : (T)s->upper[i];
        if (identity)
            strip->diagonal[i * strip->width + line] = 1;
    }
}

/* All lines of mode 0 in a strip that begins with line `first`. */
static void mask_singular(const sb_lines *lines, const sb_strip *strip, const sb_stencil *s, int64_t first,
                          bool identity)
{
    for (int64_t k = (lines->modes - first % lines->modes) % lines->modes; k < strip->width; k += lines->modes)
        mask(strip, s, k, identity);
}

static slimband_status solve_strip(const sb_lines *lines, const slimband_poisson_plan *plan,
                                   const sb_strip *strip, int64_t first, T *u)
{
    const sb_stencil *s = &plan->stencil[plan->line_axis];
    int64_t width = strip->width;
    for (int64_t k = 0; k < width; ++k) {
        double shift = lines->shift[(first + k) % lines->modes];
        for (int64_t i = 0; i < s->n; ++i)
            strip->diagonal[i * width + k] = (T)(s->diagonal[i] + shift);
    }
    if (lines->singular)
        mask_singular(lines, strip, s, first, true);
    u += lines->after == 1 ? first * s->n : first / lines->after * lines->after * s->n + first % lines->after;
    slimband_status status =
        slimband_factor_solve(strip->plan, (const void *[]){strip->lower, strip->diagonal, strip->upper}, u, u);
    if (lines->singular)
        mask_singular(lines, strip, s, first, false);
    return status;
}

static int solve_strip_number(const sb_lines *lines, const slimband_poisson_plan *plan, int thread, int64_t k,
                              T *u)
{
    int64_t width = lines->width, strips = (lines->row + width - 1) / width, column = k % strips * width,
            first = k / strips * lines->row + column;
    const sb_strip *own = column + width <= lines->row ? &lines->full[thread] : &lines->rest[thread];
    return (int)solve_strip(lines, plan, own, first, u);
}

/* One worker opens no region: his plans' own regions would be nested ones, for which OpenMP makes new threads each time. */
slimband_status SB_NAME(lines_solve)(const sb_lines *lines, const slimband_poisson_plan *plan, T *u)
{
    int failed = SLIMBAND_OK;
    for (int64_t k = 0; lines->workers == 1 && k < lines->strips; ++k) {
        int status = solve_strip_number(lines, plan, 0, k, u);
        failed = status > failed ? status : failed;
    }
    if (lines->workers == 1)
        return (slimband_status)failed;
#pragma omp parallel for schedule(static) num_threads(lines->workers) reduction(max : failed)
    for (int64_t k = 0; k < lines->strips; ++k) {
        int status = solve_strip_number(lines, plan, omp_get_thread_num(), k, u);
        failed = status > failed ? status : failed;
    }
    return (slimband_status)failed;
}
