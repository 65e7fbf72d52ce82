/* pttrf and pttrs do what LAPACK's do. */
#include "support.h"

void REFERENCE(pttrf)(const int *n, R *d, T *e, int *info);
#if SB_COMPLEX
void REFERENCE(pttrs)(const char *uplo, const int *n, const int *nrhs, const R *d, const T *e, T *b,
                      const int *ldb, int *info, size_t length);
#define OURS(name, uplo, ...) SB_LAPACK(name)(uplo, __VA_ARGS__)
#define THEIRS(uplo, ...) REFERENCE(pttrs)(uplo, __VA_ARGS__, 1)
#else
void REFERENCE(pttrs)(const int *n, const int *nrhs, const R *d, const T *e, T *b, const int *ldb, int *info);
#define OURS(name, uplo, ...) SB_LAPACK(name)(__VA_ARGS__)
#define THEIRS(uplo, ...) REFERENCE(pttrs)(__VA_ARGS__)
#endif

/* A Hermitian dominant band with a positive diagonal, or, if `indefinite`, with one entry of it negative. */
static band draw_hermitian(int n, bool indefinite, uint64_t seed)
{
    band A = draw_band(n, 1, 1, DOMINANT, seed);
    for (int i = 0; i < n; ++i) {
        T *row = A.rows + (int64_t)i * 3;
        row[1] = (T)(R)creal(row[1]);
        if (i > 0)
            row[0] = sb_conj(row[-1]);
    }
    if (indefinite)
        A.rows[(seed % (uint64_t)n) * 3 + 1] = seed % 2 ? -1 : 0;
    return A;
}

/* uplo L: e is the subdiagonal; U: the superdiagonal. */
static void take(const band *A, char uplo, R *d, T *e)
{
    for (int i = 0; i < A->n; ++i) {
        d[i] = (R)creal(band_at(A, i, i));
        if (i + 1 < A->n)
            e[i] = uplo == 'L' ? band_at(A, i + 1, i) : band_at(A, i, i + 1);
    }
}

enum { MOST = 100 };

static void compare(int n, int nrhs, int ldb, const char *uplo, bool indefinite, uint64_t seed)
{
    band A = draw_hermitian(n, indefinite, seed);
    R d[2][MOST];
    T e[2][MOST];
    int info[2] = {-99, -99};
    for (int side = 0; side < 2; ++side)
        take(&A, *uplo == 'u' ? 'U' : *uplo == 'l' ? 'L' : *uplo, d[side], e[side]);
    (by_either_name(seed) ? SB_LAPACK(pttrf) : SB_LAPACK(pttrf_))(&n, d[0], e[0], &info[0]);
    REFERENCE(pttrf)(&n, d[1], e[1], &info[1]);
    assert_int_equal(info[0], info[1]);
    assert_true((info[0] > 0) == indefinite);
    for (int i = 0; i < n; ++i)
        assert_true(fabs((double)(d[0][i] - d[1][i])) <= 8 * EPSILON * fabs((double)d[1][i]));
    assert_close("e", e[0], e[1], n > 0 ? n - 1 : 0, seed);
    T *b = draw_vector((int64_t)ldb * nrhs, seed + 1), *x = copy_vector((int64_t)ldb * nrhs, b);
    T *reference = copy_vector((int64_t)ldb * nrhs, b);
    if (info[0] == 0) {
        if (by_either_name(seed))
            OURS(pttrs, uplo, &n, &nrhs, d[0], e[0], x, &ldb, &info[0]);
        else
            OURS(pttrs_, uplo, &n, &nrhs, d[0], e[0], x, &ldb, &info[0]);
        THEIRS(uplo, &n, &nrhs, d[1], e[1], reference, &ldb, &info[1]);
        assert_int_equal(info[0], 0);
        assert_int_equal(info[1], 0);
        assert_close("x", x, reference, (int64_t)ldb * nrhs, seed);
        for (int64_t k = 0; k < nrhs; ++k)
            assert_true(backward_error(&A, 'N', x + k * ldb, b + k * ldb) <= 8 * EPSILON);
    }
    free(A.rows);
    free(b);
    free(x);
    free(reference);
}

static void test_pttrf_and_pttrs_factor_and_solve_as_lapack_does(void **state)
{
    (void)state;
    uint64_t seed = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (const char *uplo = "ULul"; *uplo; ++uplo)
                for (int more = 0; more <= 4; more += 4)
                    compare(sizes[s], counts[c], sb_at_least_1(sizes[s]) + more, uplo, false, seed++);
}

static void test_pttrf_stops_at_the_pivot_that_is_not_positive(void **state)
{
    (void)state;
    for (size_t s = 1; s < sizeof sizes / sizeof *sizes; ++s)
        for (uint64_t seed = 0; seed < 20; ++seed)
            compare(sizes[s], 1, sizes[s], "L", true, seed);
}

static void test_illegal_arguments_are_named_as_lapack_names_them(void **state)
{
    (void)state;
    const struct {
        const char *uplo;
        int n, nrhs, ldb;
    } cases[] = {{"U", -1, 1, 3},  {"L", 3, -1, 3}, {"U", 3, 1, 2}, {"L", 0, 1, 0},
                 {"U", -1, -1, 0}, {"N", -1, 1, 3}, {"t", 3, 1, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const int *n = &cases[c].n, *nrhs = &cases[c].nrhs, *ldb = &cases[c].ldb;
        R d[3] = {4, 4, 4};
        T e[2] = {1, 1}, b[3] = {1, 2, 3};
        int info = -99, expected = -99;
        THEIRS(cases[c].uplo, n, nrhs, d, e, b, ldb, &expected);
        assert_int_equal(expected, -complained_of);
        OURS(pttrs, cases[c].uplo, n, nrhs, d, e, b, ldb, &info);
        assert_int_equal(info, expected);
        assert_true(info < 0 && b[0] == 1 && b[1] == 2 && b[2] == 3);
        if (*n < 0) {
            REFERENCE(pttrf)(n, d, e, &expected);
            SB_LAPACK(pttrf)(n, d, e, &info);
            assert_int_equal(info, expected);
            assert_int_equal(info, -1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pttrf_and_pttrs_factor_and_solve_as_lapack_does),
        cmocka_unit_test(test_pttrf_stops_at_the_pivot_that_is_not_positive),
        cmocka_unit_test(test_illegal_arguments_are_named_as_lapack_names_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
