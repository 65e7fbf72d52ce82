/* Lines one after another whose arrays begin and end where their memory does, and at no multiple of 16 bytes: nothing outside
 * may be read, as compute-sanitizer sees, and what lies at both ends counts all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

enum { DIAGONALS = 3, ARRAYS = DIAGONALS + 1, LARGEST = 1 << 12 };

static const size_t bytes_of[] = {[SLIMBAND_F32] = sizeof(float), [SLIMBAND_F64] = sizeof(double)};

/* `elements` random numbers on the host, and on the device in memory of their own that ends with them. */
typedef struct exact {
    double room[LARGEST];
    size_t bytes;
    char *memory;
} exact;

static void make(exact *a, slimband_scalar scalar, int64_t elements, double shift, sb_random *random)
{
    assert_in_range(elements, 1, LARGEST);
    for (int64_t i = 0; i < elements; ++i) {
        double value = shift + sb_random_signed(random);
        float single = (float)value;
        memcpy((char *)a->room + (size_t)i * bytes_of[scalar],
               scalar == SLIMBAND_F32 ? (const void *)&single : &value, bytes_of[scalar]);
    }
    a->bytes = (size_t)elements * bytes_of[scalar];
    assert_int_equal(cudaMalloc((void **)&a->memory, a->bytes), cudaSuccess);
    assert_int_equal(cudaMemcpy(a->memory, a->room, a->bytes, cudaMemcpyHostToDevice), cudaSuccess);
}

static exact arrays[ARRAYS], answer;

static void solve(const slimband_problem *p)
{
    const void *diagonals[DIAGONALS];
    for (int d = 0; d < DIAGONALS; ++d)
        diagonals[d] = arrays[d].memory;
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cuda(0, NULL), "tile"), SLIMBAND_OK);
    if (p->one_pass)
        assert_int_equal(slimband_factor_solve(plan, diagonals, arrays[DIAGONALS].memory, answer.memory),
                         SLIMBAND_OK);
    else {
        assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, arrays[DIAGONALS].memory, answer.memory), SLIMBAND_OK);
    }
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    assert_int_equal(cudaMemcpy(answer.room, answer.memory, answer.bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

/* Lines every `pitch` elements, the last of which has no gap behind it. */
static void check(slimband_scalar scalar, int64_t n, int64_t systems, int64_t gap, bool own, bool one_pass,
                  sb_random *random)
{
    slimband_problem p = slimband_tridiagonal(scalar, n);
    int64_t pitch = n + gap, elements = (systems - 1) * pitch + n;
    assert_int_equal(slimband_contiguous(&p, systems), SLIMBAND_OK);
    p.coefficients = own ? SLIMBAND_OWN : SLIMBAND_SHARED;
    p.one_pass = one_pass;
    p.rhs.batch[0] = p.solution.batch[0] = pitch;
    p.matrix.batch[0] = own ? pitch : 0;
    for (int d = 0; d < ARRAYS; ++d)
        make(&arrays[d], scalar, own || d == DIAGONALS ? elements : n, d == 1 ? 4 : 0, random);
    make(&answer, scalar, elements, 0, random);
    solve(&p);
    const void *diagonals[DIAGONALS];
    for (int d = 0; d < DIAGONALS; ++d)
        diagonals[d] = arrays[d].room;
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&p, diagonals, arrays[DIAGONALS].room, answer.room, &error),
                     SLIMBAND_OK);
    assert_true(error.normwise < (scalar == SLIMBAND_F32 ? 1e-6 : 1e-15));
    for (int d = 0; d < ARRAYS; ++d)
        assert_int_equal(cudaFree(arrays[d].memory), cudaSuccess);
    assert_int_equal(cudaFree(answer.memory), cudaSuccess);
}

static void test_lines_up_to_the_ends_of_their_arrays(void **state)
{
    (void)state;
    static const int64_t lengths[] = {2, 3, 5, 17, 31, 129, 331};
    sb_random random = sb_random_seeded(20261121);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (int form = 0; form < 16; ++form)
            for (int64_t systems = 1; systems < 9; systems += 3)
                check(form & 1 ? SLIMBAND_F32 : SLIMBAND_F64, lengths[k], systems, form & 2 ? 5 : 0, form & 4,
                      form & 8 && form & 4, &random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_up_to_the_ends_of_their_arrays)};
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
