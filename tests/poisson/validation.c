/* Every broken rule is named, and nothing is half done. */
#include "tests/poisson/support.h"

static slimband_poisson_problem good(void)
{
    return slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){7, 7});
}

static void refuse(const slimband_poisson_problem *p, const char *method, slimband_status expected)
{
    slimband_poisson_plan *plan = (slimband_poisson_plan *)&plan;
    slimband_status status = slimband_poisson_plan_create(&plan, p, slimband_cpu(1), method);
    if (status != expected)
        fail_msg("%s instead of %s", slimband_status_name(status), slimband_status_name(expected));
    assert_null(plan);
}

static void test_problems(void **state)
{
    (void)state;
    static const double bad_grid[] = {1, 1, 1, 0, 1, 1, 1, 1};
#define REFUSE(change, status)                        \
    do {                                              \
        slimband_poisson_problem p = good();          \
        p.change;                                     \
        refuse(&p, SLIMBAND_AUTO, SLIMBAND_##status); \
    } while (0)
    REFUSE(scalar = SLIMBAND_C128, BAD_POISSON_SCALAR);
    REFUSE(rank = 0, BAD_POISSON_RANK);
    REFUSE(rank = 4, BAD_POISSON_RANK);
    REFUSE(axis[1].n = 0, BAD_POISSON_SIZE);
    REFUSE(axis[1].n = -3, BAD_POISSON_SIZE);
    REFUSE(fields = -1, BAD_POISSON_SIZE);
    REFUSE(axis[0] = ((slimband_poisson_axis){1, 1, SLIMBAND_WALLS_NN, SLIMBAND_AT_NODES}), BAD_POISSON_SIZE);
    REFUSE(axis[0].length = 0, BAD_LENGTH);
    REFUSE(axis[0].length = INFINITY, BAD_LENGTH);
    REFUSE(axis[0].walls = (slimband_walls)0, BAD_WALLS);
    REFUSE(axis[0].walls = (slimband_walls)6, BAD_WALLS);
    REFUSE(axis[0].centring = (slimband_centring)2, BAD_CENTRING);
    REFUSE(lambda = NAN, BAD_LAMBDA);
    REFUSE(mean = INFINITY, BAD_LAMBDA);
    REFUSE(line_axis = 2, BAD_LINE_AXIS);
    REFUSE(line_axis = -2, BAD_LINE_AXIS);
    REFUSE(spacing = bad_grid, BAD_LINE_AXIS);
    REFUSE(axis[0].n = INT64_MAX / 16, TOO_LARGE);
    REFUSE(fields = INT64_MAX, TOO_LARGE);
#undef REFUSE
    slimband_poisson_problem p = good();
    p.line_axis = 1;
    p.spacing = bad_grid;
    refuse(&p, SLIMBAND_AUTO, SLIMBAND_BAD_GRID);
    p.spacing = NULL;
    p.coefficient = bad_grid;
    refuse(&p, SLIMBAND_AUTO, SLIMBAND_BAD_GRID);
    refuse(NULL, SLIMBAND_AUTO, SLIMBAND_NULL_ARGUMENT);
    slimband_poisson_problem none = slimband_poisson(SLIMBAND_F64, 2, NULL);
    refuse(&none, SLIMBAND_AUTO, SLIMBAND_BAD_POISSON_SIZE);
}

static void test_spacings_whose_squares_leave_the_type(void **state)
{
    (void)state;
    static const double f64[] = {1e-200, 1e-155, 1e155, 1e200}, f32[] = {1e-19, 1e20},
                        fine[] = {1e-15, 1, 1e15};
    for (int walls = SLIMBAND_WALLS_DD; walls <= SLIMBAND_WALLS_PP; ++walls)
        for (int k = 0; k < 9; ++k) {
            slimband_poisson_problem p = good();
            p.scalar = k < 4 ? SLIMBAND_F64 : SLIMBAND_F32;
            p.axis[0].length = k < 4 ? f64[k] : k < 6 ? f32[k - 4] : fine[k - 6];
            p.axis[0].walls = (slimband_walls)walls;
            if (k < 6) {
                refuse(&p, SLIMBAND_AUTO, SLIMBAND_POISSON_OUT_OF_RANGE);
                continue;
            }
            p.axis[1].length = p.axis[0].length;
            sample s = oracle_draw(&p, 1);
            slimband_status status;
            slimband_poisson_report report;
            free(oracle_solve(&s, slimband_cpu(1), SLIMBAND_AUTO, &status, &report));
            assert_int_equal(status, SLIMBAND_OK);
            oracle_free(&s);
        }
}

/* On a GPU fitting comes before the device, which need not be there. */
static void test_methods_and_executors(void **state)
{
    (void)state;
    slimband_poisson_problem p = good();
    refuse(&p, "multigrid", SLIMBAND_UNKNOWN_METHOD);
    refuse(&p, "bcr", SLIMBAND_UNKNOWN_METHOD);
    refuse(&p, "auto:measure", SLIMBAND_UNKNOWN_OPTION);
    refuse(&p, "spectral:fast", SLIMBAND_UNKNOWN_OPTION);
    refuse(&p, "bcr4:radix=8", SLIMBAND_UNKNOWN_OPTION);
    refuse(&p, "bcr4:lines=nonsense", SLIMBAND_UNKNOWN_METHOD);
    refuse(&p, NULL, SLIMBAND_NULL_ARGUMENT);
    p.lambda = -1;
    refuse(&p, "bcr2", SLIMBAND_METHOD_NEEDS_LAMBDA);
    p.lambda = 0;
    p.axis[0].n = 8;
    refuse(&p, "bcr2", SLIMBAND_METHOD_NEEDS_BCR_SIZE);
    p.axis[0].n = 7;
    p.axis[0].walls = SLIMBAND_WALLS_DN;
    refuse(&p, "bcr4", SLIMBAND_METHOD_NEEDS_BCR_SIZE);
    p.axis[0].walls = SLIMBAND_WALLS_DD;
    p.rank = 1;
    refuse(&p, "bcr4", SLIMBAND_METHOD_NEEDS_BCR_SIZE);
    slimband_poisson_plan *plan;
    slimband_executor executor = slimband_cpu(-1);
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, executor, SLIMBAND_AUTO), SLIMBAND_BAD_THREADS);
    executor = (slimband_executor){0};
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, executor, SLIMBAND_AUTO), SLIMBAND_BAD_EXECUTOR);
    p = good();
    double coefficient[8] = {1, 1, 1, 1, 1, 1, 1, 2};
    p.line_axis = 1;
    p.coefficient = coefficient;
    executor.place = SLIMBAND_ON_CUDA;
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, executor, "bcr2"), NOT_ON_A_GPU);
    executor.place = SLIMBAND_ON_MPI;
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, executor, SLIMBAND_AUTO),
                     SLIMBAND_METHOD_NOT_HERE);
    assert_int_equal(slimband_poisson_plan_create(NULL, &p, slimband_cpu(1), SLIMBAND_AUTO),
                     SLIMBAND_NULL_ARGUMENT);
}

static void test_calls(void **state)
{
    (void)state;
    slimband_poisson_problem p = good();
    double u[49] = {0}, x[7];
    slimband_poisson_plan *plan;
    slimband_poisson_report report;
    slimband_poisson_error error;
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_solve(NULL, u, NULL, u), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_solve(plan, NULL, NULL, u), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_solve(plan, u, NULL, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_plan_report(plan, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_plan_report(NULL, &report), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_residual(&p, u, NULL, u, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_residual(&p, NULL, NULL, u, &error), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_poisson_points(&p, 2, x), SLIMBAND_BAD_AXIS);
    assert_int_equal(slimband_poisson_points(&p, 0, NULL), SLIMBAND_NULL_ARGUMENT);
    slimband_poisson_plan_destroy(plan);
    slimband_poisson_plan_destroy(NULL);
}

static void test_no_fields_is_no_work(void **state)
{
    (void)state;
    static const char *const methods[] = {"spectral", "bcr2", "bcr4"};
    slimband_poisson_problem p = good();
    p.fields = 0;
    for (int m = 0; m < 3; ++m) {
        slimband_poisson_plan *plan;
        slimband_poisson_report report;
        assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(2), methods[m]), SLIMBAND_OK);
        assert_int_equal(slimband_poisson_solve(plan, NULL, NULL, NULL), SLIMBAND_OK);
        assert_int_equal(slimband_poisson_plan_report(plan, &report), SLIMBAND_OK);
        assert_string_equal(report.method, methods[m]);
        assert_int_equal(report.threads, 2);
        slimband_poisson_plan_destroy(plan);
    }
}

static void test_in_place_and_repeated_solves_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const methods[] = {"spectral", "spectral:measure", "bcr2", "bcr4"};
    for (int m = 0; m < 4; ++m) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){31, 20});
        sample s = oracle_draw(&p, 9);
        double u[31 * 20], v[31 * 20];
        slimband_poisson_plan *plan;
        assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), methods[m]), SLIMBAND_OK);
        memcpy(v, s.f, sizeof v);
        assert_int_equal(slimband_poisson_solve(plan, v, &s.boundary, v), SLIMBAND_OK);
        assert_int_equal(slimband_poisson_solve(plan, s.f, &s.boundary, u), SLIMBAND_OK);
        assert_memory_equal(u, v, sizeof u);
        slimband_poisson_plan_destroy(plan);
        oracle_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems),
        cmocka_unit_test(test_spacings_whose_squares_leave_the_type),
        cmocka_unit_test(test_methods_and_executors),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_no_fields_is_no_work),
        cmocka_unit_test(test_in_place_and_repeated_solves_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
