/* Elimination without pivoting, one thread a system: thomas, and lu for wider bands. */
#include "src/cuda/methods/lu.h"

#include "src/cuda/methods/methods.h"

static int widest(const slimband_problem *p)
{
    return p->lower > p->upper ? p->lower : p->upper;
}

/* That of the kernels, see lu.cu. */
static int half_band(const slimband_problem *p)
{
    static const int of_band[SB_CUDA_LU_WIDEST + 1] = {1, 1, 2, 4, 4};
    return of_band[widest(p)];
}

static slimband_status fits(const sb_cuda_setup *setup)
{
    return widest(setup->problem) > SB_CUDA_LU_WIDEST ? SLIMBAND_METHOD_NEEDS_NARROWER_BAND : SLIMBAND_OK;
}

static slimband_status fits_tridiagonal(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    return p->lower != 1 || p->upper != 1 ? SLIMBAND_METHOD_NEEDS_TRIDIAGONAL : SLIMBAND_OK;
}

static bool keeps_factors(const sb_cuda_setup *setup)
{
    return !setup->problem->one_pass || setup->matrices < setup->systems;
}

static size_t bytes_of(const sb_cuda_setup *setup, int64_t pitch)
{
    const slimband_problem *p = setup->problem;
    sb_cuda_columns c =
        sb_cuda_columns_of(setup->longest, pitch, half_band(p), p->ends == SLIMBAND_PERIODIC && widest(p) > 0);
    size_t column = sb_plus(sb_times((size_t)c.places, setup->scalar_bytes), (size_t)c.swaps * sizeof(int32_t));
    return sb_times(column, (size_t)c.pitch);
}

/* One pass: a column for each thread instead of each matrix. */
static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    sb_cuda_sizes sizes = {.stored = keeps_factors(setup) ? bytes_of(setup, setup->matrices) : 0};
    if (setup->matrices == setup->systems)
        sizes.scratch = bytes_of(setup, sb_cuda_slots(setup->systems, setup->device->processors));
    return sizes;
}

static double words(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    int band = half_band(p), ring = p->ends == SLIMBAND_PERIODIC ? band : 0;
    double factors = 2 * band + 1 + ring, sweeps = ring ? 6 : 4;
    if (setup->matrices < setup->systems)
        return sweeps;
    if (p->one_pass)
        return p->lower + 1 + p->upper + (ring ? 2 * factors + sweeps : 2 * (band + 1) + 2);
    return factors + sweeps;
}

static bool solved_once(const sb_cuda_setup *setup)
{
    return setup->problem->one_pass && setup->matrices == setup->systems;
}

/* What a row takes a system, each way, where there are too few of them to fill the device (measured on an H200). What is solved once waits
   for memory every eight rows or more; with factors that are kept each row waits for its own. Rings of up to two diagonals a side: as
   measured while a row's diagonals were still waited for one by one. */
static double row_of(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const int half = half_band(p);
    const bool once = solved_once(setup), ring = p->ends == SLIMBAND_PERIODIC;
    if (half == 1)
        return once && !ring ? 0.22 : 0.3;
    if (ring && half > 2)
        return 2.9;
    if (ring && !sb_cuda_lies_across(p))
        return 1.7;
    return ring || !once ? 0.5 : half > 2 ? 0.34 : 0.26;
}

/* Bytes a microsecond while the device is full, as measured too. */
static double rate_of(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const bool once = solved_once(setup);
    if (once && p->ends == SLIMBAND_PERIODIC)
        return 1.5e6;
    return !once ? 2e6 : sb_cuda_lies_across(p) ? 3.4e6 : 2.8e6;
}

/* Rows that come and go: along lines a window at a time (src/cuda/kernels/window.cuh), whole or not (4 in f32 take as long as 16). */
static double moved_rows(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const bool once = solved_once(setup);
    const int64_t window = sb_cuda_lies_across(p) || !once ? 1 : p->scalar == SLIMBAND_C128 ? 8 : 16;
    return (double)((setup->longest + window - 1) / window * window);
}

static double cost(const sb_cuda_setup *setup)
{
    const double launch_microseconds = half_band(setup->problem) > 2 ? 9 : 5, row_microseconds = row_of(setup);
    double rows = (double)setup->systems * moved_rows(setup);
    double traffic = rows * words(setup) * (double)setup->scalar_bytes / rate_of(setup);
    double chain = 2 * (double)setup->longest * row_microseconds;
    return launch_microseconds + (traffic > chain ? traffic : chain);
}

static int levels(const sb_cuda_setup *setup)
{
    (void)setup;
    return 1;
}

SB_CUDA_DECLARE(lu)

const sb_cuda_method sb_cuda_thomas_method = {.fits = fits_tridiagonal,
                                              .cost = cost,
                                              .sizes = sizes,
                                              .levels = levels,
                                              .words = words,
                                              .launchers = SB_CUDA_LAUNCHERS(lu)};
const sb_cuda_method sb_cuda_lu_method = {.fits = fits,
                                          .cost = cost,
                                          .sizes = sizes,
                                          .levels = levels,
                                          .words = words,
                                          .launchers = SB_CUDA_LAUNCHERS(lu)};
