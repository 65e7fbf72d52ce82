/* Substitution in tiles, with the factors of lu or thomas. One text for all bandwidths and both kinds of factors;
 * called with constants it becomes the kernel of that band. Words a row of each system: the tile twice in and
 * out, in cache; with own factors `width` more. The word just computed stays in a register: the chain from row to
 * row is one fused multiply-add (backwards in a band wider than tridiagonal, and a product). */
#include "src/cpu/wide/names.h"

SB_INLINE R *place(sb_tile tile, int64_t row, int64_t lane)
{
    return tile.at + row * SB_PLANES * tile.lanes + lane;
}

/* Word e of row i, for the lanes of word v of the group. */
SB_INLINE W factor(const sb_factors *f, bool own, int64_t i, int e, int64_t lane)
{
    if (own)
        return wload(place(f->own, (i - f->first) * f->width + e, lane), f->own.lanes);
    return wsplat(f->shared + i * f->width + e);
}

SB_INLINE void load_row(sb_tile x, int64_t i, int64_t lane, W *words)
{
    for (int v = 0; v < SB_DEPTH; ++v)
        words[v] = wload(place(x, i, lane + v * SB_WIDTH), x.lanes);
}

SB_INLINE void store_row(sb_tile x, int64_t i, int64_t lane, const W *words)
{
    for (int v = 0; v < SB_DEPTH; ++v)
        wstore(place(x, i, lane + v * SB_WIDTH), x.lanes, words[v]);
}

SB_INLINE void forward(sb_factors f, bool own, int lower, sb_tile x, int64_t from, int64_t to)
{
    for (int64_t lane = 0; lane < x.lanes; lane += SB_GROUP) {
        W last[SB_DEPTH], y[SB_DEPTH], other[SB_DEPTH];
        load_row(x, from - 1, lane, last);
        for (int64_t i = from; i < to; ++i) {
            load_row(x, i, lane, y);
            for (int k = lower; k > 0; --k) {
                if (k > 1)
                    load_row(x, i - k, lane, other);
                for (int v = 0; v < SB_DEPTH; ++v)
                    y[v] = wnmadd(factor(&f, own, i, lower - k, lane + v * SB_WIDTH),
                                  k > 1 ? other[v] : last[v], y[v]);
            }
            for (int v = 0; v < SB_DEPTH; ++v)
                last[v] = y[v];
            store_row(x, i, lane, y);
        }
    }
}

SB_INLINE void backward(sb_factors f, bool own, bool scaled, int upper, sb_tile x, int64_t from, int64_t to,
                        R *odd)
{
    for (int64_t lane = 0; lane < x.lanes; lane += SB_GROUP) {
        W last[SB_DEPTH], y[SB_DEPTH], other[SB_DEPTH];
        V sum[SB_DEPTH];
        for (int v = 0; v < SB_DEPTH; ++v)
            sum[v] = vload(odd + lane + v * SB_WIDTH);
        load_row(x, to, lane, last);
        for (int64_t i = to - 1; i >= from; --i) {
            load_row(x, i, lane, y);
            for (int v = 0; v < SB_DEPTH && scaled; ++v)
                y[v] = wmul(factor(&f, own, i, f.pivot, lane + v * SB_WIDTH), y[v]);
            for (int t = upper; t > 0; --t) {
                if (t > 1)
                    load_row(x, i + t, lane, other);
                for (int v = 0; v < SB_DEPTH; ++v)
                    y[v] = wnmadd(factor(&f, own, i, f.pivot + t, lane + v * SB_WIDTH),
                                  t > 1 ? other[v] : last[v], y[v]);
            }
            for (int v = 0; v < SB_DEPTH && !scaled; ++v)
                y[v] = wmul(factor(&f, own, i, f.pivot, lane + v * SB_WIDTH), y[v]);
            for (int v = 0; v < SB_DEPTH; ++v) {
                last[v] = y[v];
                sum[v] = wodd(y[v], sum[v]);
            }
            store_row(x, i, lane, y);
        }
        for (int v = 0; v < SB_DEPTH; ++v)
            vstore(odd + lane + v * SB_WIDTH, sum[v]);
    }
}

void SB_WIDE(forward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to)
{
    if (f->lower == 1 && f->shared)
        forward(*f, false, 1, x, from, to);
    else if (f->lower == 1)
        forward(*f, true, 1, x, from, to);
    else if (f->lower == 2 && f->shared)
        forward(*f, false, 2, x, from, to);
    else if (f->lower == 2)
        forward(*f, true, 2, x, from, to);
    else
        forward(*f, !f->shared, f->lower, x, from, to);
}

void SB_WIDE(backward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd)
{
    if (f->scaled && f->shared)
        backward(*f, false, true, 1, x, from, to, odd);
    else if (f->scaled)
        backward(*f, true, true, 1, x, from, to, odd);
    else if (f->upper == 2 && f->shared)
        backward(*f, false, false, 2, x, from, to, odd);
    else if (f->upper == 2)
        backward(*f, true, false, 2, x, from, to, odd);
    else
        backward(*f, !f->shared, false, f->upper, x, from, to, odd);
}

/* x2 = S^-1 (b2 - A21 y): as in kernels/ring.c, all lanes at once. */
void SB_WIDE(border)(const sb_ring *ring, sb_tile x)
{
    int m = ring->m;
    for (int64_t lane = 0; lane < x.lanes; lane += SB_WIDTH) {
        W t[SLIMBAND_MAX_BANDWIDTH];
        for (int i = 0; i < m; ++i)
            t[i] = wload(place(x, ring->inner + i, lane), x.lanes);
        for (int c = 0; c < 2 * m; ++c) {
            W y = wload(place(x, sb_border_column(ring, c), lane), x.lanes);
            for (int i = 0; i < m; ++i)
                t[i] = wnmadd(wsplat(ring->border + (ptrdiff_t)i * 2 * m + c), y, t[i]);
        }
        for (int k = 0; k < m; ++k) {
            W kept = t[k];
            t[k] = t[k + ring->swap[k]];
            t[k + ring->swap[k]] = kept;
        }
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < i; ++j)
                t[i] = wnmadd(wsplat(ring->schur + (ptrdiff_t)i * m + j), t[j], t[i]);
        for (int i = m - 1; i >= 0; --i) {
            for (int j = i + 1; j < m; ++j)
                t[i] = wnmadd(wsplat(ring->schur + (ptrdiff_t)i * m + j), t[j], t[i]);
            t[i] = wmul(t[i], wreciprocal(wsplat(ring->schur + (ptrdiff_t)i * m + i)));
            wstore(place(x, ring->inner + i, lane), x.lanes, t[i]);
        }
    }
}

/* m words of spikes a row, for all lanes; the tile once in and out. */
SB_INLINE void unspike(sb_ring ring, int m, sb_tile x, int64_t from, int64_t to, R *odd)
{
    for (int64_t lane = 0; lane < x.lanes; lane += SB_WIDTH) {
        V sum = vload(odd + lane);
        W border[SLIMBAND_MAX_BANDWIDTH];
        for (int c = 0; c < m; ++c)
            border[c] = wload(place(x, ring.inner + c, lane), x.lanes);
        for (int64_t i = from; i < to; ++i) {
            W y = wload(place(x, i, lane), x.lanes);
            for (int c = 0; c < m; ++c)
                y = wnmadd(wsplat(ring.spikes + c * ring.inner + i), border[c], y);
            wstore(place(x, i, lane), x.lanes, y);
            sum = wodd(y, sum);
        }
        vstore(odd + lane, sum);
    }
}

void SB_WIDE(unspike)(const sb_ring *ring, sb_tile x, int64_t from, int64_t to, R *odd)
{
    to = to < ring->inner ? to : ring->inner;
    if (ring->m == 1)
        unspike(*ring, 1, x, from, to, odd);
    else
        unspike(*ring, ring->m, x, from, to, odd);
}
