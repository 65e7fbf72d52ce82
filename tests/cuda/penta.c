/* Own pentadiagonal matrices on chip, side by side and one after another: every length that cuts into other chunks and blocks,
 * batches that fill no tile, rows that the copy engine cannot fetch, members of a tile that elimination without pivoting
 * cannot solve, and tiles whose blocks couple among others whose blocks don't. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum { DIAGONALS = 5, ARRAYS = DIAGONALS + 1, MOST = 7 << 20, COLUMNS = 32, NOBODY = -1 };

static double arrays[ARRAYS][MOST], x[MOST];
static float singles[MOST];

typedef struct trial {
    int64_t n, systems;
    int64_t pitch;  /* elements from row to row; between lines there are pitch - systems */
    int64_t offset; /* elements before the first */
    bool lines;     /* one after another */
    bool single, periodic, in_place, one_pass;
    bool slow; /* every third system's couplings do not fade from row to row; the others' do within a block */
    int64_t slow_tile; /* of those, only systems of one tile of COLUMNS in so many, here and there; 0: of all */
    bool
        uneven; /* right-hand sides are far smaller in some rows than in those around: what these leave there counts */
    int64_t unsafe, singular; /* systems, or NOBODY */
} trial;

static int64_t row_step(const trial *t)
{
    return t->lines ? 1 : t->pitch;
}

static int64_t system_step(const trial *t)
{
    return t->lines ? t->n + t->pitch - t->systems : 1;
}

static int64_t elements(const trial *t)
{
    return t->lines ? t->systems * system_step(t) : t->n * t->pitch;
}

static int64_t system_at(const trial *t, int64_t e)
{
    return t->lines ? e / system_step(t) : e % t->pitch;
}

static int64_t row_at(const trial *t, int64_t e)
{
    return t->lines ? e % system_step(t) : e / t->pitch;
}

static int64_t place(const trial *t, int64_t row, int64_t system)
{
    return row * row_step(t) + system * system_step(t);
}

static bool is_slow(const trial *t, int64_t system)
{
    const int64_t scatter = 7919;
    return t->slow && system % 3 == 1 && (t->slow_tile == 0 || system / COLUMNS * scatter % t->slow_tile == 0);
}

/* Rows and columns of a system that is not to be solved without pivoting are as random as all but its diagonal. */
static void draw(const trial *t, sb_random *random)
{
    for (int a = 0; a < ARRAYS; ++a)
        for (int64_t e = 0; e < elements(t); ++e) {
            bool dominant = a == 2 && system_at(t, e) != t->unsafe;
            arrays[a][e] = (float)(sb_random_signed(random) + (dominant ? 5 : 0));
            if (a < DIAGONALS && is_slow(t, system_at(t, e)))
                arrays[a][e] = a == 2 ? 4 : -1;
            if (t->uneven && a == DIAGONALS)
                arrays[a][e] = ldexp(arrays[a][e], -20 * (int)(row_at(t, e) / 24 % 5));
        }
    int64_t column = t->n / 2;
    for (int a = 0; a < DIAGONALS && t->singular != NOBODY; ++a)
        if (column - a + 2 >= 0 && column - a + 2 < t->n)
            arrays[a][place(t, column - a + 2, t->singular)] = 0;
}

static void *put(const trial *t, const double *from)
{
    size_t count = (size_t)elements(t), bytes = t->single ? sizeof(float) : sizeof(double);
    char *memory;
    for (size_t e = 0; e < count; ++e)
        singles[e] = (float)from[e];
    assert_int_equal(cudaMalloc((void **)&memory, (count + (size_t)t->offset) * bytes), cudaSuccess);
    memory += (size_t)t->offset * bytes;
    assert_int_equal(
        cudaMemcpy(memory, t->single ? (const void *)singles : from, count * bytes, cudaMemcpyHostToDevice),
        cudaSuccess);
    return memory;
}

static void get(const trial *t, const void *from)
{
    size_t count = (size_t)elements(t), bytes = t->single ? sizeof(float) : sizeof(double);
    assert_int_equal(cudaMemcpy(t->single ? (void *)singles : x, from, count * bytes, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    for (size_t e = 0; e < count && t->single; ++e)
        x[e] = (double)singles[e];
}

/* Of one system: the largest |b - A x| over |A| |x| + |b|, row by row over the largest row. */
static double error_of(const trial *t, int64_t system)
{
    double worst = 0, size = 0;
    for (int64_t i = 0; i < t->n; ++i) {
        double b = arrays[DIAGONALS][place(t, i, system)], rest = b, all = fabs(b);
        for (int a = 0; a < DIAGONALS; ++a) {
            int64_t j = i + a - 2;
            if (!t->periodic && (j < 0 || j >= t->n))
                continue;
            double product = arrays[a][place(t, i, system)] * x[place(t, (j + t->n) % t->n, system)];
            rest -= product;
            all += fabs(product);
        }
        worst = fmax(worst, fabs(rest));
        size = fmax(size, all);
        if (!isfinite(rest))
            return INFINITY;
    }
    return worst / size;
}

static slimband_plan *solve(const trial *t)
{
    slimband_problem p = slimband_pentadiagonal(t->single ? SLIMBAND_F32 : SLIMBAND_F64, t->n);
    p.ends = t->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.one_pass = t->one_pass;
    assert_int_equal(slimband_interleaved(&p, t->systems), SLIMBAND_OK);
    p.rhs = p.solution = p.matrix = (slimband_layout){.line = row_step(t), .batch = {system_step(t)}};
    void *memory[ARRAYS], *answer;
    for (int a = 0; a < ARRAYS; ++a)
        memory[a] = put(t, arrays[a]);
    answer = t->in_place ? memory[DIAGONALS] : put(t, arrays[0]);
    const void *diagonals[DIAGONALS] = {memory[0], memory[1], memory[2], memory[3], memory[4]};
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), "tile"), SLIMBAND_OK);
    if (t->one_pass)
        assert_int_equal(slimband_factor_solve(plan, diagonals, memory[DIAGONALS], answer), SLIMBAND_OK);
    else {
        assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, memory[DIAGONALS], answer), SLIMBAND_OK);
    }
    assert_int_equal(slimband_cuda_wait(plan), t->singular == NOBODY ? SLIMBAND_OK : SLIMBAND_SINGULAR);
    get(t, answer);
    size_t before = (size_t)t->offset * (t->single ? sizeof(float) : sizeof(double));
    for (int a = 0; a < ARRAYS; ++a)
        assert_int_equal(cudaFree((char *)memory[a] - before), cudaSuccess);
    if (!t->in_place)
        assert_int_equal(cudaFree((char *)answer - before), cudaSuccess);
    return plan;
}

static void check(const trial *t, sb_random *random)
{
    draw(t, random);
    slimband_plan *plan = solve(t);
    for (int64_t k = 0; k < t->systems; ++k) {
        slimband_system_info info;
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == t->singular ? SLIMBAND_SINGULAR : SLIMBAND_OK);
        double error = k == t->singular ? 0 : error_of(t, k);
        if (k == t->singular)
            assert_true(isnan(x[place(t, 0, k)]));
        if (!(error < (t->single ? 4e-6 : 1e-14)))
            fail_msg("n %lld, system %lld of %lld, pitch %lld, lines %d: %g", (long long)t->n, (long long)k,
                     (long long)t->systems, (long long)t->pitch, t->lines, error);
    }
    slimband_plan_destroy(plan);
}

static void test_every_cut_solves(void **state)
{
    (void)state;
    static const int64_t lengths[] = {2,   3,   4,   5,   7,   15,  16,  17,   33,   65,   127,
                                      128, 129, 200, 257, 353, 512, 797, 1280, 2047, 2049, 2560};
    static const int64_t batches[][2] = {{2, 2}, {33, 34}, {67, 67}, {130, 140}};
    sb_random random = sb_random_seeded(20261121);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (int form = 0; form < 32; ++form) {
            const int64_t *batch = batches[(k + (size_t)form) % 4];
            trial t = {.n = lengths[k],
                       .systems = batch[0],
                       .pitch = batch[1],
                       .lines = form & 16,
                       .offset = form % 5 == 4,
                       .single = form & 1,
                       .periodic = form & 2 && lengths[k] > 5,
                       .in_place = form & 4,
                       .one_pass = form & 8,
                       .slow = (k + (size_t)form) % 3 == 0 && !(form & 2),
                       .unsafe = NOBODY,
                       .singular = NOBODY};
            check(&t, &random);
        }
}

static void test_members_that_need_pivoting_have_it_and_singular_ones_are_told(void **state)
{
    (void)state;
    static const int64_t lengths[] = {8, 60, 200, 600};
    sb_random random = sb_random_seeded(7);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (int form = 0; form < 16; ++form) {
            trial t = {.n = lengths[k],
                       .systems = 70,
                       .pitch = 72,
                       .lines = form & 8,
                       .periodic = form & 1,
                       .in_place = form & 2,
                       .one_pass = form & 4,
                       .unsafe = 37,
                       .singular = 41};
            check(&t, &random);
        }
}

/* Separators are solved for at once where nothing in a tile couples them any more; the others' couplings decide that. */
static void test_bits_do_not_depend_on_the_systems_beside(void **state)
{
    (void)state;
    static const int64_t lengths[] = {60, 128, 150, 512, 600};
    static double alone[MOST];
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (int form = 0; form < 8; ++form) {
            trial t = {.n = lengths[k],
                       .systems = 70,
                       .pitch = 72,
                       .lines = form & 4,
                       .single = form & 1,
                       .one_pass = form & 2,
                       .uneven = true,
                       .unsafe = NOBODY,
                       .singular = NOBODY};
            for (int slow = 0; slow < 2; ++slow) {
                sb_random random = sb_random_seeded(k);
                t.slow = slow;
                check(&t, &random);
                for (int64_t e = 0; e < elements(&t); ++e)
                    if (!slow)
                        alone[e] = x[e];
                    else if (system_at(&t, e) < t.systems && row_at(&t, e) < t.n && system_at(&t, e) % 3 != 1)
                        assert_memory_equal(&x[e], &alone[e], sizeof *x);
            }
        }
}

/* Blocks of a cluster hear from those beside them only, unless couplings stay in a tile: then, and for some tiles more, they ask each
   other. Every cluster has many tiles here, of either kind, on a device of up to 132 processors. */
static void test_tiles_whose_blocks_couple_take_turns_with_others(void **state)
{
    (void)state;
    static const struct {
        int64_t n, systems, slow_tile;
    } all[] = {{130, 132 / 2 * 20 * COLUMNS, 101},
               {520, 132 / 4 * 6 * COLUMNS + 40, 7},
               {1100, 14 * 4 * COLUMNS, 3},
               {1700, 9 * 4 * COLUMNS, 3}};
    sb_random random = sb_random_seeded(20261127);
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        for (int form = 0; form < 2; ++form) {
            const trial t = {.n = all[k].n,
                             .systems = all[k].systems,
                             .pitch = all[k].systems,
                             .single = (form + (int)k) & 1,
                             .in_place = form,
                             .one_pass = form || k > 1,
                             .slow = true,
                             .slow_tile = all[k].slow_tile,
                             .unsafe = form ? 1000 : NOBODY,
                             .singular = NOBODY};
            assert_true(elements(&t) <= MOST);
            check(&t, &random);
        }
}

/* A plan that keeps its factors can be told to factor and solve in one call, and its matrices need not lie as the right-hand
 * sides do: rows `step` apart, 0 where a diagonal is one number. What lies between is no less a matrix. */
static void check_strides(int64_t step, bool one_pass)
{
    enum { N = 2000, SYSTEMS = 3 };
    static double given[2 * N * SYSTEMS];
    const trial t = {
        .n = N, .systems = SYSTEMS, .pitch = SYSTEMS, .lines = true, .unsafe = NOBODY, .singular = NOBODY};
    const int64_t between = step ? step * N : 1;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, N);
    sb_random random = sb_random_seeded(5702);
    void *memory[ARRAYS], *answer;
    slimband_plan *plan;
    p.one_pass = one_pass;
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    p.matrix = (slimband_layout){.line = step, .batch = {between}};
    draw(&t, &random);
    for (int a = 0; a < DIAGONALS; ++a) {
        for (int64_t e = 0; e < 2 * SYSTEMS * N; ++e)
            given[e] = sb_random_signed(&random) + (a == 2 ? 6 : 0);
        for (int64_t e = 0; e < SYSTEMS * N; ++e) {
            if (step == 0)
                arrays[a][e] = arrays[a][e / N * N];
            given[e / N * between + e % N * step] = arrays[a][e];
        }
        assert_int_equal(cudaMalloc(&memory[a], sizeof given), cudaSuccess);
        assert_int_equal(cudaMemcpy(memory[a], given, sizeof given, cudaMemcpyHostToDevice), cudaSuccess);
    }
    memory[DIAGONALS] = put(&t, arrays[DIAGONALS]);
    answer = put(&t, arrays[0]);
    const void *diagonals[DIAGONALS] = {memory[0], memory[1], memory[2], memory[3], memory[4]};
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), "partition:form=lines"),
                     SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, diagonals, memory[DIAGONALS], answer), SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
    get(&t, answer);
    for (int64_t s = 0; s < SYSTEMS; ++s)
        assert_true(error_of(&t, s) < 1e-14);
    slimband_plan_destroy(plan);
    for (int a = 0; a < ARRAYS; ++a)
        cudaFree(memory[a]);
    cudaFree(answer);
}

static void test_matrices_may_lie_in_other_strides_than_right_hand_sides(void **state)
{
    (void)state;
    for (int64_t step = 0; step <= 2; ++step)
        for (int one_pass = 0; one_pass < 2; ++one_pass)
            check_strides(step, one_pass);
}

/* penta [FILTER]: only some of the tests, for tools that take their time. */
int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut_solves),
        cmocka_unit_test(test_members_that_need_pivoting_have_it_and_singular_ones_are_told),
        cmocka_unit_test(test_bits_do_not_depend_on_the_systems_beside),
        cmocka_unit_test(test_tiles_whose_blocks_couple_take_turns_with_others),
        cmocka_unit_test(test_matrices_may_lie_in_other_strides_than_right_hand_sides),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
