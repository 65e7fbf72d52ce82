/* What `slimband solve` says of answers that are none. */
#include "cli/solve_job.h"

bool sb_solve_explain(sb_job *job, slimband_status status)
{
    sb_solve *s = job->solve;
    const slimband_problem *p = &job->problem;
    slimband_system_info info = {.status = SLIMBAND_OK, .row = -1};
    int64_t system = 0, systems = slimband_systems(p);
    for (; system < systems; ++system) {
        if (slimband_system_status(job->plan, system, &info) || info.status)
            break;
    }
    if (system == systems)
        return sb_fail(&s->failure, "%s: %s", s->matrix, slimband_status_string(status));
    const char *file = s->matrix, *what = "the matrix is singular to working precision";
    if (info.status == SLIMBAND_BREAKDOWN)
        what = "elimination without pivoting broke down; --pivoting auto or partial may do better";
    if (info.status == SLIMBAND_SOLUTION_NOT_FINITE)
        what = s->check ? "the answer overflows"
                        : "the answer holds NaN or Inf (--check tells whether the input does)";
    if (info.status == SLIMBAND_NOT_FINITE) {
        what = "NaN or Inf";
        sb_run line = {p->scalar, job->b.data, 1};
        int64_t at = sb_system_at(p, &p->rhs, system) + (info.row < 0 ? 0 : info.row) * p->rhs.line;
        if (!sb_number_is_finite(sb_run_at(line, at)))
            file = s->rhs;
    }
    return sb_fail(&s->failure, "%s: system %lld, row %lld (both count from 0): %s", file, (long long)system,
                   (long long)info.row, what);
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
    return sb_fail(&s->failure,
                   "%s: system %lld: the answer's backward error is %.1e; this %s is not stable here",
                   s->matrix, (long long)error->system, error->normwise,
                   s->pivoting == SLIMBAND_PIVOT_NONE ? "elimination without pivoting" : "method");
}
