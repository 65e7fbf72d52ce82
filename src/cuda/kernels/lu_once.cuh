/* Open systems solved once, one lane a system: nothing is kept of a row but U and the swept right-hand side, both over
 * the pivot, K + 1 words that go to memory and come back. */
#ifndef SB_CUDA_LU_ONCE_CUH
#define SB_CUDA_LU_ONCE_CUH

#include "src/cuda/kernels/lu_solve.cuh"

namespace
{

/* Down the rows: A = L U and y = L^-1 b. `kept`: of the first row. windows: one for each diagonal and one for b. */
template <int K, int ROWS>
__device__ sb_told sb_sweep_once(const sb_cuda_job &job, sb_window<ROWS> *windows, int64_t system, int64_t n,
                                 T *kept, int64_t pitch)
{
    int64_t line = n ? sb_matrix_line(job, system) : 0;
    sb_gpu_line<const T> b = sb_rhs_line(job, system, n);
    bool along = sb_runs_along(job, job.b_at);
    T last[K];
    sb_clear(last);
    return sb_eliminate<K, ROWS>(
        job, windows, line, n, n, [&](int64_t from) { sb_ask_for(windows[2 * K + 1], b, from, along); },
        [&](int64_t i, const T(&row)[2 * K + 1]) {
            T y = windows[2 * K + 1][i % ROWS][sb_lane()];
            if (job.conjugate)
                y = sb_conj(y);
#pragma unroll
            for (int k = K; k > 0; --k)
                y -= row[K - k] * last[k - 1];
            sb_push(last, y);
#pragma unroll
            for (int k = 1; k <= K; ++k, kept += pitch)
                *kept = row[K + k] * row[K];
            *kept = y * row[K];
            kept += pitch;
        });
}

/* Up again: what is kept of some rows is on its way to one half of the windows while those behind them are solved for in the other.
   n: 0 for lanes whose system is left alone. False: the solution holds NaN or Inf. */
template <int K, int ROWS>
__device__ bool sb_return_once(const sb_cuda_job &job, sb_window<ROWS> *windows, int64_t system, int64_t n,
                               const T *kept, int64_t pitch)
{
    sb_gpu_line<T> x = sb_solution_line(job, system, n);
    const bool along = sb_runs_along(job, job.x_at);
    const int64_t longest = sb_longest_of_warp(n);
    auto ask = [&](sb_window<ROWS> *to, int64_t from) {
        const T *at = kept + from * (K + 1) * pitch;
#pragma unroll
        for (int row = 0; row < ROWS; ++row)
#pragma unroll
            for (int d = 0; d <= K; ++d, at += pitch)
                sb_ask(&to[d][row][sb_lane()], at, from + row < n);
    };
    sb_window<ROWS> *here = windows, *next = windows + K + 1;
    bool finite = true;
    T last[K];
    sb_clear(last);
    __threadfence(); /* what is asked for has been kept */
    __syncwarp();
    if (longest > 0)
        ask(here, (longest - 1) / ROWS * ROWS);
    for (int64_t from = (longest - 1) / ROWS * ROWS; from >= 0 && longest > 0; from -= ROWS) {
        sb_asked_for();
        if (from > 0)
            ask(next, from - ROWS);
#pragma unroll 4
        for (int row = ROWS - 1; row >= 0; --row) {
            if (from + row >= n)
                continue;
            T y = here[K][row][sb_lane()];
#pragma unroll
            for (int k = K; k > 0; --k)
                y -= here[k - 1][row][sb_lane()] * last[k - 1];
            sb_push(last, y);
            finite = finite && sb_finite(y);
            here[K][row][sb_lane()] = job.conjugate ? sb_conj(y) : y;
        }
        sb_store(here[K], x, from, along);
        sb_window<ROWS> *const other = here;
        here = next;
        next = other;
    }
    return finite;
}

/* One system of a warp's, n rows or none, and its records. */
template <int K, int ROWS>
__device__ void sb_solve_once(const sb_cuda_job &job, sb_window<ROWS> *windows, int64_t system, int64_t n,
                              bool mine, T *kept, int64_t pitch)
{
    sb_cuda_matrix record = {SB_CUDA_GOOD, 0, 0};
    sb_judge(job, sb_sweep_once<K, ROWS>(job, windows, system, n, kept, pitch), &record);
    bool good = mine && record.outcome == SB_CUDA_GOOD && !(record.flags & SB_CUDA_UNSAFE);
    bool finite = sb_return_once<K, ROWS>(job, windows, system, good ? n : 0, kept, pitch);
    if (mine)
        job.matrix[system] = record;
    if (good)
        job.system[system] = finite ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

} // namespace

#endif
