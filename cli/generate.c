/* slimband generate: one of the 16 test matrices as a .npy file in SciPy's solve_banded layout, 3 x n. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/npy.h"
#include "gallery/gallery.h"

typedef struct generate {
    const sb_gallery_matrix *matrix;
    bool list;
    int64_t size, seed;
    int type;
    const char *output;
    sb_failure failure;
} generate;

static const char *const types[] = {"f64", "f32", NULL};

static const struct argp_option options[] = {
    {"matrix", 'm', "NAME", 0, "Which one: a name or a number of the list below; 'list' prints that list", 0},
    {"size", 'n', "N", 0, "Rows", 0},
    {"seed", 's', "S", 0, "Of the random entries (default 1): the same numbers on every machine", 0},
    {"type", 't', "TYPE", 0, "f64 (default) or f32, the same numbers rounded", 0},
    {"output", 'o', "AB.NPY", 0, "The file to write: 3 x N, ab[1 + i - j, j] = A[i, j], unused corners 0", 0},
    {0},
};

static error_t choose_matrix(generate *g, const char *name)
{
    g->list = !strcmp(name, "list");
    g->matrix = sb_gallery_find(name);
    if (g->list || g->matrix)
        return 0;
    sb_fail(&g->failure, "--matrix: there is no '%s'; --matrix list shows the names", name);
    return EINVAL;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    generate *g = state->input;
    switch (key) {
    case 'm':
        return choose_matrix(g, text);
    case 'n':
        return sb_option_integer("--size", text, 1, INT64_C(1) << 40, &g->size, &g->failure);
    case 's':
        return sb_option_integer("--seed", text, 0, INT64_MAX, &g->seed, &g->failure);
    case 't':
        return sb_option_word("--type", text, types, &g->type, &g->failure);
    case 'o':
        g->output = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void write_list(FILE *stream)
{
    for (int i = 0; i < SB_GALLERY_COUNT; ++i) {
        const sb_gallery_matrix *matrix = sb_gallery_at(i);
        fprintf(stream, "%2d  %-18s  %s\n", matrix->number, matrix->name, matrix->description);
    }
}

static void write_matrices(FILE *stream)
{
    fputs("The matrices:\n", stream);
    write_list(stream);
}

static char *help(int key, const char *text, void *input)
{
    (void)input;
    return sb_help_with(key, text, write_matrices);
}

/* Columns of ab belong to columns of A: what row i couples to stands in column i - 1, i or i + 1. */
static void to_columns(int64_t n, sb_tridiagonal A)
{
    if (n > 1) {
        memmove(A.upper + 1, A.upper, (size_t)(n - 1) * sizeof(double));
        memmove(A.lower, A.lower + 1, (size_t)(n - 1) * sizeof(double));
    }
    A.upper[0] = A.lower[n - 1] = 0;
}

static void round_to_f32(double *numbers, int64_t count)
{
    unsigned char *bytes = (unsigned char *)numbers;
    for (int64_t i = 0; i < count; ++i) {
        float rounded = (float)numbers[i];
        memcpy(bytes + (size_t)i * sizeof rounded, &rounded, sizeof rounded);
    }
}

static bool fill_and_write(generate *g, sb_npy *ab, sb_output *output)
{
    double *numbers = ab->data;
    sb_tridiagonal A = {numbers + 2 * g->size, numbers + g->size, numbers};
    const char *complaint = sb_gallery_fill(g->matrix, g->size, (uint64_t)g->seed, A);
    if (complaint)
        return sb_fail(&g->failure, "--matrix %s --size %lld: %s", g->matrix->name, (long long)g->size,
                       complaint);
    to_columns(g->size, A);
    if (ab->scalar == SLIMBAND_F32)
        round_to_f32(numbers, 3 * g->size);
    sb_npy_write(ab, output);
    return sb_output_finish(output, &g->failure) && sb_output_commit_reported(output, NULL, &g->failure);
}

static bool work(void *settings)
{
    generate *g = settings;
    if (g->list) {
        write_list(stdout);
        return true;
    }
    if (!g->matrix || !g->size || !g->output)
        return sb_fail(&g->failure, "%s is missing",
                       !g->matrix ? "--matrix"
                       : !g->size ? "--size"
                                  : "--output");
    sb_npy ab = {.scalar = g->type ? SLIMBAND_F32 : SLIMBAND_F64, .rank = 2, .shape = {3, g->size}};
    ab.data = malloc((size_t)g->size * 3 * sizeof(double));
    if (!ab.data)
        return sb_fail(&g->failure, "--size %lld: not enough memory", (long long)g->size);
    sb_output output;
    bool good = sb_output_open(&output, g->output, &g->failure);
    if (good) {
        good = fill_and_write(g, &ab, &output);
        sb_output_discard(&output);
    }
    sb_npy_free(&ab);
    return good;
}

int sb_command_generate(int argc, char **argv)
{
    static const struct argp argp = {options, parse, NULL, "Write a tridiagonal test matrix of the literature.",
                                     NULL,    help,  NULL};
    generate g = {.seed = 1};
    return sb_command_run(&argp, argc, argv, &g, &g.failure, work);
}
