/* Plans of the library in a race. */
#include "bench/ours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"
#include "slimband/plan.h"

typedef struct sb_ours {
    slimband_plan *plan;
    sb_place *place;
} sb_ours;

static void restore(void *self, sb_bench_data *data, void *work)
{
    const sb_ours *ours = self;
    (void)work;
    sb_bench_arrays arrays = sb_bench_data_at(data, ours->place);
    if (data->the_case.in_place)
        ours->place->calls->copy(ours->place, arrays.x, arrays.b, data->vector_bytes, SB_COPY_WITHIN);
}

static const char *run(void *self, sb_bench_data *data, void *work)
{
    const sb_ours *ours = self;
    (void)work;
    sb_bench_arrays arrays = sb_bench_data_at(data, ours->place);
    const void *b = data->the_case.in_place ? arrays.x : arrays.b;
    slimband_status status = data->problem.one_pass
                                 ? slimband_factor_solve(ours->plan, arrays.diagonals, b, arrays.x)
                                 : slimband_solve(ours->plan, b, arrays.x);
    return status ? sb_reason(status) : NULL;
}

static void close(void *self)
{
    sb_ours *ours = self;
    slimband_plan_destroy(ours->plan);
    free(ours);
}

static slimband_status make_plan(sb_ours *ours, const sb_bench_data *data, const char *method,
                                 slimband_report *report)
{
    const slimband_problem *problem = &data->problem;
    sb_bench_arrays arrays = sb_bench_data_at(data, ours->place);
    slimband_status status = slimband_plan_create(&ours->plan, problem, ours->place->executor, method);
    if (!status && !problem->one_pass)
        status = slimband_factor(ours->plan, arrays.diagonals);
    return status ? status : slimband_plan_report(ours->plan, report);
}

void sb_ours_open(sb_contender *contender, sb_bench_data *data, const char *method)
{
    sb_ours_open_at(contender, data, method, data->place);
}

void sb_ours_open_at(sb_contender *contender, sb_bench_data *data, const char *method, sb_place *place)
{
    static const sb_contender_calls calls = {restore, run, NULL, close};
    sb_ours *ours = calloc(1, sizeof *ours);
    slimband_report report;
    snprintf(contender->name, sizeof contender->name, "%s", method);
    contender->seconds = contender->residual = NAN;
    if (!ours) {
        sb_contender_excuse(contender, "not enough memory");
        return;
    }
    ours->place = contender->place = place;
    contender->calls = &calls;
    contender->self = ours;
    slimband_status status = make_plan(ours, data, method, &report);
    contender->no_memory = status == SLIMBAND_OUT_OF_MEMORY;
    if (status) {
        sb_contender_excuse(contender, "failed: %s", sb_reason(status));
        return;
    }
    contender->workspace_bytes = report.workspace_bytes;
    contender->levels = report.levels;
    if (strcmp(report.method, method))
        snprintf(contender->about, sizeof contender->about, "%s", report.method);
}
