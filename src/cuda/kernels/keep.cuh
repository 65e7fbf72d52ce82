/* The copies of matrices' diagonals that factor makes, and what it says of systems. */
#ifndef SB_CUDA_KEEP_CUH
#define SB_CUDA_KEEP_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/kernels/kept.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/method.h"

namespace
{

/* Where they go: as job.matrix_at says where the given ones are; elements from one diagonal to the next. */
struct keeping {
    slimband_layout at;
    int64_t diagonal;
};

/* Words a row: as many as there are diagonals read, as many written. */
__global__ void keep_matrices(const __grid_constant__ sb_cuda_job job, const __grid_constant__ keeping to)
{
    const int64_t all = job.diagonals * job.n * job.matrices;
    const bool along = to.at.line == 1;
    sb_cuda_job kept = job;
    kept.matrix_at = to.at;
    for (int64_t t = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; t < all;
         t += gridDim.x * static_cast<int64_t>(blockDim.x)) {
        const int64_t i = along ? t % job.n : t / job.matrices % job.n;
        const int64_t matrix = along ? t / job.n / job.diagonals : t % job.matrices;
        const int64_t diagonal = along ? t / job.n % job.diagonals : t / job.matrices / job.n;
        static_cast<T *>(job.stored)[diagonal * to.diagonal + sb_matrix_line(kept, matrix) + i * to.at.line] =
            sb_entry(job, sb_matrix_line(job, matrix), job.n, i, static_cast<int>(diagonal) - job.lower);
    }
}

inline cudaError_t keep(const sb_cuda_call *call, const keeping &to)
{
    const int64_t blocks = 8 * call->setup->device->processors;
    keep_matrices<<<static_cast<unsigned>(blocks), 256, 0, call->stream>>>(call->job, to);
    return cudaGetLastError();
}

/* The call's job with the copies that keep_abreast makes: those of neighbouring lanes next to each other, row after row. */
inline sb_cuda_job kept_abreast(const sb_cuda_call *call, int nearest)
{
    sb_cuda_job job = call->job;
    for (int d = 0; d < job.diagonals; ++d)
        job.diagonal[d] = static_cast<const T *>(job.stored) + d * job.n * job.matrices;
    job.toeplitz = false;
    job.first = INT64_MAX;
    job.last = 0;
    job.matrix_at = kept_layout(job, job.matrices, 1, nearest);
    return job;
}

inline cudaError_t keep_abreast(const sb_cuda_call *call, int nearest)
{
    return keep(call,
                {kept_layout(call->job, call->job.matrices, 1, nearest), call->job.n * call->job.matrices});
}

/* What each system has to say of its matrix. */
__global__ void tell_systems(const __grid_constant__ sb_cuda_job job)
{
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < job.systems;
         i += gridDim.x * static_cast<int64_t>(blockDim.x))
        job.system[i] = job.matrix[sb_matrix_of(job, i)].outcome;
}

inline cudaError_t tell_all(const sb_cuda_call *call)
{
    const int64_t blocks = (call->job.systems + 255) / 256;
    if (blocks)
        tell_systems<<<static_cast<unsigned>(blocks < 1024 ? blocks : 1024), 256, 0, call->stream>>>(call->job);
    return cudaGetLastError();
}

} // namespace

#endif
