/* Partition of bands wider than tridiagonal: lengths around strips, runs of links and levels, matrices that need pivots in
 * every strip and across them, rings, rows of very different size, singular systems. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum { MOST_DIAGONALS = 9 };

typedef enum kind { DOMINANT, GENERAL, GRADED, SMOOTH } kind; /* SMOOTH: as -1 2 -1, nothing fades */

typedef struct trial {
    int64_t n, systems;
    int lower, upper;
    kind kind;
    bool periodic, interleaved, in_place, one_pass, transposed;
    const char *way;
} trial;

static const char *const ways[] = {"partition:form=teams", "partition:form=abreast", "partition:form=lines",
                                   "partition:form=spare"};

enum { WAYS = sizeof ways / sizeof *ways, SPARE = 3 };

typedef struct arrays {
    double *diagonal[MOST_DIAGONALS], *b, *x;
} arrays;

static int64_t at(const trial *t, int64_t system, int64_t i)
{
    return t->interleaved ? i * t->systems + system : system * t->n + i;
}

/* Rows of GRADED matrices differ by up to 10^24 in size. */
static arrays draw(const trial *t, uint64_t seed)
{
    arrays a = {0};
    int64_t all = t->n * t->systems;
    sb_random random = sb_random_seeded(seed);
    a.b = malloc((size_t)all * sizeof *a.b);
    a.x = malloc((size_t)all * sizeof *a.x);
    assert_true(a.b && a.x);
    for (int d = 0; d <= t->lower + t->upper; ++d) {
        a.diagonal[d] = malloc((size_t)all * sizeof *a.b);
        assert_non_null(a.diagonal[d]);
        for (int64_t e = 0; e < all; ++e)
            a.diagonal[d][e] = sb_random_signed(&random) +
                               (d == t->lower && t->kind == DOMINANT ? t->lower + t->upper + 1 : 0);
    }
    for (int64_t e = 0; e < all && t->kind == SMOOTH; ++e) {
        a.diagonal[t->lower][e] = 0;
        for (int d = 0; d <= t->lower + t->upper; ++d)
            if (d != t->lower) {
                a.diagonal[d][e] = -fabs(a.diagonal[d][e]);
                a.diagonal[t->lower][e] -= a.diagonal[d][e];
            }
    }
    for (int64_t e = 0; e < all; ++e) {
        double power = t->kind == GRADED ? pow(10, floor(12 * sb_random_signed(&random))) : 1;
        for (int d = 0; d <= t->lower + t->upper; ++d)
            a.diagonal[d][e] *= power;
        a.b[e] = power * sb_random_signed(&random);
    }
    return a;
}

static void release(arrays *a)
{
    for (int d = 0; d < MOST_DIAGONALS; ++d)
        free(a->diagonal[d]);
    free(a->b);
    free(a->x);
}

static double *put(const double *from, int64_t count)
{
    double *memory;
    assert_int_equal(cudaMalloc((void **)&memory, (size_t)count * sizeof *memory), cudaSuccess);
    assert_int_equal(cudaMemcpy(memory, from, (size_t)count * sizeof *memory, cudaMemcpyHostToDevice),
                     cudaSuccess);
    return memory;
}

static slimband_status solve_on_device(const trial *t, arrays *a, slimband_system_info *info)
{
    int64_t all = t->n * t->systems;
    slimband_problem p = slimband_banded(SLIMBAND_F64, t->n, t->lower, t->upper);
    p.ends = t->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.one_pass = t->one_pass;
    assert_int_equal(t->interleaved ? slimband_interleaved(&p, t->systems)
                                    : slimband_contiguous(&p, t->systems),
                     SLIMBAND_OK);
    const void *diagonals[MOST_DIAGONALS];
    double *memory[MOST_DIAGONALS], *b = put(a->b, all), *x = t->in_place ? b : put(a->b, all);
    for (int d = 0; d <= t->lower + t->upper; ++d)
        diagonals[d] = memory[d] = put(a->diagonal[d], all);
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), t->way), SLIMBAND_OK);
    if (t->one_pass)
        assert_int_equal(slimband_factor_solve(plan, diagonals, b, x), SLIMBAND_OK);
    else {
        assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
        assert_int_equal(t->transposed ? slimband_solve_transposed(plan, b, x) : slimband_solve(plan, b, x),
                         SLIMBAND_OK);
    }
    slimband_status status = slimband_cuda_wait(plan);
    assert_int_equal(slimband_system_status(plan, t->systems - 1, info), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    assert_int_equal(cudaMemcpy(a->x, x, (size_t)all * sizeof *x, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int d = 0; d <= t->lower + t->upper; ++d)
        assert_int_equal(cudaFree(memory[d]), cudaSuccess);
    assert_int_equal(cudaFree(b), cudaSuccess);
    if (!t->in_place)
        assert_int_equal(cudaFree(x), cudaSuccess);
    return status;
}

/* Of the worst row of all: |b - A x| over the largest entry of the row times the largest unknown of the system, plus |b|. */
static double error_of(const trial *t, const arrays *a)
{
    double worst = 0;
    for (int64_t s = 0; s < t->systems; ++s) {
        double size = 0;
        for (int64_t i = 0; i < t->n; ++i)
            size = fmax(size, fabs(a->x[at(t, s, i)]));
        for (int64_t i = 0; i < t->n; ++i) {
            double b = a->b[at(t, s, i)], rest = b, largest = 0;
            for (int k = -t->lower; k <= t->upper; ++k) {
                int64_t j = t->transposed ? i - k : i + k;
                if (!t->periodic && (j < 0 || j >= t->n))
                    continue;
                j = (j + t->n) % t->n;
                double entry = a->diagonal[t->lower + k][at(t, s, t->transposed ? j : i)];
                rest -= entry * a->x[at(t, s, j)];
                largest = fmax(largest, fabs(entry));
            }
            if (!isfinite(rest))
                return INFINITY;
            worst = fmax(worst, fabs(rest) / (largest * size + fabs(b)));
        }
    }
    return worst;
}

static void check_way(const trial *t, uint64_t seed)
{
    arrays a = draw(t, seed);
    slimband_system_info info;
    slimband_status status = solve_on_device(t, &a, &info);
    double error = error_of(t, &a);
    if (status || !(error < 2e-14))
        fail_msg("%s, %s: n %lld, %lld systems, %d + %d, %s%s%s%s%s%s: %g", t->way,
                 slimband_status_name(status), (long long)t->n, (long long)t->systems, t->lower, t->upper,
                 t->kind == DOMINANT  ? "dominant"
                 : t->kind == GENERAL ? "general"
                 : t->kind == GRADED  ? "graded"
                                      : "smooth",
                 t->periodic ? ", periodic" : "", t->interleaved ? ", interleaved" : "",
                 t->in_place ? ", in place" : "", t->one_pass ? ", one pass" : "",
                 t->transposed ? ", transposed" : "", error);
    release(&a);
}

/* Wider bands have teams, lines and spare. */
static void check(const trial *t, uint64_t seed)
{
    const bool wide = t->lower > 2 || t->upper > 2;
    for (int way = 0; way < (wide ? WAYS : SPARE); way += wide && way == 0 ? 2 : 1) {
        trial here = *t;
        here.way = ways[way];
        check_way(&here, seed);
    }
}

/* One large system's strips are longer where there are fewer than five diagonals: of 168 and 144 rows. */
static void test_long_strips_of_one_large_system(void **state)
{
    (void)state;
    static const int bands[][2] = {{0, 2}, {1, 2}, {2, 1}, {2, 2}};
    for (size_t w = 0; w < sizeof bands / sizeof *bands; ++w) {
        const trial t = {.n = (1 << 22) + 29 + (int64_t)w,
                         .systems = 1,
                         .lower = bands[w][0],
                         .upper = bands[w][1],
                         .kind = bands[w][0] ? GENERAL : DOMINANT,
                         .periodic = w == 2,
                         .one_pass = w != 1,
                         .way = ways[0]};
        check_way(&t, 500 + w);
    }
}

/* Strips have at most 128 rows, but of one large system, those of wider bands 320; shorter ones half of that, a quarter, ..; runs 8 links. Tiles of lines have
   544, runs of them 32 links; strips of wider bands' lines 64 rows or more, of `spare` more than 1000, windows of them 16. */
static void test_every_length_is_solved_to_rounding(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1,     2,     3,     4,     5,     7,     13,    63,     64,     65,
                                      67,    68,    127,   128,   129,   130,   255,   256,    257,    385,
                                      543,   544,   545,   546,   547,   1088,  1089,  1090,   1631,   1633,
                                      1634,  2047,  2048,  2049,  2050,  4096,  4097,  17407,  17408,  17409,
                                      17410, 17473, 32767, 32768, 32769, 65537, 99991, 524289, 600001, 1048577};
    static const int bands[][2] = {{2, 2}, {2, 1}, {0, 2}, {1, 0}, {3, 3}, {4, 4}, {1, 4}};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (size_t w = 0; w < sizeof bands / sizeof *bands; ++w)
            for (int form = 0; form < 3; ++form) {
                trial t = {.n = lengths[k],
                           .systems = lengths[k] < 70000 ? 3 : 1,
                           .lower = bands[w][0],
                           .upper = bands[w][1],
                           .kind = (kind)((k + w + (size_t)form) % 2),
                           .periodic = form == 1 && lengths[k] > 12,
                           .interleaved = (k + w) % 3 == 0,
                           .in_place = form == 2,
                           .one_pass = form < 2,
                           .transposed = form == 2 && w % 2};
                if (t.kind == GENERAL && t.lower + t.upper < 3) /* may be next to singular */
                    t.kind = DOMINANT;
                check(&t, 1000 * k + 10 * w + (uint64_t)form);
            }
}

static void test_rows_of_any_size_are_weighed_alike(void **state)
{
    (void)state;
    for (int form = 0; form < 8; ++form) {
        trial t = {.n = 5000 + form,
                   .systems = 4,
                   .lower = 2 + form % 3,
                   .upper = 2,
                   .kind = GRADED,
                   .periodic = form & 1,
                   .interleaved = form & 2,
                   .one_pass = form & 4};
        check(&t, 77 + (uint64_t)form);
    }
}

/* Interfaces are solved for once, or to the same bits: where couplings stay, residuals show whatever was rounded in another way. */
static void test_residuals_are_roundings_where_nothing_fades(void **state)
{
    (void)state;
    static const int64_t lengths[] = {100, 544, 1000, 3000, 10000, 60000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (int form = 0; form < 4; ++form) {
            trial t = {.n = lengths[k],
                       .systems = 2,
                       .lower = 2,
                       .upper = 2,
                       .kind = SMOOTH,
                       .interleaved = form & 1,
                       .one_pass = form & 2};
            check(&t, 99 + (uint64_t)form);
        }
}

/* A column of zeros: in a strip, at a cut, in the last rows. */
static void test_singular_systems_are_told(void **state)
{
    (void)state;
    static const int64_t columns[] = {0, 1, 60, 126, 127, 128, 129, 2048, 2999};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
        for (int form = 0; form < 8; ++form) {
            trial t = {.n = 3000,
                       .systems = 2,
                       .lower = form & 4 ? 4 : 2,
                       .upper = 2,
                       .kind = GENERAL,
                       .periodic = form & 1,
                       .one_pass = form & 2,
                       .way = ways[(k + (size_t)form) % WAYS]};
            arrays a = draw(&t, 5 * k + (uint64_t)form);
            for (int d = -t.lower; d <= t.upper; ++d) {
                int64_t row = (columns[k] - d + t.n) % t.n;
                a.diagonal[t.lower + d][at(&t, 1, row)] = 0;
            }
            slimband_system_info info;
            assert_int_equal(solve_on_device(&t, &a, &info), SLIMBAND_SINGULAR);
            assert_int_equal(info.status, SLIMBAND_SINGULAR);
            assert_true(info.row >= 0 && info.row < t.n);
            assert_true(isnan(a.x[at(&t, 1, 0)]) && isnan(a.x[at(&t, 1, t.n - 1)]));
            assert_true(isfinite(a.x[at(&t, 0, 0)]));
            release(&a);
        }
}

/* bands [FILTER]: only some of the tests, for tools that take their time. */
int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_is_solved_to_rounding),
        cmocka_unit_test(test_long_strips_of_one_large_system),
        cmocka_unit_test(test_rows_of_any_size_are_weighed_alike),
        cmocka_unit_test(test_residuals_are_roundings_where_nothing_fades),
        cmocka_unit_test(test_singular_systems_are_told),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
