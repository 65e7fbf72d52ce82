/* One or a few large tridiagonal systems: partition, exact in one launch; truncated, one pass where couplings die away. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "src/cuda/bands/shape.h"
#include "src/cuda/large/shape.h"
#include "src/cuda/methods/methods.h"

static slimband_status configure(const char *options, sb_cuda_options *parsed)
{
    static const char *const forms[SB_PARTITION_FORMS] = {[SB_PARTITION_CHOSEN] = "",
                                                          [SB_PARTITION_LINES] = "form=lines",
                                                          [SB_PARTITION_SPARE] = "form=spare",
                                                          [SB_PARTITION_ABREAST] = "form=abreast",
                                                          [SB_PARTITION_TEAMS] = "form=teams"};
    for (int form = 0; form < SB_PARTITION_FORMS; ++form)
        if (!strcmp(options, forms[form])) {
            parsed->form = form;
            return SLIMBAND_OK;
        }
    return SLIMBAND_UNKNOWN_OPTION;
}

static slimband_status fits(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    if (p->lower != 1 || p->upper != 1)
        return SLIMBAND_METHOD_NEEDS_TRIDIAGONAL;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    return SLIMBAND_OK;
}

static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    sb_large_shape shape = sb_large_shape_of(setup);
    bool copies = !setup->problem->one_pass || setup->matrices < setup->systems;
    int64_t together = shape.together < setup->systems ? shape.together : setup->systems;
    size_t matrix = sb_times(3 * setup->scalar_bytes, (size_t)sb_large_pitch(setup->longest));
    return (sb_cuda_sizes){.stored = copies ? sb_times(matrix, (size_t)setup->matrices) : 0,
                           .scratch = sb_times((size_t)shape.scratch, (size_t)together)};
}

static sb_cuda_sizes sizes_truncated(const sb_cuda_setup *setup)
{
    sb_cuda_sizes own = sizes(setup);
    own.scratch = sb_plus(own.scratch, sizeof(sb_large_doubt));
    return own;
}

static size_t bound_at(const sb_cuda_setup *setup)
{
    return sizes(setup).scratch + offsetof(sb_large_doubt, last);
}

/* A resident system stays on chip, and so does a run of one tile. */
static double words(const sb_cuda_setup *setup)
{
    sb_large_shape shape = sb_large_shape_of(setup);
    return shape.cluster || shape.tiles <= shape.warps * shape.blocks ? 5 : 9;
}

static double words_truncated(const sb_cuda_setup *setup)
{
    return setup->problem->pivoting == SLIMBAND_PIVOT_PARTIAL ? words(setup) : 5;
}

static int levels(const sb_cuda_setup *setup)
{
    return sb_large_shape_of(setup).blocks > 1 ? 4 : 3;
}

/* A batch of short systems that do not stay on chip by themselves would leave most lanes idle. */
static double cost(const sb_cuda_setup *setup)
{
    enum { short_rows = 512, few = 16 };
    sb_large_shape shape = sb_large_shape_of(setup);
    return !shape.cluster && setup->longest < short_rows && setup->systems > few ? INFINITY
                                                                                 : shape.microseconds;
}

/* Whether couplings die away is not known: half of all systems are taken to be solved once more, after as long as it takes
   the first tiles to show it. A tile that its system's end cuts off takes as long as a whole one, and each of many systems as long
   as some tiles more (floors of 2048 / 3000 / 65536 rows: f64 1.46 / 1.39 / 1.17, c64 1.92 / 1.78 / 1.44; where lines begin anywhere,
   3001 and 65535: f64 1.62 and 1.28, f32 2.77 and 1.46, c64 2.26 and 1.68). */
static double cost_truncated(const sb_cuda_setup *setup)
{
    static const struct {
        double bytes_per_microsecond, begun, uneven;
    } taken[] = {[SLIMBAND_F32] = {4.1e6, 1, 1.35},
                 [SLIMBAND_F64] = {4.1e6, 1, 1.16},
                 [SLIMBAND_C64] = {3.1e6, 1.5, 1.25},
                 [SLIMBAND_C128] = {3.3e6, 4, 1}};
    const double fixed = 12, given_up = 10,
                 bytes_per_microsecond = taken[setup->problem->scalar].bytes_per_microsecond,
                 begun = taken[setup->problem->scalar].begun, uneven = taken[setup->problem->scalar].uneven;
    if (setup->problem->pivoting == SLIMBAND_PIVOT_PARTIAL)
        return INFINITY;
    int64_t rows = SB_LARGE_LANES * SB_LARGE_COLUMNS * 16 / (int64_t)setup->scalar_bytes;
    int64_t tiles = (setup->longest + rows - 1) / rows + (setup->problem->ends == SLIMBAND_PERIODIC ? 2 : 0);
    double counted = (double)tiles + (setup->systems > 1 ? begun : 0);
    double bytes = 5 * (double)setup->systems * counted * (double)rows * (double)setup->scalar_bytes *
                   sb_large_detour(setup) * (sb_large_uneven(setup) ? uneven : 1);
    double once = fixed + bytes / bytes_per_microsecond;
    return (once + given_up + sb_large_shape_of(setup).microseconds) / 2;
}

/* The faster one, if the other takes such problems at all. */
static const sb_cuda_method *faster(const sb_cuda_setup *setup, const sb_cuda_method *one,
                                    const sb_cuda_method *other)
{
    return !other->fits(setup) && other->cost(setup) < one->cost(setup) ? other : one;
}

/* Wider bands, and systems that lie abreast, have kernels of their own. Teams take whatever others do not. */
static const sb_cuda_method *instead(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const bool tri = p->lower == 1 && p->upper == 1, across = sb_cuda_lies_across(p),
               wide = p->lower > SB_BANDS_NARROW || p->upper > SB_BANDS_NARROW;
    const sb_cuda_method *abreast = tri ? &sb_cuda_abreast_method : &sb_cuda_abreast_penta_method;
    const sb_cuda_method *along = tri    ? &sb_cuda_partition_method
                                  : wide ? &sb_cuda_bands_plain_method
                                         : &sb_cuda_along_penta_method;
    const sb_cuda_method *any = tri ? &sb_cuda_partition_method : &sb_cuda_bands_method;
    switch (setup->options.form) {
    case SB_PARTITION_LINES:
    case SB_PARTITION_SPARE:
        return along->fits(setup) ? any : along;
    case SB_PARTITION_ABREAST:
        return abreast->fits(setup) ? any : abreast;
    case SB_PARTITION_TEAMS:
        return any;
    default:
        return faster(setup, any, across && !wide ? abreast : along);
    }
}

SB_CUDA_DECLARE(partition)
SB_CUDA_DECLARE(truncated)

const sb_cuda_method sb_cuda_partition_method = {.pivots = true,
                                                 .settles = true,
                                                 .configure = configure,
                                                 .fits = fits,
                                                 .cost = cost,
                                                 .sizes = sizes,
                                                 .prepare = sb_large_prepare,
                                                 .levels = levels,
                                                 .words = words,
                                                 .launchers = SB_CUDA_LAUNCHERS(partition),
                                                 .instead = instead};
const sb_cuda_method sb_cuda_truncated_method = {.pivots = true,
                                                 .settles = true,
                                                 .fits = fits,
                                                 .cost = cost_truncated,
                                                 .sizes = sizes_truncated,
                                                 .prepare = sb_large_prepare,
                                                 .levels = levels,
                                                 .words = words_truncated,
                                                 .bound_at = bound_at,
                                                 .launchers = SB_CUDA_LAUNCHERS(truncated)};
