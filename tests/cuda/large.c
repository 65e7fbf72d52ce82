/* One large system on the device: partition and truncated, at sizes around tiles, warps and blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

static const int64_t sizes[] = {1,    2,    3,    17,    447,   448,    449,    5823,
                                5824, 5825, 8191, 65537, 99991, 768768, 768769, 1048576};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const methods[] = {"partition", "truncated"};
enum { METHODS = sizeof methods / sizeof *methods };

static slimband_status solve(batch *s, device_batch *d, const char *method, bool in_place)
{
    slimband_plan *plan;
    slimband_problem problem = s->problem;
    problem.one_pass = true;
    slimband_status status = slimband_plan_create(&plan, &problem, slimband_cuda(0, NULL), method);
    if (status)
        return status;
    status = slimband_factor_solve(plan, d->diagonals, d->b, in_place ? d->b : d->x);
    if (!status)
        status = slimband_cuda_wait(plan);
    slimband_plan_destroy(plan);
    device_batch moved = *d;
    moved.x = in_place ? d->b : d->x;
    device_get(&moved, s);
    return status;
}

/* Not dominant: nothing dies away, and elimination has to pivot. */
static void make_general(batch *s, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int64_t i = 0; i < s->n * s->systems; ++i)
        s->diagonal[i] = sb_random_signed(&random);
}

static void check(int64_t n, const char *method, bool general, bool in_place)
{
    batch s = batch_make(n, 1, (uint64_t)n);
    if (general)
        make_general(&s, (uint64_t)n);
    device_batch d = device_take(&s);
    device_put(&s, &d);
    assert_int_equal(solve(&s, &d, method, in_place), SLIMBAND_OK);
    double error = batch_error(&s, 0);
    if (!(error < 2e-15))
        fail_msg("%s, n %lld, %s%s: %g", method, (long long)n, general ? "general" : "dominant",
                 in_place ? ", in place" : "", error);
    device_free(&d);
    batch_free(&s);
}

static void test_every_size_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k)
        for (int m = 0; m < METHODS; ++m)
            for (int in_place = 0; in_place < 2; ++in_place) {
                check(sizes[k], methods[m], false, in_place);
                check(sizes[k], methods[m], true, in_place);
            }
}

static void test_poisson_on_a_million_points_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        batch s = batch_make(1 << 20, 1, 1);
        for (int64_t i = 0; i < s.n; ++i) {
            s.lower[i] = s.upper[i] = 1;
            s.diagonal[i] = -2;
        }
        device_batch d = device_take(&s);
        device_put(&s, &d);
        assert_int_equal(solve(&s, &d, methods[m], false), SLIMBAND_OK);
        assert_true(batch_error(&s, 0) < 1e-15);
        device_free(&d);
        batch_free(&s);
    }
}

static void test_a_singular_system_is_reported_and_filled_with_nan(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        batch s = batch_make(70001, 1, 2);
        s.lower[50000] = s.diagonal[50000] = s.upper[50000] = 0;
        device_batch d = device_take(&s);
        device_put(&s, &d);
        assert_int_equal(solve(&s, &d, methods[m], false), SLIMBAND_SINGULAR);
        assert_true(batch_is_nan(&s, 0));
        device_free(&d);
        batch_free(&s);
    }
}

int main(void)
{
    if (device_missing())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_is_solved_to_rounding),
        cmocka_unit_test(test_poisson_on_a_million_points_is_solved_to_rounding),
        cmocka_unit_test(test_a_singular_system_is_reported_and_filled_with_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
