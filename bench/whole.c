/* A case's arrays in the two forms that others' routines take: lines, or all systems side by side. */
#include <string.h>

#include "bench/data.h"
#include "bench/memory.h"

typedef enum sb_turn { SIDE_BY_SIDE, IN_PLANES } sb_turn;

/* Lines whose neighbours lie side by side come in planes of as many systems as a line's stride: one plane, and they are
   all side by side. */
static int64_t planes(const sb_bench_data *data)
{
    const slimband_problem *p = &data->problem;
    return p->rhs.line == 1 ? 1 : slimband_systems(p) / p->rhs.line;
}

static void turn(const sb_bench_data *data, char *to, const char *from, sb_turn turn)
{
    int64_t n = data->problem.n, count = planes(data);
    size_t row = (size_t)data->problem.rhs.line * data->scalar_bytes;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < count; ++k) {
            size_t beside = (size_t)(i * count + k) * row, apart = (size_t)(k * n + i) * row;
            memcpy(to + (turn == SIDE_BY_SIDE ? beside : apart), from + (turn == SIDE_BY_SIDE ? apart : beside),
                   row);
        }
}

/* Diagonal d of one matrix for all, written out for every system as the right-hand sides lie; zeros outside the matrix. */
static void repeat_diagonal(const sb_bench_data *data, int d, char *to)
{
    static const double nothing[2];
    const slimband_problem *p = &data->problem;
    int64_t systems = slimband_systems(p);
    size_t bytes = data->scalar_bytes, next = p->coefficients == SLIMBAND_TOEPLITZ ? 0 : bytes;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t i = 0; i < p->n; ++i) {
        int64_t column = i + d - p->lower;
        const void *entry = (const char *)data->diagonals[d] + (size_t)i * next;
        entry = column < 0 || column >= p->n ? nothing : entry;
        for (int64_t s = 0; s < systems; ++s)
            memcpy(to + (size_t)(sb_bench_line_start(p, &p->rhs, s) + i * p->rhs.line) * bytes, entry, bytes);
    }
}

/* Array d of the case, or b for a negative d. room: for two arrays of the size of b. */
static const void *whole_array(sb_bench_data *data, int d, char *room)
{
    bool repeated = d >= 0 && data->problem.coefficients != SLIMBAND_OWN;
    const char *from = d < 0 ? data->b : data->diagonals[d];
    if (!repeated && planes(data) == 1)
        return d < 0 ? data->there.b : data->there.diagonals[d];
    if (repeated) {
        repeat_diagonal(data, d, room);
        from = room;
    }
    if (planes(data) > 1) {
        turn(data, room + data->vector_bytes, from, SIDE_BY_SIDE);
        from = room + data->vector_bytes;
    }
    return sb_bench_data_sent(data, from, data->vector_bytes);
}

bool sb_bench_data_whole(sb_bench_data *data, sb_bench_arrays *whole)
{
    char *room = data->whole.b ? NULL : sb_bench_allocate(2 * data->vector_bytes, 0, data->threads);
    bool got = room != NULL;
    for (int d = 0; got && d < data->problem.lower + 1 + data->problem.upper; ++d) {
        data->whole.diagonals[d] = whole_array(data, d, room);
        got = data->whole.diagonals[d] != NULL;
    }
    if (got)
        data->whole.b = whole_array(data, -1, room);
    sb_bench_release(room);
    *whole = data->whole;
    return whole->b != NULL;
}

void sb_bench_data_take_whole(sb_bench_data *data, const void *answer)
{
    sb_place *place = data->place;
    char *room = planes(data) > 1 ? sb_bench_allocate(data->vector_bytes, 0, data->threads) : NULL;
    if (planes(data) > 1 && !room)
        return;
    place->calls->copy(place, room ? room : data->x, answer, data->vector_bytes, SB_COPY_OUT);
    if (room)
        turn(data, data->x, room, IN_PLANES);
    sb_bench_release(room);
}
