/* The joint engines solve dominant systems of any size, and say so when they cannot. */
#include "support.h"

static const struct {
    const char *name;
    const sb_engine *engine;
    sb_tuning tuning;
} engines[] = {
    {.name = "cr", .engine = &SB_NAME(cr)},
    {.name = "pcr", .engine = &SB_NAME(pcr)},
    {.name = "wang_mou", .engine = &SB_NAME(wang_mou)},
    {.name = "tpr", .engine = &SB_NAME(tpr)},
    {"pcr_thomas, plain", &SB_NAME(pcr_thomas), {.form = SB_FORM_PLAIN, .switch_point = 2}},
    {"pcr_thomas, overlapped", &SB_NAME(pcr_thomas), {.form = SB_FORM_OVERLAPPED, .switch_point = 3}},
    {"pcr_thomas, tasked", &SB_NAME(pcr_thomas), {.form = SB_FORM_TASKED, .switch_point = 4}},
    {"pcr_thomas, shuffled", &SB_NAME(pcr_thomas), {.form = SB_FORM_SHUFFLED, .switch_point = 3}}};

enum { ENGINES = 8 };

static int64_t run_engine(int e, problem *p, int threads, int64_t slice)
{
    sb_tuning tuning = engines[e].tuning;
    tuning.threads = threads;
    tuning.slice = slice;
    return run(engines[e].engine, p, SB_PLAIN, tuning);
}

static const int64_t large_sizes[] = {127, 128, 129, 1000, 4097};

/* 1..70, then the large ones, then 0. */
static int64_t size_at(int index)
{
    return index < 70 ? index + 1 : index < 75 ? large_sizes[index - 70] : 0;
}

static void check_solution(const char *name, problem *p, int64_t row, uint64_t seed)
{
    T *expected = reference(&p->A, p->rhs);
    double error = difference(p->solution, expected, p->A.n);
    free(expected);
    if (row >= 0 || !(error <= 32 * EPSILON))
        fail_msg("%s, n = %lld, seed %llu: row %lld, error %g", name, (long long)p->A.n,
                 (unsigned long long)seed, (long long)row, error);
}

static void test_dominant_systems_of_any_size_are_solved(void **state)
{
    (void)state;
    for (int s = 0; size_at(s) > 0; ++s)
        for (int e = 0; e < ENGINES; ++e) {
            uint64_t seed = (uint64_t)(100 * s + e);
            problem p = random_problem(size_at(s), 1 + s % 3, seed);
            int64_t row = run_engine(e, &p, 1, 0);
            check_solution(engines[e].name, &p, row, seed);
            free_problem(&p);
        }
}

static void test_tpr_solves_with_slices_of_any_size(void **state)
{
    (void)state;
    for (int s = 0; size_at(s) > 0; ++s)
        for (int64_t slice = 2; slice <= 8192; slice *= 2) {
            uint64_t seed = (uint64_t)(8192 * s + slice);
            problem p = random_problem(size_at(s), 1, seed);
            int64_t row = run(&SB_NAME(tpr), &p, SB_PLAIN, (sb_tuning){.threads = 1, .slice = slice});
            check_solution("tpr", &p, row, seed);
            free_problem(&p);
        }
}

static void test_transposed_views_are_solved(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 40; ++n)
        for (int e = 0; e < ENGINES; ++e) {
            problem p = random_problem(n, 2, (uint64_t)n);
            /* what is dominant along rows need not be along columns */
            for (int64_t i = 0; i < n; ++i)
                p.entries[2 * (n + i)] *= 200;
            p.A = SB_NAME(transpose)(&p.A);
            int64_t row = run_engine(e, &p, 1, 0);
            check_solution(engines[e].name, &p, row, (uint64_t)n);
            free_problem(&p);
        }
}

static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int s = 70; size_at(s) > 0; ++s)
        for (int e = 0; e < ENGINES; ++e)
            for (int64_t slice = 0; slice <= 512; slice += 64 + 3 * slice) {
                problem p = random_problem(size_at(s), 1, (uint64_t)s),
                        q = random_problem(size_at(s), 1, (uint64_t)s);
                assert_int_equal(run_engine(e, &p, 1, slice), -1);
                for (int threads = 2; threads <= 3; ++threads) {
                    assert_int_equal(run_engine(e, &q, threads, slice), -1);
                    assert_memory_equal(p.solution, q.solution, (size_t)p.A.n * sizeof(T));
                }
                free_problem(&p);
                free_problem(&q);
            }
}

static void test_a_zero_pivot_is_reported_with_its_row(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 3000; n = 3 * n + 1)
        for (int e = 0; e < ENGINES; ++e)
            for (int threads = 1; threads <= 2; ++threads) {
                problem p = random_problem(n, 1, (uint64_t)n);
                p.entries[n] = 0;
                if (n > 1)
                    p.entries[n + n / 2] = 0;
                assert_int_equal(run_engine(e, &p, threads, 8), 0);
                free_problem(&p);
            }
}

/* Entries A(i, i), A(i, i + 1), A(i + 1, i), A(i + 1, i + 1). */
static problem problem_with_block(int64_t n, int64_t i, R b0, R c0, R a1, R b1)
{
    problem p = random_problem(n, 1, (uint64_t)n);
    p.entries[n + i] = b0;
    p.entries[2 * n + i] = c0;
    p.entries[i + 1] = a1;
    p.entries[n + i + 1] = b1;
    return p;
}

static void test_a_zero_pivot_of_a_later_step_is_reported_with_its_row(void **state)
{
    (void)state;
    problem p = problem_with_block(8, 0, 1, 1, 1, 1);
    assert_int_equal(run(&SB_NAME(wang_mou), &p, SB_PLAIN, (sb_tuning){.threads = 1}), 1);
    free_problem(&p);
    /* rows 4..6: 1 1 0, 1 2 1, 0 1 1 */
    p = problem_with_block(8, 4, 1, 1, 1, 2);
    p.entries[16 + 5] = p.entries[6] = p.entries[8 + 6] = 1;
    p.entries[16 + 6] = 0;
    assert_int_equal(run(&SB_NAME(wang_mou), &p, SB_PLAIN, (sb_tuning){.threads = 1}), 6);
    free_problem(&p);
    p = problem_with_block(8, 2, 1, 1, 1, 1);
    assert_int_equal(run(&SB_NAME(tpr), &p, SB_PLAIN, (sb_tuning){.threads = 1, .slice = 2}), 2);
    free_problem(&p);
}

static void test_the_last_pair_needs_no_diagonal(void **state)
{
    (void)state;
    for (int e = 0; e < 2; ++e) {
        problem p = problem_with_block(2, 0, 0, 1, 1, (R)0.5);
        const T expected[] = {p.rhs[1] - p.rhs[0] / 2, p.rhs[0]};
        assert_int_equal(run_engine(e, &p, 1, 0), -1);
        assert_true(difference(p.solution, expected, 2) <= 4 * EPSILON);
        free_problem(&p);
    }
}

static void test_a_singular_pair_is_reported(void **state)
{
    (void)state;
    for (int e = 0; e < ENGINES; ++e) {
        problem p = problem_with_block(2, 0, 1, 1, 1, 1);
        /* a step of reduction leaves no pivot in either row */
        assert_int_equal(run_engine(e, &p, 1, 0), engines[e].tuning.switch_point > 0 ? 0 : 1);
        free_problem(&p);
    }
}

static void test_a_bad_number_anywhere_is_reported(void **state)
{
    (void)state;
    const R bad[] = {NAN, INFINITY, -INFINITY};
    for (int64_t n = 1; n <= 37; ++n)
        for (int e = 0; e < ENGINES; ++e)
            for (int64_t at = 1; at < 3 * n - 1; ++at) {
                problem p = random_problem(n, 1, (uint64_t)n);
                p.entries[at] = bad[at % 3];
                int64_t row = run_engine(e, &p, 1, 4);
                if (row < 0 || row >= n)
                    fail_msg("%s, n = %lld, diagonal %d, row %lld: reported row %lld", engines[e].name,
                             (long long)n, (int)(at / n) - 1, (long long)(at % n), (long long)row);
                free_problem(&p);
            }
}

static void test_tiny_and_huge_systems_do_not_overflow(void **state)
{
    (void)state;
    const R scales[] = {(R)(sizeof(R) == sizeof(float) ? 1e-30 : 1e-250),
                        (R)(sizeof(R) == sizeof(float) ? 1e30 : 1e250)};
    for (int s = 0; s < 2; ++s)
        for (int64_t n = 1; n <= 130; n += 1 + n / 4)
            for (int e = 0; e < ENGINES; ++e) {
                problem p = random_problem(n, 1, (uint64_t)n);
                for (int64_t i = 0; i < 3 * n; ++i)
                    p.entries[i] *= scales[s];
                for (int64_t i = 0; i < n; ++i)
                    p.rhs[i] *= scales[s];
                int64_t row = run_engine(e, &p, 1, 16);
                check_solution(engines[e].name, &p, row, (uint64_t)n);
                free_problem(&p);
            }
}

static void test_memory_is_as_many_words_a_row_as_the_methods_say(void **state)
{
    (void)state;
    const size_t words[ENGINES] = {4, 8, 4, 8, 8, 8, 8, 8};
    const sb_tuning tuning = {.threads = 1};
    for (int e = 0; e < ENGINES; ++e) {
        assert_int_equal(engines[e].engine->stored(1000, 1, 1, &tuning), 0);
        assert_int_equal(engines[e].engine->scratch(1000, 1, 1, &tuning), 1000 * words[e] * sizeof(T));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dominant_systems_of_any_size_are_solved),
        cmocka_unit_test(test_tpr_solves_with_slices_of_any_size),
        cmocka_unit_test(test_transposed_views_are_solved),
        cmocka_unit_test(test_threads_do_not_change_a_bit),
        cmocka_unit_test(test_a_zero_pivot_is_reported_with_its_row),
        cmocka_unit_test(test_a_zero_pivot_of_a_later_step_is_reported_with_its_row),
        cmocka_unit_test(test_the_last_pair_needs_no_diagonal),
        cmocka_unit_test(test_a_singular_pair_is_reported),
        cmocka_unit_test(test_a_bad_number_anywhere_is_reported),
        cmocka_unit_test(test_tiny_and_huge_systems_do_not_overflow),
        cmocka_unit_test(test_memory_is_as_many_words_a_row_as_the_methods_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
