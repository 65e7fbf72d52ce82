/* Every rule of problem.h, checked before anything is allocated or touched. */
#include "src/core/backend.h"

static slimband_status check_kinds(const slimband_problem *p)
{
    if ((unsigned)p->scalar > SLIMBAND_C128)
        return SLIMBAND_BAD_SCALAR;
    if ((unsigned)p->ends > SLIMBAND_PERIODIC)
        return SLIMBAND_BAD_ENDS;
    if ((unsigned)p->coefficients > SLIMBAND_TOEPLITZ)
        return SLIMBAND_BAD_COEFFICIENTS;
    if ((unsigned)p->pivoting > SLIMBAND_PIVOT_PARTIAL)
        return SLIMBAND_BAD_PIVOTING;
    if (p->lower < 0 || p->lower > SLIMBAND_MAX_BANDWIDTH || p->upper < 0 || p->upper > SLIMBAND_MAX_BANDWIDTH)
        return SLIMBAND_BAD_BANDWIDTH;
    if (p->refinements < 0 || p->refinements > 100)
        return SLIMBAND_BAD_REFINEMENTS;
    return SLIMBAND_OK;
}

static slimband_status check_ragged(const slimband_problem *p)
{
    const slimband_ragged *r = p->ragged;
    if (p->batch_rank != 0 || p->coefficients == SLIMBAND_SHARED)
        return SLIMBAND_RAGGED_NEEDS_PLAIN_BATCH;
    if (r->systems < 0 || !r->offsets || r->offsets[0] < 0)
        return SLIMBAND_BAD_RAGGED;
    for (int64_t s = 0; s < r->systems; ++s)
        if (r->offsets[s + 1] < r->offsets[s])
            return SLIMBAND_BAD_RAGGED;
    return SLIMBAND_OK;
}

static slimband_status check_batch(const slimband_problem *p)
{
    if (p->ragged)
        return check_ragged(p);
    if (p->n < 0)
        return SLIMBAND_BAD_N;
    if (p->batch_rank < 0 || p->batch_rank > SLIMBAND_MAX_BATCH_RANK)
        return SLIMBAND_BAD_BATCH;
    for (int d = 0; d < p->batch_rank; ++d)
        if (p->batch[d] < 0)
            return SLIMBAND_BAD_BATCH;
    return slimband_systems(p) == INT64_MAX ? SLIMBAND_TOO_LARGE : SLIMBAND_OK;
}

/* The last element's byte address must fit in 63 bits. */
static bool reaches_too_far(const slimband_problem *p, const slimband_layout *layout)
{
    int64_t last = (int64_t)sb_scalar_bytes(p->scalar), step;
    if (p->ragged)
        return __builtin_mul_overflow(p->ragged->offsets[p->ragged->systems], layout->line, &step) ||
               __builtin_mul_overflow(step, last, &step);
    int64_t sum = 0;
    bool over = __builtin_mul_overflow(p->n, layout->line, &sum);
    for (int d = 0; d < p->batch_rank; ++d) {
        over |= __builtin_mul_overflow(p->batch[d], layout->batch[d], &step);
        over |= __builtin_add_overflow(sum, step, &sum);
    }
    return over || __builtin_mul_overflow(sum, last, &sum);
}

/* Constant diagonals are lines of stride 0. Ragged systems begin at multiples of the stride, and cannot have them. */
static slimband_status check_layout(const slimband_problem *p, const slimband_layout *layout, bool constant)
{
    if (layout->line < 0)
        return SLIMBAND_NEGATIVE_STRIDE;
    if (layout->line == 0 && (!constant || p->ragged))
        return SLIMBAND_BAD_LINE_STRIDE;
    for (int d = 0; !p->ragged && d < p->batch_rank; ++d)
        if (layout->batch[d] < 0)
            return SLIMBAND_NEGATIVE_STRIDE;
    return reaches_too_far(p, layout) ? SLIMBAND_TOO_LARGE : SLIMBAND_OK;
}

/* No two unknowns share an element if, with the axes in order of stride, each stride steps over all that the
   smaller ones can reach. Every array of the usual kind passes; so do all its slices. */
static bool solution_overlaps(const slimband_problem *p)
{
    int64_t extent[SLIMBAND_MAX_BATCH_RANK + 1] = {p->n},
                                             stride[SLIMBAND_MAX_BATCH_RANK + 1] = {p->solution.line};
    int axes = 1;
    for (int d = 0; d < p->batch_rank; ++d, ++axes) {
        int at = axes;
        for (; at > 0 && stride[at - 1] > p->solution.batch[d]; --at) {
            stride[at] = stride[at - 1];
            extent[at] = extent[at - 1];
        }
        stride[at] = p->solution.batch[d];
        extent[at] = p->batch[d];
    }
    int64_t reach = 0;
    for (int a = 0; a < axes; ++a) {
        if (extent[a] == 0)
            return false;
        if (extent[a] > 1 && stride[a] <= reach)
            return true;
        reach += (extent[a] - 1) * stride[a];
    }
    return false;
}

slimband_status slimband_validate(const slimband_problem *problem)
{
    if (!problem)
        return SLIMBAND_NULL_ARGUMENT;
    slimband_status status = check_kinds(problem);
    if (!status)
        status = check_batch(problem);
    if (!status)
        status = check_layout(problem, &problem->rhs, false);
    if (!status)
        status = check_layout(problem, &problem->solution, false);
    if (!status && problem->coefficients != SLIMBAND_TOEPLITZ) {
        slimband_layout matrix = problem->matrix;
        for (int d = 0; problem->coefficients == SLIMBAND_SHARED && d < SLIMBAND_MAX_BATCH_RANK; ++d)
            matrix.batch[d] = 0;
        status = check_layout(problem, &matrix, true);
    }
    if (!status && !problem->ragged && solution_overlaps(problem))
        status = SLIMBAND_SOLUTION_OVERLAPS;
    if (!status && problem->coefficients == SLIMBAND_TOEPLITZ) {
        int64_t first = problem->toeplitz_first, last = problem->toeplitz_last;
        bool fits = first >= 0 && last >= 0;
        for (int64_t s = 0, systems = slimband_systems(problem); fits && s < (problem->ragged ? systems : 1);
             ++s)
            fits = first <= sb_length(problem, s) && last <= sb_length(problem, s) - first;
        status = fits ? SLIMBAND_OK : SLIMBAND_BAD_TOEPLITZ_ROWS;
    }
    return status;
}
