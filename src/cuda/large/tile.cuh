/* One warp's tile: 32 lanes, each with up to 112 bytes of consecutive rows of every array, in a slot of four planes.
 *
 * A plane is the array's own bytes, brought by asynchronous copies. Lanes read 16 of their bytes at a time, one column of
 * the tile; an odd number of such granules a lane, so that all banks are touched evenly. */
#ifndef SB_LARGE_TILE_CUH
#define SB_LARGE_TILE_CUH

#include <cuda_pipeline_primitives.h>
#include <string.h>

#include "src/chunk/scalar.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/large/shape.h"

namespace
{

enum {
    LANES = 32,
    IN_GRANULE = 16 / sizeof(T),
    COLUMNS = SB_LARGE_COLUMNS, /* at most */
    LANE_ROWS = COLUMNS * IN_GRANULE,
    PLANE_BYTES = LANES * COLUMNS * 16,
    LOWER = 0, /* the planes */
    DIAGONAL = 1,
    UPPER = 2,
    RHS = 3,
    PLANES = 4,
    SLOT_BYTES = PLANES * PLANE_BYTES
};

constexpr unsigned ALL = 0xffffffffu;

struct __align__(16) granule
{
    T at[IN_GRANULE];
};

/* One system's arrays. */
struct arrays {
    const T *from[PLANES];
    T *x;
    int64_t n, step[PLANES], x_step; /* step: from row to row */
    int64_t first, last;             /* Toeplitz: rows with entries of their own */
    int columns, lane_rows, tile_rows;
    bool wide, x_wide; /* contiguous, and aligned to granules */
    bool periodic, transposed, conjugate;
};

/* Where plane p of a row stands: of A's transpose, the lower diagonal is A's upper one, a row earlier. NULL: nowhere. */
__device__ __forceinline__ const T *element_of(const arrays &in, int p, int64_t row)
{
    if (row >= in.n || !in.from[p])
        return nullptr;
    if (p == RHS)
        return in.from[p] + row * in.step[p];
    if (in.transposed && p != DIAGONAL) {
        row += p - DIAGONAL;
        row = row < 0 ? in.n - 1 : row == in.n ? 0 : row;
    }
    if (row >= in.first) {
        int64_t behind = row - (in.n - in.last);
        row = in.first + (behind < 0 ? 0 : 1 + behind);
    }
    return in.from[p] + row * in.step[p];
}

/* A lane's part of a slot. */
__device__ __forceinline__ char *part_of(const arrays &in, char *slot, int lane)
{
    return slot + lane * in.columns * 16;
}

__device__ __forceinline__ granule *granule_of(char *part, int plane, int column)
{
    return reinterpret_cast<granule *>(part + plane * PLANE_BYTES) + column;
}

__device__ __forceinline__ T *row_of(char *slot, int plane, int row)
{
    return reinterpret_cast<T *>(slot + plane * PLANE_BYTES) + row;
}

__device__ __forceinline__ int clamp_to(int64_t value, int most)
{
    return value < 0 ? 0 : value > most ? most : static_cast<int>(value);
}

__device__ __forceinline__ void copy_async(void *shared, const void *global)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                 "l"(global)
                 : "memory");
}

/* The first `count` elements of a granule; zeros for the others, which are not read. */
__device__ __forceinline__ void copy_cut(granule *shared, const T *global, int count)
{
#pragma unroll
    for (int e = 0; e < IN_GRANULE; ++e)
        if (e < count)
            __pipeline_memcpy_async(shared->at + e, global + e, sizeof(T));
        else
            shared->at[e] = 0;
}

/* A tile of fewer columns, or one that the system's end cuts off; rows past it become zeros. Nothing behind an array is ever
   read. */
__device__ __noinline__ void fetch_end(const arrays &in, char *slot, int64_t first, int lane, int from, int to)
{
    int left = clamp_to(in.n - first, in.tile_rows);
#pragma unroll 1
    for (int g = lane; g < LANES * in.columns; g += LANES) {
        int row = g * IN_GRANULE, count = left - row;
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            if (from <= p && p < to && count >= IN_GRANULE)
                copy_async(granule_of(slot, p, g), in.from[p] + first + row);
            else if (from <= p && p < to)
                copy_cut(granule_of(slot, p, g), in.from[p] + first + row, count);
    }
}

/* Do a tile's rows of a plane follow one another in memory? */
__device__ __forceinline__ bool is_straight(const arrays &in, int plane, int64_t end)
{
    const bool matrix = plane != RHS, moved = matrix && plane != DIAGONAL && in.transposed;
    return in.from[plane] && in.step[plane] == 1 && !moved && (!matrix || end <= in.first);
}

/* Element by element, for any layout; rows past the end become zeros, and so does a right-hand side that is not there. Lines of odd
   length come in this way too, but for truncated (turned.cuh). */
__device__ __noinline__ void fetch_elements(const arrays &in, char *slot, int64_t first, int lane, int from,
                                            int to)
{
    const int left = clamp_to(in.n - first, in.tile_rows);
#pragma unroll 1
    for (int p = from; p < to; ++p) {
        if (is_straight(in, p, first + left)) {
            const T *at = in.from[p] + first;
#pragma unroll COLUMNS
            for (int i = lane; i < in.tile_rows; i += LANES)
                __pipeline_memcpy_async(row_of(slot, p, i), i < left ? at + i : in.from[p], sizeof(T),
                                        i < left ? 0 : sizeof(T));
            continue;
        }
#pragma unroll 1
        for (int i = lane; i < in.tile_rows; i += LANES) {
            const T *at = element_of(in, p, first + i);
            __pipeline_memcpy_async(row_of(slot, p, i), at ? at : in.from[DIAGONAL], sizeof(T),
                                    at ? 0 : sizeof(T));
        }
    }
}

/* As most tiles of long systems are. */
__device__ __forceinline__ bool is_full(const arrays &in, int64_t first)
{
    return in.columns == COLUMNS && first + LANES * LANE_ROWS <= in.n;
}

/* Asks for rows first.. of planes FROM .. TO - 1. Await with arrive. */
template <int FROM = 0, int TO = PLANES>
__device__ __forceinline__ void fetch(const arrays &in, char *slot, int64_t first, int lane)
{
    bool wide = in.wide && in.from[RHS];
    if (wide && is_full(in, first)) {
        char *to = slot + lane * 16;
#pragma unroll
        for (int p = FROM; p < TO; ++p) {
            const char *from = reinterpret_cast<const char *>(in.from[p] + first) + lane * 16;
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j)
                copy_async(to + p * PLANE_BYTES + j * LANES * 16, from + j * LANES * 16);
        }
    } else if (wide)
        fetch_end(in, slot, first, lane, FROM, TO);
    else
        fetch_elements(in, slot, first, lane, FROM, TO);
    __pipeline_commit();
}

/* Entries outside an open matrix are never used. */
__device__ __forceinline__ void cut_ends(const arrays &in, char *slot, int64_t first, int lane)
{
    if (in.periodic || (first > 0 && first + in.tile_rows < in.n))
        return;
    const int last = clamp_to(in.n - 1 - first, in.tile_rows);
    if (first == 0 && lane == 0)
        *row_of(slot, LOWER, 0) = 0;
    if (last < in.tile_rows && lane == 0)
        *row_of(slot, UPPER, last) = 0;
    __syncwarp();
}

/* Nothing asked for is on its way any more. */
__device__ __forceinline__ void drain()
{
    __pipeline_wait_prior(0);
    __syncwarp();
}

__device__ __forceinline__ void arrive(const arrays &in, char *slot, int64_t first, int lane)
{
    drain();
    cut_ends(in, slot, first, lane);
}

struct granules {
    granule plane[PLANES];
};

/* How the rows of lanes stand in a slot; part: where a lane's begin. */

/* One lane's behind another's. */
struct along {
    static __device__ __forceinline__ T *row(char *part, int plane, int r)
    {
        return row_of(part, plane, r);
    }
    static __device__ __forceinline__ granules read(char *part, int column)
    {
        granules g;
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            g.plane[p] = *granule_of(part, p, column);
        return g;
    }
    static __device__ __forceinline__ void write(char *part, int plane, int column, const granule &g)
    {
        *granule_of(part, plane, column) = g;
    }
};

/* The same row of all lanes, each of which has a system of its own. ONE_MATRIX: the first planes have one for all lanes. */
template <bool ONE_MATRIX> struct abreast {
    enum { ONE = ONE_MATRIX };
    static __device__ __forceinline__ T *row(char *part, int plane, int r)
    {
        if (ONE_MATRIX && plane < RHS)
            return row_of(slot_of(part), plane, r);
        return row_of(part, plane, r * LANES);
    }
    /* A lane's part begins with its first element. */
    static __device__ __forceinline__ char *slot_of(char *part)
    {
        return part - threadIdx.x % LANES * sizeof(T);
    }
    static __device__ __forceinline__ granules read(char *part, int column)
    {
        granules g;
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e)
                g.plane[p].at[e] = *row(part, p, column * IN_GRANULE + e);
        return g;
    }
    static __device__ __forceinline__ void write(char *part, int plane, int column, const granule &g)
    {
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            *row_of(part, plane, (column * IN_GRANULE + e) * LANES) = g.at[e];
    }
};

__device__ __noinline__ bool store_elements(const arrays &out, const T *plane, int64_t first, int lane)
{
    const int left = clamp_to(out.n - first, out.tile_rows);
    T *x = out.x + first * out.x_step;
    bool finite = true;
#pragma unroll COLUMNS
    for (int i = lane; i < left; i += LANES) {
        finite = finite & sb_finite(plane[i]);
        x[i * out.x_step] = plane[i];
    }
    return finite;
}

/* A tile that is not full. */
__device__ __forceinline__ bool store_end(const arrays &out, const granule *plane, int64_t first, int lane)
{
    bool finite = true;
    int left = clamp_to(out.n - first, out.tile_rows);
#pragma unroll 1
    for (int g = lane; g * IN_GRANULE < left; g += LANES) {
        granule values = plane[g];
        T *x = out.x + first + g * IN_GRANULE;
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            finite = finite & (sb_finite(values.at[e]) | (g * IN_GRANULE + e >= left));
        if (g * IN_GRANULE + IN_GRANULE <= left)
            *reinterpret_cast<granule *>(x) = values;
        else
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e)
                if (g * IN_GRANULE + e < left)
                    x[e] = values.at[e];
    }
    return finite;
}

/* A plane to x. False where a number is NaN or Inf. */
__device__ __forceinline__ bool store(const arrays &out, const char *plane, int64_t first, int lane)
{
    bool finite = true;
    if (out.x_wide && is_full(out, first)) {
        int4 *x = reinterpret_cast<int4 *>(out.x + first) + lane;
        const int4 *from = reinterpret_cast<const int4 *>(plane) + lane;
        T zero = 0;
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            int4 words = from[j * LANES];
            granule g;
            memcpy(&g, &words, sizeof g);
            __stcs(x + j * LANES, words);
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e)
                zero = zero + (R)0 * g.at[e];
        }
        finite = zero == (T)0;
    } else if (out.x_wide)
        finite = store_end(out, reinterpret_cast<const granule *>(plane), first, lane);
    else
        finite = store_elements(out, reinterpret_cast<const T *>(plane), first, lane);
    __syncwarp();
    return finite;
}

/* No number where there is no answer. */
__device__ __noinline__ void fill_with_nan(const arrays &out, int64_t from, int64_t step)
{
    const R nan = static_cast<R>(NAN);
    for (int64_t i = from; i < out.n; i += step)
        out.x[i * out.x_step] = nan;
}

} // namespace

#endif
