/* slimband bench steppers: its options. */
#include "bench/steppers.h"

#include "cli/command.h"

static const char *const types[] = {"f32", "f64", NULL};
static const char *const executors[] = {"cpu", "cuda", NULL};

static const struct argp_option options[] = {
    {"size", 'n', "N", 0, "Points of a ring (default 512)", 0},
    {"batch", 'b', "B", 0, "Members (default 1024); fields of heat have about as many points in all", 0},
    {"steps", 's', "S", 0, "Steps in the clock (default 250)", 0},
    {"dt", 'd', "DT", 0, "Time step (default 1e-8)", 0},
    {"type", 'y', "TYPE", 0, "f64 (default) or f32", 0},
    {"threads", 't', "T", 0, "Threads to use (default: all)", 0},
    {"executor", 'x', "WHERE", 0,
     "cpu (default); or cuda, against cuSPARSE's gpsvInterleavedBatch in the same loop and our CPU", 0},
    {"repeat", 'r', "R", 0, "Runs of each (default 5); medians are shown", 0},
    {"output", 'o', "DIR", 0, "Instead, write figures there: convergence and coarsening, as .svg and .csv", 0},
    {"json", 'j', NULL, 0, "One line of JSON for each row", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    sb_stepper_bench *b = state->input;
    int word = 0;
    error_t error;
    switch (key) {
    case 'n':
        return sb_option_integer("--size", text, 8, INT64_C(1) << 30, &b->n, &b->failure);
    case 'b':
        return sb_option_integer("--batch", text, 1, INT64_C(1) << 30, &b->batch, &b->failure);
    case 's':
        return sb_option_integer("--steps", text, 1, INT64_C(1) << 30, &b->steps, &b->failure);
    case 'd':
        return sb_option_positive("--dt", text, &b->dt, &b->failure);
    case 'y':
        error = sb_option_word("--type", text, types, &word, &b->failure);
        b->scalar = word ? SLIMBAND_F64 : SLIMBAND_F32;
        return error;
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &b->threads, &b->failure);
    case 'x':
        error = sb_option_word("--executor", text, executors, &word, &b->failure);
        b->cuda = word == 1;
        return error;
    case 'r':
        return sb_option_integer("--repeat", text, 1, 1000, &b->repeat, &b->failure);
    case 'o':
        b->output = text;
        return 0;
    case 'j':
        b->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool work(void *settings)
{
    sb_stepper_bench *b = settings;
    sb_progress_begin(&b->progress);
    bool good = b->output ? sb_steppers_figures(b) : sb_steppers_race(b);
    sb_progress_end(&b->progress);
    return good;
}

int sb_command_bench_steppers(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     NULL,
                                     "Measure the time of a step of each stepper, beside plain C where the "
                                     "published way is plain; or draw what "
                                     "shows that they are right.",
                                     NULL,
                                     NULL,
                                     NULL};
    sb_stepper_bench b = {
        .scalar = SLIMBAND_F64, .n = 512, .batch = 1024, .steps = 250, .dt = 1e-8, .repeat = 5, .threads = 0};
    return sb_command_run(&argp, argc, argv, &b, &b.failure, work);
}
