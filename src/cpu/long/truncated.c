/* One long system in one pass. Every chunk is eliminated from `reach` rows above its own on, and a group of its rows at
 * a time substituted from `reach` rows below them on; what lies farther is taken for 0. 2 k + 2 words a row in and one
 * out; rows that two chunks look at are (2 reach) / (rows of a chunk) of all.
 *
 * Where x == b, neighbours overwrite what a chunk looks at: right-hand sides about the chunks' first rows are saved
 * before; elsewhere only those at the ends, where there are zeros beyond them, or a ring goes on. */
#include <string.h>

#include "src/cpu/long/task.h"
#include "src/cpu/team.h"

enum { UNIT = 64 / sizeof(T) };

static int64_t saved_at(const sb_long_task *t, int64_t span, int64_t row)
{
    return span * sb_saved_rows(t) + t->reach + row - sb_span_start(&t->spans, span);
}

static void save(const sb_long_task *t, int64_t span)
{
    int64_t n = t->spans.n, first = sb_span_start(&t->spans, span) - t->reach;
    T *to = t->saved + span * sb_saved_rows(t);
    if (first >= 0 && first + sb_saved_rows(t) <= n && t->b.stride == 1) {
        memcpy(to, t->b.at + first, (size_t)sb_saved_rows(t) * sizeof(T));
        return;
    }
    for (int64_t i = first; i < first + sb_saved_rows(t); ++i) {
        bool inside = i >= 0 && i < n;
        *to++ = inside || t->A.periodic ? t->b.at[sb_wrap(i, n) * t->b.stride] : 0;
    }
}

/* Rows whose right-hand sides stand in b as they did: of a chunk, its own; where x is apart from b, of all lanes those that there
   are. */
typedef struct standing {
    int64_t low, high;
} standing;

static standing standing_rows(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    if (t->b.at == t->x)
        return (standing){0, sb_span_rows(&t->spans, number)};
    return (standing){-tile->start[0], t->spans.n - tile->start[t->kernels->lanes - 1]};
}

/* May a chunk look at what is saved about the first row of this one? */
static bool is_looked_at(const sb_long_task *t, int64_t span)
{
    const sb_spans *s = &t->spans;
    int64_t tile = span / s->lanes, rows = s->last_rows + 2;
    return t->b.at == t->x || tile * s->lanes * s->rows < t->reach ||
           sb_span_start(s, span) + (s->lanes + 1) * rows + t->reach + t->block > s->n;
}

static void save_needed(const sb_long_task *t, int64_t from, int64_t to)
{
    for (int64_t span = from; span < to; ++span)
        if (is_looked_at(t, span))
            save(t, span);
}

/* Right-hand sides of a block, in parts: those that were saved before the chunk's own rows, those that stand in b, and saved
   ones of the next chunk. */
static void put_rhs(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from, int64_t to,
                    int64_t ahead)
{
    int64_t lanes = t->kernels->lanes;
    standing rows = standing_rows(t, tile, number);
    for (int64_t at = from, end; at < to; at = end) {
        bool before = at < rows.low, inside = !before && at < rows.high;
        int64_t stop = before ? 0 : inside ? rows.high : to;
        end = stop < to ? stop : to;
        sb_lines lines = {tile->rhs_offset, tile->rhs_whole, t->b.stride, ahead * t->b.stride};
        for (int64_t lane = 0; lane < lanes && !inside; ++lane)
            tile->offset[lane] = saved_at(t, number * lanes + lane + !before, tile->start[lane] + at) - at;
        if (!inside)
            lines = (sb_lines){tile->offset, tile->whole, 1, 0};
        SB_NAME(long_rhs)(t, tile, inside ? t->b.at : t->saved, &lines, at, at - from, end - at);
    }
}

/* Words of a row that wait for the way back: its right-hand side, and what of its factors is not kept. */
static int64_t waiting_words(const sb_long_task *t)
{
    return t->slots.at ? 1 : t->k + 1;
}

static int64_t ring_of(const sb_long_task *t)
{
    return t->group + t->reach;
}

static R *waiting(const sb_long_task *t, const sb_long_tile *tile, int64_t row)
{
    int64_t word = t->kernels->lanes * SB_PLANES;
    return tile->kept + (row < 0 ? 0 : row % ring_of(t) * waiting_words(t) * word);
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows from the last one that a chunk of m rows looks at to the first one that is looked at in the next tile. */
static int64_t to_next_tile(const sb_long_task *t, int64_t m)
{
    return t->spans.lanes * t->spans.rows - m - 2 * t->reach;
}

/* How far rows from `from` on stand in lines: up to `to`, or for a block; or not at all. Where x == b, right-hand sides of
   other chunks do not stand where they were. */
static int64_t lines_until(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from,
                           int64_t to, T *constant, sb_long_lines *lines)
{
    int64_t m = sb_span_rows(&t->spans, number);
    const int64_t ends[] = {to, from + t->block};
    for (int i = 0; i < 2; ++i) {
        bool overwritten = t->b.at == t->x && (from < 0 || ends[i] > m);
        if (!overwritten && SB_NAME(long_lines)(t, tile, from, ends[i], constant, lines)) {
            lines->left = m + t->reach - from;
            lines->jump = to_next_tile(t, m) * SB_PLANES;
            return ends[i];
        }
    }
    return from;
}

static void sweep_block(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from,
                        const sb_long_factors *factors)
{
    int64_t m = sb_span_rows(&t->spans, number), to = from + t->block;
    int64_t ahead = SB_ROWS_AHEAD + (from + SB_ROWS_AHEAD < m + t->reach ? 0 : to_next_tile(t, m));
    R *kept = waiting(t, tile, from);
    if (factors) {
        sb_long_tile view = *tile;
        view.rows = kept;
        put_rhs(t, &view, number, from, to, ahead);
        t->kernels->descend(t->k, factors, kept, from + t->reach, to + t->reach, tile->state, NULL);
        return;
    }
    if (t->b.at) {
        SB_NAME(long_matrix)(t, tile, from, to, ahead);
        put_rhs(t, tile, number, from, to, ahead);
    } else
        SB_NAME(long_rows)(t, tile, from, to, ahead);
    t->kernels->sweep(t->k, tile->rows, t->block, tile->state, kept, from >= 0);
}

/* Blocks of rows from..to-1, which wait side by side. fetched: the row up to which right-hand sides were. */
static void sweep(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from, int64_t to,
                  int64_t fetched, const sb_long_factors *factors)
{
    T constant[2 * SB_CHUNKED_BAND + 1];
    sb_long_lines lines;
    for (int64_t end; from < to; from = end) {
        end = factors ? from : lines_until(t, tile, number, from, to, constant, &lines);
        lines.rhs_fetched = end <= fetched;
        if (end > from &&
            t->kernels->sweep_lines(t->k, &lines, end - from, tile->state, waiting(t, tile, from), from >= 0))
            continue;
        end = end > from ? end : from + t->block;
        for (int64_t at = from; at < end; at += t->block)
            sweep_block(t, tile, number, at, factors);
    }
}

/* Rows from..end-1 to x, of which the first of the next chunk are not wanted. Row 0 of tile->x is row from - late, which
   was waiting for its cache line to be full. Returns how many rows wait now. */
static int64_t put_group(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from,
                         int64_t end, int64_t late)
{
    int64_t m = sb_span_rows(&t->spans, number), lanes = t->kernels->lanes, row = lanes * SB_PLANES;
    int64_t to = end < m    ? end
                 : m > from ? m
                            : from,
            waits = t->past_cache && end < m ? (to - t->align) % UNIT : 0;
    if (to - waits > from - late)
        SB_NAME(long_put)(t, tile, from - late, to - waits);
    for (int64_t i = to; i < end; ++i)
        for (int64_t lane = 0; lane < lanes; ++lane)
            for (int plane = 0; plane < SB_PLANES && i < m + sb_span_more(&t->spans, number * lanes + lane);
                 ++plane)
                ((R *)&t->x[(tile->start[lane] + i) * t->x_stride])[plane] =
                    tile->x[(i - from + late) * row + plane * lanes + lane];
    memmove(tile->x, tile->x + (to - waits - from + late) * row, (size_t)(waits * row) * sizeof(R));
    return waits;
}

/* What the rows so far say of the whole: bounds and growth only get larger. */
static bool holds(const sb_long_task *t, const sb_long_tile *tile)
{
    double bound = 0, growth = 0;
    t->kernels->judge(tile->state, &tile->verdict);
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane) {
        double own = tile->verdict.odd[lane] == 0 ? (double)tile->verdict.bound[lane] : INFINITY;
        bound = own > bound ? own : bound;
        growth = (double)tile->verdict.growth[lane] > growth ? (double)tile->verdict.growth[lane] : growth;
    }
    return sb_truncation_holds(t, bound, growth);
}

static void start(const sb_long_task *t, const sb_long_tile *tile)
{
    if (t->slots.at)
        memset(tile->state, 0, (size_t)(t->k * t->kernels->lanes) * sizeof(T));
    else
        t->kernels->start(tile->state);
}

/* What to fetch while a group is substituted, of the rows from `swept` on that the next group wants; returns the row up to
   which that is. */
static int64_t fetch_below(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t swept,
                           sb_long_fetch *fetch)
{
    T constant[2 * SB_CHUNKED_BAND + 1];
    sb_long_lines lines;
    int64_t last = sb_span_rows(&t->spans, number) + t->reach;
    if (!SB_NAME(long_fetches_back)(t) || last <= swept)
        return swept;
    int64_t end = lines_until(t, tile, number, swept, least_of(swept + t->group, last), constant, &lines);
    if (end == swept || lines.constant)
        return swept;
    *fetch = (sb_long_fetch){lines.word[2 * t->k + 1], lines.offset, (end - swept) / SB_LINE_ROWS};
    return end;
}

/* Rows from..end-1, substituted from `reach` rows below them on. */
static void back(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t end, int64_t late,
                 const sb_long_factors *factors, sb_long_fetch *fetch)
{
    int64_t word = t->kernels->lanes * SB_PLANES;
    R *below = (R *)tile->state + t->k * word;
    if (factors)
        memset(below, 0, (size_t)(t->k * word) * sizeof(R));
    else
        t->kernels->look(tile->state);
    for (int64_t to = end + t->reach, at; to > from; to = at) {
        int64_t side_by_side = (to - 1) / ring_of(t) * ring_of(t), wanted = to > end ? end : from;
        at = side_by_side > wanted ? side_by_side : wanted;
        R *x = at < end ? tile->x + (late + at - from) * word : NULL;
        if (factors)
            t->kernels->ascend(t->k, factors, waiting(t, tile, at), at + t->reach, to + t->reach, below, x,
                               tile->verdict.spoilt);
        else
            t->kernels->back(t->k, waiting(t, tile, at), to - at, tile->state, x, fetch);
    }
}

/* Ends early where it turns out to be in vain: where couplings do not decay, the first rows of a chunk show it. factors: NULL if
   they are not kept. */
static void truncate_tile(const sb_long_task *t, const sb_long_tile *tile, int64_t number,
                          const sb_long_factors *factors)
{
    int64_t lanes = t->kernels->lanes, late = 0, swept = t->block, fetched = -t->reach;
    int64_t rows = sb_span_most_rows(&t->spans, number);
    for (int64_t lane = 0; lane < lanes; ++lane) {
        tile->start[lane] = sb_span_start(&t->spans, number * lanes + lane);
        tile->writes[lane] = true;
        tile->whole[lane] = true;
    }
    SB_NAME(long_place)(t, tile);
    start(t, tile);
    sweep(t, tile, number, -t->reach, 0, fetched, factors);
    sweep(t, tile, number, 0, swept, fetched, factors);
    if (!factors && !holds(t, tile))
        return;
    for (int64_t from = 0; from < rows; from += t->group) {
        int64_t blocks = (rows - from + t->block - 1) / t->block, most = t->group / t->block;
        int64_t end = from + (blocks < most ? blocks : most) * t->block;
        for (int64_t to; swept < end + t->reach; swept = to) {
            to = least_of(end + t->reach, (swept / ring_of(t) + 1) * ring_of(t));
            sweep(t, tile, number, swept, to, fetched, factors);
        }
        sb_long_fetch fetch = {.times = 0};
        fetched = factors ? fetched : fetch_below(t, tile, number, swept, &fetch);
        back(t, tile, from, end, late, factors, &fetch);
        if (t->b.at)
            late = put_group(t, tile, number, from, end, late);
        if (!factors && !holds(t, tile))
            return;
    }
}

/* The worst of a tile's lanes. */
static void judge(const sb_long_task *t, const sb_long_tile *tile, sb_long_outcome *outcome, bool *spoilt)
{
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane) {
        double bound = tile->verdict.odd[lane] == 0 ? (double)tile->verdict.bound[lane] : INFINITY;
        double growth = (double)tile->verdict.growth[lane];
        outcome->bound = bound > outcome->bound ? bound : outcome->bound;
        outcome->growth = growth > outcome->growth ? growth : outcome->growth;
        *spoilt |= tile->verdict.spoilt[lane] != 0;
    }
}

/* Systems of one matrix on their way, by several threads; a single one may show that it can't be truncated. */
typedef struct truncating {
    const sb_long_task *tasks;
    int count;
    bool *odd;               /* of each */
    sb_long_outcome outcome; /* the worst of all parts */
} truncating;

/* Before any chunk's unknowns are written. */
static void save_part(void *work, int part, int parts)
{
    const truncating *w = work;
    int64_t spans = w->tasks->spans.tiles * w->tasks->spans.lanes + 1;
    for (int s = 0; s < w->count && w->tasks->b.at; ++s)
        save_needed(&w->tasks[s], spans * part / parts, spans * (part + 1) / parts);
}

/* One thread notes outside of any region, where LLVM's library can't end a critical section. */
static void note(truncating *w, const sb_long_outcome *own, bool spoilt)
{
    w->outcome.bound = own->bound > w->outcome.bound ? own->bound : w->outcome.bound;
    w->outcome.growth = own->growth > w->outcome.growth ? own->growth : w->outcome.growth;
    *w->odd |= spoilt;
}

static void truncate_part(void *work, int part, int parts)
{
    truncating *w = work;
    const sb_long_task *t = w->tasks;
    int64_t tiles = t->spans.tiles;
    sb_long_tile tile = SB_NAME(long_tile)(t, part);
    sb_long_outcome own = {.row = -1};
    bool spoilt = false;
    for (int64_t number = tiles * part / parts; number < tiles * (part + 1) / parts; ++number) {
        truncate_tile(t, &tile, number, NULL);
        judge(t, &tile, &own, &spoilt);
        if (!sb_truncation_holds(t, own.bound, own.growth))
            break;
    }
    t->wide->fence();
    if (parts == 1) {
        note(w, &own, spoilt);
        return;
    }
#pragma omp critical(sb_truncating)
    note(w, &own, spoilt);
}

sb_long_outcome SB_NAME(long_truncate)(const sb_long_task *t, int threads)
{
    static sb_pass *const passes[] = {save_part, truncate_part};
    bool spoilt = false;
    truncating w = {.tasks = t, .count = 1, .odd = &spoilt, .outcome = {.row = -1}};
    sb_in_team(sb_long_team(t->spans.tiles, threads), 2, passes, &w);
    /* Without a right-hand side there are no unknowns, and what seemed to be some may have been anything. */
    w.outcome.not_finite =
        spoilt && t->b.at ? SB_NAME(vector_not_finite)((sb_vector){t->x, t->x_stride}, t->spans.n) : -1;
    return w.outcome;
}

static void truncate_part_by_factors(void *work, int part, int parts)
{
    const truncating *w = work;
    const sb_long_task *t = w->tasks;
    int64_t tiles = t->spans.tiles, lanes = t->spans.lanes;
    sb_long_tile tile = SB_NAME(long_tile)(t, part);
    for (int64_t number = tiles * part / parts; number < tiles * (part + 1) / parts; ++number) {
        sb_long_factors factors = SB_NAME(long_factors)(t, number);
        for (int s = 0; s < w->count; ++s) {
            memset(tile.verdict.spoilt, 0, (size_t)lanes * sizeof(R));
            truncate_tile(&t[s], &tile, number, &factors);
            SB_NAME(long_note_odd)(tile.verdict.spoilt, lanes, &w->odd[s]);
        }
    }
    t->wide->fence();
}

void SB_NAME(long_truncate_kept)(const sb_long_task *tasks, int count, int threads, bool *odd)
{
    static sb_pass *const passes[] = {save_part, truncate_part_by_factors};
    truncating w = {tasks, count, odd, {.row = -1}};
    sb_in_team(sb_long_team(tasks->spans.tiles, threads), 2, passes, &w);
}
