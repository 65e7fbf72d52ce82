/* A system as the papers' methods see it: rows a x[left] + b x[own] + c x[right] = d from the user's arrays, from the copy
 * that factor made, or from the system's room; unknowns into x or the room; and who reports what went wrong. */
#ifndef SB_REDUCTION_ROWS_CUH
#define SB_REDUCTION_ROWS_CUH

#include "src/chunk/row.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/reduction/plan.h"

namespace
{

enum { SHIFT = SB_SPOT_SHIFT(4 * sizeof(T)), KEY_ROWS = 48 };

/* What a launch works on: systems first .. first + count - 1, each in `parts` blocks that take `per` items. */
struct spread {
    int64_t first, count, parts, per;
    int64_t room, rooms; /* scalars of a system's room; bytes of the keys in front of the rooms */
    R least;             /* |b| over |a| + |c| that makes a row of a user's matrix safe; 0: nobody asks */
};

/* A block's system, in shared memory. */
struct view {
    const T *from[3], *b;
    T *x, *room;
    unsigned long long *key; /* 0, or that of the first bad pivot: inverted, so that the first is the largest */
    sb_cuda_outcome *outcome;
    sb_cuda_matrix *record;
    int64_t step, b_step, x_step, n, first, behind;
    R least;
    int shift;
    bool conjugate, left_alone;
};

/* Where a level's rows come from: the user's lines, the room, or tpr's slices, of which the bottom row is integrated with
   the next slice's top row. Row i of the room is at `at` + 4 i `stride`. Row i is row base + (i + 1) scale - 1 of the
   system; steps are numbered for the sake of bad pivots. */
enum origin { LINES, ROOM, SLICES };
struct level {
    origin kind;
    int64_t m, at, stride, tops;
    int64_t base, scale;
    int step;
};

/* Where a level's unknowns go: the user's line, or the room from `at` on. */
struct target {
    bool line;
    int64_t at;
};

/* By one thread; out of line, because 64-bit remainders are long. */
__device__ __noinline__ void look_at(const sb_cuda_job &job, const spread &s, int64_t number, view &v)
{
    int64_t system = s.first + number, matrix = sb_matrix_of(job, system), pitch = sb_reduction_pitch(job.n);
    bool stored = !job.diagonal[0];
    int64_t line = stored ? 3 * pitch * matrix : sb_matrix_line(job, matrix);
    for (int d = 0; d < 3; ++d) {
        int from = job.transposed ? 2 - d : d;
        v.from[d] = line + (stored ? static_cast<const T *>(job.stored) + from * pitch
                                   : static_cast<const T *>(job.diagonal[from]));
    }
    v.b = static_cast<const T *>(job.b) + sb_line_of(job, job.b_at, system);
    v.x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, system);
    v.key = static_cast<unsigned long long *>(job.scratch) + number;
    v.room = reinterpret_cast<T *>(static_cast<char *>(job.scratch) + s.rooms) + number * s.room;
    v.outcome = job.system + system;
    v.record = job.matrix + matrix;
    v.step = stored ? 1 : job.matrix_at.line;
    v.b_step = job.b_at.line;
    v.x_step = job.x_at.line;
    v.n = job.n;
    v.first = stored ? INT64_MAX : job.first;
    v.behind = job.n - job.last;
    v.least = stored ? R(0) : s.least;
    v.shift = job.transposed;
    v.conjugate = job.conjugate;
    v.left_alone = v.record->outcome != SB_CUDA_GOOD || (v.record->flags & SB_CUDA_UNSAFE);
    if (v.left_alone)
        *v.key = 0;
}

/* The system of the block's next item. False where there is nothing to do, for all threads alike. */
__device__ bool enter(const sb_cuda_job &job, const spread &s, int64_t item, view &v)
{
    __syncthreads();
    if (threadIdx.x == 0)
        look_at(job, s, item / s.parts, v);
    __syncthreads();
    return !v.left_alone;
}

/* The same behind the launch that judged the system. */
__device__ bool enter_judged(const sb_cuda_job &job, const spread &s, int64_t item, view &v)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        look_at(job, s, item / s.parts, v);
        v.left_alone = v.left_alone || *const_cast<volatile sb_cuda_outcome *>(v.outcome) != SB_CUDA_GOOD;
    }
    __syncthreads();
    return !v.left_alone;
}

__device__ __forceinline__ R modulus(T z)
{
#if SB_COMPLEX
    return hypot(z.re, z.im);
#else
    return sb_abs1(z);
#endif
}

__device__ __forceinline__ bool weak(const sb_row &e, R least)
{
    R own = modulus(e.b);
    return !(own >= least * (modulus(e.a) + modulus(e.c)) && own > 0);
}

__device__ __forceinline__ int64_t entry_at(const view &v, int64_t i)
{
    return i < v.first ? i * v.step : v.first + (i < v.behind ? 0 : 1 + i - v.behind);
}

/* *doubt is set where the row is not safe. */
__device__ __forceinline__ sb_row given_row(const view &v, int64_t i, bool *doubt)
{
    sb_row e;
    e.a = i > 0 ? v.from[0][entry_at(v, i - v.shift)] : T(0);
    e.b = v.from[1][entry_at(v, i)];
    e.c = i + 1 < v.n ? v.from[2][entry_at(v, i + v.shift)] : T(0);
    T d = v.b[i * v.b_step];
    e.d = v.conjugate ? sb_conj(d) : d;
    if (v.least > 0)
        *doubt = *doubt || weak(e, v.least);
    return e;
}

__device__ __forceinline__ sb_row *room_rows(const view &v, int64_t at)
{
    return reinterpret_cast<sb_row *>(v.room + at);
}

__device__ __noinline__ void note(const view &v, int step, int64_t row)
{
    atomicMax(v.key,
              ~(static_cast<unsigned long long>(step) << KEY_ROWS | static_cast<unsigned long long>(row)));
}

__device__ __forceinline__ void check_pivot(const view &v, const level &of, int64_t i, T pivot)
{
    if (sb_bad_pivot(pivot))
        note(v, of.step, of.base + (i + 1) * of.scale - 1);
}

__device__ __forceinline__ sb_row row_of(const view &v, const level &of, int64_t i, bool *doubt)
{
    if (of.kind == LINES)
        return given_row(v, i, doubt);
    if (of.kind == ROOM)
        return room_rows(v, of.at)[i * of.stride];
    sb_row bottom = room_rows(v, of.at)[(i + 1) * of.stride - 1];
    if ((i + 1) * of.scale >= v.n)
        return bottom;
    sb_row top = room_rows(v, of.tops)[i + 1];
    if (sb_bad_pivot(top.b))
        note(v, of.step, (i + 1) * of.scale);
    return sb_reduce_right(bottom, top);
}

/* False if the user's x becomes NaN or Inf. */
__device__ __forceinline__ bool put(const view &v, const target &to, int64_t i, T value)
{
    if (!to.line) {
        v.room[to.at + i] = value;
        return true;
    }
    v.x[i * v.x_step] = v.conjugate ? sb_conj(value) : value;
    return sb_finite(value);
}

/* By one thread, when all pivots have been looked at. */
__device__ void judge(const view &v, bool wary, bool finite)
{
    unsigned long long key = *const_cast<volatile unsigned long long *>(v.key);
    sb_cuda_outcome outcome = finite ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
    if (key) {
        int64_t row = static_cast<int64_t>(~key & ((1ull << KEY_ROWS) - 1));
        outcome = sb_cuda_failure(wary ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN, row);
        *v.key = 0;
    }
    *v.outcome = outcome;
}

__device__ __forceinline__ void not_finite(const view &v)
{
    *v.outcome = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

__device__ __forceinline__ void give_up(const view &v)
{
    atomicOr(&v.record->flags, SB_CUDA_UNSAFE);
}

} // namespace

#endif
