/* One row of elimination and substitution forwards together, a matrix in each lane; the usual bands. What is kept
 * of a row, and its right-hand side, is all that the rows behind it want, and all that the way back wants. */
#ifndef SB_MARCH_H
#define SB_MARCH_H

#include "src/cpu/record.h"
#include "src/cpu/vec/pivots.h"
#include "src/cpu/wide/band.h"
#include "src/cpu/wide/pivotless.h"

/* U's entries of the rows in front, and their right-hand sides: both divided by the pivots. */
typedef struct carried {
    W above[SB_USUAL_MOST * SB_USUAL_MOST], y[SB_USUAL_MOST];
} carried;

/* Where it is kept of a vector's matrices what their rows show: growth, and pivots that are none. Few rows show anything. */
typedef struct notes {
    R *growth, *bad;
} notes;

/* Words that are kept of a row: U's entries; ring: and behind them the coupling to the row in front, over the pivot, of which
   lose_columns makes a spike. */
SB_INLINE int kept_words(int band, bool ring)
{
    return band + ring;
}

/* From the rows in front of the one that is kept at `kept`, its right-hand side at y. */
SB_INLINE void take_up(int band, bool ring, const R *kept, const R *y, int64_t lanes, carried *c)
{
    int64_t row = SB_PLANES * lanes, words = kept_words(band, ring);
    for (int k = 0; k < band; ++k) {
        c->y[k] = wload(y - (k + 1) * row, lanes);
        for (int t = 0; t < band; ++t)
            c->above[k * band + t] = wload(kept + (t - (k + 1) * words) * row, lanes);
    }
}

/* Rows that are marched together. */
SB_INLINE int together(int band)
{
    return band == 1 && !SB_COMPLEX ? 2 : 1;
}

/* The next row, or rows: the matrix's words and the right-hand sides. */
typedef struct next_rows {
    W row[2][2 * SB_USUAL_MOST + 1], y[2];
} next_rows;

/* row: the matrix's words; on return U's entries in place of those above the diagonal, and in place of the first, in a
   tridiagonal band, that over the pivot. */
SB_INLINE void march_row(int band, W *row, W y, carried *c, notes of)
{
    met_row met;
    if (may_grow_beside(band, c->above))
        vstore(of.growth, grown_beside(band, row, c->above, vload(of.growth)));
    W reciprocal = eliminate_for_once(band, row, c->above, &met);
    if (shows(&met)) {
        V growth = vload(of.growth), bad = vload(of.bad);
        take_note(band, &met, c->above, &growth, &bad);
        vstore(of.growth, growth);
        vstore(of.bad, bad);
    }
    for (int k = band; k > 0; --k)
        y = wnmadd(row[band - k], c->y[k - 1], y);
    push(c->y, band, wmul(reciprocal, y));
    if (band == 1)
        row[0] = wmul(row[0], reciprocal);
    for (int w = band * band - 1; w >= band; --w)
        c->above[w] = c->above[w - band];
    for (int t = 0; t < band; ++t)
        c->above[t] = row[band + 1 + t];
}

SB_INLINE void keep_row(int band, bool ring, const W *row, const carried *c, R *kept, R *y, int64_t lanes)
{
    for (int t = 0; t < band; ++t)
        wstore(kept + t * SB_PLANES * lanes, lanes, c->above[t]);
    if (ring)
        wstore(kept + band * SB_PLANES * lanes, lanes, row[0]);
    wstore(y, lanes, c->y[0]);
}

#if !SB_COMPLEX
/* One row of a tridiagonal matrix, before elimination; u: the scaled entry above. */
SB_INLINE V grown_row(V growth, const V *row, V u)
{
    V product = vabs(row[0] * u), size = beside_own(vabs(row[0]), vabs(row[1]));
    return grows(growth, product, size) ? grown(growth, product, size) : growth;
}

/* A row's own coefficient over its pivot is a half at least where the product that is subtracted from it is no larger than it: then nothing
   grows. own: the smaller one of both rows'. pivot: no number unless both are pivots. */
SB_INLINE bool may_show(V own, V pivot)
{
    return __builtin_expect(vany(vexceeds(vsplat((R)0.5), vmadd(pivot, vsplat(0), own))), 0);
}

/* Two rows of a tridiagonal matrix; couplings to the row in front and U's entries, both divided by pivots, and y in place of first and last
   words and the right-hand side. */
SB_INLINE void march_two(next_rows *n, carried *c, notes of)
{
    const V *first = n->row[0], *second = n->row[1];
    V reciprocal[2], above = c->above[0];
    V pivot = vinvert_two(first[0], first[1], first[2], second[0], second[1], above, reciprocal);
    V u = first[2] * reciprocal[0];
    if (may_show(vmin(first[1] * reciprocal[0], second[1] * reciprocal[1]), pivot)) {
        V growth = vload(of.growth), bad = vload(of.bad);
        growth = grown_row(growth, first, above);
        vstore(of.growth, grown_row(growth, second, u));
        vstore(of.bad, vmadd(pivot, vsplat(0), bad));
    }
    n->y[0] = reciprocal[0] * vnmadd(first[0], c->y[0], n->y[0]);
    n->y[1] = reciprocal[1] * vnmadd(second[0], n->y[0], n->y[1]);
    n->row[0][2] = u;
    n->row[1][2] = second[2] * reciprocal[1];
    c->above[0] = n->row[1][2];
    c->y[0] = n->y[1];
    for (int i = 0; i < 2; ++i)
        n->row[i][0] = n->row[i][0] * reciprocal[i];
}
#endif

/* As many rows as go together; what is kept of them and their right-hand sides stand `lanes` reals apart. */
SB_INLINE void march_rows(int band, bool ring, int rows, next_rows *n, carried *c, notes of, R *kept, R *y,
                          int64_t lanes)
{
#if !SB_COMPLEX
    if (rows == 2) {
        march_two(n, c, of);
        for (int i = 0; i < 2; ++i) {
            vstore(kept + i * kept_words(1, ring) * lanes, n->row[i][2]);
            if (ring)
                vstore(kept + (2 * i + 1) * lanes, n->row[i][0]);
            vstore(y + i * lanes, n->y[i]);
        }
        return;
    }
#endif
    (void)rows;
    march_row(band, n->row[0], n->y[0], c, of);
    keep_row(band, ring, n->row[0], c, kept, y, lanes);
}

/* As much less than 1, or than the last row's largest entry, nothing can be told from 0; it becomes 0 before it is denormal. */
#define SB_LEAST_SPIKE ((R)(sizeof(R) == 8 ? 0x1p-900 : 0x1p-100))

SB_INLINE W unless_tiny(W a, V size, V least)
{
    return wselect(vexceeds(size, least), a, wzero());
}

/* A ring's last row loses the columns of rows that have been marched, up to SB_LINE_ROWS of them: what is kept of them has spikes
   then. The spike of a row: what the last unknown is to be multiplied by in it. What is left of the last row is held against its largest
   entry, and against what was left a column before, lest a coupling to an unknown in other units hide how it grows. */
SB_INLINE void lose_columns(int rows, R *last, R *kept, const R *y, int64_t lanes)
{
    int64_t row = SB_PLANES * lanes;
    W spike = wload(kept - row, lanes), left = wload(last + SB_LAST_ROW * row, lanes),
      pivot = wload(last + SB_LAST_PIVOT * row, lanes), rhs = wload(last + SB_LAST_RHS * row, lanes);
    V met = vload(last + SB_LAST_MET * row), spikes = vload(last + SB_LAST_SPIKES * row),
      least_spike = vsplat(SB_LEAST_SPIKE), least = vload(last + SB_LAST_SIZE * row) * least_spike,
      reach = wabs1(left), most = vsplat((R)sb_growth_limit);
    for (int i = 0; i < rows; ++i, kept += 2 * row, y += row) {
        spike = wnmadd(wload(kept + row, lanes), spike, wzero());
        V size = wabs1(spike);
        if (i % 2)
            spike = unless_tiny(spike, size, least_spike);
        wstore(kept + row, lanes, spike);
        spikes = vmax(spikes, size);
        met = vmadd(reach, size, met);
        pivot = wnmadd(left, spike, pivot);
        rhs = wnmadd(left, wload(y, lanes), rhs);
        left = wnmadd(left, wload(kept, lanes), wzero());
        const V before = reach;
        reach = wabs1(left);
        met = vmax(met, reach);
        if (grows(most, reach, before))
            met = vselect(vexceeds(reach, most * before), vsplat((R)INFINITY), met);
        if (i % 2)
            left = unless_tiny(left, reach, least);
    }
    wstore(last + SB_LAST_ROW * row, lanes, left);
    wstore(last + SB_LAST_PIVOT * row, lanes, pivot);
    wstore(last + SB_LAST_RHS * row, lanes, rhs);
    vstore(last + SB_LAST_MET * row, met);
    vstore(last + SB_LAST_SPIKES * row, spikes);
}

#endif
