/* What closes rings whose interiors are solved: x2 = S^-1 (b2 - A21 y) as in kernels/ring.c, all lanes at once. Words of a
 * lane's own ring: 3 m^2 and the swaps, once a solve. */
#include "src/cpu/wide/band.h"
#include "src/cpu/wide/pivotless.h"

/* A21 and the factors of S of one matrix, or of each lane's. */
typedef struct words {
    const T *shared;
    sb_tile own;
} words;

SB_INLINE W word(const words *w, bool own, int e, int64_t lane)
{
    return own ? wload(place(w->own, e, lane), w->own.lanes) : wsplat(w->shared + e);
}

/* t[k] changes places with the row that is its pivot's: in each lane another one. */
SB_INLINE void exchange(W *t, int m, int k, V swap)
{
    W kept = t[k], taken = kept;
    for (int j = 1; k + j < m; ++j) {
        V reaches = vselect(vexceeds(swap, vsplat((R)j - (R)0.5)), vsplat(1), vsplat(0));
        V here = vselect(vexceeds(swap, vsplat((R)j + (R)0.5)), vsplat(0), reaches);
        vmask chosen = vexceeds(here, vsplat((R)0.5));
        taken = wselect(chosen, t[k + j], taken);
        t[k + j] = wselect(chosen, kept, t[k + j]);
    }
    t[k] = taken;
}

SB_INLINE void exchange_shared(W *t, int k, int32_t swap)
{
    W kept = t[k];
    t[k] = t[k + swap];
    t[k + swap] = kept;
}

SB_INLINE void close(words w, bool own, const int32_t *swap, int64_t inner, int m, sb_tile x, int64_t lane)
{
    const sb_ring shape = {.inner = inner, .m = m};
    W t[SLIMBAND_MAX_BANDWIDTH];
    int schur = 2 * m * m;
    for (int i = 0; i < m; ++i)
        t[i] = wload(place(x, inner + i, lane), x.lanes);
    for (int c = 0; c < 2 * m; ++c) {
        W y = wload(place(x, sb_border_column(&shape, c), lane), x.lanes);
        for (int i = 0; i < m; ++i)
            t[i] = wnmadd(word(&w, own, i * 2 * m + c, lane), y, t[i]);
    }
    for (int k = 0; k + 1 < m; ++k)
        if (own)
            exchange(t, m, k, vload(place(w.own, 3 * m * m, lane) + k * w.own.lanes));
        else
            exchange_shared(t, k, swap[k]);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < i; ++j)
            t[i] = wnmadd(word(&w, own, schur + i * m + j, lane), t[j], t[i]);
    for (int i = m - 1; i >= 0; --i) {
        for (int j = i + 1; j < m; ++j)
            t[i] = wnmadd(word(&w, own, schur + i * m + j, lane), t[j], t[i]);
        t[i] = wmul(t[i], wreciprocal(word(&w, own, schur + i * m + i, lane)));
        wstore(place(x, inner + i, lane), x.lanes, t[i]);
    }
}

void SB_WIDE(border)(const sb_ring *ring, sb_tile x)
{
    for (int64_t lane = 0; lane < x.lanes; lane += SB_WIDTH)
        close((words){.shared = ring->border}, false, ring->swap, ring->inner, ring->m, x, lane);
}

void SB_WIDE(border_own)(const sb_borders *b, sb_tile x)
{
    words own = {.own = b->words};
    for (int64_t lane = 0; lane < x.lanes; lane += SB_WIDTH)
        if (b->m == 1)
            close(own, true, NULL, b->inner, 1, x, lane);
        else if (b->m == 2)
            close(own, true, NULL, b->inner, 2, x, lane);
        else
            close(own, true, NULL, b->inner, b->m, x, lane);
}

/* The unknown in front of the first row is the last one: what -1 times its spike makes of it. */
void SB_WIDE(begin_last)(const sb_last_row *l)
{
    const T opposite = -1;
    int64_t lanes = l->words.lanes, row = SB_PLANES * lanes;
    for (int64_t lane = 0; lane < lanes; lane += SB_WIDTH) {
        R *words = l->words.at + lane;
        const R *matrix = l->row + lane;
        W lower = wload(matrix, lanes), pivot = wload(matrix + row, lanes),
          upper = wload(matrix + 2 * row, lanes);
        wstore(words + SB_LAST_LOWER * row, lanes, lower);
        wstore(words + SB_LAST_PIVOT * row, lanes, pivot);
        wstore(words + SB_LAST_ROW * row, lanes, upper);
        wstore(words + SB_LAST_RHS * row, lanes, wload(l->rhs + lane, lanes));
        vstore(words + SB_LAST_SIZE * row, vmax(vmax(wabs1(lower), wabs1(upper)), wabs1(pivot)));
        vstore(words + SB_LAST_MET * row, vsplat(0));
        vstore(words + SB_LAST_SPIKES * row, vsplat(0));
        vstore(words + SB_LAST_UNKNOWN * row,
               wabs1(pivot)); /* until there is one: what products are held against */
        wstore(l->front + row + lane, lanes, wsplat(&opposite));
    }
}

/* What is left of the row in the next column is in its own now, and the coupling to the row in front goes the way of the
   others. The unknown is a right-hand side like those in front, of a row that has nothing else. A pivot times a spike is a product
   of elimination too, and the pivot, but for growth, no larger than its row. */
void SB_WIDE(end_last)(const sb_last_row *l)
{
    int64_t lanes = l->words.lanes, row = SB_PLANES * lanes;
    for (int64_t lane = 0; lane < lanes; lane += SB_WIDTH) {
        const R *words = l->words.at + lane;
        R *kept = l->kept + lane, *rhs = l->rhs + lane;
        W lower = wload(words + SB_LAST_LOWER * row, lanes), wrapped = wload(words + SB_LAST_ROW * row, lanes),
          u = wload(kept, lanes), spike = wload(kept + row, lanes);
        W pivot = wsub(wload(words + SB_LAST_PIVOT * row, lanes), wsub(wzero(), wrapped));
        V own = beside_own(wabs1(lower), wabs1(pivot)), here = wabs1(lower) * (wabs1(u) + wabs1(spike));
        pivot = wnmadd(lower, u, wnmadd(lower, spike, pivot));
        W sum = wnmadd(lower, wload(rhs - row, lanes), wload(words + SB_LAST_RHS * row, lanes));
        V products = here + vload(words + SB_LAST_MET * row),
          size = vmin(vload(words + SB_LAST_SIZE * row),
                      vsplat(SB_BESIDE_OWN) * vload(words + SB_LAST_UNKNOWN * row)),
          growth = vload(l->growth + lane);
        W reciprocal = wreciprocal(pivot);
        growth = growth * vmax(vsplat(1), vload(words + SB_LAST_SPIKES * row));
        vstore(l->growth + lane, grown(grown(growth, products, size), here, own));
        vstore(l->bad + lane, wodd(pivot, wodd(reciprocal, vload(l->bad + lane))));
        W unknown = wmul(sum, reciprocal);
        wstore(rhs, lanes, unknown);
        wstore(l->words.at + SB_LAST_UNKNOWN * row + lane, lanes, unknown);
        wstore(kept + 2 * row, lanes, wzero());
        wstore(kept + 3 * row, lanes, wzero());
    }
}
