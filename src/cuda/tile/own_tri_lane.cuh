/* A lane's chunk of a tridiagonal line. */
#ifndef SB_CUDA_TILE_OWN_TRI_LANE_CUH
#define SB_CUDA_TILE_OWN_TRI_LANE_CUH

#include "src/cuda/tile/own_lane.cuh"

namespace
{

/* The lanes' separators, from their rows and the heads of their chunks. number: the separator's row. */
__device__ __forceinline__ T sb_lanes_chain(sb_row row, sb_known head, int lane, int width, int number,
                                            sb_met *met)
{
    int around = width - 1;
    sb_known kept = {0, 0, 0};
    sb_take_behind(&row, sb_known_from(head, (lane + 1) & around, width), met);
    for (int step = 1; step < width; step *= 2) {
        sb_met mine = *met;
        sb_known solved = sb_row_solve(&row, number, &mine);
        sb_known before = sb_known_from(solved, (lane - step) & around, width);
        sb_known behind = sb_known_from(solved, (lane + step) & around, width);
        if (((lane + 1) & (2 * step - 1)) == step) {
            kept = solved;
            *met = mine;
        } else if (((lane + 1) & (2 * step - 1)) == 0) {
            sb_take_before(&row, before, met);
            sb_take_behind(&row, behind, met);
        }
    }
    T x = 0;
    if (lane == around)
        x = sb_close_ring(row, number, met);
    for (int step = width / 2; step > 0; step /= 2) {
        T before = sb_shuffle(x, (lane - step) & around, width);
        T behind = sb_shuffle(x, (lane + step) & around, width);
        if (((lane + 1) & (2 * step - 1)) == step)
            x = sb_known_at(kept, before, behind);
    }
    return x;
}

struct sb_own_unknown {
    T at;

    __device__ __forceinline__ sb_own_unknown of_lane(int lane, int width) const
    {
        return {sb_shuffle(at, lane, width)};
    }
};

/* What a lane's rows are solved by, if registers hold it. */
template <int PLACES> struct sb_own_kept {
    sb_known row[PLACES > 1 ? PLACES - 1 : 1];
};

/* PLACES: rows that registers hold; 0 where rows keep their places in shared memory. */
template <int PLACES> struct sb_own_tri_lane : sb_own_lane<4> {
    enum { PLANES = 4, WARPS = SB_TILE_OWN_LINE_WARPS(sizeof(T), PLACES), IN_REGISTERS = PLACES > 0 };
    enum { LOWER, DIAGONAL, UPPER, RHS };
    typedef sb_own_kept<PLACES> kept_rows;
    typedef sb_own_unknown unknowns;
    struct separators {
        sb_row row;
        sb_known head;
    };
    using sb_own_lane<4>::sb_own_lane;

    __device__ __forceinline__ T lower(int line) const
    {
        return lane > 0 ? at[LOWER][0] : outer(LOWER, 0, line, false);
    }
    __device__ __forceinline__ T upper(int line) const
    {
        return is_last() ? outer(UPPER, rows - 1, line, true) : at[UPPER][rows - 1];
    }
    __device__ __forceinline__ T right(int i) const
    {
        T value = solves ? at[RHS][i] : (T)0;
        return SB_COMPLEX && conjugate ? sb_conj(value) : value;
    }
    __device__ __forceinline__ void put(int i, T value, sb_exponent *seen) const
    {
        seen->see(value);
        x[i] = SB_COMPLEX && conjugate ? sb_conj(value) : value;
    }
    /* From the first row on. */
    __device__ __forceinline__ separators sweep(int line, kept_rows *kept, sb_met *met) const
    {
        sb_sweep sweep = sb_sweep_begin();
        T *a = at[LOWER], *b = at[DIAGONAL], *c = at[UPPER], *d = at[RHS];
        sb_row next = {lower(line), b[0], c[0], right(0), 0};
        if constexpr (PLACES > 0) {
#pragma unroll
            for (int i = 0; i < PLACES - 1; ++i) {
                if (i >= rows - 1)
                    continue;
                sb_row row = sb_row_of(i > 0 ? a[i] : next.a, b[i], c[i], right(i));
                kept->row[i] = sb_sweep_row(&sweep, row, start + i, met);
            }
            if (rows > 1)
                next = {a[rows - 1], b[rows - 1], 0, right(rows - 1), 0};
        } else
            for (int i = 0; i < rows - 1; ++i) {
                sb_row row = sb_row_of(next.a, next.b, next.c, next.d);
                next = {a[i + 1], b[i + 1], c[i + 1], right(i + 1), 0};
                sb_known solved = sb_sweep_row(&sweep, row, start + i, met);
                a[i] = solved.p;
                c[i] = solved.u;
                if (solves)
                    d[i] = solved.y;
            }
        sb_row last = sb_row_of(next.a, next.b, upper(line), next.d);
        sb_take_before(&last, sweep.last, met);
        return {last, sweep.head};
    }
    __device__ __forceinline__ unknowns chain(const separators &left, sb_met *met) const
    {
        return {sb_lanes_chain(left.row, left.head, lane, job.lines.width, start + rows - 1, met)};
    }
    /* From the separators on both sides; in place, rows ahead are read before one is written. False: a number of the
       solution is NaN or Inf. */
    __device__ __forceinline__ bool back(const kept_rows &kept, const unknowns &before,
                                         const unknowns &mine) const
    {
        const T *a = at[LOWER], *c = at[UPPER], *d = at[RHS];
        T left = before.at, own = mine.at;
        sb_exponent seen;
        sb_known next = {0, 0, 0};
        if constexpr (PLACES > 0) {
            put(rows - 1, own, &seen);
#pragma unroll
            for (int i = PLACES - 2; i >= 0; --i) {
                if (i >= rows - 1)
                    continue;
                own = sb_known_at(kept.row[i], left, own);
                put(i, own, &seen);
            }
        } else
            for (int i = rows - 1; i >= 0; --i) {
                sb_known here = next;
                if (i > 0)
                    next = {d[i - 1], a[i - 1], c[i - 1]};
                if (i < rows - 1)
                    own = sb_known_at(here, left, own);
                put(i, own, &seen);
            }
        return !seen.broken();
    }
};

} // namespace

#endif
