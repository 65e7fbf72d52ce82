/* LU with partial pivoting of any narrow band. Row i keeps A(i, i - lower .. i + lower + upper), which leaves
 * room for the fill-in, and one pivot; the text is pivot_tri.h's and pivot_band.h's. Words a row, with w = 2
 * lower + upper + 1: factor lower + 1 + upper in, w + 1/2 out and in and out again; solve w + 1/2 of factors +
 * x twice in and out. */
#include "src/chunk/growth.h"
#include "src/chunk/pivot_band.h"
#include "src/cpu/kernels/needs.h"

static const sb_pivots offsets = {.counting = SB_OFFSETS, .step = 1};

enum { WIDEST = 3 * SB_MAX_REACH + 1 };

static int64_t width_of(int lower, int upper)
{
    return 2 * lower + upper + 1;
}

static size_t stored(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)tuning;
    return (size_t)n * ((size_t)width_of(lower, upper) * sizeof(T) + sizeof(int32_t));
}

static const int32_t *pivots_of(const void *factors, int64_t n, int64_t width)
{
    return (const int32_t *)((const T *)factors + n * width);
}

/* The tridiagonal view of rows of 4. */
static sb_outcome factor_tridiagonal(T *rows, int64_t n, int32_t *pivots)
{
    R largest[2] = {0, 0};
    sb_tri view = {.l = rows + 4, .d = rows + 1, .u = rows + 2, .u2 = rows + 3, .step = 4};
    sb_elimination e = sb_tri_eliminate(view, n, pivots, offsets, largest);
    return (sb_outcome){.row = e.broken, .growth = sb_grow(0, largest[1], largest[0])};
}

/* Clears the fill-in; returns the largest entry of A. */
SB_ALWAYS_INLINE R prepare(T *rows, int64_t n, int lower, int upper)
{
    int64_t width = width_of(lower, upper), given = lower + 1 + upper;
    R largest[WIDEST] = {0};
    for (int64_t i = 0; i < n; ++i) {
        T *row = rows + i * width;
        for (int64_t d = 0; d < given; ++d)
            largest[d] = sb_larger(sb_abs1(row[d]), largest[d]);
        for (int64_t d = given; d < width; ++d)
            row[d] = 0;
    }
    for (int64_t d = 1; d < given; ++d)
        largest[0] = sb_larger(largest[0], largest[d]);
    return largest[0];
}

SB_ALWAYS_INLINE sb_outcome factor_band(T *rows, int64_t n, int lower, int upper, int32_t *pivots,
                                        bool unrolled)
{
    R in_a = prepare(rows, n, lower, upper);
    R in_u[WIDEST] = {0};
    sb_steps at = {.row = width_of(lower, upper) - 1, .column = 1};
    sb_elimination e = sb_band_eliminate(rows + lower, at, n, lower, upper, pivots, offsets, in_u, unrolled);
    for (int k = 1; k <= lower + upper; ++k)
        in_u[0] = sb_larger(in_u[0], in_u[k]);
    return (sb_outcome){.row = e.broken, .growth = sb_grow(0, in_u[0], in_a)};
}

static sb_outcome factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)tuning;
    T *rows = factors;
    int64_t width = width_of(A->lower, A->upper);
    int32_t *pivots = (int32_t *)(rows + A->n * width);
    SB_NAME(assemble)(A, rows, width);
    if (A->lower == 1 && A->upper == 1)
        return factor_tridiagonal(rows, A->n, pivots);
    if (A->lower == 2 && A->upper == 2)
        return factor_band(rows, A->n, 2, 2, pivots, true);
    return factor_band(rows, A->n, A->lower, A->upper, pivots, false);
}

SB_ALWAYS_INLINE void solve_band(const T *rows, sb_op op, int64_t n, int lower, int upper, T *x)
{
    sb_steps at = {.row = width_of(lower, upper) - 1, .column = 1};
    const int32_t *pivots = pivots_of(rows, n, width_of(lower, upper));
    if (op == SB_PLAIN)
        sb_band_solve(rows + lower, at, n, lower, upper, pivots, offsets, x, 1);
    else
        sb_band_solve_transposed(rows + lower, at, n, lower, upper, pivots, offsets, x, 1);
}

static void solve_tridiagonal(const T *rows, sb_op op, int64_t n, T *x)
{
    sb_tri_factors view = {.l = rows + 4, .d = rows + 1, .u = rows + 2, .u2 = rows + 3, .step = 4};
    const int32_t *pivots = pivots_of(rows, n, 4);
    if (op == SB_PLAIN)
        sb_tri_solve(view, n, pivots, offsets, x, 1);
    else
        sb_tri_solve_transposed(view, n, pivots, offsets, x, 1);
}

static int64_t solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper, T *x,
                     void *memory, const sb_tuning *tuning)
{
    (void)A, (void)memory, (void)tuning;
    if (lower == 1 && upper == 1)
        solve_tridiagonal(factors, op, n, x);
    else if (lower == 2 && upper == 2)
        solve_band(factors, op, n, 2, 2, x);
    else
        solve_band(factors, op, n, lower, upper, x);
    return -1;
}

const sb_engine SB_NAME(pivoted_lu) = {.pivots = true,
                                       .measures_growth = true,
                                       .stored = stored,
                                       .scratch = sb_no_scratch,
                                       .factor = factor,
                                       .solve = solve};
