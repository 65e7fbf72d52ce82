/* The two passes over one tile's chunks, and the chunks that pivot on the way. */
#include <string.h>

#include "src/chunk/growth.h"
#include "src/cpu/long/task.h"

/* Elements may grow twice, in a chunk and in the reduced system. */
static const double growth_limit = 2;

/* With pivots, which are as good as LAPACK's up to here. Where A's rows are nearly constant, elements may grow with every row of a
   chunk, though A be well conditioned: interiors are eliminated before what stands above them. */
static const double pivoted_limit = 64;

/* Lanes that pivot do not write. */
static void place(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane) {
        int64_t chunk = number * t->kernels->lanes + lane;
        tile->start[lane] = sb_chunk_start(&t->chunks, chunk);
        tile->writes[lane] = t->pivots[chunk] == SB_UNPIVOTED;
    }
    SB_NAME(long_place)(t, tile);
}

static bool exists(const sb_matrix *A, int64_t i, int d)
{
    return d >= -A->lower && d <= A->upper && (A->periodic || (i + d >= 0 && i + d < A->n));
}

/* Row i's largest entry between two of its diagonals. */
static R row_size(const sb_matrix *A, int64_t i, int from, int to)
{
    R largest = 0;
    for (int d = from; d <= to; ++d)
        if (exists(A, i, d))
            largest = sb_larger(sb_abs1(sb_at(A, i, d)), largest);
    return largest;
}

static T lane_of(const R *word, int64_t lane, int64_t lanes)
{
    T value;
    R *parts = (R *)&value;
    for (int plane = 0; plane < SB_PLANES; ++plane)
        parts[plane] = word[plane * lanes + lane];
    return value;
}

/* Equation e of a chunk: A's row, whose couplings to other chunks stand as they are, and what became of the others. */
void SB_NAME(long_put_equation)(const sb_long_task *t, const sb_long_tile *tile, int64_t chunk, int64_t lane,
                                int e)
{
    int k = t->k;
    int64_t at = 2 * k * chunk + e, m = sb_chunk_rows(&t->chunks, chunk / t->chunks.lanes);
    int64_t lanes = t->kernels->lanes, i = sb_chunk_start(&t->chunks, chunk) + (e < k ? e : m - 2 * k + e);
    const R *words = tile->sides.equations + (ptrdiff_t)e * (2 * k + 1) * SB_PLANES * lanes;
    T *row = sb_reduced_row(&t->reduced, at) + 3 * k - 1;
    for (int d = -k; d <= k; ++d)
        if ((e + d < 0 || e + d >= 2 * k) && exists(&t->A, i, d))
            row[d] = sb_at(&t->A, i, d);
    for (int c = 0; c < 2 * k; ++c)
        row[c - e] = lane_of(words + c * SB_PLANES * lanes, lane, lanes);
    t->reduced.x[at] = lane_of(words + 2 * k * SB_PLANES * lanes, lane, lanes);
}

/* The growth of a lane; infinite if some pivot or coefficient is no number. What an equation meets is held against what its row has in
   its own chunk, and what its own coefficient has become against that. */
static double growth_of(const sb_long_task *t, const sb_long_tile *tile, int64_t chunk, int64_t lane)
{
    int k = t->k;
    int64_t lanes = t->kernels->lanes, start = sb_chunk_start(&t->chunks, chunk);
    int64_t m = sb_chunk_rows(&t->chunks, chunk / t->chunks.lanes);
    R growth = tile->sides.growth[lane];
    bool fit = tile->sides.odd[lane] == 0;
    for (int e = 0; e < 2 * k; ++e) {
        const R *words = tile->sides.equations + (ptrdiff_t)e * (2 * k + 1) * SB_PLANES * lanes;
        for (int c = 0; c < 2 * k; ++c)
            fit &= sb_finite(lane_of(words + c * SB_PLANES * lanes, lane, lanes));
        const int64_t i = start + (e < k ? e : m - 2 * k + e);
        growth = sb_grow(growth, tile->sides.reach[e * lanes + lane],
                         e < k ? row_size(&t->A, i, 0, t->A.upper) : row_size(&t->A, i, -t->A.lower, 0));
        growth = sb_grow(growth, sb_abs1(lane_of(words + e * SB_PLANES * lanes, lane, lanes)),
                         SB_BESIDE_OWN * sb_abs1(sb_at(&t->A, i, 0)));
    }
    return fit ? (double)growth : INFINITY;
}

/* The last block of chunks that pivot; none is shorter than 2 k + 1 rows. */
static int64_t last_block(const sb_long_task *t, int64_t m)
{
    int64_t rows = m - t->align - 2 * t->k - 1;
    return rows > 0 ? rows / t->block : 0;
}

/* Where blocks begin: all but the first at rows that are aligned in x. */
static int64_t pivoting_cut(const sb_long_task *t, int64_t m, int64_t block)
{
    return block == 0 ? 0 : block > last_block(t, m) ? m : t->align + block * t->block;
}

/* All chunks of a tile; those that need no pivots come to no harm. kept: NULL if the equations are all that is wanted. */
static void pivot_lanes(const sb_long_task *t, const sb_long_tile *tile, int64_t number, bool rotates, R *kept)
{
    int64_t m = sb_chunk_rows(&t->chunks, number);
    for (int64_t block = 0; pivoting_cut(t, m, block) < m; ++block) {
        int64_t from = pivoting_cut(t, m, block), to = pivoting_cut(t, m, block + 1);
        SB_NAME(long_rows)(t, tile, from, to, sb_rows_ahead(t, from, m, kept ? -1 : 1));
        SB_NAME(long_close)(t, tile, from, to);
        t->kernels->pivot(t->k, rotates, tile->rows, from, to, m, tile->state, kept, &tile->left);
    }
}

/* What pivoting has left of a chunk. */
static void put_pivoted(const sb_long_task *t, const sb_long_tile *tile, int64_t chunk, int64_t lane)
{
    int k = t->k;
    int64_t lanes = t->kernels->lanes, unfit = (int64_t)tile->left.unfit[lane];
    t->growth[chunk] = tile->left.growth[lane];
    t->broken[chunk] = unfit < 0 ? -1 : sb_chunk_start(&t->chunks, chunk) + k + unfit;
    for (int e = 0; e < 2 * k; ++e) {
        const R *words = tile->left.equations + (ptrdiff_t)e * (4 * k + 1) * SB_PLANES * lanes;
        T *row = sb_reduced_row(&t->reduced, 2 * k * chunk + e) + 3 * k - 1;
        for (int c = 0; c < 4 * k; ++c)
            row[c - k - e] = lane_of(words + c * SB_PLANES * lanes, lane, lanes);
        t->reduced.x[2 * k * chunk + e] = lane_of(words + 4 * k * SB_PLANES * lanes, lane, lanes);
    }
}

/* The inner blocks' rows as lines, if they are any. tiles: from this tile to the next. */
static bool inner_lines(const sb_long_task *t, const sb_long_tile *tile, const sb_long_cuts *cuts,
                        int64_t tiles, T *constant, sb_long_lines *lines)
{
    int64_t from = cuts->first, to = from + cuts->inner;
    if (cuts->inner <= 0 || !SB_NAME(long_lines)(t, tile, from, to, constant, lines))
        return false;
    lines->left = cuts->m - from;
    lines->jump = (tiles * t->chunks.lanes * t->chunks.rows - cuts->m) * SB_PLANES;
    return true;
}

/* Rows are eliminated in cuts without regard to where x lies, on which no bit may depend. */
static void reduce_lanes(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    T constant[2 * SB_CHUNKED_BAND + 1];
    int64_t m = sb_chunk_rows(&t->chunks, number);
    sb_long_cuts cuts = sb_long_cuts_of(t, 0, m);
    sb_long_lines lines;
    for (int64_t block = 0; block < cuts.count; ++block) {
        int64_t from = sb_long_cut(&cuts, block), to = sb_long_cut(&cuts, block + 1);
        SB_NAME(long_rows)(t, tile, from, to, sb_rows_ahead(t, from, m, 1));
        t->kernels->reduce(t->k, tile->rows, from, to, m, tile->state, &tile->sides);
        if (block == 0 && inner_lines(t, tile, &cuts, 1, constant, &lines) &&
            t->kernels->reduce_lines(t->k, &lines, cuts.inner, tile->state))
            block = cuts.count - 2;
    }
}

/* Equations of a chunk that needs no pivots. */
static void put_chunk(const sb_long_task *t, const sb_long_tile *tile, int64_t chunk, int64_t lane,
                      double growth)
{
    int64_t start = sb_chunk_start(&t->chunks, chunk), m = sb_chunk_rows(&t->chunks, chunk / t->chunks.lanes);
    t->growth[chunk] = growth;
    t->broken[chunk] = growth < (double)INFINITY ? -1 : SB_NAME(long_breaks)(&t->A, start, m, t->k);
    for (int e = 0; e < 2 * t->k; ++e)
        SB_NAME(long_put_equation)(t, tile, chunk, lane, e);
}

/* Is any of a tile's chunks to be eliminated in this way? */
static bool any_chunk(const sb_long_task *t, int64_t number, int how)
{
    int64_t lanes = t->kernels->lanes;
    return memchr(t->pivots + number * lanes, how, (size_t)lanes) != NULL;
}

/* Chunks that pivot; and those among them in which that lets elements grow. */
static void reduce_pivoted(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    int64_t lanes = t->kernels->lanes, first = number * lanes;
    for (int how = SB_PIVOTED; how <= SB_ROTATED; ++how) {
        if (any_chunk(t, number, how))
            pivot_lanes(t, tile, number, how == SB_ROTATED, NULL);
        for (int64_t lane = 0; lane < lanes; ++lane)
            if (t->pivots[first + lane] == how) {
                put_pivoted(t, tile, first + lane, lane);
                if (how == SB_PIVOTED && t->broken[first + lane] < 0 &&
                    !(t->growth[first + lane] <= pivoted_limit))
                    t->pivots[first + lane] = SB_ROTATED;
            }
    }
}

void SB_NAME(long_reduce)(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    int64_t lanes = t->kernels->lanes, first = number * lanes;
    memset(t->pivots + first, t->partial ? SB_PIVOTED : SB_UNPIVOTED, (size_t)lanes * sizeof *t->pivots);
    place(t, tile, number);
    if (!t->partial)
        reduce_lanes(t, tile, number);
    for (int64_t lane = 0; lane < lanes && !t->partial; ++lane) {
        double growth = growth_of(t, tile, first + lane, lane);
        if (t->wary && !(growth <= growth_limit))
            t->pivots[first + lane] = SB_PIVOTED;
        else
            put_chunk(t, tile, first + lane, lane, growth);
    }
    reduce_pivoted(t, tile, number);
}

void SB_NAME(long_place_ends)(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    int64_t lanes = t->kernels->lanes;
    for (int64_t lane = 0; lane < lanes; ++lane) {
        const T *x = t->reduced.x + 2 * t->k * (number * lanes + lane);
        for (int c = 0; c < 2 * t->k; ++c)
            for (int plane = 0; plane < SB_PLANES; ++plane)
                tile->ends[(c * SB_PLANES + plane) * lanes + lane] = ((const R *)(x + c))[plane];
    }
}

/* Right-hand sides of the tile before, which is the next one, if its chunks are as long as this one's. */
static bool fetch_before(const sb_long_task *t, const sb_long_lines *lines, const sb_long_cuts *cuts,
                         sb_long_fetch *fetch)
{
    if (!SB_NAME(long_fetches_back)(t) || lines->constant || cuts->m != t->chunks.rows)
        return false;
    const R *b = lines->word[2 * t->k + 1] - t->chunks.lanes * t->chunks.rows * SB_PLANES;
    *fetch = (sb_long_fetch){b, lines->offset, cuts->inner / SB_LINE_ROWS};
    return true;
}

/* fetched: this tile's right-hand sides were; on return, those of the tile before, if `more`: it comes next. */
static bool substitute_lanes(const sb_long_task *t, const sb_long_tile *tile, int64_t number, bool more,
                             bool fetched)
{
    T constant[2 * SB_CHUNKED_BAND + 1];
    int64_t m = sb_chunk_rows(&t->chunks, number), row = (t->k + 1) * SB_PLANES * t->kernels->lanes;
    sb_long_cuts cuts = sb_long_cuts_of(t, 0, m), stores = sb_long_cuts_of(t, t->align, m);
    sb_long_lines lines;
    sb_long_fetch fetch = {.times = 0};
    bool fetches = false;
    for (int64_t block = 0; block < cuts.count; ++block) {
        int64_t from = sb_long_cut(&cuts, block), to = sb_long_cut(&cuts, block + 1);
        SB_NAME(long_rows)(t, tile, from, to, sb_rows_ahead(t, from, m, -1));
        t->kernels->forward(t->k, tile->rows, from, to, m, tile->state, tile->ends, tile->kept);
        if (block == 0 && inner_lines(t, tile, &cuts, -1, constant, &lines)) {
            fetches = more && fetch_before(t, &lines, &cuts, &fetch);
            lines.rhs_fetched = fetched;
            t->kernels->forward_lines(t->k, &lines, cuts.inner, tile->state, tile->kept + to * row);
            block = cuts.count - 2;
        }
    }
    for (int64_t block = stores.count - 1; block >= 0; --block) {
        int64_t from = sb_long_cut(&stores, block), to = sb_long_cut(&stores, block + 1);
        t->kernels->backward(t->k, tile->kept, from, to, m, tile->state, tile->ends, tile->x, tile->odd,
                             &fetch);
        SB_NAME(long_put)(t, tile, from, to);
    }
    return fetches;
}

/* The interfaces of each chunk and, of its neighbours, those that it is coupled to: 4 k unknowns. */
static void place_all_ends(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    int64_t lanes = t->kernels->lanes, n = t->reduced.n;
    for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t first = 2 * t->k * (number * lanes + lane) - t->k;
        for (int c = 0; c < 4 * t->k; ++c) {
            bool exists = t->A.periodic || (first + c >= 0 && first + c < n);
            T x = exists ? t->reduced.x[sb_wrap(first + c, n)] : 0;
            for (int plane = 0; plane < SB_PLANES; ++plane)
                tile->ends[(c * SB_PLANES + plane) * lanes + lane] = ((const R *)&x)[plane];
        }
    }
}

/* Only lanes that are eliminated in this way are written. */
static void substitute_pivoted(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int how)
{
    int64_t lanes = t->kernels->lanes, m = sb_chunk_rows(&t->chunks, number);
    for (int64_t lane = 0; lane < lanes; ++lane)
        tile->writes[lane] = t->pivots[number * lanes + lane] == how;
    SB_NAME(long_place)(t, tile);
    place_all_ends(t, tile, number);
    pivot_lanes(t, tile, number, how == SB_ROTATED, tile->pivoted);
    for (int64_t block = last_block(t, m); block >= 0; --block) {
        int64_t from = pivoting_cut(t, m, block), to = pivoting_cut(t, m, block + 1);
        t->kernels->unpivot(t->k, tile->pivoted, from, to, m, tile->state, tile->ends, tile->x, tile->odd);
        SB_NAME(long_put)(t, tile, from, to);
    }
}

bool SB_NAME(long_substitute)(const sb_long_task *t, const sb_long_tile *tile, int64_t number, bool more,
                              bool fetched)
{
    place(t, tile, number);
    SB_NAME(long_place_ends)(t, tile, number);
    if (any_chunk(t, number, SB_UNPIVOTED))
        fetched = substitute_lanes(t, tile, number, more, fetched);
    else
        fetched = false;
    for (int how = SB_PIVOTED; how <= SB_ROTATED; ++how)
        if (any_chunk(t, number, how))
            substitute_pivoted(t, tile, number, how);
    return fetched;
}
