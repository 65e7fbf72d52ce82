/* The same elimination by one lane alone, for narrow bands: a row at a time, by rotations, all numbers in registers.
 *
 * The window of what is carried is kept triangular, so that 2 K rotations take a row in. Words: see bands.cu. Operations a row,
 * K = 2: 91, and 20 for the rotations; 48 and 20 where the state at the beginning is known, and a division with 5 products. */
#ifndef SB_BANDS_CHAIN_CUH
#define SB_BANDS_CHAIN_CUH

#include "src/cuda/bands/strip.cuh"

namespace
{

/* Turns (p, q) into (becomes, 0). Any length of (p, q) would do, as long as it stretches nothing: see reflection. */
struct rotation {
    T p, q, becomes;
    bool zero; /* both were */

    __device__ __forceinline__ rotation(T first, T second)
    {
        const R all = square(first) + square(second);
        const float near = static_cast<float>(all);
        const R over = near_inverse_root(near);
        p = first * over;
        q = second * over;
        becomes = all * over;
        zero = false;
        if (!is_moderate(near)) {
            asm volatile(""); /* a branch, which nobody takes: compilers like better to do both and select */
            weigh_and_turn(first, second);
        }
    }
    /* The same for numbers whose squares lose digits. */
    __device__ void weigh_and_turn(T first, T second)
    {
        int exponent = exponent_of(sb_abs1(first)), other = exponent_of(sb_abs1(second));
        exponent = other > exponent ? other : exponent;
        p = first * inverse_power(exponent);
        q = second * inverse_power(exponent);
        const R all = square(p) + square(q);
        const R over = near_inverse_root(static_cast<float>(all));
        becomes = all * over * power_of(exponent, R(0));
        p = p * over;
        q = q * over;
        if (all == 0) {
            zero = true;
            p = 1;
            q = becomes = 0;
        }
    }
    /* Of two rows' entries in one column: the first row's, which is returned, and the second's. */
    __device__ __forceinline__ T turn(T a, T *b) const
    {
        T first = product(p, a) + product(q, *b);
        *b = p * *b - q * a;
        return first;
    }
};

template <int K, bool KNOWN> struct chain {
    enum { STATE = 2 * K, LEFT = KNOWN ? 0 : STATE, WIDTH = STATE + 2 };
    T window[STATE][STATE]; /* row i: from column i on */
    T left[STATE][KNOWN ? 1 : STATE];
    T y[STATE];
    int zero; /* the first unknown, counted from the chain's begin, that no equation knew; -1: none */

    __device__ __forceinline__ explicit chain(const T *start)
    {
#pragma unroll
        for (int i = 0; i < STATE; ++i) {
#pragma unroll
            for (int k = i; k < STATE; ++k)
                window[i][k] = i == k ? T(1) : T(0);
#pragma unroll
            for (int k = 0; k < LEFT; ++k)
                left[i][k] = i == k ? T(-1) : T(0);
            y[i] = KNOWN ? start[i] : T(0);
        }
        zero = -1;
    }
    /* KNOWN: the eliminated unknown's equation takes the row's place. */
    __device__ __forceinline__ void take(T *row, int unknown, bool conjugate)
    {
        T rest[WIDTH], before[KNOWN ? 1 : STATE];
#pragma unroll
        for (int k = 0; k < WIDTH; ++k)
            rest[k] = row[k];
        weigh<K>(rest, conjugate);
        T b = rest[WIDTH - 1];
#pragma unroll
        for (int i = 0; i < STATE; ++i) {
            const rotation by(window[i][i], rest[i]);
            T turned[STATE + 1], beside[KNOWN ? 1 : STATE];
            turned[i] = by.becomes;
#pragma unroll
            for (int k = i + 1; k < STATE; ++k)
                turned[k] = by.turn(window[i][k], rest + k);
            turned[STATE] = product(by.q, rest[STATE]);
            rest[STATE] = by.p * rest[STATE];
#pragma unroll
            for (int k = 0; k < LEFT; ++k) {
                if (i == 0) /* the row does not know the state at the beginning */
                    before[k] = -(by.q * left[i][k]);
                else
                    beside[k] = by.turn(left[i][k], before + k);
            }
            const T right = by.turn(y[i], &b);
            if (i == 0) {
                zero = by.zero && zero < 0 ? unknown : zero;
                if (KNOWN) {
                    const T inverse = T(1) / by.becomes;
#pragma unroll
                    for (int k = 1; k <= STATE; ++k)
                        row[k] = turned[k] * inverse;
                    row[WIDTH - 1] = right * inverse;
                }
                continue;
            }
#pragma unroll
            for (int k = i; k <= STATE; ++k)
                window[i - 1][k - 1] = turned[k];
#pragma unroll
            for (int k = 0; k < LEFT; ++k)
                left[i - 1][k] = beside[k];
            y[i - 1] = right;
        }
        window[STATE - 1][STATE - 1] = rest[STATE];
#pragma unroll
        for (int k = 0; k < LEFT; ++k)
            left[STATE - 1][k] = before[k];
        y[STATE - 1] = b;
    }
    /* What is carried, as rows: left, window, right-hand side. */
    __device__ __forceinline__ void store(T *link) const
    {
        enum { WORDS = 4 * K + 1 };
#pragma unroll
        for (int i = 0; i < STATE; ++i) {
#pragma unroll
            for (int k = 0; k < STATE; ++k) {
                link[i * WORDS + k] = left[i][KNOWN ? 0 : k];
                link[i * WORDS + STATE + k] = k < i ? T(0) : window[i][k < i ? i : k];
            }
            link[i * WORDS + 2 * STATE] = y[i];
        }
    }
};

} // namespace

#endif
