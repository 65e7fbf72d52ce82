/* Bands, lengths, chunks, strides and calls against one another, each instruction set forced. What a trial's memory
 * and answer must be is judged as for random problems. */
#include <stdio.h>

#include "tests/long/sets.h"
#include "tests/random/pass.h"
#include "tests/scalar.h"

static set sets[MOST_SETS];
static int set_count;

static void draw_call(trial *t, sb_random *random)
{
    slimband_problem *p = &t->problem;
    t->operation = one_in(random, 2) ? FACTOR_SOLVE : (operation)pick(random, OPERATIONS);
    p->one_pass = t->operation == FACTOR_SOLVE && one_in(random, 2);
    p->ends = one_in(random, 2) ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p->coefficients = (slimband_coefficients)pick(random, 3);
    p->pivoting = (slimband_pivoting)pick(random, 3);
    if (p->coefficients == SLIMBAND_TOEPLITZ) {
        p->toeplitz_first = pick(random, 3);
        p->toeplitz_last = pick(random, 3);
    }
    t->dominant = true;
    t->in_place = one_in(random, 2);
    t->threads = 1 + one_in(random, 8);
}

/* A line, lines one after another, and lines with steps and gaps. */
static void draw_strides(trial *t, sb_random *random)
{
    slimband_problem *p = &t->problem;
    p->check_finite = one_in(random, 8);
    if (one_in(random, 3))
        assert_int_equal(slimband_contiguous(p, 1 + pick(random, 2)), SLIMBAND_OK);
    if (one_in(random, 3)) {
        p->rhs.line = p->solution.line = 2;
        p->rhs.batch[0] = p->solution.batch[0] = 2 * p->n + 3;
    }
    if (one_in(random, 3)) {
        p->matrix.line = 3;
        p->matrix.batch[0] = 3 * p->n + 1;
    }
}

static void check(uint64_t seed, int lower, int upper, int64_t n, const char *method, const set *set,
                  int64_t chunk)
{
    sb_random random = sb_random_seeded(seed);
    trial t = {.seed = seed, .margin = seed % 3 ? 2.5 : 1.2, .diagonal_count = lower + 1 + upper};
    t.problem = slimband_banded(scalar, n, lower, upper);
    draw_call(&t, &random);
    if (method[0] == 't' && t.problem.pivoting == SLIMBAND_PIVOT_PARTIAL)
        t.problem.pivoting = SLIMBAND_PIVOT_AUTO;
    draw_strides(&t, &random);
    snprintf(t.method, sizeof t.method, "%s:isa=%s,chunk=%d", method, set->name, (int)chunk);
    trial_has_to_pass(&t, &random);
}

/* Chunks from the shortest on; lengths about one tile, and several tiles with short last ones and tails. */
static void over_lengths(int lower, int upper)
{
    static const int64_t chunks[] = {5, 8, 11, 40, 67};
    uint64_t seed = 1000 * (uint64_t)(lower + 10 * upper);
    for (int s = 0; s < set_count; ++s)
        for (int c = 0; c < 5; ++c) {
            int64_t tile = sets[s].kernels->lanes * chunks[c];
            int64_t lengths[] = {tile - 1, tile, tile + 1, 2 * tile + 3,
                                 2 * tile + sets[s].kernels->lanes * 10 + 1};
            for (int l = 0; l < 5; ++l)
                for (int draw = 0; draw < 3; ++draw) {
                    check(++seed, lower, upper, lengths[l], "partition", &sets[s], chunks[c]);
                    check(++seed, lower, upper, lengths[l], "truncated", &sets[s], chunks[c]);
                }
        }
}

static void test_tridiagonal_systems_are_solved(void **state)
{
    (void)state;
    over_lengths(1, 1);
}

static void test_pentadiagonal_systems_are_solved(void **state)
{
    (void)state;
    over_lengths(2, 2);
}

static void test_other_bands_are_solved(void **state)
{
    (void)state;
    over_lengths(0, 0);
    over_lengths(1, 0);
    over_lengths(0, 2);
    over_lengths(2, 1);
}

/* Lengths and chunks are of the narrower bands'; the shortest chunks are longer than they ask for. The widest has none. */
static void test_wide_bands_are_solved(void **state)
{
    (void)state;
    over_lengths(3, 3);
    over_lengths(4, 4);
    over_lengths(4, 1);
    over_lengths(0, 3);
    over_lengths(5, 5);
}

int main(void)
{
    set_count = sets_here(sets);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tridiagonal_systems_are_solved),
        cmocka_unit_test(test_pentadiagonal_systems_are_solved),
        cmocka_unit_test(test_other_bands_are_solved),
        cmocka_unit_test(test_wide_bands_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
