/* The discrete operator applied to u gives f back, to rounding: every pair of walls x centring on every axis, in one, two
 * and three dimensions, at odd, even, prime and tiny sizes, with random data at the walls; singular problems projected. */
#include "tests/poisson/support.h"

static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 11, 12, 16, 17, 31};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void check(const slimband_poisson_problem *p, uint64_t seed, const char *method)
{
    sample s = oracle_draw(p, seed);
    slimband_status status;
    slimband_poisson_report report;
    double *u = oracle_solve(&s, slimband_cpu(seed % 8 == 0 ? 3 : 1), method, &status, &report);
    if (status)
        fail_msg("%s, seed %llu: %s", oracle_name(p), (unsigned long long)seed, slimband_status_string(status));
    hold(&s, u, &report, seed);
    free(u);
    oracle_free(&s);
}

static void test_rank(int rank, slimband_scalar scalar, int rounds)
{
    int kinds = 1;
    for (int a = 0; a < rank; ++a)
        kinds *= KINDS;
    sb_random random = sb_random_seeded(20 + (uint64_t)rank);
    for (int round = 0; round < rounds; ++round)
        for (int kind = 0; kind < kinds; ++kind) {
            slimband_poisson_problem p = slimband_poisson(scalar, rank, (int64_t[]){1, 1, 1});
            for (int a = 0, left = kind; a < rank; ++a, left /= KINDS) {
                int64_t n = sizes[sb_random_between(&random, 0, rank == 3 ? SIZES - 4 : SIZES - 1)];
                p.axis[a] = oracle_axis(left % KINDS, n, 0.5 + sb_random_unit(&random));
            }
            draw_rest(&p, &random);
            check(&p, sb_random_bits(&random), SLIMBAND_AUTO);
        }
}

static void test_one_axis(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int64_t n = 1; n < 40; ++n) {
            slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 1, (int64_t[]){1});
            p.axis[0] = oracle_axis(kind, n, 1.5);
            check(&p, (uint64_t)n, SLIMBAND_AUTO);
            p.lambda = 3;
            check(&p, (uint64_t)n, SLIMBAND_AUTO);
        }
}

static void test_two_axes(void **state)
{
    (void)state;
    test_rank(2, SLIMBAND_F64, 12);
    test_rank(2, SLIMBAND_F32, 4);
}

static void test_three_axes(void **state)
{
    (void)state;
    test_rank(3, SLIMBAND_F64, 2);
    test_rank(3, SLIMBAND_F32, 1);
}

/* Sizes at which strips, bundles and both have remainders. */
static void test_larger_sizes(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){1, 1});
        p.axis[0] = oracle_axis(kind, 131, 1);
        p.axis[1] = oracle_axis((kind + 3) % KINDS, 509, 2);
        for (p.line_axis = 0; p.line_axis < 2; ++p.line_axis)
            check(&p, (uint64_t)kind, "spectral");
        slimband_poisson_problem q = slimband_poisson(SLIMBAND_F32, 3, (int64_t[]){1, 1, 1});
        q.axis[0] = oracle_axis(kind, 37, 1);
        q.axis[1] = oracle_axis((kind + 4) % KINDS, 18, 1);
        q.axis[2] = oracle_axis((kind + 7) % KINDS, 45, 1);
        for (q.line_axis = 0; q.line_axis < 3; ++q.line_axis)
            check(&q, (uint64_t)kind, "spectral");
    }
}

static void test_block_cyclic_reduction(void **state)
{
    (void)state;
    static const char *const methods[] = {"bcr2", "bcr4", "bcr4:lines=auto"};
    for (int m = 0; m < 3; ++m)
        for (int kind = 0; kind < KINDS; ++kind)
            for (int k = 1; k < 8; ++k) {
                slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){(1 << k) - 1, 1});
                p.axis[1] = oracle_axis(kind, sizes[(k + kind) % SIZES], 0.75);
                p.fields = 1 + k % 3;
                p.lambda = k % 2;
                check(&p, (uint64_t)k, methods[m]);
                p.scalar = SLIMBAND_F32;
                check(&p, (uint64_t)k, methods[m]);
                slimband_poisson_problem q = slimband_poisson(
                    SLIMBAND_F64, 3, (int64_t[]){(1 << (k / 2 + 1)) - 1, (1 << (k - k / 2)) - 1, 1});
                q.axis[2] = oracle_axis(kind, 1 + k, 1.25);
                check(&q, (uint64_t)k, methods[m]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_two_axes),
        cmocka_unit_test(test_three_axes),
        cmocka_unit_test(test_larger_sizes),
        cmocka_unit_test(test_block_cyclic_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
