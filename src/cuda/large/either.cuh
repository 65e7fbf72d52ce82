/* Elimination with pivoting for matrices of which most tiles need no pivot: tile by tile without pivoting where its rows allow
   that (plain.h), and by link.h's links where not. Between tiles all links are link.h's. */
#ifndef SB_LARGE_EITHER_CUH
#define SB_LARGE_EITHER_CUH

#include "src/cuda/large/pivoted.cuh"
#include "src/cuda/large/plain.cuh"

namespace
{

struct either : pivoted {
    enum { LONGEST_PAUSE = 31 };
    struct kept {
        pivoted::kept aheads;
        bool plain_rows, plain_joints;
        int pause, left; /* tiles after one that needed pivots of which none is tried without; those to come */
    };

    static __device__ __forceinline__ void begin(kept *k)
    {
        k->pause = k->left = 0;
        k->plain_rows = k->plain_joints = false;
    }

    /* What gives a lane's unknowns but its last stays in its slot, as what pivots leaves does. */
    static __device__ __forceinline__ void put(char *part, const plain::kept &gives)
    {
#pragma unroll
        for (int c = 0; c * IN_GRANULE < LANE_ROWS - 1; ++c) {
            granule before, next, d;
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e) {
                int r = c * IN_GRANULE + e;
                const sb_plain_kept *of = gives.row + (r < LANE_ROWS - 1 ? r : LANE_ROWS - 2);
                before.at[e] = of->before;
                next.at[e] = of->next;
                d.at[e] = of->d;
            }
            along::write(part, LOWER, c, before);
            along::write(part, UPPER, c, next);
            along::write(part, RHS, c, d);
        }
    }
    static __device__ __forceinline__ plain::kept get(char *part)
    {
        plain::kept gives;
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            const granules g = along::read(part, c);
#pragma unroll
            for (int e = 0; e < IN_GRANULE; ++e)
                if (c * IN_GRANULE + e < LANE_ROWS - 1)
                    gives.row[c * IN_GRANULE + e] = {g.plane[RHS].at[e], g.plane[LOWER].at[e],
                                                     g.plane[UPPER].at[e]};
        }
        return gives;
    }

    /* A matrix that needs pivots everywhere is tried without them in one tile of 32. */
    __device__ __forceinline__ link sweep(char *part, int rows, bool keep, bool conjugate, kept *k) const
    {
        k->plain_rows = false;
        if (k->left)
            --k->left;
        else if (plain::is_whole(rows)) {
            plain::kept gives;
            sb_plain_link s = plain{SB_PLAIN_LIMIT}.sweep_of<true>(part, LANE_ROWS, conjugate, &gives);
            k->plain_rows = !__any_sync(ALL, sb_plain_poisoned(&s));
            k->pause = k->plain_rows ? 0 : k->pause < LONGEST_PAUSE ? 2 * k->pause + 1 : LONGEST_PAUSE;
            k->left = k->pause;
            if (k->plain_rows) {
                if (keep)
                    put(part, gives);
                return sb_plain_equations(&s);
            }
        }
        return pivoted::sweep(part, rows, keep, conjugate, &k->aheads);
    }

    __device__ __forceinline__ link join_tile(const link &mine, int count, bool keep, joint *joints, int lane,
                                              kept *k) const
    {
        k->plain_joints = false;
        if (k->plain_rows) {
            sb_plain_link whole = join_lanes(plain{SB_PLAIN_LIMIT}, sb_plain_of_equations(&mine), LANES, keep,
                                             reinterpret_cast<plain::joint *>(joints), lane);
            k->plain_joints = !__any_sync(ALL, lane == 0 && sb_plain_poisoned(&whole));
            if (k->plain_joints)
                return sb_plain_equations(&whole);
        }
        return join_lanes(pivoted{}, mine, count, keep, joints, lane);
    }

    static __device__ __forceinline__ void solve_tile(char *part, char *x_part, int rows, int count,
                                                      const joint *joints, int lane, const kept &k,
                                                      const ends<sb_pair> &e)
    {
        ends<sb_pair> pairs = e;
        ends<T> singles = {e.left.first, e.right.first};
        if (k.plain_joints)
            singles = part_lanes<plain>(singles, LANES, reinterpret_cast<const plain::joint *>(joints), lane);
        else {
            pairs = part_lanes<pivoted>(pairs, count, joints, lane);
            singles = {pairs.left.first, pairs.right.first};
        }
        if (k.plain_rows) {
            plain::walk_back_of<true>(x_part, rows, get(part), singles);
            __syncwarp();
        } else
            pivoted::walk_back(part, x_part, rows, k.aheads, pairs);
    }
};

} // namespace

#endif
