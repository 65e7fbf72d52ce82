/* Gather and scatter by themselves: every arrangement of lines, through the caches and past them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { ROWS = 67, MOST_LANES = 256, ALIGNMENT = 64, GAP = 3 };

/* One array of lines and a tile; entry i of line s is numbered 1000 s + i. */
typedef struct field {
    int64_t lanes, stride, between, elements;
    int64_t offset[MOST_LANES];
    bool whole[MOST_LANES];
    T *from, *to;
    R *tile;
} field;

static T numbered(int64_t lane, int64_t i)
{
    T value = (T)(1000 * lane + i);
#if SB_COMPLEX
    value += (T)((R)0.5 * I);
#endif
    return value;
}

static void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    assert_non_null(memory);
    memset(memory, 0x5a, bytes);
    return memory;
}

/* shift: elements by which the array misses the alignment of vectors. */
static field make(const sb_wide *wide, int64_t stride, int64_t between, int64_t shift)
{
    field f = {.lanes = 3 * wide->group, .stride = stride, .between = between};
    f.elements = shift + (ROWS - 1) * stride + (f.lanes - 1) * between + 1;
    f.from = allocate((size_t)f.elements * sizeof(T));
    f.to = allocate((size_t)f.elements * sizeof(T));
    f.tile = allocate((size_t)(2 * ROWS * f.lanes * SB_PLANES) * sizeof(R));
    for (int64_t s = 0; s < f.lanes; ++s) {
        f.offset[s] = shift + s * between;
        for (int64_t i = 0; i < ROWS; ++i)
            f.from[f.offset[s] + i * stride] = numbered(s, i);
    }
    for (int64_t v = 0; v < f.lanes / wide->width; ++v)
        f.whole[v] = stride == 1 || between == 1;
    return f;
}

static void discard(field *f)
{
    free(f->from);
    free(f->to);
    free(f->tile);
}

/* Lanes behind `last` repeat it. */
static void assert_tile(const field *f, int64_t last, int64_t first, int64_t rows, int64_t step)
{
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t s = 0; s < f->lanes; ++s) {
            T expected = numbered(s < last ? s : last, first + i);
            for (int plane = 0; plane < SB_PLANES; ++plane)
                assert_memory_equal(&f->tile[(i * step * SB_PLANES + plane) * f->lanes + s],
                                    (const R *)&expected + plane, sizeof(R));
        }
}

static void over_arrangements(void (*check)(const sb_wide *wide, field *f))
{
    static const int64_t strides[][2] = {{1, ROWS}, {1, 80}, {MOST_LANES, 1}, {GAP, GAP * ROWS + 2}};
    for (int s = 0; s < set_count; ++s)
        for (int k = 0; k < 4; ++k)
            for (int64_t shift = 0; shift < 2; ++shift) {
                field f = make(sets[s].wide, strides[k][0], strides[k][1], shift);
                check(sets[s].wide, &f);
                discard(&f);
            }
}

static void check_gather(const sb_wide *wide, field *f)
{
    sb_lines lines = {f->offset, f->whole, f->stride, 0};
    for (int64_t step = 1; step <= 2; ++step)
        for (int64_t first = 0; first < 3; ++first) {
            wide->gather(f->from, &lines, first, ROWS - first, (sb_tile){f->tile, f->lanes}, step);
            assert_tile(f, f->lanes - 1, first, ROWS - first, step);
        }
}

static void test_lines_become_rows(void **state)
{
    (void)state;
    over_arrangements(check_gather);
}

static void check_scatter(const sb_wide *wide, field *f)
{
    sb_lines lines = {f->offset, f->whole, f->stride, 0};
    sb_tile tile = {f->tile, f->lanes};
    for (int past_cache = 0; past_cache < 2; ++past_cache) {
        memset(f->to, 0x5a, (size_t)f->elements * sizeof(T));
        for (int64_t first = 0; first < ROWS; first += 32) {
            int64_t rows = ROWS - first < 32 ? ROWS - first : 32;
            wide->gather(f->from, &lines, first, rows, tile, 1);
            wide->scatter(tile, f->to, &lines, first, rows, past_cache);
        }
        wide->fence();
        assert_memory_equal(f->from, f->to, (size_t)f->elements * sizeof(T));
    }
}

static void test_rows_become_the_same_lines_and_nothing_else_is_written(void **state)
{
    (void)state;
    over_arrangements(check_scatter);
}

/* The last vector has `count` lines of its own, the last of which the other lanes repeat; arrays end with it. */
static void check_part(const sb_wide *wide, const field *f, int64_t count)
{
    int64_t last = f->lanes - wide->width + count - 1, offset[MOST_LANES];
    size_t bytes = (size_t)(f->offset[last] + (ROWS - 1) * f->stride + 1) * sizeof(T);
    T *from = malloc(bytes), *to = malloc(bytes);
    assert_non_null(from);
    assert_non_null(to);
    memset(from, 0x5a, bytes);
    memset(to, 0x5a, bytes);
    for (int64_t s = 0; s < f->lanes; ++s) {
        offset[s] = f->offset[s < last ? s : last];
        for (int64_t i = 0; i < ROWS; ++i)
            from[offset[s] + i * f->stride] = numbered(s < last ? s : last, i);
    }
    sb_lines lines = {offset, f->whole, f->stride, 0};
    sb_tile tile = {f->tile, f->lanes};
    wide->gather(from, &lines, 0, ROWS, tile, 1);
    assert_tile(f, last, 0, ROWS, 1);
    wide->scatter(tile, to, &lines, 0, ROWS, false);
    assert_memory_equal(from, to, bytes);
    free(from);
    free(to);
}

static void check_parts(const sb_wide *wide, field *f)
{
    f->whole[f->lanes / wide->width - 1] = f->stride == 1;
    for (int64_t count = 1; count < wide->width; ++count)
        check_part(wide, f, count);
}

static void test_vectors_that_are_not_full_touch_their_own_lines_only(void **state)
{
    (void)state;
    over_arrangements(check_parts);
}

static void check_left_out(const sb_wide *wide, field *f)
{
    sb_lines lines = {f->offset, f->whole, f->stride, 0};
    sb_tile tile = {f->tile, f->lanes};
    int64_t out = wide->group + 1, start = f->offset[out];
    wide->gather(f->from, &lines, 0, ROWS, tile, 1);
    f->offset[out] = -1;
    f->whole[out / wide->width] = false;
    wide->scatter(tile, f->to, &lines, 0, ROWS, true);
    wide->fence();
    memset(f->tile, 0x5a, sizeof(T));
    for (int64_t i = 0; i < ROWS; ++i) {
        assert_memory_equal(&f->to[start + i * f->stride], f->tile, sizeof(T));
        memcpy(&f->to[start + i * f->stride], &f->from[start + i * f->stride], sizeof(T));
    }
    assert_memory_equal(f->from, f->to, (size_t)f->elements * sizeof(T));
}

static void test_a_lane_that_is_left_out_is_not_written(void **state)
{
    (void)state;
    over_arrangements(check_left_out);
}

int main(void)
{
    set_count = sets_here(sets);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_become_rows),
        cmocka_unit_test(test_rows_become_the_same_lines_and_nothing_else_is_written),
        cmocka_unit_test(test_vectors_that_are_not_full_touch_their_own_lines_only),
        cmocka_unit_test(test_a_lane_that_is_left_out_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
