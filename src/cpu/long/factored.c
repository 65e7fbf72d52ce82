/* Factors of one long matrix, kept tile by tile, and its solves: several right-hand sides go through a tile while its
 * factors are in the cache. The interiors of a Toeplitz matrix's chunks are all alike but for those that hold rows of
 * their own, so that one tile's factors, which never leave the second-level cache, do for all others.
 *
 * Words a row: 2 of right-hand sides and 1 of the solution; and of factors, for all right-hand sides that go together,
 * 2 k down, 2 k + 1 down and up again. */
#include <omp.h>
#include <string.h>

#include "src/cpu/long/task.h"
#include "src/cpu/team.h"

static int64_t reals(const sb_long_task *t)
{
    return t->kernels->lanes * SB_PLANES;
}

/* Rows that a tile is swept over: of a chunk; or above, of and below it. */
static int64_t swept_rows(const sb_long_task *t, int64_t number)
{
    if (!t->reaches)
        return sb_chunk_rows(&t->chunks, number);
    int64_t rows = sb_span_most_rows(&t->spans, number);
    return 2 * t->reach + (rows + t->block - 1) / t->block * t->block;
}

static int64_t tiles_of(const sb_long_task *t)
{
    return t->reaches ? t->spans.tiles : t->chunks.tiles;
}

/* Has the tile the factors that all inner tiles have? */
static bool inner(const sb_long_task *t, int64_t number)
{
    int64_t lanes = t->kernels->lanes, first = number * lanes, last = first + lanes - 1;
    if (t->reaches) {
        int64_t begin = sb_span_start(&t->spans, first) - t->reach,
                end = sb_span_start(&t->spans, last) - t->reach;
        return SB_NAME(long_alike)(t, begin, end + swept_rows(t, number));
    }
    int64_t m = sb_chunk_rows(&t->chunks, number);
    return m == t->chunks.rows &&
           SB_NAME(long_alike)(t, sb_chunk_start(&t->chunks, first), sb_chunk_start(&t->chunks, last) + m);
}

size_t SB_NAME(long_place_factors)(sb_long_task *t, const sb_engine *pivoted, char *base)
{
    int64_t tiles = tiles_of(t), k = t->k, rows = 0;
    sb_long_slots s = {.at = base};
    while (s.lead < tiles && !inner(t, s.lead))
        ++s.lead;
    while (s.trail < tiles - s.lead && !inner(t, tiles - 1 - s.trail))
        ++s.trail;
    s.alike = tiles - s.lead - s.trail;
    for (int64_t number = tiles > 2 ? tiles - 2 : 0; number < tiles; ++number)
        rows = swept_rows(t, number) > rows ? swept_rows(t, number) : rows;
    s.rows = rows;
    s.bytes = (size_t)(rows * (t->reaches ? 2 * k + 1 : 3 * k + 1) * reals(t)) * sizeof(R);
    size_t used = (size_t)(s.lead + (s.alike > 0) + s.trail) * s.bytes;
    t->slots = s;
    if (t->reaches)
        return used;
    t->reduced.store = base ? base + used : NULL;
    used += SB_NAME(reduced_bytes)(pivoted, sb_reduced_rows(&t->chunks, t->k), t->k, t->A.periodic).store;
    return (used + 63) / 64 * 64; /* the next matrix' copy begins behind */
}

sb_long_factors SB_NAME(long_factors)(const sb_long_task *t, int64_t number)
{
    const sb_long_slots *s = &t->slots;
    bool alike = number >= s->lead && number < s->lead + s->alike;
    int64_t slot = number < s->lead ? number : alike ? s->lead : number - s->alike + (s->alike > 0);
    R *lower = (R *)(s->at + (size_t)slot * s->bytes), *upper = lower + s->rows * t->k * reals(t);
    R *fold = upper + s->rows * (t->k + 1) * reals(t);
    return (sb_long_factors){lower, fold, upper, alike && t->reaches};
}

static void place(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane) {
        int64_t chunk = number * t->kernels->lanes + lane;
        tile->start[lane] = t->reaches ? sb_span_start(&t->spans, chunk) : sb_chunk_start(&t->chunks, chunk);
        tile->writes[lane] = true;
    }
    SB_NAME(long_place)(t, tile);
}

/* Where chunks reach into their neighbours: as if what is above the first row were zero. Rows that are all alike have the
   pivots that they come to after `reach` rows. */
static void keep_reaching(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    sb_long_factors f = SB_NAME(long_factors)(t, number);
    int64_t rows = f.alike ? t->reach : swept_rows(t, number), last = rows - 1, k = t->k;
    for (int64_t from = 0; from < rows; from += t->block) {
        SB_NAME(long_rows)(t, tile, from - t->reach, from - t->reach + t->block, 0);
        t->kernels->keep_rows(t->k, tile->rows, from, from + t->block, tile->state, &f);
    }
    if (f.alike) {
        memcpy(f.lower, f.lower + last * k * reals(t), (size_t)(k * reals(t)) * sizeof(R));
        memcpy(f.upper, f.upper + last * (k + 1) * reals(t), (size_t)((k + 1) * reals(t)) * sizeof(R));
    }
}

/* With the equations of this tile and of `like` more that have the same. */
static void keep_interiors(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t like)
{
    int64_t m = sb_chunk_rows(&t->chunks, number), lanes = t->kernels->lanes;
    sb_long_cuts cuts = sb_long_cuts_of(t, 0, m);
    sb_long_factors f = SB_NAME(long_factors)(t, number);
    for (int64_t block = 0; block < cuts.count; ++block) {
        int64_t from = sb_long_cut(&cuts, block), to = sb_long_cut(&cuts, block + 1);
        SB_NAME(long_rows)(t, tile, from, to, 0);
        t->kernels->keep_chunk(t->k, tile->rows, from, to, m, tile->state, &f, tile->sides.equations);
    }
    for (int64_t chunk = number * lanes; chunk < (number + 1 + like) * lanes; ++chunk)
        for (int e = 0; e < 2 * t->k; ++e)
            SB_NAME(long_put_equation)(t, tile, chunk, chunk % lanes, e);
}

static void keep_tile(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    const sb_long_slots *s = &t->slots;
    if (number > s->lead && number < s->lead + s->alike)
        return;
    place(t, tile, number);
    memset(tile->state, 0, t->kernels->state_bytes);
    if (t->reaches)
        keep_reaching(t, tile, number);
    else
        keep_interiors(t, tile, number, number == s->lead && s->alike > 0 ? s->alike - 1 : 0);
}

bool SB_NAME(long_keep)(const sb_long_task *t, int threads)
{
    int64_t tiles = tiles_of(t);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        sb_long_tile tile = SB_NAME(long_tile)(t, omp_get_thread_num());
#pragma omp for schedule(dynamic)
        for (int64_t number = 0; number < tiles; ++number)
            keep_tile(t, &tile, number);
    }
    if (t->reaches)
        return true;
    SB_NAME(long_put_tail)(t);
    bool weak;
    return SB_NAME(reduced_factor)(&t->reduced, NULL, &weak) < 0 && !weak;
}

static void gather(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, int64_t ahead,
                   R *rows)
{
    sb_lines lines = {tile->rhs_offset, tile->rhs_whole, t->b.stride, ahead * t->b.stride};
    t->wide->gather(t->b.at, &lines, from, to - from, (sb_tile){rows, t->kernels->lanes}, 1);
}

/* A tile's chunks down to the right-hand sides of their interfaces. parks: those of all rows stay in tile->kept. */
static void reduce(const sb_long_task *t, const sb_long_tile *tile, int64_t number, bool parks)
{
    int64_t m = sb_chunk_rows(&t->chunks, number), word = reals(t), k = t->k, lanes = t->kernels->lanes;
    sb_long_cuts cuts = sb_long_cuts_of(t, 0, m);
    sb_long_factors f = SB_NAME(long_factors)(t, number);
    R *above = tile->state, *folded = tile->sides.equations;
    place(t, tile, number);
    memset(above, 0, (size_t)(k * word) * sizeof(R));
    for (int64_t block = 0; block < cuts.count; ++block) {
        int64_t from = sb_long_cut(&cuts, block), to = sb_long_cut(&cuts, block + 1),
                first = from < k ? k : from;
        R *rows = parks ? tile->kept + from * word : tile->rows;
        gather(t, tile, from, to, sb_rows_ahead(t, from, m, 1), rows);
        if (block == 0)
            memcpy(folded, rows, (size_t)(k * word) * sizeof(R));
        t->kernels->descend(t->k, &f, rows + (first - from) * word, first, to, above, folded);
    }
    for (int64_t lane = 0; lane < lanes; ++lane)
        for (int64_t e = 0; e < 2 * k; ++e) {
            const R *from = e < k ? folded + e * word : above + (2 * k - 1 - e) * word;
            R *to = (R *)(t->reduced.x + 2 * k * (number * lanes + lane) + e);
            for (int plane = 0; plane < SB_PLANES; ++plane)
                to[plane] = from[plane * lanes + lane];
        }
}

/* Nearest first: of the top from its last word on, of the bottom from its first. */
static void put_neighbours(const sb_long_task *t, const sb_long_tile *tile, R *above, R *below)
{
    int64_t word = reals(t), k = t->k;
    for (int64_t j = 0; j < k; ++j)
        memcpy(above + j * word, tile->ends + (k - 1 - j) * word, (size_t)word * sizeof(R));
    memcpy(below, tile->ends + k * word, (size_t)(k * word) * sizeof(R));
}

/* A tile's chunks between known interfaces. parked: right-hand sides are in tile->kept. */
static void substitute(const sb_long_task *t, const sb_long_tile *tile, int64_t number, bool parked)
{
    int64_t m = sb_chunk_rows(&t->chunks, number), word = reals(t), k = t->k;
    sb_long_cuts cuts = sb_long_cuts_of(t, t->align, m);
    sb_long_factors f = SB_NAME(long_factors)(t, number);
    R *above = tile->state, *below = above + k * word;
    place(t, tile, number);
    SB_NAME(long_place_ends)(t, tile, number);
    put_neighbours(t, tile, above, below);
    for (int64_t block = 0; block < cuts.count; ++block) {
        int64_t from = sb_long_cut(&cuts, block), to = sb_long_cut(&cuts, block + 1);
        int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
        if (!parked)
            gather(t, tile, from, to, sb_rows_ahead(t, from, m, -1), tile->kept + from * word);
        t->kernels->descend(t->k, &f, tile->kept + first * word, first, last, above, NULL);
    }
    memcpy(tile->kept, tile->ends, (size_t)(k * word) * sizeof(R));
    memcpy(tile->kept + (m - k) * word, tile->ends + k * word, (size_t)(k * word) * sizeof(R));
    for (int64_t block = cuts.count - 1; block >= 0; --block) {
        int64_t from = sb_long_cut(&cuts, block), to = sb_long_cut(&cuts, block + 1);
        int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
        R *rows = tile->kept + first * word;
        sb_long_tile view = *tile;
        view.x = tile->kept + from * word;
        t->kernels->ascend(t->k, &f, rows, first, last, below, rows, tile->odd);
        SB_NAME(long_put)(t, &view, from, to);
    }
}

void SB_NAME(long_note_odd)(const R *lanes_odd, int64_t lanes, bool *odd)
{
    R sum = 0;
    for (int64_t lane = 0; lane < lanes; ++lane)
        sum += lanes_odd[lane];
    if (sum != 0) {
#pragma omp atomic write
        *odd = true;
    }
}

static void solve_reduced(const sb_long_task *t, bool *odd)
{
    SB_NAME(long_put_tail_rhs)(t);
    SB_NAME(reduced_solve)(&t->reduced, false, false);
    SB_NAME(long_put_tail_back)(t);
    for (int64_t at = 0; at < t->reduced.n; ++at)
        *odd |= !sb_finite(t->reduced.x[at]);
}

/* Systems of one matrix on their way, by several threads. */
typedef struct solving {
    const sb_long_task *tasks;
    int count;
    bool *odd; /* of each */
} solving;

/* The tile that a part reduces last and substitutes first: of one right-hand side alone, it stays in tile->kept. */
static int64_t parked(const solving *w, int64_t end)
{
    return w->count == 1 ? end - 1 : -1;
}

static void go_down(void *work, int part, int parts)
{
    const solving *w = work;
    int64_t tiles = w->tasks->chunks.tiles, end = tiles * (part + 1) / parts;
    sb_long_tile tile = SB_NAME(long_tile)(w->tasks, part);
    for (int64_t number = tiles * part / parts; number < end; ++number)
        for (int s = 0; s < w->count; ++s)
            reduce(&w->tasks[s], &tile, number, number == parked(w, end));
}

static void meet(void *work, int part, int parts)
{
    const solving *w = work;
    (void)parts;
    for (int s = 0; s < w->count && part == 0; ++s)
        solve_reduced(&w->tasks[s], &w->odd[s]);
}

static void go_up(void *work, int part, int parts)
{
    const solving *w = work;
    int64_t tiles = w->tasks->chunks.tiles, end = tiles * (part + 1) / parts;
    sb_long_tile tile = SB_NAME(long_tile)(w->tasks, part);
    for (int64_t number = end - 1; number >= tiles * part / parts; --number)
        for (int s = 0; s < w->count; ++s) {
            memset(tile.odd, 0, (size_t)w->tasks->kernels->lanes * sizeof(R));
            substitute(&w->tasks[s], &tile, number, number == parked(w, end));
            SB_NAME(long_note_odd)(tile.odd, w->tasks->kernels->lanes, &w->odd[s]);
        }
    w->tasks->wide->fence();
}

void SB_NAME(long_solve_kept)(const sb_long_task *tasks, int count, int threads, bool *odd)
{
    static sb_pass *const passes[] = {go_down, meet, go_up};
    solving w = {tasks, count, odd};
    sb_in_team(sb_long_team(tasks->chunks.tiles, threads), 3, passes, &w);
}
