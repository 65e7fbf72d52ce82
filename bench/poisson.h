/* slimband bench poisson: the fast Poisson solvers beside the plan that a user of FFTW would write. */
#ifndef SB_BENCH_POISSON_H
#define SB_BENCH_POISSON_H

/* argv[0] is "slimband bench poisson". */
int sb_command_bench_poisson(int argc, char **argv);

/* poisson_fftw.c: sine transforms of rows by FFTW (type I, its own), a tridiagonal sweep over the rows with stored
   reciprocal pivots, transforms back; OpenMP over rows, then over columns. n x n nodes between Dirichlet walls, f64. */
typedef struct sb_fftw_poisson sb_fftw_poisson;

/* NULL with a reason where there is no FFTW or no memory. */
sb_fftw_poisson *sb_fftw_poisson_create(int rows, int columns, int threads, const char **reason);
void sb_fftw_poisson_solve(const sb_fftw_poisson *poisson, const double *f, double *u);
void sb_fftw_poisson_destroy(sb_fftw_poisson *poisson);

#endif
