/* Where a system that can't be solved begins not to be solvable. */
#ifndef SB_LARGE_BAD_ROW_CUH
#define SB_LARGE_BAD_ROW_CUH

#include "src/chunk/pivot_tri.h"
#include "src/cuda/large/tile.cuh"

namespace
{

/* A row of zeros, or the one that elimination from the first row on stops at, as thomas and pivoted_lu tell it; n for none. */
__device__ __noinline__ int64_t first_bad_row(const arrays &in, bool pivots)
{
    T d = *element_of(in, DIAGONAL, 0), u = in.n > 1 ? *element_of(in, UPPER, 0) : static_cast<T>(0);
    sb_elimination found = {-1, -1};
    bool zero = d == static_cast<T>(0) && u == static_cast<T>(0);
    for (int64_t i = 0; i < in.n && found.broken < 0; ++i) {
        if (zero)
            return i;
        bool more = i + 1 < in.n;
        T l = more ? *element_of(in, LOWER, i + 1) : static_cast<T>(0);
        T next_d = more ? *element_of(in, DIAGONAL, i + 1) : static_cast<T>(0);
        T next_u = i + 2 < in.n ? *element_of(in, UPPER, i + 1) : static_cast<T>(0);
        zero = more && l == static_cast<T>(0) && next_d == static_cast<T>(0) && next_u == static_cast<T>(0);
        if (pivots) {
            sb_tri_step s = sb_tri_eliminate_step(d, u, l, next_d, next_u);
            sb_note_pivot(&found, i, s.d, s.size);
            d = s.next_d;
            u = s.next_u;
        } else {
            sb_note_pivot(&found, i, d, sb_abs1(d));
            d = next_d - l * (u / d);
            u = next_u;
        }
    }
    return found.broken < 0 ? in.n : found.broken;
}

} // namespace

#endif
