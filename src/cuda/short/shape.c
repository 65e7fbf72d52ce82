#include "src/cuda/short/shape.h"

#include <math.h>

static bool nearer(int64_t row, int64_t system)
{
    row = row < 0 ? -row : row;
    system = system < 0 ? -system : system;
    return row < system || system == 0;
}

/* Microseconds on an H200, fitted to measured times: a launch, and for each round of blocks that the device holds what a block
   waits for, row after row, and what blocks of a processor take from one another. */
static double time_of(const sb_cuda_setup *setup)
{
    static const struct {
        double row, crowd;
    } of_half[] = {[1] = {0.235, 0.027}, [2] = {0.33, 0.039}, [4] = {0.8, 0.12}};
    static const double slower[] = {
        [SLIMBAND_F32] = 0.95, [SLIMBAND_F64] = 1, [SLIMBAND_C64] = 1.4, [SLIMBAND_C128] = 2.2};
    enum { MOST = 16 };
    const double launch = 4.5, block = 0.6, crowd = 0.12, bytes_per_microsecond = 3.8e6;
    const slimband_problem *p = setup->problem;
    const int half = sb_short_half(p->lower, p->upper);
    const bool one = setup->matrices == 1;
    const double n = (double)setup->longest, systems = (double)setup->systems;
    int64_t bytes = sb_short_shared(half, setup->longest, one, (int64_t)setup->scalar_bytes) + 1024;
    int64_t fit = setup->device->shared_block / bytes;
    fit = fit < 1 ? 1 : fit > MOST ? MOST : fit;
    double each = ceil(systems / 32) / setup->device->processors, rounds = each / (double)fit;
    double together = each < (double)fit ? each : (double)fit;
    double wait = block + of_half[half].row * n + together * (crowd + of_half[half].crowd * n);
    double traffic = systems * n * (double)setup->scalar_bytes * (2 + (one ? 0 : p->lower + 1 + p->upper));
    double time = slower[p->scalar] * wait * (rounds > 1 ? (rounds + ceil(rounds)) / 2 : 1);
    return launch + (time > traffic / bytes_per_microsecond ? time : traffic / bytes_per_microsecond);
}

sb_short_shape sb_short_shape_of(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    int nearest = sb_cuda_nearest(p);
    bool batch = p->batch_rank > 0;
    return (sb_short_shape){.nearest = nearest,
                            .matrix_along = nearer(p->matrix.line, batch ? p->matrix.batch[nearest] : 0),
                            .b_along = nearer(p->rhs.line, batch ? p->rhs.batch[nearest] : 0),
                            .x_along = nearer(p->solution.line, batch ? p->solution.batch[nearest] : 0),
                            .microseconds = time_of(setup)};
}
