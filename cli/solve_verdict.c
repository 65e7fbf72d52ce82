/* What `slimband solve` says of answers that are none. */
#include "cli/reason.h"
#include "cli/solve_job.h"

static bool complain(sb_job *job, const char *file, int64_t system, int64_t row, const char *what)
{
    return sb_fail(&job->solve->failure, "%s: system %lld, row %lld (both count from 0): %s", file,
                   (long long)system, (long long)row, what);
}

static bool matrix_row_is_finite(const sb_job *job, int64_t system, int64_t row)
{
    const slimband_problem *p = &job->problem;
    if (p->coefficients == SLIMBAND_TOEPLITZ) /* first row, constant, last row */
        row = row == p->n - 1 ? 2 : row > 0;
    int64_t at = sb_system_at(p, &p->matrix, system) + row * p->matrix.line;
    bool finite = true;
    for (int d = 0; d < p->lower + 1 + p->upper; ++d)
        finite = finite && sb_number_is_finite(sb_run_at((sb_run){p->scalar, job->diagonals[d], 1}, at));
    return finite;
}

/* What NaN and Inf in the input make of a solve is told in many ways, none of which is the reason. True: there are none in
   these systems; else the failure says where the first is. */
static bool input_is_finite(sb_job *job, int64_t first, int64_t end)
{
    const slimband_problem *p = &job->problem;
    sb_run b = {p->scalar, job->b.data, 1};
    for (int64_t system = first; system < end; ++system) {
        int64_t line = sb_system_at(p, &p->rhs, system);
        for (int64_t row = 0; row < p->n; ++row) {
            if (!sb_number_is_finite(sb_run_at(b, line + row * p->rhs.line)))
                return complain(job, job->solve->rhs, system, row, "NaN or Inf");
            if (!matrix_row_is_finite(job, system, row))
                return complain(job, job->solve->matrix, system, row, "NaN or Inf");
        }
    }
    return true;
}

bool sb_solve_explain(sb_job *job, slimband_status status)
{
    const sb_solve *s = job->solve;
    slimband_system_info info = {.status = SLIMBAND_OK, .row = -1};
    int64_t system = 0, systems = slimband_systems(&job->problem);
    for (; system < systems; ++system) {
        if (slimband_system_status(job->plan, system, &info) || info.status)
            break;
    }
    if (system == systems)
        return input_is_finite(job, 0, systems) &&
               sb_fail(&job->solve->failure, "%s: %s", s->matrix, sb_reason(status));
    if (!input_is_finite(job, system, system + 1))
        return false;
    const char *what = "the matrix is singular to working precision";
    if (info.status == SLIMBAND_BREAKDOWN)
        what = "elimination without pivoting broke down; --pivoting auto or partial may do better";
    if (info.status == SLIMBAND_SOLUTION_NOT_FINITE)
        what = "the answer overflows";
    return complain(job, s->matrix, system, info.row, what);
}

/* An answer counts only if it solves a system near the given one: at half of the digits there is doubt enough.
 */
bool sb_solve_judge(sb_job *job, const slimband_backward_error *error)
{
    sb_solve *s = job->solve;
    bool wide = job->problem.scalar == SLIMBAND_F64 || job->problem.scalar == SLIMBAND_C128;
    double limit = wide ? 0x1p-26 : 0x1p-11;
    if (error->normwise <= limit)
        return true;
    if (!input_is_finite(job, 0, slimband_systems(&job->problem)))
        return false;
    return sb_fail(&s->failure,
                   "%s: system %lld: the answer's backward error is %.1e; this %s is not stable here",
                   s->matrix, (long long)error->system, error->normwise,
                   s->pivoting == SLIMBAND_PIVOT_NONE ? "elimination without pivoting" : "method");
}
