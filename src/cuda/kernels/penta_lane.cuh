/* A lane's chunk of pentadiagonal rows in shared memory, and what lanes tell each other of what is left of theirs
 * (src/chunk/penta_chain.h). */
#ifndef SB_CUDA_PENTA_LANE_CUH
#define SB_CUDA_PENTA_LANE_CUH

#include "src/chunk/penta_chain.h"
#include "src/cuda/kernels/scalars.cuh"

namespace
{

enum { SB_PENTA_DIAGONALS = 5, SB_PENTA_PLANES = 6, SB_PENTA_RHS = 5 };

/* Two unknowns. */
struct sb_penta_pair {
    T at[2];

    __device__ __forceinline__ sb_penta_pair of_lane(int lane, int width) const
    {
        return {{sb_shuffle(at[0], lane, width), sb_shuffle(at[1], lane, width)}};
    }
};

__device__ __forceinline__ void sb_penta_known_from(const sb_penta_known (&s)[2], int lane, int width,
                                                    sb_penta_known (&there)[2])
{
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        there[e].y = sb_shuffle(s[e].y, lane, width);
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            there[e].p[j] = sb_shuffle(s[e].p[j], lane, width);
            there[e].u[j] = sb_shuffle(s[e].u[j], lane, width);
        }
    }
}

/* Two unknowns that have been solved for in terms of those around them. */
__device__ __forceinline__ sb_penta_pair sb_penta_pair_between(const sb_penta_known (&s)[2],
                                                               const sb_penta_pair &before,
                                                               const sb_penta_pair &behind)
{
    return {{sb_penta_at(s[0], before.at, behind.at), sb_penta_at(s[1], before.at, behind.at)}};
}

/* What is left of a swept chunk, or of several: the last two rows, and the first two unknowns. */
struct sb_penta_left {
    sb_penta_end ends[2];
    sb_penta_known head[2];
};

/* The planes are the diagonals, of which the band has those in `band`, and right-hand sides. */
struct sb_penta_rows {
    T *at[SB_PENTA_PLANES], *x; /* x may be the last plane */
    int rows;                   /* 2 at least */
    unsigned band;
    bool solves, conjugate;

    __device__ __forceinline__ sb_penta_row read(int i) const
    {
        sb_penta_row row;
#pragma unroll
        for (int a = 0; a < SB_PENTA_DIAGONALS; ++a)
            row.at[a] = band >> a & 1 ? at[a][i] : (T)0;
        row.d = solves ? at[SB_PENTA_RHS][i] : (T)0;
        if (SB_COMPLEX && conjugate)
            row.d = sb_conj(row.d);
        return row;
    }
    /* What a row is solved by takes its place. */
    __device__ __forceinline__ void keep(int i, const sb_penta_known &solved) const
    {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            at[j][i] = solved.p[j];
            at[3 + j][i] = solved.u[j];
        }
        at[SB_PENTA_RHS][i] = solved.y;
    }
    __device__ __forceinline__ sb_penta_known kept(int i) const
    {
        return {at[SB_PENTA_RHS][i], {at[0][i], at[1][i]}, {at[3][i], at[4][i]}};
    }
    /* From the first row on, whose number is `number`; one is read while the one before it is swept. keeps: what rows are solved by. */
    __device__ __forceinline__ sb_penta_left sweep(int number, bool keeps, sb_met *met) const
    {
        sb_penta_sweep swept = sb_penta_begin();
        sb_penta_row ahead = read(0);
        sb_penta_left left;
#pragma unroll 2
        for (int i = 0; i + 2 < rows; ++i) {
            const sb_penta_row row = ahead;
            ahead = read(i + 1);
            const sb_penta_known solved = sb_penta_sweep_row(&swept, row, number + i, met);
            if (keeps)
                keep(i, solved);
        }
        left.ends[0] = sb_penta_end_of(0, ahead, &swept, met);
        left.ends[1] = sb_penta_end_of(1, read(rows - 1), &swept, met);
        left.head[0] = swept.head[0];
        left.head[1] = swept.head[1];
        return left;
    }
    __device__ __forceinline__ void put(int i, T value, sb_exponent *seen) const
    {
        seen->see(value);
        x[i] = SB_COMPLEX && conjugate ? sb_conj(value) : value;
    }
    /* From the separators on both sides; rows ahead are read before one is written. False: a number of the solution is NaN or
       Inf. */
    __device__ __forceinline__ bool back(const sb_penta_pair &before, const sb_penta_pair &own) const
    {
        sb_exponent seen;
        T behind[2] = {own.at[0], own.at[1]};
        sb_penta_known next = rows > 2 ? kept(rows - 3) : sb_penta_known();
        put(rows - 1, behind[1], &seen);
        put(rows - 2, behind[0], &seen);
#pragma unroll 2
        for (int i = rows - 3; i >= 0; --i) {
            const sb_penta_known here = next;
            if (i > 0)
                next = kept(i - 1);
            T value = sb_penta_at(here, before.at, behind);
            behind[1] = behind[0];
            behind[0] = value;
            put(i, value, &seen);
        }
        return !seen.broken();
    }
};

} // namespace

#endif
