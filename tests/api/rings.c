/* Rings under pivoting auto: I + s times the fourth difference, symmetric positive definite and far from dominant, whose
 * spikes grow as the fourth root of s. Believed without pivoting as long as answers are as good as with it. And dominant ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/plan.h"
#include "slimband/residual.h"
#include "tests/api/few_couplings.h"

enum { N = 211, LAST = N - 1 };

/* Right-hand sides: of x that are random, rough, and nearly or wholly the border's two unknowns. */
typedef enum kind { RANDOM, ROUGH, BORDER, BORDER_ALONE, KINDS } kind;

static double entry(kind k, int i, sb_random *random)
{
    switch (k) {
    case RANDOM:
        return sb_random_signed(random);
    case ROUGH:
        return i % 2 ? 1 : -1;
    case BORDER:
        return i == LAST ? 1 : i == LAST - 1 ? -1 : 1e-3 * sb_random_signed(random);
    default:
        return i == LAST ? 1 : i == LAST - 1 ? -1 : 0;
    }
}

typedef struct ring {
    double d[5][N], x[N], b[N];
} ring;

static void fill(ring *r, double s, kind k)
{
    const double row[] = {s, -4 * s, 1 + 6 * s, -4 * s, s};
    sb_random random = sb_random_seeded(17);
    for (int i = 0; i < N; ++i) {
        r->x[i] = entry(k, i, &random);
        for (int d = 0; d < 5; ++d)
            r->d[d][i] = row[d];
    }
    for (int i = 0; i < N; ++i) {
        long double sum = 0;
        for (int d = 0; d < 5; ++d)
            sum += (long double)row[d] * r->x[(i + d - 2 + N) % N];
        r->b[i] = (double)sum;
    }
}

/* The normwise backward error of one solve; whether it pivoted. */
static double backward_error(const ring *r, bool transposed, bool *pivoted)
{
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, N);
    slimband_backward_error error;
    slimband_report report;
    slimband_plan *plan;
    const void *diagonals[] = {r->d[0], r->d[1], r->d[2], r->d[3], r->d[4]};
    double x[N];
    p.ends = SLIMBAND_PERIODIC;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), "lu"), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
    assert_int_equal(transposed ? slimband_solve_transposed(plan, r->b, x) : slimband_solve(plan, r->b, x),
                     SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(slimband_residual(&p, diagonals, r->b, x, &error), SLIMBAND_OK);
    *pivoted = report.pivoted > 0;
    slimband_plan_destroy(plan);
    return error.normwise;
}

/* The tests' bound for every matrix, 10 n_band epsilon, kept by the solve and by the transposed one. */
static void test_answers_are_good_for_every_weight(void **state)
{
    (void)state;
    ring *r = malloc(sizeof *r);
    for (double s = 1; s < 1e12; s *= 2)
        for (int k = 0; k < 2 * KINDS; ++k) {
            bool pivoted;
            fill(r, s, (kind)(k / 2));
            double error = backward_error(r, k % 2, &pivoted);
            assert_true(error < 50 * 0x1p-52);
        }
    free(r);
}

static void test_weights_are_told_apart(void **state)
{
    (void)state;
    ring *r = malloc(sizeof *r);
    for (double s = 1; s < 1e12; s *= 10) {
        bool pivoted;
        fill(r, s, RANDOM);
        backward_error(r, false, &pivoted);
        assert_int_equal(pivoted, s > 3e5);
    }
    free(r);
}

static void test_what_decays_around_the_ring_costs_no_digits(void **state)
{
    (void)state;
    static const char *const methods[] = {"lu", "lanes", "partition", "auto"};
    static char memory[FEW_COUPLINGS_BYTES];
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        check_few_couplings(slimband_cpu(1), methods[m], memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_good_for_every_weight),
        cmocka_unit_test(test_weights_are_told_apart),
        cmocka_unit_test(test_what_decays_around_the_ring_costs_no_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
