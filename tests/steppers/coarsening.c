/* The Cahn-Hilliard equation: what the scheme must keep, and where it must go. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/steppers/run.h"

enum { N = 256, MEMBERS = 9 };

static const double PI = 3.14159265358979323846;

/* At the largest step that is not refused, from noise of 0.9, through spinodal decomposition and coarsening. */
static void test_mass_stays_and_energy_never_rises(void **state)
{
    (void)state;
    double gamma[MEMBERS], mass[2][MEMBERS], energy[2][MEMBERS];
    slimband_stepper *stepper;
    for (int m = 0; m < MEMBERS; ++m)
        gamma[m] = 1e-4 * (1 + m);
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, N, MEMBERS, 2e-4);
    e.gamma = gamma;
    double *c = run_random(&e, 5);
    for (int64_t i = 0; i < N * MEMBERS; ++i)
        c[i] *= 0.9;
    assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cpu(1)), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_set(stepper, c, 0), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_means(stepper, mass[0]), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_energies(stepper, energy[0]), SLIMBAND_OK);
    for (int k = 0; k < 2000; ++k) {
        assert_int_equal(slimband_stepper_step(stepper, k < 500 ? 1 : 20), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_energies(stepper, energy[1]), SLIMBAND_OK);
        for (int m = 0; m < MEMBERS; ++m) {
            assert_true(energy[1][m] <= energy[0][m] * (1 + 1e-14));
            energy[0][m] = energy[1][m];
        }
    }
    assert_int_equal(slimband_stepper_means(stepper, mass[1]), SLIMBAND_OK);
    assert_true(run_largest_difference(MEMBERS, mass[0], mass[1]) < 1e-13);
    assert_int_equal(slimband_stepper_get(stepper, c), SLIMBAND_OK);
    double largest = 0;
    for (int64_t i = 0; i < N * MEMBERS; ++i)
        largest = fmax(largest, fabs(c[i]));
    assert_true(largest > 0.9 && largest < 1.1);
    slimband_stepper_destroy(stepper);
    free(c);
}

/* Around C = 0 a small wave of eigenvalue -k grows by (1 + dt k) / (1 + dt gamma k^2) each step; around C = 1 it decays
   by (1 - 2 dt k) / (1 + dt gamma k^2). */
static void test_small_waves_grow_and_decay_as_they_must(void **state)
{
    (void)state;
    const double gamma = 2e-3, dt = 1e-4, height = 1e-7;
    for (int around = 0; around < 2; ++around) {
        slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, N, 1, dt);
        e.gamma = &gamma;
        double c[N], expected[N], s = 2 * sin(PI * 2 / N) * N, k = s * s;
        double factor = (1 + (around ? -2 : 1) * dt * k) / (1 + dt * gamma * k * k);
        for (int i = 0; i < N; ++i) {
            c[i] = around + height * cos(4 * PI * i / N);
            expected[i] = around + height * pow(factor, 10) * cos(4 * PI * i / N);
        }
        run_steps(&e, 1, 0, 1, 10, c);
        assert_true(run_largest_difference(N, c, expected) < 1e-4 * height);
    }
}

/* One drop on a ring settles into two walls, each tanh(x / sqrt(2 gamma)) to the error of the differences. */
static void test_walls_become_hyperbolic_tangents(void **state)
{
    (void)state;
    const double gamma = 4e-4;
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, N, 1, 5e-4);
    e.gamma = &gamma;
    double c[N], expected[N];
    for (int i = 0; i < N; ++i) {
        double x = (i + 0.5) / N;
        c[i] = x > 0.25 && x < 0.75 ? 1 : -1;
        expected[i] = tanh((0.25 - fabs(x - 0.5)) / sqrt(2 * gamma));
    }
    run_steps(&e, 1, 0, 1, 4000, c);
    assert_true(run_largest_difference(N, c, expected) < 0.003);
}

/* Where the bound is crossed the scheme is refused; the bound is no superstition: half a percent beyond it, on a fine
   grid, the most critical wave around C = 1 is amplified. */
static void test_the_bound_on_dt_is_sharp(void **state)
{
    (void)state;
    const double gamma = 1e-3;
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, N, 1, 2 * gamma);
    e.gamma = &gamma;
    assert_int_equal(slimband_evolution_validate(&e), SLIMBAND_OK);
    e.dt *= 1.005;
    assert_int_equal(slimband_evolution_validate(&e), SLIMBAND_UNSTABLE_STEP);
    double worst = 0;
    for (int waves = 1; waves <= N / 2; ++waves) {
        double s = 2 * sin(PI * waves / N) * N, k = s * s;
        worst = fmin(worst, (1 - 2 * e.dt * k) / (1 + e.dt * gamma * k * k));
    }
    assert_true(worst < -1);
}

/* On a grid too coarse for the critical wave, larger steps are stable, and are taken. */
static void test_coarse_grids_allow_larger_steps(void **state)
{
    (void)state;
    const double gamma = 1e-4;
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, 16, 1, 5e-4);
    e.gamma = &gamma;
    double c[16];
    for (int i = 0; i < 16; ++i)
        c[i] = i % 2 ? 0.99 : 0.9;
    run_steps(&e, 1, 0, 1, 2000, c);
    for (int i = 0; i < 16; ++i)
        assert_true(fabs(c[i] - 0.945) < 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_stays_and_energy_never_rises),
        cmocka_unit_test(test_small_waves_grow_and_decay_as_they_must),
        cmocka_unit_test(test_walls_become_hyperbolic_tangents),
        cmocka_unit_test(test_the_bound_on_dt_is_sharp),
        cmocka_unit_test(test_coarse_grids_allow_larger_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
