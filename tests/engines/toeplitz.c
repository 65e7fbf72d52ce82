/* Near-Toeplitz cyclic reduction against elimination in wider precision. */
#include "support.h"

static const sb_engine *const engine = &SB_NAME(cr_toeplitz);
static const int64_t large_sizes[] = {127, 128, 129, 1000, 4097};

/* 1..70, then the large ones, then 0. */
static int64_t size_at(int index)
{
    return index < 70 ? index + 1 : index < 75 ? large_sizes[index - 70] : 0;
}

static problem problem_at(int64_t n, int64_t beyond, int ends)
{
    int first = ends & 1, last = ends >> 1;
    return random_toeplitz_problem(n, n + beyond, first, last, (uint64_t)(16 * n + 4 * beyond + ends));
}

static void check_solution(const problem *p, const sb_matrix *A, int64_t row, const char *what)
{
    T *expected = reference(A, p->rhs);
    double error = difference(p->solution, expected, A->n);
    free(expected);
    if (row >= 0 || !(error <= 32 * EPSILON))
        fail_msg("%s, n = %lld of %lld, ends %lld %lld: row %lld, error %g", what, (long long)A->n,
                 (long long)A->total, (long long)A->first, (long long)A->last, (long long)row, error);
}

/* n too small for the ends that differ is no Toeplitz problem. */
static bool possible(int64_t n, int64_t beyond, int ends)
{
    return n + beyond >= (ends & 1) + (ends >> 1);
}

static void test_systems_of_any_size_and_with_any_ends_are_solved(void **state)
{
    (void)state;
    for (int s = 0; size_at(s) > 0; ++s)
        for (int ends = 0; ends < 4; ++ends)
            for (int64_t beyond = 0; beyond <= 2; ++beyond) {
                if (!possible(size_at(s), beyond, ends))
                    continue;
                problem p = problem_at(size_at(s), beyond, ends);
                check_solution(&p, &p.A, run(engine, &p, SB_PLAIN, (sb_tuning){.threads = 1}), "plain");
                free_problem(&p);
            }
}

static void test_transposed_systems_are_solved(void **state)
{
    (void)state;
    for (int s = 0; size_at(s) > 0; ++s)
        for (int ends = 0; ends < 4; ++ends) {
            if (!possible(size_at(s), 0, ends))
                continue;
            problem p = problem_at(size_at(s), 0, ends);
            /* dominant along columns as well */
            for (int i = 0; i <= p.A.first + p.A.last; ++i)
                p.entries[p.A.first + 1 + p.A.last + i] *= 200;
            sb_matrix transpose = SB_NAME(transpose)(&p.A);
            int64_t row = run(engine, &p, SB_TRANSPOSED, (sb_tuning){.threads = 1});
            check_solution(&p, &transpose, row, "transposed");
            free_problem(&p);
        }
}

/* y' inv(A) b = b' inv(A') y. */
static void test_the_transposed_solve_is_the_adjoint(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 300; n += 1 + n / 5)
        for (int ends = 0; ends < 4; ++ends) {
            problem p = problem_at(n, 0, ends);
            WT one = 0, other = 0;
            double size = 0;
            T *b = p.rhs, *y = malloc((size_t)n * sizeof(T));
            assert_non_null(y);
            for (int64_t i = 0; i < n; ++i)
                y[i] = random_entry(&p.seed);
            assert_int_equal(run(engine, &p, SB_PLAIN, (sb_tuning){.threads = 1}), -1);
            for (int64_t i = 0; i < n; ++i) {
                one += (WT)y[i] * p.solution[i];
                size += (double)(sb_abs1(y[i]) * sb_abs1(p.solution[i]));
            }
            p.rhs = y;
            assert_int_equal(run(engine, &p, SB_TRANSPOSED, (sb_tuning){.threads = 1}), -1);
            for (int64_t i = 0; i < n; ++i)
                other += (WT)b[i] * p.solution[i];
            assert_true((double)sb_abs1((T)(one - other)) <= 16 * EPSILON * size);
            free(b);
            free_problem(&p);
        }
}

static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int s = 70; size_at(s) > 0; ++s)
        for (int op = SB_PLAIN; op <= SB_TRANSPOSED; ++op) {
            problem p = problem_at(size_at(s), 0, 3), q = problem_at(size_at(s), 0, 3);
            assert_int_equal(run(engine, &p, (sb_op)op, (sb_tuning){.threads = 1}), -1);
            for (int threads = 2; threads <= 3; ++threads) {
                assert_int_equal(run(engine, &q, (sb_op)op, (sb_tuning){.threads = threads}), -1);
                assert_memory_equal(p.solution, q.solution, (size_t)p.A.n * sizeof(T));
            }
            free_problem(&p);
            free_problem(&q);
        }
}

static int64_t factor_constant(int64_t n, T a, T b, T c)
{
    problem p = random_toeplitz_problem(n, n, 0, 0, 1);
    p.entries[0] = a;
    p.entries[1] = b;
    p.entries[2] = c;
    int64_t row = run(engine, &p, SB_PLAIN, (sb_tuning){.threads = 1});
    free_problem(&p);
    return row;
}

static void test_a_zero_pivot_is_reported_with_its_row(void **state)
{
    (void)state;
    for (int64_t n = 3; n <= 40; ++n)
        assert_int_equal(factor_constant(n, 1, 0, 1), 0);
    assert_int_equal(factor_constant(1, 1, 0, 1), 0);
    /* in the first step rows 1, 3, ... become 2 - 2/2 - 2/2 = 0 */
    for (int64_t n = 6; n <= 40; ++n)
        assert_int_equal(factor_constant(n, 2, 2, 1), 1);
    assert_int_equal(factor_constant(2, 1, 1, 1), 1);
    assert_int_equal(factor_constant(3, 2, 2, 1), 1);
}

static void test_a_zero_pivot_at_either_end_is_reported_with_its_row(void **state)
{
    (void)state;
    for (int64_t n = 3; n <= 41; n += 2)
        for (int ends = 1; ends < 4; ++ends) {
            problem p = problem_at(n, 0, ends);
            int64_t count = p.A.first + 1 + p.A.last;
            p.entries[ends == 1 ? count : 2 * count - 1] = 0;
            assert_int_equal(run(engine, &p, SB_PLAIN, (sb_tuning){.threads = 1}), ends == 1 ? 0 : n - 1);
            free_problem(&p);
        }
}

static void test_a_zero_pivot_between_the_ends_is_reported_with_its_row(void **state)
{
    (void)state;
    for (int64_t n = 4; n <= 40; ++n) {
        problem p = problem_at(n, 0, 3);
        p.entries[4] = 0;
        assert_int_equal(run(engine, &p, SB_PLAIN, (sb_tuning){.threads = 1}), 2);
        free_problem(&p);
    }
}

static void test_a_bad_number_anywhere_is_reported(void **state)
{
    (void)state;
    const R bad[] = {NAN, INFINITY, -INFINITY};
    for (int64_t n = 2; n <= 40; ++n)
        for (int64_t at = 1; at < 8; ++at) {
            problem p = problem_at(n, 0, 3);
            bool read = n > 2 || at % 3 != 1; /* of two rows none lies between the ends */
            p.entries[at] = bad[at % 3];
            int64_t row = run(engine, &p, SB_PLAIN, (sb_tuning){.threads = 1});
            assert_true(read ? row >= 0 && row < n : row == -1);
            free_problem(&p);
        }
}

static void test_memory_grows_with_the_logarithm_of_n(void **state)
{
    (void)state;
    const sb_tuning tuning = {.threads = 1};
    size_t level = engine->stored(4, 1, 1, &tuning) - engine->stored(2, 1, 1, &tuning);
    for (int64_t n = 4; n < (int64_t)1 << 40; n *= 2)
        assert_int_equal(engine->stored(n, 1, 1, &tuning) - engine->stored(n / 2, 1, 1, &tuning), level);
    assert_int_equal(engine->scratch((int64_t)1 << 40, 1, 1, &tuning), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems_of_any_size_and_with_any_ends_are_solved),
        cmocka_unit_test(test_transposed_systems_are_solved),
        cmocka_unit_test(test_the_transposed_solve_is_the_adjoint),
        cmocka_unit_test(test_threads_do_not_change_a_bit),
        cmocka_unit_test(test_a_zero_pivot_is_reported_with_its_row),
        cmocka_unit_test(test_a_zero_pivot_at_either_end_is_reported_with_its_row),
        cmocka_unit_test(test_a_zero_pivot_between_the_ends_is_reported_with_its_row),
        cmocka_unit_test(test_a_bad_number_anywhere_is_reported),
        cmocka_unit_test(test_memory_grows_with_the_logarithm_of_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
