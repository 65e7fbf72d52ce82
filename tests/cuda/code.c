/* A device for which a build has no code of its own runs what was made for an older one: it is taken for such a one, lest kernels be
 * launched that are empty there, and solutions that nobody computed be reported as good. This program's code is for 8.0, and its
 * PTX, which newer devices compile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cuda/kernels/code.h"
#include "src/cuda/plan.h"

enum { SKIPPED = 77 };

static void test_a_device_that_runs_an_older_one_s_code_is_taken_for_that(void **unused)
{
    (void)unused;
    sb_cuda_device device;
    int capability;
    assert_int_equal(sb_cuda_facts(0, &device), SLIMBAND_OK);
    assert_int_equal(sb_cuda_code_is_for(&capability), cudaSuccess);
    assert_int_equal(capability, 80);
    assert_int_equal(device.major, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_device_that_runs_an_older_one_s_code_is_taken_for_that),
    };
    sb_cuda_device device;
    if (sb_cuda_facts(0, &device) == SLIMBAND_NO_DEVICE) {
        printf("skipped: no CUDA device\n");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
