/* Rings of own matrices, as in kernels/ring.c: interiors and spikes are solved side by side in tiles, the border, a few
 * unknowns of each ring, lane by lane. Words a row of each system, to and from memory: lower + 1 + upper, and 2; in cache,
 * max(lower, upper) spikes besides. */
#include "src/chunk/ring_growth.h"
#include "src/cpu/wide/moves.h"

sb_tile SB_NAME(spike)(const sb_tiles *tiles, int column)
{
    return (sb_tile){tiles->spikes.first.at + column * tiles->spikes.apart, tiles->lanes};
}

/* One coupling of row i to the border, in all lanes. */
static void gather_coupling(const sb_task *t, const sb_tiles *tiles, int k, int64_t i, int column)
{
    const slimband_problem *p = &t->job.plan->problem;
    sb_lines lines = {tiles->matrix.offset, tiles->matrix.whole, p->matrix.line, 0};
    sb_tile row = {SB_NAME(spike)(tiles, column).at + i * SB_PLANES * tiles->lanes, tiles->lanes};
    t->wide->gather((const T *)t->job.diagonals[p->lower + k], &lines, i, 1, row, 1);
}

/* A12, where W will be: the first rows reach back to the border, the last ones forwards. */
static void gather_couplings(const sb_task *t, const sb_tiles *tiles)
{
    const slimband_problem *p = &t->job.plan->problem;
    for (int k = 1; k <= p->lower; ++k)
        for (int i = 0; i < k; ++i)
            gather_coupling(t, tiles, -k, i, tiles->spikes.columns + i - k);
    for (int k = 1; k <= p->upper; ++k)
        for (int i = 0; i < k; ++i)
            gather_coupling(t, tiles, k, t->inner - k + i, i);
}

static void back_by_blocks(const sb_task *t, const sb_tiles *tiles)
{
    int64_t block = t->job.cpu->wide.block;
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    f.own.at = tiles->upper;
    f.width = 1 + f.upper;
    f.pivot = 0;
    for (int64_t to = t->inner, from; to > 0; to = from) {
        from = (to - 1) / block * block;
        t->wide->backward(&f, (sb_tile){tiles->x, tiles->lanes}, from, to, tiles->odd);
        for (int c = 0; c < tiles->spikes.columns; ++c)
            t->wide->backward(&f, SB_NAME(spike)(tiles, c), from, to, tiles->odd);
    }
}

static R *parts_of(sb_tile tile, int64_t row, int64_t lane)
{
    return tile.at + row * SB_PLANES * tile.lanes + lane;
}

static T word_of(sb_tile tile, int64_t row, int64_t lane)
{
    T word;
    for (int plane = 0; plane < SB_PLANES; ++plane)
        ((R *)&word)[plane] = parts_of(tile, row, lane)[plane * tile.lanes];
    return word;
}

/* The border's unknowns of one lane's ring, and what its growth is with the spikes'. */
static void solve_border(const sb_task *t, const sb_tiles *tiles, int64_t lane, int64_t matrix)
{
    int m = tiles->spikes.columns;
    T border[2 * SB_RING_MOST * SB_RING_MOST + SB_RING_MOST * SB_RING_MOST],
        ends[2 * SB_RING_MOST * SB_RING_MOST], y[2 * SB_RING_MOST], x2[SB_RING_MOST];
    int32_t swap[SB_RING_MOST];
    sb_ring r = {
        .inner = t->inner, .m = m, .border = border, .schur = border + (ptrdiff_t)2 * m * m, .swap = swap};
    sb_matrix A = SB_NAME(matrix_at)(&t->job.plan->problem, t->job.diagonals, matrix);
    sb_tile x = {tiles->x, tiles->lanes};
    SB_NAME(ring_gather)(&A, &r);
    for (int c = 0; c < 2 * m; ++c) {
        y[c] = word_of(x, sb_border_column(&r, c), lane);
        for (int j = 0; j < m; ++j)
            ends[c * m + j] = word_of(SB_NAME(spike)(tiles, j), sb_border_column(&r, c), lane);
    }
    if (SB_NAME(ring_factor)(&r, ends) >= 0)
        tiles->bad[lane] = (R)NAN;
    tiles->growth[lane] = sb_ring_growth(tiles->growth[lane], tiles->spike_sizes[lane], (R)sb_growth_limit);
    for (int c = 0; c < m; ++c)
        x2[c] = word_of(x, t->inner + c, lane);
    SB_NAME(ring_solve)(&r, y, x2);
    for (int c = 0; c < m; ++c)
        for (int plane = 0; plane < SB_PLANES; ++plane)
            parts_of(x, t->inner + c, lane)[plane * x.lanes] = ((const R *)&x2[c])[plane];
}

void SB_NAME(eliminate_rings)(const sb_task *t, const sb_tiles *tiles, int64_t first)
{
    gather_couplings(t, tiles);
    SB_NAME(eliminate_by_blocks)(t, tiles);
    SB_NAME(gather_rhs)(t, tiles, t->inner, t->job.plan->problem.n);
    back_by_blocks(t, tiles);
    t->wide->measure(&tiles->spikes, tiles->spike_sizes, tiles->bad);
    for (int64_t lane = 0; lane < tiles->lanes; ++lane)
        solve_border(t, tiles, lane, first + sb_smaller(lane, tiles->count - 1));
}

void SB_NAME(close_rings)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    sb_tile x = {tiles->x, tiles->lanes};
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n);
        t->wide->unspike_own(&tiles->spikes, x, from, to, tiles->odd);
        SB_NAME(scatter_solution)(t, tiles, from, to);
    }
}
