/* Constructors of problems and executors: plain data in, plain data out. */
#include <string.h>

#include "src/core/backend.h"

slimband_executor slimband_cpu(int threads)
{
    return (slimband_executor){.place = SLIMBAND_ON_CPU, .threads = threads};
}

slimband_problem slimband_banded(slimband_scalar scalar, int64_t n, int lower, int upper)
{
    slimband_layout contiguous = {.line = 1};
    return (slimband_problem){.scalar = scalar,
                              .coefficients = SLIMBAND_OWN,
                              .n = n,
                              .lower = lower,
                              .upper = upper,
                              .rhs = contiguous,
                              .solution = contiguous,
                              .matrix = contiguous};
}

slimband_problem slimband_tridiagonal(slimband_scalar scalar, int64_t n)
{
    return slimband_banded(scalar, n, 1, 1);
}

slimband_problem slimband_pentadiagonal(slimband_scalar scalar, int64_t n)
{
    return slimband_banded(scalar, n, 2, 2);
}

/* All three arrays alike, but for a shared matrix, which is one line of stride 1. */
static void lay_out(slimband_problem *problem, int batch_rank, const int64_t *extents, slimband_layout layout)
{
    problem->batch_rank = batch_rank;
    for (int d = 0; d < SLIMBAND_MAX_BATCH_RANK; ++d)
        problem->batch[d] = d < batch_rank ? extents[d] : 0;
    problem->rhs = problem->solution = layout;
    problem->matrix = problem->coefficients == SLIMBAND_OWN ? layout : (slimband_layout){.line = 1};
}

slimband_status slimband_along_strided_axis(slimband_problem *problem, int rank, const int64_t *extents,
                                            const int64_t *strides, int axis)
{
    if (!problem || !extents || !strides)
        return SLIMBAND_NULL_ARGUMENT;
    if (rank < 1 || rank > SLIMBAND_MAX_BATCH_RANK + 1 || axis < 0 || axis >= rank)
        return SLIMBAND_BAD_AXIS;
    int64_t batch[SLIMBAND_MAX_BATCH_RANK] = {0};
    slimband_layout layout = {.line = strides[axis]};
    for (int d = 0, j = 0; d < rank; ++d) {
        if (extents[d] < 0)
            return SLIMBAND_BAD_AXIS;
        if (strides[d] < 0)
            return SLIMBAND_NEGATIVE_STRIDE;
        if (d != axis) {
            batch[j] = extents[d];
            layout.batch[j++] = strides[d];
        }
    }
    problem->n = extents[axis];
    lay_out(problem, rank - 1, batch, layout);
    return SLIMBAND_OK;
}

slimband_status slimband_along_axis(slimband_problem *problem, int rank, const int64_t *extents, int axis)
{
    if (!problem || !extents)
        return SLIMBAND_NULL_ARGUMENT;
    if (rank < 1 || rank > SLIMBAND_MAX_BATCH_RANK + 1)
        return SLIMBAND_BAD_AXIS;
    int64_t strides[SLIMBAND_MAX_BATCH_RANK + 1] = {0}, stride = 1;
    for (int d = rank - 1; d >= 0; --d) {
        strides[d] = stride;
        if (extents[d] > 0 && __builtin_mul_overflow(stride, extents[d], &stride))
            return SLIMBAND_TOO_LARGE;
    }
    return slimband_along_strided_axis(problem, rank, extents, strides, axis);
}

static slimband_status batch_of_lines(slimband_problem *problem, int64_t systems, bool interleaved)
{
    if (!problem)
        return SLIMBAND_NULL_ARGUMENT;
    if (systems < 0)
        return SLIMBAND_BAD_BATCH;
    const int64_t extents[2] = {interleaved ? problem->n : systems, interleaved ? systems : problem->n};
    if (problem->n < 0)
        return SLIMBAND_BAD_N;
    return slimband_along_axis(problem, 2, extents, interleaved ? 0 : 1);
}

slimband_status slimband_contiguous(slimband_problem *problem, int64_t systems)
{
    return batch_of_lines(problem, systems, false);
}

slimband_status slimband_interleaved(slimband_problem *problem, int64_t systems)
{
    return batch_of_lines(problem, systems, true);
}
