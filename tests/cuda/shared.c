/* One matrix for all systems, on chip: side by side, and one after another; lengths around chunks, blocks and clusters; few systems, of
 * which each block has one tile, and many; rows that the copy engine cannot fetch or take back; a matrix whose transposed has to
 * be pivoted; and lines in pieces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum { MOST_ROWS = 1 << 17, MOST_BAND = 9, MOST_ELEMENTS = 12 << 20 };

typedef struct trial {
    int64_t n, systems;
    int half,
        offset; /* elements before the first: one of them, and no array is aligned as the copy engine asks for */
    bool single, periodic, in_place, lines, transposed, one_pass;
    bool slow;          /* couplings hardly die away */
    const char *method; /* NULL: tile:form=cooperating */
} trial;

static double matrix[MOST_BAND][MOST_ROWS];

static double value(const trial *t, const void *of, int64_t element)
{
    return t->single ? (double)((const float *)of)[element] : ((const double *)of)[element];
}

static void set(const trial *t, void *of, int64_t element, double to)
{
    if (t->single)
        ((float *)of)[element] = (float)to;
    else
        ((double *)of)[element] = to;
}

static void draw(const trial *t, void *const *diagonals, double *given, void *b, sb_random *random)
{
    for (int d = 0; d <= 2 * t->half; ++d)
        for (int64_t i = 0; i < t->n; ++i) {
            const double any = sb_random_signed(random);
            matrix[d][i] = t->slow        ? (d == t->half ? 2 * t->half * 0.5 * (1 + 1e-5) : -0.5)
                           : d == t->half ? any + 2 * t->half + 1
                                          : any;
            matrix[d][i] = (float)matrix[d][i];
            set(t, diagonals[d], i, matrix[d][i]);
        }
    for (int64_t e = 0; e < t->n * t->systems; ++e) {
        given[e] = (float)sb_random_signed(random);
        set(t, b, e + t->offset, given[e]);
    }
}

static int64_t element_of(const trial *t, int64_t row, int64_t system)
{
    return t->lines ? system * t->n + row : row * t->systems + system;
}

/* The largest |b - A x| of one system over the largest |A| |x| + |b|. */
static double error_of(const trial *t, const double *given, const void *x, int64_t system)
{
    double worst = 0, size = 0;
    for (int64_t i = 0; i < t->n; ++i) {
        double b = given[element_of(t, i, system)], rest = b, all = fabs(b);
        for (int d = 0; d <= 2 * t->half; ++d) {
            int64_t j = i + d - t->half;
            if (!t->periodic && (j < 0 || j >= t->n))
                continue;
            int64_t of = (j + t->n) % t->n;
            double entry = t->transposed ? matrix[2 * t->half - d][of] : matrix[d][i];
            double product = entry * value(t, x, element_of(t, of, system) + t->offset);
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

static void check_errors(const trial *t, const double *given, const void *x)
{
    for (int64_t k = 0; k < t->systems; ++k) {
        double error = error_of(t, given, x, k);
        if (!(error < (t->single ? 4e-6 : 1e-14)))
            fail_msg("n %lld, system %lld of %lld, half %d, %s, %s, %s, offset %d%s%s: %g", (long long)t->n,
                     (long long)k, (long long)t->systems, t->half, t->single ? "f32" : "f64",
                     t->lines ? "in lines" : "side by side", t->periodic ? "periodic" : "open", t->offset,
                     t->slow ? ", slow" : "", t->transposed ? ", transposed" : "", error);
    }
}

static void check(const trial *t, sb_random *random)
{
    slimband_problem p = slimband_banded(t->single ? SLIMBAND_F32 : SLIMBAND_F64, t->n, t->half, t->half);
    p.coefficients = SLIMBAND_SHARED;
    p.ends = t->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.one_pass = t->one_pass;
    assert_int_equal(t->lines ? slimband_contiguous(&p, t->systems) : slimband_interleaved(&p, t->systems),
                     SLIMBAND_OK);
    p.matrix = (slimband_layout){.line = 1};
    int64_t elements = t->n * t->systems + 1;
    assert_true(elements <= MOST_ELEMENTS);
    void *diagonals[MOST_BAND], *b = device_memory_for(elements),
                                *x = t->in_place ? b : device_memory_for(elements);
    double *given = malloc((size_t)elements * sizeof *given);
    assert_non_null(given);
    for (int d = 0; d < MOST_BAND; ++d)
        diagonals[d] = device_memory_for(t->n);
    draw(t, diagonals, given, b, random);
    const size_t before = (size_t)t->offset * (t->single ? sizeof(float) : sizeof(double));
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL),
                                          t->method ? t->method : "tile:form=cooperating"),
                     SLIMBAND_OK);
    if (!t->one_pass)
        assert_int_equal(slimband_factor(plan, (const void *const *)diagonals), SLIMBAND_OK);
    for (int times = t->in_place ? 1 : 2; times > 0;
         --times) { /* each solve finds the queue of tiles as it was made */
        if (!t->in_place)
            memset(x, 0xff, (size_t)elements * sizeof(double));
        const void *from = (char *)b + before;
        void *to = (char *)x + before;
        assert_int_equal(t->one_pass     ? slimband_factor_solve(plan, (const void *const *)diagonals, from, to)
                         : t->transposed ? slimband_solve_transposed(plan, from, to)
                                         : slimband_solve(plan, from, to),
                         SLIMBAND_OK);
        assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
    }
    slimband_report report;
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.pivoted, 0);
    slimband_plan_destroy(plan);
    check_errors(t, given, x);
    for (int d = 0; d < MOST_BAND; ++d)
        assert_int_equal(cudaFree(diagonals[d]), cudaSuccess);
    assert_int_equal(cudaFree(b), cudaSuccess);
    if (!t->in_place)
        assert_int_equal(cudaFree(x), cudaSuccess);
    free(given);
}

/* One after another, tridiagonal ones in the last two forms, and those whose bands are wide either way. many: as below. */
static void check_in_lines(const int64_t *lengths, int count, bool many)
{
    enum { FORMS = 8, TRIDIAGONAL = 6, OF_TWO_TILES = 3 << 20 };
    sb_random random = sb_random_seeded(20261125);
    for (int k = 0; k < count; ++k)
        for (int form = 0; form < FORMS; ++form) {
            const bool wide = form % 3 > 0, odd = form == 4 || form == FORMS - 1;
            const int64_t n = lengths[k];
            trial t = {.n = n,
                       .systems = (many ? OF_TWO_TILES / n : 0) + 33 + 16 * form,
                       .half = form >= TRIDIAGONAL ? 1
                               : wide              ? 4
                                                   : 2,
                       .offset = odd,
                       .single = (form + k) & 1,
                       .periodic = form > 2 && form != TRIDIAGONAL && n > 12,
                       .lines = form != 1,
                       .in_place = (form + k) % 3 == 0};
            check(&t, &random);
        }
}

/* many: at least two tiles for each block that an H200 holds, 2 x 132 of 64 KB. */
static void check_lengths(const int64_t *lengths, int count, bool many)
{
    enum { FORMS = 5, OF_TWO_TILES = 5 << 20 }; /* f64 elements */
    sb_random random = sb_random_seeded(20261123);
    for (int k = 0; k < count; ++k)
        for (int form = 0; form < FORMS; ++form) {
            int64_t n = lengths[k], more = many ? (form & 2 ? 2 : 1) * OF_TWO_TILES / n : 0;
            trial t = {.n = n,
                       .systems = more + 33 + 16 * form,
                       .half = 1 + (form + k) % 2,
                       .offset = form == 3,
                       .single = form & 2,
                       .periodic = (form & 1) && n > 5,
                       .in_place = (form + k) % 3 == 0};
            check(&t, &random);
        }
}

static const int64_t in_a_block[] = {1, 2, 3, 16, 17, 31, 32, 33, 64, 100, 255, 256},
                     in_few[] = {257, 511, 512, 513}, in_many[] = {1000, 2049, 4096, 4097, 7808};
enum { IN_A_BLOCK = 12, IN_FEW = 4, IN_MANY = 5 };

static void test_few_systems_of_one_block(void **state)
{
    (void)state;
    check_lengths(in_a_block, IN_A_BLOCK, false);
}

static void test_few_systems_of_two_blocks_or_three(void **state)
{
    (void)state;
    check_lengths(in_few, IN_FEW, false);
}

static void test_few_systems_of_many_blocks(void **state)
{
    (void)state;
    check_lengths(in_many, IN_MANY, false);
}

static void test_many_systems(void **state)
{
    (void)state;
    check_lengths(in_a_block, IN_A_BLOCK, true);
    check_lengths(in_few, IN_FEW, true);
    check_lengths(in_many, IN_MANY, true);
}

static const int64_t short_lines[] = {1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 100, 128, 255, 256},
                     long_lines[] = {257,  300,  500,  513,  545,  640,  800,  1000, 1024,
                                     1057, 1300, 1600, 2048, 2113, 2399, 3001, 4096};
enum { SHORT_LINES = 16, LONG_LINES = 17 };

static void test_few_short_lines(void **state)
{
    (void)state;
    check_in_lines(short_lines, SHORT_LINES, false);
}

static void test_few_long_lines(void **state)
{
    (void)state;
    check_in_lines(long_lines, LONG_LINES, false);
}

static void test_many_lines(void **state)
{
    (void)state;
    check_in_lines(short_lines, SHORT_LINES, true);
    check_in_lines(long_lines, LONG_LINES, true);
}

static void check_pieces(const int64_t *lengths, int count, int64_t systems, const char *method)
{
    enum { FORMS = 8 };
    static const int halves[FORMS] = {1, 2, 4, 1, 2, 4, 3, 1};
    sb_random random = sb_random_seeded(20261126);
    for (int k = 0; k < count; ++k)
        for (int form = 0; form < FORMS; ++form) {
            trial t = {.n = lengths[k],
                       .systems = systems + 3 * form,
                       .half = halves[(form + k) % FORMS],
                       .offset = form == 4,
                       .single = (form + k) % 4 == 1,
                       .periodic = (form + k) % 3 == 0,
                       .in_place = form == 6,
                       .lines = form & 1,
                       .transposed = form / 2 & 1,
                       .one_pass = form == 5,
                       .slow = form == 0 || form == 3 || form == 7,
                       .method = method};
            check(&t, &random);
        }
}

static void test_short_lines_in_pieces(void **state)
{
    static const int64_t shortest[] = {48, 62, 72}, lengths[] = {128, 129, 130, 200, 333, 1000, 1001};
    (void)state;
    check_pieces(shortest, 3, 6, "tile:pieces=3");
    check_pieces(lengths, 7, 37, "tile:pieces=2");
    check_pieces(lengths, 7, 300, "tile:pieces=3");
    check_pieces(lengths, 7, 50, "tile:pieces=5");
    check_pieces(lengths + 3, 4, 70, "tile:pieces=7");
    check_pieces(lengths + 5, 2, 90, "tile:pieces=25");
}

/* So many that lanes mend rows of more systems than they ask for at once. */
static void test_many_short_lines_in_pieces(void **state)
{
    static const int64_t lengths[] = {62, 72};
    (void)state;
    check_pieces(lengths, 2, 12000, "tile:pieces=3");
    check_pieces(lengths, 2, 70000, "tile:pieces=3");
}

static void test_lines_too_long_for_a_cluster_in_pieces(void **state)
{
    static const int64_t lengths[] = {9001, 16384, 40007, 131072};
    (void)state;
    check_pieces(lengths, 4, 5, "tile");
    check_pieces(lengths, 4, 70, "tile");
}

/* Rows dominate, barely; of the columns' entries each is 1.02 times the one before it in one half, and then as much less: what
   elimination without pivots lets grow in the transposed is 1.02^1000. */
static void test_a_transposed_that_must_pivot_leaves_the_matrix_alone(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(5);
    for (int lines = 0; lines < 2; ++lines) {
        trial t = {.n = 2048, .systems = 70, .half = 1, .lines = lines};
        slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, t.n);
        p.coefficients = SLIMBAND_SHARED;
        assert_int_equal(lines ? slimband_contiguous(&p, t.systems) : slimband_interleaved(&p, t.systems),
                         SLIMBAND_OK);
        double *diagonals[] = {device_memory_for(t.n), device_memory_for(t.n), device_memory_for(t.n)},
               *b = device_memory_for(t.n * t.systems), *x = device_memory_for(t.n * t.systems);
        for (int64_t i = 0; i < t.n; ++i) {
            diagonals[0][i] = matrix[0][i] = i < t.n / 2 ? -1 : -1.02;
            diagonals[2][i] = matrix[2][i] = i < t.n / 2 ? -1.02 : -1;
            diagonals[1][i] = matrix[1][i] = 2.02;
        }
        for (int64_t e = 0; e < t.n * t.systems; ++e)
            b[e] = sb_random_signed(&random);
        slimband_plan *plan;
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), "tile:form=cooperating"),
                         SLIMBAND_OK);
        assert_int_equal(slimband_factor(plan, (const void *const *)diagonals), SLIMBAND_OK);
        slimband_report report;
        assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
        assert_int_equal(report.pivoted, 0);
        assert_true(report.largest_growth <= 2);
        for (int transposed = 0; transposed < 2; ++transposed) {
            t.transposed = transposed;
            assert_int_equal((transposed ? slimband_solve_transposed : slimband_solve)(plan, b, x),
                             SLIMBAND_OK);
            assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
            for (int64_t k = 0; k < t.systems; ++k)
                assert_true(error_of(&t, b, x, k) < 1e-14);
        }
        slimband_plan_destroy(plan);
        for (int d = 0; d < 3; ++d)
            assert_int_equal(cudaFree(diagonals[d]), cudaSuccess);
        assert_int_equal(cudaFree(b), cudaSuccess);
        assert_int_equal(cudaFree(x), cudaSuccess);
    }
}

/* shared [FILTER]: only some of the tests, for tools that take their time. */
int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_systems_of_one_block),
        cmocka_unit_test(test_few_systems_of_two_blocks_or_three),
        cmocka_unit_test(test_few_systems_of_many_blocks),
        cmocka_unit_test(test_many_systems),
        cmocka_unit_test(test_few_short_lines),
        cmocka_unit_test(test_few_long_lines),
        cmocka_unit_test(test_many_lines),
        cmocka_unit_test(test_short_lines_in_pieces),
        cmocka_unit_test(test_many_short_lines_in_pieces),
        cmocka_unit_test(test_lines_too_long_for_a_cluster_in_pieces),
        cmocka_unit_test(test_a_transposed_that_must_pivot_leaves_the_matrix_alone),
    };
    if (device_missing())
        return SKIPPED;
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
