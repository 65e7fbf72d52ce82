/* Transforms of whole fields. Lines that are not contiguous are taken in bundles of a cache line's width. Each sweep
 * moves 2 words a point; where two axes are transformed in front of the lines of axis 0, plane by plane, both together. */
#include "src/poisson/sweep.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "slimband/method.h"
#include "src/apps/memory.h"

/* Cores that the plan doesn't use are taken to be others', and their part of the cache too. */
static bool too_large(const slimband_poisson_plan *plan)
{
    enum { usual = 16 << 20 };
    slimband_machine machine;
    slimband_machine_facts(&machine);
    int64_t last = machine.cache_bytes[2] ? machine.cache_bytes[2] : usual;
    if (plan->threads < machine.threads)
        last = last / machine.threads * plan->threads;
    return 2 * plan->points * (int64_t)sizeof(T) > last;
}

slimband_status SB_NAME(sweeps_make)(sb_sweeps *s, slimband_poisson_plan *plan, bool measure)
{
    const slimband_poisson_problem *p = &plan->problem;
    int64_t longest = 0;
    *s = (sb_sweeps){0};
    for (int a = p->rank - 1; a >= 0; --a)
        if (a != plan->line_axis) {
            s->axis[s->count++] = a;
            int64_t room = SB_NAME(fourier_room)(&p->axis[a]);
            longest = room > longest ? room : longest;
        }
    if (s->count == 0)
        return SLIMBAND_OK;
    s->row =
        (longest / SB_BUNDLE | 1) * SB_BUNDLE + 2 * SB_BUNDLE; /* odd in cache lines: rows fall into all sets */
    size_t each = (size_t)s->row * SB_BUNDLE, threads = (size_t)plan->threads;
    s->from = sb_app_allocate(2 * threads, sizeof *s->from, &plan->bytes);
    s->memory = sb_app_allocate(2 * threads, each * sizeof(T), &plan->bytes);
    if (!s->from || !s->memory)
        return SLIMBAND_OUT_OF_MEMORY;
    s->threads = plan->threads;
    s->kernels = SB_NAME(kernels)();
    s->past_cache = too_large(plan);
    s->to = s->from + threads;
    for (size_t t = 0; t < threads; ++t) {
        s->from[t] = s->memory + 2 * t * each;
        s->to[t] = s->from[t] + each;
    }
    slimband_status status = SLIMBAND_OK;
    for (int k = 0; k < s->count && !status; ++k)
        status = SB_NAME(fourier_make)(&s->fourier[k], &p->axis[s->axis[k]], measure, s->from[0], s->to[0],
                                       &plan->bytes);
    return status;
}

void SB_NAME(sweeps_free)(sb_sweeps *s)
{
    for (int k = 0; k < s->count; ++k)
        SB_NAME(fourier_free)(&s->fourier[k]);
    free(s->from);
    free(s->memory);
}

/* One sweep along one axis: what its units, rows or bundles, are to do. */
typedef struct sweep {
    const sb_sweeps *all;
    const sb_fourier *fourier;
    const sb_rhs *rhs;   /* NULL: u is transformed in place */
    bool plain;          /* nothing is added to f */
    bool backward, rows; /* rows: the last axis */
    T scale;
    int64_t n, after, bundles; /* bundles: of each index of the axes before */
    T *u;
} sweep;

static sweep sweep_of(const sb_sweeps *all, const slimband_poisson_plan *plan, int k, bool backward, T *u)
{
    sweep s = {.all = all, .fourier = &all->fourier[k], .backward = backward, .scale = 1, .u = u};
    s.rows = all->axis[k] == plan->problem.rank - 1;
    s.n = plan->problem.axis[all->axis[k]].n;
    s.after = sb_points_after(&plan->problem, all->axis[k]);
    s.bundles = (s.after + SB_BUNDLE - 1) / SB_BUNDLE;
    return s;
}

static void do_row(const sweep *s, int64_t row, T *from, T *to)
{
    T *u = s->u + row * s->n;
    const T *x = u;
    if (s->rhs && s->plain) {
        x = (const T *)s->rhs->f + row * s->n;
    } else if (s->rhs) {
        SB_NAME(rhs_load)(s->rhs, row, 0, s->n, from);
        x = from;
    }
    SB_NAME(fourier_row)(s->fourier, s->backward, s->scale, x, NULL, u, from, to);
}

static void do_bundle(const sweep *s, int64_t unit, T *from, T *to)
{
    int64_t outer = unit / s->bundles, column = unit % s->bundles * SB_BUNDLE, ld = s->all->row;
    int64_t width = s->after - column < SB_BUNDLE ? s->after - column : SB_BUNDLE;
    T *u = s->u + outer * s->n * s->after + column, segment[SB_BUNDLE];
    for (int64_t i = 0; i < s->n; ++i) {
        const T *line = u + i * s->after;
        if (s->rhs) {
            SB_NAME(rhs_load)(s->rhs, outer * s->n + i, column, width, segment);
            line = segment;
        }
        for (int64_t k = 0; k < width; ++k)
            from[k * ld + i] = line[k];
    }
    for (int64_t k = 0; k < width; ++k)
        SB_NAME(fourier_run)(s->fourier, s->backward, from + k * ld, to + k * ld);
    for (int64_t i = 0; i < s->n; ++i)
        for (int64_t k = 0; k < width; ++k)
            u[i * s->after + k] = s->scale * to[k * ld + i];
}

static void do_units(const sweep *s, int64_t first, int64_t end, int thread)
{
    for (int64_t unit = first; unit < end; ++unit)
        if (s->rows)
            do_row(s, unit, s->all->from[thread], s->all->to[thread]);
        else
            do_bundle(s, unit, s->all->from[thread], s->all->to[thread]);
}

static int this_thread(const slimband_poisson_plan *plan)
{
    return plan->threads > 1 ? omp_get_thread_num() : 0;
}

/* All sweeps of a plane, one after the other. */
static void do_plane(const sweep *sweeps, int count, const slimband_poisson_plan *plan, int64_t plane,
                     int thread)
{
    int64_t points = plan->points / plan->problem.axis[0].n;
    for (int k = 0; k < count; ++k) {
        int64_t units = points / sweeps[k].n / sweeps[k].after * sweeps[k].bundles;
        do_units(&sweeps[k], plane * units, (plane + 1) * units, thread);
    }
}

/* Each sweep over all its units, or where that is possible two together plane by plane. */
static void run(const sweep *sweeps, int count, const slimband_poisson_plan *plan)
{
    enum { parts = 64 };
    int64_t points = plan->points * plan->problem.fields;
    int threads = plan->threads;
    if (count == 2 && plan->line_axis == 0) {
        int64_t planes = plan->problem.fields * plan->problem.axis[0].n;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (int64_t plane = 0; plane < planes; ++plane)
            do_plane(sweeps, count, plan, plane, this_thread(plan));
        return;
    }
    for (int k = 0; k < count; ++k) {
        int64_t units = points / sweeps[k].n / sweeps[k].after * sweeps[k].bundles,
                each = units / parts / threads + 1;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (int64_t first = 0; first < units; first += each)
            do_units(&sweeps[k], first, first + each < units ? first + each : units, this_thread(plan));
    }
}

/* In the order in which they are made: the last axis first, or last. */
static void all_sweeps(const sb_sweeps *s, const slimband_poisson_plan *plan, const sb_rhs *rhs, T *u,
                       sweep sweeps[2])
{
    bool backward = !rhs;
    double norm = 1;
    for (int k = 0; k < s->count; ++k) {
        sweeps[backward ? s->count - 1 - k : k] = sweep_of(s, plan, k, backward, u);
        norm *= s->fourier[k].norm;
    }
    if (s->count && backward)
        sweeps[s->count - 1].scale = (T)(1 / norm);
    if (s->count && rhs) {
        sweeps[0].rhs = rhs;
        sweeps[0].plain = sb_rhs_plain(rhs);
    }
}

void SB_NAME(sweeps_forward)(const sb_sweeps *s, const slimband_poisson_plan *plan, const sb_rhs *rhs, T *u)
{
    sweep sweeps[2];
    all_sweeps(s, plan, rhs, u, sweeps);
    if (s->count) {
        run(sweeps, s->count, plan);
        return;
    }
    int64_t n = plan->problem.axis[0].n;
    for (int64_t field = 0; field < plan->problem.fields; ++field)
        SB_NAME(rhs_load)(rhs, field, 0, n, u + field * n);
}

void SB_NAME(sweeps_backward)(const sb_sweeps *s, const slimband_poisson_plan *plan, T *u)
{
    sweep sweeps[2];
    all_sweeps(s, plan, NULL, u, sweeps);
    run(sweeps, s->count, plan);
}

void SB_NAME(sweeps_plane)(const sb_sweeps *s, const slimband_poisson_plan *plan, const sb_rhs *rhs,
                           int64_t plane, int thread, T *u)
{
    sweep sweeps[2];
    all_sweeps(s, plan, rhs, u, sweeps);
    do_plane(sweeps, s->count, plan, plane, thread);
}

const T *SB_NAME(sweeps_row_load)(const sb_sweeps *s, const sb_rhs *rhs, int64_t row, int thread)
{
    int64_t n = s->fourier[0].n;
    T *from = s->from[thread];
    if (sb_rhs_plain(rhs))
        return (const T *)rhs->f + row * n;
    SB_NAME(rhs_load)(rhs, row, 0, n, from);
    return from;
}

T *SB_NAME(sweeps_row_arrive)(const sb_sweeps *s, const T *x, const T *ahead, int thread, int number)
{
    T *to = s->to[thread] + number * s->row;
    SB_NAME(fourier_row)(&s->fourier[0], false, 1, x, ahead, to, s->from[thread], to);
    return to;
}

T *SB_NAME(sweeps_coefficients)(const sb_sweeps *s, int thread, int number)
{
    return s->from[thread] + number * s->row;
}

void SB_NAME(sweeps_row_leave)(const sb_sweeps *s, int64_t row, int64_t next, int thread, int number, T *u)
{
    const sb_fourier *fourier = &s->fourier[0];
    T *from = SB_NAME(sweeps_coefficients)(s, thread, number);
    SB_NAME(fourier_row)
    (fourier, true, (T)(1 / fourier->norm), from, next < 0 ? NULL : u + next * fourier->n, u + row * fourier->n,
     from, s->to[thread]);
}
