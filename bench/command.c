/* slimband bench: how fast, beside whom, and how near to what the memory allows. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/grid.h"
#include "bench/peer.h"
#include "bench/report.h"
#include "cli/command.h"
#include "cli/json.h"
#include "slimband/method.h"
#include "slimband/plan.h"

typedef struct bench {
    const char *what; /* single, batch or grid */
    sb_bench_case the_case;
    const char *methods, *against, *mkl, *output;
    int64_t threads, repeat;
    bool json, flush, large;
    const char *of_case, *of_batch, *of_grid; /* an option given that belongs there; NULL if none */
    sb_failure failure;
} bench;

enum { KEY_IN_PLACE = 0x200, KEY_FLUSH, KEY_LARGE, KEY_MKL };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The problem:", 1},
    {"type", 'y', "TYPE", 0, "f32, f64 (default), c64 or c128", 0},
    {"size", 'n', "N", 0, "Unknowns of a system (default: single 1048576, batch 1024)", 0},
    {"batch", 'b', "B", 0, "Systems of a batch (default 4096)", 0},
    {"band", 'w', "BAND", 0, "tri (default), penta, or L,U: off-diagonals below and above", 0},
    {"ends", 'e', "ENDS", 0, "open (default) or periodic", 0},
    {"coefficients", 'c', "WHOSE", 0,
     "own (default): each system's matrix is eliminated and solved in the clock; shared or toeplitz: one "
     "matrix, "
     "factored before",
     0},
    {"layout", 'l', "LAYOUT", 0, "Of a batch: contiguous (default), interleaved, or axis:K of three", 0},
    {"dominance", 'd', "D", 0,
     "Diagonal entries over the sums of their rows' others (default 2; 1 lets no coupling decay)", 0},
    {"in-place", KEY_IN_PLACE, NULL, 0, "The solution replaces the right-hand side", 0},
    {NULL, 0, NULL, 0, "The measurement:", 2},
    {"methods", 'm', "LIST", 0, "Names by commas (default: auto), or all that fit", 0},
    {"against", 'a', "LIST", 0, "Peers by commas, listed below, or all that fit (default: none)", 0},
    {"mkl", KEY_MKL, "PATH", 0, "MKL's library or its folder (default: look in the usual places)", 0},
    {"threads", 't', "T", 0, "Threads to use (default: all)", 0},
    {"repeat", 'r', "R", 0, "Runs of each (default: as many as fit a few seconds); medians are shown", 0},
    {"flush", KEY_FLUSH, NULL, 0,
     "Flush the caches before each run; otherwise they hold what of the inputs fits", 0},
    {"json", 'j', NULL, 0, "One line of JSON for each method", 0},
    {NULL, 0, NULL, 0, "The grid:", 3},
    {"output", 'o', "DIR", 0, "Write results.jsonl, results.md and charts there", 0},
    {"large", KEY_LARGE, NULL, 0, "One system of 2^25 unknowns too (6 GB of memory)", 0},
    {0},
};

static const char *const types[] = {"f32", "f64", "c64", "c128", NULL};
static const char *const ends[] = {"open", "periodic", NULL};
static const char *const coefficients[] = {"own", "shared", "toeplitz", NULL};

static error_t parse_problem(bench *b, int key, char *text)
{
    sb_bench_case *c = &b->the_case;
    int word = 0;
    error_t error;
    switch (key) {
    case 'n':
        b->of_case = "--size";
        return sb_option_integer("--size", text, 1, INT64_C(1) << 40, &c->n, &b->failure);
    case 'b':
        b->of_batch = "--batch";
        return sb_option_integer("--batch", text, 1, INT64_C(1) << 40, &c->systems, &b->failure);
    case 'w':
        b->of_case = "--band";
        return sb_bench_parse_band(c, text, &b->failure);
    case 'e':
        b->of_case = "--ends";
        error = sb_option_word("--ends", text, ends, &word, &b->failure);
        c->ends = word ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
        return error;
    case 'c':
        b->of_case = "--coefficients";
        error = sb_option_word("--coefficients", text, coefficients, &word, &b->failure);
        c->coefficients = (slimband_coefficients)word;
        return error;
    case 'l':
        b->of_batch = "--layout";
        return sb_bench_parse_layout(c, text, &b->failure);
    case 'd':
        b->of_case = "--dominance";
        return sb_option_positive("--dominance", text, &c->dominance, &b->failure);
    case KEY_IN_PLACE:
        b->of_case = "--in-place";
        c->in_place = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_measurement(bench *b, int key, char *text)
{
    switch (key) {
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &b->threads, &b->failure);
    case 'r':
        return sb_option_integer("--repeat", text, 1, 100000, &b->repeat, &b->failure);
    case 'm':
        b->methods = text;
        return 0;
    case 'a':
        b->against = text;
        return 0;
    case KEY_MKL:
        b->mkl = text;
        return 0;
    case KEY_FLUSH:
        b->flush = true;
        return 0;
    case 'j':
        b->of_case = "--json";
        b->json = true;
        return 0;
    case 'o':
        b->of_grid = "--output";
        b->output = text;
        return 0;
    case KEY_LARGE:
        b->of_grid = "--large";
        b->large = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    bench *b = state->input;
    int word = 0;
    error_t error;
    switch (key) {
    case 'y':
        error = sb_option_word("--type", text, types, &word, &b->failure);
        b->the_case.scalar = (slimband_scalar)word;
        return error;
    case ARGP_KEY_ARG:
        if (b->what)
            return ARGP_ERR_UNKNOWN;
        b->what = text;
        return 0;
    default:
        error = parse_problem(b, key, text);
        return error == ARGP_ERR_UNKNOWN ? parse_measurement(b, key, text) : error;
    }
}

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

/* The case by its name, what is not given set to what is usual, and nothing given that does not belong. */
static bool settle(bench *b)
{
    sb_bench_case *c = &b->the_case;
    if (!b->what)
        return sb_fail(&b->failure, "which case? slimband bench single, batch or grid");
    c->batch = !strcmp(b->what, "batch");
    bool grid = !strcmp(b->what, "grid");
    if (!c->batch && !grid && strcmp(b->what, "single"))
        return sb_fail(&b->failure, "unknown case '%s': single, batch or grid", b->what);
    const char *stray = grid ? b->of_case ? b->of_case : b->of_batch : b->of_grid;
    stray = !c->batch && !grid && !stray ? b->of_batch : stray;
    if (stray)
        return sb_fail(&b->failure, "%s has no meaning for the case %s", stray, b->what);
    if (grid && !b->output)
        return sb_fail(&b->failure, "--output is missing: the folder for the grid's results");
    c->n = c->n ? c->n : c->batch ? 1024 : 1048576;
    c->systems = !c->batch ? 1 : c->systems ? c->systems : 4096;
    return true;
}

static bool tell(bench *b, const sb_bench_result *result)
{
    for (int k = 0; b->json && k < result->methods; ++k)
        if (!sb_json_print(sb_bench_json(result, k), &b->failure))
            return false;
    if (!b->json)
        sb_bench_write_table(stdout, result);
    const sb_bench_entry *first = NULL;
    if (sb_bench_failures(result, &first))
        return sb_fail(&b->failure, "%s %s", first->name, first->note);
    return true;
}

static bool measure(bench *b, const sb_bench_plan *plan)
{
    sb_bench_result result;
    bool done = sb_bench_measure(&b->the_case, plan, &result, &b->failure);
    sb_progress_end(plan->rules.progress);
    return done && tell(b, &result);
}

static bool work(void *settings)
{
    bench *b = settings;
    if (!settle(b))
        return false;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    sb_progress progress;
    sb_progress_begin(&progress);
    const sb_bench_plan plan = {
        .methods = b->methods,
        .against = b->against || !strcmp(b->what, "grid") ? b->against : "",
        .mkl = b->mkl,
        .threads = b->threads ? (int)b->threads : machine.threads,
        .rules = {.repeat = b->repeat, .flush = b->flush, .progress = &progress, .what = b->what},
    };
    if (strcmp(b->what, "grid"))
        return measure(b, &plan);
    const sb_grid_settings grid = {b->the_case.scalar, b->large, b->output, plan};
    bool good = sb_grid_run(&grid, &progress, &b->failure);
    sb_progress_end(&progress);
    return good;
}

int sb_command_bench(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "single|batch|grid",
                                     "Measure methods on one system, on a batch, or on the published grid: "
                                     "answers are verified, then methods, "
                                     "peers and a stream of the necessary traffic take turns in one process.",
                                     NULL,
                                     help,
                                     NULL};
    bench b = {.methods = SLIMBAND_AUTO,
               .the_case = {.scalar = SLIMBAND_F64, .lower = 1, .upper = 1, .dominance = 2}};
    return sb_command_run(&argp, argc, argv, &b, &b.failure, work);
}
