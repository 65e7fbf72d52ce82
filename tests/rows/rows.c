/* Systems side by side, row by row: against the equations themselves, at every shape that has an end, a group or a part of
 * its own. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/rows.h"
#include "slimband/shifted.h"

typedef struct family {
    slimband_scalar scalar;
    int64_t n, systems;
    double *lower, *diagonal, *upper, *shift, *b;
} family;

/* uniform: all rows alike but for the ends. Shifts from 0, where pivots hardly converge, to large ones. */
static family draw(slimband_scalar scalar, int64_t n, int64_t systems, bool uniform, uint64_t seed)
{
    family f = {scalar,
                n,
                systems,
                malloc((size_t)n * 8),
                malloc((size_t)n * 8),
                malloc((size_t)n * 8),
                malloc((size_t)systems * 8 + 8),
                malloc((size_t)(n * systems) * 8 + 8)};
    sb_random random = sb_random_seeded(seed);
    for (int64_t i = 0; i < n; ++i) {
        f.lower[i] = uniform ? -1 : -0.5 - sb_random_unit(&random);
        f.upper[i] = uniform ? -1 : -0.5 - sb_random_unit(&random);
        f.diagonal[i] = -f.lower[i] - f.upper[i];
    }
    f.diagonal[0] += sb_random_unit(&random);
    f.lower[0] = f.upper[n - 1] = NAN;
    f.diagonal[0] = 3;
    f.diagonal[n - 1] = n == 1 ? 1 : 2.5;
    for (int64_t k = 0; k < systems; ++k)
        f.shift[k] = k % 7 == 0 ? 0 : ldexp(sb_random_unit(&random), (int)sb_random_between(&random, -20, 3));
    for (int64_t i = 0; i < n * systems; ++i)
        f.b[i] = (double)(float)sb_random_signed(&random);
    return f;
}

static void release(family *f)
{
    free(f->lower);
    free(f->diagonal);
    free(f->upper);
    free(f->shift);
    free(f->b);
}

static slimband_status create(slimband_rows **rows, const family *f)
{
    return slimband_rows_create(rows, f->scalar, f->n, f->systems, f->lower, f->diagonal, f->upper, f->shift);
}

/* All rows of systems first .. first + count - 1, in place. */
static void solve_part(const slimband_rows *rows, const family *f, int64_t first, int64_t count, char *x)
{
    size_t bytes = f->scalar == SLIMBAND_F32 ? 4 : 8;
    int64_t middle = slimband_rows_middle(rows);
#define ROW(i) (x + (size_t)((i)*f->systems + first) * bytes)
    for (int64_t i = 0; i < middle; ++i)
        slimband_rows_eliminate(rows, i, first, count, i ? ROW(i - 1) : NULL, ROW(i));
    for (int64_t i = f->n - 1; i >= middle; --i)
        slimband_rows_eliminate(rows, i, first, count, i < f->n - 1 ? ROW(i + 1) : NULL, ROW(i));
    slimband_rows_meet(rows, first, count, middle ? ROW(middle - 1) : NULL, ROW(middle));
    for (int64_t i = middle - 2; i >= 0; --i)
        slimband_rows_substitute(rows, i, first, count, ROW(i + 1), ROW(i));
    for (int64_t i = middle + 1; i < f->n; ++i)
        slimband_rows_substitute(rows, i, first, count, ROW(i - 1), ROW(i));
#undef ROW
}

static double entry(const family *f, const void *x, int64_t i, int64_t k)
{
    int64_t at = i * f->systems + k;
    return f->scalar == SLIMBAND_F32 ? (double)((const float *)x)[at] : ((const double *)x)[at];
}

static double backward_error(const family *f, const void *x)
{
    long double worst = 0;
    for (int64_t k = 0; k < f->systems; ++k) {
        long double residual = 0, size = 0, norm = 0, rhs = 0;
        for (int64_t i = 0; i < f->n; ++i) {
            long double d = (long double)f->diagonal[i] + f->shift[k];
            long double r = f->b[i * f->systems + k] - d * entry(f, x, i, k), row = fabsl(d);
            if (i > 0) {
                r -= (long double)f->lower[i] * entry(f, x, i - 1, k);
                row += fabsl((long double)f->lower[i]);
            }
            if (i < f->n - 1) {
                r -= (long double)f->upper[i] * entry(f, x, i + 1, k);
                row += fabsl((long double)f->upper[i]);
            }
            residual = fabsl(r) <= residual ? residual : fabsl(r);
            norm = fmaxl(norm, row);
            size = fmaxl(size, fabsl((long double)entry(f, x, i, k)));
            rhs = fmaxl(rhs, fabsl((long double)f->b[i * f->systems + k]));
        }
        long double error = residual / (norm * size + rhs);
        worst = error <= worst ? worst : error;
    }
    return (double)worst;
}

static void *copy_of_b(const family *f)
{
    float *x = malloc((size_t)(f->n * f->systems) * 8 + 8);
    for (int64_t i = 0; i < f->n * f->systems; ++i) {
        if (f->scalar == SLIMBAND_F32)
            x[i] = (float)f->b[i];
        else
            ((double *)(void *)x)[i] = f->b[i];
    }
    return x;
}

static void check(slimband_scalar scalar, int64_t n, int64_t systems, bool uniform)
{
    family f = draw(scalar, n, systems, uniform, (uint64_t)(n * 1000 + systems));
    slimband_rows *rows;
    assert_int_equal(create(&rows, &f), SLIMBAND_OK);
    void *x = copy_of_b(&f), *parts = copy_of_b(&f);
    solve_part(rows, &f, 0, systems, x);
    double limit = 8 * (scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON),
           error = backward_error(&f, x);
    if (!(error <= limit))
        fail_msg("n %lld, systems %lld, %s: backward error %.1e", (long long)n, (long long)systems,
                 uniform ? "uniform" : "varying", error);
    for (int64_t first = 0; first < systems; first += 2 * SLIMBAND_ROWS_GROUP) {
        int64_t left = systems - first;
        solve_part(rows, &f, first, left < 2 * SLIMBAND_ROWS_GROUP ? left : 2 * SLIMBAND_ROWS_GROUP, parts);
    }
    assert_memory_equal(x, parts, (size_t)(n * systems) * (scalar == SLIMBAND_F32 ? 4 : 8));
    free(x);
    free(parts);
    slimband_rows_destroy(rows);
    release(&f);
}

static void test_every_shape(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 3, 4, 5, 8, 31, 100}, counts[] = {1, 7, 63, 64, 65, 200, 257};
    for (int64_t k = 0; k < 8 * 7; ++k)
        for (int kind = 0; kind < 4; ++kind)
            check(kind % 2 ? SLIMBAND_F32 : SLIMBAND_F64, lengths[k / 7], counts[k % 7], kind / 2);
}

/* Pivots converge like 1 / i where the shift is 0, geometrically elsewhere: stored ones must end no sooner. */
static void test_long_systems_keep_few_pivots_and_all_digits(void **state)
{
    (void)state;
    check(SLIMBAND_F64, 5000, 130, true);
    check(SLIMBAND_F32, 5000, 130, true);
    double *zeros = calloc(5000, 8), shift[64];
    for (int64_t i = 0; i < 5000; ++i)
        zeros[i] = -1;
    family f = {SLIMBAND_F64, 5000, 64, zeros, malloc(5000 * 8), zeros, shift, NULL};
    for (int64_t i = 0; i < 5000; ++i)
        f.diagonal[i] = 2;
    for (int k = 0; k < 64; ++k)
        shift[k] = 0.1;
    slimband_rows *rows;
    assert_int_equal(create(&rows, &f), SLIMBAND_OK);
    assert_true(slimband_rows_bytes(rows) < 600000); /* of which 240000 are the matrix */
    slimband_rows_destroy(rows);
    free(f.diagonal);
    free(zeros);
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    family f = draw(SLIMBAND_F64, 5, 3, true, 1);
    slimband_rows *rows;
    f.scalar = SLIMBAND_C64;
    assert_int_equal(create(&rows, &f), SLIMBAND_BAD_SCALAR);
    assert_null(rows);
    f.scalar = SLIMBAND_F64;
    f.n = 0;
    assert_int_equal(create(&rows, &f), SLIMBAND_BAD_N);
    f.n = 5;
    f.systems = -1;
    assert_int_equal(create(&rows, &f), SLIMBAND_BAD_BATCH);
    f.systems = 3;
    assert_int_equal(slimband_rows_create(NULL, SLIMBAND_F64, 5, 3, f.lower, f.diagonal, f.upper, f.shift),
                     SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_rows_create(&rows, SLIMBAND_F64, 5, 3, f.lower, NULL, f.upper, f.shift),
                     SLIMBAND_NULL_ARGUMENT);
    f.shift[2] = -0.5; /* not dominant */
    assert_int_equal(create(&rows, &f), SLIMBAND_BREAKDOWN);
    f.shift[2] = NAN;
    assert_int_equal(create(&rows, &f), SLIMBAND_BREAKDOWN);
    f.shift[2] = 0;
    f.diagonal[0] = f.diagonal[4] = 1; /* dominant everywhere, strictly nowhere: singular */
    assert_int_equal(create(&rows, &f), SLIMBAND_BREAKDOWN);
    f.systems = 0;
    assert_int_equal(create(&rows, &f), SLIMBAND_OK);
    slimband_rows_destroy(rows);
    slimband_rows_destroy(NULL);
    release(&f);
}

/* Products of two entries vanish or overflow, the entries do not. */
static void test_systems_may_have_any_scale(void **state)
{
    (void)state;
    enum { LENGTH = 12 };
    static const double scales[] = {1, 0x1p-530, 0x1p-560, 0x1p-900, 0x1p515, 0x1p900};
    double first[LENGTH];
    for (size_t s = 0; s < sizeof scales / sizeof *scales; ++s) {
        double lower[LENGTH], diagonal[LENGTH], shift = 0, u[LENGTH];
        for (int i = 0; i < LENGTH; ++i) {
            lower[i] = -scales[s];
            diagonal[i] = 2.5 * scales[s];
            u[i] = (i + 1) * scales[s];
        }
        slimband_shifted_problem p = {SLIMBAND_F64, 1,        1,     LENGTH, 1,
                                      lower,        diagonal, lower, &shift, SLIMBAND_NONE_SINGULAR};
        slimband_shifted *family;
        assert_int_equal(slimband_shifted_create(&family, &p, slimband_cpu(1)), SLIMBAND_OK);
        assert_int_equal(slimband_shifted_solve(family, u), SLIMBAND_OK);
        slimband_shifted_destroy(family);
        if (s == 0)
            memcpy(first, u, sizeof first);
        assert_memory_equal(u, first, sizeof first);
    }
}

/* The second row's coupling times the first's reciprocal pivot is no number: nothing is lost. What the type cannot hold is refused. */
static void test_no_number_that_the_type_cannot_hold_is_taken(void **state)
{
    (void)state;
    enum { LENGTH = 5 };
    double lower[LENGTH] = {0, 1e200, 1, 1, 1}, diagonal[LENGTH] = {1e-200, 4e200, 4, 4, 4},
           upper[LENGTH] = {1e-200, 1e200, 1, 1, 0}, shift = 0;
    double u[LENGTH] = {3e-200, 1.2e201, 18, 24, 24}; /* of 1, 2 ... 5 */
    slimband_shifted_problem p = {SLIMBAND_F64, 1,        1,     LENGTH, 1,
                                  lower,        diagonal, upper, &shift, SLIMBAND_NONE_SINGULAR};
    slimband_shifted *family;
    slimband_rows *rows;
    assert_int_equal(slimband_shifted_create(&family, &p, slimband_cpu(1)), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_solve(family, u), SLIMBAND_OK);
    slimband_shifted_destroy(family);
    for (int i = 0; i < LENGTH; ++i)
        assert_true(fabs(u[i] - (i + 1)) <= 1e-14);
    p.scalar = SLIMBAND_F32;
    assert_int_equal(slimband_shifted_create(&family, &p, slimband_cpu(1)), SLIMBAND_BREAKDOWN);
    for (int large = 0; large < 2; ++large) {
        const double size = large ? 1e39 : 1e-39;
        for (int i = 0; i < LENGTH; ++i) {
            lower[i] = upper[i] = -size;
            diagonal[i] = 4 * size;
        }
        assert_int_equal(slimband_rows_create(&rows, SLIMBAND_F32, LENGTH, 1, lower, diagonal, upper, &shift),
                         SLIMBAND_BREAKDOWN);
    }
    for (int i = 0; i < LENGTH; ++i) {
        lower[i] = upper[i] = 0;
        diagonal[i] = 1.5e308;
    }
    assert_int_equal(slimband_rows_create(&rows, SLIMBAND_F64, LENGTH, 1, lower, diagonal, upper, &shift),
                     SLIMBAND_BREAKDOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_systems_may_have_any_scale),
        cmocka_unit_test(test_no_number_that_the_type_cannot_hold_is_taken),
        cmocka_unit_test(test_long_systems_keep_few_pivots_and_all_digits),
        cmocka_unit_test(test_what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
