/* Own tridiagonal matrices, lines side by side: 5 words a row.
 *
 * A warp holds one chunk of 32 neighbouring columns, or of 64, and sweeps it as its rows come, by the copy engine into a
 * ring of stages of its own, a few rows of the four arrays at once, as far ahead as shared memory reaches and across tiles:
 * nobody waits for anybody before the separators' rows are posted. Where the engine cannot fetch, every thread does so for
 * itself. Then lanes turn round: those of a column's chunks come together in a warp and eliminate its separators pairwise.
 * A lane a column closes what is left: where blocks of a cluster split the rows, it goes to all of them, which solve for the
 * blocks' ends by the same sums. Growth is measured in every row and gathered with the separators, before anything is
 * written. */
#ifndef SB_CUDA_TILE_OWN_CUH
#define SB_CUDA_TILE_OWN_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/own_couple.cuh"

namespace
{

/* A row of the interior, solved for; y of the first FAR rows is kept in shared memory instead. */
struct sb_own_solved {
    T y, p, u;
};

/* A thread's chunk: the interior, solved for in terms of the separators, and the separator's row. */
template <bool BULK> struct sb_own_chunk {
    typedef sb_own_ring<BULK, 1> ring_type;
    static constexpr int FAR = SB_TILE_OWN_FAR(SB_OWN_SLOTS, sizeof(T));
    sb_own_solved interior[SB_OWN_SLOTS - 1][SB_OWN_LANES];
    sb_sweep sweep[SB_OWN_LANES];
    sb_row last[SB_OWN_LANES];
    sb_met met[SB_OWN_LANES];

    /* The row at place i, as it came. */
    __device__ __forceinline__ void read(const ring_type &ring, int i, bool conjugate)
    {
        const T *from = ring.at(ring.stage) + i % SB_OWN_ROWS * SB_OWN_WIDTH + threadIdx.x % 32;
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v) {
            T d = ring.arrays.solves() ? from[3 * SB_OWN_BOX + 32 * v] : (T)0;
            last[v] = {from[32 * v], from[SB_OWN_BOX + 32 * v], from[2 * SB_OWN_BOX + 32 * v],
                       SB_COMPLEX && conjugate ? sb_conj(d) : d, 0};
        }
    }
    /* A coupling that leaves the matrix. */
    __device__ __forceinline__ T outer(const ring_type &ring, const sb_tile_place &place, int v,
                                       bool behind) const
    {
        return ring.job.open ? (T)0 : ring.turned(behind ? 2 : 0, behind ? ring.rows - 1 : 0, place, v, behind);
    }
    /* Rows from place I on; a row is read while the one before it is swept. */
    template <int I> __device__ __forceinline__ void sweep_from(ring_type *ring, T *kept, bool conjugate)
    {
        if constexpr (I + 1 < SB_OWN_SLOTS) {
            if (I + 1 >= ring->rows)
                return;
            sb_row here[SB_OWN_LANES];
#pragma unroll
            for (int v = 0; v < SB_OWN_LANES; ++v)
                here[v] = sb_row_of(last[v].a, last[v].b, last[v].c, last[v].d);
            if ((I + 1) % SB_OWN_ROWS == 0) {
                ring->release();
                ring->await();
            }
            read(*ring, I + 1, conjugate);
#pragma unroll
            for (int v = 0; v < SB_OWN_LANES; ++v) {
                if (I > 0)
                    sb_sweep_follow(&sweep[v], &met[v]);
                sb_known solved = sb_sweep_solve(&sweep[v], here[v], ring->first + I, &met[v]);
                interior[I][v] = {solved.y, solved.p, solved.u};
                if (I < FAR)
                    kept[(I * SB_OWN_LANES + v) * SB_TILE_OWN_THREADS] = solved.y;
            }
            sweep_from<I + 1>(ring, kept, conjugate);
        }
    }
    /* first, ends: the chunk has the system's first row, its last one. */
    __device__ __forceinline__ void eliminate(ring_type *ring, T *kept, const sb_tile_place &place, bool first,
                                              bool ends, bool conjugate)
    {
        const sb_tile_own &job = ring->job;
        bool closes = job.open || job.turned;
        ring->await();
        read(*ring, 0, conjugate);
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v) {
            if (first && closes)
                last[v].a = outer(*ring, place, v, false);
            sweep[v] = sb_sweep_begin();
            met[v] = sb_nothing_met();
        }
        sweep_from<0>(ring, kept, conjugate);
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v)
            if (ring->rows > 1)
                sb_sweep_follow(&sweep[v], &met[v]);
        ring->release();
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v) {
            if (ends && closes)
                last[v].c = outer(*ring, place, v, true);
            last[v] = sb_row_of(last[v].a, last[v].b, last[v].c, last[v].d);
            sb_take_before(&last[v], sweep[v].last, &met[v]);
        }
    }
    /* The separator's rows, then the heads. */
    __device__ __forceinline__ void post(const sb_own_room &room, int chunk, int chunks, int column) const
    {
        int step = chunks * room.pitch;
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v) {
            const sb_row &row = last[v];
            const sb_known &head = sweep[v].head;
            const T words[SB_TILE_OWN_POSTS] = {row.a, row.b, row.c, row.d, head.y, head.p, head.u};
            const int sizes[SB_TILE_OWN_SIZES] = {row.scale, met[v].growth, met[v].bad};
            int at = chunk * room.pitch + column + 32 * v;
#pragma unroll
            for (int w = 0; w < SB_TILE_OWN_POSTS; ++w)
                room.posts[w * step + at] = words[w];
#pragma unroll
            for (int w = 0; w < SB_TILE_OWN_SIZES; ++w)
                room.sizes[w * step + at] = sizes[w];
        }
    }
    /* The interior's solution, from place END - 1 to the first one, the row behind being x[at]. ALL: there are as many rows as
       places. What waits for shared memory comes first, for some rows at once; then each waits for the one behind it alone. */
    template <bool ALL, int END>
    __device__ __forceinline__ void back(int v, const T *kept, T *x, int64_t at, int64_t pitch, int rows,
                                         T left, T own, bool conjugate, sb_exponent *seen) const
    {
        constexpr int TOGETHER = 16, BEGIN = END < TOGETHER ? 0 : END - TOGETHER;
        T known[END - BEGIN];
#pragma unroll
        for (int i = END - 1; i >= BEGIN; --i) {
            const sb_own_solved &row = interior[i][v];
            T y = i < FAR ? kept[(i * SB_OWN_LANES + v) * SB_TILE_OWN_THREADS] : row.y;
            known[i - BEGIN] = sb_known_from_before({y, row.p, row.u}, left);
        }
#pragma unroll
        for (int i = END - 1; i >= BEGIN; --i)
            if (ALL || i + 1 < rows) {
                at -= pitch;
                asm volatile("" : "+l"(at)); /* or each row's place is a product of its own */
                own = sb_known_from_behind(known[i - BEGIN], interior[i][v].u, own);
                seen->see(own);
                x[at] = SB_COMPLEX && conjugate ? sb_conj(own) : own;
            }
        if constexpr (BEGIN > 0)
            back<ALL, BEGIN>(v, kept, x, at, pitch, rows, left, own, conjugate, seen);
    }
    /* The solution of `rows` rows from the last one on, which is x[at]. False: NaN or Inf is in it. */
    __device__ __forceinline__ bool write(int v, const T *kept, T *x, int64_t at, int64_t pitch, int rows,
                                          T left, T own, bool conjugate) const
    {
        constexpr int END = SB_OWN_SLOTS - 1;
        sb_exponent seen;
        seen.see(own);
        x[at] = SB_COMPLEX && conjugate ? sb_conj(own) : own;
        if (rows == SB_OWN_SLOTS)
            back<true, END>(v, kept, x, at, pitch, rows, left, own, conjugate, &seen);
        else
            back<false, END>(v, kept, x, at, pitch, rows, left, own, conjugate, &seen);
        return !seen.broken();
    }
};

template <bool BULK>
__device__ __forceinline__ void sb_own_solve_tiles(const sb_tile_own &job, const sb_own_maps<1> &maps,
                                                   const sb_own_arrays<1> &arrays, T *x, bool conjugate,
                                                   sb_cuda_matrix *matrix, sb_cuda_outcome *system)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const sb_tile_strided &tiles = job.tiles;
    const sb_tile_cut &cut = tiles.cut;
    const sb_tile_line &x_at = tiles.grid.x_at;
    int blocks = cut.blocks, block = blockIdx.x % blocks, clusters = gridDim.x / blocks,
        warp = threadIdx.x / 32;
    sb_own_room room(job, shared);
    sb_tile_seat seat(tiles, block, SB_OWN_LANES, SB_OWN_SLOTS);
    sb_own_turn turn(job, block);
    T *kept = room.kept + threadIdx.x;
    int tile = blockIdx.x / blocks, odd = 0, parity = 0, rows = SB_OWN_SLOTS - seat.front;
    int row = block * cut.block_rows + seat.row;
    sb_own_walk walk(tiles, tile, clusters);
    bool first = block == 0 && seat.chunk == 0, ends = block == blocks - 1 && seat.chunk == cut.chunks - 1;
    sb_own_ring<BULK, 1> ring = {job,
                                 arrays,
                                 maps,
                                 seat,
                                 room.stages + warp * tiles.stages * SB_OWN_ARRAYS * SB_OWN_BOX,
                                 room.full + warp * SB_TILE_MOST_STAGES,
                                 row,
                                 rows,
                                 rows,
                                 tile,
                                 clusters,
                                 walk};
    ring.start();
    if (x && block == 0)
        sb_own_all_good(tiles, tile, clusters, system);
    if (blocks > 1) {
        if (threadIdx.x == 0) {
            for (int s = 0; s < 2; ++s)
                sb_barrier_make(room.told + s, tiles.columns);
            sb_barriers_made();
        }
        sb_cluster_meet();
    }
    for (; tile < tiles.tiles; tile += clusters) {
        sb_own_chunk<BULK> chunk;
        chunk.eliminate(&ring, kept, walk.here, first, ends, conjugate);
        chunk.post(room, seat.chunk, cut.chunks, seat.column);
        __syncthreads();
        sb_own_couple(job, room, turn, odd, parity, block);
        __syncthreads();
        const sb_tile_place &place = walk.here;
        int64_t at = place.of(x_at) + (row + rows - 1) * x_at.row + seat.column * x_at.column;
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v) {
            int column = seat.column + 32 * v;
            int64_t number = place.number(tiles.grid, column);
            bool good = place.column + column < tiles.grid.extent;
            if (good && job.judges)
                good = sb_own_judge(job.wary, room.growth[column], room.bad[column],
                                    first ? matrix + number : nullptr);
            else if (good)
                good = matrix[number].outcome == SB_CUDA_GOOD && !(matrix[number].flags & SB_CUDA_UNSAFE);
            if (!good || !x)
                continue;
            const T *solved = room.solved + seat.chunk * room.pitch + column;
            if (!chunk.write(v, kept, x, at + 32 * v * x_at.column, x_at.row, rows, solved[0],
                             solved[room.pitch], conjugate))
                system[number] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
        }
        walk.next(tiles);
        parity ^= odd;
        odd ^= blocks > 1;
    }
    ring.finish();
    if (blocks > 1)
        sb_cluster_meet();
}

/* BULK: the copy engine fetches rows. judges: matrices are judged here, else their records are read. b null: nothing is
   solved. */
template <bool BULK>
__global__ void __launch_bounds__(SB_TILE_OWN_THREADS, 1)
    sb_tile_solve_own(const __grid_constant__ sb_tile_own job, const __grid_constant__ sb_own_maps<1> maps,
                      const __grid_constant__ sb_own_arrays<1> arrays, T *x, bool conjugate,
                      sb_cuda_matrix *matrix, sb_cuda_outcome *system)
{
    sb_follow();
    if constexpr (!BULK || sb_has_engine)
        sb_own_solve_tiles<BULK>(job, maps, arrays, x, conjugate, matrix, system);
}

} // namespace

#endif
