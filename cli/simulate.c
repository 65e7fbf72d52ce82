/* slimband simulate: its options. */
#include "cli/simulate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/lists.h"

enum { KEY_WAVES = 0x300, KEY_SPEED, KEY_CENTRING, KEY_ORDER, KEY_AMPLITUDE, KEY_MEAN, KEY_FORCED, KEY_MEMBER };

static const char *const types[] = {"f32", "f64", NULL};
static const char *const executors[] = {"cpu", "cuda", NULL};
static const char *const centrings[] = {"node", "cell", NULL};
static const char *const wall_names[] = {"dd", "dn", "nd",
                                         "nn", "pp", NULL}; /* as slimband_walls counts, from 1 */

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The problem:", 1},
    {"size", 'n', "N[,N[,N]]", 0, "Points along each axis, the last one lying closest together in memory", 0},
    {"batch", 'b', "B", 0, "Members, side by side (default 1)", 0},
    {"steps", 's', "S", 0, "Time steps", 0},
    {"dt", 'd', "DT", 0, "The time step", 0},
    {"gamma", 'g', "A[:B]", 0, "Surface tension, from the first member's to the last one's (default 1)", 0},
    {"diffusivity", 'D', "A[:B]", 0, "The same for diffusivity or mobility (default 1)", 0},
    {"forcing", 'f', "A[:B]", 0, "The same for the height of a travelling wave that pushes (default 0)", 0},
    {"forcing-waves", KEY_FORCED, "K", 0, "Its periods in the ring (default 1)", 0},
    {"forcing-speed", KEY_SPEED, "V", 0, "Its speed (default 0)", 0},
    {"length", 'l', "L[,L[,L]]", 0, "Of each axis (default 1)", 0},
    {"ends", 'e', "E[,E[,E]]", 0,
     "Of each axis of heat: dd, dn, nd, nn or pp; Dirichlet, Neumann or periodic walls (default pp)", 0},
    {"boundary", 'B', "V,V[,V,V...]", 0,
     "At the lower and the upper end of each axis of heat: u, or du/dx at Neumann walls (default 0)", 0},
    {"centring", KEY_CENTRING, "WHERE", 0,
     "node (default): a wall is a node of the grid; cell: half a cell away", 0},
    {"order", KEY_ORDER, "2|4", 0, "Of heat's differences: tridiagonal (default) or pentadiagonal", 0},
    {NULL, 0, NULL, 0, "The start:", 2},
    {"initial", 'i', "WHAT", 0,
     "wave, random, block or a .npy file (default: hyperdiffusion wave, cahn-hilliard random, heat block)", 0},
    {"waves", KEY_WAVES, "K", 0, "Of a wave: its number (default 2)", 0},
    {"amplitude", KEY_AMPLITUDE, "A", 0, "Of wave, random or block (default 1; cahn-hilliard 0.1)", 0},
    {"mean", KEY_MEAN, "M", 0, "What it is added to (default 0)", 0},
    {"seed", 'r', "SEED", 0, "Of random numbers (default 1)", 0},
    {NULL, 0, NULL, 0, "The run:", 3},
    {"type", 'y', "TYPE", 0, "f64 (default) or f32", 0},
    {"threads", 't', "T", 0, "Threads (default: all)", 0},
    {"executor", 'x', "WHERE", 0, "cpu (default) or cuda", 0},
    {"output", 'o', "FILE", 0, "The final state as .npy: [members,] points", 0},
    {"every", 'k', "K", 0, "Instead, the states after 0, K, 2 K, ... steps, as a leading axis", 0},
    {"picture", 'p', "FILE", 0,
     "A .png of a member: a ring in time (downwards), a field at the end, of three axes the middle plane", 0},
    {"member", KEY_MEMBER, "M", 0, "Whose picture (default 0)", 0},
    {"checkpoint", 'c', "FILE", 0,
     "Where to keep an interrupted run; if the file is there, the run goes on from it, to the same bits. "
     "Removed at the "
     "end",
     0},
    {"json", 'j', NULL, 0, "Report as one JSON object", 0},
    {0},
};

static error_t number(const char *option, const char *text, double *value, sb_failure *failure)
{
    char *end;
    double read = strtod(text, &end);
    if (end != text && !*end && isfinite(read)) {
        *value = read;
        return 0;
    }
    sb_fail(failure, "%s must be a number, not '%s'", option, text);
    return EINVAL;
}

static error_t range(const char *option, const char *text, sb_range *range, sb_failure *failure)
{
    char *end;
    range->given = true;
    range->first = range->last = strtod(text, &end);
    bool good = end != text && (!*end || *end == ':');
    if (good && *end) {
        const char *second = end + 1;
        range->last = strtod(second, &end);
        good = end != second && !*end;
    }
    if (good && isfinite(range->first) && isfinite(range->last))
        return 0;
    sb_fail(failure, "%s must be a number or two with a colon between, not '%s'", option, text);
    return EINVAL;
}

static error_t ends(sb_simulate *s, const char *text)
{
    int words[SLIMBAND_STEPPER_MAX_RANK];
    error_t error =
        sb_option_words("--ends", text, wall_names, SLIMBAND_STEPPER_MAX_RANK, words, &s->ends, &s->failure);
    for (int a = 0; !error && a < s->ends; ++a)
        s->walls[a] = (slimband_walls)(words[a] + 1);
    return error;
}

static error_t parse_problem(sb_simulate *s, int key, char *text)
{
    switch (key) {
    case 'n':
        return sb_option_integers("--size", text, 1, INT64_C(1) << 40, SLIMBAND_STEPPER_MAX_RANK, s->size,
                                  &s->sizes, &s->failure);
    case 'l':
        return sb_option_numbers("--length", text, true, SLIMBAND_STEPPER_MAX_RANK, s->length, &s->lengths,
                                 &s->failure);
    case 'e':
        return ends(s, text);
    case 'B':
        return sb_option_numbers("--boundary", text, false, 2 * SLIMBAND_STEPPER_MAX_RANK, s->boundary,
                                 &s->boundaries, &s->failure);
    case 'b':
        s->batched = true;
        return sb_option_integer("--batch", text, 1, INT64_C(1) << 40, &s->batch, &s->failure);
    case 's':
        return sb_option_integer("--steps", text, 0, INT64_MAX, &s->steps, &s->failure);
    case 'd':
        return sb_option_positive("--dt", text, &s->dt, &s->failure);
    case 'g':
        return range("--gamma", text, &s->gamma, &s->failure);
    case 'D':
        return range("--diffusivity", text, &s->diffusivity, &s->failure);
    case 'f':
        return range("--forcing", text, &s->forcing, &s->failure);
    case KEY_FORCED:
        return sb_option_integer("--forcing-waves", text, 0, INT64_C(1) << 30, &s->forcing_waves, &s->failure);
    case KEY_SPEED:
        return number("--forcing-speed", text, &s->forcing_speed, &s->failure);
    case KEY_CENTRING:
        return sb_option_word("--centring", text, centrings, &s->centring, &s->failure);
    case KEY_ORDER:
        return sb_option_integer("--order", text, 2, 4, &s->order, &s->failure);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_start(sb_simulate *s, int key, char *text)
{
    switch (key) {
    case 'i':
        s->initial_file = text;
        return 0;
    case KEY_WAVES:
        return sb_option_integer("--waves", text, 0, INT64_C(1) << 30, &s->waves, &s->failure);
    case KEY_AMPLITUDE:
        return number("--amplitude", text, &s->amplitude, &s->failure);
    case KEY_MEAN:
        return number("--mean", text, &s->mean, &s->failure);
    case 'r':
        return sb_option_integer("--seed", text, 0, INT64_MAX, &s->seed, &s->failure);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_run(sb_simulate *s, int key, char *text)
{
    int word = 0;
    error_t error;
    switch (key) {
    case 'y':
        error = sb_option_word("--type", text, types, &word, &s->failure);
        s->scalar = word ? SLIMBAND_F64 : SLIMBAND_F32;
        return error;
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &s->threads, &s->failure);
    case 'x':
        error = sb_option_word("--executor", text, executors, &word, &s->failure);
        s->cuda = word == 1;
        return error;
    case 'o':
        s->output = text;
        return 0;
    case 'k':
        return sb_option_integer("--every", text, 1, INT64_MAX, &s->every, &s->failure);
    case 'p':
        s->picture = text;
        return 0;
    case KEY_MEMBER:
        return sb_option_integer("--member", text, 0, INT64_MAX, &s->member, &s->failure);
    case 'c':
        s->checkpoint = text;
        return 0;
    case 'j':
        s->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (s->what)
            return ARGP_ERR_UNKNOWN;
        s->what = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    sb_simulate *s = state->input;
    error_t error = parse_problem(s, key, text);
    error = error == ARGP_ERR_UNKNOWN ? parse_start(s, key, text) : error;
    return error == ARGP_ERR_UNKNOWN ? parse_run(s, key, text) : error;
}

static bool finish(sb_simulation *run)
{
    sb_failure *failure = &run->settings->failure;
    return sb_simulation_write(run) && sb_output_finish(&run->output, failure) &&
           sb_output_finish(&run->picture, failure);
}

/* Where a link led to it, the link stays, as it did when the checkpoint was written. */
static bool remove_checkpoint(sb_simulation *run)
{
    const char *path = run->settings->checkpoint;
    char *end = realpath(path, NULL);
    bool gone = (end && !remove(end)) || errno == ENOENT;
    if (!gone)
        sb_fail_system(&run->settings->failure, path, errno);
    free(end);
    return gone;
}

/* No file is renamed before all is written, the report included; then the checkpoint has done its work. */
static bool commit(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    sb_failure *failure = &run->settings->failure;
    if (!sb_output_commit_reported(&run->output, &run->picture, failure))
        return false;
    return !s->checkpoint || remove_checkpoint(run);
}

static bool simulate(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    return sb_simulation_prepare(run) && (!s->checkpoint || sb_simulation_resume(run)) &&
           (!s->output || sb_output_open(&run->output, s->output, &s->failure)) &&
           (!s->picture || sb_output_open(&run->picture, s->picture, &s->failure)) &&
           sb_simulation_steps(run) && finish(run);
}

static void clear(sb_simulation *run)
{
    sb_output_discard(&run->output);
    sb_output_discard(&run->picture);
    slimband_stepper_destroy(run->stepper);
    void *const memory[] = {run->gamma, run->diffusivity, run->forcing,     run->state,
                            run->means, run->energies,    run->frames.data, run->rows.data};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k)
        free(memory[k]);
}

static bool work(void *settings)
{
    sb_simulate *s = settings;
    if (!sb_simulate_settle(s))
        return false;
    sb_simulation run = {.settings = s};
    sb_progress_begin(&run.progress);
    bool done = simulate(&run);
    sb_progress_end(&run.progress);
    done = done && sb_simulation_tell(&run) && commit(&run);
    clear(&run);
    return done;
}

int sb_command_simulate(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     "hyperdiffusion|cahn-hilliard|heat2d|heat3d",
                                     "Run implicit time steps: C_t = -gamma D C_xxxx + F, C_t = D (C^3 - C - "
                                     "gamma C_xx)_xx + F (both on a ring), or "
                                     "u_t = D Laplacian u between walls, in batches.",
                                     NULL,
                                     NULL,
                                     NULL};
    sb_simulate s = {.scalar = SLIMBAND_F64,
                     .order = 2,
                     .batch = 1,
                     .steps = -1,
                     .seed = 1,
                     .waves = 2,
                     .forcing_waves = -1,
                     .forcing_speed = NAN,
                     .dt = NAN,
                     .amplitude = NAN,
                     .length = {1, 1, 1},
                     .walls = {SLIMBAND_WALLS_PP, SLIMBAND_WALLS_PP, SLIMBAND_WALLS_PP}};
    int code = sb_command_run(&argp, argc, argv, &s, &s.failure, work);
    return s.interrupted ? 128 + s.interrupted : code;
}
