/* Tree Partitioning Reduction (src/cpu/kernels/tpr.c) in the three stages of tpr.txt 4.3: slices are reduced in shared
 * memory; the tree, with the step that integrates neighbours, is cr's; slices substitute. A slice's rows 0, 2, 4, ...
 * shrink towards its top and 1, 3, 5, ... towards its bottom, each half of them by itself at strides 1, 2, 4, ...
 * Words a row: 4 in, 2 out; 2 and 4 in, 1 out back. */
#ifndef SB_REDUCTION_TPR_CUH
#define SB_REDUCTION_TPR_CUH

#include "src/cuda/reduction/strided.cuh"

namespace
{

/* Rows top .. top + count - 1, in places for `tile`. */
struct slice {
    int64_t number, top;
    int count, half;

    __device__ int bottoms() const
    {
        return count / 2;
    }
};

__device__ __forceinline__ slice slice_of(const spread &s, int64_t item, int64_t n)
{
    int64_t number = item % s.parts, top = number * s.per;
    return {number, top, static_cast<int>(n - top < s.per ? n - top : s.per), static_cast<int>(s.per / 2)};
}

__device__ __forceinline__ strided side_of(const strided &tops, const strided &bottoms, bool upper)
{
    return {upper ? tops.rows : bottoms.rows, upper ? tops.m : bottoms.m};
}

/* The first step reads the original rows, wherever they are. */
__device__ void reduce_originals(const view &v, const slice &here, const level &of, const strided &tops,
                                 const strided &bottoms, bool *doubt)
{
    for (int i = threadIdx.x; i < here.count; i += blockDim.x) {
        bool last = i + 1 == here.count;
        sb_row e = row_of(v, of, here.top + i, doubt), left, right;
        if (i > 0)
            left = row_of(v, of, here.top + i - 1, doubt);
        if (!last)
            right = row_of(v, of, here.top + i + 1, doubt);
        check_pivot(v, of, here.top + i, e.b);
        if (i > 0)
            e = sb_reduce_left(e, left);
        if (!last)
            e = sb_reduce_right(e, right);
        side_of(tops, bottoms, i % 2 == 0).at(i / 2) = e;
    }
}

__global__ void __launch_bounds__(SB_REDUCTION_MOST(sizeof(T)))
    reduce_slices(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
                  const __grid_constant__ level of, int64_t tops_at)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        slice here = slice_of(s, item, of.m);
        strided bottoms = {reinterpret_cast<sb_row *>(shared), here.bottoms()};
        strided tops = {bottoms.rows + sb_spot(here.half, SHIFT) + 1, here.count - here.bottoms()};
        level now = of;
        now.scale = 2;
        bool doubt = false;
        reduce_originals(v, here, of, tops, bottoms, &doubt);
        if (doubt)
            give_up(v);
        for (int stride = 1; stride < here.half; stride *= 2) {
            int each = here.half / (2 * stride);
            ++now.step;
            __syncthreads();
            for (int j = threadIdx.x; j < 2 * each; j += blockDim.x) {
                bool upper = j >= each;
                int i = upper ? 2 * stride * (j - each) : 2 * stride * (j + 1) - 1;
                strided side = side_of(tops, bottoms, upper);
                now.base = here.top - upper;
                if (i < side.m)
                    reduce_at(v, side, now, i, stride);
            }
        }
        __syncthreads();
        for (int h = threadIdx.x; h < bottoms.m; h += blockDim.x)
            room_rows(v, 0)[here.number * here.half + h] = bottoms.at(h);
        if (threadIdx.x == 0)
            room_rows(v, tops_at)[here.number] =
                bottoms.m == here.half ? sb_exchange_right(tops.at(0), bottoms.at(here.half - 1)) : tops.at(0);
    }
}

/* x holds the unknowns of the slices' bottom rows. */
__global__ void __launch_bounds__(SB_REDUCTION_MOST(sizeof(T)))
    substitute_slices(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
                      const __grid_constant__ level of, int64_t x)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter_judged(job, s, item, v))
            continue;
        slice here = slice_of(s, item, of.m);
        strided bottoms = {reinterpret_cast<sb_row *>(shared), here.bottoms()};
        for (int h = threadIdx.x; h < bottoms.m; h += blockDim.x)
            bottoms.at(h) = room_rows(v, 0)[here.number * here.half + h];
        T left = here.number > 0 ? v.room[x + here.number - 1] : T(0);
        __syncthreads();
        if (threadIdx.x == 0 && bottoms.m == here.half)
            bottoms.at(here.half - 1).d = v.room[x + here.number];
        __syncthreads();
        for (int stride = here.half / 2; stride > 0; stride /= 2) {
            substitute_every(bottoms, stride, left);
            __syncthreads();
        }
        bool finite = true, ignored = false;
        for (int g = threadIdx.x; 2 * g < here.count; g += blockDim.x) {
            T before = g > 0 ? bottoms.at(g - 1).d : left, behind = g < bottoms.m ? bottoms.at(g).d : T(0);
            int64_t i = here.top + 2 * g;
            finite = put(v, {true, 0}, i, sb_unknown(row_of(v, of, i, &ignored), before, behind)) && finite;
            if (g < bottoms.m)
                finite = put(v, {true, 0}, i + 1, behind) && finite;
        }
        if (!finite)
            not_finite(v);
    }
}

} // namespace

#endif
