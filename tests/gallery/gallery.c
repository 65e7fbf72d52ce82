/* The gallery against what is known of its matrices: spectra, singular values, inverses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/gallery.h"

extern void dgesvd_(const char *, const char *, const int *, const int *, double *, const int *, double *,
                    double *, const int *, double *, const int *, double *, const int *, int *);
extern void dstev_(const char *, const int *, double *, double *, double *, const int *, double *, int *);

enum { MOST = 512 };

typedef struct matrix {
    double lower[MOST], diagonal[MOST], upper[MOST];
} matrix;

static const int sizes[] = {1, 2, 3, 5, 64, 101};
#define FOR_EACH_SIZE(n) for (int s_ = 0, n; s_ < 6 && (n = sizes[s_], true); ++s_)

static void fill(const char *name, int n, uint64_t seed, matrix *A)
{
    const sb_gallery_matrix *entry = sb_gallery_find(name);
    assert_non_null(entry);
    assert_null(sb_gallery_fill(entry, n, seed, (sb_tridiagonal){A->lower, A->diagonal, A->upper}));
}

static double at(const matrix *A, int i, int j)
{
    return j == i - 1 ? A->lower[i] : j == i ? A->diagonal[i] : j == i + 1 ? A->upper[i] : 0;
}

/* Column-major, for LAPACK. */
static void make_dense(const matrix *A, int n, double *dense)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            dense[i + j * n] = at(A, i, j);
}

static void find_singular_values(const matrix *A, int n, double *sigma)
{
    int work_size = 64 * n + 64, one = 1, info;
    double *dense = malloc((size_t)(n * n) * sizeof *dense), *work = malloc((size_t)work_size * sizeof *work);
    assert_true(dense && work);
    make_dense(A, n, dense);
    dgesvd_("N", "N", &n, &n, dense, &n, sigma, NULL, &one, NULL, &one, work, &work_size, &info);
    assert_int_equal(info, 0);
    free(dense);
    free(work);
}

static double prescribed(const char *name, int i, int n)
{
    if (!strcmp(name, "randsvd-one-small"))
        return i == n - 1 && n > 1 ? 1e-15 : 1;
    if (!strcmp(name, "randsvd-one-large"))
        return i == 0 ? 1 : 1e-15;
    if (!strcmp(name, "randsvd-geometric"))
        return n > 1 ? pow(1e-15, (double)i / (n - 1)) : 1;
    return n > 1 ? 1 - (double)i / (n - 1) * (1 - 1e-15) : 1;
}

static void test_randsvd_has_the_singular_values_that_were_asked_for(void **state)
{
    (void)state;
    const char *names[] = {"randsvd-one-small", "randsvd-geometric", "randsvd-one-large", "randsvd-arithmetic"};
    matrix A;
    double sigma[MOST];
    for (int k = 0; k < 4; ++k) {
        FOR_EACH_SIZE(n)
        {
            fill(names[k], n, 7, &A);
            find_singular_values(&A, n, sigma);
            for (int i = 0; i < n; ++i)
                assert_true(fabs(sigma[i] - prescribed(names[k], i, n)) < 1e-14);
        }
    }
}

static void test_randsvd_is_full_and_depends_on_the_seed(void **state)
{
    (void)state;
    matrix A, B;
    fill("randsvd-arithmetic", 64, 1, &A);
    fill("randsvd-arithmetic", 64, 2, &B);
    for (int i = 1; i < 63; ++i) {
        assert_true(A.lower[i] != 0 && A.diagonal[i] != 0 && A.upper[i] != 0);
        assert_true(A.diagonal[i] != B.diagonal[i]);
    }
}

static void test_kms_inverse_times_kms_is_the_identity(void **state)
{
    (void)state;
    matrix A;
    FOR_EACH_SIZE(n)
    {
        fill("kms-inverse", n, 1, &A);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                for (int k = 0; k < n; ++k)
                    sum += at(&A, i, k) * pow(0.5, abs(k - j));
                assert_true(fabs(sum - (i == j)) < 1e-15);
            }
        }
    }
}

static void test_dorr_is_dominant_with_zero_row_sums_inside(void **state)
{
    (void)state;
    matrix A;
    FOR_EACH_SIZE(n)
    {
        fill("dorr", n, 1, &A);
        for (int i = 0; i < n; ++i) {
            double others = fabs(A.lower[i]) + fabs(A.upper[i]);
            assert_true(A.diagonal[i] >= others * (1 - 1e-15));
            if (i > 0 && i < n - 1)
                assert_true(fabs(A.diagonal[i] + A.lower[i] + A.upper[i]) <= 1e-15 * A.diagonal[i]);
        }
    }
}

/* D^-1 A D with d[i+1]/d[i] = sqrt(upper/lower) is symmetric with the same eigenvalues. */
static void find_eigenvalues(const matrix *A, int n, double *eigenvalues)
{
    double off[MOST];
    int one = 1, info;
    memcpy(eigenvalues, A->diagonal, (size_t)n * sizeof *eigenvalues);
    for (int i = 0; i + 1 < n; ++i)
        off[i] = sqrt(A->upper[i] * A->lower[i + 1]);
    dstev_("N", &n, eigenvalues, off, NULL, &one, NULL, &info);
    assert_int_equal(info, 0);
}

static void test_clement_has_evenly_spaced_eigenvalues(void **state)
{
    (void)state;
    matrix A;
    double eigenvalues[MOST];
    FOR_EACH_SIZE(n)
    {
        fill("clement", n, 1, &A);
        find_eigenvalues(&A, n, eigenvalues);
        for (int i = 0; i < n; ++i)
            assert_true(fabs(eigenvalues[i] - (2 * i - (n - 1))) < 1e-12);
    }
}

static void test_lesp_has_real_eigenvalues_in_the_interval_that_is_known(void **state)
{
    (void)state;
    matrix A;
    double eigenvalues[MOST];
    fill("lesp", MOST, 1, &A);
    find_eigenvalues(&A, MOST, eigenvalues);
    assert_true(fabs(eigenvalues[0] + 2 * MOST + 3.5) < 1);
    assert_true(fabs(eigenvalues[MOST - 1] + 4.5) < 0.1);
}

static void test_condition_numbers_are_the_papers_where_nothing_is_drawn(void **state)
{
    (void)state;
    const char *names[] = {"lesp", "kms-inverse", "toeplitz-1e8"};
    matrix A;
    double sigma[MOST];
    for (int k = 0; k < 3; ++k) {
        fill(names[k], MOST, 1, &A);
        find_singular_values(&A, MOST, sigma);
        double paper = strtod(sb_gallery_find(names[k])->condition, NULL);
        assert_true(fabs(sigma[0] / sigma[MOST - 1] - paper) < 0.005 * paper);
    }
}

static void test_weak_entries_are_where_the_table_says(void **state)
{
    (void)state;
    matrix random, split, weak;
    fill("random", MOST, 3, &random);
    fill("random-split", MOST, 3, &split);
    fill("random-weak-lower", MOST, 3, &weak);
    for (int i = 0; i < MOST; ++i) {
        assert_true(split.lower[i] == random.lower[i] * (i == 256 ? 1e-50 : 1));
        assert_true(weak.lower[i] == random.lower[i] * 1e-50);
        assert_true(split.diagonal[i] == random.diagonal[i] && weak.upper[i] == random.upper[i]);
        assert_true(fabs(random.diagonal[i]) <= 1);
    }
}

static void test_gaps_are_half_of_the_off_diagonals(void **state)
{
    (void)state;
    matrix A;
    int zeros = 0;
    fill("random-gaps", MOST, 5, &A);
    for (int i = 1; i < MOST; ++i)
        zeros += (A.lower[i] == 0) + (A.upper[i - 1] == 0);
    assert_in_range(zeros, MOST - 100, MOST + 100);
}

static void test_toeplitz_is_constant_along_its_diagonals(void **state)
{
    (void)state;
    const char *names[] = {"toeplitz-1e8", "toeplitz-64", "toeplitz-1e-8", "toeplitz-0"};
    const double diagonals[] = {1e8, 64, 1e-8, 0};
    matrix A;
    for (int k = 0; k < 4; ++k) {
        fill(names[k], 64, 9, &A);
        for (int i = 1; i < 64; ++i) {
            assert_true(A.diagonal[i] == diagonals[k]);
            assert_true(A.lower[i] == A.lower[1] && A.upper[i - 1] == A.upper[0]);
        }
        assert_true(A.lower[1] != 0 && A.upper[0] != 0 && A.lower[1] != A.upper[0]);
    }
}

static void test_outside_entries_are_zero_and_the_same_seed_gives_the_same_bits(void **state)
{
    (void)state;
    matrix A, B;
    for (int k = 0; k < SB_GALLERY_COUNT; ++k) {
        FOR_EACH_SIZE(n)
        {
            memset(&A, 0xff, sizeof A);
            memset(&B, 0xff, sizeof B);
            fill(sb_gallery_at(k)->name, n, 42, &A);
            fill(sb_gallery_at(k)->name, n, 42, &B);
            assert_memory_equal(&A, &B, sizeof A);
            assert_true(A.lower[0] == 0 && A.upper[n - 1] == 0);
        }
    }
}

/* Known answers, so that no platform and no later change draws other numbers. */
static void test_the_generator_gives_recorded_numbers(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(1);
    assert_true(sb_random_bits(&random) == UINT64_C(0xb3f2af6d0fc710c5));
    assert_true(sb_random_bits(&random) == UINT64_C(0x853b559647364cea));
    matrix A;
    fill("randsvd-geometric", 16, 1, &A);
    assert_true(A.diagonal[0] == 0x1.54ef954cea6d3p-1 && A.lower[15] == 0x1.193b06ac09298p-48);
}

static void test_sizes_beyond_reach_and_unknown_names_are_refused(void **state)
{
    (void)state;
    matrix A;
    sb_tridiagonal view = {A.lower, A.diagonal, A.upper};
    assert_non_null(sb_gallery_fill(sb_gallery_find("8"), 1025, 1, view));
    assert_non_null(sb_gallery_fill(sb_gallery_find("1"), INT64_MAX, 1, view));
    assert_non_null(sb_gallery_fill(sb_gallery_find("1"), 0, 1, view));
    const char *unknown[] = {"0", "17", "-1", "", "randomly", "1x"};
    for (int k = 0; k < 6; ++k)
        assert_null(sb_gallery_find(unknown[k]));
    for (int k = 0; k < SB_GALLERY_COUNT; ++k)
        assert_ptr_equal(sb_gallery_find(sb_gallery_at(k)->name), sb_gallery_at(k));
    assert_ptr_equal(sb_gallery_find("15"), sb_gallery_at(14));
    assert_null(sb_gallery_at(SB_GALLERY_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_randsvd_has_the_singular_values_that_were_asked_for),
        cmocka_unit_test(test_randsvd_is_full_and_depends_on_the_seed),
        cmocka_unit_test(test_kms_inverse_times_kms_is_the_identity),
        cmocka_unit_test(test_dorr_is_dominant_with_zero_row_sums_inside),
        cmocka_unit_test(test_clement_has_evenly_spaced_eigenvalues),
        cmocka_unit_test(test_lesp_has_real_eigenvalues_in_the_interval_that_is_known),
        cmocka_unit_test(test_condition_numbers_are_the_papers_where_nothing_is_drawn),
        cmocka_unit_test(test_weak_entries_are_where_the_table_says),
        cmocka_unit_test(test_gaps_are_half_of_the_off_diagonals),
        cmocka_unit_test(test_toeplitz_is_constant_along_its_diagonals),
        cmocka_unit_test(test_outside_entries_are_zero_and_the_same_seed_gives_the_same_bits),
        cmocka_unit_test(test_the_generator_gives_recorded_numbers),
        cmocka_unit_test(test_sizes_beyond_reach_and_unknown_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
