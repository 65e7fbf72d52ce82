/* LU without pivoting of any narrow band. Row i keeps, in the place of A's row, the multipliers
 * l_{i,i-lower..i-1}, the reciprocal pivot and u_{i,i+1..i+upper}. One text for all bandwidths: called with
 * constants it becomes the kernel of that bandwidth, as for the pentadiagonal one. Words a row, with w = lower
 * + 1 + upper: factor w in, w out; solve w of factors + x twice in and out. */
#include "src/chunk/band.h"
#include "src/chunk/growth.h"
#include "src/cpu/kernels/needs.h"

SB_ALWAYS_INLINE sb_outcome eliminate(T *rows, int64_t n, int lower, int upper)
{
    sb_outcome outcome = {.row = -1};
    R growth = 0;
    int width = lower + 1 + upper;
    for (int64_t i = 0; i < n; ++i) {
        T *row = rows + i * width;
        R largest = sb_band_largest(row, width);
        R product = sb_band_eliminate_row(row, row + lower, -width, i, lower, upper, &growth);
        growth = sb_grow(growth, product, largest);
        if (!sb_band_invert_pivot(row + lower) && outcome.row < 0)
            outcome.row = i;
    }
    outcome.growth = growth;
    return outcome;
}

SB_ALWAYS_INLINE void solve_plain(const T *rows, int64_t n, int lower, int upper, T *x)
{
    int width = lower + 1 + upper;
    for (int64_t i = 0; i < n; ++i) {
        const T *row = rows + i * width;
        T y = x[i];
        for (int k = lower; k > 0; --k)
            if (k <= i)
                y -= row[lower - k] * x[i - k];
        x[i] = y;
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        const T *row = rows + i * width + lower;
        T y = x[i];
        for (int t = upper; t > 0; --t)
            if (t < n - i)
                y -= row[t] * x[i + t];
        x[i] = y * row[0];
    }
}

/* transpose(A) = U^T L^T */
SB_ALWAYS_INLINE void solve_transposed(const T *rows, int64_t n, int lower, int upper, T *x)
{
    int width = lower + 1 + upper;
    for (int64_t i = 0; i < n; ++i) {
        T y = x[i];
        for (int t = upper; t > 0; --t)
            if (t <= i)
                y -= rows[(i - t) * width + lower + t] * x[i - t];
        x[i] = y * rows[i * width + lower];
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        T y = x[i];
        for (int k = lower; k > 0; --k)
            if (k < n - i)
                y -= rows[(i + k) * width + lower - k] * x[i + k];
        x[i] = y;
    }
}

SB_ALWAYS_INLINE void solve_band(const T *rows, sb_op op, int64_t n, int lower, int upper, T *x)
{
    if (op == SB_PLAIN)
        solve_plain(rows, n, lower, upper, x);
    else
        solve_transposed(rows, n, lower, upper, x);
}

static sb_outcome factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)tuning;
    SB_NAME(assemble)(A, factors, A->lower + 1 + A->upper);
    if (A->lower == 2 && A->upper == 2)
        return eliminate(factors, A->n, 2, 2);
    return eliminate(factors, A->n, A->lower, A->upper);
}

static int64_t solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper, T *x,
                     void *memory, const sb_tuning *tuning)
{
    (void)A, (void)memory, (void)tuning;
    if (lower == 2 && upper == 2)
        solve_band(factors, op, n, 2, 2, x);
    else
        solve_band(factors, op, n, lower, upper, x);
    return -1;
}

const sb_engine SB_NAME(lu) = {.measures_growth = true,
                               .stored = sb_band_stored,
                               .scratch = sb_no_scratch,
                               .factor = factor,
                               .solve = solve};
