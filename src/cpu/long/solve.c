/* One long system: the tiles of both passes shared out among threads, the reduced system between them. Tiles are dealt
 * out in runs, and go backwards in the second pass, from rows that are still in the cache. What a tile computes
 * depends on nobody's share. */
#include <string.h>

#include "src/cpu/long/task.h"
#include "src/cpu/team.h"

/* The tail's rows are part of the reduced system as they are. */
void SB_NAME(long_put_tail)(const sb_long_task *t)
{
    const sb_matrix *A = &t->A;
    int k = t->k;
    int64_t n = t->chunks.n, first = n - t->chunks.tail, at = 2 * k * sb_chunk_count(&t->chunks);
    for (int64_t i = first; i < n; ++i, ++at) {
        T *row = sb_reduced_row(&t->reduced, at) + 3 * k - 1;
        for (int d = -A->lower; d <= A->upper; ++d)
            if (A->periodic || i + d < n)
                row[d] = sb_at(A, i, d);
    }
    SB_NAME(long_put_tail_rhs)(t);
}

void SB_NAME(long_put_tail_rhs)(const sb_long_task *t)
{
    for (int64_t at = t->reduced.n - t->chunks.tail, i = t->chunks.n - t->chunks.tail; i < t->chunks.n; ++i)
        t->reduced.x[at++] = t->b.at ? t->b.at[i * t->b.stride] : 0;
}

/* Row of A that reduced row `at` stands for. */
static int64_t row_behind(const sb_long_task *t, int64_t at)
{
    int64_t sides = 2 * t->k, chunk = at / sides, e = at % sides;
    if (chunk >= sb_chunk_count(&t->chunks))
        return t->chunks.n - (t->reduced.n - at);
    int64_t m = sb_chunk_rows(&t->chunks, chunk / t->chunks.lanes);
    return sb_chunk_start(&t->chunks, chunk) + (e < t->k ? e : m - sides + e);
}

static sb_long_outcome sum_up(const sb_long_task *t)
{
    sb_long_outcome outcome = {.row = -1, .not_finite = -1};
    for (int64_t chunk = 0; chunk < sb_chunk_count(&t->chunks); ++chunk) {
        outcome.growth = t->growth[chunk] <= outcome.growth ? outcome.growth : t->growth[chunk];
        outcome.pivoted |= t->pivots[chunk] != SB_UNPIVOTED;
        if (outcome.row < 0)
            outcome.row = t->broken[chunk];
    }
    return outcome;
}

static sb_long_outcome solve_reduced(const sb_long_task *t)
{
    SB_NAME(long_put_tail)(t);
    sb_long_outcome outcome = sum_up(t);
    if (outcome.row >= 0)
        return outcome;
    bool weak;
    int64_t broken = SB_NAME(reduced_factor)(&t->reduced, outcome.pivoted ? t->pivots : NULL, &weak);
    broken = broken < 0 ? SB_NAME(reduced_solve)(&t->reduced, outcome.pivoted, weak) : broken;
    outcome.row = broken < 0 ? -1 : row_behind(t, broken);
    return outcome;
}

void SB_NAME(long_put_tail_back)(const sb_long_task *t)
{
    for (int64_t at = t->reduced.n - t->chunks.tail, i = t->chunks.n - t->chunks.tail; i < t->chunks.n; ++i)
        t->x[i * t->x_stride] = t->reduced.x[at++];
}

typedef struct solving {
    const sb_long_task *t;
    sb_long_outcome outcome;
    bool odd; /* some unknown of some part's is NaN or Inf */
} solving;

static void go_down(void *work, int part, int parts)
{
    const solving *w = work;
    int64_t tiles = w->t->chunks.tiles;
    sb_long_tile tile = SB_NAME(long_tile)(w->t, part);
    for (int64_t number = tiles * part / parts; number < tiles * (part + 1) / parts; ++number)
        SB_NAME(long_reduce)(w->t, &tile, number);
}

static void meet(void *work, int part, int parts)
{
    solving *w = work;
    (void)parts;
    if (part == 0)
        w->outcome = solve_reduced(w->t);
}

static void go_up(void *work, int part, int parts)
{
    solving *w = work;
    const sb_long_task *t = w->t;
    int64_t tiles = t->chunks.tiles, lanes = t->kernels->lanes;
    sb_long_tile tile = SB_NAME(long_tile)(t, part);
    bool fetched = false;
    memset(tile.odd, 0, (size_t)lanes * sizeof(R));
    for (int64_t number = tiles * (part + 1) / parts - 1;
         number >= tiles * part / parts && w->outcome.row < 0 && t->b.at; --number)
        fetched = SB_NAME(long_substitute)(t, &tile, number, number > tiles * part / parts, fetched);
    t->wide->fence();
    SB_NAME(long_note_odd)(tile.odd, lanes, &w->odd);
}

sb_long_outcome SB_NAME(long_solve)(const sb_long_task *t, int threads)
{
    static sb_pass *const passes[] = {go_down, meet, go_up};
    solving w = {.t = t};
    sb_in_team(sb_long_team(t->chunks.tiles, threads), 3, passes, &w);
    if (w.outcome.row < 0 && t->b.at) {
        SB_NAME(long_put_tail_back)(t);
        for (int64_t at = 0; at < t->reduced.n; ++at)
            w.odd |= !sb_finite(t->reduced.x[at]);
    }
    w.outcome.not_finite = w.odd && w.outcome.row < 0
                               ? SB_NAME(vector_not_finite)((sb_vector){t->x, t->x_stride}, t->chunks.n)
                               : -1;
    return w.outcome;
}
