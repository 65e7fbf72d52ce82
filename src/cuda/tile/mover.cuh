/* How lines that lie one after another come to a warp's stages and go from them: tiles of lines, in `PLANES` arrays, the last
 * of which holds the right-hand sides and then the solutions. In a stage lines keep their place within 128 bytes, at which
 * the copy engine is fastest; lines that follow each other without gaps (`joined`) travel as one run. */
#ifndef SB_CUDA_TILE_MOVER_CUH
#define SB_CUDA_TILE_MOVER_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/tile/bulk.cuh"
#include "src/cuda/tile/strided.h"

namespace
{

constexpr int SB_WARP = 32;

__device__ __forceinline__ int sb_lanes_sum(int a)
{
    for (int step = 1; step < SB_WARP; step *= 2)
        a += __shfl_xor_sync(~0u, a, step);
    return a;
}

/* from: NULL for an array that is not there; all of them but the last lie as matrix_at says. */
template <int PLANES> struct sb_lane_mover {
    const sb_tile_lines &job;
    const T *from[PLANES];
    T *x;
    unsigned char *stages;
    uint64_t *full;

    __device__ __forceinline__ int64_t offset(const sb_tile_line &at, int line) const
    {
        if (job.single)
            return line * at.column;
        int extent = (int)job.grid.extent, column = line % extent, rest = line / extent;
        return column * at.column + rest % job.grid.outer[0] * at.outer[0] +
               rest / job.grid.outer[0] * at.outer[1];
    }
    __device__ __forceinline__ int64_t number(int line) const
    {
        if (job.single)
            return line * job.grid.number[0];
        int extent = (int)job.grid.extent, column = line % extent, rest = line / extent;
        return column * job.grid.number[0] + rest % job.grid.outer[0] * job.grid.number[1] +
               rest / job.grid.outer[0] * job.grid.number[2];
    }
    __device__ __forceinline__ int count(int tile) const
    {
        return min(job.together, job.systems - tile * job.together);
    }
    __device__ __forceinline__ const T *source(int plane, int line) const
    {
        return from[plane] + offset(plane == PLANES - 1 ? job.grid.b_at : job.matrix_at, line);
    }
    __device__ __forceinline__ T *staged(int tile, int stage, int l, int plane = PLANES - 1) const
    {
        int line = job.joined ? tile * job.together : tile * job.together + l;
        unsigned char *at = stages + (size_t)(stage * PLANES + plane) * job.stage_bytes +
                            (job.joined ? 0 : l * job.pitch_bytes);
        at += reinterpret_cast<uintptr_t>(source(plane, line)) % SB_TILE_LINE_ALIGNMENT;
        return reinterpret_cast<T *>(at) + (job.joined ? l * job.cut.n : 0);
    }
    __device__ __forceinline__ int run_length(int lines) const
    {
        return job.joined ? lines * job.cut.n : job.cut.n;
    }
    /* All lanes call. */
    __device__ __forceinline__ void load(int tile, int stage) const
    {
        int lane = threadIdx.x % SB_WARP, lines = count(tile), runs = job.joined ? 1 : lines;
        int length = run_length(lines);
        if (!job.bulk_in) {
            fetch(tile, stage, runs, length);
            return;
        }
        for (int base = 0; base < runs; base += SB_WARP) {
            int l = base + lane, all = 0;
            char *to[PLANES];
            const char *begin[PLANES];
            int bytes[PLANES];
#pragma unroll
            for (int p = 0; p < PLANES; ++p) {
                bytes[p] = 0;
                if (l >= runs || !from[p])
                    continue;
                begin[p] = reinterpret_cast<const char *>(source(p, tile * job.together + l));
                int lead = (int)(reinterpret_cast<uintptr_t>(begin[p]) % 16);
                bytes[p] = (lead + length * (int)sizeof(T) + 15) / 16 * 16;
                begin[p] -= lead;
                to[p] = reinterpret_cast<char *>(staged(tile, stage, l, p)) - lead;
                all += bytes[p];
            }
            if (runs > 1)
                all = sb_lanes_sum(all);
            if (lane == 0)
                sb_barrier_promise(full + stage, all, base + SB_WARP >= runs);
            __syncwarp();
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                if (bytes[p] > 0)
                    sb_bulk_load_run(to[p], begin[p], bytes[p], full + stage);
        }
    }
    /* Without the engine. */
    __device__ __forceinline__ void fetch(int tile, int stage, int runs, int length) const
    {
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            for (int l = 0; l < runs && from[p]; ++l) {
                const T *begin = source(p, tile * job.together + l);
                T *to = staged(tile, stage, l, p);
                for (int i = threadIdx.x % SB_WARP; i < length; i += SB_WARP)
                    to[i] = begin[i];
            }
        __syncwarp();
    }
    /* good: a bit for each line that is to be stored, if not all are (together <= 32). */
    __device__ __forceinline__ void store(int tile, int stage, unsigned good = ~0u) const
    {
        int lane = threadIdx.x % SB_WARP, lines = count(tile);
        bool one = job.joined && good == ~0u;
        int runs = one ? 1 : lines, length = one ? lines * job.cut.n : job.cut.n;
        bool bulk = job.bulk_out && good == ~0u && length * sizeof(T) % 16 == 0;
        sb_bulk_fence();
        __syncwarp();
        for (int l = bulk ? lane : 0; l < runs; l += bulk ? SB_WARP : 1) {
            const T *begin = staged(tile, stage, l);
            T *to = x + offset(job.grid.x_at, tile * job.together + l);
            if (bulk)
                sb_bulk_store_run(to, begin, length * sizeof(T));
            else if (l >= SB_WARP || good >> l & 1)
                for (int i = lane; i < length; i += SB_WARP)
                    to[i] = begin[i];
        }
        __syncwarp();
    }
};

} // namespace

#endif
