/* Between the user's arrays and a tile's blocks of rows. */
#include "src/cpu/long/task.h"

static void mark_whole(bool *whole, const int64_t *offset, int64_t stride, int64_t lanes, int width)
{
    for (int64_t lane = 0; lane < lanes; lane += width) {
        bool all = stride == 1;
        for (int s = 0; s < width; ++s)
            all &= offset[lane + s] >= 0;
        whole[lane / width] = all;
    }
}

/* Lanes that pivot are not to be scattered. */
void SB_NAME(long_place)(const sb_long_task *t, const sb_long_tile *tile, int64_t number)
{
    int64_t lanes = t->kernels->lanes;
    for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t chunk = number * lanes + lane, start = sb_chunk_start(&t->chunks, chunk);
        tile->matrix_offset[lane] = start * t->A.stride;
        tile->rhs_offset[lane] = start * t->b.stride;
        tile->solution_offset[lane] = t->pivots[chunk] ? -1 : start * t->x_stride;
    }
    mark_whole(tile->matrix_whole, tile->matrix_offset, t->A.stride, lanes, t->wide->width);
    mark_whole(tile->rhs_whole, tile->rhs_offset, t->b.stride, lanes, t->wide->width);
    mark_whole(tile->solution_whole, tile->solution_offset, t->x_stride, lanes, t->wide->width);
}

/* Where the entries of a tile's rows come from. */
typedef enum source { ONE_BY_ONE, LINES, CONSTANT } source;

static source source_of(const sb_long_task *t, int64_t number)
{
    const sb_matrix *A = &t->A;
    int64_t begin = sb_tile_start(&t->chunks, number) - t->k;
    int64_t end = begin + t->k + t->kernels->lanes * sb_chunk_rows(&t->chunks, number) + t->k;
    bool inner = begin >= 0 && end <= A->n;
    if (A->first == A->total)
        return inner || !A->transposed ? LINES : ONE_BY_ONE;
    return inner && begin >= A->first && end <= A->total - A->last ? CONSTANT : ONE_BY_ONE;
}

static R *word_of(const sb_long_task *t, const sb_long_tile *tile, int64_t row, int word)
{
    return tile->rows + (row * (2 * t->k + 2) + word) * SB_PLANES * t->kernels->lanes;
}

static void put_entry(R *word, int64_t lane, int64_t lanes, T value)
{
    const R *parts = (const R *)&value;
    for (int plane = 0; plane < SB_PLANES; ++plane)
        word[plane * lanes + lane] = parts[plane];
}

static void fill_diagonal(const sb_long_task *t, const sb_long_tile *tile, int word, int64_t rows, T value)
{
    int64_t lanes = t->kernels->lanes;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t lane = 0; lane < lanes; ++lane)
            put_entry(word_of(t, tile, i, word), lane, lanes, value);
}

static void put_one_by_one(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from,
                           int64_t to, int d)
{
    const sb_matrix *A = &t->A;
    int64_t lanes = t->kernels->lanes;
    for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t start = sb_chunk_start(&t->chunks, number * lanes + lane);
        for (int64_t i = from; i < to; ++i) {
            bool exists = A->periodic || (start + i + d >= 0 && start + i + d < A->n);
            put_entry(word_of(t, tile, i - from, t->k + d), lane, lanes, exists ? sb_at(A, start + i, d) : 0);
        }
    }
}

/* Diagonal d of an inner tile as a line of its own: of a transposed view, the mirrored diagonal, d rows on. */
static const T *line_of(const sb_matrix *A, int d)
{
    return A->transposed ? A->diagonal[A->upper - d] + d * A->stride : A->diagonal[A->lower + d];
}

static void put_lines(const sb_long_task *t, const sb_long_tile *tile, const T *from, const sb_lines *lines,
                      int64_t first, int64_t rows, int word)
{
    t->wide->gather(from, lines, first, rows, (sb_tile){word_of(t, tile, 0, word), t->kernels->lanes},
                    2 * t->k + 2);
}

void SB_NAME(long_rows)(const sb_long_task *t, const sb_long_tile *tile, int64_t number, int64_t from, int64_t to,
                        int64_t ahead)
{
    const sb_matrix *A = &t->A;
    source source = source_of(t, number);
    sb_lines matrix = {tile->matrix_offset, tile->matrix_whole, A->stride, ahead * A->stride};
    sb_lines rhs = {tile->rhs_offset, tile->rhs_whole, t->b.stride, ahead * t->b.stride};
    for (int d = -t->k; d <= t->k; ++d)
        if (d < -A->lower || d > A->upper)
            fill_diagonal(t, tile, t->k + d, to - from, 0);
        else if (source == LINES)
            put_lines(t, tile, line_of(A, d), &matrix, from, to - from, t->k + d);
        else if (source == CONSTANT)
            fill_diagonal(t, tile, t->k + d, to - from, sb_at(A, sb_tile_start(&t->chunks, number), d));
        else
            put_one_by_one(t, tile, number, from, to, d);
    if (t->b.at)
        put_lines(t, tile, t->b.at, &rhs, from, to - from, 2 * t->k + 1);
    else
        fill_diagonal(t, tile, 2 * t->k + 1, to - from, 0);
}

/* In two parts where the first rows are not aligned, so that the others can be stored past the caches. */
void SB_NAME(long_put)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to)
{
    int64_t lanes = t->kernels->lanes, aligned = from == 0 && t->align < to ? t->align : from;
    sb_lines lines = {tile->solution_offset, tile->solution_whole, t->x_stride, 0};
    if (aligned > from)
        t->wide->scatter((sb_tile){tile->x, lanes}, t->x, &lines, from, aligned - from, false);
    t->wide->scatter((sb_tile){tile->x + (aligned - from) * lanes * SB_PLANES, lanes}, t->x, &lines, aligned,
                     to - aligned, t->past_cache);
}
