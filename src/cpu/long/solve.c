/* One long system: the tiles of both passes shared out among threads, the reduced system between them. Tiles are dealt
 * out in runs, and go backwards in the second pass, from rows that are still in the cache. What a tile computes
 * depends on nobody's share. */
#include <omp.h>

#include "src/cpu/long/task.h"

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
    int64_t broken = SB_NAME(reduced_factor)(&t->reduced, outcome.pivoted);
    broken = broken < 0 ? SB_NAME(reduced_solve)(&t->reduced, outcome.pivoted) : broken;
    outcome.row = broken < 0 ? -1 : row_behind(t, broken);
    return outcome;
}

void SB_NAME(long_put_tail_back)(const sb_long_task *t)
{
    for (int64_t at = t->reduced.n - t->chunks.tail, i = t->chunks.n - t->chunks.tail; i < t->chunks.n; ++i)
        t->x[i * t->x_stride] = t->reduced.x[at++];
}

static bool odd_lanes(const sb_long_task *t, const sb_long_tile *tile)
{
    R sum = 0;
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane)
        sum += tile->odd[lane];
    return sum != 0;
}

sb_long_outcome SB_NAME(long_solve)(const sb_long_task *t, int threads)
{
    sb_long_outcome outcome = {.row = -1};
    int64_t tiles = t->chunks.tiles;
    bool odd = false;
    threads = sb_long_team(tiles, threads);
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(|| : odd)
    {
        int64_t part = omp_get_thread_num(), parts = omp_get_num_threads();
        int64_t from = tiles * part / parts, to = tiles * (part + 1) / parts;
        sb_long_tile tile = SB_NAME(long_tile)(t, (int)part);
        for (int64_t number = from; number < to; ++number)
            SB_NAME(long_reduce)(t, &tile, number);
#pragma omp barrier
#pragma omp single
        outcome = solve_reduced(t);
        for (int64_t lane = 0; lane < t->kernels->lanes; ++lane)
            tile.odd[lane] = 0;
        for (int64_t number = to - 1; number >= from && outcome.row < 0 && t->b.at; --number)
            SB_NAME(long_substitute)(t, &tile, number);
        t->wide->fence();
        odd = odd_lanes(t, &tile);
    }
    if (outcome.row < 0 && t->b.at) {
        SB_NAME(long_put_tail_back)(t);
        for (int64_t at = 0; at < t->reduced.n; ++at)
            odd |= !sb_finite(t->reduced.x[at]);
    }
    outcome.not_finite =
        odd && outcome.row < 0 ? SB_NAME(vector_not_finite)((sb_vector){t->x, t->x_stride}, t->chunks.n) : -1;
    return outcome;
}
