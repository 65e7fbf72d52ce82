/* gtsv, gttrf and gttrs do what LAPACK's do. */
#include "support.h"

typedef void gtsv_routine(const int *n, const int *nrhs, T *dl, T *d, T *du, T *b, const int *ldb, int *info);
typedef void gttrf_routine(const int *n, T *dl, T *d, T *du, T *du2, int *ipiv, int *info);

gtsv_routine REFERENCE(gtsv);
gttrf_routine REFERENCE(gttrf);
void REFERENCE(gttrs)(const char *trans, const int *n, const int *nrhs, const T *dl, const T *d, const T *du,
                      const T *du2, const int *ipiv, T *b, const int *ldb, int *info, size_t length);

/* All that the three routines are handed. */
typedef struct tridiagonal {
    T *dl, *d, *du, *du2, *b;
    int *ipiv;
} tridiagonal;

static tridiagonal make(const band *A, const T *b, int64_t b_count)
{
    int n = A->n;
    tridiagonal t = {draw_vector(n, 1), draw_vector(n, 2),       draw_vector(n, 3),
                     draw_vector(n, 4), copy_vector(b_count, b), calloc((size_t)n + 1, sizeof(int))};
    assert_non_null(t.ipiv);
    for (int i = 0; i < n; ++i) {
        t.d[i] = band_at(A, i, i);
        if (i + 1 < n) {
            t.dl[i] = band_at(A, i + 1, i);
            t.du[i] = band_at(A, i, i + 1);
        }
    }
    return t;
}

static void drop(tridiagonal *t)
{
    free(t->dl);
    free(t->d);
    free(t->du);
    free(t->du2);
    free(t->b);
    free(t->ipiv);
}

static void assert_same_contents(const tridiagonal *ours, const tridiagonal *theirs, int n, uint64_t seed)
{
    assert_close("dl", ours->dl, theirs->dl, n, seed);
    assert_close("d", ours->d, theirs->d, n, seed);
    assert_close("du", ours->du, theirs->du, n, seed);
    assert_close("du2", ours->du2, theirs->du2, n, seed);
    assert_memory_equal(ours->ipiv, theirs->ipiv, (size_t)n * sizeof(int));
}

/* Every column's backward error, and that the rows below n of a longer column were left alone. */
static void assert_solved(const band *A, char trans, const T *x, const T *b, int ldb, int nrhs, uint64_t seed)
{
    for (int64_t k = 0; k < nrhs; ++k) {
        double error = backward_error(A, trans, x + k * ldb, b + k * ldb);
        if (!(error <= 8 * EPSILON))
            fail_msg("column %lld, trans %c: backward error %g, seed %llu", (long long)k, trans, error,
                     (unsigned long long)seed);
        assert_memory_equal(x + k * ldb + A->n, b + k * ldb + A->n, (size_t)(ldb - A->n) * sizeof(T));
    }
}

/* b has a column even when nrhs is 0: LAPACK's sgtsv and dgtsv then write to it, ours must not. */
static void compare_gtsv(int n, int nrhs, int ldb, kind kind, uint64_t seed)
{
    band A = draw_band(n, 1, 1, kind, seed);
    int64_t count = (int64_t)ldb * sb_at_least_1(nrhs);
    T *b = draw_vector(count, seed + 1);
    tridiagonal ours = make(&A, b, count), theirs = make(&A, b, count);
    int info = -99, expected = -99;
    (by_either_name(seed) ? SB_LAPACK(gtsv) : SB_LAPACK(gtsv_))(&n, &nrhs, ours.dl, ours.d, ours.du, ours.b,
                                                                &ldb, &info);
    REFERENCE(gtsv)(&n, &nrhs, theirs.dl, theirs.d, theirs.du, theirs.b, &ldb, &expected);
    assert_int_equal(info, expected);
    assert_true((info > 0) == (kind == SINGULAR && n > 0));
    assert_same_contents(&ours, &theirs, n, seed);
    if (nrhs == 0)
        assert_memory_equal(ours.b, b, (size_t)count * sizeof(T));
    else if (info == 0)
        assert_solved(&A, 'N', ours.b, b, ldb, nrhs, seed);
    else
        assert_close("b", ours.b, theirs.b, count, seed);
    drop(&ours);
    drop(&theirs);
    free(b);
    free(A.rows);
}

static void compare_gttrs(const band *A, const tridiagonal *F, const char *trans, int nrhs, int ldb,
                          uint64_t seed)
{
    int info = -99, expected = -99;
    T *b = draw_vector((int64_t)ldb * nrhs, seed + 1);
    T *x = copy_vector((int64_t)ldb * nrhs, b), *reference = copy_vector((int64_t)ldb * nrhs, b);
    (by_either_name(seed) ? SB_LAPACK(gttrs) : SB_LAPACK(gttrs_))(trans, &A->n, &nrhs, F->dl, F->d, F->du,
                                                                  F->du2, F->ipiv, x, &ldb, &info);
    REFERENCE(gttrs)
    (trans, &A->n, &nrhs, F->dl, F->d, F->du, F->du2, F->ipiv, reference, &ldb, &expected, 1);
    assert_int_equal(info, expected);
    assert_int_equal(info, 0);
    char upper_case = *trans >= 'a' ? (char)(*trans - 'a' + 'A') : *trans;
    assert_solved(A, upper_case, x, b, ldb, nrhs, seed);
    free(b);
    free(x);
    free(reference);
}

static void compare_gttrf(int n, int nrhs, int ldb, kind kind, uint64_t seed)
{
    band A = draw_band(n, 1, 1, kind, seed);
    T nothing = 0;
    tridiagonal ours = make(&A, &nothing, 0), theirs = make(&A, &nothing, 0);
    int info = -99, expected = -99;
    (by_either_name(seed) ? SB_LAPACK(gttrf) : SB_LAPACK(gttrf_))(&n, ours.dl, ours.d, ours.du, ours.du2,
                                                                  ours.ipiv, &info);
    REFERENCE(gttrf)(&n, theirs.dl, theirs.d, theirs.du, theirs.du2, theirs.ipiv, &expected);
    assert_int_equal(info, expected);
    assert_true((info > 0) == (kind == SINGULAR && n > 0));
    assert_same_contents(&ours, &theirs, n, seed);
    for (const char *trans = "NTCntc"; info == 0 && *trans; ++trans)
        compare_gttrs(&A, &ours, trans, nrhs, ldb, seed);
    drop(&ours);
    drop(&theirs);
    free(A.rows);
}

typedef void comparison(int n, int nrhs, int ldb, kind kind, uint64_t seed);

static void for_all(comparison *compare)
{
    uint64_t seed = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (kind kind = 0; kind < KINDS; ++kind)
                for (int more = 0; more <= 4; more += 4)
                    for (int repeat = 0; repeat < 5; ++repeat)
                        compare(sizes[s], counts[c], sb_at_least_1(sizes[s]) + more, kind, seed++);
}

static void test_gtsv_overwrites_and_solves_as_lapack_does(void **state)
{
    (void)state;
    for_all(compare_gtsv);
}

static void test_gttrf_and_gttrs_factor_and_solve_as_lapack_does(void **state)
{
    (void)state;
    for_all(compare_gttrf);
}

static void test_a_zero_row_stops_gtsv_where_it_stops_lapack(void **state)
{
    (void)state;
    int n = 4, one = 1, info, expected;
    for (int row = 0; row < n; ++row) {
        T dl[2][3] = {{1, 2, 3}, {1, 2, 3}}, d[2][4] = {{5, 6, 7, 8}, {5, 6, 7, 8}};
        T du[2][3] = {{4, 3, 2}, {4, 3, 2}}, b[2][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}};
        for (int side = 0; side < 2; ++side) {
            d[side][row] = 0;
            if (row > 0)
                dl[side][row - 1] = 0;
            if (row < n - 1)
                du[side][row] = 0;
        }
        SB_LAPACK(gtsv)(&n, &one, dl[0], d[0], du[0], b[0], &n, &info);
        REFERENCE(gtsv)(&n, &one, dl[1], d[1], du[1], b[1], &n, &expected);
        assert_true(info > 0);
        assert_int_equal(info, expected);
        assert_close("d", d[0], d[1], n, 0);
        assert_close("b", b[0], b[1], n, 0);
    }
}

static void test_illegal_arguments_are_named_as_lapack_names_them(void **state)
{
    (void)state;
    const struct {
        const char *trans;
        int n, nrhs, ldb;
    } cases[] = {{"N", -1, 1, 4}, {"N", 3, -1, 4},  {"N", 3, 1, 2},   {"N", 0, 1, 0}, {"X", 3, 1, 3},
                 {"h", 3, 1, 3},  {"X", -1, -1, 0}, {"T", -1, -1, 0}, {"C", 3, -1, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        T dl[4] = {1, 1, 1}, d[4] = {4, 4, 4}, du[4] = {1, 1, 1}, du2[4] = {0}, b[4] = {1, 2, 3, 4};
        int ipiv[4] = {1, 2, 3, 4}, info = -99, expected = -99;
        const int *n = &cases[c].n, *nrhs = &cases[c].nrhs, *ldb = &cases[c].ldb;
        REFERENCE(gttrs)(cases[c].trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, &expected, 1);
        assert_int_equal(expected, -complained_of);
        SB_LAPACK(gttrs)(cases[c].trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, &info);
        assert_int_equal(info, expected);
        assert_true(info < 0);
        assert_true(b[0] == 1 && b[1] == 2 && b[2] == 3 && b[3] == 4);
        if (*n < 0) {
            REFERENCE(gttrf)(n, dl, d, du, du2, ipiv, &expected);
            SB_LAPACK(gttrf)(n, dl, d, du, du2, ipiv, &info);
            assert_int_equal(info, expected);
            assert_int_equal(info, -1);
        }
        if (*cases[c].trans == 'X' || *cases[c].trans == 'h')
            continue;
        REFERENCE(gtsv)(n, nrhs, dl, d, du, b, ldb, &expected);
        SB_LAPACK(gtsv)(n, nrhs, dl, d, du, b, ldb, &info);
        assert_int_equal(info, expected);
        assert_true(info < 0 && d[0] == 4 && b[0] == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gtsv_overwrites_and_solves_as_lapack_does),
        cmocka_unit_test(test_gttrf_and_gttrs_factor_and_solve_as_lapack_does),
        cmocka_unit_test(test_a_zero_row_stops_gtsv_where_it_stops_lapack),
        cmocka_unit_test(test_illegal_arguments_are_named_as_lapack_names_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
