/* How rows of own matrices in columns come to shared memory. */
#ifndef SB_CUDA_TILE_OWN_RING_CUH
#define SB_CUDA_TILE_OWN_RING_CUH

#include <cuda_pipeline_primitives.h>

#include "src/cuda/kernels/anew.cuh"
#include "src/cuda/tile/strided.cuh"

namespace
{

constexpr int SB_OWN_LANES = SB_TILE_LANES(sizeof(T)), SB_OWN_WIDTH = 32 * SB_OWN_LANES,
              SB_OWN_NOWHERE = 1 << 30; /* a row that no array has */

/* K: the half bandwidth. ARRAYS: the diagonals from the lowest on, and right-hand sides, which may be missing. */
template <int K, int PLACES = SB_TILE_OWN_SLOTS(K, sizeof(T))> struct sb_own_shape {
    static constexpr int SLOTS = PLACES, ROWS = SB_TILE_OWN_ROWS(sizeof(T)), ARRAYS = SB_TILE_OWN_ARRAYS(K),
                         BOX = ROWS * SB_OWN_WIDTH;
};

template <int K> struct sb_own_arrays {
    const T *at[sb_own_shape<K>::ARRAYS];

    __device__ __forceinline__ bool solves() const
    {
        return at[sb_own_shape<K>::ARRAYS - 1];
    }
};

/* The engine's views of them. */
template <int K> struct sb_own_maps {
    CUtensorMap at[sb_own_shape<K>::ARRAYS];
};

/* a + b, both below m, without overflow; the carry. */
__device__ __forceinline__ bool sb_own_add(int *a, int b, int m)
{
    bool over = *a >= m - b;
    *a += over ? b - m : b;
    return over;
}

/* Where a block's tiles lie, one after another, `tiles` apart. */
struct sb_own_walk {
    sb_tile_place here, step;

    __device__ sb_own_walk(const sb_tile_strided &job, int tile, int tiles) : here(job, tile), step(job, tiles)
    {
    }
    __device__ __forceinline__ void next(const sb_tile_strided &job)
    {
        bool carry = sb_own_add(&here.column, step.column, job.across * job.columns);
        carry = sb_own_add(&here.outer[0], step.outer[0] + carry, job.grid.outer[0]);
        here.outer[1] += step.outer[1] + carry;
    }
};

/* The first word on all systems of a cluster's tiles is that they are good, by one of its blocks; what any block finds otherwise
   comes after the cluster has met. */
__device__ __forceinline__ void sb_own_all_good(const sb_tile_strided &job, int tile, int clusters,
                                                sb_cuda_outcome *system)
{
    const sb_tile_grid &grid = job.grid;
    int warps = blockDim.x / 32, extent = static_cast<int>(grid.extent);
    for (tile += static_cast<int>(threadIdx.x) / 32 * clusters; tile < job.tiles; tile += warps * clusters) {
        const sb_tile_place place(job, tile);
        int end = min(place.column + job.columns, extent);
        for (int column = place.column + static_cast<int>(threadIdx.x) % 32; column < end; column += 32)
            system[place.number(grid, column - place.column)] = SB_CUDA_GOOD;
    }
}

/* A thread's part of rows of all arrays, from `row` on; columns that are not there are 0. */
template <int K, int SLOTS>
__device__ __forceinline__ void sb_own_fetch(const sb_tile_own &job, const sb_own_arrays<K> &arrays,
                                             const sb_tile_place &place, int row, int rows, int first_column,
                                             T *to)
{
    constexpr int ARRAYS = sb_own_shape<K>::ARRAYS, BOX = sb_own_shape<K, SLOTS>::BOX;
    const sb_tile_line &matrix_at = job.matrix_at, &b_at = job.tiles.grid.b_at;
    for (int i = 0; i < rows; ++i)
        for (int column = first_column; column < first_column + SB_OWN_WIDTH; column += 32) {
            bool real = place.column + column < job.tiles.grid.extent;
            int64_t matrix = place.of(matrix_at) + (row + i) * matrix_at.row + column * matrix_at.column;
            int64_t rhs = place.of(b_at) + (row + i) * b_at.row + column * b_at.column;
            size_t left_out = real ? 0 : sizeof(T);
            T *here = to + i * SB_OWN_WIDTH + column - first_column;
            matrix = real ? matrix : 0;
#pragma unroll
            for (int a = 0; a < ARRAYS - 1; ++a)
                __pipeline_memcpy_async(here + a * BOX, arrays.at[a] + matrix, sizeof(T), left_out);
            if (arrays.solves())
                __pipeline_memcpy_async(here + (ARRAYS - 1) * BOX, arrays.at[ARRAYS - 1] + (real ? rhs : 0),
                                        sizeof(T), left_out);
        }
}

/* A warp's stages. Rows come in the order in which they are swept, tile after tile; those behind the chunk's last one come
   too, but are not used, nor are entries that leave the matrix. */
template <bool BULK, int K, int SLOTS = SB_TILE_OWN_SLOTS(K, sizeof(T))> struct sb_own_ring {
    typedef sb_own_shape<K, SLOTS> shape;
    static constexpr int ROWS = shape::ROWS, ARRAYS = shape::ARRAYS, BOX = shape::BOX;
    static constexpr int POSTS =
        (SB_TILE_PENTA_POSTS * sizeof(T) + SB_TILE_PENTA_SIZES * sizeof(int)) * SB_OWN_WIDTH; /* bytes */
    static constexpr int HELD = (POSTS + BOX * sizeof(T) - 1) / (BOX * sizeof(T));            /* boxes */
    static_assert(K < 2 || HELD <= ARRAYS);
    const sb_tile_own &job;
    const sb_own_arrays<K> &arrays;
    const sb_own_maps<K> &maps;
    const sb_tile_seat &seat;
    T *stages;
    uint64_t *full;
    int first, rows; /* of the chunk */
    int places;      /* rows that stages are filled for, tile by tile; those behind the chunk's come as zeros */
    int tile, step;  /* what is fetched next */
    sb_own_walk walk;
    int row = 0;               /* of the chunk */
    int stage = 0, parity = 0; /* what is swept */
    int left = 0;              /* what is to be filled later */

    __device__ __forceinline__ T *at(int which) const
    {
        return stages + which * ARRAYS * BOX;
    }
    /* Entry a of row i of the chunk, which leaves a transposed ring: it stands at the matrix's other end. */
    __device__ __forceinline__ T turned(int a, int i, const sb_tile_place &place, int v, bool behind) const
    {
        int column = seat.column + 32 * v, row = first + i + (behind ? -job.tiles.cut.n : job.tiles.cut.n);
        if (place.column + column >= job.tiles.grid.extent)
            return 0;
        return arrays.at[a][place.of(job.matrix_at) + column * job.matrix_at.column + row * job.matrix_at.row];
    }
    __device__ void start()
    {
        if (BULK && threadIdx.x % 32 == 0) {
            for (int s = 0; s < job.tiles.stages; ++s)
                sb_barrier_make(full + s, 1);
            sb_barriers_made();
        }
        __syncwarp();
        for (int s = 0; s < job.tiles.stages; ++s)
            fetch<true, true>(s);
    }
    /* The rows that come next: BEGIN has the barrier count all of them and fetches what lies behind the first HELD arrays, END
       those. Rows that are not there, behind the chunk's or the last tile's, and right-hand sides that are missing come as zeros
       that no memory is read for, so that there is nothing more to branch for. */
    template <bool BEGIN, bool END> __device__ __forceinline__ void fetch_bulk(int into, int from, int b_from)
    {
        const sb_tile_place &place = walk.here;
        const int column = (place.column + seat.column) * SB_TILE_WORDS(sizeof(T));
        uint64_t *told = full + into;
        T *to = at(into);
        if (BEGIN)
            sb_barrier_expect(told, ARRAYS * BOX * sizeof(T));
#pragma unroll
        for (int a = END ? 0 : HELD; a < (BEGIN ? ARRAYS : HELD); ++a)
            sb_bulk_load(to + a * BOX, &maps.at[a], column, a < ARRAYS - 1 ? from : b_from, place.outer[0],
                         place.outer[1], told);
    }
    template <bool BEGIN, bool END> __device__ __forceinline__ void fetch(int into)
    {
        const bool there = tile < job.tiles.tiles && (!BULK || row < rows);
        const int from = there ? first + row : SB_OWN_NOWHERE;
        if (BULK && sb_elected())
            fetch_bulk<BEGIN, END>(into, from, arrays.solves() ? from : SB_OWN_NOWHERE);
        if (!BULK && END && there)
            sb_own_fetch<K, SLOTS>(job, arrays, walk.here, from, min(ROWS, rows - row), seat.column,
                                   at(into) + threadIdx.x % 32);
        if (!END)
            return;
        if (!BULK)
            __pipeline_commit();
        row += ROWS;
        if (row >= places) {
            row = 0;
            tile += step;
            walk.next(job.tiles);
        }
    }
    /* No block goes while anything is on its way to it. */
    __device__ __forceinline__ void finish()
    {
        for (int s = 0; s < job.tiles.stages && BULK; ++s) {
            await();
            advance();
        }
    }
    __device__ __forceinline__ void await()
    {
        if (BULK)
            sb_barrier_wait<SB_BLOCK>(full + stage, parity);
        else
            __pipeline_wait_prior(SB_TILE_OWN_EACH_STAGES - 1);
    }
    __device__ __forceinline__ void advance()
    {
        stage = stage + 1 == job.tiles.stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
    /* The stage has been read. */
    __device__ __forceinline__ void release()
    {
        __syncwarp();
        fetch<true, true>(stage);
        advance();
    }
    /* The chunk's last stage has been read: those of zeros follow, and the places of the first HELD arrays in the tile's last
       one stay free until it is refilled. It is the same stage for all warps that have as many places. */
    __device__ __forceinline__ void leave()
    {
#pragma unroll 1
        for (int behind = (rows + ROWS - 1) / ROWS * ROWS; behind < places; behind += ROWS) {
            release();
            await();
        }
        __syncwarp();
        left = stage;
        fetch<true, false>(left);
        advance();
    }
    __device__ __forceinline__ void refill()
    {
        fetch<false, true>(left);
    }
};

} // namespace

#endif
