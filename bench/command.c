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
    const sb_peer *peer;
    for (int device = 0; device < 2; ++device) {
        fprintf(stream, "%s:\n", device ? "Peers on cuda (cusparse: those that fit)" : "Peers");
        for (int k = 0; (peer = sb_peer_at(k)); ++k)
            if (peer->device == device)
                fprintf(stream, "  %-27s %s\n", peer->name, peer->what);
    }
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
    const sb_grid_settings grid = {.scalar = s->the_case.scalar,
                                   .large = s->large,
                                   .quick = s->quick,
                                   .only = s->only,
                                   .folder = s->output,
                                   .plan = *plan};
    return sb_grid_run(&grid, plan->rules.progress, &s->failure);
}

static bool judge_choice(sb_bench_settings *s, const sb_bench_plan *plan)
{
    const sb_choice_settings choice = {s->the_case.scalar, s->large, s->quick, s->json, s->only, *plan};
    return sb_choice_run(&choice, plan->rules.progress, &s->failure);
}

static bool repeat_lass(sb_bench_settings *s, const sb_bench_plan *plan)
{
    const sb_lass_settings lass = {s->largest, (int)s->switch_point, s->output, *plan};
    return sb_lass_run(&lass, plan->rules.progress, &s->failure);
}

static bool work_at(sb_bench_settings *s, sb_place *place)
{
    sb_progress progress;
    sb_progress_begin(&progress);
    const sb_bench_plan plan = {
        .methods = s->methods || s->kind == SB_GRID ? s->methods : SLIMBAND_AUTO,
        .against = s->against || s->kind & (SB_GRID | SB_LASS) ? s->against : "",
        .mkl = s->mkl,
        .switches = s->switch_point >= 0,
        .switch_point = (int)s->switch_point,
        .threads = place->threads,
        .place = place,
        .until = s->within ? sb_seconds() + (double)s->within : 0,
        .rules = {.repeat = s->repeat,
                  .in_a_row = s->in_a_row,
                  .flush = s->flush || (place->calls->cold && !s->warm && !s->in_a_row),
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

static bool work(void *settings)
{
    sb_bench_settings *s = settings;
    sb_place place;
    if (!sb_bench_settle(s))
        return false;
    if (!sb_place_open(&place, s->executor, (int)s->threads, &s->failure))
        return false;
    bool good = work_at(s, &place);
    sb_place_close(&place);
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
    sb_bench_settings s = {.switch_point = -1,
                           .the_case = {.scalar = SLIMBAND_F64, .lower = 1, .upper = 1, .dominance = 2}};
    return sb_command_run(&argp, argc, argv, &s, &s.failure, work);
}
