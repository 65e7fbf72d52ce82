/* Rows in shared memory that are halved where they stand: at stride v the rows v-1, 2v-1, ... are a system. An unknown takes
 * the place of its row's d. */
#ifndef SB_REDUCTION_STRIDED_CUH
#define SB_REDUCTION_STRIDED_CUH

#include "src/cuda/reduction/rows.cuh"

namespace
{

struct strided {
    sb_row *rows;
    int m;

    __device__ sb_row &at(int i) const
    {
        return rows[sb_spot(i, SHIFT)];
    }
};

/* {i-v, i, i+v} becomes {i-2v, i, i+2v}. */
__device__ __forceinline__ void reduce_at(const view &v, const strided &s, const level &of, int i, int stride)
{
    sb_row e = s.at(i);
    if (i >= stride) {
        sb_row left = s.at(i - stride);
        check_pivot(v, of, i - stride, left.b);
        e = sb_reduce_left(e, left);
    }
    if (i + stride < s.m) {
        sb_row right = s.at(i + stride);
        check_pivot(v, of, i + stride, right.b);
        e = sb_reduce_right(e, right);
    }
    s.at(i) = e;
}

/* Stride 2v from v. */
__device__ void reduce_every(const view &v, const strided &s, const level &of, int stride)
{
    for (int j = threadIdx.x; j < s.m / stride / 2; j += blockDim.x)
        reduce_at(v, s, of, 2 * stride * (j + 1) - 1, stride);
}

/* The unknowns v-1, 3v-1, ... from those at 2v-1, 4v-1, ...; `left` is the one before the first row. */
__device__ void substitute_every(const strided &s, int stride, T left)
{
    for (int j = threadIdx.x; j < (s.m / stride + 1) / 2; j += blockDim.x) {
        int i = stride * (2 * j + 1) - 1;
        T before = i >= stride ? s.at(i - stride).d : left;
        T behind = i + stride < s.m ? s.at(i + stride).d : T(0);
        s.at(i).d = sb_unknown(s.at(i), before, behind);
    }
}

/* The last one or two rows {., i, j} and {i, j, .}. */
__device__ void solve_last(const view &v, const level &of, int i, int j, sb_row e, sb_row f, T *xi, T *xj)
{
    if (i == j) {
        check_pivot(v, of, i, e.b);
        *xi = sb_unknown(e, 0, 0);
        return;
    }
    int side = sb_solve_pair(e, f, xi, xj);
    if (side >= 0)
        check_pivot(v, of, side ? j : i, 0);
}

/* By all threads of a block, from and to a barrier. */
__device__ void solve_strided(const view &v, const strided &s, level of)
{
    int stride = 1;
    for (; s.m / stride > 2; stride *= 2) {
        __syncthreads();
        reduce_every(v, s, of, stride);
        ++of.step;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int i = stride - 1, j = s.m / stride > 1 ? 2 * stride - 1 : i;
        solve_last(v, of, i, j, s.at(i), s.at(j), &s.at(i).d, &s.at(j).d);
    }
    __syncthreads();
    while (stride > 1) {
        stride /= 2;
        substitute_every(s, stride, 0);
        __syncthreads();
    }
}

} // namespace

#endif
