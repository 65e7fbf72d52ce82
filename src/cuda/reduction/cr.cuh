/* Cyclic reduction (src/cpu/kernels/cr.c) level by level: a level's rows that are kept become the next level, one after
 * another. Also the tree of tpr, whose rows are the integrated bottom rows of slices.
 * Words a row of the user's level: 4 in and 2 out there, 4 and 0.5 in and 1 out back; a level in the room has 2 less to
 * read on the way back. */
#ifndef SB_REDUCTION_CR_CUH
#define SB_REDUCTION_CR_CUH

#include "src/cuda/reduction/strided.cuh"

namespace
{

/* Row 2j + 1 of a level, reduced. */
__device__ __forceinline__ sb_row kept_row(const view &v, const level &of, int64_t j, bool *doubt)
{
    int64_t i = 2 * j + 1;
    bool has_right = i + 1 < of.m;
    sb_row e = row_of(v, of, i, doubt), left = row_of(v, of, i - 1, doubt), right;
    if (has_right)
        right = row_of(v, of, i + 1, doubt);
    check_pivot(v, of, i - 1, left.b);
    e = sb_reduce_left(e, left);
    if (!has_right)
        return e;
    check_pivot(v, of, i + 1, right.b);
    return sb_reduce_right(e, right);
}

/* Unknown 2j, which was eliminated, from those at its sides, and the one on its right. False: not finite. */
__device__ __forceinline__ bool put_both(const view &v, const level &of, target to, int64_t j, T left, T right)
{
    bool ignored = false;
    int64_t i = 2 * j;
    bool good = put(v, to, i, sb_unknown(row_of(v, of, i, &ignored), left, right));
    return i + 1 < of.m ? put(v, to, i + 1, right) && good : good;
}

__global__ void __launch_bounds__(SB_REDUCTION_THREADS)
    cr_down(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
            const __grid_constant__ level of, int64_t next)
{
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        bool doubt = false;
        int64_t begin = item % s.parts * s.per, end = begin + s.per < of.m / 2 ? begin + s.per : of.m / 2;
        for (int64_t j = begin + threadIdx.x; j < end; j += blockDim.x)
            room_rows(v, next)[j] = kept_row(v, of, j, &doubt);
        if (doubt)
            give_up(v);
    }
}

__global__ void __launch_bounds__(SB_REDUCTION_THREADS)
    cr_up(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
          const __grid_constant__ level of, int64_t next, target to)
{
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter_judged(job, s, item, v))
            continue;
        bool finite = true;
        int64_t all = (of.m + 1) / 2, begin = item % s.parts * s.per;
        int64_t end = begin + s.per < all ? begin + s.per : all;
        for (int64_t j = begin + threadIdx.x; j < end; j += blockDim.x) {
            T left = j > 0 ? v.room[next + j - 1] : T(0), right = 2 * j + 1 < of.m ? v.room[next + j] : T(0);
            finite = put_both(v, of, to, j, left, right) && finite;
        }
        if (!finite)
            not_finite(v);
    }
}

/* One or two rows, or none. */
__device__ bool solve_few(const view &v, const level &of, target to, bool *doubt)
{
    if (of.m == 0)
        return true;
    int64_t last = of.m - 1;
    sb_row e = row_of(v, of, 0, doubt), f = row_of(v, of, last, doubt);
    T x, y;
    solve_last(v, of, 0, static_cast<int>(last), e, f, &x, &y);
    if (*doubt)
        return true;
    bool finite = put(v, to, 0, x);
    return last > 0 ? put(v, to, last, y) && finite : finite;
}

/* The level that a block finishes by itself. The rows that the first step keeps are in shared memory. */
__global__ void __launch_bounds__(SB_REDUCTION_MOST(sizeof(T)))
    cr_trunk(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
             const __grid_constant__ level of, target to)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ view v;
    strided kept = {reinterpret_cast<sb_row *>(shared), static_cast<int>(of.m / 2)};
    level next = of;
    next.scale *= 2;
    ++next.step;
    for (int64_t item = blockIdx.x; item < s.count; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        bool doubt = false, finite = true;
        if (of.m <= 2 && threadIdx.x == 0)
            finite = solve_few(v, of, to, &doubt);
        for (int j = threadIdx.x; of.m > 2 && j < kept.m; j += blockDim.x)
            kept.at(j) = kept_row(v, of, j, &doubt);
        if (__syncthreads_or(doubt)) {
            if (threadIdx.x == 0) {
                give_up(v);
                *v.key = 0; /* of a pivot that was none; nobody who comes later clears it */
            }
            continue;
        }
        if (of.m > 2) {
            solve_strided(v, kept, next);
            for (int64_t j = threadIdx.x; j < (of.m + 1) / 2; j += blockDim.x) {
                T left = j > 0 ? kept.at(static_cast<int>(j - 1)).d : T(0);
                T right = j < kept.m ? kept.at(static_cast<int>(j)).d : T(0);
                finite = put_both(v, of, to, j, left, right) && finite;
            }
        }
        bool all_finite = !__syncthreads_or(!finite);
        if (threadIdx.x == 0)
            judge(v, job.wary, all_finite);
    }
}

} // namespace

#endif
