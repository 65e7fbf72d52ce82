/* Parallel cyclic reduction (src/cpu/kernels/pcr.c), and Thomas behind it. Rows stay where they are: of the 2^k systems that
 * k steps leave, number s has the rows s, s + 2^k, ..., so that neighbouring threads, which have neighbouring systems, read
 * side by side. Words a row: a step 4 in and 4 out; a block's end 4 in, 1 out; Thomas 4 in, 4 out, 4 in, 1 out. */
#ifndef SB_REDUCTION_PCR_CUH
#define SB_REDUCTION_PCR_CUH

#include "src/cuda/reduction/strided.cuh"

namespace
{

enum { WARP = 32 };

__global__ void __launch_bounds__(SB_REDUCTION_THREADS)
    pcr_step(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
             const __grid_constant__ level of, int64_t next)
{
    __shared__ view v;
    const int64_t u = INT64_C(1) << of.step;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        bool doubt = false;
        int64_t begin = item % s.parts * s.per, end = begin + s.per < of.m ? begin + s.per : of.m;
        if (of.kind == LINES && begin == 0 && threadIdx.x == 0)
            *v.outcome = SB_CUDA_GOOD;
        for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
            sb_row e = row_of(v, of, i, &doubt), left, right;
            if (i >= u)
                left = row_of(v, of, i - u, &doubt);
            if (i + u < of.m)
                right = row_of(v, of, i + u, &doubt);
            check_pivot(v, of, i, e.b);
            if (i >= u)
                e = sb_reduce_left(e, left);
            if (i + u < of.m)
                e = sb_reduce_right(e, right);
            room_rows(v, next)[i] = e;
        }
        if (doubt)
            give_up(v);
    }
}

/* Step u of m rows in shared memory. */
__device__ void pcr_inside(const view &v, const level &of, const sb_row *from, sb_row *to, int m, int u)
{
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        sb_row e = from[i];
        check_pivot(v, of, i, e.b);
        if (i >= u)
            e = sb_reduce_left(e, from[i - u]);
        if (i + u < m)
            e = sb_reduce_right(e, from[i + u]);
        to[i] = e;
    }
}

/* x in place of d for the rows first, first + u, ...: one or two of them by the papers' last step, more by Thomas. */
__device__ void solve_split(const view &v, const level &of, sb_row *rows, int m, int u)
{
    for (int first = threadIdx.x; first < u && first < m; first += blockDim.x) {
        if (first + 2 * u >= m) {
            int second = first + u < m ? first + u : first;
            solve_last(v, of, first, second, rows[first], rows[second], &rows[first].d, &rows[second].d);
            continue;
        }
        T c = 0, d = 0;
        int i = first;
        for (; i < m; i += u) {
            sb_row e = rows[i];
            T pivot = e.b - e.a * c;
            check_pivot(v, of, i, pivot);
            rows[i].c = c = e.c / pivot;
            rows[i].d = d = (e.d - e.a * d) / pivot;
        }
        for (i -= 2 * u; i >= 0; i -= u)
            rows[i].d = d = rows[i].d - rows[i].c * d;
    }
}

/* A system that is left, by a block: rows part, part + stride, ... of the level, through the steps up to `steps`. */
__global__ void __launch_bounds__(SB_REDUCTION_MOST(sizeof(T)))
    pcr_end(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
            const __grid_constant__ level of, int steps)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        int64_t part = item % s.parts;
        int m = static_cast<int>(sb_system_rows(of.m, of.step, part)), u = 1;
        sb_row *rows = reinterpret_cast<sb_row *>(shared), *other = rows + m;
        level here = of;
        here.base = part + 1 - s.parts;
        here.scale = s.parts;
        bool doubt = false, finite = true;
        for (int i = threadIdx.x; i < m; i += blockDim.x)
            rows[i] = row_of(v, of, part + i * s.parts, &doubt);
        if (__syncthreads_or(doubt)) {
            if (threadIdx.x == 0)
                give_up(v);
            continue;
        }
        for (; here.step < steps && 2 * u < m; u *= 2, ++here.step) {
            pcr_inside(v, here, rows, other, m, u);
            __syncthreads();
            sb_row *read = rows;
            rows = other;
            other = read;
        }
        solve_split(v, here, rows, m, u);
        __syncthreads();
        for (int i = threadIdx.x; i < m; i += blockDim.x)
            finite = put(v, {true, 0}, part + i * s.parts, rows[i].d) && finite;
        bool all_finite = !__syncthreads_or(!finite);
        if (threadIdx.x == 0 && s.parts == 1)
            judge(v, job.wary, all_finite);
        else if (threadIdx.x == 0 && !all_finite)
            not_finite(v);
    }
}

/* A thread solves a system that is left, rows first, first + u, ... of the level. What waits for the way back is at `kept`,
   which may be where the rows are. */
__device__ bool thomas(const view &v, const level &of, int64_t kept, int64_t first, int64_t u, bool *doubt)
{
    sb_row *rows = room_rows(v, kept);
    T c = 0, d = 0;
    int64_t i = first;
    for (; i < of.m; i += u) {
        sb_row e = row_of(v, of, i, doubt);
        T pivot = e.b - e.a * c;
        check_pivot(v, of, i, pivot);
        e.c = c = e.c / pivot;
        e.d = d = (e.d - e.a * d) / pivot;
        rows[i] = e;
    }
    if (*doubt)
        return true;
    bool finite = true;
    for (T x = 0; (i -= u) >= 0;) {
        x = rows[i].d - rows[i].c * x;
        finite = put(v, {true, 0}, i, x) && finite;
    }
    return finite;
}

__global__ void __launch_bounds__(SB_REDUCTION_THREADS, SB_REDUCTION_BLOCKS)
    thomas_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
                   const __grid_constant__ level of, int64_t kept)
{
    __shared__ view v;
    const int64_t u = INT64_C(1) << of.step;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        int64_t first = item % s.parts * s.per + threadIdx.x;
        bool doubt = false;
        if (first == 0 && of.kind == LINES)
            *v.outcome = SB_CUDA_GOOD;
        if (first < u && !thomas(v, of, kept, first, u, &doubt))
            not_finite(v);
        if (doubt)
            give_up(v);
    }
}

/* The last word on a system that several blocks ended. */
__global__ void __launch_bounds__(WARP)
    judge_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s)
{
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count; item += gridDim.x)
        if (enter(job, s, item, v) && threadIdx.x == 0)
            judge(v, job.wary, *v.outcome == SB_CUDA_GOOD);
}

} // namespace

#endif
