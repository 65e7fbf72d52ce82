/* tile for short systems: a lane each. */
#include "src/cuda/methods/methods.h"
#include "src/cuda/short/shape.h"

static slimband_status fits(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const int widest = sb_short_widest(setup->scalar_bytes);
    if (p->lower > widest || p->upper > widest)
        return SLIMBAND_METHOD_NEEDS_NARROWER_BAND;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    if (p->ends == SLIMBAND_PERIODIC)
        return SLIMBAND_METHOD_NEEDS_OPEN_ENDS;
    int64_t bytes = sb_short_shared(sb_short_half(p->lower, p->upper), setup->longest, setup->matrices == 1,
                                    false, (int64_t)setup->scalar_bytes);
    return setup->longest > SB_SHORT_ROWS || bytes > setup->device->shared_block - SB_SHORT_STATIC
               ? SLIMBAND_METHOD_NEEDS_SHORTER_LINES
               : SLIMBAND_OK;
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    bool copies = !setup->problem->one_pass || setup->matrices < setup->systems;
    size_t diagonals = (size_t)(setup->problem->lower + 1 + setup->problem->upper);
    size_t matrix = sb_times(diagonals * setup->scalar_bytes, (size_t)setup->longest);
    return (sb_cuda_sizes){.stored = copies ? sb_times(matrix, (size_t)setup->matrices) : 0};
}

static double words(const sb_cuda_setup *setup)
{
    return 2 + (setup->matrices == 1 ? 0 : setup->problem->lower + 1 + setup->problem->upper);
}

static int levels(const sb_cuda_setup *setup)
{
    (void)setup;
    return 1;
}

static double cost(const sb_cuda_setup *setup)
{
    return sb_short_shape_of(setup).microseconds;
}

SB_CUDA_DECLARE(short)

const sb_cuda_method sb_cuda_short_method = {.pivots = true,
                                             .settles = true,
                                             .fits = fits,
                                             .cost = cost,
                                             .sizes = sizes,
                                             .prepare = sb_short_prepare,
                                             .levels = levels,
                                             .words = words,
                                             .launchers = SB_CUDA_LAUNCHERS(short)};
