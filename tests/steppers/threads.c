/* Threads share the work, not the numbers: the same bits for any number of them, in units and in teams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/sparing.h"
#include "tests/steppers/run.h"

static void compare(const slimband_evolution *e)
{
    double *one = run_random(e, 12);
    run_steps(e, 1, 0, 2, 9, one);
    for (int threads = 2; threads <= 5; threads += ONE_IN > 1 ? 3 : 1) {
        double *many = run_random(e, 12);
        run_steps(e, threads, 0, 2, 9, many);
        assert_memory_equal(one, many, (size_t)run_elements(e) * sizeof *one);
        free(many);
    }
    free(one);
}

static void test_strips_of_members(void **state)
{
    (void)state;
    double gamma[50], force[50];
    for (int m = 0; m < 50; ++m) {
        gamma[m] = 1e-2 + 1e-4 * m;
        force[m] = m;
    }
    for (int own = 0; own < 2; ++own) {
        slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, 40, 50, 1e-4);
        e.gamma = own ? gamma : NULL;
        e.forcing = force;
        compare(&e);
    }
}

static void test_fields_by_members_and_in_teams(void **state)
{
    (void)state;
    const double diffusivity[] = {1, 2, 3, 4, 5, 6, 7};
    for (int k = 0; k < 8; ++k) {
        slimband_evolution e = slimband_heat(SLIMBAND_F64, k % 4 == 1 ? 2 : 3, (int64_t[]){43, 44, 47}, 1e-3);
        e.members = k < 4 ? 1 : 7;
        e.order = k % 4 < 2 ? 2 : 4;
        e.walls[0] = SLIMBAND_WALLS_ND;
        e.diffusivity = k % 3 ? diffusivity : NULL;
        compare(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strips_of_members),
        cmocka_unit_test(test_fields_by_members_and_in_teams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
