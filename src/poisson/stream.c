/* Lines of axis 0 as rows that pass by. Up to two threads: one from each end, 4 words a point in all; where there are two
 * axes, neighbours stay in the threads' buffers, and rows that are done go past the caches if fields are too large for them.
 * More: transforms, elimination and transforms one after the other, each shared by all threads, 8 words a point. Both in the
 * same order of operations, so that the bits do not depend on the threads.
 * Where every other row is eliminated before (facr.h) the stream is of the odd ones, and even ones leave when both of their
 * neighbours have: 3.5 and 6 words a point. */
#include "src/poisson/stream.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"

static slimband_status make_rows(slimband_rows **rows, const sb_lines *lines, slimband_poisson_plan *plan)
{
    const sb_stencil *s = &plan->stencil[0];
    double *shift = lines->shift, first = shift[0];
    if (plan->singular)
        shift[0] = s->diagonal[0]; /* a regular matrix for the line that is solved elsewhere */
    slimband_status status = slimband_rows_create(rows, plan->problem.scalar, s->n, lines->modes, s->lower,
                                                  s->diagonal, s->upper, shift);
    shift[0] = first;
    return status;
}

static slimband_status make_reduced(slimband_rows **rows, const sb_lines *lines, const sb_facr *facr,
                                    slimband_poisson_plan *plan)
{
    size_t bytes = 0;
    int64_t n = facr->rows;
    double *memory = sb_app_allocate((size_t)(3 * n + lines->modes), sizeof *memory, &bytes);
    if (!memory)
        return SLIMBAND_OUT_OF_MEMORY;
    double *shift = memory + 3 * n;
    SB_NAME(facr_lines)(facr, memory, memory + n, memory + 2 * n);
    for (int64_t m = 0; m < lines->modes; ++m)
        shift[m] = sb_facr_shift(facr, lines->shift[m]);
    slimband_status status = slimband_rows_create(rows, plan->problem.scalar, n, lines->modes, memory,
                                                  memory + n, memory + 2 * n, shift);
    free(memory);
    return status;
}

slimband_status SB_NAME(stream_make)(slimband_rows **rows, const sb_lines *lines, const sb_facr *facr,
                                     slimband_poisson_plan *plan)
{
    *rows = NULL;
    if (plan->stencil[0].ring || plan->line_axis != 0 || plan->problem.rank == 1)
        return SLIMBAND_BREAKDOWN;
    slimband_status status = facr->rows ? make_reduced(rows, lines, facr, plan) : make_rows(rows, lines, plan);
    plan->bytes += status ? 0 : slimband_rows_bytes(*rows);
    return status;
}

/* One field on its way. Its rows are those that are left where every other one is eliminated before (facr.h). */
typedef struct field {
    const sb_stream *stream;
    const slimband_poisson_plan *plan;
    const sb_rhs *rhs;
    T *u, *planes; /* all fields; this one */
    int64_t number, n, modes, middle;
    int64_t first; /* planes of the fields before */
    bool reduced;
} field;

static int64_t place_of(const field *f, int64_t i)
{
    return f->reduced ? 2 * i + 1 : i;
}

static T *plane_of(const field *f, int64_t i)
{
    return f->planes + place_of(f, i) * f->modes;
}

/* A plane of this field in f. */
static const T *given_at(const field *f, int64_t place)
{
    bool inside = place >= 0 && place < f->plan->problem.axis[0].n;
    return inside ? (const T *)f->rhs->f + (f->first + place) * f->modes : NULL;
}

static sb_facr_way way_of(const field *f, const T *ahead, int thread)
{
    const sb_sweeps *s = f->stream->sweeps;
    return (sb_facr_way){s->to[thread] + 2 * s->row, s->row, ahead, s->past_cache};
}

/* Where planes are rows: row i's transform, in a buffer. */
static T *row_in(const field *f, int64_t i, int64_t next, int thread, int number)
{
    const sb_sweeps *sweeps = f->stream->sweeps;
    int64_t place = place_of(f, i), after = next < 0 ? -1 : place_of(f, next);
    const T *x = sweeps->from[thread], *ahead = given_at(f, after);
    if (f->reduced) {
        sb_facr_way way = way_of(f, ahead, thread);
        SB_NAME(facr_gather)(f->stream->facr, f->rhs, f->first + place, &way, sweeps->from[thread]);
        ahead = ahead ? given_at(f, after + (after - place) / 2) : NULL;
    } else {
        x = SB_NAME(sweeps_row_load)(sweeps, f->rhs, f->first + place, thread);
    }
    return SB_NAME(sweeps_row_arrive)(sweeps, x, ahead, thread, number);
}

static void arrive(const field *f, int64_t i, int thread)
{
    if (f->reduced)
        memcpy(plane_of(f, i), row_in(f, i, -1, thread, 0), (size_t)f->modes * sizeof(T));
    else
        SB_NAME(sweeps_plane)(f->stream->sweeps, f->plan, f->rhs, f->first + i, thread, f->u);
}

static void leave(const field *f, int64_t i, int thread)
{
    SB_NAME(sweeps_plane)(f->stream->sweeps, f->plan, NULL, f->first + place_of(f, i), thread, f->u);
}

/* A plane that was eliminated before, its neighbours being solutions. next: the one that will follow. */
static void leave_eliminated(const field *f, int64_t place, int64_t next, int thread)
{
    sb_facr_way way = way_of(f, given_at(f, next), thread);
    SB_NAME(facr_solve)(f->stream->facr, f->rhs, f->first + place, &way, f->u);
}

/* The singular line's entry, out of the plane or into it. */
static void take_singular(const field *f, int64_t i)
{
    if (f->plan->singular)
        f->stream->singular->lines[f->first + i] = plane_of(f, i)[0];
}

static void put_singular(const field *f, int64_t i)
{
    if (f->plan->singular)
        plane_of(f, i)[0] = f->stream->singular->lines[f->first + i];
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
    int64_t rows = rows_of(f, half);
    T *outer = NULL;
    for (int64_t j = 0; j < rows; ++j) {
        int64_t i = row_of(f, half, j), next = j + 1 < rows ? row_of(f, half, j + 1) : -1;
        T *row = row_in(f, i, next, thread, (int)(j % 2));
        if (f->plan->singular)
            f->stream->singular->lines[f->first + i] = row[0];
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

/* Row number j of a half has left, so that the plane inside it, or outside of the last one, can follow. */
static void follow(const field *f, int half, int64_t j, bool outside, int thread)
{
    int64_t out = half ? 1 : -1, place = place_of(f, row_of(f, half, j)) + (outside ? out : -out);
    if (place < f->plan->problem.axis[0].n)
        leave_eliminated(f, place, place + 2 * out, thread);
}

static void rows_out(const field *f, int half, int thread)
{
    int64_t rows = rows_of(f, half);
    T *row = rows ? coefficients_of(f, row_of(f, half, rows - 1), thread, (int)((rows - 1) % 2)) : NULL;
    for (int64_t j = rows - 1; j >= 0; --j) {
        int64_t i = row_of(f, half, j), next = row_of(f, half, j - 1);
        int64_t after = j > 1 ? f->first + place_of(f, row_of(f, half, j - 2)) : -1;
        T *inner = row;
        if (j > 0) {
            row = coefficients_of(f, next, thread, (int)((j - 1) % 2));
            slimband_rows_substitute(f->stream->rows, next, 0, f->modes, inner, row);
        }
        if (f->plan->singular)
            inner[0] = f->stream->singular->lines[f->first + i];
        SB_NAME(sweeps_row_leave)
        (f->stream->sweeps, f->first + place_of(f, i), after, thread, (int)(j % 2), f->u);
        if (f->reduced && j < rows - 1)
            follow(f, half, j, false, thread);
    }
    if (f->reduced && rows)
        follow(f, half, 0, true, thread);
    f->stream->sweeps->kernels->fence();
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
#pragma omp single
        if (f->reduced)
            leave_eliminated(f, 2 * f->middle, -1, thread);
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
    int64_t planes = f->reduced ? plan->problem.axis[0].n : 0;
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
#pragma omp for schedule(static)
        for (int64_t place = 0; place < planes; place += 2)
            leave_eliminated(f, place, -1, thread);
    }
    return status;
}

slimband_status SB_NAME(stream_solve)(const sb_stream *stream, slimband_poisson_plan *plan, const sb_rhs *rhs,
                                      T *u)
{
    int64_t planes = plan->problem.axis[0].n, left = stream->facr->rows;
    slimband_status status = SLIMBAND_OK;
    for (int64_t number = 0; number < plan->problem.fields && !status; ++number) {
        const field f = {.stream = stream,
                         .plan = plan,
                         .rhs = rhs,
                         .u = u,
                         .planes = u + number * plan->points,
                         .number = number,
                         .n = left ? left : planes,
                         .modes = stream->lines->modes,
                         .middle = slimband_rows_middle(stream->rows),
                         .first = number * planes,
                         .reduced = left > 0};
        status = plan->threads > 2 ? apart(&f, plan) : fused(&f, plan);
    }
    return status;
}
