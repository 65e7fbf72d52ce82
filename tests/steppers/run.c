#include "tests/steppers/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"

int64_t run_elements(const slimband_evolution *e)
{
    int64_t elements = e->members;
    for (int a = 0; a < e->rank; ++a)
        elements *= e->points[a];
    return elements;
}

void run_steps(const slimband_evolution *e, int threads, int64_t first, int calls, int64_t count, double *state)
{
    run_steps_on(slimband_cpu(threads), e, first, calls, count, state);
}

void run_steps_on(slimband_executor executor, const slimband_evolution *e, int64_t first, int calls,
                  int64_t count, double *state)
{
    slimband_stepper *stepper;
    int64_t elements = run_elements(e);
    float *single = malloc((size_t)elements * sizeof *single + 1);
    for (int64_t i = 0; i < elements; ++i)
        single[i] = (float)state[i];
    void *own = e->scalar == SLIMBAND_F32 ? (void *)single : state;
    assert_int_equal(slimband_stepper_create(&stepper, e, executor), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_set(stepper, own, first), SLIMBAND_OK);
    for (int k = 0; k < calls; ++k)
        assert_int_equal(slimband_stepper_step(stepper, count), SLIMBAND_OK);
    assert_int_equal(slimband_stepper_get(stepper, own), SLIMBAND_OK);
    slimband_stepper_destroy(stepper);
    for (int64_t i = 0; e->scalar == SLIMBAND_F32 && i < elements; ++i)
        state[i] = (double)single[i];
    free(single);
}

double *run_random(const slimband_evolution *e, uint64_t seed)
{
    int64_t elements = run_elements(e);
    sb_random random = sb_random_seeded(seed);
    double *state = malloc((size_t)elements * sizeof *state + 1);
    for (int64_t i = 0; i < elements; ++i)
        state[i] = sb_random_signed(&random);
    return state;
}

double run_largest_difference(int64_t count, const double *a, const double *b)
{
    double largest = 0;
    for (int64_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}
