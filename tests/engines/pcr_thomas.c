/* What pcr_thomas adds to the other joint engines (solve.c): forms, switch points, and steps that leave the
 * systems apart. */
#include "src/cpu/kernels/pcr_thomas.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/kernels/switch_point.h"
#include "steps.h"

static const sb_engine *const engine = &SB_NAME(pcr_thomas);
static const char *const form_names[] = {"plain", "overlapped", "tasked", "shuffled"};
static const int64_t large_sizes[] = {127, 128, 129, 1000, 1024, 1500, 4097};

/* 1..20, then the large ones, then 0. */
static int64_t size_at(int index)
{
    return index < 20 ? index + 1 : index < 27 ? large_sizes[index - 20] : 0;
}

static int64_t run_form(problem *p, int form, int switch_point, int threads)
{
    return run(engine, p, SB_PLAIN,
               (sb_tuning){.threads = threads, .form = (sb_form)form, .switch_point = switch_point});
}

static void check_solution(const problem *p, int64_t row, int form, int switch_point)
{
    T *expected = reference(&p->A, p->rhs);
    double error = difference(p->solution, expected, p->A.n);
    free(expected);
    if (row >= 0 || !(error <= 32 * EPSILON))
        fail_msg("%s, n = %lld, %d steps: row %lld, error %g", form_names[form], (long long)p->A.n,
                 switch_point, (long long)row, error);
}

static void test_every_form_solves_any_size_with_any_switch_point(void **state)
{
    (void)state;
    for (int s = 0; size_at(s) > 0; ++s)
        for (int switch_point = 0; switch_point <= 30; switch_point += 1 + switch_point / 6)
            for (int form = SB_FORM_PLAIN; form <= SB_FORM_SHUFFLED; ++form) {
                problem p = random_problem(size_at(s), 1, (uint64_t)s);
                check_solution(&p, run_form(&p, form, switch_point, 1), form, switch_point);
                free_problem(&p);
            }
}

static void test_neither_form_nor_threads_change_a_bit(void **state)
{
    (void)state;
    for (int s = 0; size_at(s) > 0; ++s)
        for (int switch_point = 0; switch_point <= 7; ++switch_point) {
            problem p = random_problem(size_at(s), 1, (uint64_t)s),
                    q = random_problem(size_at(s), 1, (uint64_t)s);
            assert_int_equal(run_form(&p, SB_FORM_PLAIN, switch_point, 1), -1);
            for (int form = SB_FORM_PLAIN; form <= SB_FORM_SHUFFLED; ++form)
                for (int threads = 1; threads <= 3; ++threads) {
                    assert_int_equal(run_form(&q, form, switch_point, threads), -1);
                    assert_memory_equal(p.solution, q.solution, (size_t)p.A.n * sizeof(T));
                }
            free_problem(&p);
            free_problem(&q);
        }
}

static void test_the_switch_point_follows_the_threads_where_none_is_given(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; ++threads)
        for (int64_t n = 1023; n <= 1024; ++n) {
            int expected = sb_switch_point(n, n < SB_ROWS_WORTH_THREADS ? 1 : threads);
            problem p = random_problem(n, 1, 7), q = random_problem(n, 1, 7);
            assert_int_equal(run_form(&p, SB_FORM_OVERLAPPED, expected, 1), -1);
            assert_int_equal(run_form(&q, SB_FORM_OVERLAPPED, SB_SWITCH_CHOSEN, threads), -1);
            assert_memory_equal(p.solution, q.solution, (size_t)n * sizeof(T));
            if (expected > 0) {
                assert_int_equal(run_form(&p, SB_FORM_OVERLAPPED, 0, 1), -1);
                assert_memory_not_equal(p.solution, q.solution, (size_t)n * sizeof(T));
            }
            free_problem(&p);
            free_problem(&q);
        }
}

/* Rows i and i + 1 are 1 1, 1 1 and couple to no others: one step of reduction makes both pivots 0, Thomas by
   itself only the second. */
static problem problem_without_pivots(int64_t n, int64_t i)
{
    problem p = random_problem(n, 1, (uint64_t)n);
    for (int64_t j = i; j <= i + 1; ++j)
        p.entries[j] = p.entries[n + j] = p.entries[2 * n + j] = 1;
    p.entries[i] = p.entries[2 * n + i + 1] = 0;
    return p;
}

static void test_the_smallest_row_without_a_pivot_is_reported(void **state)
{
    (void)state;
    for (int64_t n = 4; n <= 2000; n = 3 * n + 1)
        for (int64_t i = 1; i + 2 < n; i += 1 + n / 7)
            for (int form = SB_FORM_PLAIN; form <= SB_FORM_SHUFFLED; ++form)
                for (int switch_point = 0; switch_point <= 4; ++switch_point)
                    for (int threads = 1; threads <= 2; ++threads) {
                        problem p = problem_without_pivots(n, i);
                        assert_int_equal(run_form(&p, form, switch_point, threads), switch_point ? i : i + 1);
                        free_problem(&p);
                    }
}

/* Row number `j` of system `s` after the step to `level` stands where the systems stand apart. */
static void check_apart(const known *k, const sb_row *apart, int level)
{
    int64_t n = k->p.A.n, u = INT64_C(1) << level, at = 0;
    for (int64_t s = 0; s < u; ++s) {
        assert_int_equal(sb_system_start(n, level, s), at);
        assert_int_equal(sb_system_rows(n, level, s), (n - s - 1) / u + 1);
        for (int64_t i = s; i < n; i += u, ++at) {
            assert_int_equal(sb_place(n, level, i), at);
            assert_couples(k, apart[at], i - u, i, i + u < n ? i + u : n);
        }
    }
    assert_int_equal(at, n);
}

static void test_shuffled_steps_leave_the_systems_apart_for_any_n(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 40; ++n) {
        known k = known_problem(n, (uint64_t)n);
        sb_row *from = make_rows(&k.p), *to = make_rows(&k.p);
        memcpy(from, k.rows, (size_t)n * sizeof(sb_row));
        check_apart(&k, from, 0);
        for (int level = 0; n >> (level + 1) > 0; ++level) {
            assert_int_equal(SB_NAME(pcr_shuffle)(from, to, level, n, 1), SB_NO_ROW);
            check_apart(&k, to, level + 1);
            sb_row *read = from;
            from = to;
            to = read;
        }
        free(from);
        free(to);
        free_known(&k);
    }
}

static void test_a_separating_step_is_a_shuffled_one_from_rows_in_their_own_order(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 70; ++n)
        for (int level = 0; n >> (level + 1) > 0; ++level) {
            problem p = random_problem(n, 1, (uint64_t)n);
            sb_row *own = make_rows(&p), *apart = make_rows(&p), *from_own = make_rows(&p),
                   *from_apart = make_rows(&p);
            for (int64_t i = 0; i < n; ++i)
                apart[sb_place(n, level, i)] = own[i];
            assert_int_equal(SB_NAME(pcr_separate)(own, from_own, level, n, 1), SB_NO_ROW);
            assert_int_equal(SB_NAME(pcr_shuffle)(apart, from_apart, level, n, 1), SB_NO_ROW);
            assert_memory_equal(from_own, from_apart, (size_t)n * sizeof(sb_row));
            free(own);
            free(apart);
            free(from_own);
            free(from_apart);
            free_problem(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_solves_any_size_with_any_switch_point),
        cmocka_unit_test(test_neither_form_nor_threads_change_a_bit),
        cmocka_unit_test(test_the_switch_point_follows_the_threads_where_none_is_given),
        cmocka_unit_test(test_the_smallest_row_without_a_pivot_is_reported),
        cmocka_unit_test(test_shuffled_steps_leave_the_systems_apart_for_any_n),
        cmocka_unit_test(test_a_separating_step_is_a_shuffled_one_from_rows_in_their_own_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
