/* A lane's chunk of a pentadiagonal line: rows stay in shared memory, where what a row is solved by takes its place.
 *
 * Of a row 7 words come and go, 6 in and 1 out; on chip it is 6 read, 5 written, 5 read, 1 written. So warps have one stage, and as
 * many of them as have room take turns at being fed. */
#ifndef SB_CUDA_TILE_OWN_PENTA_LANE_CUH
#define SB_CUDA_TILE_OWN_PENTA_LANE_CUH

#include "src/chunk/penta_chain.h"
#include "src/cuda/tile/own_lane.cuh"

namespace
{

__device__ __forceinline__ void sb_penta_known_from(const sb_penta_known (&s)[2], int lane, int width,
                                                    sb_penta_known (&there)[2])
{
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        there[e].y = sb_shuffle(s[e].y, lane, width);
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            there[e].p[j] = sb_shuffle(s[e].p[j], lane, width);
            there[e].u[j] = sb_shuffle(s[e].u[j], lane, width);
        }
    }
}

/* What is left of a swept chunk. */
struct sb_penta_left {
    sb_penta_end ends[2];
    sb_penta_known head[2];
};

/* The lanes' separators; number: the first one's row. Lines whose chunks are parted by roundings are solved for at once, unless
   another one of the warp is not: then all take part in the reduction, by which those that are get the same bits. */
__device__ __forceinline__ sb_own_unknowns<2> sb_penta_lanes_chain(sb_penta_left left, int lane, int width,
                                                                   int number, sb_met *met)
{
    int around = width - 1, step = 1;
    sb_penta_known kept[2] = {{0, {0, 0}, {0, 0}}, {0, {0, 0}, {0, 0}}}, other[2];
    sb_own_unknowns<2> x = {{0, 0}};
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
        const sb_own_unknowns<2> before = x.of_lane((lane - step) & around, width),
                                 behind = x.of_lane((lane + step) & around, width);
        if (((lane + 1) & (2 * step - 1)) == step)
#pragma unroll
            for (int s = 0; s < 2; ++s)
                x.at[s] = sb_penta_at(kept[s], before.at, behind.at);
    }
    return x;
}

struct sb_own_penta_lane : sb_own_lane<6> {
    enum { PLANES = 6, RHS = 5, WARPS = SB_TILE_PENTA_LINE_WARPS(sizeof(T)), IN_REGISTERS = false };
    struct kept_rows {
    };
    typedef sb_own_unknowns<2> unknowns;
    typedef sb_penta_left separators;
    using sb_own_lane<6>::sb_own_lane;

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
    /* Row i; diagonals that the band does not have are 0. */
    __device__ __forceinline__ sb_penta_row read(int i) const
    {
        sb_penta_row row;
#pragma unroll
        for (int a = 0; a < 5; ++a)
            row.at[a] = mover.from.at[a] ? at[a][i] : (T)0;
        row.d = right(i);
        return row;
    }
    __device__ __forceinline__ void keep(int i, const sb_penta_known &solved) const
    {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            at[j][i] = solved.p[j];
            at[3 + j][i] = solved.u[j];
        }
        at[RHS][i] = solved.y;
    }
    __device__ __forceinline__ sb_penta_known kept(int i) const
    {
        return {at[RHS][i], {at[0][i], at[1][i]}, {at[3][i], at[4][i]}};
    }
    /* From the first row on; one is read while the one before it is swept. */
    __device__ __forceinline__ separators sweep(int line, kept_rows *, sb_met *met) const
    {
        mend(line);
        sb_penta_sweep swept = sb_penta_begin();
        sb_penta_row ahead = read(0);
        separators left;
#pragma unroll 2
        for (int i = 0; i + 2 < rows; ++i) {
            const sb_penta_row row = ahead;
            ahead = read(i + 1);
            keep(i, sb_penta_sweep_row(&swept, row, start + i, met));
        }
        left.ends[0] = sb_penta_end_of(0, ahead, &swept, met);
        left.ends[1] = sb_penta_end_of(1, read(rows - 1), &swept, met);
        left.head[0] = swept.head[0];
        left.head[1] = swept.head[1];
        return left;
    }
    __device__ __forceinline__ unknowns chain(const separators &left, sb_met *met) const
    {
        return sb_penta_lanes_chain(left, lane, job.lines.width, start + rows - 2, met);
    }
    /* From the separators on both sides; rows ahead are read before one is written. False: a number of the solution is NaN or
       Inf. */
    __device__ __forceinline__ bool back(const kept_rows &, const unknowns &before, const unknowns &own) const
    {
        sb_exponent seen;
        T behind[2] = {own.at[0], own.at[1]};
        sb_penta_known next = rows > 2 ? kept(rows - 3) : sb_penta_known();
        put(rows - 1, behind[1], &seen);
        put(rows - 2, behind[0], &seen);
#pragma unroll 2
        for (int i = rows - 3; i >= 0; --i) {
            const sb_penta_known here = next;
            if (i > 0)
                next = kept(i - 1);
            T value = sb_penta_at(here, before.at, behind);
            behind[1] = behind[0];
            behind[0] = value;
            put(i, value, &seen);
        }
        return !seen.broken();
    }
};

} // namespace

#endif
