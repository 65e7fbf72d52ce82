/* Batches that truncated solves in one pass: their systems' tiles stand in one row, so that neighbours in it may belong to
 * two systems, or to both ends of a ring. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum { TILE = 448, GAP = 3 };

typedef struct systems {
    slimband_problem problem;
    int64_t n, count, own; /* own: matrices */
    double *memory, *b, *x;
    const void *diagonals[3];
} systems;

/* What is neglected beyond a tile is DECAY^TILE, 3e-21: no more than rounding, and not 0. */
#define DECAY 0.9

/* lines: one behind the other, GAP elements apart, or side by side. */
static systems make(int64_t n, int64_t count, bool lines, bool ring, bool shared, uint64_t seed)
{
    systems s = {.problem = slimband_tridiagonal(SLIMBAND_F64, n), .n = n, .count = count};
    assert_int_equal(lines ? slimband_contiguous(&s.problem, count) : slimband_interleaved(&s.problem, count),
                     SLIMBAND_OK);
    slimband_layout *layouts[] = {&s.problem.matrix, &s.problem.rhs, &s.problem.solution};
    for (int k = 0; k < 3 && lines; ++k)
        layouts[k]->batch[0] = n + GAP;
    s.own = shared ? 1 : count;
    if (shared) {
        s.problem.coefficients = SLIMBAND_SHARED;
        s.problem.matrix = (slimband_layout){.line = 1};
    }
    s.problem.ends = ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    s.problem.one_pass = true;
    int64_t all = (n + GAP) * count;
    void *memory;
    assert_int_equal(cudaMallocManaged(&memory, (size_t)(5 * all) * sizeof(double), cudaMemAttachGlobal),
                     cudaSuccess);
    s.memory = memory;
    sb_random random = sb_random_seeded(seed);
    const double diagonal = DECAY + 1 / DECAY;
    for (int64_t i = 0; i < 3 * all; ++i)
        s.memory[i] = i / all == 1 ? diagonal : -1;
    for (int d = 0; d < 3; ++d)
        s.diagonals[d] = s.memory + d * all;
    s.b = s.memory + 3 * all;
    s.x = s.memory + 4 * all;
    for (int64_t i = 0; i < all; ++i) {
        s.b[i] = sb_random_signed(&random);
        s.x[i] = UNTOUCHED;
    }
    return s;
}

static void release(systems *s)
{
    assert_int_equal(cudaFree(s->memory), cudaSuccess);
}

static double *entry(const systems *s, int d, int64_t system, int64_t row)
{
    int64_t of = s->own == 1 ? 0 : system;
    return (double *)s->diagonals[d] + of * s->problem.matrix.batch[0] + row * s->problem.matrix.line;
}

static double unknown(const systems *s, int64_t system, int64_t row)
{
    return s->x[system * s->problem.solution.batch[0] + row * s->problem.solution.line];
}

/* Normwise. */
static double backward_error(const systems *s, int64_t system)
{
    long double residual = 0, entries = 0, unknowns = 0, rhs = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        long double left = s->b[system * s->problem.rhs.batch[0] + i * s->problem.rhs.line], row = 0;
        rhs = fmaxl(rhs, fabsl(left));
        for (int d = -1; d <= 1; ++d) {
            int64_t j = i + d;
            if (s->problem.ends == SLIMBAND_OPEN && (j < 0 || j >= s->n))
                continue;
            long double a = *entry(s, d + 1, system, i), x = unknown(s, system, (j + s->n) % s->n);
            left -= a * x;
            row += fabsl(a);
            unknowns = fmaxl(unknowns, fabsl(x));
        }
        entries = fmaxl(entries, row);
        residual = fabsl(left) > residual || isnan(left) ? fabsl(left) : residual;
    }
    return (double)(residual / (entries * unknowns + rhs));
}

static void check_all(const systems *s, int64_t but)
{
    for (int64_t k = 0; k < s->count; ++k) {
        double error = k == but ? 0 : backward_error(s, k);
        if (!(error < 2e-15))
            fail_msg("n %lld, system %lld of %lld, %s, %s, %s: %g", (long long)s->n, (long long)k,
                     (long long)s->count, s->problem.solution.line == 1 ? "lines" : "side by side",
                     s->problem.ends == SLIMBAND_OPEN ? "open" : "rings", s->own == 1 ? "shared" : "own",
                     error);
    }
    for (int64_t i = s->n; s->problem.solution.line == 1 && i < s->count * (s->n + GAP); ++i)
        assert_true(i % (s->n + GAP) < s->n || s->x[i] == UNTOUCHED);
}

/* Twice, since what the first time leaves on the device is the second's to find. */
static slimband_report solve(systems *s, slimband_status expected)
{
    slimband_plan *plan;
    slimband_report report;
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cuda(0, NULL), "truncated"),
                     SLIMBAND_OK);
    for (int round = 0; round < 2; ++round) {
        assert_int_equal(slimband_factor_solve(plan, s->diagonals, s->b, s->x), SLIMBAND_OK);
        assert_int_equal(slimband_cuda_wait(plan), expected);
        assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    }
    slimband_plan_destroy(plan);
    return report;
}

static void test_batches_of_every_layout_are_solved_in_one_pass(void **state)
{
    (void)state;
    static const int64_t rows[] = {TILE + 1, 2 * TILE, 2 * TILE + 1, 3 * TILE, 5000, 65536};
    static const int64_t counts[] = {2, 7, 300};
    for (int k = 0; k < 6 * 3 * 8; ++k) {
        int64_t n = rows[k / 24], count = counts[k % 3];
        if (n * count > 2000000)
            continue;
        systems s = make(n, count, k / 3 & 1, k / 6 & 1, k / 12 & 1, (uint64_t)k);
        slimband_report report = solve(&s, SLIMBAND_OK);
        check_all(&s, -1);
        assert_true(report.truncation_bound <= 0x1p-53);
        /* Of two tiles nothing is beyond; over what is left to a ring's last one little dies away. */
        bool neglects = n > 2 * TILE && (s.problem.ends == SLIMBAND_OPEN || n % TILE == 0);
        if (neglects && !(report.truncation_bound > 0))
            fail_msg("n %lld, %lld systems (%d): not in one pass", (long long)n, (long long)count, k);
        assert_int_equal(report.failed + report.pivoted, 0);
        release(&s);
    }
}

static void test_one_system_whose_couplings_stay_makes_all_be_solved_exactly(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        systems s = make(3000, 200, k & 1, k & 2, false, (uint64_t)k);
        int64_t slow = k & 4 ? 199 : 117;
        for (int64_t i = 0; i < s.n; ++i) {
            *entry(&s, 0, slow, i) = *entry(&s, 2, slow, i) = -1;
            *entry(&s, 1, slow, i) = 2.0001;
        }
        slimband_report report = solve(&s, SLIMBAND_OK);
        check_all(&s, -1);
        assert_true(report.truncation_bound == 0);
        release(&s);
    }
}

static void test_only_the_singular_system_of_a_batch_is_told_so(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        systems s = make(2000, 200, k & 1, false, false, (uint64_t)k);
        int64_t bad = k & 4 ? 0 : 150, row = k & 2 ? 1000 : 1999;
        for (int d = 0; d < 3; ++d)
            *entry(&s, d, bad, row) = 0;
        slimband_report report = solve(&s, SLIMBAND_SINGULAR);
        assert_int_equal(report.failed, 1);
        check_all(&s, bad);
        for (int64_t i = 0; i < s.n; ++i)
            assert_true(isnan(unknown(&s, bad, i)));
        release(&s);
    }
}

static void test_factored_batches_are_solved_again_and_transposed(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        systems s = make(4001, 40, k & 1, k & 2, true, (uint64_t)k);
        slimband_plan *plan;
        s.problem.one_pass = false;
        assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), "truncated"),
                         SLIMBAND_OK);
        assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_OK);
        for (int round = 0; round < 2; ++round) {
            assert_int_equal(slimband_solve(plan, s.b, s.x), SLIMBAND_OK);
            assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
            check_all(&s, -1);
        }
        assert_int_equal(slimband_solve_transposed(plan, s.b, s.x), SLIMBAND_OK);
        assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
        slimband_plan_destroy(plan);
        for (int64_t i = 0; i < s.n; ++i) { /* A's transpose, in place of A */
            int64_t next = (i + 1) % s.n;
            double above = *entry(&s, 2, 0, i);
            *entry(&s, 2, 0, i) = *entry(&s, 0, 0, next);
            *entry(&s, 0, 0, next) = above;
        }
        check_all(&s, -1);
        release(&s);
    }
}

/* Warps were rounds apart at the ends of systems of so many tiles, and overwrote links that were still to be read. */
static void test_no_warp_runs_too_far_ahead_of_the_others(void **state)
{
    (void)state;
    systems s = make(1 << 20, 8, true, false, false, 1);
    assert_true(solve(&s, SLIMBAND_OK).truncation_bound > 0);
    check_all(&s, -1);
    release(&s);
}

/* A pattern chooses tests by name. */
int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    if (device_missing())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_of_every_layout_are_solved_in_one_pass),
        cmocka_unit_test(test_one_system_whose_couplings_stay_makes_all_be_solved_exactly),
        cmocka_unit_test(test_only_the_singular_system_of_a_batch_is_told_so),
        cmocka_unit_test(test_no_warp_runs_too_far_ahead_of_the_others),
        cmocka_unit_test(test_factored_batches_are_solved_again_and_transposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
