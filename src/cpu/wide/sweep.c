/* Substitution in tiles, with the factors of lu or thomas. One text for all bandwidths and both kinds of factors;
 * called with constants it becomes the kernel of that band. Words a row of each system: the tile twice in and
 * out, in cache; with own factors `width` more. The word just computed stays in a register: the chain from row to
 * row is one fused multiply-add (backwards in a band wider than tridiagonal, and a product). */
#include "src/cpu/wide/band.h"

SB_INLINE void load_row(sb_tile x, int depth, int64_t i, int64_t lane, W *words)
{
    for (int v = 0; v < depth; ++v)
        words[v] = wload(place(x, i, lane + v * SB_WIDTH), x.lanes);
}

SB_INLINE void store_row(sb_tile x, int depth, int64_t i, int64_t lane, const W *words)
{
    for (int v = 0; v < depth; ++v)
        wstore(place(x, i, lane + v * SB_WIDTH), x.lanes, words[v]);
}

SB_INLINE void forward(sb_factors f, bool own, int lower, sb_tile x, int depth, int64_t lane, int64_t from,
                       int64_t to)
{
    W last[SB_DEPTH], y[SB_DEPTH], other[SB_DEPTH];
    load_row(x, depth, from - 1, lane, last);
    for (int64_t i = from; i < to; ++i) {
        load_row(x, depth, i, lane, y);
        for (int k = lower; k > 0; --k) {
            if (k > 1)
                load_row(x, depth, i - k, lane, other);
            for (int v = 0; v < depth; ++v)
                y[v] = wnmadd(factor(&f, own, i, lower - k, lane + v * SB_WIDTH), k > 1 ? other[v] : last[v],
                              y[v]);
        }
        for (int v = 0; v < depth; ++v)
            last[v] = y[v];
        store_row(x, depth, i, lane, y);
    }
}

SB_INLINE void backward(sb_factors f, bool own, bool scaled, bool ring, int upper, sb_tile x, int depth,
                        int64_t lane, int64_t from, int64_t to, R *odd)
{
    W last[SB_DEPTH], y[SB_DEPTH], other[SB_DEPTH], border[SB_DEPTH];
    V sum[SB_DEPTH];
    for (int v = 0; v < depth && ring; ++v)
        border[v] = wload(f.border + lane + v * SB_WIDTH, x.lanes);
    for (int v = 0; v < depth; ++v)
        sum[v] = vload(odd + lane + v * SB_WIDTH);
    load_row(x, depth, to, lane, last);
    for (int64_t i = to - 1; i >= from; --i) {
        load_row(x, depth, i, lane, y);
        for (int v = 0; v < depth && ring; ++v)
            y[v] = wnmadd(factor(&f, own, i, f.pivot + upper + 1, lane + v * SB_WIDTH), border[v], y[v]);
        for (int v = 0; v < depth && scaled && !f.ready; ++v)
            y[v] = wmul(factor(&f, own, i, f.pivot, lane + v * SB_WIDTH), y[v]);
        for (int t = upper; t > 0; --t) {
            if (t > 1)
                load_row(x, depth, i + t, lane, other);
            for (int v = 0; v < depth; ++v)
                y[v] = wnmadd(factor(&f, own, i, f.pivot + t, lane + v * SB_WIDTH), t > 1 ? other[v] : last[v],
                              y[v]);
        }
        for (int v = 0; v < depth && !scaled && !f.ready; ++v)
            y[v] = wmul(factor(&f, own, i, f.pivot, lane + v * SB_WIDTH), y[v]);
        for (int v = 0; v < depth; ++v) {
            last[v] = y[v];
            sum[v] = wodd(y[v], sum[v]);
        }
        store_row(x, depth, i, lane, y);
    }
    for (int v = 0; v < depth; ++v)
        vstore(odd + lane + v * SB_WIDTH, sum[v]);
}

SB_INLINE void all_forward(const sb_factors *f, bool own, int lower, sb_tile x, int64_t from, int64_t to)
{
    int64_t lane = 0;
    for (; lane + SB_GROUP <= x.lanes; lane += SB_GROUP)
        forward(*f, own, lower, x, SB_DEPTH, lane, from, to);
    for (; lane < x.lanes; lane += SB_WIDTH)
        forward(*f, own, lower, x, 1, lane, from, to);
}

SB_INLINE void all_backward(const sb_factors *f, bool own, bool scaled, bool ring, int upper, sb_tile x,
                            int64_t from, int64_t to, R *odd)
{
    int64_t lane = 0;
    for (; lane + SB_GROUP <= x.lanes; lane += SB_GROUP)
        backward(*f, own, scaled, ring, upper, x, SB_DEPTH, lane, from, to, odd);
    for (; lane < x.lanes; lane += SB_WIDTH)
        backward(*f, own, scaled, ring, upper, x, 1, lane, from, to, odd);
}

void SB_WIDE(forward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to)
{
    if (f->lower == 1 && f->shared)
        all_forward(f, false, 1, x, from, to);
    else if (f->lower == 1)
        all_forward(f, true, 1, x, from, to);
    else if (f->lower == 2 && f->shared)
        all_forward(f, false, 2, x, from, to);
    else
        all_forward(f, !f->shared, f->lower, x, from, to);
}

void SB_WIDE(backward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd)
{
    if (f->border)
        all_backward(f, true, true, true, 1, x, from, to, odd);
    else if (f->scaled && f->shared)
        all_backward(f, false, true, false, 1, x, from, to, odd);
    else if (f->scaled)
        all_backward(f, true, true, false, 1, x, from, to, odd);
    else if (f->upper == 2 && f->shared)
        all_backward(f, false, false, false, 2, x, from, to, odd);
    else
        all_backward(f, !f->shared, false, false, f->upper, x, from, to, odd);
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

SB_INLINE W spike(const sb_spikes *s, int c, int64_t row, int64_t lane)
{
    return wload(place(s->first, row - s->from, lane) + c * s->apart, s->first.lanes);
}

/* columns words of spikes a row of each system, in cache; the tile once in, and there or to the user's rows out. */
SB_INLINE void unspike_own(sb_spikes spikes, int columns, sb_tile x, sb_rows out, int64_t from, int64_t to,
                           R *odd)
{
    for (int64_t lane = 0; lane < x.lanes; lane += SB_WIDTH) {
        V sum = vload(odd + lane);
        W border[SLIMBAND_MAX_BANDWIDTH];
        for (int c = 0; c < columns; ++c)
            border[c] = wload(place(x, spikes.inner + c, lane), x.lanes);
        for (int64_t i = from; i < to; ++i) {
            W y = wload(place(x, i, lane), x.lanes);
            for (int c = 0; c < columns; ++c)
                y = wnmadd(spike(&spikes, c, i, lane), border[c], y);
            row_store(&out, row_place(&out, i, lane), x.lanes, y);
            sum = wodd(y, sum);
        }
        vstore(odd + lane, sum);
    }
}

SB_INLINE void unspike_by_columns(const sb_spikes *spikes, sb_tile x, sb_rows out, int64_t from, int64_t to,
                                  R *odd)
{
    if (spikes->columns == 1)
        unspike_own(*spikes, 1, x, out, from, to, odd);
    else if (spikes->columns == 2)
        unspike_own(*spikes, 2, x, out, from, to, odd);
    else
        unspike_own(*spikes, spikes->columns, x, out, from, to, odd);
}

void SB_WIDE(unspike_own)(const sb_spikes *spikes, sb_tile x, const sb_rows *out, int64_t from, int64_t to,
                          R *odd)
{
    to = to < spikes->inner ? to : spikes->inner;
    if (out->pairs)
        unspike_by_columns(spikes, x, (sb_rows){out->at, out->step, true}, from, to, odd);
    else
        unspike_by_columns(spikes, x, (sb_rows){out->at, out->step, false}, from, to, odd);
}

/* columns words a row of each system, in cache. */
void SB_WIDE(measure)(const sb_spikes *spikes, R *largest, R *bad)
{
    for (int64_t lane = 0; lane < spikes->first.lanes; lane += SB_WIDTH) {
        V most = vsplat(0), unfit = vload(bad + lane);
        for (int64_t i = 0; i < spikes->inner; ++i) {
            V sum = vsplat(0);
            for (int c = 0; c < spikes->columns; ++c)
                sum = sum + wabs1(spike(spikes, c, i, lane));
            most = vmax(most, sum);
            unfit = vmadd(sum, vsplat(0), unfit);
        }
        vstore(largest + lane, most);
        vstore(bad + lane, unfit);
    }
}
