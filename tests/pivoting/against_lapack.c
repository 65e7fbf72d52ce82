/* Partial pivoting beside LAPACK's gbtrf and gbtrs: as exact, and giving up at the same row. */
#include "run.h"

void REFERENCE(gbtrf)(const int *m, const int *n, const int *kl, const int *ku, T *ab, const int *ldab,
                      int *ipiv, int *info);
void REFERENCE(gbtrs)(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
                      const T *ab, const int *ldab, const int *ipiv, T *b, const int *ldb, int *info,
                      size_t length);

typedef struct lapack_factors {
    T *ab;
    int *ipiv;
    int ldab, info;
} lapack_factors;

static lapack_factors lapack_factor(const band *A)
{
    int kl = A->lower, ku = A->upper, n = A->n, ldab = 2 * kl + ku + 1;
    lapack_factors F = {calloc((size_t)ldab * (size_t)n, sizeof(T)), calloc((size_t)n, sizeof(int)), ldab, 0};
    assert_true(F.ab && F.ipiv);
    for (int i = 0; i < n; ++i)
        for (int j = i - kl; j <= i + ku; ++j)
            if (j >= 0 && j < n)
                F.ab[kl + ku + i - j + j * ldab] = band_at(A, i, j);
    REFERENCE(gbtrf)(&n, &n, &kl, &ku, F.ab, &ldab, F.ipiv, &F.info);
    return F;
}

static double lapack_error(const lapack_factors *F, const band *A, const char *trans, const T *b)
{
    int one = 1, info;
    T *x = copy_vector(A->n, b);
    REFERENCE(gbtrs)
    (trans, &A->n, &A->lower, &A->upper, &one, F->ab, &F->ldab, F->ipiv, x, &A->n, &info, 1);
    double error = backward_error(A, *trans, x, b);
    free(x);
    return error;
}

static void compare(int n, int lower, int upper, kind kind, uint64_t seed)
{
    band A = draw_band(n, lower, upper, kind, seed);
    factored ours = factor_band(&A);
    lapack_factors theirs = lapack_factor(&A);
    assert_int_equal(ours.outcome.row, theirs.info - 1);
    T *b = draw_vector(n, seed + 1);
    for (sb_op op = SB_PLAIN; op <= SB_TRANSPOSED && theirs.info == 0; ++op) {
        const char *trans = op == SB_PLAIN ? "N" : "T";
        T *x = solve_band(&ours, op, b);
        double error = backward_error(&A, *trans, x, b), expected = lapack_error(&theirs, &A, trans, b);
        if (!(error <= 4 * expected + 2 * EPSILON))
            fail_msg("n %d, band %d + %d, trans %s, seed %llu: error %g, LAPACK's %g", n, lower, upper, trans,
                     (unsigned long long)seed, error, expected);
        free(x);
    }
    free(b);
    free(theirs.ab);
    free(theirs.ipiv);
    drop_factored(&ours);
    free(A.rows);
}

static void test_every_band_is_solved_as_exactly_as_by_lapack(void **state)
{
    (void)state;
    uint64_t seed = 0;
    for (int lower = 0; lower <= WIDEST; ++lower)
        for (int upper = 0; upper <= WIDEST; ++upper)
            for (kind kind = 0; kind < KINDS; ++kind) {
                compare(1 + (lower + upper) % 7, lower, upper, kind, seed++);
                compare(50, lower, upper, kind, seed++);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_band_is_solved_as_exactly_as_by_lapack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
