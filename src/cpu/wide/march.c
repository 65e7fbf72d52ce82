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

/* Rows that are read where the user keeps them. */
SB_INLINE void fetch_part(const sb_march *m, int band, const places *at, int64_t lane)
{
    for (int q = 0; q < TOGETHER * SB_PLANES; q += SB_LINE_VECTORS) {
        int64_t reals = lane * SB_PLANES + q * SB_WIDTH;
        for (int d = 0; d <= 2 * band; ++d)
            vfetch(at->matrix[d], m->matrix_ahead + reals);
        vfetch(at->rhs, m->rhs_ahead + reals);
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

SB_INLINE void step(const sb_march *m, int band, bool ring, int rows, const places *at, int64_t lane)
{
    int64_t lanes = m->y.lanes;
    carried c = {.growth = vload(m->growth + lane), .bad = vload(m->bad + lane)};
    next_rows n;
    take_up(band, ring, at->kept + lane, at->y + lane, lanes, &c);
    take_rows(m, band, rows, at, lane, &n);
    march_rows(band, ring, rows, &n, &c, at->kept + lane, at->y + lane, lanes);
    vstore(m->growth + lane, c.growth);
    vstore(m->bad + lane, c.bad);
}

/* So many rows from row i on. */
SB_INLINE void march_along(const sb_march *m, int band, bool ring, int rows, int64_t i)
{
    places at = places_of(m, band, ring, i);
    int64_t lane = 0;
    for (; lane + TOGETHER * SB_WIDTH <= m->y.lanes; lane += TOGETHER * SB_WIDTH) {
        if (m->matrix_ahead)
            fetch_part(m, band, &at, lane);
        SB_IN_REGISTERS
        for (int v = 0; v < TOGETHER; ++v)
            step(m, band, ring, rows, &at, lane + v * SB_WIDTH);
    }
    for (; lane < m->y.lanes; lane += SB_WIDTH)
        step(m, band, ring, rows, &at, lane);
}

/* By value: its members stay in registers, whatever is stored. */
SB_INLINE void march_kind(int band, bool ring, sb_march m, int64_t rows)
{
    int64_t i = 0;
    for (; together(band) == 2 && m.as_lines && i + 2 <= rows; i += 2)
        march_along(&m, band, ring, together(band), i);
    for (; i < rows; ++i)
        march_along(&m, band, ring, 1, i);
}

SB_INLINE void march(int band, sb_march m, int64_t rows)
{
    march_kind(band, false, m, rows);
}

/* A few rows, then what the last one loses. */
SB_INLINE void march_ring(sb_march m, int64_t rows)
{
    for (int64_t i = 0, few; i < rows; i += few) {
        few = rows - i < SB_LINE_ROWS ? rows - i : SB_LINE_ROWS;
        march_kind(1, true, m, few);
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

/* `count` rows, `rows` of them together, of so many vectors: what is carried from row to row stays in the registers. */
SB_INLINE void march_down(const sb_march *m, int band, int rows, int vectors, places at, int64_t count,
                          int64_t lane)
{
    int64_t lanes = m->y.lanes, row = SB_PLANES * lanes;
    carried c[TOGETHER];
    for (int v = 0; v < vectors; ++v) {
        int64_t own = lane + v * SB_WIDTH;
        c[v].growth = vload(m->growth + own);
        c[v].bad = vload(m->bad + own);
        take_up(band, false, at.kept + own, at.y + own, lanes, &c[v]);
    }
    for (int64_t i = 0; i < count; i += rows) {
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v) {
            int64_t own = lane + v * SB_WIDTH;
            next_rows n;
            take_rows(m, band, rows, &at, own, &n);
            march_rows(band, false, rows, &n, &c[v], at.kept + own, at.y + own, lanes);
        }
        for (int d = 0; d <= 2 * band; ++d)
            at.matrix[d] += rows * m->matrix_step;
        at.rhs += rows * m->rhs_step;
        at.y += rows * row;
        at.kept += rows * kept_words(band, false) * row;
    }
    for (int v = 0; v < vectors; ++v) {
        vstore(m->growth + lane + v * SB_WIDTH, c[v].growth);
        vstore(m->bad + lane + v * SB_WIDTH, c[v].bad);
    }
}

/* Vectors of a cache line come with registers enough for what is carried of two. */
enum { TWO_FIT = !SB_COMPLEX && SB_WIDTH * sizeof(R) == SB_CACHE_LINE };

/* Do vectors go down all rows, one after another, instead of all of them a row? Not where rows come from memory, which likes runs of
   neighbours best. Where two do not fit, only tiles of one vector do, whose rows would wait for what was just stored; and none of wide
   bands, whose rows take longer than that. */
SB_INLINE bool goes_down(const sb_march *m)
{
    return m->band <= 2 && !m->last && !m->matrix_ahead && (TWO_FIT || m->y.lanes == SB_WIDTH);
}

/* Rows i..i + count - 1. */
SB_INLINE void march_rows_down(const sb_march *m, int band, int rows, int64_t i, int64_t count)
{
    places at = places_of(m, band, false, i);
    int64_t lane = 0;
    for (; TWO_FIT && lane + TOGETHER * SB_WIDTH <= m->y.lanes; lane += TOGETHER * SB_WIDTH)
        march_down(m, band, rows, TOGETHER, at, count, lane);
    for (; lane < m->y.lanes; lane += SB_WIDTH)
        march_down(m, band, rows, 1, at, count, lane);
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

SB_INLINE void all(sb_march m, bool pairs, int64_t rows)
{
    m.matrix_pairs = pairs;
    if (m.last)
        march_ring(m, rows);
    else
        SB_FOR_BAND(m.band, march, m, rows);
}

void SB_WIDE(march)(const sb_march *m, int64_t rows)
{
    if (goes_down(m))
        go_down(m, rows);
    else if (m->matrix_pairs)
        all(*m, true, rows);
    else
        all(*m, false, rows);
}
