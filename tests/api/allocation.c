/* What allocates and what does not; what happens when memory runs out. Linked so that every call of the
 * allocator in the library comes through here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/random/trial.h"

static atomic_long calls, live;
static atomic_long until_failure = -1; /* the call that fails; -1: none */

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);

static bool refused(void)
{
    ++calls;
    return until_failure >= 0 && until_failure-- == 0;
}

static void *counted(void *memory)
{
    live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    live -= memory != NULL;
    return counted(refused() ? NULL : __real_realloc(memory, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

/* Not used by the library; a use would go uncounted, so it ends the test. */
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    (void)memory, (void)alignment, (void)size;
    abort();
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

static trial drawn; /* trials are not to be moved */

static void draw(uint64_t seed)
{
    assert_true(trial_draw(&drawn, seed));
}

static slimband_status create(slimband_plan **plan)
{
    return slimband_plan_create(plan, &drawn.problem, slimband_cpu(drawn.threads), drawn.method);
}

static void test_factor_and_solve_do_not_allocate(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; ++seed) {
        draw(seed);
        slimband_plan *plan;
        assert_int_equal(create(&plan), SLIMBAND_OK);
        long before = calls;
        assert_int_equal(trial_solve(&drawn, plan, false), SLIMBAND_OK);
        assert_int_equal(trial_solve(&drawn, plan, true), SLIMBAND_OK);
        assert_int_equal(calls, before);
        slimband_plan_destroy(plan);
        trial_free(&drawn);
    }
}

static void test_a_destroyed_plan_leaves_nothing_behind(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; ++seed) {
        draw(seed);
        long before = live;
        slimband_plan *plan;
        assert_int_equal(create(&plan), SLIMBAND_OK);
        assert_true(live > before);
        slimband_plan_destroy(plan);
        assert_int_equal(live, before);
        trial_free(&drawn);
    }
}

static void test_any_failing_allocation_is_reported_and_undone(void **state)
{
    (void)state;
    long failures = 0;
    for (uint64_t seed = 1; seed <= 500; ++seed) {
        draw(seed);
        slimband_status status = SLIMBAND_OUT_OF_MEMORY;
        for (long k = 0; status; ++k) {
            slimband_plan *plan = (slimband_plan *)&drawn;
            long before = live;
            until_failure = k;
            status = create(&plan);
            failures += until_failure < 0;
            until_failure = -1;
            if (status) {
                assert_int_equal(status, SLIMBAND_OUT_OF_MEMORY);
                assert_null(plan);
            }
            slimband_plan_destroy(plan);
            assert_int_equal(live, before);
        }
        trial_free(&drawn);
    }
    assert_true(failures >= 500);
}

/* Systems that differ by a shift, gathered into buffers, one of them singular. */
static void test_shifted_systems_allocate_when_they_are_created_and_then_no_more(void **state)
{
    (void)state;
    enum { N = 5, BEFORE = 3, AFTER = 30 };
    const double off[] = {-1, -1, -1, -1, -1}, diagonal[] = {1, 2, 2, 2, 1};
    static double shift[BEFORE * AFTER], u[N * BEFORE * AFTER];
    for (int k = 1; k < BEFORE * AFTER; ++k)
        shift[k] = k;
    const slimband_shifted_problem p = {SLIMBAND_F64, 1, BEFORE, N, AFTER, off, diagonal, off, shift, 0};
    slimband_status status = SLIMBAND_OUT_OF_MEMORY;
    for (long k = 0; status; ++k) {
        slimband_shifted *systems;
        long before = live;
        until_failure = k;
        status = slimband_shifted_create(&systems, &p, slimband_cpu(1));
        until_failure = -1;
        assert_int_equal(status, systems ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY);
        long asked = calls;
        assert_int_equal(slimband_shifted_solve(systems, u), systems ? SLIMBAND_OK : SLIMBAND_NULL_ARGUMENT);
        assert_int_equal(calls, asked);
        slimband_shifted_destroy(systems);
        assert_int_equal(live, before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factor_and_solve_do_not_allocate),
        cmocka_unit_test(test_a_destroyed_plan_leaves_nothing_behind),
        cmocka_unit_test(test_any_failing_allocation_is_reported_and_undone),
        cmocka_unit_test(test_shifted_systems_allocate_when_they_are_created_and_then_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
