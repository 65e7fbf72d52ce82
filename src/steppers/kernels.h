/* The kernels of steppers on the CPU: what comes before and after a solve, a tile of lines at a time.
 *
 * Every scheme is solved for the increment d of a step, A d = right-hand side, which is formed from differences of
 * neighbouring differences: then rounding is that of the small differences, not of the state, and sums over a ring
 * cancel. A tile's state and increments stay in the second-level cache from the right-hand side to the addition, so that
 * memory sees each point read once and written once. */
#ifndef SB_STEPPER_KERNELS_H
#define SB_STEPPER_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/steppers/fold.h"

/* Members on rings, interleaved: point i of member j at [i * width + j]. Hyperdiffusion and Cahn-Hilliard differ in
   `cubic` alone: d = rate * second difference of (C^3 - C - stiffness * second difference of C), or without C^3 - C, plus
   force * phase of the point. */
typedef struct sb_rings {
    int64_t n, width;
    const void *stiffness, *rate, *force; /* gamma / h^2, dt D / h^2, F; one for each member */
    bool cubic;
    const double *cosine, *sine; /* of the wave's phase at each point; NULL without forcing */
    double along, across;        /* dt times cosine and sine of the time's phase */
    void *rows;                  /* room for five rows */
} sb_rings;

/* Lines of a field along one axis: point i of line j at [i * stride + j * line_stride] of u, one of the two strides is 1;
   in the tile of increments point i of line j is at [i * width + j] if line_stride is 1, else at [j * n + i]. */
typedef struct sb_bundle {
    int64_t n, stride, lines, line_stride, width; /* lines: of this tile, at most width */
    slimband_walls walls;
    slimband_centring centring;
    int order;
    double rate;  /* dt D / h^2 */
    void *ghosts; /* room for four rows */
} sb_bundle;

/* Rings whose members have their own matrices, as Navon and cupentbatch 2.3 solve them: plans for the first n - 2 rows, open
   as they are then, take a member in each vector lane, and the two unknowns that close the ring are eliminated here.
   With E the open matrix and k its coupling to those two: W = E^-1 k, S = (their block) - k^T W. */
typedef struct sb_border {
    const void *weight; /* s of I + s * fourth difference, of each member */
    void *w[2];         /* (n - 2) x width each */
    void *inverse[3];   /* of S, which is symmetric: entries 00, 01, 11 of each member */
} sb_border;

typedef struct sb_stepper_kernels {
    /* Words a point, all within the cache: C read and d written, and a row of potentials back and forth. */
    void (*ring_increments)(const sb_rings *rings, const void *c, void *d);
    /* u read, d written. Lines of the tile that are none are set to zero. */
    void (*heat_increments)(const sb_bundle *bundle, const void *u, void *d);
    /* e = u - w: w lies as u does, e as increments do. Every d += amount. */
    void (*subtract)(const sb_bundle *bundle, const void *u, const void *w, void *e);
    void (*raise)(int64_t count, double amount, void *d);
    /* u += d: u and d read, u written. */
    void (*add_rings)(const sb_rings *rings, const void *d, void *c);
    /* k into W, which is then to be solved for; then S; then, in each step, C += d corrected by the border: W is read as
       well. */
    void (*couple)(int64_t n, int64_t width, const sb_border *border);
    void (*close)(int64_t n, int64_t width, const sb_border *border);
    void (*add_bordered)(const sb_rings *rings, const sb_border *border, const void *d, void *c);
    void (*add_lines)(const sb_bundle *bundle, const void *d, void *u);
    /* Between members one after another and members interleaved: `count` of at most `width`; the others stay. */
    void (*pack)(int64_t n, int64_t width, int64_t count, const void *members, void *strip);
    void (*unpack)(int64_t n, int64_t width, int64_t count, const void *strip, void *members);
    double (*mean)(int64_t n, int64_t stride, const void *u);
    double (*energy)(int64_t n, int64_t stride, double h, double gamma, const void *c);
    void (*round)(int64_t count, const double *from, void *to);
} sb_stepper_kernels;

#endif
