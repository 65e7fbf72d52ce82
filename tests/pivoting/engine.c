/* Partial pivoting by itself: every band, every size, hard scales, and what it reports. */
#include "run.h"

typedef void band_check(int n, int lower, int upper, uint64_t seed);

static void for_every_band(band_check *check)
{
    const int lengths[] = {1, 2, 3, 5, 17, 40};
    uint64_t seed = 0;
    for (int lower = 0; lower <= WIDEST; ++lower)
        for (int upper = 0; upper <= WIDEST; ++upper)
            for (size_t s = 0; s < sizeof lengths / sizeof *lengths; ++s)
                check(lengths[s], lower, upper, seed++);
}

static void check_solves(int n, int lower, int upper, uint64_t seed)
{
    for (kind kind = RANDOM; kind < SINGULAR; ++kind) {
        band A = draw_band(n, lower, upper, kind, seed);
        assert_solves(&A, 16, seed);
        free(A.rows);
    }
}

static void test_every_band_is_solved_plain_and_transposed(void **state)
{
    (void)state;
    for_every_band(check_solves);
}

static void check_zero_column(int n, int lower, int upper, uint64_t seed)
{
    band A = draw_band(n, lower, upper, SINGULAR, seed);
    factored F = factor_band(&A);
    assert_int_equal(F.outcome.row, seed % (uint64_t)n);
    drop_factored(&F);
    free(A.rows);
}

static void test_a_zero_pivot_is_reported_with_its_row(void **state)
{
    (void)state;
    for_every_band(check_zero_column);
}

/* Row exchanges may hand NaN or Inf on to a later pivot, never to an earlier one. */
static void check_not_finite(int n, int lower, int upper, uint64_t seed)
{
    for (int infinite = 0; infinite <= 1; ++infinite) {
        band A = draw_band(n, lower, upper, RANDOM, seed);
        int row = (int)(seed % (uint64_t)n);
        A.rows[row * (lower + 1 + upper) + lower] = infinite ? (T)INFINITY : (T)NAN;
        factored F = factor_band(&A);
        assert_in_range(F.outcome.row, row, n - 1);
        if (lower == 0)
            assert_int_equal(F.outcome.row, row);
        drop_factored(&F);
        free(A.rows);
    }
}

static void test_a_pivot_that_is_not_finite_is_reported(void **state)
{
    (void)state;
    for_every_band(check_not_finite);
}

/* Entries about `scale`; what is lost to underflow is a few units of the smallest subnormal. */
static void check_scale(double scale)
{
    for (int lower = 1; lower <= 4; ++lower)
        for (int upper = 1; upper <= 4; ++upper)
            for (uint64_t seed = 0; seed < 10; ++seed) {
                band A = draw_band(30, lower, upper, seed % 2 ? PIVOTING : RANDOM, seed);
                for (int64_t i = 0; i < (int64_t)A.n * (lower + 1 + upper); ++i)
                    A.rows[i] *= (R)scale;
                factored F = factor_band(&A);
                T *b = draw_vector(A.n, seed + 1);
                for (int i = 0; i < A.n; ++i)
                    b[i] *= (R)scale;
                for (sb_op op = SB_PLAIN; op <= SB_TRANSPOSED; ++op) {
                    T *x = solve_band(&F, op, b);
                    double error = backward_error(&A, op == SB_PLAIN ? 'N' : 'T', x, b);
                    if (F.outcome.row >= 0 || !(error <= 64 * EPSILON))
                        fail_msg("scale %g, band %d + %d, seed %llu: error %g", scale, lower, upper,
                                 (unsigned long long)seed, error);
                    free(x);
                }
                free(b);
                drop_factored(&F);
                free(A.rows);
            }
}

static void test_subnormal_and_huge_entries_are_solved(void **state)
{
    (void)state;
    bool single = sizeof(R) == sizeof(float);
    check_scale(single ? FLT_MIN : DBL_MIN);
    check_scale((single ? FLT_MIN : DBL_MIN) / 4);
    check_scale((single ? FLT_MAX : DBL_MAX) / 0x1p20);
}

static void test_matrices_with_a_zero_diagonal_are_solved(void **state)
{
    (void)state;
    for (int n = 2; n <= 100; n += 14)
        for (int half = 1; half <= WIDEST; ++half) {
            uint64_t seed = (uint64_t)(100 * half + n);
            band A = draw_band(n, half, half, RANDOM, seed);
            for (int64_t i = 0; i < n; ++i)
                A.rows[i * (2 * half + 1) + half] = 0;
            assert_solves(&A, 16, seed);
            free(A.rows);
        }
}

/* Wilkinson's matrix: 1 on the diagonal and in the last column, -1 below; its last column doubles in every
 * step. */
static void test_growth_is_largest_u_over_largest_a(void **state)
{
    (void)state;
    for (int half = 1; half <= WIDEST; ++half)
        for (int exponent = -100; exponent <= 100; exponent += 50) {
            int n = half + 1;
            band A = draw_band(n, half, half, RANDOM, 0);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    A.rows[i * (2 * half + 1) + half + j - i] = (T)(R)ldexp(j == i || j == n - 1 ? 1
                                                                            : j < i              ? -1
                                                                                                 : 0,
                                                                            exponent);
            factored F = factor_band(&A);
            assert_int_equal(F.outcome.row, -1);
            assert_true(F.outcome.growth == ldexp(1, half));
            drop_factored(&F);
            free(A.rows);
        }
}

static void test_dominant_systems_hardly_grow(void **state)
{
    (void)state;
    for (int half = 1; half <= WIDEST; ++half) {
        band A = draw_band(200, half, half, DOMINANT, (uint64_t)half);
        factored F = factor_band(&A);
        assert_true(F.outcome.growth > 0.5 && F.outcome.growth < 2);
        drop_factored(&F);
        free(A.rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_band_is_solved_plain_and_transposed),
        cmocka_unit_test(test_a_zero_pivot_is_reported_with_its_row),
        cmocka_unit_test(test_a_pivot_that_is_not_finite_is_reported),
        cmocka_unit_test(test_subnormal_and_huge_entries_are_solved),
        cmocka_unit_test(test_matrices_with_a_zero_diagonal_are_solved),
        cmocka_unit_test(test_growth_is_largest_u_over_largest_a),
        cmocka_unit_test(test_dominant_systems_hardly_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
