/* Where a thread's tiles lie in its scratch. */
#include "src/cpu/wide/tiles.h"

#include <string.h>

static int64_t halo(const slimband_problem *p)
{
    return SB_NAME(tile_halo)(p);
}

/* A piece of memory, counted on: without a base to size what there is, with one to hand it out. */
static void *take(char *base, size_t *used, size_t count, size_t size)
{
    void *piece = base ? base + *used : NULL;
    *used = sb_plus(*used, sb_plus(sb_times(count, size), 63) / 64 * 64);
    return piece;
}

static void take_lines(char *base, size_t *used, int64_t lanes, sb_lane_lines *lines)
{
    lines->offset = take(base, used, (size_t)lanes, sizeof *lines->offset);
    lines->whole = take(base, used, (size_t)lanes, sizeof *lines->whole); /* of as many vectors at most */
}

static size_t lay_out(const slimband_plan *plan, const sb_wide_plan *how, char *base, sb_tiles *tiles)
{
    const slimband_problem *p = &plan->problem;
    int64_t lanes = how->lanes;
    size_t used = 0, row = (size_t)lanes * SB_PLANES * sizeof(R);
    bool own = plan->matrices > 1;
    int64_t upper_rows = own ? how->stretch + p->lower : 0, factor_rows = own ? how->factor_rows : 0,
            width = p->lower + 1 + p->upper;
    tiles->number = take(base, &used, (size_t)lanes, sizeof *tiles->number);
    take_lines(base, &used, lanes, &tiles->rhs);
    take_lines(base, &used, lanes, &tiles->solution);
    take_lines(base, &used, lanes, &tiles->matrix);
    take_lines(base, &used, lanes, &tiles->store);
    tiles->growth = take(base, &used, (size_t)lanes, sizeof(R));
    tiles->bad = take(base, &used, (size_t)lanes, sizeof(R));
    tiles->odd = take(base, &used, (size_t)lanes, sizeof(R));
    tiles->x = take(base, &used, (size_t)(how->stretch + 2 * halo(p)), row);
    tiles->rows = take(base, &used, (size_t)factor_rows, sb_times((size_t)width, row));
    tiles->transposed = take(base, &used, own ? 0 : sb_times((size_t)p->n, (size_t)width), sizeof(T));
    int64_t columns = p->ends == SLIMBAND_PERIODIC ? sb_wider(p->lower, p->upper) : 0;
    int64_t spike_rows = own ? p->n + 2 * halo(p) : how->block;
    tiles->spikes.columns = (int)columns;
    tiles->spikes.inner = p->n - columns;
    tiles->spike_sizes = take(base, &used, columns ? (size_t)lanes : 0, sizeof(R));
    tiles->border =
        take(base, &used,
             columns ? (size_t)sb_wider(sb_border_words((int)columns) + columns, SB_LAST_WORDS) : 0, row);
    tiles->spikes.first.at = take(base, &used, (size_t)(columns * spike_rows), row);
    tiles->upper = take(base, &used, (size_t)upper_rows, sb_times((size_t)(1 + p->upper), row));
    size_t stretches = how->stretch < p->n ? (size_t)((p->n - 1) / how->stretch + 1) : 0;
    tiles->fronts = take(base, &used, sb_times(stretches, (size_t)SB_NAME(front_rows)(p, own)), row);
    return used;
}

size_t SB_NAME(tiles_bytes)(const slimband_plan *plan, const sb_wide_plan *how)
{
    sb_tiles unused;
    return lay_out(plan, how, NULL, &unused);
}

sb_tiles SB_NAME(tiles_of)(const slimband_plan *plan, int thread)
{
    const sb_cpu *cpu = plan->state;
    sb_tiles tiles = {.thread = thread};
    char *end = cpu->scratch + (size_t)(thread + 1) * cpu->scratch_bytes;
    lay_out(plan, &cpu->wide, end - cpu->wide.bytes, &tiles);
    return tiles;
}

static void repeat_last(int64_t *offset, int64_t count, int64_t lanes)
{
    for (int64_t s = count; s < lanes; ++s)
        offset[s] = offset[count - 1];
}

static void zero(R *at, int64_t reals)
{
    memset(at, 0, (size_t)reals * sizeof(R));
}

void SB_NAME(tiles_close)(const slimband_plan *plan, sb_tiles *tiles)
{
    const sb_cpu *cpu = plan->state;
    const sb_wide *wide = cpu->wide.kernels;
    const slimband_problem *p = &plan->problem;
    int64_t width = wide->width; /* a power of two */
    int64_t lanes = tiles->overlaps ? tiles->count : (tiles->count + width - 1) & -width,
            row = lanes * SB_PLANES;
    tiles->lanes = lanes;
    repeat_last(tiles->rhs.offset, tiles->count, lanes);
    repeat_last(tiles->solution.offset, tiles->count, lanes);
    repeat_last(tiles->matrix.offset, tiles->count, lanes);
    repeat_last(tiles->store.offset, tiles->count, lanes);
    zero(tiles->x, halo(p) * row);
    tiles->x += halo(p) * row;
    zero(tiles->x + cpu->wide.stretch * row, halo(p) * row);
    zero(tiles->odd, lanes);
    tiles->spikes.first.lanes = lanes;
    tiles->spikes.apart = cpu->wide.block * row;
    zero(tiles->bad, lanes);
    if (plan->matrices > 1) {
        zero(tiles->upper, p->lower * (1 + p->upper) * row);
        tiles->upper += p->lower * (1 + p->upper) * row;
        tiles->spikes.apart = (p->n + 2 * halo(p)) * row;
        tiles->spikes.first.at += tiles->spikes.columns > 0 ? halo(p) * row : 0;
        for (int64_t s = 0; s < lanes; ++s)
            tiles->growth[s] = 1; /* see grow: less is not told apart */
    }
}

void SB_NAME(clear_spikes)(const slimband_plan *plan, const sb_tiles *tiles)
{
    const sb_spikes *s = &tiles->spikes;
    zero(s->first.at - halo(&plan->problem) * tiles->lanes * SB_PLANES, s->columns * s->apart);
}

/* Lines from..to-1 of stride 1 are evenly spaced, or lines side by side; none is left out. */
static bool even(const int64_t *offset, int64_t between, int64_t from, int64_t to)
{
    bool all = offset[from] >= 0;
    for (int64_t s = from + 1; s < to; ++s)
        all &= offset[s] >= 0 && offset[s] - offset[s - 1] == between;
    return all;
}

static bool none_left_out(const int64_t *offset, int64_t from, int64_t to)
{
    bool all = true;
    for (int64_t s = from; s < to; ++s)
        all &= offset[s] >= 0;
    return all;
}

void SB_NAME(arrange)(const slimband_plan *plan, const sb_tiles *tiles, sb_lane_lines *lines, int64_t stride,
                      int64_t step)
{
    const sb_cpu *cpu = plan->state;
    int width = ((const sb_wide *)cpu->wide.kernels)->width;
    bool known = tiles->in_a_row && tiles->count == tiles->lanes;
    if (stride != 1)
        lines->between = 1;
    else
        lines->between = known ? step : lines->offset[1] - lines->offset[0];
    bool all = known ? lines->between == step : even(lines->offset, lines->between, 0, tiles->lanes);
    lines->arrangement = !all ? SB_ANYHOW : stride == 1 ? SB_LINES : SB_SIDE_BY_SIDE;
    memset(lines->whole, all, (size_t)(tiles->lanes / width) * sizeof *lines->whole);
    for (int64_t lane = 0; !all && lane < tiles->lanes; lane += width)
        lines->whole[lane / width] = stride == 1 ? none_left_out(lines->offset, lane, lane + width)
                                                 : even(lines->offset, 1, lane, lane + width);
}
