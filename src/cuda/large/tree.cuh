/* A warp joins the links of its 32 lanes, and hands the pairs back down. */
#ifndef SB_LARGE_TREE_CUH
#define SB_LARGE_TREE_CUH

#include "src/cuda/large/tile.cuh"

namespace
{

enum { JOINTS = LANES - 1 }; /* of a warp */

/* The pairs at both ends of a run. */
struct ends {
    sb_pair left, right;
};

__device__ __forceinline__ T from_lane_below(T z, int distance)
{
#if SB_COMPLEX
    return T(__shfl_down_sync(ALL, z.re, distance), __shfl_down_sync(ALL, z.im, distance));
#else
    return __shfl_down_sync(ALL, z, distance);
#endif
}

__device__ __forceinline__ sb_equation from_lane_below(const sb_equation &e, int distance)
{
    sb_equation f;
    f.l0 = from_lane_below(e.l0, distance);
    f.l1 = from_lane_below(e.l1, distance);
    f.r0 = from_lane_below(e.r0, distance);
    f.r1 = from_lane_below(e.r1, distance);
    f.d = from_lane_below(e.d, distance);
    return f;
}

__device__ __forceinline__ T from_lane(T z, int lane)
{
#if SB_COMPLEX
    return T(__shfl_sync(ALL, z.re, lane), __shfl_sync(ALL, z.im, lane));
#else
    return __shfl_sync(ALL, z, lane);
#endif
}

__device__ __forceinline__ sb_pair from_lane(const sb_pair &pair, int lane)
{
    sb_pair p;
    p.first = from_lane(pair.first, lane);
    p.second = from_lane(pair.second, lane);
    return p;
}

__device__ __forceinline__ ends from_lane(const ends &e, int lane)
{
    ends f;
    f.left = from_lane(e.left, lane);
    f.right = from_lane(e.right, lane);
    return f;
}

/* Joins the first `count` lanes' links, neighbours first; lane 0 returns the whole. Joint i belongs to the pair between
   lanes i and i + 1; `keep` keeps them. The other lanes compute nonsense that nobody reads. */
__device__ sb_link join_lanes(sb_link mine, int count, bool keep, sb_joint *joints, int lane)
{
#pragma unroll 1
    for (int d = 1; d < count; d *= 2) {
        sb_link next;
        next.top = from_lane_below(mine.top, d);
        next.bottom = from_lane_below(mine.bottom, d);
        sb_used used;
        mine = sb_join_links(&mine, &next, &used);
        if (keep && lane % (2 * d) == 0)
            joints[lane + d - 1] = sb_joint_of(&used);
    }
    __syncwarp();
    return mine;
}

/* The ends of each lane's run from those of the whole. */
__device__ ends part_lanes(ends whole, int count, const sb_joint *joints, int lane)
{
    int widest = count > 1 ? 1 << (31 - __clz(count - 1)) : 0;
#pragma unroll 1
    for (int d = widest; d; d /= 2) {
        sb_joint joint = joints[(lane & ~(2 * d - 1)) + d - 1];
        sb_pair middle = sb_between(&joint, whole.left, whole.right);
        if (lane & d)
            whole.left = middle;
        else
            whole.right = middle;
    }
    return whole;
}

} // namespace

#endif
