/* How a long system is cut: every row once, no tile without rows, whatever n is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "src/cpu/long/chunks.h"

static void check_spans(int64_t n, int64_t lanes, int64_t wanted, int64_t unit)
{
    sb_spans s = sb_spans_of(n, lanes, wanted, unit);
    assert_true(s.tiles > 0);
    assert_int_equal(sb_span_start(&s, 0), 0);
    for (int64_t span = 0; span < s.tiles * lanes; ++span) {
        int64_t rows = sb_span_start(&s, span + 1) - sb_span_start(&s, span);
        assert_true(sb_span_rows(&s, span / lanes) > 0);
        assert_int_equal(rows, sb_span_rows(&s, span / lanes) + sb_span_more(&s, span));
        assert_true(rows <= sb_span_most_rows(&s, span / lanes));
        assert_true(unit % 2 || sb_span_start(&s, span) % 2 == 0);
    }
    assert_int_equal(sb_span_start(&s, s.tiles * lanes), n);
}

static void check_chunks(int64_t n, int64_t lanes, int64_t wanted, int64_t unit)
{
    int64_t rows = sb_chunk_rows_near(n, lanes, wanted, unit);
    assert_true(rows > 0);
    sb_chunks c = sb_chunks_of(n, lanes, rows, 5);
    assert_true(c.last_rows > 0 && c.tail >= 0);
    assert_int_equal((c.tiles - 1) * lanes * c.rows + lanes * c.last_rows + c.tail, n);
}

static void test_every_row_is_in_one_chunk(void **state)
{
    (void)state;
    static const int64_t wanted[] = {5, 8, 11, 67, 776, 4096};
    for (int w = 0; w < 6; ++w)
        for (int64_t lanes = 4; lanes <= 32; lanes *= 2)
            for (int64_t unit = 4; unit <= 16; unit *= 2)
                for (int64_t n = lanes * 5; n < 3 * lanes * wanted[w] + 1000000; n += n / 3 + 1) {
                    check_spans(n, lanes, wanted[w], unit);
                    check_chunks(n, lanes, wanted[w], unit);
                }
}

/* Cache lines between the sets of the first-level cache that rows so far apart go to. */
static int64_t lines_between(int64_t rows, int64_t unit)
{
    int64_t page = 64 * unit, past = rows % page;
    return (past < page - past ? past : page - past) / unit;
}

static void check_apart(int64_t rows, int64_t lanes, int64_t unit)
{
    for (int64_t lane = 1; lane < lanes; ++lane)
        assert_true(lines_between(lane * rows, unit) >= 4);
}

/* As long as n is a power of two, they would. */
static void test_lanes_of_several_tiles_do_not_share_sets_of_the_cache(void **state)
{
    (void)state;
    for (int64_t n = 1 << 16; n <= 1 << 24; n *= 2)
        for (int64_t lanes = 8; lanes <= 16; lanes *= 2)
            for (int64_t unit = 4; unit <= 16; unit *= 2) {
                check_apart(sb_spans_of(n, lanes, 2112, unit).rows, lanes, unit);
                check_apart(sb_chunk_rows_near(n, lanes, 1088, unit), lanes, unit);
            }
}

/* Two threads get the same number of tiles: what is taken from the last tile must not be much. */
static void test_few_tiles_stay_as_many_and_as_long(void **state)
{
    (void)state;
    for (int64_t n = 1 << 14; n <= 1 << 17; n *= 2) {
        sb_spans s = sb_spans_of(n, 8, 2112, 8);
        sb_chunks c = sb_chunks_of(n, 8, sb_chunk_rows_near(n, 8, 1088, 8), 5);
        assert_int_equal(s.tiles % 2, 0);
        assert_true(s.rows - s.last_rows <= s.rows / 8);
        assert_int_equal(c.tiles % 2, 0);
        assert_true(c.rows - c.last_rows <= c.rows / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_in_one_chunk),
        cmocka_unit_test(test_lanes_of_several_tiles_do_not_share_sets_of_the_cache),
        cmocka_unit_test(test_few_tiles_stay_as_many_and_as_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
