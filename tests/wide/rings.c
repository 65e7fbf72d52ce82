/* Rings of 1 + 1 with a matrix each, solved in one pass: the last row goes along with the elimination of the others. */
#include <float.h>
#include <math.h>
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

/* Lines one after another; side by side; and so in stretches. */
enum { STRETCHED = 2, WAYS };

enum { SYSTEMS = 37, MOST_ROWS = 3000, LOWER = 0, DIAGONAL = 1, UPPER = 2 };

/* System s at i * line + s * between; x: known; b: A x. */
typedef struct rings {
    slimband_problem problem;
    int64_t n, total;
    T *memory, *diagonal[3], *known, *b, *x;
} rings;

static const char *method_of(const set *s, int way)
{
    return way == STRETCHED ? s->stretched : s->method;
}

static int64_t element(const rings *r, int64_t system, int64_t i)
{
    return i * r->problem.solution.line + system * r->problem.solution.batch[0];
}

/* own: entries of the diagonal; scale: of all entries. */
static rings make(int64_t n, bool side_by_side, double own, double scale)
{
    rings r = {.problem = slimband_banded(scalar, n, 1, 1), .n = n, .total = n * SYSTEMS};
    r.problem.ends = SLIMBAND_PERIODIC;
    r.problem.one_pass = true;
    assert_int_equal((side_by_side ? slimband_interleaved : slimband_contiguous)(&r.problem, SYSTEMS),
                     SLIMBAND_OK);
    r.memory = malloc((size_t)r.total * 6 * sizeof(T));
    assert_non_null(r.memory);
    sb_random random = sb_random_seeded(2026);
    for (int d = 0; d < 3; ++d) {
        r.diagonal[d] = r.memory + d * r.total;
        for (int64_t e = 0; e < r.total; ++e)
            r.diagonal[d][e] = (T)(scale * (d == DIAGONAL ? own : sb_random_signed(&random)));
    }
    r.known = r.memory + 3 * r.total;
    r.b = r.known + r.total;
    r.x = r.b + r.total;
    for (int64_t e = 0; e < r.total; ++e)
        r.known[e] = (T)sb_random_signed(&random);
    return r;
}

static void multiply(const rings *r)
{
    for (int64_t s = 0; s < SYSTEMS; ++s)
        for (int64_t i = 0; i < r->n; ++i) {
            int64_t at = element(r, s, i), front = element(r, s, (i + r->n - 1) % r->n),
                    behind = element(r, s, (i + 1) % r->n);
            r->b[at] = r->diagonal[LOWER][at] * r->known[front] + r->diagonal[DIAGONAL][at] * r->known[at] +
                       r->diagonal[UPPER][at] * r->known[behind];
        }
}

static slimband_status solve(const rings *r, const char *method, slimband_plan **plan)
{
    const void *const matrix[] = {r->diagonal[0], r->diagonal[1], r->diagonal[2]};
    assert_int_equal(slimband_plan_create(plan, &r->problem, slimband_cpu(1), method), SLIMBAND_OK);
    return slimband_factor_solve(*plan, matrix, r->b, r->x);
}

/* The largest entry of a system's error; NaN if there is one. */
static double error_of(const rings *r, int64_t system)
{
    double error = 0;
    for (int64_t i = 0; i < r->n; ++i) {
        double here = (double)sb_abs1(r->x[element(r, system, i)] - r->known[element(r, system, i)]);
        error = here <= error ? error : here;
    }
    return error;
}

static const double rounding = sizeof(R) == 4 ? FLT_EPSILON : DBL_EPSILON;

static void check_all(const rings *r, const char *method, double times)
{
    slimband_plan *plan = NULL;
    multiply(r);
    assert_int_equal(solve(r, method, &plan), SLIMBAND_OK);
    for (int64_t s = 0; s < SYSTEMS; ++s)
        if (!(error_of(r, s) <= times * rounding))
            fail_msg("%s, %lld rows, system %lld: error %g", method, (long long)r->n, (long long)s,
                     error_of(r, s));
    slimband_plan_destroy(plan);
}

static void test_rings_of_any_length_are_solved(void **state)
{
    (void)state;
    const int64_t rows[] = {3, 4, 5, 7, 8, 9, 10, 16, 17, 18, 33, 64, 65, 66, 250};
    for (int k = 0; k < set_count; ++k)
        for (size_t e = 0; e < sizeof rows / sizeof *rows; ++e)
            for (int way = 0; way < WAYS; ++way) {
                rings r = make(rows[e], way > 0, 3, 1);
                check_all(&r, method_of(&sets[k], way), 40);
                free(r.memory);
            }
}

/* What the first row and the last one have to do with each other is below the smallest number long before they meet; and so is
   what is left of entries that are small themselves. */
static void test_spikes_may_die_away(void **state)
{
    (void)state;
    const double scale[] = {1, sizeof(R) == 4 ? 1e-25 : 1e-250};
    for (int k = 0; k < set_count; ++k)
        for (int e = 0; e < 2; ++e)
            for (int way = 0; way < WAYS; ++way) {
                rings r = make(MOST_ROWS, way > 0, 9, scale[e]);
                check_all(&r, method_of(&sets[k], way), 40);
                free(r.memory);
            }
}

/* System s has next to nothing on the diagonal of row s, be it the first, the last or one between. */
static void test_a_small_pivot_in_any_row_is_found(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int way = 0; way < WAYS; ++way) {
            slimband_plan *plan = NULL;
            rings r = make(SYSTEMS, way > 0, 3, 1);
            for (int64_t s = 0; s < SYSTEMS; ++s) {
                r.diagonal[DIAGONAL][element(&r, s, s)] = (T)(16 * rounding);
                r.diagonal[LOWER][element(&r, s, s)] = r.diagonal[UPPER][element(&r, s, s)] = 1;
            }
            multiply(&r);
            assert_int_equal(solve(&r, method_of(&sets[k], way), &plan), SLIMBAND_OK);
            for (int64_t s = 0; s < SYSTEMS; ++s)
                assert_true(error_of(&r, s) <= 400 * rounding);
            slimband_system_info info;
            assert_int_equal(slimband_system_status(plan, 0, &info), SLIMBAND_OK);
            assert_true(info.pivoted);
            slimband_plan_destroy(plan);
            free(r.memory);
        }
}

/* Rows of zeros, and numbers that are none where ring's ends meet: those systems fail, the others are solved. */
static void test_what_goes_wrong_in_a_ring_stays_there(void **state)
{
    (void)state;
    enum { NO_LAST_ROW = 5, NO_FIRST_ROW = 11, NAN_IN_FRONT = 20, NAN_BEHIND = 36 };
    for (int k = 0; k < set_count; ++k)
        for (int way = 0; way < WAYS; ++way) {
            const int64_t n = 43;
            slimband_plan *plan = NULL;
            rings r = make(n, way > 0, 3, 1);
            for (int d = 0; d < 3; ++d) {
                r.diagonal[d][element(&r, NO_LAST_ROW, n - 1)] = 0;
                r.diagonal[d][element(&r, NO_FIRST_ROW, 0)] = 0;
            }
            multiply(&r);
            r.diagonal[LOWER][element(&r, NAN_IN_FRONT, 0)] = (T)NAN;
            r.diagonal[UPPER][element(&r, NAN_BEHIND, n - 1)] = (T)NAN;
            assert_int_not_equal(solve(&r, method_of(&sets[k], way), &plan), SLIMBAND_OK);
            for (int64_t s = 0; s < SYSTEMS; ++s) {
                const bool bad = s == NO_LAST_ROW || s == NO_FIRST_ROW || s == NAN_IN_FRONT || s == NAN_BEHIND;
                slimband_system_info info;
                assert_int_equal(slimband_system_status(plan, s, &info), SLIMBAND_OK);
                assert_int_equal(info.status != SLIMBAND_OK, bad);
                if (!bad)
                    assert_true(error_of(&r, s) <= 40 * rounding);
            }
            slimband_plan_destroy(plan);
            free(r.memory);
        }
}

/* The border of one matrix's transpose is made up as it is solved with: under a sanitizer this shows whether it has room. */
static void test_transposed_rings_of_one_matrix_have_room(void **state)
{
    (void)state;
    enum { N = 33, MANY = 256, WIDEST = 8 };
    static double entries[2 * WIDEST + 1][N], b[N * MANY], x[N * MANY];
    for (int m = 1; m <= WIDEST; ++m) {
        const void *diagonals[2 * WIDEST + 1];
        slimband_problem p = slimband_banded(SLIMBAND_F64, N, m, m);
        slimband_plan *plan;
        p.ends = SLIMBAND_PERIODIC;
        p.coefficients = SLIMBAND_SHARED;
        for (int d = 0; d <= 2 * m; ++d) {
            diagonals[d] = entries[d];
            for (int i = 0; i < N; ++i)
                entries[d][i] = d == m ? 3 * m : -1;
        }
        for (int i = 0; i < N * MANY; ++i)
            b[i] = m;
        assert_int_equal(slimband_interleaved(&p, MANY), SLIMBAND_OK);
        p.matrix = (slimband_layout){.line = 1};
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), "lanes"), SLIMBAND_OK);
        assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve_transposed(plan, b, x), SLIMBAND_OK);
        slimband_plan_destroy(plan);
        for (int i = 0; i < N * MANY; ++i) /* all rows' sums are m */
            assert_true(fabs(x[i] - 1) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_of_any_length_are_solved),
        cmocka_unit_test(test_transposed_rings_of_one_matrix_have_room),
        cmocka_unit_test(test_spikes_may_die_away),
        cmocka_unit_test(test_a_small_pivot_in_any_row_is_found),
        cmocka_unit_test(test_what_goes_wrong_in_a_ring_stays_there),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
