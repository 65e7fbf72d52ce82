/* The interior of a tile's chunks between known interfaces: eliminated again from the top down, 2 k + 2 words a row
 * in, then substituted upwards, one word a row out. k + 1 words a row wait in the second-level cache meanwhile. */
#include "src/cpu/long/piece.h"

SB_INLINE void forward_row(above *up, const R *at, R *kept, int k, const W *known)
{
    row r = load_row(at, k);
    for (int j = k - 1; j >= 0; --j)
        subtract(&r, up, j, 0, k);
    push(up, &r, known ? *known : wreciprocal(r.a[k]), k);
    for (int t = 0; t < k; ++t)
        wstore(kept + t * WORD, LANES, up->upper[0][t]);
    wstore(kept + k * WORD, LANES, up->y[0]);
}

/* What is odd was found when the same rows were reduced. */
SB_INLINE void forward_lanes(above *up, const R *at, R *kept, int k, int rows)
{
    V odd = vsplat(0);
    W reciprocal[TOGETHER];
    const W *known = invert_together(at, up, k, rows, reciprocal, &odd);
    for (int i = 0; i < rows; ++i)
        forward_row(up, row_at(at, i, 2 * k + 2), kept + i * (k + 1) * WORD, k, known ? &known[i] : NULL);
}

SB_INLINE void forward_rows(above *up, const R *at, R *kept, int k, int rows)
{
    for (int v = 0; v < DEPTH; ++v)
        forward_lanes(&up[v], at + v * SB_WIDTH, kept + v * SB_WIDTH, k, rows);
}

SB_INLINE void forward_some(void *carried, int v, const R *at, R *kept, int k)
{
    above *up = carried;
    forward_lanes(&up[v], at, kept, k, together(k));
}

SB_INLINE void nothing_more(void *carried, int k)
{
    (void)carried, (void)k;
}

SB_INLINE void forward(int k, const R *rows, int64_t from, int64_t to, int64_t m, above *state, const R *ends,
                       R *kept)
{
    int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
    above up[DEPTH];
    for (int v = 0; v < DEPTH; ++v) {
        copy_above(&up[v], &state[v], k);
        for (int j = 0; j < k && from == 0; ++j) {
            up[v].y[j] = wload(ends + (k - 1 - j) * WORD + v * SB_WIDTH, LANES);
            for (int t = 0; t < k; ++t)
                up[v].upper[j][t] = wzero();
        }
    }
    for (int64_t i = first, end; i < last; i = end) {
        end = i + next_rows(i, last, k);
        if (end - i == together(k))
            forward_rows(up, row_at(rows, i - from, 2 * k + 2), kept + i * (k + 1) * WORD, k, together(k));
        else
            forward_rows(up, row_at(rows, i - from, 2 * k + 2), kept + i * (k + 1) * WORD, k, 1);
    }
    for (int v = 0; v < DEPTH; ++v)
        copy_above(&state[v], &up[v], k);
}

void SB_LONG(forward)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                      R *kept)
{
    SB_FOR_BAND(k, forward, rows, from, to, m, state, ends, kept);
}

SB_INLINE void forward_lines(int k, const sb_long_lines *lines, int64_t count, above *state, R *kept)
{
    above up[DEPTH];
    for (int v = 0; v < DEPTH; ++v)
        copy_above(&up[v], &state[v], k);
    work_on_rows work = {k, forward_some, nothing_more, true, up};
    over_lines(lines, count, &work, kept);
    for (int v = 0; v < DEPTH; ++v)
        copy_above(&state[v], &up[v], k);
}

void SB_LONG(forward_lines)(int k, const sb_long_lines *lines, int64_t count, void *state, R *kept)
{
    SB_FOR_BAND(k, forward_lines, lines, count, state, kept);
}

/* An unknown that is no number leaves none above it. */
SB_INLINE void backward(int k, const R *kept, int64_t from, int64_t to, int64_t m, above *state, const R *ends,
                        R *x, R *odd, sb_long_fetch *fetch)
{
    int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
    W next[DEPTH][BAND];
    for (int v = 0; v < DEPTH; ++v)
        for (int t = 0; t < k; ++t)
            next[v][t] = to == m ? wload(ends + (k + t) * WORD + v * SB_WIDTH, LANES) : state[v].y[t];
    for (int64_t i = last - 1; i >= first; --i) {
        for (int v = 0; v < DEPTH; ++v) {
            const R *at = kept + i * (k + 1) * WORD + v * SB_WIDTH;
            W y = wload(at + k * WORD, LANES);
            for (int t = k - 1; t >= 0; --t)
                y = wnmadd(wload(at + t * WORD, LANES), next[v][t], y);
            for (int t = k - 1; t > 0; --t)
                next[v][t] = next[v][t - 1];
            next[v][0] = y;
            wstore(x + (i - from) * WORD + v * SB_WIDTH, LANES, y);
        }
        if (i % PIECE == 0)
            fetch_some(fetch);
    }
    for (int v = 0; v < DEPTH; ++v) {
        for (int t = 0; t < k; ++t)
            state[v].y[t] = next[v][t];
        vstore(odd + v * SB_WIDTH, wodd(next[v][0], vload(odd + v * SB_WIDTH)));
    }
    if (from == 0)
        put_ends(ends, 0, k, x);
    if (to == m)
        put_ends(ends, k, 2 * k, x + (m - k - from) * WORD);
}

void SB_LONG(backward)(int k, const R *kept, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                       R *x, R *odd, sb_long_fetch *fetch)
{
    SB_FOR_BAND(k, backward, kept, from, to, m, state, ends, x, odd, fetch);
}
