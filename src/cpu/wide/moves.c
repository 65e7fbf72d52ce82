/* Between the user's arrays, stored factors and tiles. */
#include "src/cpu/wide/moves.h"
#include "src/cpu/fetch.h"

#include <string.h>

sb_tile SB_NAME(tile_from)(const sb_tiles *tiles, R *base, int64_t row)
{
    return (sb_tile){base + row * SB_PLANES * tiles->lanes, tiles->lanes};
}

void SB_NAME(tell_lines)(const sb_tiles *tiles)
{
    const sb_lane_lines *all[] = {&tiles->rhs, &tiles->solution, &tiles->matrix};
    for (int a = 0; tiles->implied && a < 3; ++a)
        for (int64_t lane = 1; lane < tiles->count; ++lane)
            all[a]->offset[lane] = all[a]->offset[0] + lane;
}

void SB_NAME(gather_rhs)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    SB_NAME(tell_lines)(tiles);
    sb_lines lines = {tiles->rhs.offset, tiles->rhs.whole, t->job.plan->problem.rhs.line, 0};
    t->wide->gather(t->job.b, &lines, from, to - from, SB_NAME(tile_from)(tiles, tiles->x, from), 1);
}

void SB_NAME(scatter_solution)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    SB_NAME(tell_lines)(tiles);
    sb_lines lines = {tiles->solution.offset, tiles->solution.whole, t->job.plan->problem.solution.line, 0};
    t->wide->scatter(SB_NAME(tile_from)(tiles, tiles->x, from), t->job.x, &lines, from, to - from,
                     t->past_cache);
}

void SB_NAME(gather_matrices)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    int64_t row = SB_PLANES * tiles->lanes;
    sb_lines lines = {tiles->matrix.offset, tiles->matrix.whole, p->matrix.line, 0};
    SB_NAME(tell_lines)(tiles);
    for (int d = 0; d < width; ++d) {
        int64_t k = t->closed ? 0 : d - p->lower, first = from < -k ? sb_smaller(-k, to) : from,
                end = sb_smaller(to, t->inner - k);
        R *at = tiles->rows + d * row;
        end = end < first ? first : end;
        for (int64_t i = from; i < first; ++i)
            memset(at + (i - from) * width * row, 0, (size_t)row * sizeof(R));
        for (int64_t i = end; i < to; ++i)
            memset(at + (i - from) * width * row, 0, (size_t)row * sizeof(R));
        t->wide->gather((const T *)t->job.diagonals[d], &lines, first, end - first,
                        (sb_tile){at + (first - from) * width * row, tiles->lanes}, width);
    }
}

int64_t SB_NAME(load_factors)(const sb_task *t, sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    bool all = t->job.cpu->wide.factor_rows > t->job.cpu->wide.block;
    int64_t first = all ? 0 : from;
    sb_lines lines = {tiles->store.offset, tiles->store.whole, 1, 0};
    to = sb_smaller(to, t->inner);
    if (tiles->laned.lower)
        return 0;
    if (t->shared || from >= to || (tiles->from == first && (all ? tiles->to >= to : tiles->to == to)))
        return first;
    t->wide->gather((const T *)t->job.cpu->factors, &lines, from * width, (to - from) * width,
                    SB_NAME(tile_from)(tiles, tiles->rows, (from - first) * width), 1);
    tiles->from = first;
    tiles->to = to;
    return first;
}

bool SB_NAME(fits_laned)(const slimband_plan *plan)
{
    const slimband_problem *p = &plan->problem;
    const sb_recipe *r = &((const sb_cpu *)plan->state)->recipe;
    int m = r->periodic ? (int)sb_wider(p->lower, p->upper) : 0;
    size_t words = (size_t)((p->n - m) * (p->lower + 1 + p->upper + m) + sb_border_words(m)),
           swaps = m > 1 ? (size_t)m - 1 : 0;
    return words * sizeof(T) + swaps * sizeof(R) <= SB_NAME(system_stored)(r, p->n);
}

sb_laned SB_NAME(laned_at)(const sb_task *t, const sb_tiles *tiles, int64_t matrix, R **border)
{
    const slimband_problem *p = &t->job.plan->problem;
    int64_t row = tiles->lanes * SB_PLANES;
    sb_laned laned = {.lower = (R *)sb_store(t->job.cpu, matrix)};
    laned.upper = laned.lower + t->inner * p->lower * row;
    laned.spikes = laned.upper + t->inner * (1 + p->upper) * row;
    *border = laned.spikes + t->inner * tiles->spikes.columns * row;
    return laned;
}

static void store_laned(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int64_t row = tiles->lanes * SB_PLANES, lower = p->lower * row, upper = (1 + p->upper) * row;
    for (int64_t i = from; i < to; ++i) {
        const R *words = tiles->rows + (i - from) * (lower + upper);
        memcpy(tiles->laned.lower + i * lower, words, (size_t)lower * sizeof(R));
        memcpy(tiles->laned.upper + i * upper, words + lower, (size_t)upper * sizeof(R));
    }
}

void SB_NAME(store_factors)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    sb_lines lines = {tiles->store.offset, tiles->store.whole, 1, 0};
    if (tiles->laned.lower) {
        store_laned(t, tiles, from, to);
        return;
    }
    t->wide->scatter((sb_tile){tiles->rows, tiles->lanes}, (T *)t->job.cpu->factors, &lines, from * width,
                     (to - from) * width, false);
}

/* Couplings around a ring are looked at with the rest, those that leave an open matrix are not read. */
void SB_NAME(search_matrices)(const sb_task *t, const sb_tiles *tiles)
{
    const slimband_problem *p = &t->job.plan->problem;
    int64_t block = t->job.cpu->wide.block;
    sb_lines lines = {tiles->matrix.offset, tiles->matrix.whole, p->matrix.line, 0};
    sb_tile rows = {tiles->rows, tiles->lanes};
    const bool ring = t->ring || t->closed;
    for (int d = 0; d < p->lower + 1 + p->upper; ++d) {
        int64_t k = d - p->lower, least = ring || k > 0 ? 0 : sb_smaller(-k, p->n);
        int64_t most = ring || k < 0 ? p->n : p->n - k;
        for (int64_t from = least, to; from < most; from = to) {
            to = sb_smaller(from + block, most);
            t->wide->gather((const T *)t->job.diagonals[d], &lines, from, to - from, rows, 1);
            t->wide->search(rows, to - from, tiles->bad);
        }
    }
}

void SB_NAME(search_rhs)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    for (int64_t from = 0, to; from < n; from = to) {
        to = sb_smaller(from + block, n);
        sb_tiles block_of = *tiles;
        block_of.x -= from * tiles->lanes * SB_PLANES;
        SB_NAME(gather_rhs)(t, &block_of, from, to);
        t->wide->search((sb_tile){tiles->x, tiles->lanes}, to - from, tiles->bad);
    }
}

sb_rows SB_NAME(vector_rows)(const sb_tiles *tiles)
{
    return (sb_rows){.at = tiles->x, .step = tiles->lanes * SB_PLANES};
}

sb_rows SB_NAME(user_rows)(const void *array, const sb_lane_lines *lines, int64_t stride)
{
    return (sb_rows){
        .at = (R *)((const T *)array + lines->offset[0]), .step = stride * SB_PLANES, .pairs = true};
}

bool SB_NAME(stores_past_cache)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t between = tiles->solution.between;
    uintptr_t start = (uintptr_t)(t->job.x + tiles->solution.offset[0]);
    bool rows = tiles->solution.arrangement == SB_SIDE_BY_SIDE;
    return t->past_cache && (rows || (start | (uintptr_t)(between * (int64_t)sizeof(T))) % SB_CACHE_LINE == 0);
}

/* A tile that is small beside the second-level cache has the next one fetched, half of it on the way down and half on the
   way back; with matrices, these on the way down and the rest on the way back, which is as much of the time. From end to end
   where there are no wide gaps, since the caches' own prefetchers then take part. In a large tile, what is fetched are rows
   further on, several of a line where single precision has so many lines, with matrices twice: processors forget such wishes
   when they have too many. If all lanes' lines fall into one set of the first-level cache, those of more than four arrays drive one
   another out of it, and single precision's do not stay there until it is their turn, which takes twice as long to come. */
static void plan_ahead(const sb_task *t, const sb_tiles *tiles, bool back, bool matrices, sb_ahead *ahead)
{
    enum { line = SB_CACHE_LINE / sizeof(R), again = 3 * line, page = 4096 / sizeof(R), few_arrays = 4 };
    int64_t between = tiles->rhs.between * SB_PLANES, n = t->job.plan->problem.n * SB_PLANES,
            lanes = tiles->lanes, parts = matrices ? 1 : 2;
    int64_t start = (back ? -8 : matrices ? 6 : 8) * line, steps = n / line;
    ahead->step = line;
    ahead->line_step = between;
    ahead->again = matrices && !back && !t->small ? again : 0;
    ahead->count = (int)lanes;
    ahead->run = t->small || sb_into_first ? 0 : (back ? -line : line);
    bool stay = between % page != 0 || (sizeof(R) == 8 && ahead->arrays <= few_arrays);
    ahead->into_first = sb_into_first && (ahead->again == 0 || stay);
    if (t->small && steps > 0 && between >= n && between <= n + n / 4) {
        ahead->count = (int)((lanes * between / line + parts * steps - 1) / (parts * steps));
        ahead->line_step = line;
        ahead->step = (back ? -1 : 1) * ahead->count * line;
        start = lanes * between + (back ? (parts * steps - 1) * ahead->count * line : 0);
    } else if (t->small) {
        ahead->count /= (int)parts;
        start = (lanes + (back && parts > 1 ? lanes / 2 : 0)) * between;
    }
    for (int a = 0; a < ahead->arrays; ++a)
        ahead->from[a] += start;
}

/* Are the solution's lines brought into the caches to be written? A store to parts of two of them waits for both. */
static bool brings_solution(const sb_task *t, const sb_tiles *tiles)
{
    return (const void *)t->job.b != (const void *)t->job.x && tiles->solution.arrangement == SB_LINES &&
           tiles->solution.between == tiles->rhs.between && !SB_NAME(stores_past_cache)(t, tiles);
}

void SB_NAME(ahead)(const sb_task *t, const sb_tiles *tiles, bool back, bool matrices, sb_ahead *ahead)
{
    const slimband_problem *p = &t->job.plan->problem;
    ahead->arrays = 0;
    ahead->again = 0;
    if (!t->far || !t->usual || tiles->rhs.arrangement != SB_LINES ||
        (matrices && (tiles->matrix.arrangement != SB_LINES || tiles->matrix.between != tiles->rhs.between)))
        return;
    bool rhs = t->small ? back || !matrices : !back, written = t->small ? rhs : back || !matrices;
    for (int d = 0; matrices && !back && d < p->lower + 1 + p->upper; ++d)
        ahead->from[ahead->arrays++] = (const R *)((const T *)t->job.diagonals[d] + tiles->matrix.offset[0]);
    if (rhs)
        ahead->from[ahead->arrays++] = (const R *)(t->job.b + tiles->rhs.offset[0]);
    if (written && brings_solution(t, tiles))
        ahead->from[ahead->arrays++] = (const R *)(t->job.x + tiles->solution.offset[0]);
    plan_ahead(t, tiles, back, matrices, ahead);
}
