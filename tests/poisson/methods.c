/* Methods among themselves, against LAPACK, and the numbers of their sub-problems. */
#include "tests/poisson/support.h"

extern void dgbsv_(const int *n, const int *kl, const int *ku, const int *nrhs, double *ab, const int *ldab,
                   int *ipiv, double *b, const int *ldb, int *info);

static int64_t log2_of(int64_t power)
{
    int64_t k = 0;
    while (power > 1) {
        power /= 2;
        ++k;
    }
    return k;
}

/* (17) and (18) of the paper; radix 4 with k odd has the mixed step, which the paper does not count. */
static int64_t expected(int radix, int64_t n)
{
    int64_t k = log2_of(n + 1);
    if (radix == 2)
        return (n + 1) * (k - 1) + 1;
    return k % 2 ? 3 * (k - 1) * (n + 1) / 4 + 1 : (n + 1) * 3 * k / 4 - (n + 1) + 1;
}

static slimband_poisson_report solved(int rank, const int64_t *extents, const char *method)
{
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, rank, extents);
    sample s = oracle_draw(&p, 1);
    slimband_status status;
    slimband_poisson_report report;
    double *u = oracle_solve(&s, slimband_cpu(2), method, &status, &report);
    assert_int_equal(status, SLIMBAND_OK);
    free(u);
    oracle_free(&s);
    return report;
}

static void test_subproblems_are_as_many_as_the_paper_counts(void **state)
{
    (void)state;
    for (int k = 1; k <= 9; ++k)
        for (int radix = 2; radix <= 4; radix += 2) {
            int64_t n = (1 << k) - 1;
            slimband_poisson_report r = solved(2, (int64_t[]){n, 7}, radix == 2 ? "bcr2" : "bcr4");
            assert_int_equal(r.outer_subproblems, expected(radix, n));
            assert_int_equal(r.subproblems, r.outer_subproblems);
        }
    for (int radix = 2; radix <= 4; radix += 2) {
        slimband_poisson_report r = solved(3, (int64_t[]){15, 31, 5}, radix == 2 ? "bcr2" : "bcr4");
        assert_int_equal(r.outer_subproblems, expected(radix, 15));
        assert_int_equal(r.subproblems, expected(radix, 15) * expected(radix, 31));
    }
}

/* Two solutions with small backward errors may differ by the condition number, here a few n^2. */
static void check_agreement(const slimband_poisson_problem *p, const char *first, const char *second)
{
    sample s = oracle_draw(p, 7);
    slimband_status status;
    slimband_poisson_report report;
    double *u = oracle_solve(&s, slimband_cpu(2), first, &status, &report);
    assert_int_equal(status, SLIMBAND_OK);
    double *v = oracle_solve(&s, slimband_cpu(1), second, &status, &report);
    assert_int_equal(status, SLIMBAND_OK);
    double apart = 0, size = 0;
    for (int64_t i = 0; i < p->fields * s.points; ++i) {
        apart = fmax(apart, fabs(u[i] - v[i]));
        size = fmax(size, fabs(v[i]));
    }
    assert_true(apart <= 1e-12 * size);
    free(u);
    free(v);
    oracle_free(&s);
}

static void test_methods_agree(void **state)
{
    (void)state;
    static const char *const methods[] = {"bcr2", "bcr4", "bcr2:lines=thomas", "bcr4:lines=auto", "spectral"};
    for (int m = 0; m < 4; ++m) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){63, 50});
        p.axis[1].walls = SLIMBAND_WALLS_NN;
        p.fields = 2;
        check_agreement(&p, methods[m], methods[m + 1]);
        slimband_poisson_problem q = slimband_poisson(SLIMBAND_F64, 3, (int64_t[]){15, 31, 20});
        check_agreement(&q, methods[m], methods[m + 1]);
    }
}

/* The whole matrix as a band of full width, column by column from the oracle. */
static double *lapack_solve(const sample *s)
{
    int n = (int)s->points, k = n - 1, one = 1, ld = 3 * k + 1, info;
    double *ab = calloc((size_t)ld * (size_t)n, sizeof *ab), *u = calloc((size_t)n, sizeof *u);
    int *pivots = malloc((size_t)n * sizeof *pivots);
    double *b = malloc((size_t)n * sizeof *b);
    int64_t n1 = s->problem.axis[1].n;
    for (int i = 0; i < n; ++i)
        b[i] = s->f[i] - (double)oracle_apply(s, u, 0, (int64_t[]){i / n1, i % n1, 0});
    sample bare = *s;
    for (int a = 0; a < 2; ++a)
        for (int side = 0; side < 2; ++side)
            bare.side[a][side] = calloc((size_t)n, sizeof(double));
    for (int j = 0; j < n; ++j) {
        u[j] = 1;
        for (int i = 0; i < n; ++i)
            ab[2 * k + i - j + j * ld] = (double)oracle_apply(&bare, u, 0, (int64_t[]){i / n1, i % n1, 0});
        u[j] = 0;
    }
    dgbsv_(&n, &k, &k, &one, ab, &ld, pivots, b, &n, &info);
    assert_int_equal(info, 0);
    for (int a = 0; a < 2; ++a)
        for (int side = 0; side < 2; ++side)
            free(bare.side[a][side]);
    free(ab);
    free(u);
    free(pivots);
    return b;
}

static void test_lapack_agrees_at_small_sizes(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS * KINDS; ++kind) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){1, 1});
        p.axis[0] = oracle_axis(kind % KINDS, 3 + kind % 5, 1.5);
        p.axis[1] = oracle_axis(kind / KINDS, 2 + kind % 6, 0.5);
        p.lambda = oracle_singular(&p) ? 2 : 0;
        sample s = oracle_draw(&p, (uint64_t)kind);
        slimband_status status;
        slimband_poisson_report report;
        double *u = oracle_solve(&s, slimband_cpu(1), SLIMBAND_AUTO, &status, &report), *v = lapack_solve(&s);
        assert_int_equal(status, SLIMBAND_OK);
        double size = 0;
        for (int64_t i = 0; i < s.points; ++i)
            size = fmax(size, fabs(v[i]));
        for (int64_t i = 0; i < s.points; ++i)
            if (!(fabs(u[i] - v[i]) <= 1e-12 * size))
                fail_msg("%s: %g is not %g", oracle_name(&p), u[i], v[i]);
        free(u);
        free(v);
        oracle_free(&s);
    }
}

static void test_the_same_bits_with_any_number_of_threads(void **state)
{
    (void)state;
    static const char *const methods[] = {"spectral", "bcr2", "bcr4"};
    for (int m = 0; m < 3; ++m) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){127, 45});
        sample s = oracle_draw(&p, 3);
        slimband_status status;
        slimband_poisson_report report;
        double *u = oracle_solve(&s, slimband_cpu(1), methods[m], &status, &report);
        double *v = oracle_solve(&s, slimband_cpu(3), methods[m], &status, &report);
        assert_memory_equal(u, v, (size_t)s.points * sizeof *u);
        free(u);
        free(v);
        oracle_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subproblems_are_as_many_as_the_paper_counts),
        cmocka_unit_test(test_methods_agree),
        cmocka_unit_test(test_lapack_agrees_at_small_sizes),
        cmocka_unit_test(test_the_same_bits_with_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
