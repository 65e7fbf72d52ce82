/* One trial: solve, then judge answer, memory, residual and report. */
#include "tests/random/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/random/place.h"

/* What the arrays held before the library saw them. */
typedef struct before {
    array diagonals[SLIMBAND_MAX_DIAGONALS], b, x;
} before;

__attribute__((format(printf, 2, 3))) static bool complain(result *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->complaint, sizeof r->complaint, format, arguments);
    va_end(arguments);
    return false;
}

static bool remember(const trial *t, before *old)
{
    bool good = array_copy(&old->b, &t->b) && array_copy(&old->x, &t->x);
    for (int d = 0; d < t->diagonal_count; ++d)
        good = good && array_copy(&old->diagonals[d], &t->diagonals[d]);
    return good;
}

static void forget(before *old)
{
    for (int d = 0; d < SLIMBAND_MAX_DIAGONALS; ++d)
        array_free(&old->diagonals[d]);
    array_free(&old->b);
    array_free(&old->x);
}

static bool check_inputs(const trial *t, const before *old, result *r)
{
    for (int d = 0; d < t->diagonal_count; ++d) {
        if (!array_same(&t->diagonals[d], &old->diagonals[d]))
            return complain(r, "diagonal %d was changed", d);
    }
    return array_same(&t->b, &old->b) || complain(r, "the right-hand side was changed");
}

/* Every element of x that is no unknown holds what it held. Unknowns are counted off by giving the old copy the
   new values, after which nothing may differ. */
static bool check_gaps(const trial *t, before *old, result *r)
{
    const slimband_layout *layout = &t->problem.solution;
    for (int64_t s = 0, systems = slimband_systems(&t->problem); s < systems; ++s) {
        for (int64_t i = 0; i < length_of(t, s); ++i) {
            int64_t at = line_start(t, layout, s) + i * layout->line;
            array_set(&old->x, at, array_get(&t->x, at));
        }
    }
    return array_same(&t->x, &old->x) || complain(r, "an element of x that is no unknown was written");
}

/* Neighbouring unknowns come from systems that round independently of each other: safe while the condition number is
   moderate, and elsewhere only with pivoting auto, which then takes another way. */
static bool splits_neighbours(const char *method)
{
    return !strncmp(method, "pcr", 3) || !strncmp(method, "tpr", 3) || !strcmp(method, "wang_mou");
}

/* 10 n_band epsilon: for dominant matrices, and for all others where pivoting may help. */
static double bound_of(const trial *t)
{
    double bound = 10 * t->diagonal_count * scalar_epsilon(t->problem.scalar);
    double condition = (t->margin + 1) / (t->margin - 1); /* at most */
    bool careless = t->dominant && t->problem.pivoting == SLIMBAND_PIVOT_NONE && splits_neighbours(t->method);
    return careless ? bound * fmax(1, condition / 200) : bound;
}

static bool check_answer(const trial *t, result *r)
{
    r->bound = bound_of(t);
    r->verdict = oracle_backward_error(t);
    if (!r->verdict.memory)
        return complain(r, "no memory for the oracle");
    if (!r->verdict.finite)
        return complain(r, "an unknown is not finite");
    if (!(r->verdict.error <= r->bound))
        return complain(r, "backward error %.3g in system %lld exceeds %.3g", r->verdict.error,
                        (long long)r->verdict.system, r->bound);
    double dense = oracle_dense_error(t);
    if (!(dense >= 0 && dense <= 3 * r->bound))
        return complain(r, "differs from the dense solution by %.3g times the condition number", dense);
    return true;
}

static bool close_enough(const trial *t, double theirs, double ours)
{
    return fabs(theirs - ours) <= 0.05 * ours + 0.1 * scalar_epsilon(t->problem.scalar);
}

/* slimband_residual must tell what the oracle tells. */
static bool check_residual(const trial *t, result *r)
{
    if (t->operation == FACTOR_THEN_TRANSPOSED || t->operation == FACTOR_THEN_ADJOINT)
        return true;
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    trial_diagonals(t, diagonals);
    slimband_backward_error error;
    slimband_status status =
        slimband_residual(&t->problem, diagonals, array_pointer(&t->b), array_pointer(&t->x), &error);
    if (status)
        return complain(r, "slimband_residual returns %s", slimband_status_name(status));
    if (!close_enough(t, error.normwise, r->verdict.normwise))
        return complain(r, "slimband_residual's normwise error is %.6g, not %.6g", error.normwise,
                        r->verdict.normwise);
    if (!close_enough(t, error.componentwise, r->verdict.componentwise))
        return complain(r, "slimband_residual's componentwise error is %.6g, not %.6g", error.componentwise,
                        r->verdict.componentwise);
    if (error.system >= slimband_systems(&t->problem) || (error.system < 0 && error.normwise > 0))
        return complain(r, "slimband_residual names system %lld", (long long)error.system);
    return true;
}

static bool check_report(const trial *t, const slimband_plan *plan, result *r)
{
    slimband_report report;
    slimband_status status = slimband_plan_report(plan, &report);
    if (status)
        return complain(r, "slimband_plan_report returns %s", slimband_status_name(status));
    snprintf(r->method, sizeof r->method, "%s", report.method);
    r->pivoted = report.pivoted > 0;
    int64_t systems = slimband_systems(&t->problem);
    if (report.systems != systems || report.failed != 0)
        return complain(r, "the report says %lld systems, %lld failed", (long long)report.systems,
                        (long long)report.failed);
    if (report.pivoted && t->problem.pivoting == SLIMBAND_PIVOT_NONE && t->problem.ends == SLIMBAND_OPEN)
        return complain(r, "it pivoted, though asked not to");
    if (systems == 0)
        return true;
    slimband_system_info info;
    int64_t last = systems - 1;
    status = slimband_system_status(plan, last, &info);
    if (status || info.status || info.row != -1)
        return complain(r, "the last system's status is %s, row %lld", slimband_status_name(info.status),
                        (long long)info.row);
    return true;
}

/* Solving again gives the same bits. */
static bool check_again(trial *t, slimband_plan *plan, result *r)
{
    array first;
    if (!array_copy(&first, &t->x))
        return complain(r, "no memory");
    if (t->in_place)
        trial_restore(t);
    slimband_status status = trial_solve(t, plan, true);
    bool good = !status || complain(r, "the second solve returns %s", slimband_status_name(status));
    good = good && (array_same(&first, &t->x) || complain(r, "the second solve gives other bits"));
    array_free(&first);
    return good;
}

static void check_with_plan(trial *t, slimband_plan *plan, before *old, result *r)
{
    slimband_status status = trial_solve(t, plan, false);
    if (status) {
        slimband_report report = {0};
        slimband_plan_report(plan, &report);
        complain(r, "solving returns %s, %lld failed", slimband_status_name(status), (long long)report.failed);
        return;
    }
    bool good = check_inputs(t, old, r) && check_gaps(t, old, r) && check_answer(t, r) &&
                check_residual(t, r) && check_report(t, plan, r);
    if (good && t->seed % 4 == 0)
        check_again(t, plan, r);
}

void check_trial(trial *t, result *r)
{
    *r = (result){0};
    before old = {0};
    slimband_plan *plan = NULL;
    slimband_status status = slimband_plan_create(&plan, &t->problem, place_executor(t), t->method);
    if (status)
        complain(r, "slimband_plan_create returns %s", slimband_status_name(status));
    else if (!remember(t, &old))
        complain(r, "no memory");
    else
        check_with_plan(t, plan, &old, r);
    slimband_plan_destroy(plan);
    forget(&old);
}
