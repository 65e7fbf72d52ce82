#include "src/cuda/bands/shape.h"

#include <math.h>

static int64_t parts(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

static int half_of(const slimband_problem *p)
{
    return p->lower > SB_BANDS_NARROW || p->upper > SB_BANDS_NARROW ? SB_BANDS_WIDE : SB_BANDS_NARROW;
}

/* Takes this many bytes of scratch, from a place aligned to 256. */
static int64_t take(size_t *used, size_t bytes)
{
    size_t at = *used == SIZE_MAX ? 0 : *used;
    *used = sb_plus(sb_plus(*used, bytes), 255);
    *used = *used == SIZE_MAX ? SIZE_MAX : *used / 256 * 256;
    return (int64_t)at;
}

/* With strips of so many rows, as measured on an H200: what a row takes each way while the device is full, what strips take alone,
   and what a level of links does. */
static double time_of(const sb_cuda_setup *setup, bool narrow, double systems, int64_t rows, int64_t levels)
{
    static const double row_of[2][SB_CUDA_SCALARS] = {{120e-6, 220e-6, 410e-6, 800e-6},
                                                      {28e-6, 55e-6, 100e-6, 290e-6}};
    static const double slower[SB_CUDA_SCALARS] = {0.85, 1, 2.2, 2.5};
    slimband_scalar scalar = setup->problem->scalar;
    double all = systems * (double)setup->longest * row_of[narrow][scalar] * 132 / setup->device->processors;
    double alone = slower[scalar] * (10 + (narrow ? 0.05 : 0.13) * (double)rows);
    double level = slower[scalar] * (narrow ? 13 : 26), across = sb_cuda_lies_across(setup->problem) ? 15 : 0;
    return 2 * (all > alone ? all : alone) + (2 * (double)levels + 1) * level + across;
}

/* Levels behind the first. */
static int64_t levels_of(int64_t longest, int64_t rows)
{
    int64_t levels = 0;
    for (int64_t count = parts(longest, rows); count > SB_BANDS_RUN; count = parts(count, SB_BANDS_RUN))
        ++levels;
    return levels;
}

static void choose_rows(const sb_cuda_setup *setup, double systems, sb_bands_shape *s)
{
    const int64_t bytes = (int64_t)setup->scalar_bytes, most = SB_BANDS_MOST_ROWS(s->half, bytes);
    s->microseconds = INFINITY;
    for (int64_t rows = most; rows >= SB_BANDS_LEAST_ROWS; rows /= 2) {
        if (sb_bands_shared(s->half, sb_bands_room_to_finish(s->half, rows), bytes) >
            setup->device->shared_block)
            continue;
        double time =
            time_of(setup, s->half == SB_BANDS_NARROW, systems, rows, levels_of(setup->longest, rows));
        if (time < s->microseconds) {
            s->microseconds = time;
            s->rows = rows;
        }
    }
}

sb_bands_shape sb_bands_shape_of(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    sb_bands_shape s = {.half = half_of(p), .across = sb_cuda_lies_across(p)};
    size_t each = (size_t)(setup->systems > setup->matrices ? setup->systems : setup->matrices), used = 0;
    size_t link = sb_times(each, 2 * (size_t)s.half * (4 * (size_t)s.half + 1) * setup->scalar_bytes);
    choose_rows(setup, (double)each, &s);
    s.zeros_at = take(&used, sb_times(each, sizeof(int64_t)));
    int64_t count = parts(setup->longest, s.rows);
    for (int l = 0;; ++l, count = parts(count, SB_BANDS_RUN)) {
        s.levels = l;
        s.count[l] = count;
        s.links_at[l] = take(&used, sb_times(link, (size_t)count + 1));
        if (count <= SB_BANDS_RUN)
            break;
    }
    s.scratch = used;
    return s;
}

int64_t sb_bands_stored_rows(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    return p->coefficients == SLIMBAND_TOEPLITZ ? p->toeplitz_first + 1 + p->toeplitz_last : setup->longest;
}
