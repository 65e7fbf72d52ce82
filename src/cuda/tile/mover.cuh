/* How lines that lie one after another come to a warp's stages and go from them: tiles of lines, in `PLANES` arrays, the last
 * of which holds the right-hand sides and then the solutions. In a stage lines keep their place within 128 bytes, at which
 * the copy engine is fastest; lines that follow each other without gaps (`joined`) travel as one run. */
#ifndef SB_CUDA_TILE_MOVER_CUH
#define SB_CUDA_TILE_MOVER_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/tile/strided.h"

namespace
{

constexpr int SB_WARP = 32;

/* Arrays, NULL those that are not there. */
template <int PLANES> struct sb_lane_planes {
    const T *at[PLANES];
};

/* from: all of them but the last lie as matrix_at says. A stage has its planes and `apart` more, in the last of which the solutions
   go. */
template <int PLANES> struct sb_lane_mover {
    const sb_tile_lines &job;
    sb_lane_planes<PLANES> from;
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
    __device__ __forceinline__ const T *array(int plane) const
    {
        const T *of = from.at[0];
#pragma unroll
        for (int p = 1; p < PLANES; ++p)
            of = plane == p ? from.at[p] : of;
        return of;
    }
    __device__ __forceinline__ const T *source(int plane, int line) const
    {
        return array(plane) + offset(plane == PLANES - 1 ? job.grid.b_at : job.matrix_at, line);
    }
    __device__ __forceinline__ T *staged(int tile, int stage, int l, int plane = PLANES - 1) const
    {
        int line = job.joined ? tile * job.together : tile * job.together + l;
        unsigned char *at = stages + (stage * (PLANES + job.apart) + plane) * job.stage_bytes +
                            (job.joined ? 0 : l * job.pitch_bytes);
        at += reinterpret_cast<uintptr_t>(source(plane, line)) % SB_TILE_LINE_ALIGNMENT;
        return reinterpret_cast<T *>(at) + (job.joined ? l * job.cut.n : 0);
    }
    __device__ __forceinline__ T *solved(int tile, int stage, int l) const
    {
        return staged(tile, stage, l) + job.apart * job.stage_bytes / (int)sizeof(T);
    }
    __device__ __forceinline__ int run_length(int lines) const
    {
        return job.joined ? lines * job.cut.n : job.cut.n;
    }
    /* Of an array: up to the end of its last line, strides being positive or 0. */
    __device__ __forceinline__ int64_t elements(int plane) const
    {
        const sb_tile_line &at = plane == PLANES - 1 ? job.grid.b_at : job.matrix_at;
        return (job.grid.extent - 1) * at.column + (job.grid.outer[0] - 1) * at.outer[0] +
               (job.grid.outer[1] - 1) * at.outer[1] + job.cut.n;
    }
    /* A run as the engine takes it: rounded out to pieces of 16 bytes, but for those that the array does not fill. */
    struct run {
        const T *first, *begin, *end, *last; /* the run; the pieces */
        T *to;                               /* where *first goes */

        __device__ __forceinline__ uint32_t bytes() const
        {
            return begin < end ? static_cast<uint32_t>((end - begin) * sizeof(T)) : 0;
        }
    };
    __device__ __forceinline__ run run_of(int plane, int tile, int stage, int l, int length) const
    {
        const uintptr_t piece = 16;
        const T *first = source(plane, tile * job.together + l), *last = first + length;
        uintptr_t begin = reinterpret_cast<uintptr_t>(first) & ~(piece - 1),
                  end = (reinterpret_cast<uintptr_t>(last) + piece - 1) & ~(piece - 1);
        if (begin < reinterpret_cast<uintptr_t>(array(plane)))
            begin += piece;
        if (end > reinterpret_cast<uintptr_t>(array(plane) + elements(plane)))
            end -= piece;
        return {first, reinterpret_cast<const T *>(begin), reinterpret_cast<const T *>(end), last,
                staged(tile, stage, l, plane)};
    }
    /* What the engine left out at the ends of an array. */
    __device__ __forceinline__ void mend(const run &r) const
    {
        for (const T *at = r.first; at < r.begin && at < r.last; ++at)
            r.to[at - r.first] = *at;
        for (const T *at = r.end < r.begin ? r.begin : r.end; at < r.last; ++at)
            r.to[at - r.first] = *at;
    }
    /* All lanes call; each has the copies of one plane's lines to make. */
    __device__ __forceinline__ void load(int tile, int stage) const
    {
        int lane = threadIdx.x % SB_WARP, lines = count(tile), runs = job.joined ? 1 : lines;
        int length = run_length(lines);
        if (!job.bulk_in) {
            fetch(tile, stage, runs, length);
            return;
        }
#pragma unroll 1
        for (int base = 0; base < runs * PLANES; base += SB_WARP) {
            int l = (base + lane) / PLANES, plane = (base + lane) % PLANES;
            run r = {};
            if (l < runs && array(plane))
                r = run_of(plane, tile, stage, l, length);
            uint32_t all = __reduce_add_sync(~0u, r.bytes());
            if (lane == 0)
                sb_barrier_promise(full + stage, all, base + SB_WARP >= runs * PLANES);
            __syncwarp();
            if (r.bytes() > 0)
                sb_bulk_load_run(r.to + (r.begin - r.first), r.begin, r.bytes(), full + stage);
            mend(r);
        }
        __syncwarp();
    }
    /* Without the engine. */
    __device__ __forceinline__ void fetch(int tile, int stage, int runs, int length) const
    {
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            for (int l = 0; l < runs && from.at[p]; ++l) {
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
            const T *begin = solved(tile, stage, l);
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
