/* A case's arrays as contiguous lines, and back. */
#include <string.h>

#include "bench/data.h"
#include "bench/memory.h"

int64_t sb_bench_line_start(const slimband_problem *p, const slimband_layout *layout, int64_t system)
{
    int64_t start = 0;
    for (int axis = p->batch_rank - 1; axis >= 0; --axis) {
        start += system % p->batch[axis] * layout->batch[axis];
        system /= p->batch[axis];
    }
    return start;
}

typedef enum sb_direction { TO_LINES, FROM_LINES } sb_direction;

/* Between arrays in the problem's layout and lines, a block of systems at a time, so that neighbours in memory
   are used while they are in the cache. */
static void move_lines(const sb_bench_data *data, void *lines, void *array, sb_direction direction)
{
    enum { BLOCK = 16 };
    const slimband_problem *p = &data->problem;
    int64_t systems = slimband_systems(p), blocks = (systems + BLOCK - 1) / BLOCK;
    size_t bytes = data->scalar_bytes;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t block = 0; block < blocks; ++block) {
        int64_t first = block * BLOCK, end = first + BLOCK < systems ? first + BLOCK : systems;
        for (int64_t i = 0; i < p->n; ++i) {
            for (int64_t s = first; s < end; ++s) {
                char *line = (char *)lines + (size_t)(s * p->n + i) * bytes;
                int64_t at = sb_bench_line_start(p, &p->rhs, s) + i * p->rhs.line;
                char *place = (char *)array + (size_t)at * bytes;
                memcpy(direction == TO_LINES ? line : place, direction == TO_LINES ? place : line, bytes);
            }
        }
    }
}

void sb_bench_data_take_lines(sb_bench_data *data, const void *lines)
{
    if (data->problem.rhs.line == 1)
        sb_bench_copy(data->x, lines, data->vector_bytes, data->threads);
    else
        move_lines(data, (void *)lines, data->x, FROM_LINES);
}

/* A diagonal as contiguous lines; Toeplitz ones have one entry here. */
static const void *diagonal_lines(sb_bench_data *data, int d)
{
    const slimband_problem *p = &data->problem;
    if (p->coefficients == SLIMBAND_SHARED || (p->coefficients == SLIMBAND_OWN && p->rhs.line == 1))
        return data->diagonals[d];
    bool own = p->coefficients == SLIMBAND_OWN;
    char *lines = sb_bench_data_array(data, own ? data->vector_bytes : (size_t)p->n * data->scalar_bytes);
    if (lines && own)
        move_lines(data, lines, (void *)data->diagonals[d], TO_LINES);
    for (int64_t i = 0; lines && !own && i < p->n; ++i)
        memcpy(lines + (size_t)i * data->scalar_bytes, data->diagonals[d], data->scalar_bytes);
    return lines;
}

const void *const *sb_bench_data_line_diagonals(sb_bench_data *data)
{
    for (int d = 0; d < data->problem.lower + 1 + data->problem.upper; ++d) {
        if (!data->line_diagonals[d])
            data->line_diagonals[d] = diagonal_lines(data, d);
        if (!data->line_diagonals[d])
            return NULL;
    }
    return data->line_diagonals;
}

const void *sb_bench_data_line_b(sb_bench_data *data)
{
    if (data->line_b || data->problem.rhs.line == 1)
        return data->line_b ? data->line_b : data->b;
    void *lines = sb_bench_data_array(data, data->vector_bytes);
    if (lines)
        move_lines(data, lines, (void *)data->b, TO_LINES);
    return data->line_b = lines;
}
