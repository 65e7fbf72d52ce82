/* Block cyclic reduction on a GPU: the discrete operator applied to u gives f back, with as many sub-problems as on the CPU and
 * with its answers; every wall and length of the last axis, lines longer than a block's memory, captured. An argument: only
 * every so many problems (for tools that watch memory). Skips itself where there is no device. */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "tests/poisson/device.h"

static int every = 1, seen;

static const char *const methods[] = {"bcr2", "bcr4"};

static double *solve(const sample *s, const char *method, slimband_poisson_report *report)
{
    slimband_status status;
    double *u = device_solve(s, method, ++seen % 3 == 0, &status, report);
    if (status)
        fail_msg("%s of %s: %s", method, oracle_name(&s->problem), slimband_status_string(status));
    assert_string_equal(report->method, method);
    return u;
}

static void check(const slimband_poisson_problem *p, uint64_t seed)
{
    for (int m = 0; m < 2; ++m) {
        sample s = oracle_draw(p, seed);
        slimband_poisson_report report;
        double *u = solve(&s, methods[m], &report), error = oracle_backward_error(&s, u);
        if (!(error <= rounding(p)))
            fail_msg("%s of %s, f%d: backward error %.1e", methods[m], oracle_name(p),
                     p->scalar == SLIMBAND_F32 ? 32 : 64, error);
        free(u);
        oracle_free(&s);
    }
}

/* k even and odd, from one block on. */
static void test_every_wall_of_the_last_axis(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1,  2,  3,  4,   5,   8,   13,  31,  32,  33,
                                    63, 64, 65, 100, 127, 128, 255, 300, 521, 1030};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int k = 1, number = 0; k <= 8; ++k)
        for (int kind = 0; kind < KINDS; ++kind)
            for (int size = (k + kind) % 4; size < SIZES; size += 4, ++number) {
                slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){(1 << k) - 1, 1});
                p.axis[1] = oracle_axis(kind, sizes[size], size % 2 ? 0.75 : 20);
                p.fields = 1 + k % 3;
                p.lambda = k % 2 ? 0 : 3;
                p.scalar = number % 3 ? SLIMBAND_F64 : SLIMBAND_F32;
                if (number % every == 0)
                    check(&p, (uint64_t)number);
            }
}

static void test_three_axes(void **state)
{
    (void)state;
    for (int k = 2, number = 0; k <= 10; ++k)
        for (int kind = 0; kind < KINDS; kind += 3, ++number) {
            slimband_poisson_problem p =
                slimband_poisson(number % 3 ? SLIMBAND_F64 : SLIMBAND_F32, 3,
                                 (int64_t[]){(1 << k / 2) - 1, (1 << (k - k / 2)) - 1, 1});
            p.axis[1].length = 0.5;
            p.axis[2] = oracle_axis((kind + k) % KINDS, 2 + 5 * k + kind, 1.25);
            p.fields = 1 + number % 2;
            if (number % every == 0)
                check(&p, (uint64_t)number);
        }
}

/* Levels in device memory before those of a block. */
static void test_long_lines(void **state)
{
    (void)state;
    static const int64_t sizes[] = {20001, 28671, 65535, 100003};
    for (int k = 0; k < 4; ++k)
        for (int kind = k % 3; kind < KINDS; kind += 3 * every) {
            slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){k % 2 ? 3 : 7, 1});
            p.axis[1] = oracle_axis(kind, sizes[k], 50);
            check(&p, (uint64_t)kind);
            p.scalar = SLIMBAND_F32;
            check(&p, (uint64_t)kind);
        }
}

/* Two solutions with small backward errors may differ by the condition number, here a few n^2. */
static void test_answers_and_subproblems_are_the_cpus(void **state)
{
    (void)state;
    for (int k = 1; k <= 9; ++k)
        for (int m = 0; m < 2; ++m) {
            slimband_poisson_problem p = slimband_poisson(
                SLIMBAND_F64, 2 + k % 2, (int64_t[]){(1 << (k + 1) / 2) - 1, (1 << k) - 1, 20});
            p.axis[p.rank - 1].walls = k % 3 ? SLIMBAND_WALLS_DN : SLIMBAND_WALLS_PP;
            p.fields = 2;
            sample s = oracle_draw(&p, (uint64_t)k);
            slimband_status status;
            slimband_poisson_report here, there;
            double *v = oracle_solve(&s, slimband_cpu(1), methods[m], &status, &here), size = 0;
            assert_int_equal(status, SLIMBAND_OK);
            double *u = solve(&s, methods[m], &there);
            assert_int_equal(here.subproblems, there.subproblems);
            assert_int_equal(here.outer_subproblems, there.outer_subproblems);
            for (int64_t i = 0; i < p.fields * s.points; ++i)
                size = fmax(size, fabs(v[i]));
            for (int64_t i = 0; i < p.fields * s.points; ++i)
                if (!(fabs(u[i] - v[i]) <= 1e-12 * size))
                    fail_msg("%s of %s: %g is not %g", methods[m], oracle_name(&p), u[i], v[i]);
            free(u);
            free(v);
            oracle_free(&s);
        }
}

static void refuse(const slimband_poisson_problem *p, const char *method, slimband_status expected)
{
    slimband_poisson_plan *plan;
    assert_int_equal(slimband_poisson_plan_create(&plan, p, slimband_cuda(0, NULL), method), expected);
    assert_null(plan);
}

static void test_what_does_not_fit_is_refused(void **state)
{
    (void)state;
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){15, 9});
    refuse(&p, "bcr4:lines=thomas", SLIMBAND_UNKNOWN_OPTION);
    p.lambda = -1;
    refuse(&p, "bcr2", SLIMBAND_METHOD_NEEDS_LAMBDA);
    p.lambda = 0;
    p.axis[0].n = 14;
    refuse(&p, "bcr4", SLIMBAND_METHOD_NEEDS_BCR_SIZE);
    p.axis[0].n = 15;
    p.fields = 0;
    slimband_poisson_plan *plan;
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cuda(0, NULL), "bcr4"), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_solve(plan, NULL, NULL, NULL), SLIMBAND_OK);
    slimband_poisson_plan_destroy(plan);
}

static void test_solves_are_captured_and_have_the_same_bits(void **state)
{
    (void)state;
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 3, (int64_t[]){31, 15, 45});
    device_check_capture(&p, "bcr4");
}

int main(int argc, char **argv)
{
    every = device_begin(argc, argv);
    if (!every)
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_wall_of_the_last_axis),
        cmocka_unit_test(test_three_axes),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_answers_and_subproblems_are_the_cpus),
        cmocka_unit_test(test_what_does_not_fit_is_refused),
        cmocka_unit_test(test_solves_are_captured_and_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
