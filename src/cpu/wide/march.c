/* Elimination and forward substitution in one sweep over rows that lie side by side in the user's arrays or in tiles, a row
 * at a time: long runs of neighbours are what memory likes best, and what is carried from row to row is read where it was
 * just kept, in the first-level cache. Where rows come from the caches, a few vectors may go down all of them instead (goes_down).
 * Words a row of each system: the matrix's 2 band + 1 and the right-hand side in; what is kept (band) and the swept right-hand
 * side out, both for the way back, in cache. */
#include "src/cpu/wide/march.h"

/* Vectors that a turn of the loop along a row takes: at least a cache line of them. */
enum { TOGETHER = SB_LINE_VECTORS > 2 ? SB_LINE_VECTORS : 2 };

/* Where row i's words begin. */
typedef struct places {
    const R *matrix[2 * SB_USUAL_MOST + 1], *rhs;
    R *y, *kept;
} places;

SB_INLINE places places_of(const sb_march *m, int band, bool ring, int64_t i)
{
    int64_t row = SB_PLANES * m->y.lanes;
    places at = {.rhs = m->rhs + i * m->rhs_step,
                 .y = m->y.at + i * row,
                 .kept = m->kept.at + i * kept_words(band, ring) * row};
    for (int d = 0; d <= 2 * band; ++d)
        at.matrix[d] = m->matrix[d] + i * m->matrix_step;
    return at;
}

/* Of rows that are read where the user keeps them, one so far ahead. */
SB_INLINE void fetch_row(int band, const places *at, int64_t matrix_ahead, int64_t rhs_ahead, int64_t lane)
{
    for (int q = 0; q < TOGETHER * SB_PLANES; q += SB_LINE_VECTORS) {
        int64_t reals = lane * SB_PLANES + q * SB_WIDTH;
        for (int d = 0; d <= 2 * band; ++d)
            vfetch(at->matrix[d], matrix_ahead + reals);
        vfetch(at->rhs, rhs_ahead + reals);
    }
}

/* The rows of a vector of matrices, as many as go together. */
SB_INLINE void take_rows(const sb_march *m, int band, int rows, const places *at, int64_t lane, next_rows *n)
{
    int64_t lanes = m->y.lanes, matrix = lane * (m->matrix_pairs ? SB_PLANES : 1),
            rhs = lane * (m->rhs_pairs ? SB_PLANES : 1);
    for (int i = 0; i < rows; ++i) {
        for (int d = 0; d <= 2 * band; ++d)
            n->row[i][d] = row_load(m->matrix_pairs, at->matrix[d] + i * m->matrix_step + matrix, lanes);
        n->y[i] = row_load(m->rhs_pairs, at->rhs + i * m->rhs_step + rhs, lanes);
    }
}

SB_INLINE notes notes_of(const sb_march *m, int64_t lane)
{
    return (notes){m->growth + lane, m->bad + lane};
}

SB_INLINE void step(const sb_march *m, int band, bool ring, int rows, const places *at, int64_t lane)
{
    int64_t lanes = m->y.lanes;
    carried c;
    next_rows n;
    take_up(band, ring, at->kept + lane, at->y + lane, lanes, &c);
    take_rows(m, band, rows, at, lane, &n);
    march_rows(band, ring, rows, &n, &c, notes_of(m, lane), at->kept + lane, at->y + lane, lanes);
}

/* What is fetched meanwhile. IF_ASKED: rows once, if any. */
typedef enum fetching { NOTHING, ONCE, TWICE, IF_ASKED } fetching;

/* So many rows from row i on. */
SB_INLINE void march_along(const sb_march *m, int band, bool ring, fetching how, int rows, int64_t i)
{
    places at = places_of(m, band, ring, i);
    int64_t lane = 0;
    for (; lane + TOGETHER * SB_WIDTH <= m->y.lanes; lane += TOGETHER * SB_WIDTH) {
        if (how == ONCE || how == TWICE || (how == IF_ASKED && m->matrix_ahead))
            fetch_row(band, &at, m->matrix_ahead, m->rhs_ahead, lane);
        if (how == TWICE)
            fetch_row(band, &at, m->matrix_again, m->rhs_again, lane);
        SB_IN_REGISTERS
        for (int v = 0; v < TOGETHER; ++v)
            step(m, band, ring, rows, &at, lane + v * SB_WIDTH);
    }
    for (; lane < m->y.lanes; lane += SB_WIDTH)
        step(m, band, ring, rows, &at, whole_from(lane, m->y.lanes));
}

/* By value: its members stay in registers, whatever is stored. Lines' rows, which come from tiles, are never fetched. */
SB_INLINE void march_kind(int band, bool ring, fetching how, sb_march m, int64_t rows)
{
    int64_t i = 0;
    for (; how != ONCE && how != TWICE && together(band) == 2 && m.as_lines && i + 2 <= rows; i += 2)
        march_along(&m, band, ring, how, together(band), i);
    for (; i < rows; ++i)
        march_along(&m, band, ring, how, 1, i);
}

/* A few rows, then what the last one loses. */
SB_INLINE void march_ring(sb_march m, int64_t rows)
{
    for (int64_t i = 0, few; i < rows; i += few) {
        few = rows - i < SB_LINE_ROWS ? rows - i : SB_LINE_ROWS;
        march_kind(1, true, IF_ASKED, m, few);
        places next = places_of(&m, 1, true, few);
        for (int64_t lane = 0; lane < m.y.lanes; lane += SB_WIDTH)
            lose_columns((int)few, m.last + lane, m.kept.at + lane, m.y.at + lane, m.y.lanes);
        for (int d = 0; d <= 2; ++d)
            m.matrix[d] = next.matrix[d];
        m.rhs = next.rhs;
        m.y.at = next.y;
        m.kept.at = next.kept;
    }
}

/* Vectors that go down all rows together: of a cache line's come registers enough for what is carried of two. */
enum { ABREAST = !SB_COMPLEX && SB_WIDTH * sizeof(R) == SB_CACHE_LINE ? 2 : 1 };

/* `count` rows, `rows` of them together, of so many vectors: what is carried from row to row stays in the registers. */
SB_INLINE void march_down(const sb_march *m, int band, int rows, int vectors, places at, int64_t count,
                          int64_t lane)
{
    int64_t lanes = m->y.lanes, row = SB_PLANES * lanes;
    carried c[ABREAST];
    for (int v = 0; v < vectors; ++v) {
        int64_t own = lane + v * SB_WIDTH;
        take_up(band, false, at.kept + own, at.y + own, lanes, &c[v]);
    }
    for (int64_t i = 0; i < count; i += rows) {
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v) {
            int64_t own = lane + v * SB_WIDTH;
            next_rows n;
            take_rows(m, band, rows, &at, own, &n);
            march_rows(band, false, rows, &n, &c[v], notes_of(m, own), at.kept + own, at.y + own, lanes);
        }
        for (int d = 0; d <= 2 * band; ++d)
            at.matrix[d] += rows * m->matrix_step;
        at.rhs += rows * m->rhs_step;
        at.y += rows * row;
        at.kept += rows * kept_words(band, false) * row;
    }
}

/* Do they, one after another, instead of all vectors a row? Where a row has no more, which would wait for what was just stored; and in
   pentadiagonal bands where two fit, six words of each. Not where rows come from memory, which likes runs of neighbours best; and none of
   wide bands, whose rows take longer than that. */
SB_INLINE bool goes_down(const sb_march *m)
{
    return m->band <= 2 && !m->last && !m->matrix_ahead &&
           (m->y.lanes <= ABREAST * SB_WIDTH || (m->band == 2 && ABREAST == 2));
}

/* Rows i..i + count - 1. */
SB_INLINE void march_rows_down(const sb_march *m, int band, int rows, int64_t i, int64_t count)
{
    places at = places_of(m, band, false, i);
    int64_t lane = 0;
    for (; lane + ABREAST * SB_WIDTH <= m->y.lanes; lane += ABREAST * SB_WIDTH)
        march_down(m, band, rows, ABREAST, at, count, lane);
    for (; ABREAST > 1 && lane < m->y.lanes; lane += SB_WIDTH)
        march_down(m, band, rows, 1, at, count, whole_from(lane, m->y.lanes));
}

SB_INLINE void march_all_down(int band, sb_march m, int64_t rows)
{
    int64_t pairs = together(band) == 2 && m.as_lines ? rows / 2 * 2 : 0;
    if (pairs > 0)
        march_rows_down(&m, band, together(band), 0, pairs);
    if (pairs < rows)
        march_rows_down(&m, band, 1, pairs, rows - pairs);
}

SB_INLINE void all_down(sb_march m, bool pairs, int64_t rows)
{
    m.matrix_pairs = pairs;
    if (m.band == 1)
        march_all_down(1, m, rows);
    else
        march_all_down(2, m, rows);
}

/* Not inlined: beside it the others would have to do with fewer registers. */
static __attribute__((noinline)) void go_down(const sb_march *m, int64_t rows)
{
    if (m->matrix_pairs)
        all_down(*m, true, rows);
    else
        all_down(*m, false, rows);
}

SB_INLINE void narrow(fetching how, sb_march m, bool pairs, int64_t rows)
{
    m.matrix_pairs = pairs;
    if (m.band == 1)
        march_kind(1, false, how, m, rows);
    else
        march_kind(2, false, how, m, rows);
}

SB_INLINE void other(sb_march m, bool pairs, int64_t rows)
{
    m.matrix_pairs = pairs;
    if (m.last)
        march_ring(m, rows);
    else if (m.band == 3)
        march_kind(3, false, IF_ASKED, m, rows);
    else
        march_kind(4, false, IF_ASKED, m, rows);
}

static __attribute__((noinline)) void march_other(const sb_march *m, int64_t rows)
{
    if (m->matrix_pairs)
        other(*m, true, rows);
    else
        other(*m, false, rows);
}

/* Apart for the same reason: what is fetched takes registers. Those are the user's own rows. */
static __attribute__((noinline)) void march_near(const sb_march *m, int64_t rows)
{
    if (m->matrix_pairs)
        narrow(NOTHING, *m, true, rows);
    else
        narrow(NOTHING, *m, false, rows);
}

static __attribute__((noinline)) void march_far(const sb_march *m, int64_t rows)
{
    narrow(ONCE, *m, true, rows);
}

static __attribute__((noinline)) void march_far_twice(const sb_march *m, int64_t rows)
{
    narrow(TWICE, *m, true, rows);
}

void SB_WIDE(march)(const sb_march *m, int64_t rows)
{
    if (goes_down(m))
        go_down(m, rows);
    else if (m->last || m->band > 2)
        march_other(m, rows);
    else if (!m->matrix_ahead)
        march_near(m, rows);
    else if (m->matrix_again)
        march_far_twice(m, rows);
    else
        march_far(m, rows);
}
