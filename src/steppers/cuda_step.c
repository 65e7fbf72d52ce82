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
                               state[to], increments[to], r->cuda->stream);
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

/* SB_GRAPH_STEPS steps from a pair with increments pending, queued in order. */
static slimband_status queue_steps(run *r)
{
    slimband_status status = SLIMBAND_OK;
    for (int k = 0; !status && k < SB_GRAPH_STEPS; ++k)
        status = step(r, k);
    return status;
}

/* Nothing is computed: the stream is captured. */
static slimband_status take_graph(run *r, cudaGraphExec_t *executable)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(r->cuda->stream, cudaStreamCaptureModeThreadLocal);
    slimband_status status = error ? SLIMBAND_OK : queue_steps(r);
    cudaError_t end = error ? error : cudaStreamEndCapture(r->cuda->stream, &graph);
    error = end || status ? end : cudaGraphInstantiate(executable, graph, 0);
    if (graph)
        (void)cudaGraphDestroy(graph);
    return status ? status : sb_app_cuda_status(error);
}

slimband_status sb_stepper_cuda_graphs(slimband_stepper *s)
{
    sb_stepper_cuda *cuda = s->state;
    slimband_status status = SLIMBAND_OK;
    for (int from = 0; !status && !cuda->forced && from < 2; ++from) {
        run r = {.stepper = s, .cuda = cuda, .pending = true};
        cuda->current = from;
        status = take_graph(&r, &cuda->graph[from]);
    }
    cuda->current = 0;
    return status;
}

/* Solves report on the device. NaN stays where it is: what the last solves found is what any of them found. */
static slimband_status finish(run *r)
{
    sb_stepper_cuda *cuda = r->cuda;
    slimband_status status =
        sb_app_cuda_status(cuda->kernels->add(cuda->elements, cuda->part[SB_DEVICE_INCREMENTS + cuda->current],
                                              cuda->part[SB_DEVICE_STATE + cuda->current], r->cuda->stream));
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
    for (int64_t k = 0; !status && k < count && r.cuda->elements;) {
        cudaGraphExec_t graph = r.cuda->graph[r.cuda->current];
        bool many = r.pending && graph && count - k >= SB_GRAPH_STEPS;
        status = many ? sb_app_cuda_status(cudaGraphLaunch(graph, r.cuda->stream)) : step(&r, s->steps + k);
        k += many ? SB_GRAPH_STEPS : 1;
    }
    if (!status && r.pending)
        status = finish(&r);
    sb_app_cuda_leave(previous);
    return status;
}
