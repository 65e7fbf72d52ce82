/* The streams of the ceiling do what they say, at each level that this machine has. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "bench/memory.h"
#include "bench/stream.h"

enum { MOST = 18, BYTES = 1000 };

static void check(sb_stream_function *stream, int sources, size_t bytes, bool around, bool in_place)
{
    char *arrays[MOST + 1], expected[BYTES] = {0};
    sb_stream_part part = {.sources = sources, .bytes = bytes};
    for (int k = 0; k <= sources; ++k) {
        arrays[k] = sb_bench_allocate(BYTES, k, 1);
        assert_non_null(arrays[k]);
        for (size_t i = 0; i < BYTES; ++i)
            arrays[k][i] = (char)(i * (size_t)(2 * k + 3) >> 2);
        for (size_t i = 0; i < bytes && k < sources; ++i)
            expected[i] = (char)(expected[i] ^ arrays[k][i]);
        if (k < sources)
            part.from[k] = arrays[k];
    }
    part.to = arrays[in_place ? sources - 1 : sources];
    char behind = part.to[bytes];
    stream(&part, around);
    assert_memory_equal(part.to, expected, bytes);
    assert_int_equal(part.to[bytes], behind);
    for (int k = 0; k <= sources; ++k)
        sb_bench_release(arrays[k]);
}

static void test_every_level_combines_all_sources(void **state)
{
    (void)state;
#define FUNCTION(level) sb_stream_##level,
    static sb_stream_function *const levels[] = {SB_LEVELS(FUNCTION)};
#undef FUNCTION
    static const size_t bytes[] = {0, 4, 63, 64, 65, 128, 960, 999};
    static const int sources[] = {1, 2, 4, 6, 7, MOST};
    for (int level = 0; level <= sb_bench_level(); ++level)
        for (size_t b = 0; b < sizeof bytes / sizeof bytes[0]; ++b)
            for (size_t s = 0; s < sizeof sources / sizeof sources[0]; ++s)
                for (int kind = 0; kind < 3; ++kind)
                    check(levels[level], sources[s], bytes[b], kind == 1, kind == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_level_combines_all_sources)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
