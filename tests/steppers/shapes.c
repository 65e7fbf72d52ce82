/* What a member's bits depend on, and what not: batches, partners, calls, empty and odd sizes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/steppers/run.h"

enum { N = 37, MOST = 70 };

static double gammas[MOST], diffusivities[MOST], forcings[MOST];

static void give_parameters(slimband_evolution *e, bool own)
{
    for (int m = 0; m < MOST; ++m) {
        gammas[m] = own ? 1e-3 * (1 + m % 7) : 2e-3;
        diffusivities[m] = own ? 1 + 0.01 * m : 1.5;
        forcings[m] = m;
    }
    if (e->equation != SLIMBAND_HEAT) {
        e->gamma = gammas;
        e->forcing = forcings;
        e->forcing_speed = 3;
    }
    e->diffusivity = diffusivities;
}

static slimband_evolution evolution_number(int k, int64_t members)
{
    slimband_evolution all[] = {
        slimband_hyperdiffusion(SLIMBAND_F64, N, members, 1e-5),
        slimband_cahn_hilliard(SLIMBAND_F64, N, members, 1e-4),
        slimband_heat(SLIMBAND_F64, 2, (int64_t[]){11, 19}, 1e-3),
        slimband_heat(SLIMBAND_F64, 3, (int64_t[]){9, 6, 12}, 1e-3),
    };
    all[k].members = members;
    all[3].order = 4;
    all[3].walls[1] = SLIMBAND_WALLS_DN;
    return all[k];
}

/* Members 0, 5, 10, ... of a batch, each run alone: equal to rounding. */
static void test_a_member_is_what_it_is_alone(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        slimband_evolution e = evolution_number(k / 2, 23);
        give_parameters(&e, k % 2);
        double *batch = run_random(&e, 8), *start = run_random(&e, 8);
        run_steps(&e, 2, 4, 1, 50, batch);
        int64_t each = run_elements(&e) / e.members;
        for (int m = 0; m < 23; m += 5) {
            slimband_evolution one = e;
            one.members = 1;
            one.gamma = e.gamma ? &gammas[m] : NULL;
            one.forcing = e.forcing ? &forcings[m] : NULL;
            one.diffusivity = &diffusivities[m];
            run_steps(&one, 1, 4, 1, 50, start + m * each);
            assert_true(run_largest_difference(each, batch + m * each, start + m * each) < 1e-12);
        }
        free(batch);
        free(start);
    }
}

/* From 8 members with one matrix on: the same bits, whoever the neighbours are. */
static void test_neighbours_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        slimband_evolution whole = evolution_number(k, MOST), part = evolution_number(k, 13);
        give_parameters(&whole, false);
        give_parameters(&part, false);
        part.forcing = forcings + 31;
        double *a = run_random(&whole, 4), *b = run_random(&whole, 4);
        run_steps(&whole, 1, 0, 1, 40, a);
        run_steps(&part, 1, 0, 1, 40, b + (ptrdiff_t)31 * N);
        assert_memory_equal(a + (ptrdiff_t)31 * N, b + (ptrdiff_t)31 * N, 13 * N * sizeof *a);
        free(a);
        free(b);
    }
}

/* 60 steps in one call, in 60 calls, and stopped in between: taken out, put into a new stepper, gone on. */
static void test_calls_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        slimband_evolution e = evolution_number(k / 2, 11);
        e.scalar = k % 2 ? SLIMBAND_F32 : SLIMBAND_F64;
        give_parameters(&e, k % 4 == 3);
        double *once = run_random(&e, 6), *often = run_random(&e, 6), *resumed = run_random(&e, 6);
        size_t bytes = (size_t)run_elements(&e) * sizeof(double);
        run_steps(&e, 1, 0, 1, 60, once);
        run_steps(&e, 1, 0, 60, 1, often);
        run_steps(&e, 1, 0, 1, 23, resumed);
        run_steps(&e, 1, 23, 1, 37, resumed);
        assert_memory_equal(once, often, bytes);
        assert_memory_equal(once, resumed, bytes);
        free(once);
        free(often);
        free(resumed);
    }
}

static void test_no_members_and_no_steps_are_fine(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        slimband_evolution none = evolution_number(k, 0), some = evolution_number(k, 3);
        slimband_stepper *stepper;
        double unused = 7;
        assert_int_equal(slimband_stepper_create(&stepper, &none, slimband_cpu(2)), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_set(stepper, &unused, 0), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_step(stepper, 5), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_get(stepper, &unused), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_means(stepper, &unused), SLIMBAND_OK);
        assert_true(unused == 7);
        slimband_stepper_facts facts;
        assert_int_equal(slimband_stepper_report(stepper, &facts), SLIMBAND_OK);
        assert_int_equal(facts.steps, 5);
        assert_int_equal(facts.matrices, 0);
        slimband_stepper_destroy(stepper);
        double *before = run_random(&some, 9), *after = run_random(&some, 9);
        run_steps(&some, 1, 0, 1, 0, after);
        assert_memory_equal(before, after, (size_t)run_elements(&some) * sizeof *before);
        free(before);
        free(after);
    }
}

/* A member that overflows tells, and leaves the others alone. */
static void test_one_member_that_overflows_is_alone(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        slimband_evolution e = evolution_number(k, 12);
        give_parameters(&e, false);
        int64_t each = run_elements(&e) / e.members;
        double *good = run_random(&e, 2), *bad = run_random(&e, 2);
        bad[7 * each + 3] = INFINITY;
        run_steps(&e, 1, 0, 1, 3, good);
        slimband_stepper *stepper;
        assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cpu(2)), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_set(stepper, bad, 0), SLIMBAND_OK);
        assert_int_equal(slimband_stepper_step(stepper, 3), SLIMBAND_SOLUTION_NOT_FINITE);
        assert_int_equal(slimband_stepper_get(stepper, bad), SLIMBAND_OK);
        for (int m = 0; m < 12; ++m)
            if (m != 7)
                assert_memory_equal(good + m * each, bad + m * each, (size_t)each * sizeof *good);
        assert_true(isnan(bad[7 * each]));
        slimband_stepper_destroy(stepper);
        free(good);
        free(bad);
    }
}

static void test_the_report_tells_what_was_made(void **state)
{
    (void)state;
    slimband_evolution e = evolution_number(0, 40);
    give_parameters(&e, true);
    slimband_stepper *stepper;
    slimband_stepper_facts facts;
    assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cpu(2)), SLIMBAND_OK);
    double *start = run_random(&e, 1);
    assert_int_equal(slimband_stepper_set(stepper, start, 100), SLIMBAND_OK);
    free(start);
    assert_int_equal(slimband_stepper_step(stepper, 7), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_report(stepper, &facts), SLIMBAND_OK);
    assert_string_equal(facts.scheme, "Crank-Nicolson");
    assert_int_equal(facts.steps, 107);
    assert_true(fabs(facts.time - 107 * e.dt) < 1e-15);
    assert_int_equal(facts.matrices, 40);
    assert_int_equal(facts.pivoted, 0);
    assert_int_equal(facts.threads, 2); /* a strip each */
    assert_true(facts.workspace_bytes > N * 40 * sizeof(double) * 2);
    slimband_stepper_destroy(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_member_is_what_it_is_alone),
        cmocka_unit_test(test_neighbours_do_not_change_a_bit),
        cmocka_unit_test(test_calls_do_not_change_a_bit),
        cmocka_unit_test(test_no_members_and_no_steps_are_fine),
        cmocka_unit_test(test_one_member_that_overflows_is_alone),
        cmocka_unit_test(test_the_report_tells_what_was_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
