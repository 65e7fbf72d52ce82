/* General band matrices in LAPACK's columns: gbsv. */
#include "src/chunk/pivot_band.h"
#include "src/lapack/names.h"

static const sb_pivots rows = {.counting = SB_ROWS_FROM_1, .step = 1};

/* The room for fill-in, which the caller need not have set. */
static void clear_fill_in(T *a, sb_steps at, int64_t n, int64_t lower, int64_t upper)
{
    for (int64_t i = 0; i < n; ++i) {
        int64_t end = i + lower + upper < n ? i + lower + upper : n - 1;
        for (int64_t j = i + upper + 1; j <= end; ++j)
            a[i * at.row + j * at.column] = 0;
    }
}

void SB_LAPACK(gbsv)(const int *n, const int *kl, const int *ku, const int *nrhs, T *ab, const int *ldab,
                     int *ipiv, T *b, const int *ldb, int *info)
{
    int64_t lower = *kl, upper = *ku;
    *info = *n < 0                          ? -1
            : lower < 0                     ? -2
            : upper < 0                     ? -3
            : *nrhs < 0                     ? -4
            : *ldab < 2 * lower + upper + 1 ? -6
            : *ldb < sb_at_least_1(*n)      ? -9
                                            : 0;
    if (*info || *n == 0)
        return;
    T *a = ab + lower + upper;
    sb_steps at = {.row = 1, .column = (int64_t)*ldab - 1};
    clear_fill_in(a, at, *n, lower, upper);
    *info = (int)sb_band_eliminate(a, at, *n, lower, upper, ipiv, rows, NULL, false).zero + 1;
    if (*info)
        return;
    for (int64_t k = 0; k < *nrhs; ++k)
        sb_band_solve(a, at, *n, lower, upper, ipiv, rows, b + k * *ldb, 1);
}
SB_LAPACK_FORTRAN(gbsv);
