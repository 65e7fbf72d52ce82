/* Kept factors: many right-hand sides of one matrix, and Toeplitz matrices whose inner tiles share theirs. Answers are judged
 * by their residuals, and the same whatever they are solved beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/slimband.h"

enum { N = 12007, SYSTEMS = 11, ENDS = 2, MOST = 5 };

typedef struct example {
    int band;
    slimband_coefficients coefficients;
    slimband_ends ends;
    double margin; /* by which the diagonal exceeds its row */
    const char *method;
} example;

typedef struct arrays {
    double *diagonals[MOST], *b, *x;
} arrays;

static void fill(double *to, int64_t count, sb_random *random)
{
    for (int64_t i = 0; i < count; ++i)
        to[i] = sb_random_signed(random);
}

static slimband_problem problem_of(const example *e)
{
    slimband_problem p = slimband_banded(SLIMBAND_F64, N, e->band, e->band);
    p.ends = e->ends;
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    p.coefficients = e->coefficients;
    if (e->coefficients == SLIMBAND_TOEPLITZ)
        p.toeplitz_first = p.toeplitz_last = ENDS;
    p.matrix = (slimband_layout){.line = 1};
    return p;
}

static arrays draw(const example *e, sb_random *random)
{
    arrays a;
    for (int d = 0; d <= 2 * e->band; ++d) {
        a.diagonals[d] = malloc(N * sizeof(double));
        assert_non_null(a.diagonals[d]);
        fill(a.diagonals[d], N, random);
        for (int i = 0; i < N && d == e->band; ++i)
            a.diagonals[d][i] = 2 * e->band + e->margin;
    }
    a.b = malloc(N * SYSTEMS * sizeof(double));
    a.x = malloc(N * SYSTEMS * sizeof(double));
    assert_true(a.b && a.x);
    fill(a.b, N * SYSTEMS, random);
    return a;
}

static void drop(const example *e, arrays *a)
{
    for (int d = 0; d <= 2 * e->band; ++d)
        free(a->diagonals[d]);
    free(a->b);
    free(a->x);
}

static slimband_report solve(const example *e, const slimband_problem *p, int threads, const arrays *a,
                             bool in_place)
{
    slimband_plan *plan;
    slimband_report report;
    memcpy(a->x, a->b, N * SYSTEMS * sizeof(double));
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cpu(threads), e->method), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, (const void *const *)a->diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_solve(plan, in_place ? a->x : a->b, a->x), SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    return report;
}

static double error_of(const slimband_problem *p, const arrays *a)
{
    slimband_backward_error error;
    assert_int_equal(slimband_residual(p, (const void *const *)a->diagonals, a->b, a->x, &error), SLIMBAND_OK);
    return error.normwise;
}

static void check(const example *e, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    slimband_problem p = problem_of(e);
    arrays a = draw(e, &random);
    double *first = malloc(N * SYSTEMS * sizeof(double));
    assert_non_null(first);
    solve(e, &p, 1, &a, false);
    double error = error_of(&p, &a);
    if (!(error < 2e-15))
        print_error("seed %d: backward error %g\n", (int)seed, error);
    assert_true(error < 2e-15);
    memcpy(first, a.x, N * SYSTEMS * sizeof(double));
    for (int threads = 1; threads <= 3; ++threads) {
        solve(e, &p, threads, &a, true);
        assert_memory_equal(first, a.x, N * SYSTEMS * sizeof(double));
    }
    p.batch[0] = 1;
    slimband_report alone = solve(e, &p, 3, &a, false);
    assert_memory_equal(first, a.x, N * sizeof(double));
    p.batch[0] = SYSTEMS;
    double more = solve(e, &p, 1, &a, false).words_per_row, words = strstr(e->method, "trunc") ? 2 : 3;
    assert_true(e->coefficients == SLIMBAND_TOEPLITZ ? more == words && alone.words_per_row == words
                                                     : more > words && more < alone.words_per_row);
    free(first);
    drop(e, &a);
}

static void over_matrices(double margin, const char *const *methods)
{
    uint64_t seed = 100;
    for (int method = 0; method < 3; ++method)
        for (int band = 1; band <= 2; ++band)
            for (int ends = 0; ends < 2; ++ends)
                for (int coefficients = 0; coefficients < 2; ++coefficients) {
                    example e = {.band = band,
                                 .coefficients = coefficients ? SLIMBAND_TOEPLITZ : SLIMBAND_SHARED,
                                 .ends = ends ? SLIMBAND_PERIODIC : SLIMBAND_OPEN,
                                 .margin = margin,
                                 .method = methods[method]};
                    check(&e, ++seed);
                }
}

static void test_interfaces_of_many_right_hand_sides_are_exact(void **state)
{
    (void)state;
    static const char *const methods[] = {"partition", "partition:chunk=40", "partition:chunk=67"};
    over_matrices(0, methods);
    over_matrices(3, methods);
}

static void test_couplings_that_decay_need_one_pass(void **state)
{
    (void)state;
    static const char *const methods[] = {"truncated", "truncated:chunk=40", "truncated:chunk=67"};
    over_matrices(3, methods);
}

/* The worst that elimination without pivots has to bear: the interior of a chunk hardly damps anything. */
static void test_second_differences_are_solved_as_well_as_in_one_call(void **state)
{
    (void)state;
    example e = {.band = 1, .coefficients = SLIMBAND_TOEPLITZ, .method = "partition"};
    sb_random random = sb_random_seeded(3);
    slimband_problem p = problem_of(&e);
    arrays a = draw(&e, &random);
    for (int d = 0; d < 3; ++d)
        for (int i = 0; i < 2 * ENDS + 1; ++i)
            a.diagonals[d][i] = d == 1 ? 2 : -1;
    solve(&e, &p, 2, &a, false);
    assert_true(error_of(&p, &a) < 2e-15);
    drop(&e, &a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interfaces_of_many_right_hand_sides_are_exact),
        cmocka_unit_test(test_couplings_that_decay_need_one_pass),
        cmocka_unit_test(test_second_differences_are_solved_as_well_as_in_one_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
