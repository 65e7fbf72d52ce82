/* Compiled for each type and instruction set: SB_TYPE and SB_ISA.
 *
 * B / beside has the factors y_i = g_i + mu y_{i-1} and x_i = mu (y_i + x_{i+1}) but for its ends. Such a recurrence is
 * done in vectors by doubling: with s1_i = g_i + mu g_{i-1}, s2_i = s1_i + mu^2 s1_{i-2}, s4_i = s2_i + mu^4 s2_{i-4}, .. there are
 * as many terms in s as a vector has lanes, and y is s plus mu^lanes times the vector of y before it: only this one
 * product waits for the last vector. That x' meets none of the walls is mended by what the equations inside allow,
 * multiples of mu^i and mu^(n-1-i), which have faded before they come to the other end.
 *
 * Words of an entry: gather 3 in, 1 out; solve 3 in, 1 out, 1 in, 1 out; in the cache. Instructions of a vector of
 * AVX-512: gather 10; solve 20 upwards, 17 downwards. */
#include "src/poisson/facr_kernels.h"

#include "src/cpu/vec/window.h"

#define ISA_JOIN2(name, type, isa) sb_##name##_##type##_##isa
#define ISA_JOIN(name, type, isa) ISA_JOIN2(name, type, isa)

static T beyond(const sb_facr_row *row, const T *x, int end)
{
    int64_t n = row->n;
    if (row->ring)
        return x[end ? 0 : n - 1];
    return row->image[end] * x[end ? n - 1 - row->inner[1] : row->inner[0]];
}

SB_INLINE void fetch(const T *ahead, int64_t i)
{
    if (ahead)
        __builtin_prefetch(ahead + i, 0, 2);
}

SB_INLINE void gather_at(const sb_facr_row *row, const T *below, const T *f, const T *above, T *r, int64_t i)
{
    V others = vload(below + i) + vload(above + i), sides = vload(f + i - 1) + vload(f + i + 1);
    vstore(r + i, vmadd(vsplat(row->own), vload(f + i), vnmadd(vsplat(row->beside), sides, others)));
}

static void gather(const sb_facr_row *row, const T *restrict below, const T *restrict f,
                   const T *restrict above, const T *ahead, T *restrict r)
{
    int64_t last = row->n - 1, i = 1;
    r[0] = below[0] + above[0] + row->own * f[0] - row->beside * (beyond(row, f, 0) + f[1]);
    r[last] = below[last] + above[last] + row->own * f[last] - row->beside * (f[last - 1] + beyond(row, f, 1));
    for (; i + SB_FACR_PAD <= last; i += SB_FACR_PAD) {
        fetch(ahead, i);
        SB_IN_REGISTERS
        for (int64_t k = 0; k < SB_FACR_PAD; k += SB_WIDTH)
            gather_at(row, below, f, above, r, i + k);
    }
    for (; i < last; i += SB_WIDTH)
        gather_at(row, below, f, above, r, i + SB_WIDTH <= last ? i : last - SB_WIDTH);
}

/* mu to 1, 2, 4, .., lanes in all lanes; and what a vector leaves to the next one: what went into each step, and the sums. */
typedef struct powers {
    V mu[SB_WIDTH_LOG2 + 1];
} powers;

typedef struct trail {
    V step[SB_WIDTH_LOG2], sums;
} trail;

static powers powers_of(const sb_facr_row *row)
{
    powers p;
    for (int k = 0; k <= SB_WIDTH_LOG2; ++k)
        p.mu[k] = vsplat(row->power[k]);
    return p;
}

/* s and the entry 2^k before it, or behind it. */
#define STEP_UP(k) s = vmadd(p->mu[k], vwindow(swap(&t->step[k], s), s, SB_WIDTH - (1 << k)), s)
#define STEP_DOWN(k) s = vmadd(p->mu[k], vwindow(s, swap(&t->step[k], s), 1 << k), s)

SB_INLINE V swap(V *kept, V now)
{
    V before = *kept;
    *kept = now;
    return before;
}

SB_INLINE V next_up(const powers *p, V s, trail *t)
{
    STEP_UP(0);
#if SB_WIDTH_LOG2 > 1
    STEP_UP(1);
#endif
#if SB_WIDTH_LOG2 > 2
    STEP_UP(2);
#endif
#if SB_WIDTH_LOG2 > 3
    STEP_UP(3);
#endif
    return t->sums = vmadd(p->mu[SB_WIDTH_LOG2], t->sums, s);
}

/* Memory has the first step's neighbours. */
SB_INLINE V next_down(const powers *p, V gain, V gain_mu, const T *y, trail *t)
{
    V s = vmadd(gain_mu, vload(y + 1), gain * vload(y));
#if SB_WIDTH_LOG2 > 1
    STEP_DOWN(1);
#endif
#if SB_WIDTH_LOG2 > 2
    STEP_DOWN(2);
#endif
#if SB_WIDTH_LOG2 > 3
    STEP_DOWN(3);
#endif
    return t->sums = vmadd(p->mu[SB_WIDTH_LOG2], t->sums, s);
}

static void add_decay(int64_t reach, T factor, const T *restrict decay, T *restrict u)
{
    V a = vsplat(factor);
    for (int64_t i = 0; i < reach; i += SB_WIDTH)
        vstore(u + i, vmadd(a, vload(decay + i), vload(u + i)));
}

static void mend(const sb_facr_row *row, T *u)
{
    T first = u[0], a[2];
    for (int end = 0; end < 2; ++end)
        a[end] = row->mend[end][0] * first + row->mend[end][1] * u[row->source[end]];
    if (a[0] != 0)
        add_decay(row->reach, a[0], row->decay[0], u);
    if (a[1] != 0)
        add_decay(row->reach, a[1], row->decay[1], u + row->n - row->reach);
}

SB_INLINE V right_hand(const sb_facr_row *row, const T *below, const T *f, const T *above, int64_t i)
{
    return vmadd(vsplat(row->given), vload(f + i), vload(below + i) + vload(above + i));
}

/* y of a row, zeros on both sides. Its first vector has `head` entries, behind zeros. */
static void forward(const sb_facr_row *row, const powers *p, const T *below, const T *f, const T *above,
                    const T *ahead, T *restrict y)
{
    int64_t n = row->n, head = n % SB_WIDTH ? n % SB_WIDTH : SB_WIDTH;
    T part[2 * SB_WIDTH] = {0};
    trail t = {0};
    vstore(part + SB_WIDTH, right_hand(row, below, f, above, 0));
    vstore(y - SB_WIDTH, vsplat(0));
    vstore(y + head - SB_WIDTH, next_up(p, vload(part + head), &t));
    int64_t i = head;
    for (; i + SB_FACR_PAD <= n; i += SB_FACR_PAD) {
        fetch(ahead, i);
        SB_IN_REGISTERS
        for (int64_t k = 0; k < SB_FACR_PAD; k += SB_WIDTH)
            vstore(y + i + k, next_up(p, right_hand(row, below, f, above, i + k), &t));
    }
    for (; i < n; i += SB_WIDTH)
        vstore(y + i, next_up(p, right_hand(row, below, f, above, i), &t));
    vstore(y + n, vsplat(0));
    y[n + SB_WIDTH] = 0;
}

/* What turns y into x from the row's end, in vectors from entry `from` on down to `to`. */
typedef struct descent {
    const powers *p;
    V gain, gain_mu;
    trail t;
    const T *y;
} descent;

SB_INLINE V at(descent *d, int64_t i)
{
    return next_down(d->p, d->gain, d->gain_mu, d->y + i, &d->t);
}

SB_INLINE int64_t descend(descent *d, int64_t from, int64_t to, bool past_cache, T *u)
{
    descent own = *d;
    int64_t i = from;
    for (; i >= to; i -= SB_WIDTH)
        (past_cache ? vstream : vstore)(u + i, at(&own, i));
    *d = own;
    return i;
}

/* u is stored at multiples of a vector but for its ends; past the caches where nothing is to be mended. */
static void backward(const sb_facr_row *row, const powers *p, const T *y, bool past_cache, T *u)
{
    int64_t n = row->n, end = n - (int64_t)((uintptr_t)(u + n) / sizeof(T) % SB_WIDTH);
    bool mended = row->mend[1][0] != 0 || row->mend[1][1] != 0;
    int64_t high = mended ? n - row->reach - SB_WIDTH : n, low = past_cache ? row->reach : n;
    descent d = {.p = p, .gain = vsplat(row->gain), .gain_mu = vsplat(row->gain * row->power[0]), .y = y};
    T part[2 * SB_WIDTH];
    vstore(part, at(&d, end));
    for (int64_t i = end; i < n; ++i)
        u[i] = part[i - end];
    int64_t i = descend(&d, end - SB_WIDTH, high > 0 ? high : 0, false, u);
    i = descend(&d, i, low, true, u);
    i = descend(&d, i, 0, false, u);
    vstore(part, at(&d, i));
    vstore(part + SB_WIDTH, vload(u + i + SB_WIDTH));
    if (i + SB_WIDTH > 0)
        vstore(u, vload(part - i));
}

static void solve(const sb_facr_row *row, const T *below, const T *f, const T *above, const T *ahead,
                  bool past_cache, T *restrict y, T *u)
{
    powers p = powers_of(row);
    forward(row, &p, below, f, above, ahead, y);
    backward(row, &p, y, past_cache, u);
    mend(row, u);
}

const sb_facr_kernels ISA_JOIN(facr_kernels, SB_TYPE, SB_ISA) = {gather, solve};
