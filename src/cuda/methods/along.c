/* partition for long pentadiagonal lines: the lanes of a warp share a tile of one. */
#include "src/cuda/along/shape.h"
#include "src/cuda/methods/methods.h"

/* What has to pivot is the teams'. Kept matrices lie in lines, however they are given; Toeplitz ones have no lines. */
static slimband_status fits(const sb_cuda_setup *setup)
{
    enum { FEWEST_ROWS = 8 };
    const slimband_problem *p = setup->problem;
    const bool one = setup->matrices == 1, own = setup->matrices == setup->systems;
    const bool lines = p->rhs.line == 1 && p->solution.line == 1;
    const bool toeplitz = p->coefficients == SLIMBAND_TOEPLITZ;
    const bool given = p->one_pass && own && !toeplitz, apart = given && p->matrix.line != 1;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    if (p->lower > 2 || p->upper > 2 || p->pivoting == SLIMBAND_PIVOT_PARTIAL || setup->longest < FEWEST_ROWS ||
        !(one || (own && !toeplitz)) || !lines || apart)
        return SLIMBAND_METHOD_NEEDS_UNIFORM;
    const int64_t most_tiles = INT32_MAX; /* of a system: kernels count so far */
    return setup->device->major >= 9 &&
                   setup->longest / SB_ALONG_ROWS((int64_t)setup->scalar_bytes) < most_tiles &&
                   SB_ALONG_ALIKE_SHARED_BYTES((int64_t)setup->scalar_bytes) <= setup->device->shared_block
               ? SLIMBAND_OK
               : SLIMBAND_METHOD_NOT_HERE;
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    const sb_along_shape s = sb_along_shape_of(setup);
    return (sb_cuda_sizes){.stored = s.stored, .scratch = s.scratch};
}

static double words(const sb_cuda_setup *setup)
{
    double diagonals = setup->problem->lower + 1 + setup->problem->upper;
    const bool toeplitz = setup->problem->coefficients == SLIMBAND_TOEPLITZ,
               stays = toeplitz || (setup->matrices == 1 && setup->systems > 1);
    const int joint = toeplitz ? 2 : SB_ALONG_JOINT;
    return 2 * (stays ? 1 : diagonals + 1) + 1 +
           2.0 * (double)(SB_ALONG_LINK + SB_ALONG_JOINTS(sb_along_shape_of(setup).every) * joint) /
               (double)SB_ALONG_ROWS(setup->scalar_bytes);
}

static int levels(const sb_cuda_setup *setup)
{
    return (int)sb_along_shape_of(setup).levels + 2;
}

static double cost(const sb_cuda_setup *setup)
{
    return sb_along_shape_of(setup).microseconds;
}

SB_CUDA_DECLARE(along_penta)

const sb_cuda_method sb_cuda_along_penta_method = {.pivots = true,
                                                   .fits = fits,
                                                   .cost = cost,
                                                   .sizes = sizes,
                                                   .prepare = sb_along_prepare,
                                                   .levels = levels,
                                                   .words = words,
                                                   .launchers = SB_CUDA_LAUNCHERS(along_penta)};
