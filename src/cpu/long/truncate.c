/* One pass over chunks that reach into their neighbours: 2 k + 2 words a row in, one out, k + 1 words a row in the
 * first-level cache for a while.
 *
 * What is dropped are the couplings of the first row to what is above it and of the last row to what is below it:
 * those unknowns are taken for 0, so that they are wrong by |x| at most. How wrong that makes the others is bounded in
 * the same loops, by sums of products of absolute values, which no signs can let cancel:
 *
 *     forwards   reach_i = sum over j of |l_ij| reach_{i-j} / |u_ii|,         1 for the rows before the first
 *     backwards  error_i = sum over j of |u_i,i+j / u_ii| error_{i+j} + most,   1 behind the last
 *
 * with `most` the largest reach in the chunk's own rows. docs/methods.md derives that |error in x_i| <= error_i max |x|.
 * For rows out of the user's lines see reduce.c. */
#include "src/cpu/long/piece.h"

/* Far below any rounding; keeps bounds from becoming denormal. */
#if SB_SINGLE
#define SMALLEST ((R)1e-20)
#else
#define SMALLEST 1e-40
#endif

/* |a| or a little more: at most 8 % for complex numbers. */
SB_INLINE V modulus(W a)
{
#if SB_COMPLEX
    V re = vabs(a.re), im = vabs(a.im);
    return vmadd(vmax(re, im), vsplat((R)0.5857865), (re + im) * vsplat((R)0.4142136));
#else
    return vabs(a);
#endif
}

void SB_LONG(start)(void *state)
{
    truncated *s = state;
    for (int v = 0; v < DEPTH; ++v) {
        s[v] = (truncated){.most = vsplat(SMALLEST), .growth = vsplat(1)};
        for (int j = 0; j < BAND; ++j)
            s[v].reach[j] = vsplat(1);
    }
}

/* A factor of the reach: of a single product the sign does not matter. */
SB_INLINE V factor(W a, int k)
{
#if !SB_COMPLEX
    if (k == 1)
        return a;
#else
    (void)k;
#endif
    return modulus(a);
}

SB_INLINE void truncate_row(truncated *c, const R *at, R *kept, int k, const W *known, bool measured)
{
    row r = load_row(at, k);
    const W own = r.a[k];
    V largest = vsplat(0), left = vsplat(0), product = vsplat(0), reach = vsplat(0);
    if (measured)
        measure_row(&r, k, &largest, &left);
    for (int j = k - 1; j >= 0; --j) {
        if (measured)
            c->growth = grow_beside(c->growth, &r, &c->up, j, k);
        W l = subtract(&r, &c->up, j, 0, k);
        if (measured)
            product = vmax(product, largest_product(l, c->up.upper[j], k));
        if (k == 1)
            reach = factor(l, k) * c->reach[j];
        else
            reach = vmadd(factor(l, k), c->reach[j], reach);
    }
    W reciprocal = known ? *known : invert(r.a[k], &c->odd);
    if (!measured)
        c->least = own_beside(c->least, own, r.a[k], reciprocal);
    for (int j = k - 1; j > 0; --j)
        c->reach[j] = c->reach[j - 1];
    c->reach[0] = reach * factor(reciprocal, k);
    c->most = vlargest(c->most, c->reach[0]);
    if (measured)
        c->growth = grow(c->growth, product, largest);
    push(&c->up, &r, reciprocal, k);
    if (!measured)
        c->rest = left_beside(c->rest, &c->up, 0, NULL, k);
    for (int t = 0; t < k; ++t)
        wstore(kept + t * WORD, LANES, c->up.upper[0][t]);
    wstore(kept + k * WORD, LANES, c->up.y[0]);
}

/* After the last row of a piece. */
SB_INLINE void keep_off_denormals(void *carried, int k)
{
    truncated *c = carried;
    for (int v = 0; v < DEPTH; ++v)
        for (int j = 0; j < k; ++j)
            c[v].reach[j] = vmax(vsplat(SMALLEST), vabs(c[v].reach[j])); /* in this order: NaN stays NaN */
}

/* As many rows as go together. */
SB_INLINE void truncate_lanes(truncated *c, const R *at, R *kept, int k, bool measured)
{
    W reciprocal[TOGETHER];
    const W *known = invert_together(at, &c->up, k, together(k), reciprocal, &c->odd);
    for (int i = 0; i < together(k); ++i)
        truncate_row(c, row_at(at, i, 2 * k + 2), kept + i * (k + 1) * WORD, k, known ? &known[i] : NULL,
                     measured);
}

SB_INLINE void truncate_some(void *carried, int v, const R *at, R *kept, int k)
{
    truncated *c = carried;
    truncate_lanes(&c[v], at, kept, k, false);
}

/* What there is of half bandwidth k. Calls are short: a structure moved as a whole would be felt. */
SB_INLINE void copy_state(truncated *to, const truncated *from, int k)
{
    copy_above(&to->up, &from->up, k);
    for (int j = 0; j < k; ++j) {
        to->reach[j] = from->reach[j];
        to->next[j] = from->next[j];
        to->error[j] = from->error[j];
    }
    to->most = from->most;
    to->growth = from->growth;
    to->odd = from->odd;
    to->spoilt = from->spoilt;
    to->bound = from->bound;
}

SB_INLINE void put_state(truncated *state, truncated *c, int k, bool owned)
{
    for (int v = 0; v < DEPTH; ++v) {
        if (!owned)
            c[v].most = state[v].most;
        copy_state(&state[v], &c[v], k);
    }
}

SB_INLINE void sweep(int k, const R *rows, int64_t count, truncated *state, R *kept, bool owned)
{
    truncated c[DEPTH];
    for (int v = 0; v < DEPTH; ++v)
        copy_state(&c[v], &state[v], k);
    for (int64_t i = 0; i < count; i += together(k)) {
        for (int v = 0; v < DEPTH; ++v)
            truncate_lanes(&c[v], row_at(rows, i, 2 * k + 2) + v * SB_WIDTH,
                           kept + i * (k + 1) * WORD + v * SB_WIDTH, k, true);
        if ((i + together(k)) % PIECE == 0)
            keep_off_denormals(c, k);
    }
    put_state(state, c, k, owned);
}

void SB_LONG(sweep)(int k, const R *rows, int64_t count, void *state, R *kept, bool owned)
{
    SB_FOR_BAND(k, sweep, rows, count, state, kept, owned);
}

SB_INLINE bool sweep_lines(int k, const sb_long_lines *lines, int64_t count, truncated *state, R *kept,
                           bool owned)
{
    truncated c[DEPTH];
    V rest = vsplat(0), least = vsplat(1);
    for (int v = 0; v < DEPTH; ++v) {
        copy_state(&c[v], &state[v], k);
        c[v].least = vsplat(1);
        c[v].rest = vsplat(0); /* rows above take part in the first products */
        for (int j = 0; j < k; ++j)
            c[v].rest = left_beside(c[v].rest, &c[v].up, j, NULL, k);
    }
    work_on_rows work = {k, truncate_some, keep_off_denormals, true, c};
    over_lines(lines, count, &work, kept);
    for (int v = 0; v < DEPTH; ++v) {
        rest = vmax(rest, c[v].rest);
        least = vmin(least, c[v].least);
    }
    if (may_have_grown(rest, least))
        return false;
    put_state(state, c, k, owned);
    return true;
}

bool SB_LONG(sweep_lines)(int k, const sb_long_lines *lines, int64_t count, void *state, R *kept, bool owned)
{
    return SB_FOR_BAND(k, sweep_lines, lines, count, state, kept, owned);
}

void SB_LONG(look)(void *state)
{
    truncated *s = state;
    for (int v = 0; v < DEPTH; ++v)
        for (int j = 0; j < BAND; ++j) {
            s[v].next[j] = wzero();
            s[v].error[j] = vsplat(1);
        }
}

SB_INLINE void back_row(truncated *c, const R *kept, R *x, int k, bool owned)
{
    W y = wload(kept + k * WORD, LANES);
    V error = c->most;
    for (int t = k - 1; t >= 0; --t) {
        W u = wload(kept + t * WORD, LANES);
        y = wnmadd(u, c->next[t], y);
        error = vmadd(modulus(u), c->error[t], error);
    }
    for (int t = k - 1; t > 0; --t) {
        c->next[t] = c->next[t - 1];
        c->error[t] = c->error[t - 1];
    }
    c->next[0] = y;
    c->error[0] = error;
    if (!owned)
        return;
    c->bound = vmax(c->bound, error);
    wstore(x, LANES, y);
}

/* A bound or an unknown that is no number leaves none above it. */
SB_INLINE void back(int k, const R *kept, int64_t count, truncated *state, R *x, sb_long_fetch *fetch,
                    bool owned)
{
    truncated c[DEPTH];
    for (int v = 0; v < DEPTH; ++v)
        copy_state(&c[v], &state[v], k);
    for (int64_t i = count - 1; i >= 0; --i) {
        for (int v = 0; v < DEPTH; ++v)
            back_row(&c[v], kept + i * (k + 1) * WORD + v * SB_WIDTH,
                     owned ? x + i * WORD + v * SB_WIDTH : NULL, k, owned);
        if (owned && i % PIECE == 0)
            fetch_some(fetch);
    }
    for (int v = 0; v < DEPTH; ++v) {
        c[v].odd = vmadd(c[v].error[0], vsplat(0), c[v].odd);
        if (owned)
            c[v].spoilt = wodd(c[v].next[0], c[v].spoilt);
        copy_state(&state[v], &c[v], k);
    }
}

void SB_LONG(back)(int k, const R *kept, int64_t count, void *state, R *x, sb_long_fetch *fetch)
{
    if (x)
        SB_FOR_BAND(k, back, kept, count, state, x, fetch, true);
    else
        SB_FOR_BAND(k, back, kept, count, state, x, fetch, false);
}

void SB_LONG(judge)(const void *state, const sb_verdict *verdict)
{
    const truncated *s = state;
    for (int v = 0; v < DEPTH; ++v) {
        vstore(verdict->bound + v * SB_WIDTH, vmax(s[v].bound, s[v].most));
        vstore(verdict->growth + v * SB_WIDTH, s[v].growth);
        vstore(verdict->odd + v * SB_WIDTH, s[v].odd);
        vstore(verdict->spoilt + v * SB_WIDTH, s[v].spoilt);
    }
}
