/* Hermitian positive definite tridiagonal matrices, A = L D L^H: pttrf, pttrs. */
#include "src/lapack/names.h"

void SB_LAPACK(pttrf)(const int *n, R *d, T *e, int *info)
{
    *info = *n < 0 ? -1 : 0;
    if (*n <= 0)
        return;
    for (int i = 0; i < *n; ++i) {
        if (d[i] <= 0) {
            *info = i + 1;
            return;
        }
        if (i + 1 == *n)
            return;
        T l = e[i] / d[i];
        d[i + 1] -= (R)creal(sb_conj(l) * e[i]);
        e[i] = l;
    }
}
SB_LAPACK_FORTRAN(pttrf);

/* L D L^H x = b where L's subdiagonal is e, or its conjugate. */
static void solve(int64_t n, const R *d, const T *e, bool conjugated, T *x)
{
    for (int64_t i = 1; i < n; ++i)
        x[i] -= (conjugated ? sb_conj(e[i - 1]) : e[i - 1]) * x[i - 1];
    for (int64_t i = n - 1; i >= 0; --i) {
        T y = x[i] / d[i];
        x[i] = i == n - 1 ? y : y - (conjugated ? e[i] : sb_conj(e[i])) * x[i + 1];
    }
}

static void solve_all(int n, int nrhs, const R *d, const T *e, bool conjugated, T *b, int ldb)
{
    for (int64_t k = 0; k < nrhs; ++k)
        solve(n, d, e, conjugated, b + k * ldb);
}

#if SB_COMPLEX
void SB_LAPACK(pttrs)(const char *uplo, const int *n, const int *nrhs, const R *d, const T *e, T *b,
                      const int *ldb, int *info)
{
    bool upper = sb_says(uplo, 'u'), known = upper || sb_says(uplo, 'l');
    *info = !known ? -1 : *n < 0 ? -2 : *nrhs < 0 ? -3 : *ldb < sb_at_least_1(*n) ? -7 : 0;
    if (*info == 0)
        solve_all(*n, *nrhs, d, e, upper, b, *ldb);
}
#else
void SB_LAPACK(pttrs)(const int *n, const int *nrhs, const R *d, const T *e, T *b, const int *ldb, int *info)
{
    *info = *n < 0 ? -1 : *nrhs < 0 ? -2 : *ldb < sb_at_least_1(*n) ? -6 : 0;
    if (*info == 0)
        solve_all(*n, *nrhs, d, e, false, b, *ldb);
}
#endif
SB_LAPACK_FORTRAN(pttrs);
