/* Elimination without pivoting, where it is safe: the links of src/chunk/plain.h, swept by the lanes of a warp. What gives
   a lane's unknowns stays in its registers. STAND: how rows stand in the slot (tile.cuh). */
#ifndef SB_LARGE_PLAIN_CUH
#define SB_LARGE_PLAIN_CUH

#include "src/chunk/plain.h"
#include "src/cuda/large/tree.cuh"

namespace
{

template <class STAND> struct plain_of {
    typedef sb_plain_link link;
    typedef sb_plain_kept used;
    typedef sb_plain_kept joint;
    typedef T end;
    struct kept {
        sb_plain_kept row[LANE_ROWS - 1];
    };
    enum { SLOT_IS_SPENT = 1, LEVELS = WARP_LEVELS };

    R limit; /* see plain.h */

    __device__ __forceinline__ link join(const link &a, const link &b, used *by) const
    {
        return sb_plain_join(&a, &b, limit, by);
    }
    static __device__ __forceinline__ joint joint_of(const used &by)
    {
        return by;
    }
    static __device__ __forceinline__ end between(const joint &j, const end &left, const end &right)
    {
        return sb_plain_value(&j, left, right);
    }
    static __device__ __forceinline__ bool close(const link &whole, bool periodic, ends<T> *e)
    {
        return sb_plain_close(&whole, periodic, &e->left, &e->right);
    }
    static __device__ int bad_row(char *part, int rows)
    {
        T next = 0;
        for (int r = 0; r < rows; ++r) {
            T pivot = *STAND::row(part, DIAGONAL, r) + *STAND::row(part, LOWER, r) * next;
            next = -*STAND::row(part, UPPER, r) / pivot;
            if (!sb_finite(next))
                return r;
        }
        return rows;
    }
    static __device__ __forceinline__ bool is_given_up(const link &run)
    {
        return sb_plain_poisoned(&run);
    }
    static __device__ __forceinline__ void give_up(link *run)
    {
        sb_plain_poison(run);
    }

    __device__ __forceinline__ link sweep(char *part, int rows, bool, bool conjugate, kept *k) const
    {
        if (is_whole(rows))
            return sweep_of<true>(part, LANE_ROWS, conjugate, k);
        return sweep_of<false>(part, rows, conjugate, k);
    }

    static __device__ __forceinline__ void begin(kept *)
    {
    }
    /* The link of a warp's tile from those of its lanes. */
    __device__ __forceinline__ link join_tile(const link &mine, int count, bool keep, joint *joints, int lane,
                                              kept *) const
    {
        return join_lanes(*this, mine, count, keep, joints, lane);
    }
    /* The unknowns of a tile from its ends. */
    static __device__ __forceinline__ void solve_tile(char *part, char *x_part, int rows, int count,
                                                      const joint *joints, int lane, const kept &k,
                                                      const ends<T> &e)
    {
        walk_back(part, x_part, rows, k, part_lanes<plain_of>(e, count, joints, lane));
    }

    static __device__ __forceinline__ void walk_back(char *, char *x_part, int rows, const kept &k,
                                                     const ends<T> &e)
    {
        if (is_whole(rows))
            walk_back_of<true>(x_part, LANE_ROWS, k, e);
        else
            walk_back_of<false>(x_part, rows, k, e);
        __syncwarp();
    }

    /* All lanes have all rows, so that nothing depends on how many there are. */
    static __device__ __forceinline__ bool is_whole(int rows)
    {
        return __all_sync(ALL, rows == LANE_ROWS);
    }

    /* The last row stands anywhere in a tile that the system's end cuts off, so it is read apart. */
    template <bool WHOLE>
    __device__ __forceinline__ link sweep_of(char *part, int rows, bool conjugate, kept *k) const
    {
        link s;
        sb_plain_kept last;
        sb_plain_begin(&s, &last);
        int least = INT_MAX;
        bool holds = true;
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            if (!WHOLE && c * IN_GRANULE + 1 >= rows)
                break;
            granules now = STAND::read(part, c);
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e) {
                int r = c * IN_GRANULE + e;
                if (r == LANE_ROWS - 1 || (!WHOLE && r + 1 >= rows))
                    continue;
                sb_plain_row(&s, side(now.plane[LOWER].at[e], conjugate),
                             side(now.plane[DIAGONAL].at[e], conjugate),
                             side(now.plane[UPPER].at[e], conjugate), now.plane[RHS].at[e], &last, &least);
                holds = holds && sb_plain_holds(&last, limit);
                k->row[r] = last;
            }
        }
        int r = rows ? rows - 1 : 0;
        sb_plain_last_row(&s, side(*STAND::row(part, LOWER, r), conjugate),
                          side(*STAND::row(part, DIAGONAL, r), conjugate),
                          side(*STAND::row(part, UPPER, r), conjugate), *STAND::row(part, RHS, r), &last);
        if (!(holds && least > 0))
            give_up(&s);
        return s;
    }

    template <bool WHOLE>
    static __device__ __forceinline__ void walk_back_of(char *x_part, int rows, const kept &k, const ends<T> &e)
    {
        T x = e.right;
#pragma unroll
        for (int c = COLUMNS - 1; c >= 0; --c) {
            if (!WHOLE && c * IN_GRANULE >= rows)
                continue;
            granule out;
#pragma unroll
            for (int i = IN_GRANULE - 1; i >= 0; --i) {
                int r = c * IN_GRANULE + i;
                if (r < LANE_ROWS - 1 && (WHOLE || r + 1 < rows))
                    x = sb_plain_value(&k.row[r], e.left, x);
                out.at[i] = x;
            }
            STAND::write(x_part, 0, c, out);
        }
    }

    static __device__ __forceinline__ T side(T z, bool conjugate)
    {
#if SB_COMPLEX
        return conjugate ? sb_conj(z) : z;
#else
        return z;
#endif
    }
};

typedef plain_of<along> plain;

} // namespace

#endif
