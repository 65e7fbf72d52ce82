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

/* Rows that are dominant, half of whose couplings are none: what has decayed on the way around the ring stands among the last equations'
   entries then. In single and double precision, `scalar` says which. */
static double put(slimband_scalar scalar, void *array, int64_t i, double value)
{
    if (scalar == SLIMBAND_F32)
        return ((float *)array)[i] = (float)value;
    return ((double *)array)[i] = value;
}

enum { SYSTEMS = 40, LENGTH = 101, MOST_DIAGONALS = 13 };

static void check_few_couplings(slimband_scalar scalar, int lower, int upper, const char *method, uint64_t seed)
{
    static double memory[MOST_DIAGONALS + 2][SYSTEMS * LENGTH];
    const int width = lower + 1 + upper;
    const void *diagonals[MOST_DIAGONALS];
    slimband_problem p = slimband_banded(scalar, LENGTH, lower, upper);
    slimband_backward_error error;
    slimband_plan *plan;
    sb_random random = sb_random_seeded(seed);
    void *b = memory[MOST_DIAGONALS], *x = memory[MOST_DIAGONALS + 1];
    for (int64_t e = 0; e < SYSTEMS * LENGTH; ++e) {
        double sum = 0;
        for (int d = 0; d < width; ++d) {
            const double coupling = sb_random_unit(&random) < 0.5 ? 0 : sb_random_signed(&random);
            if (d != lower)
                sum += fabs(put(scalar, memory[d], e, coupling));
        }
        put(scalar, memory[lower], e, 1.03 * sum + 0.05);
        put(scalar, b, e, sb_random_signed(&random));
    }
    for (int d = 0; d < width; ++d)
        diagonals[d] = memory[d];
    p.ends = SLIMBAND_PERIODIC;
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, diagonals, b, x), SLIMBAND_OK);
    assert_int_equal(slimband_residual(&p, diagonals, b, x, &error), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    if (!(error.normwise < 10 * width * (scalar == SLIMBAND_F32 ? 0x1p-23 : 0x1p-52)))
        fail_msg("%s, %d + %d, seed %d: %g", method, lower, upper, (int)seed, error.normwise);
}

static void test_what_decays_around_the_ring_costs_no_digits(void **state)
{
    (void)state;
    static const int bands[][2] = {{0, 3}, {0, 7}, {3, 0}, {1, 7}, {3, 4}, {4, 4}, {4, 8}};
    static const char *const methods[] = {"lu", "lanes", "partition", "auto"};
    for (size_t band = 0; band < sizeof bands / sizeof *bands; ++band)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
            for (uint64_t seed = 0; seed < 8; ++seed)
                check_few_couplings(seed % 2 ? SLIMBAND_F32 : SLIMBAND_F64, bands[band][0], bands[band][1],
                                    methods[m], seed);
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
