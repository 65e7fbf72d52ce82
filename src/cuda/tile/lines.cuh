/* Shared matrix, lines one after another: 2 words a row.
 *
 * Warps work alone: `width` lanes hold a line, a chunk each, 32 / width lines side by side and DEPTH deep.
 * Lines lie in the warp's ring of stages as they lie in memory, so that any length and gap will do; chunks of an odd
 * number of rows keep the lanes on different banks. The chain of separators is solved by two scans over the lanes with
 * products computed beforehand. Lines come by the bulk copy engine, rounded out to its 16 bytes, and go by it where they
 * are multiples of that, else as the lanes can. */
#ifndef SB_CUDA_TILE_LINES_CUH
#define SB_CUDA_TILE_LINES_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/lanes.cuh"
#include "src/cuda/tile/queue.cuh"

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

/* The separators on both sides of each lane's chunk. */
template <int K, int SLOTS, int DEPTH>
__device__ __forceinline__ void
sb_lanes_couple(const sb_lane_constants<K> &constants, int last, const sb_lane_group &group,
                const T (&d)[SLOTS][DEPTH], const T (&head)[K][DEPTH], T (&left)[K][DEPTH], T (&own)[K][DEPTH])
{
    T g[DEPTH][K], first[DEPTH][K], ends[DEPTH][K];
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
            ends[v][s] = sb_shuffle(e[s], group.at(last), SB_WARP);
            first[v][s] = sb_shuffle(w[s], group.at(0), SB_WARP);
        }
    }
    sb_lanes_scan<K, DEPTH, true>(constants, group, g);
    sb_lanes_scan<K, DEPTH, false>(constants, group, g);
#pragma unroll
    for (int v = 0; v < DEPTH; ++v) {
        T begin[K], end[K], x[K];
#pragma unroll
        for (int s = 0; s < K; ++s) {
            begin[s] = sb_shuffle(g[v][s], group.at(0), SB_WARP);
            end[s] = sb_shuffle(g[v][s], group.at(max(last - 1, 0)), SB_WARP);
        }
        constants.apply(first[v], SB_LANE_EDGE, begin);
        constants.apply(ends[v], SB_LANE_EDGE + 1, end);
#pragma unroll
        for (int s = 0; s < K; ++s) {
            ends[v][s] += first[v][s];
            x[s] = 0;
        }
        constants.apply(x, SB_LANE_INVERSE, ends[v]);
        constants.apply(g[v], SB_LANE_P, x);
        constants.apply(g[v], SB_LANE_Q, x);
#pragma unroll
        for (int s = 0; s < K; ++s) {
            T before = sb_shuffle(g[v][s], group.before(1), SB_WARP);
            own[s][v] = g[v][s];
            left[s][v] = group.chunk > 0 ? before : x[s];
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
    template <typename Between>
    __device__ __forceinline__ void solve(int tile, int stage, int from, bool conjugate,
                                          sb_cuda_outcome *system, Between between) const
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
        sb_lanes_couple<K>(constants, job.cut.chunks - 1, group, d, head, left, own);
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
            record(tile, line(from, v), lines, seen.broken(), system);
        }
    }
    __device__ __forceinline__ void record(int tile, int l, int lines, bool broken,
                                           sb_cuda_outcome *system) const
    {
        unsigned all = __ballot_sync(~0u, broken && active);
        unsigned mine = (group.width == SB_WARP ? ~0u : (1u << group.width) - 1) << group.at(0);
        if (active && group.chunk == 0 && l < lines)
            system[mover.number(tile * job.together + l)] =
                all & mine ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1) : SB_CUDA_GOOD;
    }
};

template <int K, int SLOTS, int DEPTH>
__global__ void __launch_bounds__(SB_TILE_LINE_WARPS(sizeof(T), SB_COMPLEX, K, SLOTS) * SB_WARP, 1)
    sb_tile_solve_lines(const __grid_constant__ sb_tile_lines job, const T *stored, const T *b, T *x,
                        bool conjugate, const sb_cuda_matrix *matrix, uint32_t unsafe, sb_cuda_outcome *system,
                        unsigned *taken)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    sb_follow();
    const sb_cuda_matrix known = *matrix;
    constexpr int TABLES = SB_TILE_LANE_TABLES(K, SLOTS);
    const T *given = stored + sb_tile_layout(&job.cut).lanes;
    int lane = threadIdx.x % SB_WARP, warp = threadIdx.x / SB_WARP, warps = blockDim.x / SB_WARP;
    T *forward = reinterpret_cast<T *>(shared + (size_t)warps * job.stages * job.stage_bytes);
    T *spike = forward + SB_WARP * SLOTS * (K + 1), *back = spike + SB_WARP * SLOTS * 2 * K,
      *constants = back + SB_WARP * SLOTS * K;
    uint64_t *tables = reinterpret_cast<uint64_t *>(forward + TABLES), *full = tables + 1 + warp * job.stages;
    if (lane == 0 && job.bulk_in) {
        for (int s = 0; s < job.stages; ++s)
            sb_barrier_make(full + s, 1);
        if (warp == 0)
            sb_barrier_make(tables, 1);
        sb_barriers_made();
        if (warp == 0) {
            sb_barrier_expect(tables, TABLES * sizeof(T));
            sb_bulk_load_run(forward, given, TABLES * sizeof(T), tables);
        }
    }
    for (int i = threadIdx.x; i < TABLES && !job.bulk_in; i += blockDim.x)
        forward[i] = given[i];
    __syncthreads();
    sb_lane_mover<1> mover = {job, {b}, x, shared + (size_t)warp * job.stages * job.stage_bytes, full};
    int chunk = lane % job.width, number = lane / job.width, abreast = SB_WARP / job.width;
    bool active = chunk < job.cut.chunks && number < abreast;
    int row = active ? sb_tile_start(&job.cut, 0, chunk) : 0;
    int front = active ? SLOTS - (sb_tile_start(&job.cut, 0, chunk + 1) - row) : 0;
    sb_lane_factors<K> factors = {reinterpret_cast<const sb_few<K + 1> *>(forward) + lane,
                                  reinterpret_cast<const sb_few<K> *>(back) + lane,
                                  reinterpret_cast<const sb_few<2 * K> *>(spike) + lane};
    sb_lane_solver<K, SLOTS, DEPTH> solver = {
        job, mover, factors, {constants + lane}, {lane, chunk, job.width}, number, abreast, row, front, active};
    int tiles = (job.systems + job.together - 1) / job.together, step = gridDim.x * warps;
    const sb_tile_queue queue = {taken, tiles, step, 2};
    int stage = 0, parity = 0, tile = blockIdx.x * warps + warp, next = tile + step;
    const bool ahead = job.stages > 1; /* two of them */
    if (ahead && tile < tiles)
        mover.load(tile, 0);
    if (job.bulk_in)
        sb_barrier_wait<SB_BLOCK>(tables, 0);
    if (known.outcome != SB_CUDA_GOOD || known.flags & unsafe) {
        if (ahead && job.bulk_in && tile < tiles)
            sb_barrier_wait<SB_BLOCK>(full, 0); /* what is on its way needs its place */
        return;
    }
    while (tile < tiles) {
        int after = next + step;
        if (job.queued && lane == 0 && next < tiles)
            after = queue.take();
        if (!ahead)
            mover.load(tile, 0);
        if (job.bulk_in)
            sb_barrier_wait<SB_BLOCK>(full + stage, parity);
        for (int from = 0; from < job.together; from += DEPTH * abreast)
            solver.solve(tile, stage, from, conjugate, system, [&] {
                if (from > 0 || !ahead || next >= tiles)
                    return;
                if (job.bulk_out)
                    sb_bulk_stores_left<0>();
                __syncwarp();
                mover.load(next, 1 - stage);
            });
        mover.store(tile, stage);
        stage = ahead ? 1 - stage : 0;
        parity ^= stage == 0;
        tile = next;
        next = __shfl_sync(~0u, after, 0);
    }
    sb_bulk_stores_done();
}

} // namespace

#endif
