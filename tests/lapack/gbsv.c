/* gbsv does what LAPACK's does. */
#include "support.h"

typedef void gbsv_routine(const int *n, const int *kl, const int *ku, const int *nrhs, T *ab, const int *ldab,
                          int *ipiv, T *b, const int *ldb, int *info);

gbsv_routine REFERENCE(gbsv);

/* A in LAPACK's columns; whatever is not A's, the room for fill-in too, holds NaN. */
static T *columns_of(const band *A, int ldab)
{
    T *ab = draw_vector((int64_t)ldab * A->n, 1);
    for (int64_t i = 0; i < (int64_t)ldab * A->n; ++i)
        ab[i] = (T)NAN;
    for (int j = 0; j < A->n; ++j)
        for (int i = j - A->upper; i <= j + A->lower; ++i)
            if (i >= 0 && i < A->n)
                ab[A->lower + A->upper + i - j + (int64_t)j * ldab] = band_at(A, i, j);
    return ab;
}

static void assert_solved(const band *A, const T *x, const T *b, int ldb, int nrhs, uint64_t seed)
{
    for (int64_t k = 0; k < nrhs; ++k) {
        double error = backward_error(A, 'N', x + k * ldb, b + k * ldb);
        if (!(error <= 8 * EPSILON))
            fail_msg("n %d, band %d + %d: backward error %g, seed %llu", A->n, A->lower, A->upper, error,
                     (unsigned long long)seed);
        assert_memory_equal(x + k * ldb + A->n, b + k * ldb + A->n, (size_t)(ldb - A->n) * sizeof(T));
    }
}

static void compare(int n, int lower, int upper, int nrhs, int more, kind kind, uint64_t seed)
{
    int ldab = 2 * lower + upper + 1 + more, ldb = sb_at_least_1(n) + more, info = -99, expected = -99;
    band A = draw_band(n, lower, upper, kind, seed);
    T *ours = columns_of(&A, ldab), *theirs = columns_of(&A, ldab);
    T *b = draw_vector((int64_t)ldb * nrhs, seed + 1), *x = copy_vector((int64_t)ldb * nrhs, b);
    T *reference = copy_vector((int64_t)ldb * nrhs, b);
    int *ipiv = calloc((size_t)n + 1, sizeof *ipiv), *expected_ipiv = calloc((size_t)n + 1, sizeof *ipiv);
    (by_either_name(seed) ? SB_LAPACK(gbsv) : SB_LAPACK(gbsv_))(&n, &lower, &upper, &nrhs, ours, &ldab, ipiv, x,
                                                                &ldb, &info);
    REFERENCE(gbsv)
    (&n, &lower, &upper, &nrhs, theirs, &ldab, expected_ipiv, reference, &ldb, &expected);
    assert_int_equal(info, expected);
    assert_true((info > 0) == (kind == SINGULAR && n > 0));
    assert_memory_equal(ipiv, expected_ipiv, (size_t)n * sizeof *ipiv);
    assert_close("ab", ours, theirs, (int64_t)ldab * n, seed);
    if (info == 0)
        assert_solved(&A, x, b, ldb, nrhs, seed);
    else
        assert_memory_equal(x, b, (size_t)(ldb * nrhs) * sizeof(T));
    free(A.rows);
    free(ours);
    free(theirs);
    free(b);
    free(x);
    free(reference);
    free(ipiv);
    free(expected_ipiv);
}

static void test_gbsv_factors_pivots_and_solves_as_lapack_does(void **state)
{
    (void)state;
    const int bands[][2] = {{0, 0}, {0, 3}, {2, 0}, {1, 1}, {1, 2}, {2, 2}, {3, 1}, {4, 5}, {7, 3}, {20, 24}};
    uint64_t seed = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (size_t k = 0; k < sizeof bands / sizeof *bands; ++k)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
                for (kind kind = 0; kind < KINDS; ++kind)
                    for (int more = 0; more <= 3; more += 3)
                        compare(sizes[s], bands[k][0], bands[k][1], counts[c], more, kind, seed++);
}

static void test_illegal_arguments_are_named_as_lapack_names_them(void **state)
{
    (void)state;
    const struct {
        int n, kl, ku, nrhs, ldab, ldb;
    } cases[] = {{-1, 1, 1, 1, 4, 3}, {3, -1, 1, 1, 4, 3},    {3, 1, -1, 1, 4, 3},
                 {3, 1, 1, -1, 4, 3}, {3, 1, 1, 1, 3, 3},     {3, 1, 1, 1, 4, 2},
                 {0, 1, 1, 1, 4, 0},  {-1, -1, -1, -1, 0, 0}, {3, 1, -2, -1, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        T ab[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, b[3] = {1, 2, 3};
        int ipiv[3] = {7, 7, 7}, info = -99, expected = -99;
        const int *n = &cases[c].n, *kl = &cases[c].kl, *ku = &cases[c].ku, *nrhs = &cases[c].nrhs;
        REFERENCE(gbsv)(n, kl, ku, nrhs, ab, &cases[c].ldab, ipiv, b, &cases[c].ldb, &expected);
        assert_int_equal(expected, -complained_of);
        SB_LAPACK(gbsv)(n, kl, ku, nrhs, ab, &cases[c].ldab, ipiv, b, &cases[c].ldb, &info);
        assert_int_equal(info, expected);
        assert_true(info < 0 && ipiv[0] == 7 && b[0] == 1 && ab[0] == 1 && ab[3] == 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gbsv_factors_pivots_and_solves_as_lapack_does),
        cmocka_unit_test(test_illegal_arguments_are_named_as_lapack_names_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
