/* Where things lie, on the device: the arithmetic of src/core/layout.c over a job. */
#ifndef SB_CUDA_VIEW_CUH
#define SB_CUDA_VIEW_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/job.h"

namespace
{

/* The number of a system's matrix, and the elements at which its lines begin. */
struct places {
    int64_t matrix, line, b, x;
};

__device__ __forceinline__ int64_t sb_length_of(const sb_cuda_job &job, int64_t system)
{
    return job.offsets ? job.offsets[system + 1] - job.offsets[system] : job.n;
}

/* The element offset of a system's line. */
__device__ __forceinline__ int64_t sb_line_of(const sb_cuda_job &job, const slimband_layout &at, int64_t system)
{
    if (job.offsets)
        return job.offsets[system] * at.line;
    int64_t offset = 0;
    for (int d = SLIMBAND_MAX_BATCH_RANK - 1; d >= 0; --d)
        if (d < job.rank) {
            offset += system % job.extent[d] * at.batch[d];
            system /= job.extent[d];
        }
    return offset;
}

/* The matrix of a system, and the offset of a matrix along each diagonal. */
__device__ __forceinline__ int64_t sb_matrix_of(const sb_cuda_job &job, int64_t system)
{
    if (job.matrices == job.systems || job.matrices == 1)
        return job.matrices == 1 ? 0 : system;
    int64_t matrix = 0, weight = 1;
    for (int d = SLIMBAND_MAX_BATCH_RANK - 1; d >= 0; --d)
        if (d < job.rank) {
            if (job.matrix_at.batch[d] != 0) {
                matrix += system % job.extent[d] * weight;
                weight *= job.extent[d];
            }
            system /= job.extent[d];
        }
    return matrix;
}

__device__ __forceinline__ int64_t sb_matrix_line(const sb_cuda_job &job, int64_t matrix)
{
    if (job.offsets)
        return job.toeplitz ? 0 : job.offsets[matrix] * job.matrix_at.line;
    int64_t offset = 0;
    for (int d = SLIMBAND_MAX_BATCH_RANK - 1; d >= 0; --d)
        if (d < job.rank && job.matrix_at.batch[d] != 0) {
            offset += matrix % job.extent[d] * job.matrix_at.batch[d];
            matrix /= job.extent[d];
        }
    return offset;
}

/* Where row i of a system of n rows stands along each diagonal, from sb_matrix_line on. */
__device__ __forceinline__ int64_t sb_row_at(const sb_cuda_job &job, int64_t n, int64_t i)
{
    if (i < job.first)
        return i * job.matrix_at.line;
    int64_t behind = i - (n - job.last);
    return job.first + (behind < 0 ? 0 : 1 + behind);
}

/* A(i, i + k): 0 for a coupling that leaves an open matrix, which is not read. */
__device__ __forceinline__ T sb_entry(const sb_cuda_job &job, int64_t line, int64_t n, int64_t i, int k)
{
    if (k < -job.lower || k > job.upper || (!job.periodic && (i + k < 0 || i + k >= n)))
        return 0;
    return static_cast<const T *>(job.diagonal[job.lower + k])[line + sb_row_at(job, n, i)];
}

/* A(i, j) of a periodic matrix that is large enough for couplings not to coincide. */
__device__ __forceinline__ T sb_ring_entry(const sb_cuda_job &job, int64_t line, int64_t n, int64_t i,
                                           int64_t j)
{
    int64_t k = j - i;
    k = k > n / 2 ? k - n : k < -n / 2 ? k + n : k;
    return k < -job.lower || k > job.upper ? T(0) : sb_entry(job, line, n, i, static_cast<int>(k));
}

} // namespace

#endif
