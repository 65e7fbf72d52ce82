/* Own pentadiagonal matrices, lines side by side: 7 words a row, six in and one out.
 *
 * As own.cuh, of which this differs in what a swept row leaves on chip: y, two words of p and two of u, 40 bytes in f64. For
 * 128 rows (8 chunks of 16, the last two of which are separators) of 32 columns that is 143 KB of a multiprocessor's 484: u in
 * registers with as much of y as the sweep leaves room for, the other 68 KB in shared memory beside a ring of 144 KB, twelve rows of each chunk.
 * So n = 256 takes two blocks of a cluster, 512 four, 1024 eight; longer chunks have fewer rows on their way and pay where they
 * make clusters smaller. A block sweeps, solves for separators and writes, one after another, while memory brings no more than the
 * ring holds, which bounds all of it. Separators, of 24 words a chunk, stay with the warp that swept it, and what it solves for
 * goes through shared memory: through the boxes of the ring that a tile's last rows have left. Setting the engine going, once for
 * each array, is work of the warp that sweeps: rows come four at a time, since two at a time took longer. */
#ifndef SB_CUDA_TILE_OWN_PENTA_CUH
#define SB_CUDA_TILE_OWN_PENTA_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/own_penta_couple.cuh"

namespace
{

/* The words of a swept row that registers hold; y of the first rows is in shared memory. */
struct sb_penta_solved {
    T y, u[2];
};

/* A thread's chunk of up to SLOTS rows: the interior, solved for in terms of the separators, and the separators' rows. */
template <int SLOTS, bool BULK> struct sb_penta_chunk {
    typedef sb_own_ring<BULK, 2, SLOTS> ring_type;
    static constexpr int ROWS = ring_type::ROWS, BOX = ring_type::BOX, INNER = SLOTS - 2, LANES = SB_OWN_LANES,
                         FAR = SB_TILE_PENTA_FAR(SLOTS, sizeof(T));
    sb_penta_solved interior[INNER][LANES];
    sb_penta_sweep sweep[LANES];
    sb_penta_row last[LANES];
    sb_met met[LANES];

    static __device__ __forceinline__ int place_of(int i, int v, int word)
    {
        return ((word * INNER + i) * LANES + v) * SB_TILE_OWN_THREADS;
    }
    /* Row i, as it came. */
    __device__ __forceinline__ void read(const ring_type &ring, int i)
    {
        const T *from = ring.at(ring.stage) + i % ROWS * SB_OWN_WIDTH + threadIdx.x % 32;
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
#pragma unroll
            for (int a = 0; a < 5; ++a)
                last[v].at[a] = from[a * BOX + 32 * v];
            last[v].d = ring.arrays.solves() ? from[5 * BOX + 32 * v] : (T)0;
        }
    }
    /* The couplings of row i that leave the matrix, at its front or its back. */
    __device__ __forceinline__ void mend(const ring_type &ring, const sb_tile_place &place, int i, bool front,
                                         bool back)
    {
#pragma unroll
        for (int v = 0; v < LANES; ++v)
#pragma unroll
            for (int a = 0; a < 5; ++a) {
                bool before = front && i + a < 2, behind = back && i + a - 2 >= ring.rows;
                if (before || behind)
                    last[v].at[a] = ring.job.open ? (T)0 : ring.turned(a, i, place, v, behind);
            }
    }
    /* Interior rows from place I on; a row is read while the one before it is swept. */
    template <int I>
    __device__ __forceinline__ void sweep_from(ring_type *ring, T *kept, const sb_tile_place &place, bool front)
    {
        if constexpr (I < INNER) {
            if (I + 2 >= ring->rows) {
                SB_SELDOM;
                return;
            }
            sb_penta_row here[LANES];
#pragma unroll
            for (int v = 0; v < LANES; ++v)
                here[v] = last[v];
            if ((I + 1) % ROWS == 0) {
                ring->release();
                ring->await();
            }
            read(*ring, I + 1);
            if (I == 0 && front)
                mend(*ring, place, I + 1, true, false);
#pragma unroll
            for (int v = 0; v < LANES; ++v) {
                if (I > 0)
                    sb_penta_heads_follow(&sweep[v], &met[v]);
                sb_penta_known solved = sb_penta_solve_row(&sweep[v], here[v], ring->first + I, &met[v]);
                interior[I][v] = {solved.y, {solved.u[0], solved.u[1]}};
                kept[place_of(I, v, 0)] = solved.p[0];
                kept[place_of(I, v, 1)] = solved.p[1];
                if (I < FAR)
                    kept[place_of(I, v, 2)] = solved.y;
            }
            sweep_from<I + 1>(ring, kept, place, front);
        }
    }
    /* first, ends: the chunk has the system's first rows, its last ones. */
    __device__ __forceinline__ void eliminate(ring_type *ring, T *kept, const sb_tile_place &place, bool first,
                                              bool ends, sb_penta_separators (&to)[LANES])
    {
        bool closes = ring->job.open || ring->job.turned, front = first && closes, back = ends && closes;
        int rows = ring->rows;
        ring->await();
        read(*ring, 0);
        if (front)
            mend(*ring, place, 0, true, false);
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            sweep[v] = sb_penta_begin();
            met[v] = sb_nothing_met();
        }
        sweep_from<0>(ring, kept, place, front);
#pragma unroll
        for (int v = 0; v < LANES; ++v)
            if (rows > 2)
                sb_penta_heads_follow(&sweep[v], &met[v]);
        if (back)
            mend(*ring, place, rows - 2, false, true);
#pragma unroll
        for (int v = 0; v < LANES; ++v)
            to[v].ends[0] = sb_penta_end_of(0, last[v], &sweep[v], &met[v]);
        if ((rows - 1) % ROWS == 0) {
            ring->release();
            ring->await();
        }
        read(*ring, sb_anew(rows - 1));
        if (front || back)
            mend(*ring, place, rows - 1, front, back);
        ring->leave();
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            to[v].ends[1] = sb_penta_end_of(1, last[v], &sweep[v], &met[v]);
            to[v].head[0] = sweep[v].head[0];
            to[v].head[1] = sweep[v].head[1];
            to[v].met = met[v];
        }
    }
    /* The interior's solution, from the row before that of x[at] on. ALL: there are as many rows as places. */
    template <bool ALL>
    __device__ __forceinline__ void back(int v, const T (&known)[INNER], T *x, int64_t at, int64_t pitch,
                                         int rows, T (&own)[2], sb_exponent *seen) const
    {
#pragma unroll
        for (int i = INNER - 1; i >= 0; --i)
            if (ALL || i + 2 < rows) {
                at -= pitch;
                asm volatile("" : "+l"(at)); /* or each row's place is a product of its own */
                T here = sb_penta_from_behind(known[i], interior[i][v].u, own);
                own[1] = own[0];
                own[0] = here;
                seen->see(here);
                x[at] = here;
            }
    }
    /* The solution of `rows` rows from the last one on, which is x[at]. False: NaN or Inf is in it. What waits for shared memory
       comes first, for all rows; then each waits for those behind it alone. */
    __device__ __forceinline__ bool write(int v, const T *kept, T *x, int64_t at, int64_t pitch, int rows,
                                          const T (&left)[2], T (&own)[2]) const
    {
        T known[INNER];
        sb_exponent seen;
#pragma unroll
        for (int i = INNER - 1; i >= 0; --i) {
            const sb_penta_solved &row = interior[i][v];
            known[i] = sb_penta_from_before({i < FAR ? kept[place_of(i, v, 2)] : row.y,
                                             {kept[place_of(i, v, 0)], kept[place_of(i, v, 1)]},
                                             {row.u[0], row.u[1]}},
                                            left);
        }
        seen.see(own[0]);
        seen.see(own[1]);
        x[at] = own[1];
        at -= pitch;
        x[at] = own[0];
        if (rows == SLOTS)
            back<true>(v, known, x, at, pitch, rows, own, &seen);
        else
            back<false>(v, known, x, at, pitch, rows, own, &seen);
        return !seen.broken();
    }
};

template <int SLOTS, bool BULK>
__device__ __forceinline__ void sb_penta_solve_tiles(const sb_tile_own &job, const sb_own_maps<2> &maps,
                                                     const sb_own_arrays<2> &arrays, T *x,
                                                     sb_cuda_matrix *matrix, sb_cuda_outcome *system)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    constexpr int LANES = SB_OWN_LANES;
    const sb_tile_strided &tiles = job.tiles;
    const sb_tile_cut &cut = tiles.cut;
    const sb_tile_line &x_at = tiles.grid.x_at;
    int blocks = cut.blocks, block = blockIdx.x % blocks, clusters = gridDim.x / blocks;
    int warp = threadIdx.x / 32, tile = blockIdx.x / blocks, columns[LANES];
    sb_penta_turns turns = {};
    sb_penta_room room(job, shared);
    sb_tile_seat seat(tiles, block, LANES, SLOTS);
    T *kept = room.kept + threadIdx.x;
    int rows = SLOTS - seat.front, row = block * cut.block_rows + seat.row;
    sb_own_walk walk(tiles, tile, clusters);
    bool first = block == 0 && seat.chunk == 0, ends = block == blocks - 1 && seat.chunk == cut.chunks - 1;
    typedef sb_own_ring<BULK, 2, SLOTS> ring_type;
    ring_type ring = {job,
                      arrays,
                      maps,
                      seat,
                      room.stages + warp * tiles.stages * ring_type::ARRAYS * ring_type::BOX,
                      room.full + warp * SB_TILE_MOST_STAGES,
                      row,
                      rows,
                      cut.first_rows,
                      tile,
                      clusters,
                      walk};
#pragma unroll
    for (int v = 0; v < LANES; ++v)
        columns[v] = seat.column + 32 * v;
    ring.start();
    if (x && block == 0)
        sb_own_all_good(tiles, tile, clusters, system);
    if (blocks > 1) {
        if (threadIdx.x == 0) {
            for (int s = 0; s < SB_PENTA_TOLD; ++s)
                sb_barrier_make(room.told + s, 1);
            sb_barriers_made();
        }
        sb_cluster_meet();
    }
    for (; tile < tiles.tiles; tile += clusters) {
        float growth[LANES];
        int bad[LANES];
        sb_penta_chunk<SLOTS, BULK> chunk;
        sb_penta_separators separators[LANES];
        chunk.eliminate(&ring, kept, walk.here, first, ends, separators);
        const int step = tiles.stages * ring_type::ARRAYS * ring_type::BOX;
        const sb_penta_posts posts = {ring.at(ring.left) - seat.chunk * step, step};
        sb_penta_couple(job, room, posts, block, seat.chunk, row + rows - 2,
                        tiles.grid.extent - walk.here.column, &turns, separators, columns, growth, bad);
        ring.refill();
        const sb_tile_place &place = walk.here;
        int64_t at = place.of(x_at) + (row + rows - 1) * x_at.row + seat.column * x_at.column;
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            int column = columns[v];
            int64_t number = place.number(tiles.grid, column);
            bool good = place.column + column < tiles.grid.extent;
            if (good && job.judges)
                good = sb_own_judge(job.wary, growth[v], bad[v], first ? matrix + number : nullptr);
            else if (good)
                good = matrix[number].outcome == SB_CUDA_GOOD && !(matrix[number].flags & SB_CUDA_UNSAFE);
            if (!good || !x)
                continue;
            T left[2], own[2];
            room.solution(seat.chunk, column, left);
            room.solution(seat.chunk + 1, column, own);
            if (!chunk.write(v, kept, x, at + 32 * v * x_at.column, x_at.row, rows, left, own))
                system[number] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
        }
        walk.next(tiles);
    }
    ring.finish();
    if (blocks > 1)
        sb_cluster_meet();
}

/* As sb_tile_solve_own, and launched alike; there is nothing to conjugate, since no complex matrices come here. */
template <int SLOTS, bool BULK>
__global__ void __launch_bounds__(SB_TILE_OWN_THREADS, 1)
    sb_tile_solve_penta(const __grid_constant__ sb_tile_own job, const __grid_constant__ sb_own_maps<2> maps,
                        const __grid_constant__ sb_own_arrays<2> arrays, T *x, bool, sb_cuda_matrix *matrix,
                        sb_cuda_outcome *system)
{
    sb_follow();
    if constexpr (!BULK || sb_has_engine)
        sb_penta_solve_tiles<SLOTS, BULK>(job, maps, arrays, x, matrix, system);
}

} // namespace

#endif
