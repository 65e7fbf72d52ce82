/* What every build solves: block cyclic reduction, and lines. With FFTW or without. */
#include "tests/poisson/support.h"

#ifdef WITH_FFTW
enum { NEEDS = SLIMBAND_OK };
static const char *const chosen = "spectral";
#else
enum { NEEDS = SLIMBAND_NEEDS_FFTW };
static const char *const chosen = "bcr4";
#endif

static void check(slimband_poisson_problem p, const char *method, const char *name)
{
    slimband_status status;
    slimband_poisson_report report;
    sample s = oracle_draw(&p, 3);
    double *u = oracle_solve(&s, slimband_cpu(2), method, &status, &report);
    assert_int_equal(status, SLIMBAND_OK);
    assert_string_equal(report.method, name);
    hold(&s, u, &report, 3);
    free(u);
    oracle_free(&s);
}

static void test_block_cyclic_reduction_solves(void **state)
{
    (void)state;
    static const char *const methods[][2] = {{"bcr2", "bcr2"}, {"bcr4", "bcr4"}, {SLIMBAND_AUTO, chosen}};
    for (int k = 0; k < 3; ++k)
        for (int type = SLIMBAND_F32; type <= SLIMBAND_F64; ++type) {
            slimband_poisson_problem plane = slimband_poisson((slimband_scalar)type, 2, (int64_t[]){31, 20}),
                                     box = slimband_poisson((slimband_scalar)type, 3, (int64_t[]){7, 15, 12});
            plane.axis[1].walls = SLIMBAND_WALLS_PP;
            plane.fields = 3;
            box.axis[2].walls = SLIMBAND_WALLS_NN;
            check(plane, methods[k][0], methods[k][1]);
            check(box, methods[k][0], methods[k][1]);
        }
}

static void test_one_axis_needs_no_transforms(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 1, (int64_t[]){50});
        p.axis[0] = oracle_axis(kind, 50, 1);
        check(p, SLIMBAND_AUTO, "spectral");
    }
}

static void test_what_needs_transforms_says_so(void **state)
{
    (void)state;
    slimband_poisson_plan *plan;
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){31, 20});
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), "spectral"), NEEDS);
    slimband_poisson_plan_destroy(plan);
    p.axis[0].walls = SLIMBAND_WALLS_NN;
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), SLIMBAND_AUTO), NEEDS);
    slimband_poisson_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_cyclic_reduction_solves),
        cmocka_unit_test(test_one_axis_needs_no_transforms),
        cmocka_unit_test(test_what_needs_transforms_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
