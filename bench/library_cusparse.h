/* cuSPARSE of this machine, found at run time. */
#ifndef SB_BENCH_LIBRARY_CUSPARSE_H
#define SB_BENCH_LIBRARY_CUSPARSE_H

#include <stddef.h>

#include "slimband/scalar.h"

typedef struct cusparseContext *sb_sparse_handle;

/* Its calls by their kinds of arguments; 0 is success. Pointers are to device memory and to the scalar of the routine
   that was looked up. `end`: a size_t that gets the bytes of the buffer, or the buffer. */
typedef int sb_sparse_plain(sb_sparse_handle, int m, int nrhs, const void *dl, const void *d, const void *du,
                            void *b, int ldb, void *end);
typedef int sb_sparse_strided(sb_sparse_handle, int m, const void *dl, const void *d, const void *du, void *x,
                              int batch, int stride, void *end);
typedef int sb_sparse_tri(sb_sparse_handle, int algorithm, int m, void *dl, void *d, void *du, void *x,
                          int batch, void *end);
typedef int sb_sparse_penta(sb_sparse_handle, int algorithm, int m, void *ds, void *dl, void *d, void *du,
                            void *dw, void *x, int batch, void *end);

/* A solver and its question for the size of the buffer; one kind of the four. */
typedef union sb_sparse_call {
    void *symbol;
    sb_sparse_plain *plain;
    sb_sparse_strided *strided;
    sb_sparse_tri *tri;
    sb_sparse_penta *penta;
} sb_sparse_call;

typedef struct sb_sparse {
    int (*create)(sb_sparse_handle *handle);
    int (*destroy)(sb_sparse_handle handle);
    int (*set_stream)(sb_sparse_handle handle, const void *stream);
    sb_sparse_call solve, size;
} sb_sparse;

/* name: "gtsv2_nopivot" for "cusparseDgtsv2_nopivot". The library stays loaded. NULL, or why it cannot be used. */
const char *sb_sparse_open(slimband_scalar scalar, const char *name, sb_sparse *sparse);

#endif
