/* What the kernels of block cyclic reduction share: where rows of a line lie, and which blocks a sub-problem reads.
 *
 * A line of `rows` unknowns is stored by the levels of its cyclic reduction: first the odd rows, then the odd ones of the rest, and so
 * on. Each level's rows are neighbours, so that threads that take one each meet no bank twice, and the rows from a level on
 * are the line's end. It is the paper's permutation, made once and for all levels. A row behind those (a ring's last one)
 * keeps its place. */
#ifndef SB_POISSON_GPU_BLOCKS_CUH
#define SB_POISSON_GPU_BLOCKS_CUH

#include "src/poisson/gpu_bcr.h"

/* Blocks of a launch whose blocks take more than one item where there are too many. */
static inline unsigned sb_grid_for(int64_t items)
{
    constexpr int64_t most = 1 << 30;
    return static_cast<unsigned>(items < most ? items : most);
}

/* Where row i = 1, 2, ... of level r lies: row i << r of the line. */
__device__ __forceinline__ uint32_t sb_place(uint32_t rows, int r, uint32_t i)
{
    int z = __ffs(static_cast<int>(i)) - 1;
    return rows - (rows >> (r + z)) + (i >> (z + 1));
}

/* Where row i = 1, 2, ... of a whole line lies. */
__device__ __forceinline__ uint32_t sb_place_in_line(uint32_t rows, uint32_t i)
{
    return i > rows ? i - 1 : sb_place(rows, 0, i);
}

/* The blocks that sub-problem number `interval` of a field reads; NULL where there are none. */
struct sb_sources {
    const T *block[SB_STEP_SOURCES];
};

__device__ __forceinline__ sb_sources sb_sources_of(const sb_gpu_step &s, int64_t field, int64_t interval,
                                                    const T *u)
{
    sb_sources from;
    int64_t base = s.step.first + interval * s.step.stride;
#pragma unroll
    for (int k = 0; k < SB_STEP_SOURCES; ++k) {
        int64_t at = base + s.step.source[k];
        bool there = k < s.step.sources && at >= 1 && at <= s.n;
        from.block[k] = there ? u + (field * s.n + at - 1) * s.points : nullptr;
    }
    return from;
}

__device__ __forceinline__ T sb_mix(const sb_sources &from, const T (&in)[SB_STEP_SOURCES], int64_t point)
{
    T sum = 0;
#pragma unroll
    for (int k = 0; k < SB_STEP_SOURCES; ++k)
        if (from.block[k])
            sum += in[k] * from.block[k][point];
    return sum;
}

#endif
