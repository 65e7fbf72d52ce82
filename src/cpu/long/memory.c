/* Where the parts of a call's memory lie. */
#include "src/cpu/long/task.h"

/* A piece of memory, counted on: without a base to size what there is, with one to hand it out. */
static void *take(char *base, size_t *used, int64_t count, size_t size)
{
    void *piece = base ? base + *used : NULL;
    *used = sb_plus(*used, sb_plus(sb_times((size_t)count, size), 63) / 64 * 64);
    return piece;
}

/* What both passes and the one that truncates need. */
static size_t lay_out_lanes(const sb_long_task *t, char *base, sb_long_tile *tile)
{
    size_t used = 0;
    int64_t lanes = t->kernels->lanes;
    tile->start = take(base, &used, lanes, sizeof(int64_t));
    tile->writes = take(base, &used, lanes, sizeof(bool));
    tile->matrix_offset = take(base, &used, lanes, sizeof(int64_t));
    tile->rhs_offset = take(base, &used, lanes, sizeof(int64_t));
    tile->solution_offset = take(base, &used, lanes, sizeof(int64_t));
    tile->line_offset = take(base, &used, lanes, sizeof(int64_t));
    tile->into_line = take(base, &used, lanes, sizeof(int64_t));
    tile->offset = take(base, &used, lanes, sizeof(int64_t));
    tile->matrix_whole = take(base, &used, lanes, sizeof(bool));
    tile->rhs_whole = take(base, &used, lanes, sizeof(bool));
    tile->solution_whole = take(base, &used, lanes, sizeof(bool));
    tile->whole = take(base, &used, lanes, sizeof(bool));
    tile->state = take(base, &used, 1, t->kernels->state_bytes);
    return used;
}

static size_t lay_out_truncating(const sb_long_task *t, char *base, sb_long_tile *tile)
{
    size_t used = lay_out_lanes(t, base, tile), word = (size_t)t->kernels->lanes * SB_PLANES * sizeof(R);
    int64_t lanes = t->kernels->lanes, k = t->k;
    tile->verdict.bound = take(base, &used, lanes, sizeof(R));
    tile->verdict.growth = take(base, &used, lanes, sizeof(R));
    tile->verdict.odd = take(base, &used, lanes, sizeof(R));
    tile->verdict.spoilt = take(base, &used, lanes, sizeof(R));
    tile->rows = take(base, &used, t->block * (2 * k + 2), word);
    tile->kept = take(base, &used, (t->group + t->reach) * (k + 1), word);
    tile->x = take(base, &used, 64 / (int64_t)sizeof(T) + t->group, word);
    return used;
}

static size_t lay_out_tile(const sb_long_task *t, char *base, sb_long_tile *tile)
{
    if (t->reaches)
        return lay_out_truncating(t, base, tile);
    size_t used = lay_out_lanes(t, base, tile), word = (size_t)t->kernels->lanes * SB_PLANES * sizeof(R);
    int64_t lanes = t->kernels->lanes, k = t->k, rows = t->chunks.rows;
    int64_t unit = 64 / (int64_t)sizeof(T), most = t->block + 2 * unit + k;
    tile->sides.equations = take(base, &used, 2 * k * (2 * k + 1), word);
    tile->sides.reach = take(base, &used, 2 * k * lanes, sizeof(R));
    tile->sides.growth = take(base, &used, lanes, sizeof(R));
    tile->sides.odd = take(base, &used, lanes, sizeof(R));
    tile->ends = take(base, &used, 4 * k, word);
    tile->odd = take(base, &used, lanes, sizeof(R));
    tile->left.equations = take(base, &used, 2 * k * (4 * k + 1), word);
    tile->left.growth = take(base, &used, lanes, sizeof(R));
    tile->left.unfit = take(base, &used, lanes, sizeof(R));
    tile->rows = take(base, &used, most * (2 * k + 2), word);
    tile->x = take(base, &used, most, word);
    tile->kept = take(base, &used, rows * (k + 1), word);
    tile->pivoted = take(base, &used, rows * (4 * k + 1), word);
    return used;
}

sb_long_tile SB_NAME(long_tile)(const sb_long_task *t, int thread)
{
    sb_long_tile tile;
    lay_out_tile(t, t->tiles + (size_t)thread * t->tile_bytes, &tile);
    return tile;
}

/* What systems that share a matrix have each of their own. */
static T **own_part(sb_long_task *t)
{
    return t->reaches ? &t->saved : &t->reduced.x;
}

size_t SB_NAME(long_bytes_beside)(const sb_long_task *t)
{
    int64_t saved = (t->spans.tiles * t->spans.lanes + 1) * sb_saved_rows(t);
    int64_t count = t->reaches ? saved : sb_reduced_rows(&t->chunks, t->k);
    return sb_plus(sb_times((size_t)count, sizeof(T)), 63) / 64 * 64;
}

void SB_NAME(long_place_beside)(sb_long_task *t, int number)
{
    if (number > 0)
        *own_part(t) = (T *)(t->beside + (size_t)(number - 1) * SB_NAME(long_bytes_beside)(t));
}

size_t SB_NAME(long_layout)(sb_long_task *t, const sb_engine *pivoted, int threads, char *base)
{
    size_t used = 0;
    int64_t n = sb_reduced_rows(&t->chunks, t->k), chunks = sb_chunk_count(&t->chunks);
    sb_reduced_bytes bytes = SB_NAME(reduced_bytes)(pivoted, n, t->k, t->A.periodic);
    sb_long_tile unused;
    t->reduced = (sb_reduced){
        .n = n, .of_chunks = n - t->chunks.tail, .k = t->k, .periodic = t->A.periodic, .engine = pivoted};
    t->reduced.rows = take(base, &used, 1, bytes.rows);
    t->reduced.x = take(base, &used, 1, bytes.x);
    t->reduced.beside = take(base, &used, 1, bytes.beside);
    t->reduced.store = take(base, &used, 1, bytes.store);
    t->reduced.scratch = take(base, &used, 1, bytes.scratch);
    t->pivots = take(base, &used, chunks, sizeof *t->pivots);
    t->growth = take(base, &used, chunks, sizeof(double));
    t->broken = take(base, &used, chunks, sizeof(int64_t));
    t->tile_bytes = lay_out_tile(t, NULL, &unused);
    t->tiles = take(base, &used, threads, t->tile_bytes);
    t->beside = base ? base + used : NULL;
    return used;
}

size_t SB_NAME(truncated_layout)(sb_long_task *t, int threads, char *base)
{
    size_t used = 0;
    sb_long_tile unused;
    t->saved = take(base, &used, (t->spans.tiles * t->spans.lanes + 1) * sb_saved_rows(t), sizeof(T));
    t->tile_bytes = lay_out_tile(t, NULL, &unused);
    t->tiles = take(base, &used, threads, t->tile_bytes);
    t->beside = base ? base + used : NULL;
    return used;
}
