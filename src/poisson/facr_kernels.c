/* Compiled for each type and instruction set: SB_TYPE and SB_ISA.
 *
 * B / beside has the factors y_i = g_i + mu y_{i-1} and x_i = mu (y_i + x_{i+1}) but for its ends. Such a recurrence is
 * done in vectors by doubling: with s1_i = g_i + mu g_{i-1}, s2_i = s1_i + mu^2 s1_{i-2}, s4_i = s2_i + mu^4 s2_{i-4}, .. there are
 * as many terms in s as a vector has lanes, and y is s plus mu^lanes times the vector of y before it: only this one
 * product waits for the last vector. That x' meets none of the walls is mended by what the equations inside allow,
 * multiples of mu^i and mu^(n-1-i), which have faded before they come to the other end.
 *
 * Words of an entry: gather 3 in, 1 out; solve 3 in, 1 out, 1 in, 1 out; in the cache. */
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

static void gather(const sb_facr_row *row, const T *restrict below, const T *restrict f,
                   const T *restrict above, const T *ahead, T *restrict r)
{
    int64_t n = row->n, last = n - 1;
    V own = vsplat(row->own), beside = vsplat(row->beside);
    r[0] = below[0] + above[0] + row->own * f[0] - row->beside * (beyond(row, f, 0) + f[1]);
    r[last] = below[last] + above[last] + row->own * f[last] - row->beside * (f[last - 1] + beyond(row, f, 1));
    for (int64_t block = 1; block < last; block += SB_WIDTH) {
        int64_t i = block + SB_WIDTH <= last ? block : last - SB_WIDTH;
        if (ahead)
            __builtin_prefetch(ahead + i, 0, 2);
        V others = vload(below + i) + vload(above + i), sides = vload(f + i - 1) + vload(f + i + 1);
        vstore(r + i, vmadd(own, vload(f + i), vnmadd(beside, sides, others)));
    }
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

/* The row's first vector has `head` entries, behind zeros. */
static void solve(const sb_facr_row *row, const T *below, const T *f, const T *above, T *restrict y, T *u)
{
    int64_t n = row->n, head = n % SB_WIDTH ? n % SB_WIDTH : SB_WIDTH, front = head - SB_WIDTH;
    T part[2 * SB_WIDTH] = {0};
    vstore(part + SB_WIDTH, right_hand(row, below, f, above, 0));
    powers p = powers_of(row);
    V gain = vsplat(row->gain), gain_mu = vsplat(row->gain * row->power[0]);
    trail t = {0};
    vstore(y + front, next_up(&p, vload(part + head), &t));
    for (int64_t i = head; i < n; i += SB_WIDTH)
        vstore(y + i, next_up(&p, right_hand(row, below, f, above, i), &t));
    y[n] = 0;
    t = (trail){0};
    for (int64_t i = n - SB_WIDTH; i >= head; i -= SB_WIDTH)
        vstore(u + i, next_down(&p, gain, gain_mu, y + i, &t));
    vstore(part, next_down(&p, gain, gain_mu, y + front, &t));
    vstore(part + SB_WIDTH, vload(u + head));
    vstore(u, vload(part - front));
    mend(row, u);
}

const sb_facr_kernels ISA_JOIN(facr_kernels, SB_TYPE, SB_ISA) = {gather, solve};
