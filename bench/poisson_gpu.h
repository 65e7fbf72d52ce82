/* The Poisson race on a GPU: arrays there, and the program that a user of cuFFT would write. */
#ifndef SB_BENCH_POISSON_GPU_H
#define SB_BENCH_POISSON_GPU_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* f and u on device 0. */
typedef struct sb_gpu_arrays {
    double *f, *u;
    int64_t points;
} sb_gpu_arrays;

bool sb_gpu_arrays_create(sb_gpu_arrays *arrays, const double *f, int64_t points);
void sb_gpu_arrays_destroy(sb_gpu_arrays *arrays);
bool sb_gpu_arrays_spoil(const sb_gpu_arrays *arrays);            /* u becomes NaN */
bool sb_gpu_arrays_fetch(const sb_gpu_arrays *arrays, double *u); /* waits */
bool sb_gpu_wait(void);

/* rows x columns nodes between Dirichlet walls: each row extended to an odd line of twice its length, cuFFT's transforms
   from real to complex, a thread a column for the tridiagonal systems with stored reciprocal pivots, and the same back.
   cuFFT is found at run time; NULL with a reason where it is not. */
typedef struct sb_cufft_poisson sb_cufft_poisson;

sb_cufft_poisson *sb_cufft_poisson_create(int rows, int columns, const char **reason);
bool sb_cufft_poisson_solve(const sb_cufft_poisson *poisson, const sb_gpu_arrays *arrays);
void sb_cufft_poisson_destroy(sb_cufft_poisson *poisson);

#ifdef __cplusplus
}
#endif

#endif
