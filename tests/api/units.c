/* One equation in other units, whichever it is: of dominant systems each method finds all digits. Errors are componentwise, which
 * no unit changes. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "slimband/plan.h"
#include "slimband/residual.h"

enum { LONGEST = 67 };

static double band[5][LONGEST], b[LONGEST], x[LONGEST];

static const void *const tridiagonal[] = {band[1], band[2], band[3]};
static const void *const pentadiagonal[] = {band[0], band[1], band[2], band[3], band[4]};

static void fill(int n, int row, double unit)
{
    static const double of_row[5] = {0.5, -1, 4, -1, 0.25};
    for (int i = 0; i < n; ++i) {
        for (int d = 0; d < 5; ++d)
            band[d][i] = of_row[d] * (i == row ? unit : 1);
        b[i] = (i % 7 - 3.5) * (i == row ? unit : 1);
    }
}

/* False where the method does not take the problem. */
static bool check(slimband_problem p, const char *method, const void *const *matrix, int row)
{
    slimband_plan *plan;
    slimband_backward_error error;
    if (slimband_plan_create(&plan, &p, slimband_cpu(1), method))
        return false;
    fill((int)p.n, row, 0x1p70);
    assert_int_equal(slimband_factor_solve(plan, matrix, b, x), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    assert_int_equal(slimband_residual(&p, matrix, b, x, &error), SLIMBAND_OK);
    if (!(error.componentwise <= 16 * DBL_EPSILON))
        fail_msg("%s, n = %d, row %d: %g", method, (int)p.n, row, error.componentwise);
    return true;
}

static void test_an_equation_may_have_any_size(void **state)
{
    (void)state;
    static const char *const methods[] = {"thomas", "twisted", "lu",       "lanes", "partition",  "cr",
                                          "pcr",    "tpr",     "wang_mou", "auto",  "pcr_thomas", "pivoted_lu"};
    static const int lengths[] = {2, 3, 4, 5, 8, 31, 64, LONGEST};
    int solved = 0;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l)
            for (int end = 0; end < 2; ++end) {
                int n = lengths[l], row = end ? n - 1 : 0;
                slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, n);
                solved += check(p, methods[m], tridiagonal, row);
                p.ends = SLIMBAND_PERIODIC;
                solved += n >= 3 && check(p, methods[m], tridiagonal, row);
                p = slimband_pentadiagonal(SLIMBAND_F64, n);
                solved += check(p, methods[m], pentadiagonal, row);
                p.ends = SLIMBAND_PERIODIC;
                solved += n >= 5 && check(p, methods[m], pentadiagonal, row);
            }
    assert_true(solved > 400);
}

/* The first unknown, over its pivot before the other is known, would be 1e350. */
static void test_twisted_pivots_where_the_way_there_leaves_the_range(void **state)
{
    (void)state;
    const double lower[] = {NAN, 1e-200}, diagonal[] = {1e-200, 2}, upper[] = {1, NAN}, rhs[] = {1e150, 2e150};
    const void *const matrix[] = {lower, diagonal, upper};
    double unknowns[2];
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 2);
    slimband_plan *plan;
    slimband_report report;
    p.one_pass = true;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), "twisted"), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, matrix, rhs, unknowns), SLIMBAND_OK);
    assert_true(unknowns[0] == 0 && unknowns[1] == 1e150);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.pivoted, 1);
    slimband_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_equation_may_have_any_size),
        cmocka_unit_test(test_twisted_pivots_where_the_way_there_leaves_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
