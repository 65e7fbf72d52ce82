/* Levels: every row has a place on each of them, and Wang & Mou's method in tiles is the method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "src/chunk/levels.h"
#include "src/chunk/row.h"

enum { MOST = 300 };

static void test_levels_of_cyclic_reduction_follow_one_another(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 5000; n += n < 70 ? 1 : 97) {
        int levels = sb_cr_levels(n);
        assert_true(n >> levels <= 2 && (levels == 0 || n >> (levels - 1) > 2));
        assert_int_equal(sb_halvings_to(n, 2), levels);
        assert_int_equal(sb_level_start(n, 1), 0);
        for (int l = 1; l <= levels; ++l)
            assert_int_equal(sb_level_start(n, l + 1) - sb_level_start(n, l), n >> l);
        assert_true(sb_level_start(n, levels + 1) < n);
    }
}

static void test_interleaved_systems_share_all_rows(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 200; ++n)
        for (int level = 0; n >> level > 0; ++level) {
            int64_t sum = 0;
            for (int64_t s = 0; s < INT64_C(1) << level; ++s) {
                int64_t rows = sb_system_rows(n, level, s);
                assert_true(s + ((rows - 1) << level) < n && s + (rows << level) >= n);
                sum += rows;
            }
            assert_int_equal(sum, n);
        }
}

static void test_the_next_level_has_the_ends_of_all_tiles(void **state)
{
    (void)state;
    for (int64_t tile = 2; tile <= 16; ++tile)
        for (int64_t n = 1; n < 200; ++n) {
            int64_t border = 0;
            for (int64_t i = 0; i < n; ++i)
                if (i % tile == 0 || i % tile == tile - 1 || i == n - 1)
                    assert_int_equal(sb_border_row(n, tile, border++), i);
            assert_int_equal(sb_border_rows(n, tile), border);
        }
}

static void test_rows_are_followed_down_through_levels(void **state)
{
    (void)state;
    const int64_t n = 1000, tile = 8;
    assert_int_equal(sb_tiled_rows(n, tile, 1), 250);
    assert_int_equal(sb_tiled_rows(n, tile, 2), 64);
    assert_int_equal(sb_tiled_row(n, tile, 0, 17), 17);
    assert_int_equal(sb_tiled_row(n, tile, 1, 3), 15);
    assert_int_equal(sb_tiled_row(n, tile, 2, 1), 31);
    assert_int_equal(sb_tiled_row(n, tile, 2, 63), 999);
}

/* tpr.txt, table 4: S = 128 up to 2^18 rows, from there on n / 2048. */
static void test_slices_are_those_of_the_paper(void **state)
{
    (void)state;
    for (int e = 8; e <= 22; ++e)
        assert_int_equal(sb_slice_for(INT64_C(1) << e, 128, 2048), e <= 18 ? 128 : 1 << (e - 11));
    for (int64_t n = 1; n < 100000; n = n * 3 / 2 + 1) {
        int64_t rows = sb_slice_for(n, 128, 100);
        assert_true((rows & (rows - 1)) == 0 && (rows >= n || sb_slices(n, rows) <= 100));
    }
    assert_int_equal(sb_slice_for(5, 2048, INT64_MAX), 8);
}

/* Merges blocks of u, 2u, ... rows of a tile, as src/cuda/reduction/wang_mou.cuh does. */
static void merge(sb_row *rows, int64_t count, int64_t u)
{
    for (; u < count; u *= 2)
        for (int64_t m = u; m < count; m += 2 * u) {
            rows[m] = sb_reduce_left(rows[m], rows[m - 1]);
            rows[m - 1] = sb_replace_right(rows[m - 1], rows[m]);
            for (int64_t i = m - u; i < m + u && i < count; ++i)
                if (i < m - 1)
                    rows[i] = sb_replace_right(rows[i], rows[m]);
                else if (i > m)
                    rows[i] = sb_replace_left(rows[i], rows[m - 1]);
        }
}

static void solve_in_tiles(sb_row *rows, int64_t n, int64_t u, int64_t tile, T *x)
{
    sb_row border[MOST];
    T ends[MOST];
    if (n <= tile) {
        merge(rows, n, u);
        for (int64_t i = 0; i < n; ++i)
            x[i] = sb_unknown(rows[i], 0, 0);
        return;
    }
    for (int64_t top = 0; top < n; top += tile)
        merge(rows + top, n - top < tile ? n - top : tile, u);
    int64_t count = sb_border_rows(n, tile);
    for (int64_t r = 0; r < count; ++r)
        border[r] = rows[sb_border_row(n, tile, r)];
    solve_in_tiles(border, count, 2, tile, ends);
    for (int64_t i = 0; i < n; ++i) {
        int64_t t = i / tile;
        x[i] = sb_unknown(rows[i], t > 0 ? ends[2 * t - 1] : 0, 2 * t + 2 < count ? ends[2 * t + 2] : 0);
    }
    for (int64_t r = 0; r < count; ++r)
        x[sb_border_row(n, tile, r)] = ends[r];
}

static void test_tiles_solve_the_system(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(20261121);
    sb_row rows[MOST], original[MOST];
    T x[MOST + 2];
    for (int64_t n = 1; n < MOST; n += n < 40 ? 1 : 37)
        for (int64_t tile = 4; tile <= 32; tile *= 2) {
            for (int64_t i = 0; i < n; ++i) {
                sb_row e = {i > 0 ? sb_random_signed(&random) : 0, 2.1,
                            i + 1 < n ? sb_random_signed(&random) : 0, sb_random_signed(&random)};
                rows[i] = original[i] = e;
            }
            x[0] = x[n + 1] = 0;
            solve_in_tiles(rows, n, 1, tile, x + 1);
            for (int64_t i = 0; i < n; ++i) {
                sb_row e = original[i];
                T error = e.a * x[i] + e.b * x[i + 1] + e.c * x[i + 2] - e.d;
                assert_true(error < 3e-15 && error > -3e-15);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_of_cyclic_reduction_follow_one_another),
        cmocka_unit_test(test_interleaved_systems_share_all_rows),
        cmocka_unit_test(test_the_next_level_has_the_ends_of_all_tiles),
        cmocka_unit_test(test_rows_are_followed_down_through_levels),
        cmocka_unit_test(test_slices_are_those_of_the_paper),
        cmocka_unit_test(test_tiles_solve_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
