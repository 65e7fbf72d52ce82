/* What elimination with partial pivoting shares between the bands it is specialised for and the storages it
 * runs in: pivots, the outcome of a sweep, and division. */
#ifndef SB_PIVOT_H
#define SB_PIVOT_H

#include "src/chunk/scalar.h"

/* How a pivot is written down: by how many rows it came up, or as LAPACK does, the row counted from 1. */
typedef enum sb_counting { SB_OFFSETS = 0, SB_ROWS_FROM_1 = 1 } sb_counting;

/* Row i's is at pivots[i * step]. */
typedef struct sb_pivots {
    sb_counting counting;
    int64_t step;
} sb_pivots;

SB_BOTH int32_t sb_pivot_at(int64_t row, int64_t offset, sb_pivots how)
{
    return (int32_t)(how.counting == SB_OFFSETS ? offset : row + offset + 1);
}

SB_BOTH int64_t sb_pivot_offset(const int32_t *pivots, int64_t row, sb_pivots how)
{
    int32_t pivot = pivots[row * how.step];
    return how.counting == SB_OFFSETS ? pivot : pivot - row - 1;
}

typedef struct sb_elimination {
    int64_t zero;   /* first row whose pivot is exactly zero, or -1 */
    int64_t broken; /* first row whose pivot is zero, NaN or infinite, or -1 */
} sb_elimination;

/* Takes note of row i's pivot. `size` is its sb_abs1, which overflows for some finite complex numbers: what
   looks infinite is looked at again. */
SB_BOTH void sb_note_pivot(sb_elimination *outcome, int64_t i, T pivot, R size)
{
    if (size > 0 && isfinite(size))
        return;
    if (outcome->zero < 0 && pivot == 0)
        outcome->zero = i;
    if (outcome->broken < 0 && (pivot == 0 || !sb_finite(pivot)))
        outcome->broken = i;
}

/* Does the reciprocal of a number of this sb_abs1 neither overflow nor lose digits? */
SB_BOTH bool sb_invertible(R size)
{
    const R least = 2 * (sizeof(R) == sizeof(float) ? (R)FLT_MIN : (R)DBL_MIN);
    return size >= least && size <= 1 / least;
}

/* t / d. Where 1 / d is safe it can be formed while t is still being waited for, and the chain through a
   substitution is one product instead of one division. */
SB_BOTH T sb_divide(T t, T d)
{
    return sb_invertible(sb_abs1(d)) ? t * (1 / d) : t / d;
}

#endif
