/* TPR one step at a time: the worked example of tpr.txt (figure 6: N = 16, S = 4; unknowns counted from 1 there
 * and in the tables here), then what each step's equations couple for other sizes. */
#include "src/cpu/kernels/cr.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/kernels/tpr.h"
#include "steps.h"

enum { NONE = 17, EXAMPLE = 16, SLICE = 4, UNSOLVED = 99 };

static known example(sb_row **reduced)
{
    known k = known_problem(EXAMPLE, 6);
    *reduced = calloc(EXAMPLE, sizeof(sb_row));
    assert_non_null(*reduced);
    return k;
}

static sb_slice slice_at(int64_t top, int64_t rows, int64_t n)
{
    return (sb_slice){.top = top, .rows = rows, .n = n};
}

/* expected[][4]: row {left, own, right} as the figure prints it, the row's number first. */
static void assert_example(const known *k, const sb_row *rows, int count, const int expected[][3])
{
    for (int e = 0; e < count; ++e)
        assert_couples(k, rows[expected[e][1] - 1], expected[e][0] - 1, expected[e][1] - 1, expected[e][2] - 1);
}

/* Steps 1..steps of the forward reduction: 1, 2 reduce, 3 joins, 4 integrates, 5 is the tree's. */
static void example_forward(const known *k, sb_row *reduced, int steps)
{
    for (int step = 1; step <= steps; ++step) {
        for (int64_t top = 0; top < EXAMPLE; top += SLICE) {
            sb_slice slice = slice_at(top, SLICE, EXAMPLE);
            if (step <= 2)
                assert_int_equal(SB_NAME(tpr_reduce)(k->rows, reduced, slice, step), SB_NO_ROW);
            else if (step == 3)
                SB_NAME(tpr_join)(reduced, slice);
            else if (step == 4)
                assert_int_equal(SB_NAME(tpr_integrate)(reduced, slice), SB_NO_ROW);
        }
        if (step == 5)
            assert_int_equal(SB_NAME(cr_reduce)(reduced, SLICE, EXAMPLE, 1), SB_NO_ROW);
    }
}

static void check_example(int steps, int count, const int expected[][3])
{
    sb_row *reduced;
    known k = example(&reduced);
    example_forward(&k, reduced, steps);
    assert_example(&k, reduced, count, expected);
    free(reduced);
    free_known(&k);
}

static void test_step_1_splits_each_slice_into_odd_and_even_rows(void **state)
{
    (void)state;
    const int expected[][3] = {{0, 1, 3},    {0, 2, 4},    {1, 3, 5},    {2, 4, 5},   {4, 5, 7},   {4, 6, 8},
                               {5, 7, 9},    {6, 8, 9},    {8, 9, 11},   {8, 10, 12}, {9, 11, 13}, {10, 12, 13},
                               {12, 13, 15}, {12, 14, 16}, {13, 15, 17}, {14, 16, 17}};
    check_example(1, 16, expected);
}

static void test_step_2_leaves_each_subsystem_one_row(void **state)
{
    (void)state;
    const int expected[][3] = {{0, 1, 5},  {0, 4, 5},   {4, 5, 9},    {4, 8, 9},
                               {8, 9, 13}, {8, 12, 13}, {12, 13, 17}, {12, 16, 17}};
    check_example(2, 8, expected);
}

/* x16 in rows 13 (step 3) and 12 (step 4) has the coefficient 0: nothing below row 16 couples to it. */
static void test_step_3_rids_the_top_rows_of_the_next_slice(void **state)
{
    (void)state;
    const int expected[][3] = {{0, 1, 4},  {0, 4, 5},   {4, 5, 8},      {4, 8, 9},
                               {8, 9, 12}, {8, 12, 13}, {12, 13, NONE}, {12, 16, NONE}};
    check_example(3, 8, expected);
}

static void test_step_4_integrates_the_slices(void **state)
{
    (void)state;
    const int expected[][3] = {{0, 4, 8}, {4, 8, 12}, {8, 12, NONE}, {12, 16, NONE}};
    check_example(4, 4, expected);
}

static void test_step_5_leaves_two_rows(void **state)
{
    (void)state;
    const int expected[][3] = {{0, 8, NONE}, {8, 16, NONE}};
    check_example(5, 2, expected);
}

/* Figure 6 (b), stage 3: even rows as they are after step 3, odd rows as they were. */
static void test_substitution_uses_rows_that_stay_in_their_slice(void **state)
{
    (void)state;
    const int even[][3] = {{0, 2, 4}, {4, 6, 8}, {8, 10, 12}, {12, 14, 16}};
    const int odd[][3] = {{0, 1, 2},  {2, 3, 4},    {4, 5, 6},    {6, 7, 8},
                          {8, 9, 10}, {10, 11, 12}, {12, 13, 14}, {14, 15, 16}};
    sb_row *reduced;
    known k = example(&reduced);
    example_forward(&k, reduced, 5);
    assert_example(&k, reduced, 4, even);
    assert_example(&k, k.rows, 8, odd);
    free(reduced);
    free_known(&k);
}

/* Every unknown is solved in the step that `when` says, and rightly. */
static void assert_solved(const known *k, const T *x, int step, const int when[EXAMPLE])
{
    for (int i = 0; i < EXAMPLE; ++i) {
        assert_int_equal(x[i] != UNSOLVED, when[i] <= step);
        if (when[i] <= step)
            assert_true((double)sb_abs1(x[i] - k->x[i]) <= 64 * EPSILON);
    }
}

static void test_unknowns_are_solved_in_the_order_of_figure_6(void **state)
{
    (void)state;
    const int when[EXAMPLE] = {9, 8, 9, 7, 9, 8, 9, 6, 9, 8, 9, 7, 9, 8, 9, 6};
    sb_row *reduced;
    known k = example(&reduced);
    T x[EXAMPLE];
    for (int i = 0; i < EXAMPLE; ++i)
        x[i] = UNSOLVED;
    example_forward(&k, reduced, 5);
    assert_int_equal(SB_NAME(cr_every)(reduced, 8, EXAMPLE, x, 1), SB_NO_ROW);
    assert_solved(&k, x, 6, when);
    assert_int_equal(SB_NAME(cr_substitute)(reduced, SLICE, EXAMPLE, x, 1), SB_NO_ROW);
    assert_solved(&k, x, 7, when);
    for (int step = 8; step <= 9; ++step) {
        for (int64_t top = 0; top < EXAMPLE; top += SLICE)
            SB_NAME(tpr_substitute)(k.rows, reduced, slice_at(top, SLICE, EXAMPLE), step == 8 ? 2 : 1, x);
        assert_solved(&k, x, step, when);
    }
    free(reduced);
    free_known(&k);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How far row q (counted from 0 in its slice) reaches after step u: twice as far with each step, until it has
   reached the row that its subsystem keeps longer. */
static int64_t reach(int64_t q, int64_t u)
{
    int64_t place = q % 2 ? q + 1 : q;
    return place == 0 ? 2 * u : least(2 * u, place & -place);
}

static void check_reduced_slice(const known *k, const sb_row *reduced, sb_slice s, int64_t u)
{
    for (int64_t q = 0; q < s.rows && s.top + q < s.n; ++q) {
        int64_t v = reach(q, u), left = q - v < -1 ? -1 : q - v;
        assert_couples(k, reduced[s.top + q], s.top + left, s.top + q,
                       least(s.top + least(q + v, s.rows), s.n));
    }
}

static void check_slices(int64_t n, int64_t rows)
{
    known k = known_problem(n, (uint64_t)(n + rows));
    sb_row *reduced = calloc((size_t)n, sizeof *reduced);
    assert_non_null(reduced);
    for (int64_t u = 1; u < rows; u *= 2)
        for (int64_t top = 0; top < n; top += rows) {
            assert_int_equal(SB_NAME(tpr_reduce)(k.rows, reduced, slice_at(top, rows, n), u), SB_NO_ROW);
            check_reduced_slice(&k, reduced, slice_at(top, rows, n), u);
        }
    for (int64_t top = 0; top < n; top += rows) {
        SB_NAME(tpr_join)(reduced, slice_at(top, rows, n));
        int64_t bottom = top + rows - 1;
        assert_couples(&k, reduced[top], top - 1, top, bottom < n - 1 ? bottom : n);
    }
    for (int64_t bottom = rows - 1; bottom < n; bottom += rows) {
        SB_NAME(tpr_integrate)(reduced, slice_at(bottom + 1 - rows, rows, n));
        int64_t next = bottom + rows;
        assert_couples(&k, reduced[bottom], bottom - rows, bottom, next < n - 1 ? next : n);
    }
    free(reduced);
    free_known(&k);
}

static void test_each_step_couples_what_it_should_for_any_n(void **state)
{
    (void)state;
    for (int64_t rows = 2; rows <= 16; rows *= 2)
        for (int64_t n = 1; n <= 40; ++n)
            check_slices(n, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_1_splits_each_slice_into_odd_and_even_rows),
        cmocka_unit_test(test_step_2_leaves_each_subsystem_one_row),
        cmocka_unit_test(test_step_3_rids_the_top_rows_of_the_next_slice),
        cmocka_unit_test(test_step_4_integrates_the_slices),
        cmocka_unit_test(test_step_5_leaves_two_rows),
        cmocka_unit_test(test_substitution_uses_rows_that_stay_in_their_slice),
        cmocka_unit_test(test_unknowns_are_solved_in_the_order_of_figure_6),
        cmocka_unit_test(test_each_step_couples_what_it_should_for_any_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
