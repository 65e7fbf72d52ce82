/* Elimination from both ends: by factors or at once, plain or transposed, of any size. */
#include "support.h"

extern const sb_engine SB_NAME(twisted);

enum { LARGEST = 70 };

static double error_of(const problem *p, const sb_matrix *A)
{
    T *expected = reference(A, p->rhs);
    const double error = difference(p->solution, expected, p->A.n);
    free(expected);
    return error;
}

static void test_any_size_is_solved_and_so_is_its_transpose(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 5000; n += n < LARGEST ? 1 : n)
        for (int op = SB_PLAIN; op <= SB_TRANSPOSED; ++op) {
            problem p = random_problem(n, 1 + n % 3, (uint64_t)n);
            const sb_matrix transposed = SB_NAME(transpose)(&p.A);
            assert_int_equal(run(&SB_NAME(twisted), &p, (sb_op)op, (sb_tuning){.threads = 1}), -1);
            const double error = error_of(&p, op == SB_PLAIN ? &p.A : &transposed);
            if (!(error <= 32 * EPSILON))
                fail_msg("n = %lld, %s: %g", (long long)n, op == SB_PLAIN ? "plain" : "transposed", error);
            free_problem(&p);
        }
}

/* The right-hand side stands in p->solution. */
static bool solve_at_once(problem *p, double most, double *growth)
{
    void *memory = malloc(SB_NAME(twisted).stored(p->A.n, 1, 1, NULL));
    assert_non_null(memory);
    memcpy(p->solution, p->rhs, (size_t)p->A.n * sizeof(T));
    const bool solved = SB_NAME(twisted).once(&p->A, memory, p->solution, most, growth);
    free(memory);
    return solved;
}

static void test_both_at_once_is_the_same(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 5000; n += n < LARGEST ? 1 : n) {
        problem p = random_problem(n, 1 + n % 3, (uint64_t)n);
        double growth;
        assert_true(solve_at_once(&p, 1, &growth));
        assert_true(growth == 1);
        const double error = error_of(&p, &p.A);
        if (!(error <= 32 * EPSILON))
            fail_msg("n = %lld: %g", (long long)n, error);
        free_problem(&p);
    }
}

static void check_refused(problem *p, const char *what, int64_t at)
{
    double growth;
    if (solve_at_once(p, 4, &growth) || memcmp(p->solution, p->rhs, (size_t)p->A.n * sizeof(T)))
        fail_msg("n = %lld, %s at %lld", (long long)p->A.n, what, (long long)at);
}

static void test_what_is_refused_leaves_the_right_hand_side_alone(void **state)
{
    (void)state;
    const R bad[] = {NAN, INFINITY, -INFINITY};
    for (int64_t n = 1; n <= 37; ++n) {
        for (int64_t at = 1; at < 3 * n - 1; ++at) {
            problem p = random_problem(n, 1, (uint64_t)n);
            p.entries[at] = bad[at % 3];
            check_refused(&p, "a bad entry", at);
            free_problem(&p);
        }
        for (int64_t at = 0; at < n; ++at) {
            problem p = random_problem(n, 1, (uint64_t)n);
            p.rhs[at] = bad[at % 3];
            check_refused(&p, "a bad right-hand side", at);
            free_problem(&p);
            p = random_problem(n, 1, (uint64_t)n);
            p.entries[n + at] *= (R)1e-5;
            if (n > 1)
                check_refused(&p, "growth", at);
            free_problem(&p);
        }
    }
}

/* A row of zeros: its own number, from above, from below and in the middle. */
static void test_a_row_of_zeros_is_named(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 12; ++n)
        for (int64_t at = 0; at < n; ++at) {
            problem p = random_problem(n, 1, (uint64_t)n);
            p.entries[at] = p.entries[n + at] = p.entries[2 * n + at] = 0;
            assert_int_equal(run(&SB_NAME(twisted), &p, SB_PLAIN, (sb_tuning){.threads = 1}), at);
            check_refused(&p, "a row of zeros", at);
            free_problem(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_size_is_solved_and_so_is_its_transpose),
        cmocka_unit_test(test_both_at_once_is_the_same),
        cmocka_unit_test(test_what_is_refused_leaves_the_right_hand_side_alone),
        cmocka_unit_test(test_a_row_of_zeros_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
