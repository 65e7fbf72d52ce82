/* A system that is on chip as a whole, a tile or two in each warp, without pivoting: all that counts is how many steps follow one
 * another. Rows behind the last one become equations 1 x = 0 of unknowns that nobody knows, so that no lane, warp or block
 * has to be counted, which is why ends are open.
 *
 * Steps: fetch (one latency of memory); a row of the lane's sweep after the other, each a reciprocal and 3 operations; 5
 * levels of links over lanes; one over warps and one over the blocks of a cluster for each doubling of their number, with a
 * barrier before the first of these and a message from each block before the others; where there are several clusters a
 * message from each, and the same over them. All warps do all of these alike, so that none waits to be told: joints are each
 * warp's own. Whether a level was safe is asked behind the last of its stage: the next one need not wait for that. Then two
 * operations for every level, and two for every row. A warp of a large system has two tiles, one after the other; what gives
 * the first one's unknowns waits in registers. Words a row: 4 read, 1 written. */
#ifndef SB_LARGE_RESIDENT_CUH
#define SB_LARGE_RESIDENT_CUH

#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/run.cuh"

namespace
{

enum { FEW_LEVELS = 4, FEW = 1 << FEW_LEVELS }; /* warps of a block, blocks of a cluster, clusters: at most */
static_assert(+SB_LARGE_CLUSTER <= +FEW && +SB_LARGE_CLUSTERS <= +FEW && SB_LARGE_WARPS(4) <= +FEW, "few");
enum { /* where a warp's joints of each stage begin; FIRST: of its first tile's lanes, TILES: between its two */
       OF_LANES = 0,
       OF_FIRST = OF_LANES + JOINTS,
       OF_TILES = OF_FIRST + JOINTS,
       OF_WARPS = OF_TILES + 1,
       OF_BLOCKS = OF_WARPS + FEW,
       OF_CLUSTERS = OF_BLOCKS + FEW,
       RESIDENT_JOINTS = OF_CLUSTERS + FEW
};

/* A link on its way to another block of the cluster. */
struct __align__(16) posted
{
    uint64_t word[(sizeof(sb_plain_link) + 15) / 16 * 2];
};

/* A block's shared memory beside its slots. */
struct resident_room {
    char *slot;
    uint64_t *told; /* all blocks' links have come; a barrier, whose place nothing else may take afterwards */
    posted *blocks;
    sb_plain_link *warps, *clusters;
    sb_plain_kept *joints; /* of the warp */
};

__device__ __forceinline__ resident_room resident_room_of(char *shared, int warps, int warp)
{
    __shared__ __align__(16) uint64_t told[2];
    resident_room r;
    r.slot = shared + warp * SLOT_BYTES;
    r.told = told;
    r.blocks = reinterpret_cast<posted *>(shared + warps * SLOT_BYTES);
    r.warps = reinterpret_cast<sb_plain_link *>(r.blocks + FEW);
    r.clusters = r.warps + FEW;
    r.joints = reinterpret_cast<sb_plain_kept *>(r.clusters + FEW) + warp * RESIDENT_JOINTS;
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
    const int rows = clamp_to(in.n - first, in.tile_rows);
    if (in.wide) {
        const T *from[PLANES];
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            from[p] = in.from[p] + first + lane * IN_GRANULE;
        char *to = slot + lane * 16;
        const int whole = rows - lane * IN_GRANULE;
#pragma unroll 1
        for (int row = 0; row < in.tile_rows; row += LANES * IN_GRANULE, to += LANES * 16)
            if (row + IN_GRANULE <= whole)
#pragma unroll
                for (int p = 0; p < PLANES; ++p)
                    copy_async(to + p * PLANE_BYTES, from[p] + row);
            else
#pragma unroll
                for (int p = 0; p < PLANES; ++p)
                    copy_cut(reinterpret_cast<granule *>(to + p * PLANE_BYTES), from[p] + row, whole - row);
    } else
#pragma unroll 1
        for (int row = lane; row < in.tile_rows; row += LANES)
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                __pipeline_memcpy_async(row_of(slot, p, row),
                                        in.from[p] + (row < rows ? first + row : 0) * in.step[p], sizeof(T),
                                        row < rows ? 0 : sizeof(T));
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
    granules next = along::read(part, 0);
#pragma unroll 1
    for (int c = 0; c < columns; ++c) {
        granules now = next;
        if (c + 1 < columns)
            next = along::read(part, c + 1);
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

/* What gives a column's unknowns. */
struct kept_column {
    granule before, next, d;
};

__device__ __forceinline__ kept_column kept_of(char *part, int column)
{
    return {*granule_of(part, LOWER, column), *granule_of(part, UPPER, column), *granule_of(part, RHS, column)};
}

/* Into the plane RHS. */
__device__ __forceinline__ void walk_back_in_place(char *part, int columns, ends<T> e)
{
    T x = e.right;
    kept_column next = kept_of(part, columns - 1);
#pragma unroll 1
    for (int c = columns - 1; c >= 0; --c) {
        kept_column now = next;
        if (c)
            next = kept_of(part, c - 1);
#pragma unroll
        for (int i = IN_GRANULE - 1; i >= 0; --i) {
            sb_plain_kept k = {now.d.at[i], now.before.at[i], now.next.at[i]};
            if (i < IN_GRANULE - 1 || c + 1 < columns)
                x = sb_plain_value(&k, e.left, x);
            now.d.at[i] = x;
        }
        *granule_of(part, RHS, c) = now.d;
    }
    __syncwarp();
}

/* One level of the links of a warp's lanes; joint i lies between lanes i and i + 1. False where it was not safe. */
template <bool FULL>
__device__ __forceinline__ bool join_one(const plain &kind, sb_plain_link *mine, int d, int count,
                                         sb_plain_kept *joints, int lane)
{
    const bool behind = FULL || lane + d < count, counts = (lane & (2 * d - 1)) == 0 && behind;
    sb_plain_link next = from_lane(*mine, lane + d);
    sb_plain_kept between;
    int least = INT_MAX;
    sb_plain_link both = sb_plain_joined(mine, &next, &between, &least);
    if (counts)
        joints[lane + d - 1] = between;
    if (behind)
        *mine = both;
    return !counts || (sb_plain_holds(&between, kind.limit) && least > 0);
}

/* The links of the first `count` of MOST lanes joined, MOST being either a warp's lanes, all of them there, whose levels are
   worth writing out, or FEW; lane 0 has the whole. All lanes compute, most of them nonsense. */
template <int MOST>
__device__ __forceinline__ sb_plain_link join_all(const plain &kind, sb_plain_link mine, int count,
                                                  sb_plain_kept *joints, int lane)
{
    bool safe = true;
    if (MOST == LANES)
#pragma unroll
        for (int d = 1; d < LANES; d *= 2)
            safe = join_one<true>(kind, &mine, d, LANES, joints, lane) && safe;
    else
#pragma unroll 1
        for (int d = 1; d < count; d *= 2)
            safe = join_one<false>(kind, &mine, d, count, joints, lane) && safe;
    if (!__all_sync(ALL, safe))
        sb_plain_poison(&mine);
    __syncwarp();
    return mine;
}

/* The ends of number `who` of them. All joints can be read at once. */
__device__ __forceinline__ ends<T> part_few(ends<T> e, int count, const sb_plain_kept *joints, int who)
{
    sb_plain_kept joint[FEW_LEVELS];
#pragma unroll
    for (int level = 0; level < FEW_LEVELS; ++level) {
        const int d = 1 << level, between = (who & ~(2 * d - 1)) + d;
        joint[level] = joints[between < count ? between - 1 : 0];
    }
#pragma unroll
    for (int level = FEW_LEVELS - 1; level >= 0; --level) {
        const int d = 1 << level;
        const bool there = (who & ~(2 * d - 1)) + d < count;
        T middle = sb_plain_value(&joint[level], e.left, e.right);
        e.left = there && (who & d) ? middle : e.left;
        e.right = there && !(who & d) ? middle : e.right;
    }
    return e;
}

/* The same for the lanes of a full warp. */
__device__ __forceinline__ ends<T> part_near(ends<T> e, const sb_plain_kept *joints, int lane)
{
#pragma unroll
    for (int d = LANES / 2; d; d /= 2) {
        T middle = sb_plain_value(joints + (lane & ~(2 * d - 1)) + d - 1, e.left, e.right);
        e.left = lane & d ? middle : e.left;
        e.right = lane & d ? e.right : middle;
    }
    return e;
}

/* As plain::close for open ends, of the whole in lane 0, in all lanes. */
__device__ __forceinline__ bool close_near(const sb_plain_link &whole, ends<T> *e)
{
    int least = INT_MAX;
    T own = from_lane(whole.own, 0), d = from_lane(whole.d, 0), inverse = sb_plain_inverse(own, &least);
    e->left = 0;
    e->right = d * inverse;
    return least > 0 && sb_finite(inverse);
}

/* Before any block sends its link: the barriers that count them. */
__device__ __forceinline__ void expect_blocks(const resident_room &r, int blocks)
{
    if (threadIdx.x == 0) {
        sb_barrier_make(r.told, 1);
        sb_barriers_made();
        sb_barrier_expect(r.told, static_cast<uint32_t>(blocks * sizeof(posted)));
    }
    sb_cluster_arrive();
}

/* From the link of each block to that of its cluster, in all of its warps. */
__device__ __forceinline__ sb_plain_link join_cluster(const plain &kind, sb_plain_link mine,
                                                      const resident_room &r, int rank, const shape &s,
                                                      const place &me)
{
    sb_cluster_wait();
    if (me.warp == 0) {
        posted link = {};
        mine = from_lane(mine, 0);
        memcpy(&link, &mine, sizeof mine);
        if (me.lane < s.cluster) {
            uint32_t to = sb_cluster_address(r.blocks + rank, me.lane),
                     told = sb_cluster_address(r.told, me.lane);
#pragma unroll
            for (int w = 0; w < static_cast<int>(sizeof link / sizeof(uint64_t)); w += 2)
                sb_cluster_send(to + w * static_cast<int>(sizeof(uint64_t)), link.word[w], link.word[w + 1],
                                told);
        }
    }
    sb_barrier_wait<SB_CLUSTER>(r.told, 0);
    memcpy(&mine, r.blocks + (me.lane < s.cluster ? me.lane : 0), sizeof mine);
    return join_all<FEW>(kind, mine, s.cluster, r.joints + OF_BLOCKS, me.lane);
}

/* And to that of the system. Every block writes a message, if only for the number of the call, which it knows from the last
   one; the first one's of each cluster is read. */
__device__ __forceinline__ sb_plain_link join_clusters(const plain &kind, sb_plain_link mine,
                                                       const resident_room &r, message<sb_plain_link> *messages,
                                                       uint64_t call, int clusters, const place &me)
{
    if (threadIdx.x == 0)
        send(messages + me.block, mine, call);
    if (me.warp == 0 && me.lane < clusters)
        r.clusters[me.lane] = receive(messages + me.lane * SB_LARGE_OF_GRID, call);
    __syncthreads();
    mine = r.clusters[me.lane < clusters ? me.lane : 0];
    return join_all<FEW>(kind, mine, clusters, r.joints + OF_CLUSTERS, me.lane);
}

/* A warp's first tile of two: all of its lanes have all rows. What gives them stays in registers. */
__device__ __forceinline__ sb_plain_link sweep_first(const plain &kind, const arrays &in,
                                                     const resident_room &r, int64_t first, plain::kept *kept,
                                                     int lane)
{
    fetch_near(in, r.slot, first, lane);
    arrive_near(in, r.slot, first, lane);
    sb_plain_link mine = kind.sweep_of<true>(part_of(in, r.slot, lane), LANE_ROWS, in.conjugate, kept);
    return join_all<LANES>(kind, mine, LANES, r.joints + OF_FIRST, lane);
}

__device__ __forceinline__ bool store_first(const arrays &in, const resident_room &r, int64_t first,
                                            const plain::kept &kept, ends<T> e, int lane)
{
    char *plane = r.slot + RHS * PLANE_BYTES;
    __syncwarp();
    plain::walk_back_of<true>(plane + lane * in.columns * 16, LANE_ROWS, kept,
                              part_near(e, r.joints + OF_FIRST, lane));
    __syncwarp();
    return store_near(in, plane, first, lane);
}

/* False if the system can't be solved in this way; nothing is written then. call: the number of this one, for the first
   thread of a block where there are several clusters. DEEP: a warp may have two tiles. */
template <bool DEEP>
__device__ __forceinline__ bool solve_resident(const plain &kind, const arrays &in, char *shared,
                                               message<sb_plain_link> *messages, const shape &s,
                                               const place &me, uint64_t *call, bool *spoilt)
{
    resident_room r = resident_room_of(shared, s.warps, me.warp);
    const run tiles = run_of(s, me);
    const bool has = tiles.count > 0, two = DEEP && tiles.count > 1;
    const int64_t first = (tiles.begin + two) * in.tile_rows;
    const int clusters = s.blocks == s.cluster ? 1 : s.blocks / SB_LARGE_OF_GRID;
    const int cluster = clusters == 1 ? 0 : me.block / SB_LARGE_OF_GRID;
    const int rank = me.block - cluster * SB_LARGE_OF_GRID;
    char *part = part_of(in, r.slot, me.lane);
    plain::kept kept;
    sb_plain_link before, mine = unrelated();
    if (two)
        before = sweep_first(kind, in, r, first - in.tile_rows, &kept, me.lane);
    if (has)
        fetch_near(in, r.slot, first, me.lane);
    if (clusters > 1 && me.warp == 0)
        *call = look(messages[me.block].at).call + 1;
    if (s.cluster > 1)
        expect_blocks(r, s.cluster);
    if (has) {
        arrive_near(in, r.slot, first, me.lane);
        mine = sweep_in_place(part, in.columns, kind.limit, in.conjugate);
        mine = join_all<LANES>(kind, mine, LANES, r.joints + OF_LANES, me.lane);
    }
    if (two) {
        sb_plain_kept between;
        mine = kind.join(before, mine, &between);
        if (me.lane == 0)
            r.joints[OF_TILES] = between;
        __syncwarp();
    }
    if (s.warps > 1) {
        if (me.lane == 0)
            r.warps[me.warp] = mine;
        __syncthreads();
        mine = r.warps[me.lane < s.warps ? me.lane : 0];
        mine = join_all<FEW>(kind, mine, s.warps, r.joints + OF_WARPS, me.lane);
    }
    if (s.cluster > 1)
        mine = join_cluster(kind, mine, r, rank, s, me);
    if (clusters > 1)
        mine = join_clusters(kind, mine, r, messages, *call, clusters, me);
    ends<T> e;
    if (!close_near(mine, &e))
        return false;
    if (clusters > 1)
        e = part_few(e, clusters, r.joints + OF_CLUSTERS, cluster);
    if (s.cluster > 1)
        e = part_few(e, s.cluster, r.joints + OF_BLOCKS, rank);
    if (s.warps > 1)
        e = part_few(e, s.warps, r.joints + OF_WARPS, me.warp);
    if (has) {
        ends<T> here = e;
        if (two)
            here.left = e.right = sb_plain_value(r.joints + OF_TILES, e.left, e.right);
        walk_back_in_place(part, in.columns, part_near(here, r.joints + OF_LANES, me.lane));
        if (!store_near(in, r.slot + RHS * PLANE_BYTES, first, me.lane))
            *spoilt = true;
        if (two && !store_first(in, r, first - in.tile_rows, kept, e, me.lane))
            *spoilt = true;
    }
    return true;
}

} // namespace

#endif
