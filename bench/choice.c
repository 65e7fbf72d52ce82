/* `auto` judged by the clock. */
#include "bench/choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/grid_cases.h"
#include "cli/json.h"
#include "slimband/plan.h"

static const double near_enough = 1.1, share_asked_for = 0.95;

typedef struct judgement {
    const sb_choice_settings *settings;
    sb_progress *progress;
    sb_failure *failure;
    int cases, near;
} judgement;

static const sb_bench_entry *entry_named(const sb_bench_result *r, const char *name)
{
    for (int k = 0; k < r->methods; ++k)
        if (!strcmp(r->method[k].name, name))
            return &r->method[k];
    return NULL;
}

/* By itself, not as auto. */
static const sb_bench_entry *fastest(const sb_bench_result *r)
{
    const sb_bench_entry *best = NULL;
    for (int k = 0; k < r->methods; ++k) {
        const sb_bench_entry *e = &r->method[k];
        if (!e->note[0] && strcmp(e->name, SLIMBAND_AUTO) && (!best || e->seconds < best->seconds))
            best = e;
    }
    return best;
}

static bool print_json(const judgement *j, const sb_grid_case *c, const sb_bench_result *r,
                       const sb_bench_entry *chosen, const sb_bench_entry *best, double ratio)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "family", c->family);
    cJSON_AddStringToObject(row, "label", c->label);
    cJSON_AddStringToObject(row, "choice", chosen->name);
    cJSON_AddStringToObject(row, "best", best->name);
    cJSON_AddNumberToObject(row, "best_ns_per_row", sb_bench_ns_per_row(r, best));
    if (isfinite(ratio))
        cJSON_AddNumberToObject(row, "ratio", ratio);
    else
        cJSON_AddNullToObject(row, "ratio");
    cJSON *methods = cJSON_AddObjectToObject(row, "ns_per_row");
    for (int k = 0; k < r->methods; ++k)
        if (!r->method[k].note[0])
            cJSON_AddNumberToObject(methods, r->method[k].name, sb_bench_ns_per_row(r, &r->method[k]));
    return sb_json_print(row, j->failure);
}

static bool failed(const judgement *j, const sb_grid_case *c, const sb_bench_result *r)
{
    for (int k = 0; k < r->methods; ++k)
        if (!strncmp(r->method[k].note, "failed", 6))
            return !sb_fail(j->failure, "%s, %s: %s %s", c->family, c->label, r->method[k].name,
                            r->method[k].note);
    return false;
}

static bool judge(judgement *j, const sb_grid_case *c, const sb_bench_result *r)
{
    const sb_bench_entry *known = entry_named(r, SLIMBAND_AUTO), *best = fastest(r);
    const sb_bench_entry *chosen = known ? entry_named(r, known->about) : NULL;
    if (failed(j, c, r))
        return false;
    if (!chosen || !best)
        return sb_fail(j->failure, "%s, %s: nothing to compare", c->family, c->label);
    double ratio = chosen->note[0] ? INFINITY : chosen->seconds / best->seconds;
    j->near += ratio <= near_enough;
    ++j->cases;
    sb_progress_end(j->progress);
    if (j->settings->json)
        return print_json(j, c, r, chosen, best, ratio);
    printf("%-12s %-36s %-12s best %-12s %8.3f ns/row, ratio %.2f\n", c->family, c->label, chosen->name,
           best->name, sb_bench_ns_per_row(r, best), ratio);
    return true;
}

static bool measure(judgement *j, const sb_grid_case *c)
{
    char what[SB_BENCH_TEXT];
    const double hopeless = 5, quick = 0.4;
    sb_bench_plan plan = j->settings->plan;
    snprintf(what, sizeof what, "%s, %s", c->family, c->label);
    plan.methods = "all";
    plan.against = "";
    plan.skip_unfit = true;
    plan.rules.give_up = hopeless;
    plan.rules.enough = j->settings->quick ? quick : 0;
    plan.rules.what = what;
    sb_bench_case the_case = c->the_case;
    the_case.scalar = j->settings->scalar;
    sb_bench_result result;
    bool judged = sb_bench_measure(&the_case, &plan, &result, j->failure) && judge(j, c, &result);
    fflush(stdout);
    return judged;
}

static bool print_share(const judgement *j, double share)
{
    if (!j->settings->json) {
        printf("auto is within 10 %% of the best method in %d of %d cases (%.1f %%)\n", j->near, j->cases,
               100 * share);
        return true;
    }
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "cases", j->cases);
    cJSON_AddNumberToObject(row, "within_10_percent", share);
    return sb_json_print(row, j->failure);
}

bool sb_choice_run(const sb_choice_settings *settings, sb_progress *progress, sb_failure *failure)
{
    judgement j = {.settings = settings, .progress = progress, .failure = failure};
    const sb_grid_case *c;
    for (int k = 0; (c = sb_grid_case_at(k)); ++k)
        if ((!c->large || settings->large) && sb_grid_case_is_of(c, settings->only) && !measure(&j, c))
            return false;
    for (int k = 0; (c = sb_grid_case_between(k)); ++k)
        if (sb_grid_case_is_of(c, settings->only) && !measure(&j, c))
            return false;
    if (!j.cases)
        return sb_fail(failure, "--only %s: no family begins so", settings->only);
    double share = (double)j.near / j.cases;
    if (!print_share(&j, share))
        return false;
    return share >= share_asked_for ||
           sb_fail(failure, "auto is near the best method in %.1f %% of the cases; %.0f %% are asked for",
                   100 * share, 100 * share_asked_for);
}
