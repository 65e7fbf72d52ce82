/* Cyclic reduction, parallel cyclic reduction and Wang & Mou one step at a time. */
#include "src/cpu/kernels/cr.h"
#include "src/cpu/kernels/pcr.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/kernels/wang_mou.h"
#include "steps.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void test_cyclic_reduction_doubles_the_distance_of_every_other_row(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 33; ++n) {
        known k = known_problem(n, (uint64_t)n);
        for (int64_t u = 1; 2 * u <= n; u *= 2) {
            assert_int_equal(SB_NAME(cr_reduce)(k.rows, u, n, 1), SB_NO_ROW);
            for (int64_t i = 2 * u - 1; i < n; i += 2 * u)
                assert_couples(&k, k.rows[i], i - 2 * u, i, least(i + 2 * u, n));
        }
        free_known(&k);
    }
}

static void test_parallel_cyclic_reduction_doubles_the_distance_of_every_row(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 33; ++n) {
        known k = known_problem(n, (uint64_t)n);
        sb_row *other = make_rows(&k.p);
        for (int64_t u = 1; u < n; u *= 2) {
            assert_int_equal(SB_NAME(pcr_reduce)(k.rows, other, u, n, 1), SB_NO_ROW);
            for (int64_t i = 0; i < n; ++i)
                assert_couples(&k, other[i], i - 2 * u, i, least(i + 2 * u, n));
            sb_row *read = k.rows;
            k.rows = other;
            other = read;
        }
        free(other);
        free_known(&k);
    }
}

/* Figure 3: what the element's Center couples after each step, with unknowns counted from 1 as there. A block's
   first and last Centers are its elements' Left and Right. */
static void test_wang_mou_merges_8_rows_as_in_figure_3(void **state)
{
    (void)state;
    const int64_t expected[3][8][2] = {{{0, 3}, {0, 3}, {2, 5}, {2, 5}, {4, 7}, {4, 7}, {6, 9}, {6, 9}},
                                       {{0, 5}, {0, 5}, {0, 5}, {0, 5}, {4, 9}, {4, 9}, {4, 9}, {4, 9}},
                                       {{0, 9}, {0, 9}, {0, 9}, {0, 9}, {0, 9}, {0, 9}, {0, 9}, {0, 9}}};
    known k = known_problem(8, 3);
    for (int step = 0; step < 3; ++step) {
        assert_int_equal(SB_NAME(wang_mou_merge)(k.rows, 1 << step, 8, 1), SB_NO_ROW);
        for (int i = 0; i < 8; ++i)
            assert_couples(&k, k.rows[i], expected[step][i][0] - 1, i, expected[step][i][1] - 1);
    }
    free_known(&k);
}

static void test_wang_mou_blocks_couple_to_their_neighbours_for_any_n(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 40; ++n) {
        known k = known_problem(n, (uint64_t)n);
        for (int64_t u = 1; u < n; u *= 2) {
            assert_int_equal(SB_NAME(wang_mou_merge)(k.rows, u, n, 1), SB_NO_ROW);
            for (int64_t i = 0; i < n; ++i) {
                int64_t block = i - i % (2 * u);
                assert_couples(&k, k.rows[i], block - 1, i, least(block + 2 * u, n));
            }
        }
        free_known(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cyclic_reduction_doubles_the_distance_of_every_other_row),
        cmocka_unit_test(test_parallel_cyclic_reduction_doubles_the_distance_of_every_row),
        cmocka_unit_test(test_wang_mou_merges_8_rows_as_in_figure_3),
        cmocka_unit_test(test_wang_mou_blocks_couple_to_their_neighbours_for_any_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
