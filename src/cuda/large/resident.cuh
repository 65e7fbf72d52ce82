/* A system that is on chip as a whole, a tile in each warp, without pivoting: all that counts is how many steps follow one
 * another. Rows behind the last one become equations 1 x = 0 of unknowns that nobody knows, so that no lane, warp or block
 * has to be counted, which is why ends are open.
 *
 * Steps: fetch (one latency of memory); a row of the lane's sweep after the other, each a reciprocal and 3 operations; 5
 * levels of links over lanes; one over warps and one over the blocks of a cluster for each doubling of their number, with a
 * barrier before each of the two; where there are several clusters a message from each, and the same over them. All warps
 * do all of these alike, so that none waits to be told: joints are each warp's own. Then two operations for every level,
 * and two for every row. Words a row: 4 read, 1 written. */
#ifndef SB_LARGE_RESIDENT_CUH
#define SB_LARGE_RESIDENT_CUH

#include "src/cuda/large/cluster.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/run.cuh"

namespace
{

enum { STAGES = 4 }; /* lanes, warps, blocks of a cluster, clusters */

/* A block's shared memory beside its slots. */
struct resident_room {
    char *slot;
    sb_plain_kept *joints; /* of the warp, JOINTS for each stage */
    sb_plain_link *warps, *blocks, *clusters;
};

__device__ __forceinline__ resident_room resident_room_of(char *shared, int warps, int warp)
{
    resident_room r;
    r.slot = shared + warp * SLOT_BYTES;
    sb_plain_kept *joints = reinterpret_cast<sb_plain_kept *>(shared + warps * SLOT_BYTES);
    r.joints = joints + warp * STAGES * JOINTS;
    r.warps = reinterpret_cast<sb_plain_link *>(joints + warps * STAGES * JOINTS);
    r.blocks = r.warps + LANES;
    r.clusters = r.blocks + LANES;
    return r;
}

/* The link of rows that are not there. */
__device__ __forceinline__ sb_plain_link unrelated()
{
    sb_plain_link s;
    s.head_d = s.head_before = s.head_own = s.before = s.next = s.d = 0;
    s.own = 1;
    return s;
}

/* As fetch, in one form for all layouts but Toeplitz's and transposed ones, and inlined: nothing here is in memory of a
   thread's own. */
__device__ __forceinline__ void fetch_near(const arrays &in, char *slot, int64_t first, int lane)
{
    const int left = clamp_to(in.n - first, in.tile_rows);
    const int each = in.wide ? static_cast<int>(IN_GRANULE) : 1;
#pragma unroll 2
    for (int row = lane * each; row < in.tile_rows; row += LANES * each) {
        int count = clamp_to(left - row, each);
        int64_t at = count ? first + row : 0;
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            if (in.wide)
                copy_async(row_of(slot, p, row), in.from[p] + at, count * static_cast<int>(sizeof(T)));
            else
                __pipeline_memcpy_async(row_of(slot, p, row), in.from[p] + at * in.step[p], sizeof(T),
                                        count ? 0 : sizeof(T));
    }
    __pipeline_commit();
}

/* Rows behind the last one; and entries outside an open matrix are never used. */
__device__ __forceinline__ void arrive_near(const arrays &in, char *slot, int64_t first, int lane)
{
    drain();
    if (first > 0 && first + in.tile_rows < in.n)
        return;
    const int left = clamp_to(in.n - first, in.tile_rows);
    for (int r = left + lane; r < in.tile_rows; r += LANES)
        *row_of(slot, DIAGONAL, r) = 1;
    if (first == 0 && lane == 0)
        *row_of(slot, LOWER, 0) = 0;
    if (first + left == in.n && lane == 0)
        *row_of(slot, UPPER, left - 1) = 0;
    __syncwarp();
}

/* False where a number is NaN or Inf. */
__device__ __forceinline__ bool store_near(const arrays &out, const char *plane, int64_t first, int lane)
{
    bool finite = true;
    const int left = clamp_to(out.n - first, out.tile_rows);
    const T *from = reinterpret_cast<const T *>(plane);
    if (out.x_wide)
        return store_end(out, reinterpret_cast<const granule *>(plane), first, lane);
#pragma unroll 1
    for (int row = lane; row < left; row += LANES) {
        finite = finite && sb_finite(from[row]);
        out.x[(first + row) * out.x_step] = from[row];
    }
    return finite;
}

/* As plain::sweep; what gives the unknowns replaces the rows. One column after another, for short code: each of its
   instructions is used for the first time by the first warp that comes to it. */
__device__ __forceinline__ sb_plain_link sweep_in_place(char *part, int columns, R limit, bool conjugate)
{
    sb_plain_link s;
    sb_plain_kept last;
    sb_plain_begin(&s, &last);
    int least = INT_MAX;
    bool holds = true;
    granules next = read_column(part, 0);
#pragma unroll 1
    for (int c = 0; c < columns; ++c) {
        granules now = next;
        if (c + 1 < columns)
            next = read_column(part, c + 1);
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e) {
            T a = now.plane[LOWER].at[e], b = now.plane[DIAGONAL].at[e], u = now.plane[UPPER].at[e],
              d = now.plane[RHS].at[e];
#if SB_COMPLEX
            if (conjugate)
                a = sb_conj(a), b = sb_conj(b), u = sb_conj(u);
#endif
            if (e == IN_GRANULE - 1 && c + 1 == columns) {
                sb_plain_last_row(&s, a, b, u, d, &last);
                break;
            }
            sb_plain_row(&s, a, b, u, d, &last, &least);
            holds = holds && sb_plain_holds(&last, limit);
            now.plane[LOWER].at[e] = last.before;
            now.plane[UPPER].at[e] = last.next;
            now.plane[RHS].at[e] = last.d;
        }
        *granule_of(part, LOWER, c) = now.plane[LOWER];
        *granule_of(part, UPPER, c) = now.plane[UPPER];
        *granule_of(part, RHS, c) = now.plane[RHS];
    }
    if (!(holds && least > 0))
        sb_plain_poison(&s);
    return s;
}

/* Into the plane RHS. */
__device__ __forceinline__ void walk_back_in_place(char *part, int columns, ends<plain> e)
{
    T x = e.right;
#pragma unroll 1
    for (int c = columns - 1; c >= 0; --c) {
        granule before = *granule_of(part, LOWER, c), next = *granule_of(part, UPPER, c),
                d = *granule_of(part, RHS, c);
#pragma unroll
        for (int i = IN_GRANULE - 1; i >= 0; --i) {
            sb_plain_kept k = {d.at[i], before.at[i], next.at[i]};
            if (i < IN_GRANULE - 1 || c + 1 < columns)
                x = sb_plain_value(&k, e.left, x);
            d.at[i] = x;
        }
        *granule_of(part, RHS, c) = d;
    }
    __syncwarp();
}

/* The links of the first `count` lanes joined; lane 0 has the whole. All lanes compute, most of them nonsense. FULL: they
   are all there. */
template <bool FULL>
__device__ __forceinline__ sb_plain_link join_all(const plain &kind, sb_plain_link mine, int count,
                                                  sb_plain_kept *joints, int lane)
{
#pragma unroll 1
    for (int d = 1; d < count; d *= 2) {
        sb_plain_link next = from_lane(mine, lane + d);
        sb_plain_kept between;
        sb_plain_link both = kind.join(mine, next, &between);
        if ((lane & (2 * d - 1)) == 0)
            joints[lane + d - 1] = between;
        if (FULL || lane + d < count)
            mine = both;
    }
    __syncwarp();
    return mine;
}

/* The ends of number `who` of them. */
__device__ __forceinline__ ends<plain> part_one(ends<plain> e, int count, const sb_plain_kept *joints, int who)
{
#pragma unroll 1
    for (int d = 1 << (31 - __clz(count - 1)); d; d /= 2) {
        int between = (who & ~(2 * d - 1)) + d;
        if (between >= count)
            continue;
        T middle = sb_plain_value(joints + between - 1, e.left, e.right);
        if (who & d)
            e.left = middle;
        else
            e.right = middle;
    }
    return e;
}

/* The same for the lanes of a full warp: all joints can be read at once. */
__device__ __forceinline__ ends<plain> part_near(ends<plain> e, const sb_plain_kept *joints, int lane)
{
#pragma unroll
    for (int d = LANES / 2; d; d /= 2) {
        T middle = sb_plain_value(joints + (lane & ~(2 * d - 1)) + d - 1, e.left, e.right);
        e.left = lane & d ? middle : e.left;
        e.right = lane & d ? e.right : middle;
    }
    return e;
}

/* As plain::close for open ends. */
__device__ __forceinline__ bool close_near(const sb_plain_link &whole, ends<plain> *e)
{
    int least = INT_MAX;
    T inverse = sb_plain_inverse(whole.own, &least);
    e->left = 0;
    e->right = whole.d * inverse;
    return least > 0 && sb_finite(inverse);
}

/* From the link of each block to that of its cluster, in all of its warps. */
__device__ __forceinline__ sb_plain_link join_cluster(const plain &kind, sb_plain_link mine,
                                                      const resident_room &r, const shape &s, const place &me)
{
    int rank = me.block % s.cluster;
    cluster_wait();
    if (me.warp == 0) {
        mine = from_lane(mine, 0);
        if (me.lane < s.cluster)
            give(r.blocks + rank, mine, me.lane);
    }
    cluster_arrive();
    cluster_wait();
    mine = r.blocks[me.lane < s.cluster ? me.lane : 0];
    return join_all<false>(kind, mine, s.cluster, r.joints + 2 * JOINTS, me.lane);
}

/* And to that of the system. Every block writes a message, if only for the number of the call, which it knows from the last
   one; the first one's of each cluster is read. */
__device__ __forceinline__ sb_plain_link join_clusters(const plain &kind, sb_plain_link mine,
                                                       const resident_room &r, message<sb_plain_link> *messages,
                                                       uint64_t call, const shape &s, const place &me)
{
    int clusters = s.blocks / s.cluster;
    if (threadIdx.x == 0)
        send(messages + me.block, mine, call);
    if (me.warp == 0 && me.lane < clusters)
        r.clusters[me.lane] = receive(messages + me.lane * s.cluster, call);
    __syncthreads();
    mine = r.clusters[me.lane < clusters ? me.lane : 0];
    return join_all<false>(kind, mine, clusters, r.joints + 3 * JOINTS, me.lane);
}

/* False if the system can't be solved in this way; nothing is written then. call: the number of this one, for the first
   thread of a block where there are several clusters. */
__device__ __forceinline__ bool solve_resident(const plain &kind, const arrays &in, char *shared,
                                               message<sb_plain_link> *messages, const shape &s,
                                               const place &me, uint64_t *call, bool *spoilt)
{
    resident_room r = resident_room_of(shared, s.warps, me.warp);
    const int64_t tile = static_cast<int64_t>(me.block) * s.warps + me.warp, first = tile * in.tile_rows;
    const bool has = tile < s.runs;
    const int clusters = s.blocks == s.cluster ? 1 : s.blocks / s.cluster;
    char *part = part_of(in, r.slot, me.lane);
    sb_plain_link mine = unrelated();
    if (has)
        fetch_near(in, r.slot, first, me.lane);
    if (clusters > 1 && me.warp == 0)
        *call = look(messages[me.block].at).call + 1;
    if (s.cluster > 1)
        cluster_arrive_relaxed();
    if (has) {
        arrive_near(in, r.slot, first, me.lane);
        mine = sweep_in_place(part, in.columns, kind.limit, in.conjugate);
        mine = join_all<true>(kind, mine, LANES, r.joints, me.lane);
    }
    if (s.warps > 1) {
        if (me.lane == 0)
            r.warps[me.warp] = mine;
        __syncthreads();
        mine = r.warps[me.lane < s.warps ? me.lane : 0];
        mine = join_all<false>(kind, mine, s.warps, r.joints + JOINTS, me.lane);
    }
    if (s.cluster > 1)
        mine = join_cluster(kind, mine, r, s, me);
    if (clusters > 1)
        mine = join_clusters(kind, mine, r, messages, *call, s, me);
    ends<plain> e;
    bool regular = close_near(mine, &e);
    regular = __shfl_sync(ALL, regular, 0);
    if (!regular)
        return false;
    e = from_lane(e, 0);
    if (clusters > 1)
        e = part_one(e, clusters, r.joints + 3 * JOINTS, me.block / s.cluster);
    if (s.cluster > 1)
        e = part_one(e, s.cluster, r.joints + 2 * JOINTS, me.block % s.cluster);
    if (s.warps > 1)
        e = part_one(e, s.warps, r.joints + JOINTS, me.warp);
    if (has) {
        e = part_near(e, r.joints, me.lane);
        walk_back_in_place(part, in.columns, e);
        if (!store_near(in, r.slot + RHS * PLANE_BYTES, first, me.lane))
            *spoilt = true;
    }
    return true;
}

} // namespace

#endif
