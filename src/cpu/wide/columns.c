/* Substitution with the transpose of factors that stand in rows: an unknown that is known leaves the rows it meets, a row of
 * the factors at a time. For all bands, tiles in cache. Words a row of each system: as in sweep.c. The nearest of the rows
 * that are met stays in a register: the chain from row to row is one fused multiply-add (forwards in a band wider than
 * tridiagonal, and a product). */
#include "src/cpu/wide/band.h"

/* Rows from..to-1 of D^-1 U^T, U's diagonal the pivots; the rows that they meet have lost their part on return. */
SB_INLINE void forward(sb_factors f, bool own, bool scaled, int upper, sb_tile x, int64_t lane, int64_t from,
                       int64_t to)
{
    W y = wload(place(x, from, lane), x.lanes);
    for (int64_t i = from; i < to; ++i) {
        W divided = wmul(factor(&f, own, i, f.pivot, lane), y);
        y = scaled ? y : divided;
        wstore(place(x, i, lane), x.lanes, divided);
        W next = wload(place(x, i + 1, lane), x.lanes);
        for (int t = 2; t <= upper; ++t) {
            R *met = place(x, i + t, lane);
            wstore(met, x.lanes, wnmadd(factor(&f, own, i, f.pivot + t, lane), y, wload(met, x.lanes)));
        }
        y = upper > 0 ? wnmadd(factor(&f, own, i, f.pivot + 1, lane), y, next) : next;
    }
    wstore(place(x, to, lane), x.lanes, y);
}

/* The same of L^T, whose diagonal is 1, upwards. */
SB_INLINE void backward(sb_factors f, bool own, int lower, sb_tile x, int64_t lane, int64_t from, int64_t to,
                        R *odd)
{
    W y = wload(place(x, to - 1, lane), x.lanes);
    V sum = vload(odd + lane);
    for (int64_t i = to - 1; i >= from; --i) {
        sum = wodd(y, sum);
        wstore(place(x, i, lane), x.lanes, y);
        W next = wload(place(x, i - 1, lane), x.lanes);
        for (int k = 2; k <= lower; ++k) {
            R *met = place(x, i - k, lane);
            wstore(met, x.lanes, wnmadd(factor(&f, own, i, lower - k, lane), y, wload(met, x.lanes)));
        }
        y = lower > 0 ? wnmadd(factor(&f, own, i, lower - 1, lane), y, next) : next;
    }
    wstore(place(x, from - 1, lane), x.lanes, y);
    vstore(odd + lane, sum);
}

SB_INLINE void all_forward(const sb_factors *f, bool own, bool scaled, int upper, sb_tile x, int64_t from,
                           int64_t to)
{
    for (int64_t lane = 0; lane < x.lanes && from < to; lane += SB_WIDTH)
        forward(*f, own, scaled, upper, x, lane, from, to);
}

SB_INLINE void all_backward(const sb_factors *f, bool own, int lower, sb_tile x, int64_t from, int64_t to,
                            R *odd)
{
    for (int64_t lane = 0; lane < x.lanes && from < to; lane += SB_WIDTH)
        backward(*f, own, lower, x, lane, from, to, odd);
}

void SB_WIDE(forward_columns)(const sb_factors *f, sb_tile x, int64_t from, int64_t to)
{
    if (f->scaled && !f->shared)
        all_forward(f, true, true, 1, x, from, to);
    else if (f->upper == 2 && !f->shared)
        all_forward(f, true, false, 2, x, from, to);
    else
        all_forward(f, !f->shared, f->scaled, f->upper, x, from, to);
}

void SB_WIDE(backward_columns)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd)
{
    if (f->lower == 1 && !f->shared)
        all_backward(f, true, 1, x, from, to, odd);
    else if (f->lower == 2 && !f->shared)
        all_backward(f, true, 2, x, from, to, odd);
    else
        all_backward(f, !f->shared, f->lower, x, from, to, odd);
}

/* columns words of spikes a row of each system, and one of the tile, in cache. */
void SB_WIDE(project)(const sb_spikes *s, sb_tile x, int64_t from, int64_t to)
{
    for (int64_t lane = 0; lane < x.lanes; lane += SB_WIDTH)
        for (int c = 0; c < s->columns; ++c) {
            R *border = place(x, s->inner + c, lane);
            W sum = wload(border, x.lanes);
            for (int64_t i = from; i < to; ++i)
                sum = wnmadd(wload(place(s->first, i - s->from, lane) + c * s->apart, s->first.lanes),
                             wload(place(x, i, lane), x.lanes), sum);
            wstore(border, x.lanes, sum);
        }
}

/* A word a row, in cache; sums apart, so that none waits for the one before. */
void SB_WIDE(search)(sb_tile x, int64_t rows, R *odd)
{
    enum { APART = 4 };
    for (int64_t v = 0; v < x.lanes; v += SB_WIDTH) {
        const int64_t lane = whole_from(v, x.lanes);
        V sum[APART] = {vload(odd + lane), vsplat(0), vsplat(0), vsplat(0)};
        int64_t i = 0;
        for (; i + APART <= rows; i += APART)
            for (int q = 0; q < APART; ++q)
                sum[q] = wodd(wload(place(x, i + q, lane), x.lanes), sum[q]);
        for (; i < rows; ++i)
            sum[0] = wodd(wload(place(x, i, lane), x.lanes), sum[0]);
        vstore(odd + lane, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
}
