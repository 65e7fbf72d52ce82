#include "src/cuda/bands/shape.h"

#include <math.h>

#include "src/cuda/scratch.h"

static int half_of(const slimband_problem *p)
{
    return p->lower > SB_BANDS_NARROW || p->upper > SB_BANDS_NARROW ? SB_BANDS_WIDE : SB_BANDS_NARROW;
}

/* Bytes that a processor sets aside for each block. */
enum { SET_ASIDE = 1024 };

/* Blocks whose teams have strips of so many rows of wide bands that a processor has room for. */
static int64_t blocks_at_once(const sb_cuda_setup *setup, int64_t rows)
{
    const int64_t shared = sb_bands_shared(SB_BANDS_WIDE, sb_bands_room_to_finish(SB_BANDS_WIDE, rows),
                                           (int64_t)setup->scalar_bytes);
    const int64_t room = setup->device->shared_total / (shared + SET_ASIDE);
    return room > 0 ? room : 1;
}

/* How much longer rows of wide bands take for want of warps: 1.26 (f64), 1.17 and 2.1 (c128) times as long with 4, 4 and 2 of them as
   with 6; more than that are worth less than longer strips. */
static double want_of(const sb_cuda_setup *setup, int64_t rows)
{
    enum { ENOUGH = 6 };
    const int64_t warps = SB_BANDS_WARPS * blocks_at_once(setup, rows);
    return 0.4 + 3.6 / (double)(warps < ENOUGH ? warps : ENOUGH);
}

/* What all rows take each way while the device is full, as measured on an H200. */
static double full_of(const sb_cuda_setup *setup, bool narrow, double systems, int64_t rows)
{
    static const double row_of[2][SB_CUDA_SCALARS] = {{120e-6, 220e-6, 410e-6, 700e-6},
                                                      {28e-6, 55e-6, 100e-6, 290e-6}};
    const double row = row_of[narrow][setup->problem->scalar] * (narrow ? 1 : want_of(setup, rows));
    return systems * (double)setup->longest * row * 132 / setup->device->processors;
}

/* With strips of so many rows: what strips take alone, and what a level of links does. */
static double time_of(const sb_cuda_setup *setup, bool narrow, double systems, int64_t rows, int64_t levels)
{
    static const double slower[SB_CUDA_SCALARS] = {0.85, 1, 2.2, 2.5};
    slimband_scalar scalar = setup->problem->scalar;
    double full = full_of(setup, narrow, systems, rows),
           alone = slower[scalar] * (10 + (narrow ? 0.05 : 0.13) * (double)rows);
    double level = slower[scalar] * (narrow ? 13 : 26), across = sb_cuda_lies_across(setup->problem) ? 15 : 0;
    return 2 * (full > alone ? full : alone) + (2 * (double)levels + 1) * level + across;
}

/* Strips of wide bands come in whole turns of all blocks that processors have room for: how much longer they take for that. The choice
   of their rows is better made without, as measured. */
static double wait_of(const sb_cuda_setup *setup, double systems, int64_t rows)
{
    enum { OF_BLOCK = SB_BANDS_WARPS * 32 / SB_BANDS_TEAM(SB_BANDS_WIDE) / 2 };
    const double blocks = systems * (double)sb_cuda_parts(setup->longest, rows) / OF_BLOCK,
                 turns = blocks / (double)(blocks_at_once(setup, rows) * setup->device->processors);
    return turns > 1 ? 2 * full_of(setup, false, systems, rows) * (ceil(turns) / turns - 1) : 0;
}

int64_t sb_bands_levels(int64_t strips)
{
    int64_t levels = 0;
    for (; strips > SB_BANDS_RUN; strips = sb_cuda_parts(strips, SB_BANDS_RUN))
        ++levels;
    return levels;
}

void sb_bands_cut_levels(sb_bands_shape *s, int64_t strips, size_t systems, size_t scalar_bytes, size_t *used)
{
    const size_t links = sb_times(systems, (size_t)sb_bands_link(s->half) * scalar_bytes);
    s->levels = sb_bands_levels(strips);
    for (int64_t l = 0; l <= s->levels; ++l, strips = sb_cuda_parts(strips, SB_BANDS_RUN)) {
        s->count[l] = strips;
        s->links_at[l] = sb_cuda_take(used, sb_times(links, (size_t)strips + 1));
    }
}

/* One that is so large does with little memory, others are done with soon. */
static bool is_one_large(const sb_cuda_setup *setup, double systems)
{
    enum { LARGE = 1 << 22 };
    return systems == 1 && setup->longest >= LARGE;
}

/* The least of which links are no more than a twentieth of a system, in whole turns of a team's lanes, or as many as halves can come in. */
static int64_t rows_for_a_twentieth(const slimband_problem *p, int64_t half)
{
    const int64_t multiple = half == SB_BANDS_NARROW ? SB_BANDS_TEAM(SB_BANDS_NARROW) : 32;
    const int64_t of_row = p->lower + 1 + p->upper + 2;
    const int64_t links = sb_cuda_parts(sb_bands_link(half) * SB_BANDS_RUN, SB_BANDS_RUN - 1);
    return sb_cuda_parts(links * 20, of_row * multiple) * multiple;
}

static int64_t most_rows(const slimband_problem *p, int64_t half, bool one_large)
{
    const int64_t rows = rows_for_a_twentieth(p, half);
    return half == SB_BANDS_WIDE || (one_large && rows > SB_BANDS_NARROW_ROWS) ? rows : SB_BANDS_NARROW_ROWS;
}

/* Half of these, and even, as halves of strips must come out; of narrow bands powers of two. */
static int64_t fewer_rows(int64_t half, int64_t rows)
{
    return half == SB_BANDS_NARROW && rows > SB_BANDS_NARROW_ROWS ? SB_BANDS_NARROW_ROWS : rows / 4 * 2;
}

static void choose_rows(const sb_cuda_setup *setup, double systems, sb_bands_shape *s)
{
    const int64_t bytes = (int64_t)setup->scalar_bytes;
    const bool one_large = is_one_large(setup, systems);
    s->microseconds = INFINITY;
    for (int64_t rows = most_rows(setup->problem, s->half, one_large); rows >= SB_BANDS_LEAST_ROWS;
         rows = fewer_rows(s->half, rows)) {
        if (sb_bands_shared(s->half, sb_bands_room_to_finish(s->half, rows), bytes) >
            setup->device->shared_block)
            continue;
        double time = time_of(setup, s->half == SB_BANDS_NARROW, systems, rows,
                              sb_bands_levels(sb_cuda_parts(setup->longest, rows)));
        if (time < s->microseconds) {
            s->microseconds = time;
            s->rows = rows;
        }
        if (one_large)
            break;
    }
    if (s->half == SB_BANDS_WIDE)
        s->microseconds += wait_of(setup, systems, s->rows);
}

sb_bands_shape sb_bands_shape_of(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    sb_bands_shape s = {.half = half_of(p), .across = sb_cuda_lies_across(p)};
    size_t each = (size_t)(setup->systems > setup->matrices ? setup->systems : setup->matrices), used = 0;
    choose_rows(setup, (double)each, &s);
    s.zeros_at = sb_cuda_take(&used, sb_times(each, sizeof(int64_t)));
    sb_bands_cut_levels(&s, sb_cuda_parts(setup->longest, s.rows), each, setup->scalar_bytes, &used);
    s.scratch = used;
    return s;
}

int64_t sb_bands_stored_rows(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    return p->coefficients == SLIMBAND_TOEPLITZ ? p->toeplitz_first + 1 + p->toeplitz_last : setup->longest;
}

size_t sb_bands_stored_bytes(const sb_cuda_setup *setup)
{
    bool copies = !setup->problem->one_pass || setup->matrices < setup->systems;
    size_t diagonals = (size_t)(setup->problem->lower + 1 + setup->problem->upper);
    size_t matrix = sb_times(diagonals * setup->scalar_bytes, (size_t)sb_bands_stored_rows(setup));
    return copies ? sb_times(matrix, (size_t)setup->matrices) : 0;
}
