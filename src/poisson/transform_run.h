/* The steps of transform.h's programs, for `lanes` threads that share a pair of lines in memory z. One thread on the CPU.
 * Every step touches each slot once there and back; a butterfly's entries are padded so that a warp's lie in all banks. */
#ifndef SB_POISSON_TRANSFORM_RUN_H
#define SB_POISSON_TRANSFORM_RUN_H

#include "src/poisson/transform.h"

#ifdef __CUDACC__
#define SB_HERE static __device__ __forceinline__
#define SB_MEET() __syncthreads()
#define SB_UNROLL2 _Pragma("unroll 2")
#else
#define SB_HERE static inline
#define SB_MEET() ((void)0)
#define SB_UNROLL2
#endif

typedef struct sb_team {
    uint32_t lane, lanes;
} sb_team;

SB_BOTH uint32_t sb_padded(uint32_t slot)
{
    return slot + slot / 8;
}

SB_HERE uint32_t sb_over(uint32_t x, sb_divisor d)
{
    return (uint32_t)(((uint64_t)x * d.magic) >> d.shift);
}

SB_HERE sb_pair sb_make(T re, T im)
{
    sb_pair z;
    z.re = re;
    z.im = im;
    return z;
}

SB_HERE sb_pair sb_plus(sb_pair a, sb_pair b)
{
    return sb_make(a.re + b.re, a.im + b.im);
}

SB_HERE sb_pair sb_minus(sb_pair a, sb_pair b)
{
    return sb_make(a.re - b.re, a.im - b.im);
}

SB_HERE sb_pair sb_times(sb_pair a, sb_pair b)
{
    return sb_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

SB_HERE sb_pair sb_times_conj(sb_pair a, sb_pair b) /* a conj(b) */
{
    return sb_make(a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im);
}

SB_HERE sb_pair sb_turned(sb_pair a) /* -i a */
{
    return sb_make(a.im, -a.re);
}

SB_HERE void sb_fourier2(sb_pair *a)
{
    sb_pair b = a[1];
    a[1] = sb_minus(a[0], b);
    a[0] = sb_plus(a[0], b);
}

SB_HERE void sb_fourier4(sb_pair *a)
{
    sb_pair p = sb_plus(a[0], a[2]), q = sb_minus(a[0], a[2]), r = sb_plus(a[1], a[3]),
            s = sb_turned(sb_minus(a[1], a[3]));
    a[0] = sb_plus(p, r);
    a[1] = sb_plus(q, s);
    a[2] = sb_minus(p, r);
    a[3] = sb_minus(q, s);
}

SB_HERE void sb_fourier8(sb_pair *a)
{
    const T root = (T)0.70710678118654752440;
    sb_pair even[4] = {a[0], a[2], a[4], a[6]}, odd[4] = {a[1], a[3], a[5], a[7]};
    sb_fourier4(even);
    sb_fourier4(odd);
    odd[1] = sb_make(root * (odd[1].re + odd[1].im), root * (odd[1].im - odd[1].re));
    odd[2] = sb_turned(odd[2]);
    odd[3] = sb_make(root * (odd[3].im - odd[3].re), -root * (odd[3].re + odd[3].im));
    SB_UNROLL
    for (int k = 0; k < 4; ++k) {
        a[k] = sb_plus(even[k], odd[k]);
        a[k + 4] = sb_minus(even[k], odd[k]);
    }
}

/* cosine[m - 1] and sine[m - 1]: of 2 pi m / r, m = 1 .. (r - 1) / 2. */
SB_HERE T sb_cosine(int r, int m)
{
    const T three[] = {(T)-0.5};
    const T five[] = {(T)0.30901699437494742410, (T)-0.80901699437494742410};
    const T seven[] = {(T)0.62348980185873353053, (T)-0.22252093395631440429, (T)-0.90096886790241912624};
    m %= r;
    m = 2 * m > r ? r - m : m;
    return m == 0 ? 1 : r == 3 ? three[m - 1] : r == 5 ? five[m - 1] : seven[m - 1];
}

SB_HERE T sb_sine(int r, int m)
{
    const T three[] = {(T)0.86602540378443864676};
    const T five[] = {(T)0.95105651629515357212, (T)0.58778525229247312917};
    const T seven[] = {(T)0.78183148246802980871, (T)0.97492791218182360702, (T)0.43388373911755812048};
    m %= r;
    T sign = 2 * m > r ? -1 : 1;
    m = 2 * m > r ? r - m : m;
    return m == 0 ? 0 : sign * (r == 3 ? three[m - 1] : r == 5 ? five[m - 1] : seven[m - 1]);
}

/* r = 3, 5 or 7, known when this is compiled. */
SB_HERE void sb_fourier_odd(int r, sb_pair *a)
{
    sb_pair sum[3], difference[3], first = a[0];
    SB_UNROLL
    for (int m = 1; m <= r / 2; ++m) {
        sum[m - 1] = sb_make(a[m].re + a[r - m].re, a[m].im + a[r - m].im);
        difference[m - 1] = sb_make(a[m].im - a[r - m].im, a[r - m].re - a[m].re); /* times -i */
        a[0] = sb_make(a[0].re + sum[m - 1].re, a[0].im + sum[m - 1].im);
    }
    SB_UNROLL
    for (int k = 1; k <= r / 2; ++k) {
        sb_pair even = first, odd = sb_make(0, 0);
        SB_UNROLL
        for (int m = 1; m <= r / 2; ++m) {
            T c = sb_cosine(r, k * m), s = sb_sine(r, k * m);
            even = sb_make(even.re + c * sum[m - 1].re, even.im + c * sum[m - 1].im);
            odd = sb_make(odd.re + s * difference[m - 1].re, odd.im + s * difference[m - 1].im);
        }
        a[k] = sb_plus(even, odd);
        a[r - k] = sb_minus(even, odd);
    }
}

SB_HERE void sb_butterfly(int r, sb_pair *a)
{
    if (r == 2)
        sb_fourier2(a);
    else if (r == 4)
        sb_fourier4(a);
    else if (r == 8)
        sb_fourier8(a);
    else
        sb_fourier_odd(r, a);
}

/* a[k] *= w^k */
SB_HERE void sb_turn(int r, sb_pair w, sb_pair *a)
{
    sb_pair power[8];
    power[1] = w;
    SB_UNROLL
    for (int k = 2; k < r; ++k)
        power[k] = sb_times(power[k / 2], power[k - k / 2]);
    SB_UNROLL
    for (int k = 1; k < r; ++k)
        a[k] = sb_times(a[k], power[k]);
}

/* Butterfly number b of a stage: the way there turns after it, the way back before. */
SB_HERE void sb_butterfly_at(int r, const sb_stage *s, const sb_pair *turns, bool back, uint32_t b,
                             uint32_t first, sb_pair *z)
{
    uint32_t group = sb_over(b, s->by_sub), j = b - group * s->sub,
             base = first + group * s->sub * (uint32_t)r + j;
    sb_pair a[8], w = turns[s->turn + j];
    SB_UNROLL
    for (int k = 0; k < r; ++k)
        a[k] = z[sb_padded(base + (uint32_t)k * s->sub)];
    if (back)
        sb_turn(r, w, a);
    sb_butterfly(r, a);
    if (!back)
        sb_turn(r, w, a);
    SB_UNROLL
    for (int k = 0; k < r; ++k)
        z[sb_padded(base + (uint32_t)k * s->sub)] = a[k];
}

SB_HERE void sb_any_butterfly(const sb_stage *s, const sb_pair *turns, bool back, uint32_t b, uint32_t first,
                              sb_pair *z)
{
    switch (s->radix) {
    case 2:
        sb_butterfly_at(2, s, turns, back, b, first, z);
        break;
    case 3:
        sb_butterfly_at(3, s, turns, back, b, first, z);
        break;
    case 4:
        sb_butterfly_at(4, s, turns, back, b, first, z);
        break;
    case 5:
        sb_butterfly_at(5, s, turns, back, b, first, z);
        break;
    case 7:
        sb_butterfly_at(7, s, turns, back, b, first, z);
        break;
    default:
        sb_butterfly_at(8, s, turns, back, b, first, z);
        break;
    }
}

SB_HERE uint32_t sb_butterflies(const sb_fft *f, int stage)
{
    return f->chirp || stage >= f->stages ? 0 : f->stage[stage].count;
}

/* The same stage of all segments that need no convolution. */
SB_HERE void sb_stage_of_all(const sb_transform *p, sb_team t, int stage, bool back, sb_pair *z)
{
    uint32_t total = 0;
    for (int k = 0; k < p->segments; ++k)
        total += sb_butterflies(&p->segment[k].fft, stage);
    for (uint32_t b = t.lane; b < total; b += t.lanes) {
        uint32_t own = b, count;
        int k = 0;
        while (own >= (count = sb_butterflies(&p->segment[k].fft, stage))) {
            own -= count;
            ++k;
        }
        sb_any_butterfly(&p->segment[k].fft.stage[stage], p->pairs, back, own, p->segment[k].first, z);
    }
    SB_MEET();
}

SB_HERE void sb_convolve(const sb_transform *p, const sb_segment *s, sb_team t, sb_pair *z)
{
    const sb_fft *f = &s->fft;
    const sb_pair *wave = p->pairs + f->wave, *spectrum = p->pairs + f->spectrum;
    for (uint32_t j = t.lane; j < f->work; j += t.lanes)
        z[sb_padded(p->room + j)] =
            j < f->length ? sb_times(z[sb_padded(s->first + j)], wave[j]) : sb_make(0, 0);
    SB_MEET();
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < f->stages; ++k) {
            const sb_stage *stage = &f->stage[pass ? f->stages - 1 - k : k];
            for (uint32_t b = t.lane; b < stage->count; b += t.lanes) {
                if (pass)
                    sb_any_butterfly(stage, p->pairs, true, b, p->room, z);
                else
                    sb_any_butterfly(stage, p->pairs, false, b, p->room, z);
            }
            SB_MEET();
        }
        for (uint32_t j = t.lane; !pass && j < f->work; j += t.lanes) {
            sb_pair *at = &z[sb_padded(p->room + j)], product = sb_times(*at, spectrum[j]);
            *at = sb_make(product.re, -product.im);
        }
        SB_MEET();
    }
    for (uint32_t j = t.lane; j < f->length; j += t.lanes)
        z[sb_padded(s->first + j)] = sb_times_conj(wave[j], z[sb_padded(p->room + j)]);
    SB_MEET();
}

SB_HERE void sb_fourier_all(const sb_transform *p, sb_team t, bool back, sb_pair *z)
{
    int most = 0;
    for (int k = 0; k < p->segments; ++k)
        if (!p->segment[k].fft.chirp && p->segment[k].fft.stages > most)
            most = p->segment[k].fft.stages;
    for (int k = 0; k < most; ++k)
        sb_stage_of_all(p, t, back ? most - 1 - k : k, back, z);
    for (int k = 0; k < p->segments; ++k)
        if (p->segment[k].fft.chirp)
            sb_convolve(p, &p->segment[k], t, z);
}

/* spread or, its transpose, collect. */
SB_HERE void sb_mix(const sb_transform *p, const sb_segment *s, sb_team t, bool spread, sb_pair *z)
{
    const sb_pair *turn = p->pairs + s->turn;
    const sb_couple *couples = (const sb_couple *)(p->ints + s->partners);
    uint32_t length = s->fft.length;
    SB_UNROLL2
    for (uint32_t k = t.lane; k < s->couples; k += t.lanes) {
        sb_couple c = {(int32_t)k, (int32_t)(k ? length - k : 0)};
        if (!s->spread)
            c = couples[k];
        uint32_t m = (uint32_t)c.m, q = (uint32_t)c.q;
        sb_pair *zm = &z[sb_padded(s->first + m)], *zq = &z[sb_padded(s->first + q)], a = *zm, b = *zq;
        sb_pair tm = turn[m], tq = turn[q];
        sb_pair na = spread ? sb_plus(sb_times(a, tm), sb_times_conj(b, tq))
                            : sb_plus(sb_times(a, tm), sb_times_conj(b, tm));
        sb_pair nb = spread ? sb_plus(sb_times(b, tq), sb_times_conj(a, tm))
                            : sb_plus(sb_times(b, tq), sb_times_conj(a, tq));
        *zm = sb_make((T)0.5 * na.re, (T)0.5 * na.im);
        if (m != q)
            *zq = sb_make((T)0.5 * nb.re, (T)0.5 * nb.im);
    }
}

SB_HERE void sb_mix_all(const sb_transform *p, sb_team t, bool physical, bool back, sb_pair *z)
{
    for (int k = 0; k < p->segments; ++k)
        if (p->segment[k].spread == physical)
            sb_mix(p, &p->segment[k], t, physical != back, z);
    SB_MEET();
}

SB_HERE void sb_twist(const sb_transform *p, sb_team t, sb_pair *z)
{
    const sb_segment *s = &p->segment[0];
    for (uint32_t m = t.lane; s->twisted && m < s->fft.length; m += t.lanes)
        z[sb_padded(m)] = sb_times(z[sb_padded(m)], p->pairs[s->twist + m]);
    if (s->twisted)
        SB_MEET();
}

/* Level by level: entry j of the next sine transform stays, entry M - j of the cosine transform goes to slot odd + N - j. */
SB_HERE void sb_fold(const sb_transform *p, sb_team t, bool back, sb_pair *z)
{
    for (int l = 0; l < p->levels; ++l) {
        uint32_t size = p->odd << (back ? l + 1 : p->levels - l);
        for (uint32_t j = 1 + t.lane; j < size / 2; j += t.lanes) {
            sb_pair *low = &z[sb_padded(p->odd + j)], *high = &z[sb_padded(p->odd + size - j)], a = *low,
                    b = *high;
            *low = back ? sb_plus(b, a) : sb_minus(a, b);
            *high = back ? sb_minus(b, a) : sb_plus(a, b);
        }
        SB_MEET();
    }
}

/* The odd line of length 2 N from its first half, which lies in slots N + 1 .. 2 N - 1; and the transpose of that. */
SB_HERE void sb_reflect(const sb_transform *p, sb_team t, bool back, sb_pair *z)
{
    uint32_t n = p->odd;
    for (uint32_t j = t.lane; j <= n / 2; j += t.lanes) {
        sb_pair *at[4] = {&z[sb_padded(j)], &z[sb_padded(n - j)], &z[sb_padded(n + j)],
                          &z[sb_padded(j ? 2 * n - j : 0)]};
        if (j == 0) {
            *at[0] = *at[1] = sb_make(0, 0);
        } else if (back) {
            sb_pair low = sb_minus(*at[0], *at[3]), high = sb_minus(*at[1], *at[2]);
            *at[2] = low;
            *at[3] = high;
        } else {
            sb_pair a = *at[2], b = *at[3];
            *at[0] = a;
            *at[1] = b;
            *at[2] = sb_make(-b.re, -b.im);
            *at[3] = sb_make(-a.re, -a.im);
        }
    }
    SB_MEET();
}

/* From entries in their slots to coefficients in theirs. */
SB_HERE void sb_forward(const sb_transform *p, sb_team t, sb_pair *z)
{
    if (p->odd) {
        sb_fold(p, t, false, z);
        sb_reflect(p, t, false, z);
    }
    sb_twist(p, t, z);
    sb_mix_all(p, t, true, false, z);
    sb_fourier_all(p, t, false, z);
    sb_mix_all(p, t, false, false, z);
}

SB_HERE void sb_backward(const sb_transform *p, sb_team t, sb_pair *z)
{
    sb_mix_all(p, t, false, true, z);
    sb_fourier_all(p, t, true, z);
    sb_mix_all(p, t, true, true, z);
    sb_twist(p, t, z);
    if (p->odd) {
        sb_reflect(p, t, true, z);
        sb_fold(p, t, true, z);
    }
}

/* Where entry or coefficient number k goes, and its weight. */
SB_HERE uint32_t sb_slot(int32_t code)
{
    return (uint32_t)(code & SB_SLOT);
}

SB_HERE T sb_weight(int32_t code, bool halved)
{
    T weight = code & SB_NEGATIVE ? -1 : 1;
    return halved && (code & SB_HALF) ? weight / 2 : weight;
}

#endif
