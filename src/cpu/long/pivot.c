/* Chunks eliminated with partial pivoting, one in each lane. The unknowns of an interior are eliminated in their order;
 * for each, the pivot is the largest entry among all rows of the chunk that hold it: 2 k + 1 active rows, which are the ones
 * that have come in and are not spent as pivots. The top rows are among them. Over all chunks this is Gaussian elimination
 * with partial pivoting of A with its columns reordered, interiors first; no interior can be too nearly singular: its unknowns
 * have pivots as long as A's columns are independent. But a row that is never chosen is changed by every pivot, and may grow
 * by a constant factor each time where A's rows are nearly constant, though A be as well conditioned as can be (S. J. Wright, A
 * collection of problems for which Gaussian elimination with partial pivoting is unstable, 1993). That is measured, and such
 * chunks are eliminated by rotations instead, which take some four times as long and let nothing grow.
 * Which row is the pivot differs from lane to lane: rows are exchanged by selection. Words a row: 2 k + 2 in, 4 k + 1 kept
 * for the way back, in the second-level cache. */
#include <float.h>

#include "src/cpu/long/row.h"

/* The power of two that makes a row's largest entry 1 or a little more; 1 for what is no size. largest: raised to that entry. */
SB_INLINE V unit_of(const row *r, V *largest, int k)
{
    V size = wabs1(r->a[0]);
    for (int d = 1; d <= 2 * k; ++d)
        size = vmax(size, wabs1(r->a[d]));
    *largest = vmax(*largest, size);
    V unit = vcounterpart(size) * vsplat((R)0.5);
    return vselect(vexceeds(size * unit, vsplat(2)), vsplat(1), unit);
}

/* Entries of the unknowns that stay, and of those in the row's own unit, lest a larger row hide what it has gathered, or a column in
   other units; and of those that go, which no row has for longer than 2 k + 1 steps. */
SB_INLINE void measure(V *most, const W *words, V unit, int k)
{
    for (int w = 0; w < 2 * k; ++w) {
        V size = wabs1(words[w]);
        most[w] = vmax(most[w], size);
        most[2 * k + w] = vmax(most[2 * k + w], size * unit);
    }
    for (int w = 2 * k; w < 4 * k + 1; ++w)
        most[4 * k] = vmax(most[4 * k], wabs1(words[w]));
}

/* A row of which no unknown is gone yet, 2 k + 1 unknowns from the next one on. */
SB_INLINE void bring(pivoting *p, const R *at, int k)
{
    row r = load_row(at, k);
    W *slot = p->rows[2 * k];
    p->unit[2 * k] = unit_of(&r, &p->in_a[4 * k], k);
    for (int w = 0; w < 2 * k; ++w)
        slot[w] = wzero();
    for (int d = 0; d <= 2 * k; ++d)
        slot[2 * k + d] = r.a[d];
    slot[4 * k + 1] = r.y;
}

/* The first 2 k + 1 rows, when unknown k is next. */
SB_INLINE void start(pivoting *p, const R *rows, int k)
{
    for (int w = 0; w <= 4 * k; ++w)
        p->in_a[w] = p->in_u[w] = vsplat(0);
    p->number = vsplat(0);
    p->unfit = vsplat(-1);
    for (int i = 0; i <= 2 * k; ++i) {
        row r = load_row(row_at(rows, i, 2 * k + 2), k);
        p->unit[i] = unit_of(&r, &p->in_a[4 * k], k);
        for (int w = 0; w < 4 * k + 1; ++w)
            p->rows[i][w] = wzero();
        for (int d = -k; d <= k; ++d)
            p->rows[i][i + d < k ? i + d + k : k + i + d] = r.a[k + d];
        p->rows[i][4 * k + 1] = r.y;
        measure(p->in_a, p->rows[i], p->unit[i], k);
    }
}

/* In each lane, the row with the largest entry in the next unknown goes to the end. */
SB_INLINE void choose(pivoting *p, int k)
{
    W *last = p->rows[2 * k];
    for (int r = 0; r < 2 * k; ++r) {
        W *other = p->rows[r];
        vmask larger = vexceeds(wabs1(other[2 * k]), wabs1(last[2 * k]));
        for (int w = 0; w < 4 * k + 2; ++w) {
            W a = other[w], b = last[w];
            last[w] = wselect(larger, a, b);
            other[w] = wselect(larger, b, a);
        }
        V unit = p->unit[2 * k];
        p->unit[2 * k] = vselect(larger, p->unit[r], unit);
        p->unit[r] = vselect(larger, unit, p->unit[r]);
    }
}

#if SB_COMPLEX
SB_INLINE W scaled(W a, V by)
{
    return (W){a.re * by, a.im * by};
}
SB_INLINE W conjugate(W a)
{
    return (W){a.re, -a.im};
}
SB_INLINE V square(W a)
{
    return vmadd(a.re, a.re, a.im * a.im);
}
SB_INLINE W one(void)
{
    return (W){vsplat(1), vsplat(0)};
}
#else
SB_INLINE W scaled(W a, V by)
{
    return a * by;
}
SB_INLINE W conjugate(W a)
{
    return a;
}
SB_INLINE V square(W a)
{
    return a * a;
}
SB_INLINE W one(void)
{
    return vsplat(1);
}
#endif

/* The square root of a number from 1/2 to 2, by Newton's steps from six percent off. */
SB_INLINE V root_near_one(V a)
{
    V y = (vsplat(1) + a) * vsplat((R)0.5);
    for (int step = 0; step < 4; ++step)
        y = (y + a / y) * vsplat((R)0.5);
    return y;
}

/* Both over the norm of both; 1 and 0 where they are 0. */
SB_INLINE void make_direction(W *c, W *s)
{
    V size = vmax(vmax(wabs1(*c), wabs1(*s)), vsplat(sizeof(R) == sizeof(float) ? (R)FLT_MIN : (R)DBL_MIN));
    *c = scaled(*c, vsplat(1) / size);
    *s = scaled(*s, vsplat(1) / size);
    vmask some = vexceeds(square(*c) + square(*s), vsplat(0));
    *c = wselect(some, *c, one());
    V over = vsplat(1) / root_near_one(square(*c) + square(*s));
    *c = scaled(*c, over);
    *s = scaled(*s, over);
}

/* All of the next unknown by rotations into the row at the end: nothing grows, whatever A is. */
SB_INLINE void rotate(pivoting *p, int k)
{
    W *last = p->rows[2 * k];
    for (int r = 0; r < 2 * k; ++r) {
        W *other = p->rows[r], c = last[2 * k], s = other[2 * k];
        make_direction(&c, &s);
        const W along = conjugate(c), across = scaled(conjugate(s), vsplat(-1));
        for (int w = 0; w < 4 * k + 2; ++w) {
            W a = last[w], b = other[w];
            last[w] = wnmadd(across, b, wmul(along, a));
            other[w] = wnmadd(s, a, wmul(c, b));
        }
        other[2 * k] = wzero();
    }
}

/* row -= l pivot; the unknown they shared is gone, and the others move up. */
SB_INLINE void subtract_pivot(W *words, const W *pivot, W reciprocal, int k)
{
    W l = wmul(words[2 * k], reciprocal);
    for (int w = 0; w < 2 * k; ++w)
        words[w] = wnmadd(l, pivot[w], words[w]);
    for (int w = 2 * k; w < 4 * k; ++w)
        words[w] = wnmadd(l, pivot[w + 1], words[w + 1]);
    words[4 * k] = wzero();
    words[4 * k + 1] = wnmadd(l, pivot[4 * k + 1], words[4 * k + 1]);
}

/* Eliminate the next unknown. The spent pivot row, divided by its pivot, goes to `kept`, if that is not NULL, the pivot itself
   left out. */
SB_INLINE void eliminate_next(pivoting *p, int k, bool rotates, R *kept)
{
    if (rotates)
        rotate(p, k);
    else
        choose(p, k);
    const W *pivot = p->rows[2 * k];
    W reciprocal = wreciprocal(pivot[2 * k]);
    V odd = wodd(pivot[2 * k], wodd(reciprocal, vsplat(0)));
    vmask first = vexceeds(odd, vsplat(0));
    if (vany(first))
        p->unfit = vselect(vexceeds(p->unfit, vsplat(-1)), p->unfit, vselect(first, p->number, p->unfit));
    p->number = p->number + vsplat(1);
    measure(p->in_u, pivot, p->unit[2 * k], k);
    for (int w = 0, to = 0; w < 4 * k + 2 && kept; ++w)
        if (w != 2 * k)
            wstore(kept + to++ * WORD, LANES, wmul(pivot[w], reciprocal));
    for (int r = 0; r < 2 * k; ++r)
        subtract_pivot(p->rows[r], pivot, reciprocal, k);
}

/* The 2 k equations that are left, of 4 k + 1 words. */
SB_INLINE void finish(pivoting *p, int lane, const sb_pivoted *out, int k)
{
    for (int r = 0; r < 2 * k; ++r) {
        R *at = out->equations + (ptrdiff_t)r * (4 * k + 1) * WORD + lane;
        measure(p->in_u, p->rows[r], p->unit[r], k);
        for (int w = 0; w < 4 * k; ++w)
            wstore(at + w * WORD, LANES, p->rows[r][w]);
        wstore(at + 4 * k * WORD, LANES, p->rows[r][4 * k + 1]);
    }
    V growth = vsplat(0);
    for (int w = 0; w <= 4 * k; ++w)
        growth = grow(growth, p->in_u[w], p->in_a[w]);
    vstore(out->growth + lane, growth);
    vstore(out->unfit + lane, p->unfit);
}

/* Row i comes in when unknown i - k - 1 is gone. */
SB_INLINE void pivot(int k, bool rotates, const R *rows, int64_t from, int64_t to, int64_t m, pivoting *state,
                     R *kept, const sb_pivoted *out)
{
    int64_t words = (4 * k + 1) * WORD;
    for (int v = 0; v < DEPTH; ++v) {
        pivoting p;
        const R *own = rows + v * SB_WIDTH;
        R *at = kept ? kept + v * SB_WIDTH + (from > 0 ? from - 2 * k - 1 : 0) * words : NULL;
        if (from == 0)
            start(&p, own, k);
        else
            copy_pivoting(&p, &state[v], k);
        for (int64_t i = from > 0 ? from : 2 * k + 1; i < to; ++i) {
            eliminate_next(&p, k, rotates, at);
            at = at ? at + words : NULL;
            bring(&p, row_at(own, i - from, 2 * k + 2), k);
        }
        if (to == m) {
            eliminate_next(&p, k, rotates, at);
            finish(&p, v * SB_WIDTH, out, k);
        } else
            copy_pivoting(&state[v], &p, k);
    }
}

void SB_LONG(pivot)(int k, bool rotates, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                    R *kept, const sb_pivoted *out)
{
    if (rotates)
        SB_FOR_BAND(k, pivot, true, rows, from, to, m, state, kept, out);
    else
        SB_FOR_BAND(k, pivot, false, rows, from, to, m, state, kept, out);
}

/* next: the 2 k unknowns below, nearest first. */
SB_INLINE W unpivot_row(const R *at, const W *ends, const W *next, int k)
{
    W y = wload(at + 4 * k * WORD, LANES);
    for (int w = 0; w < 2 * k; ++w)
        y = wnmadd(wload(at + w * WORD, LANES), ends[w], y);
    for (int w = 2 * k - 1; w >= 0; --w)
        y = wnmadd(wload(at + (2 * k + w) * WORD, LANES), next[w], y);
    return y;
}

SB_INLINE void unpivot(int k, const R *kept, int64_t from, int64_t to, int64_t m, W *state, const R *ends, R *x,
                       R *odd)
{
    int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
    for (int v = 0; v < DEPTH; ++v, state += 2 * BAND) {
        const R *own = ends + v * SB_WIDTH;
        W outer[2 * BAND], next[2 * BAND];
        for (int t = 0; t < 2 * k; ++t) {
            outer[t] = wload(own + t * WORD, LANES);
            next[t] = to == m ? wload(own + (2 * k + t) * WORD, LANES) : state[t];
        }
        for (int64_t i = last - 1; i >= first; --i) {
            W y = unpivot_row(kept + (i - k) * (4 * k + 1) * WORD + v * SB_WIDTH, outer, next, k);
            for (int t = 2 * k - 1; t > 0; --t)
                next[t] = next[t - 1];
            next[0] = y;
            wstore(x + (i - from) * WORD + v * SB_WIDTH, LANES, y);
        }
        for (int t = 0; t < 2 * k; ++t)
            state[t] = next[t];
        vstore(odd + v * SB_WIDTH, wodd(next[0], vload(odd + v * SB_WIDTH)));
    }
    if (from == 0)
        put_ends(ends, k, 2 * k, x);
    if (to == m)
        put_ends(ends, 2 * k, 3 * k, x + (m - k - from) * WORD);
}

void SB_LONG(unpivot)(int k, const R *kept, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                      R *x, R *odd)
{
    SB_FOR_BAND(k, unpivot, kept, from, to, m, state, ends, x, odd);
}
