#include "support.h"

int complained_of;
const int sizes[7] = {0, 1, 2, 3, 5, 17, 100};
const int counts[3] = {0, 1, 3};

/* Takes the place of LAPACK's, which would print and stop. */
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length);

void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complained_of = *argument;
}

static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static T draw_number(uint64_t *state)
{
    double re = draw(state);
#if SB_COMPLEX
    return (T)(re + I * draw(state));
#else
    return (T)re;
#endif
}

T *draw_vector(int64_t n, uint64_t seed)
{
    T *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; ++i)
        x[i] = draw_number(&seed);
    return x;
}

T *copy_vector(int64_t n, const T *x)
{
    T *copy = calloc((size_t)n + 1, sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, x, (size_t)n * sizeof *copy);
    return copy;
}

static T *at(const band *A, int i, int j)
{
    return &A->rows[(int64_t)i * (A->lower + 1 + A->upper) + A->lower + j - i];
}

T band_at(const band *A, int i, int j)
{
    return j - i < -A->lower || j - i > A->upper ? 0 : *at(A, i, j);
}

band draw_band(int n, int lower, int upper, kind kind, uint64_t seed)
{
    int64_t width = lower + 1 + upper;
    band A = {n, lower, upper, draw_vector(n * width, seed)};
    bool triangular = lower == 0 || upper == 0;
    int zero_column = kind == SINGULAR && n > 0 ? (int)(seed % (uint64_t)n) : -1;
    for (int i = 0; i < n; ++i) {
        if (kind == DOMINANT || triangular)
            *at(&A, i, i) += (T)(2 * (R)width);
        else if (kind == PIVOTING)
            *at(&A, i, i) *= i % 3 == 1 ? 0 : (R)1e-3;
        for (int j = i - lower; j <= i + upper; ++j)
            if (j < 0 || j >= n)
                *at(&A, i, j) = (T)NAN;
            else if (j == zero_column)
                *at(&A, i, j) = 0;
    }
    return A;
}

static long double magnitude(WT z)
{
    return hypotl((long double)creall(z), (long double)cimagl(z));
}

static long double largest(const T *x, int n)
{
    long double norm = 0;
    for (int i = 0; i < n; ++i)
        norm = fmaxl(norm, magnitude((WT)x[i]));
    return norm;
}

double backward_error(const band *A, char trans, const T *x, const T *b)
{
    long double residual = 0, norm = 0;
    for (int i = 0; i < A->n; ++i) {
        WT r = (WT)b[i];
        long double sum = 0;
        for (int j = 0; j < A->n; ++j) {
            T a = trans == 'N' ? band_at(A, i, j) : trans == 'T' ? band_at(A, j, i) : sb_conj(band_at(A, j, i));
            r -= (WT)a * (WT)x[j];
            sum += magnitude((WT)a);
        }
        if (!sb_finite(x[i]))
            return INFINITY;
        residual = fmaxl(residual, magnitude(r));
        norm = fmaxl(norm, sum);
    }
    return residual == 0 ? 0 : (double)(residual / (norm * largest(x, A->n) + largest(b, A->n)));
}

void assert_close(const char *what, const T *ours, const T *theirs, int64_t count, uint64_t seed)
{
    R scale = 0;
    for (int64_t i = 0; i < count; ++i)
        scale = sb_abs1(theirs[i]) > scale ? sb_abs1(theirs[i]) : scale;
    for (int64_t i = 0; i < count; ++i) {
        bool both_nan = theirs[i] != theirs[i] && ours[i] != ours[i];
        double difference = (double)sb_abs1(ours[i] - theirs[i]);
        if (!both_nan && !(difference <= 64 * EPSILON * (double)scale))
            fail_msg("%s[%lld] differs from LAPACK's by %g, seed %llu", what, (long long)i, difference,
                     (unsigned long long)seed);
    }
}
