/* LAPACK libraries of this machine, found at run time. */
#ifndef SB_BENCH_LIBRARY_H
#define SB_BENCH_LIBRARY_H

#include "bench/peer.h"

/* Fortran's routines by their kinds of arguments; T is the scalar of the routine that was looked up. */
typedef void sb_gtsv(const int *n, const int *nrhs, void *dl, void *d, void *du, void *b, const int *ldb,
                     int *info);
typedef void sb_gttrf(const int *n, void *dl, void *d, void *du, void *du2, int *ipiv, int *info);
typedef void sb_gttrs(const char *trans, const int *n, const int *nrhs, const void *dl, const void *d,
                      const void *du, const void *du2, const int *ipiv, void *b, const int *ldb, int *info,
                      size_t trans_length);
typedef void sb_gbsv(const int *n, const int *kl, const int *ku, const int *nrhs, void *ab, const int *ldab,
                     int *ipiv, void *b, const int *ldb, int *info);
typedef void sb_gbtrf(const int *m, const int *n, const int *kl, const int *ku, void *ab, const int *ldab,
                      int *ipiv, int *info);
typedef void sb_gbtrs(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
                      const void *ab, const int *ldab, const int *ipiv, void *b, const int *ldb, int *info,
                      size_t trans_length);
/* MKL's, for dominant matrices. */
typedef void sb_dttrf(const int *n, void *dl, void *d, void *du, int *info);
typedef void sb_dttrs(const char *trans, const int *n, const int *nrhs, const void *dl, const void *d,
                      const void *du, void *b, const int *ldb, int *info);

typedef struct sb_routines {
    sb_gtsv *gtsv, *dtsvb;
    sb_gttrf *gttrf;
    sb_gttrs *gttrs;
    sb_gbsv *gbsv;
    sb_gbtrf *gbtrf;
    sb_gbtrs *gbtrs;
    sb_dttrf *dttrfb;
    sb_dttrs *dttrsb;
} sb_routines;

/* The library stays loaded. threads: what it may use inside of one call. mkl: NULL, or MKL's library or its
   folder. NULL, or why it cannot be used. */
const char *sb_library_open(sb_peer_library library, slimband_scalar scalar, int threads, const char *mkl,
                            sb_routines *routines);

/* The handle of MKL's run-time library, made to compute with threads of the OpenMP library that gcc brings;
   NULL if it is nowhere. */
void *sb_library_find_mkl(const char *where, int threads);

#endif
