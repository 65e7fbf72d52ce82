/* Tiles of truncated's systems, whose rows follow one another as a rule, though arrays may begin anywhere.
 *
 * Granules come as memory has them: row r of a plane to element turned_by + r, and the last rows, for which there is no room behind it,
 * before the first; once they have arrived, all are moved to where lanes look for them. So it takes a quarter (f32) or half of the
 * copies that elements would, and two accesses to shared memory a granule more. */
#ifndef SB_LARGE_TURNED_CUH
#define SB_LARGE_TURNED_CUH

#include "src/cuda/large/tile.cuh"

namespace
{

/* Whether a system comes in this way, which is what the functions below are told; never where a granule is one element. */
__device__ __forceinline__ bool is_turned(const arrays &in)
{
    return IN_GRANULE > 1 && !in.wide && in.step[DIAGONAL] == 1 && in.step[RHS] == 1 && !in.transposed &&
           in.first == INT64_MAX;
}

/* Elements of memory's granule before the first row of a tile; the same for all tiles of a system. */
__device__ __forceinline__ int turned_by(const T *from)
{
    return static_cast<int>(reinterpret_cast<uintptr_t>(from) / sizeof(T) % IN_GRANULE);
}

/* The first granule of each plane, which may begin before the tile: element by element. */
__device__ __forceinline__ void fetch_seams(const arrays &in, char *slot, int64_t first, int lane)
{
    const int p = lane / IN_GRANULE, e = lane % IN_GRANULE;
    if (p >= PLANES)
        return;
    const T *rows = in.from[p] + first;
    const int by = turned_by(rows), row = e < by ? in.tile_rows - by + e : e - by;
    const bool there = row < in.n - first;
    __pipeline_memcpy_async(row_of(slot, p, e), there ? rows + row : rows, sizeof(T), there ? 0 : sizeof(T));
}

/* A tile that the system's end cuts off; rows past it become zeros, and nothing behind it is read. */
__device__ __forceinline__ void fetch_turned_end(const arrays &in, char *slot, int64_t first, int lane)
{
    const int left = clamp_to(in.n - first, in.tile_rows);
#pragma unroll 1
    for (int p = 0; p < PLANES; ++p) {
        const T *rows = in.from[p] + first;
        const int by = turned_by(rows);
#pragma unroll 1
        for (int g = lane == 0 ? LANES : lane; g < LANES * COLUMNS; g += LANES) {
            const int row = g * IN_GRANULE - by;
            if (row + IN_GRANULE <= left)
                copy_async(granule_of(slot, p, g), rows + row);
            else
                copy_cut(granule_of(slot, p, g), rows + row, left - row);
        }
    }
    fetch_seams(in, slot, first, lane);
}

/* What is not a whole tile, or not contiguous. */
__device__ __noinline__ void fetch_other(const arrays &in, bool turned, char *slot, int64_t first, int lane)
{
    if (turned)
        fetch_turned_end(in, slot, first, lane);
    else if (in.wide)
        fetch_end(in, slot, first, lane, 0, PLANES);
    else
        fetch_elements(in, slot, first, lane, 0, PLANES);
}

/* As fetch. The way that aligned tiles take is that of the others too, but for the first granules. */
__device__ __forceinline__ void fetch_tile(const arrays &in, bool turned, char *slot, int64_t first, int lane)
{
    if ((in.wide || turned) && is_full(in, first)) {
        char *to = slot + lane * 16;
        const char *from[PLANES];
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            from[p] = reinterpret_cast<const char *>(in.from[p] + first) + lane * 16;
        if (turned) {
            fetch_seams(in, slot, first, lane);
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                from[p] -= reinterpret_cast<uintptr_t>(from[p]) % 16;
        }
        const bool whole = !turned || lane > 0;
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j)
                if (j > 0 || whole)
                    copy_async(to + p * PLANE_BYTES + j * LANES * 16, from[p] + j * LANES * 16);
    } else
        fetch_other(in, turned, slot, first, lane);
    __pipeline_commit();
}

/* The elements of a lane's granules from `BY` on, and as many of the next lane's. */
template <int BY> __device__ __forceinline__ void turn_plane(char *part, const granule *next)
{
    granule was[COLUMNS + 1];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
        was[c] = *granule_of(part, 0, c);
    was[COLUMNS] = *next;
    __syncwarp();
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
        granule now;
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            now.at[e] = was[c + (e + BY) / IN_GRANULE].at[(e + BY) % IN_GRANULE];
        *granule_of(part, 0, c) = now;
    }
}

__device__ __noinline__ void turn_back(const arrays &in, char *slot, int lane)
{
#pragma unroll 1
    for (int p = 0; p < PLANES; ++p) {
        const int by = turned_by(in.from[p]);
        char *plane = slot + p * PLANE_BYTES, *part = part_of(in, plane, lane);
        const granule *next = granule_of(part_of(in, plane, (lane + 1) % LANES), 0, 0);
        if (by == 1)
            turn_plane<1 % IN_GRANULE>(part, next);
        else if (by == 2)
            turn_plane<2 % IN_GRANULE>(part, next);
        else if (by == 3)
            turn_plane<3 % IN_GRANULE>(part, next);
    }
    __syncwarp();
}

__device__ __forceinline__ void arrive_tile(const arrays &in, bool turned, char *slot, int64_t first, int lane)
{
    drain();
    if (turned)
        turn_back(in, slot, lane);
    cut_ends(in, slot, first, lane);
}

/* Rows behind the last one become equations 1 x = 0 of unknowns that nobody knows, so that no lane has fewer than all. */
__device__ __forceinline__ void pad_end(const arrays &in, char *slot, int64_t first, int lane)
{
    for (int r = clamp_to(in.n - first, in.tile_rows) + lane; r < in.tile_rows; r += LANES)
        *row_of(slot, DIAGONAL, r) = 1;
    __syncwarp();
}

/* A whole tile to an x that is contiguous, but not aligned. */
__device__ __noinline__ bool store_turned(const arrays &out, const T *plane, int64_t first, int lane)
{
    T *x = out.x + first, zero = 0;
#pragma unroll
    for (int j = 0; j < LANE_ROWS; ++j) {
        const T value = plane[j * LANES + lane];
        x[j * LANES + lane] = value;
        zero = zero + (R)0 * value;
    }
    __syncwarp();
    return zero == (T)0;
}

/* As store. */
__device__ __forceinline__ bool store_tile(const arrays &out, const char *plane, int64_t first, int lane)
{
    return !out.x_wide && out.x_step == 1 && is_full(out, first)
               ? store_turned(out, reinterpret_cast<const T *>(plane), first, lane)
               : store(out, plane, first, lane);
}

} // namespace

#endif
