/* Every rule of steppers.h, broken by itself: its own status, and nothing made. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "slimband/cuda.h"
#include "slimband/method.h"
#include "tests/steppers/run.h"

static slimband_evolution heat(void)
{
    return slimband_heat(SLIMBAND_F64, 2, (int64_t[]){8, 9}, 1e-3);
}

static slimband_evolution waves(void)
{
    return slimband_hyperdiffusion(SLIMBAND_F64, 16, 3, 1e-6);
}

static void refuse(slimband_evolution e, slimband_status expected)
{
    slimband_stepper *stepper = (slimband_stepper *)&e;
    assert_int_equal(slimband_evolution_validate(&e), expected);
    assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cpu(1)), expected);
    assert_null(stepper);
}

#define REFUSE(base, change, status)   \
    do {                               \
        slimband_evolution e = base(); \
        change;                        \
        refuse(e, status);             \
    } while (0)

static void test_what_is_asked_for_is_checked(void **state)
{
    (void)state;
    REFUSE(heat, e.equation = (slimband_equation)0, SLIMBAND_BAD_EQUATION);
    REFUSE(heat, e.equation = (slimband_equation)4, SLIMBAND_BAD_EQUATION);
    REFUSE(heat, e.scalar = SLIMBAND_C64, SLIMBAND_BAD_STEPPER_SCALAR);
    REFUSE(heat, e.rank = 0, SLIMBAND_BAD_STEPPER_RANK);
    REFUSE(heat, e.rank = 4, SLIMBAND_BAD_STEPPER_RANK);
    REFUSE(waves, e.rank = 2, SLIMBAND_BAD_STEPPER_RANK);
    REFUSE(heat, e.points[1] = 2, SLIMBAND_TOO_FEW_POINTS);
    REFUSE(heat, (e.points[1] = 4, e.order = 4), SLIMBAND_TOO_FEW_POINTS);
    REFUSE(waves, e.points[0] = 4, SLIMBAND_TOO_FEW_POINTS);
    REFUSE(heat, e.points[0] = -8, SLIMBAND_TOO_FEW_POINTS);
    REFUSE(heat, (e.points[0] = INT64_MAX / 2, e.points[1] = 3), SLIMBAND_TOO_LARGE);
    REFUSE(heat, e.points[0] = INT64_MAX / 64, SLIMBAND_TOO_LARGE);
    REFUSE(heat, e.length[1] = 0, SLIMBAND_BAD_LENGTH);
    REFUSE(heat, e.length[1] = NAN, SLIMBAND_BAD_LENGTH);
    REFUSE(heat, e.length[0] = INFINITY, SLIMBAND_BAD_LENGTH);
    REFUSE(heat, e.walls[0] = (slimband_walls)0, SLIMBAND_BAD_WALLS);
    REFUSE(heat, e.walls[1] = (slimband_walls)6, SLIMBAND_BAD_WALLS);
    REFUSE(waves, e.walls[0] = SLIMBAND_WALLS_DD, SLIMBAND_STEPPER_NEEDS_RING);
    REFUSE(heat, e.centring = (slimband_centring)2, SLIMBAND_BAD_CENTRING);
    REFUSE(heat, e.order = 3, SLIMBAND_BAD_ORDER);
    REFUSE(waves, e.order = 4, SLIMBAND_BAD_ORDER);
    REFUSE(heat, e.members = -1, SLIMBAND_BAD_MEMBERS);
    REFUSE(heat, e.dt = 0, SLIMBAND_BAD_TIME_STEP);
    REFUSE(heat, e.dt = -1, SLIMBAND_BAD_TIME_STEP);
    REFUSE(heat, e.dt = NAN, SLIMBAND_BAD_TIME_STEP);
    refuse(slimband_heat(SLIMBAND_F64, 2, NULL, 1e-3), SLIMBAND_TOO_FEW_POINTS);
}

static void test_parameters_are_checked_for_every_member(void **state)
{
    (void)state;
    const double negative[] = {1, 1, -1}, zero[] = {1, 0, 1}, nan[] = {NAN, 1, 1}, fine[] = {1, 2, 3};
    REFUSE(waves, e.gamma = negative, SLIMBAND_BAD_DIFFUSIVITY);
    REFUSE(waves, e.gamma = zero, SLIMBAND_BAD_DIFFUSIVITY);
    REFUSE(waves, e.diffusivity = negative, SLIMBAND_BAD_DIFFUSIVITY);
    REFUSE(waves, e.diffusivity = nan, SLIMBAND_BAD_DIFFUSIVITY);
    REFUSE(waves, e.forcing = nan, SLIMBAND_BAD_FORCING);
    REFUSE(waves, e.forcing_waves = -1, SLIMBAND_BAD_FORCING);
    REFUSE(waves, e.forcing_speed = INFINITY, SLIMBAND_BAD_FORCING);
    REFUSE(heat, e.gamma = fine, SLIMBAND_HEAT_HAS_NO_FORCING);
    REFUSE(heat, e.forcing = fine, SLIMBAND_HEAT_HAS_NO_FORCING);
    REFUSE(waves, e.wall_values[0][1] = 1, SLIMBAND_BAD_WALL_VALUES);
    REFUSE(heat, e.wall_values[1][0] = 1, SLIMBAND_BAD_WALL_VALUES);
    REFUSE(heat, (e.walls[0] = SLIMBAND_WALLS_DD, e.wall_values[0][1] = NAN), SLIMBAND_BAD_WALL_VALUES);
    REFUSE(waves, e.dt = 1e12, SLIMBAND_STEP_BEYOND_PRECISION);
    REFUSE(waves, (e.dt = 1, e.scalar = SLIMBAND_F32), SLIMBAND_STEP_BEYOND_PRECISION);
    REFUSE(waves, (e.equation = SLIMBAND_CAHN_HILLIARD, e.dt = 2.1, e.points[0] = 128), SLIMBAND_UNSTABLE_STEP);
}

static void test_members_that_are_alike_are_checked_once(void **state)
{
    (void)state;
    slimband_evolution e = waves();
    e.members = INT64_C(1) << 50; /* one after the other would take weeks */
    assert_int_equal(slimband_evolution_validate(&e), SLIMBAND_OK);
    REFUSE(waves, (e.members = INT64_C(1) << 50, e.dt = 1e12), SLIMBAND_STEP_BEYOND_PRECISION);
}

static void test_executors_are_checked(void **state)
{
    (void)state;
    slimband_evolution e = heat();
    slimband_stepper *stepper;
    slimband_executor none = {0}, ranks = {.place = SLIMBAND_ON_MPI}, few = slimband_cpu(-1);
    slimband_machine machine;
    slimband_machine_facts(&machine);
    bool cuda = strstr(machine.backends, "cuda");
    assert_int_equal(slimband_stepper_create(&stepper, &e, none), SLIMBAND_BAD_EXECUTOR);
    assert_int_equal(slimband_stepper_create(&stepper, &e, ranks), SLIMBAND_STEPPER_NOT_HERE);
    assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cuda(1000, NULL)),
                     cuda ? SLIMBAND_NO_DEVICE : SLIMBAND_NOT_BUILT_IN);
    assert_int_equal(slimband_stepper_create(&stepper, &e, few), SLIMBAND_BAD_THREADS);
    assert_null(stepper);
}

static void test_calls_are_checked(void **state)
{
    (void)state;
    slimband_evolution e = heat();
    slimband_stepper *stepper;
    slimband_stepper_facts facts;
    double field[72] = {0}, x[9];
    assert_int_equal(slimband_evolution_validate(NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_evolution_points(&e, 0, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_evolution_points(&e, 2, x), SLIMBAND_BAD_AXIS);
    assert_int_equal(slimband_stepper_create(NULL, &e, slimband_cpu(1)), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_create(&stepper, NULL, slimband_cpu(1)), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_create(&stepper, &e, slimband_cpu(1)), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_set(NULL, field, 0), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_set(stepper, NULL, 0), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_set(stepper, field, -1), SLIMBAND_BAD_STEPS);
    assert_int_equal(slimband_stepper_get(stepper, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_step(NULL, 1), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_step(stepper, -1), SLIMBAND_BAD_STEPS);
    assert_int_equal(slimband_stepper_set(stepper, field, INT64_MAX), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_step(stepper, 1), SLIMBAND_BAD_STEPS);
    assert_int_equal(slimband_stepper_means(stepper, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_energies(stepper, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_energies(stepper, x), SLIMBAND_NO_ENERGY);
    assert_int_equal(slimband_stepper_report(stepper, NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_stepper_report(NULL, &facts), SLIMBAND_NULL_ARGUMENT);
    slimband_stepper_destroy(stepper);
    slimband_stepper_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_asked_for_is_checked),
        cmocka_unit_test(test_parameters_are_checked_for_every_member),
        cmocka_unit_test(test_members_that_are_alike_are_checked_once),
        cmocka_unit_test(test_executors_are_checked),
        cmocka_unit_test(test_calls_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
