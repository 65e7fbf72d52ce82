/* Shared matrix, lines side by side (interleaved, or along any but the fastest axis), or one after another where they are of a
 * band wider than tridiagonal: 2 words a row.
 *
 * A tile is `columns` neighbouring systems; a warp holds one chunk of 32 LANES of them in registers. A block's chunks
 * meet twice in shared memory: every chunk posts what its separators' equations need, one thread a column sweeps the
 * chain of separators, and every chunk finishes its rows. Blocks of a cluster split the rows and tell each other what
 * couples their ends. Two blocks share a multiprocessor wherever they fit, so that one works while the other waits for its
 * sweeps. With BULK, tiles come through a ring of stages in shared memory by the bulk copy engine, a stage loaded anew as
 * soon as its rows are in registers; without, straight from memory, for strides that the engine cannot do and for GPUs that
 * have none. Rows go back from registers, whole segments of 32 columns at a time.
 * What brings rows and takes them back is Traffic: beside.cuh, and in_lines.cuh for lines one after another. */
#ifndef SB_CUDA_TILE_STRIDED_CUH
#define SB_CUDA_TILE_STRIDED_CUH

#include <cuda_pipeline_primitives.h>

#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/chunk.cuh"
#include "src/cuda/tile/queue.cuh"
#include "src/cuda/tile/records.cuh"
#include "src/cuda/tile/strided.h"

namespace
{

constexpr int sb_tile_lanes = SB_TILE_LANES(sizeof(T));

/* A block's share of the factors, copied to shared memory. */
template <int K, bool ALONE> struct sb_tile_factors {
    typedef sb_few<SB_TILE_FORWARD(K, ALONE)> forward_type;
    const forward_type *forwards;
    const sb_few<K> *backs;
    const sb_few<2 * K> *spikes;

    __device__ __forceinline__ forward_type forward(int i) const
    {
        return forwards[i];
    }
    __device__ __forceinline__ sb_few<K> back(int i) const
    {
        return backs[i];
    }
    __device__ __forceinline__ sb_few<2 * K> spike(int i) const
    {
        return spikes[i];
    }
};

/* By all threads; nobody waits before the last of several copies. */
__device__ __forceinline__ T *sb_tile_copy(T *to, const T *from, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        __pipeline_memcpy_async(to + i, from + i, sizeof(T));
    return to + count;
}

/* The same of rows that stand further apart there. */
__device__ __forceinline__ T *sb_tile_copy_rows(T *to, const T *from, int rows, int words, int pitch)
{
    for (int i = threadIdx.x; i < rows * words; i += blockDim.x)
        __pipeline_memcpy_async(to + i / words * pitch + i % words, from + i, sizeof(T));
    return to + rows * pitch;
}

/* Everything in shared memory but the stages, which come first. What is copied there is there after the next wait for copies. */
template <int K> struct sb_tile_room {
    T *forward, *back, *spike, *link, *edge, *inverse, *posts,
        *exchanges; /* posts, exchanges: SB_TILE_TURNS of each */
    uint64_t *full, *told;
    uint64_t *numbers; /* of tiles, in places of turns */

    __device__ sb_tile_room(const sb_tile_strided &job, const T *stored, unsigned char *base, int block,
                            int pitch)
    {
        const sb_tile_cut &cut = job.cut;
        sb_tile_parts parts = sb_tile_layout(&cut);
        int slots = cut.chunks * cut.slots, order = cut.blocks * K;
        int before = (block + cut.blocks - 1) % cut.blocks;
        int64_t first = (int64_t)block * slots;
        full = reinterpret_cast<uint64_t *>(base + (size_t)job.stages * job.stage_bytes);
        told = full + SB_TILE_MOST_STAGES;
        numbers = told + SB_TILE_TURNS;
        forward = reinterpret_cast<T *>(numbers + SB_TILE_NUMBERS);
        spike = sb_tile_copy_rows(forward, stored + parts.forward + first * (K + 1), slots, K + 1, pitch);
        back = sb_tile_copy(spike, stored + parts.spike + first * 2 * K, slots * 2 * K);
        exchanges = sb_tile_copy(back, stored + parts.back + first * K, slots * K);
        posts = exchanges + SB_TILE_TURNS * cut.blocks * 2 * K * job.columns;
        link = posts + SB_TILE_TURNS * cut.chunks * 2 * K * job.columns;
        int links = cut.chunks * SB_TILE_LINK * K * K;
        edge = sb_tile_copy(link, stored + parts.link + (int64_t)block * links, links);
        inverse = sb_tile_copy(edge, stored + parts.edge + (int64_t)block * 2 * K * K, 2 * K * K);
        T *second = sb_tile_copy(inverse, stored + parts.inverse + (int64_t)before * K * order, K * order);
        sb_tile_copy(second, stored + parts.inverse + (int64_t)block * K * order, K * order);
        __pipeline_commit();
    }
    /* movers: whose promises fill a stage. */
    __device__ __forceinline__ void make_barriers(const sb_tile_strided &job, int movers) const
    {
        for (int s = 0; s < job.stages; ++s)
            sb_barrier_make(full + s, movers);
        for (int s = 0; s < SB_TILE_TURNS; ++s)
            sb_barrier_make(told + s, min(job.columns, (int)blockDim.x));
        sb_barriers_made();
    }
    __device__ __forceinline__ uint64_t *number_at(int turn) const
    {
        return numbers + turn % SB_TILE_NUMBERS;
    }
    __device__ __forceinline__ int number(int turn) const
    {
        return static_cast<int>(*number_at(turn));
    }
    __device__ __forceinline__ T *post(const sb_tile_strided &job, int turn) const
    {
        return posts + turn % SB_TILE_TURNS * job.cut.chunks * 2 * K * job.columns;
    }
    __device__ __forceinline__ T *exchange(const sb_tile_strided &job, int turn) const
    {
        return exchanges + turn % SB_TILE_TURNS * job.cut.blocks * 2 * K * job.columns;
    }
};

/* Where a tile lies: its first column and outer indices. */
struct sb_tile_place {
    int column, outer[2];

    __device__ sb_tile_place(const sb_tile_strided &job, int tile)
    {
        column = tile % job.across * job.columns;
        tile /= job.across;
        outer[0] = tile % job.grid.outer[0];
        outer[1] = tile / job.grid.outer[0];
    }
    __device__ int64_t of(const sb_tile_line &line) const
    {
        return column * line.column + outer[0] * line.outer[0] + outer[1] * line.outer[1];
    }
    /* The number of the system of one of its columns. */
    __device__ __forceinline__ int64_t number(const sb_tile_grid &grid, int of_column) const
    {
        return (column + of_column) * grid.number[0] + outer[0] * grid.number[1] + outer[1] * grid.number[2];
    }
};

/* What a chunk tells its block: e, its share of its own separators' equations, and w, that of the separators' before. */
template <int K, int S>
__device__ __forceinline__ void sb_tile_post(const sb_tile_strided &job, T *post, const T *link, int chunk,
                                             int column, const T (&d)[S][sb_tile_lanes], int front)
{
    constexpr int LANES = sb_tile_lanes;
    T head[K][LANES];
    sb_tile_head<K>(head, d, front);
#pragma unroll
    for (int s = 0; s < K; ++s)
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            T e = 0, w = 0;
#pragma unroll
            for (int c = 0; c < 2 * K; ++c)
                e += link[(SB_TILE_E * K + 2 * s) * K + c] * d[S - 2 * K + c][v];
#pragma unroll
            for (int c = 0; c < K; ++c)
                w += link[(SB_TILE_W * K + s) * K + c] * head[c][v];
            post[((chunk * 2) * K + s) * job.columns + column + 32 * v] = e;
            post[((chunk * 2 + 1) * K + s) * job.columns + column + 32 * v] = w;
        }
}

/* sum += matrix x */
template <int K> __device__ __forceinline__ void sb_tile_apply(T (&sum)[K], const T *matrix, const T (&x)[K])
{
#pragma unroll
    for (int s = 0; s < K; ++s)
#pragma unroll
        for (int c = 0; c < K; ++c)
            sum[s] += matrix[s * K + c] * x[c];
}

/* What a step along a column's chain takes: g(c) = sum(c) + multiplier(c) g(c - step). PAIRED: the sum is e + w, else e. */
template <int K, bool PAIRED> struct sb_tile_step {
    enum {
        HELD = K * K * sizeof(T) <= 128
    }; /* the multiplier too is fetched ahead, where it is not more than there are registers for */
    T e[K], w[K], multiplier[HELD ? K * K : 1];
    const T *from;

    __device__ __forceinline__ void fetch(const T *post, int pitch, const T *multipliers)
    {
#pragma unroll
        for (int s = 0; s < K; ++s) {
            e[s] = post[s * pitch];
            w[s] = PAIRED ? post[(3 * K + s) * pitch] : T(0);
        }
#pragma unroll
        for (int s = 0; s < (HELD ? K * K : 1); ++s)
            multiplier[s] = multipliers[s];
        from = multipliers;
    }
    /* g, in the place of e. */
    __device__ __forceinline__ void take(T *post, int pitch, T (&g)[K]) const
    {
        T sum[K];
#pragma unroll
        for (int s = 0; s < K; ++s)
            sum[s] = PAIRED ? e[s] + w[s] : e[s];
        sb_tile_apply<K>(sum, HELD ? multiplier : from, g);
#pragma unroll
        for (int s = 0; s < K; ++s)
            post[s * pitch] = g[s] = sum[s];
    }
};

/* g along one column's chain, from chunk `at` on. What a step takes is fetched AHEAD of them before, so that it waits for g alone;
   more of it would leave the kernel short of registers. */
template <int K, int STEP, bool PAIRED>
__device__ __forceinline__ void sb_tile_scan(T *post, int pitch, const T *multipliers, int at, int length,
                                             T (&g)[K])
{
    constexpr int AHEAD = K == 1 ? 2 : 1, LINK = STEP * SB_TILE_LINK * K * K;
    const int apart = STEP * 2 * K * pitch;
    sb_tile_step<K, PAIRED> ahead[AHEAD];
    post += 2 * at * K * pitch;
    multipliers += at * SB_TILE_LINK * K * K;
#pragma unroll
    for (int i = 0; i < AHEAD; ++i)
        if (i < length)
            ahead[i].fetch(post + i * apart, pitch, multipliers + i * LINK);
#pragma unroll 1
    for (int left = length;; left -= AHEAD)
#pragma unroll
        for (int i = 0; i < AHEAD; ++i, post += apart, multipliers += LINK) {
            if (i >= left)
                return;
            ahead[i].take(post, pitch, g);
            const int next = i + AHEAD < left ? AHEAD : 0;
            ahead[i].fetch(post + next * apart, pitch, multipliers + next * LINK);
        }
}

/* One column's chain of separators, solved in place of e; e and w of the block's ends in `ends`. */
template <int K>
__device__ __forceinline__ void sb_tile_sweep(const sb_tile_strided &job, T *post, const T *link, const T *edge,
                                              T (&ends)[2][K])
{
    int length = job.cut.chunks - 1, pitch = job.columns;
    T first[K], last[K];
#pragma unroll
    for (int s = 0; s < K; ++s)
        first[s] = last[s] = 0;
    if (length > 0)
        sb_tile_scan<K, 1, true>(post, pitch, link + SB_TILE_L * K * K, 0, length, last);
#pragma unroll
    for (int s = 0; s < K; ++s)
        ends[0][s] = post[(2 * length * K + s) * pitch];
    if (length > 0) {
        sb_tile_apply<K>(ends[0], edge + K * K, last);
#pragma unroll
        for (int s = 0; s < K; ++s)
            first[s] = last[s];
        sb_tile_scan<K, -1, false>(post, pitch, link + SB_TILE_U * K * K, length - 2, length - 1, first);
    }
#pragma unroll
    for (int s = 0; s < K; ++s)
        ends[1][s] = post[(K + s) * pitch];
    if (length > 0)
        sb_tile_apply<K>(ends[1], edge, first);
}

/* The columns' sweeps; the ends go to every block of the cluster, and so does the tile that its first thread has taken. */
template <int K>
__device__ __forceinline__ void sb_tile_couple(const sb_tile_strided &job, const sb_tile_room<K> &room,
                                               int turn, int block, int taken)
{
    int blocks = job.cut.blocks;
    uint64_t *told = room.told + turn % SB_TILE_TURNS;
    for (int column = threadIdx.x; column < job.columns; column += blockDim.x) {
        T ends[2][K], *to = room.exchange(job, turn) + (block * job.columns + column) * 2 * K;
        sb_tile_sweep<K>(job, room.post(job, turn) + column, room.link, room.edge, ends);
        for (int peer = 0; peer < blocks && blocks > 1; ++peer)
            sb_cluster_send_few(to, ends, told, peer);
        if (blocks == 1)
            memcpy(to, ends, sizeof ends);
    }
    if (threadIdx.x == 0 && block == 0) {
        uint64_t *to = room.number_at(turn + 1 + job.stages);
        for (int peer = 0; peer < blocks && blocks > 1; ++peer)
            sb_cluster_send(sb_cluster_address(to, peer), static_cast<uint64_t>(taken),
                            sb_cluster_address(told, peer));
        if (blocks == 1)
            *to = static_cast<uint64_t>(taken);
    }
    if (threadIdx.x == 0 && blocks > 1)
        sb_barrier_expect(told, blocks * 2 * K * job.columns * sizeof(T) + sizeof(uint64_t));
    else if (threadIdx.x < job.columns)
        sb_barrier_arrive(told);
}

/* The sweeps of a turn are done and the ends of all blocks have come. */
__device__ __forceinline__ void sb_tile_await(uint64_t *told, int turn)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
    __syncthreads();
#else
    sb_barrier_wait<SB_CLUSTER>(told + turn % SB_TILE_TURNS, turn / SB_TILE_TURNS % 2);
#endif
}

/* The ends of the block before and of this one, then the separators on both sides of a chunk. Every block and chunk that
   needs a value computes it by the same sums, so that all agree to the last bit. */
template <int K>
__device__ __forceinline__ void sb_tile_around(const sb_tile_strided &job, const sb_tile_room<K> &room,
                                               int turn, int chunk, int column, T (&left)[K][sb_tile_lanes],
                                               T (&own)[K][sb_tile_lanes])
{
    constexpr int LANES = sb_tile_lanes;
    int blocks = job.cut.blocks, order = blocks * K, pitch = job.columns;
#pragma unroll
    for (int v = 0; v < LANES; ++v) {
        T end[2][K];
#pragma unroll
        for (int s = 0; s < K; ++s)
            end[0][s] = end[1][s] = 0;
#pragma unroll(K == 1 ? 4 : 1)
        for (int j = 0; j < blocks; ++j) {
            const T *here = room.exchange(job, turn) + (j * pitch + column + 32 * v) * 2 * K;
            const T *next =
                room.exchange(job, turn) + ((j + 1 < blocks ? j + 1 : 0) * pitch + column + 32 * v) * 2 * K + K;
#pragma unroll
            for (int c = 0; c < K; ++c) {
                T sum = here[c] + next[c];
#pragma unroll
                for (int s = 0; s < K; ++s) {
                    end[0][s] += room.inverse[s * order + j * K + c] * sum;
                    end[1][s] += room.inverse[(K + s) * order + j * K + c] * sum;
                }
            }
        }
#pragma unroll
        for (int side = 0; side < 2; ++side) {
            int at = chunk - 1 + side;
            T x[K];
            const T *link = room.link + at * SB_TILE_LINK * K * K;
            bool inner = at >= 0 && at < job.cut.chunks - 1;
#pragma unroll
            for (int s = 0; s < K; ++s)
                x[s] = inner ? room.post(job, turn)[(2 * at * K + s) * pitch + column + 32 * v]
                             : (at < 0 ? end[0][s] : end[1][s]);
            if (inner) {
                sb_tile_apply<K>(x, link + SB_TILE_P * K * K, end[0]);
                sb_tile_apply<K>(x, link + SB_TILE_Q * K * K, end[1]);
            }
#pragma unroll
            for (int s = 0; s < K; ++s)
                (side ? own : left)[s][v] = x[s];
        }
    }
}

/* A thread's chunk: its places in a block's rows and its first column in a tile. */
struct sb_tile_seat {
    int chunk, column, row, front;

    __device__ sb_tile_seat(const sb_tile_strided &job, int block, int lanes, int slots)
    {
        int warp = threadIdx.x / 32;
        chunk = warp % job.cut.chunks;
        column = warp / job.cut.chunks * 32 * lanes + threadIdx.x % 32;
        row = sb_tile_start(&job.cut, block, chunk);
        front = slots - (sb_tile_start(&job.cut, block, chunk + 1) - row);
    }
};

/* Between registers and wherever they lie, from place 0 on, AT_ONCE of them, which a chunk's rows are multiples of. */
template <int S, typename Rows>
__device__ __forceinline__ void sb_tile_read(T (&d)[S][sb_tile_lanes], Rows rows, int front,
                                             const bool (&real)[sb_tile_lanes], bool conjugate)
{
#pragma unroll
    for (int i = 0; i < S; i += Rows::AT_ONCE, rows.next())
#pragma unroll
        for (int v = 0; v < sb_tile_lanes; ++v) {
            sb_few<Rows::AT_ONCE> few = {};
            if (i >= front && real[v])
                few = rows.get(v);
#pragma unroll
            for (int j = 0; j < Rows::AT_ONCE; ++j) {
                d[i + j][v] = few.at[j];
                if (SB_COMPLEX && conjugate)
                    d[i + j][v] = sb_conj(d[i + j][v]);
            }
        }
}

/* The finished rows; broken: one of them is NaN or Inf. */
template <int K, int S, typename Rows, typename Factors>
__device__ __forceinline__ void
sb_tile_write(const T (&d)[S][sb_tile_lanes], Rows rows, int front, const bool (&real)[sb_tile_lanes],
              const Factors &factors, const T (&left)[K][sb_tile_lanes], const T (&own)[K][sb_tile_lanes],
              bool conjugate, bool (&broken)[sb_tile_lanes])
{
    constexpr int LANES = sb_tile_lanes, AT_ONCE = Rows::AT_ONCE;
    sb_exponent seen[LANES];
#pragma unroll
    for (int i = 0; i < S; i += AT_ONCE, rows.next()) {
        sb_few<AT_ONCE> few[LANES];
#pragma unroll
        for (int j = i; j < i + AT_ONCE; ++j) {
            sb_few<2 * K> spike;
            if (j < S - K)
                spike = factors.spike(j);
#pragma unroll
            for (int v = 0; v < LANES; ++v) {
                T x = j < S - K ? sb_tile_row<K>(d[j][v], spike, left, own, v)
                                : own[j < S - K ? 0 : j - (S - K)][v];
                seen[v].see(x);
                if (SB_COMPLEX && conjugate)
                    x = sb_conj(x);
                few[v].at[j - i] = x;
            }
        }
#pragma unroll
        for (int v = 0; v < LANES; ++v)
            if (i >= front && real[v])
                rows.put(v, few[v]);
    }
#pragma unroll
    for (int v = 0; v < LANES; ++v)
        broken[v] = seen[v].broken();
}

/* What every Traffic has, of one block; of its ring, the stage whose turn it is. */
struct sb_tile_traffic {
    const sb_tile_strided &job;
    unsigned char *stages;
    uint64_t *full;
    const T *b;
    T *x;
    const sb_tile_seat &seat;
    int base; /* row of b and x in the lines */
    int block, stage, parity;

    __device__ __forceinline__ void advance()
    {
        stage = stage + 1 == job.stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
};

/* A block's part of one solve. */
template <int K, typename Traffic> struct sb_tile_worker {
    enum { SLOTS = Traffic::SLOTS };
    const sb_tile_strided &job;
    const sb_tile_room<K> &room;
    const sb_tile_seat &seat;
    const typename Traffic::factors factors;
    int block;
    bool conjugate;

    /* Reads the tile's rows and posts what its separators' equations need. */
    __device__ __forceinline__ void begin(T (&d)[SLOTS][sb_tile_lanes], int tile, int turn,
                                          const Traffic &traffic) const
    {
        bool real[sb_tile_lanes];
        traffic.real_columns(tile, real);
        traffic.read(d, tile, real, conjugate);
        traffic.has_read(room, turn);
        sb_tile_interior<K>(d, factors);
        sb_tile_post<K>(job, room.post(job, turn), room.link + seat.chunk * SB_TILE_LINK * K * K, seat.chunk,
                        seat.column, d, seat.front);
        __syncthreads();
    }
    /* Takes the separators and writes the tile's rows. */
    __device__ __forceinline__ void end(const T (&d)[SLOTS][sb_tile_lanes], int tile, int turn,
                                        const Traffic &traffic, sb_cuda_outcome *system,
                                        sb_tile_records<sb_tile_lanes> &records) const
    {
        bool real[sb_tile_lanes], broken[sb_tile_lanes];
        T left[K][sb_tile_lanes], own[K][sb_tile_lanes];
        sb_cuda_outcome *mine[sb_tile_lanes];
        traffic.real_columns(tile, real);
        sb_tile_await(room.told, turn);
        sb_tile_around<K>(job, room, turn, seat.chunk, seat.column, left, own);
        records.late();
        traffic.write(d, tile, real, factors, left, own, conjugate, broken);
#pragma unroll
        for (int v = 0; v < sb_tile_lanes; ++v)
            mine[v] = system + traffic.number(tile, v);
        records.note(mine, real, broken, seat.chunk == 0 && block == 0);
    }
};

template <int K, typename Traffic>
__global__ void __launch_bounds__(32 * Traffic::WARPS, 1)
    sb_tile_solve_strided(const __grid_constant__ CUtensorMap map, const __grid_constant__ sb_tile_strided job,
                          const T *stored, const T *b, T *x, bool conjugate, const sb_cuda_matrix *matrix,
                          uint32_t unsafe, sb_cuda_outcome *system, unsigned *taken)
{
    constexpr int S = Traffic::SLOTS, LANES = sb_tile_lanes;
    extern __shared__ __align__(1024) unsigned char shared[];
    if (Traffic::STAGED && !sb_has_engine)
        return;
    sb_follow();
    const sb_cuda_matrix known = *matrix;
    int blocks = job.cut.blocks, block = blockIdx.x % blocks;
    const sb_tile_part mine = sb_tile_part_of(&job.split, blockIdx.x / blocks, gridDim.x / blocks);
    const int clusters = mine.count, base = mine.piece * job.cut.n;
    stored += mine.piece * job.split.tables;
    b += base * job.grid.b_at.row;
    x += base * job.grid.x_at.row;
    system += mine.piece * job.split.outcomes;
    taken += mine.piece * SB_TILE_TAKEN;
    const sb_tile_room<K> room(job, stored, shared, block, SB_TILE_FORWARD(K, Traffic::ALONE));
    const sb_tile_seat seat(job, block, LANES, S);
    typedef typename Traffic::factors factors_type;
    const factors_type factors = {reinterpret_cast<const typename factors_type::forward_type *>(room.forward) +
                                      seat.chunk * S,
                                  reinterpret_cast<const sb_few<K> *>(room.back) + seat.chunk * S,
                                  reinterpret_cast<const sb_few<2 * K> *>(room.spike) + seat.chunk * S};
    const sb_tile_worker<K, Traffic> worker = {job, room, seat, factors, block, conjugate};
    Traffic traffic({job, shared, room.full, b, x, seat, base, block, 0, 0}, &map);
    sb_tile_records<LANES> records;
    const sb_tile_queue queue = {taken, job.tiles, clusters, job.stages + 1};
    int tile = mine.number;
    if (threadIdx.x < queue.given)
        *room.number_at(threadIdx.x) = tile + threadIdx.x * clusters;
    if (threadIdx.x == blockDim.x - 1) {
        room.make_barriers(job, traffic.movers());
        for (int s = 0; Traffic::EARLY && s < job.stages && tile + s * clusters < job.tiles; ++s)
            traffic.load(tile + s * clusters, s);
    }
    __pipeline_wait_prior(0);
    if (blocks > 1)
        sb_cluster_meet();
    else
        __syncthreads();
    if (known.outcome != SB_CUDA_GOOD || known.flags & unsafe) {
        for (int s = 0; Traffic::EARLY && s < job.stages && tile + s * clusters < job.tiles; ++s)
            sb_barrier_wait<SB_BLOCK>(room.full + s, 0); /* what is on its way needs its place */
        return;
    }
    for (int s = 0; Traffic::STAGED && !Traffic::EARLY && s < job.stages && tile + s * clusters < job.tiles;
         ++s)
        traffic.load(tile + s * clusters, s);
    for (int turn = 0; (tile = room.number(turn)) < job.tiles; ++turn) {
        T d[S][LANES];
        int taken_now = job.tiles;
        if (threadIdx.x == 0 && block == 0 && room.number(turn + job.stages) < job.tiles)
            taken_now = queue.take();
        worker.begin(d, tile, turn, traffic);
        traffic.all_have_read(room, turn);
        sb_tile_couple<K>(job, room, turn, block, taken_now);
        worker.end(d, room.number(turn), turn, traffic, system, records);
        traffic.has_solved(room, turn);
    }
    if (blocks > 1)
        sb_cluster_meet();
    else
        __syncthreads();
    records.write();
    traffic.leave();
}

} // namespace

#endif
