/* Elimination without pivoting, one matrix in each lane: the factors of thomas (scaled) or lu, with the growth of
 * each lane as in kernels/growth.h. Words a row of each system: lower + 1 + upper in and out, 1 + upper more
 * out. Whether the largest growth so far is exceeded is asked without a division; the quotient is formed only
 * where it is. */
#include "src/cpu/wide/band.h"
#include "src/cpu/wide/pivotless.h"

/* What one word of lanes carries from row to row: the upper part of the row just done, so that the chain from pivot
   to pivot does not go through memory, and what is measured. Rows further up are read again. */
typedef struct carried {
    W above[SLIMBAND_MAX_BANDWIDTH * (SLIMBAND_MAX_BANDWIDTH + 1)];
    V growth, bad;
} carried;

SB_INLINE void step(const sb_elimination *e, bool scaled, int lower, int upper, int64_t i, int64_t lane,
                    carried *c)
{
    int width = lower + 1 + upper, reach = 1 + upper;
    int64_t lanes = e->rows.lanes, word = SB_PLANES * lanes;
    R *at = place(e->rows, (i - e->first) * width, lane), *kept = place(e->upper, i * reach, lane);
    W row[SLIMBAND_MAX_DIAGONALS];
    row[0] = wload(at, lanes);
    for (int d = 1; d < width; ++d)
        row[d] = wload(at + d * word, lanes);
    for (int w = reach; w < lower * reach; ++w)
        c->above[w] = wload(kept + (w % reach - (w / reach + 1) * reach) * word, lanes);
    eliminate_row(scaled, lower, upper, row, c->above, reach, &c->growth, &c->bad);
    for (int d = 0; d < width; ++d)
        wstore(at + d * word, lanes, row[d]);
    for (int t = 0; t <= upper; ++t) {
        c->above[t] = row[lower + t];
        wstore(kept + t * word, lanes, row[lower + t]);
    }
}

SB_INLINE void eliminate(sb_elimination e, bool scaled, int lower, int upper, int depth, int64_t lane,
                         int64_t from, int64_t to)
{
    carried c[SB_DEPTH];
    for (int v = 0; v < depth; ++v) {
        int64_t at = lane + v * SB_WIDTH;
        c[v].growth = vload(e.growth + at);
        c[v].bad = vload(e.bad + at);
        for (int t = 0; t <= upper && lower > 0; ++t)
            c[v].above[t] = wload(place(e.upper, (from - 1) * (1 + upper) + t, at), e.upper.lanes);
    }
    for (int64_t i = from; i < to; ++i)
        for (int v = 0; v < depth; ++v)
            step(&e, scaled, lower, upper, i, lane + v * SB_WIDTH, &c[v]);
    for (int v = 0; v < depth; ++v) {
        vstore(e.growth + lane + v * SB_WIDTH, c[v].growth);
        vstore(e.bad + lane + v * SB_WIDTH, c[v].bad);
    }
}

SB_INLINE void all(const sb_elimination *e, bool scaled, int lower, int upper, int64_t from, int64_t to)
{
    int64_t lane = 0;
    for (; lane + SB_GROUP <= e->rows.lanes; lane += SB_GROUP)
        eliminate(*e, scaled, lower, upper, SB_DEPTH, lane, from, to);
    for (; lane < e->rows.lanes; lane += SB_WIDTH)
        eliminate(*e, scaled, lower, upper, 1, lane, from, to);
}

SB_INLINE void all_usual(int band, const sb_elimination *e, int64_t from, int64_t to)
{
    all(e, band == 1, band, band, from, to);
}

void SB_WIDE(eliminate)(const sb_elimination *e, int64_t from, int64_t to)
{
    if (e->lower_width == e->upper_width && e->lower_width >= 1 && e->lower_width <= SB_USUAL_MOST)
        SB_FOR_BAND(e->lower_width, all_usual, e, from, to);
    else
        all(e, false, e->lower_width, e->upper_width, from, to);
}
