/* Rows and columns in other units, on the device: of one of them no digit may be lost because others have larger entries. Errors are
 * componentwise, which no unit changes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum { WIDEST = 4, MOST_BAND = 2 * WIDEST + 1, MOST = 1 << 20 };

/* In memory that both know: the diagonals, and the right-hand sides and solutions. */
static double *band[MOST_BAND], *b, *x;

static int take_memory(void **state)
{
    (void)state;
    for (int d = 0; d < MOST_BAND; ++d)
        band[d] = device_memory_for(MOST);
    b = device_memory_for(MOST);
    x = device_memory_for(MOST);
    return 0;
}

static int free_memory(void **state)
{
    (void)state;
    for (int d = 0; d < MOST_BAND; ++d)
        cudaFree(band[d]);
    cudaFree(b);
    cudaFree(x);
    return 0;
}

static void diagonals_of(int k, const void **diagonals)
{
    for (int d = 0; d <= 2 * k; ++d)
        diagonals[d] = band[d];
}

static slimband_status solve(slimband_problem *p, const char *method, bool one_pass)
{
    const void *diagonals[MOST_BAND];
    diagonals_of(p->lower, diagonals);
    slimband_plan *plan;
    p->one_pass = one_pass;
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    if (one_pass)
        assert_int_equal(slimband_factor_solve(plan, diagonals, b, x), SLIMBAND_OK);
    else {
        assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, b, x), SLIMBAND_OK);
    }
    const slimband_status status = slimband_cuda_wait(plan);
    slimband_plan_destroy(plan);
    return status;
}

/* Entries at random, which no dominance helps to solve; every 97th row or column in another unit. */
static void draw(int64_t n, int k, bool rows, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int d = 0; d <= 2 * k; ++d)
        for (int64_t i = 0; i < n; ++i) {
            const int64_t column = i + d - k;
            const bool inside = column >= 0 && column < n;
            band[d][i] = inside ? sb_random_signed(&random) * ((rows ? i : column) % 97 == 50 ? 0x1p33 : 1) : 0;
        }
    for (int64_t i = 0; i < n; ++i)
        b[i] = sb_random_signed(&random) * (rows && i % 97 == 50 ? 0x1p33 : 1);
}

static void check_units(const char *method, int64_t n, int k, bool rows, int refinements)
{
    slimband_problem p = slimband_banded(SLIMBAND_F64, n, k, k);
    p.refinements = refinements;
    const void *diagonals[MOST_BAND];
    diagonals_of(k, diagonals);
    for (uint64_t seed = 0; seed < 4; ++seed) {
        draw(n, k, rows, seed);
        const slimband_status status = solve(&p, method, seed % 2);
        slimband_backward_error error;
        assert_int_equal(slimband_residual(&p, diagonals, b, x, &error), SLIMBAND_OK);
        if (status || !(error.componentwise <= 1e-10))
            fail_msg("%s, n %lld, %d + %d, some %s in other units, seed %d: %s, %g", method, (long long)n, k, k,
                     rows ? "rows" : "columns", (int)seed, slimband_status_name(status), error.componentwise);
    }
}

static const int64_t long_ones[] = {300, 5000, 30000};

static void test_partition_pivots_whatever_the_units_of_rows(void **state)
{
    (void)state;
    for (size_t l = 0; l < sizeof long_ones / sizeof *long_ones; ++l)
        for (int k = 1; k <= WIDEST; ++k) {
            check_units("auto", long_ones[l], k, true, 0);
            check_units("partition", long_ones[l], k, true, 0);
        }
}

/* Unrefined it is right by norms alone there. */
static void test_partition_is_refined_whatever_the_units_of_columns(void **state)
{
    (void)state;
    for (size_t l = 0; l < sizeof long_ones / sizeof *long_ones; ++l)
        for (int k = 1; k <= WIDEST; ++k)
            check_units("partition", long_ones[l], k, false, 3);
}

/* One matrix whose rows dominate, each in a unit of its own; right-hand sides in one. */
static void draw_shared(int64_t n, int k, int64_t systems, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int64_t i = 0; i < n; ++i) {
        const double unit = ldexp(1, (int)sb_random_between(&random, -40, 40));
        for (int d = -k; d <= k; ++d)
            band[k + d][i] = (sb_random_signed(&random) + (d == 0 ? 3 * k : 0)) * unit;
    }
    for (int64_t i = 0; i < n * systems; ++i)
        b[i] = sb_random_signed(&random);
}

/* The componentwise error of tile. */
static double error_of_shared(int64_t n, int k, int64_t systems, bool interleaved)
{
    slimband_problem p = slimband_banded(SLIMBAND_F64, n, k, k);
    assert_int_equal(interleaved ? slimband_interleaved(&p, systems) : slimband_contiguous(&p, systems),
                     SLIMBAND_OK);
    p.coefficients = SLIMBAND_SHARED;
    p.matrix = (slimband_layout){.line = 1};
    draw_shared(n, k, systems, (uint64_t)n);
    const void *diagonals[MOST_BAND];
    diagonals_of(k, diagonals);
    slimband_backward_error error;
    assert_int_equal(solve(&p, "tile", false), SLIMBAND_OK);
    assert_int_equal(slimband_residual(&p, diagonals, b, x, &error), SLIMBAND_OK);
    return error.componentwise;
}

/* What is kept of one matrix are inverses of blocks of it. */
static void test_nor_do_units_of_rows_matter_to_one_matrix_of_many(void **state)
{
    (void)state;
    enum { SYSTEMS = 36 };
    static const int64_t lengths[] = {300, 1000, 3500, 6713};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l)
        for (int k = 1; k <= WIDEST; ++k)
            for (int interleaved = 0; interleaved <= 1; ++interleaved) {
                const double error = error_of_shared(lengths[l], k, SYSTEMS, interleaved);
                if (!(error <= 2e-13))
                    fail_msg("tile, n %d, %d + %d, %s: %g", (int)lengths[l], k, k,
                             interleaved ? "interleaved" : "contiguous", error);
            }
}

static void test_lu_pivots_whatever_the_units(void **state)
{
    (void)state;
    for (int k = 1; k <= WIDEST; ++k)
        for (int rows = 0; rows <= 1; ++rows) {
            check_units("lu", 5000, k, rows, 0);
            check_units("pivoted_lu", 5000, k, rows, 0);
        }
}

/* Rows that couple to no others, `far` apart, and what the first unknown is. */
typedef struct example {
    int count;
    double rows[3][3], rhs[3], first;
} example;

/* A small pivot, under which what is lost looks small beside a coupling to an unknown in other units; and a row's own coefficient,
   which is lost in the coupling to an unknown that is far smaller than its own. */
static const example small_pivot = {3, {{1e-17, 1, 0}, {1, 1, 1e17}, {0, 1, 2e17}}, {2, 6, 8}, 1},
                     small_own = {2, {{1, 1}, {1e17, 1}}, {1, 2}, 1e-17};

/* n: rows of the system, a ring perhaps; step, right_step: elements from row to row. */
static void hide(const example *e, double *const *diagonals, double *right, int k, int far, int64_t first,
                 int64_t n, int64_t step, int64_t right_step)
{
    for (int i = 0; i < e->count; ++i) {
        const int64_t at = (first + i * far) % n;
        right[at * right_step] = e->rhs[i];
        for (int j = 0; j < e->count; ++j)
            if (abs(i - j) * far <= k)
                diagonals[k + (j - i) * far][at * step] = e->rows[i][j];
    }
}

static bool is_off(const example *e, double found)
{
    return !(fabs(found - e->first) <= 1e-5 * e->first);
}

static void clear(int k, int64_t count, int64_t right)
{
    for (int d = 0; d <= 2 * k; ++d)
        for (int64_t e = 0; e < count; ++e)
            band[d][e] = d == k;
    for (int64_t e = 0; e < right; ++e)
        b[e] = 1;
}

/* In each system of a batch at another row, of rings at those too that the seam cuts. */
static void check_hidden_own(const example *e, const char *method, int64_t n, int k, slimband_ends ends,
                             bool interleaved)
{
    const bool ring = ends == SLIMBAND_PERIODIC;
    const int64_t systems = ring ? n : n - 2 * k;
    assert_true(n * systems <= MOST);
    slimband_problem p = slimband_banded(SLIMBAND_F64, n, k, k);
    p.ends = ends;
    assert_int_equal(interleaved ? slimband_interleaved(&p, systems) : slimband_contiguous(&p, systems),
                     SLIMBAND_OK);
    for (int far = 1; far <= k; far += k - 1 + (k == 1))
        for (int one_pass = 0; one_pass <= 1; ++one_pass) {
            clear(k, n * systems, n * systems);
            for (int64_t s = 0; s < systems; ++s) {
                const int64_t from = interleaved ? s : s * n;
                double *own[MOST_BAND];
                for (int d = 0; d <= 2 * k; ++d)
                    own[d] = band[d] + from;
                const int64_t step = interleaved ? systems : 1;
                hide(e, own, b + from, k, far, s, n, step, step);
            }
            assert_int_equal(solve(&p, method, one_pass), SLIMBAND_OK);
            for (int64_t s = 0; s < systems; ++s) {
                const double first = x[interleaved ? s * systems + s : s * n + s];
                if (is_off(e, first))
                    fail_msg("%s, %d + %d%s, %d apart, %s, n %d, row %d: %g", method, k, k,
                             ring ? ", rings" : "", far, interleaved ? "interleaved" : "contiguous", (int)n,
                             (int)s, first);
            }
        }
}

/* One matrix for all, with the three rows at one place. */
static void check_hidden_shared(const example *e, const char *method, int64_t n, int k, slimband_ends ends,
                                bool interleaved)
{
    enum { SYSTEMS = 40, PLACES = 40 };
    const int64_t begin = ends == SLIMBAND_PERIODIC ? n - PLACES : n / 2;
    slimband_problem p = slimband_banded(SLIMBAND_F64, n, k, k);
    p.ends = ends;
    assert_int_equal(interleaved ? slimband_interleaved(&p, SYSTEMS) : slimband_contiguous(&p, SYSTEMS),
                     SLIMBAND_OK);
    p.coefficients = SLIMBAND_SHARED;
    p.matrix = (slimband_layout){.line = 1};
    for (int64_t first = begin; first < begin + PLACES; ++first) {
        clear(k, n, n * SYSTEMS);
        for (int64_t s = 0; s < SYSTEMS; ++s)
            hide(e, band, b + (interleaved ? s : s * n), k, 1, first, n, 1, interleaved ? SYSTEMS : 1);
        assert_int_equal(solve(&p, method, false), SLIMBAND_OK);
        for (int64_t s = 0; s < SYSTEMS; ++s) {
            const double value = x[interleaved ? first * SYSTEMS + s : s * n + first];
            if (is_off(e, value))
                fail_msg("%s, shared, %d + %d%s, %s, n %d, row %d: %g", method, k, k,
                         ends == SLIMBAND_PERIODIC ? ", rings" : "", interleaved ? "interleaved" : "contiguous",
                         (int)n, (int)first, value);
        }
    }
}

static const int64_t lengths[] = {20, 300, 1000};

enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* By methods that hold growth against a row's own coefficient. */
static void check_hidden(const example *e, slimband_ends ends, bool interleaved)
{
    for (int l = 0; l < LENGTHS; ++l) {
        for (int k = 1; k <= WIDEST; ++k)
            check_hidden_own(e, "lu", lengths[l], k, ends, interleaved);
        check_hidden_own(e, "tile", lengths[l], 1, ends, interleaved);
        check_hidden_own(e, "tile", lengths[l], 2, ends, interleaved);
        for (int k = 1; k <= WIDEST && lengths[l] > 100; ++k)
            check_hidden_shared(e, "tile", lengths[l], k, ends, interleaved);
    }
}

/* By partition too, and what auto chooses. */
static void check_small_pivot(slimband_ends ends)
{
    for (int interleaved = 0; interleaved <= 1; ++interleaved) {
        check_hidden(&small_pivot, ends, interleaved);
        for (int l = 0; l < LENGTHS; ++l) {
            check_hidden_own(&small_pivot, "auto", lengths[l], 1, ends, interleaved);
            check_hidden_own(&small_pivot, "partition", lengths[l], 1, ends, interleaved);
            for (int k = 1; k <= WIDEST && lengths[l] > 100; ++k)
                check_hidden_shared(&small_pivot, "auto", lengths[l], k, ends, interleaved);
        }
    }
}

static void test_a_column_in_other_units_hides_no_growth(void **state)
{
    (void)state;
    check_small_pivot(SLIMBAND_OPEN);
}

static void test_nor_does_it_where_a_ring_is_closed(void **state)
{
    (void)state;
    check_small_pivot(SLIMBAND_PERIODIC);
}

static void test_no_own_coefficient_is_lost_in_a_smaller_unknown_s(void **state)
{
    (void)state;
    for (int interleaved = 0; interleaved <= 1; ++interleaved) {
        check_hidden(&small_own, SLIMBAND_OPEN, interleaved);
        check_hidden(&small_own, SLIMBAND_PERIODIC, interleaved);
    }
}

/* units [FILTER]: only some of the tests. */
int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partition_pivots_whatever_the_units_of_rows),
        cmocka_unit_test(test_lu_pivots_whatever_the_units),
        cmocka_unit_test(test_partition_is_refined_whatever_the_units_of_columns),
        cmocka_unit_test(test_nor_do_units_of_rows_matter_to_one_matrix_of_many),
        cmocka_unit_test(test_a_column_in_other_units_hides_no_growth),
        cmocka_unit_test(test_nor_does_it_where_a_ring_is_closed),
        cmocka_unit_test(test_no_own_coefficient_is_lost_in_a_smaller_unknown_s),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, take_memory, free_memory);
}
