/* The same sweep over lines of stride 1: a cache line of each is transposed in registers into rows that wait in the
 * first-level cache until they are swept, array after array, because lines whose distance is a power of two drive one another
 * out of it, and only one cache line of the rows that come next. Words a row of each system: the matrix's 2 band + 1 and the
 * right-hand side in; what is kept (band) and the swept right-hand side out, both for the way back, in cache. */
#include <string.h>

#include "src/cpu/wide/march.h"

enum { TOGETHER = SB_DEPTH, LANES = TOGETHER * SB_WIDTH, REALS = SB_CACHE_LINE / sizeof(R) };

/* A cache line's reals of every line, as rows. */
typedef struct slab {
    _Alignas(SB_CACHE_LINE) R row[REALS][LANES];
} slab;

SB_INLINE void bring(const R *line, int64_t between, int depth, slab *to)
{
    for (int v = 0; v < depth; ++v)
        for (int q = 0; q < (int)REALS; q += SB_WIDTH) {
            V square[SB_WIDTH];
            vload_square(line + v * SB_WIDTH * between + q, between, square);
            for (int r = 0; r < SB_WIDTH; ++r)
                vstore(&to->row[q + r][v * SB_WIDTH], square[r]);
        }
}

/* For bands wider than pentadiagonal, whose rows take so long that calls do not show: the loop around is unrolled, and took ten
   times as long to compile with all of them in it. So are sweep_three and sweep_four. */
static __attribute__((noinline)) void bring_apart(const R *line, int64_t between, int depth, slab *to)
{
    bring(line, between, depth, to);
}

/* Cache lines of the couplings above or below the diagonal whose ends leave the matrix, one of each of its diagonals. */
typedef struct edges {
    R line[SB_USUAL_MOST][LANES * REALS];
} edges;

/* Zeros instead of the first or last rows, which are not read. */
SB_INLINE void copy_edge(const R *line, int64_t between, int lanes, int in_front, int behind, R *to)
{
    int first = in_front * SB_PLANES, reals = (int)REALS - (in_front + behind) * SB_PLANES;
    for (int s = 0; s < lanes; ++s) {
        memset(to + s * REALS, 0, REALS * sizeof(R));
        memcpy(to + s * REALS + first, line + s * between + first, (size_t)reals * sizeof(R));
    }
}

/* Words of a row that are read: the matrix's and the right-hand side. */
SB_INLINE int words_of(int band)
{
    return 2 * band + 2;
}

SB_INLINE const R *line_of(const sb_line_march *m, int band, int64_t lane, int word, int64_t i)
{
    bool matrix = word <= 2 * band;
    return (matrix ? m->matrix[word] : m->rhs) + lane * (matrix ? m->matrix_between : m->rhs_between) +
           i * SB_PLANES;
}

/* Of the first and the last row. */
SB_INLINE void copy_edges(const sb_line_march *m, int band, int depth, int64_t lane, int64_t last, edges *first,
                          edges *end)
{
    int lanes = depth * SB_WIDTH;
    for (int k = 1; k <= band; ++k) {
        copy_edge(line_of(m, band, lane, band - k, 0), m->matrix_between, lanes, k, 0, first->line[k - 1]);
        if (m->closes)
            copy_edge(line_of(m, band, lane, band + k, last), m->matrix_between, lanes, 0, k, end->line[k - 1]);
    }
}

/* The cache line of every line of one array that begins with row i. first, end: or NULL. */
SB_INLINE void bring_word(const sb_line_march *m, int band, int depth, int64_t lane, int word, int64_t i,
                          const edges *first, const edges *end, slab *to)
{
    const R *line = line_of(m, band, lane, word, i);
    int64_t between = word <= 2 * band ? m->matrix_between : m->rhs_between;
    if (word < m->ahead.arrays && lane == 0)
        fetch_lines_of(&m->ahead, word, i);
    if (first && word < band) {
        line = first->line[band - word - 1];
        between = REALS;
    }
    if (end && word > band && word <= 2 * band) {
        line = end->line[word - band - 1];
        between = REALS;
    }
    if (band > 2)
        bring_apart(line, between, depth, to);
    else
        bring(line, between, depth, to);
}

/* One vector of lanes, the one that begins with lane `own`. */
SB_INLINE void sweep_vector(int band, bool ring, int rows, const slab *from, int row, int own, int64_t lanes,
                            R *y, R *kept, carried *c, notes of)
{
    next_rows n;
    for (int i = 0; i < rows; ++i) {
        for (int d = 0; d <= 2 * band; ++d)
            n.row[i][d] = wload(&from[d].row[(row + i) * SB_PLANES][own], LANES);
        n.y[i] = wload(&from[2 * band + 1].row[(row + i) * SB_PLANES][own], LANES);
    }
    march_rows(band, ring, rows, &n, c, of, kept + row * kept_words(band, ring) * SB_PLANES * lanes + own,
               y + row * SB_PLANES * lanes + own, lanes);
}

static __attribute__((noinline)) void sweep_three(const slab *from, int row, int own, int64_t lanes, R *y,
                                                  R *kept, carried *c, notes of)
{
    sweep_vector(3, false, 1, from, row, own, lanes, y, kept, c, of);
}

static __attribute__((noinline)) void sweep_four(const slab *from, int row, int own, int64_t lanes, R *y,
                                                 R *kept, carried *c, notes of)
{
    sweep_vector(4, false, 1, from, row, own, lanes, y, kept, c, of);
}

SB_INLINE void sweep_rows(int band, bool ring, int depth, const slab *from, int row, int64_t lanes, R *y,
                          R *kept, carried *c, notes of)
{
    SB_AS_A_SEQUENCE
    for (int v = 0; v < depth; ++v) {
        notes here = {of.growth + v * SB_WIDTH, of.bad + v * SB_WIDTH};
        if (band == 4)
            sweep_four(from, row, v * SB_WIDTH, lanes, y, kept, &c[v], here);
        else if (band == 3)
            sweep_three(from, row, v * SB_WIDTH, lanes, y, kept, &c[v], here);
        else
            sweep_vector(band, ring, together(band), from, row, v * SB_WIDTH, lanes, y, kept, &c[v], here);
    }
}

/* The first row that is swept after `word` words were brought. */
SB_INLINE int first_row(int word, int band)
{
    return word * (int)SB_LINE_ROWS / words_of(band);
}

/* Not inlined: the sweep has no registers to spare. */
static __attribute__((noinline)) void fetch_again(const sb_ahead *ahead, int64_t i)
{
    for (int a = 0; a < ahead->arrays; ++a)
        for (int s = 0; s < ahead->count; ++s)
            vfetch_into(ahead->into_first, ahead->from[a],
                        s * ahead->line_step + i / SB_LINE_ROWS * ahead->step - ahead->again);
}

/* One slab is swept while the next one is brought, an array of it after every few rows: the processor does not look far enough
   beyond their chains of divisions to find all of the next slab there. By value: its members stay in registers, whatever
   is stored. */
SB_INLINE void march(sb_line_march m, const sb_ahead *again, int band, bool ring, int depth, int64_t lane,
                     int64_t rows)
{
    enum { ROWS = SB_LINE_ROWS };
    int64_t lanes = m.y.lanes;
    carried c[TOGETHER];
    slab arrays[2][2 * SB_USUAL_MOST + 2];
    edges first, end;
    int64_t last = rows - ROWS;
    R *y = m.y.at + lane, *kept = m.kept.at + lane;
    notes of = {m.growth + lane, m.bad + lane};
    for (int v = 0; v < depth; ++v) {
        take_up(band, ring, kept + v * SB_WIDTH, y + v * SB_WIDTH, lanes, &c[v]);
    }
    if (!ring)
        copy_edges(&m, band, depth, lane, last, &first, &end);
    for (int word = 0; word < words_of(band); ++word)
        bring_word(&m, band, depth, lane, word, 0, ring ? NULL : &first,
                   !ring && m.closes && last == 0 ? &end : NULL, &arrays[0][word]);
    for (int64_t i = 0; i < rows; i += ROWS) {
        const slab *here = arrays[i / ROWS % 2];
        slab *next = arrays[(i / ROWS + 1) % 2];
        SB_AS_A_SEQUENCE
        for (int word = 0; word < words_of(band); ++word) {
            SB_AS_A_SEQUENCE
            for (int row = first_row(word, band); row < first_row(word + 1, band); row += together(band))
                sweep_rows(band, ring, depth, here, row, lanes, y, kept, c, of);
            if (i < last)
                bring_word(&m, band, depth, lane, word, i + ROWS, NULL,
                           !ring && m.closes && i + ROWS == last ? &end : NULL, &next[word]);
        }
        for (int v = 0; v < depth * SB_WIDTH && ring; v += SB_WIDTH)
            lose_columns(ROWS, m.last + lane + v, kept + v, y + v, lanes);
        if (again && lane == 0)
            fetch_again(again, i);
        y += ROWS * SB_PLANES * lanes;
        kept += ROWS * kept_words(band, ring) * SB_PLANES * lanes;
    }
}

SB_INLINE void all_kinds(int band, bool ring, const sb_line_march *m, int64_t rows)
{
    int64_t lane = 0;
    const sb_ahead *again = m->ahead.again ? &m->ahead : NULL;
    for (; lane + LANES <= m->y.lanes; lane += LANES)
        march(*m, again, band, ring, TOGETHER, lane, rows);
    for (; lane < m->y.lanes; lane += SB_WIDTH)
        march(*m, again, band, ring, 1, lane, rows);
}

SB_INLINE void all(int band, const sb_line_march *m, int64_t rows)
{
    all_kinds(band, false, m, rows);
}

void SB_WIDE(march_lines)(const sb_line_march *m, int64_t rows)
{
    if (m->last)
        all_kinds(1, true, m, rows);
    else
        SB_FOR_BAND(m->band, all, m, rows);
}
