/* Second order towards a smooth exact solution, for every pair of walls x centring, on uniform and on stretched grids with
 * a variable coefficient. */
#include "tests/poisson/support.h"

enum { REFINEMENTS = 3 };

static const double two_pi = 6.283185307179586;

/* Periodic, and neither value nor slope vanishes at 0 and 1. */
static double g(double x)
{
    return exp(sin(two_pi * x + 0.3));
}

static double dg(double x)
{
    return two_pi * cos(two_pi * x + 0.3) * g(x);
}

static double ddg(double x)
{
    double c = cos(two_pi * x + 0.3);
    return two_pi * two_pi * (c * c - sin(two_pi * x + 0.3)) * g(x);
}

static double a(double x)
{
    return 1 + 0.5 * sin(two_pi * x + 1);
}

static double da(double x)
{
    return 0.5 * two_pi * cos(two_pi * x + 1);
}

/* A smooth map of [0, 1] onto itself, or the identity. */
static double stretch(double s, bool varying)
{
    return varying ? s + 0.08 * sin(two_pi * s) : s;
}

/* spacing and coefficient of axis 0, cut from the map as the header says. */
static void vary(slimband_poisson_problem *p, double *spacing, double *coefficient)
{
    const slimband_poisson_axis *axis = &p->axis[0];
    int64_t n = axis->n;
    double h = oracle_h(axis);
    bool cells = axis->centring == SLIMBAND_AT_CELLS, ring = axis->walls == SLIMBAND_WALLS_PP;
    for (int64_t k = 0; k <= n; ++k) {
        double low = stretch((double)k * h, true), high = stretch((double)(k + 1) * h, true);
        spacing[k] = fabs(high - low);
        coefficient[k] = a(cells ? low : (low + high) / 2);
    }
    if (cells && ring)
        coefficient[n] = coefficient[0];
    p->line_axis = 0;
    p->spacing = spacing;
    p->coefficient = coefficient;
}

static double error_of(slimband_poisson_problem p, bool varying)
{
    int64_t n0 = p.axis[0].n, n1 = p.axis[1].n;
    double spacing[200], coefficient[200], x[200], y[200];
    if (varying)
        vary(&p, spacing, coefficient);
    assert_int_equal(slimband_poisson_points(&p, 0, x), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_points(&p, 1, y), SLIMBAND_OK);
    sample s = oracle_draw(&p, 1);
    double *exact = malloc((size_t)s.points * sizeof *exact), total = 0, sum = 0;
    for (int64_t i = 0; i < n0; ++i)
        for (int64_t j = 0; j < n1; ++j) {
            double ax = varying ? a(x[i]) : 1, dax = varying ? da(x[i]) : 0;
            exact[i * n1 + j] = g(x[i]) * g(y[j]);
            s.f[i * n1 + j] = p.lambda * g(x[i]) * g(y[j]) - (ax * ddg(x[i]) + dax * dg(x[i])) * g(y[j]) -
                              g(x[i]) * ddg(y[j]);
        }
    for (int side = 0; side < 2; ++side) {
        bool neumann[2];
        for (int k = 0; k < 2; ++k) {
            slimband_walls one = side ? SLIMBAND_WALLS_DN : SLIMBAND_WALLS_ND;
            neumann[k] = p.axis[k].walls == SLIMBAND_WALLS_NN || p.axis[k].walls == one;
        }
        for (int64_t j = 0; j < n1; ++j)
            s.side[0][side][j] = (neumann[0] ? dg(side) : g(side)) * g(y[j]);
        for (int64_t i = 0; i < n0; ++i)
            s.side[1][side][i] = (neumann[1] ? dg(side) : g(side)) * g(x[i]);
    }
    slimband_status status;
    slimband_poisson_report report;
    double *u = oracle_solve(&s, slimband_cpu(1), SLIMBAND_AUTO, &status, &report), worst = 0;
    assert_int_equal(status, SLIMBAND_OK);
    /* A solution that is known but for a constant is compared with its mean. */
    for (int64_t i = 0; i < s.points; ++i) {
        sum += report.singular ? exact[i] - u[i] : 0;
        total += 1;
    }
    for (int64_t i = 0; i < s.points; ++i)
        worst = fmax(worst, fabs(u[i] + sum / total - exact[i]));
    free(exact);
    free(u);
    oracle_free(&s);
    return worst;
}

static void check_order(int kind0, int kind1, double lambda, bool varying)
{
    double error[REFINEMENTS];
    for (int r = 0; r < REFINEMENTS; ++r) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){1, 1});
        p.axis[0] = oracle_axis(kind0, 20 << r, 1);
        p.axis[1] = oracle_axis(kind1, 20 << r, 1);
        p.lambda = lambda;
        error[r] = error_of(p, varying);
    }
    double order = log2(error[REFINEMENTS - 2] / error[REFINEMENTS - 1]);
    if (!(order > 1.8 && order < 2.4 && error[0] < 1.5))
        fail_msg("kinds %d, %d, lambda %g: errors %.2e %.2e %.2e, order %.2f", kind0, kind1, lambda, error[0],
                 error[1], error[2], order);
}

static void test_uniform(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS * KINDS; ++kind)
        check_order(kind % KINDS, kind / KINDS, kind % 3, false);
}

static void test_stretched_with_a_variable_coefficient(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS * KINDS; ++kind)
        check_order(kind % KINDS, kind / KINDS, kind % 2, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_stretched_with_a_variable_coefficient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
