/* What the GPU half of spectral launches: all in place, on a stream, in device memory. */
#ifndef SB_POISSON_GPU_H
#define SB_POISSON_GPU_H

#include <cuda_runtime_api.h>

#include "src/poisson/transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Transforms along one axis; 2 words a point. Line L begins at L / after * n * after + L % after, with `after` from entry
   to entry. A block has `pairs` pairs of lines, `lanes` threads and `stride` slots for each pair: in shared memory, or in
   scratch, that of block k at k * pairs * stride. With orbits a block for all lines, powers of two of pairs and lanes, and the
   lines of the block `ahead` fetched beforehand. */
typedef struct sb_gpu_pass {
    sb_transform program; /* with tables in device memory */
    int64_t lines, after;
    uint32_t pairs, lanes, stride, blocks;
    uint32_t ahead;      /* with orbits: blocks that are there at a time */
    sb_divisor by_after; /* with orbits */
    size_t shared;
    sb_pair *scratch; /* NULL: shared memory */
} sb_gpu_pass;

/* May blocks have this much shared memory? To be asked once for a device before sb_gpu_transform. */
cudaError_t SB_NAME(gpu_allow_shared)(size_t bytes);
cudaError_t SB_NAME(gpu_transform)(const sb_gpu_pass *pass, bool back, const T *from, T *to,
                                   cudaStream_t stream);
/* For a pass with orbits: `ahead`, and the device's most shared memory for its kernels. */
cudaError_t SB_NAME(gpu_allow_orbits)(sb_gpu_pass *pass, size_t most, int processors);
cudaError_t SB_NAME(gpu_orbits)(const sb_gpu_pass *pass, bool back, const T *from, T *to, cudaStream_t stream);

/* Fields as the other kernels see them. */
typedef struct sb_gpu_field {
    int rank;
    int64_t n[SLIMBAND_POISSON_MAX_RANK], fields, points;
} sb_gpu_field;

/* All axes were transformed: u /= lambda + one eigenvalue of each; eigen[a]: n[a] numbers. singular: coefficient 0 of each
   field becomes mean * norm, away[field] what it was over norm. */
typedef struct sb_gpu_quotient {
    sb_gpu_field field;
    const double *eigen[SLIMBAND_POISSON_MAX_RANK];
    double lambda, mean, norm, *away;
    bool singular;
} sb_gpu_quotient;

cudaError_t SB_NAME(gpu_divide)(const sb_gpu_quotient *quotient, T *u, cudaStream_t stream);

/* The singular line of each field, `points` apart, entries `after` apart. Off its right-hand side its weighted mean is taken,
   away[field] becoming that over norm; then, when it is solved, its weighted mean becomes mean * norm. last: the last entry
   is kept at 0. */
typedef struct sb_gpu_mean {
    int64_t n, after, points, fields;
    const double *weight;
    double total, mean, norm, *away;
    bool last;
} sb_gpu_mean;

cudaError_t SB_NAME(gpu_project)(const sb_gpu_mean *mean, T *u, cudaStream_t stream);
cudaError_t SB_NAME(gpu_recentre)(const sb_gpu_mean *mean, T *u, cudaStream_t stream);

/* u = f and the walls' terms, as rhs.h; 2 words a point. Sides that are NULL add nothing. */
typedef struct sb_gpu_rhs {
    sb_gpu_field field;
    const T *side[SLIMBAND_POISSON_MAX_RANK][2];
    double inflow[SLIMBAND_POISSON_MAX_RANK][2];
} sb_gpu_rhs;

cudaError_t SB_NAME(gpu_load)(const sb_gpu_rhs *rhs, const T *f, T *u, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
