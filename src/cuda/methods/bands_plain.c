/* partition for bands of up to 4 + 4: a strip of a system in each lane, without pivots. */
#include "src/cuda/bands/plain.h"
#include "src/cuda/methods/methods.h"

/* What has to pivot is the teams'. */
static slimband_status fits(const sb_cuda_setup *setup)
{
    enum { FEWEST_ROWS = 64 };
    const slimband_problem *p = setup->problem;
    if (p->lower > SB_BANDS_WIDE || p->upper > SB_BANDS_WIDE)
        return SLIMBAND_METHOD_NEEDS_NARROWER_BAND;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    if (p->pivoting == SLIMBAND_PIVOT_PARTIAL || setup->longest < FEWEST_ROWS)
        return SLIMBAND_METHOD_NEEDS_UNIFORM;
    return SB_PLAIN_SHARED_BYTES((int64_t)setup->scalar_bytes) <= setup->device->shared_block
               ? SLIMBAND_OK
               : SLIMBAND_METHOD_NOT_HERE;
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    return (sb_cuda_sizes){.stored = sb_bands_stored_bytes(setup), .scratch = sb_plain_shape_of(setup).scratch};
}

static double words(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const sb_plain_shape s = sb_plain_shape_of(setup);
    const double link = 2.0 * SB_BANDS_WIDE * (4 * SB_BANDS_WIDE + 1);
    bool stays = setup->matrices < setup->systems || p->coefficients == SLIMBAND_TOEPLITZ;
    double matrix = stays ? 0 : p->lower + 1 + p->upper;
    const double group = (double)s.group, window = (double)SB_PLAIN_WINDOW((int64_t)setup->scalar_bytes),
                 again = (group - 1) / group; /* of windows, those that are swept a third time */
    return (2 + again) * (matrix + 1) + 2 * (SB_PLAIN_KEPT / group + SB_PLAIN_PASSED * again) / window + 1 +
           3 * link / (double)s.links.rows * SB_BANDS_RUN / (SB_BANDS_RUN - 1);
}

static int levels(const sb_cuda_setup *setup)
{
    return (int)sb_plain_shape_of(setup).links.levels + 2;
}

static double cost(const sb_cuda_setup *setup)
{
    return sb_plain_shape_of(setup).microseconds;
}

SB_CUDA_DECLARE(bands_plain)

const sb_cuda_method sb_cuda_bands_plain_method = {.pivots = true,
                                                   .fits = fits,
                                                   .cost = cost,
                                                   .sizes = sizes,
                                                   .prepare = sb_plain_prepare,
                                                   .levels = levels,
                                                   .words = words,
                                                   .launchers = SB_CUDA_LAUNCHERS(bands_plain)};
