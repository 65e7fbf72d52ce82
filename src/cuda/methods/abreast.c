/* partition for systems that lie abreast: a lane each. */
#include "src/cuda/abreast/penta.h"
#include "src/cuda/methods/methods.h"

static slimband_status fits(const sb_cuda_setup *setup)
{
    return setup->problem->ragged ? SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS : SLIMBAND_OK;
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    bool copies = !setup->problem->one_pass || setup->matrices < setup->systems;
    size_t matrix = sb_times(3 * setup->scalar_bytes, (size_t)setup->longest);
    return (sb_cuda_sizes){.stored = copies ? sb_times(matrix, (size_t)setup->matrices) : 0,
                           .scratch = sb_abreast_shape_of(setup).scratch};
}

/* What pivots may be needed is not known; that they are not is supposed. */
static double words(const sb_cuda_setup *setup)
{
    bool pivots = setup->problem->pivoting == SLIMBAND_PIVOT_PARTIAL, stays = setup->matrices < setup->systems;
    int joint = pivots ? SB_ABREAST_JOINT : SB_ABREAST_PLAIN_JOINT;
    return 2 * (stays ? 1 : 4) + 1 + 2.0 * joint / SB_ABREAST_ROWS((double)setup->scalar_bytes);
}

static int levels(const sb_cuda_setup *setup)
{
    return (int)sb_abreast_shape_of(setup).levels + 2;
}

static double cost(const sb_cuda_setup *setup)
{
    return sb_abreast_shape_of(setup).microseconds;
}

/* Pentadiagonal systems. Matrices of their own are not kept as lanes would want them; what has to pivot is the teams'. */
static slimband_status fits_penta(const sb_cuda_setup *setup)
{
    enum { FEWEST_ROWS = 8 };
    const slimband_problem *p = setup->problem;
    bool own = setup->matrices == setup->systems && p->one_pass;
    if (p->lower > 2 || p->upper > 2 || p->pivoting == SLIMBAND_PIVOT_PARTIAL || setup->longest < FEWEST_ROWS ||
        !(own || setup->matrices == 1))
        return SLIMBAND_METHOD_NEEDS_UNIFORM;
    return fits(setup);
}

static sb_cuda_sizes sizes_penta(const sb_cuda_setup *setup)
{
    return (sb_cuda_sizes){.stored = sb_cuda_bands_method.sizes(setup).stored,
                           .scratch = sb_abreast_penta_of(setup).scratch};
}

static double words_penta(const sb_cuda_setup *setup)
{
    double diagonals = setup->problem->lower + 1 + setup->problem->upper;
    return 2 * (setup->matrices == 1 ? 1 : diagonals + 1) + 1 +
           2.0 * SB_ABREAST_PENTA_JOINT / SB_ABREAST_PENTA_ROWS((double)setup->scalar_bytes);
}

static double cost_penta(const sb_cuda_setup *setup)
{
    return sb_abreast_penta_of(setup).microseconds;
}

SB_CUDA_DECLARE(abreast)
SB_CUDA_DECLARE(abreast_penta)

const sb_cuda_method sb_cuda_abreast_method = {.pivots = true,
                                               .fits = fits,
                                               .cost = cost,
                                               .sizes = sizes,
                                               .prepare = sb_abreast_prepare,
                                               .levels = levels,
                                               .words = words,
                                               .launchers = SB_CUDA_LAUNCHERS(abreast)};
const sb_cuda_method sb_cuda_abreast_penta_method = {.pivots = true,
                                                     .fits = fits_penta,
                                                     .cost = cost_penta,
                                                     .sizes = sizes_penta,
                                                     .prepare = sb_abreast_penta_prepare,
                                                     .levels = levels,
                                                     .words = words_penta,
                                                     .launchers = SB_CUDA_LAUNCHERS(abreast_penta)};
