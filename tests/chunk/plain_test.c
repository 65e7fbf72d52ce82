/* Plain links solve what needs no pivots, as exactly as elimination in order, and say so where they would not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/slimband.h"
#include "src/chunk/plain.h"
#include "tests/chunk/draw.h"

enum { MOST_ROWS = 600, ROUNDS = 2000 };

static T lower[MOST_ROWS], diagonal[MOST_ROWS], upper[MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS];
static sb_plain_kept kept[MOST_ROWS], joints[MOST_ROWS];

/* A system cut into runs that are swept at once; longer ones are joined from two. */
typedef struct cut {
    int n, run;
    bool periodic;
    bool asks; /* runs are asked whether their ends are apart */
} cut;

static int apart; /* how many joints were of such runs */

static sb_plain_link sweep(const cut *s, int lo, int hi)
{
    sb_plain_link link;
    sb_plain_kept last;
    int least = INT_MAX;
    bool holds = true;
    sb_plain_begin(&link, &last);
    for (int i = lo; i < hi; ++i) {
        T a = i || s->periodic ? lower[i] : 0, c = i + 1 < s->n || s->periodic ? upper[i] : 0;
        if (i + 1 == hi) {
            sb_plain_last_row(&link, a, diagonal[i], c, b[i], &last);
            continue;
        }
        sb_plain_row(&link, a, diagonal[i], c, b[i], &last, &least);
        holds = holds && sb_plain_holds(&last, SB_PLAIN_LIMIT);
        kept[i] = last;
    }
    if (!holds || !least)
        sb_plain_poison(&link);
    return link;
}

static sb_plain_link reduce(const cut *s, int lo, int hi)
{
    int middle = lo + (hi - lo) / 2;
    if (hi - lo <= s->run)
        return sweep(s, lo, hi);
    sb_plain_link left = reduce(s, lo, middle), right = reduce(s, middle, hi);
    if (s->asks && sb_plain_part(&left) && sb_plain_part(&right)) {
        int least = INT_MAX;
        joints[middle] = sb_plain_between(&left, right.head_before, right.head_d, &least);
        right.head_before = left.head_before;
        right.head_d = left.head_d;
        ++apart;
        return right;
    }
    return sb_plain_join(&left, &right, SB_PLAIN_LIMIT, &joints[middle]);
}

static void expand(const cut *s, int lo, int hi, T before, T last)
{
    int middle = lo + (hi - lo) / 2;
    if (hi - lo > s->run) {
        T between = sb_plain_value(&joints[middle], before, last);
        expand(s, lo, middle, before, between);
        expand(s, middle, hi, between, last);
        return;
    }
    x[hi - 1] = last;
    for (int i = hi - 2; i >= lo; --i)
        x[i] = sb_plain_value(&kept[i], before, x[i + 1]);
}

static bool solve(const cut *s)
{
    T before, last;
    sb_plain_link whole = reduce(s, 0, s->n);
    bool trusted = sb_plain_close(&whole, s->periodic, &before, &last);
    expand(s, 0, s->n, before, last);
    return trusted;
}

/* Runs that allow it without pivots, the others by link.h's rows; all are joined with pivots. */
static sb_kept chosen[MOST_ROWS];
static sb_joint pairs[MOST_ROWS];
static bool is_plain[MOST_ROWS]; /* at a run's first row */

static sb_link sweep_either(const cut *s, int lo, int hi)
{
    sb_plain_link plain = sweep(s, lo, hi);
    is_plain[lo] = !sb_plain_poisoned(&plain);
    if (is_plain[lo])
        return sb_plain_equations(&plain);
    sb_link link = sb_no_rows();
    for (int i = lo; i < hi; ++i) {
        T a = i || s->periodic ? lower[i] : 0, c = i + 1 < s->n || s->periodic ? upper[i] : 0;
        if (i == lo)
            sb_first_row(&link, a, diagonal[i], c, b[i]);
        else if (i == lo + 1)
            sb_second_row(&link, a, diagonal[i], c, b[i]);
        else
            sb_next_row(&link, a, diagonal[i], c, b[i], &chosen[i]);
    }
    return link;
}

static sb_link reduce_either(const cut *s, int lo, int hi)
{
    int middle = lo + (hi - lo) / 2;
    if (hi - lo <= s->run)
        return sweep_either(s, lo, hi);
    sb_link left = reduce_either(s, lo, middle), right = reduce_either(s, middle, hi);
    sb_used used;
    sb_link both = sb_join_links(&left, &right, &used);
    pairs[middle] = sb_joint_of(&used);
    return both;
}

static void expand_either(const cut *s, int lo, int hi, sb_pair left, sb_pair right)
{
    int middle = lo + (hi - lo) / 2;
    if (hi - lo > s->run) {
        sb_pair between = sb_between(&pairs[middle], left, right);
        expand_either(s, lo, middle, left, between);
        expand_either(s, middle, hi, between, right);
        return;
    }
    x[hi - 1] = right.first;
    for (int i = hi - 2; i >= lo; --i)
        x[i] = is_plain[lo] ? sb_plain_value(&kept[i], left.first, x[i + 1])
               : i == lo    ? left.second
                         : sb_kept_value(&chosen[i + 1], left, x[i + 1], i + 2 < hi ? x[i + 2] : right.second);
}

static double error_of(const cut *s)
{
    slimband_problem p = slimband_tridiagonal(scalar, s->n);
    p.ends = s->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&p, (const void *[]){lower, diagonal, upper}, b, x, &error),
                     SLIMBAND_OK);
    return error.normwise;
}

/* Of any scale; by rows, abs1(lower) + abs1(upper) <= diagonal. */
static cut dominant_system(uint64_t seed, bool weakly)
{
    sb_random random = sb_random_seeded(seed);
    cut s = {3 + (int)sb_random_between(&random, 0, seed % 10 ? 60 : MOST_ROWS - 4),
             1 + (int)sb_random_between(&random, 0, 33), seed % 2, false};
    for (int i = 0; i < s.n; ++i) {
        R scale = (R)ldexp(1, (int)sb_random_between(&random, -9, 9));
        lower[i] = scale * draw(&random);
        upper[i] = scale * draw(&random);
        R sides = sb_abs1(lower[i]) + sb_abs1(upper[i]);
        diagonal[i] = weakly ? sides : sides * (R)(1.01 + sb_random_unit(&random));
        b[i] = scale * draw(&random);
    }
    return s;
}

static void test_dominant_systems_cut_anywhere_have_small_backward_errors(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        cut s = dominant_system(seed, seed % 3 == 0);
        bool trusted = solve(&s);
        double error = error_of(&s);
        if (!trusted || !(error < 16 * epsilon))
            fail_msg("seed %llu, n %d, runs of %d: %g%s", (unsigned long long)seed, s.n, s.run, error,
                     trusted ? "" : ", not trusted");
    }
}

/* What is dropped between the ends of a run is below what its rows' roundings hide. */
static void test_runs_whose_ends_are_apart_are_joined_at_once(void **state)
{
    (void)state;
    apart = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        cut s = dominant_system(seed, seed % 3 == 0);
        s.asks = true;
        for (int i = 0; i < s.n; ++i)
            diagonal[i] *= seed % 2 && i % 100 < 70 ? 3 : 1;
        bool trusted = solve(&s);
        double error = error_of(&s);
        if (!trusted || !(error < 16 * epsilon))
            fail_msg("seed %llu, n %d, runs of %d: %g%s", (unsigned long long)seed, s.n, s.run, error,
                     trusted ? "" : ", not trusted");
    }
    assert_true(apart > ROUNDS / 10);
}

static void test_ends_that_depend_on_each_other_are_not_apart(void **state)
{
    (void)state;
    cut s = {20, 20, false, true};
    for (int i = 0; i < s.n; ++i) {
        lower[i] = upper[i] = b[i] = 1;
        diagonal[i] = 3;
    }
    sb_plain_link coupled = sweep(&s, 1, 19), same = coupled;
    assert_false(sb_plain_part(&same));
    assert_memory_equal(&coupled, &same, sizeof same);
    sb_plain_link lost = sweep(&s, 1, 19);
    sb_plain_poison(&lost);
    lost.before = lost.head_own = 0;
    assert_false(sb_plain_part(&lost));
}

static void test_no_pivot_between_runs_that_are_apart_is_no_number(void **state)
{
    (void)state;
    cut s = {40, 20, false, true};
    for (int i = 0; i < s.n; ++i) {
        lower[i] = upper[i] = b[i] = 1;
        diagonal[i] = 1e6;
    }
    lower[19] = diagonal[19] = upper[19] = 0;
    int least = INT_MAX;
    sb_plain_link left = sweep(&s, 0, 20), right = sweep(&s, 20, 40);
    sb_plain_kept between = sb_plain_between(&left, right.head_before, right.head_d, &least);
    assert_false(sb_plain_holds(&between, SB_PLAIN_UNLIMITED));
    diagonal[19] = 1;
    left = sweep(&s, 0, 20);
    between = sb_plain_between(&left, right.head_before, right.head_d, &least);
    assert_true(sb_plain_holds(&between, SB_PLAIN_LIMIT));
}

/* Whatever is trusted is right, also of matrices that are far from dominant. */
static void test_what_is_trusted_is_right(void **state)
{
    (void)state;
    int trusted = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        cut s = dominant_system(seed, false);
        sb_random random = sb_random_seeded(seed);
        for (int times = 0; times < 3; ++times) {
            int row = (int)sb_random_between(&random, 0, s.n - 1);
            diagonal[row] *= (R)ldexp(1, -(int)sb_random_between(&random, 0, 30));
        }
        if (!solve(&s))
            continue;
        ++trusted;
        double error = error_of(&s);
        if (!(error < 32 * epsilon))
            fail_msg("seed %llu, n %d, runs of %d: %g", (unsigned long long)seed, s.n, s.run, error);
    }
    assert_true(trusted > 0 && trusted < ROUNDS);
}

static void test_rows_without_pivots_are_not_trusted(void **state)
{
    (void)state;
    for (int row = 0; row < 20; ++row)
        for (int run = 1; run < 25; ++run) {
            cut s = {20, run, false, false};
            for (int i = 0; i < s.n; ++i) {
                lower[i] = upper[i] = b[i] = 1;
                diagonal[i] = 3;
            }
            lower[row] = diagonal[row] = upper[row] = 0;
            assert_false(solve(&s));
        }
}

static void test_runs_with_and_without_pivots_join_to_one_system(void **state)
{
    (void)state;
    int plain = 0, pivoted = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        cut s = dominant_system(seed, false);
        sb_random random = sb_random_seeded(seed);
        int first = (int)sb_random_between(&random, 0, s.n - 1),
            last = (int)sb_random_between(&random, first, s.n);
        for (int i = first; i < last; ++i)
            diagonal[i] = (sb_abs1(lower[i]) + sb_abs1(upper[i])) * draw(&random);
        sb_pair left, right;
        sb_link whole = reduce_either(&s, 0, s.n);
        assert_true(sb_close(&whole, s.periodic, &left, &right));
        expand_either(&s, 0, s.n, left, right);
        double error = error_of(&s);
        if (!(error < 32 * epsilon))
            fail_msg("seed %llu, n %d, runs of %d: %g", (unsigned long long)seed, s.n, s.run, error);
        is_plain[0] ? ++plain : ++pivoted;
    }
    assert_true(plain > 0 && pivoted > 0);
}

static void test_equations_of_a_link_give_it_back(void **state)
{
    (void)state;
    cut s = dominant_system(7, false);
    sb_plain_link link = sweep(&s, 0, s.n);
    sb_link equations = sb_plain_equations(&link);
    sb_plain_link back = sb_plain_of_equations(&equations);
    assert_memory_equal(&link, &back, sizeof link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dominant_systems_cut_anywhere_have_small_backward_errors),
        cmocka_unit_test(test_runs_whose_ends_are_apart_are_joined_at_once),
        cmocka_unit_test(test_ends_that_depend_on_each_other_are_not_apart),
        cmocka_unit_test(test_no_pivot_between_runs_that_are_apart_is_no_number),
        cmocka_unit_test(test_what_is_trusted_is_right),
        cmocka_unit_test(test_rows_without_pivots_are_not_trusted),
        cmocka_unit_test(test_runs_with_and_without_pivots_join_to_one_system),
        cmocka_unit_test(test_equations_of_a_link_give_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
