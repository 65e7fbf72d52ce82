/* Lines one after another whose rows are spread over a block or a cluster of them (strided.cuh): how they come and go.
 *
 * In a stage lines stand as they do in memory, `pitch_bytes` apart: an odd number of 16 bytes, so that no more than two lanes
 * meet in a bank, each with a row of its own line. Each line's share of the block comes by one copy of the engine, rounded out to 16
 * bytes. What is solved takes the place of what was read, and goes by the engine too where solutions begin within 16 bytes as right-hand
 * sides do, but for words that share 16 bytes with another line; else as lanes can. Tiles count lines through, whatever dimensions they lie along. Compute capability 9.0. */
#ifndef SB_CUDA_TILE_IN_LINES_CUH
#define SB_CUDA_TILE_IN_LINES_CUH

#include "src/cuda/tile/run.cuh"
#include "src/cuda/tile/strided.cuh"

namespace
{

/* Where the rows of a lane's chunk lie in its lines, N at a time. */
template <int N> struct sb_tile_line_rows {
    enum { AT_ONCE = N };
    T *at[sb_tile_lanes];

    __device__ __forceinline__ sb_few<N> get(int v) const
    {
        return *reinterpret_cast<const sb_few<N> *>(at[v]);
    }
    __device__ __forceinline__ void put(int v, const sb_few<N> &x) const
    {
        *reinterpret_cast<sb_few<N> *>(at[v]) = x;
    }
    __device__ __forceinline__ void next()
    {
#pragma unroll
        for (int v = 0; v < sb_tile_lanes; ++v)
            at[v] += N;
    }
};

template <int K> struct sb_tile_in_lines : sb_tile_traffic {
    enum {
        STAGED = true,
        EARLY = false,
        ALONE = true,
        SLOTS = SB_TILE_SLOTS(sizeof(T), SB_COMPLEX, K, true),
        WARPS = SB_TILE_MOST_CHUNKS(sizeof(T), true),
        PIECE = SB_TILE_PIECE(sizeof(T), SB_COMPLEX)
    };
    typedef sb_tile_factors<K, true> factors;

    __device__ sb_tile_in_lines(const sb_tile_traffic &of, const CUtensorMap *) : sb_tile_traffic(of)
    {
    }
    /* The block's rows of each line. */
    __device__ __forceinline__ int first() const
    {
        return block * job.cut.block_rows;
    }
    __device__ __forceinline__ int rows() const
    {
        return sb_tile_rows_of(&job.cut, block);
    }
    __device__ __forceinline__ const T *source(int line) const
    {
        return b + sb_tile_offset(job.grid, job.grid.b_at, line) + first();
    }
    __device__ __forceinline__ T *staged(int into, int column, const T *from) const
    {
        return reinterpret_cast<T *>(stages + (size_t)into * job.stage_bytes + column * job.pitch_bytes +
                                     reinterpret_cast<uintptr_t>(from) % 16);
    }
    /* Each warp has some of the lines come and go, lest one be kept from its chunk by all of them. */
    __device__ __forceinline__ int movers() const
    {
        return blockDim.x / 32;
    }
    /* This lane's first column; those of a warp's lanes are as far apart as there are warps. */
    __device__ __forceinline__ int moved() const
    {
        return threadIdx.x / 32 + threadIdx.x % 32 * movers();
    }
    __device__ void load(int tile, int into) const
    {
        const int step = 32 * movers();
        const int64_t elements = sb_tile_elements(job.grid, job.grid.b_at, job.cut.n);
#pragma unroll 1
        for (int base = 0; base < job.columns; base += step) {
            const int column = base + moved(), line = tile * job.columns + column;
            sb_tile_run run = {};
            if (column < job.columns && line < job.lines)
                run = sb_tile_run_of(source(line), rows(), b, elements, staged(into, column, source(line)));
            run.mend();
            const uint32_t all = __reduce_add_sync(~0u, run.bytes()); /* behind which the warp has mended */
            if (threadIdx.x % 32 == 0)
                sb_barrier_promise(full + into, all, base + step >= job.columns);
            __syncwarp();
            if (run.bytes() > 0)
                sb_bulk_load_run(run.to + (run.begin - run.first), run.begin, run.bytes(), full + into);
        }
    }
    __device__ __forceinline__ void real_columns(int tile, bool (&real)[sb_tile_lanes]) const
    {
#pragma unroll
        for (int v = 0; v < sb_tile_lanes; ++v)
            real[v] = tile * job.columns + seat.column + 32 * v < job.lines;
    }
    template <int N> __device__ __forceinline__ sb_tile_line_rows<N> lines(int tile) const
    {
        sb_tile_line_rows<N> all;
#pragma unroll
        for (int v = 0; v < sb_tile_lanes; ++v) {
            const int column = seat.column + 32 * v;
            all.at[v] = staged(stage, column, source(tile * job.columns + column)) + seat.row - seat.front;
        }
        return all;
    }
    __device__ __forceinline__ void read(T (&d)[SLOTS][sb_tile_lanes], int tile,
                                         const bool (&real)[sb_tile_lanes], bool conjugate) const
    {
        sb_barrier_wait<SB_BLOCK>(full + stage, parity);
        if (PIECE > 1 && job.pieces)
            sb_tile_read(d, lines<PIECE>(tile), seat.front, real, conjugate);
        else
            sb_tile_read(d, lines<1>(tile), seat.front, real, conjugate);
    }
    /* Finishes the rows. */
    __device__ __forceinline__ void write(const T (&d)[SLOTS][sb_tile_lanes], int tile,
                                          const bool (&real)[sb_tile_lanes], const factors &of,
                                          const T (&left)[K][sb_tile_lanes], const T (&own)[K][sb_tile_lanes],
                                          bool conjugate, bool (&broken)[sb_tile_lanes]) const
    {
        if (PIECE > 1 && job.pieces)
            sb_tile_write<K>(d, lines<PIECE>(tile), seat.front, real, of, left, own, conjugate, broken);
        else
            sb_tile_write<K>(d, lines<1>(tile), seat.front, real, of, left, own, conjugate, broken);
    }
    /* This thread has read its rows, all have: what was solved the turn before has left its stage, or been copied. */
    __device__ __forceinline__ void has_read(const sb_tile_room<K> &room, int turn) const
    {
        if (job.bulk_out)
            reload_before(room, turn);
    }
    __device__ __forceinline__ void all_have_read(const sb_tile_room<K> &room, int turn) const
    {
        if (!job.bulk_out)
            reload_before(room, turn);
    }
    __device__ __forceinline__ void reload_before(const sb_tile_room<K> &room, int turn) const
    {
        if (turn > 0 && job.stages > 1)
            reload(room.number(turn - 1 + job.stages), stage > 0 ? stage - 1 : job.stages - 1);
    }
    __device__ __forceinline__ void reload(int tile, int into) const
    {
        if (job.bulk_out)
            sb_bulk_stores_left<0>();
        __syncwarp();
        if (tile < job.tiles)
            load(tile, into);
    }
    __device__ __forceinline__ int64_t number(int tile, int v) const
    {
        return sb_tile_number(job.grid, tile * job.columns + seat.column + 32 * v);
    }
    /* This thread has written its rows. */
    __device__ __forceinline__ void has_solved(const sb_tile_room<K> &room, int turn)
    {
        const int tile = room.number(turn);
        sb_bulk_fence();
        __syncthreads();
        if (job.bulk_out)
            bulk_store(tile);
        else
            store(tile);
        if (job.stages == 1) {
            if (!job.bulk_out)
                __syncthreads();
            reload(room.number(turn + 1), 0);
        }
        advance();
    }
    __device__ __forceinline__ void bulk_store(int tile) const
    {
#pragma unroll 1
        for (int column = moved(); column < job.columns; column += 32 * movers()) {
            const int line = tile * job.columns + column;
            if (line < job.lines)
                sb_tile_store_run(x + sb_tile_offset(job.grid, job.grid.x_at, line) + first(),
                                  staged(stage, column, source(line)), rows());
        }
    }
    __device__ __forceinline__ void store(int tile) const
    {
        const int count = rows();
#pragma unroll 1
        for (int column = threadIdx.x / 32; column < job.columns; column += blockDim.x / 32) {
            const int line = tile * job.columns + column;
            if (line >= job.lines)
                return;
            const T *from = staged(stage, column, source(line));
            T *to = x + sb_tile_offset(job.grid, job.grid.x_at, line) + first();
            for (int i = threadIdx.x % 32; i < count; i += 32)
                to[i] = from[i];
        }
    }
    __device__ void leave() const
    {
        sb_bulk_stores_done();
    }
};

} // namespace

#endif
