/* What refinement needs beside a method: a thread for each unknown, neighbouring threads for neighbouring elements of x. */
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/refine.h"

namespace
{

constexpr int THREADS = 256;
constexpr int64_t MOST_BLOCKS = 1 << 20;

/* One unknown of a batch. */
struct place {
    int64_t system, row, n;
};

__device__ __forceinline__ place place_of(const sb_cuda_job &job, int64_t thread)
{
    bool along = job.x_at.line == 1 || job.systems == 1;
    place p;
    p.system = along ? thread / job.n : thread % job.systems;
    p.row = along ? thread % job.n : thread / job.systems;
    p.n = sb_length_of(job, p.system);
    return p;
}

/* sum + product, both in two words: what roundings lose is kept in the second. */
struct sum2 {
    R high, low;

    __device__ __forceinline__ void add(R a, R b)
    {
        R product = a * b, lost = fma(a, b, -product);
        R next = high + product, back = next - high;
        low += ((high - (next - back)) + (product - back)) + lost;
        high = next;
    }
};

#if SB_COMPLEX
struct sum_of_products {
    sum2 re, im;

    __device__ __forceinline__ explicit sum_of_products(T a) : re{a.re, 0}, im{a.im, 0}
    {
    }
    __device__ __forceinline__ void subtract(T a, T b)
    {
        re.add(-a.re, b.re);
        re.add(a.im, b.im);
        im.add(-a.re, b.im);
        im.add(-a.im, b.re);
    }
    __device__ __forceinline__ T value() const
    {
        return T(re.high + re.low, im.high + im.low);
    }
};
#else
struct sum_of_products {
    sum2 sum;

    __device__ __forceinline__ explicit sum_of_products(T a) : sum{a, 0}
    {
    }
    __device__ __forceinline__ void subtract(T a, T b)
    {
        sum.add(-a, b);
    }
    __device__ __forceinline__ T value() const
    {
        return sum.high + sum.low;
    }
};
#endif

/* Row i of a matrix, along each diagonal. */
__device__ __forceinline__ int64_t entry_at(const sb_cuda_job &job, int64_t matrix, int64_t n, int64_t i)
{
    return sb_matrix_line(job, matrix) + sb_row_at(job, n, i);
}

__device__ __forceinline__ T residual_of(const sb_cuda_job &job, const sb_cuda_refine &refine, const place &p)
{
    int64_t line = sb_line_of(job, job.x_at, p.system), matrix = sb_matrix_of(job, p.system);
    const T *x = static_cast<const T *>(refine.x) + line;
    sum_of_products sum(static_cast<const T *>(refine.b)[line + p.row * job.x_at.line]);
    for (int k = -job.lower; k <= job.upper; ++k) {
        int64_t other = job.transposed ? p.row - k : p.row + k;
        if (!job.periodic && (other < 0 || other >= p.n))
            continue;
        other %= p.n;
        other += other < 0 ? p.n : 0;
        int64_t at = entry_at(job, matrix, p.n, job.transposed ? other : p.row);
        T a = static_cast<const T *>(refine.diagonal[job.lower + k])[at];
        sum.subtract(job.conjugate ? sb_conj(a) : a, x[other * job.x_at.line]);
    }
    return sum.value();
}

__global__ void __launch_bounds__(THREADS)
    residual(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_refine refine)
{
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t t = (int64_t)blockIdx.x * THREADS + threadIdx.x; t < job.n * job.systems; t += step) {
        place p = place_of(job, t);
        if (p.row < p.n)
            static_cast<T *>(refine.residual)[sb_line_of(job, job.x_at, p.system) + p.row * job.x_at.line] =
                residual_of(job, refine, p);
    }
}

__global__ void __launch_bounds__(THREADS)
    take(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_refine refine)
{
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t t = (int64_t)blockIdx.x * THREADS + threadIdx.x; t < job.n * job.systems; t += step) {
        place p = place_of(job, t);
        if (p.row < p.n)
            static_cast<T *>(refine.b)[sb_line_of(job, job.x_at, p.system) + p.row * job.x_at.line] =
                static_cast<const T *>(
                    refine.given)[sb_line_of(job, refine.b_at, p.system) + p.row * refine.b_at.line];
    }
}

__global__ void __launch_bounds__(THREADS)
    add(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_refine refine)
{
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t t = (int64_t)blockIdx.x * THREADS + threadIdx.x; t < job.n * job.systems; t += step) {
        place p = place_of(job, t);
        int64_t at = sb_line_of(job, job.x_at, p.system) + p.row * job.x_at.line;
        if (p.row < p.n)
            static_cast<T *>(refine.x)[at] += static_cast<const T *>(refine.residual)[at];
    }
}

/* Of every matrix what may be read, and of what rows share one entry, that entry. */
__global__ void __launch_bounds__(THREADS)
    keep(const __grid_constant__ sb_cuda_job job, const __grid_constant__ sb_cuda_refine refine,
         const __grid_constant__ sb_cuda_job copy)
{
    int64_t step = (int64_t)gridDim.x * THREADS;
    bool along = job.matrix_at.line == 1;
    for (int64_t t = (int64_t)blockIdx.x * THREADS + threadIdx.x; t < job.n * job.matrices; t += step) {
        int64_t m = along ? t / job.n : t % job.matrices, i = along ? t % job.n : t / job.matrices;
        int64_t n = sb_length_of(job, m);
        if (i >= n)
            continue;
        int64_t from = entry_at(job, m, n, i), to = entry_at(copy, m, n, i);
        for (int k = -job.lower; k <= job.upper; ++k)
            if (job.periodic || (i + k >= 0 && i + k < n))
                static_cast<T *>(refine.kept)[(job.lower + k) * refine.kept_piece + to] =
                    static_cast<const T *>(job.diagonal[job.lower + k])[from];
    }
}

unsigned blocks_for(int64_t rows)
{
    int64_t blocks = (rows + THREADS - 1) / THREADS;
    return (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

cudaError_t queue_keep(const sb_cuda_call *call, const sb_cuda_refine *refine)
{
    sb_cuda_job copy = call->job;
    copy.matrix_at = refine->kept_at;
    int64_t rows = call->job.n * call->job.matrices;
    if (rows > 0)
        keep<<<blocks_for(rows), THREADS, 0, call->stream>>>(call->job, *refine, copy);
    return cudaGetLastError();
}

typedef void kernel(const sb_cuda_job, const sb_cuda_refine);

cudaError_t launch(kernel *of, const sb_cuda_call *call, const sb_cuda_refine *refine)
{
    sb_cuda_job job = call->job;
    job.matrix_at = refine->matrix_at;
    int64_t rows = job.n * job.systems;
    if (rows > 0)
        of<<<blocks_for(rows), THREADS, 0, call->stream>>>(job, *refine);
    return cudaGetLastError();
}

cudaError_t queue_take(const sb_cuda_call *call, const sb_cuda_refine *refine)
{
    return launch(take, call, refine);
}

cudaError_t queue_residual(const sb_cuda_call *call, const sb_cuda_refine *refine)
{
    return launch(residual, call, refine);
}

cudaError_t queue_add(const sb_cuda_call *call, const sb_cuda_refine *refine)
{
    return launch(add, call, refine);
}

} // namespace

extern "C" const sb_cuda_refiners SB_NAME(cuda_refiners) = {queue_keep, queue_take, queue_residual, queue_add};
