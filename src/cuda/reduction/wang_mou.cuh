/* Wang & Mou's method (src/cpu/kernels/wang_mou.c). A tile's rows merge in shared memory into one block, all of whose rows
 * couple to the unknowns next to the tile. Of these only the tile's first and last are needed to go on: they are the rows of
 * the next level, where a tile is a block of two rows to begin with. The other rows wait for the unknowns next to the
 * tile, instead of being widened with every merge. Words a row: 4 in, 4 out; 4 in, 1 out back; levels above the first have
 * 2 rows for each tile. */
#ifndef SB_REDUCTION_WANG_MOU_CUH
#define SB_REDUCTION_WANG_MOU_CUH

#include "src/cuda/reduction/rows.cuh"

namespace
{

/* What names row i of a tiled level in the system. */
struct tiled_naming {
    int64_t n, tile;
    int depth, step;
};

__device__ __noinline__ void note_tiled(const view &v, int64_t n, int64_t tile, int depth, int step, int64_t i)
{
    note(v, step, sb_tiled_row(n, tile, depth, i));
}

__device__ __forceinline__ void check_tiled(const view &v, const tiled_naming &by, int64_t i, T pivot)
{
    if (sb_bad_pivot(pivot))
        note_tiled(v, by.n, by.tile, by.depth, by.step, i);
}

/* Blocks of u rows become blocks of 2u: upper s..m-1, lower m..e-1. */
__device__ void merge(const view &v, const tiled_naming &naming, int64_t top, sb_row *rows, int count, int u)
{
    for (int j = threadIdx.x; u * (2 * j + 1) < count; j += blockDim.x) {
        int m = u * (2 * j + 1);
        sb_row right = rows[m - 1];
        check_tiled(v, naming, top + m - 1, right.b);
        sb_row left = sb_reduce_left(rows[m], right);
        check_tiled(v, naming, top + m, left.b);
        rows[m] = left;
        rows[m - 1] = sb_replace_right(right, left);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        int m = (i & ~(2 * u - 1)) + u;
        if (m < count && i != m && i != m - 1)
            rows[i] = i < m ? sb_replace_right(rows[i], rows[m]) : sb_replace_left(rows[i], rows[m - 1]);
    }
    __syncthreads();
}

/* Blocks of `u` rows at first. `whole`: the tile is all there is, and its unknowns go to `to`; else its rows go to
   `merged` and its ends to `next`. */
__global__ void __launch_bounds__(SB_REDUCTION_MOST(sizeof(T)))
    merge_tiles(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s,
                const __grid_constant__ level of, tiled_naming naming, bool whole, int64_t merged, int64_t next,
                target to)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ view v;
    sb_row *rows = reinterpret_cast<sb_row *>(shared);
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter(job, s, item, v))
            continue;
        int64_t tile = item % s.parts, top = tile * s.per;
        int count = static_cast<int>(of.m - top < s.per ? of.m - top : s.per);
        bool doubt = false, finite = true;
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            rows[i] = row_of(v, of, top + i, &doubt);
        if (__syncthreads_or(doubt)) {
            if (threadIdx.x == 0)
                give_up(v);
            continue;
        }
        tiled_naming here = naming;
        for (int u = of.kind == LINES ? 1 : 2; u < count; u *= 2, ++here.step)
            merge(v, here, top, rows, count, u);
        if (!whole) {
            for (int i = threadIdx.x; i < count; i += blockDim.x)
                room_rows(v, merged)[top + i] = rows[i];
            if (threadIdx.x < 2 && static_cast<int>(threadIdx.x) < count)
                room_rows(v, next)[2 * tile + threadIdx.x] = rows[threadIdx.x ? count - 1 : 0];
            continue;
        }
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            check_tiled(v, here, i, rows[i].b);
            finite = put(v, to, i, sb_unknown(rows[i], 0, 0)) && finite;
        }
        bool all_finite = !__syncthreads_or(!finite);
        if (threadIdx.x == 0)
            judge(v, job.wary, all_finite);
    }
}

/* The rows that waited. */
__global__ void __launch_bounds__(SB_REDUCTION_THREADS, SB_REDUCTION_BLOCKS)
    part_tiles(const __grid_constant__ sb_cuda_job job, const __grid_constant__ spread s, int64_t m,
               int64_t tile, int64_t merged, int64_t next, target to)
{
    __shared__ view v;
    for (int64_t item = blockIdx.x; item < s.count * s.parts; item += gridDim.x) {
        if (!enter_judged(job, s, item, v))
            continue;
        bool finite = true;
        int64_t begin = item % s.parts * s.per, end = begin + s.per < m ? begin + s.per : m;
        const T *x = v.room + next;
        for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
            int64_t t = i / tile, top = t * tile, bottom = top + tile < m ? top + tile - 1 : m - 1;
            T value;
            if (i == top || i == bottom)
                value = x[2 * t + (i > top)];
            else
                value = sb_unknown(room_rows(v, merged)[i], t > 0 ? x[2 * t - 1] : T(0),
                                   bottom + 1 < m ? x[2 * t + 2] : T(0));
            finite = put(v, to, i, value) && finite;
        }
        if (!finite)
            not_finite(v);
    }
}

} // namespace

#endif
