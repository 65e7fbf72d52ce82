/* How lines that lie one after another come to a warp's stages, or those of warps that share a line, and go from them: tiles
 * of lines, in `PLANES` arrays, the last of which holds the right-hand sides and then the solutions. In a stage lines keep
 * their place within 128 bytes, at which
 * the copy engine is fastest; lines that follow each other without gaps (`joined`) travel as one run. */
#ifndef SB_CUDA_TILE_MOVER_CUH
#define SB_CUDA_TILE_MOVER_CUH

#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/tile/run.cuh"

namespace
{

constexpr int SB_WARP = 32;

/* Arrays, NULL those that are not there. */
template <int PLANES> struct sb_lane_planes {
    const T *at[PLANES];
};

/* Whole warps of a block that share their stages. */
struct sb_lane_crew {
    int lane, lanes, barrier; /* this thread's place among so many; theirs, see sb_meet */

    __device__ __forceinline__ void meet() const
    {
        if (lanes == SB_WARP)
            __syncwarp();
        else
            sb_meet(barrier, lanes);
    }
};

__device__ __forceinline__ sb_lane_crew sb_lane_single()
{
    return {static_cast<int>(threadIdx.x % SB_WARP), SB_WARP, 0};
}

/* from: all of them but the last lie as matrix_at says. A stage has its planes and `apart` more, in the last of which the solutions
   go. Of lines that several blocks share, the stages hold `rows` from `first` on. */
template <int PLANES> struct sb_lane_mover {
    const sb_tile_lines &job;
    sb_lane_planes<PLANES> from;
    T *x;
    unsigned char *stages;
    uint64_t *full;
    sb_lane_crew crew;
    int first, rows;

    __device__ __forceinline__ int64_t number(int line) const
    {
        return sb_tile_number(job.grid, line);
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
        return array(plane) + first +
               sb_tile_offset(job.grid, plane == PLANES - 1 ? job.grid.b_at : job.matrix_at, line);
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
        return job.joined ? lines * job.cut.n : rows;
    }
    __device__ __forceinline__ sb_tile_run run_of(int plane, int tile, int stage, int l, int length) const
    {
        const sb_tile_line &at = plane == PLANES - 1 ? job.grid.b_at : job.matrix_at;
        return sb_tile_run_of(source(plane, tile * job.together + l), length, array(plane),
                              sb_tile_elements(job.grid, at, job.cut.n), staged(tile, stage, l, plane));
    }
    /* All lanes call. */
    __device__ __forceinline__ void load(int tile, int stage) const
    {
        const int lines = count(tile), runs = job.joined ? 1 : lines, length = run_length(lines);
        if (!job.bulk_in)
            fetch(tile, stage, runs, length);
        else if (crew.lane < SB_WARP)
            bring(tile, stage, runs, length);
    }
    /* One warp's lanes; each has the copies of one plane's lines to make. */
    __device__ __forceinline__ void bring(int tile, int stage, int runs, int length) const
    {
        const int lane = crew.lane;
#pragma unroll 1
        for (int base = 0; base < runs * PLANES; base += SB_WARP) {
            int l = (base + lane) / PLANES, plane = (base + lane) % PLANES;
            sb_tile_run r = {};
            if (l < runs && array(plane))
                r = run_of(plane, tile, stage, l, length);
            r.mend();
            uint32_t all = __reduce_add_sync(~0u, r.bytes());
            if (lane == 0)
                sb_barrier_promise(full + stage, all, base + SB_WARP >= runs * PLANES);
            __syncwarp();
            if (r.bytes() > 0)
                sb_bulk_load_run(r.to + (r.begin - r.first), r.begin, r.bytes(), full + stage);
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
                for (int i = crew.lane; i < length; i += crew.lanes)
                    to[i] = begin[i];
            }
        crew.meet();
    }
    /* good: a bit for each line that is to be stored, if not all are (together <= 32). */
    __device__ __forceinline__ void store(int tile, int stage, unsigned good = ~0u) const
    {
        const int lane = crew.lane, lanes = crew.lanes, lines = count(tile);
        bool one = job.joined && good == ~0u;
        int runs = one ? 1 : lines, length = one ? lines * job.cut.n : rows;
        bool bulk = job.bulk_out && good == ~0u;
        sb_bulk_fence();
        crew.meet();
        for (int l = bulk ? lane : 0; l < runs; l += bulk ? lanes : 1) {
            const T *begin = solved(tile, stage, l);
            T *to = x + first + sb_tile_offset(job.grid, job.grid.x_at, tile * job.together + l);
            if (bulk)
                sb_tile_store_run(to, begin, length);
            else if (l >= SB_WARP || good >> l & 1)
                for (int i = lane; i < length; i += lanes)
                    to[i] = begin[i];
        }
        crew.meet();
    }
};

} // namespace

#endif
