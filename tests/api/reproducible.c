/* Same input, same plan, same machine: the same bits, however often and on however many threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/random/trial.h"

static trial drawn;

static void solve_with(int threads, array *x)
{
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &drawn.problem, slimband_cpu(threads), drawn.method),
                     SLIMBAND_OK);
    if (drawn.in_place)
        trial_restore(&drawn);
    assert_int_equal(trial_solve(&drawn, plan, false), SLIMBAND_OK);
    assert_true(array_copy(x, &drawn.x));
    slimband_plan_destroy(plan);
}

static void compare(int threads, int other)
{
    for (uint64_t seed = 5000; seed < 6000; ++seed) {
        assert_true(trial_draw(&drawn, seed));
        array first, second;
        solve_with(threads, &first);
        solve_with(other, &second);
        if (!array_same(&first, &second)) {
            trial_print(&drawn);
            fail_msg("seed %d gives other bits", (int)seed);
        }
        array_free(&first);
        array_free(&second);
        trial_free(&drawn);
    }
}

static void test_two_plans_for_one_problem_give_the_same_bits(void **state)
{
    (void)state;
    compare(1, 1);
}

static void test_the_number_of_threads_does_not_change_the_bits(void **state)
{
    (void)state;
    compare(1, 2);
    compare(2, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_plans_for_one_problem_give_the_same_bits),
        cmocka_unit_test(test_the_number_of_threads_does_not_change_the_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
