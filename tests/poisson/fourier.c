/* The CPU's transforms beside eigenvectors in long double: every pair of walls x centring, at sizes on both sides of those from
 * which each way is taken. */
#include "src/poisson/fourier.h"

#include "gallery/random.h"
#include "tests/poisson/support.h"

static const int64_t sizes[] = {1,   2,   3,   5,   8,   31,  32,  33,  46,   63,   64,
                                65,  66,  95,  100, 127, 128, 129, 130, 133,  191,  255,
                                256, 257, 261, 263, 383, 500, 509, 511, 1001, 1023, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes, UNALIGNED = 1 };

typedef struct work {
    sb_fourier fourier;
    int64_t n;
    T *from, *to, *memory, *x, *y; /* x, y: at no multiple of a vector */
    double rounding;
} work;

static T *buffer(size_t elements)
{
    T *memory = aligned_alloc(64, (elements * sizeof(T) + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static work begin(const slimband_poisson_axis *axis)
{
    work w = {.n = axis->n, .rounding = sizeof(T) == 4 ? (double)FLT_EPSILON : DBL_EPSILON};
    size_t room = (size_t)SB_NAME(fourier_room)(axis) + 64, bytes = 0;
    w.from = buffer(room);
    w.to = buffer(room);
    w.memory = buffer(2 * (size_t)w.n + 2 * UNALIGNED);
    w.x = w.memory + UNALIGNED;
    w.y = w.x + w.n + UNALIGNED;
    assert_int_equal(SB_NAME(fourier_make)(&w.fourier, axis, false, w.from, w.to, &bytes), SLIMBAND_OK);
    return w;
}

static void end(work *w)
{
    SB_NAME(fourier_free)(&w->fourier);
    free(w->from);
    free(w->to);
    free(w->memory);
}

static void row(const work *w, bool backward, T scale)
{
    SB_NAME(fourier_row)(&w->fourier, backward, scale, w->x, backward ? w->y : w->x, w->y, w->from, w->to);
}

/* One coefficient makes its eigenvector and nothing else. */
static void check_eigenvector(const work *w, const slimband_poisson_axis *axis, int64_t place)
{
    int64_t number = w->fourier.order ? w->fourier.order[place] : place, top = 0;
    for (int64_t k = 0; k < w->n; ++k)
        w->x[k] = k == place;
    row(w, true, 1);
    for (int64_t j = 0; j < w->n; ++j)
        if (fabsl(oracle_eigenvector(axis, number, j)) > fabsl(oracle_eigenvector(axis, number, top)))
            top = j;
    long double factor = (long double)w->y[top] / oracle_eigenvector(axis, number, top);
    assert_true(factor != 0);
    for (int64_t j = 0; j < w->n; ++j) {
        long double error = fabsl((long double)w->y[j] / factor - oracle_eigenvector(axis, number, j));
        if (!((double)error <= 12 * w->rounding))
            fail_msg("walls %d, centring %d, n = %lld, place %lld, entry %lld: off by %Lg", (int)axis->walls,
                     (int)axis->centring, (long long)axis->n, (long long)place, (long long)j, error);
    }
}

static void check_there_and_back(const work *w, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    T *kept = buffer((size_t)w->n);
    for (int64_t j = 0; j < w->n; ++j)
        kept[j] = w->x[j] = (T)sb_random_signed(&random);
    row(w, false, 1);
    memcpy(w->x, w->y, (size_t)w->n * sizeof(T));
    row(w, true, (T)(1 / w->fourier.norm));
    for (int64_t j = 0; j < w->n; ++j)
        if (!(fabs((double)(w->y[j] - kept[j])) <= 12 * w->rounding))
            fail_msg("seed %llu, n = %lld, entry %lld: off by %g", (unsigned long long)seed, (long long)w->n,
                     (long long)j, (double)(w->y[j] - kept[j]));
    free(kept);
}

/* From buffer to buffer the bits are the same. */
static void check_run(const work *w, bool backward)
{
    for (int64_t j = 0; j < w->n; ++j)
        w->x[j] = (T)sin((double)j);
    row(w, backward, 1);
    for (int64_t j = 0; j < w->n; ++j)
        w->from[j] = (T)sin((double)j);
    SB_NAME(fourier_run)(&w->fourier, backward, w->from, w->to);
    assert_memory_equal(w->to, w->y, (size_t)w->n * sizeof(T));
}

static void test_eigenvectors_there_and_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int s = 0; s < SIZES; ++s) {
            slimband_poisson_axis axis = oracle_axis(kind, sizes[s], 1);
            if (axis.n == 1 && axis.walls == SLIMBAND_WALLS_NN && axis.centring == SLIMBAND_AT_NODES)
                continue;
            work w = begin(&axis);
            int64_t step = axis.n > 40 ? axis.n / 23 : 1;
            for (int64_t place = 0; place < axis.n; place += step)
                check_eigenvector(&w, &axis, place);
            check_eigenvector(&w, &axis, axis.n - 1);
            check_there_and_back(&w, (uint64_t)(kind * SIZES + s));
            check_run(&w, false);
            check_run(&w, true);
            end(&w);
        }
}

static void test_every_number_has_one_place(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int s = 0; s < SIZES; ++s) {
            slimband_poisson_axis axis = oracle_axis(kind, sizes[s] + 1, 1);
            work w = begin(&axis);
            char *seen = calloc((size_t)axis.n, 1);
            for (int64_t k = 0; w.fourier.order && k < axis.n; ++k) {
                assert_in_range(w.fourier.order[k], 0, axis.n - 1);
                assert_false(seen[w.fourier.order[k]]++);
            }
            free(seen);
            end(&w);
        }
}

static void test_constants_in_the_null_space_have_one_coefficient(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int s = 1; s < SIZES; ++s) {
            slimband_poisson_axis axis = oracle_axis(kind, sizes[s], 1);
            if (axis.walls != SLIMBAND_WALLS_NN && axis.walls != SLIMBAND_WALLS_PP)
                continue;
            work w = begin(&axis);
            for (int64_t j = 0; j < axis.n; ++j)
                w.x[j] = 1;
            row(&w, false, 1);
            w.y[0] -= (T)w.fourier.norm;
            assert_true(fabs((double)w.y[0]) <= 12 * w.rounding * w.fourier.norm);
            for (int64_t k = 1; k < axis.n; ++k)
                assert_true(fabs((double)w.y[k]) <= 12 * w.rounding * (double)axis.n);
            end(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvectors_there_and_back),
        cmocka_unit_test(test_every_number_has_one_place),
        cmocka_unit_test(test_constants_in_the_null_space_have_one_coefficient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
