/* Steps on a GPU. Words a point of a pass: the addition of the last one and the right-hand side of this, 4; the plan's. */
#include "slimband/cuda.h"
#include "src/apps/device.h"
#include "src/steppers/cuda.h"

typedef struct run {
    const slimband_stepper *stepper;
    sb_stepper_cuda *cuda;
    bool pending; /* increments that are still to be added */
} run;

static slimband_status pass(run *r, int axis, const sb_device_wave *wave)
{
    sb_stepper_cuda *cuda = r->cuda;
    char **state = &cuda->part[SB_DEVICE_STATE], **increments = &cuda->part[SB_DEVICE_INCREMENTS];
    int from = cuda->current, to = r->pending ? 1 - from : from;
    cudaError_t error =
        cuda->kernels->advance(&cuda->lines[axis], wave, state[from], r->pending ? increments[from] : NULL,
                               state[to], increments[to], sb_stepper_stream(r->stepper));
    if (error)
        return sb_app_cuda_status(error);
    cuda->current = to;
    r->pending = true;
    return slimband_solve(cuda->plan[axis], increments[to], increments[to]);
}

static slimband_status step(run *r, int64_t number)
{
    const slimband_evolution *e = &r->stepper->evolution;
    sb_device_wave wave = {0};
    slimband_status status = SLIMBAND_OK;
    if (r->cuda->forced) {
        wave.cosine = (const double *)r->cuda->part[SB_DEVICE_COSINE];
        wave.sine = (const double *)r->cuda->part[SB_DEVICE_SINE];
        sb_wave_time(e, number, &wave.along, &wave.across);
    }
    for (int axis = 0; !status && axis < e->rank; ++axis)
        status = pass(r, axis, &wave);
    return status;
}

/* Solves report on the device. NaN stays where it is: what the last solves found is what any of them found. */
static slimband_status finish(run *r)
{
    sb_stepper_cuda *cuda = r->cuda;
    slimband_status status = sb_app_cuda_status(
        cuda->kernels->add(cuda->elements, cuda->part[SB_DEVICE_INCREMENTS + cuda->current],
                           cuda->part[SB_DEVICE_STATE + cuda->current], sb_stepper_stream(r->stepper)));
    for (int axis = 0; !status && axis < r->stepper->evolution.rank; ++axis)
        status = slimband_cuda_wait(cuda->plan[axis]);
    return status;
}

slimband_status sb_stepper_cuda_run(slimband_stepper *s, int64_t count)
{
    run r = {.stepper = s, .cuda = s->state};
    int previous;
    slimband_status status = sb_app_cuda_enter(s->executor.device, &previous);
    if (status)
        return status;
    for (int64_t k = 0; !status && k < count && r.cuda->elements; ++k)
        status = step(&r, s->steps + k);
    if (!status && r.pending)
        status = finish(&r);
    sb_app_cuda_leave(previous);
    return status;
}
