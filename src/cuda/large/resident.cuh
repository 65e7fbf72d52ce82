/* A system that is on chip as a whole, a tile or two in each warp, without pivoting: all that counts is how many steps follow one
 * another. Rows behind the last one become equations 1 x = 0 of unknowns that nobody knows, so that no lane, warp or block
 * has to be counted, which is why ends are open.
 *
 * Steps: fetch (one latency of memory); a row of the lane's sweep after the other, each a reciprocal and 3 operations; then
 * links are joined, over lanes, over warps (a barrier before), over the blocks of a cluster (a message from each before) and over
 * clusters (the same), level by level: each doubles the runs that are joined. As soon as no run's ends depend on each other, which
 * takes some 16 rows of most matrices, all separators of that stage follow at once, and those of further stages as soon as
 * their links come. All warps do all of these alike, so that none waits to be told: joints are each warp's own. Whether a level
 * was safe is asked behind the last of its stage: the next one need not wait for that. Then two operations for every level, and
 * two for every row. A warp of a large system has two tiles, one after the other; what gives the first one's unknowns waits in
 * registers. Words a row: 4 read, 1 written.
 *
 * Code that comes once takes 2 to 4 times as long as the same code again: stages share one loop, but for lanes of so few rows that
 * all of their levels are due. What is met on the way is told by sizes, in integers, beside the steps that follow one another. */
#ifndef SB_LARGE_RESIDENT_CUH
#define SB_LARGE_RESIDENT_CUH

#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/large/apart.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/run.cuh"

namespace
{

enum { FEW = 16 }; /* warps of a block, blocks of a cluster, clusters: at most */
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

/* A link on its way to another block. */
struct __align__(16) posted
{
    uint64_t word[(sizeof(sb_plain_link) + 15) / 16 * 2];
};

/* A block's shared memory beside its slots. */
struct resident_room {
    char *slot;
    uint64_t *told; /* all blocks' links have come; a barrier, whose place nothing else may take afterwards */
    posted *blocks, *clusters;
    sb_plain_link *warps;
    sb_plain_kept *joints; /* of the warp */
};

__device__ __forceinline__ resident_room resident_room_of(char *shared, int warps, int warp)
{
    __shared__ __align__(16) uint64_t told[2];
    resident_room r;
    r.slot = shared + warp * SLOT_BYTES;
    r.told = told;
    r.blocks = reinterpret_cast<posted *>(shared + warps * SLOT_BYTES);
    r.clusters = r.blocks + FEW;
    r.warps = reinterpret_cast<sb_plain_link *>(r.clusters + FEW);
    r.joints = reinterpret_cast<sb_plain_kept *>(r.warps + FEW) + warp * RESIDENT_JOINTS;
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
        finite = finite & sb_finite(from[row]);
        out.x[(first + row) * out.x_step] = from[row];
    }
    return finite;
}

/* As plain::sweep; what gives the unknowns replaces the rows. One column after another, for short code: each of its
   instructions is used for the first time by the first warp that comes to it. */
__device__ __forceinline__ sb_plain_link sweep_in_place(char *part, int columns, const bounded &kind,
                                                        bool conjugate)
{
    sb_plain_link s;
    sb_plain_kept last;
    sb_plain_begin(&s, &last);
    met m = {INT_MAX, 0, 0};
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
            sb_plain_row(&s, a, b, u, d, &last, &m.least);
            meet(&m, last, true);
            now.plane[LOWER].at[e] = last.before;
            now.plane[UPPER].at[e] = last.next;
            now.plane[RHS].at[e] = last.d;
        }
        *granule_of(part, LOWER, c) = now.plane[LOWER];
        *granule_of(part, UPPER, c) = now.plane[UPPER];
        *granule_of(part, RHS, c) = now.plane[RHS];
    }
    if (!kind.holds(m))
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

/* Before any block sends its link: the barriers that count them. */
__device__ __forceinline__ void expect_blocks(const resident_room &r, int blocks)
{
    if (threadIdx.x == 0) {
        sb_barrier_make(r.told, 1);
        sb_barriers_made();
        sb_barrier_expect(r.told, static_cast<uint32_t>(blocks * sizeof(posted)));
    }
    sb_cluster_arrive_made();
}

/* From the link of each block to those of its cluster's blocks, in the first lanes of all of its warps. */
__device__ __forceinline__ sb_plain_link tell_cluster(sb_plain_link mine, const resident_room &r, int rank,
                                                      const shape &s, const place &me)
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
    return mine;
}

/* And from that of each cluster to those of all. Every block writes a message, if only for the number of the call, which it
   knows from the last one; the first one's of each cluster is read. */
__device__ __forceinline__ sb_plain_link tell_clusters(sb_plain_link mine, const resident_room &r,
                                                       message<sb_plain_link> *messages, uint64_t call,
                                                       int clusters, const place &me)
{
    enum { WORDS = message<sb_plain_link>::WORDS };
    static_assert(WORDS * sizeof(uint64_t) <= sizeof(posted), "room for its last word");
    if (me.warp == 0)
        send_by_lanes(messages + me.block, from_lane(mine, 0), call, me.lane);
    for (int i = static_cast<int>(threadIdx.x); i < clusters * WORDS; i += static_cast<int>(blockDim.x)) {
        const int from = i / WORDS;
        const uint64_t w = receive_word(messages[from * SB_LARGE_OF_GRID].at + i % WORDS, call);
        r.clusters[from].word[i % WORDS] = w;
    }
    __syncthreads();
    memcpy(&mine, r.clusters + (me.lane < clusters ? me.lane : 0), sizeof mine);
    return mine;
}

/* From the link of each warp to those of its block. */
__device__ __forceinline__ sb_plain_link tell_block(const sb_plain_link &mine, const resident_room &r,
                                                    int warps, const place &me)
{
    if (me.lane == 0)
        r.warps[me.warp] = mine;
    __syncthreads();
    return r.warps[me.lane < warps ? me.lane : 0];
}

/* What a warp that has two tiles keeps of the first one. */
struct first_tile {
    plain::kept kept;
    int run;
};

/* A warp's first tile of two: all of its lanes have all rows. What gives them stays in registers, so that its slot takes the
   second one; its link waits where the warp's is to be. */
__device__ __forceinline__ void sweep_first(const bounded &kind, const arrays &in, const resident_room &r,
                                            int64_t first, first_tile *t, sb_plain_link *at, int lane)
{
    arrive_near(in, r.slot, first, lane);
    sb_plain_link whole =
        plain{kind.limit}.sweep_of<true>(part_of(in, r.slot, lane), LANE_ROWS, in.conjugate, &t->kept);
    met m = {INT_MAX, 0, 0};
#pragma unroll
    for (int row = 0; row < LANE_ROWS - 1; ++row)
        meet(&m, t->kept.row[row], true);
    if (!kind.holds(m))
        sb_plain_poison(&whole);
    __syncwarp();
    fetch_near(in, r.slot, first + in.tile_rows, lane);
    T x;
    whole = join_all(kind, whole, LANES, 1, r.joints + OF_FIRST, &t->run, &x, lane);
    if (lane == 0)
        *at = whole;
}

__device__ __forceinline__ bool store_first(const arrays &in, const resident_room &r, int64_t first,
                                            const first_tile &t, ends<T> e, int lane)
{
    char *plane = r.slot + RHS * PLANE_BYTES;
    __syncwarp();
    plain::walk_back_of<true>(plane + lane * in.columns * 16, LANE_ROWS, t.kept,
                              part_near(e, t.run, r.joints + OF_FIRST, lane));
    __syncwarp();
    return store_near(in, plane, first, lane);
}

/* Who join whom, one stage after another. */
enum stage { OVER_LANES, OVER_WARPS, OVER_BLOCKS, OVER_CLUSTERS };

__device__ __forceinline__ int joints_of(int stage)
{
    return stage == OVER_LANES    ? OF_LANES
           : stage == OVER_WARPS  ? OF_WARPS
           : stage == OVER_BLOCKS ? OF_BLOCKS
                                  : OF_CLUSTERS;
}

/* False if the system can't be solved in this way; nothing is written then. spoilt: x has a number that is not finite, which
   is not possible where `kind` is bounded. DEEP: a warp may have two tiles. */
template <bool DEEP>
__device__ __forceinline__ bool solve_resident(const bounded &kind, const arrays &in, char *shared,
                                               message<sb_plain_link> *messages, const shape &s,
                                               const place &me, bool *spoilt)
{
    enum { RUN_BITS = 8 };
    resident_room r = resident_room_of(shared, s.warps, me.warp);
    const run tiles = run_of(s, me);
    const bool has = tiles.count > 0, two = DEEP && tiles.count > 1;
    const int64_t first = (tiles.begin + two) * in.tile_rows;
    const int clusters = s.blocks == s.cluster ? 1 : s.blocks / SB_LARGE_OF_GRID;
    const int cluster = clusters == 1 ? 0 : me.block / SB_LARGE_OF_GRID;
    const int rank = me.block - cluster * SB_LARGE_OF_GRID;
    char *part = part_of(in, r.slot, me.lane);
    uint64_t last_call = 0;
    first_tile before;
    sb_plain_link mine = unrelated();
    if (has)
        fetch_near(in, r.slot, first - two * in.tile_rows, me.lane);
    if (clusters > 1)
        last_call = look_at_call(messages + me.block);
    if (s.cluster > 1)
        expect_blocks(r, s.cluster);
    if (two)
        sweep_first(kind, in, r, first - in.tile_rows, &before, r.warps + me.warp, me.lane);
    if (has) {
        arrive_near(in, r.slot, first, me.lane);
        mine = sweep_in_place(part, in.columns, kind, in.conjugate);
    }
    unsigned runs = 0; /* of each stage: RUN_BITS for each */
    const bool short_lanes = has && in.columns == 1;
    if (short_lanes) {
        int run;
        mine = join_near(kind, mine, r.joints + OF_LANES, &run, me.lane);
        runs = static_cast<unsigned>(run);
    }
    /* This warp's ends as they become known, where the ends of all runs are apart from the first. */
    bool has_left = false, has_right = false, at_once = true;
    T left = 0, right = 0;
    const int last = clusters > 1 ? OVER_CLUSTERS : s.cluster > 1 ? OVER_BLOCKS : OVER_WARPS;
#pragma unroll 1
    for (int stage = has && !short_lanes ? OVER_LANES : OVER_WARPS; stage <= last; ++stage) {
        int count = LANES, who = 0, hopeless = 1, run;
        if (stage == OVER_LANES)
            hopeless = in.columns > 3 ? 1 : 2;
        else if (stage == OVER_WARPS) {
            if (two) {
                sb_plain_kept between;
                met m = {INT_MAX, 0, 0};
                mine = sb_plain_joined(r.warps + me.warp, &mine, &between, &m.least);
                meet(&m, between, true);
                if (!kind.holds(m))
                    sb_plain_poison(&mine);
                if (me.lane == 0)
                    r.joints[OF_TILES] = between;
                __syncwarp();
            }
            count = s.warps, who = me.warp;
            if (count > 1)
                mine = tell_block(mine, r, count, me);
        } else if (stage == OVER_BLOCKS) {
            count = s.cluster, who = rank;
            if (count > 1)
                mine = tell_cluster(mine, r, rank, s, me);
        } else {
            count = clusters, who = cluster;
            if (count > 1)
                mine = tell_clusters(mine, r, messages, last_call + 1, count, me);
        }
        if (count > 1) {
            T x;
            mine = join_all(kind, mine, count, hopeless, r.joints + joints_of(stage), &run, &x, me.lane);
            runs |= static_cast<unsigned>(run) << (stage * RUN_BITS);
            if (stage > OVER_LANES) {
                at_once = at_once && run == 1;
                const T before_me = from_lane(x, who - 1), behind_me = from_lane(x, who);
                left = !has_left && who > 0 ? before_me : left;
                right = !has_right && who < count - 1 ? behind_me : right;
                has_left = has_left || who > 0;
                has_right = has_right || who < count - 1;
            }
        }
    }
    ends<T> e;
    if (!close_near(kind, mine, &e))
        return false;
    if (at_once)
        e = {left, has_right ? right : e.right};
    else
#pragma unroll 1
        for (int stage = last; stage > OVER_LANES; --stage) {
            int count = clusters, who = cluster;
            if (stage == OVER_BLOCKS)
                count = s.cluster, who = rank;
            else if (stage == OVER_WARPS)
                count = s.warps, who = me.warp;
            const int run = runs >> (stage * RUN_BITS) & ((1 << RUN_BITS) - 1);
            if (run)
                e = part_few(e, count, run, r.joints + joints_of(stage), who);
        }
    ends<T> here = e; /* two: of the second tile; e is of the first one then */
    if (two)
        here.left = e.right = sb_plain_value(r.joints + OF_TILES, e.left, e.right);
    here = part_near(here, runs & ((1 << RUN_BITS) - 1), r.joints + OF_LANES, me.lane);
    if (has) {
        walk_back_in_place(part, in.columns, here);
        if (!store_near(in, r.slot + RHS * PLANE_BYTES, first, me.lane))
            *spoilt = true;
        if (two && !store_first(in, r, first - in.tile_rows, before, e, me.lane))
            *spoilt = true;
    }
    return true;
}

} // namespace

#endif
