/* Transforms of whole fields: along each axis but one, line by line through buffers that stay in the cache. */
#ifndef SB_POISSON_SWEEP_H
#define SB_POISSON_SWEEP_H

#include "src/poisson/fourier.h"
#include "src/poisson/rhs.h"

enum { SB_BUNDLE = 64 / sizeof(T) }; /* neighbouring lines that are transformed together: a cache line's */

typedef struct sb_sweeps {
    int threads;
    int count;   /* of transformed axes: 0, 1 or 2 */
    int axis[2]; /* the last axis first */
    sb_fourier fourier[2];
    bool past_cache; /* f and u of a field are too large for these threads' part of the last level */
    const sb_poisson_kernels *kernels;
    int64_t row;    /* elements from row to row of a buffer */
    T **from, **to; /* of each thread: SB_BUNDLE rows */
    T *memory;
} sb_sweeps;

slimband_status SB_NAME(sweeps_make)(sb_sweeps *sweeps, slimband_poisson_plan *plan, bool measure);
void SB_NAME(sweeps_free)(sb_sweeps *sweeps);

/* u = transforms of the right-hand side; and u = inverse transforms of u, divided by their norms. */
void SB_NAME(sweeps_forward)(const sb_sweeps *sweeps, const slimband_poisson_plan *plan, const sb_rhs *rhs,
                             T *u);
void SB_NAME(sweeps_backward)(const sb_sweeps *sweeps, const slimband_poisson_plan *plan, T *u);

/* One plane of axis 0, which is then the line axis, planes counted through all fields; by thread number `thread`.
   Backwards rhs is NULL. */
void SB_NAME(sweeps_plane)(const sb_sweeps *sweeps, const slimband_poisson_plan *plan, const sb_rhs *rhs,
                           int64_t plane, int thread, T *u);

/* Two axes, lines along axis 0: one row on its way, rows counted through all fields. load: a row of the right-hand side, where
   it is or in a buffer. arrive: a row to a buffer, number 0 or 1 of `thread`'s, which it returns; ahead: a row that will be
   wanted soon, or NULL. leave: from the buffer of coefficients to u. next: the row that will come after this one, or -1. */
const T *SB_NAME(sweeps_row_load)(const sb_sweeps *sweeps, const sb_rhs *rhs, int64_t row, int thread);
T *SB_NAME(sweeps_row_arrive)(const sb_sweeps *sweeps, const T *x, const T *ahead, int thread, int number);
T *SB_NAME(sweeps_coefficients)(const sb_sweeps *sweeps, int thread, int number);
void SB_NAME(sweeps_row_leave)(const sb_sweeps *sweeps, int64_t row, int64_t next, int thread, int number,
                               T *u);

#endif
