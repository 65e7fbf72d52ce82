/* Lines of one matrix, in binary batches. */
#include "src/poisson/blocks.h"

#include <stdlib.h>

#include "slimband/method.h"
#include "src/apps/memory.h"

slimband_status SB_NAME(matrix_lines_make)(sb_matrix_lines *l, slimband_poisson_plan *plan, const char *method)
{
    int last = plan->problem.rank - 1;
    *l = (sb_matrix_lines){.stencil = &plan->stencil[last]};
    int64_t n = l->stencil->n;
    l->toeplitz = !plan->varying && n > 2;
    l->diagonals = sb_app_allocate(3 * (size_t)(l->toeplitz ? 3 : n), sizeof(T), &plan->bytes);
    slimband_status status = l->diagonals ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
    slimband_problem p = slimband_tridiagonal(plan->problem.scalar, n);
    p.ends = l->stencil->ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.coefficients = l->toeplitz ? SLIMBAND_TOEPLITZ : SLIMBAND_SHARED;
    p.toeplitz_first = p.toeplitz_last = l->toeplitz;
    p.batch_rank = 1;
    p.rhs.batch[0] = p.solution.batch[0] = n;
    if (!*method)
        method = slimband_method_fits(&p, slimband_cpu(1), "cr_toeplitz") ? SLIMBAND_AUTO : "cr_toeplitz";
    for (int k = 0; k < SB_LINE_PLANS && !status; ++k) {
        slimband_report report = {0};
        p.batch[0] = INT64_C(1) << k;
        status = slimband_plan_create(&l->plan[k], &p, slimband_cpu(1), method);
        if (!status)
            status = slimband_plan_report(l->plan[k], &report);
        plan->bytes += report.workspace_bytes;
    }
    return status;
}

void SB_NAME(matrix_lines_free)(sb_matrix_lines *l)
{
    for (int k = 0; k < SB_LINE_PLANS; ++k)
        slimband_plan_destroy(l->plan[k]);
    free(l->diagonals);
}

slimband_status SB_NAME(matrix_lines_solve)(sb_matrix_lines *l, double shift, int64_t count, T *x)
{
    const sb_stencil *s = l->stencil;
    int64_t n = s->n, rows = l->toeplitz ? 3 : n;
    for (int64_t i = 0; i < rows; ++i) {
        int64_t row = i < 2 || !l->toeplitz ? i : n - 1;
        l->diagonals[i] = (T)s->lower[row];
        l->diagonals[rows + i] = (T)(s->diagonal[row] + shift);
        l->diagonals[2 * rows + i] = (T)s->upper[row];
    }
    const void *diagonals[] = {l->diagonals, l->diagonals + rows, l->diagonals + 2 * rows};
    l->solved += count;
    slimband_status status = SLIMBAND_OK;
    for (int k = SB_LINE_PLANS - 1; k >= 0 && count > 0; --k) {
        int64_t lines = INT64_C(1) << k;
        if (lines <= count && !status)
            status = slimband_factor(l->plan[k], diagonals);
        for (; lines <= count && !status; count -= lines, x += lines * n)
            status = slimband_solve(l->plan[k], x, x);
        if (status)
            break;
    }
    return status;
}
