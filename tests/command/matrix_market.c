/* The Matrix Market reader. */
#include "tests/command/memory_file.h"

#include "cli/matrix_market.h"

static bool read_text(sb_band *band, const char *text, bool periodic, sb_failure *failure)
{
    FILE *stream = memory_file(text, strlen(text));
    bool good = sb_matrix_market_read(band, stream, "file", periodic, failure);
    fclose(stream);
    return good;
}

/* Reads `text` into diagonals and compares them; row k of `expected` is diagonal k - lower. */
static void check(const char *text, bool periodic, int lower, int upper, int n, const double *expected,
                  int parts)
{
    sb_band band = {.lower = -1, .upper = -1};
    sb_failure failure = {0};
    assert_true(read_text(&band, text, periodic, &failure));
    assert_int_equal(band.scalar, parts == 2 ? SLIMBAND_C128 : SLIMBAND_F64);
    assert_int_equal(band.lower, lower);
    assert_int_equal(band.upper, upper);
    assert_int_equal(band.n, n);
    const double *got = band.diagonals;
    for (int i = 0; i < (lower + 1 + upper) * n * parts; ++i)
        assert_true(got[i] == expected[i]);
    sb_band_free(&band);
}

static void test_entries_go_to_row_aligned_diagonals(void **state)
{
    (void)state;
    check(
        "%%MatrixMarket matrix coordinate real general\n% comment\n\n3 3 6\n1 1 1\n1 2 2\n3 1 3\n3 3 4\n2 2 5\n"
        "2 2 0.5\n",
        false, 2, 1, 3, (double[]){0, 0, 3, 0, 0, 0, 1, 5.5, 4, 2, 0, 0}, 1);
    check("%%matrixmarket MATRIX array integer GENERAL\r\n2 2\r\n1\r\n2\r\n3\r\n4\r\n", false, 1, 1, 2,
          (double[]){0, 2, 1, 4, 3, 0}, 1);
}

static void test_zeros_do_not_widen_the_band(void **state)
{
    (void)state;
    check("%%MatrixMarket matrix array real general\n3 3\n1 0 0 0 2 0 0 0 3\n", false, 0, 0, 3,
          (double[]){1, 2, 3}, 1);
}

static void test_symmetries_fill_the_other_triangle(void **state)
{
    (void)state;
    check("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 2 2\n2 1 3\n", false, 1, 1, 2,
          (double[]){0, 3, 1, 2, 3, 0}, 1);
    check("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", false, 1, 1, 2,
          (double[]){0, 3, 0, 0, -3, 0}, 1);
    check("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n", false, 1, 1, 2,
          (double[]){0, 0, 3, 4, 1, 0, 0, 0, 3, -4, 0, 0}, 2);
    check("%%MatrixMarket matrix array complex symmetric\n2 2\n1 0\n3 4\n1 0\n", false, 1, 1, 2,
          (double[]){0, 0, 3, 4, 1, 0, 1, 0, 3, 4, 0, 0}, 2);
    check("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n0\n2\n", false, 1, 1, 3,
          (double[]){0, 1, 2, 0, 0, 0, -1, -2, 0}, 1);
}

static void test_a_ring_keeps_its_corners_in_the_narrow_band(void **state)
{
    (void)state;
    const char *text = "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 4 1\n2 1 2\n3 2 3\n4 3 4\n";
    check(text, true, 1, 0, 4, (double[]){1, 2, 3, 4, 0, 0, 0, 0}, 1);
    check(text, false, 1, 3, 4, (double[]){0, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, 1);
}

static void test_a_given_band_is_kept_or_refused(void **state)
{
    (void)state;
    const char *text = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n";
    sb_failure failure;
    sb_band band = {.lower = 1, .upper = 2};
    assert_true(read_text(&band, text, false, &failure));
    assert_int_equal(band.upper, 2);
    sb_band_free(&band);
    band = (sb_band){.lower = 0, .upper = 1};
    assert_false(read_text(&band, text, false, &failure));
    assert_complaint(failure.text, "lower bandwidth 1 and upper 1, not 0 and 1");
    band = (sb_band){.lower = 0, .upper = 1};
    assert_true(read_text(&band, text, true, &failure)); /* in a ring of two, A(1, 0) is A(1, 2) */
    sb_band_free(&band);
}

static void test_bad_files_are_refused_with_a_sentence(void **state)
{
    (void)state;
#define COORDINATE "%%MatrixMarket matrix coordinate "
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "empty"},
        {"1 1 1\n", "does not begin"},
        {"%%MatrixMarket vector\n", "does not begin"},
        {"%%MatrixMarket matrix sparse real general\n", "format"},
        {COORDINATE "pattern general\n1 1 1\n1 1\n", "real, integer or complex"},
        {COORDINATE "real lopsided\n1 1 1\n1 1 1\n", "symmetry"},
        {COORDINATE "real hermitian\n1 1 1\n1 1 1\n", "complex"},
        {COORDINATE "real general\n", "sizes cannot be read"},
        {COORDINATE "real general\n1 1\n", "sizes cannot be read"},
        {COORDINATE "real general\n0 0 0\n", "positive"},
        {COORDINATE "real general\n-1 -1 1\n1 1 1\n", "positive"},
        {COORDINATE "real general\n2 3 1\n1 1 1\n", "square"},
        {COORDINATE "real general\n99999999999999999999 1 1\n1 1 1\n", "sizes cannot be read"},
        {COORDINATE "real general\n5000000000 5000000000 1\n1 1 1\n", "singular"},
        {COORDINATE "real general\n5000000000 5000000000 9000000000\n1 1 1\n", "truncated"},
        {"%%MatrixMarket matrix array real general\n9000000000000 9000000000000\n1\n", "truncated"},
        {COORDINATE "real general\n2 2 2\n1 1 1\n2", "truncated"},
        {COORDINATE "real general\n2 2 2\n1 1 1\n2 x 1\n", "entry 2 cannot be read"},
        {COORDINATE "real general\n2 2 2\n1 1 1\n2 2 1x\n", "entry 2 cannot be read"},
        {COORDINATE "real general\n2 2 2\n1 1 1\n0 2 1\n", "entry 2 lies outside"},
        {COORDINATE "real general\n2 2 2\n1 1 1\n2 3 1\n", "entry 2 lies outside"},
        {COORDINATE "real general\n1 1 1\n1 1 1\n1 1 1\n", "something follows"},
        {COORDINATE "real symmetric\n2 2 2\n1 2 1\n2 2 1\n", "lower triangle"},
        {COORDINATE "real skew-symmetric\n2 2 2\n2 1 1\n2 2 1\n", "does not fit the symmetry"},
        {COORDINATE "complex hermitian\n2 2 2\n2 1 1 1\n2 2 1 1\n", "does not fit the symmetry"},
        {"%%MatrixMarket matrix array real skew-symmetric\n1 1\n", "singular"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sb_band band = {.lower = -1, .upper = -1};
        sb_failure failure = {0};
        assert_false(read_text(&band, cases[i].text, false, &failure));
        assert_complaint(failure.text, cases[i].part);
        assert_null(band.diagonals);
    }
}

static void test_bands_beyond_eight_are_refused(void **state)
{
    (void)state;
    sb_band band = {.lower = -1, .upper = -1};
    sb_failure failure;
    assert_false(read_text(&band,
                           COORDINATE "real symmetric\n10 10 10\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n"
                                      "7 7 1\n8 8 1\n9 9 1\n10 1 1\n",
                           false, &failure));
    assert_complaint(failure.text, "too wide: lower 9 and upper 9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_go_to_row_aligned_diagonals),
        cmocka_unit_test(test_zeros_do_not_widen_the_band),
        cmocka_unit_test(test_symmetries_fill_the_other_triangle),
        cmocka_unit_test(test_a_ring_keeps_its_corners_in_the_narrow_band),
        cmocka_unit_test(test_a_given_band_is_kept_or_refused),
        cmocka_unit_test(test_bad_files_are_refused_with_a_sentence),
        cmocka_unit_test(test_bands_beyond_eight_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
