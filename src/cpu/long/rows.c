/* Between the user's arrays and a tile's blocks of rows. Rows that stand in lines are gathered by the vectors of `lanes`;
 * the few that do not (at the ends of a transposed or Toeplitz matrix, outside an open one) are put in afterwards. */
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

void SB_NAME(long_place)(const sb_long_task *t, const sb_long_tile *tile)
{
    int64_t lanes = t->kernels->lanes;
    for (int64_t lane = 0; lane < lanes; ++lane) {
        tile->matrix_offset[lane] = tile->start[lane] * t->A.stride;
        tile->rhs_offset[lane] = tile->start[lane] * t->b.stride;
        tile->line_offset[lane] = (tile->start[lane] - tile->start[0]) * SB_PLANES;
        tile->into_line[lane] = tile->start[lane] % t->A.n;
        tile->solution_offset[lane] = tile->writes[lane] ? tile->start[lane] * t->x_stride : -1;
    }
    mark_whole(tile->matrix_whole, tile->matrix_offset, t->A.stride, lanes, t->wide->width);
    mark_whole(tile->rhs_whole, tile->rhs_offset, t->b.stride, lanes, t->wide->width);
    mark_whole(tile->solution_whole, tile->solution_offset, t->x_stride, lanes, t->wide->width);
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

static void fill_word(const sb_long_task *t, const sb_long_tile *tile, int word, int64_t rows, T value)
{
    int64_t lanes = t->kernels->lanes;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t lane = 0; lane < lanes; ++lane)
            put_entry(word_of(t, tile, i, word), lane, lanes, value);
}

/* Rows of all lines that are joined, or of the one system. */
static int64_t all_rows(const sb_long_task *t)
{
    return t->reaches ? t->spans.n : t->A.n;
}

/* A(i, i + d) of any row: around the ring; or, outside an open matrix, the identity's. */
static T entry(const sb_long_task *t, int64_t i, int d)
{
    const sb_matrix *A = &t->A;
    if (A->periodic)
        return sb_at(A, sb_wrap(i, A->n), d);
    if (i < 0 || i >= all_rows(t))
        return d == 0;
    int64_t row = i % A->n;
    return row + d >= 0 && row + d < A->n ? sb_at(A, i, d) : 0;
}

/* The rows that stand in lines, or that repeat: low..high-1. */
typedef struct range {
    int64_t low, high;
} range;

static range plain_rows(const sb_long_task *t)
{
    const sb_matrix *A = &t->A;
    bool repeats = A->first != A->total;
    int64_t edge = A->transposed || t->reaches ? t->k : 0;
    return (range){repeats ? A->first + t->k : edge, all_rows(t) - (repeats ? A->last + t->k : edge)};
}

/* Row `row` of a lane's chunk, counted in the joined line that it belongs to. */
static int64_t row_in_line(const sb_long_task *t, const sb_long_tile *tile, int64_t lane, int64_t row)
{
    int64_t n = t->A.n, at = tile->into_line[lane] + row;
    while (at >= n)
        at -= n;
    return at < 0 ? at + n : at;
}

/* Do rows from..to-1 of all lanes keep so many rows away from where lines are joined? */
static bool keeps_to_lines(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to)
{
    bool keeps = true;
    for (int64_t lane = 0; lane < t->kernels->lanes && t->A.n < all_rows(t); ++lane) {
        int64_t at = row_in_line(t, tile, lane, from);
        keeps &= at >= t->k && at + to - from <= t->A.n - t->k;
    }
    return keeps;
}

/* Rows begin..end-1 of A in a lane of the block. */
static void put_one_by_one(const sb_long_task *t, const sb_long_tile *tile, int64_t lane, int64_t first,
                           int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; ++i)
        for (int d = -t->A.lower; d <= t->A.upper; ++d)
            put_entry(word_of(t, tile, i - first, t->k + d), lane, t->kernels->lanes, entry(t, i, d));
}

/* The first and last k rows of lines that are joined. */
static void put_joints(const sb_long_task *t, const sb_long_tile *tile, int64_t lane, int64_t first,
                       int64_t end)
{
    int64_t n = t->A.n, k = t->k;
    for (int64_t joint = (first + n - k) / n * n; joint - k < end; joint += n)
        put_one_by_one(t, tile, lane, first, joint - k < first ? first : joint - k,
                       joint + k < end ? joint + k : end);
}

/* Lanes of which some rows are not plain: where rows repeat those rows, otherwise all of the block. */
static void put_others(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, range plain)
{
    bool repeats = t->A.first != t->A.total;
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane) {
        int64_t first = tile->start[lane] + from, end = tile->start[lane] + to;
        if (!repeats && (first < plain.low || end > plain.high)) {
            put_one_by_one(t, tile, lane, first, first, end);
            continue;
        }
        if (!repeats) {
            put_joints(t, tile, lane, first, end);
            continue;
        }
        int64_t low = plain.low < end ? plain.low : end, high = plain.high > first ? plain.high : first;
        put_one_by_one(t, tile, lane, first, first, low);
        put_one_by_one(t, tile, lane, first, high > low ? high : low, end);
    }
}

/* Diagonal d of the plain rows as a line of its own: of a transposed view, the mirrored diagonal, d rows on. */
static const T *line_of(const sb_matrix *A, int d)
{
    return A->transposed ? A->diagonal[A->upper - d] + d * A->stride : A->diagonal[A->lower + d];
}

static bool all_within(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, range rows)
{
    return tile->start[0] + from >= rows.low && tile->start[t->kernels->lanes - 1] + to <= rows.high;
}

static bool all_plain(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, range plain)
{
    return all_within(t, tile, from, to, plain) && keeps_to_lines(t, tile, from, to);
}

/* Lanes with other rows than plain ones gather some plain rows instead, to be overwritten. */
static sb_lines lines_near(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t rows,
                           range plain)
{
    for (int64_t lane = 0; lane < t->kernels->lanes; ++lane) {
        int64_t row = tile->start[lane] + from;
        row = row < plain.low ? plain.low : row > plain.high - rows ? plain.high - rows : row;
        tile->offset[lane] = (row - from) * t->A.stride;
    }
    return (sb_lines){tile->offset, tile->matrix_whole, t->A.stride, 0};
}

static void put_plain(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, range plain,
                      int64_t ahead)
{
    const sb_matrix *A = &t->A;
    sb_lines lines = {tile->matrix_offset, tile->matrix_whole, A->stride, ahead * A->stride};
    if (!all_within(t, tile, from, to, plain))
        lines = lines_near(t, tile, from, to - from, plain);
    for (int d = -A->lower; d <= A->upper; ++d) {
        sb_tile word = {word_of(t, tile, 0, t->k + d), t->kernels->lanes};
        if (A->first != A->total)
            fill_word(t, tile, t->k + d, to - from, sb_at(A, plain.low, d));
        else
            t->wide->gather(line_of(A, d), &lines, from, to - from, word, 2 * t->k + 2);
    }
}

static void close_row(const sb_long_task *t, const sb_long_tile *tile, int64_t lane, int64_t row, int64_t i)
{
    for (int d = -t->k; d <= t->k; ++d)
        if (i + d < 0 || i + d >= t->A.n)
            put_entry(word_of(t, tile, row, t->k + d), lane, t->kernels->lanes, 0);
}

void SB_NAME(long_close)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to)
{
    for (int64_t lane = 0; lane < t->kernels->lanes && !t->A.periodic; ++lane) {
        int64_t first = tile->start[lane] + from, last = tile->start[lane] + to - 1;
        for (int64_t i = first; i < t->k && i <= last; ++i)
            close_row(t, tile, lane, i - first, i);
        for (int64_t i = last; i >= t->A.n - t->k && i >= first; --i)
            close_row(t, tile, lane, i - first, i);
    }
}

bool SB_NAME(long_alike)(const sb_long_task *t, int64_t begin, int64_t end)
{
    range plain = plain_rows(t);
    return t->A.first != t->A.total && begin >= plain.low && end <= plain.high;
}

bool SB_NAME(long_lines)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, T *constant,
                         sb_long_lines *lines)
{
    const sb_matrix *A = &t->A;
    range plain = plain_rows(t);
    bool repeats = A->first != A->total;
    int64_t first = tile->start[0] + from;
    if (A->lower != t->k || A->upper != t->k || !all_plain(t, tile, from, to, plain) ||
        (repeats ? !t->b.at : A->stride != 1) || (t->b.at && t->b.stride != 1))
        return false;
    int64_t lanes = t->kernels->lanes, between = tile->line_offset[1];
    *lines = (sb_long_lines){.offset = tile->line_offset};
    lines->between = tile->line_offset[lanes - 1] == (lanes - 1) * between ? between : 0;
    lines->constant = repeats ? constant : NULL;
    lines->apart = sb_lanes_apart(tile->start[1] - tile->start[0], lanes, SB_LINE_ROWS);
    lines->far = t->far;
    for (int d = -t->k; d <= t->k; ++d)
        if (repeats)
            constant[t->k + d] = sb_at(A, plain.low, d);
        else
            lines->word[t->k + d] = (const R *)(line_of(A, d) + first);
    /* Without a right-hand side anything will do. */
    lines->word[2 * t->k + 1] = t->b.at ? (const R *)(t->b.at + first) : lines->word[t->k];
    return true;
}

void SB_NAME(long_matrix)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to,
                          int64_t ahead)
{
    range plain = plain_rows(t);
    if (plain.high - plain.low < to - from)
        plain.high = plain.low = INT64_MIN / 2;
    else
        put_plain(t, tile, from, to, plain, ahead);
    for (int d = -t->k; d <= t->k; ++d)
        if (d < -t->A.lower || d > t->A.upper)
            fill_word(t, tile, t->k + d, to - from, 0);
    if (!all_plain(t, tile, from, to, plain))
        put_others(t, tile, from, to, plain);
}

void SB_NAME(long_rhs)(const sb_long_task *t, const sb_long_tile *tile, const T *b, const sb_lines *lines,
                       int64_t first, int64_t at, int64_t rows)
{
    bool alone = t->slots.at != NULL;
    R *row = alone ? tile->rows + at * SB_PLANES * t->kernels->lanes : word_of(t, tile, at, 2 * t->k + 1);
    t->wide->gather(b, lines, first, rows, (sb_tile){row, t->kernels->lanes}, alone ? 1 : 2 * t->k + 2);
}

void SB_NAME(long_rows)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to,
                        int64_t ahead)
{
    sb_lines lines = {tile->rhs_offset, tile->rhs_whole, t->b.stride, ahead * t->b.stride};
    SB_NAME(long_matrix)(t, tile, from, to, ahead);
    if (t->b.at)
        SB_NAME(long_rhs)(t, tile, t->b.at, &lines, from, 0, to - from);
    else
        fill_word(t, tile, 2 * t->k + 1, to - from, 0);
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
