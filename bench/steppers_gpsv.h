/* Hyperdiffusion as cupentbatch III solves it with cuSPARSE: gpsvInterleavedBatch in a loop of Crank-Nicolson steps, which
 * destroys its matrix and so gets it anew in each. The ring is closed as in II.3: n - 2 rows are cuSPARSE's, the last two
 * unknowns come from a 2 x 2 system. */
#ifndef SB_BENCH_STEPPERS_GPSV_H
#define SB_BENCH_STEPPERS_GPSV_H

#include <cuda_runtime_api.h>

#include "bench/library_cusparse.h"
#include "bench/steppers_plain.h"

/* Device memory, interleaved: point i of member j at [i * members + j]; of each member, or of all together (stride 0). */
typedef struct sb_gpsv_ring {
    int64_t n, members, own;          /* own: 1, or 0 where all share W and S */
    void *c, *x, *diagonal[5], *w[2]; /* x: the right-hand side, n rows; diagonals and W: n - 2 rows */
    const void *sigma, *inverse;      /* of each member; of each, 4 numbers */
} sb_gpsv_ring;

typedef struct sb_gpsv_kernels {
    /* Diagonals and right-hand side from C: 1 word read, 6 written. */
    cudaError_t (*form)(const sb_gpsv_ring *ring);
    /* C from the solution: 1 read, 1 written; with own matrices W is read as well. */
    cudaError_t (*close)(const sb_gpsv_ring *ring);
} sb_gpsv_kernels;

typedef struct sb_gpsv {
    sb_gpsv_ring ring;
    const sb_gpsv_kernels *kernels;
    sb_sparse sparse;
    sb_sparse_handle handle;
    size_t size; /* of a number */
    char *memory, *host;
    void *buffer;
} sb_gpsv;

#ifdef __cplusplus
extern "C" {
#endif

extern const sb_gpsv_kernels sb_gpsv_kernels_f32, sb_gpsv_kernels_f64;

/* rings: count of them, 1 or one for each member. NULL, or why there is no such rival; sb_gpsv_free in any case. */
const char *sb_gpsv_make(sb_gpsv *gpsv, slimband_scalar scalar, int64_t members, const sb_plain_ring *rings,
                         int64_t count);

/* state: members one after another, in double, before and after; *seconds of the steps alone. */
const char *sb_gpsv_run(sb_gpsv *gpsv, int64_t steps, double *state, double *seconds);

void sb_gpsv_free(sb_gpsv *gpsv);

#ifdef __cplusplus
}
#endif

#endif
