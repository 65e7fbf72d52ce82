/* Rings of own matrices, as in kernels/ring.c, but for those of 1 + 1 that are solved in one pass (march.h): interiors, spikes
 * and borders are solved side by side in tiles; borders are factored lane by lane. Words a row of each system, to and from
 * memory: lower + 1 + upper, and 2; in cache, max(lower, upper) spikes besides. Kept spikes: so many words more, written once
 * and read once a solve. */
#include <string.h>

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

/* The interiors' right-hand sides, if there are any, and the spikes. */
static void back_by_blocks(const sb_task *t, const sb_tiles *tiles)
{
    int64_t block = t->job.cpu->wide.block;
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    f.own.at = tiles->upper;
    f.width = 1 + f.upper;
    f.pivot = 0;
    for (int64_t to = t->inner, from; to > 0; to = from) {
        from = (to - 1) / block * block;
        if (t->job.b)
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

static void put_word(sb_tile tile, int64_t row, int64_t lane, T word)
{
    for (int plane = 0; plane < SB_PLANES; ++plane)
        parts_of(tile, row, lane)[plane * tile.lanes] = ((const R *)&word)[plane];
}

/* What the store of a lane's matrix has of its ring, where matrices lie there one by one. */
static sb_ring kept_ring(const sb_task *t, const sb_tiles *tiles, int64_t lane)
{
    const sb_cpu *cpu = t->job.cpu;
    return SB_NAME(ring_view)(cpu->recipe.engine, (const T *)cpu->factors + tiles->store.offset[lane],
                              t->job.plan->problem.n, t->job.plan->problem.lower, t->job.plan->problem.upper,
                              &cpu->recipe.tuning);
}

/* One ring's border by itself. */
typedef struct border {
    T words[3 * SB_RING_MOST * SB_RING_MOST];
    int32_t swap[SB_RING_MOST];
} border;

static sb_ring ring_of(const sb_task *t, const sb_tiles *tiles, border *b)
{
    int m = tiles->spikes.columns;
    return (sb_ring){.inner = t->inner,
                     .m = m,
                     .border = b->words,
                     .schur = b->words + (ptrdiff_t)2 * m * m,
                     .swap = b->swap};
}

static sb_tile borders_of(const sb_tiles *tiles)
{
    return (sb_tile){tiles->border, tiles->lanes};
}

static R *swap_of(const sb_tiles *tiles, int k, int64_t lane)
{
    return parts_of(borders_of(tiles), sb_border_words(tiles->spikes.columns), lane) + k * tiles->lanes;
}

static void put_border(const sb_tiles *tiles, int64_t lane, const sb_ring *r)
{
    for (int e = 0; e < sb_border_words(r->m); ++e)
        put_word(borders_of(tiles), e, lane, r->border[e]);
    for (int k = 0; k + 1 < r->m; ++k)
        *swap_of(tiles, k, lane) = (R)r->swap[k];
}

static void take_border(const sb_tiles *tiles, int64_t lane, const sb_ring *r)
{
    for (int e = 0; e < sb_border_words(r->m); ++e)
        r->border[e] = word_of(borders_of(tiles), e, lane);
    for (int k = 0; k < r->m; ++k)
        r->swap[k] = k + 1 < r->m ? (int32_t)*swap_of(tiles, k, lane) : 0;
}

/* One lane's border, and what its growth is with the spikes'. */
static void factor_border(const sb_task *t, const sb_tiles *tiles, int64_t lane, int64_t matrix,
                          const sb_ring *r)
{
    T ends[2 * SB_RING_MOST * SB_RING_MOST];
    sb_matrix A = SB_NAME(matrix_at)(&t->job.plan->problem, t->job.diagonals, matrix);
    SB_NAME(ring_gather)(&A, r);
    for (int c = 0; c < 2 * r->m; ++c)
        for (int j = 0; j < r->m; ++j)
            ends[c * r->m + j] = word_of(SB_NAME(spike)(tiles, j), sb_border_column(r, c), lane);
    if (SB_NAME(ring_factor)(r, ends, &tiles->growth[lane]) >= 0)
        tiles->bad[lane] = (R)NAN;
    tiles->growth[lane] = sb_ring_growth(tiles->growth[lane], tiles->spike_sizes[lane], (R)sb_growth_limit);
}

static void factor_borders(const sb_task *t, const sb_tiles *tiles, int64_t first)
{
    bool one_by_one = !t->job.b && !tiles->laned.lower;
    for (int64_t lane = 0; lane < tiles->lanes; ++lane) {
        border memory;
        sb_ring r = one_by_one ? kept_ring(t, tiles, lane) : ring_of(t, tiles, &memory);
        factor_border(t, tiles, lane, first + sb_smaller(lane, tiles->count - 1), &r);
        if (!one_by_one)
            put_border(tiles, lane, &r);
    }
}

void SB_NAME(load_borders)(const sb_task *t, const sb_tiles *tiles)
{
    for (int64_t lane = 0; lane < tiles->lanes && !tiles->laned.lower; ++lane) {
        sb_ring kept = kept_ring(t, tiles, lane);
        put_border(tiles, lane, &kept);
    }
}

void SB_NAME(open_borders)(const sb_task *t, const sb_tiles *tiles)
{
    sb_tile x = {tiles->x, tiles->lanes};
    for (int64_t lane = 0; lane < tiles->lanes; ++lane) {
        T ends[2 * SB_RING_MOST], x2[SB_RING_MOST];
        border memory;
        sb_ring r = ring_of(t, tiles, &memory);
        take_border(tiles, lane, &r);
        for (int c = 0; c < 2 * r.m; ++c)
            ends[c] = word_of(x, sb_border_column(&r, c), lane);
        for (int c = 0; c < r.m; ++c)
            x2[c] = word_of(x, r.inner + c, lane);
        SB_NAME(ring_solve_transposed)(&r, ends, x2);
        for (int c = 0; c < 2 * r.m; ++c)
            put_word(x, sb_border_column(&r, c), lane, ends[c]);
        for (int c = 0; c < r.m; ++c)
            put_word(x, r.inner + c, lane, x2[c]);
    }
}

/* Columns of spikes between tiles and the stores of the lanes' matrices: where the first matrix has them. */
static sb_lines spike_lines(const sb_tiles *tiles)
{
    return (sb_lines){tiles->store.offset, tiles->store.whole, 1, 0};
}

static void store_spikes(const sb_task *t, const sb_tiles *tiles)
{
    sb_lines lines = spike_lines(tiles);
    size_t column = (size_t)(t->inner * tiles->lanes * SB_PLANES);
    for (int c = 0; c < tiles->spikes.columns && tiles->laned.lower; ++c)
        memcpy(tiles->laned.spikes + (size_t)c * column, SB_NAME(spike)(tiles, c).at, column * sizeof(R));
    for (int c = 0; c < tiles->spikes.columns && !tiles->laned.lower; ++c)
        t->wide->scatter(SB_NAME(spike)(tiles, c), t->border.spikes + c * t->inner, &lines, 0, t->inner, false);
}

sb_spikes SB_NAME(load_spikes)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    sb_lines lines = spike_lines(tiles);
    sb_spikes spikes = tiles->spikes;
    if (tiles->laned.lower) {
        spikes.first.at = tiles->laned.spikes;
        spikes.apart = t->inner * tiles->lanes * SB_PLANES;
        return spikes;
    }
    spikes.from = from;
    to = sb_smaller(to, t->inner);
    for (int c = 0; c < spikes.columns && from < to; ++c)
        t->wide->gather(t->border.spikes + c * t->inner, &lines, from, to - from, SB_NAME(spike)(tiles, c), 1);
    return spikes;
}

void SB_NAME(eliminate_rings)(const sb_task *t, const sb_tiles *tiles, int64_t first)
{
    SB_NAME(clear_spikes)(t->job.plan, tiles);
    gather_couplings(t, tiles);
    SB_NAME(eliminate_by_blocks)(t, tiles);
    if (t->job.b)
        SB_NAME(gather_rhs)(t, tiles, t->inner, t->job.plan->problem.n);
    back_by_blocks(t, tiles);
    t->wide->measure(&tiles->spikes, tiles->spike_sizes, tiles->bad);
    factor_borders(t, tiles, first);
    if (!t->job.b)
        store_spikes(t, tiles);
}

void SB_NAME(close_rings)(const sb_task *t, const sb_tiles *tiles)
{
    const slimband_problem *p = &t->job.plan->problem;
    bool kept = !t->job.diagonals;
    bool in_place = tiles->solution.arrangement == SB_SIDE_BY_SIDE && !SB_NAME(stores_past_cache)(t, tiles);
    int64_t n = p->n, block = t->job.cpu->wide.block;
    sb_tile x = {tiles->x, tiles->lanes};
    sb_rows out = in_place ? SB_NAME(user_rows)(t->job.x, &tiles->solution, p->solution.line)
                           : SB_NAME(vector_rows)(tiles);
    sb_borders borders = {borders_of(tiles), t->inner, tiles->spikes.columns};
    t->wide->border_own(&borders, x);
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n), first = in_place ? sb_wider(from, t->inner) : from;
        sb_spikes spikes = kept ? SB_NAME(load_spikes)(t, tiles, from, to) : tiles->spikes;
        t->wide->unspike_own(&spikes, x, &out, from, to, tiles->odd);
        if (first < to)
            SB_NAME(scatter_solution)(t, tiles, first, to);
    }
}
