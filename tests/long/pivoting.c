/* Matrices that elimination must pivot for, cut into chunks: as exact as partial pivoting of the whole. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/slimband.h"

enum { N = 422, WIDEST = 4, DIAGONALS = 2 * WIDEST + 1, CHUNKS = 4 };
static const int chunk_rows[CHUNKS] = {5, 8, 9, 33}; /* bands wider than 2 + 2: 2 k + 1 at least */

typedef struct band {
    slimband_problem problem;
    double diagonal[DIAGONALS][N], b[N];
} band;

/* A(i, i + d) of a kind of matrix. */
typedef double entry(int64_t i, int d, sb_random *random);

/* Nonsingular for even n, but every interior of odd length is singular. */
static double bare_neighbours(int64_t i, int d, sb_random *random)
{
    (void)i, (void)random;
    return d == -1 || d == 1 ? 1 : d ? 0.25 : 0;
}

/* Interiors of 6 rows with an eigenvalue that is zero to rounding. */
static double resonant(int64_t i, int d, sb_random *random)
{
    (void)i, (void)random;
    return d == -1 || d == 1 ? 1 : d ? 0 : 2 * cos(acos(-1) / 7);
}

static double any_entry(int64_t i, int d, sb_random *random)
{
    (void)i, (void)d;
    return sb_random_signed(random);
}

static double weak_diagonal(int64_t i, int d, sb_random *random)
{
    (void)i;
    return sb_random_signed(random) * (d ? 1 : 1e-9);
}

static double mostly_zero(int64_t i, int d, sb_random *random)
{
    double value = sb_random_signed(random);
    return d == (i % 2 ? -1 : 1) ? 1 + value / 2 : sb_random_unit(random) < 0.7 ? 0 : value;
}

static double of_all_sizes(int64_t i, int d, sb_random *random)
{
    (void)i, (void)d;
    return sb_random_signed(random) * pow(10, 12 * sb_random_signed(random));
}

/* Dominant but for one row. */
static double one_bad_row(int64_t i, int d, sb_random *random)
{
    return i == N / 2 ? (d > 0) : d ? sb_random_signed(random) : 5;
}

static band make(int k, slimband_ends ends, entry *of, uint64_t seed)
{
    band A = {.problem = slimband_banded(SLIMBAND_F64, N, k, k)};
    sb_random random = sb_random_seeded(seed);
    A.problem.ends = ends;
    for (int64_t i = 0; i < N; ++i) {
        for (int d = -k; d <= k; ++d)
            A.diagonal[k + d][i] = of(i, d, &random);
        A.b[i] = sb_random_signed(&random);
    }
    return A;
}

static double error_of(const band *A, const char *method)
{
    const void *diagonals[DIAGONALS];
    double x[N];
    slimband_plan *plan;
    slimband_backward_error error;
    for (int d = 0; d < DIAGONALS; ++d)
        diagonals[d] = A->diagonal[d];
    assert_int_equal(slimband_plan_create(&plan, &A->problem, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, diagonals, A->b, x), SLIMBAND_OK);
    assert_int_equal(slimband_residual(&A->problem, diagonals, A->b, x, &error), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    return error.normwise;
}

/* Pivoting where it is needed, and throughout. */
static void expect_as_good_as_pivoting(entry *of)
{
    char method[48];
    for (uint64_t seed = 1; seed <= 6; ++seed)
        for (int k = 1; k <= WIDEST; ++k)
            for (int ends = SLIMBAND_OPEN; ends <= SLIMBAND_PERIODIC; ++ends) {
                band A = make(k, (slimband_ends)ends, of, seed);
                double whole = error_of(&A, "pivoted_lu");
                for (int c = 0; c < 2 * CHUNKS; ++c) {
                    snprintf(method, sizeof method, "partition:isa=portable,chunk=%d", chunk_rows[c / 2]);
                    A.problem.pivoting = c % 2 ? SLIMBAND_PIVOT_PARTIAL : SLIMBAND_PIVOT_AUTO;
                    double error = error_of(&A, method);
                    if (!(error <= 4 * whole + 1e-15))
                        fail_msg("seed %d, k %d, ends %d, pivoting %d, %s: %g, whole %g", (int)seed, k, ends,
                                 (int)A.problem.pivoting, method, error, whole);
                }
            }
}

#define TEST(name, of)                    \
    static void test_##name(void **state) \
    {                                     \
        (void)state;                      \
        expect_as_good_as_pivoting(of);   \
    }
TEST(interiors_may_be_singular, bare_neighbours)
TEST(interiors_may_be_nearly_singular, resonant)
TEST(random_matrices, any_entry)
TEST(weak_diagonals, weak_diagonal)
TEST(sparse_matrices, mostly_zero)
TEST(entries_of_all_sizes, of_all_sizes)
TEST(one_bad_row, one_bad_row)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interiors_may_be_singular),
        cmocka_unit_test(test_interiors_may_be_nearly_singular),
        cmocka_unit_test(test_random_matrices),
        cmocka_unit_test(test_weak_diagonals),
        cmocka_unit_test(test_sparse_matrices),
        cmocka_unit_test(test_entries_of_all_sizes),
        cmocka_unit_test(test_one_bad_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
