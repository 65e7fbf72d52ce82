/* The peer: FFTW found at run time, as the other peers are. */
#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "bench/poisson.h"

/* fftw3.h's numbers. */
enum { RODFT00 = 7, MEASURE = 0, UNALIGNED = 1 << 1 };

typedef void *make_plan(int n, double *in, double *out, int kind, unsigned flags);
typedef void execute_plan(void *plan, double *in, double *out);
typedef void destroy_plan(void *plan);

struct sb_fftw_poisson {
    int rows, columns, threads;
    void *plan;
    execute_plan *execute;
    destroy_plan *destroy;
    double *pivot;   /* reciprocal, rows x columns */
    double *scratch; /* a row of each thread */
};

static void fill_pivots(sb_fftw_poisson *p)
{
    const double pi = 3.14159265358979323846;
    int n0 = p->rows, n1 = p->columns;
    double ratio = (double)(n1 + 1) / (n0 + 1); /* of the spacings, h0 / h1 */
    for (int k = 0; k < n1; ++k) {
        double s = 2 * sin(pi * (k + 1) / (2.0 * (n1 + 1))) * ratio, before = 0;
        for (int i = 0; i < n0; ++i) {
            before = 1 / (2 + s * s - before);
            p->pivot[(size_t)i * (size_t)n1 + (size_t)k] = before;
        }
    }
}

sb_fftw_poisson *sb_fftw_poisson_create(int rows, int columns, int threads, const char **reason)
{
    void *library = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
    make_plan *make = library ? (make_plan *)dlsym(library, "fftw_plan_r2r_1d") : NULL;
    *reason = make ? "not enough memory" : "not installed";
    size_t points = (size_t)rows * (size_t)columns;
    sb_fftw_poisson *p = make ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return NULL;
    *p = (sb_fftw_poisson){.rows = rows, .columns = columns, .threads = threads};
    p->execute = (execute_plan *)dlsym(library, "fftw_execute_r2r");
    p->destroy = (destroy_plan *)dlsym(library, "fftw_destroy_plan");
    p->pivot = malloc(points * sizeof *p->pivot);
    p->scratch = malloc((size_t)columns * (size_t)threads * sizeof *p->scratch);
    if (p->pivot && p->scratch)
        p->plan = make(columns, p->pivot, p->scratch, RODFT00, MEASURE | UNALIGNED);
    if (!p->plan) {
        sb_fftw_poisson_destroy(p);
        return NULL;
    }
    fill_pivots(p);
    return p;
}

void sb_fftw_poisson_destroy(sb_fftw_poisson *p)
{
    if (!p)
        return;
    if (p->plan)
        p->destroy(p->plan);
    free(p->pivot);
    free(p->scratch);
    free(p);
}

/* Columns first .. end - 1, down and up. */
static void sweep(const sb_fftw_poisson *p, double *u, int first, int end)
{
    size_t n1 = (size_t)p->columns;
    for (int i = 0; i < p->rows; ++i) {
        double *row = u + (size_t)i * n1;
        const double *w = p->pivot + (size_t)i * n1, *above = i > 0 ? row - n1 : NULL;
        for (int k = first; k < end; ++k)
            row[k] = above ? (row[k] + above[k]) * w[k] : row[k] * w[k];
    }
    for (int i = p->rows - 2; i >= 0; --i) {
        double *row = u + (size_t)i * n1;
        const double *w = p->pivot + (size_t)i * n1, *below = row + n1;
        for (int k = first; k < end; ++k)
            row[k] += w[k] * below[k];
    }
}

static void transform(const sb_fftw_poisson *p, const double *from, double *u, double scale)
{
    int n1 = p->columns;
#pragma omp parallel for schedule(static) num_threads(p->threads)
    for (int i = 0; i < p->rows; ++i) {
        double *scratch = p->scratch + (size_t)omp_get_thread_num() * (size_t)n1,
               *row = u + (size_t)i * (size_t)n1;
        memcpy(scratch, from + (size_t)i * (size_t)n1, (size_t)n1 * sizeof *scratch);
        p->execute(p->plan, scratch, row);
        for (int k = 0; k < n1; ++k)
            row[k] *= scale;
    }
}

void sb_fftw_poisson_solve(const sb_fftw_poisson *p, const double *f, double *u)
{
    int threads = p->threads, n1 = p->columns;
    double h = 1.0 / (p->rows + 1);
    transform(p, f, u, h * h / (2.0 * (n1 + 1)));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; ++t)
        sweep(p, u, (int)((long long)n1 * t / threads), (int)((long long)n1 * (t + 1) / threads));
    transform(p, u, u, 1);
}
