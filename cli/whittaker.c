/* Whittaker smoothing: factor, solve, refine, and stop only where the trend has settled. */
#include "cli/whittaker.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "cli/reason.h"
#include "cli/whittaker_form.h"

enum { LARGEST_EXPONENT = 1000 };
static const double SMALLEST_LAMBDA = 1e-100, SETTLED = 2 * DBL_EPSILON, STALLED = 1e-12;

typedef struct attempt {
    const sb_whittaker *task;
    const sb_whittaker_form *form;
    slimband_problem problem;
    /* bandwidth + 1 lines of n + bandwidth entries: A(i, i + k) at band[k * line + k + i], so that the lower
       diagonals are the same memory read from k entries earlier. */
    double *band, *b, *x, *r, *d;
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    slimband_plan *plan;
} attempt;

static const char *too_hard(int64_t missing)
{
    return missing
               ? "the system is too ill-conditioned for double precision: a run of missing values is too long "
                 "for this order and lambda"
               : "the system is too ill-conditioned for double precision: the series is too long for this "
                 "order and lambda";
}

static bool acquire(attempt *a)
{
    size_t n = (size_t)a->problem.n, bandwidth = (size_t)a->problem.upper;
    a->band = calloc((n + bandwidth) * (bandwidth + 1), sizeof *a->band);
    a->b = calloc(n, sizeof *a->b);
    a->x = calloc(n, sizeof *a->x);
    a->r = calloc(n, sizeof *a->r);
    a->d = calloc(n, sizeof *a->d);
    return a->band && a->b && a->x && a->r && a->d;
}

static void release(attempt *a)
{
    slimband_plan_destroy(a->plan);
    free(a->band);
    free(a->b);
    free(a->x);
    free(a->r);
    free(a->d);
}

static void assemble(attempt *a)
{
    int64_t n = a->problem.n;
    int bandwidth = a->problem.upper;
    for (int k = 0; k <= bandwidth; ++k) {
        double *lower = a->band + k * (n + bandwidth), *upper = lower + k;
        for (int64_t i = 0; i < n; ++i)
            upper[i] = a->form->entry(a->task, i, k);
        a->diagonals[bandwidth - k] = lower;
        a->diagonals[bandwidth + k] = upper;
    }
    for (int64_t i = 0; i < a->task->n; ++i)
        a->b[i * a->form->unknowns] = isnan(a->task->y[i]) ? 0 : a->task->y[i];
}

/* x += d; the largest change of a z over the largest |z|. NaN when any number is not finite. */
static double correct(attempt *a)
{
    double change = 0, size = 0, finite = 0;
    for (int64_t i = 0; i < a->problem.n; ++i) {
        a->x[i] += a->d[i];
        finite += 0 * a->x[i];
        if (i % a->form->unknowns == 0) {
            change = fmax(change, fabs(a->d[i]));
            size = fmax(size, fabs(a->x[i]));
        }
    }
    return (change > 0 ? change / size : 0) + finite;
}

static void show_progress(const attempt *a)
{
    if (a->task->progress)
        sb_progress_update(a->task->progress, "smoothing", -1);
}

/* Each step shrinks the error by about condition number times epsilon; where it does not, the trend is not to
   be trusted, small as the backward error may be. */
static slimband_status refine(attempt *a, bool *settled, sb_whittaker_report *report)
{
    double last = INFINITY;
    slimband_status status = SLIMBAND_OK;
    report->refinements = 0;
    *settled = false;
    while (!status) {
        show_progress(a);
        a->form->residual(a->task, a->x, a->r);
        status = slimband_solve(a->plan, a->r, a->d);
        report->correction = correct(a);
        ++report->refinements;
        *settled = !status && report->correction <= SETTLED;
        if (*settled)
            break;
        if (!(report->correction < last / 2)) {
            *settled = !status && last < STALLED && report->correction < STALLED;
            break;
        }
        last = report->correction;
    }
    return status;
}

static slimband_status solve(attempt *a, bool *settled, sb_whittaker_report *report)
{
    *settled = false;
    slimband_status status =
        slimband_plan_create(&a->plan, &a->problem, slimband_cpu(a->task->threads), SLIMBAND_AUTO);
    if (status)
        return status;
    assemble(a);
    show_progress(a);
    status = slimband_factor(a->plan, a->diagonals);
    if (!status)
        status = slimband_solve(a->plan, a->b, a->x);
    return status ? status : refine(a, settled, report);
}

static slimband_status describe(const attempt *a, sb_whittaker_report *report)
{
    slimband_report plan;
    slimband_status status = slimband_plan_report(a->plan, &plan);
    if (status)
        return status;
    report->system = a->form->name;
    report->bandwidth = a->problem.upper;
    report->method = plan.method;
    report->threads = plan.threads;
    return slimband_residual(&a->problem, a->diagonals, a->b, a->x, &report->error);
}

/* One form; NULL and *settled, NULL and not *settled when another form might do better, or what is in the way.
 */
static const char *try_form(const sb_whittaker *task, const sb_whittaker_form *form, double *z, bool *settled,
                            sb_whittaker_report *report)
{
    int bandwidth = form->bandwidth(task->order);
    attempt a = {.task = task, .form = form};
    a.problem = slimband_banded(SLIMBAND_F64, task->n * form->unknowns, bandwidth, bandwidth);
    a.problem.pivoting = form->pivoting;
    slimband_status status = acquire(&a) ? solve(&a, settled, report) : SLIMBAND_OUT_OF_MEMORY;
    if (*settled)
        status = describe(&a, report);
    for (int64_t i = 0; i < task->n && *settled; ++i)
        z[i] = a.x[i * form->unknowns];
    release(&a);
    bool numerical =
        status == SLIMBAND_SINGULAR || status == SLIMBAND_BREAKDOWN || status == SLIMBAND_NOT_FINITE;
    return status && !numerical ? sb_reason(status) : NULL;
}

static const char *reason_against(const sb_whittaker *task, int64_t *missing)
{
    if (task->order < 1 || task->order > SB_WHITTAKER_MAX_ORDER)
        return "the order must be 1, 2 or 3";
    if (!(task->lambda >= 0 && task->lambda <= DBL_MAX))
        return "lambda must be a finite number that is not negative";
    if (task->lambda > 0 && task->lambda < SMALLEST_LAMBDA)
        return "lambda must be 0 or at least 1e-100";
    if (task->n < 1)
        return "the series is empty";
    *missing = 0;
    for (int64_t i = 0; i < task->n; ++i) {
        if (isinf(task->y[i]))
            return "the series holds an infinite value";
        *missing += isnan(task->y[i]);
    }
    if (*missing == task->n)
        return "every value of the series is missing";
    if (*missing && task->n - *missing < task->order)
        return "too few values to fill the missing ones: this takes at least as many as the order";
    if (*missing && task->lambda == 0)
        return "lambda 0 ties no value to its neighbours, so that the missing ones cannot be filled";
    return NULL;
}

/* Measured in units of this, the largest |y| is 1 or so: nothing in between overflows or underflows. */
static double power_of_two_near(const sb_whittaker *task)
{
    double size = 0;
    for (int64_t i = 0; i < task->n; ++i)
        size = fmax(size, fabs(task->y[i])); /* fmax passes over NaN */
    int exponent = size > 0 ? ilogb(size) : 0;
    return ldexp(1, exponent < -LARGEST_EXPONENT ? -LARGEST_EXPONENT : exponent);
}

const char *sb_whittaker_smooth(const sb_whittaker *task, double *z, sb_whittaker_report *report)
{
    *report = (sb_whittaker_report){0};
    const char *reason = reason_against(task, &report->missing);
    if (reason)
        return reason;
    double start = sb_seconds(), *y = malloc((size_t)task->n * sizeof *y);
    if (!y)
        return sb_reason(SLIMBAND_OUT_OF_MEMORY);
    double unit = power_of_two_near(task), inverse = 1 / unit;
    for (int64_t i = 0; i < task->n; ++i)
        y[i] = task->y[i] * inverse;
    sb_whittaker scaled = *task;
    scaled.y = y;
    bool settled = false;
    for (int k = 0; k < SB_WHITTAKER_FORMS && !settled && !reason; ++k)
        reason = try_form(&scaled, &sb_whittaker_forms[k], z, &settled, report);
    free(y);
    report->seconds = sb_seconds() - start;
    if (reason || !settled)
        return reason ? reason : too_hard(report->missing);
    bool overflow = false;
    for (int64_t i = 0; i < task->n; ++i) {
        z[i] *= unit;
        overflow |= isinf(z[i]) != 0;
    }
    return overflow ? "the trend runs beyond the largest double" : NULL;
}
