/* One system by one kind of elimination: two passes over each warp's run of tiles, and between them the links of all
   runs. */
#ifndef SB_LARGE_RUN_CUH
#define SB_LARGE_RUN_CUH

#include "src/cuda/kernels/anew.cuh"
#include "src/cuda/large/exchange.cuh"
#include "src/cuda/large/system.cuh"
#include "src/cuda/large/tree.cuh"

namespace
{

struct shape {
    int64_t share, rest; /* tiles of each warp; the first `rest` warps have one more */
    int64_t scratch, plain_at, pivoted_at, signs_at;
    int columns, warps, blocks, runs; /* runs: warps of all blocks with a tile to their name; they come first */
    int busy;                         /* blocks that have such warps */
    int cluster;                      /* blocks of a cluster; 0: not resident */
};

/* Who I am. */
struct place {
    int block, warp, lane;
};

/* A block's shared memory, and a warp's part of it. */
template <class K> struct room {
    char *slot;
    typename K::joint *tile_joints, *stage_joints; /* stages: see ends_of_warp */
    typename K::link *links;
    ends<typename K::end> *warp_ends;
};

/* One system's part of scratch. */
template <class K> struct board {
    typename K::joint *joints;           /* of each tile with all before it in its warp's run */
    message<typename K::link> *messages; /* of the blocks */
    uint64_t call;
    uint64_t *stop; /* the sign that some warp has given up: the call in which it did */
};

/* What the blocks of a system tell each other at the end. */
struct signs {
    uint64_t stop;
    unsigned long long bad_from_end; /* rows from the first one without a pivot to the end; 0 between calls */
    unsigned done; /* blocks that have finished, and SPOILT for each whose x is not finite; likewise */
    /* Resident, in several clusters, with no bound for x: blocks that have stored theirs or given up, in all calls. */
    unsigned long long stored;
};

enum { SPOILT = 1 << 16 };

/* A warp's run of tiles. */
struct run {
    int64_t begin;
    int count;
};

/* The same; what follows from it is not kept in registers. */
__device__ __forceinline__ place anew(const place &me)
{
    return {sb_anew(me.block), sb_anew(me.warp), sb_anew(me.lane)};
}

__device__ __forceinline__ run run_of(const shape &s, const place &me)
{
    int64_t before = static_cast<int64_t>(me.block) * s.warps + me.warp;
    run r = {before * s.share + (before < s.rest ? before : s.rest),
             static_cast<int>(s.share) + (before < s.rest)};
    return r;
}

template <class K> __device__ room<K> room_of(char *shared, int warps, int warp)
{
    typedef typename K::joint joint;
    room<K> r;
    r.slot = shared + warp * SLOT_BYTES;
    joint *joints = reinterpret_cast<joint *>(shared + warps * SLOT_BYTES);
    r.stage_joints = joints;
    r.tile_joints = joints + (3 + warp) * JOINTS;
    r.links = reinterpret_cast<typename K::link *>(joints + (3 + warps) * JOINTS);
    r.warp_ends = reinterpret_cast<ends<typename K::end> *>(r.links + warps);
    return r;
}

template <class K> __host__ __device__ inline board<K> board_of(char *scratch, int64_t at, signs *of)
{
    board<K> b = {reinterpret_cast<typename K::joint *>(scratch),
                  reinterpret_cast<message<typename K::link> *>(scratch + at), 0, &of->stop};
    return b;
}

__device__ __forceinline__ void prefetch(const void *at)
{
    asm volatile("prefetch.global.L1 [%0];" ::"l"(at));
}

/* How many runs a stage joins in this warp. Stage 0 joins the block's runs, stage 1 up to 32 blocks in each of several
   warps, stage 2 those groups of blocks. */
__device__ __forceinline__ int joined_in(int stage, const place &me, const shape &s)
{
    int groups = (s.busy + LANES - 1) / LANES;
    if (stage == 1)
        return clamp_to(s.busy - me.warp * LANES, LANES);
    return me.warp ? 0 : stage ? groups : clamp_to(s.runs - me.block * s.warps, s.warps);
}

/* The ends of every warp's run, to where its room has them, from the links of all, which all blocks join alike. False if they can't be
   told. */
template <class K>
__device__ bool ends_of_warp(const K &kind, bool periodic, const room<K> r, message<typename K::link> *messages,
                             uint64_t call, const shape &s, const place me)
{
    __shared__ bool regular;
    int last = s.busy == 1 ? 0 : s.busy <= LANES ? 1 : 2, group = me.block / LANES;
    __syncthreads();
    typename K::link link;
#pragma unroll 1
    for (int stage = 0; stage <= last; ++stage) {
        int count = joined_in(stage, me, s);
        if (count) {
            if (stage != 1)
                link = r.links[me.lane < count ? me.lane : 0];
            else if (me.lane < count)
                link = receive(messages + me.warp * LANES + me.lane, call);
            __syncwarp();
            link = join_lanes(kind, link, count, stage != 1 || me.warp == group,
                              r.stage_joints + stage * JOINTS, me.lane);
        }
        if (stage == 0 && threadIdx.x == 0)
            send(messages + me.block, link, call);
        if (stage == 1 && last == 2) {
            __syncthreads();
            if (count && me.lane == 0)
                r.links[me.warp] = link;
        }
        if (stage == 1)
            __syncthreads();
    }
    if (me.warp == 0) {
        ends<typename K::end> e;
        bool can = K::close(link, periodic, &e);
        e = from_lane(e, 0);
        if (me.lane == 0)
            regular = can;
#pragma unroll 1
        for (int stage = last; stage >= 0; --stage) {
            int count = stage == 1 ? clamp_to(s.busy - group * LANES, LANES) : joined_in(stage, me, s);
            e = part_lanes<K>(e, count, r.stage_joints + stage * JOINTS, me.lane);
            if (stage)
                e = from_lane(e, stage == 2 ? group : me.block % LANES);
        }
        if (me.lane < s.warps)
            r.warp_ends[me.lane] = e;
    }
    __syncthreads();
    return regular;
}

/* The first pass, forwards, joins the tiles of a warp's run; the second solves them, beginning with the one that is still
   on chip. One loop, so that what both do is there once. False if the system can't be solved in this way; nothing is
   written then. */
template <class K>
__device__ bool solve_run(const K &kind, const arrays &in, char *shared, board<K> &at, const shape &s,
                          const place &me, bool *spoilt)
{
    enum { MATRIX = K::SLOT_IS_SPENT ? RHS : PLANES };
    typename K::kept kept;
    K::begin(&kept);
    if (run_of(s, me).count)
        fetch(in, room_of<K>(shared, s.warps, me.warp).slot, run_of(s, me).begin * in.tile_rows, me.lane);
    if (threadIdx.x == 0)
        at.call = look(at.messages[me.block].at).call + 1;
    __syncthreads();
#pragma unroll 1
    for (int step = 0;; ++step) {
        const place here = anew(me);
        const run tiles = run_of(s, here);
        const int64_t begin = tiles.begin;
        const int count = tiles.count;
        if (step == count) {
            bool regular = ends_of_warp(kind, in.periodic, room_of<K>(shared, s.warps, here.warp), at.messages,
                                        at.call, s, here);
            if (!regular || !in.from[RHS]) {
                drain();
                __syncthreads();
                return regular;
            }
        }
        if (step == 2 * count)
            return true;
        const bool back = step >= count, keep = step + 1 >= count;
        const int64_t tile = back ? begin + 2 * count - 1 - step : begin + step;
        const int rows = rows_of(in, tile, here.lane);
        if (back && tile > begin && here.lane < 2)
            prefetch(reinterpret_cast<const char *>(at.joints + tile) + here.lane * 64);
        if (step != count) {
            const room<K> r = room_of<K>(shared, s.warps, here.warp);
            bool stop = K::SLOT_IS_SPENT && !back && step && sign_is_given(at.stop, at.call);
            arrive(in, r.slot, tile * in.tile_rows, here.lane);
            if (stop) {
                if (here.lane == 0)
                    K::give_up(r.links + here.warp);
                step = count - 1;
                continue;
            }
            typename K::link mine = kind.sweep(part_of(in, r.slot, here.lane), rows, keep, in.conjugate, &kept);
            __syncwarp();
            if (!keep)
                fetch(in, r.slot, (tile + 1) * in.tile_rows, here.lane);
            else if (K::SLOT_IS_SPENT && tile > begin)
                fetch<LOWER, MATRIX>(in, r.slot, (tile - 1) * in.tile_rows, here.lane);
            mine = kind.join_tile(mine, lanes_of(in, tile), keep, r.tile_joints, here.lane, &kept);
            if (!back && here.lane == 0) {
                if (step) {
                    typename K::used used;
                    mine = kind.join(r.links[here.warp], mine, &used);
                    at.joints[tile] = K::joint_of(used);
                }
                r.links[here.warp] = mine;
                if (K::is_given_up(mine))
                    give_sign(at.stop, at.call);
            }
        }
        if (back) {
            const int lane = sb_anew(here.lane), warp = sb_anew(here.warp);
            const room<K> r = room_of<K>(shared, s.warps, warp);
            char *part = part_of(in, r.slot, lane);
            ends<typename K::end> e = r.warp_ends[warp];
            if (tile > begin)
                e.left = K::between(at.joints[tile], e.left, e.right);
            __syncwarp();
            if (lane == 0)
                r.warp_ends[warp].right = e.left;
            K::solve_tile(part, part + RHS * PLANE_BYTES, rows, lanes_of(in, tile), r.tile_joints, lane, kept,
                          e);
            if (!store(in, r.slot + RHS * PLANE_BYTES, tile * in.tile_rows, lane))
                *spoilt = true;
            if (tile > begin)
                fetch<K::SLOT_IS_SPENT ? RHS : LOWER>(in, r.slot, (tile - 1) * in.tile_rows, lane);
        }
        __syncwarp();
    }
}

/* In a system that can't be solved, the first row that plainly has no pivot, of all that this warp has to do with; n for
   none. */
template <class K>
__device__ __noinline__ int64_t bad_row(const K &, const arrays &in, char *slot, const shape &s, const place me)
{
    const run r = run_of(s, me);
    int first = in.tile_rows;
    int64_t tile = r.begin;
#pragma unroll 1
    for (; tile < r.begin + r.count; ++tile) {
        fetch(in, slot, tile * in.tile_rows, me.lane);
        arrive(in, slot, tile * in.tile_rows, me.lane);
        int rows = rows_of(in, tile, me.lane), bad = K::bad_row(part_of(in, slot, me.lane), rows);
        first = __reduce_min_sync(ALL, bad < rows ? me.lane * in.lane_rows + bad : in.tile_rows);
        if (first < in.tile_rows)
            break;
    }
    return first < in.tile_rows ? tile * in.tile_rows + first : in.n;
}

} // namespace

#endif
