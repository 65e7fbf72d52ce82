/* slimband solve: read, solve, judge, write. */
#include "cli/solve_job.h"

#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"

/* Does b fit the matrix? Then the axis counts from 0. */
static bool check_rhs(const sb_job *job, int *axis)
{
    const sb_solve *s = job->solve;
    sb_failure *failure = &job->solve->failure;
    const sb_npy *b = &job->b;
    if (b->rank == 0)
        return sb_fail(failure, "%s: wrong rank 0: a right-hand side has 1 to 4 axes", s->rhs);
    if (s->axis >= b->rank || s->axis < -b->rank)
        return sb_fail(failure, "%s: is of rank %d, so --axis must lie in %d..%d, not %lld", s->rhs, b->rank,
                       -b->rank, b->rank - 1, (long long)s->axis);
    *axis = (int)s->axis + (s->axis < 0 ? b->rank : 0);
    if (sb_npy_elements(b) == 0)
        return sb_fail(failure, "%s: the array is empty", s->rhs);
    if (b->shape[*axis] != job->file.n)
        return sb_fail(failure, "%s: has %lld entries along axis %d, but the matrix of %s is %lld x %lld",
                       s->rhs, (long long)b->shape[*axis], *axis, s->matrix, (long long)job->file.n,
                       (long long)job->file.n);
    int64_t systems = sb_npy_elements(b) / job->file.n;
    if (job->file.matrices && job->file.matrices != systems)
        return sb_fail(failure, "%s: holds %lld matrices, but %s has %lld lines along axis %d", s->matrix,
                       (long long)job->file.matrices, s->rhs, (long long)systems, *axis);
    return true;
}

/* An array of a's shape and order in another type. */
static bool allocate_like(sb_npy *to, const sb_npy *a, slimband_scalar scalar, sb_failure *failure)
{
    size_t bytes;
    *to = *a;
    to->scalar = scalar;
    to->data = NULL;
    if (!__builtin_mul_overflow((size_t)sb_npy_elements(a), sb_number_bytes(scalar), &bytes))
        to->data = malloc(bytes);
    if (!to->data)
        return sb_fail(failure, "not enough memory for %lld unknowns", (long long)sb_npy_elements(a));
    memset(to->data, 0, bytes); /* so that no page is missing when the clock runs */
    return true;
}

static bool promote_rhs(sb_job *job, slimband_scalar scalar)
{
    if (job->b.scalar == scalar)
        return true;
    sb_npy wide;
    if (!allocate_like(&wide, &job->b, scalar, &job->solve->failure))
        return false;
    sb_copy_numbers((sb_run){scalar, wide.data, 1}, (sb_run){job->b.scalar, job->b.data, 1},
                    sb_npy_elements(&wide));
    sb_npy_free(&job->b);
    job->b = wide;
    return true;
}

/* Own matrices lie as the right-hand side does; one matrix is a line of its own, shared where there are several
   systems. */
static slimband_status describe(sb_job *job, slimband_scalar scalar, int axis)
{
    const sb_solve *s = job->solve;
    slimband_problem *p = &job->problem;
    *p = slimband_banded(scalar, job->file.n, job->file.lower, job->file.upper);
    int64_t strides[SB_NPY_MAX_RANK];
    sb_npy_strides(&job->b, strides);
    slimband_status status = slimband_along_strided_axis(p, job->b.rank, job->b.shape, strides, axis);
    if (!job->file.matrices) {
        p->coefficients = slimband_systems(p) > 1 ? SLIMBAND_SHARED : SLIMBAND_OWN;
        p->matrix = (slimband_layout){.line = 1};
    }
    p->ends = s->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p->pivoting = (slimband_pivoting)s->pivoting;
    p->refinements = (int)s->refinements;
    p->check_finite = s->check;
    p->one_pass = true;
    return status;
}

static bool prepare(sb_job *job)
{
    sb_solve *s = job->solve;
    int axis = 0;
    sb_progress_update(&job->progress, "reading", -1);
    if (!sb_matrix_file_read(&job->file, s) || !sb_npy_read(&job->b, s->rhs, &s->failure) ||
        !check_rhs(job, &axis))
        return false;
    slimband_scalar scalar = sb_common_scalar(job->file.scalar, job->b.scalar);
    if (!promote_rhs(job, scalar))
        return false;
    slimband_status status = describe(job, scalar, axis);
    if (status)
        return sb_fail(&s->failure, "%s: %s", s->rhs, sb_reason(status));
    int64_t elements = job->file.matrices ? sb_npy_elements(&job->b) : job->file.n;
    if (!sb_matrix_file_diagonals(&job->file, &job->problem, elements, job->diagonals))
        return sb_fail(&s->failure, "%s: not enough memory for its diagonals", s->matrix);
    sb_solve_recognise_toeplitz(job);
    sb_matrix_file_free(&job->file);
    return allocate_like(&job->x, &job->b, scalar, &s->failure);
}

static bool plan(sb_job *job)
{
    sb_solve *s = job->solve;
    slimband_status status =
        slimband_plan_create(&job->plan, &job->problem, slimband_cpu((int)s->threads), s->method);
    if (status == SLIMBAND_OK)
        return true;
    if (status == SLIMBAND_UNKNOWN_METHOD)
        return sb_fail(&s->failure,
                       "--method %s: no method of this name is built in (slimband methods lists them)",
                       s->method);
    if (status < SLIMBAND_UNKNOWN_METHOD || status >= SLIMBAND_OUT_OF_MEMORY)
        return sb_fail(&s->failure, "%s", sb_reason(status));
    return sb_fail(&s->failure, "--method %s: %s", s->method, sb_reason(status));
}

static bool compute(sb_job *job, sb_solve_result *result)
{
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    for (int d = 0; d < job->problem.lower + 1 + job->problem.upper; ++d)
        diagonals[d] = job->diagonals[d];
    sb_progress_update(&job->progress, "solving", -1);
    double start = sb_seconds();
    slimband_status status = slimband_factor_solve(job->plan, diagonals, job->b.data, job->x.data);
    result->seconds = sb_seconds() - start;
    if (status)
        return sb_solve_explain(job, status);
    sb_progress_update(&job->progress, "measuring the backward error", -1);
    status = slimband_plan_report(job->plan, &result->report);
    if (!status)
        status = slimband_residual(&job->problem, diagonals, job->b.data, job->x.data, &result->error);
    if (status)
        return sb_fail(&job->solve->failure, "%s", sb_reason(status));
    return sb_solve_judge(job, &result->error);
}

static bool solve_files(sb_job *job, sb_solve_result *result)
{
    sb_solve *s = job->solve;
    if (!prepare(job) || !plan(job) || !sb_output_open(&job->output, s->output, &s->failure) ||
        !compute(job, result))
        return false;
    sb_progress_update(&job->progress, "writing", -1);
    sb_npy_write(&job->x, &job->output);
    return sb_output_finish(&job->output, &s->failure);
}

bool sb_solve_run(sb_solve *s)
{
    sb_job job = {.solve = s};
    sb_solve_result result = {.problem = &job.problem};
    sb_progress_begin(&job.progress);
    bool good = solve_files(&job, &result);
    sb_progress_end(&job.progress);
    good = good && sb_solve_print(s, &result) && sb_output_commit_reported(&job.output, NULL, &s->failure);
    sb_output_discard(&job.output);
    slimband_plan_destroy(job.plan);
    free(job.diagonals[0]);
    sb_npy_free(&job.x);
    sb_npy_free(&job.b);
    sb_matrix_file_free(&job.file);
    return good;
}
