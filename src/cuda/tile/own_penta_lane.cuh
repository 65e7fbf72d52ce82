/* A lane's chunk of a pentadiagonal line: rows stay in shared memory, where what a row is solved by takes its place.
 *
 * Of a row 7 words come and go, 6 in and 1 out; on chip it is 6 read, 5 written, 5 read, 1 written. So warps have one stage, and as
 * many of them as have room take turns at being fed. */
#ifndef SB_CUDA_TILE_OWN_PENTA_LANE_CUH
#define SB_CUDA_TILE_OWN_PENTA_LANE_CUH

#include "src/cuda/kernels/penta_lane.cuh"
#include "src/cuda/tile/own_lane.cuh"

namespace
{

/* The lanes' separators; number: the first one's row. Lines whose chunks are parted by roundings are solved for at once, unless
   another one of the warp is not: then all take part in the reduction, by which those that are get the same bits. */
__device__ __forceinline__ sb_penta_pair sb_penta_lanes_chain(sb_penta_left left, int lane, int width,
                                                              int number, sb_met *met)
{
    int around = width - 1, step = 1;
    sb_penta_known kept[2] = {{0, {0, 0}, {0, 0}}, {0, {0, 0}, {0, 0}}}, other[2];
    sb_penta_pair x = {{0, 0}};
    sb_penta_known_from(left.head, (lane + 1) & around, width, other);
    sb_penta_take_behind(left.ends, other, met);
    bool coupled = __any_sync(~0u, !sb_penta_part(left.ends));
#pragma unroll 1
    for (; coupled && step < width; step *= 2) {
        int turn = (lane + 1) & (2 * step - 1);
        if (turn == step)
            sb_penta_solve(left.ends, number, kept, met);
        __syncwarp();
        sb_penta_known_from(kept, (lane - step) & around, width, other);
        if (turn == 0)
            sb_penta_take_before(left.ends, other, met);
        sb_penta_known_from(kept, (lane + step) & around, width, other);
        if (turn == 0)
            sb_penta_take_behind(left.ends, other, met);
    }
    if (lane == around || !coupled)
        sb_penta_close(left.ends, number, x.at, met);
    __syncwarp();
#pragma unroll 1
    for (step /= 2; step > 0; step /= 2) {
        const sb_penta_pair before = x.of_lane((lane - step) & around, width),
                            behind = x.of_lane((lane + step) & around, width);
        if (((lane + 1) & (2 * step - 1)) == step)
#pragma unroll
            for (int s = 0; s < 2; ++s)
                x.at[s] = sb_penta_at(kept[s], before.at, behind.at);
    }
    return x;
}

struct sb_own_penta_lane : sb_own_lane<SB_PENTA_PLANES> {
    enum { PLANES = SB_PENTA_PLANES, WARPS = SB_TILE_PENTA_LINE_WARPS(sizeof(T)), IN_REGISTERS = false };
    struct kept_rows {
    };
    typedef sb_penta_pair unknowns;
    typedef sb_penta_left separators;
    using sb_own_lane<PLANES>::sb_own_lane;

    /* The entries that leave the matrix: two of its first row, one of its second, and so at its end. */
    __device__ __forceinline__ void mend(int line) const
    {
        if (!job.open && !job.turned)
            return;
#pragma unroll
        for (int e = 0; e < 3; ++e) {
            const int i = e / 2, a = e % 2;
            if (lane == 0 && mover.from.at[a])
                at[a][i] = outer(a, i, line, false);
            if (is_last() && mover.from.at[4 - a])
                at[4 - a][rows - 1 - i] = outer(4 - a, rows - 1 - i, line, true);
        }
    }
    __device__ __forceinline__ sb_penta_rows chunk() const
    {
        sb_penta_rows mine = {{}, x, rows, 0, solves, conjugate};
#pragma unroll
        for (int p = 0; p < PLANES; ++p) {
            mine.at[p] = at[p];
            mine.band |= (mover.from.at[p] != nullptr) << p;
        }
        return mine;
    }
    __device__ __forceinline__ separators sweep(int line, kept_rows *, sb_met *met) const
    {
        mend(line);
        return chunk().sweep(start, true, met);
    }
    __device__ __forceinline__ unknowns chain(const separators &left, sb_met *met) const
    {
        return sb_penta_lanes_chain(left, lane, job.lines.width, start + rows - 2, met);
    }
    __device__ __forceinline__ bool back(const kept_rows &, const unknowns &before, const unknowns &own) const
    {
        return chunk().back(before, own);
    }
};

} // namespace

#endif
