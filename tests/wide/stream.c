/* Rows that are stored around the caches have the bits of those that are not, and complex numbers that are swept as they lie those of split
 * ones, wherever in a cache line rows begin and end, and what lies beside them is not touched. */
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
    MOST = SB_USUAL_MOST,
    PAD = 64,
    SHIFTS = 18,
    PLANES = SB_COMPLEX ? 2 : 1
};

static T usual[(ROWS + 1) * STEP + 2 * PAD], streamed[(ROWS + 1) * STEP + 2 * PAD];
static R tile[2][(ROWS + 2) * LANES * PLANES];
static T factors[ROWS * (2 * MOST + 1)];

static void draw(void)
{
    sb_random random = sb_random_seeded(71);
    for (int i = 0; i < (ROWS + 2) * LANES * PLANES; ++i)
        tile[0][i] = tile[1][i] = (R)sb_random_signed(&random);
    for (int i = 0; i < ROWS * (2 * MOST + 1) * PLANES; ++i)
        ((R *)factors)[i] = (R)sb_random_signed(&random);
    for (int i = 0; i < (ROWS + 1) * STEP + 2 * PAD; ++i)
        usual[i] = streamed[i] = (T)i;
}

/* Between a tile's rows and the user's, which begin at `rows`. */
static sb_sweep sweep_of(int band, R *of_tile, bool pairs, T *rows, int64_t lanes, bool back)
{
    static R odd[LANES];
    sb_rows here = {.at = of_tile, .step = lanes * PLANES, .pairs = pairs},
            there = {.at = (R *)rows, .step = (int64_t)STEP * PLANES, .pairs = true};
    return (sb_sweep){.factors = {.shared = factors,
                                  .width = 2 * band + 1,
                                  .pivot = band,
                                  .lower = band,
                                  .upper = band,
                                  .scaled = band == 1},
                      .from = back ? here : there,
                      .to = back ? there : here,
                      .n = ROWS,
                      .lanes = lanes,
                      .odd = odd};
}

/* Substitution backwards, from a tile's rows to those that begin at `to`. */
static void substitute(const sb_wide *wide, R *from, T *to, int64_t lanes, bool past_cache)
{
    sb_sweep s = sweep_of(1, from, false, to, lanes, true);
    s.past_cache = past_cache;
    wide->backward_rows(&s, 0, ROWS);
}

static void test_substituted_rows(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int64_t lanes = sets[k].wide->width; lanes <= LANES; lanes += 3 * sets[k].wide->width - 1)
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

/* Rows of a tile whose real and imaginary parts lie apart, and the same with both in turn. */
static void pair_up(const R *apart, int64_t lanes, R *pairs)
{
    for (int64_t i = 0; i < ROWS; ++i, apart += lanes * PLANES, pairs += lanes * PLANES)
        for (int64_t lane = 0; lane < lanes; ++lane)
            for (int plane = 0; plane < PLANES; ++plane)
                pairs[lane * PLANES + plane] = apart[plane * lanes + lane];
}

static void compare_pairs(const sb_wide *wide, int band, int64_t lanes, int shift)
{
    static R pairs[ROWS * LANES * PLANES];
    size_t bytes = (size_t)(ROWS * lanes * PLANES) * sizeof(R);
    draw();
    sb_sweep down = sweep_of(band, tile[0], false, usual + PAD + shift, lanes, false),
             in_pairs = sweep_of(band, tile[1], true, usual + PAD + shift, lanes, false);
    wide->forward_rows(&down, 0, ROWS);
    wide->forward_rows(&in_pairs, 0, ROWS);
    pair_up(tile[0], lanes, pairs);
    assert_memory_equal(tile[1], pairs, bytes);
    for (int past_cache = 0; past_cache < 2; ++past_cache) {
        draw();
        pair_up(tile[0], lanes, tile[1]);
        sb_sweep up = sweep_of(band, tile[0], false, usual + PAD + shift, lanes, true);
        in_pairs = sweep_of(band, tile[1], true, streamed + PAD + shift, lanes, true);
        in_pairs.past_cache = past_cache;
        wide->backward_rows(&up, 0, ROWS);
        wide->backward_rows(&in_pairs, 0, ROWS);
        wide->fence();
        assert_memory_equal(usual, streamed, sizeof usual);
    }
}

static void test_words_in_pairs_have_the_bits_of_split_ones(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int band = 1; band <= MOST; ++band)
            for (int64_t lanes = sets[k].wide->width; lanes <= LANES; lanes += 3 * sets[k].wide->width - 1)
                for (int shift = 0; shift < SHIFTS; shift += 5)
                    compare_pairs(sets[k].wide, band, lanes, shift);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_substituted_rows),
        cmocka_unit_test(test_scattered_rows),
        cmocka_unit_test(test_rows_that_no_whole_numbers_align),
        cmocka_unit_test(test_words_in_pairs_have_the_bits_of_split_ones),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
