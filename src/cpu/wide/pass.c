/* Passes over a tile, block after block of rows. */
#include <string.h>

#include "src/cpu/wide/task.h"

static sb_tile rows_from(const sb_tiles *tiles, R *base, int64_t row)
{
    return (sb_tile){base + row * SB_PLANES * tiles->lanes, tiles->lanes};
}

/* What comes after rows from..to-1: those behind them, or the first of the systems that come after these. */
static int64_t ahead(const sb_task *t, const sb_tiles *tiles, sb_lane_lines lines, int64_t stride, int64_t from,
                     int64_t to)
{
    if (to < t->job.plan->problem.n)
        return (to - from) * stride;
    return (lines.offset[1] - lines.offset[0]) * tiles->lanes - from * stride;
}

static void gather(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_layout *rhs = &t->job.plan->problem.rhs;
    sb_lines lines = {tiles->rhs.offset, tiles->rhs.whole, rhs->line,
                      ahead(t, tiles, tiles->rhs, rhs->line, from, to)};
    t->wide->gather(t->job.b, &lines, from, to - from, rows_from(tiles, tiles->x, from), 1);
}

static void scatter(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_layout *solution = &t->job.plan->problem.solution;
    sb_lines lines = {tiles->solution.offset, tiles->solution.whole, solution->line, 0};
    t->wide->scatter(rows_from(tiles, tiles->x, from), t->job.x, &lines, from, to - from, t->past_cache);
}

/* Rows from..to-1 of every lane's matrix. Couplings that leave the matrix are 0 and not read. */
static void gather_matrices(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    int64_t row = SB_PLANES * tiles->lanes;
    sb_lines lines = {tiles->matrix.offset, tiles->matrix.whole, p->matrix.line,
                      ahead(t, tiles, tiles->matrix, p->matrix.line, from, to)};
    for (int d = 0; d < width; ++d) {
        int64_t k = d - p->lower, first = from < -k ? sb_smaller(-k, to) : from, end = sb_smaller(to, p->n - k);
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

/* Rows from..to-1 of every lane's factors; on the way back, those in front of them come next. */
static void load_factors(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to, bool back)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    int64_t next = back ? -t->job.cpu->wide.block * width : ahead(t, tiles, tiles->store, width, from, to);
    sb_lines lines = {tiles->store.offset, tiles->store.whole, 1, next};
    t->wide->gather((const T *)t->job.cpu->factors, &lines, from * width, (to - from) * width,
                    (sb_tile){tiles->rows, tiles->lanes}, 1);
}

static void store_factors(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    sb_lines lines = {tiles->store.offset, tiles->store.whole, 1, 0};
    t->wide->scatter((sb_tile){tiles->rows, tiles->lanes}, (T *)t->job.cpu->factors, &lines, from * width,
                     (to - from) * width, false);
}

static sb_elimination elimination(const sb_task *t, const sb_tiles *tiles, int64_t first)
{
    const slimband_problem *p = &t->job.plan->problem;
    return (sb_elimination){.rows = {tiles->rows, tiles->lanes},
                            .upper = {tiles->upper, tiles->lanes},
                            .first = first,
                            .growth = tiles->growth,
                            .bad = tiles->bad,
                            .lower_width = p->lower,
                            .upper_width = p->upper,
                            .scaled = p->lower == 1 && p->upper == 1};
}

sb_factors SB_NAME(tile_factors)(const sb_task *t, const sb_tiles *tiles)
{
    const slimband_problem *p = &t->job.plan->problem;
    return (sb_factors){.shared = t->job.plan->matrices > 1 ? NULL : (const T *)t->job.cpu->factors,
                        .own = {tiles->rows, tiles->lanes},
                        .width = p->lower + 1 + p->upper,
                        .pivot = p->lower,
                        .lower = p->lower,
                        .upper = p->upper,
                        .scaled = p->lower == 1 && p->upper == 1};
}

void SB_NAME(go_down)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    bool own = t->job.plan->matrices > 1;
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n), inner = sb_smaller(to, t->inner);
        f.first = from;
        gather(t, tiles, from, to);
        if (own)
            load_factors(t, tiles, from, to, false);
        t->wide->forward(&f, rows_from(tiles, tiles->x, 0), from, inner);
    }
}

void SB_NAME(come_back)(const sb_task *t, const sb_tiles *tiles, sb_factors f, bool kept)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    bool fetch = !f.shared && !kept;
    for (int64_t from = (n - 1) / block * block; from >= 0; from -= block) {
        int64_t to = sb_smaller(from + block, n), inner = sb_smaller(to, t->inner);
        if (fetch && to < n)
            load_factors(t, tiles, from, to, true);
        f.first = kept ? 0 : from;
        t->wide->backward(&f, rows_from(tiles, tiles->x, 0), from, inner, tiles->odd);
        if (!t->ring)
            scatter(t, tiles, from, to);
    }
}

void SB_NAME(close_ring)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    sb_tile x = rows_from(tiles, tiles->x, 0);
    t->wide->border(&t->border, x);
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n);
        t->wide->unspike(&t->border, x, from, to, tiles->odd);
        scatter(t, tiles, from, to);
    }
}

void SB_NAME(eliminate_down)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n);
        sb_elimination e = elimination(t, tiles, from);
        f.first = from;
        gather_matrices(t, tiles, from, to);
        gather(t, tiles, from, to);
        t->wide->eliminate(&e, from, to);
        t->wide->forward(&f, rows_from(tiles, tiles->x, 0), from, to);
    }
}

void SB_NAME(eliminate_and_store)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n);
        sb_elimination e = elimination(t, tiles, from);
        gather_matrices(t, tiles, from, to);
        t->wide->eliminate(&e, from, to);
        store_factors(t, tiles, from, to);
    }
}
