/* Elimination with pivoting, for every matrix: the links of src/chunk/link.h, swept by the lanes of a warp. What gives a
   lane's unknowns stays in its slot. */
#ifndef SB_LARGE_PIVOTED_CUH
#define SB_LARGE_PIVOTED_CUH

#include "src/chunk/link.h"
#include "src/cuda/large/tree.cuh"

namespace
{

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
template <class STAND>
__device__ __forceinline__ sb_link sweep_pivoted(char *part, int rows, bool keep, bool conjugate,
                                                 unsigned *aheads)
{
    enum { FIRST = IN_GRANULE == 1 ? 2 : 1 }; /* columns with the two rows that begin a run */
    sb_link s = sb_no_rows();
    *aheads = 0;
#pragma unroll
    for (int c = 0; c < FIRST; ++c) {
        granules now = STAND::read(part, c);
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            if (c * IN_GRANULE + e < rows)
                enter(&s, &now, e, c * IN_GRANULE + e, conjugate, aheads);
        if (keep && IN_GRANULE > 2)
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                STAND::write(part, p, c, now.plane[p]);
    }
#pragma unroll 1
    for (int c = FIRST; c * IN_GRANULE < rows; ++c) {
        granules now = STAND::read(part, c);
#pragma unroll
        for (int e = 0; e < IN_GRANULE; ++e)
            if (e == 0 || c * IN_GRANULE + e < rows)
                enter(&s, &now, e, c * IN_GRANULE + e, conjugate, aheads);
        if (keep)
#pragma unroll
            for (int p = 0; p < PLANES; ++p)
                STAND::write(part, p, c, now.plane[p]);
    }
    return s;
}

/* From the pairs at a lane's ends to its unknowns, into the plane RHS. */
template <class STAND>
__device__ __forceinline__ void walk_back_pivoted(char *part, char *x_part, int rows, unsigned aheads,
                                                  sb_pair left, sb_pair right)
{
    T x = right.first, after = right.second;
#pragma unroll 1
    for (int c = (rows - 1) / IN_GRANULE; c >= 0; --c) {
        granules kept = STAND::read(part, c);
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
        STAND::write(x_part, 0, c, out);
    }
    __syncwarp();
}

/* A row of zeros, or one after which elimination has no number for an unknown; `rows` for none. */
template <class STAND> __device__ int bad_row_pivoted(char *part, int rows)
{
    for (int r = 0; r < rows; ++r)
        if (!(sb_abs1(*STAND::row(part, LOWER, r)) > 0 || sb_abs1(*STAND::row(part, DIAGONAL, r)) > 0 ||
              sb_abs1(*STAND::row(part, UPPER, r)) > 0))
            return r;
    unsigned aheads;
    sweep_pivoted<STAND>(part, rows, true, false, &aheads);
    for (int r = 2; r < rows; ++r)
        if (!sb_finite(*STAND::row(part, DIAGONAL, r)))
            return r - 1;
    return rows;
}

template <class STAND> struct pivoted_of {
    typedef sb_link link;
    typedef sb_used used;
    typedef sb_joint joint;
    typedef sb_pair end;
    typedef unsigned kept; /* `ahead` of every row */
    enum { SLOT_IS_SPENT = 0 /* by the sweep */, LEVELS = 1 };

    __device__ __forceinline__ link join(const link &a, const link &b, used *by) const
    {
        return sb_join_links(&a, &b, by);
    }
    static __device__ __forceinline__ joint joint_of(const used &by)
    {
        return sb_joint_of(&by);
    }
    static __device__ __forceinline__ end between(const joint &j, const end &left, const end &right)
    {
        return sb_between(&j, left, right);
    }
    static __device__ __forceinline__ bool close(const link &whole, bool periodic, ends<sb_pair> *e)
    {
        return sb_close(&whole, periodic, &e->left, &e->right);
    }
    static __device__ int bad_row(char *part, int rows)
    {
        return bad_row_pivoted<STAND>(part, rows);
    }
    static __device__ __forceinline__ bool is_given_up(const link &)
    {
        return false;
    }
    static __device__ __forceinline__ void give_up(link *)
    {
    }
    __device__ __forceinline__ link sweep(char *part, int rows, bool keep, bool conjugate, kept *aheads) const
    {
        return sweep_pivoted<STAND>(part, rows, keep, conjugate, aheads);
    }
    static __device__ __forceinline__ void walk_back(char *part, char *x_part, int rows, const kept &aheads,
                                                     const ends<sb_pair> &e)
    {
        walk_back_pivoted<STAND>(part, x_part, rows, aheads, e.left, e.right);
    }
};

typedef pivoted_of<along> pivoted;

} // namespace

#endif
