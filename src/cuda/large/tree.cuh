/* A warp joins the links of its 32 lanes, and hands the ends back down.
 *
 * K is a kind of elimination, pivoted.cuh's or plain.cuh's: its link of a run, the joint that joining two runs leaves
 * behind, the end by which a run is known at either side, and how many levels of a whole warp are worth writing out. */
#ifndef SB_LARGE_TREE_CUH
#define SB_LARGE_TREE_CUH

#include <string.h>

#include "src/cuda/large/tile.cuh"

namespace
{

enum { JOINTS = LANES - 1, WARP_LEVELS = 5 }; /* of a warp */

template <class END> struct ends {
    END left, right;
};

/* What another lane holds; lanes are counted around the warp. */
template <class S> __device__ __forceinline__ S from_lane(const S &mine, int lane)
{
    enum { WORDS = sizeof(S) / sizeof(unsigned) };
    unsigned words[WORDS];
    memcpy(words, &mine, sizeof mine);
#pragma unroll
    for (int i = 0; i < WORDS; ++i)
        words[i] = __shfl_sync(ALL, words[i], lane);
    S other;
    memcpy(&other, words, sizeof other);
    return other;
}

/* Joins the links of lanes 2 d apart: neighbours' runs of d lanes. */
template <class K>
__device__ __forceinline__ void join_level(const K &kind, typename K::link *mine, int d, bool joins, bool keep,
                                           typename K::joint *joints, int lane)
{
    typename K::link next = from_lane(*mine, lane + d);
    if (joins) {
        typename K::used used;
        *mine = kind.join(*mine, next, &used);
        if (keep && lane % (2 * d) == 0)
            joints[lane + d - 1] = K::joint_of(used);
    }
}

/* Joins the first `count` lanes' links, neighbours first; lane 0 returns the whole. Joint i belongs to the ends between
   lanes i and i + 1; without `keep` none is kept. Most lanes compute nonsense that nobody reads. */
template <class K>
__device__ typename K::link join_lanes(const K &kind, typename K::link mine, int count, bool keep,
                                       typename K::joint *joints, int lane)
{
    if (K::LEVELS == WARP_LEVELS && count == LANES)
#pragma unroll
        for (int d = 1; d < LANES; d *= 2)
            join_level(kind, &mine, d, true, keep, joints, lane);
    else
#pragma unroll 1
        for (int d = 1; d < count; d *= 2)
            join_level(kind, &mine, d, lane + d < count, keep, joints, lane);
    __syncwarp();
    return mine;
}

template <class K>
__device__ __forceinline__ void part_level(ends<typename K::end> *whole, int d, int count,
                                           const typename K::joint *joints, int lane)
{
    int first = lane & ~(2 * d - 1);
    if (first + d >= count)
        return;
    typename K::end middle = K::between(joints[first + d - 1], whole->left, whole->right);
    if (lane & d)
        whole->left = middle;
    else
        whole->right = middle;
}

/* The ends of each lane's run from those of the whole. */
template <class K>
__device__ ends<typename K::end> part_lanes(ends<typename K::end> whole, int count,
                                            const typename K::joint *joints, int lane)
{
    if (K::LEVELS == WARP_LEVELS && count == LANES)
#pragma unroll
        for (int d = LANES / 2; d; d /= 2)
            part_level<K>(&whole, d, LANES, joints, lane);
    else
#pragma unroll 1
        for (int d = LANES / 2; d; d /= 2)
            part_level<K>(&whole, d, count, joints, lane);
    __syncwarp();
    return whole;
}

} // namespace

#endif
