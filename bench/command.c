/* slimband bench: how fast, beside whom, and how near to what the memory allows. */
#include <stdio.h>
#include <string.h>

#include "bench/choice.h"
#include "bench/grid.h"
#include "bench/lass.h"
#include "bench/peer.h"
#include "bench/poisson.h"
#include "bench/report.h"
#include "bench/settings.h"
#include "bench/steppers.h"
#include "cli/command.h"
#include "cli/json.h"
#include "slimband/method.h"
#include "slimband/plan.h"

static void write_peers(FILE *stream)
{
    fputs("Peers:\n", stream);
    const sb_peer *peer;
    for (int k = 0; (peer = sb_peer_at(k)); ++k)
        fprintf(stream, "  %-24s  %s\n", peer->name, peer->what);
}

static char *help(int key, const char *text, void *input)
{
    (void)input;
    return sb_help_with(key, text, write_peers);
}

static bool tell(sb_bench_settings *s, const sb_bench_result *result)
{
    for (int k = 0; s->json && k < result->methods; ++k)
        if (!sb_json_print(sb_bench_json(result, k), &s->failure))
            return false;
    if (!s->json)
        sb_bench_write_table(stdout, result);
    const sb_bench_entry *first = NULL;
    if (sb_bench_failures(result, &first))
        return sb_fail(&s->failure, "%s %s", first->name, first->note);
    return true;
}

static bool measure(sb_bench_settings *s, const sb_bench_plan *plan)
{
    sb_bench_result result;
    bool done = sb_bench_measure(&s->the_case, plan, &result, &s->failure);
    sb_progress_end(plan->rules.progress);
    return done && tell(s, &result);
}

static bool measure_grid(sb_bench_settings *s, const sb_bench_plan *plan)
{
    const sb_grid_settings grid = {s->the_case.scalar, s->large, s->output, *plan};
    return sb_grid_run(&grid, plan->rules.progress, &s->failure);
}

static bool judge_choice(sb_bench_settings *s, const sb_bench_plan *plan)
{
    const sb_choice_settings choice = {s->the_case.scalar, s->large, s->json, *plan};
    return sb_choice_run(&choice, plan->rules.progress, &s->failure);
}

static bool repeat_lass(sb_bench_settings *s, const sb_bench_plan *plan)
{
    const sb_lass_settings lass = {s->largest, (int)s->switch_point, s->output, *plan};
    return sb_lass_run(&lass, plan->rules.progress, &s->failure);
}

static bool work(void *settings)
{
    sb_bench_settings *s = settings;
    if (!sb_bench_settle(s))
        return false;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    sb_progress progress;
    sb_progress_begin(&progress);
    const sb_bench_plan plan = {
        .methods = s->methods,
        .against = s->against || s->kind & (SB_GRID | SB_LASS) ? s->against : "",
        .mkl = s->mkl,
        .switches = s->switch_point >= 0,
        .switch_point = (int)s->switch_point,
        .threads = s->threads ? (int)s->threads : machine.threads,
        .rules = {.repeat = s->repeat,
                  .flush = s->flush,
                  .progress = &progress,
                  .what = sb_bench_kind_name(s->kind)},
    };
    bool good = s->kind == SB_GRID     ? measure_grid(s, &plan)
                : s->kind == SB_CHOICE ? judge_choice(s, &plan)
                : s->kind == SB_LASS   ? repeat_lass(s, &plan)
                                       : measure(s, &plan);
    sb_progress_end(&progress);
    return good;
}

/* What is measured with options of its own. */
static const struct {
    const char *name;
    char *title;
    int (*run)(int argc, char **argv);
} applications[] = {
    {"poisson", (char[]){"slimband bench poisson"}, sb_command_bench_poisson},
    {"steppers", (char[]){"slimband bench steppers"}, sb_command_bench_steppers},
};

int sb_command_bench(int argc, char **argv)
{
    for (size_t k = 0; argc > 1 && k < sizeof applications / sizeof *applications; ++k)
        if (!strcmp(argv[1], applications[k].name)) {
            argv[1] = applications[k].title;
            return applications[k].run(argc - 1, argv + 1);
        }
    static const struct argp argp = {sb_bench_options,
                                     sb_bench_parse,
                                     "single|batch|grid|choice|lass|poisson|steppers",
                                     "Measure methods on one system or on a batch, on the published grid, the "
                                     "choices of auto on that grid, or "
                                     "the methods of the LASs paper: answers are verified, then methods, peers "
                                     "and a stream of the necessary "
                                     "traffic take turns in one process.",
                                     NULL,
                                     help,
                                     NULL};
    sb_bench_settings s = {.methods = SLIMBAND_AUTO,
                           .switch_point = -1,
                           .the_case = {.scalar = SLIMBAND_F64, .lower = 1, .upper = 1, .dominance = 2}};
    return sb_command_run(&argp, argc, argv, &s, &s.failure, work);
}
