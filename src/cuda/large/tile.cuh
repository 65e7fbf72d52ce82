/* One warp's tile: 32 lanes, each with 112 bytes of consecutive rows of every array, in a slot of four planes.
 *
 * A plane is the array's own bytes, brought by asynchronous copies. Lanes read 16 of their bytes at a time; seven such
 * granules a lane, an odd number, so that all banks are touched evenly. */
#ifndef SB_LARGE_TILE_CUH
#define SB_LARGE_TILE_CUH

#include <cuda_pipeline_primitives.h>

#include "src/chunk/link.h"
#include "src/cuda/kernels/view.cuh"

namespace
{

enum {
    LANES = 32,
    IN_GRANULE = 16 / sizeof(T),
    GRANULES = 7,
    LANE_ROWS = GRANULES * IN_GRANULE,
    TILE_ROWS = LANES * LANE_ROWS,
    PLANE_BYTES = LANES * GRANULES * 16,
    LOWER = 0, /* the planes; the sweep leaves sb_kept's numbers in them, the walk back leaves x in RHS */
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
    bool wide, x_wide;               /* contiguous, and aligned to granules */
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

__device__ __forceinline__ granule *granule_of(char *slot, int plane, int lane, int column)
{
    return reinterpret_cast<granule *>(slot + plane * PLANE_BYTES) + lane * GRANULES + column;
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

/* A tile that the system's end cuts off; rows past it become zeros. The granule that the end cuts comes row by row: nothing
   behind an array is ever read. */
__device__ __noinline__ void fetch_end(const arrays &in, char *slot, int64_t first, int lane)
{
#pragma unroll 1
    for (int p = 0; p < PLANES; ++p)
#pragma unroll 1
        for (int g = lane; g < LANES * GRANULES; g += LANES) {
            int64_t row = first + g * IN_GRANULE;
            int count = clamp_to(in.n - row, IN_GRANULE);
            if (count == IN_GRANULE)
                copy_async(granule_of(slot, p, 0, g), in.from[p] + row);
            else
                for (int i = 0; i < IN_GRANULE; ++i)
                    __pipeline_memcpy_async(row_of(slot, p, g * IN_GRANULE + i),
                                            in.from[p] + (i < count ? row + i : 0), sizeof(T),
                                            i < count ? 0 : sizeof(T));
        }
}

/* Element by element, for any layout; rows past the end become zeros, and so does a right-hand side that is not there. */
__device__ __noinline__ void fetch_elements(const arrays &in, char *slot, int64_t first, int lane)
{
#pragma unroll 1
    for (int p = 0; p < PLANES; ++p)
#pragma unroll 1
        for (int i = lane; i < TILE_ROWS; i += LANES) {
            const T *at = element_of(in, p, first + i);
            __pipeline_memcpy_async(row_of(slot, p, i), at ? at : in.from[DIAGONAL], sizeof(T),
                                    at ? 0 : sizeof(T));
        }
}

__device__ __forceinline__ bool is_full(const arrays &in, int64_t first)
{
    return first + TILE_ROWS <= in.n;
}

/* Asks for rows first.. of all arrays. Await with arrive. */
__device__ __forceinline__ void fetch(const arrays &in, char *slot, int64_t first, int lane)
{
    bool wide = in.wide && in.from[RHS];
    if (wide && is_full(in, first)) {
        char *to = slot + lane * 16;
#pragma unroll
        for (int p = 0; p < PLANES; ++p) {
            const char *from = reinterpret_cast<const char *>(in.from[p] + first) + lane * 16;
#pragma unroll
            for (int j = 0; j < GRANULES; ++j)
                copy_async(to + p * PLANE_BYTES + j * LANES * 16, from + j * LANES * 16);
        }
    } else if (wide)
        fetch_end(in, slot, first, lane);
    else
        fetch_elements(in, slot, first, lane);
    __pipeline_commit();
}

/* Entries outside an open matrix are never used. */
__device__ __forceinline__ void cut_ends(const arrays &in, char *slot, int64_t first, int lane)
{
    if (in.periodic || (first > 0 && first + TILE_ROWS < in.n))
        return;
    int last = static_cast<int>(in.n - 1 - first);
    if (first == 0 && lane == 0)
        *row_of(slot, LOWER, 0) = 0;
    if (last < TILE_ROWS && lane == 0)
        *row_of(slot, UPPER, last) = 0;
    __syncwarp();
}

__device__ __forceinline__ void arrive(const arrays &in, char *slot, int64_t first, int lane)
{
    __pipeline_wait_prior(0);
    __syncwarp();
    cut_ends(in, slot, first, lane);
}

struct granules {
    granule plane[PLANES];
};

__device__ __forceinline__ granules read_column(char *slot, int lane, int column)
{
    granules g;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
        g.plane[p] = *granule_of(slot, p, lane, column);
    return g;
}

/* Row r of a lane enters its run; what remains of it replaces it. */
__device__ __forceinline__ void enter(sb_link *s, granules *g, int e, int r, bool conjugate, unsigned *aheads)
{
    T a = g->plane[LOWER].at[e], b = g->plane[DIAGONAL].at[e], c = g->plane[UPPER].at[e],
      d = g->plane[RHS].at[e];
#if SB_COMPLEX
    if (conjugate)
        a = sb_conj(a), b = sb_conj(b), c = sb_conj(c);
#endif
    if (r == 0)
        sb_first_row(s, a, b, c, d);
    else if (r == 1)
        sb_second_row(s, a, b, c, d);
    else {
        sb_kept kept;
        sb_next_row(s, a, b, c, d, &kept);
        g->plane[LOWER].at[e] = kept.other;
        g->plane[DIAGONAL].at[e] = kept.next;
        g->plane[UPPER].at[e] = kept.left;
        g->plane[RHS].at[e] = kept.d;
        if (kept.ahead)
            *aheads |= 1u << r;
    }
}

/* The link of a lane's rows. keep: what gives its unknowns stays in the slot, `ahead` in *aheads. */
__device__ __forceinline__ sb_link sweep(char *slot, int lane, int rows, bool keep, bool conjugate,
                                         unsigned *aheads)
{
    enum { FIRST = IN_GRANULE == 1 ? 2 : 1 }; /* columns with the two rows that begin a run */
    sb_link s = sb_no_rows();
    *aheads = 0;
#pragma unroll
    for (int c = 0; c < FIRST; ++c) {
        granules now = read_column(slot, lane, c);
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            if (c * IN_GRANULE + e < rows)
                enter(&s, &now, e, c * IN_GRANULE + e, conjugate, aheads);
        if (keep && IN_GRANULE > 2)
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                *granule_of(slot, p, lane, c) = now.plane[p];
    }
#pragma unroll 1
    for (int c = FIRST; c * IN_GRANULE < rows; ++c) {
        granules now = read_column(slot, lane, c);
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            if (e == 0 || c * IN_GRANULE + e < rows)
                enter(&s, &now, e, c * IN_GRANULE + e, conjugate, aheads);
        if (keep)
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                *granule_of(slot, p, lane, c) = now.plane[p];
    }
    return s;
}

/* From the pairs at a lane's ends to its unknowns, into the plane RHS. */
__device__ __forceinline__ void walk_back(char *slot, int lane, int rows, unsigned aheads, sb_pair left,
                                          sb_pair right)
{
    T x = right.first, after = right.second;
#pragma unroll 1
    for (int c = GRANULES - 1; c >= 0; --c) {
        granules kept = read_column(slot, lane, c);
        granule out;
#pragma unroll
        for (int e = IN_GRANULE - 1; e >= 0; --e) {
            int r = c * IN_GRANULE + e;
            out.at[e] = x;
            if (r >= rows || r == 0)
                continue;
            sb_kept k;
            k.other = kept.plane[LOWER].at[e];
            k.next = kept.plane[DIAGONAL].at[e];
            k.left = kept.plane[UPPER].at[e];
            k.d = kept.plane[RHS].at[e];
            k.ahead = aheads >> r & 1;
            T before = r == 1 ? left.second : sb_kept_value(&k, left, x, after);
            after = x;
            x = before;
        }
        *granule_of(slot, RHS, lane, c) = out;
    }
    __syncwarp();
}

__device__ __noinline__ bool store_elements(const arrays &out, char *slot, int64_t first, int lane)
{
    bool finite = true;
#pragma unroll 1
    for (int i = lane; i < TILE_ROWS; i += LANES) {
        T x = *row_of(slot, RHS, i);
        if (first + i < out.n) {
            finite = finite && sb_finite(x);
            out.x[(first + i) * out.x_step] = x;
        }
    }
    return finite;
}

/* The plane RHS to x. False where a number is NaN or Inf. */
__device__ __forceinline__ bool store(const arrays &out, char *slot, int64_t first, int lane)
{
    bool finite = true;
    if (out.x_wide && is_full(out, first)) {
        granule *x = reinterpret_cast<granule *>(out.x + first) + lane;
#pragma unroll
        for (int j = 0; j < GRANULES; ++j) {
            granule g = *(granule_of(slot, RHS, 0, 0) + j * LANES + lane);
            x[j * LANES] = g;
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e)
                finite = finite && sb_finite(g.at[e]);
        }
    } else
        finite = store_elements(out, slot, first, lane);
    __syncwarp();
    return finite;
}

} // namespace

#endif
