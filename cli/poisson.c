/* slimband poisson: its options. */
#include "cli/poisson.h"

#include <errno.h>

#include "cli/command.h"
#include "cli/lists.h"
#include "cli/output.h"

const char *const sb_poisson_walls[] = {"dd", "dn", "nd", "nn", "pp", NULL};
const char *const sb_poisson_centrings[] = {"node", "cell", NULL};
static const char *const types[] = {"f32", "f64", NULL};
static const char *const executors[] = {"cpu", "cuda", NULL};

enum { KEY_CENTRING = 0x400, KEY_MEAN };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The problem:", 1},
    {"size", 'n', "N[,N[,N]]", 0, "Unknowns along each axis (default: the right-hand side's shape)", 0},
    {"length", 'L', "L[,L[,L]]", 0, "Of each axis (default 1)", 0},
    {"ends", 'e', "E[,E[,E]]", 0,
     "Of each axis, two letters: d for u given (Dirichlet), n for its slope given (Neumann), or pp for "
     "periodic: dd "
     "(default), dn, nd, nn, pp",
     0},
    {"centring", KEY_CENTRING, "WHERE", 0,
     "node (default): a Dirichlet wall is no unknown, a Neumann wall is one; cell: walls are half a cell away",
     0},
    {"lambda", 'l', "NUMBER", 0, "Of (lambda - Laplacian) u = f (default 0)", 0},
    {"mean", KEY_MEAN, "NUMBER", 0, "Of u, where it is not determined (default 0)", 0},
    {"rhs", 'b', "FILE", 0,
     "f on the unknowns, .npy of that shape, or several with a leading axis (default: that of a known "
     "solution, and the "
     "error is printed)",
     0},
    {"boundary", 'B', "VALUES", 0,
     "At the walls (default zero): constants by commas, lower and upper end of each axis, or an .npz file with "
     "low0, "
     "high0, low1, ... over the other axes; slopes are along the axis",
     0},
    {NULL, 0, NULL, 0, "The solution:", 2},
    {"output", 'o', "FILE", 0, "u as .npy", 0},
    {"picture", 'p', "FILE", 0, "u as .png; of three axes the middle plane of the first", 0},
    {"method", 'M', "NAME", 0, "auto (default), spectral, bcr2 or bcr4", 0},
    {"executor", 'x', "WHERE", 0, "cpu (default) or cuda", 0},
    {"threads", 't', "T", 0, "Threads (default: all)", 0},
    {"type", 'y', "TYPE", 0, "f64 or f32, of the known solution (default f64); a file brings its own", 0},
    {"json", 'j', NULL, 0, "Report as one JSON object", 0},
    {0},
};

static error_t parse_number(const char *option, const char *text, double *value, sb_failure *failure)
{
    int count;
    return sb_option_numbers(option, text, false, 1, value, &count, failure);
}

static error_t parse_problem(sb_poisson *s, int key, char *text)
{
    enum { most = SLIMBAND_POISSON_MAX_RANK };
    switch (key) {
    case 'n':
        return sb_option_integers("--size", text, 1, INT64_C(1) << 40, most, s->size, &s->sizes, &s->failure);
    case 'L':
        return sb_option_numbers("--length", text, true, most, s->length, &s->lengths, &s->failure);
    case 'e':
        return sb_option_words("--ends", text, sb_poisson_walls, most, s->walls, &s->ends, &s->failure);
    case KEY_CENTRING:
        return sb_option_word("--centring", text, sb_poisson_centrings, &s->centring, &s->failure);
    case 'l':
        return parse_number("--lambda", text, &s->lambda, &s->failure);
    case KEY_MEAN:
        s->mean_given = true;
        return parse_number("--mean", text, &s->mean, &s->failure);
    case 'y':
        s->type_given = true;
        return sb_option_word("--type", text, types, &s->type, &s->failure);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    sb_poisson *s = state->input;
    switch (key) {
    case 'b':
        s->rhs = text;
        return 0;
    case 'B':
        s->boundary = text;
        return 0;
    case 'o':
        s->output = text;
        return 0;
    case 'p':
        s->picture = text;
        return 0;
    case 'M':
        s->method = text;
        return 0;
    case 'x':
        return sb_option_word("--executor", text, executors, &s->executor, &s->failure);
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &s->threads, &s->failure);
    case 'j':
        s->json = true;
        return 0;
    default:
        return parse_problem(s, key, text);
    }
}

static bool work(void *settings)
{
    sb_poisson *s = settings;
    if (!s->sizes && !s->rhs)
        return sb_fail(&s->failure, "--size is missing: slimband poisson --size 1023,1023");
    if (s->boundary && !s->rhs)
        return sb_fail(&s->failure,
                       "--boundary needs --rhs: the known solution brings its own values at the walls");
    if (s->type_given && s->rhs)
        return sb_fail(&s->failure, "--type has no meaning with --rhs, whose file says the type");
    if (s->output && s->picture && sb_output_same(s->output, s->picture))
        return sb_fail(&s->failure, "--output and --picture are the same file, %s", s->output);
    return sb_poisson_run(s);
}

int sb_command_poisson(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Solve (lambda - Laplacian) u = f on an interval, a rectangle or a box, by "
        "second-order differences.",
        NULL,
        NULL,
        NULL};
    sb_poisson s = {.method = SLIMBAND_AUTO, .type = SLIMBAND_F64};
    return sb_command_run(&argp, argc, argv, &s, &s.failure, work);
}
