/* A system's arrays as its warps see them, and the copies of its matrix that factor makes. */
#ifndef SB_LARGE_SYSTEM_CUH
#define SB_LARGE_SYSTEM_CUH

#include "src/cuda/large/shape.h"
#include "src/cuda/large/tile.cuh"

namespace
{

__host__ __device__ inline arrays arrays_at(const sb_cuda_job &job, const places &at, int columns)
{
    arrays in;
    in.columns = columns;
    in.lane_rows = columns * IN_GRANULE;
    in.tile_rows = LANES * in.lane_rows;
    bool stored = !job.diagonal[0];
    int64_t pitch = sb_large_pitch(job.n), line = stored ? 3 * pitch * at.matrix : at.line;
    uintptr_t bits = 0;
    for (int p = 0; p < RHS; ++p) {
        int from = job.transposed ? RHS - 1 - p : p;
        in.from[p] = line + (stored ? static_cast<const T *>(job.stored) + from * pitch
                                    : static_cast<const T *>(job.diagonal[from]));
        in.step[p] = stored ? 1 : job.matrix_at.line;
        bits |= reinterpret_cast<uintptr_t>(in.from[p]);
    }
    in.from[RHS] = job.b ? static_cast<const T *>(job.b) + at.b : nullptr;
    in.step[RHS] = job.b_at.line;
    in.x = static_cast<T *>(job.x) + at.x;
    in.x_step = job.x_at.line;
    in.n = job.n;
    in.first = stored ? INT64_MAX : job.first;
    in.last = stored ? 0 : job.last;
    bits |= reinterpret_cast<uintptr_t>(in.from[RHS]);
    in.wide =
        in.step[0] == 1 && job.b_at.line == 1 && !job.transposed && in.first == INT64_MAX && bits % 16 == 0;
    in.x_wide = job.x_at.line == 1 && reinterpret_cast<uintptr_t>(in.x) % 16 == 0;
    in.periodic = job.periodic;
    in.transposed = job.transposed;
    in.conjugate = job.conjugate;
    return in;
}

/* Without b: `system` counts matrices, and the right-hand side is zeros. */
__device__ __forceinline__ places places_of(const sb_cuda_job &job, int64_t system)
{
    int64_t matrix = job.b ? sb_matrix_of(job, system) : system;
    return {matrix, sb_matrix_line(job, matrix), sb_line_of(job, job.b_at, system),
            sb_line_of(job, job.x_at, system)};
}

__device__ __forceinline__ arrays arrays_of(const sb_cuda_job &job, int64_t system, int columns)
{
    return arrays_at(job, places_of(job, system), columns);
}

/* Systems that lie evenly: the arrays of the first one, and what there is from one to the next. They come with the launch,
   since finding out takes kernels some 2000 cycles. */
struct series {
    arrays first;
    places step;
    bool even, lines; /* lines: rows are next to each other */
};

inline series series_of(const sb_cuda_job &job, int columns)
{
    series all = {};
    all.even = job.rank <= 1 && job.b && !job.transposed && (!job.diagonal[0] || job.first == INT64_MAX);
    if (!all.even)
        return all;
    const bool apart = job.rank == 1, shared = job.matrices == 1;
    all.step.matrix = !shared;
    all.step.line = !apart || shared ? 0 : job.diagonal[0] ? job.matrix_at.batch[0] : 3 * sb_large_pitch(job.n);
    all.step.b = apart ? job.b_at.batch[0] : 0;
    all.step.x = apart ? job.x_at.batch[0] : 0;
    all.first = arrays_at(job, places{}, columns);
    all.lines = all.first.step[DIAGONAL] == 1 && job.b_at.line == 1;
    return all;
}

__host__ __device__ __forceinline__ arrays arrays_of(const series &all, int64_t system)
{
    arrays in = all.first;
#pragma unroll
    for (int p = 0; p < RHS; ++p)
        in.from[p] += system * all.step.line;
    in.from[RHS] += system * all.step.b;
    in.x += system * all.step.x;
    uintptr_t bits = 0;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
        bits |= reinterpret_cast<uintptr_t>(in.from[p]);
    in.wide = all.lines && bits % 16 == 0;
    in.x_wide = in.x_step == 1 && reinterpret_cast<uintptr_t>(in.x) % 16 == 0;
    return in;
}

/* A tile's rows in this lane. */
__device__ __forceinline__ int rows_of(const arrays &in, int64_t tile, int lane)
{
    return clamp_to(in.n - tile * in.tile_rows - lane * in.lane_rows, in.lane_rows);
}

/* Lanes that have any. */
__device__ __forceinline__ int lanes_of(const arrays &in, int64_t tile)
{
    int rows = clamp_to(in.n - tile * in.tile_rows, in.tile_rows);
    return rows == in.tile_rows ? LANES : (rows + in.lane_rows - 1) / in.lane_rows;
}

} // namespace

#endif
