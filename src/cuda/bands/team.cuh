/* Orthogonal elimination by a team of lanes, a column in each.
 *
 * A team sweeps over items of F rows: rows of the matrix (F = 1), or links (F = 2 K), which are what sweeps leave. It
 * carries 2 K equations in the state where it began and the state that it has come to, a state being the 2 K unknowns on
 * both sides of a cut; at first they say that the two are one. An item's rows have 2 K + F coefficients, of the state before
 * it and of F unknowns more. F unknowns are eliminated from what is carried and what has come, 2 K equations stay, and the
 * window moves on. With row pivots, coefficients of the state at the beginning may grow with every step, as for the matrices
 * of S. J. Wright 1993; reflections leave them no way to (his structured orthogonal factorization, 1992), so that there is
 * nothing to be checked and no other way to be taken.
 *
 * A reflection belongs to one column; that goes to all lanes, and what follows is every lane's own.
 *
 * KNOWN: the state where the sweep began is known. Then the eliminated unknowns' equations are kept, in the place of the item's
 * rows, and the state where it ended gives all unknowns between, backwards. */
#ifndef SB_BANDS_TEAM_CUH
#define SB_BANDS_TEAM_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/bands/shape.h"

namespace
{

/* Blocks that a processor is to have room for: told of none the compiler makes room for more, and keeps numbers in memory. */
enum { LANES = 32, BLOCKS = 4 };

/* All teams of a warp go on together: whoever has nothing to do takes part, and changes nothing. Before shuffles within a part of
   the warp that is not known beforehand, lanes would have to compare their masks. */
template <int K> struct team {
    enum { SIZE = SB_BANDS_TEAM(K), OF_WARP = LANES / SIZE };
    int lane, number; /* in the team; the team's, in its warp */

    __device__ team()
    {
        int in_warp = static_cast<int>(threadIdx.x % LANES);
        lane = in_warp % SIZE;
        number = in_warp / SIZE;
    }
    /* Wide bands: teams stand in pairs, which share a strip (halves.cuh). */
    __device__ __forceinline__ bool forwards() const
    {
        return number % 2 == 0;
    }
    __device__ __forceinline__ T from(T value, int other) const
    {
#if SB_COMPLEX
        return T(__shfl_sync(~0u, value.re, other, SIZE), __shfl_sync(~0u, value.im, other, SIZE));
#else
        return __shfl_sync(~0u, value, other, SIZE);
#endif
    }
};

__device__ __forceinline__ int exponent_of(double size)
{
    return __double2hiint(size) >> 20 & 2047;
}

__device__ __forceinline__ int exponent_of(float size)
{
    return __float_as_int(size) >> 23 & 255;
}

/* The power of two with this exponent, as numbers have it in their bits. */
__device__ __forceinline__ double power_of(int exponent, double)
{
    return __hiloint2double((exponent < 1 ? 1 : exponent) << 20, 0);
}

__device__ __forceinline__ float power_of(int exponent, float)
{
    return __int_as_float((exponent < 1 ? 1 : exponent) << 23);
}

/* One that brings magnitudes of this exponent near 1; 1 has EXPONENT_OF_1. */
enum { EXPONENT_OF_1 = sizeof(R) == 4 ? 127 : 1023 };

__device__ __forceinline__ R inverse_power(int exponent)
{
    return power_of(2 * EXPONENT_OF_1 - exponent, R(0));
}

#if SB_COMPLEX
__device__ __forceinline__ T operator*(T a, R b)
{
    return T(a.re * b, a.im * b);
}
#endif

__device__ __forceinline__ R square(T z)
{
#if SB_COMPLEX
    return z.re * z.re + z.im * z.im;
#else
    return z * z;
#endif
}

/* conj(a) b */
__device__ __forceinline__ T product(T a, T b)
{
    return sb_conj(a) * b;
}

/* 1 over the root, to the digits of a float; see below for why that is enough. */
__device__ __forceinline__ float near_inverse_root(float square)
{
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root;
}

/* Is it in the middle of a float's range, from 2^-100 to 2^100? */
__device__ __forceinline__ bool is_moderate(float square)
{
    return __float_as_uint(square) - (27u << 23) < 200u << 23;
}

/* I - scale v v^H, which turns a column into a multiple of the first unit vector: all of v but its first element is the column
   itself. Whatever that first element is, the column's others become zero if `scale` is 1 over v^H times the column; so the
   norm need not be known to rounding for the reflection to be as good as that, only well enough for it to stretch nothing. */
struct reflection {
    T first, becomes; /* v's first element, the column's afterwards */
    R scale;
    bool zero; /* the column was */

    /* alpha: its first element; rest: the sum of the others' squares. */
    __device__ __forceinline__ reflection(T alpha, R rest)
    {
        const R own = square(alpha), all = own + rest;
        const float near = static_cast<float>(all);
        R norm = near * near_inverse_root(near);
        zero = false;
        if (!is_moderate(near)) {
            /* Squares that have lost digits. Rows are near 1 in size: what is dropped is far below rounding. */
            const R tiny = sizeof(R) == 4 ? R(1e-34) : R(1e-288);
            norm = sqrt(all);
            if (all < tiny) {
                zero = alpha == T(0);
                scale = 0;
                first = 0;
                becomes = alpha;
                return;
            }
        }
#if SB_COMPLEX
        /* alpha over its size is a phase, to a float's digits: the product below is real all the same. */
        const float near_own = static_cast<float>(own);
        const bool has_phase = is_moderate(near_own);
        const R ratio = has_phase ? norm * near_inverse_root(near_own) : R(0);
        const T longer = has_phase ? alpha * ratio : T(norm);
        const R inner = all + (has_phase ? ratio * own : R(0));
#else
        const T longer = copysign(norm, alpha);
        const R inner = all + longer * alpha;
#endif
        scale = R(1) / inner;
        first = alpha + longer;
        becomes = -longer;
    }
};

/* What a team carries: in each lane a column of the window and one of those that the window passes by: the state at the
   beginning, and right-hand sides. */
template <int K, int F, bool KNOWN> struct equations {
    enum { STATE = 2 * K, LEFT = KNOWN ? 0 : STATE, WINDOW = STATE + F, ROWS = STATE + F, WIDTH = WINDOW + 1 };
    T window[ROWS], beside[ROWS]; /* in lane LEFT, `beside` is the right-hand side */
    int place;                    /* of the lane's column in the window; negative: none */
    int zero; /* the first unknown, counted from the sweep's begin, that no equation knew; -1: none */

    /* start: KNOWN, the state at the beginning. */
    __device__ equations(const team<K> &t, const T *start)
    {
#pragma unroll
        for (int i = 0; i < STATE; ++i) {
            window[i] = t.lane == i ? T(1) : T(0);
            beside[i] = t.lane < LEFT && t.lane == i ? T(-1) : T(0);
            if (KNOWN && t.lane == LEFT)
                beside[i] = start[i];
        }
        place = t.lane < WINDOW ? t.lane : -1;
        zero = -1;
    }
};

/* F unknowns, those of the window's first columns, the first of which is in lane `base`. kept: F rows for their equations, over
   their own coefficients; unknown: the number of the first. Not on: nothing changes. */
template <int K, int F, bool KNOWN>
__device__ __forceinline__ void eliminate(const team<K> &t, equations<K, F, KNOWN> &e, int base, T *kept,
                                          int unknown, bool on)
{
    enum { WINDOW = equations<K, F, KNOWN>::WINDOW, ROWS = WINDOW, LEFT = equations<K, F, KNOWN>::LEFT };
#pragma unroll
    for (int k = 0; k < F; ++k) {
        const int owner = base + k < WINDOW ? base + k : base + k - WINDOW;
        T v[ROWS];
        R rests[2] = {0, 0}; /* two chains of sums, half as long */
        T here = 0, beside = 0;
#pragma unroll
        for (int i = k; i < ROWS; ++i)
            v[i] = t.from(e.window[i], owner);
#pragma unroll
        for (int i = k + 1; i < ROWS; ++i) {
            rests[i % 2] += square(v[i]);
            here += product(v[i], e.window[i]);
            beside += product(v[i], e.beside[i]);
        }
        const R rest = rests[0] + rests[1];
        const reflection h(v[k], rest);
        const T inverse = KNOWN ? T(1) / h.becomes : T(0);
        v[k] = h.first;
        const T scale = on ? h.scale : R(0);
        here = (here + product(v[k], e.window[k])) * scale;
        beside = (beside + product(v[k], e.beside[k])) * scale;
#pragma unroll
        for (int i = k; i < ROWS; ++i) {
            e.window[i] -= v[i] * here;
            e.beside[i] -= v[i] * beside;
        }
        if (h.zero && on && e.zero < 0)
            e.zero = unknown + k;
        if (KNOWN && on && e.place > k)
            kept[k * (WINDOW + 1) + e.place] = e.window[k] * inverse;
        if (KNOWN && on && t.lane == LEFT)
            kept[k * (WINDOW + 1) + WINDOW] = e.beside[k] * inverse;
    }
}

/* One item; base: the lane of the window's first column, moved on with the window. ALL: every team of the warp is `on`. */
template <bool ALL, int K, int F, bool KNOWN>
__device__ __forceinline__ void take(const team<K> &t, equations<K, F, KNOWN> &e, T *rows, int unknown, bool on,
                                     int *base)
{
    enum {
        STATE = 2 * K,
        WINDOW = equations<K, F, KNOWN>::WINDOW,
        LEFT = equations<K, F, KNOWN>::LEFT,
        WIDTH = WINDOW + 1
    };
    const bool in_window = t.lane < WINDOW, has_rhs = t.lane == LEFT;
#pragma unroll
    for (int f = 0; f < F; ++f) {
        e.window[STATE + f] = (ALL || on) && in_window ? rows[f * WIDTH + e.place] : T(0);
        e.beside[STATE + f] = (ALL || on) && has_rhs ? rows[f * WIDTH + WINDOW] : T(0);
    }
    eliminate(t, e, *base, rows, unknown, ALL || on);
    /* Columns whose unknowns are gone become those of unknowns to come. */
    const bool gone = in_window && e.place < F;
#pragma unroll
    for (int i = 0; i < STATE; ++i) {
        T moved = gone ? T(0) : e.window[i + F];
        e.window[i] = ALL || on ? moved : e.window[i];
        e.beside[i] = ALL || on ? e.beside[i + F] : e.beside[i];
    }
    if (ALL || on) {
        *base = *base + F < WINDOW ? *base + F : *base + F - WINDOW;
        e.place = !in_window ? -1 : gone ? e.place - F + WINDOW : e.place - F;
    }
}

/* From the first of these items, so many words from each other, to the last. Returns the lane of the window's first column. Of links,
   which are long to compile, no text is for teams that are all on: they are few. */
template <int K, int F, bool KNOWN>
__device__ __forceinline__ int sweep(const team<K> &t, equations<K, F, KNOWN> &e, T *items, int count, int pace)
{
    const int longest = __reduce_max_sync(~0u, count);
    int base = 0, item = 0;
    if constexpr (F == 1) {
        const int shortest = __reduce_min_sync(~0u, count);
#pragma unroll 1
        for (; item < shortest; ++item)
            take<true>(t, e, items + item * pace, item * F, true, &base);
    }
#pragma unroll 1
    for (; item < longest; ++item)
        take<false>(t, e, items + item * pace, item * F, item < count, &base);
    return base;
}

/* The unknowns of an item from those behind it, which are state[0 .. 2 K - 1], and become the state before it. Every lane
   of the team does the same. */
template <int K, int F> __device__ __forceinline__ void substitute(const T *rows, T (&state)[2 * K])
{
    enum { WINDOW = 2 * K + F, WIDTH = WINDOW + 1 };
    T x[WINDOW];
#pragma unroll
    for (int i = F; i < WINDOW; ++i)
        x[i] = state[i - F];
#pragma unroll
    for (int k = F - 1; k >= 0; --k) {
        x[k] = rows[k * WIDTH + WINDOW];
#pragma unroll
        for (int i = WINDOW - 1; i > k; --i)
            x[k] -= rows[k * WIDTH + i] * x[i];
    }
#pragma unroll
    for (int i = 0; i < 2 * K; ++i)
        state[i] = x[i];
}

/* What is carried, as rows: left, window, right-hand side. Backwards: as the team that comes the other way would have them,
   window first, both turned round. */
template <int K, int F, bool KNOWN>
__device__ __forceinline__ void store_link(const team<K> &t, const equations<K, F, KNOWN> &e, T *link,
                                           bool backwards)
{
    enum { STATE = 2 * K, WORDS = 4 * K + 1, LEFT = equations<K, F, KNOWN>::LEFT };
    const int place = backwards ? STATE - 1 - e.place : STATE + e.place;
    const int beside = t.lane == LEFT ? 2 * STATE : backwards ? 2 * STATE - 1 - t.lane : t.lane;
    const int none = backwards ? 2 * STATE - 1 - t.lane : t.lane; /* of the left side, where it is known */
#pragma unroll
    for (int i = 0; i < STATE; ++i) {
        if (t.lane <= LEFT)
            link[i * WORDS + beside] = e.beside[i];
        if (KNOWN && t.lane < STATE)
            link[i * WORDS + none] = 0;
        if (e.place >= 0 && e.place < STATE)
            link[i * WORDS + place] = e.window[i];
    }
}

/* What is carried, from rows that store_link has left. */
template <int K, bool KNOWN>
__device__ __forceinline__ void carry(const team<K> &t, equations<K, 2 * K, KNOWN> &e, const T *link)
{
    enum { STATE = 2 * K, WORDS = 4 * K + 1, LEFT = equations<K, 2 * K, KNOWN>::LEFT };
#pragma unroll
    for (int i = 0; i < STATE; ++i) {
        e.window[i] = t.lane < STATE ? link[i * WORDS + STATE + t.lane] : T(0);
        e.beside[i] = t.lane < LEFT    ? link[i * WORDS + t.lane]
                      : t.lane == LEFT ? link[i * WORDS + 2 * STATE]
                                       : T(0);
    }
}

} // namespace

#endif
