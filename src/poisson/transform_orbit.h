/* Transforms of lines whose segments are powers of two: types I to IV, on 16 complex entries in a thread's registers.
 *
 * A line of N = 8 M entries is one half of a symmetric line y of 2 N = 16 M, of which
 *
 *     C_f = sum_j y_j w^((j + d)(f + h)),    w = exp(-2 pi i / (2 N)), d = 1/2: cells, h = 1/2: unlike walls
 *
 * is wanted for f < N: up to a factor the sum of cosines or sines. Of the first stage of 16, y_(r + m M), m = 0 .. 15, is the
 * orbit of r: 16 different entries of the line itself, r + m M and M - 2 d - r + m M, m < 8. Its Fourier transform S_k has also
 * that of the orbit of M - 2 d - r, as y is symmetric:
 *
 *     at (k, r) = S_k T_k,    at (k, M - 2 d - r) = S_(-k - 2 h) conj(T_k),    T_k = g w^((r + d)(k + h))
 *
 * with g for the factor. Frequencies 16 q + k are then the transform of part k, M entries with turns shifted by d, for which
 * stages of 16 and a last one of 16, 8, 4 or 2 are left. Frequencies f and 2 N - 2 h - f being the same up to a sign, k = 0 .. 7
 * are enough if h = 1/2, else 0 .. 8, of 0 and 8 only one half. No other sums are needed; all of it is linear over the complex
 * numbers, so that two real lines are one complex one, and the way back is the transpose: the same in reverse order. Where
 * d = 0, r = M / 2 has 8 different entries only, twice; these go through a small real matrix.
 *
 * f64 operations for a complex entry, there or back: 17 in the orbits, 19 in each stage of 16 but the last, 5 to 13 in that. */
#ifndef SB_POISSON_TRANSFORM_ORBIT_H
#define SB_POISSON_TRANSFORM_ORBIT_H

#include "src/poisson/transform_run.h"

#ifdef __CUDACC__
#define SB_FETCH(address) __ldcs(address)
#define SB_UNROLL3 _Pragma("unroll 3")
#else
#define SB_UNROLL3
#define SB_FETCH(address) (*(address))
#endif

/* One free slot after each sixteen: a warp's lie in all banks, in every stage. */
SB_BOTH uint32_t sb_spaced(uint32_t slot)
{
    return slot + slot / 16;
}

/* a exp(-2 pi i m / 32), m known when this is compiled. */
SB_HERE sb_pair sb_thirtyseconds(int m, sb_pair a)
{
    const T cosine[] = {1,
                        (T)0.98078528040323044913,
                        (T)0.92387953251128675613,
                        (T)0.83146961230254523708,
                        (T)0.70710678118654752440,
                        (T)0.55557023301960222474,
                        (T)0.38268343236508977173,
                        (T)0.19509032201612826785};
    int rest = m % 8;
    if (rest == 4)
        a = sb_make(cosine[4] * (a.re + a.im), cosine[4] * (a.im - a.re));
    else if (rest)
        a = sb_make(cosine[rest] * a.re + cosine[8 - rest] * a.im,
                    cosine[rest] * a.im - cosine[8 - rest] * a.re);
    switch (m / 8) {
    case 0:
        return a;
    case 1:
        return sb_turned(a);
    case 2:
        return sb_make(-a.re, -a.im);
    default:
        return sb_make(-a.im, a.re);
    }
}

SB_HERE void sb_fourier16(sb_pair *a)
{
    sb_pair row[4][4];
    SB_UNROLL
    for (int j = 0; j < 4; ++j) {
        SB_UNROLL
        for (int k = 0; k < 4; ++k)
            row[j][k] = a[4 * k + j];
        sb_fourier4(row[j]);
        SB_UNROLL
        for (int k = 1; k < 4; ++k)
            row[j][k] = sb_thirtyseconds(2 * j * k, row[j][k]);
    }
    SB_UNROLL
    for (int k = 0; k < 4; ++k) {
        sb_pair column[4] = {row[0][k], row[1][k], row[2][k], row[3][k]};
        sb_fourier4(column);
        SB_UNROLL
        for (int j = 0; j < 4; ++j)
            a[k + 4 * j] = column[j];
    }
}

SB_HERE sb_pair sb_look(const sb_pair *at)
{
#if defined __CUDACC__ && SB_IS(SB_TYPE) == SB_IS_f64
    double2 x = __ldg(reinterpret_cast<const double2 *>(at));
    return sb_make(x.x, x.y);
#elif defined __CUDACC__
    float2 x = __ldg(reinterpret_cast<const float2 *>(at));
    return sb_make(x.x, x.y);
#else
    return *at;
#endif
}

/* a[k] *= w^k; at turns: w, w^2, w^4, w^8, `sub` apart. */
SB_HERE void sb_turn16(const sb_pair *turns, uint32_t sub, sb_pair *a)
{
    SB_UNROLL
    for (int pass = 0; pass < 2; ++pass) {
        sb_pair one = sb_look(turns + 2 * (uint32_t)pass * sub),
                two = sb_look(turns + (2 * (uint32_t)pass + 1) * sub), three = sb_times(one, two);
        SB_UNROLL
        for (int k = 1; k < SB_ORBIT; ++k) {
            int m = pass ? k / 4 : k % 4;
            if (m)
                a[k] = sb_times(a[k], m == 1 ? one : m == 2 ? two : three);
        }
    }
}

/* A stage of 16 before the last, number b of its butterflies: the way there turns after it, the way back before. */
SB_HERE void sb_orbit_stage(const sb_transform *p, uint32_t stage, bool back, uint32_t b, sb_pair *z)
{
    const sb_orbit *o = &p->orbit;
    uint32_t bits = o->bits[stage], sub = UINT32_C(1) << bits, j = b & (sub - 1);
    const sb_pair *turns = p->pairs + o->turn[stage] + j;
    sb_pair a[SB_ORBIT], *at = z + sb_spaced((b >> bits << (bits + 4)) + j);
    SB_UNROLL
    for (int k = 0; k < SB_ORBIT; ++k)
        a[k] = at[o->step[stage][k]];
    if (back)
        sb_turn16(turns, sub, a);
    sb_fourier16(a);
    if (!back)
        sb_turn16(turns, sub, a);
    SB_UNROLL
    for (int k = 0; k < SB_ORBIT; ++k)
        at[o->step[stage][k]] = a[k];
}

/* Butterflies of the last stage, and half a step in time between them and the coefficients. */
SB_HERE void sb_orbit_last(const sb_orbit *o, int radix, bool back, sb_pair *a)
{
    SB_UNROLL
    for (int pass = 0; pass < 2; ++pass) {
        if ((pass == 1) == back) {
            SB_UNROLL
            for (int i = 0; i < SB_ORBIT; i += radix) {
                if (radix == 16)
                    sb_fourier16(a + i);
                else
                    sb_butterfly(radix, a + i);
            }
        } else if (o->shifted) {
            SB_UNROLL
            for (int i = 0; i < SB_ORBIT; ++i)
                a[i] = sb_thirtyseconds(i % radix * (SB_ORBIT / radix), a[i]);
        }
    }
}

/* Where a thread's 16 coefficients are in a line: those of a last stage's lower outputs at low + k step, of its upper ones at
   high + k step, k < 8; below 0: nowhere. Neighbouring threads have neighbouring places. */
typedef struct sb_places {
    int32_t low, high, step;
} sb_places;

SB_HERE sb_places sb_orbit_places(const sb_orbit *o, uint32_t b)
{
    int32_t own = (int32_t)b, each = (int32_t)o->part / SB_ORBIT;
    bool edge = !o->half && (own < each || own >= 8 * each);
    sb_places s = {own, -1, edge ? 2 * each : o->half ? 8 * each : 7 * each};
    if (edge)
        s.low = (own < each ? own : own - 7 * each) + o->skip;
    else if (!o->half)
        s.low = own + 15 * each + o->skip;
    if (!edge)
        s.high = s.low + 8 * s.step;
    return s;
}

/* Which register coefficient k is in. */
SB_HERE int sb_orbit_register(int radix, int upper, int k)
{
    int half = radix / 2;
    return k / half * radix + k % half + upper * half;
}

/* Coefficients of lines at x and y, entries `after` apart; NULL: there is none. One line after the other: fewer pointers. */
SB_HERE void sb_orbit_store_coefficients(const sb_orbit *o, int radix, uint32_t b, const sb_pair *a, T *x, T *y,
                                         int64_t after)
{
    sb_places s = sb_orbit_places(o, b);
    int64_t step = s.step * after;
    SB_UNROLL
    for (int line = 0; line < 2; ++line) {
        T *to = line ? y : x;
        SB_UNROLL
        for (int upper = 0; upper < 2 && to; ++upper) {
            T *first = to + (upper ? s.high : s.low) * after;
            SB_UNROLL
            for (int k = 0; k < SB_ORBIT / 2 && (!upper || s.high >= 0); ++k) {
                sb_pair value = a[sb_orbit_register(radix, upper, k)];
                if (k > 0 || upper || s.low >= 0)
                    first[k * step] = line ? value.im : value.re;
            }
        }
        if (o->extra && b == 0 && to)
            to[8 * (int64_t)o->part * after] = line ? a[radix / 2].im : a[radix / 2].re;
    }
}

SB_HERE void sb_orbit_load_coefficients(const sb_orbit *o, int radix, uint32_t b, sb_pair *a, const T *x,
                                        const T *y, int64_t after)
{
    sb_places s = sb_orbit_places(o, b);
    int64_t step = s.step * after, end = 8 * (int64_t)o->part * after;
    SB_UNROLL
    for (int line = 0; line < 2; ++line) {
        SB_UNROLL
        for (int upper = 0; upper < 2; ++upper) {
            const T *first = (line ? y : x) + (upper ? s.high : s.low) * after;
            SB_UNROLL
            for (int k = 0; k < SB_ORBIT / 2; ++k) {
                bool there = upper ? s.high >= 0 : k > 0 || s.low >= 0;
                sb_pair *value = &a[sb_orbit_register(radix, upper, k)];
                *(line ? &value->im : &value->re) = there ? SB_FETCH(first + k * step) : 0;
            }
        }
    }
    if (o->halved && b == 0)
        a[0] = sb_make((T)0.5 * a[0].re, (T)0.5 * a[0].im);
    if (o->extra && b == 0)
        a[radix / 2] = sb_make((T)0.5 * x[end], (T)0.5 * y[end]);
}

SB_HERE uint32_t sb_orbit_mirror(const sb_orbit *o, uint32_t r)
{
    return o->part - (o->shifted ? 1 : 0) - r;
}

/* An orbit's entries m < 8 begin at the first place and go forward, those from 15 down at the other. */
SB_HERE int64_t sb_orbit_begin(const sb_orbit *o, uint32_t r)
{
    return o->origin + o->direction * (int64_t)r;
}

SB_HERE void sb_orbit_load(const sb_orbit *o, uint32_t r, sb_pair *e, const T *x, const T *y, int64_t after)
{
    int64_t step = o->direction * (int64_t)o->part * after;
    SB_UNROLL
    for (int line = 0; line < 2; ++line) {
        const T *low = (line ? y : x) + sb_orbit_begin(o, r) * after,
                *high = (line ? y : x) + sb_orbit_begin(o, sb_orbit_mirror(o, r)) * after;
        SB_UNROLL
        for (int m = 0; m < 8; ++m) {
            bool begin = m > 0 || r > 0 || o->begins, end = m < 7 || r > 0 || o->ends;
            T first = begin ? SB_FETCH(low + m * step) : 0, second = end ? SB_FETCH(high + m * step) : 0;
            *(line ? &e[m].im : &e[m].re) = first;
            *(line ? &e[15 - m].im : &e[15 - m].re) = second;
        }
    }
}

SB_HERE void sb_orbit_store(const sb_orbit *o, uint32_t r, const sb_pair *e, T *x, T *y, int64_t after)
{
    int64_t step = o->direction * (int64_t)o->part * after;
    SB_UNROLL
    for (int line = 0; line < 2; ++line) {
        T *to = line ? y : x, *low = to + sb_orbit_begin(o, r) * after,
          *high = to + sb_orbit_begin(o, sb_orbit_mirror(o, r)) * after;
        SB_UNROLL
        for (int m = 0; m < 8 && to; ++m) {
            bool begin = m > 0 || r > 0 || o->begins, end = m < 7 || r > 0 || o->ends;
            if (begin)
                low[m * step] = line ? e[m].im : e[m].re;
            if (end)
                high[m * step] = o->mirrored * (line ? e[15 - m].im : e[15 - m].re);
        }
    }
}

/* S_k and the slots of part k, k = 0, 1, ... */
SB_HERE void sb_orbit_parts(const sb_transform *p, bool half, bool back, uint32_t r, sb_pair *e, sb_pair *z)
{
    const sb_orbit *o = &p->orbit;
    uint32_t count = o->part / 2, mirror = sb_orbit_mirror(o, r);
    const sb_pair *table = p->pairs + o->table[back ? 1 : 0] + r;
    bool alone = mirror == o->part;
    sb_pair *low = z + sb_spaced(r), *high = z + sb_spaced(alone ? r : mirror);
    sb_pair two = sb_look(table + 2 * count), four = sb_look(table + 3 * count);
    sb_pair turn[4] = {sb_look(table), sb_look(table + count)};
    turn[2] = sb_times(turn[0], two);
    turn[3] = sb_times(turn[1], two);
    SB_UNROLL
    for (int k = 0; k < (half ? 8 : 9); ++k) {
        int other = half ? 15 - k : (16 - k) % 16;
        sb_pair t = turn[k % 4], *a = low + (uint32_t)k * o->pitch, *b = high + (uint32_t)k * o->pitch;
        if (!back) {
            *a = sb_times(e[k], t);
            if (!alone)
                *b = sb_times_conj(e[other], t);
        } else if (k == other) {
            e[k] = sb_plus(sb_times(*a, t), sb_times_conj(*b, t));
        } else {
            e[k] = sb_times(*a, t);
            e[other] = sb_times_conj(*b, t);
        }
        turn[k % 4] = sb_times(t, four);
    }
}

/* Of the orbit r = M / 2, where it is one: slot k there, and entry m back. */
SB_HERE void sb_orbit_middle_slot(const sb_transform *p, uint32_t k, const T *x, const T *y, int64_t after,
                                  sb_pair *z)
{
    const sb_orbit *o = &p->orbit;
    const sb_pair *matrix = p->pairs + o->middle + k * 8;
    int64_t first = sb_orbit_begin(o, o->part / 2) * after, step = o->direction * (int64_t)o->part * after;
    sb_pair sum = sb_make(0, 0);
    SB_UNROLL
    for (int m = 0; m < 8; ++m) {
        T c = matrix[m].re;
        sum = sb_make(sum.re + c * x[first + m * step], sum.im + c * y[first + m * step]);
    }
    z[k * o->pitch + sb_spaced(o->part / 2)] = sum;
}

SB_HERE sb_pair sb_orbit_middle_entry(const sb_transform *p, uint32_t m, const sb_pair *z)
{
    const sb_orbit *o = &p->orbit;
    const sb_pair *matrix = p->pairs + o->middle + m;
    sb_pair sum = sb_make(0, 0);
    SB_UNROLL3
    for (uint32_t k = 0; k < o->parts; ++k) {
        T c = matrix[k * 8].im;
        sb_pair s = z[k * o->pitch + sb_spaced(o->part / 2)];
        sum = sb_make(sum.re + c * s.re, sum.im + c * s.im);
    }
    return sum;
}

SB_HERE void sb_orbit_halves(const sb_orbit *o, sb_pair *e)
{
    if (!o->half)
        return;
    SB_UNROLL
    for (int m = 0; m < SB_ORBIT; ++m)
        e[m] = sb_thirtyseconds(m, e[m]);
}

SB_HERE void sb_orbit_forward(const sb_transform *p, uint32_t r, sb_pair *e, sb_pair *z)
{
    T mirrored = p->orbit.mirrored;
    SB_UNROLL
    for (int m = 8; m < SB_ORBIT; ++m)
        e[m] = sb_make(mirrored * e[m].re, mirrored * e[m].im);
    sb_orbit_halves(&p->orbit, e);
    sb_fourier16(e);
    if (p->orbit.half)
        sb_orbit_parts(p, true, false, r, e, z);
    else
        sb_orbit_parts(p, false, false, r, e, z);
}

/* To be followed by sb_orbit_end, when z is no longer needed. */
SB_HERE void sb_orbit_take(const sb_transform *p, uint32_t r, sb_pair *e, sb_pair *z)
{
    if (p->orbit.half)
        sb_orbit_parts(p, true, true, r, e, z);
    else
        sb_orbit_parts(p, false, true, r, e, z);
}

SB_HERE void sb_orbit_end(const sb_transform *p, sb_pair *e)
{
    sb_fourier16(e);
    sb_orbit_halves(&p->orbit, e);
}

#endif
