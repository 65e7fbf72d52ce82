/* Factors of a tile's chunks, kept from solve to solve, and substitution with them. L's diagonal is 1, so that the chain
 * down a lane is one multiply-add a row, and the one up again too.
 *
 * Words a row: 3 k + 1 stored. Down, k of them in, 2 k with the equations of the top; up, k + 1. */
#include "src/cpu/long/row.h"

SB_INLINE R *row_of(R *words, int64_t row, int width)
{
    return words + row * width * WORD;
}

/* Multipliers and U of row r, which becomes the nearest row above. */
SB_INLINE void keep_row(keeping *s, row *r, int64_t i, const sb_long_factors *f, int lane, int k)
{
    R *lower = row_of(f->lower, i, k) + lane, *upper = row_of(f->upper, i, k + 1) + lane;
    for (int j = k - 1; j >= 0; --j) {
        W l = subtract(r, &s->up, j, 0, k);
        wstore(lower + j * WORD, LANES, wmul(l, s->reciprocal[j]));
    }
    W reciprocal = wreciprocal(r->a[k]);
    push(&s->up, r, reciprocal, k);
    for (int j = k - 1; j > 0; --j)
        s->reciprocal[j] = s->reciprocal[j - 1];
    s->reciprocal[0] = reciprocal;
    wstore(upper, LANES, reciprocal);
    for (int t = 0; t < k; ++t)
        wstore(upper + (1 + t) * WORD, LANES, s->up.upper[0][t]);
}

/* Row i's coefficients of the top unknowns, by its multipliers. */
SB_INLINE void fill_row(const keeping *s, const R *lower, int k, W *fill)
{
    for (int b = 0; b < k; ++b) {
        fill[b] = wzero();
        for (int j = k - 1; j >= 0; --j)
            fill[b] = wnmadd(wload(lower + j * WORD, LANES), s->fill[j][b], fill[b]);
    }
}

/* Row i, just kept, is folded into the equations of the top. */
SB_INLINE void fold_row(keeping *s, int64_t i, const sb_long_factors *f, int lane, int k)
{
    W fill[BAND];
    fill_row(s, row_of(f->lower, i, k) + lane, k, fill);
    for (int b = 0; b < k; ++b) {
        for (int j = k - 1; j > 0; --j)
            s->fill[j][b] = s->fill[j - 1][b];
        s->fill[0][b] = unless_gone(fill[b], wabs1(wmul(fill[b], s->reciprocal[0])), vsplat(1));
    }
    for (int q = 0; q < k; ++q) {
        folded *e = &s->equation[q];
        W entry = unless_gone(e->next[0], wabs1(e->next[0]), e->largest), g = wmul(entry, s->reciprocal[0]);
        wstore(row_of(f->fold, i, k) + q * WORD + lane, LANES, g);
        for (int b = 0; b < k; ++b)
            e->top[b] = wnmadd(g, s->fill[0][b], e->top[b]);
        for (int b = 0; b < k; ++b)
            e->next[b] = wnmadd(entry, s->up.upper[0][b], b + 1 < k ? e->next[b + 1] : wzero());
    }
}

/* Top rows are taken for rows that are eliminated already, of which x = known remains. */
SB_INLINE void start(keeping *s, const R *rows, int k)
{
    const T one = 1, minus_one = -1;
    for (int q = 0; q < k; ++q) {
        row r = load_row(row_at(rows, q, 2 * k + 2), k);
        folded *e = &s->equation[q];
        e->largest = vsplat(0);
        for (int b = 0; b < k; ++b) {
            e->top[b] = r.a[k + b - q];
            e->next[b] = b <= q ? r.a[2 * k + b - q] : wzero();
            e->largest = vmax(e->largest, vmax(wabs1(e->top[b]), wabs1(e->next[b])));
            s->fill[q][b] = b == k - 1 - q ? wsplat(&minus_one) : wzero();
            s->up.upper[q][b] = wzero();
        }
        s->up.y[q] = wzero();
        s->reciprocal[q] = wsplat(&one);
    }
}

SB_INLINE void put_equation(R *at, const W *top, const W *bottom, int k)
{
    for (int b = 0; b < k; ++b) {
        wstore(at + b * WORD, LANES, top[b]);
        wstore(at + (k + b) * WORD, LANES, bottom[b]);
    }
    wstore(at + 2 * k * WORD, LANES, wzero());
}

/* The bottom's rows, rid of the interior's unknowns. Down to them the chain goes on, with multipliers of interior rows only;
   nothing of them is folded. */
SB_INLINE void finish(const keeping *s, const R *rows, int64_t m, const sb_long_factors *f, R *equations,
                      int lane, int k)
{
    for (int q = 0; q < k; ++q)
        put_equation(equations + q * (2 * k + 1) * WORD + lane, s->equation[q].top, s->equation[q].next, k);
    for (int p = 0; p < k; ++p) {
        row r = load_row(row_at(rows, p, 2 * k + 2), k);
        R *lower = row_of(f->lower, m - k + p, k) + lane, *fold = row_of(f->fold, m - k + p, k) + lane;
        W fill[BAND];
        for (int j = 0; j < k; ++j) {
            wstore(lower + j * WORD, LANES, wzero());
            wstore(fold + j * WORD, LANES, wzero());
            fill[j] = wzero();
        }
        for (int j = k - 1 - p; j >= 0; --j) {
            W multiplier = wmul(subtract(&r, &s->up, j, p, k), s->reciprocal[j]);
            wstore(lower + (j + p) * WORD, LANES, multiplier);
            for (int b = 0; b < k; ++b)
                fill[b] = wnmadd(multiplier, s->fill[j][b], fill[b]);
        }
        put_equation(equations + (k + p) * (2 * k + 1) * WORD + lane, fill, r.a + k - p, k);
    }
}

SB_INLINE void keep_chunk(int k, const R *rows, int64_t from, int64_t to, int64_t m, keeping *state,
                          const sb_long_factors *f, R *equations)
{
    int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
    for (int v = 0; v < DEPTH; ++v) {
        int lane = v * SB_WIDTH;
        keeping s;
        copy_keeping(&s, &state[v], k);
        if (from == 0)
            start(&s, rows + lane, k);
        for (int64_t i = first; i < last; ++i) {
            row r = load_row(row_at(rows, i - from, 2 * k + 2) + lane, k);
            keep_row(&s, &r, i, f, lane, k);
            fold_row(&s, i, f, lane, k);
        }
        if (to == m)
            finish(&s, row_at(rows, m - k - from, 2 * k + 2) + lane, m, f, equations, lane, k);
        copy_keeping(&state[v], &s, k);
    }
}

void SB_LONG(keep_chunk)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                         const sb_long_factors *f, R *equations)
{
    SB_FOR_BAND(k, keep_chunk, rows, from, to, m, state, f, equations);
}

SB_INLINE void keep_rows(int k, const R *rows, int64_t from, int64_t to, keeping *state,
                         const sb_long_factors *f)
{
    for (int v = 0; v < DEPTH; ++v) {
        keeping s;
        copy_keeping(&s, &state[v], k);
        for (int64_t i = from; i < to; ++i) {
            row r = load_row(row_at(rows, i - from, 2 * k + 2) + v * SB_WIDTH, k);
            keep_row(&s, &r, i, f, v * SB_WIDTH, k);
        }
        copy_keeping(&state[v], &s, k);
    }
}

void SB_LONG(keep_rows)(int k, const R *rows, int64_t from, int64_t to, void *state, const sb_long_factors *f)
{
    SB_FOR_BAND(k, keep_rows, rows, from, to, state, f);
}

/* In place. */
SB_INLINE void descend(int k, const sb_long_factors *f, R *rows, int64_t from, int64_t to, R *above, R *folded)
{
    int64_t step = f->alike ? 0 : k * WORD;
    W y[DEPTH][BAND], sum[DEPTH][BAND];
    for (int v = 0; v < DEPTH; ++v)
        for (int j = 0; j < k; ++j) {
            y[v][j] = wload(above + j * WORD + v * SB_WIDTH, LANES);
            sum[v][j] = folded ? wload(folded + j * WORD + v * SB_WIDTH, LANES) : wzero();
        }
    const R *lower = f->lower + from * step, *fold = f->fold + from * step;
    for (int64_t i = from; i < to; ++i, rows += WORD, lower += step, fold += step)
        for (int v = 0; v < DEPTH; ++v) {
            W own = wload(rows + v * SB_WIDTH, LANES);
            for (int j = k - 1; j >= 0; --j)
                own = wnmadd(wload(lower + j * WORD + v * SB_WIDTH, LANES), y[v][j], own);
            for (int j = k - 1; j > 0; --j)
                y[v][j] = y[v][j - 1];
            y[v][0] = own;
            if (!folded) {
                wstore(rows + v * SB_WIDTH, LANES, own);
                continue;
            }
            for (int q = 0; q < k; ++q)
                sum[v][q] = wnmadd(wload(fold + q * WORD + v * SB_WIDTH, LANES), own, sum[v][q]);
        }
    for (int v = 0; v < DEPTH; ++v)
        for (int j = 0; j < k; ++j) {
            wstore(above + j * WORD + v * SB_WIDTH, LANES, y[v][j]);
            if (folded)
                wstore(folded + j * WORD + v * SB_WIDTH, LANES, sum[v][j]);
        }
}

void SB_LONG(descend)(int k, const sb_long_factors *f, R *rows, int64_t from, int64_t to, R *above, R *folded)
{
    if (folded)
        SB_FOR_BAND(k, descend, f, rows, from, to, above, folded);
    else
        SB_FOR_BAND(k, descend, f, rows, from, to, above, NULL);
}

/* An unknown that is no number leaves none above it. */
SB_INLINE void ascend(int k, const sb_long_factors *f, const R *rows, int64_t from, int64_t to, R *below, R *x,
                      R *odd)
{
    int64_t step = f->alike ? 0 : (k + 1) * WORD;
    W next[DEPTH][BAND];
    for (int v = 0; v < DEPTH; ++v)
        for (int t = 0; t < k; ++t)
            next[v][t] = wload(below + t * WORD + v * SB_WIDTH, LANES);
    for (int64_t i = to - 1; i >= from; --i)
        for (int v = 0; v < DEPTH; ++v) {
            const R *upper = f->upper + i * step + v * SB_WIDTH;
            W y = wmul(wload(rows + (i - from) * WORD + v * SB_WIDTH, LANES), wload(upper, LANES));
            for (int t = k - 1; t >= 0; --t)
                y = wnmadd(wload(upper + (1 + t) * WORD, LANES), next[v][t], y);
            for (int t = k - 1; t > 0; --t)
                next[v][t] = next[v][t - 1];
            next[v][0] = y;
            if (x)
                wstore(x + (i - from) * WORD + v * SB_WIDTH, LANES, y);
        }
    for (int v = 0; v < DEPTH; ++v) {
        for (int t = 0; t < k; ++t)
            wstore(below + t * WORD + v * SB_WIDTH, LANES, next[v][t]);
        if (x)
            vstore(odd + v * SB_WIDTH, wodd(next[v][0], vload(odd + v * SB_WIDTH)));
    }
}

void SB_LONG(ascend)(int k, const sb_long_factors *f, const R *rows, int64_t from, int64_t to, R *below, R *x,
                     R *odd)
{
    if (x)
        SB_FOR_BAND(k, ascend, f, rows, from, to, below, x, odd);
    else
        SB_FOR_BAND(k, ascend, f, rows, from, to, below, NULL, odd);
}
