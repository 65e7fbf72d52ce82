/* partition for all bands up to 4 + 4 but tridiagonal ones: one or many systems, in strips of rows. */
#include "src/cuda/bands/shape.h"
#include "src/cuda/methods/methods.h"

static slimband_status fits(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    if (p->lower > SB_BANDS_WIDE || p->upper > SB_BANDS_WIDE)
        return SLIMBAND_METHOD_NEEDS_NARROWER_BAND;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    return SLIMBAND_OK;
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    return (sb_cuda_sizes){.stored = sb_bands_stored_bytes(setup), .scratch = sb_bands_shape_of(setup).scratch};
}

static double words(const sb_cuda_setup *setup)
{
    sb_bands_shape s = sb_bands_shape_of(setup);
    double half = (double)s.half, rows = (double)s.rows;
    bool stays = setup->matrices < setup->systems || setup->problem->coefficients == SLIMBAND_TOEPLITZ;
    double matrix = stays ? 0 : setup->problem->lower + 1 + setup->problem->upper;
    return 2 * (matrix + 1) + 1 + 3 * 2 * half * (4 * half + 1) / rows * SB_BANDS_RUN / (SB_BANDS_RUN - 1);
}

static int levels(const sb_cuda_setup *setup)
{
    return (int)sb_bands_shape_of(setup).levels + 1;
}

/* Systems of one matrix, in one pass, take so much longer than is known of single ones (H200, f64, 8 systems of 128 to 2048). */
static double cost(const sb_cuda_setup *setup)
{
    static const double shared[] = {[SB_BANDS_NARROW] = 45, [SB_BANDS_WIDE] = 75};
    const sb_bands_shape s = sb_bands_shape_of(setup);
    const bool once = setup->problem->one_pass && setup->matrices < setup->systems;
    return s.microseconds + (once ? shared[s.half] : 0);
}

SB_CUDA_DECLARE(bands)

const sb_cuda_method sb_cuda_bands_method = {.pivots = true,
                                             .fits = fits,
                                             .cost = cost,
                                             .sizes = sizes,
                                             .prepare = sb_bands_prepare,
                                             .levels = levels,
                                             .words = words,
                                             .launchers = SB_CUDA_LAUNCHERS(bands)};
