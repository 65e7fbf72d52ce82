/* The rows of facr.h, of every instruction set that the processor has, beside plain sums. */
#include "gallery/random.h"
#include "src/poisson/facr.h"
#include "tests/poisson/sets.h"

enum { LONGEST = 300, ROOM = 360, PLANES = 5 };

/* A guard beside each row's work. */
typedef struct arrays {
    T f[PLANES * LONGEST], u[PLANES * LONGEST + 1], work[3 * ROOM] __attribute__((aligned(64))), r[LONGEST + 1];
} arrays;

static double beyond(const slimband_poisson_axis *axis, const T *x, int end)
{
    int64_t n = axis->n, edge = end ? n - 1 : 0, inner = end ? n - 2 : 1;
    bool cells = axis->centring == SLIMBAND_AT_CELLS, ring = axis->walls == SLIMBAND_WALLS_PP;
    bool free =
        axis->walls == SLIMBAND_WALLS_NN || axis->walls == (end ? SLIMBAND_WALLS_DN : SLIMBAND_WALLS_ND);
    if (ring)
        return (double)x[n - 1 - edge];
    if (free)
        return (double)x[cells ? edge : inner];
    return cells ? -(double)x[edge] : 0;
}

/* (A + lambda + 2 / h^2) h^2 at entry j. */
static double operate(const slimband_poisson_problem *p, const T *x, int64_t j)
{
    int64_t n = p->axis[1].n;
    double h = oracle_h(&p->axis[0]), ratio = h / oracle_h(&p->axis[1]);
    double low = j > 0 ? (double)x[j - 1] : beyond(&p->axis[1], x, 0);
    double high = j < n - 1 ? (double)x[j + 1] : beyond(&p->axis[1], x, 1);
    return (2 + p->lambda * h * h) * (double)x[j] + ratio * ratio * (2 * (double)x[j] - low - high);
}

static void check(int set, const slimband_poisson_problem *p, uint64_t seed)
{
    slimband_poisson_plan plan = {.problem = *p};
    const slimband_poisson_boundary none = {0};
    static arrays a;
    const sb_rhs rhs = {.problem = p, .f = a.f, .boundary = &none};
    sb_facr facr;
    assert_int_equal(SB_NAME(facr_make)(&facr, all[set].kernels, &plan), SLIMBAND_OK);
    assert_int_equal(facr.rows, PLANES / 2);
    int64_t n = p->axis[1].n;
    double h = oracle_h(&p->axis[0]);
    sb_random random = sb_random_seeded(seed);
    for (int64_t i = 0; i < PLANES * n; ++i)
        a.f[i] = a.u[i] = (T)sb_random_signed(&random);
    a.u[PLANES * n] = a.r[n] = 42;
    sb_facr_way way = {a.work, ROOM, a.f, false};
    SB_NAME(facr_gather)(&facr, &rhs, 3, &way, a.r);
    SB_NAME(facr_solve)(&facr, &rhs, 2, &way, a.u);
    way.past_cache = true;
    SB_NAME(facr_solve)(&facr, &rhs, 4, &way, a.u);
    all[set].kernels->fence();
    assert_true(a.r[n] == 42 && a.u[PLANES * n] == 42);
    for (int64_t j = 0; j < n; ++j) {
        double r = (double)a.f[2 * n + j] + operate(p, a.f + 3 * n, j) + (double)a.f[4 * n + j];
        double inside = operate(p, a.u + 2 * n, j) - h * h * (double)a.f[2 * n + j] - (double)a.u[n + j] -
                        (double)a.u[3 * n + j];
        double edge = operate(p, a.u + 4 * n, j) - h * h * (double)a.f[4 * n + j] - (double)a.u[3 * n + j];
        if (fabs(r - (double)a.r[j]) > 60 * unit || fabs(inside) > 60 * unit || fabs(edge) > 60 * unit)
            fail_msg("%s, %s: entry %lld: off by %g, %g, %g roundings", all[set].name, oracle_name(p),
                     (long long)j, (r - (double)a.r[j]) / unit, inside / unit, edge / unit);
    }
    SB_NAME(facr_free)(&facr);
}

static void test_rows(void **state)
{
    (void)state;
    for (int set = 0; set < ALL; ++set)
        for (int64_t n = SB_FACR_LEAST; has(all[set].words) && n < LONGEST; ++n)
            for (int kind = 0; kind < KINDS; ++kind) {
                slimband_poisson_problem p =
                    slimband_poisson(SB_IS(SB_TYPE) == SB_IS_f32 ? SLIMBAND_F32 : SLIMBAND_F64, 2, NULL);
                p.axis[1] = oracle_axis(kind, n, 1);
                p.axis[0] = oracle_axis(0, PLANES, 6 * oracle_h(&p.axis[1]) * (n < 64 ? 0.8 : 2));
                p.lambda = n % 2 ? 0 : 20;
                p.line_axis = 0;
                check(set, &p, (uint64_t)n);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
