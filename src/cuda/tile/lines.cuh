/* Shared matrix, lines one after another: 2 words a row.
 *
 * `width` lanes hold a line, a chunk each, 32 / width lines side by side and DEPTH deep. Warps work alone, or, where lines have more
 * chunks than a warp has lanes, as many as a line needs share it: those of one block, or of a cluster's blocks, each of
 * which holds its rows and their tables.
 * Lines lie in the warp's ring of stages as they lie in memory, so that any length and gap will do; chunks of an odd
 * number of rows keep the lanes on different banks. The chain of separators is solved by two scans over the lanes with
 * products computed beforehand. Lines come by the bulk copy engine, rounded out to its 16 bytes, and go by it, but for what is left
 * at their ends, where solutions and right-hand sides lie alike within these; else as the lanes can. */
#ifndef SB_CUDA_TILE_LINES_CUH
#define SB_CUDA_TILE_LINES_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/lanes.cuh"
#include "src/cuda/tile/queue.cuh"
#include "src/cuda/tile/records.cuh"

namespace
{

/* The factors as lanes read them: the places of all lanes together. */
template <int K> struct sb_lane_factors {
    const sb_few<K + 1> *forwards;
    const sb_few<K> *backs;
    const sb_few<2 * K> *spikes;

    __device__ __forceinline__ sb_few<K + 1> forward(int i) const
    {
        return forwards[i * SB_WARP];
    }
    __device__ __forceinline__ sb_few<K> back(int i) const
    {
        return backs[i * SB_WARP];
    }
    __device__ __forceinline__ sb_few<2 * K> spike(int i) const
    {
        return spikes[i * SB_WARP];
    }
};

template <int K> struct sb_lane_constants {
    const T *mine;

    /* sum += matrix x */
    template <int N>
    __device__ __forceinline__ void apply(T (&sum)[K], int which, const T (&x)[N], int columns = K) const
    {
#pragma unroll
        for (int s = 0; s < K; ++s)
#pragma unroll
            for (int c = 0; c < N; ++c)
                sum[s] += mine[(which * K * K + s * N + c) * SB_WARP] * x[c];
    }
};

/* One scan over the lanes, in place, of all lines at once. UP: from the first lane on. */
template <int K, int DEPTH, bool UP>
__device__ __forceinline__ void sb_lanes_scan(const sb_lane_constants<K> &constants, const sb_lane_group &group,
                                              T (&g)[DEPTH][K])
{
#pragma unroll
    for (int q = 0; q < SB_SCANS; ++q) {
        const int from = UP ? group.before(1 << q) : group.behind(1 << q);
        T other[DEPTH][K];
#pragma unroll
        for (int v = 0; v < DEPTH; ++v)
#pragma unroll
            for (int s = 0; s < K; ++s)
                other[v][s] = sb_shuffle(g[v][s], from, SB_WARP);
#pragma unroll
        for (int v = 0; v < DEPTH; ++v)
            constants.apply(g[v], (UP ? SB_LANE_UP : SB_LANE_DOWN) + q, other[v]);
    }
}

/* Who else has a part of a warp's lines: where they meet, and who speaks for a line. */
struct sb_lane_part {
    sb_lane_crew crew;
    int part, parts, blocks; /* this warp's of so many, in so many blocks of a cluster */
    T *heard;                /* SB_TILE_TURNS of 2 k of each part */
    uint64_t *told;          /* SB_TILE_TURNS barriers and as many numbers of tiles */
};

/* How lines are closed: the unknowns before and at the end of what a warp has of a line, from what remains of the end's
   right-hand side and of what its first interior contributes to the end before. This warp has all of its lines. */
template <int K, bool TEAM> struct sb_lane_closing {
    const sb_lane_constants<K> &constants;

    __device__ sb_lane_closing(const sb_lane_constants<K> &of, const T *, const sb_lane_part &) : constants(of)
    {
    }
    __device__ __forceinline__ void begin(int)
    {
    }
    __device__ __forceinline__ int next(int after) const
    {
        return __shfl_sync(~0u, after, 0);
    }
    __device__ __forceinline__ void close(T (&ends)[2][K]) const
    {
        T sum[K], x[K];
#pragma unroll
        for (int s = 0; s < K; ++s) {
            sum[s] = ends[0][s] + ends[1][s];
            x[s] = 0;
        }
        constants.apply(x, SB_LANE_INVERSE, sum);
#pragma unroll
        for (int s = 0; s < K; ++s)
            ends[0][s] = ends[1][s] = x[s];
    }
    __device__ __forceinline__ void record(const sb_lane_group &group, bool active, bool real, bool broken,
                                           sb_cuda_outcome *system)
    {
        unsigned all = __ballot_sync(~0u, broken && active);
        unsigned mine = (group.width == SB_WARP ? ~0u : (1u << group.width) - 1) << group.at(0);
        if (active && group.chunk == 0 && real)
            *system = all & mine ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1) : SB_CUDA_GOOD;
    }
    __device__ __forceinline__ void end()
    {
    }
};

/* Several warps share a line. Each tells all of its part's ends, and by the same sums all that need a value have it to the last
   bit. The first part's warp also tells which tile comes after the next one. */
template <int K> struct sb_lane_closing<K, true> {
    const T *inverse;
    const sb_lane_part mine;
    sb_tile_records<1> records;
    int turn = -1,
        coming = 0; /* the tile after the next: told by the first part's first lane, then known to all */

    __device__ sb_lane_closing(const sb_lane_constants<K> &, const T *rows, const sb_lane_part &part)
        : inverse(rows), mine(part)
    {
    }
    __device__ __forceinline__ void begin(int told)
    {
        ++turn;
        coming = told;
    }
    __device__ __forceinline__ int next(int) const
    {
        return coming;
    }
    __device__ __forceinline__ void close(T (&ends)[2][K])
    {
        const int at = turn % SB_TILE_TURNS, parts = mine.parts, order = parts * K;
        const T *all = mine.heard + at * parts * 2 * K;
        tell(mine.heard + (at * parts + mine.part) * 2 * K, ends, at);
        coming = static_cast<int>(mine.told[SB_TILE_TURNS + at]);
        records.late();
#pragma unroll
        for (int s = 0; s < K; ++s)
            ends[0][s] = ends[1][s] = 0;
#pragma unroll 1
        for (int j = 0; j < parts; ++j) {
            const T *next = all + (j + 1 < parts ? j + 1 : 0) * 2 * K + K;
#pragma unroll
            for (int c = 0; c < K; ++c) {
                const T sum = all[j * 2 * K + c] + next[c];
#pragma unroll
                for (int s = 0; s < K; ++s) {
                    ends[0][s] += inverse[s * order + j * K + c] * sum;
                    ends[1][s] += inverse[(K + s) * order + j * K + c] * sum;
                }
            }
        }
    }
    __device__ __forceinline__ void tell(T *to, const T (&ends)[2][K], int at) const
    {
        const int lane = threadIdx.x % SB_WARP;
        uint64_t *told = mine.told + at, *number = told + SB_TILE_TURNS;
        if (mine.blocks == 1) {
            if (lane == 0)
                memcpy(to, ends, sizeof ends);
            if (lane == 0 && mine.part == 0)
                *number = static_cast<uint64_t>(coming);
            mine.crew.meet();
            return;
        }
        const uint64_t known = static_cast<uint64_t>(__shfl_sync(~0u, coming, 0));
        if (lane < mine.blocks)
            sb_cluster_send_few(to, ends, told, lane);
        if (lane < mine.blocks && mine.part == 0)
            sb_cluster_send(sb_cluster_address(number, lane), known, sb_cluster_address(told, lane));
        if (mine.crew.lane == 0)
            sb_barrier_expect(told, mine.parts * 2 * K * sizeof(T) + sizeof(uint64_t));
        sb_barrier_wait<SB_CLUSTER>(told, turn / SB_TILE_TURNS % 2);
    }
    __device__ __forceinline__ void record(const sb_lane_group &group, bool active, bool real, bool broken,
                                           sb_cuda_outcome *system)
    {
        sb_cuda_outcome *const of[1] = {system};
        const bool is_real[1] = {real}, is_broken[1] = {broken && active};
        records.note(of, is_real, is_broken, mine.part == 0 && group.lane == 0);
    }
    /* All of the block's threads, once they have solved. */
    __device__ __forceinline__ void end()
    {
        if (mine.blocks > 1)
            sb_cluster_meet();
        else
            __syncthreads();
        records.write();
    }
};

/* The separators on both sides of each lane's chunk. */
template <int K, int SLOTS, int DEPTH, typename Closing>
__device__ __forceinline__ void
sb_lanes_couple(const sb_lane_constants<K> &constants, int last, const sb_lane_group &group, Closing &closing,
                const T (&d)[SLOTS][DEPTH], const T (&head)[K][DEPTH], T (&left)[K][DEPTH], T (&own)[K][DEPTH])
{
    T g[DEPTH][K], ends[DEPTH][2][K]; /* ends: see closing */
#pragma unroll
    for (int v = 0; v < DEPTH; ++v) {
        T e[K], w[K], tail[2 * K], begin[K];
#pragma unroll
        for (int c = 0; c < 2 * K; ++c)
            tail[c] = d[SLOTS - 2 * K + c][v];
#pragma unroll
        for (int s = 0; s < K; ++s) {
            begin[s] = head[s][v];
            e[s] = w[s] = 0;
        }
        constants.apply(e, SB_LANE_E, tail);
        constants.apply(w, SB_LANE_W, begin);
#pragma unroll
        for (int s = 0; s < K; ++s) {
            T next = sb_shuffle(w[s], group.behind(1), SB_WARP);
            g[v][s] = group.chunk < last ? e[s] + next : (T)0;
            ends[v][0][s] = sb_shuffle(e[s], group.at(last), SB_WARP);
            ends[v][1][s] = sb_shuffle(w[s], group.at(0), SB_WARP);
        }
    }
    sb_lanes_scan<K, DEPTH, true>(constants, group, g);
    sb_lanes_scan<K, DEPTH, false>(constants, group, g);
#pragma unroll
    for (int v = 0; v < DEPTH; ++v) {
        T begin[K], end[K];
#pragma unroll
        for (int s = 0; s < K; ++s) {
            begin[s] = sb_shuffle(g[v][s], group.at(0), SB_WARP);
            end[s] = sb_shuffle(g[v][s], group.at(max(last - 1, 0)), SB_WARP);
        }
        constants.apply(ends[v][1], SB_LANE_EDGE, begin);
        constants.apply(ends[v][0], SB_LANE_EDGE + 1, end);
        closing.close(ends[v]);
        constants.apply(g[v], SB_LANE_P, ends[v][0]);
        constants.apply(g[v], SB_LANE_Q, ends[v][1]);
#pragma unroll
        for (int s = 0; s < K; ++s) {
            T before = sb_shuffle(g[v][s], group.before(1), SB_WARP);
            own[s][v] = g[v][s];
            left[s][v] = group.chunk > 0 ? before : ends[v][0][s];
        }
    }
}

/* One tile of a warp, in place in its stage. */
template <int K, int SLOTS, int DEPTH> struct sb_lane_solver {
    const sb_tile_lines &job;
    const sb_lane_mover<1> &mover;
    sb_lane_factors<K> factors;
    sb_lane_constants<K> constants;
    sb_lane_group group;
    int number, abreast; /* of its line; lines side by side */
    int row, front;
    bool active;

    __device__ __forceinline__ int line(int from, int v) const
    {
        return from + number + v * abreast;
    }
    /* The lines of a tile from `from` on. between: what can be done once they have been read. */
    template <typename Closing, typename Between, typename Record>
    __device__ __forceinline__ void solve(int tile, int stage, int from, bool conjugate, Closing &closing,
                                          Between between, Record record) const
    {
        T d[SLOTS][DEPTH], head[K][DEPTH], left[K][DEPTH], own[K][DEPTH];
        int lines = mover.count(tile);
#pragma unroll
        for (int v = 0; v < DEPTH; ++v) {
            bool real = active && line(from, v) < lines;
            const T *at = mover.staged(tile, stage, line(from, v)) + row - front;
#pragma unroll
            for (int i = 0; i < SLOTS; ++i) {
                d[i][v] = 0;
                if (real && i >= front)
                    d[i][v] = at[i];
                if (SB_COMPLEX && conjugate)
                    d[i][v] = sb_conj(d[i][v]);
            }
        }
        sb_tile_interior<K>(d, factors);
        between();
        sb_tile_head<K>(head, d, active ? front : 0);
        sb_lanes_couple<K>(constants, job.cut.chunks - 1, group, closing, d, head, left, own);
#pragma unroll
        for (int i = 0; i < SLOTS; ++i) {
            sb_few<2 * K> spike;
            if (i < SLOTS - K)
                spike = factors.spike(i);
#pragma unroll
            for (int v = 0; v < DEPTH; ++v)
                d[i][v] = i < SLOTS - K ? sb_tile_row<K>(d[i][v], spike, left, own, v)
                                        : own[i < SLOTS - K ? 0 : i - (SLOTS - K)][v];
        }
#pragma unroll
        for (int v = 0; v < DEPTH; ++v) {
            bool real = active && line(from, v) < lines;
            T *at = mover.staged(tile, stage, line(from, v)) + row - front;
            sb_exponent seen;
#pragma unroll
            for (int i = 0; i < SLOTS; ++i) {
                seen.see(d[i][v]);
                if (real && i >= front)
                    at[i] = SB_COMPLEX && conjugate ? sb_conj(d[i][v]) : d[i][v];
            }
            record(line(from, v), lines, seen.broken());
        }
    }
};

/* The factors' tables where they lie in shared memory, of one warp's lanes. */
template <int K, int SLOTS> struct sb_lane_tables {
    const T *forward, *spike, *back, *constants, *inverse;

    __device__ sb_lane_tables(const T *at)
        : forward(at), spike(forward + SB_WARP * SLOTS * (K + 1)), back(spike + SB_WARP * SLOTS * 2 * K),
          constants(back + SB_WARP * SLOTS * K), inverse(constants + SB_WARP * SB_TILE_LANE_WORDS * K * K)
    {
    }
    __device__ sb_lane_factors<K> factors() const
    {
        const int lane = threadIdx.x % SB_WARP;
        return {reinterpret_cast<const sb_few<K + 1> *>(forward) + lane,
                reinterpret_cast<const sb_few<K> *>(back) + lane,
                reinterpret_cast<const sb_few<2 * K> *>(spike) + lane};
    }
};

/* TEAM: the line's chunks are the lanes of several warps; one line at a time then. */
template <int K, int SLOTS, int DEPTH, bool TEAM>
__global__ void __launch_bounds__(SB_TILE_LINE_WARPS(sizeof(T), SB_COMPLEX, K, SLOTS, TEAM) * SB_WARP, 1)
    sb_tile_solve_lines(const __grid_constant__ sb_tile_lines job, const T *stored, const T *b, T *x,
                        bool conjugate, const sb_cuda_matrix *matrix, uint32_t unsafe, sb_cuda_outcome *system,
                        unsigned *taken)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    sb_follow();
    const sb_cuda_matrix known = *matrix;
    const int near = TEAM ? job.near : 1, parts = TEAM ? job.cut.blocks : 1, blocks = TEAM ? parts / near : 1;
    const int lane = threadIdx.x % SB_WARP, warp = threadIdx.x / SB_WARP, teams = blockDim.x / SB_WARP / near,
              team = warp / near, first_part = blockIdx.x % blocks * near, part = first_part + warp % near;
    const sb_tile_part mine = sb_tile_part_of(&job.split, blockIdx.x / blocks, gridDim.x / blocks);
    const int64_t all = SB_TILE_LANE_TABLES(K, SLOTS, parts),
                  behind = static_cast<int64_t>(mine.piece) * job.cut.n;
    const T *given = stored + mine.piece * job.split.tables + sb_tile_layout(&job.cut).lanes + first_part * all;
    b += behind;
    x += behind;
    system += mine.piece * job.split.outcomes;
    taken += mine.piece * SB_TILE_TAKEN;
    const sb_lane_crew crew = {static_cast<int>(threadIdx.x) - team * near * SB_WARP, near * SB_WARP, 1 + team};
    T *there = reinterpret_cast<T *>(shared + (size_t)teams * job.stages * job.stage_bytes),
      *heard = there + near * all + team * SB_TILE_TURNS * parts * 2 * K;
    const sb_lane_tables<K, SLOTS> tables(there + warp % near * all);
    uint64_t *come = reinterpret_cast<uint64_t *>(there + near * all +
                                                  (TEAM ? teams * SB_TILE_TURNS * parts * 2 * K : 0)),
             *full = come + 1 + team * job.stages,
             *told = come + 1 + teams * job.stages + team * 2 * SB_TILE_TURNS;
    if (crew.lane == 0 && job.bulk_in) {
        for (int s = 0; s < job.stages; ++s)
            sb_barrier_make(full + s, 1);
        for (int s = 0; TEAM && s < SB_TILE_TURNS; ++s)
            sb_barrier_make(told + s, 1);
        if (team == 0)
            sb_barrier_make(come, 1);
        sb_barriers_made();
        if (team == 0) {
            sb_barrier_expect(come, near * all * sizeof(T));
            sb_bulk_load_run(there, given, near * all * sizeof(T), come);
        }
    }
    for (int i = threadIdx.x; i < near * all && !job.bulk_in; i += blockDim.x)
        there[i] = given[i];
    if (blocks > 1)
        sb_cluster_meet();
    else
        __syncthreads();
    const int begin = blocks > 1 ? first_part * job.cut.block_rows : 0,
              rows = blocks > 1 ? min(near * job.cut.block_rows, job.cut.n - begin) : job.cut.n;
    const sb_lane_mover<1> mover = {job,  {b},  x,     shared + (size_t)team * job.stages * job.stage_bytes,
                                    full, crew, begin, rows};
    const int chunk = lane % job.width, number = lane / job.width, abreast = SB_WARP / job.width;
    const bool active = chunk < job.cut.chunks && number < abreast;
    const int start = active ? sb_tile_start(&job.cut, part, chunk) : 0,
              front = active ? SLOTS - (sb_tile_start(&job.cut, part, chunk + 1) - start) : 0;
    const sb_lane_solver<K, SLOTS, DEPTH> solver = {job,
                                                    mover,
                                                    tables.factors(),
                                                    {tables.constants + lane},
                                                    {lane, chunk, job.width},
                                                    number,
                                                    abreast,
                                                    start + part * job.cut.block_rows - begin,
                                                    front,
                                                    active};
    sb_lane_closing<K, TEAM> closing(solver.constants, tables.inverse,
                                     {crew, part, parts, blocks, heard, told});
    const int tiles = (job.systems + job.together - 1) / job.together, step = mine.count * teams;
    const sb_tile_queue queue = {taken, tiles, step, TEAM ? 3 : 2};
    int stage = 0, parity = 0, tile = mine.number * teams + team, next = tile + step,
        coming = next + step;          /* TEAM: as the first part's warp knows it */
    const bool ahead = job.stages > 1; /* two of them */
    if (ahead && tile < tiles)
        mover.load(tile, 0);
    if (job.bulk_in)
        sb_barrier_wait<SB_BLOCK>(come, 0);
    if (known.outcome != SB_CUDA_GOOD || known.flags & unsafe) {
        if (ahead && job.bulk_in && tile < tiles)
            sb_barrier_wait<SB_BLOCK>(full, 0); /* what is on its way needs its place */
        return;
    }
    while (tile < tiles) {
        const int last = TEAM ? coming : next;
        int after = last + step;
        if (job.queued && lane == 0 && part == 0 && last < tiles)
            after = queue.take();
        if (!ahead)
            mover.load(tile, 0);
        if (job.bulk_in)
            sb_barrier_wait<SB_BLOCK>(full + stage, parity);
        closing.begin(coming);
        for (int from = 0; from < job.together; from += DEPTH * abreast)
            solver.solve(
                tile, stage, from, conjugate, closing,
                [&] {
                    if (from > 0 || !ahead || next >= tiles)
                        return;
                    if (job.bulk_out)
                        sb_bulk_stores_left<0>();
                    __syncwarp();
                    mover.load(next, 1 - stage);
                },
                [&](int l, int lines, bool broken) {
                    closing.record(solver.group, active, l < lines, broken,
                                   system + mover.number(tile * job.together + min(l, lines - 1)));
                });
        mover.store(tile, stage);
        stage = ahead ? 1 - stage : 0;
        parity ^= stage == 0;
        tile = next;
        next = closing.next(after);
        coming = after;
    }
    closing.end();
    sb_bulk_stores_done();
}

} // namespace

#endif
