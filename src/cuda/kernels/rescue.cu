/* Matrices that a method gave up, and the last word on every system. Words a row of what is rescued, w = 2 lower +
 * upper + 1: factor w out for the rows, then up to lower + 1 of them in and out for each row; solve w in, b in, x out,
 * in, out and in. Others cost settle 24 bytes a system, which it
 * reads but does not write. */
#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/kernels/rescue.cuh"
#include "src/cuda/kernels/window.cuh"

namespace
{

template <bool TRI>
__global__ void __launch_bounds__(SB_WARP, SB_FEW_WARPS)
    factor_unsafe(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_rescue rescue)
{
    int64_t m = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane();
    sb_follow();
    uint32_t flags = m < job.matrices ? job.matrix[m].flags : 0;
    if (m >= job.matrices || !(rescue.all || flags & sb_cuda_unsafe(true)))
        return;
    sb_cuda_matrix pivoted =
        sb_pivot_factor<TRI>(job, rescue, m, sb_length_of(job, m), sb_pivot_column_at(rescue, m));
    if (rescue.all || flags & SB_CUDA_UNSAFE || pivoted.outcome != SB_CUDA_GOOD)
        job.matrix[m] = pivoted;
}

/* What became of a system, solved here if its matrix pivots. */
template <bool TRI>
__device__ sb_cuda_outcome settled(const sb_cuda_job &job, const sb_cuda_rescue &rescue, int64_t system,
                                   int64_t thread)
{
    int64_t m = sb_matrix_of(job, system), n = sb_length_of(job, system);
    sb_cuda_matrix record = job.matrix[m];
    bool pivots = rescue.all || (record.flags & sb_cuda_unsafe(job.transposed));
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

/* Systems that a thread looks at before it does anything: their records come from memory together. */
enum { ROUND = 8 };

/* Of a round, the systems that are not simply good: a bit each; all of them where it takes divisions to find a matrix. */
__device__ __forceinline__ unsigned left_over(const sb_cuda_job &job, const sb_cuda_rescue &rescue,
                                              int64_t first)
{
    const bool own = job.matrices == job.systems, looks = !rescue.all && (own || job.matrices == 1);
    sb_cuda_outcome met[ROUND];
    uint32_t flags[ROUND];
#pragma unroll
    for (int k = 0; k < ROUND; ++k) {
        const int64_t here = min(first + k * rescue.threads, job.systems - 1);
        const sb_cuda_matrix *record = job.matrix + (own ? here : 0);
        met[k] = record->outcome | (job.x ? job.system[here] : SB_CUDA_GOOD);
        flags[k] = record->flags;
    }
    if (job.x && rescue.finite)
#pragma unroll
        for (int k = 0; k < ROUND; ++k)
            met[k] |= rescue.finite[min(first + k * rescue.threads, job.systems - 1)];
    unsigned left = 0;
#pragma unroll
    for (int k = 0; k < ROUND; ++k) {
        const bool good = looks && met[k] == SB_CUDA_GOOD && !(flags[k] & sb_cuda_unsafe(job.transposed));
        left |= static_cast<unsigned>(!good && first + k * rescue.threads < job.systems) << k;
    }
    return left;
}

template <bool TRI>
__global__ void __launch_bounds__(SB_WARP, SB_FEW_WARPS)
    settle_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_rescue rescue)
{
    const int64_t thread = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane();
    sb_follow();
    for (int64_t first = thread; first - sb_lane() < job.systems; first += ROUND * rescue.threads) {
        const unsigned left = left_over(job, rescue, first), of_warp = __reduce_or_sync(~0u, left);
        if (!job.x)
            for (int64_t s = first; s < job.systems && s < first + ROUND * rescue.threads; s += rescue.threads)
                job.system[s] = SB_CUDA_GOOD;
#pragma unroll 1
        for (int k = 0; of_warp >> k; ++k) {
            const int64_t s = first + k * rescue.threads;
            sb_cuda_outcome outcome = SB_CUDA_GOOD;
            if (left >> k & 1) {
                outcome = settled<TRI>(job, rescue, s, thread);
                job.system[s] = outcome;
            }
            __syncwarp();
            if (job.x)
                fill_failed(job, s, outcome != SB_CUDA_GOOD);
        }
    }
}

typedef void kernel(const sb_cuda_job, const sb_cuda_rescue);

bool tridiagonal(const sb_cuda_rescue *rescue)
{
    return rescue->lower == 1 && rescue->upper == 1;
}

cudaError_t launch(kernel *of, const sb_cuda_call *call, const sb_cuda_rescue *rescue, int64_t threads)
{
    /* Where all systems pivot, what comes before may be no kernel: their records are cleared. Nothing to begin beside. */
    const int major = rescue->all ? 0 : call->setup->device->major;
    return sb_launch_following(major, of, static_cast<unsigned>((threads + SB_WARP - 1) / SB_WARP), SB_WARP, 0,
                               call->stream, call->job, *rescue);
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
