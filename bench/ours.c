/* Plans of the library in a race. */
#include "bench/ours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/memory.h"
#include "slimband/plan.h"

static void restore(void *self, sb_bench_data *data, void *work)
{
    (void)self;
    (void)work;
    if (data->the_case.in_place)
        sb_bench_copy(data->x, data->b, data->vector_bytes, data->threads);
}

static const char *run(void *self, sb_bench_data *data, void *work)
{
    (void)work;
    slimband_plan *plan = self;
    const void *b = data->the_case.in_place ? data->x : data->b;
    slimband_status status = data->problem.coefficients == SLIMBAND_OWN
                                 ? slimband_factor_solve(plan, data->diagonals, b, data->x)
                                 : slimband_solve(plan, b, data->x);
    return status ? slimband_status_string(status) : NULL;
}

static void close(void *self)
{
    slimband_plan_destroy(self);
}

void sb_ours_open(sb_contender *contender, sb_bench_data *data, const char *method)
{
    static const sb_contender_calls calls = {restore, run, NULL, close};
    slimband_problem problem = data->problem;
    problem.one_pass = problem.coefficients == SLIMBAND_OWN;
    slimband_plan *plan;
    slimband_report report;
    snprintf(contender->name, sizeof contender->name, "%s", method);
    contender->seconds = contender->residual = NAN;
    slimband_status status = slimband_plan_create(&plan, &problem, slimband_cpu(data->threads), method);
    contender->calls = &calls;
    contender->self = plan;
    if (!status && !problem.one_pass)
        status = slimband_factor(plan, data->diagonals);
    if (!status)
        status = slimband_plan_report(plan, &report);
    if (!status) {
        contender->workspace_bytes = report.workspace_bytes;
        contender->levels = report.levels;
    }
    if (status)
        sb_contender_excuse(contender, "failed: %s", slimband_status_string(status));
    else if (strcmp(report.method, method))
        snprintf(contender->about, sizeof contender->about, "%s", report.method);
}
