/* Transposed and adjoint solves in tiles, with factors as they are kept: A = L U becomes U^T L^T, swept by columns; of rings,
 * the border comes first. The adjoint's unknowns are the conjugates of what the transpose makes of conjugate right-hand
 * sides. Words a row of each system: those of the other way round. */
#include "src/cpu/wide/moves.h"

static void conjugate(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    int64_t lanes = tiles->lanes;
    for (int64_t i = from; i < to && t->job.conjugate; ++i) {
        R *imaginary = tiles->x + (i * SB_PLANES + SB_PLANES - 1) * lanes;
        for (int64_t lane = 0; lane < lanes; ++lane)
            imaginary[lane] = -imaginary[lane];
    }
}

/* S^T x2 = b2 - W^T b1, and what is left of b1. */
static void open_rings(const sb_task *t, sb_tiles *tiles)
{
    int64_t block = t->job.cpu->wide.block;
    sb_tile x = {tiles->x, tiles->lanes};
    for (int64_t from = 0, to; from < t->inner; from = to) {
        to = sb_smaller(from + block, t->inner);
        sb_spikes spikes = SB_NAME(load_spikes)(t, tiles, from, to);
        t->wide->project(&spikes, x, from, to);
    }
    SB_NAME(load_borders)(t, tiles);
    SB_NAME(open_borders)(t, tiles);
}

void SB_NAME(solve_by_columns)(const sb_task *t, sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    sb_tile x = {tiles->x, tiles->lanes};
    sb_factors lower = SB_NAME(lower_factors)(t, tiles), upper = SB_NAME(upper_factors)(t, tiles);
    for (int64_t from = 0, to; from < n; from = to) {
        to = sb_smaller(from + block, n);
        SB_NAME(gather_rhs)(t, tiles, from, to);
        conjugate(t, tiles, from, to);
    }
    if (t->ring)
        open_rings(t, tiles);
    for (int64_t from = 0, to; from < t->inner; from = to) {
        to = sb_smaller(from + block, t->inner);
        upper.first = SB_NAME(load_factors)(t, tiles, from, to);
        t->wide->forward_columns(&upper, x, from, to);
    }
    for (int64_t to = t->inner, from; to > 0; to = from) {
        from = (to - 1) / block * block;
        lower.first = SB_NAME(load_factors)(t, tiles, from, to);
        t->wide->backward_columns(&lower, x, from, to, tiles->odd);
    }
    for (int64_t from = 0, to; from < n; from = to) {
        to = sb_smaller(from + block, n);
        conjugate(t, tiles, from, to);
        SB_NAME(scatter_solution)(t, tiles, from, to);
    }
}
