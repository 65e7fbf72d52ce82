/* What is not determined, and what is not solvable. */
#include "tests/poisson/support.h"

static slimband_poisson_problem floating(int kind, int64_t n0, int64_t n1)
{
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){n0, n1});
    p.axis[0] = oracle_axis(kind, n0, 1);
    p.axis[1] = oracle_axis(3, n1, 2);
    p.line_axis = 0;
    return p;
}

static const int floating_kinds[] = {3, 4, 8, 9}; /* nn and pp, at nodes and at cells */

static void test_a_constant_is_projected_away_and_the_mean_is_set(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        slimband_poisson_problem p = floating(floating_kinds[k], 9, 14);
        p.mean = -2.5;
        double f[9 * 14], u[9 * 14];
        for (int i = 0; i < 9 * 14; ++i)
            f[i] = 3.75;
        slimband_poisson_plan *plan;
        slimband_poisson_report report;
        assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
        assert_int_equal(slimband_poisson_solve(plan, f, NULL, u), SLIMBAND_OK);
        slimband_poisson_plan_report(plan, &report);
        assert_true(report.singular);
        assert_true(fabs(report.projected - 3.75) < 1e-13);
        for (int i = 0; i < 9 * 14; ++i)
            assert_true(fabs(u[i] + 2.5) < 1e-13);
        slimband_poisson_plan_destroy(plan);
    }
}

static double *solve_here(const sample *s, slimband_status *status, slimband_poisson_report *report)
{
    return oracle_solve(s, slimband_cpu(2), SLIMBAND_AUTO, status, report);
}

static void test_a_right_hand_side_with_a_mean_is_solved_to_rounding(void **state)
{
    (void)state;
    hold_every_level(SLIMBAND_F64, solve_here);
    hold_every_level(SLIMBAND_F32, solve_here);
}

/* A million signs in turn: what each of a million eliminations rounds adds up in the equation that is left out. */
static void test_long_lines_are_solved_to_rounding(void **state)
{
    (void)state;
    enum { N = 1000000 };
    double *f = malloc(N * sizeof *f), *u = malloc(N * sizeof *u);
    for (int i = 0; i < N; ++i)
        f[i] = 1.0 / 3 + (i % 2 ? -3.14 : 3.14);
    for (int k = 0; k < 4; ++k) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 1, (int64_t[]){N});
        p.axis[0] = oracle_axis(floating_kinds[k], N, 1);
        slimband_poisson_plan *plan;
        slimband_poisson_error error;
        assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
        assert_int_equal(slimband_poisson_solve(plan, f, NULL, u), SLIMBAND_OK);
        assert_int_equal(slimband_poisson_residual(&p, f, NULL, u, &error), SLIMBAND_OK);
        if (!(error.normwise <= rounding(&p)))
            fail_msg("%s: backward error %.1f eps", oracle_name(&p), error.normwise / DBL_EPSILON);
        slimband_poisson_plan_destroy(plan);
    }
    free(f);
    free(u);
}

/* The residual's own projection, and the solver's. */
static void test_the_residual_knows_what_is_projected(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        slimband_poisson_problem p = floating(floating_kinds[k], 10, 7);
        p.fields = 3;
        sample s = oracle_draw(&p, 5);
        slimband_status status;
        slimband_poisson_report report;
        slimband_poisson_error error;
        double *u = oracle_solve(&s, slimband_cpu(2), SLIMBAND_AUTO, &status, &report);
        assert_int_equal(slimband_poisson_residual(&p, s.f, &s.boundary, u, &error), SLIMBAND_OK);
        assert_true(error.normwise < rounding(&p));
        assert_true(fabs(error.projected - report.projected) < 1e-12);
        u[17] += 1e-6;
        assert_int_equal(slimband_poisson_residual(&p, s.f, &s.boundary, u, &error), SLIMBAND_OK);
        assert_true(error.normwise > 1e-9);
        u[17] = NAN;
        assert_int_equal(slimband_poisson_residual(&p, s.f, &s.boundary, u, &error), SLIMBAND_OK);
        assert_true(isinf(error.normwise));
        free(u);
        oracle_free(&s);
    }
}

/* Modes number i, j of an axis pair: minus the sum of their eigenvalues, by the textbook's formula for nodes between
   Dirichlet walls (kind 0) and cells between Neumann walls (kind 8). */
static double eigenvalue(const slimband_poisson_axis *axis, int64_t k)
{
    const double pi = 3.14159265358979323846;
    double h = oracle_h(axis);
    bool cells = axis->centring == SLIMBAND_AT_CELLS;
    return (2 - 2 * cos(pi * (double)(cells ? k : k + 1) / (double)(cells ? axis->n : axis->n + 1))) / (h * h);
}

static slimband_status created(const slimband_poisson_problem *p)
{
    slimband_poisson_plan *plan;
    slimband_status status = slimband_poisson_plan_create(&plan, p, slimband_cpu(1), SLIMBAND_AUTO);
    slimband_poisson_plan_destroy(plan);
    return status;
}

static void check_near(int kind, bool varying)
{
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){1, 1});
    p.axis[0] = oracle_axis(kind, 24, 1);
    p.axis[1] = oracle_axis(0, 31, 1);
    double spacing[25];
    for (int i = 0; i < 25; ++i)
        spacing[i] = oracle_h(&p.axis[0]);
    p.line_axis = 0;
    p.spacing = varying ? spacing : NULL;
    for (int64_t i = 0; i < 24; i += 5)
        for (int64_t j = 0; j < 31; j += 7) {
            double sum = eigenvalue(&p.axis[0], i) + eigenvalue(&p.axis[1], j);
            p.lambda = -sum;
            assert_int_equal(created(&p), SLIMBAND_NEAR_EIGENVALUE);
            p.lambda = -sum * (1 + 1e-6); /* indefinite, but far enough from every eigenvalue here */
            sample s = oracle_draw(&p, (uint64_t)(i + j));
            slimband_status status;
            slimband_poisson_report report;
            double *u = oracle_solve(&s, slimband_cpu(1), SLIMBAND_AUTO, &status, &report);
            assert_int_equal(status, SLIMBAND_OK);
            assert_true(oracle_backward_error(&s, u) < rounding(&p));
            free(u);
            oracle_free(&s);
        }
}

static void test_helmholtz_on_an_eigenvalue_is_refused_and_beside_it_is_solved(void **state)
{
    (void)state;
    for (int varying = 0; varying < 2; ++varying) {
        check_near(0, varying);
        check_near(8, varying);
    }
}

static void test_a_ring_on_an_eigenvalue_is_refused(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 9; ++n) {
        double spacing[8];
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 1, &n);
        p.axis[0].walls = SLIMBAND_WALLS_PP;
        p.line_axis = 0;
        for (int i = 0; i < n; ++i)
            spacing[i] = 1 / (double)n;
        for (int varying = 0; varying < 2; ++varying) {
            p.spacing = varying ? spacing : NULL;
            double nn = (double)(n * n),
                   largest = n % 2 ? 2 - 2 * cos(3.14159265358979323846 * (double)(n - 1) / (double)n) : 4;
            p.lambda = n == 1 ? -1 : -largest * nn;
            assert_int_equal(created(&p), n == 1 ? SLIMBAND_OK : SLIMBAND_NEAR_EIGENVALUE);
            p.lambda = -1.01 * largest * nn - 1;
            assert_int_equal(created(&p), SLIMBAND_OK);
        }
    }
}

static void test_a_lambda_lost_in_rounding_is_refused(void **state)
{
    (void)state;
    slimband_poisson_problem p = floating(3, 8, 8);
    p.lambda = 1e-18;
    assert_int_equal(created(&p), SLIMBAND_NEAR_EIGENVALUE);
    p.lambda = 1e-8;
    assert_int_equal(created(&p), SLIMBAND_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_constant_is_projected_away_and_the_mean_is_set),
        cmocka_unit_test(test_a_right_hand_side_with_a_mean_is_solved_to_rounding),
        cmocka_unit_test(test_long_lines_are_solved_to_rounding),
        cmocka_unit_test(test_the_residual_knows_what_is_projected),
        cmocka_unit_test(test_helmholtz_on_an_eigenvalue_is_refused_and_beside_it_is_solved),
        cmocka_unit_test(test_a_ring_on_an_eigenvalue_is_refused),
        cmocka_unit_test(test_a_lambda_lost_in_rounding_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
