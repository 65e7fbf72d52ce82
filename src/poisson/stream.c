/* Lines of axis 0 as rows that pass by. Up to two threads: one from each end, 4 words a point in all; where there are two
 * axes, neighbours stay in the threads' buffers, and rows that are done go past the caches if fields are too large for them.
 * More: transforms, elimination and transforms one after the other, each shared by all threads, 8 words a point. Both in the same order of
 * operations, so that the bits do not depend on the threads. */
#include "src/poisson/stream.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"

slimband_status SB_NAME(stream_make)(slimband_rows **rows, const sb_lines *lines, slimband_poisson_plan *plan)
{
    const sb_stencil *s = &plan->stencil[0];
    *rows = NULL;
    if (s->ring || plan->line_axis != 0 || plan->problem.rank == 1)
        return SLIMBAND_BREAKDOWN;
    double *shift = lines->shift, first = shift[0];
    if (plan->singular)
        shift[0] = s->diagonal[0]; /* a regular matrix for the line that is solved elsewhere */
    slimband_status status = slimband_rows_create(rows, plan->problem.scalar, s->n, lines->modes, s->lower,
                                                  s->diagonal, s->upper, shift);
    shift[0] = first;
    plan->bytes += status ? 0 : slimband_rows_bytes(*rows);
    return status;
}

/* One field on its way. */
typedef struct field {
    const sb_stream *stream;
    const slimband_poisson_plan *plan;
    const sb_rhs *rhs;
    T *u, *planes; /* all fields; this one */
    int64_t number, n, modes, middle;
} field;

static T *plane_of(const field *f, int64_t i)
{
    return f->planes + i * f->modes;
}

static void arrive(const field *f, int64_t i, int thread)
{
    SB_NAME(sweeps_plane)(f->stream->sweeps, f->plan, f->rhs, f->number * f->n + i, thread, f->u);
}

static void leave(const field *f, int64_t i, int thread)
{
    SB_NAME(sweeps_plane)(f->stream->sweeps, f->plan, NULL, f->number * f->n + i, thread, f->u);
}

/* The singular line's entry, out of the plane or into it. */
static void take_singular(const field *f, int64_t i)
{
    if (f->plan->singular)
        f->stream->singular->lines[f->number * f->n + i] = plane_of(f, i)[0];
}

static void put_singular(const field *f, int64_t i)
{
    if (f->plan->singular)
        plane_of(f, i)[0] = f->stream->singular->lines[f->number * f->n + i];
}

static void eliminate(const field *f, int64_t i, int64_t first, int64_t count)
{
    int64_t outer = i < f->middle ? i - 1 : i + 1;
    bool end = outer < 0 || outer >= f->n;
    slimband_rows_eliminate(f->stream->rows, i, first, count, end ? NULL : plane_of(f, outer) + first,
                            plane_of(f, i) + first);
}

static void substitute(const field *f, int64_t i, int64_t first, int64_t count)
{
    int64_t inner = i < f->middle ? i + 1 : i - 1;
    slimband_rows_substitute(f->stream->rows, i, first, count, plane_of(f, inner) + first,
                             plane_of(f, i) + first);
}

static void meet(const field *f, int64_t first, int64_t count)
{
    T *before = f->middle > 0 ? plane_of(f, f->middle - 1) + first : NULL;
    slimband_rows_meet(f->stream->rows, first, count, before, plane_of(f, f->middle) + first);
}

/* Row number j of a half, from its end; and how many there are. */
static int64_t row_of(const field *f, int half, int64_t j)
{
    return half ? f->n - 1 - j : j;
}

static int64_t rows_of(const field *f, int half)
{
    return half ? f->n - f->middle : f->middle;
}

static void go_in(const field *f, int half, int thread)
{
    for (int64_t j = 0; j < rows_of(f, half); ++j) {
        int64_t i = row_of(f, half, j);
        arrive(f, i, thread);
        take_singular(f, i);
        eliminate(f, i, 0, f->modes);
    }
}

/* The same where planes are rows: they are eliminated in the buffers that they were transformed to. */
static void rows_in(const field *f, int half, int thread)
{
    const sb_sweeps *sweeps = f->stream->sweeps;
    int64_t rows = rows_of(f, half), all = f->number * f->n;
    T *outer = NULL;
    for (int64_t j = 0; j < rows; ++j) {
        int64_t i = row_of(f, half, j), next = j + 1 < rows ? all + row_of(f, half, j + 1) : -1;
        T *row = SB_NAME(sweeps_row_arrive)(sweeps, f->rhs, all + i, next, thread, (int)(j % 2));
        if (f->plan->singular)
            f->stream->singular->lines[all + i] = row[0];
        slimband_rows_eliminate(f->stream->rows, i, 0, f->modes, outer, row);
        if (sweeps->past_cache)
            sweeps->kernels->put(plane_of(f, i), row, f->modes);
        else
            memcpy(plane_of(f, i), row, (size_t)f->modes * sizeof *row);
        outer = row;
    }
    sweeps->kernels->fence();
}

/* A plane is transformed back one step later, when its outer neighbour no longer needs it. */
static void go_out(const field *f, int half, int thread)
{
    for (int64_t j = rows_of(f, half) - 1; j >= 0; --j) {
        int64_t i = row_of(f, half, j);
        if (j > 0) {
            int64_t next = row_of(f, half, j - 1);
            substitute(f, next, 0, f->modes);
        }
        put_singular(f, i);
        leave(f, i, thread);
    }
}

static T *coefficients_of(const field *f, int64_t i, int thread, int number)
{
    T *row = SB_NAME(sweeps_coefficients)(f->stream->sweeps, thread, number);
    memcpy(row, plane_of(f, i), (size_t)f->modes * sizeof *row);
    return row;
}

static void rows_out(const field *f, int half, int thread)
{
    int64_t rows = rows_of(f, half), all = f->number * f->n;
    T *row = rows ? coefficients_of(f, row_of(f, half, rows - 1), thread, (int)((rows - 1) % 2)) : NULL;
    for (int64_t j = rows - 1; j >= 0; --j) {
        int64_t i = row_of(f, half, j), next = row_of(f, half, j - 1), after = row_of(f, half, j - 2);
        T *inner = row;
        if (j > 0) {
            row = coefficients_of(f, next, thread, (int)((j - 1) % 2));
            slimband_rows_substitute(f->stream->rows, next, 0, f->modes, inner, row);
        }
        if (f->plan->singular)
            inner[0] = f->stream->singular->lines[all + i];
        SB_NAME(sweeps_row_leave)
        (f->stream->sweeps, all + i, j > 1 ? all + after : -1, thread, (int)(j % 2), f->u);
    }
}

static slimband_status fused(const field *f, slimband_poisson_plan *plan)
{
    slimband_status status = SLIMBAND_OK;
    int threads = plan->threads > 1 ? 2 : 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        int thread = threads > 1 ? omp_get_thread_num() : 0;
#pragma omp for schedule(static, 1)
        for (int half = 0; half < 2; ++half)
            f->stream->sweeps->count == 1 ? rows_in(f, half, thread) : go_in(f, half, thread);
#pragma omp single
        {
            meet(f, 0, f->modes);
            if (plan->singular)
                status = SB_NAME(singular_solve)(f->stream->singular, plan, f->number, f->stream->norm);
        }
#pragma omp for schedule(static, 1)
        for (int half = 0; half < 2; ++half)
            f->stream->sweeps->count == 1 ? rows_out(f, half, thread) : go_out(f, half, thread);
    }
    return status;
}

/* A part of the lines through all planes and back, by halves. */
static void sweep_half(const field *f, int half, int64_t first, int64_t count, bool inwards)
{
    int64_t rows = rows_of(f, half);
    for (int64_t j = 0; j < rows && inwards; ++j)
        eliminate(f, row_of(f, half, j), first, count);
    for (int64_t j = rows - 2; j >= 0 && !inwards; --j)
        substitute(f, row_of(f, half, j), first, count);
}

static slimband_status apart(const field *f, slimband_poisson_plan *plan)
{
    slimband_status status = SLIMBAND_OK;
    int threads = plan->threads;
    int64_t groups = (f->modes + SLIMBAND_ROWS_GROUP - 1) / SLIMBAND_ROWS_GROUP;
    int64_t parts = (threads + 1) / 2 < groups ? (threads + 1) / 2 : groups;
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->n; ++i) {
            arrive(f, i, thread);
            take_singular(f, i);
        }
        for (int inwards = 1; inwards >= 0; --inwards) {
#pragma omp for schedule(static, 1)
            for (int64_t task = 0; task < 2 * parts; ++task) {
                int64_t first = groups * (task / 2) / parts * SLIMBAND_ROWS_GROUP;
                int64_t end = groups * (task / 2 + 1) / parts * SLIMBAND_ROWS_GROUP;
                end = end < f->modes ? end : f->modes;
                sweep_half(f, (int)(task % 2), first, end - first, inwards);
            }
#pragma omp single
            if (inwards) {
                meet(f, 0, f->modes);
                if (plan->singular)
                    status = SB_NAME(singular_solve)(f->stream->singular, plan, f->number, f->stream->norm);
            }
        }
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->n; ++i) {
            put_singular(f, i);
            leave(f, i, thread);
        }
    }
    return status;
}

slimband_status SB_NAME(stream_solve)(const sb_stream *stream, slimband_poisson_plan *plan, const sb_rhs *rhs,
                                      T *u)
{
    int64_t n = plan->problem.axis[0].n;
    slimband_status status = SLIMBAND_OK;
    for (int64_t number = 0; number < plan->problem.fields && !status; ++number) {
        const field f = {.stream = stream,
                         .plan = plan,
                         .rhs = rhs,
                         .u = u,
                         .planes = u + number * plan->points,
                         .number = number,
                         .n = n,
                         .modes = stream->lines->modes,
                         .middle = slimband_rows_middle(stream->rows)};
        status = plan->threads > 2 ? apart(&f, plan) : fused(&f, plan);
    }
    return status;
}
