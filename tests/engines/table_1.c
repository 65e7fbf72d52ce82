/* Steps and operations against tpr.txt's table 1, by counting the rows that each step changes: a row that is
 * reduced costs 12 operations. */
#include "src/cpu/kernels/cr.h"
#include "src/cpu/kernels/pcr.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/kernels/tpr.h"
#include "src/cpu/kernels/wang_mou.h"
#include "steps.h"

/* The last row couples to x[n] = 0, so that no step leaves it by chance as it was. */
typedef struct counter {
    known k;
    sb_row *now, *before;
    int64_t n, steps, changed;
} counter;

static counter start(int64_t n)
{
    counter c = {.k = known_problem(n, (uint64_t)n), .n = n};
    c.k.rows[n - 1].c = (R)0.5;
    c.now = malloc((size_t)n * sizeof(sb_row));
    c.before = malloc((size_t)n * sizeof(sb_row));
    assert_true(c.now && c.before);
    memcpy(c.now, c.k.rows, (size_t)n * sizeof(sb_row));
    memcpy(c.before, c.k.rows, (size_t)n * sizeof(sb_row));
    return c;
}

static void finish(counter *c)
{
    free(c->now);
    free(c->before);
    free_known(&c->k);
}

static void count_step(counter *c)
{
    ++c->steps;
    for (int64_t i = 0; i < c->n; ++i)
        c->changed += memcmp(&c->now[i], &c->before[i], sizeof(sb_row)) != 0;
    memcpy(c->before, c->now, (size_t)c->n * sizeof(sb_row));
}

static void count_tree(counter *c, int64_t u)
{
    for (; c->n / u > 2; u *= 2) {
        SB_NAME(cr_reduce)(c->now, u, c->n, 1);
        count_step(c);
    }
}

static void test_cyclic_reduction(void **state)
{
    (void)state;
    for (int64_t n = 4, log_n = 2; n <= 64; n *= 2, ++log_n) {
        counter c = start(n);
        count_tree(&c, 1);
        assert_int_equal(c.steps, log_n - 1);
        assert_int_equal(c.steps, sb_cr_levels(n));
        /* 17 N with the 5 N of the substitution, but for the two rows that are solved together */
        assert_int_equal(12 * c.changed + 5 * n, 17 * n - 24);
        finish(&c);
    }
}

static void test_parallel_cyclic_reduction(void **state)
{
    (void)state;
    for (int64_t n = 4, log_n = 2; n <= 64; n *= 2, ++log_n) {
        counter c = start(n);
        for (int64_t u = 1; 2 * u < n; u *= 2) {
            SB_NAME(pcr_reduce)(c.before, c.now, u, n, 1);
            count_step(&c);
        }
        assert_int_equal(c.steps, log_n - 1);
        assert_int_equal(12 * c.changed, 12 * n * (log_n - 1));
        finish(&c);
    }
}

static void test_wang_mou(void **state)
{
    (void)state;
    for (int64_t n = 2, log_n = 1; n <= 64; n *= 2, ++log_n) {
        counter c = start(n);
        for (int64_t u = 1; u < n; u *= 2) {
            SB_NAME(wang_mou_merge)(c.now, u, n, 1);
            count_step(&c);
        }
        assert_int_equal(c.steps, log_n);
        assert_int_equal(c.changed, n * log_n);
        finish(&c);
    }
}

static void count_tpr(counter *c, int64_t rows)
{
    sb_row *now = c->now;
    for (int64_t u = 1; u < rows; u *= 2) {
        for (int64_t top = 0; top < c->n; top += rows)
            SB_NAME(tpr_reduce)(c->k.rows, now, (sb_slice){top, rows, c->n}, u);
        count_step(c);
    }
    for (int64_t top = 0; top < c->n; top += rows)
        SB_NAME(tpr_join)(now, (sb_slice){top, rows, c->n});
    count_step(c);
    for (int64_t top = 0; top < c->n; top += rows)
        SB_NAME(tpr_integrate)(now, (sb_slice){top, rows, c->n});
    count_step(c);
    count_tree(c, rows);
}

static void test_tree_partitioning_reduction(void **state)
{
    (void)state;
    for (int64_t n = 4, log_n = 2; n <= 64; n *= 2, ++log_n)
        for (int64_t rows = 2; rows <= n / 2; rows *= 2) {
            counter c = start(n);
            int64_t slices = n / rows;
            count_tpr(&c, rows);
            assert_int_equal(c.steps, log_n + 1);
            assert_int_equal(12 * c.changed, 24 * slices * (rows - 2) + 60 * slices - 36);
            finish(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cyclic_reduction),
        cmocka_unit_test(test_parallel_cyclic_reduction),
        cmocka_unit_test(test_wang_mou),
        cmocka_unit_test(test_tree_partitioning_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
