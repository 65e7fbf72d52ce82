/* Passes over a tile, block after block of rows. */
#include <string.h>

#include "src/cpu/fetch.h"
#include "src/cpu/wide/moves.h"

static sb_elimination elimination(const sb_task *t, const sb_tiles *tiles, int64_t first)
{
    const slimband_problem *p = &t->job.plan->problem;
    return (sb_elimination){.rows = {tiles->rows, tiles->lanes},
                            .upper = {tiles->upper, tiles->lanes},
                            .first = first,
                            .growth = tiles->growth,
                            .bad = tiles->bad,
                            .lower_width = p->lower,
                            .upper_width = p->upper};
}

sb_factors SB_NAME(tile_factors)(const sb_task *t, const sb_tiles *tiles)
{
    return (sb_factors){.shared = t->shared,
                        .own = {tiles->rows, tiles->lanes},
                        .width = t->lower + 1 + t->upper,
                        .pivot = t->lower,
                        .lower = t->lower,
                        .upper = t->upper,
                        .scaled = t->lower == 1 && t->upper == 1};
}

sb_factors SB_NAME(lower_factors)(const sb_task *t, const sb_tiles *tiles)
{
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    if (!tiles->laned.lower)
        return f;
    f.own.at = tiles->laned.lower;
    f.width = f.lower;
    return f;
}

sb_factors SB_NAME(upper_factors)(const sb_task *t, const sb_tiles *tiles)
{
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    if (!tiles->laned.lower)
        return f;
    f.own.at = tiles->laned.upper;
    f.width = 1 + f.upper;
    f.pivot = 0;
    return f;
}

/* Words of a row that eliminate_down keeps. */
static int kept_width(const sb_task *t)
{
    return t->upper + (t->usual && !t->ring ? 0 : 1) + (t->closed ? 1 : 0);
}

sb_factors SB_NAME(kept_factors)(const sb_task *t, const sb_tiles *tiles)
{
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    f.own.at = tiles->upper;
    f.ready = t->usual && !t->ring;
    f.width = kept_width(t);
    f.pivot = f.ready ? -1 : 0; /* so that U's entries begin with word 0 */
    if (t->closed)
        f.border = SB_NAME(tile_from)(tiles, tiles->border, SB_LAST_UNKNOWN).at;
    return f;
}

/* Rows that the kernels of usual bands sweep where they lie; the others go through the tile. */
static int64_t rows_in_place(const sb_task *t, const sb_lane_lines *lines, int64_t rows)
{
    if (!t->usual || lines->arrangement == SB_ANYHOW)
        return 0;
    return lines->arrangement == SB_LINES ? rows / SB_LINE_ROWS * SB_LINE_ROWS : rows;
}

/* Swept right-hand sides wait for the way back in the solution itself if it lies as they do, but not if it is then
   stored past the caches, nor if all lanes repeat one line. */
static bool waits_in_solution(const sb_task *t, const sb_tiles *tiles, sb_arrangement arrangement)
{
    return t->usual && !t->ring && t->job.plan->matrices == 1 && !SB_NAME(by_stretches)(t) &&
           tiles->rhs.arrangement == arrangement && tiles->solution.arrangement == arrangement &&
           tiles->solution.between != 0 && !SB_NAME(stores_past_cache)(t, tiles);
}

/* Complex numbers of one matrix that come from rows and go to rows wait as they lie in these. */
static bool waits_in_pairs(const sb_task *t, const sb_tiles *tiles)
{
    return t->usual && !t->ring && t->job.plan->matrices == 1 && !SB_NAME(by_stretches)(t) &&
           tiles->rhs.arrangement == SB_SIDE_BY_SIDE && tiles->solution.arrangement == SB_SIDE_BY_SIDE;
}

static sb_rows waiting_rows(const sb_task *t, const sb_tiles *tiles)
{
    if (waits_in_solution(t, tiles, SB_SIDE_BY_SIDE))
        return SB_NAME(user_rows)(t->job.x, &tiles->solution, t->job.plan->problem.solution.line);
    sb_rows rows = SB_NAME(vector_rows)(tiles);
    rows.pairs = waits_in_pairs(t, tiles);
    return rows;
}

/* From a row to the one that is wanted next, SB_ROWS_FETCHED further on: of the same systems, behind whose last rows come the first ones of those
   beside them; 0 if there are none. Beyond the arrays nothing is to be fetched: systems of 16 unknowns took half as long again. */
static int64_t to_next_row(const sb_task *t, const sb_tiles *tiles, int64_t row, int64_t step)
{
    int64_t n = t->job.plan->problem.n, next = row + SB_ROWS_FETCHED;
    if (next < n)
        return SB_ROWS_FETCHED * step;
    return tiles->beside > 0 && next < 2 * n ? (SB_ROWS_FETCHED - n) * step + tiles->lanes * SB_PLANES : 0;
}

/* On the way back as well, because rows whose distance is a power of two drive one another out of the second-level cache long
   before a strip fills it. */
static void look_ahead(const sb_task *t, const sb_tiles *tiles, bool back, sb_sweep *s)
{
    bool waits = waits_in_solution(t, tiles, SB_SIDE_BY_SIDE);
    int64_t n = t->job.plan->problem.n;
    if (!t->far || tiles->rhs.arrangement != SB_SIDE_BY_SIDE || (back && !waits))
        return;
    s->ahead_step = back ? -s->from.step : s->from.step;
    s->ahead = s->from.at + (back ? (s->n - 1) * s->from.step : 0) + SB_ROWS_FETCHED * s->ahead_step;
    s->ahead_rows = sb_wider(0, (back ? s->n : n) - SB_ROWS_FETCHED);
    if (!back && tiles->beside > 0 && n >= SB_ROWS_FETCHED)
        s->next = s->from.at + tiles->lanes * SB_PLANES;
}

static void make_sweep(const sb_task *t, const sb_tiles *tiles, sb_factors f, bool back, sb_sweep *s)
{
    const slimband_problem *p = &t->job.plan->problem;
    sb_rows waiting = waiting_rows(t, tiles);
    *s = (sb_sweep){.factors = f,
                    .from = back ? waiting : SB_NAME(user_rows)(t->job.b, &tiles->rhs, p->rhs.line),
                    .to = back ? SB_NAME(user_rows)(t->job.x, &tiles->solution, p->solution.line) : waiting,
                    .n = t->inner,
                    .lanes = tiles->lanes,
                    .odd = tiles->odd,
                    .past_cache = back && SB_NAME(stores_past_cache)(t, tiles)};
    if (f.shared)
        look_ahead(t, tiles, back, s);
}

static void make_line_sweep(const sb_task *t, const sb_tiles *tiles, sb_factors f, bool back, bool matrices,
                            sb_line_sweep *s)
{
    const sb_lane_lines *lines = back ? &tiles->solution : &tiles->rhs;
    const T *array = back ? t->job.x : t->job.b;
    bool waits = waits_in_solution(t, tiles, SB_LINES);
    s->factors = f;
    s->tile = (sb_tile){tiles->x, tiles->lanes};
    s->line = (R *)(array + lines->offset[0]);
    s->between = lines->between * SB_PLANES;
    s->waiting = waits ? (R *)(t->job.x + tiles->solution.offset[0]) : NULL;
    s->waiting_between = tiles->solution.between * SB_PLANES;
    s->odd = tiles->odd;
    s->past_cache = back && SB_NAME(stores_past_cache)(t, tiles);
    SB_NAME(ahead)(t, tiles, back, matrices, &s->ahead);
}

/* What one range of rows after another is swept by where it lies. */
typedef struct in_place {
    bool lines;
    sb_sweep rows;
    sb_line_sweep line;
} in_place;

/* first: the row that the factors begin with. */
static void sweep_in_place(const sb_task *t, in_place *s, bool back, int64_t first, int64_t from, int64_t to)
{
    const sb_wide *wide = t->wide;
    s->rows.factors.first = s->line.factors.first = first;
    if (s->lines)
        (back ? wide->backward_lines : wide->forward_lines)(&s->line, from, to);
    else
        (back ? wide->backward_rows : wide->forward_rows)(&s->rows, from, to);
}

/* Only what is used is made up, which shows in short systems; and nothing where no rows lie. */
static void make_up(const sb_task *t, const sb_tiles *tiles, sb_factors f, bool back, bool matrices, bool any,
                    in_place *s)
{
    s->lines = (back ? &tiles->solution : &tiles->rhs)->arrangement == SB_LINES;
    if (any && s->lines)
        make_line_sweep(t, tiles, f, back, matrices, &s->line);
    else if (any)
        make_sweep(t, tiles, f, back, &s->rows);
}

void SB_NAME(go_down)(const sb_task *t, sb_tiles *tiles, int64_t first, int64_t end)
{
    int64_t block = t->job.cpu->wide.block;
    bool own = t->job.plan->matrices > 1 && !tiles->laned.lower;
    int64_t lie = sb_smaller(rows_in_place(t, &tiles->rhs, t->inner), end), most = own ? block : end;
    sb_factors f = SB_NAME(lower_factors)(t, tiles);
    in_place s;
    make_up(t, tiles, f, false, false, first < lie, &s);
    for (int64_t from = first, to; from < end; from = to) {
        to = from < lie ? sb_smaller(from + most, lie) : sb_smaller(from + block, end);
        if (own)
            f.first = SB_NAME(load_factors)(t, tiles, from, to);
        if (from < lie) {
            sweep_in_place(t, &s, false, f.first, from, to);
            continue;
        }
        SB_NAME(gather_rhs)(t, tiles, from, to);
        t->wide->forward(&f, (sb_tile){tiles->x, tiles->lanes}, from, sb_smaller(to, t->inner));
    }
}

void SB_NAME(come_back)(const sb_task *t, sb_tiles *tiles, int64_t first, int64_t end)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    bool kept = t->job.diagonals || tiles->laned.lower;
    sb_factors f = (t->job.diagonals ? SB_NAME(kept_factors) : SB_NAME(upper_factors))(t, tiles);
    bool fetch = !f.shared && !kept;
    int64_t lie = t->ring ? 0 : sb_smaller(rows_in_place(t, &tiles->solution, n), end),
            most = fetch ? block : n;
    in_place s;
    make_up(t, tiles, f, true, kept, first < lie, &s);
    for (int64_t to = end, from; to > first; to = from) {
        int64_t least = to > lie ? sb_wider(lie, first) : first, rows = to > lie ? block : most;
        from = to - least > rows ? least + (to - least - 1) / rows * rows : least;
        if (fetch)
            f.first = SB_NAME(load_factors)(t, tiles, from, to);
        if (to <= lie) {
            sweep_in_place(t, &s, true, f.first, from, to);
            continue;
        }
        t->wide->backward(&f, (sb_tile){tiles->x, tiles->lanes}, from, sb_smaller(to, t->inner), tiles->odd);
        if (!t->ring)
            SB_NAME(scatter_solution)(t, tiles, from, to);
    }
}

void SB_NAME(close_ring)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n, block = t->job.cpu->wide.block;
    sb_tile x = {tiles->x, tiles->lanes};
    t->wide->border(&t->border, x);
    for (int64_t from = 0; from < n; from += block) {
        int64_t to = sb_smaller(from + block, n);
        t->wide->unspike(&t->border, x, from, to, tiles->odd);
        SB_NAME(scatter_solution)(t, tiles, from, to);
    }
}

/* Any band, or the interior of a ring and its spikes: eliminate in a block, then substitute or store. */
void SB_NAME(eliminate_by_blocks)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t block = t->job.cpu->wide.block;
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    for (int64_t from = 0; from < t->inner; from += block) {
        int64_t to = sb_smaller(from + block, t->inner);
        sb_elimination e = elimination(t, tiles, from);
        f.first = from;
        SB_NAME(gather_matrices)(t, tiles, from, to);
        t->wide->eliminate(&e, from, to);
        if (t->job.b) {
            SB_NAME(gather_rhs)(t, tiles, from, to);
            t->wide->forward(&f, (sb_tile){tiles->x, tiles->lanes}, from, to);
        } else
            SB_NAME(store_factors)(t, tiles, from, to);
        for (int c = 0; c < tiles->spikes.columns; ++c)
            t->wide->forward(&f, SB_NAME(spike)(tiles, c), from, to);
    }
}

/* Row i of the tile of vectors, and of what is kept. */
static sb_tile kept_from(const sb_task *t, const sb_tiles *tiles, int64_t i)
{
    return SB_NAME(tile_from)(tiles, tiles->upper, i * kept_width(t));
}

/* Rows from..to-1. If matrices are read where they lie, all or none of a diagonal's couplings leave the matrix, and zeros stand
   for those that do. */
static void march(const sb_task *t, const sb_tiles *tiles, bool matrices, bool rhs, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    int width = p->lower + 1 + p->upper;
    int64_t row = tiles->lanes * SB_PLANES;
    sb_march m = {.y = SB_NAME(tile_from)(tiles, tiles->x, from),
                  .kept = kept_from(t, tiles, from),
                  .growth = tiles->growth,
                  .bad = tiles->bad,
                  .band = p->lower,
                  .as_lines = p->matrix.line == 1 && p->rhs.line == 1,
                  .last = t->closed ? tiles->border : NULL,
                  .matrix_pairs = matrices,
                  .matrix_step = matrices ? p->matrix.line * SB_PLANES : width * row,
                  .rhs_pairs = rhs,
                  .rhs_step = rhs ? p->rhs.line * SB_PLANES : row};
    if (matrices && rhs && t->far) {
        m.matrix_ahead = to_next_row(t, tiles, from, m.matrix_step);
        m.rhs_ahead = to_next_row(t, tiles, from, m.rhs_step);
        const int64_t again = sb_asks_twice && to + SB_ROWS_FETCHED_AGAIN <= p->n ? SB_ROWS_FETCHED_AGAIN : 0;
        m.matrix_again = again * m.matrix_step;
        m.rhs_again = again * m.rhs_step;
    }
    for (int d = 0; d < width; ++d) {
        const int64_t column = from + (t->closed ? 0 : d - p->lower);
        if (!matrices)
            m.matrix[d] = tiles->rows + d * row;
        else if (column >= 0 && column < p->n)
            m.matrix[d] =
                (const R *)((const T *)t->job.diagonals[d] + tiles->matrix.offset[0] + from * p->matrix.line);
        else
            m.matrix[d] = memset(tiles->rows, 0, (size_t)row * sizeof(R));
    }
    m.rhs = rhs ? (const R *)(t->job.b + tiles->rhs.offset[0] + from * p->rhs.line) : m.y.at;
    if (!matrices)
        SB_NAME(gather_matrices)(t, tiles, from, to);
    if (!rhs)
        SB_NAME(gather_rhs)(t, tiles, from, to);
    t->wide->march(&m, to - from);
}

/* The first `rows` rows. */
static void march_lines(const sb_task *t, const sb_tiles *tiles, int64_t rows)
{
    const slimband_problem *p = &t->job.plan->problem;
    sb_line_march m;
    m.rhs = (const R *)(t->job.b + tiles->rhs.offset[0]);
    m.matrix_between = tiles->matrix.between * SB_PLANES;
    m.rhs_between = tiles->rhs.between * SB_PLANES;
    m.y = SB_NAME(tile_from)(tiles, tiles->x, 0);
    m.kept = kept_from(t, tiles, 0);
    m.growth = tiles->growth;
    m.bad = tiles->bad;
    m.band = p->lower;
    m.closes = rows == p->n;
    m.last = t->closed ? tiles->border : NULL;
    SB_NAME(ahead)(t, tiles, false, true, &m.ahead);
    for (int d = 0; d < p->lower + 1 + p->upper; ++d)
        m.matrix[d] = (const R *)((const T *)t->job.diagonals[d] + tiles->matrix.offset[0]);
    t->wide->march_lines(&m, rows);
}

/* Where they are read they go all together, but for the last ones, with which other systems' rows are fetched. */
static void march_by_blocks(const sb_task *t, const sb_tiles *tiles, bool matrices, bool rhs, int64_t from,
                            int64_t to)
{
    int64_t last = t->job.plan->problem.n - SB_ROWS_FETCHED;
    for (int64_t next; from < to; from = next) {
        next = sb_smaller(from + t->job.cpu->wide.block, to);
        if (matrices && rhs)
            next = from < last ? sb_smaller(last, to) : to;
        march(t, tiles, matrices, rhs, from, next);
    }
}

/* Rows side by side that have couplings which leave the matrix: one after another, since each has others. */
static void march_edge(const sb_task *t, const sb_tiles *tiles, bool rhs, int64_t from, int64_t to)
{
    for (; from < to; ++from)
        march(t, tiles, true, rhs, from, from + 1);
}

sb_last_row SB_NAME(last_row)(const sb_task *t, const sb_tiles *tiles)
{
    int64_t n = t->job.plan->problem.n;
    return (sb_last_row){.words = {tiles->border, tiles->lanes},
                         .row = tiles->rows,
                         .rhs = SB_NAME(tile_from)(tiles, tiles->x, n - 1).at,
                         .front = kept_from(t, tiles, -1).at,
                         .kept = kept_from(t, tiles, n - 2).at,
                         .growth = tiles->growth,
                         .bad = tiles->bad};
}

/* Of n rows, `in_front` and `behind` of which have couplings that leave the matrix, those from..to-1. Rows first..last-1 are read where
   they lie: no coupling of theirs leaves the matrix, whose words there are not to be read. Of lines, which come all at once, they are
   whole cache lines, and the kernel leaves those couplings out. */
static void eliminate_rows(const sb_task *t, const sb_tiles *tiles, int64_t n, int64_t in_front, int64_t behind,
                           int64_t from, int64_t to)
{
    bool rows = tiles->matrix.arrangement == SB_SIDE_BY_SIDE, rhs = tiles->rhs.arrangement == SB_SIDE_BY_SIDE;
    bool lines = tiles->matrix.arrangement == SB_LINES && tiles->rhs.arrangement == SB_LINES;
    int64_t first = lines ? 0 : rows ? sb_smaller(in_front, n) : n, last = n - behind;
    if (lines)
        last = (n % SB_LINE_ROWS ? last : n) / SB_LINE_ROWS * SB_LINE_ROWS;
    last = sb_wider(first, last);
    if (rows) {
        march_edge(t, tiles, rhs, from, sb_smaller(first, to));
        march_by_blocks(t, tiles, true, rhs, sb_wider(first, from), sb_smaller(last, to));
        march_edge(t, tiles, rhs, sb_wider(last, from), to);
        return;
    }
    march_by_blocks(t, tiles, false, rhs, from, sb_smaller(first, to));
    if (last > first)
        march_lines(t, tiles, last);
    march_by_blocks(t, tiles, false, rhs, sb_wider(last, from), to);
}

void SB_NAME(eliminate_down)(const sb_task *t, sb_tiles *tiles, int64_t from, int64_t to)
{
    const slimband_problem *p = &t->job.plan->problem;
    if (!t->usual) {
        SB_NAME(eliminate_by_blocks)(t, tiles);
        return;
    }
    int64_t n = t->closed ? p->n - 1 : p->n;
    if (t->closed)
        eliminate_rows(t, tiles, n, 0, 0, from, sb_smaller(to, n));
    else
        eliminate_rows(t, tiles, n, p->lower, p->upper, from, to);
    /* What the last row shows is for those behind it to tell, and there are none. */
    if (to >= n && n > 0)
        t->wide->search(kept_from(t, tiles, n - 1), 1, tiles->bad);
}
