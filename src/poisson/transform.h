/* The transforms that diagonalise uniform axes, as programs that a GPU's block runs on lines in its shared memory, and a test
 * on the CPU.
 *
 * Two real lines a and b are one complex line c = a + i b. Every transform here is a product of sparse real-linear maps of c
 * and of discrete Fourier transforms, so that the way back is the product of the transposed maps in reverse order, with
 * weights on the coefficients:
 *
 *     place    entries go to their slots, some with their sign turned (Makhoul's order for type II, reversal, ...)
 *     fold     type I, sine: odd and even coefficients apart, level by level (sine.h)
 *     twist    type IV: slot m times exp(-i pi m / n), which leaves the odd half of a transform of size 2 n
 *     spread   type III: Z_m = (t_m c_m + conj(t_q) c_q) / 2, with q the slot of frequency -m
 *     Fourier  natural order to that of reversed digits, in place; back from there to natural order
 *     collect  the transpose of spread: types II and IV, periodic
 *
 * The sines of type I end in a transform of double length of the odd line, cosines of type I are that of the even one. A
 * length with prime factors above 7 goes through a convolution (Bluestein). Coefficients stay in the order in which they
 * come; `order` has their numbers.
 *
 * Where orbits are possible (transform_orbit.h), none of this is done but them. */
#ifndef SB_POISSON_TRANSFORM_H
#define SB_POISSON_TRANSFORM_H

#ifndef __cplusplus
#include <stdalign.h>
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>

#include "slimband/poisson.h"
#include "src/chunk/scalar.h"

enum { SB_STAGES = 24, SB_SEGMENTS = 4 };

typedef struct sb_pair {
    alignas(2 * sizeof(T)) T re;
    T im;
} sb_pair;

/* x / d = x * magic >> shift for x < 2^31. */
typedef struct sb_divisor {
    uint32_t magic;
    int shift;
} sb_divisor;

/* Butterflies of `radix` entries, `sub` apart; turn: where the `sub` powers of exp(-2 pi i / (radix sub)) begin. */
typedef struct sb_stage {
    int radix;
    uint32_t sub, count, turn; /* count: of the butterflies */
    sb_divisor by_sub;
} sb_stage;

/* A Fourier transform in place. chirp: it is `length` long, and the stages are those of a convolution of `work` entries. */
typedef struct sb_fft {
    uint32_t length, work, wave, spectrum;
    bool chirp;
    int stages;
    sb_stage stage[SB_STAGES];
} sb_fft;

/* The slots of two frequencies that are each other's negative; or one slot twice. */
typedef struct sb_couple {
    alignas(8) int32_t m;
    int32_t q;
} sb_couple;

/* Slots first .. first + fft.length - 1. Tables: places in `pairs` and `ints`. */
typedef struct sb_segment {
    uint32_t first;
    sb_fft fft;
    bool spread, twisted;
    uint32_t turn, twist;       /* t; and exp(-i pi m / n) */
    uint32_t partners, couples; /* not spread: where the couples begin in ints; how many there are */
} sb_segment;

/* transform_orbit.h: what lines whose N = 8 part is a power of two are transformed by instead. */
enum { SB_ORBIT = 16, SB_ORBIT_STAGES = 2 };

typedef struct sb_orbit {
    uint32_t part, parts, pitch; /* part 0: not so. pitch: slots from part to part */
    int radix;                   /* of the last stage */
    uint32_t stages; /* before it, of 16 entries each 2^bits apart; step: their distances in slots */
    uint32_t bits[SB_ORBIT_STAGES], step[SB_ORBIT_STAGES][SB_ORBIT];
    uint32_t turn[SB_ORBIT_STAGES]; /* in pairs: of w, w^2, w^4, w^8 */
    uint32_t table[2];              /* in pairs, there and back: of T_0, T_1, w^2, w^4 for r < part / 2 */
    uint32_t middle;    /* in pairs, for r = part / 2: weight there, back of entry m in part k, at 8 k + m */
    bool shifted, half; /* d and h are 1/2 */
    bool begins, ends;  /* there are entries 0 and N */
    bool alternating;   /* odd entries have their sign turned */
    int32_t origin, direction; /* entry j lies at origin + direction j */
    T mirrored;                /* sign of an orbit's second half */
    int32_t skip;              /* place of the coefficient of frequency 0: 0, or nowhere: -1 */
    bool halved, extra;        /* on the way back coefficient 0 is halved; there is one more, halved too */
} sb_orbit;

enum { SB_SLOT = (1 << 28) - 1, SB_MIRRORED = 1 << 28, SB_HALF = 1 << 29, SB_NEGATIVE = 1 << 30 };

typedef struct sb_transform {
    uint32_t n, slots, room; /* room: the first slot of the convolutions' */
    int levels, segments;
    uint32_t odd;         /* sines of type I: half the length of the last segment; else 0 */
    uint32_t mirror;      /* cosines of type I: entry m goes to slot mirror - m too */
    bool sparse;          /* not every slot of the last segment has a coefficient */
    T scale;              /* of coefficients on the way back, but for those with SB_HALF */
    uint32_t place;       /* in ints: slots of the n entries, SB_HALF: halved on the way there */
    uint32_t coefficient; /* in ints: slots of the n coefficients */
    sb_segment segment[SB_SEGMENTS];
    sb_orbit orbit;
    const sb_pair *pairs;
    const int32_t *ints;
} sb_transform;

/* Tables in memory of the host's. Forward, then backward multiplies by 1. Coefficient k belongs to sb_eigenvalue number
   order[k]; where constants are in the null space, the constant 1 has coefficient 0 equal to *norm, and all others 0. */
typedef struct sb_transform_plan {
    sb_transform program;
    sb_pair *pairs;
    int32_t *ints;
    int64_t *order;
    uint32_t pair_count, int_count;
    double norm;
    bool failed; /* no memory */
} sb_transform_plan;

/* room: slots that orbits may take, 0: no orbits. Errors: OUT_OF_MEMORY, TOO_LARGE. */
slimband_status SB_NAME(transform_make)(sb_transform_plan *plan, const slimband_poisson_axis *axis,
                                        size_t room);

/* True if the axis has orbits, with their tables and order in the plan or `failed`; else nothing is done. */
bool SB_NAME(orbit_make)(sb_transform_plan *plan, const slimband_poisson_axis *axis, size_t room);
void SB_NAME(orbit_forward)(const sb_transform *program, const T *a, const T *b, T *fa, T *fb, sb_pair *z);
void SB_NAME(orbit_backward)(const sb_transform *program, const T *fa, const T *fb, T *a, T *b, sb_pair *z);
void SB_NAME(transform_free)(sb_transform_plan *plan);

/* One thread's run over a pair of lines, at z (padded slots: transform_run.h), for tests. */
void SB_NAME(transform_forward)(const sb_transform *program, const T *a, const T *b, T *fa, T *fb, sb_pair *z);
void SB_NAME(transform_backward)(const sb_transform *program, const T *fa, const T *fb, T *a, T *b, sb_pair *z);
uint32_t SB_NAME(transform_room)(const sb_transform *program);
sb_divisor SB_NAME(divisor)(uint32_t d);

#endif
