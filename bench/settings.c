/* Options of `slimband bench`, and which of them belong to which case. */
#include "bench/settings.h"

#include <stdio.h>
#include <string.h>

#include "bench/place.h"
#include "cli/command.h"

enum {
    KEY_IN_PLACE = 0x200,
    KEY_FLUSH,
    KEY_LARGE,
    KEY_MKL,
    KEY_LARGEST,
    KEY_SWITCH_POINT,
    KEY_WARM,
    KEY_QUICK,
    KEY_ONLY,
    KEY_PIVOTING,
    KEY_WITHIN,
    KEY_IN_A_ROW,
    KEY_FACTORED
};

const struct argp_option sb_bench_options[] = {
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
    {"factored", KEY_FACTORED, NULL, 0, "Own matrices too are factored before, and solved in the clock", 0},
    {"layout", 'l', "LAYOUT", 0, "Of a batch: contiguous (default), interleaved, or axis:K of three", 0},
    {"dominance", 'd', "D", 0,
     "Diagonal entries over the sums of their rows' others (default 2; 1 lets no coupling decay)", 0},
    {"pivoting", KEY_PIVOTING, "HOW", 0, "auto (default), none or partial", 0},
    {"in-place", KEY_IN_PLACE, NULL, 0, "The solution replaces the right-hand side", 0},
    {NULL, 0, NULL, 0, "The measurement:", 2},
    {"executor", 'x', "WHERE", 0, "cpu (default) or cuda: arrays in the device's memory, times by its events",
     0},
    {"methods", 'm', "LIST", 0,
     "Names by commas (default: auto; grid on cuda: all), or all that fit; all,-NAME leaves one out", 0},
    {"against", 'a', "LIST", 0, "Peers by commas, listed below, or all that fit (default: none)", 0},
    {"mkl", KEY_MKL, "PATH", 0, "MKL's library or its folder (default: look in the usual places)", 0},
    {"threads", 't', "T", 0, "Threads to use (default: as many as are worth waking)", 0},
    {"repeat", 'r', "R", 0, "Runs of each (default: as many as fit a few seconds); medians are shown", 0},
    {"flush", KEY_FLUSH, NULL, 0,
     "Flush the caches before each run (default on cuda); otherwise they hold what of the inputs fits", 0},
    {"warm", KEY_WARM, NULL, 0, "Let the caches hold what of the inputs fits (default on the CPU)", 0},
    {"in-a-row", KEY_IN_A_ROW, "K", 0,
     "On cuda: a run is K solves queued one behind the other, its time divided by K; caches are warm", 0},
    {"json", 'j', NULL, 0, "One line of JSON for each method", 0},
    {"switch-point", KEY_SWITCH_POINT, "K", 0,
     "Steps of pcr before Thomas in pcr_thomas (default: from n and the cores; lass: that and 2 to 6)", 0},
    {NULL, 0, NULL, 0, "The sets of cases:", 3},
    {"output", 'o', "DIR", 0, "Of grid and lass: write results.jsonl, results.md and charts there", 0},
    {"large", KEY_LARGE, NULL, 0, "Of grid and choice: one system of 2^25 unknowns too (6 GB of memory)", 0},
    {"largest", KEY_LARGEST, "N", 0, "Of lass: systems of 2^23 unknowns up to N (default 2^26, 8 GB of memory)",
     0},
    {"quick", KEY_QUICK, NULL, 0,
     "Of grid: at most 7 runs of each; on cuda fewer and smaller cases. Of choice: fewer runs", 0},
    {"only", KEY_ONLY, "WORD", 0, "Of grid and choice: the families whose names begin so", 0},
    {"within", KEY_WITHIN, "SECONDS", 0,
     "Of grid and lass: after that time nothing new is begun, and what was measured is written", 0},
    {0},
};

/* By key: the cases that it has meaning for. */
static const struct {
    int key;
    int kinds;
} meanings[] = {
    {'n', SB_SINGLE | SB_BATCH},
    {'b', SB_BATCH},
    {'w', SB_SINGLE | SB_BATCH},
    {'e', SB_SINGLE | SB_BATCH},
    {'c', SB_SINGLE | SB_BATCH},
    {'l', SB_BATCH},
    {'d', SB_SINGLE | SB_BATCH},
    {KEY_IN_PLACE, SB_SINGLE | SB_BATCH},
    {KEY_FACTORED, SB_SINGLE | SB_BATCH},
    {KEY_PIVOTING, SB_SINGLE | SB_BATCH},
    {KEY_IN_A_ROW, SB_SINGLE | SB_BATCH},
    {'x', SB_SINGLE | SB_BATCH | SB_GRID},
    {KEY_WARM, SB_SINGLE | SB_BATCH | SB_GRID | SB_CHOICE},
    {KEY_QUICK, SB_GRID | SB_CHOICE},
    {KEY_ONLY, SB_GRID | SB_CHOICE},
    {KEY_WITHIN, SB_GRID | SB_LASS},
    {'y', SB_SINGLE | SB_BATCH | SB_GRID | SB_CHOICE},
    {'m', SB_SINGLE | SB_BATCH | SB_GRID},
    {'a', SB_SINGLE | SB_BATCH | SB_GRID | SB_LASS},
    {KEY_FLUSH, SB_SINGLE | SB_BATCH | SB_GRID | SB_CHOICE},
    {'j', SB_SINGLE | SB_BATCH | SB_CHOICE},
    {'o', SB_GRID | SB_LASS},
    {KEY_LARGE, SB_GRID | SB_CHOICE},
    {KEY_LARGEST, SB_LASS},
    {KEY_SWITCH_POINT, SB_SINGLE | SB_BATCH | SB_LASS},
};
enum { MEANINGS = sizeof meanings / sizeof *meanings };

static const struct {
    const char *name;
    int kind;
} kinds[] = {
    {"single", SB_SINGLE}, {"batch", SB_BATCH}, {"grid", SB_GRID}, {"choice", SB_CHOICE}, {"lass", SB_LASS}};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *sb_bench_kind_name(int kind)
{
    for (int k = 0; k < KINDS; ++k)
        if (kinds[k].kind == kind)
            return kinds[k].name;
    return "";
}

static const char *option_name(int key)
{
    const struct argp_option *option = sb_bench_options;
    while (option->key != key)
        ++option;
    return option->name;
}

static const char *const types[] = {"f32", "f64", "c64", "c128", NULL};
static const char *const ends[] = {"open", "periodic", NULL};
static const char *const pivotings[] = {"auto", "none", "partial", NULL};
static const char *const coefficients[] = {"own", "shared", "toeplitz", NULL};

static error_t parse_case(sb_bench_settings *s, int key, char *text)
{
    sb_bench_case *c = &s->the_case;
    int word = 0;
    error_t error;
    switch (key) {
    case 'y':
        error = sb_option_word("--type", text, types, &word, &s->failure);
        c->scalar = (slimband_scalar)word;
        return error;
    case 'n':
        return sb_option_integer("--size", text, 1, INT64_C(1) << 40, &c->n, &s->failure);
    case 'b':
        return sb_option_integer("--batch", text, 1, INT64_C(1) << 40, &c->systems, &s->failure);
    case 'w':
        return sb_bench_parse_band(c, text, &s->failure);
    case 'e':
        error = sb_option_word("--ends", text, ends, &word, &s->failure);
        c->ends = word ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
        return error;
    case 'c':
        error = sb_option_word("--coefficients", text, coefficients, &word, &s->failure);
        c->coefficients = (slimband_coefficients)word;
        return error;
    case 'l':
        return sb_bench_parse_layout(c, text, &s->failure);
    case 'd':
        return sb_option_positive("--dominance", text, &c->dominance, &s->failure);
    case KEY_PIVOTING:
        error = sb_option_word("--pivoting", text, pivotings, &word, &s->failure);
        c->pivoting = (slimband_pivoting)word;
        return error;
    case KEY_IN_PLACE:
        c->in_place = true;
        return 0;
    case KEY_FACTORED:
        c->factored = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_measurement(sb_bench_settings *s, int key, char *text)
{
    switch (key) {
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &s->threads, &s->failure);
    case 'r':
        return sb_option_integer("--repeat", text, 1, 100000, &s->repeat, &s->failure);
    case KEY_IN_A_ROW:
        return sb_option_integer("--in-a-row", text, 1, 1000, &s->in_a_row, &s->failure);
    case KEY_SWITCH_POINT:
        return sb_option_integer("--switch-point", text, 0, 30, &s->switch_point, &s->failure);
    case KEY_LARGEST:
        return sb_option_integer("--largest", text, 1, INT64_C(1) << 31, &s->largest, &s->failure);
    case KEY_WITHIN:
        return sb_option_integer("--within", text, 1, INT64_C(1) << 31, &s->within, &s->failure);
    case 'm':
        s->methods = text;
        return 0;
    case 'a':
        s->against = text;
        return 0;
    case KEY_MKL:
        s->mkl = text;
        return 0;
    case 'o':
        s->output = text;
        return 0;
    case 'x':
        return sb_option_word("--executor", text, sb_place_names, &s->executor, &s->failure);
    case KEY_ONLY:
        s->only = text;
        return 0;
    case KEY_FLUSH:
        s->flush = true;
        return 0;
    case KEY_WARM:
        s->warm = true;
        return 0;
    case KEY_QUICK:
        s->quick = true;
        return 0;
    case 'j':
        s->json = true;
        return 0;
    case KEY_LARGE:
        s->large = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_kind(sb_bench_settings *s, const char *text)
{
    if (s->kind)
        return ARGP_ERR_UNKNOWN;
    for (int k = 0; k < KINDS; ++k)
        if (!strcmp(kinds[k].name, text))
            s->kind = kinds[k].kind;
    if (!s->kind)
        sb_fail(&s->failure, "unknown case '%s': " SB_BENCH_CASES, text);
    return s->kind ? 0 : EINVAL;
}

error_t sb_bench_parse(int key, char *text, struct argp_state *state)
{
    sb_bench_settings *s = state->input;
    for (int k = 0; k < MEANINGS; ++k)
        s->given |= meanings[k].key == key ? 1u << k : 0;
    if (key == ARGP_KEY_ARG)
        return parse_kind(s, text);
    error_t error = parse_case(s, key, text);
    return error == ARGP_ERR_UNKNOWN ? parse_measurement(s, key, text) : error;
}

bool sb_bench_settle(sb_bench_settings *s)
{
    sb_bench_case *c = &s->the_case;
    if (!s->kind)
        return sb_fail(&s->failure, "which case? slimband bench " SB_BENCH_CASES);
    for (int k = 0; k < MEANINGS; ++k)
        if (s->given >> k & 1 && !(meanings[k].kinds & s->kind))
            return sb_fail(&s->failure, "--%s has no meaning for the case %s", option_name(meanings[k].key),
                           sb_bench_kind_name(s->kind));
    if (s->flush && s->warm)
        return sb_fail(&s->failure, "--flush and --warm: caches are either cold or warm");
    if (s->in_a_row && !s->executor)
        return sb_fail(&s->failure, "--in-a-row needs --executor cuda: here a solve has ended when it returns");
    if (s->in_a_row && (c->in_place || s->flush))
        return sb_fail(&s->failure, "--in-a-row and --%s: solves behind the first one find neither",
                       s->flush ? "flush" : "in-place");
    if (s->executor && s->kind == SB_GRID && s->large)
        return sb_fail(&s->failure, "--large has no meaning for the grid of --executor cuda");
    if (s->kind & (SB_GRID | SB_LASS) && !s->output)
        return sb_fail(&s->failure, "--output is missing: the folder for the results");
    c->factored &= c->coefficients == SLIMBAND_OWN;
    c->batch = s->kind == SB_BATCH;
    c->n = c->n ? c->n : c->batch ? 1024 : 1048576;
    c->systems = !c->batch ? 1 : c->systems ? c->systems : 4096;
    return true;
}
