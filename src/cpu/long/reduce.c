/* From the rows of a tile's chunks to the equations of their interfaces: 2 k + 2 words a row in, nothing out.
 *
 * Three things are carried from row to row: the k rows above, their coefficients of the top unknowns (the fill), and
 * the k equations of the top, into which each eliminated row is folded at once. What has decayed to nothing beside
 * its row is set to zero, so that it does not go on to become denormal. */
#include "src/cpu/long/row.h"

/* Beside what is so much larger, nothing is left after rounding. */
#if SB_SINGLE
#define NOTHING (FLT_EPSILON * FLT_EPSILON)
#else
#define NOTHING (DBL_EPSILON * DBL_EPSILON)
#endif

/* a, or 0 where it is far below the rounding of `largest`. */
SB_INLINE W unless_gone(W a, V size, V largest)
{
    vmask there = vexceeds(size, largest * vsplat(NOTHING));
#if SB_COMPLEX
    return (W){vselect(there, a.re, vsplat(0)), vselect(there, a.im, vsplat(0))};
#else
    return vselect(there, a, vsplat(0));
#endif
}

/* Top rows are taken for rows that are eliminated already, of which x = known remains. */
SB_INLINE void start(carried *c, const R *rows, int k)
{
    const T minus_one = -1;
    c->growth = c->odd = vsplat(0);
    for (int q = 0; q < k; ++q) {
        row r = load_row(row_at(rows, q, 2 * k + 2), k);
        folded *e = &c->equation[q];
        e->y = r.y;
        e->largest = e->reach = vsplat(0);
        for (int b = 0; b < k; ++b) {
            e->top[b] = r.a[k + b - q];
            e->next[b] = b <= q ? r.a[2 * k + b - q] : wzero();
            e->largest = vmax(e->largest, vmax(wabs1(e->top[b]), wabs1(e->next[b])));
            c->fill[q][b] = b == k - 1 - q ? wsplat(&minus_one) : wzero();
            c->up.upper[q][b] = wzero();
        }
        c->up.y[q] = wzero();
    }
}

/* Fold the row just eliminated, which is now the nearest above, into an equation of the top. */
SB_INLINE void fold(folded *e, const carried *c, int k)
{
    W g = e->next[0];
    for (int b = 0; b < k; ++b) {
        W product = wmul(g, c->fill[0][b]);
        e->top[b] = wsub(e->top[b], product);
        e->reach = vmax(e->reach, wabs1(product));
    }
    e->y = wnmadd(g, c->up.y[0], e->y);
    for (int b = 0; b < k; ++b) {
        W next = wnmadd(g, c->up.upper[0][b], b + 1 < k ? e->next[b + 1] : wzero());
        V size = wabs1(next);
        e->reach = vmax(e->reach, size);
        e->next[b] = unless_gone(next, size, e->largest);
    }
}

SB_INLINE void reduce_row(carried *c, const R *at, int k)
{
    row r = load_row(at, k);
    W fill[BAND];
    V largest = vsplat(0), product = vsplat(0);
    for (int d = 0; d <= 2 * k; ++d)
        largest = vmax(largest, wabs1(r.a[d]));
    for (int b = 0; b < k; ++b)
        fill[b] = wzero();
    for (int j = k - 1; j >= 0; --j) {
        W l = subtract(&r, &c->up, j, 0, k);
        product = vmax(product, largest_product(l, c->up.upper[j], k));
        for (int b = 0; b < k; ++b)
            fill[b] = wnmadd(l, c->fill[j][b], fill[b]);
    }
    W reciprocal = wreciprocal(r.a[k]);
    for (int b = 0; b < k; ++b) {
        V size = wabs1(fill[b]);
        product = vmax(product, size);
        for (int j = k - 1; j > 0; --j)
            c->fill[j][b] = c->fill[j - 1][b];
        c->fill[0][b] = wmul(unless_gone(fill[b], size, largest), reciprocal);
    }
    c->growth = grow(c->growth, product, largest);
    c->odd = wodd(r.a[k], c->odd);
    push(&c->up, &r, reciprocal, k);
    for (int q = 0; q < k; ++q)
        fold(&c->equation[q], c, k);
}

SB_INLINE void put_side(const sb_sides *sides, int e, int lane, const W *top, const W *bottom, W y, V reach,
                        int k)
{
    R *at = sides->equations + (ptrdiff_t)e * (2 * k + 1) * WORD + lane;
    for (int b = 0; b < k; ++b) {
        wstore(at + b * WORD, LANES, top[b]);
        wstore(at + (k + b) * WORD, LANES, bottom[b]);
    }
    wstore(at + 2 * k * WORD, LANES, y);
    vstore(sides->reach + e * LANES + lane, reach);
}

/* The equations of the top are done; those of the bottom are its rows, rid of the interior's unknowns. */
SB_INLINE void finish(const carried *c, const R *rows, int lane, const sb_sides *sides, int k)
{
    for (int q = 0; q < k; ++q) {
        const folded *e = &c->equation[q];
        put_side(sides, q, lane, e->top, e->next, e->y, e->reach, k);
    }
    for (int p = 0; p < k; ++p) {
        row r = load_row(row_at(rows, p, 2 * k + 2), k);
        W fill[BAND];
        V reach = vsplat(0);
        for (int b = 0; b < k; ++b)
            fill[b] = wzero();
        for (int j = k - 1 - p; j >= 0; --j) {
            W l = subtract(&r, &c->up, j, p, k);
            reach = vmax(reach, largest_product(l, c->up.upper[j], k));
            for (int b = 0; b < k; ++b)
                fill[b] = wnmadd(l, c->fill[j][b], fill[b]);
        }
        for (int b = 0; b < k; ++b)
            reach = vmax(reach, wabs1(fill[b]));
        put_side(sides, k + p, lane, fill, r.a + k - p, r.y, reach, k);
    }
    vstore(sides->growth + lane, c->growth);
    vstore(sides->odd + lane, c->odd);
}

SB_INLINE void reduce(int k, const R *rows, int64_t from, int64_t to, int64_t m, carried *state,
                      const sb_sides *sides)
{
    int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
    carried c[SB_DEPTH];
    for (int v = 0; v < SB_DEPTH; ++v)
        if (from == 0)
            start(&c[v], rows + v * SB_WIDTH, k);
        else
            c[v] = state[v];
    for (int64_t i = first; i < last; ++i)
        for (int v = 0; v < SB_DEPTH; ++v)
            reduce_row(&c[v], row_at(rows, i - from, 2 * k + 2) + v * SB_WIDTH, k);
    for (int v = 0; v < SB_DEPTH; ++v)
        if (to == m)
            finish(&c[v], row_at(rows, m - k - from, 2 * k + 2) + v * SB_WIDTH, v * SB_WIDTH, sides, k);
        else
            state[v] = c[v];
}

void SB_LONG(reduce)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                     const sb_sides *sides)
{
    if (k == 1)
        reduce(1, rows, from, to, m, state, sides);
    else
        reduce(2, rows, from, to, m, state, sides);
}
