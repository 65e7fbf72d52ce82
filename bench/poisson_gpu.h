/* The peer of the Poisson race on a GPU: the program that a user of cuFFT would write. */
#ifndef SB_BENCH_POISSON_GPU_H
#define SB_BENCH_POISSON_GPU_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* rows x columns nodes between Dirichlet walls: each row extended to an odd line of twice its length, cuFFT's transforms
   from real to complex, a thread a column for the tridiagonal systems with stored reciprocal pivots, and the same back.
   cuFFT is found at run time; NULL with a reason where it is not. All
   on a cudaStream_t; f and u are in the device's memory. */
typedef struct sb_cufft_poisson sb_cufft_poisson;

sb_cufft_poisson *sb_cufft_poisson_create(int rows, int columns, const void *stream, const char **reason);
bool sb_cufft_poisson_solve(const sb_cufft_poisson *poisson, const double *f, double *u);
void sb_cufft_poisson_destroy(sb_cufft_poisson *poisson);

#ifdef __cplusplus
}
#endif

#endif
