/* The bits depend on the plan's method and the numbers: not on threads, nor on where the solution lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/slimband.h"

enum { N = 60011, SHIFTS = 3, DIAGONALS = 3 };

static void solve_problem(const slimband_problem *p, const char *method, int threads, double *const *diagonals,
                          const double *b, double *x)
{
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cpu(threads), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, (const void *const *)diagonals, b, x), SLIMBAND_OK);
    slimband_plan_destroy(plan);
}

static void solve(const char *method, int threads, double *const *diagonals, const double *b, double *x)
{
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, N);
    solve_problem(&p, method, threads, diagonals, b, x);
}

static void test_the_bits_are_the_same_on_any_threads_and_at_any_address(void **state)
{
    (void)state;
    static const char *const methods[] = {"partition", "partition:chunk=40", "truncated",
                                          "truncated:chunk=300"};
    sb_random random = sb_random_seeded(9);
    double *arrays[DIAGONALS + 3];
    for (int a = 0; a < DIAGONALS + 3; ++a) {
        arrays[a] = malloc((N + SHIFTS) * sizeof(double));
        assert_non_null(arrays[a]);
        for (int i = 0; i < N; ++i)
            arrays[a][i] = sb_random_signed(&random) + (a == 1 ? 4 : 0);
    }
    double *b = arrays[3], *first = arrays[4], *again = arrays[5];
    for (int pivots = 0; pivots < 2; ++pivots) {
        for (int m = 0; m < 4; ++m) {
            solve(methods[m], 1, arrays, b, first);
            for (int threads = 1; threads <= 3; ++threads) {
                solve(methods[m], threads, arrays, b, again + threads % SHIFTS);
                assert_memory_equal(first, again + threads % SHIFTS, N * sizeof(double));
            }
        }
        for (int i = 0; i < N; i += 5000)
            arrays[1][i] = 0;
    }
    for (int a = 0; a < DIAGONALS + 3; ++a)
        free(arrays[a]);
}

/* Rows come out of lines by other ways than those that are all alike, and again by others where lanes share sets of the
   cache, as those of 8192 rows do. */
static void test_rows_given_once_leave_the_bits_of_rows_given_one_by_one(void **state)
{
    (void)state;
    static const char *const methods[] = {"partition", "truncated", "partition:isa=portable",
                                          "truncated:isa=portable"};
    static const int64_t lengths[] = {8192, 8201, 30011, N};
    sb_random random = sb_random_seeded(4);
    double *arrays[DIAGONALS + 3];
    for (int a = 0; a < DIAGONALS + 3; ++a) {
        arrays[a] = malloc(N * sizeof(double));
        assert_non_null(arrays[a]);
        for (int i = 0; i < N; ++i)
            arrays[a][i] = a == 3 ? sb_random_signed(&random) : a == 1 ? 2.7 : -1.1 + 0.2 * a;
    }
    for (int l = 0; l < 4; ++l)
        for (int m = 0; m < 4; ++m) {
            slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, lengths[l]);
            p.one_pass = true;
            solve_problem(&p, methods[m], 1, arrays, arrays[3], arrays[4]);
            p.coefficients = SLIMBAND_TOEPLITZ;
            solve_problem(&p, methods[m], 1, arrays, arrays[3], arrays[5]);
            assert_memory_equal(arrays[4], arrays[5], (size_t)lengths[l] * sizeof(double));
        }
    for (int a = 0; a < DIAGONALS + 3; ++a)
        free(arrays[a]);
}

/* A batch of which the caches do not hold five words a row is stored past them: to lines that begin at another part of a cache
   line with every system, since their rows are an odd number. */
static void test_a_batch_beyond_the_caches_has_the_bits_of_its_systems(void **state)
{
    (void)state;
    enum { ROWS = 20011, WORDS = 5, FEW = 2, MOST = 1 << 28 };
    static const char *const methods[] = {"partition", "truncated"};
    slimband_machine machine;
    slimband_machine_facts(&machine);
    int64_t caches = machine.cache_bytes[2];
    caches = caches == 0 || caches > MOST ? MOST : caches; /* on more than 16 processors it stays within them */
    int64_t systems = caches / (ROWS * WORDS * (int64_t)sizeof(double)) / FEW * FEW + FEW, n = systems * ROWS;
    sb_random random = sb_random_seeded(11);
    double *arrays[DIAGONALS + 2], expected[FEW * ROWS];
    for (int a = 0; a < DIAGONALS + 2; ++a) {
        arrays[a] = malloc((size_t)n * sizeof(double));
        assert_non_null(arrays[a]);
        for (int64_t i = 0; i < n; ++i)
            arrays[a][i] = sb_random_signed(&random) + (a == 1 ? 4 : 0);
    }
    double *b = arrays[DIAGONALS], *x = arrays[DIAGONALS + 1];
    for (int shared = 0; shared < 2; ++shared)
        for (int m = 0; m < 2; ++m) {
            slimband_problem all = slimband_tridiagonal(SLIMBAND_F64, ROWS), few;
            all.coefficients = shared ? SLIMBAND_SHARED : SLIMBAND_OWN;
            few = all;
            assert_int_equal(slimband_contiguous(&all, systems), SLIMBAND_OK);
            assert_int_equal(slimband_contiguous(&few, FEW), SLIMBAND_OK);
            solve_problem(&all, methods[m], 2, arrays, b, x);
            for (int64_t at = 0; at < n; at += (int64_t)FEW * ROWS) {
                double *own[DIAGONALS];
                for (int d = 0; d < DIAGONALS; ++d)
                    own[d] = arrays[d] + (shared ? 0 : at);
                solve_problem(&few, methods[m], 1, own, b + at, expected);
                assert_memory_equal(expected, x + at, sizeof expected);
            }
        }
    for (int a = 0; a < DIAGONALS + 2; ++a)
        free(arrays[a]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bits_are_the_same_on_any_threads_and_at_any_address),
        cmocka_unit_test(test_rows_given_once_leave_the_bits_of_rows_given_one_by_one),
        cmocka_unit_test(test_a_batch_beyond_the_caches_has_the_bits_of_its_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
