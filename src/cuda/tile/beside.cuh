/* Lines side by side: how their rows come to strided.cuh's blocks, and go. */
#ifndef SB_CUDA_TILE_BESIDE_CUH
#define SB_CUDA_TILE_BESIDE_CUH

#include "src/cuda/tile/strided.cuh"

namespace
{

/* Where the rows of a chunk lie, from place 0 on. */
template <typename E> struct sb_tile_rows {
    enum { AT_ONCE = 1 };
    E *at;
    int64_t pitch, across;

    __device__ __forceinline__ sb_few<1> get(int v) const
    {
        return {{at[v * across]}};
    }
    __device__ __forceinline__ void put(int v, const sb_few<1> &x) const
    {
        at[v * across] = x.at[0];
    }
    __device__ __forceinline__ void next()
    {
        at += pitch;
    }
};

/* How the rows of tiles come and go, lines side by side. BULK: through a ring of stages, which one thread of the block has loaded. */
template <int K, bool BULK> struct sb_tile_beside : sb_tile_traffic {
    enum {
        STAGED = BULK,
        EARLY = BULK, /* the first rows come while the block gets ready */
        ALONE = SB_TILE_ALONE(K, false),
        SLOTS = SB_TILE_SLOTS(sizeof(T), SB_COMPLEX, K, ALONE),
        WARPS = SB_TILE_MOST_CHUNKS(sizeof(T), ALONE)
    };
    typedef sb_tile_factors<K, ALONE> factors;
    const CUtensorMap *map;

    __device__ sb_tile_beside(const sb_tile_traffic &of, const CUtensorMap *map) : sb_tile_traffic(of), map(map)
    {
    }
    __device__ __forceinline__ int movers() const
    {
        return 1;
    }
    __device__ void load(int tile, int into) const
    {
        const sb_tile_place place(job, tile);
        const int row = base + block * job.cut.block_rows;
        sb_barrier_expect(full + into, job.stage_bytes);
        for (int part = 0; part < job.parts; ++part)
            sb_bulk_load(stages + (size_t)into * job.stage_bytes + part * (job.stage_bytes / job.parts), map,
                         place.column * SB_TILE_WORDS(sizeof(T)), row + part * job.part_rows, place.outer[0],
                         place.outer[1], full + into);
    }
    __device__ __forceinline__ void real_columns(int tile, bool (&real)[sb_tile_lanes]) const
    {
        const sb_tile_place place(job, tile);
#pragma unroll
        for (int v = 0; v < sb_tile_lanes; ++v)
            real[v] = place.column + seat.column + 32 * v < job.grid.extent;
    }
    /* Of an array in memory. */
    template <typename E>
    __device__ __forceinline__ sb_tile_rows<E> rows(E *array, const sb_tile_line &at, int tile) const
    {
        const int64_t first = block * job.cut.block_rows + seat.row - seat.front;
        return {array + sb_tile_place(job, tile).of(at) + first * at.row + seat.column * at.column, at.row,
                32 * at.column};
    }
    __device__ __forceinline__ void read(T (&d)[SLOTS][sb_tile_lanes], int tile,
                                         const bool (&real)[sb_tile_lanes], bool conjugate) const
    {
        if (BULK) {
            const T *here = reinterpret_cast<const T *>(stages + (size_t)stage * job.stage_bytes);
            sb_barrier_wait<SB_BLOCK>(full + stage, parity);
            here += (seat.row - seat.front) * job.columns + seat.column;
            sb_tile_read(d, sb_tile_rows<const T>{here, job.columns, 32}, seat.front, real, conjugate);
        } else
            sb_tile_read(d, rows(b, job.grid.b_at, tile), seat.front, real, conjugate);
    }
    /* This thread has read its rows; all have, and the stage is free. */
    __device__ __forceinline__ void has_read(const sb_tile_room<K> &, int) const
    {
    }
    __device__ __forceinline__ void all_have_read(const sb_tile_room<K> &room, int turn) const
    {
        if (BULK && threadIdx.x == blockDim.x - 1 && room.number(turn + job.stages) < job.tiles)
            load(room.number(turn + job.stages), stage);
    }
    /* Finishes the rows. */
    __device__ __forceinline__ void write(const T (&d)[SLOTS][sb_tile_lanes], int tile,
                                          const bool (&real)[sb_tile_lanes], const factors &of,
                                          const T (&left)[K][sb_tile_lanes], const T (&own)[K][sb_tile_lanes],
                                          bool conjugate, bool (&broken)[sb_tile_lanes]) const
    {
        sb_tile_write<K>(d, rows(x, job.grid.x_at, tile), seat.front, real, of, left, own, conjugate, broken);
    }
    __device__ __forceinline__ int64_t number(int tile, int v) const
    {
        return sb_tile_place(job, tile).number(job.grid, seat.column) + v * 32 * job.grid.number[0];
    }
    /* This thread has written its rows. */
    __device__ __forceinline__ void has_solved(const sb_tile_room<K> &, int)
    {
        advance();
    }
    __device__ void leave() const
    {
    }
};

} // namespace

#endif
