/* Solving and judging. */
#include "tests/accuracy/measure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/accuracy/place.h"

extern void sgtsv_(const int *, const int *, float *, float *, float *, float *, const int *, int *);
extern void dgtsv_(const int *, const int *, double *, double *, double *, double *, const int *, int *);
extern void dgttrf_(const int *, double *, double *, double *, double *, int *, int *);
extern void dgtcon_(const char *, const int *, const double *, const double *, const double *, const double *,
                    const int *, const double *, double *, double *, int *, int *);

double epsilon_of(slimband_scalar scalar)
{
    return scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
}

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("accuracy: not enough memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static double rounded(slimband_scalar scalar, long double value)
{
    return scalar == SLIMBAND_F32 ? (double)(float)value : (double)value;
}

static tri_system make(int64_t n, slimband_scalar scalar)
{
    double *memory = need((size_t)(5 * n), sizeof *memory);
    return (tri_system){.scalar = scalar,
                        .n = n,
                        .lower = memory,
                        .diagonal = memory + n,
                        .upper = memory + 2 * n,
                        .b = memory + 3 * n,
                        .known = memory + 4 * n};
}

void system_free(tri_system *s)
{
    free(s->lower);
    *s = (tri_system){0};
}

static long double row_times(const tri_system *s, int64_t i, const double *x)
{
    long double sum = (long double)s->diagonal[i] * x[i];
    sum += i > 0 ? (long double)s->lower[i] * x[i - 1] : 0;
    return sum + (i < s->n - 1 ? (long double)s->upper[i] * x[i + 1] : 0);
}

static long double row_sum(const tri_system *s, int64_t i)
{
    long double sum = fabsl((long double)s->diagonal[i]);
    sum += i > 0 ? fabsl((long double)s->lower[i]) : 0;
    return sum + (i < s->n - 1 ? fabsl((long double)s->upper[i]) : 0);
}

static double find_condition(const tri_system *s)
{
    size_t n = (size_t)s->n, bytes = n * sizeof(double);
    double *d = need(7 * n, sizeof *d), *dl = d + n, *du = d + 2 * n, *du2 = d + 3 * n, *work = d + 5 * n,
           norm = 0;
    int *pivots = need(2 * n, sizeof *pivots), order = (int)n, info;
    memcpy(d, s->diagonal, bytes);
    memcpy(dl, s->lower + 1, bytes - sizeof(double));
    memcpy(du, s->upper, bytes - sizeof(double));
    for (int64_t j = 0; j < s->n; ++j) {
        double sum = fabs(d[j]) + (j > 0 ? fabs(du[j - 1]) : 0) + (j < s->n - 1 ? fabs(dl[j]) : 0);
        norm = fmax(norm, sum);
    }
    double reciprocal = 0;
    dgttrf_(&order, dl, d, du, du2, pivots, &info);
    if (!info)
        dgtcon_("1", &order, dl, d, du, du2, pivots, &norm, &reciprocal, work, pivots + n, &info);
    free(d);
    free(pivots);
    return 1 / reciprocal;
}

/* Round what has been filled in, and make b. */
static void finish(tri_system *s)
{
    double *arrays[] = {s->lower, s->diagonal, s->upper, s->known};
    for (int k = 0; k < 4; ++k) {
        for (int64_t i = 0; i < s->n; ++i)
            arrays[k][i] = rounded(s->scalar, arrays[k][i]);
    }
    for (int64_t i = 0; i < s->n; ++i)
        s->b[i] = rounded(s->scalar, row_times(s, i, s->known));
    s->condition = find_condition(s);
}

tri_system system_of_gallery(const sb_gallery_matrix *matrix, int64_t n, uint64_t seed)
{
    tri_system s = make(n, SLIMBAND_F64);
    const char *complaint = sb_gallery_fill(matrix, n, seed, (sb_tridiagonal){s.lower, s.diagonal, s.upper});
    if (complaint) {
        fprintf(stderr, "accuracy: %s\n", complaint);
        exit(EXIT_FAILURE);
    }
    s.toeplitz = !strncmp(matrix->name, "toeplitz", 8);
    sb_random random = sb_random_seeded(~seed);
    for (int64_t i = 0; i < n; ++i)
        s.known[i] = sb_random_signed(&random);
    finish(&s);
    return s;
}

tri_system system_in_f32(const tri_system *s)
{
    tri_system narrow = make(s->n, SLIMBAND_F32);
    memcpy(narrow.lower, s->lower, (size_t)(5 * s->n) * sizeof(double));
    narrow.toeplitz = s->toeplitz;
    finish(&narrow);
    return narrow;
}

tri_system system_of_poisson(int64_t n, slimband_scalar scalar)
{
    tri_system s = make(n, scalar);
    s.toeplitz = true;
    for (int64_t i = 0; i < n; ++i) {
        s.lower[i] = i > 0 ? -1 : 0;
        s.diagonal[i] = 2;
        s.upper[i] = i < n - 1 ? -1 : 0;
        s.known[i] = 1;
    }
    finish(&s);
    return s;
}

/* An array of the system's own type. */
static void *narrowed(const tri_system *s, const double *values, int64_t count)
{
    double *wide = need((size_t)count, sizeof *wide);
    memcpy(wide, values, (size_t)count * sizeof *wide);
    if (s->scalar == SLIMBAND_F64)
        return wide;
    float *narrow = need((size_t)count, sizeof *narrow);
    for (int64_t i = 0; i < count; ++i)
        narrow[i] = (float)values[i];
    free(wide);
    return narrow;
}

static double value_at(const tri_system *s, const void *x, int64_t i)
{
    return s->scalar == SLIMBAND_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

static void judge(const tri_system *s, const void *solution, measurement *m)
{
    double *x = need((size_t)s->n, sizeof *x);
    long double residual = 0, entries = 0, unknowns = 0, rhs = 0, error = 0, size = 0;
    m->finite = true;
    for (int64_t i = 0; i < s->n; ++i) {
        x[i] = value_at(s, solution, i);
        m->finite &= isfinite(x[i]) != 0;
        long double off = (long double)x[i] - s->known[i];
        error += off * off;
        size += (long double)s->known[i] * s->known[i];
    }
    for (int64_t i = 0; i < s->n && m->finite; ++i) {
        residual = fmaxl(residual, fabsl(s->b[i] - row_times(s, i, x)));
        entries = fmaxl(entries, row_sum(s, i));
        unknowns = fmaxl(unknowns, fabsl((long double)x[i]));
        rhs = fmaxl(rhs, fabsl((long double)s->b[i]));
    }
    m->backward = m->finite ? (double)(residual / (entries * unknowns + rhs)) : INFINITY;
    m->forward = m->finite ? (double)sqrtl(error / size) : INFINITY;
    free(x);
}

measurement measure_method(const tri_system *s, const char *method, slimband_pivoting pivoting)
{
    slimband_problem p = slimband_tridiagonal(s->scalar, s->n);
    p.pivoting = pivoting;
    p.coefficients = !strcmp(method, "cr_toeplitz") && s->toeplitz ? SLIMBAND_TOEPLITZ : SLIMBAND_OWN;
    slimband_plan *plan;
    measurement m = {.fits = !slimband_method_fits(&p, place_executor(), method)};
    if (!m.fits)
        return m;
    int64_t entries = p.coefficients == SLIMBAND_TOEPLITZ ? 1 : s->n, middle = s->n / 2;
    int64_t from = p.coefficients == SLIMBAND_TOEPLITZ ? middle : 0;
    void *arrays[] = {narrowed(s, s->lower + from, entries), narrowed(s, s->diagonal + from, entries),
                      narrowed(s, s->upper + from, entries), narrowed(s, s->b, s->n)};
    m.status = slimband_plan_create(&plan, &p, place_executor(), method);
    if (!m.status)
        m.status = place_solve(plan, &p, (const void *const *)arrays, entries, arrays[3]);
    slimband_plan_destroy(plan);
    judge(s, arrays[3], &m);
    for (int k = 0; k < 4; ++k)
        free(arrays[k]);
    return m;
}

measurement measure_lapack(const tri_system *s)
{
    measurement m = {.fits = true};
    void *dl = narrowed(s, s->lower + (s->n > 1), s->n - 1), *d = narrowed(s, s->diagonal, s->n),
         *du = narrowed(s, s->upper, s->n), *x = narrowed(s, s->b, s->n);
    int n = (int)s->n, one = 1, info;
    if (s->scalar == SLIMBAND_F32)
        sgtsv_(&n, &one, dl, d, du, x, &n, &info);
    else
        dgtsv_(&n, &one, dl, d, du, x, &n, &info);
    m.status = info ? SLIMBAND_SINGULAR : SLIMBAND_OK;
    judge(s, x, &m);
    free(dl);
    free(d);
    free(du);
    free(x);
    return m;
}
