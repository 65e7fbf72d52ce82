/* The copies of matrices' diagonals that factor makes, and what it says of systems. */
#ifndef SB_CUDA_KEEP_CUH
#define SB_CUDA_KEEP_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/method.h"

namespace
{

/* Where they go: as job.matrix_at says where the given ones are; elements from one diagonal to the next. */
struct keeping {
    slimband_layout at;
    int64_t diagonal;
};

/* Matrices that many elements apart, in the order of their dimensions, of which `nearest` comes first; -1: none does. */
inline slimband_layout kept_layout(const sb_cuda_job &job, int64_t line, int64_t apart, int nearest)
{
    slimband_layout at = job.matrix_at;
    at.line = line;
    for (int turn = job.rank; turn >= 0; --turn) {
        const int d = turn == job.rank ? nearest : turn;
        if (d < 0 || d >= job.rank || at.batch[d] == 0 || (d == nearest && turn != job.rank))
            continue;
        at.batch[d] = apart;
        apart *= job.extent[d];
    }
    return at;
}

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
