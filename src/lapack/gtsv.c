/* General tridiagonal matrices: gtsv, gttrf, gttrs. */
#include "src/chunk/pivot_tri.h"
#include "src/lapack/names.h"

static const sb_pivots rows = {.counting = SB_ROWS_FROM_1, .step = 1};

/* Elimination that takes the right-hand sides along, for there is no place to keep the multipliers: dl receives
   the second superdiagonal. Returns the first zero pivot's row, where it stops, or -1. */
static int64_t eliminate_with(T *dl, T *d, T *du, int64_t n, T *b, int64_t ldb, int64_t nrhs)
{
    for (int64_t i = 0; i < n - 1; ++i) {
        bool full = i + 2 < n;
        sb_tri_step s = sb_tri_eliminate_step(d[i], du[i], dl[i], d[i + 1], full ? du[i + 1] : 0);
        if (s.size == 0)
            return i;
        d[i] = s.d;
        du[i] = s.u;
        d[i + 1] = s.next_d;
        if (full) {
            dl[i] = s.u2;
            du[i + 1] = s.next_u;
        }
        for (int64_t k = 0; k < nrhs; ++k)
            sb_tri_forward_step(s.swap, s.multiplier, &b[i + k * ldb], &b[i + 1 + k * ldb]);
    }
    return d[n - 1] == 0 ? n - 1 : -1;
}

void SB_LAPACK(gtsv)(const int *n, const int *nrhs, T *dl, T *d, T *du, T *b, const int *ldb, int *info)
{
    *info = *n < 0 ? -1 : *nrhs < 0 ? -2 : *ldb < sb_at_least_1(*n) ? -7 : 0;
    if (*info || *n == 0)
        return;
    *info = (int)eliminate_with(dl, d, du, *n, b, *ldb, *nrhs) + 1;
    if (*info)
        return;
    sb_tri_factors U = {.d = d, .u = du, .u2 = dl, .step = 1};
    for (int64_t k = 0; k < *nrhs; ++k)
        sb_tri_back_substitute(U, *n, b + k * *ldb, 1);
}
SB_LAPACK_FORTRAN(gtsv);

void SB_LAPACK(gttrf)(const int *n, T *dl, T *d, T *du, T *du2, int *ipiv, int *info)
{
    *info = *n < 0 ? -1 : 0;
    if (*n <= 0)
        return;
    sb_tri A = {.l = dl, .d = d, .u = du, .u2 = du2, .step = 1};
    R largest[2] = {0, 0};
    *info = (int)sb_tri_eliminate(A, *n, ipiv, rows, largest).zero + 1;
}
SB_LAPACK_FORTRAN(gttrf);

static void conjugate(int64_t n, T *x)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = sb_conj(x[i]);
}

void SB_LAPACK(gttrs)(const char *trans, const int *n, const int *nrhs, const T *dl, const T *d, const T *du,
                      const T *du2, const int *ipiv, T *b, const int *ldb, int *info)
{
    bool plain = sb_says(trans, 'n'), adjoint = sb_says(trans, 'c');
    bool known = plain || adjoint || sb_says(trans, 't');
    *info = !known ? -1 : *n < 0 ? -2 : *nrhs < 0 ? -3 : *ldb < sb_at_least_1(*n) ? -10 : 0;
    if (*info || *n == 0)
        return;
    sb_tri_factors F = {.l = dl, .d = d, .u = du, .u2 = du2, .step = 1};
    for (int64_t k = 0; k < *nrhs; ++k) {
        T *x = b + k * *ldb;
        if (plain) {
            sb_tri_solve(F, *n, ipiv, rows, x, 1);
            continue;
        }
        if (adjoint)
            conjugate(*n, x);
        sb_tri_solve_transposed(F, *n, ipiv, rows, x, 1);
        if (adjoint)
            conjugate(*n, x);
    }
}
SB_LAPACK_FORTRAN(gttrs);
