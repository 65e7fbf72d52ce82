/* thomas and lu: one lane a system, one warp a block. Words a row, w = 2 K + 1: factor w in, w out; solve w of factors,
 * b in, x out, in, and out again; one pass: w and b in, K + 1 out and in, x out; rings: factor and solve. */
#include "src/cuda/kernels/lu_once.cuh"

namespace
{

/* The systems or matrices first .. first + count - 1 of a job, whose columns lie in this memory. */
struct wave {
    void *memory;
    int64_t columns, first, count;
};

template <int K, bool RING>
__global__ void __launch_bounds__(SB_WARP, RING ? SB_FEW_WARPS : 0)
    factor_columns(const __grid_constant__ sb_cuda_job job, const __grid_constant__ wave w)
{
    __shared__ sb_window<SB_ROWS> windows[2 * K + 1];
    int64_t c = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane(), m = w.first + c;
    int64_t n = c < w.count ? sb_length_of(job, m) : 0;
    sb_column<K> column = sb_column_at<K>(job, w.memory, w.columns, c < w.count ? c : 0);
    sb_cuda_matrix record = sb_factor_column<K, RING>(job, windows, m, n, column);
    if (c < w.count)
        job.matrix[m] = record;
}

template <int K, bool RING>
__global__ void __launch_bounds__(SB_WARP, RING ? SB_FEW_WARPS : 0)
    solve_columns(const __grid_constant__ sb_cuda_job job, const __grid_constant__ wave w)
{
    __shared__ sb_window<SB_ROWS> window;
    int64_t c = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane(), s = w.first + c, m = w.first, n = 0;
    bool solved = false;
    if (c < w.count) {
        m = sb_matrix_of(job, s);
        solved = job.matrix[m].outcome == SB_CUDA_GOOD && !(job.matrix[m].flags & SB_CUDA_UNSAFE);
        n = solved ? sb_length_of(job, s) : 0;
    }
    sb_column<K> column = sb_column_at<K>(job, w.memory, w.columns, m - w.first);
    sb_cuda_outcome outcome = sb_solve_column<K, RING>(job, window, s, n, column);
    if (solved)
        job.system[s] = outcome;
}

template <int K, int ROWS>
__global__ void __launch_bounds__(SB_WARP)
    solve_once(const __grid_constant__ sb_cuda_job job, const __grid_constant__ wave w)
{
    __shared__ sb_window<ROWS> windows[2 * K + 2];
    int64_t c = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane(), s = w.first + c;
    bool mine = c < w.count;
    sb_cuda_columns columns = sb_cuda_columns_of(job.n, w.columns, K, false);
    sb_solve_once<K, ROWS>(job, windows, s, mine ? sb_length_of(job, s) : 0, mine,
                           static_cast<T *>(w.memory) + (mine ? c : 0), columns.pitch);
}

typedef void kernel(const sb_cuda_job, const wave);

/* By half bandwidth; 3 is padded to 4, to spare the build a third of its time. */
struct family {
    kernel *of_band[SB_CUDA_LU_WIDEST + 1];
};

template <bool RING>
constexpr family factors = {{factor_columns<1, RING>, factor_columns<1, RING>, factor_columns<2, RING>,
                             factor_columns<4, RING>, factor_columns<4, RING>}};
template <bool RING>
constexpr family solves = {{solve_columns<1, RING>, solve_columns<1, RING>, solve_columns<2, RING>,
                            solve_columns<4, RING>, solve_columns<4, RING>}};

template <int ROWS>
constexpr family onces = {
    {solve_once<1, ROWS>, solve_once<1, ROWS>, solve_once<2, ROWS>, solve_once<4, ROWS>, solve_once<4, ROWS>}};

cudaError_t launch(const family &kernels, const sb_cuda_call *call, wave w)
{
    sb_cuda_job job = call->job;
    void *arguments[] = {&job, &w};
    kernel *chosen = kernels.of_band[job.lower > job.upper ? job.lower : job.upper];
    return cudaLaunchKernel(reinterpret_cast<const void *>(chosen),
                            static_cast<unsigned>((w.count + SB_WARP - 1) / SB_WARP), SB_WARP, arguments, 0,
                            call->stream);
}

cudaError_t launch_once(const sb_cuda_call *call, wave w)
{
    const sb_cuda_job &job = call->job;
    const bool along = !job.toeplitz && sb_runs_along(job, job.matrix_at);
    return launch(along ? onces<SB_ROWS_ALONG> : onces<SB_ROWS>, call, w);
}

cudaError_t launch_factor(const sb_cuda_call *call, wave w)
{
    return launch(call->job.periodic ? factors<true> : factors<false>, call, w);
}

cudaError_t launch_solve(const sb_cuda_call *call, wave w)
{
    return launch(call->job.periodic ? solves<true> : solves<false>, call, w);
}

cudaError_t factor(const sb_cuda_call *call)
{
    return launch_factor(call, {call->job.stored, call->job.matrices, 0, call->job.matrices});
}

cudaError_t solve(const sb_cuda_call *call)
{
    return launch_solve(call, {call->job.stored, call->job.matrices, 0, call->job.systems});
}

/* Wave after wave of systems, as many as there are columns in scratch. */
cudaError_t factor_solve(const sb_cuda_call *call)
{
    int64_t columns = sb_cuda_slots(call->job.systems, call->setup->device->processors);
    cudaError_t error = cudaSuccess;
    for (int64_t first = 0; first < call->job.systems && !error; first += columns) {
        int64_t rest = call->job.systems - first;
        wave w = {call->job.scratch, columns, first, rest < columns ? rest : columns};
        error = call->job.periodic ? launch_factor(call, w) : launch_once(call, w);
        error = error || !call->job.periodic ? error : launch_solve(call, w);
    }
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_lu) = {factor, solve, factor_solve, nullptr};
