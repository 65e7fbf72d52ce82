/* Links joined level by level by the lanes of a warp, until no run's ends depend on each other (plain.h): then all separators
 * that are left follow at once. Whether a level was safe is asked behind the last one. Ends are handed back down the same way. */
#ifndef SB_LARGE_APART_CUH
#define SB_LARGE_APART_CUH

#include "src/chunk/plain.h"
#include "src/cuda/large/tree.cuh"

namespace
{

/* What eliminations have met, by sizes: the smallest of a pivot's inverse, and the largest of a pair of coefficients and of
   a d. */
struct met {
    int least, pair, d;
};

__device__ __forceinline__ void meet(met *m, const sb_plain_kept &kept, bool counts)
{
    const int pair = sb_size(static_cast<T>(sb_abs1(kept.before) + sb_abs1(kept.next))), d = sb_size(kept.d);
    m->pair = max(m->pair, counts ? pair : 0);
    m->d = max(m->d, counts ? d : 0);
}

/* Plain elimination in which no unknown overflows, as far as that can be told in advance (plain.h). A pair may exceed the limit
   by less than what its size tells. */
struct bounded {
    R limit;
    int largest; /* size */

    __device__ __forceinline__ bool holds(const met &m) const
    {
        return m.least > 0 && m.pair <= sb_size(static_cast<T>(limit)) && m.d <= largest;
    }
};

/* One level of the first `count` lanes' links; joint i lies between lanes i and i + 1. Most lanes compute nonsense. */
__device__ __forceinline__ void join_one(sb_plain_link *mine, int d, int count, sb_plain_kept *joints, int lane,
                                         met *m)
{
    const bool behind = lane + d < count, counts = behind & ((lane & (2 * d - 1)) == 0);
    sb_plain_link next = from_lane(*mine, lane + d);
    sb_plain_kept between;
    int least = INT_MAX;
    sb_plain_link both = sb_plain_joined(mine, &next, &between, &least);
    if (counts)
        joints[lane + d - 1] = between;
    if (behind)
        *mine = both;
    meet(m, between, counts);
    m->least = min(m->least, counts ? least : INT_MAX);
}

/* Runs of d lanes whose ends are apart: all separators between them at once, each in the first lane of the run before it. All
   lanes have the link of the whole. */
__device__ __forceinline__ T join_apart(sb_plain_link *mine, int d, int count, sb_plain_kept *joints, int lane,
                                        met *m)
{
    const bool counts = (lane & (d - 1)) == 0 && lane + d < count;
    const int last = (count - 1) & ~(d - 1);
    int least = INT_MAX;
    T head_before = from_lane(mine->head_before, lane + d), head_d = from_lane(mine->head_d, lane + d);
    const sb_plain_kept between = sb_plain_between(mine, head_before, head_d, &least);
    if (counts)
        joints[lane + d - 1] = between;
    mine->head_before = from_lane(mine->head_before, 0);
    mine->head_d = from_lane(mine->head_d, 0);
    mine->own = from_lane(mine->own, last);
    mine->d = from_lane(mine->d, last);
    mine->next = from_lane(mine->next, last);
    meet(m, between, counts);
    m->least = min(m->least, counts ? least : INT_MAX);
    return between.d;
}

/* The links of the first `count` lanes joined, level by level until runs' ends are apart, or to the whole, which lane 0 has.
   run: how many lanes the runs have in the end. hopeless: runs of fewer lanes are not asked whether they are apart. x: the
   separator behind each run, where there is another one. */
__device__ __forceinline__ sb_plain_link join_all(const bounded &kind, sb_plain_link mine, int count,
                                                  int hopeless, sb_plain_kept *joints, int *run, T *x, int lane)
{
    met m = {INT_MAX, 0, 0};
    int d = 1;
    *x = 0;
#pragma unroll 1
    for (; d < count; d *= 2) {
        if (d >= hopeless) {
            const bool apart = sb_plain_part(&mine);
            if (__all_sync(ALL, apart || (lane & (d - 1)) != 0 || lane >= count)) {
                *x = join_apart(&mine, d, count, joints, lane, &m);
                break;
            }
        }
        join_one(&mine, d, count, joints, lane, &m);
    }
    *run = d;
    if (!__all_sync(ALL, kind.holds(m)))
        sb_plain_poison(&mine);
    __syncwarp();
    return mine;
}

/* The same for all lanes of a warp whose runs are too short for that, level by level, which are worth writing out. */
__device__ __forceinline__ sb_plain_link join_near(const bounded &kind, sb_plain_link mine,
                                                   sb_plain_kept *joints, int *run, int lane)
{
    met m = {INT_MAX, 0, 0};
#pragma unroll
    for (int d = 1; d < LANES; d *= 2)
        join_one(&mine, d, LANES, joints, lane, &m);
    *run = LANES;
    if (!__all_sync(ALL, kind.holds(m)))
        sb_plain_poison(&mine);
    __syncwarp();
    return mine;
}

/* The ends of the run to which number `who` of them belongs. */
__device__ __forceinline__ ends<T> part_apart(ends<T> e, int count, int run, const sb_plain_kept *joints,
                                              int who)
{
    const int first = who & ~(run - 1), behind = first + run;
    const T left = joints[first ? first - 1 : 0].d, right = joints[behind < count ? behind - 1 : 0].d;
    e.left = first ? left : e.left;
    e.right = behind < count ? right : e.right;
    return e;
}

/* One level down, for number `who`. */
__device__ __forceinline__ void part_one(ends<T> *e, int d, int count, const sb_plain_kept *joints, int who)
{
    const int between = (who & ~(2 * d - 1)) + d;
    const bool there = between < count;
    T middle = sb_plain_value(joints + (there ? between - 1 : 0), e->left, e->right);
    e->left = there & ((who & d) != 0) ? middle : e->left;
    e->right = there & ((who & d) == 0) ? middle : e->right;
}

/* The ends of number `who` of a few. */
__device__ __forceinline__ ends<T> part_few(ends<T> e, int count, int run, const sb_plain_kept *joints, int who)
{
    e = part_apart(e, count, run, joints, who);
#pragma unroll 1
    for (int d = run / 2; d; d /= 2)
        part_one(&e, d, count, joints, who);
    return e;
}

/* The same for the lanes of a warp, whose levels are worth writing out. */
__device__ __forceinline__ ends<T> part_near(ends<T> e, int run, const sb_plain_kept *joints, int lane)
{
    if (run < LANES)
        e = part_apart(e, LANES, run, joints, lane);
#pragma unroll
    for (int d = LANES / 2; d; d /= 2)
        if (d < run)
            part_one(&e, d, LANES, joints, lane);
    return e;
}

/* As plain::close for open ends, of the whole in lane 0, in all lanes. */
__device__ __forceinline__ bool close_near(const bounded &kind, const sb_plain_link &whole, ends<T> *e)
{
    int least = INT_MAX;
    T own = from_lane(whole.own, 0), d = from_lane(whole.d, 0), inverse = sb_plain_inverse(own, &least);
    e->left = 0;
    e->right = d * inverse;
    return least > 0 && sb_finite(inverse) && sb_size(e->right) <= kind.largest;
}

} // namespace

#endif
