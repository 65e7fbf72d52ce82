/* What the LASs paper says of its methods, and what is found of what was measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "bench/lass_results.h"
#include "src/cpu/kernels/switch_point.h"

/* "the total number of operations decreases until the 4th PCR level ... the same (in the 5th level) or bigger (from
   the 6th)": figure 3; and where all divides, the count that the library switches by. */
static void test_operations_are_those_of_figure_3(void **state)
{
    (void)state;
    for (int k = 0; k < SB_LASS_SIZES; ++k) {
        int64_t n = sb_lass_sizes[k];
        for (int steps = 1; steps <= 4; ++steps)
            assert_true(sb_lass_operations(n, 48, steps) < sb_lass_operations(n, 48, steps - 1));
        assert_true(sb_lass_operations(n, 48, 5) == sb_lass_operations(n, 48, 4));
        assert_true(sb_lass_operations(n, 48, 6) > sb_lass_operations(n, 48, 5));
        for (int cores = 1; cores <= 64; cores *= 2)
            for (int steps = 0; steps <= SB_LASS_MOST_STEPS; ++steps)
                assert_true(sb_lass_operations(n, cores, steps) == (double)sb_switch_cost(n, cores, steps));
    }
}

static int variant_named(const char *name)
{
    const sb_lass_variant *v;
    for (int k = 0; (v = sb_lass_variant_at(k)); ++k)
        if (!strcmp(v->name, name))
            return k;
    fail_msg("there is no variant %s", name);
    return -1;
}

/* Table 1, without the 4 words of the system itself: 0.5 GB for CR at n = 8388608, and so on. */
static void test_memory_is_that_of_table_1(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double gigabytes;
    } rows[] = {{"CR", 0.5}, {"PCR", 0.75}, {"P+T", 1}, {"P+TT", 1}, {"SP+T", 0.75}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        int words = 4 + sb_lass_variant_at(variant_named(rows[k].name))->paper_words;
        assert_true((double)sb_lass_sizes[0] * 8 * words / (1 << 30) == rows[k].gigabytes);
    }
}

static void test_the_best_switch_point_is_found_among_those_that_were_timed(void **state)
{
    (void)state;
    int tasked = variant_named("P+TT");
    sb_lass_size size = {.result = {.methods = 4, .peers = 2}};
    for (int k = 0; k < 4; ++k) {
        size.variant[k] = k == 3 ? variant_named("CR") : tasked;
        size.steps[k] = 2 + k;
        size.result.method[k].seconds = 4 - k;
    }
    strcpy(size.result.method[2].note, "failed: out of breath");
    strcpy(size.result.peer[0].name, "mkl");
    strcpy(size.result.peer[0].note, "not installed");
    strcpy(size.result.peer[1].name, "lapack");
    assert_ptr_equal(sb_lass_best(&size, tasked), &size.result.method[1]);
    assert_ptr_equal(sb_lass_at(&size, tasked, 2), &size.result.method[0]);
    assert_null(sb_lass_at(&size, tasked, 4));
    assert_null(sb_lass_best(&size, variant_named("PCR")));
    assert_null(sb_lass_peer(&size, "mkl"));
    assert_ptr_equal(sb_lass_peer(&size, "lapack"), &size.result.peer[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations_are_those_of_figure_3),
        cmocka_unit_test(test_memory_is_that_of_table_1),
        cmocka_unit_test(test_the_best_switch_point_is_found_among_those_that_were_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
