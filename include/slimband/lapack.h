/* LAPACK-shaped calls: exactly LAPACK's arguments and meaning, so that a program moves over by renaming.
 *
 * Every argument is a pointer, arrays are Fortran-ordered, pivots count from 1, and each routine exists under
 * two names: slimband_dgtsv, and slimband_dgtsv_ for callers of dgtsv_ (Fortran's CALL SLIMBAND_DGTSV among
 * them; the hidden length of a character argument may be passed or not). info: 0; -k when argument k was
 * illegal (nothing is then changed); k > 0 when pivot k is exactly zero. Thread-safe. lapack.h declares for X =
 * s, d, c, z (T the scalar type, R its real type):
 *
 *   gtsv   n nrhs dl[n-1] d[n] du[n-1] b[ldb,nrhs] ldb info        overwrites all with factors and solution
 *   gttrf  n dl[n-1] d[n] du[n-1] du2[n-2] ipiv[n] info
 *   gttrs  trans n nrhs dl d du du2 ipiv b ldb info                trans: N, T or C
 *   pttrf  n d[n] e[n-1] info                                      d real
 *   pttrs  n nrhs d e b ldb info                                   s and d
 *   pttrs  uplo n nrhs d e b ldb info                              c and z; uplo: U or L
 *   gbsv   n kl ku nrhs ab[ldab,n] ldab ipiv[n] b[ldb,nrhs] ldb info
 *          A(i,j) at ab[kl+ku+1+i-j, j] counting from 1, ldab >= 2 kl + ku + 1 */
#ifndef SLIMBAND_LAPACK_H
#define SLIMBAND_LAPACK_H

#include "slimband/complex.h"
#include "slimband/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIMBAND_DECLARE_LAPACK(name, ...)          \
    SLIMBAND_API void slimband_##name(__VA_ARGS__); \
    SLIMBAND_API void slimband_##name##_(__VA_ARGS__);

#define SLIMBAND_DECLARE_LAPACK_TYPE(X, T, R)                                                                 \
    SLIMBAND_DECLARE_LAPACK(X##gtsv, const int *n, const int *nrhs, T *dl, T *d, T *du, T *b, const int *ldb, \
                            int *info)                                                                        \
    SLIMBAND_DECLARE_LAPACK(X##gttrf, const int *n, T *dl, T *d, T *du, T *du2, int *ipiv, int *info)         \
    SLIMBAND_DECLARE_LAPACK(X##gttrs, const char *trans, const int *n, const int *nrhs, const T *dl,          \
                            const T *d, const T *du, const T *du2, const int *ipiv, T *b, const int *ldb,     \
                            int *info)                                                                        \
    SLIMBAND_DECLARE_LAPACK(X##pttrf, const int *n, R *d, T *e, int *info)                                    \
    SLIMBAND_DECLARE_LAPACK(X##gbsv, const int *n, const int *kl, const int *ku, const int *nrhs, T *ab,      \
                            const int *ldab, int *ipiv, T *b, const int *ldb, int *info)

SLIMBAND_DECLARE_LAPACK_TYPE(s, float, float)
SLIMBAND_DECLARE_LAPACK_TYPE(d, double, double)
SLIMBAND_DECLARE_LAPACK_TYPE(c, slimband_c64, float)
SLIMBAND_DECLARE_LAPACK_TYPE(z, slimband_c128, double)

SLIMBAND_DECLARE_LAPACK(spttrs, const int *n, const int *nrhs, const float *d, const float *e, float *b,
                        const int *ldb, int *info)
SLIMBAND_DECLARE_LAPACK(dpttrs, const int *n, const int *nrhs, const double *d, const double *e, double *b,
                        const int *ldb, int *info)
SLIMBAND_DECLARE_LAPACK(cpttrs, const char *uplo, const int *n, const int *nrhs, const float *d,
                        const slimband_c64 *e, slimband_c64 *b, const int *ldb, int *info)
SLIMBAND_DECLARE_LAPACK(zpttrs, const char *uplo, const int *n, const int *nrhs, const double *d,
                        const slimband_c128 *e, slimband_c128 *b, const int *ldb, int *info)

#undef SLIMBAND_DECLARE_LAPACK_TYPE
#undef SLIMBAND_DECLARE_LAPACK

#ifdef __cplusplus
}
#endif

#endif
