/* The switch point of pcr_thomas against lass.txt III.A, and the options that overrule it. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "src/cpu/kernels/switch_point.h"
#include "src/cpu/workspace.h"

static const int64_t figure_3_sizes[] = {8388608, 16777216, 33554432, 67108864};

/* "the total number of operations decreases until the 4th PCR level independently of the system size. From this
   switch point the number of operations is the same (in the 5th level) or bigger (from the 6th PCR level)" */
static void test_48_cores_cost_what_figure_3_shows(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        int64_t n = figure_3_sizes[k], least = sb_switch_cost(n, 48, 4);
        for (int steps = 1; steps <= 4; ++steps)
            assert_true(sb_switch_cost(n, 48, steps) < sb_switch_cost(n, 48, steps - 1));
        assert_in_range(sb_switch_cost(n, 48, 5), least, least + least / 100000);
        for (int steps = 6; steps <= 20; ++steps)
            assert_true(sb_switch_cost(n, 48, steps) > sb_switch_cost(n, 48, steps - 1));
        assert_int_equal(sb_switch_point(n, 48), 4);
    }
}

static void test_the_cost_is_the_papers_where_all_divides_and_no_core_waits(void **state)
{
    (void)state;
    for (int64_t n = 4096; n <= 1 << 20; n *= 4)
        for (int cores = 1; cores <= 64; cores *= 2)
            for (int steps = 0; 1 << steps <= cores; ++steps)
                assert_int_equal(sb_switch_cost(n, cores, steps), 12 * n / cores * steps + 8 * (n >> steps));
}

/* "it is necessary to multiply the right side of the equation (Thomas operations) by 2": 64 systems, 48 cores */
static void test_cores_take_systems_in_turn(void **state)
{
    (void)state;
    const int64_t n = 3 << 20, row = n / 48;
    assert_int_equal(sb_switch_cost(n, 48, 6), 12 * row * 6 + 2 * 8 * (n / 64));
    assert_int_equal(sb_switch_cost(n, 48, 7), 12 * row * 7 + 3 * 8 * (n / 128));
    assert_int_equal(sb_switch_cost(n, 3, 2), 12 * (n / 3) * 2 + 2 * 8 * (n / 4));
}

static void test_rows_that_do_not_divide_are_somebodys(void **state)
{
    (void)state;
    assert_int_equal(sb_switch_cost(10, 4, 1), 12 * 3 + 8 * 5);
    assert_int_equal(sb_switch_cost(11, 4, 2), 12 * 3 * 2 + 8 * 3);
    assert_int_equal(sb_switch_cost(1, 48, 0), 8);
}

static void test_few_cores_do_better_with_thomas_alone(void **state)
{
    (void)state;
    for (int64_t n = 1; n < INT64_C(1) << 50; n += 1 + n / 3)
        for (int cores = 1; cores <= 3; ++cores)
            assert_int_equal(sb_switch_point(n, cores), 0);
    assert_int_equal(sb_switch_point(1 << 20, 4), 1);
}

static void test_no_other_number_of_steps_is_cheaper(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 300; ++n)
        for (int cores = 1; cores <= 300; cores += 1 + cores / 5) {
            int best = sb_switch_point(n, cores);
            for (int steps = 0; n >> steps > 0; ++steps)
                assert_true(sb_switch_cost(n, cores, best) <= sb_switch_cost(n, cores, steps));
            assert_true(n >> best > 0);
        }
}

static slimband_status configure(const char *options, sb_tuning *tuning)
{
    for (int m = 0; m < sb_cpu_method_count; ++m)
        if (!strcmp(sb_cpu_methods[m].info.name, "pcr_thomas"))
            return ((const sb_cpu_method *)sb_cpu_methods[m].data)->configure(options, tuning);
    return SLIMBAND_UNKNOWN_METHOD;
}

static void test_options_name_form_and_switch_point(void **state)
{
    (void)state;
    const struct {
        const char *options;
        sb_form form;
        int switch_point;
    } cases[] = {{"", SB_FORM_OVERLAPPED, SB_SWITCH_CHOSEN},
                 {"form=plain", SB_FORM_PLAIN, SB_SWITCH_CHOSEN},
                 {"form=overlapped", SB_FORM_OVERLAPPED, SB_SWITCH_CHOSEN},
                 {"form=tasked", SB_FORM_TASKED, SB_SWITCH_CHOSEN},
                 {"form=shuffled", SB_FORM_SHUFFLED, SB_SWITCH_CHOSEN},
                 {"switch=0", SB_FORM_OVERLAPPED, 0},
                 {"switch=30", SB_FORM_OVERLAPPED, 30},
                 {"form=shuffled,switch=3", SB_FORM_SHUFFLED, 3},
                 {"switch=12,form=plain", SB_FORM_PLAIN, 12}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        sb_tuning tuning;
        assert_int_equal(configure(cases[k].options, &tuning), SLIMBAND_OK);
        assert_int_equal(tuning.form, cases[k].form);
        assert_int_equal(tuning.switch_point, cases[k].switch_point);
    }
}

static void test_other_options_are_refused(void **state)
{
    (void)state;
    const char *const options[] = {"plain",
                                   "form",
                                   "form=",
                                   "form=plai",
                                   "form=none",
                                   "form=plains",
                                   "form=plain,",
                                   ",form=plain",
                                   "form=plain switch=3",
                                   "form=plain,,switch=3",
                                   "switch",
                                   "switch=",
                                   "switch=-1",
                                   "switch=+1",
                                   "switch= 1",
                                   "switch=31",
                                   "switch=3x",
                                   "switch=99999999999999999999",
                                   "slice=4"};
    for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
        sb_tuning tuning;
        assert_int_equal(configure(options[k], &tuning), SLIMBAND_UNKNOWN_OPTION);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_48_cores_cost_what_figure_3_shows),
        cmocka_unit_test(test_the_cost_is_the_papers_where_all_divides_and_no_core_waits),
        cmocka_unit_test(test_cores_take_systems_in_turn),
        cmocka_unit_test(test_rows_that_do_not_divide_are_somebodys),
        cmocka_unit_test(test_few_cores_do_better_with_thomas_alone),
        cmocka_unit_test(test_no_other_number_of_steps_is_cheaper),
        cmocka_unit_test(test_options_name_form_and_switch_point),
        cmocka_unit_test(test_other_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
