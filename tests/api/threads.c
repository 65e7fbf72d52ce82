/* Distinct plans may be used by any number of threads at once; one thread a plan. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random/trial.h"

enum { THREADS = 4, TRIALS = 150 };

/* Seeds first + 0..TRIALS-1; a hash of every solution, 0 where something failed. */
typedef struct share {
    uint64_t first, hashes[TRIALS];
} share;

static uint64_t hash_of(const array *a)
{
    uint64_t hash = UINT64_C(1469598103934665603);
    for (int64_t i = -a->origin; i < a->total - a->origin; ++i) {
        number value = array_get(a, i);
        const double parts[2] = {(double)value.re, (double)value.im};
        uint64_t words[2];
        memcpy(words, parts, sizeof words);
        for (int k = 0; k < 2; ++k)
            hash = (hash ^ words[k]) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t solve_one(uint64_t seed)
{
    trial *t = malloc(sizeof *t);
    slimband_plan *plan = NULL;
    uint64_t hash = 0;
    if (!t)
        return 0;
    if (trial_draw(t, seed) && !slimband_plan_create(&plan, &t->problem, slimband_cpu(1), t->method) &&
        !trial_solve(t, plan, false))
        hash = hash_of(&t->x);
    slimband_plan_destroy(plan);
    trial_free(t);
    free(t);
    return hash;
}

static void *solve_share(void *argument)
{
    share *mine = argument;
    for (int i = 0; i < TRIALS; ++i)
        mine->hashes[i] = solve_one(mine->first + (uint64_t)i);
    return NULL;
}

static void test_plans_on_several_threads_give_the_same_bits_as_on_one(void **state)
{
    (void)state;
    static share shares[THREADS], alone;
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; ++k) {
        shares[k].first = 1 + (uint64_t)(k / 2) * TRIALS; /* two threads at a time do the same work */
        assert_int_equal(pthread_create(&threads[k], NULL, solve_share, &shares[k]), 0);
    }
    for (int k = 0; k < THREADS; ++k)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    for (int k = 0; k < THREADS; ++k) {
        alone.first = shares[k].first;
        solve_share(&alone);
        for (int i = 0; i < TRIALS; ++i) {
            assert_true(shares[k].hashes[i] != 0);
            assert_true(shares[k].hashes[i] == alone.hashes[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans_on_several_threads_give_the_same_bits_as_on_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
