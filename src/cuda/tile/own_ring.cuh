/* How rows of own matrices in columns come to shared memory. */
#ifndef SB_CUDA_TILE_OWN_RING_CUH
#define SB_CUDA_TILE_OWN_RING_CUH

#include <cuda_pipeline_primitives.h>

#include "src/cuda/tile/strided.cuh"

namespace
{

constexpr int SB_OWN_SLOTS = SB_TILE_OWN_SLOTS(sizeof(T)), SB_OWN_ROWS = SB_TILE_OWN_ROWS(sizeof(T)),
              SB_OWN_ARRAYS = SB_TILE_OWN_ARRAYS, SB_OWN_LANES = SB_TILE_LANES(sizeof(T)),
              SB_OWN_WIDTH = 32 * SB_OWN_LANES, SB_OWN_BOX = SB_OWN_ROWS * SB_OWN_WIDTH;

struct sb_own_arrays {
    const T *lower, *diagonal, *upper, *b;
};

/* The engine's views of them. */
struct sb_own_maps {
    CUtensorMap lower, diagonal, upper, b;
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

/* A thread's part of rows of the four arrays, from `row` on; columns that are not there are 0. */
__device__ __forceinline__ void sb_own_fetch(const sb_tile_own &job, const sb_own_arrays &arrays,
                                             const sb_tile_place &place, int row, int rows, int first_column,
                                             T *to)
{
    const sb_tile_line &matrix_at = job.matrix_at, &b_at = job.tiles.grid.b_at;
    for (int i = 0; i < rows; ++i)
        for (int column = first_column; column < first_column + SB_OWN_WIDTH; column += 32) {
            bool real = place.column + column < job.tiles.grid.extent;
            int64_t matrix = place.of(matrix_at) + (row + i) * matrix_at.row + column * matrix_at.column;
            int64_t rhs = place.of(b_at) + (row + i) * b_at.row + column * b_at.column;
            size_t left_out = real ? 0 : sizeof(T);
            T *here = to + i * SB_OWN_WIDTH + column - first_column;
            matrix = real ? matrix : 0;
            __pipeline_memcpy_async(here, arrays.lower + matrix, sizeof(T), left_out);
            __pipeline_memcpy_async(here + SB_OWN_BOX, arrays.diagonal + matrix, sizeof(T), left_out);
            __pipeline_memcpy_async(here + 2 * SB_OWN_BOX, arrays.upper + matrix, sizeof(T), left_out);
            if (arrays.b)
                __pipeline_memcpy_async(here + 3 * SB_OWN_BOX, arrays.b + (real ? rhs : 0), sizeof(T),
                                        left_out);
        }
}

/* A warp's stages. Rows come in the order in which they are swept, tile after tile; those behind the chunk's last one come
   too, but are not used, nor are entries that leave the matrix. */
template <bool BULK> struct sb_own_ring {
    const sb_tile_own &job;
    const sb_own_arrays &arrays;
    const sb_own_maps &maps;
    const sb_tile_seat &seat;
    T *stages;
    uint64_t *full;
    int first, rows; /* of the chunk */
    int tile, step;  /* what is fetched next */
    sb_own_walk walk;
    int row = 0;               /* of the chunk */
    int stage = 0, parity = 0; /* what is swept */

    __device__ __forceinline__ T *at(int which) const
    {
        return stages + which * SB_OWN_ARRAYS * SB_OWN_BOX;
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
            fetch(s);
    }
    __device__ __forceinline__ void fetch_bulk(int into)
    {
        const sb_tile_place &place = walk.here;
        int column = (place.column + seat.column) * SB_TILE_WORDS(sizeof(T)), from = first + row;
        uint64_t *told = full + into;
        T *to = at(into);
        sb_barrier_expect(told, (arrays.b ? SB_OWN_ARRAYS : SB_OWN_ARRAYS - 1) * SB_OWN_BOX * sizeof(T));
        sb_bulk_load(to, &maps.lower, column, from, place.outer[0], place.outer[1], told);
        sb_bulk_load(to + SB_OWN_BOX, &maps.diagonal, column, from, place.outer[0], place.outer[1], told);
        sb_bulk_load(to + 2 * SB_OWN_BOX, &maps.upper, column, from, place.outer[0], place.outer[1], told);
        if (arrays.b)
            sb_bulk_load(to + 3 * SB_OWN_BOX, &maps.b, column, from, place.outer[0], place.outer[1], told);
    }
    __device__ __forceinline__ void fetch(int into)
    {
        if (tile < job.tiles.tiles) {
            if (!BULK)
                sb_own_fetch(job, arrays, walk.here, first + row, min(SB_OWN_ROWS, rows - row), seat.column,
                             at(into) + threadIdx.x % 32);
            else if (sb_elected())
                fetch_bulk(into);
        }
        if (!BULK)
            __pipeline_commit();
        row += SB_OWN_ROWS;
        if (row >= rows) {
            row = 0;
            tile += step;
            walk.next(job.tiles);
        }
    }
    __device__ __forceinline__ void await()
    {
        if (BULK)
            sb_barrier_wait<SB_BLOCK>(full + stage, parity);
        else
            __pipeline_wait_prior(SB_TILE_OWN_EACH_STAGES - 1);
    }
    /* The stage has been read. */
    __device__ __forceinline__ void release()
    {
        __syncwarp();
        fetch(stage);
        stage = stage + 1 == job.tiles.stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
};

} // namespace

#endif
