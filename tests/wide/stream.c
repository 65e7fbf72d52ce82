/* Rows that are stored around the caches have the bits of those that are not, wherever in a cache line they begin and end, and what lies
 * beside them is not touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum {
    ROWS = 11,
    LANES = 160,
    STEP = LANES + 37,
    BAND = 1,
    PAD = 64,
    SHIFTS = 18,
    PLANES = SB_COMPLEX ? 2 : 1
};

static T usual[(ROWS + 1) * STEP + 2 * PAD], streamed[(ROWS + 1) * STEP + 2 * PAD];
static R tile[2][(ROWS + 2) * LANES * PLANES];
static T factors[ROWS * (2 * BAND + 1)];

static void draw(void)
{
    sb_random random = sb_random_seeded(71);
    for (int i = 0; i < (ROWS + 2) * LANES * PLANES; ++i)
        tile[0][i] = tile[1][i] = (R)sb_random_signed(&random);
    for (int i = 0; i < ROWS * (2 * BAND + 1); ++i)
        factors[i] = (T)sb_random_signed(&random);
    for (int i = 0; i < (ROWS + 1) * STEP + 2 * PAD; ++i)
        usual[i] = streamed[i] = (T)i;
}

/* Substitution backwards, from a tile's rows to those that begin at `to`. */
static void substitute(const sb_wide *wide, R *from, T *to, int64_t lanes, bool past_cache)
{
    static R odd[LANES];
    sb_sweep s = {
        .factors = {.shared = factors, .width = 3, .pivot = 1, .lower = 1, .upper = 1, .scaled = true},
        .from = {.at = from, .step = lanes * PLANES},
        .to = {.at = (R *)to, .step = (int64_t)STEP * PLANES, .pairs = true},
        .n = ROWS,
        .lanes = lanes,
        .odd = odd,
        .past_cache = past_cache};
    wide->backward_rows(&s, 0, ROWS);
}

static void test_substituted_rows(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int64_t lanes = sets[k].wide->width; lanes <= LANES; lanes += 3 * sets[k].wide->width)
            for (int shift = 0; shift < SHIFTS; ++shift) {
                draw();
                substitute(sets[k].wide, tile[0], usual + PAD + shift, lanes, false);
                substitute(sets[k].wide, tile[1], streamed + PAD + shift, lanes, true);
                sets[k].wide->fence();
                assert_memory_equal(usual, streamed, sizeof usual);
            }
}

/* Lanes left and right of one that is left out, and of a gap. */
static void test_scattered_rows(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int shift = 0; shift < SHIFTS; ++shift) {
            int64_t offset[LANES], width = sets[k].wide->width;
            bool whole[LANES];
            draw();
            for (int64_t lane = 0; lane < LANES; ++lane) {
                offset[lane] = lane + (lane >= 6 * width ? 5 : 0);
                whole[lane / width] = lane / width != 3;
            }
            offset[3 * width] = -1;
            const sb_lines lines = {.offset = offset, .whole = whole, .stride = STEP};
            const sb_tile from = {tile[0], LANES};
            sets[k].wide->scatter(from, usual + PAD + shift, &lines, 1, ROWS - 1, false);
            sets[k].wide->scatter(from, streamed + PAD + shift, &lines, 1, ROWS - 1, true);
            sets[k].wide->fence();
            assert_memory_equal(usual, streamed, sizeof usual);
        }
}

/* Complex numbers across the ends of cache lines. */
static void test_rows_that_no_whole_numbers_align(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k) {
        draw();
        substitute(sets[k].wide, tile[0], (T *)(void *)((R *)(usual + PAD) + 1), LANES, false);
        substitute(sets[k].wide, tile[1], (T *)(void *)((R *)(streamed + PAD) + 1), LANES, true);
        sets[k].wide->fence();
        assert_memory_equal(usual, streamed, sizeof usual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_substituted_rows),
        cmocka_unit_test(test_scattered_rows),
        cmocka_unit_test(test_rows_that_no_whole_numbers_align),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
