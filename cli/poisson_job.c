/* slimband poisson: settle, read or pose, solve, judge, write. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lists.h"
#include "cli/output.h"
#include "cli/poisson.h"
#include "cli/progress.h"
#include "cli/reason.h"
#include "slimband/cuda.h"

/* Axes and fields: --size, or the shape of f, which may have one axis more. */
static bool settle_size(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    slimband_poisson_problem *p = &job->problem;
    const sb_npy *f = &job->f;
    int axes = s->sizes ? s->sizes : f->rank;
    if (s->rhs && (f->rank < 1 || f->rank - axes < 0 || f->rank - axes > 1 || axes > SLIMBAND_POISSON_MAX_RANK))
        return sb_fail(&s->failure, "%s: wrong rank %d: %s", s->rhs, f->rank,
                       s->sizes ? "f has --size's axes, or one more in front for several right-hand sides"
                                : "f has 1 to 3 axes; with --size one more may stand in front");
    slimband_scalar scalar = s->rhs ? f->scalar : (slimband_scalar)s->type;
    *p = slimband_poisson(scalar, axes, s->sizes ? s->size : f->shape);
    p->fields = s->rhs && f->rank > axes ? f->shape[0] : 1;
    for (int a = 0; s->rhs && a < axes; ++a)
        if (f->shape[f->rank - axes + a] != p->axis[a].n)
            return sb_fail(&s->failure, "%s: has %lld entries along axis %d, but --size asks for %lld", s->rhs,
                           (long long)f->shape[f->rank - axes + a], f->rank - axes + a,
                           (long long)p->axis[a].n);
    return true;
}

/* Is u determined but for a constant? */
static bool floats(const slimband_poisson_problem *p)
{
    bool floating = p->lambda == 0;
    for (int a = 0; a < p->rank; ++a)
        floating &= p->axis[a].walls == SLIMBAND_WALLS_NN || p->axis[a].walls == SLIMBAND_WALLS_PP;
    return floating;
}

/* The library takes them as doubles, and rounds them to the problem's type. */
static bool check_range(const sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    if (job->problem.scalar != SLIMBAND_F32)
        return true;
    const char *large = fabs(s->lambda) > (double)FLT_MAX ? "--lambda"
                        : fabs(s->mean) > (double)FLT_MAX ? "--mean"
                                                          : NULL;
    return !large || sb_fail(&s->failure, "%s is beyond the largest f32", large);
}

static bool settle(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    slimband_poisson_problem *p = &job->problem;
    if (!settle_size(job))
        return false;
    if ((s->lengths && !sb_list_fits("--length", s->lengths, p->rank, &s->failure)) ||
        (s->ends && !sb_list_fits("--ends", s->ends, p->rank, &s->failure)))
        return false;
    for (int a = 0; a < p->rank; ++a) {
        slimband_poisson_axis *axis = &p->axis[a];
        axis->length = s->lengths == 0 ? 1 : s->length[s->lengths == 1 ? 0 : a];
        axis->walls = (slimband_walls)(SLIMBAND_WALLS_DD + (s->ends == 0 ? 0 : s->walls[s->ends == 1 ? 0 : a]));
        axis->centring = s->centring ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES;
    }
    p->lambda = s->lambda;
    p->mean = s->mean;
    slimband_status status = slimband_poisson_validate(p);
    if (status)
        return sb_fail(&s->failure, "%s", sb_reason(status));
    if (!check_range(job))
        return false;
    if (s->mean_given && !floats(p))
        return sb_fail(
            &s->failure,
            "--mean has no meaning here: u is determined, unless --lambda is 0 and all --ends nn or pp");
    if (s->picture && p->rank == 1)
        return sb_fail(&s->failure, "--picture needs two or three axes");
    job->points = 1;
    for (int a = 0; a < p->rank; ++a)
        job->points *= p->axis[a].n;
    return true;
}

/* Block cyclic reduction has its lines solved by a method of a name of its own. */
static bool refuse_method(sb_poisson *s)
{
    const char lines[] = ":lines=", *name = strstr(s->method, lines);
    if (name && name - s->method == 4 && (!strncmp(s->method, "bcr2", 4) || !strncmp(s->method, "bcr4", 4)))
        return sb_fail(&s->failure, "--method %s, '%s': %s", s->method, name + strlen(lines),
                       sb_reason(SLIMBAND_UNKNOWN_METHOD));
    return sb_fail(&s->failure, "--method %s: there are auto, spectral, bcr2 and bcr4", s->method);
}

static bool make_plan(sb_poisson_job *job, slimband_poisson_plan **plan)
{
    sb_poisson *s = job->settings;
    slimband_executor executor = s->executor ? slimband_cuda(0, NULL) : slimband_cpu((int)s->threads);
    slimband_status status = slimband_poisson_plan_create(plan, &job->problem, executor, s->method);
    if (!status)
        return true;
    if (status == SLIMBAND_UNKNOWN_METHOD)
        return refuse_method(s);
    if (s->executor && (status == SLIMBAND_NOT_BUILT_IN || status == SLIMBAND_NO_DEVICE))
        return sb_fail(&s->failure, "--executor cuda: %s", sb_reason(status));
    if (status == SLIMBAND_NEAR_EIGENVALUE)
        return sb_fail(&s->failure, "--lambda %g: %s", s->lambda, sb_reason(status));
    if (status == SLIMBAND_POISSON_OUT_OF_RANGE)
        return sb_fail(&s->failure, "--length: %s", sb_reason(status));
    return sb_fail(&s->failure, "--method %s: %s", s->method, sb_reason(status));
}

/* All that goes into a solve is finite. */
static bool overflowed(sb_poisson_job *job)
{
    return sb_fail(
        &job->settings->failure,
        "numbers beyond the largest %s arise: f, the walls' values, --lambda or --mean are too large",
        sb_scalar_name(job->problem.scalar));
}

/* f of the known solution grows with lambda, and with the reciprocals of the lengths. */
static bool check_known(const sb_poisson_job *job)
{
    sb_run f = {job->problem.scalar, job->f.data, 1};
    for (int64_t k = 0; k < job->points; ++k)
        if (!sb_number_is_finite(sb_run_at(f, k)))
            return sb_fail(&job->settings->failure,
                           "f of the known solution has numbers beyond the largest %s: --lambda is too large, "
                           "or --length too small",
                           sb_scalar_name(f.scalar));
    return true;
}

static bool compute(sb_poisson_job *job, slimband_poisson_plan *plan)
{
    sb_poisson *s = job->settings;
    const slimband_poisson_problem *p = &job->problem;
    slimband_status status = sb_poisson_solve_at(job, plan);
    if (!status)
        status = slimband_poisson_plan_report(plan, &job->report);
    if (!status)
        status = slimband_poisson_residual(p, job->f.data, &job->boundary, job->u.data, &job->error);
    if (status == SLIMBAND_SOLUTION_NOT_FINITE || (!status && !isfinite(job->error.normwise)))
        return overflowed(job);
    if (status)
        return sb_fail(&s->failure, "%s", sb_reason(status));
    double limit = 1e4 * (p->scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
    if (!(job->error.normwise <= limit))
        return sb_fail(&s->failure, "no trustworthy solution was found: its backward error is %.1e",
                       job->error.normwise);
    return true;
}

static bool prepare(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    if (s->rhs && !sb_poisson_read_rhs(job))
        return false;
    if (!settle(job))
        return false;
    if (!(s->rhs ? sb_poisson_read_walls(job) : sb_poisson_pose(job)))
        return false;
    job->u = job->f;
    job->u.data = NULL;
    return sb_poisson_allocate(job, &job->u.data, job->problem.fields * job->points);
}

typedef struct poisson_files {
    sb_output output, picture;
} poisson_files;

static bool write_files(const sb_poisson_job *job, poisson_files *files)
{
    sb_poisson *s = job->settings;
    if (s->output)
        sb_npy_write(&job->u, &files->output);
    if (s->picture && !sb_poisson_draw(job, files->picture.stream))
        return false;
    return sb_output_finish(&files->output, &s->failure) && sb_output_finish(&files->picture, &s->failure);
}

/* Both places to write are opened before the work and renamed after all of it, the report included. */
static bool solve(sb_poisson_job *job, poisson_files *files, slimband_poisson_plan **plan,
                  sb_progress *progress)
{
    sb_poisson *s = job->settings;
    sb_progress_update(progress, "reading", -1);
    if (!prepare(job) || !make_plan(job, plan) || (!s->rhs && !check_known(job)))
        return false;
    if ((s->output && !sb_output_open(&files->output, s->output, &s->failure)) ||
        (s->picture && !sb_output_open(&files->picture, s->picture, &s->failure)))
        return false;
    sb_progress_update(progress, "solving", -1);
    return compute(job, *plan) && (s->rhs || sb_poisson_compare(job)) && write_files(job, files);
}

bool sb_poisson_run(sb_poisson *s)
{
    sb_poisson_job job = {.settings = s, .known_error = NAN, .known_size = NAN};
    poisson_files files = {0};
    slimband_poisson_plan *plan = NULL;
    sb_progress progress;
    sb_progress_begin(&progress);
    bool good = solve(&job, &files, &plan, &progress);
    sb_progress_end(&progress);
    good =
        good && sb_poisson_tell(&job) && sb_output_commit_reported(&files.output, &files.picture, &s->failure);
    sb_output_discard(&files.output);
    sb_output_discard(&files.picture);
    slimband_poisson_plan_destroy(plan);
    for (int a = 0; a < SLIMBAND_POISSON_MAX_RANK; ++a)
        for (int side = 0; side < 2; ++side)
            free(job.side[a][side]);
    sb_npy_free(&job.u);
    sb_npy_free(&job.f);
    return good;
}
