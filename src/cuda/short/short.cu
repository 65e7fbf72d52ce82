/* Short systems, a lane each: whole systems on chip, with partial pivoting. */
#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/kernels/keep.cuh"
#include "src/cuda/short/staged.cuh"
#include "src/cuda/short/straight.cuh"

namespace
{

typedef void kernel(const sb_cuda_job, const lie, bool);

template <int K, bool ONE> kernel *kernel_of(bool straight)
{
    return straight ? solve_straight<K, ONE> : solve_staged<K, ONE>;
}

/* Wide bands of complex doubles would need more registers than there are: see sb_short_widest. */
template <bool ONE> kernel *kernel_of(int half, bool straight)
{
    if constexpr (sb_short_widest(sizeof(T)) == 4)
        if (half == 4)
            return kernel_of<4, ONE>(straight);
    return half == 1 ? kernel_of<1, ONE>(straight) : kernel_of<2, ONE>(straight);
}

kernel *kernel_of(int half, bool one, bool straight)
{
    return one ? kernel_of<true>(half, straight) : kernel_of<false>(half, straight);
}

/* count: systems; without a right-hand side matrices. */
cudaError_t launch(const sb_cuda_call *call, const sb_cuda_job &job, int64_t count, const sb_short_shape &s,
                   bool records)
{
    if (count == 0)
        return cudaSuccess;
    const int half = sb_short_half(job.lower, job.upper);
    const bool one = job.matrices == 1, straight = s.straight;
    const lie as = {{count, s.nearest},
                    s.matrix_along,
                    s.b_along,
                    s.x_along,
                    call->setup->problem->pivoting != SLIMBAND_PIVOT_NONE,
                    static_cast<unsigned>(((1 << 20) + job.n - 1) / job.n)};
    return sb_launch_following(call->setup->device->major, kernel_of(half, one, straight),
                               static_cast<unsigned>((count + LANES - 1) / LANES),
                               straight ? LANES : WARPS * LANES,
                               static_cast<size_t>(sb_short_shared(half, job.n, one, straight, sizeof(T))),
                               call->stream, job, as, records);
}

/* Elimination alone says which matrices are singular. */
cudaError_t factor(const sb_cuda_call *call)
{
    if (!call->job.n || !call->job.matrices)
        return settle_empty(call);
    const sb_short_shape s = sb_short_kept(sb_short_prepared(call->state));
    sb_cuda_job job = kept_abreast(call, s.nearest);
    cudaError_t error = keep_abreast(call, s.nearest);
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    if (!error)
        error = launch(call, job, job.matrices, s, true);
    return error ? error : tell_all(call);
}

cudaError_t solve(const sb_cuda_call *call)
{
    if (!call->job.n)
        return cudaSuccess;
    const sb_short_shape s = sb_short_kept(sb_short_prepared(call->state));
    return launch(call, kept_abreast(call, s.nearest), call->job.systems, s, false);
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, call->job, call->job.systems, sb_short_prepared(call->state), true)
                       : settle_empty(call);
}

/* As much shared memory as there is, so that plans do not take from one another what they have asked for. */
cudaError_t ready(const sb_cuda_setup *setup, int64_t *)
{
    const slimband_problem *p = setup->problem;
    const int half = sb_short_half(p->lower, p->upper);
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < 4 && !error; ++k)
        error = cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel_of(half, k & 1, k >> 1)),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     setup->device->shared_block - SB_SHORT_STATIC);
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_short) = {factor, solve, factor_solve, ready};
