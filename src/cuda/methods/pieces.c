/* tile, of lines of one matrix that are too long for it: in pieces. */
#include "src/cuda/tile/pieces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/cuda/methods/methods.h"
#include "src/cuda/scratch.h"
#include "src/cuda/tile/grid.h"
#include "src/cuda/tile/rate.h"

/* A piece as a problem of its own; so is what its setup points at. */
typedef struct part {
    slimband_problem problem;
    sb_cuda_setup setup;
} part;

static void take(const sb_cuda_setup *setup, int64_t rows, part *piece)
{
    piece->problem = *setup->problem;
    piece->problem.n = rows;
    piece->problem.ends = SLIMBAND_OPEN;
    piece->problem.one_pass = false;
    piece->setup = *setup;
    piece->setup.problem = &piece->problem;
    piece->setup.longest = rows;
}

static void plan_piece(const sb_cuda_setup *setup, int64_t rows, sb_tile_plan *plan, int64_t *tables)
{
    int64_t state[SB_CUDA_STATE];
    part piece;
    take(setup, rows, &piece);
    sb_cuda_tile_method.prepare(&piece.setup, state);
    memcpy(plan, state, sizeof *plan);
    *tables = 2 * sb_tile_layout(sb_tile_cut_of(plan)).total;
}

/* Bytes a microsecond, on an H200, of a launch that solves a piece of each line, and 0 if none does; blocks of a cluster. */
static double rate_of(const sb_cuda_setup *setup, int64_t rows, int *blocks)
{
    part piece;
    sb_tile_plan plan;
    int64_t tables;
    take(setup, rows, &piece);
    if (sb_cuda_tile_method.fits(&piece.setup))
        return 0;
    plan_piece(setup, rows, &plan, &tables);
    *blocks = sb_tile_cut_of(&plan)->blocks / (plan.form == SB_TILE_LINES ? plan.line.near : 1);
    return sb_tile_rate(&piece.setup, &plan);
}

/* Microseconds, on an H200: of launches, of clusters that come where others have been and bring their tables, of all rows by tile, of those
   that spikes reach, of the ends' equations, and in one pass of the factors. Whether couplings die away is not known: spikes are
   taken to reach so many rows of a piece, as they did of a matrix of dominance 2, what a piece needs to begin counted in. */
static double time_in(const sb_cuda_setup *setup, const sb_pieces_shape *s)
{
    static const double factor_row[] = {[1] = 0.45, [2] = 0.55, [4] = 1.2};
    static const double reached_by[2][5] = {{[1] = 90, [2] = 230, [4] = 350},
                                            {[1] = 170, [2] = 340, [4] = 560}};
    const bool real = setup->problem->scalar < SLIMBAND_C64;
    const double begin = 24, one_more = 60, mends = real ? 3.8e6 : 3.3e6, reached = reached_by[s->lines][s->k],
                 end = real ? 3e-5 : 1e-4, ends = real ? 1.4e-3 : 0, inverted = 0.07, round = 6;
    const double each = (double)setup->systems, bytes = 2 * each * (double)setup->scalar_bytes,
                 order = (double)(2 * s->k * s->count);
    int blocks = 1, of_last;
    const double rate = rate_of(setup, s->rows, &blocks),
                 last = s->even < s->count ? rate_of(setup, s->rest, &of_last) : rate;
    if (!(rate > 0 && last > 0))
        return INFINITY;
    const double rounds = ceil((double)s->even * blocks / setup->device->processors);
    double time = begin + (rounds - 1) * round + (double)(s->even * s->rows) * bytes / rate +
                  each * (ends + order * end) +
                  fmin((double)s->count * reached, (double)setup->longest) * bytes / mends;
    if (s->even < s->count)
        time += one_more + (double)s->rest * bytes / last;
    if (setup->problem->one_pass)
        time += factor_row[s->k] * (double)(s->rows + s->rest) + inverted * order * order;
    return time;
}

/* Pieces begin on lines of memory where systems do. */
static void cut(const sb_cuda_setup *setup, int64_t count, sb_pieces_shape *s)
{
    const int64_t line = 128 / (int64_t)setup->scalar_bytes, rows = sb_cuda_parts(setup->longest, count),
                  whole = sb_cuda_parts(rows, line) * line;
    s->count = count;
    s->rows = setup->longest - (count - 1) * whole < SB_PIECES_LEAST_ROWS ? rows : whole;
    s->rest = setup->longest - (count - 1) * s->rows;
    s->even = s->rest == s->rows ? count : count - 1;
}

static bool choose(const sb_cuda_setup *setup, sb_pieces_shape *s)
{
    const int64_t given = setup->options.slice, least = given ? given : 2,
                  order = SB_PIECES_MOST_ORDER / (2 * s->k),
                  most = given                    ? given
                         : order < SB_PIECES_MOST ? order
                                                  : SB_PIECES_MOST;
    enum { FEW = 16, COARSE = 8 }; /* not all of many counts are tried, if they do not divide the lines */
    sb_pieces_shape now = *s;
    s->microseconds = INFINITY;
    for (int64_t count = least; count <= most && count <= order; ++count) {
        cut(setup, count, &now);
        if (now.rest < SB_PIECES_LEAST_ROWS || (count > FEW && now.even < count && count % COARSE && !given))
            continue;
        now.microseconds = time_in(setup, &now);
        if (now.microseconds < s->microseconds)
            *s = now;
    }
    return s->microseconds < INFINITY;
}

/* Stored: what solves need. Scratch: `taken` of tile, then what either a solve or factor needs. */
static void measure(const sb_cuda_setup *setup, sb_pieces_shape *s)
{
    const size_t bytes = setup->scalar_bytes, width = 2 * (size_t)s->k, n = (size_t)setup->longest,
                 order = width * (size_t)s->count, each = (size_t)setup->systems;
    const size_t tables = (size_t)(s->even * s->tables[0] + (s->count - s->even) * s->tables[1]);
    size_t stored = 0, used = 0;
    (void)sb_cuda_take(&stored, sb_times(tables, bytes));
    s->spikes_at = sb_cuda_take(&stored, sb_times(2 * n * width, bytes));
    s->inverse_at = sb_cuda_take(&stored, 2 * order * (order * bytes + 2 * sizeof(int16_t)));
    s->reach_at = sb_cuda_take(&stored, 2 * (size_t)s->count * sizeof(sb_pieces_reach));
    s->records_at = sb_cuda_take(&stored, (size_t)s->count * sizeof(sb_cuda_matrix));
    (void)sb_cuda_take(&used, (size_t)s->count * SB_TILE_TAKEN * sizeof(unsigned));
    s->outcomes_at = sb_cuda_take(&used, sb_times(sb_times(each, (size_t)s->count), sizeof(sb_cuda_outcome)));
    const size_t factors = sb_times(2 * (n * (size_t)s->k + 2 * order * order), bytes),
                 ends = sb_times(sb_times(each, order), bytes);
    s->ends_at = sb_cuda_take(&used, ends > factors ? ends : factors);
    s->stored = stored;
    s->scratch = used;
}

bool sb_pieces_arrange(const sb_cuda_setup *setup, sb_pieces_shape *s)
{
    const slimband_problem *p = setup->problem;
    *s = (sb_pieces_shape){.k = sb_tile_half_band(p), .lines = p->solution.line == 1};
    if (!choose(setup, s))
        return false;
    plan_piece(setup, s->rows, &s->evens, &s->tables[0]);
    plan_piece(setup, s->rest, &s->last, &s->tables[1]);
    measure(setup, s);
    return true;
}

int64_t sb_pieces_asked_for(const char *option)
{
    for (int count = 2; count <= SB_PIECES_MOST; ++count) {
        char name[sizeof "pieces=" + 10];
        snprintf(name, sizeof name, "pieces=%d", count);
        if (!strcmp(option, name))
            return count;
    }
    return 0;
}

/* What tile says of the shortest piece, and whether there is a shape. */
static slimband_status arrange(const sb_cuda_setup *setup, sb_pieces_shape *s)
{
    const bool one = setup->matrices == 1 && setup->systems > 1;
    part least;
    take(setup, SB_PIECES_LEAST_ROWS, &least);
    const slimband_status status = sb_cuda_tile_method.fits(&least.setup);
    if (status)
        return status;
    return one && setup->longest >= 2 * SB_PIECES_LEAST_ROWS && setup->longest <= INT32_MAX / 2 &&
                   sb_pieces_arrange(setup, s)
               ? SLIMBAND_OK
               : SLIMBAND_METHOD_NEEDS_SHORTER_LINES;
}

static slimband_status fits(const sb_cuda_setup *setup)
{
    sb_pieces_shape s;
    return arrange(setup, &s);
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    sb_pieces_shape s;
    if (!sb_pieces_arrange(setup, &s))
        return (sb_cuda_sizes){0};
    return (sb_cuda_sizes){.stored = s.stored, .scratch = s.scratch};
}

static void prepare(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    _Static_assert(sizeof(sb_pieces_shape) <= SB_CUDA_STATE * sizeof(int64_t), "the shape fits the state");
    (void)sb_pieces_arrange(setup, (sb_pieces_shape *)state);
}

static int levels(const sb_cuda_setup *setup)
{
    sb_pieces_shape s;
    if (!sb_pieces_arrange(setup, &s))
        return 1;
    const sb_tile_cut *cut = sb_tile_cut_of(&s.evens);
    return cut->blocks > 1 ? 4 : cut->chunks > 1 ? 3 : 2;
}

/* Where spikes reach all rows. */
static double words(const sb_cuda_setup *setup)
{
    (void)setup;
    return 4;
}

static double cost(const sb_cuda_setup *setup)
{
    sb_pieces_shape s;
    return arrange(setup, &s) ? INFINITY : s.microseconds;
}

SB_CUDA_DECLARE(pieces)

const sb_cuda_method sb_cuda_pieces_method = {.fits = fits,
                                              .cost = cost,
                                              .sizes = sizes,
                                              .prepare = prepare,
                                              .levels = levels,
                                              .words = words,
                                              .launchers = SB_CUDA_LAUNCHERS(pieces)};
