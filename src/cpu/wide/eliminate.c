/* Elimination without pivoting, one matrix in each lane: the factors of thomas (scaled) or lu, with the growth of
 * each lane as in kernels/growth.h. Words a row of each system: lower + 1 + upper in and out, 1 + upper more
 * out. Whether the largest growth so far is exceeded is asked without a division; the quotient is formed only
 * where it is. */
#include "src/cpu/wide/names.h"

SB_INLINE R *place(sb_tile tile, int64_t row, int64_t lane)
{
    return tile.at + row * SB_PLANES * tile.lanes + lane;
}

/* growth, or product / largest if that is larger; infinite if that is no number. */
SB_INLINE V grow(V growth, V product, V largest)
{
    vmask more = vexceeds(product, growth * largest);
    if (!vany(more))
        return growth;
    V quotient = product / largest;
    V known = vselect(vexceeds(vsplat(0), quotient), vsplat((R)INFINITY), quotient);
    return vselect(more, known, growth);
}

/* What one word of lanes carries from row to row: the upper part of the row just done, so that the chain from pivot
   to pivot does not go through memory, and what is measured. */
typedef struct carried {
    W above[SLIMBAND_MAX_BANDWIDTH + 1];
    V growth, bad;
} carried;

SB_INLINE void eliminate_row(const sb_elimination *e, bool scaled, int lower, int upper, int64_t i,
                             int64_t lane, carried *c)
{
    int width = lower + 1 + upper;
    int64_t lanes = e->rows.lanes, word = SB_PLANES * lanes;
    R *at = place(e->rows, (i - e->first) * width, lane), *kept = place(e->upper, i * (1 + upper), lane);
    W row[SLIMBAND_MAX_DIAGONALS];
    V largest = vsplat(0), product = vsplat(0);
    for (int d = 0; d < width; ++d) {
        row[d] = wload(at + d * word, lanes);
        largest = vmax(largest, wabs1(row[d]));
    }
    for (int k = lower; k > 0; --k) {
        const R *above = kept - k * (1 + upper) * word;
        W a = row[lower - k], l = wmul(a, k > 1 ? wload(above, lanes) : c->above[0]);
        row[lower - k] = l;
        for (int t = 1; t <= upper; ++t) {
            W u = k > 1 ? wload(above + t * word, lanes) : c->above[t];
            product = vmax(product, wabs1(wmul(scaled ? a : l, u)));
            row[lower - k + t] = wnmadd(scaled ? a : l, u, row[lower - k + t]);
        }
    }
    c->growth = grow(c->growth, product, largest);
    W pivot = row[lower];
    row[lower] = wreciprocal(pivot);
    V size = wabs1(pivot) + wabs1(row[lower]);
    if (scaled) {
        row[2] = wmul(row[2], row[1]);
        size = size + wabs1(row[2]);
    }
    c->bad = vselect(vexceeds(size, vsplat(SB_LARGEST)), vsplat(1), c->bad);
    for (int d = 0; d < width; ++d)
        wstore(at + d * word, lanes, row[d]);
    for (int t = 0; t <= upper; ++t) {
        c->above[t] = row[lower + t];
        wstore(kept + t * word, lanes, row[lower + t]);
    }
}

SB_INLINE void eliminate(sb_elimination e, bool scaled, int lower, int upper, int64_t from, int64_t to)
{
    int64_t lanes = e.rows.lanes;
    for (int64_t group = 0; group < lanes; group += SB_GROUP) {
        carried c[SB_DEPTH];
        for (int v = 0; v < SB_DEPTH; ++v) {
            int64_t lane = group + v * SB_WIDTH;
            c[v].growth = vload(e.growth + lane);
            c[v].bad = vload(e.bad + lane);
            for (int t = 0; t <= upper && lower > 0; ++t)
                c[v].above[t] = wload(place(e.upper, (from - 1) * (1 + upper) + t, lane), lanes);
        }
        for (int64_t i = from; i < to; ++i)
            for (int v = 0; v < SB_DEPTH; ++v)
                eliminate_row(&e, scaled, lower, upper, i, group + v * SB_WIDTH, &c[v]);
        for (int v = 0; v < SB_DEPTH; ++v) {
            vstore(e.growth + group + v * SB_WIDTH, c[v].growth);
            vstore(e.bad + group + v * SB_WIDTH, c[v].bad);
        }
    }
}

void SB_WIDE(eliminate)(const sb_elimination *e, int64_t from, int64_t to)
{
    if (e->scaled)
        eliminate(*e, true, 1, 1, from, to);
    else if (e->lower_width == 2 && e->upper_width == 2)
        eliminate(*e, false, 2, 2, from, to);
    else
        eliminate(*e, false, e->lower_width, e->upper_width, from, to);
}
