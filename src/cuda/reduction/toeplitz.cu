/* cr_toeplitz (near-toeplitz.tex 4): the levels' coefficients come from factor, and a solve moves right-hand sides only. Words
 * a row of a level: 1 in and 0.5 out there, 1 and 0.5 in and 1 out back; where a block takes all, 1 in there, 1 in and 1
 * out back. */
#include "src/chunk/near_toeplitz.h"
#include "src/cuda/reduction/launch.cuh"
#include "src/cuda/reduction/rows.cuh"

namespace
{

enum { VALUE_SHIFT = SB_SPOT_SHIFT(sizeof(T)) };

/* What is stored behind the matrix's records: levels, then the last rows. */
struct factors {
    const sb_toeplitz_level *levels;
    int count; /* of all levels */
};

__device__ sb_row matrix_row(const sb_cuda_job &job, int64_t i)
{
    sb_row e;
    e.a = sb_entry(job, 0, job.n, i, -1);
    e.b = sb_entry(job, 0, job.n, i, 0);
    e.c = sb_entry(job, 0, job.n, i, 1);
    e.d = 0;
    return e;
}

__global__ void factor_levels(const __grid_constant__ sb_cuda_job job)
{
    int64_t n = job.n;
    sb_near_toeplitz rows;
    rows.m = n;
    rows.first = matrix_row(job, 0);
    rows.inner = matrix_row(job, n > 2 ? 1 : 0);
    rows.last = matrix_row(job, n - 1);
    sb_cuda_matrix record = {SB_CUDA_GOOD, 0, 0};
    int64_t bad = sb_toeplitz_factor(&rows, static_cast<sb_toeplitz_level *>(job.stored));
    bool doubt = weak(rows.first, 1) || weak(rows.inner, 1) || weak(rows.last, 1);
    if (job.wary && (doubt || bad >= 0))
        record.flags = SB_CUDA_UNSAFE;
    else if (bad >= 0)
        record.outcome = sb_cuda_failure(SLIMBAND_BREAKDOWN, bad);
    *job.matrix = record;
}

/* A level's right-hand sides, which become its unknowns: the user's, or the room's from `at` on. m rows. */
struct values {
    bool line;
    int64_t m, at;
};

__device__ __forceinline__ T value_of(const view &v, const values &of, int64_t i)
{
    if (!of.line)
        return v.room[of.at + i];
    T value = v.b[i * v.b_step];
    return v.conjugate ? sb_conj(value) : value;
}

/* Those of target j of `count`. */
__device__ __forceinline__ const sb_weights &weights_of(const sb_stencil &s, int64_t j, int64_t count)
{
    return j == 0 ? s.first : j == count - 1 ? s.last : s.inner;
}

__device__ __forceinline__ T kept_value(const view &v, const values &of, const sb_stencil &by, int64_t j)
{
    int64_t i = 2 * j + 1;
    const sb_weights &w = weights_of(by, j, of.m / 2);
    T t = value_of(v, of, i) - w.left * value_of(v, of, i - 1);
    return i + 1 < of.m ? t - w.right * value_of(v, of, i + 1) : t;
}

/* Unknown 2j from those at its sides, and the one on its right. */
__device__ __forceinline__ bool put_both(const view &v, const values &of, const sb_stencil &by, int64_t j,
                                         T left, T right)
{
    int64_t i = 2 * j;
    const sb_weights &w = weights_of(by, j, (of.m + 1) / 2);
    target to = {of.line, of.at};
    bool good = put(v, to, i, (value_of(v, of, i) - w.left * left - w.right * right) / w.own);
    return i + 1 < of.m ? put(v, to, i + 1, right) && good : good;
}

__global__ void __launch_bounds__(SB_REDUCTION_THREADS, SB_REDUCTION_BLOCKS)
    values_down(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
                const __grid_constant__ values of, const sb_toeplitz_level *levels, int64_t next)
{
    __shared__ view v;
    const sb_stencil &by = levels->reduce[job.transposed];
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        int64_t begin = item % s.parts * s.per, end = begin + s.per < of.m / 2 ? begin + s.per : of.m / 2;
        for (int64_t j = begin + threadIdx.x; j < end; j += blockDim.x)
            v.room[next + j] = kept_value(v, of, by, j);
    }
}

__global__ void __launch_bounds__(SB_REDUCTION_THREADS)
    values_up(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
              const __grid_constant__ values of, const sb_toeplitz_level *levels, int64_t next)
{
    __shared__ view v;
    const sb_stencil &by = levels->substitute[job.transposed];
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        bool finite = true;
        int64_t all = (of.m + 1) / 2, begin = item % s.parts * s.per;
        int64_t end = begin + s.per < all ? begin + s.per : all;
        for (int64_t j = begin + threadIdx.x; j < end; j += blockDim.x) {
            T left = j > 0 ? v.room[next + j - 1] : T(0), right = 2 * j + 1 < of.m ? v.room[next + j] : T(0);
            finite = put_both(v, of, by, j, left, right) && finite;
        }
        if (!finite)
            not_finite(v);
    }
}

/* In shared memory: of m values those that are left at stride u. */
struct strided_values {
    T *x;
    int m;

    __device__ T &at(int i) const
    {
        return x[sb_spot(i, VALUE_SHIFT)];
    }
};

__device__ void reduce_values(const strided_values &s, const sb_stencil &by, int u)
{
    int count = s.m / u / 2;
    for (int j = threadIdx.x; j < count; j += blockDim.x) {
        int i = 2 * u * (j + 1) - 1;
        const sb_weights &w = weights_of(by, j, count);
        T t = s.at(i) - w.left * s.at(i - u);
        s.at(i) = i + u < s.m ? t - w.right * s.at(i + u) : t;
    }
    __syncthreads();
}

__device__ void substitute_values(const strided_values &s, const sb_stencil &by, int u)
{
    int count = (s.m / u + 1) / 2;
    for (int j = threadIdx.x; j < count; j += blockDim.x) {
        int i = u * (2 * j + 1) - 1;
        const sb_weights &w = weights_of(by, j, count);
        T left = i >= u ? s.at(i - u) : T(0), right = i + u < s.m ? s.at(i + u) : T(0);
        s.at(i) = (s.at(i) - w.left * left - w.right * right) / w.own;
    }
    __syncthreads();
}

/* The levels from `levels` on; the rows behind the last one are at `end`. */
__device__ void solve_values(const strided_values &s, const sb_toeplitz_level *levels, const sb_row *end,
                             int op)
{
    int u = 1;
    __syncthreads();
    for (; s.m / u > 2; u *= 2)
        reduce_values(s, (levels++)->reduce[op], u);
    if (threadIdx.x == 0)
        sb_toeplitz_solve_last(end, op, s.m / u, &s.at(u - 1), &s.at(s.m / u * u - 1));
    __syncthreads();
    while (u > 1) {
        u /= 2;
        substitute_values(s, (--levels)->substitute[op], u);
    }
}

__global__ void __launch_bounds__(SB_REDUCTION_MOST(sizeof(T)))
    values_trunk(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
                 const __grid_constant__ values of, const sb_toeplitz_level *levels, const sb_row *end)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ view v;
    strided_values kept = {reinterpret_cast<T *>(shared), static_cast<int>(of.m / 2)};
    const int op = job.transposed;
    for (int64_t item = blockIdx.x; item < s.count; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        bool finite = true;
        if (of.m <= 2 && threadIdx.x == 0) {
            T x = value_of(v, of, 0), y = value_of(v, of, of.m - 1);
            sb_toeplitz_solve_last(end, op, of.m, &x, &y);
            target to = {of.line, of.at};
            finite = put(v, to, 0, x);
            finite = (of.m == 1 || put(v, to, 1, y)) && finite;
        }
        if (of.m > 2) {
            for (int j = threadIdx.x; j < kept.m; j += blockDim.x)
                kept.at(j) = kept_value(v, of, levels->reduce[op], j);
            solve_values(kept, levels + 1, end, op);
            for (int64_t j = threadIdx.x; j < (of.m + 1) / 2; j += blockDim.x) {
                T left = j > 0 ? kept.at(static_cast<int>(j - 1)) : T(0);
                T right = j < kept.m ? kept.at(static_cast<int>(j)) : T(0);
                finite = put_both(v, of, levels->substitute[op], j, left, right) && finite;
            }
        }
        bool all_finite = !__syncthreads_or(!finite);
        if (threadIdx.x == 0)
            judge(v, job.wary, all_finite);
    }
}

cudaError_t factor(const sb_cuda_call *call)
{
    return plan_of(call).listed ? start(factor_levels, call, 1, 1, 0) : settle_empty(call);
}

/* All launches of systems first .. */
cudaError_t solve_wave(const sb_cuda_call *call, const sb_reduction &plan, spread all)
{
    const sb_toeplitz_level *levels = static_cast<const sb_toeplitz_level *>(call->job.stored);
    const sb_row *end = reinterpret_cast<const sb_row *>(levels + sb_cr_levels(plan.n));
    cudaError_t error = cudaSuccess;
    auto at = [&](int l) { return values{l == 0, plan.n >> l, sb_level_start(plan.n, l)}; };
    auto launch = [&](auto *kernel, int l, int64_t items) {
        spread s = all;
        s.per = share_of(call, items, s.count);
        s.parts = (items + s.per - 1) / s.per;
        if (error == cudaSuccess)
            error = start(kernel, call, s.count * s.parts, SB_REDUCTION_THREADS, 0, s, at(l), levels + l,
                          at(l + 1).at);
    };
    for (int l = 0; l < plan.levels; ++l)
        launch(values_down, l, at(l).m / 2);
    if (error == cudaSuccess)
        error = start(values_trunk, call, all.count, plan.threads, plan.shared, all, at(plan.levels),
                      levels + plan.levels, end);
    for (int l = plan.levels; l-- > 0;)
        launch(values_up, l, (at(l).m + 1) / 2);
    return error;
}

cudaError_t solve(const sb_cuda_call *call)
{
    const sb_reduction &plan = plan_of(call);
    if (!plan.listed)
        return settle_empty(call);
    cudaError_t error = cudaSuccess;
    for (int64_t first = 0; first < call->job.systems && error == cudaSuccess; first += plan.together) {
        int64_t rest = call->job.systems - first;
        spread all = {
            first, rest < plan.together ? rest : plan.together, 1, plan.n, plan.room, bytes_of_keys(plan), 0};
        error = solve_wave(call, plan, all);
    }
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_cr_toeplitz) = {factor, solve, nullptr, nullptr};
