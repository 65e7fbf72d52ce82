/* The GPU's transforms, run by one thread of the CPU, beside sums of sines and cosines in long double. */
#include "src/poisson/transform.h"

#include <stdlib.h>
#include <string.h>

#include "gallery/random.h"
#include "src/poisson/internal.h"
#include "tests/poisson/support.h"

typedef struct work {
    sb_transform_plan plan;
    int64_t n;
    T *a, *b, *fa, *fb;
    sb_pair *z;
} work;

/* room: of orbits; none: by the steps that suit all sizes. */
static work begin(const slimband_poisson_axis *axis, size_t most)
{
    work w = {.n = axis->n};
    assert_int_equal(SB_NAME(transform_make)(&w.plan, axis, most), SLIMBAND_OK);
    w.a = malloc(4 * (size_t)w.n * sizeof *w.a);
    w.b = w.a + w.n;
    w.fa = w.b + w.n;
    w.fb = w.fa + w.n;
    size_t room = SB_NAME(transform_room)(&w.plan.program) * sizeof *w.z;
    w.z = aligned_alloc(64, (room + 63) / 64 * 64);
    memset(w.z, 0xff, room); /* NaN */
    return w;
}

static void end(work *w)
{
    SB_NAME(transform_free)(&w->plan);
    free(w->a);
    free(w->z);
}

static void check(int kind, int64_t n, size_t most, sb_random *random)
{
    slimband_poisson_axis axis = oracle_axis(kind, n, 1);
    work w = begin(&axis, most);
    for (int64_t j = 0; j < 2 * w.n; ++j)
        w.a[j] = (T)sb_random_signed(random);
    SB_NAME(transform_forward)(&w.plan.program, w.a, w.b, w.fa, w.fb, w.z);
    bool half = w.n > 1;
    for (int64_t k = 0; k < w.n; k += (w.n / 20) | 1) {
        long double sum[2] = {0, 0}, size = 0;
        for (int64_t j = 0; j < w.n; ++j) {
            bool first = kind == SLIMBAND_WALLS_ND - SLIMBAND_WALLS_DD && j == 0;
            bool last = kind == SLIMBAND_WALLS_DN - SLIMBAND_WALLS_DD && j == w.n - 1;
            bool doubled = kind == SLIMBAND_WALLS_NN - SLIMBAND_WALLS_DD && half && j > 0 && j < w.n - 1;
            long double value = oracle_eigenvector(&axis, w.plan.order[k], j) * (first || last ? 0.5L
                                                                                 : doubled     ? 2
                                                                                               : 1);
            sum[0] += value * w.a[j];
            sum[1] += value * w.b[j];
            size += fabsl(value);
        }
        long double limit =
            4 * (long double)(sizeof(T) == 4 ? FLT_EPSILON : DBL_EPSILON) * (sqrtl(size) + 1) * 4;
        long double sign = fabsl(sum[0] - w.fa[k]) <= limit ? 1 : -1;
        if (!(fabsl(sign * sum[0] - w.fa[k]) <= limit && fabsl(sign * sum[1] - w.fb[k]) <= limit))
            fail_msg("kind %d, n %lld: coefficient %lld is %g and not %Lg (limit %Lg)", kind, (long long)w.n,
                     (long long)k, (double)w.fa[k], sum[0], limit);
    }
    T *back = malloc(2 * (size_t)w.n * sizeof *back);
    SB_NAME(transform_backward)(&w.plan.program, w.fa, w.fb, back, back + w.n, w.z);
    for (int64_t j = 0; j < 2 * w.n; ++j)
        if (!(fabs((double)(back[j] - w.a[j])) <= 40 * (sizeof(T) == 4 ? (double)FLT_EPSILON : DBL_EPSILON)))
            fail_msg("kind %d, n %lld: there and back, entry %lld is off by %g", kind, (long long)w.n,
                     (long long)j, (double)(back[j] - w.a[j]));
    free(back);
    end(&w);
}

static void test_coefficients_are_those_of_the_eigenvectors(void **state)
{
    (void)state;
    static const int64_t larger[] = {63,  64,  97,  120, 127, 128,  129,  131,  255, 256,
                                     257, 509, 511, 512, 513, 1021, 1023, 1024, 1025};
    sb_random random = sb_random_seeded(5);
    for (int kind = 0; kind < KINDS; ++kind) {
        for (int64_t n = 1; n < 60; ++n)
            check(kind, n, SIZE_MAX, &random);
        for (size_t k = 0; k < sizeof larger / sizeof *larger; ++k)
            for (size_t most = 0; most < 2; ++most)
                check(kind, larger[k], most ? SIZE_MAX : 0, &random);
        for (int64_t n = 2047; n < 8194; n += n % 8 == 1 ? n - 3 : 1)
            check(kind, n, SIZE_MAX, &random);
    }
}

static void test_eigenvalues_are_numbered_once(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int64_t n = 1; n < 1026; n += n == 140 ? 371 : n == 513 ? 510 : 1) {
            slimband_poisson_axis axis = oracle_axis(kind, n, 1);
            work w = begin(&axis, SIZE_MAX);
            char *seen = calloc((size_t)w.n, 1);
            for (int64_t k = 0; k < w.n; ++k) {
                int64_t number = w.plan.order[k];
                assert_true(number >= 0 && number < w.n && !seen[number]);
                seen[number] = 1;
            }
            free(seen);
            end(&w);
        }
}

static void test_constants_have_one_coefficient(void **state)
{
    (void)state;
    for (int trial = 0; trial < 3 * KINDS; ++trial) {
        slimband_poisson_axis axis = oracle_axis(trial % KINDS, (int64_t[]){24, 128, 129}[trial / KINDS], 1);
        if (axis.walls != SLIMBAND_WALLS_NN && axis.walls != SLIMBAND_WALLS_PP)
            continue;
        work w = begin(&axis, SIZE_MAX);
        for (int64_t j = 0; j < 2 * w.n; ++j)
            w.a[j] = 1;
        SB_NAME(transform_forward)(&w.plan.program, w.a, w.b, w.fa, w.fb, w.z);
        for (int64_t k = 0; k < w.n; ++k)
            assert_true(fabs((double)w.fa[k] - (k ? 0 : w.plan.norm)) <= 1e-5 * w.plan.norm);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients_are_those_of_the_eigenvectors),
        cmocka_unit_test(test_eigenvalues_are_numbered_once),
        cmocka_unit_test(test_constants_have_one_coefficient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
