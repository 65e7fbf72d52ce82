/* Systems side by side have the same bits whether tiles hold all of their rows or a stretch at a time, and what is wrong with one of them
 * stays there, in place too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { SYSTEMS = 43, MOST_BAND = 4, MOST_WIDTH = 2 * MOST_BAND + 1 };

typedef struct batch {
    slimband_problem problem;
    int64_t total;
    T *memory, *diagonal[MOST_WIDTH], *b, *x[2];
} batch;

static T *allocate(int64_t count)
{
    T *array = malloc((size_t)count * sizeof(T));
    assert_non_null(array);
    return array;
}

static batch make(int64_t n, int band, slimband_coefficients coefficients)
{
    batch s = {.problem = slimband_banded(scalar, n, band, band), .total = n * SYSTEMS};
    sb_random random = sb_random_seeded(600 + (uint64_t)n);
    s.problem.coefficients = coefficients;
    s.problem.one_pass = coefficients == SLIMBAND_OWN;
    assert_int_equal(slimband_interleaved(&s.problem, SYSTEMS), SLIMBAND_OK);
    s.memory = allocate(s.total * (MOST_WIDTH + 3));
    for (int d = 0; d <= 2 * band; ++d) {
        s.diagonal[d] = s.memory + d * s.total;
        for (int64_t e = 0; e < s.total; ++e)
            s.diagonal[d][e] = (T)(sb_random_signed(&random) + (d == band ? 3 * band : 0));
    }
    s.b = s.memory + MOST_WIDTH * s.total;
    s.x[0] = s.b + s.total;
    s.x[1] = s.x[0] + s.total;
    for (int64_t e = 0; e < s.total; ++e)
        s.b[e] = (T)sb_random_signed(&random);
    return s;
}

/* b: it may be x. */
static slimband_status solve(const batch *s, const char *method, bool transposed, const T *b, T *x)
{
    const void *matrix[MOST_WIDTH];
    slimband_plan *plan = NULL;
    for (int d = 0; d < MOST_WIDTH; ++d)
        matrix[d] = s->diagonal[d];
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cpu(2), method), SLIMBAND_OK);
    slimband_status status =
        s->problem.one_pass ? slimband_factor_solve(plan, matrix, b, x) : slimband_factor(plan, matrix);
    if (!s->problem.one_pass && !status)
        status = transposed ? slimband_solve_transposed(plan, b, x) : slimband_solve(plan, b, x);
    slimband_plan_destroy(plan);
    return status;
}

/* In place where `in_place`. */
static void compare(batch *s, const set *with, bool transposed, bool in_place)
{
    const size_t bytes = (size_t)s->total * sizeof(T);
    for (int k = 0; k < 2; ++k) {
        memcpy(s->x[k], s->b, bytes);
        const T *b = in_place ? s->x[k] : s->b;
        assert_int_equal(solve(s, k ? with->stretched : with->whole, transposed, b, s->x[k]), SLIMBAND_OK);
    }
    if (memcmp(s->x[0], s->x[1], bytes) != 0)
        fail_msg("%s, %lld rows, band %d%s%s: other bits", with->stretched, (long long)s->problem.n,
                 s->problem.lower, transposed ? ", transposed" : "", in_place ? ", in place" : "");
}

static const int64_t lengths[] = {1, 2, 15, 16, 17, 18, 31, 32, 33, 47, 100, 257};

static void over_lengths(slimband_coefficients coefficients, bool transposed)
{
    for (int k = 0; k < set_count; ++k)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l)
            for (int band = 1; band <= MOST_BAND; ++band) {
                batch s = make(lengths[l], band, coefficients);
                compare(&s, &sets[k], transposed, false);
                compare(&s, &sets[k], transposed, true);
                free(s.memory);
            }
}

static void test_own_matrices(void **state)
{
    (void)state;
    over_lengths(SLIMBAND_OWN, false);
}

static void test_one_matrix(void **state)
{
    (void)state;
    over_lengths(SLIMBAND_SHARED, false);
}

static void test_one_matrix_transposed(void **state)
{
    (void)state;
    over_lengths(SLIMBAND_SHARED, true);
}

static void test_rings_of_own_matrices(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (size_t l = 2; l < sizeof lengths / sizeof *lengths; ++l) {
            batch s = make(lengths[l], 1, SLIMBAND_OWN);
            s.problem.ends = SLIMBAND_PERIODIC;
            compare(&s, &sets[k], false, false);
            compare(&s, &sets[k], false, true);
            free(s.memory);
        }
}

/* Every fifth system has to pivot, in another row each: those are solved from right-hand sides that must still be there. */
static void test_systems_that_pivot(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int band = 1; band <= 2; ++band) {
            const int64_t n = 75;
            batch s = make(n, band, SLIMBAND_OWN);
            for (int64_t bad = 0; bad < SYSTEMS; bad += 5)
                s.diagonal[band][bad * 7 % n * SYSTEMS + bad] = 0;
            compare(&s, &sets[k], false, false);
            compare(&s, &sets[k], false, true);
            free(s.memory);
        }
}

/* A row of zeros, found in whichever stretch: the other systems' bits are those without it. */
static void test_singular_systems(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int64_t row = 0; row < 64; row += 21) {
            batch s = make(64, 1, SLIMBAND_OWN);
            const int64_t bad = 11;
            assert_int_equal(solve(&s, sets[k].stretched, false, s.b, s.x[0]), SLIMBAND_OK);
            for (int d = 0; d < 3; ++d)
                s.diagonal[d][row * SYSTEMS + bad] = 0;
            memcpy(s.x[1], s.b, (size_t)s.total * sizeof(T));
            assert_int_equal(solve(&s, sets[k].stretched, false, s.x[1], s.x[1]), SLIMBAND_SINGULAR);
            for (int64_t e = 0; e < s.total; ++e)
                if (e % SYSTEMS == bad)
                    assert_false(sb_finite(s.x[1][e]));
                else
                    assert_memory_equal(&s.x[0][e], &s.x[1][e], sizeof(T));
            free(s.memory);
        }
}

/* That they are taken at all: the matrix and the right-hand side are read twice. */
static void test_a_plan_tells_of_stretches(void **state)
{
    (void)state;
    batch s = make(2000, 1, SLIMBAND_OWN);
    for (int k = 0; k < set_count; ++k) {
        slimband_report report[2];
        const char *method[] = {sets[k].whole, sets[k].stretched};
        for (int e = 0; e < 2; ++e) {
            slimband_plan *plan = NULL;
            assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), method[e]), SLIMBAND_OK);
            assert_int_equal(slimband_plan_report(plan, &report[e]), SLIMBAND_OK);
            slimband_plan_destroy(plan);
        }
        assert_true(report[0].words_per_row == 5);
        assert_true(report[1].words_per_row == 9);
    }
    free(s.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_matrices),
        cmocka_unit_test(test_one_matrix),
        cmocka_unit_test(test_one_matrix_transposed),
        cmocka_unit_test(test_rings_of_own_matrices),
        cmocka_unit_test(test_systems_that_pivot),
        cmocka_unit_test(test_singular_systems),
        cmocka_unit_test(test_a_plan_tells_of_stretches),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
