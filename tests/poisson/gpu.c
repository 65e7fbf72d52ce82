/* The Poisson solvers on a GPU: the discrete operator applied to u gives f back, for every pair of walls x centring on every
 * axis; beside the CPU; in place, captured, with non-uniform axes and in the way of an eigenvalue. An argument: only every
 * so many combinations (for tools that watch memory). Skips itself where there is no device. */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "tests/poisson/device.h"

static int every = 1;

static void check(const slimband_poisson_problem *p, uint64_t seed)
{
    sample s = oracle_draw(p, seed);
    slimband_status status;
    slimband_poisson_report report;
    double *u = device_solve(&s, SLIMBAND_AUTO, seed % 3 == 0, &status, &report);
    if (status)
        fail_msg("%s, seed %llu: %s", oracle_name(p), (unsigned long long)seed, slimband_status_string(status));
    hold(&s, u, &report, seed);
    free(u);
    oracle_free(&s);
}

static void test_rank(int rank, slimband_scalar scalar, int rounds)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 11, 12, 16, 17, 31, 35, 63, 67, 101, 130};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    int kinds = 1;
    for (int a = 0; a < rank; ++a)
        kinds *= KINDS;
    sb_random random = sb_random_seeded(40 + (uint64_t)rank);
    for (int kind = 0; kind < rounds * kinds; ++kind) {
        slimband_poisson_problem p = slimband_poisson(scalar, rank, (int64_t[]){1, 1, 1});
        for (int a = 0, left = kind; a < rank; ++a, left /= KINDS) {
            int64_t n = sizes[sb_random_between(&random, 0, rank == 3 ? 10 : SIZES - 1)];
            p.axis[a] = oracle_axis(left % KINDS, n, 0.5 + sb_random_unit(&random));
        }
        draw_rest(&p, &random);
        uint64_t seed = sb_random_bits(&random);
        if (kind % every == 0)
            check(&p, seed);
    }
}

static void test_one_axis(void **state)
{
    (void)state;
    test_rank(1, SLIMBAND_F64, 30);
    test_rank(1, SLIMBAND_F32, 10);
}

static void test_two_axes(void **state)
{
    (void)state;
    test_rank(2, SLIMBAND_F64, 6);
    test_rank(2, SLIMBAND_F32, 3);
}

static void test_three_axes(void **state)
{
    (void)state;
    test_rank(3, SLIMBAND_F64, 1);
    test_rank(3, SLIMBAND_F32, 1);
}

/* Lines longer than a block's memory, convolutions in it and beyond it, sines in levels, many pairs in a block. */
static void test_larger_sizes(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1023, 1021, 2047, 4095, 5003, 8191, 9001, 16000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        for (int kind = (int)k % every; kind < KINDS; kind += every) {
            slimband_poisson_problem p =
                slimband_poisson(kind % 3 ? SLIMBAND_F64 : SLIMBAND_F32, 2, (int64_t[]){1, 1});
            p.axis[0] = oracle_axis((kind + 3) % KINDS, 21, 1);
            p.axis[1] = oracle_axis(kind, sizes[k], 1);
            p.line_axis = 0;
            check(&p, k);
            slimband_poisson_problem q =
                slimband_poisson(kind % 3 ? SLIMBAND_F64 : SLIMBAND_F32, 3, (int64_t[]){1, 1, 1});
            q.axis[0] = oracle_axis((kind + 3) % KINDS, 5, 1);
            q.axis[1] = oracle_axis(kind, sizes[k], 1);
            q.axis[2] = oracle_axis((kind + 6) % KINDS, 3, 1);
            q.line_axis = kind % 2 ? 0 : 2;
            check(&q, k);
        }
}

/* Lines that are transformed by orbits: contiguous ones and strided ones, a few and more than a block takes. */
static void test_transforms_of_power_of_two_axes(void **state)
{
    (void)state;
    enum { SIZES = 7, SHAPES = 3 };
    static const int64_t shapes[SHAPES][2] = {{7, 1}, {4, 3}, {1, 19}};
    for (int trial = 0; trial<SIZES * SHAPES * KINDS; trial += every> 1 ? 17 : 1) {
        int kind = trial % KINDS, shape = trial / KINDS % SHAPES;
        int64_t size = INT64_C(128) << trial / KINDS / SHAPES;
        slimband_poisson_axis axis = oracle_axis(kind, size, 1);
        if (axis.centring == SLIMBAND_AT_NODES)
            axis.n += axis.walls == SLIMBAND_WALLS_DD ? -1 : axis.walls == SLIMBAND_WALLS_NN ? 1 : 0;
        slimband_poisson_problem p =
            slimband_poisson(trial % 3 ? SLIMBAND_F64 : SLIMBAND_F32, shape ? 3 : 2, (int64_t[]){1, 1, 1});
        p.axis[0] = oracle_axis((kind + 3) % KINDS, shapes[shape][0], 1);
        p.axis[1] = axis;
        p.axis[2] = oracle_axis((kind + 6) % KINDS, shapes[shape][1], 1);
        p.line_axis = 0;
        check(&p, (uint64_t)trial);
    }
}

/* Beside the CPU, whose answers the other tests hold to LAPACK and to exact solutions. */
static void agree(const slimband_poisson_problem *p, uint64_t seed, double tolerance)
{
    sample s = oracle_draw(p, seed);
    slimband_status status;
    slimband_poisson_report report;
    double *v = oracle_solve(&s, slimband_cpu(1), "spectral", &status, &report);
    assert_int_equal(status, SLIMBAND_OK);
    double *u = device_solve(&s, SLIMBAND_AUTO, false, &status, &report), size = 0;
    assert_int_equal(status, SLIMBAND_OK);
    for (int64_t i = 0; i < p->fields * s.points; ++i)
        size = fmax(size, fabs(v[i]));
    for (int64_t i = 0; i < p->fields * s.points; ++i)
        if (!(fabs(u[i] - v[i]) <= tolerance * size))
            fail_msg("%s: %g is not %g", oracle_name(p), u[i], v[i]);
    free(u);
    free(v);
    oracle_free(&s);
}

static void test_axes_that_vary_and_negative_lambda(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(77);
    double spacing[64], coefficient[64];
    for (int i = 0; i < 64; ++i) {
        spacing[i] = 0.5 + sb_random_unit(&random);
        coefficient[i] = 0.5 + sb_random_unit(&random);
    }
    for (int kind = 0; kind < 3 * KINDS; kind += every)
        for (int rank = 1; rank <= 3; ++rank) {
            slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, rank, (int64_t[]){9, 9, 9});
            for (int a = 0; a < rank; ++a)
                p.axis[a] = oracle_axis((kind + 3 * a) % KINDS, 20 + 3 * a + kind % 2, 1);
            p.line_axis = kind % rank;
            p.lambda = kind % 3 ? 0 : kind % 2 ? -7.3 : 2;
            p.fields = 1 + kind % 2;
            if (kind % 4) {
                p.spacing = spacing;
                p.coefficient = kind % 2 ? coefficient : NULL;
            }
            agree(&p, (uint64_t)kind, 1e-10);
        }
}

static double *solve_there(const sample *s, slimband_status *status, slimband_poisson_report *report)
{
    return device_solve(s, SLIMBAND_AUTO, false, status, report);
}

static void test_a_right_hand_side_with_a_mean_is_solved_to_rounding(void **state)
{
    (void)state;
    hold_every_level(SLIMBAND_F64, solve_there);
    hold_every_level(SLIMBAND_F32, solve_there);
}

static void test_near_eigenvalues_and_arguments(void **state)
{
    (void)state;
    slimband_poisson_plan *plan;
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){15, 20});
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cuda(0, NULL), "bcr2x"),
                     SLIMBAND_UNKNOWN_METHOD);
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cuda(0, NULL), "spectral:measure"),
                     SLIMBAND_UNKNOWN_OPTION);
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cuda(1000, NULL), "spectral"),
                     SLIMBAND_NO_DEVICE);
    double s0 = 2 * 16 * sin(3.14159265358979323846 / 32), s1 = 2 * 21 * sin(3.14159265358979323846 / 42);
    p.lambda = -(s0 * s0 + s1 * s1);
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cuda(0, NULL), "spectral"),
                     SLIMBAND_NEAR_EIGENVALUE);
    p.lambda = 0;
    p.fields = 0;
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cuda(0, NULL), "spectral"), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_solve(plan, NULL, NULL, NULL), SLIMBAND_OK);
    slimband_poisson_plan_destroy(plan);
}

static void test_solves_are_captured_and_have_the_same_bits(void **state)
{
    (void)state;
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 3, (int64_t[]){31, 20, 45});
    p.axis[0].walls = p.axis[1].walls = p.axis[2].walls = SLIMBAND_WALLS_NN;
    device_check_capture(&p, "spectral");
}

int main(int argc, char **argv)
{
    every = device_begin(argc, argv);
    if (!every)
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_two_axes),
        cmocka_unit_test(test_three_axes),
        cmocka_unit_test(test_transforms_of_power_of_two_axes),
        cmocka_unit_test(test_larger_sizes),
        cmocka_unit_test(test_axes_that_vary_and_negative_lambda),
        cmocka_unit_test(test_a_right_hand_side_with_a_mean_is_solved_to_rounding),
        cmocka_unit_test(test_near_eigenvalues_and_arguments),
        cmocka_unit_test(test_solves_are_captured_and_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
