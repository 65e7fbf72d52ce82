/* Backward errors of a batch, block by block: neighbouring systems together, since they share lines of the cache. */
#include "bench/verify.h"

#include <math.h>

static const void *at(const sb_bench_data *data, const void *array, int64_t element)
{
    return (const char *)array + (size_t)element * data->scalar_bytes;
}

/* Systems first .. first + count - 1, neighbours along the last axis of the batch. */
static slimband_status error_of(const sb_bench_data *data, int64_t first, int64_t count,
                                slimband_backward_error *error)
{
    const slimband_problem *p = &data->problem;
    slimband_problem block = *p;
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    int last = p->batch_rank - 1;
    block.batch_rank = 1;
    block.batch[0] = count;
    block.rhs.batch[0] = p->rhs.batch[last];
    block.solution.batch[0] = p->solution.batch[last];
    block.matrix.batch[0] = p->matrix.batch[last];
    for (int d = 0; d < p->lower + 1 + p->upper; ++d)
        diagonals[d] = at(data, data->diagonals[d], sb_bench_line_start(p, &p->matrix, first));
    return slimband_residual(&block, diagonals, at(data, data->b, sb_bench_line_start(p, &p->rhs, first)),
                             at(data, data->x, sb_bench_line_start(p, &p->solution, first)), error);
}

/* Long doubles that are no numbers cost hundreds of cycles each: a spoilt answer is not worth the wait. */
static bool is_finite(const sb_bench_data *data)
{
    bool single = data->the_case.scalar == SLIMBAND_F32 || data->the_case.scalar == SLIMBAND_C64;
    int64_t count = (int64_t)(data->vector_bytes / (single ? sizeof(float) : sizeof(double))), bad = 0;
#pragma omp parallel for schedule(static) num_threads(data->threads) reduction(+ : bad)
    for (int64_t i = 0; i < count; ++i)
        bad += !isfinite(single ? (double)((const float *)data->x)[i] : ((const double *)data->x)[i]);
    return bad == 0;
}

slimband_status sb_bench_backward_error(const sb_bench_data *data, slimband_backward_error *error)
{
    enum { BLOCK = 16 };
    const slimband_problem *p = &data->problem;
    if (!is_finite(data)) {
        *error = (slimband_backward_error){.normwise = INFINITY, .componentwise = INFINITY};
        return SLIMBAND_OK;
    }
    if (p->batch_rank == 0)
        return slimband_residual(p, data->diagonals, data->b, data->x, error);
    int64_t inner = p->batch[p->batch_rank - 1], across = (inner + BLOCK - 1) / BLOCK;
    int64_t blocks = inner ? slimband_systems(p) / inner * across : 0;
    slimband_status worst = SLIMBAND_OK;
    slimband_backward_error largest = {.system = -1};
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t k = 0; k < blocks; ++k) {
        slimband_backward_error e = {.system = -1};
        int64_t column = k % across * BLOCK, first = k / across * inner + column;
        slimband_status status = error_of(data, first, inner - column < BLOCK ? inner - column : BLOCK, &e);
#pragma omp critical(sb_bench_verify)
        {
            worst = status ? status : worst;
            if (largest.system < 0 || e.normwise > largest.normwise) {
                largest.normwise = e.normwise;
                largest.system = first + e.system;
            }
            largest.componentwise =
                e.componentwise > largest.componentwise ? e.componentwise : largest.componentwise;
        }
    }
    *error = largest;
    return worst;
}
