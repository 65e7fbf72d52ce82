/* What block cyclic reduction on a GPU launches: steps.h for all fields at once. A step's sub-problems are numbered by field,
 * interval and matrix, the last one fastest, and lie one behind the other. */
#ifndef SB_POISSON_GPU_BCR_H
#define SB_POISSON_GPU_BCR_H

#include <cuda_runtime_api.h>

#include "src/chunk/scalar.h"
#include "src/poisson/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* sb_fraction without its shift. */
typedef struct sb_gpu_fraction {
    T in[SB_STEP_SOURCES], out[SB_STEP_TARGETS];
} sb_gpu_fraction;

/* A step of an axis of n blocks with `points` points each. */
typedef struct sb_gpu_step {
    sb_step step; /* its fractions are the host's */
    const sb_gpu_fraction *fraction;
    int64_t n, points;
} sb_gpu_step;

/* One level of a line's cyclic reduction: what an odd row passes to the even ones at its sides and later takes from them, and
   its reciprocal pivot. Those of the first and the last odd row depend on the walls; on rings, where the last unknown stands
   behind both, the first is like the others and `first` is the last odd row's weight towards that unknown. */
typedef struct sb_gpu_weights {
    T inner, own, first, first_own, last, last_own;
} sb_gpu_weights;

/* A wall as cyclic reduction sees it: the homogeneous solution that satisfies it, sinh or cosh((i - offset) theta) in row i = 1,
   2, ... from it, makes the matrix symmetric if row 1 of the right-hand side is multiplied by `factor`. */
typedef struct sb_gpu_end {
    double offset, factor;
    bool even;
} sb_gpu_end;

/* Lines of n unknowns that are neighbours in memory, h apart. They are stored by levels (gpu_lines_cr.cu); places before `split`
   stay in device memory, those from it on are kept in shared memory, by teams of `lanes` threads. */
typedef struct sb_gpu_cr {
    uint32_t n, rows; /* rows: n, or of a ring n - 1 */
    int levels; /* of its rows; a matrix has levels + 1 weights, whose last holds the ring's pivot in `own` */
    sb_gpu_end end[2];
    double h;
    uint32_t split, lanes, teams, blocks;
    size_t shared;
} sb_gpu_cr;

/* weight: of outer matrices x inner matrices, their shifts lambda + outer + inner. */
typedef struct sb_gpu_shifts {
    const double *outer, *inner;
    int64_t outers, inners;
    double lambda;
} sb_gpu_shifts;

cudaError_t SB_NAME(gpu_cr_weights)(const sb_gpu_cr *cr, const sb_gpu_shifts *shifts, sb_gpu_weights *weights,
                                    cudaStream_t stream);

/* May blocks have this much shared memory? To be asked once for a device before sb_gpu_cr. */
cudaError_t SB_NAME(gpu_cr_allow_shared)(size_t bytes);

/* The weights of a step's first matrix. fields are sub-problems of `outers` matrices, whose weights are `apart` ones apart. */
typedef struct sb_gpu_matrices {
    const sb_gpu_weights *weights;
    int64_t outers, apart, fields;
} sb_gpu_matrices;

/* All sub-problems of a step whose blocks are lines, from u, their solutions by levels in v. Words a row: `sources` in (of which
   other matrices of the interval read the same), 1 out. */
cudaError_t SB_NAME(gpu_cr)(const sb_gpu_cr *cr, const sb_gpu_step *step, const sb_gpu_matrices *matrices,
                            const T *u, T *v, cudaStream_t stream);

/* The right-hand sides of all sub-problems. Words a point: `sources` in for each interval, 1 out for each matrix. */
cudaError_t SB_NAME(gpu_gather)(const sb_gpu_step *step, int64_t fields, const T *u, T *v, cudaStream_t stream);

/* Their sums, added to the targets or put there; rows: those of sb_gpu_cr, 0 where v is not stored by levels. Words a point: 1
   in for each matrix, `targets` out and, where they are added to, in for each interval. */
cudaError_t SB_NAME(gpu_sum)(const sb_gpu_step *step, int64_t fields, uint32_t rows, const T *v, T *u,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
