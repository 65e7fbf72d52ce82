/* Matrices of constant rows that have to be pivoted for: in many of them elements grow by a constant factor with each row of a
 * chunk, whatever is chosen as a pivot, though they are well conditioned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "slimband/slimband.h"
#include "tests/chunk/draw.h"
#include "tests/factor_and_solve.h"
#include "tests/long/sets.h"

enum { N = 5000, WIDEST = 4, DIAGONALS = 2 * WIDEST + 1, ROUNDS = 24 };

static T band[DIAGONALS][N], b[N], x[N];

static const void *const diagonals[DIAGONALS] = {band[0], band[1], band[2], band[3], band[4],
                                                 band[5], band[6], band[7], band[8]};

static slimband_problem problem_of(int k, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    slimband_problem p = slimband_banded(scalar, N, k, k);
    p.ends = seed % 2 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.pivoting = seed / 2 % 2 ? SLIMBAND_PIVOT_PARTIAL : SLIMBAND_PIVOT_AUTO;
    for (int d = 0; d <= 2 * k; ++d) {
        T entry = draw(&random);
        for (int64_t i = 0; i < N; ++i)
            band[d][i] = entry;
    }
    for (int64_t i = 0; i < N; ++i)
        b[i] = draw(&random);
    return p;
}

/* False where there is no answer: some of these matrices have inverses that no type could hold. Factored first, or not. */
static bool check(int k, uint64_t seed, const char *set)
{
    char method[48];
    slimband_problem p = problem_of(k, seed);
    slimband_plan *plan;
    slimband_backward_error error;
    snprintf(method, sizeof method, "partition:isa=%s", set);
    p.one_pass = seed % 3 == 0;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(2), method), SLIMBAND_OK);
    slimband_status status = factor_and_solve(plan, p.one_pass, diagonals, b, x);
    slimband_plan_destroy(plan);
    if (status)
        return false;
    assert_int_equal(slimband_residual(&p, diagonals, b, x, &error), SLIMBAND_OK);
    if (!(error.normwise <= 100 * epsilon))
        fail_msg("k %d, seed %d, %s: %g", k, (int)seed, method, error.normwise);
    return true;
}

static void test_constant_rows_are_solved_whatever_grows(void **state)
{
    (void)state;
    set sets[MOST_SETS];
    int count = sets_here(sets);
    for (int s = 0; s < count; ++s)
        for (int k = 1; k <= WIDEST; ++k) {
            int solved = 0;
            for (uint64_t seed = 1; seed <= ROUNDS; ++seed)
                solved += check(k, seed, sets[s].name);
            assert_true(solved > ROUNDS / 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constant_rows_are_solved_whatever_grows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
