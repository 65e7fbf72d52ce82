/* Matrices that a method gave up, and the last word on every system. Words a row of what is rescued, w = 2 lower +
 * upper + 1: factor w out for the rows, then up to lower + 1 of them in and out for each row; solve w in, b in, x out,
 * in, out and in. Others cost settle 24 bytes a system. */
#include "src/cuda/kernels/rescue.cuh"
#include "src/cuda/kernels/window.cuh"

namespace
{

template <bool TRI>
__global__ void __launch_bounds__(SB_WARP)
    factor_unsafe(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_rescue rescue)
{
    int64_t m = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane();
    if (m < job.matrices && (rescue.all || (job.matrix[m].flags & SB_CUDA_UNSAFE)))
        job.matrix[m] =
            sb_pivot_factor<TRI>(job, rescue, m, sb_length_of(job, m), sb_pivot_column_at(rescue, m));
}

/* What became of a system, solved here if its matrix pivots. */
template <bool TRI>
__device__ sb_cuda_outcome settled(const sb_cuda_job &job, const sb_cuda_rescue &rescue, int64_t system,
                                   int64_t thread)
{
    int64_t m = sb_matrix_of(job, system), n = sb_length_of(job, system);
    sb_cuda_matrix record = job.matrix[m];
    bool pivots = rescue.all || (record.flags & SB_CUDA_UNSAFE);
    sb_pivot_column column = sb_pivot_column_at(rescue, rescue.in_passing ? thread : m);
    if (pivots && rescue.factors && record.outcome == SB_CUDA_GOOD) {
        record = sb_pivot_factor<TRI>(job, rescue, m, n, column);
        job.matrix[m] = record;
    }
    if (record.outcome != SB_CUDA_GOOD)
        return record.outcome;
    if (!job.x)
        return SB_CUDA_GOOD;
    if (rescue.finite && rescue.finite[system] != SB_CUDA_GOOD)
        return rescue.finite[system];
    return pivots ? sb_pivot_solve<TRI>(job, rescue, system, n, column, thread) : job.system[system];
}

/* Failed systems of the warp, one after the other, by all of its lanes. */
__device__ void fill_failed(const sb_cuda_job &job, int64_t system, bool failed)
{
    unsigned left = __ballot_sync(~0u, failed);
    while (left) {
        int64_t of = __shfl_sync(~0u, system, __ffs(static_cast<int>(left)) - 1);
        T *x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, of);
        for (int64_t i = sb_lane(), n = sb_length_of(job, of); i < n; i += SB_WARP)
            x[i * job.x_at.line] = static_cast<R>(NAN);
        left &= left - 1;
    }
}

template <bool TRI>
__global__ void __launch_bounds__(SB_WARP)
    settle_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_rescue rescue)
{
    int64_t thread = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane();
    for (int64_t s = thread; s - sb_lane() < job.systems; s += rescue.threads) {
        sb_cuda_outcome outcome = SB_CUDA_GOOD;
        if (s < job.systems) {
            outcome = settled<TRI>(job, rescue, s, thread);
            job.system[s] = outcome;
        }
        __syncwarp();
        if (job.x)
            fill_failed(job, s, outcome != SB_CUDA_GOOD);
    }
}

typedef void kernel(const sb_cuda_job, const sb_cuda_rescue);

bool tridiagonal(const sb_cuda_rescue *rescue)
{
    return rescue->lower == 1 && rescue->upper == 1;
}

cudaError_t launch(kernel *of, const sb_cuda_call *call, const sb_cuda_rescue *rescue, int64_t threads)
{
    sb_cuda_job job = call->job;
    sb_cuda_rescue how = *rescue;
    void *arguments[] = {&job, &how};
    return cudaLaunchKernel(reinterpret_cast<const void *>(of),
                            static_cast<unsigned>((threads + SB_WARP - 1) / SB_WARP), SB_WARP, arguments, 0,
                            call->stream);
}

cudaError_t factor(const sb_cuda_call *call, const sb_cuda_rescue *rescue)
{
    return launch(tridiagonal(rescue) ? factor_unsafe<true> : factor_unsafe<false>, call, rescue,
                  call->job.matrices);
}

cudaError_t settle(const sb_cuda_call *call, const sb_cuda_rescue *rescue)
{
    return launch(tridiagonal(rescue) ? settle_systems<true> : settle_systems<false>, call, rescue,
                  rescue->threads);
}

} // namespace

extern "C" {

sb_cuda_rescue_launch SB_NAME(cuda_search_rhs), SB_NAME(cuda_search_matrix);
const sb_cuda_rescuers SB_NAME(cuda_rescuers) = {SB_NAME(cuda_search_rhs), factor, SB_NAME(cuda_search_matrix),
                                                 settle};
}
