/* Bands, lengths, numbers of systems, arrangements and calls against one another, each instruction set forced. What
 * a trial's memory and answer must be is judged as for random problems. */
#include <stdio.h>

#include "tests/random/pass.h"
#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { WAYS = 5 };

/* Lines one after another, with a gap after each, side by side, across the middle of an array, and apart. */
static void arrange(slimband_problem *p, int way, int64_t systems)
{
    int64_t n = p->n, outer = systems > 3 ? 3 : 1, inner = (systems + outer - 1) / outer;
    slimband_layout gaps = {.line = 1, .batch = {n + 3}}, apart = {.line = 3, .batch = {3 * n + 5}};
    if (way == 0)
        assert_int_equal(slimband_contiguous(p, systems), SLIMBAND_OK);
    else if (way == 2)
        assert_int_equal(slimband_interleaved(p, systems), SLIMBAND_OK);
    else if (way == 3)
        assert_int_equal(slimband_along_axis(p, 3, (int64_t[]){outer, n, inner}, 1), SLIMBAND_OK);
    else {
        p->batch_rank = 1;
        p->batch[0] = systems;
        p->rhs = p->solution = p->matrix = way == 1 ? gaps : apart;
    }
}

/* Out of place, let the right-hand sides (and the matrices) lie some other way than the solutions. */
static void mix(trial *t, int way, int64_t systems)
{
    slimband_problem other = t->problem;
    if (t->in_place || t->problem.batch_rank != 1 || way == 3)
        return;
    arrange(&other, way, systems);
    t->problem.rhs = other.rhs;
    if (way % 2 && t->problem.coefficients == SLIMBAND_OWN)
        t->problem.matrix = other.matrix;
}

static void draw_call(trial *t, sb_random *random)
{
    slimband_problem *p = &t->problem;
    t->operation = (operation)pick(random, OPERATIONS);
    t->operation = one_in(random, 2) ? FACTOR_SOLVE : t->operation;
    p->one_pass = t->operation == FACTOR_SOLVE && one_in(random, 2);
    p->ends = one_in(random, 3) ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p->coefficients = one_in(random, 2)   ? SLIMBAND_OWN
                      : one_in(random, 2) ? SLIMBAND_SHARED
                                          : SLIMBAND_TOEPLITZ;
    p->pivoting = one_in(random, 3) ? SLIMBAND_PIVOT_NONE : SLIMBAND_PIVOT_AUTO;
    if (p->coefficients == SLIMBAND_TOEPLITZ)
        p->toeplitz_first = pick(random, p->n < 3 ? (int)p->n + 1 : 3);
    p->check_finite = one_in(random, 6);
    t->dominant = p->pivoting == SLIMBAND_PIVOT_NONE || p->n > 20 || !one_in(random, 3);
    t->in_place = one_in(random, 2);
    t->threads = one_in(random, 20) ? 2 : 1;
}

static void check(uint64_t seed, int lower, int upper, int64_t n, int64_t systems, const char *method)
{
    sb_random random = sb_random_seeded(seed);
    trial t = {.seed = seed, .margin = 1.5, .diagonal_count = lower + 1 + upper};
    t.problem = slimband_banded(scalar, n, lower, upper);
    draw_call(&t, &random);
    arrange(&t.problem, pick(&random, WAYS), systems);
    mix(&t, pick(&random, WAYS), systems);
    snprintf(t.method, sizeof t.method, "%s", method);
    trial_has_to_pass(&t, &random);
}

static void over_lengths(int lower, int upper)
{
    static const int64_t lengths[] = {1, 2, 3, 5, 17, 64, 257};
    uint64_t seed = 1000 * (uint64_t)(lower + 10 * upper);
    for (int s = 0; s < set_count; ++s) {
        int64_t group = sets[s].wide->group, counts[] = {1, 2, group - 1, group, group + 1, 3 * group + 5};
        for (int l = 0; l < 7; ++l)
            for (int c = 0; c < 6; ++c)
                for (int draw = 0; draw < (lengths[l] < 64 ? 4 : 2); ++draw)
                    check(++seed, lower, upper, lengths[l], counts[c],
                          draw % 2 ? sets[s].stretched : sets[s].method);
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

static void test_bands_of_three_and_four_are_solved(void **state)
{
    (void)state;
    over_lengths(3, 3);
    over_lengths(4, 4);
}

static void test_other_bands_are_solved(void **state)
{
    (void)state;
    over_lengths(0, 0);
    over_lengths(1, 0);
    over_lengths(0, 2);
    over_lengths(2, 1);
    over_lengths(3, 8);
}

static void test_options_that_are_none_are_refused(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(scalar, 10);
    static const char *const wrong[] = {"lanes:isa=none",  "lanes:isa=",      "lanes:avx2",
                                        "lanes:isa=avx2 ", "lanes:stretch=8", "lanes:stretch=16,"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
        assert_int_equal(slimband_method_fits(&p, slimband_cpu(1), wrong[k]), SLIMBAND_UNKNOWN_OPTION);
    for (int s = 0; s < set_count; ++s)
        assert_int_equal(slimband_method_fits(&p, slimband_cpu(1), sets[s].stretched), SLIMBAND_OK);
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_int_equal(slimband_method_fits(&p, slimband_cpu(1), "lanes"), SLIMBAND_METHOD_DOES_NOT_PIVOT);
}

int main(void)
{
    set_count = sets_here(sets);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tridiagonal_systems_are_solved),
        cmocka_unit_test(test_pentadiagonal_systems_are_solved),
        cmocka_unit_test(test_bands_of_three_and_four_are_solved),
        cmocka_unit_test(test_other_bands_are_solved),
        cmocka_unit_test(test_options_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
