/* Elimination with partial pivoting, row by row, for a lane that has a system. */
#ifndef SB_SHORT_FRONT_CUH
#define SB_SHORT_FRONT_CUH

#include "src/chunk/pivot.h"
#include "src/chunk/plain.h"
#include "src/cuda/kernels/lanes.cuh"
#include "src/cuda/short/shape.h"

namespace
{

enum { LANES = 32 };

/* How a launch's arrays lie. */
struct lie {
    order of;
    bool matrix_along, b_along, x_along, may_pivot;
    unsigned inverse; /* 2^20 / n, rounded up: finds rows of elements that are counted through */
};

__device__ __forceinline__ T inverse_of(T p)
{
    const sb_pivot v = sb_pivot_of(p);
    return sb_inverse_of(&v);
}

/* The K + 1 rows of which one has the next pivot, from its column on; b's behind each. */
template <int K> struct front {
    enum { WIDTH = 2 * K + 1 };
    T w[K + 1][WIDTH + 1];

    /* Row j of the first K + 1, whose diagonals begin before the first column. */
    __device__ __forceinline__ void begin(int j, const T (&row)[WIDTH + 1])
    {
#pragma unroll
        for (int c = 0; c < WIDTH; ++c)
            w[j][c] = c - j + K < WIDTH ? row[c - j + K] : T(0);
        w[j][WIDTH] = row[WIDTH];
    }

    __device__ __forceinline__ void choose(sb_elimination *found, int i, bool may_pivot)
    {
        R size = sb_abs1(w[0][0]);
        int best = 0;
#pragma unroll
        for (int j = 1; j <= K; ++j) {
            const R other = sb_abs1(w[j][0]);
            const bool larger = may_pivot && other > size;
            best = larger ? j : best;
            size = larger ? other : size;
        }
#pragma unroll
        for (int c = 0; c <= WIDTH; ++c) {
            const T first = w[0][c];
#pragma unroll
            for (int j = 1; j <= K; ++j) {
                w[0][c] = best == j ? w[j][c] : w[0][c];
                w[j][c] = best == j ? first : w[j][c];
            }
        }
        sb_note_pivot(found, i, w[0][0], size);
    }

    /* Eliminates unknown i and takes row i + K + 1. done: U's row i from the diagonal's right neighbour on, and y, over the
       pivot. */
    __device__ __forceinline__ void step(sb_elimination *found, int i, bool may_pivot,
                                         const T (&behind)[WIDTH + 1], T (&done)[WIDTH])
    {
        choose(found, i, may_pivot);
        const T inverse = inverse_of(w[0][0]);
        T pivot[WIDTH + 1];
#pragma unroll
        for (int c = 1; c <= WIDTH; ++c)
            pivot[c] = w[0][c];
#pragma unroll
        for (int j = 1; j <= K; ++j) {
            const T m = w[j][0] * inverse;
#pragma unroll
            for (int c = 1; c < WIDTH; ++c)
                w[j - 1][c - 1] = sb_less(w[j][c], m, pivot[c]);
            w[j - 1][WIDTH - 1] = T(0);
            w[j - 1][WIDTH] = sb_less(w[j][WIDTH], m, pivot[WIDTH]);
        }
#pragma unroll
        for (int c = 1; c <= WIDTH; ++c)
            done[c - 1] = pivot[c] * inverse;
#pragma unroll
        for (int c = 0; c <= WIDTH; ++c)
            w[K][c] = behind[c];
    }
};

/* The unknowns behind the one that is next on the way back. */
template <int K> struct unknowns {
    enum { WIDTH = 2 * K + 1 };
    T x[WIDTH], zero = 0; /* zero: as long as all were finite */

    __device__ __forceinline__ unknowns()
    {
#pragma unroll
        for (int c = 0; c < WIDTH; ++c)
            x[c] = 0;
    }

    /* From what step has done with the row. */
    __device__ __forceinline__ T step(const T (&done)[WIDTH])
    {
        T rest = done[WIDTH - 1];
#pragma unroll
        for (int c = WIDTH - 1; c > 0; --c)
            rest = sb_less(rest, done[c - 1], x[c - 1]);
#pragma unroll
        for (int c = WIDTH - 1; c > 0; --c)
            x[c] = x[c - 1];
        x[0] = rest;
        zero = zero + (R)0 * rest;
        return rest;
    }
};

/* What a lane has to say of its matrix, whose first row without a pivot was found; told before where none was looked for. */
__device__ __forceinline__ sb_cuda_outcome judge(const sb_cuda_job &job, const lie &as, const member &m,
                                                 const sb_elimination &found, bool records)
{
    sb_cuda_outcome outcome = SB_CUDA_GOOD;
    if (!records)
        return job.matrix[m.at.matrix].outcome;
    if (found.broken >= 0)
        outcome = sb_cuda_failure(as.may_pivot ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN, found.broken);
    if (m.exists)
        job.matrix[m.at.matrix] = {outcome, 0, as.may_pivot ? static_cast<uint32_t>(SB_CUDA_PIVOTED) : 0};
    return outcome;
}

/* And of its system, once that is solved. */
__device__ __forceinline__ bool tell(const sb_cuda_job &job, const member &m, sb_cuda_outcome outcome,
                                     bool finite)
{
    if (outcome == SB_CUDA_GOOD && !finite)
        outcome = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
    if (job.b && m.exists)
        job.system[m.system] = outcome;
    return outcome == SB_CUDA_GOOD;
}

} // namespace

#endif
