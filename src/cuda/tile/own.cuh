/* Own tridiagonal matrices, lines side by side: 5 words a row.
 *
 * A warp holds one chunk of 32 neighbouring columns and sweeps it as its rows come, by asynchronous copies into places of
 * shared memory that belong to one thread each, SB_OWN_AHEAD rows ahead and across tiles: nobody waits for anybody
 * before the separators' rows are posted. Then lanes turn round: those of a column's chunks come together in a warp and
 * eliminate its separators pairwise. One warp, a lane a column, closes what is left: where blocks of a cluster split the
 * rows, it goes to all of them, which solve for the blocks' ends by the same sums. Growth is measured in every row and
 * gathered with the separators, before anything is written. */
#ifndef SB_CUDA_TILE_OWN_CUH
#define SB_CUDA_TILE_OWN_CUH

#include <cuda_pipeline_primitives.h>

#include "src/cuda/tile/chain.cuh"
#include "src/cuda/tile/strided.cuh"

namespace
{

constexpr int SB_OWN_SLOTS = SB_TILE_OWN_SLOTS(sizeof(T)), SB_OWN_AHEAD = SB_TILE_OWN_AHEAD(sizeof(T)),
              SB_OWN_ARRAYS = SB_TILE_OWN_ARRAYS;
static_assert(SB_OWN_SLOTS % SB_OWN_AHEAD == 0);

struct sb_own_arrays {
    const T *lower, *diagonal, *upper, *b;
};

/* One thread's rows of a tile, in the order in which they are fetched. Entries that leave the matrix are fetched, but not
   used. */
struct sb_own_cursor {
    int64_t matrix, rhs;
    bool real;

    __device__ __forceinline__ void seek(const sb_tile_own &job, const sb_tile_seat &seat, int tile, int row)
    {
        const sb_tile_line &b_at = job.tiles.grid.b_at;
        sb_tile_place place(job.tiles, tile);
        int64_t first = row + seat.row;
        matrix = place.of(job.matrix_at) + first * job.matrix_at.row + seat.column * job.matrix_at.column;
        rhs = place.of(b_at) + first * b_at.row + seat.column * b_at.column;
        real = tile < job.tiles.tiles && place.column + seat.column < job.tiles.grid.extent;
    }
    __device__ __forceinline__ void fetch(const sb_tile_own &job, const sb_own_arrays &arrays, T *to, bool used)
    {
        if (real && used) {
            int threads = SB_TILE_OWN_THREADS;
            __pipeline_memcpy_async(to, arrays.lower + matrix, sizeof(T));
            __pipeline_memcpy_async(to + threads, arrays.diagonal + matrix, sizeof(T));
            __pipeline_memcpy_async(to + 2 * threads, arrays.upper + matrix, sizeof(T));
            if (arrays.b)
                __pipeline_memcpy_async(to + 3 * threads, arrays.b + rhs, sizeof(T));
            matrix += job.matrix_at.row;
            rhs += job.tiles.grid.b_at.row;
        }
        __pipeline_commit();
    }
};

/* The couplings of the first and the last row: none, or those that close a ring, which stand at the other end of a
   transposed one. */
__device__ __forceinline__ T sb_own_coupling(const sb_tile_own &job, const sb_own_arrays &arrays,
                                             const sb_tile_seat &seat, int tile, bool last)
{
    sb_tile_place place(job.tiles, tile);
    int64_t at = place.of(job.matrix_at) + seat.column * job.matrix_at.column;
    int64_t behind = (job.tiles.cut.n - 1) * job.matrix_at.row;
    if (job.open)
        return 0;
    if (last)
        return arrays.upper[job.turned ? at - job.matrix_at.row : at + behind];
    return arrays.lower[job.turned ? at + behind + job.matrix_at.row : at];
}

/* What is left of a block, for the others of its cluster. */
struct __align__(16) sb_own_words
{
    T a, b, c, d;
    sb_known head;
    float growth;
    int bad;
};
static_assert(sizeof(sb_own_words) == SB_TILE_OWN_WORDS_BYTES(sizeof(T)));

/* Shared memory: the exchange of a cluster, by turns of two; what chunks post; the separators' solution, that of the block
   before first; what became of the columns' matrices; the threads' rings. */
struct sb_own_room {
    int pitch; /* of posts: such that both ways of reading them touch all banks */
    uint64_t *told;
    sb_own_words *words, *left; /* of all blocks; of this one */
    T *posts, *solved, *ring;
    int *sizes;
    float *growth;
    int *bad;

    __device__ sb_own_room(const sb_tile_own &job, unsigned char *shared)
    {
        int columns = job.tiles.columns, chunks = job.tiles.cut.chunks, blocks = job.tiles.cut.blocks;
        pitch = SB_TILE_OWN_PITCH(columns, chunks, (int)sizeof(T));
        left = reinterpret_cast<sb_own_words *>(shared);
        words = left + columns;
        ring = reinterpret_cast<T *>(words + (blocks > 1 ? 2 * blocks * columns : 0));
        posts = ring + SB_OWN_AHEAD * SB_OWN_ARRAYS * SB_TILE_OWN_THREADS;
        solved = posts + SB_TILE_OWN_POSTS * chunks * pitch;
        told = reinterpret_cast<uint64_t *>(solved + (chunks + 1) * pitch);
        sizes = reinterpret_cast<int *>(told + 2);
        growth = reinterpret_cast<float *>(sizes + SB_TILE_OWN_SIZES * chunks * pitch);
        bad = reinterpret_cast<int *>(growth + columns);
    }
};

/* The separator's row, then the head. */
__device__ __forceinline__ void sb_own_post(const sb_own_room &room, int chunk, int chunks, int column,
                                            const sb_row &row, const sb_known &head, const sb_met &met)
{
    const T words[SB_TILE_OWN_POSTS] = {row.a, row.b, row.c, row.d, head.y, head.p, head.u};
    const int sizes[SB_TILE_OWN_SIZES] = {row.scale, met.growth, met.bad};
    int step = chunks * room.pitch, at = chunk * room.pitch + column;
#pragma unroll
    for (int w = 0; w < SB_TILE_OWN_POSTS; ++w)
        room.posts[w * step + at] = words[w];
#pragma unroll
    for (int w = 0; w < SB_TILE_OWN_SIZES; ++w)
        room.sizes[w * step + at] = sizes[w];
}

/* The ends of the block before and of this one, from what is left of all blocks: a chain, or a ring, of its own. */
__device__ __forceinline__ void sb_own_ends(const sb_tile_own &job, sb_own_words *words, int block, T *before,
                                            T *own, sb_met *met, float *growth)
{
    const sb_tile_cut &cut = job.tiles.cut;
    int step = job.tiles.columns, last = cut.blocks - 1;
    sb_sweep sweep = sb_sweep_begin();
    sweep.head = words[0].head;
    for (int r = 0; r <= last; ++r) {
        sb_own_words here = words[r * step];
        sb_row row = sb_row_of(here.a, here.b, here.c, here.d);
        *growth = fmaxf(*growth, here.growth);
        met->bad = min(met->bad, here.bad);
        if (r < last) {
            sb_take_behind(&row, words[(r + 1) * step].head, met);
            sb_known known = sb_sweep_row(&sweep, row, (r + 1) * cut.block_rows - 1, met);
            words[r * step].a = known.y;
            words[r * step].b = known.p;
            words[r * step].c = known.u;
            continue;
        }
        sb_take_before(&row, sweep.last, met);
        sb_take_behind(&row, sweep.head, met);
        *own = *before = sb_close_ring(row, cut.n - 1, met);
    }
    T end = *own, x = end;
    for (int r = last - 1; r >= 0 && r >= block - 1; --r) {
        const sb_own_words &here = words[r * step];
        x = sb_known_at({here.a, here.b, here.c}, end, x);
        if (r == block)
            *own = x;
        else if (r < block)
            *before = x;
    }
}

/* The blocks' ends by one warp, a lane a column: what is left of this block goes to all of the cluster. */
__device__ __forceinline__ void sb_own_close(const sb_tile_own &job, const sb_own_room &room, int odd,
                                             int parity, int block)
{
    int blocks = job.tiles.cut.blocks, columns = job.tiles.columns, width = job.tiles.cut.chunks;
    sb_own_words *all = blocks > 1 ? room.words + odd * blocks * columns : room.left;
    for (int column = threadIdx.x; column < columns && blocks > 1; column += 32) {
        uint64_t words[sizeof(sb_own_words) / sizeof(uint64_t)];
        memcpy(words, room.left + column, sizeof words);
        for (int peer = 0; peer < blocks; ++peer)
            sb_tile_send(reinterpret_cast<const T *>(all + block * columns + column), words, room.told + odd,
                         peer);
        if (column == 0)
            sb_barrier_expect(room.told + odd, blocks * columns * sizeof words);
        else
            sb_barrier_arrive(room.told + odd);
    }
    if (blocks > 1)
        sb_barrier_wait(room.told + odd, parity);
    for (int column = threadIdx.x; column < columns; column += 32) {
        T before, own;
        float growth = 0;
        sb_met ends = sb_nothing_met();
        sb_own_ends(job, all + column, block, &before, &own, &ends, &growth);
        room.growth[column] = fmaxf(growth, sb_growth_met(ends));
        room.bad[column] = ends.bad;
        room.solved[column] = before;
        room.solved[width * room.pitch + column] = own;
    }
}

/* The separators of all columns, by lanes that hold a column's chunks side by side. */
__device__ __forceinline__ void sb_own_couple(const sb_tile_own &job, const sb_own_room &room, int odd,
                                              int parity, int block)
{
    const sb_tile_cut &cut = job.tiles.cut;
    int width = cut.chunks, lane = threadIdx.x % width, column = threadIdx.x / width, around = width - 1;
    int step = width * room.pitch, at = lane * room.pitch + column;
    int number = block * cut.block_rows + sb_tile_start(&cut, block, lane + 1) - 1;
    const T *post = room.posts + at;
    sb_row row = {post[0], post[step], post[2 * step], post[3 * step], room.sizes[at]};
    sb_known head = {post[4 * step], post[5 * step], post[6 * step]}, kept = {0, 0, 0};
    sb_met met = {room.sizes[step + at], room.sizes[2 * step + at]};
    head = sb_known_from(head, (lane + 1) & around, width);
    if (lane < around)
        sb_take_behind(&row, head, &met);
    for (int s = 1; s < width; s *= 2) {
        sb_met mine = met;
        sb_known solved = sb_row_solve(&row, number, &mine);
        sb_known before = sb_known_from(solved, (lane - s) & around, width);
        sb_known behind = sb_known_from(solved, (lane + s) & around, width);
        if (((lane + 1) & (2 * s - 1)) == s) {
            kept = solved;
            met = mine;
        } else if (((lane + 1) & (2 * s - 1)) == 0) {
            sb_take_before(&row, before, &met);
            if (lane < around)
                sb_take_behind(&row, behind, &met);
            else
                sb_head_pass(&head, behind);
        }
    }
    met = sb_lanes_met(met, width);
    if (lane == around)
        room.left[column] = {row.a, row.b, row.c, row.d, head, sb_growth_met(met), met.bad};
    __syncthreads();
    if (threadIdx.x < 32)
        sb_own_close(job, room, odd, parity, block);
    __syncthreads();
    T x = lane == around ? room.solved[width * room.pitch + column] : (T)0, before_block = room.solved[column];
    for (int s = width / 2; s > 0; s /= 2) {
        T before = sb_shuffle(x, (lane - s) & around, width),
          behind = sb_shuffle(x, (lane + s) & around, width);
        if (((lane + 1) & (2 * s - 1)) == s)
            x = sb_known_at(kept, lane < s ? before_block : before, behind);
    }
    if (lane < around)
        room.solved[(lane + 1) * room.pitch + column] = x;
}

/* A thread's chunk: the interior, solved for in terms of the separators, and the separator's row. */
struct sb_own_chunk {
    sb_known interior[SB_OWN_SLOTS - 1];
    sb_sweep sweep;
    sb_row last;
    sb_met met;

    /* Rows are waited for one by one, and those of the tile after this one sent for. above, below: the
       couplings of the system's first and last rows, if those are in the chunk. */
    __device__ __forceinline__ void eliminate(const sb_tile_own &job, const sb_own_arrays &arrays,
                                              const sb_tile_seat &seat, T *ring, sb_own_cursor *cursor,
                                              int tile, int stride, int row, bool first, bool ends, T above,
                                              T below, bool conjugate)
    {
        constexpr int S = SB_OWN_SLOTS, STEP = SB_OWN_ARRAYS * SB_TILE_OWN_THREADS;
        bool real = cursor->real;
        sweep = sb_sweep_begin();
        met = sb_nothing_met();
#pragma unroll
        for (int i = 0; i < S; ++i) {
            const T *from = ring + i % SB_OWN_AHEAD * STEP;
            __pipeline_wait_prior(SB_OWN_AHEAD - 1);
            if (i >= seat.front) {
                sb_row here = sb_row_of(0, 1, 0, 0);
                if (real) {
                    T d = arrays.b ? from[3 * SB_TILE_OWN_THREADS] : (T)0;
                    here = sb_row_of(first && i == seat.front ? above : from[0], from[SB_TILE_OWN_THREADS],
                                     i + 1 == S && ends ? below : from[2 * SB_TILE_OWN_THREADS],
                                     SB_COMPLEX && conjugate ? sb_conj(d) : d);
                }
                if (i + 1 < S)
                    interior[i] = sb_sweep_row(&sweep, here, row + i, &met);
                else {
                    sb_take_before(&here, sweep.last, &met);
                    last = here;
                }
            }
            if (i + SB_OWN_AHEAD == S)
                cursor->seek(job, seat, tile + stride, row + seat.front - seat.row);
            cursor->fetch(job, arrays, ring + i % SB_OWN_AHEAD * STEP, (i + SB_OWN_AHEAD) % S >= seat.front);
        }
    }
    /* The solution, from the separator on. False: NaN or Inf is in it. */
    __device__ __forceinline__ bool write(T *to, int64_t pitch, int front, T left, T x, bool conjugate) const
    {
        constexpr int S = SB_OWN_SLOTS;
        sb_exponent seen;
#pragma unroll
        for (int i = S - 1; i >= 0; --i) {
            if (i < front)
                continue;
            if (i < S - 1)
                x = sb_known_at(interior[i < S - 1 ? i : 0], left, x);
            seen.see(x);
            to[i * pitch] = SB_COMPLEX && conjugate ? sb_conj(x) : x;
        }
        return !seen.broken();
    }
};

/* judges: matrices are judged here, else their records are read. b null: nothing is solved. */
__global__ void __launch_bounds__(SB_TILE_OWN_THREADS, 1)
    sb_tile_solve_own(const __grid_constant__ sb_tile_own job, sb_own_arrays arrays, T *x, bool conjugate,
                      sb_cuda_matrix *matrix, sb_cuda_outcome *system)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const sb_tile_strided &tiles = job.tiles;
    const sb_tile_cut &cut = tiles.cut;
    int blocks = cut.blocks, block = blockIdx.x % blocks, clusters = gridDim.x / blocks;
    sb_own_room room(job, shared);
    sb_tile_seat seat(tiles, block, 1, SB_OWN_SLOTS);
    int tile = blockIdx.x / blocks, row = block * cut.block_rows, odd = 0, parity = 0;
    bool first = block == 0 && seat.chunk == 0, ends = block == blocks - 1 && seat.chunk == cut.chunks - 1;
    T *ring = room.ring + threadIdx.x;
    sb_own_cursor cursor;
    cursor.seek(job, seat, tile, row);
    if (blocks > 1) {
        if (threadIdx.x == 0) {
            for (int s = 0; s < 2; ++s)
                sb_barrier_make(room.told + s, tiles.columns);
            sb_barriers_made();
        }
        sb_cluster_meet();
    }
#pragma unroll
    for (int i = 0; i < SB_OWN_AHEAD; ++i)
        cursor.fetch(job, arrays, ring + i * SB_OWN_ARRAYS * SB_TILE_OWN_THREADS, i >= seat.front);
    for (; tile < tiles.tiles; tile += clusters) {
        sb_tile_place place(tiles, tile);
        bool real = cursor.real;
        T above = 0, below = 0;
        if (first && real)
            above = sb_own_coupling(job, arrays, seat, tile, false);
        if (ends && real)
            below = sb_own_coupling(job, arrays, seat, tile, true);
        sb_own_chunk chunk;
        int64_t number = (place.column + seat.column) * tiles.grid.number[0] +
                         place.outer[0] * tiles.grid.number[1] + place.outer[1] * tiles.grid.number[2];
        if (first && x && real)
            system[number] = SB_CUDA_GOOD;
        chunk.eliminate(job, arrays, seat, ring, &cursor, tile, clusters, row + seat.row - seat.front, first,
                        ends, above, below, conjugate);
        if (first && blocks > 1)
            __threadfence(); /* the word that a system is good comes before any other block's that it is not */
        sb_own_post(room, seat.chunk, cut.chunks, seat.column, chunk.last, chunk.sweep.head, chunk.met);
        __syncthreads();
        sb_own_couple(job, room, odd, parity, block);
        __syncthreads();
        bool good = real;
        if (good && job.judges)
            good = sb_own_judge(job.wary, room.growth[seat.column], room.bad[seat.column],
                                first ? matrix + number : nullptr);
        else if (good)
            good = matrix[number].outcome == SB_CUDA_GOOD && !(matrix[number].flags & SB_CUDA_UNSAFE);
        if (good && x) {
            const T *solved = room.solved + seat.chunk * room.pitch + seat.column;
            T *to = x + place.of(tiles.grid.x_at) + (row + seat.row - seat.front) * tiles.grid.x_at.row +
                    seat.column * tiles.grid.x_at.column;
            bool whole =
                chunk.write(to, tiles.grid.x_at.row, seat.front, solved[0], solved[room.pitch], conjugate);
            if (!whole)
                system[number] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
        }
        parity ^= odd;
        odd ^= blocks > 1;
    }
    if (blocks > 1)
        sb_cluster_meet();
}

} // namespace

#endif
