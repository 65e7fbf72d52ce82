/* A random tridiagonal matrix with given singular values: U diag(sigma) V' with random orthogonal U and V,
 * reduced to tridiagonal by Householder reflections from both sides, which keep the singular values. 16/3 n^3
 * operations. */
#include <math.h>
#include <stdlib.h>

#include "gallery/fill.h"

/* The n x n matrix in work, row-major; vector and row have room for n numbers each. */
typedef struct dense {
    int64_t n;
    double *a, *vector, *row;
} dense;

static double *row_of(const dense *W, int64_t i)
{
    return W->a + i * W->n;
}

/* Rows and columns from..n-1 of W times I - 2 v v' from the left. v: from..n-1 of W->vector, of length 1. */
static void reflect_rows(const dense *W, int64_t from, int64_t first_column)
{
    const double *v = W->vector;
    double *sum = W->row;
    for (int64_t j = first_column; j < W->n; ++j)
        sum[j] = 0;
    for (int64_t i = from; i < W->n; ++i)
        for (int64_t j = first_column; j < W->n; ++j)
            sum[j] += v[i] * row_of(W, i)[j];
    for (int64_t i = from; i < W->n; ++i)
        for (int64_t j = first_column; j < W->n; ++j)
            row_of(W, i)[j] -= 2 * v[i] * sum[j];
}

static void reflect_columns(const dense *W, int64_t from, int64_t first_row)
{
    const double *v = W->vector;
    for (int64_t i = first_row; i < W->n; ++i) {
        double *row = row_of(W, i), sum = 0;
        for (int64_t j = from; j < W->n; ++j)
            sum += row[j] * v[j];
        for (int64_t j = from; j < W->n; ++j)
            row[j] -= 2 * sum * v[j];
    }
}

/* Scale from..n-1 of W->vector to length 1; false when there is nothing to scale. */
static bool normalise(const dense *W, int64_t from)
{
    double square = 0;
    for (int64_t i = from; i < W->n; ++i)
        square += W->vector[i] * W->vector[i];
    for (int64_t i = from; i < W->n && square > 0; ++i)
        W->vector[i] /= sqrt(square);
    return square > 0;
}

/* A direction near enough to uniform on the sphere: sums of uniform numbers, which need no libm. */
static bool random_direction(const dense *W, int64_t from, sb_random *random)
{
    for (int64_t i = from; i < W->n; ++i) {
        W->vector[i] = 0;
        for (int k = 0; k < 12; ++k)
            W->vector[i] += sb_random_signed(random);
    }
    return normalise(W, from);
}

/* The reflection that maps what W->vector holds to a multiple of its entry `from`. */
static bool annihilator(const dense *W, int64_t from)
{
    double square = 0;
    for (int64_t i = from; i < W->n; ++i)
        square += W->vector[i] * W->vector[i];
    W->vector[from] += copysign(sqrt(square), W->vector[from]);
    return normalise(W, from);
}

static void randomise(const dense *W, sb_random *random)
{
    for (int64_t from = W->n - 2; from >= 0; --from) {
        if (random_direction(W, from, random))
            reflect_rows(W, from, from);
        if (random_direction(W, from, random))
            reflect_columns(W, from, from);
    }
}

static void reduce(const dense *W)
{
    for (int64_t k = 0; k + 2 < W->n; ++k) {
        for (int64_t i = k + 1; i < W->n; ++i)
            W->vector[i] = row_of(W, i)[k];
        if (annihilator(W, k + 1))
            reflect_rows(W, k + 1, k);
        for (int64_t j = k + 1; j < W->n; ++j)
            W->vector[j] = row_of(W, k)[j];
        if (annihilator(W, k + 1))
            reflect_columns(W, k + 1, k);
    }
}

/* The root r in (0, 1] of r^power = value, by bisection: exact operations only, the same everywhere. */
static double root_of(double value, int64_t power)
{
    double low = 0, high = 1;
    for (double middle = 0.5; middle > low && middle < high; middle = low + (high - low) / 2) {
        double product = 1;
        for (int64_t i = 0; i < power; ++i)
            product *= middle;
        *(product < value ? &low : &high) = middle;
    }
    return high;
}

static void singular_values(int mode, int64_t n, double smallest, double *sigma)
{
    double ratio = mode == 3 && n > 1 ? root_of(smallest, n - 1) : 1, power = 1;
    for (int64_t i = 0; i < n; ++i, power *= ratio) {
        double share = n > 1 ? (double)i / (double)(n - 1) : 0;
        double values[] = {i == 0 ? 1 : smallest, i == n - 1 && n > 1 ? smallest : 1, power,
                           1 - share * (1 - smallest)};
        sigma[i] = values[mode - 1];
    }
}

const char *sb_fill_randsvd(double mode, int64_t n, sb_random *random, sb_tridiagonal A)
{
    dense W = {.n = n, .a = calloc((size_t)(n * n + 2 * n), sizeof(double))};
    if (!W.a)
        return "not enough memory for the dense matrix behind randsvd";
    W.vector = W.a + n * n;
    W.row = W.vector + n;
    singular_values((int)mode, n, 1e-15, W.vector);
    for (int64_t i = 0; i < n; ++i)
        row_of(&W, i)[i] = W.vector[i];
    randomise(&W, random);
    reduce(&W);
    for (int64_t i = 0; i < n; ++i) {
        A.diagonal[i] = row_of(&W, i)[i];
        if (i > 0)
            A.lower[i] = row_of(&W, i)[i - 1];
        if (i < n - 1)
            A.upper[i] = row_of(&W, i)[i + 1];
    }
    free(W.a);
    return NULL;
}
