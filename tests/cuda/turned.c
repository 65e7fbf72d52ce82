/* Long systems whose arrays begin anywhere: each its own number of elements behind 16 bytes, and each system's another. Solutions have the
 * bits of those whose arrays are aligned, and nothing beside them is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum {
    ARRAYS = 5,
    X = 4,
    SYSTEMS = 7,
    GRANULE = 4 /* elements: a multiple of all types' 16 bytes */,
    BESIDE = 0x55
};

typedef struct trial {
    slimband_scalar scalar;
    int64_t n;
    bool ring;
    slimband_pivoting pivoting;
    const char *method;
} trial;

static const size_t bytes_of[] = {4, 8, 8, 16};

/* Where an array's systems begin, in elements: `offset`, and `pitch` from each to the next. */
typedef struct stand {
    int64_t offset, pitch;
} stand;

static int64_t elements_of(const trial *t)
{
    return (t->n + 4 * GRANULE) * SYSTEMS;
}

/* The same numbers wherever they stand. */
static void draw(const trial *t, unsigned char *const *arrays, const stand *at)
{
    sb_random random = sb_random_seeded((uint64_t)t->n);
    const size_t size = bytes_of[t->scalar];
    const bool single = t->scalar == SLIMBAND_F32 || t->scalar == SLIMBAND_C64;
    const int parts = t->scalar >= SLIMBAND_C64 ? 2 : 1;
    for (int a = 0; a < X; ++a)
        for (int64_t system = 0; system < SYSTEMS; ++system)
            for (int64_t i = 0; i < t->n * parts; ++i) {
                const double any = sb_random_signed(&random) + (a == 1 && i % parts == 0 ? 4 : 0);
                const float rounded = (float)any;
                unsigned char *to = arrays[a] + (size_t)(at[a].offset + system * at[a].pitch) * size +
                                    (size_t)i * size / (size_t)parts;
                memcpy(to, single ? (const void *)&rounded : (const void *)&any, size / (size_t)parts);
            }
}

static void solve(const trial *t, unsigned char *const *arrays, const stand *at)
{
    const size_t size = bytes_of[t->scalar];
    slimband_problem p = slimband_tridiagonal(t->scalar, t->n);
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    p.ends = t->ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.pivoting = t->pivoting;
    p.one_pass = true;
    p.matrix.batch[0] = at[0].pitch;
    p.rhs.batch[0] = at[3].pitch;
    p.solution.batch[0] = at[X].pitch;
    const void *begin[ARRAYS];
    for (int a = 0; a < ARRAYS; ++a) {
        memset(arrays[a], BESIDE, (size_t)elements_of(t) * size);
        begin[a] = arrays[a] + (size_t)at[a].offset * size;
    }
    draw(t, arrays, at);
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), t->method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, begin, begin[3], arrays[X] + (size_t)at[X].offset * size),
                     SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
    slimband_plan_destroy(plan);
}

static bool is_beside(const trial *t, const stand *x, int64_t element)
{
    const int64_t at = element - x->offset;
    return at < 0 || at >= SYSTEMS * x->pitch || at % x->pitch >= t->n;
}

static void compare(const trial *t, const unsigned char *aligned, const stand *there,
                    const unsigned char *other, const stand *here)
{
    const size_t size = bytes_of[t->scalar];
    for (int64_t system = 0; system < SYSTEMS; ++system)
        if (memcmp(aligned + (size_t)(there->offset + system * there->pitch) * size,
                   other + (size_t)(here->offset + system * here->pitch) * size, (size_t)t->n * size))
            fail_msg("%s, scalar %d, n %lld, %s, pivoting %d: system %lld, x %lld elements behind", t->method,
                     (int)t->scalar, (long long)t->n, t->ring ? "ring" : "open", (int)t->pivoting,
                     (long long)system, (long long)here->offset);
    for (int64_t e = 0; e < elements_of(t); ++e)
        for (size_t k = 0; k < size && is_beside(t, here, e); ++k)
            assert_int_equal(other[(size_t)e * size + k], BESIDE);
}

static void check(const trial *t)
{
    static const int64_t offsets[][ARRAYS] = {
        {1, 1, 1, 1, 1}, {0, 1, 2, 3, 1}, {2, 3, 1, 0, 3}, {3, 3, 3, 3, 0}};
    const size_t room = (size_t)elements_of(t) * bytes_of[t->scalar];
    unsigned char *arrays[ARRAYS], *aligned = malloc(room);
    assert_non_null(aligned);
    for (int a = 0; a < ARRAYS; ++a)
        assert_int_equal(cudaMallocManaged((void **)&arrays[a], room, cudaMemAttachGlobal), cudaSuccess);
    const int64_t pitch = (t->n + GRANULE - 1) / GRANULE * GRANULE;
    stand even[ARRAYS], odd[ARRAYS];
    for (int a = 0; a < ARRAYS; ++a)
        even[a] = (stand){0, pitch};
    solve(t, arrays, even);
    memcpy(aligned, arrays[X], room);
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; ++k) {
        for (int a = 0; a < ARRAYS; ++a)
            odd[a] = (stand){offsets[k][a], pitch + 1 + (a == X)};
        solve(t, arrays, odd);
        compare(t, aligned, &even[X], arrays[X], &odd[X]);
    }
    for (int a = 0; a < ARRAYS; ++a)
        assert_int_equal(cudaFree(arrays[a]), cudaSuccess);
    free(aligned);
}

static void check_all(const char *method, slimband_pivoting pivoting, const int64_t *rows, int count)
{
    for (int k = 0; k < count; ++k)
        for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
            for (int ring = 0; ring < 2; ++ring)
                check(&(trial){(slimband_scalar)scalar, rows[k], ring, pivoting, method});
}

/* Around tiles, which have 224 rows (c128) to 896 (f32). */
static const int64_t rows[] = {449, 895, 896, 897, 3001, 12345};
enum { LENGTHS = 6 };

static void test_truncated(void **state)
{
    (void)state;
    check_all("truncated", SLIMBAND_PIVOT_AUTO, rows, LENGTHS);
}

static void test_partition(void **state)
{
    (void)state;
    check_all("partition", SLIMBAND_PIVOT_AUTO, rows, LENGTHS);
}

static void test_partition_that_pivots(void **state)
{
    (void)state;
    check_all("partition", SLIMBAND_PIVOT_PARTIAL, rows, LENGTHS);
}

/* A pattern chooses tests by name. */
int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    if (device_missing())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_partition),
        cmocka_unit_test(test_partition_that_pivots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
