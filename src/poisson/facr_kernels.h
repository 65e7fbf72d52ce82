/* One step of cyclic reduction before the transforms (facr.h): its loops along rows, for each instruction set. */
#ifndef SB_POISSON_FACR_KERNELS_H
#define SB_POISSON_FACR_KERNELS_H

#include "src/chunk/scalar.h"

enum { SB_FACR_LEAST = 40, SB_FACR_PAD = 64 / sizeof(T) };

/* B along a row: own x_i - beside (x_{i-1} + x_{i+1}), where beyond an end x_{-1} = image[0] x_{inner[0]} and
   x_n = image[1] x_{n-1-inner[1]}, or on a ring x_{n-1} and x_0. B / beside is -1, mu + 1/mu, -1 inside. n >= SB_FACR_LEAST. */
typedef struct sb_facr_row {
    int64_t n;
    T own, beside;
    bool ring;
    T image[2];
    int inner[2];
    T given;    /* what the right-hand side f counts beside unknowns of other rows */
    T gain;     /* mu / beside */
    T power[5]; /* mu to 1, 2, 4, 8, 16 */
    T mend
        [2]
        [2]; /* what is added times mu^i at distance i from each end: mend[end][] times x_0 and x_source[end] */
    int64_t source[2];
    int64_t reach;     /* as far as that: a multiple of SB_FACR_PAD, not beyond the row */
    const T *decay[2]; /* mu^i, i < reach, and these backwards */
} sb_facr_row;

/* ahead: a row that will be wanted soon, or NULL. */
typedef struct sb_facr_kernels {
    /* r = below + B f + above */
    void (*gather)(const sb_facr_row *row, const T *below, const T *f, const T *above, const T *ahead, T *r);
    /* B u = below + given f + above. u may be f. y: n entries to work on, behind SB_FACR_PAD and in front of 2 SB_FACR_PAD
       more. past_cache: u is stored past the caches (fence of kernels.h) */
    void (*solve)(const sb_facr_row *row, const T *below, const T *f, const T *above, const T *ahead,
                  bool past_cache, T *y, T *u);
} sb_facr_kernels;

#endif
