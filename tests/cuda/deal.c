/* Which clusters have which pieces of lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "src/cuda/tile/deal.h"

enum { MOST_PIECES = 128, MOST_CLUSTERS = 1200 };

/* A piece's clusters have numbers from 0 on, each once, and agree on how many there are. */
static void check(int pieces, int tiles, int resident)
{
    sb_tile_split split = {.count = pieces};
    const int clusters = sb_tile_deal(&split, tiles, resident);
    static bool has[MOST_PIECES][MOST_CLUSTERS];
    int counted[MOST_PIECES] = {0}, met = 0;
    memset(has, 0, sizeof has);
    assert_in_range(clusters, 1, MOST_CLUSTERS);
    for (int c = 0; c < clusters; ++c) {
        const sb_tile_part part = sb_tile_part_of(&split, c, clusters);
        assert_in_range(part.piece, 0, pieces - 1);
        assert_in_range(part.number, 0, part.count - 1);
        assert_in_range(part.count, 1, tiles);
        assert_false(has[part.piece][part.number]);
        has[part.piece][part.number] = true;
        assert_true(counted[part.piece] == 0 || counted[part.piece] == part.count);
        counted[part.piece] = part.count;
    }
    for (int p = 0; p < pieces; ++p) {
        assert_true(counted[p] > 0);
        met += counted[p];
    }
    assert_int_equal(met, clusters);
}

static void test_each_piece_has_all_of_its_clusters_once(void **state)
{
    (void)state;
    static const int tiles[] = {1, 2, 5, 16, 40, 1000}, resident[] = {1, 7, 15, 30, 66, 132, 500};
    for (int pieces = 2; pieces <= MOST_PIECES; ++pieces)
        for (int t = 0; t < (int)(sizeof tiles / sizeof *tiles); ++t)
            for (int r = 0; r < (int)(sizeof resident / sizeof *resident); ++r)
                check(pieces, tiles[t], resident[r]);
}

/* 15 clusters at once: seven pieces have two each; when these are done, so many help the eighth. */
static void test_clusters_that_come_last_help_those_that_have_more_left(void **state)
{
    (void)state;
    sb_tile_split split = {.count = 8};
    const int clusters = sb_tile_deal(&split, 1000, 15);
    for (int c = 0; c < clusters; ++c) {
        const sb_tile_part part = sb_tile_part_of(&split, c, clusters);
        assert_int_equal(part.count, part.piece < 7 ? 2 : 15);
        if (c >= 15)
            assert_int_equal(part.piece, 7);
    }
    assert_int_equal(clusters, 15 + 14);
}

/* 132 clusters, 16 pieces of 256 tiles: four pieces have nine, but what the others' eight have left then is less than it takes to begin. */
static void test_clusters_that_would_not_be_worth_their_tables_do_not_come(void **state)
{
    (void)state;
    sb_tile_split split = {.count = 16};
    assert_int_equal(sb_tile_deal(&split, 256, 132), 132);
    for (int c = 0; c < 132; ++c) {
        const sb_tile_part part = sb_tile_part_of(&split, c, 132);
        assert_int_equal(part.count, part.piece < 4 ? 9 : 8);
    }
}

/* What a cluster begins with, tables, is once a piece as long as there are pieces enough. */
static void test_more_pieces_than_clusters_have_one_each(void **state)
{
    (void)state;
    sb_tile_split split = {.count = 64};
    const int clusters = sb_tile_deal(&split, 1000, 15);
    for (int c = 0; c < 60; ++c) {
        const sb_tile_part part = sb_tile_part_of(&split, c, clusters);
        assert_int_equal(part.piece, c);
        assert_int_equal(part.count, 1);
    }
    for (int c = 60; c < clusters; ++c)
        assert_in_range(sb_tile_part_of(&split, c, clusters).piece, 60, 63);
}

static void test_one_piece_has_as_many_as_there_is_room_for(void **state)
{
    (void)state;
    sb_tile_split split = {0};
    assert_int_equal(sb_tile_deal(&split, 1000, 15), 15);
    assert_int_equal(sb_tile_deal(&split, 10, 15), 10);
    assert_int_equal(sb_tile_deal(&split, 10, 0), 0);
    const sb_tile_part part = sb_tile_part_of(&split, 9, 15);
    assert_int_equal(part.piece, 0);
    assert_int_equal(part.number, 9);
    assert_int_equal(part.count, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_piece_has_all_of_its_clusters_once),
        cmocka_unit_test(test_clusters_that_come_last_help_those_that_have_more_left),
        cmocka_unit_test(test_clusters_that_would_not_be_worth_their_tables_do_not_come),
        cmocka_unit_test(test_more_pieces_than_clusters_have_one_each),
        cmocka_unit_test(test_one_piece_has_as_many_as_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
