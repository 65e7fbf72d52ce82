/* slimband solve: its options. */
#include "cli/solve.h"

#include "cli/command.h"

enum { MOST_THREADS = 4096, MOST_REFINEMENTS = 100 };

static const char *const pivotings[] = {"auto", "none", "partial", NULL}; /* as slimband_pivoting counts */

static const struct argp_option options[] = {
    {"matrix", 'm', "FILE", 0,
     "The matrix: .npy in SciPy's solve_banded layout, ab[U + i - j, j] = A[i, j], (L + U + 1) x n; or with a "
     "leading axis of one matrix per line of the right-hand side, in C order of its other axes; or a Matrix "
     "Market file",
     0},
    {"lower", 'l', "L", 0, "Diagonals below the main one, 0 to 8 (a Matrix Market file's are detected)", 0},
    {"upper", 'u', "U", 0, "Diagonals above the main one, 0 to 8", 0},
    {"rhs", 'b', "FILE", 0, "The right-hand sides: .npy of rank 1 to 4, C or Fortran order", 0},
    {"output", 'o', "FILE", 0, "The solutions: .npy of the right-hand side's shape and order", 0},
    {"periodic", 'p', NULL, 0, "The matrix is a ring: ab[U + i - j, j] is added to A[i mod n, j]", 0},
    {"axis", 'a', "K", 0, "Axis of the right-hand side to solve along (default -1, the last)", 0},
    {"method", 'M', "NAME", 0, "One of slimband methods (default auto)", 0},
    {"pivoting", 'P', "WHEN", 0, "auto (default), none or partial", 0},
    {"threads", 't', "T", 0, "Threads (default: as many as are worth waking)", 0},
    {"refine", 'r', "R", 0, "Steps of iterative refinement (default 0)", 0},
    {"check", 'c', NULL, 0, "Look for NaN and Inf in the input and say where they are", 0},
    {"json", 'j', NULL, 0, "Print the report as one JSON object", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    sb_solve *s = state->input;
    switch (key) {
    case 'm':
        s->matrix = text;
        return 0;
    case 'l':
        return sb_option_integer("--lower", text, 0, SLIMBAND_MAX_BANDWIDTH, &s->lower, &s->failure);
    case 'u':
        return sb_option_integer("--upper", text, 0, SLIMBAND_MAX_BANDWIDTH, &s->upper, &s->failure);
    case 'b':
        s->rhs = text;
        return 0;
    case 'o':
        s->output = text;
        return 0;
    case 'p':
        s->periodic = true;
        return 0;
    case 'a':
        return sb_option_integer("--axis", text, -SB_NPY_MAX_RANK, SB_NPY_MAX_RANK - 1, &s->axis, &s->failure);
    case 'M':
        s->method = text;
        return 0;
    case 'P':
        return sb_option_word("--pivoting", text, pivotings, &s->pivoting, &s->failure);
    case 't':
        return sb_option_integer("--threads", text, 1, MOST_THREADS, &s->threads, &s->failure);
    case 'r':
        return sb_option_integer("--refine", text, 0, MOST_REFINEMENTS, &s->refinements, &s->failure);
    case 'c':
        s->check = true;
        return 0;
    case 'j':
        s->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool work(void *settings)
{
    sb_solve *s = settings;
    const char *missing = !s->matrix ? "--matrix" : !s->rhs ? "--rhs" : !s->output ? "--output" : NULL;
    if (missing)
        return sb_fail(&s->failure, "%s is missing", missing);
    return sb_solve_run(s);
}

int sb_command_solve(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, NULL, "Solve banded systems A x = b along one axis of an array.", NULL, NULL, NULL};
    sb_solve s = {.method = SLIMBAND_AUTO, .lower = -1, .upper = -1, .axis = -1};
    return sb_command_run(&argp, argc, argv, &s, &s.failure, work);
}
