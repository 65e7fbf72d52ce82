/* The trend against statsmodels, against a dense solve, and by its properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/whittaker.h"
#include "tests/smooth/table.h"

enum { DENSE = 32 };

#if LDBL_MANT_DIG >= 113
typedef long double quad;
#else
typedef __float128 quad;
#endif

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static const char *smooth(int64_t n, const double *y, double lambda, int order, double *z,
                          sb_whittaker_report *report)
{
    sb_whittaker task = {.n = n, .y = y, .lambda = lambda, .order = order, .threads = 1};
    return sb_whittaker_smooth(&task, z, report);
}

static double largest(int64_t n, const double *z)
{
    double size = 0;
    for (int64_t i = 0; i < n; ++i)
        size = fmax(size, fabs(z[i]));
    return size;
}

/* Differences of neighbours, taken `order` times, as a matrix; its number of rows. */
static int difference_matrix(int n, int order, quad D[DENSE][DENSE])
{
    memset(D, 0, sizeof(quad[DENSE][DENSE]));
    for (int i = 0; i < n; ++i)
        D[i][i] = 1;
    int rows = n;
    for (int k = 0; k < order && rows > 0; ++k, --rows)
        for (int i = 0; i + 1 < rows; ++i)
            for (int j = 0; j < n; ++j)
                D[i][j] = D[i + 1][j] - D[i][j];
    return rows;
}

/* Solve A z = z by L D L', all entries; A is overwritten. */
static void solve_dense(int n, quad A[DENSE][DENSE], quad *z)
{
    for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i) {
            quad l = A[i][j] / A[j][j];
            for (int k = j + 1; k <= i; ++k)
                A[i][k] -= l * A[k][j];
        }
    for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i)
            z[i] -= A[i][j] / A[j][j] * z[j];
    for (int i = n - 1; i >= 0; --i) {
        z[i] /= A[i][i];
        for (int j = 0; j < i; ++j)
            z[j] -= A[i][j] * z[i];
    }
}

static void dense_trend(int n, const double *y, double lambda, int order, quad *z)
{
    static quad D[DENSE][DENSE], A[DENSE][DENSE];
    int rows = difference_matrix(n, order, D);
    for (int i = 0; i < n; ++i) {
        z[i] = isnan(y[i]) ? 0 : y[i];
        for (int j = 0; j < n; ++j) {
            A[i][j] = i == j && !isnan(y[i]);
            for (int k = 0; k < rows; ++k)
                A[i][j] += lambda * D[k][i] * D[k][j];
        }
    }
    solve_dense(n, A, z);
}

static void test_gdp_trend_equals_statsmodels(void **state)
{
    (void)state;
    sb_csv gdp = {0}, table = {0};
    sb_failure failure;
    assert_true(sb_csv_read(&gdp, DATA "/us-real-gdp.csv", "realgdp", &failure));
    assert_true(read_table(&table, &failure));
    assert_int_equal(gdp.rows, 203);
    assert_int_equal(table.rows, 203);
    double z[203];
    sb_whittaker_report report;
    assert_null(smooth(203, gdp.values, 1600, 2, z, &report));
    for (int i = 0; i < 203; ++i) {
        assert_string_equal(gdp.labels[i], table.labels[i]);
        assert_true(fabs(z[i] - table.values[i]) <= 1e-9 * table.values[i]);
    }
    assert_true(report.error.normwise < 1e-15);
    sb_csv_free(&gdp);
    sb_csv_free(&table);
}

/* Every n up to DENSE, each order, lambda over ten decades, from no to half of the values missing. */
static void test_trend_equals_a_dense_solve(void **state)
{
    (void)state;
    static const double lambdas[] = {1e-4, 1, 1600, 1e6};
    static const double missing[] = {0, 0.1, 0.5};
    uint64_t seed = 7;
    for (int n = 1; n <= DENSE; ++n)
        for (int k = 0; k < 3 * 4 * 3; ++k) {
            int order = 1 + k % 3;
            double lambda = lambdas[k / 3 % 4], y[DENSE], z[DENSE];
            uint64_t start = seed;
            int left = n;
            for (int i = 0; i < n; ++i) {
                y[i] = 100 * uniform(&seed) - 30;
                if (uniform(&seed) < missing[k / 12] && left > order) {
                    y[i] = NAN;
                    --left;
                }
            }
            quad expected[DENSE];
            dense_trend(n, y, lambda, order, expected);
            sb_whittaker_report report;
            const char *reason = smooth(n, y, lambda, order, z, &report);
            if (reason)
                fail_msg("n %d order %d lambda %g seed %llu: %s", n, order, lambda, (unsigned long long)start,
                         reason);
            double bound = 4e-16 * largest(n, z);
            for (int i = 0; i < n; ++i)
                if (!(fabs((double)(z[i] - expected[i])) <= bound))
                    fail_msg("n %d order %d lambda %g seed %llu row %d: %.17g, not %.17g", n, order, lambda,
                             (unsigned long long)start, i, z[i], (double)expected[i]);
            assert_int_equal(report.missing, n - left);
            assert_true(report.error.normwise < 1e-15);
        }
}

/* A polynomial of degree order - 1 is as smooth as can be and fits as well as can be, whatever lambda. */
static void test_polynomials_are_reproduced(void **state)
{
    (void)state;
    enum { N = 1000 };
    static const double lambdas[] = {1e-3, 1600, 1e6, 1e9};
    static double y[N], p[N], z[N];
    for (int order = 1; order <= 3; ++order)
        for (int k = 0; k < 4; ++k) {
            for (int i = 0; i < N; ++i) {
                p[i] = order == 1 ? 17 : order == 2 ? 5 - 3.0 * i : 11 + 7.0 * i - 2.0 * i * i;
                y[i] = i % 7 == 3 || i / 20 == 10 ? NAN : p[i];
            }
            sb_whittaker_report report;
            assert_null(smooth(N, y, lambdas[k], order, z, &report));
            for (int i = 0; i < N; ++i)
                assert_true(fabs(z[i] - p[i]) <= 1e-15 * largest(N, p));
        }
}

static void test_straight_line_is_exact(void **state)
{
    (void)state;
    double y[100], z[100];
    for (int i = 0; i < 100; ++i)
        y[i] = 3.0 * i - 40;
    sb_whittaker_report report;
    assert_null(smooth(100, y, 1600, 2, z, &report));
    assert_memory_equal(y, z, sizeof y);
}

static void test_lambda_zero_returns_the_data(void **state)
{
    (void)state;
    double y[5] = {3.1, -2.7, 1e10, 0, 1e-10}, z[5];
    sb_whittaker_report report;
    for (int order = 1; order <= 3; ++order) {
        assert_null(smooth(5, y, 0, order, z, &report));
        assert_memory_equal(y, z, sizeof y);
    }
}

static void test_series_no_longer_than_the_order_is_its_own_trend(void **state)
{
    (void)state;
    const double y[3] = {1.5, -7, 2};
    double z[3];
    sb_whittaker_report report;
    for (int order = 1; order <= 3; ++order)
        for (int n = 1; n <= order; ++n) {
            assert_null(smooth(n, y, 1600, order, z, &report));
            assert_memory_equal(y, z, sizeof *y * (size_t)n);
        }
}

/* The larger lambda, the closer is the trend of order 2 to the least-squares line. */
static void test_huge_lambda_gives_the_least_squares_line(void **state)
{
    (void)state;
    enum { N = 101, MIDDLE = N / 2 };
    double y[N], z[N], mean = 0, slope = 0, spread = 0;
    uint64_t seed = 11;
    for (int i = 0; i < N; ++i) {
        y[i] = uniform(&seed);
        mean += y[i] / N;
        slope += (i - MIDDLE) * y[i];
        spread += (i - MIDDLE) * (i - MIDDLE);
    }
    sb_whittaker_report report;
    const double lambdas[] = {1e12, 1e18, 1e300};
    for (int k = 0; k < 3; ++k) {
        assert_null(smooth(N, y, lambdas[k], 2, z, &report));
        double bound = k ? 1e-11 : 1e-5;
        for (int i = 0; i < N; ++i)
            assert_true(fabs(z[i] - (mean + slope / spread * (i - MIDDLE))) < bound);
        assert_true(report.error.normwise < 1e-15);
        assert_true(report.correction < 1e-14);
    }
}

/* 1' D' = 0: smoothing of any order moves nothing in or out. */
static void test_trend_keeps_the_sum_of_a_long_series(void **state)
{
    (void)state;
    enum { N = 200000 };
    double *y = malloc(sizeof *y * N), *z = malloc(sizeof *z * N);
    assert_non_null(y);
    assert_non_null(z);
    uint64_t seed = 3;
    for (int order = 1; order <= 3; ++order) {
        long double before = 0, after = 0;
        for (int i = 0; i < N; ++i)
            before += y[i] = 10 + sin(i * 1e-3) + uniform(&seed);
        sb_whittaker_report report;
        assert_null(smooth(N, y, 1e5, order, z, &report));
        for (int i = 0; i < N; ++i)
            after += z[i];
        assert_true(fabsl(after - before) < 1e-13L * before);
    }
    free(y);
    free(z);
}

/* Between two straight pieces a trend of order 2 runs through a long gap as a cubic, here a line. */
static void test_long_runs_of_missing_values_are_filled(void **state)
{
    (void)state;
    enum { N = 200000 };
    double *y = malloc(sizeof *y * N), *z = malloc(sizeof *z * N);
    assert_non_null(y);
    assert_non_null(z);
    for (int i = 0; i < N; ++i)
        y[i] = i < 100 || i >= N - 100 ? 1 + 1e-3 * i : NAN;
    sb_whittaker_report report;
    assert_null(smooth(N, y, 1600, 2, z, &report));
    assert_string_equal(report.system, "augmented system");
    for (int i = 0; i < N; ++i)
        assert_true(fabs(z[i] - (1 + 1e-3 * i)) < 1e-13 * N * 1e-3);
    free(y);
    free(z);
}

/* Beyond double precision there is a sentence, not a wrong curve. */
static void test_hopeless_conditioning_is_refused(void **state)
{
    (void)state;
    enum { N = 400000 };
    double *y = malloc(sizeof *y * N), *z = malloc(sizeof *z * N);
    assert_non_null(y);
    assert_non_null(z);
    for (int i = 0; i < N; ++i)
        y[i] = i < 10 ? sin(i) : NAN;
    sb_whittaker_report report;
    assert_non_null(smooth(N, y, 1600, 3, z, &report));
    free(y);
    free(z);
}

static void test_values_at_the_ends_of_the_range_are_smoothed(void **state)
{
    (void)state;
    const double scales[] = {1e308, 1e-300};
    for (int k = 0; k < 2; ++k) {
        double y[4], z[4];
        for (int i = 0; i < 4; ++i)
            y[i] = i == 2 ? NAN : scales[k] * (i / 3.0);
        sb_whittaker_report report;
        assert_null(smooth(4, y, 1e10, 2, z, &report));
        assert_true(fabs(z[2] / scales[k] - 2.0 / 3) < 1e-15);
    }
    const double steep[4] = {-1.7e308, 1.7e308, NAN, NAN};
    double z[4];
    sb_whittaker_report report;
    assert_non_null(smooth(4, steep, 1, 2, z, &report));
}

static void test_what_cannot_be_smoothed_is_refused_with_the_reason(void **state)
{
    (void)state;
    const double good[4] = {1, 2, 4, 3}, none[4] = {NAN, NAN, NAN, NAN}, one[4] = {NAN, 2, NAN, NAN},
                 infinite[4] = {1, INFINITY, 2, 3};
    const struct {
        const double *y;
        int64_t n;
        double lambda;
        int order;
        const char *word;
    } cases[] = {
        {good, 0, 1, 2, "empty"},       {none, 4, 1, 2, "missing"},  {one, 4, 1, 2, "too few"},
        {one, 2, 1, 3, "too few"},      {one, 4, 0, 1, "lambda 0"},  {infinite, 4, 1, 2, "infinite"},
        {good, 4, -1, 2, "lambda"},     {good, 4, NAN, 2, "lambda"}, {good, 4, INFINITY, 2, "lambda"},
        {good, 4, 1e-200, 2, "1e-100"}, {good, 4, 1, 0, "order"},    {good, 4, 1, 4, "order"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        double z[4];
        sb_whittaker_report report;
        const char *reason = smooth(cases[k].n, cases[k].y, cases[k].lambda, cases[k].order, z, &report);
        assert_non_null(reason);
        assert_non_null(strstr(reason, cases[k].word));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gdp_trend_equals_statsmodels),
        cmocka_unit_test(test_trend_equals_a_dense_solve),
        cmocka_unit_test(test_polynomials_are_reproduced),
        cmocka_unit_test(test_straight_line_is_exact),
        cmocka_unit_test(test_lambda_zero_returns_the_data),
        cmocka_unit_test(test_series_no_longer_than_the_order_is_its_own_trend),
        cmocka_unit_test(test_huge_lambda_gives_the_least_squares_line),
        cmocka_unit_test(test_trend_keeps_the_sum_of_a_long_series),
        cmocka_unit_test(test_long_runs_of_missing_values_are_filled),
        cmocka_unit_test(test_values_at_the_ends_of_the_range_are_smoothed),
        cmocka_unit_test(test_hopeless_conditioning_is_refused),
        cmocka_unit_test(test_what_cannot_be_smoothed_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
