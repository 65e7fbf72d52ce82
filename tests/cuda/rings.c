/* Rings that are well conditioned though the chain they are when opened grows from end to end: whoever solves a part of the
 * ring by itself must notice. And dominant ones with few couplings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/api/few_couplings.h"
#include "tests/cuda/device.h"

enum { SYSTEMS = 40, MOST_ROWS = 1031, MOST_BAND = 5 };

/* Constant rows; `turned`: what grows from the first row to the last grows the other way. */
static const struct {
    int half;
    double row[MOST_BAND];
} bands[] = {
    {1, {0, 1.15, -1, 0.02, 0}},
    {1, {0, 0.1135511451945049, 0.57128865491996217, 0.66255867438199256, 0}}, /* by less than twice a row */
    {2, {-86.5, -13.1, 83.4, 7.2, -4.5}}};

typedef struct ring {
    slimband_problem problem;
    int half;
    double *matrix, *b, *x; /* a line for each diagonal and system; the others by the problem's layout */
    const void *diagonals[MOST_BAND];
} ring;

static double *numbers(int64_t count)
{
    void *memory;
    assert_int_equal(cudaMallocManaged(&memory, (size_t)count * sizeof(double), cudaMemAttachGlobal),
                     cudaSuccess);
    return memory;
}

static ring make(int64_t n, const double *band, int half, bool turned, bool lines, bool own, sb_random *random)
{
    ring r = {.problem = slimband_banded(SLIMBAND_F64, n, half, half), .half = half};
    assert_int_equal(lines ? slimband_contiguous(&r.problem, SYSTEMS)
                           : slimband_interleaved(&r.problem, SYSTEMS),
                     SLIMBAND_OK);
    r.problem.ends = SLIMBAND_PERIODIC;
    if (!own) {
        r.problem.coefficients = SLIMBAND_SHARED;
        r.problem.matrix = (slimband_layout){.line = 1};
    }
    int64_t entries = n * (own ? SYSTEMS : 1);
    r.matrix = numbers(entries * (2 * half + 1));
    r.b = numbers(n * SYSTEMS);
    r.x = numbers(n * SYSTEMS);
    for (int d = 0; d <= 2 * half; ++d) {
        int from = turned ? half - d : d - half;
        for (int64_t i = 0; i < entries; ++i)
            r.matrix[d * entries + i] = band[from + 2];
        r.diagonals[d] = r.matrix + d * entries;
    }
    for (int64_t i = 0; i < n * SYSTEMS; ++i)
        r.b[i] = sb_random_signed(random);
    return r;
}

static void release(ring *r)
{
    assert_int_equal(cudaFree(r->matrix), cudaSuccess);
    assert_int_equal(cudaFree(r->b), cudaSuccess);
    assert_int_equal(cudaFree(r->x), cudaSuccess);
}

/* Of all systems, normwise; the matrix is a circulant, so that its transposed is the one with its band turned. */
static double backward_error(const ring *r, const double *band, bool transposed)
{
    int64_t n = r->problem.n, line = r->problem.rhs.line, next = r->problem.rhs.batch[0];
    double worst = 0, norm = 0;
    for (int d = -r->half; d <= r->half; ++d)
        norm += fabs(band[d + 2]);
    for (int64_t s = 0; s < SYSTEMS; ++s) {
        double misfit = 0, size = 0, given = 0;
        for (int64_t i = 0; i < n; ++i) {
            long double left = r->b[s * next + i * line];
            for (int d = -r->half; d <= r->half; ++d)
                left -= (long double)band[(transposed ? -d : d) + 2] * r->x[s * next + (i + d + n) % n * line];
            misfit = fmax(misfit, fabs((double)left));
            size = fmax(size, fabs(r->x[s * next + i * line]));
            given = fmax(given, fabs(r->b[s * next + i * line]));
        }
        worst = fmax(worst, misfit / (norm * size + given));
    }
    return worst;
}

static void check(int64_t n, int which, int form, const char *method, sb_random *random)
{
    const int half = bands[which].half;
    bool turned = form & 1, lines = form & 2, own = form & 4;
    ring r = make(n, bands[which].row, half, turned, lines, own, random);
    double band[MOST_BAND];
    for (int d = -2; d <= 2; ++d)
        band[d + 2] = bands[which].row[(turned ? -d : d) + 2];
    slimband_plan *plan;
    slimband_status fits = slimband_plan_create(&plan, &r.problem, slimband_cuda(0, NULL), method);
    if (fits == SLIMBAND_OK) {
        assert_int_equal(slimband_factor(plan, r.diagonals), SLIMBAND_OK);
        for (int transposed = 0; transposed < 2; ++transposed) {
            assert_int_equal(transposed ? slimband_solve_transposed(plan, r.b, r.x)
                                        : slimband_solve(plan, r.b, r.x),
                             SLIMBAND_OK);
            assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
            double error = backward_error(&r, band, transposed);
            if (!(error <= 1e-14))
                print_error("%s, n %d, half %d, form %d, transposed %d: %g\n", method, (int)n, half, form,
                            transposed, error);
            assert_true(error <= 1e-14);
        }
        slimband_plan_destroy(plan);
    }
    release(&r);
}

static void test_rings_whose_chains_grow_are_solved_as_others_are(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto",   "tile",      "lu",
                                          "thomas", "partition", "partition:form=abreast"};
    static const int64_t lengths[] = {20, 86, 300, MOST_ROWS};
    sb_random random = sb_random_seeded(20261122);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
            for (int which = 0; which < (int)(sizeof bands / sizeof *bands); ++which)
                for (int form = 0; form < 8; ++form)
                    check(lengths[k], which, form, methods[m], &random);
}

static void test_what_decays_around_the_ring_costs_no_digits(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "lu", "tile", "partition"};
    double *memory = numbers(FEW_COUPLINGS_BYTES / sizeof *memory);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        check_few_couplings(slimband_cuda(0, NULL), methods[m], memory);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings_whose_chains_grow_are_solved_as_others_are),
                                       cmocka_unit_test(test_what_decays_around_the_ring_costs_no_digits)};
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
