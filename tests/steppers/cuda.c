/* Steppers on a GPU against those on the CPU, which have proofs of their own: the same numbers to rounding. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "slimband/cuda.h"
#include "tests/steppers/run.h"

enum { SKIPPED = 77, MOST = 70 };

static double gammas[MOST], diffusivities[MOST], forcings[MOST];

static slimband_executor gpu(void)
{
    return slimband_cuda(0, NULL);
}

/* Both from the same start; the largest difference, in epsilons of the type. */
static double distance(const slimband_evolution *e, int64_t steps)
{
    double *here = run_random(e, 21), *there = run_random(e, 21);
    run_steps(e, 1, 5, 1, steps, here);
    run_steps_on(gpu(), e, 5, 1, steps, there);
    double off = run_largest_difference(run_elements(e), here, there);
    free(here);
    free(there);
    return e->scalar == SLIMBAND_F32 ? off * 0x1p23 : off * 0x1p52;
}

static void test_rings(void **state)
{
    (void)state;
    static const int64_t sizes[] = {5, 6, 7, 37, 128, 509}, members[] = {1, 2, 33, 64, MOST};
    double largest = 0;
    for (int k = 0; k < 2 * 2 * 2 * 6 * 5; ++k) {
        slimband_scalar scalar = k % 2 ? SLIMBAND_F64 : SLIMBAND_F32;
        int64_t n = sizes[k / 8 % 6], m = members[k / 48];
        double h = 1 / (double)n;
        slimband_evolution e = k / 2 % 2 ? slimband_hyperdiffusion(scalar, n, m, 40 * h * h * h * h)
                                         : slimband_cahn_hilliard(scalar, n, m, 20 * h * h * h * h);
        e.gamma = k / 4 % 2 ? gammas : NULL;
        e.diffusivity = k / 4 % 2 ? diffusivities : NULL;
        e.forcing = k % 3 ? forcings : NULL;
        e.forcing_speed = 3;
        largest = fmax(largest, distance(&e, 25));
    }
    printf("rings: %.0f epsilons apart\n", largest);
    assert_true(largest < 5000);
}

static void test_fields_between_all_walls(void **state)
{
    (void)state;
    static const int64_t points[][3] = {{5, 7, 6}, {33, 20, 64}, {12, 11, 3}};
    double largest = 0;
    for (int k = 0; k < 2 * 2 * 2 * 3 * 5; ++k) {
        slimband_scalar scalar = k % 2 ? SLIMBAND_F64 : SLIMBAND_F32;
        int rank = 1 + k / 8 % 3, which = k % 3;
        slimband_evolution e = slimband_heat(scalar, rank, points[which], 2e-3);
        e.order = k / 2 % 2 && (which < 2 || rank < 3) ? 4 : 2;
        e.centring = k / 4 % 2 ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES;
        e.members = k % 4 ? 1 : 3;
        e.diffusivity = k % 8 ? NULL : diffusivities;
        for (int a = 0; a < rank; ++a)
            e.walls[a] = (slimband_walls)(1 + (k / 24 + 2 * a) % 5);
        for (int a = 0; k % 5 < 2 && a < rank; ++a)
            e.wall_values[a][k % 2] = e.walls[a] == SLIMBAND_WALLS_PP ? 0 : 0.5 + 0.1 * a;
        largest = fmax(largest, distance(&e, 25));
    }
    printf("fields: %.0f epsilons apart\n", largest);
    assert_true(largest < 200);
}

static void test_a_large_field(void **state)
{
    (void)state;
    slimband_evolution e = slimband_heat(SLIMBAND_F64, 2, (int64_t[]){500, 700}, 1e-5);
    e.walls[1] = SLIMBAND_WALLS_DN;
    assert_true(distance(&e, 3) < 50);
}

/* Made with one unforced and with forced members, on the device. */
static slimband_stepper *make(const slimband_evolution *e)
{
    slimband_stepper *stepper;
    assert_int_equal(slimband_stepper_create(&stepper, e, gpu()), SLIMBAND_OK);
    return stepper;
}

static void test_calls_and_checkpoints_do_not_change_a_bit(void **state)
{
    (void)state;
    const slimband_evolution all[] = {
        slimband_cahn_hilliard(SLIMBAND_F64, 40, MOST, 1e-4),
        slimband_heat(SLIMBAND_F32, 3, (int64_t[]){9, 33, 17}, 1e-3),
    };
    for (int k = 0; k < 2; ++k) {
        slimband_evolution e = all[k];
        e.forcing = k ? NULL : forcings;
        e.forcing_speed = 2;
        double *once = run_random(&e, 3), *apart = run_random(&e, 3);
        run_steps_on(gpu(), &e, 2, 1, 60, once);
        run_steps_on(gpu(), &e, 2, 7, 5, apart);
        run_steps_on(gpu(), &e, 37, 1, 25, apart);
        assert_memory_equal(once, apart, (size_t)run_elements(&e) * sizeof *once);
        free(once);
        free(apart);
    }
}

static void test_mass_and_energy(void **state)
{
    (void)state;
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, 256, MOST, 1e-5);
    slimband_stepper *stepper = make(&e), *host;
    double *c = run_random(&e, 5), before[MOST], after[MOST], energy[2][MOST], expected[MOST];
    assert_int_equal(slimband_stepper_create(&host, &e, slimband_cpu(1)), SLIMBAND_OK);
    for (int64_t i = 0; i < run_elements(&e); ++i)
        c[i] = 0.1 * c[i] + 0.2;
    assert_int_equal(slimband_stepper_set(stepper, c, 0), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_means(stepper, before), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_energies(stepper, energy[0]), SLIMBAND_OK);
    for (int k = 0; k < 10; ++k) {
        assert_int_equal(slimband_stepper_step(stepper, 50), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_means(stepper, after), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_energies(stepper, energy[1]), SLIMBAND_OK);
        for (int m = 0; m < MOST; ++m) {
            assert_true(fabs(after[m] - before[m]) < 1e-12);
            assert_true(energy[1][m] <= energy[0][m] * (1 + 1e-12));
            energy[0][m] = energy[1][m];
        }
    }
    slimband_stepper_get(stepper, c);
    slimband_stepper_set(host, c, 0);
    slimband_stepper_energies(host, expected);
    for (int m = 0; m < MOST; ++m)
        assert_true(fabs(energy[1][m] - expected[m]) < 1e-14 * (1 + expected[m]));
    slimband_stepper_destroy(host);
    slimband_stepper_destroy(stepper);
    free(c);
}

/* Members of a field, larger than one slice of its sum. */
static void test_means_of_fields(void **state)
{
    (void)state;
    slimband_evolution e = slimband_heat(SLIMBAND_F64, 2, (int64_t[]){211, 307}, 1e-5);
    e.members = 3;
    slimband_stepper *stepper = make(&e);
    double *u = run_random(&e, 6), means[3];
    int64_t each = run_elements(&e) / 3;
    assert_int_equal(slimband_stepper_set(stepper, u, 0), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_means(stepper, means), SLIMBAND_OK);
    for (int m = 0; m < 3; ++m) {
        long double sum = 0;
        for (int64_t i = 0; i < each; ++i)
            sum += u[m * each + i];
        assert_true(fabs(means[m] - (double)(sum / each)) < 1e-15);
    }
    slimband_stepper_destroy(stepper);
    free(u);
}

static void test_overflow_stays_with_its_member(void **state)
{
    (void)state;
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, 32, 40, 1e-5);
    slimband_stepper *stepper = make(&e);
    double *c = run_random(&e, 9), *alone = run_random(&e, 9);
    for (int i = 0; i < 32; ++i) {
        c[7 * 32 + i] *= 1e6;
        alone[7 * 32 + i] = 0;
    }
    assert_int_equal(slimband_stepper_set(stepper, c, 0), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_step(stepper, 20), SLIMBAND_SOLUTION_NOT_FINITE);
    assert_int_equal(slimband_stepper_get(stepper, c), SLIMBAND_OK);
    slimband_stepper_destroy(stepper);
    run_steps_on(gpu(), &e, 0, 1, 20, alone);
    for (int64_t i = 0; i < run_elements(&e); ++i)
        assert_true(i / 32 == 7 ? isnan(c[i]) : c[i] == alone[i]);
    free(c);
    free(alone);
}

static void test_empty_batches_and_reports(void **state)
{
    (void)state;
    double nothing;
    slimband_stepper_facts facts;
    slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, 9, 0, 1e-6);
    slimband_stepper *stepper = make(&e);
    assert_int_equal(slimband_stepper_set(stepper, &nothing, 0), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_step(stepper, 3), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_get(stepper, &nothing), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_means(stepper, &nothing), SLIMBAND_OK);
    slimband_stepper_destroy(stepper);
    e.members = 12;
    e.gamma = gammas;
    stepper = make(&e);
    assert_int_equal(slimband_stepper_step(stepper, 4), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_report(stepper, &facts), SLIMBAND_OK);
    assert_int_equal(facts.matrices, 12);
    assert_int_equal(facts.steps, 4);
    assert_true(facts.words_per_point >= 7);
    slimband_stepper_destroy(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_fields_between_all_walls),
        cmocka_unit_test(test_a_large_field),
        cmocka_unit_test(test_calls_and_checkpoints_do_not_change_a_bit),
        cmocka_unit_test(test_mass_and_energy),
        cmocka_unit_test(test_means_of_fields),
        cmocka_unit_test(test_overflow_stays_with_its_member),
        cmocka_unit_test(test_empty_batches_and_reports),
    };
    slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, 8, 0, 1e-6);
    slimband_stepper *stepper;
    slimband_status status = slimband_stepper_create(&stepper, &e, gpu());
    slimband_stepper_destroy(stepper);
    if (status) {
        printf("skipped: %s\n", slimband_status_string(status));
        return SKIPPED;
    }
    for (int m = 0; m < MOST; ++m) {
        gammas[m] = 1 + 0.1 * (m % 7);
        diffusivities[m] = 1 + 0.01 * m;
        forcings[m] = m % 5;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
