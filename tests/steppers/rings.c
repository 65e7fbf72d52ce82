/* Hyperdiffusion against what is known exactly: the decay of waves, by the scheme and by the equation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/steppers/run.h"

static const double PI = 3.14159265358979323846;

/* Minus the fourth difference's eigenvalue for a wave of so many periods on a ring of length 1. */
static double stiffness(int64_t n, int waves)
{
    double s = 2 * sin(PI * waves / (double)n) * (double)n;
    return s * s * s * s;
}

static void fill_wave(int64_t n, int waves, double height, double *c)
{
    for (int64_t i = 0; i < n; ++i)
        c[i] = height * cos(2 * PI * (double)(waves * i % n) / (double)n + 0.3);
}

/* A wave is an eigenvector: a step multiplies it with (1 - s) / (1 + s). Any n; both types. */
static void test_waves_decay_as_crank_nicolson_says(void **state)
{
    (void)state;
    const int64_t sizes[] = {5, 6, 7, 8, 13, 64, 101, 512};
    for (int k = 0; k < 16; ++k) {
        int64_t n = sizes[k % 8];
        slimband_scalar scalar = k < 8 ? SLIMBAND_F64 : SLIMBAND_F32;
        int waves = n <= 8 ? 1 : k < 8 ? 3 : 1 + (int)n / 16, steps = 7;
        slimband_evolution e = slimband_hyperdiffusion(scalar, n, 1, 0.7 / stiffness(n, waves));
        double *c = malloc((size_t)n * sizeof *c), *expected = malloc((size_t)n * sizeof *c);
        fill_wave(n, waves, 1, c);
        fill_wave(n, waves, pow((1 - 0.35) / (1 + 0.35), steps), expected);
        run_steps(&e, 1, 0, 1, steps, c);
        assert_true(run_largest_difference(n, c, expected) < (scalar == SLIMBAND_F64 ? 1e-11 : 1e-4));
        free(c);
        free(expected);
    }
}

static double error_of_wave(int64_t n, double dt, int64_t steps)
{
    slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, n, 1, dt);
    double *c = malloc((size_t)n * sizeof *c), *exact = malloc((size_t)n * sizeof *c), sum = 0;
    fill_wave(n, 2, 1, c);
    fill_wave(n, 2, exp(-pow(4 * PI, 4) * dt * (double)steps), exact);
    run_steps(&e, 1, 0, 1, steps, c);
    for (int64_t i = 0; i < n; ++i)
        sum += (c[i] - exact[i]) * (c[i] - exact[i]);
    free(c);
    free(exact);
    return sqrt(sum / (double)n);
}

/* The paper's figure 2 with a tenth of its steps: exp(-k^4 t) cos(kx) at T = 1e-4. The slope of the line of best fit. */
static void test_the_error_falls_with_the_square_of_the_points(void **state)
{
    (void)state;
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    int count = 0;
    for (int64_t n = 32; n <= 512; n *= 2, ++count) {
        double x = log((double)n), y = log(error_of_wave(n, 1e-7, 1000));
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    assert_true(slope > -2.05 && slope < -1.99);
}

/* With the error in space taken off: the decay of the difference operator, in ever smaller steps. */
static void test_the_error_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    enum { n = 64 };
    double last = 0;
    for (int steps = 8; steps <= 64; steps *= 2) {
        double t = 1.5 / stiffness(n, 2), c[n], exact[n];
        slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, n, 1, t / steps);
        fill_wave(n, 2, 1, c);
        fill_wave(n, 2, exp(-1.5), exact);
        run_steps(&e, 1, 0, 1, steps, c);
        double error = run_largest_difference(n, c, exact);
        assert_true(last == 0 || (last / error > 3.8 && last / error < 4.2));
        last = error;
    }
}

/* A wave pushed by a standing or travelling wave of its own length: the answer is a wave again, whose complex height
   solves h' = -s h + F exp(-i omega t). Crank-Nicolson comes there with the square of dt. */
static void test_a_forced_wave_goes_where_it_must(void **state)
{
    (void)state;
    enum { n = 48, waves = 3 };
    double s = stiffness(n, waves), t = 2 / s, force = 5 * s;
    for (int travels = 0; travels < 2; ++travels) {
        double omega = travels ? s / 2 : 0, last = 0;
        double size = force / (s * s + omega * omega), a = size * s,
               b = size * omega; /* of cos and sin(omega t) */
        for (int steps = 16; steps <= 64; steps *= 2) {
            slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, n, 1, t / steps);
            e.forcing = &force;
            e.forcing_waves = waves;
            e.forcing_speed = omega / (2 * PI * waves);
            double c[n] = {0}, exact[n];
            run_steps(&e, 1, 0, 1, steps, c);
            /* h = (s F / .. + i omega F / ..) (exp(-i omega t) - exp(-s t)); C = Re(h exp(i k x)) */
            double re = cos(omega * t) - exp(-s * t), im = -sin(omega * t);
            for (int i = 0; i < n; ++i) {
                double x = 2 * PI * waves * i / n;
                exact[i] = (a * re - b * im) * cos(x) - (a * im + b * re) * sin(x);
            }
            double error = run_largest_difference(n, c, exact);
            assert_true(last == 0 || (last / error > 3.7 && last / error < 4.3));
            last = error;
        }
        assert_true(last < 0.01);
    }
}

/* The mean of a member stays, forced or not, to the rounding of what changes: smooth states, large matrices. */
static void test_mass_is_conserved_to_rounding(void **state)
{
    (void)state;
    enum { n = 96, members = 21 };
    double gamma[members], force[members], before[members], after[members];
    for (int m = 0; m < members; ++m) {
        gamma[m] = 0.1 + m;
        force[m] = 100 * m;
    }
    slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, n, members, 1e-6);
    e.gamma = gamma;
    e.forcing = force;
    double *c = malloc(n * members * sizeof *c);
    for (int m = 0; m < members; ++m)
        for (int i = 0; i < n; ++i)
            c[m * n + i] = m + cos(2 * PI * i / n) + sin(2 * PI * (m % 5) * i / n);
    slimband_stepper *stepper;
    assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cpu(2)), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_set(stepper, c, 0), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_means(stepper, before), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_step(stepper, 500), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_means(stepper, after), SLIMBAND_OK);
    assert_true(run_largest_difference(members, before, after) < 1e-13);
    slimband_stepper_destroy(stepper);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waves_decay_as_crank_nicolson_says),
        cmocka_unit_test(test_the_error_falls_with_the_square_of_the_points),
        cmocka_unit_test(test_the_error_falls_with_the_square_of_the_step),
        cmocka_unit_test(test_a_forced_wave_goes_where_it_must),
        cmocka_unit_test(test_mass_is_conserved_to_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
