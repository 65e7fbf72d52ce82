/* Whole systems on chip, one read and one write: what is taken, what it costs. */
#include <math.h>
#include <string.h>

#include "src/cuda/methods/methods.h"
#include "src/cuda/tile/arrange.h"
#include "src/cuda/tile/grid.h"
#include "src/cuda/tile/pieces.h"
#include "src/cuda/tile/rate.h"

static slimband_status fits(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    int k = sb_tile_half_band(p);
    sb_tile_plan plan;
    if (p->pivoting == SLIMBAND_PIVOT_PARTIAL)
        return SLIMBAND_METHOD_DOES_NOT_PIVOT;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    if (p->lower > 4 || p->upper > 4)
        return SLIMBAND_METHOD_NEEDS_NARROWER_BAND;
    if (p->coefficients == SLIMBAND_OWN && setup->matrices != 1 && !sb_tile_owns_matrices(setup))
        return p->lower != p->upper ? SLIMBAND_METHOD_NEEDS_TRIDIAGONAL : SLIMBAND_METHOD_NOT_HERE;
    if (p->ends == SLIMBAND_PERIODIC && p->n < 3 * k)
        return SLIMBAND_METHOD_NOT_HERE;
    if (k == 4 && p->rhs.line == 1 && p->solution.line == 1 && p->n > 1 && setup->device->major < 9)
        return SLIMBAND_METHOD_NOT_HERE;
    return p->n > 0 && setup->systems > 0 && !sb_tile_arrange(setup, &plan)
               ? SLIMBAND_METHOD_NEEDS_SHORTER_LINES
               : SLIMBAND_OK;
}

/* Two sets of factors: the matrix and its transposed. */
static sb_cuda_sizes sizes(const sb_cuda_setup *setup)
{
    sb_tile_plan plan;
    sb_cuda_sizes sizes = {0};
    if (setup->systems == 0 || setup->longest == 0 || !sb_tile_arrange(setup, &plan))
        return sizes;
    if (sb_tile_owns_matrices(setup)) {
        if (!setup->problem->one_pass)
            sizes.stored =
                sb_times(sb_times(2 * (size_t)sb_tile_half_band(setup->problem) + 1, (size_t)setup->longest),
                         sb_times((size_t)setup->systems, setup->scalar_bytes));
    } else {
        sb_tile_parts parts = sb_tile_layout(sb_tile_cut_of(&plan));
        sizes.stored = 2 * (size_t)parts.total * setup->scalar_bytes;
    }
    if (plan.form != SB_TILE_OWN)
        sizes.scratch = sizeof(unsigned); /* how many tiles have been taken */
    return sizes;
}

static void prepare(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    _Static_assert(sizeof(sb_tile_plan) <= SB_CUDA_STATE * sizeof(int64_t), "the plan fits the state");
    if (setup->systems > 0 && setup->longest > 0)
        sb_tile_arrange(setup, (sb_tile_plan *)state);
}

static int levels(const sb_cuda_setup *setup)
{
    sb_tile_plan plan;
    if (setup->longest == 0 || setup->systems == 0)
        return 1;
    sb_tile_arrange(setup, &plan);
    const sb_tile_cut *cut = sb_tile_cut_of(&plan);
    return cut->blocks > 1 ? 3 : cut->chunks > 1 ? 2 : 1;
}

static double words(const sb_cuda_setup *setup)
{
    return sb_tile_owns_matrices(setup) ? 2 * sb_tile_half_band(setup->problem) + 3 : 2;
}

static double rate(const sb_cuda_setup *setup)
{
    const double most = 3.7e6;
    sb_tile_plan plan;
    if (setup->longest == 0 || setup->systems == 0)
        return most;
    sb_tile_arrange(setup, &plan);
    return sb_tile_rate(setup, &plan);
}

/* Microseconds of a small batch on an H200, settling included: tables come on chip before lines do, and long chunks of own
   pentadiagonal lines take their time. */
static double launch_time(const sb_cuda_setup *setup)
{
    const double own = 14, strided = 8, strided_lines = 13, lines = 9.5, row = 0.125;
    sb_tile_plan plan;
    if (setup->longest == 0 || setup->systems == 0)
        return own;
    sb_tile_arrange(setup, &plan);
    if (sb_tile_owns_matrices(setup))
        return own + (plan.form == SB_TILE_OWN_LINES && sb_tile_half_band(setup->problem) == 2
                          ? row * plan.own_lines.lines.cut.first_rows
                          : 0);
    return plan.form == SB_TILE_LINES ? lines : plan.strided.lines > 0 ? strided_lines : strided;
}

static double cost(const sb_cuda_setup *setup)
{
    /* A wider matrix and its transposed, by a block of threads: microseconds, and those of a row (H200, f64). */
    static const struct {
        double once, row;
    } factoring[] = {[2] = {55, 0.05}, [4] = {85, 0.1}};
    double rows = (double)setup->systems * (double)setup->longest;
    const int k = sb_tile_half_band(setup->problem);
    bool factors = setup->problem->one_pass && k > 1 && !sb_tile_owns_matrices(setup);
    return launch_time(setup) + words(setup) * rows * (double)setup->scalar_bytes / rate(setup) +
           (factors ? factoring[k].once + factoring[k].row * (double)setup->longest : 0);
}

/* Short systems have a kernel of their own, where it takes less time or tile's takes none of them; lines that are too long come in
   pieces, and those that are long where that takes less. */
enum { CHOSEN, COOPERATING, ALONE, PIECES };

static slimband_status configure(const char *options, sb_cuda_options *parsed)
{
    static const char *const forms[] = {
        [CHOSEN] = "", [COOPERATING] = "form=cooperating", [ALONE] = "form=alone"};
    for (int form = CHOSEN; form <= ALONE; ++form)
        if (!strcmp(options, forms[form])) {
            parsed->form = form;
            return SLIMBAND_OK;
        }
    parsed->form = PIECES;
    parsed->slice = sb_pieces_asked_for(options);
    return parsed->slice ? SLIMBAND_OK : SLIMBAND_UNKNOWN_OPTION;
}

static const sb_cuda_method *instead(const sb_cuda_setup *setup)
{
    enum { LEAST_CUT = 1024 };
    const sb_cuda_method *alone = &sb_cuda_short_method, *pieces = &sb_cuda_pieces_method;
    const bool cut = setup->options.form == CHOSEN && setup->longest >= LEAST_CUT;
    if (setup->options.form == PIECES || (cut && pieces->cost(setup) < (fits(setup) ? INFINITY : cost(setup))))
        return pieces;
    bool takes = setup->options.form != COOPERATING && !alone->fits(setup);
    bool pivots = setup->problem->pivoting == SLIMBAND_PIVOT_PARTIAL;
    return setup->options.form == ALONE ||
                   (takes && (pivots || fits(setup) || alone->cost(setup) < cost(setup)))
               ? alone
               : &sb_cuda_tile_method;
}

SB_CUDA_DECLARE(tile)

const sb_cuda_method sb_cuda_tile_method = {.configure = configure,
                                            .fits = fits,
                                            .cost = cost,
                                            .sizes = sizes,
                                            .prepare = prepare,
                                            .levels = levels,
                                            .words = words,
                                            .launchers = SB_CUDA_LAUNCHERS(tile),
                                            .instead = instead};
