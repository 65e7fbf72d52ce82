/* Links of tiles: the lanes of a warp join those of a run, and find what is between them again. */
#ifndef SB_ALONG_LINKS_CUH
#define SB_ALONG_LINKS_CUH

#include <math.h>

#include "src/chunk/ring_order.h"
#include "src/cuda/along/shape.h"
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/kernels/penta_lane.cuh"
#include "src/cuda/method.h"

namespace
{

enum { LANES = SB_ALONG_RUN, WARPS = SB_ALONG_WARPS, LINK = SB_ALONG_LINK };

struct alike;

/* What all warps of a launch are told. */
struct crowd {
    int64_t systems, tiles;
    int64_t low, high;   /* tiles low .. high - 1 of each system are alike */
    unsigned apart;      /* the blocks 0 .. apart - 1 have the other tiles */
    unsigned every;      /* see shape.h */
    bool records;        /* the launch is to tell of matrices */
    int32_t *told;       /* see shape.h */
    T *joints;           /* of tiles */
    const alike *common; /* what alike tiles have in common */

    /* Which tile is the k-th of the others. */
    __device__ __forceinline__ int64_t other(int64_t k) const
    {
        return k < low ? k : k + (high - low);
    }
};

/* A level's links, and where they are. */
struct level {
    T *numbers;
    int64_t count; /* of a system */

    __device__ __forceinline__ T *place(int64_t system, int64_t k) const
    {
        return numbers + (system * (count + 1) + k) * LINK;
    }
};

/* Joints: of a lane that leaves its run, its unknowns by those around it. */
struct joint {
    sb_penta_known at[2];
};

static_assert(sizeof(joint) == SB_ALONG_JOINT * sizeof(T) && SB_ALONG_JOINT <= SB_ALONG_LINK,
              "it takes a link's place");

template <class S> __device__ __forceinline__ void put(T *to, const S &what)
{
    enum { COUNT = sizeof(S) / sizeof(T) };
    T words[COUNT];
    memcpy(words, &what, sizeof what);
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        to[i] = words[i];
}

template <class S> __device__ __forceinline__ S get(const T *from)
{
    enum { COUNT = sizeof(S) / sizeof(T) };
    T words[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        words[i] = from[i];
    S what;
    memcpy(&what, words, sizeof what);
    return what;
}

__device__ __forceinline__ void put_link(T *to, const sb_penta_left &link)
{
#pragma unroll
    for (int e = 0; e < 2; ++e, to += LINK / 2) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            to[j] = link.ends[e].a[j];
            to[2 + j] = link.ends[e].b[j];
            to[4 + j] = link.ends[e].c[j];
            to[7 + j] = link.head[e].p[j];
            to[9 + j] = link.head[e].u[j];
        }
        to[6] = link.ends[e].d;
        to[11] = link.head[e].y;
    }
}

__device__ __forceinline__ sb_penta_left get_link(const T *from)
{
    sb_penta_left link;
#pragma unroll
    for (int e = 0; e < 2; ++e, from += LINK / 2) {
        sb_penta_end &end = link.ends[e];
        end = {{from[0], from[1]}, {from[2], from[3]}, {from[4], from[5]}, from[6], 0};
        end.scale =
            sb_larger_size(sb_largest_of(from[0], from[1], from[2]), sb_largest_of(from[3], from[4], from[5]));
        link.head[e] = {from[11], {from[7], from[8]}, {from[9], from[10]}};
    }
    return link;
}

/* Whether elimination may be trusted; a link with no number in it tells all that it is joined to. */
__device__ __forceinline__ bool is_safe(sb_met met)
{
#pragma unroll
    for (int step = 1; step < LANES; step *= 2) {
        met.growth = max(met.growth, __shfl_xor_sync(~0u, met.growth, step));
        met.bad = min(met.bad, __shfl_xor_sync(~0u, met.bad, step));
    }
    return sb_met_within(met, SB_CUDA_GROWTH_LIMIT);
}

__device__ __forceinline__ void poison(sb_penta_left *link)
{
    link->ends[0].b[0] = static_cast<R>(NAN);
}

/* Where a tile keeps a lane's joint; see shape.h. */
__device__ __forceinline__ bool keeps_joint(const crowd &all, int lane, int end)
{
    return lane < end && ((lane + 1) & (all.every - 1)) == 0;
}

/* numbers: of a joint that is kept, or of the part of it that is. */
__device__ __forceinline__ T *joint_at(const crowd &all, int64_t system, int64_t tile, int lane,
                                       int numbers = SB_ALONG_JOINT)
{
    const unsigned of_tile = SB_ALONG_JOINTS(all.every) * SB_ALONG_JOINT,
                   slot = static_cast<unsigned>(lane + 1) / all.every - 1;
    return all.joints + (system * all.tiles + tile) * of_tile + slot * numbers;
}

/* What is left of a chunk, and what sweeping it has met. */
struct swept {
    sb_penta_left left;
    sb_met met;
};

/* Of links that follow one another: the last lane's is that of all; the others' are solved for by those around them. */
struct folded {
    sb_penta_left left;
    joint between;
    sb_met met;
};

/* Lanes 0 .. end have links, of which every second one of those that are left is solved for and goes into those around it, as long as
   these are less than `until` lanes away. All lanes call. */
__device__ __forceinline__ folded fold_lanes(swept of, int lane, int end, int until = LANES)
{
    folded to = {of.left, {}, of.met};
    sb_penta_left &mine = to.left;
    sb_penta_known other[2];
    sb_penta_known_from(mine.head, lane < end ? lane + 1 : 0, LANES, other);
    if (lane < end)
        sb_penta_take_behind(mine.ends, other, &to.met);
    else if (lane == end)
#pragma unroll
        for (int e = 0; e < 2; ++e)
            mine.head[e] = other[e];
#pragma unroll 1
    for (int s = 1; s <= end && s < until; s *= 2) {
        const bool there = lane <= end, leaves = there && sb_ring_leaves(lane, end, s),
                   stays = there && !leaves && sb_ring_has(lane, end, s);
        const int before = there ? sb_ring_before(lane, end, s) : end,
                  behind = there ? sb_ring_behind(lane, end, s) : end;
        if (leaves)
            sb_penta_solve(mine.ends, lane, to.between.at, &to.met);
        __syncwarp();
        sb_penta_known_from(to.between.at, before, LANES, other);
        if (stays && sb_ring_leaves(before, end, s))
            sb_penta_take_before(mine.ends, other, &to.met);
        sb_penta_known_from(to.between.at, behind, LANES, other);
        if (stays && sb_ring_leaves(behind, end, s)) {
            if (lane < end)
                sb_penta_take_behind(mine.ends, other, &to.met);
            else
                sb_penta_heads_pass(mine.head, other);
        }
    }
    return to;
}

/* From the unknowns before lane 0 and those of lane `end`, the lanes'. */
__device__ __forceinline__ sb_penta_pair unfold_lanes(const joint &between, int lane, int end,
                                                      const sb_penta_pair &left, const sb_penta_pair &right)
{
    sb_penta_pair own = right;
    int s = 1;
    while (2 * s <= end)
        s *= 2;
#pragma unroll 1
    for (; s > 0; s /= 2) {
        const bool leaves = lane <= end && sb_ring_leaves(lane, end, s);
        sb_penta_pair before = own.of_lane(leaves && lane >= s ? lane - s : lane, LANES);
        const sb_penta_pair behind = own.of_lane(leaves ? sb_ring_behind(lane, end, s) : lane, LANES);
        if (leaves && lane < s)
            before = left;
        if (leaves)
            own = sb_penta_pair_between(between.at, before, behind);
    }
    return own;
}

/* This warp's number among all of a launch. */
__device__ __forceinline__ int64_t number_of_warp()
{
    return blockIdx.x * static_cast<int64_t>(WARPS) + threadIdx.x / LANES;
}

/* The last lane that has a link of this run. */
__device__ __forceinline__ int last_of(const level &at, int64_t run)
{
    const int64_t behind = at.count - run * LANES;
    return static_cast<int>(behind < LANES ? behind : LANES) - 1;
}

/* A run's links; lane `end` has the link of all, whose b is no number unless all are safe. */
__device__ __forceinline__ folded fold_run(const level &at, int64_t system, int64_t run, int lane)
{
    const int end = last_of(at, run);
    const swept mine = {get_link(at.place(system, run * LANES + min(lane, end))), sb_nothing_met()};
    const bool whole = mine.left.ends[0].b[0] == mine.left.ends[0].b[0];
    folded to = fold_lanes(mine, lane, end);
    if (!is_safe(to.met) || !__all_sync(~0u, whole))
        poison(&to.left);
    return to;
}

/* What is before each link of a run takes its joint's place; behind the level's last one it has a place of its own. All lanes have
   read theirs. */
__device__ __forceinline__ void put_ends(const level &at, int64_t system, int64_t run, int lane,
                                         const sb_penta_pair &left, const sb_penta_pair &own)
{
    const int end = last_of(at, run);
    const int64_t first = run * LANES;
    if (lane < end || (lane == end && first + end + 1 == at.count))
        put(at.place(system, first + lane + 1), own);
    if (lane == 0)
        put(at.place(system, first), left);
}

__global__ void __launch_bounds__(WARPS *LANES)
    fold_runs(const __grid_constant__ crowd all, const __grid_constant__ level at,
              const __grid_constant__ level to)
{
    const int64_t number = number_of_warp(), system = number / to.count, run = number % to.count;
    const int lane = static_cast<int>(threadIdx.x % LANES);
    if (!sb_has_engine || system >= all.systems)
        return;
    const folded all_of_run = fold_run(at, system, run, lane);
    __syncwarp();
    const int end = last_of(at, run);
    if (lane < end)
        put(at.place(system, run * LANES + lane), all_of_run.between); /* in its link's place */
    if (lane == end)
        put_link(to.place(system, run), all_of_run.left);
}

/* The unknowns at the ends of a level's links become those at the ends of the links that they were joined from. */
__global__ void __launch_bounds__(WARPS *LANES)
    unfold_runs(const __grid_constant__ crowd all, const __grid_constant__ level from,
                const __grid_constant__ level at)
{
    const int64_t number = number_of_warp(), system = number / from.count, run = number % from.count;
    const int lane = static_cast<int>(threadIdx.x % LANES), end = last_of(at, run);
    if (!sb_has_engine || system >= all.systems)
        return;
    const sb_penta_pair left = get<sb_penta_pair>(from.place(system, run)),
                        right = get<sb_penta_pair>(from.place(system, run + 1));
    T *place = at.place(system, run * LANES + min(lane, end));
    const joint between = get<joint>(place);
    const sb_penta_pair own = unfold_lanes(between, lane, end, left, right);
    __syncwarp();
    put_ends(at, system, run, lane, left, own);
}

} // namespace

#endif
