/* Block cyclic reduction: the steps of steps.h along the first axis, and for three axes again along the second; lines of
 * the last axis at the bottom. In place in u. Words a point and step: every sub-problem reads `sources` blocks and adds to
 * `targets` accumulators, which stay in the cache for all its matrices. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"
#include "src/poisson/blocks.h"
#include "src/poisson/rhs.h"
#include "src/poisson/steps.h"

enum { most_levels = SLIMBAND_POISSON_MAX_RANK - 1, tasks_wanted = 32 };

/* One thread's. */
typedef struct worker {
    T *system[most_levels],
        *sums[most_levels]; /* of each level: `chunk` right-hand sides, and targets for each of them */
    sb_matrix_lines lines;
    int64_t outer;
    slimband_status status;
} worker;

/* An axis that is reduced. */
typedef struct level {
    sb_steps steps;
    int64_t n, block,
        chunk; /* block: points of the axes behind it; chunk: sub-problems of one matrix solved together */
} level;

typedef struct bcr {
    int levels, workers;
    level level[most_levels];
    worker *worker;
    T *sums;  /* of the tasks that share a chunk, one behind the other */
    T factor; /* the whole equation's: entries' products are formed here and by cyclic reduction */
} bcr;

/* Sub-problems [first, first + count) of a step: number p is interval p % intervals of field p / intervals. */
typedef struct batch {
    const level *level;
    const sb_step *step;
    int64_t first, count;
    T *x;
} batch;

/* Block number `relative` to the base of sub-problem p; NULL outside, where it is zero. */
static T *block_at(const batch *b, int64_t p, int64_t relative)
{
    const sb_step *s = b->step;
    int64_t field = p / s->intervals, at = s->first + p % s->intervals * s->stride + relative;
    return at < 1 || at > b->level->n ? NULL : b->x + (field * b->level->n + at - 1) * b->level->block;
}

static void scale_or_add(T *restrict to, const T *restrict from, T weight, bool fresh, int64_t count)
{
    if (fresh)
        for (int64_t k = 0; k < count; ++k)
            to[k] = weight * from[k];
    else
        for (int64_t k = 0; k < count; ++k)
            to[k] += weight * from[k];
}

/* The right-hand sides of matrix j. */
static void gather(const batch *b, int64_t j, T *g)
{
    const sb_fraction *f = &b->step->fraction[j];
    int64_t block = b->level->block;
    for (int64_t p = 0; p < b->count; ++p) {
        bool fresh = true;
        for (int s = 0; s < b->step->sources; ++s) {
            const T *from = block_at(b, b->first + p, b->step->source[s]);
            if (!from || f->in[s] == 0)
                continue;
            scale_or_add(g + p * block, from, (T)f->in[s], fresh, block);
            fresh = false;
        }
        if (fresh)
            memset(g + p * block, 0, (size_t)block * sizeof *g);
    }
}

/* sums[p][t] over matrices from..to-1. */
static void accumulate(const batch *b, int64_t j, bool fresh, const T *v, T *sums)
{
    const sb_fraction *f = &b->step->fraction[j];
    int64_t block = b->level->block;
    int targets = b->step->targets;
    for (int64_t p = 0; p < b->count; ++p)
        for (int t = 0; t < targets; ++t)
            if (fresh || f->out[t] != 0)
                scale_or_add(sums + (p * targets + t) * block, v + p * block, (T)f->out[t], fresh, block);
}

static void finish(const batch *b, bool add, const T *sums)
{
    int64_t block = b->level->block;
    int targets = b->step->targets;
    for (int64_t p = 0; p < b->count; ++p)
        for (int t = 0; t < targets; ++t)
            scale_or_add(block_at(b, b->first + p, b->step->target[t]), sums + (p * targets + t) * block, 1,
                         !add, block);
}

static void solve_fields(const bcr *s, worker *w, int depth, double shift, int64_t count, T *x);

/* Matrices from..to-1 of the batch; their sums in `sums`. */
static void solve_batch(const bcr *s, worker *w, int depth, double shift, const batch *b, int64_t from,
                        int64_t to, T *sums)
{
    for (int64_t j = from; j < to; ++j) {
        T *g = w->system[depth];
        gather(b, j, g);
        solve_fields(s, w, depth + 1, shift + b->step->fraction[j].shift, b->count, g);
        accumulate(b, j, j == from, g, sums);
    }
}

/* Fields of the axes from `depth` on, in place, by one thread. */
static void solve_fields(const bcr *s, worker *w, int depth, double shift, int64_t count, T *x)
{
    if (depth == s->levels) {
        slimband_status status = SB_NAME(matrix_lines_solve)(&w->lines, shift, count, x);
        w->status = w->status ? w->status : status;
        return;
    }
    const level *l = &s->level[depth];
    for (int k = 0; k < l->steps.count; ++k) {
        const sb_step *step = &l->steps.step[k];
        batch b = {.level = l, .step = step, .x = x};
        for (; b.first < count * step->intervals; b.first += b.count) {
            int64_t left = count * step->intervals - b.first;
            b.count = left < l->chunk ? left : l->chunk;
            solve_batch(s, w, depth, shift, &b, 0, step->matrices, w->sums[depth]);
            finish(&b, step->add, w->sums[depth]);
        }
    }
}

/* One step of the first axis, by all threads: tasks are chunks of sub-problems, and where these are few, of the partial
   fractions too. How tasks are cut does not depend on the threads, and their sums are added in order: the same bits. */
static void outer_step(const bcr *s, const slimband_poisson_plan *plan, const sb_step *step, T *u)
{
    const level *l = &s->level[0];
    int64_t total = plan->problem.fields * step->intervals, chunks = (total + l->chunk - 1) / l->chunk;
    int64_t groups = chunks >= tasks_wanted ? 1 : tasks_wanted / chunks;
    groups = groups < step->matrices ? groups : step->matrices;
    int64_t room = step->targets * l->chunk * l->block;
#pragma omp parallel num_threads(s->workers) if (s->workers > 1)
    {
        worker *w = &s->worker[s->workers > 1 ? omp_get_thread_num() : 0];
#pragma omp for schedule(dynamic)
        for (int64_t task = 0; task < chunks * groups; ++task) {
            int64_t c = task / groups, g = task % groups, left = total - c * l->chunk;
            batch b = {l, step, c * l->chunk, left < l->chunk ? left : l->chunk, u};
            int64_t from = step->matrices * g / groups, to = step->matrices * (g + 1) / groups;
            T *sums = groups == 1 ? w->sums[0] : s->sums + task * room;
            solve_batch(s, w, 0, plan->problem.lambda, &b, from, to, sums);
            w->outer += b.count * (to - from);
            if (groups == 1)
                finish(&b, step->add, sums);
        }
#pragma omp for
        for (int64_t c = 0; c < (groups == 1 ? 0 : chunks); ++c) {
            int64_t left = total - c * l->chunk;
            batch b = {l, step, c * l->chunk, left < l->chunk ? left : l->chunk, u};
            for (int64_t g = 0; g < groups; ++g)
                finish(&b, step->add || g > 0, s->sums + (c * groups + g) * room);
        }
    }
}

/* y = factor x, which may be one. */
static void multiply(T *y, const T *x, T factor, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        y[k] = factor * x[k];
}

static void load(const bcr *s, const slimband_poisson_plan *plan, const sb_rhs *rhs, T *u)
{
    int last = plan->problem.rank - 1;
    const T *f = rhs->f;
    sb_rhs scaled = *rhs;
    if (s->factor != 1)
        scaled.f = u;
    int64_t n = plan->problem.axis[last].n,
            rows = plan->problem.fields * sb_points_before(&plan->problem, last);
#pragma omp parallel for schedule(static) num_threads(s->workers) if (s->workers > 1)
    for (int64_t row = 0; row < rows; ++row) {
        if (s->factor != 1)
            multiply(u + row * n, f + row * n, s->factor, n);
        SB_NAME(rhs_load)(&scaled, row, 0, n, u + row * n);
    }
}

static slimband_status solve(slimband_poisson_plan *plan, const void *f,
                             const slimband_poisson_boundary *boundary, void *u)
{
    const bcr *s = plan->state;
    const sb_rhs rhs = {&plan->problem, plan->stencil, f, boundary};
    for (int t = 0; t < s->workers; ++t) {
        s->worker[t].outer = s->worker[t].lines.solved = 0;
        s->worker[t].status = SLIMBAND_OK;
    }
    load(s, plan, &rhs, u);
    for (int k = 0; k < s->level[0].steps.count; ++k)
        outer_step(s, plan, &s->level[0].steps.step[k], u);
    slimband_status status = SLIMBAND_OK;
    for (int t = 0; t < s->workers; ++t) {
        plan->outer_subproblems += s->worker[t].outer;
        plan->subproblems += s->worker[t].lines.solved;
        status = status ? status : s->worker[t].status;
    }
    return status;
}

/* A chunk's right-hand side and sums should stay in the second-level cache. */
static int64_t choose_chunk(int64_t block)
{
    enum { cache = 1 << 19 };
    int64_t chunk = SB_MOST_LINES;
    while (chunk > 1 && 2 * chunk * block * (int64_t)sizeof(T) > cache)
        chunk /= 2;
    return chunk;
}

static slimband_status make_worker(const bcr *s, worker *w, slimband_poisson_plan *plan, const char *method)
{
    for (int k = 0; k < s->levels; ++k) {
        size_t block = (size_t)s->level[k].block * sizeof(T), chunk = (size_t)s->level[k].chunk;
        w->system[k] = sb_app_allocate(chunk, block, &plan->bytes);
        w->sums[k] = sb_app_allocate(SB_STEP_TARGETS * chunk, block, &plan->bytes);
        if (!w->system[k] || !w->sums[k])
            return SLIMBAND_OUT_OF_MEMORY;
    }
    return SB_NAME(matrix_lines_make)(&w->lines, plan, method);
}

static slimband_status create(slimband_poisson_plan *plan, const char *options, int radix)
{
    static const char known[] = "lines=";
    if (*options && strncmp(options, known, sizeof known - 1))
        return SLIMBAND_UNKNOWN_OPTION;
    const slimband_poisson_problem *p = &plan->problem;
    bcr *s = plan->state = sb_app_allocate(1, sizeof *s, &plan->bytes);
    if (!s)
        return SLIMBAND_OUT_OF_MEMORY;
    plan->line_axis = p->rank - 1;
    s->factor = (T)sb_rescale(plan);
    slimband_status status = SLIMBAND_OK;
    for (int k = 0; k < p->rank - 1 && !status; ++k) {
        level *l = &s->level[s->levels++];
        l->n = p->axis[k].n;
        l->block = sb_points_after(p, k);
        l->chunk = choose_chunk(l->block);
        status = sb_steps_make(&l->steps, radix, l->n, sb_axis_spacing(&p->axis[k]), &plan->bytes);
    }
    if (status)
        return status;
    s->sums = sb_app_allocate(SB_STEP_TARGETS * tasks_wanted * (size_t)s->level[0].chunk,
                              (size_t)s->level[0].block * sizeof(T), &plan->bytes);
    s->worker = sb_app_allocate((size_t)plan->threads, sizeof *s->worker, &plan->bytes);
    if (!s->sums || !s->worker)
        return SLIMBAND_OUT_OF_MEMORY;
    for (; s->workers < plan->threads && !status; ++s->workers)
        status = make_worker(s, &s->worker[s->workers], plan, *options ? options + sizeof known - 1 : "");
    return status;
}

static slimband_status create2(slimband_poisson_plan *plan, const char *options)
{
    return create(plan, options, 2);
}

static slimband_status create4(slimband_poisson_plan *plan, const char *options)
{
    return create(plan, options, 4);
}

static void destroy(slimband_poisson_plan *plan)
{
    bcr *s = plan->state;
    for (int t = 0; t < s->workers; ++t) {
        for (int k = 0; k < s->levels; ++k) {
            free(s->worker[t].system[k]);
            free(s->worker[t].sums[k]);
        }
        SB_NAME(matrix_lines_free)(&s->worker[t].lines);
    }
    for (int k = 0; k < s->levels; ++k)
        sb_steps_free(&s->level[k].steps);
    free(s->worker);
    free(s->sums);
    free(s);
}

const sb_poisson_engine SB_NAME(bcr2) = {create2, destroy, solve, NULL};
const sb_poisson_engine SB_NAME(bcr4) = {create4, destroy, solve, NULL};
