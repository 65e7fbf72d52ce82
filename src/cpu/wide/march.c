/* Elimination and forward substitution in one sweep, a matrix in each lane: bands of 1 + 1 and 2 + 2. Words a row of each
 * system: the matrix's 2 band + 1 and the right-hand side in; what is kept (1 or 1 + band) and the swept right-hand side
 * out, both for the way back, in cache. */
#include "src/cpu/wide/band.h"
#include "src/cpu/wide/pivotless.h"

/* Vectors that are swept together: as many as have room for what they carry. */
enum { TOGETHER = SB_WIDTH * sizeof(R) == 64 && !SB_COMPLEX ? 4 : 2 };

/* The upper parts of the rows in front, and their right-hand sides. */
typedef struct carried {
    W above[SB_USUAL_MOST * (SB_USUAL_MOST + 1)], y[SB_USUAL_MOST];
    V growth, bad;
} carried;

/* Where a row's words begin, for one vector after the other. */
typedef struct places {
    const R *matrix[2 * SB_USUAL_MOST + 1], *rhs;
    R *y, *kept;
} places;

SB_INLINE void take(const sb_march *m, int band, int64_t lane, carried *c)
{
    int words = band * (1 + band);
    take_up(m->carry, m->y.lanes, lane, words, c->above);
    take_up(m->carry + words * SB_PLANES * m->y.lanes, m->y.lanes, lane, band, c->y);
    c->growth = vload(m->growth + lane);
    c->bad = vload(m->bad + lane);
}

SB_INLINE void put(const sb_march *m, int band, int64_t lane, const carried *c)
{
    int words = band * (1 + band);
    put_down(m->carry, m->y.lanes, lane, words, c->above);
    put_down(m->carry + words * SB_PLANES * m->y.lanes, m->y.lanes, lane, band, c->y);
    vstore(m->growth + lane, c->growth);
    vstore(m->bad + lane, c->bad);
}

SB_INLINE void step(const sb_march *m, int band, const places *at, int v, carried *c)
{
    int64_t lanes = m->y.lanes, own = v * SB_WIDTH;
    int64_t matrix = own * (m->matrix_pairs ? SB_PLANES : 1), rhs = own * (m->rhs_pairs ? SB_PLANES : 1);
    int reach = 1 + band;
    bool scaled = band == 1;
    W row[2 * SB_USUAL_MOST + 1], y = row_load(m->rhs_pairs, at->rhs + rhs, lanes);
    for (int d = 0; d <= 2 * band; ++d)
        row[d] = row_load(m->matrix_pairs, at->matrix[d] + matrix, lanes);
    eliminate_row(scaled, band, band, row, c->above, reach, &c->growth, &c->bad);
    for (int k = band; k > 0; --k)
        y = wnmadd(row[band - k], c->y[k - 1], y);
    push(c->y, band, y);
    for (int w = band * reach - 1; w >= reach; --w)
        c->above[w] = c->above[w - reach];
    for (int t = 0; t <= band; ++t)
        c->above[t] = row[band + t];
    for (int t = scaled; t <= band; ++t)
        wstore(at->kept + own + (t - scaled) * SB_PLANES * lanes, lanes, row[band + t]);
    wstore(at->y + own, lanes, scaled ? wmul(row[1], y) : y);
}

/* Rows that are read where the user keeps them. */
SB_INLINE void fetch_rows(const sb_march *m, int band, const places *at, int v)
{
    for (int plane = 0; plane < SB_PLANES; ++plane) {
        int vector = v * SB_PLANES + plane;
        if (vector % SB_LINE_VECTORS)
            continue;
        for (int d = 0; d <= 2 * band; ++d)
            fetch(at->matrix[d] + vector * SB_WIDTH, m->ahead_rows * m->matrix_step);
        fetch(at->rhs + vector * SB_WIDTH, m->ahead_rows * m->rhs_step);
    }
}

/* This row's share of what is fetched with its neighbours. */
SB_INLINE void fetch_share(const sb_ahead *ahead, int band, int64_t i)
{
    for (int64_t s = i % SB_LINE_ROWS; s < ahead->count; s += SB_LINE_ROWS)
        for (int a = 0; a < 2 * band + 2; ++a)
            fetch(ahead->from[a], s * ahead->line_step + i / SB_LINE_ROWS * ahead->step);
}

SB_INLINE void advance(const sb_march *m, int band, places *at)
{
    int64_t row = SB_PLANES * m->y.lanes;
    for (int d = 0; d <= 2 * band; ++d)
        at->matrix[d] += m->matrix_step;
    at->rhs += m->rhs_step;
    at->y += row;
    at->kept += (band == 1 ? 1 : 1 + band) * row;
}

/* By value: its members stay in registers, whatever is stored. */
SB_INLINE void march(sb_march m, int band, int depth, int64_t lane, int64_t rows)
{
    carried c[TOGETHER];
    places at = {
        .rhs = m.rhs + lane * (m.rhs_pairs ? SB_PLANES : 1), .y = m.y.at + lane, .kept = m.kept.at + lane};
    for (int d = 0; d <= 2 * band; ++d)
        at.matrix[d] = m.matrix[d] + lane * (m.matrix_pairs ? SB_PLANES : 1);
    for (int v = 0; v < depth; ++v)
        take(&m, band, lane + v * SB_WIDTH, &c[v]);
    for (int64_t i = 0; i < rows; ++i, advance(&m, band, &at)) {
        if (m.ahead.arrays && lane == 0)
            fetch_share(&m.ahead, band, i);
        for (int v = 0; v < depth && m.ahead_rows; ++v)
            fetch_rows(&m, band, &at, v);
        SB_IN_REGISTERS
        for (int v = 0; v < depth; ++v)
            step(&m, band, &at, v, &c[v]);
    }
    for (int v = 0; v < depth; ++v)
        put(&m, band, lane + v * SB_WIDTH, &c[v]);
}

SB_INLINE void all(const sb_march *m, int band, int64_t rows)
{
    int64_t lane = 0;
    for (; band == 1 && lane + TOGETHER * SB_WIDTH <= m->y.lanes; lane += TOGETHER * SB_WIDTH)
        march(*m, band, TOGETHER, lane, rows);
    for (; lane + 2 * SB_WIDTH <= m->y.lanes; lane += 2 * SB_WIDTH)
        march(*m, band, 2, lane, rows);
    for (; lane < m->y.lanes; lane += SB_WIDTH)
        march(*m, band, 1, lane, rows);
}

void SB_WIDE(march)(const sb_march *m, int64_t rows)
{
    if (m->band == 1)
        all(m, 1, rows);
    else
        all(m, 2, rows);
}
