/* One row of substitution in one of the usual bands, its neighbours in registers; and the ways words come and go. */
#ifndef SB_BAND_H
#define SB_BAND_H

#include "src/cpu/wide/names.h"

SB_INLINE R *place(sb_tile tile, int64_t row, int64_t lane)
{
    return tile.at + row * SB_PLANES * tile.lanes + lane;
}

/* Word e of row i, for the lanes of a vector. */
SB_INLINE W factor(const sb_factors *f, bool own, int64_t i, int e, int64_t lane)
{
    if (own)
        return wload(place(f->own, (i - f->first) * f->width + e, lane), f->own.lanes);
    return wsplat(f->shared + i * f->width + e);
}

/* Factors of a band whose width is known: the one matrix's rows as the engine stores them. */
SB_INLINE sb_factors factors_of(const sb_factors *f, bool own, int band)
{
    sb_factors known = *f;
    if (!own) {
        known.width = 2 * band + 1;
        known.pivot = band;
    }
    return known;
}

/* Of the words in front (behind), the nearest comes first. */
SB_INLINE void push(W *words, int band, W word)
{
    for (int k = band - 1; k > 0; --k)
        words[k] = words[k - 1];
    words[0] = word;
}

/* The chain from row to row is one fused multiply-add (backwards in a band wider than tridiagonal, and a product). */
SB_INLINE W forward_row(const sb_factors *f, bool own, int band, int64_t i, int64_t lane, W y, W *before)
{
    for (int k = band; k > 0; --k)
        y = wnmadd(factor(f, own, i, band - k, lane), before[k - 1], y);
    push(before, band, y);
    return y;
}

/* border: of a ring, what the word behind U's multiplies; or NULL. */
SB_INLINE W backward_row(const sb_factors *f, bool own, bool ready, int band, const W *border, int64_t i,
                         int64_t lane, W y, W *behind)
{
    bool scaled = band == 1;
    if (border)
        y = wnmadd(factor(f, own, i, f->pivot + band + 1, lane), *border, y);
    if (scaled && !ready)
        y = wmul(factor(f, own, i, f->pivot, lane), y);
    for (int t = band; t > 0; --t)
        y = wnmadd(factor(f, own, i, f->pivot + t, lane), behind[t - 1], y);
    if (!scaled && !ready)
        y = wmul(factor(f, own, i, f->pivot, lane), y);
    push(behind, band, y);
    return y;
}

/* The vector from this lane on, or the one that ends with the last lane. */
SB_INLINE int64_t whole_from(int64_t lane, int64_t lanes)
{
    return lane + SB_WIDTH <= lanes ? lane : lanes - SB_WIDTH;
}

/* Words in rows of `lanes` lanes: how far apart lanes are, where a lane's word is, and its load and store. */
SB_INLINE int lane_step(const sb_rows *rows)
{
    return SB_COMPLEX && rows->pairs ? 2 : 1;
}

SB_INLINE R *row_place(const sb_rows *rows, int64_t i, int64_t lane)
{
    return rows->at + i * rows->step + lane * lane_step(rows);
}

SB_INLINE W row_load(bool pairs, const R *p, int64_t lanes)
{
#if SB_COMPLEX
    if (pairs) {
        W a;
        vsplit(vload(p), vload(p + SB_WIDTH), &a.re, &a.im);
        return a;
    }
#endif
    (void)pairs;
    return wload(p, lanes);
}

SB_INLINE void row_store(const sb_rows *rows, R *p, int64_t lanes, W a)
{
#if SB_COMPLEX
    if (rows->pairs) {
        V first, second;
        vmerge(a.re, a.im, &first, &second);
        vstore(p, first);
        vstore(p + SB_WIDTH, second);
        return;
    }
    wstore(p, lanes, a);
#else
    (void)rows, (void)lanes;
    vstore(p, a);
#endif
}

/* What sweeps over lines fetch of one array, with the rows that begin at row i. */
SB_INLINE void fetch_lines_of(const sb_ahead *ahead, int array, int64_t i)
{
    int64_t number = i / SB_LINE_ROWS, turns = ahead->run ? SB_IN_A_ROW : 1;
    for (int64_t s = number % turns; s < ahead->count; s += turns)
        for (int64_t j = 0; j < turns; ++j)
            vfetch_into(ahead->into_first, ahead->from[array],
                        s * ahead->line_step + number * ahead->step + j * ahead->run);
}

/* One in so many vectors begins a cache line. */
enum { SB_LINE_VECTORS = SB_CACHE_LINE / (SB_WIDTH * (int)sizeof(R)) };

#endif
