/* What closes rings whose interiors are solved: x2 = S^-1 (b2 - A21 y) as in kernels/ring.c, all lanes at once. Words of a
 * lane's own ring: 3 m^2 and the swaps, once a solve. */
#include "src/cpu/wide/band.h"

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
