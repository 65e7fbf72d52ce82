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
        int64_t longer = span >= (s.tiles - 1) * lanes && span % lanes < s.longer;
        assert_true(sb_span_rows(&s, span / lanes) > 0);
        assert_int_equal(rows, sb_span_rows(&s, span / lanes) + longer);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_row_is_in_one_chunk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
