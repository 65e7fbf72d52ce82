/* check_finite: the first row with NaN or Inf of every right-hand side and every matrix. One word read for each word
 * there is. */
#include "src/cuda/kernels/window.cuh"
#include "src/cuda/rescue.h"

namespace
{

/* The first bad row of the lane's line before `found`, or found. */
__device__ int64_t search_line(sb_window<SB_ROWS> &window, sb_gpu_line<const T> line, bool along, int64_t found)
{
    int64_t longest = sb_longest_of_warp(line.end);
    for (int64_t from = 0; from < longest; from += SB_ROWS) {
        sb_fetch(window, line, from, along);
        for (int row = 0; row < SB_ROWS; ++row)
            if (from + row < found && !sb_finite(window[row][sb_lane()]))
                found = from + row;
        __syncwarp();
    }
    return found;
}

__global__ void __launch_bounds__(SB_WARP)
    search_rhs(const __grid_constant__ sb_cuda_job job, sb_cuda_outcome *finite)
{
    __shared__ sb_window<SB_ROWS> window;
    int64_t s = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane(), none = INT64_MAX;
    int64_t n = s < job.systems ? sb_length_of(job, s) : 0;
    int64_t row = search_line(window, sb_rhs_line(job, s, n), sb_runs_along(job, job.b_at), none);
    if (s < job.systems)
        finite[s] = row == none ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_NOT_FINITE, row);
}

/* Toeplitz rows do not lie in lines; there is one such matrix, or few. */
__device__ int64_t search_rows(const sb_cuda_job &job, int64_t line, int64_t n, int k, int64_t found)
{
    for (int64_t i = 0; i < n && i < found; ++i)
        if (!sb_finite(sb_entry(job, line, n, i, k)))
            found = i;
    return found;
}

__global__ void __launch_bounds__(SB_WARP) search_matrix(const __grid_constant__ sb_cuda_job job)
{
    __shared__ sb_window<SB_ROWS> window;
    int64_t m = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane(), none = INT64_MAX, row = none;
    int64_t n = m < job.matrices ? sb_length_of(job, m) : 0, line = n ? sb_matrix_line(job, m) : 0;
    bool along = sb_runs_along(job, job.matrix_at);
    for (int k = -job.lower; k <= job.upper; ++k) {
        int64_t begin = k < 0 && !job.periodic ? -k : 0, end = k > 0 && !job.periodic ? n - k : n;
        const T *diagonal = static_cast<const T *>(job.diagonal[job.lower + k]) + line;
        row = job.toeplitz ? search_rows(job, line, n, k, row)
                           : search_line(window, {diagonal, job.matrix_at.line, begin, end}, along, row);
    }
    if (m < job.matrices && row != none)
        job.matrix[m] = {sb_cuda_failure(SLIMBAND_NOT_FINITE, row), 0, 0};
}

unsigned warps_for(int64_t lines)
{
    return static_cast<unsigned>((lines + SB_WARP - 1) / SB_WARP);
}

} // namespace

extern "C" {

cudaError_t SB_NAME(cuda_search_rhs)(const sb_cuda_call *call, const sb_cuda_rescue *rescue)
{
    search_rhs<<<warps_for(call->job.systems), SB_WARP, 0, call->stream>>>(call->job, rescue->finite);
    return cudaGetLastError();
}

cudaError_t SB_NAME(cuda_search_matrix)(const sb_cuda_call *call, const sb_cuda_rescue *)
{
    search_matrix<<<warps_for(call->job.matrices), SB_WARP, 0, call->stream>>>(call->job);
    return cudaGetLastError();
}
}
