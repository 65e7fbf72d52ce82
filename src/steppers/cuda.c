/* Steppers on a GPU: memory, and the state in and out. */
#include "src/steppers/cuda.h"

#include <stdlib.h>

#include "src/apps/device.h"
#include "src/apps/memory.h"

enum { ALIGNMENT = 256 };

/* One piece of device memory, zeroed: the state begins so. */
static slimband_status allocate(slimband_stepper *s, sb_stepper_cuda *cuda)
{
    size_t at[SB_DEVICE_PARTS + 1] = {0};
    for (int k = 0; k < SB_DEVICE_PARTS; ++k)
        at[k + 1] =
            at[k] + (sb_stepper_cuda_bytes(&s->evolution, cuda, k) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = NULL;
    cudaError_t error = cudaMalloc(&memory, at[SB_DEVICE_PARTS]);
    if (error) {
        (void)cudaGetLastError();
        return sb_app_cuda_status(error);
    }
    cuda->memory = memory;
    s->bytes += at[SB_DEVICE_PARTS];
    for (int k = 0; k < SB_DEVICE_PARTS; ++k)
        cuda->part[k] = cuda->memory + at[k];
    cuda->sums = sb_app_allocate((size_t)(s->evolution.members * cuda->slices), sizeof *cuda->sums, &s->bytes);
    if (!cuda->sums)
        return SLIMBAND_OUT_OF_MEMORY;
    return sb_app_cuda_status(cudaMemsetAsync(memory, 0, at[SB_DEVICE_PARTS], cuda->stream));
}

/* The executor's stream, unless it is being captured, or our own. */
static slimband_status take_stream(sb_stepper_cuda *cuda)
{
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (cuda->stream) {
        slimband_status status = sb_app_cuda_status(cudaStreamIsCapturing(cuda->stream, &capture));
        return !status && capture != cudaStreamCaptureStatusNone ? SLIMBAND_BAD_STREAM : status;
    }
    slimband_status status =
        sb_app_cuda_status(cudaStreamCreateWithFlags(&cuda->own_stream, cudaStreamNonBlocking));
    cuda->stream = cuda->own_stream;
    return status;
}

static slimband_status create_on_device(slimband_stepper *s)
{
    sb_stepper_cuda *cuda = s->state;
    int processors = 0;
    slimband_status status = sb_app_cuda_status(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, s->executor.device));
    if (status)
        return status;
    cuda->processors = processors;
    sb_stepper_cuda_lay_out(&s->evolution, cuda);
    if (cuda->elements == 0)
        return SLIMBAND_OK;
    status = take_stream(cuda);
    if (!status)
        status = allocate(s, cuda);
    if (!status)
        status = sb_stepper_cuda_fill(s);
    if (!status)
        status = sb_stepper_cuda_plans(s);
    return status ? status : sb_stepper_cuda_graphs(s);
}

static slimband_status create(slimband_stepper *s)
{
    bool single = s->evolution.scalar == SLIMBAND_F32;
    sb_stepper_cuda *cuda = s->state = sb_app_allocate(1, sizeof *cuda, &s->bytes);
    if (!cuda)
        return SLIMBAND_OUT_OF_MEMORY;
    *cuda = (sb_stepper_cuda){.kernels = single ? &sb_device_kernels_f32 : &sb_device_kernels_f64,
                              .size = single ? sizeof(float) : sizeof(double),
                              .stream = (cudaStream_t)s->executor.place_data};
    slimband_status status = sb_app_cuda_present(s->executor.device);
    int previous;
    if (!status)
        status = sb_app_cuda_enter(s->executor.device, &previous);
    if (status)
        return status;
    status = create_on_device(s);
    sb_app_cuda_leave(previous);
    return status;
}

static void destroy(slimband_stepper *s)
{
    sb_stepper_cuda *cuda = s->state;
    int previous;
    if (!cuda)
        return;
    for (int axis = 0; axis < SLIMBAND_STEPPER_MAX_RANK; ++axis)
        slimband_plan_destroy(cuda->plan[axis]);
    if (cuda->stream && !sb_app_cuda_enter(s->executor.device, &previous)) {
        for (int k = 0; k < 2; ++k)
            if (cuda->graph[k])
                (void)cudaGraphExecDestroy(cuda->graph[k]);
        (void)cudaFree(cuda->memory);
        if (cuda->own_stream)
            (void)cudaStreamDestroy(cuda->own_stream);
        sb_app_cuda_leave(previous);
    }
    free(cuda->sums);
    free(cuda);
}

static size_t state_bytes(const slimband_stepper *s)
{
    const sb_stepper_cuda *cuda = s->state;
    return (size_t)(s->evolution.members * sb_points_of_member(&s->evolution)) * cuda->size;
}

/* Between steps increments are of no use: rings pass through their room. */
static cudaError_t put_state(const slimband_stepper *s, const void *state)
{
    const sb_stepper_cuda *cuda = s->state;
    cudaStream_t stream = cuda->stream;
    char *to = cuda->part[SB_DEVICE_STATE + cuda->current];
    char *by = cuda->rings ? cuda->part[SB_DEVICE_INCREMENTS] : to;
    cudaError_t error = cudaMemcpyAsync(by, state, state_bytes(s), cudaMemcpyHostToDevice, stream);
    if (!error && cuda->rings)
        error = cuda->kernels->interleave(cuda->lines[0].n, s->evolution.members, cuda->pitch, by, to, stream);
    return error ? error : cudaStreamSynchronize(stream);
}

static cudaError_t take_state(const slimband_stepper *s, void *state)
{
    const sb_stepper_cuda *cuda = s->state;
    cudaStream_t stream = cuda->stream;
    char *from = cuda->part[SB_DEVICE_STATE + cuda->current];
    char *by = cuda->rings ? cuda->part[SB_DEVICE_INCREMENTS] : from;
    cudaError_t error = cudaSuccess;
    if (cuda->rings)
        error = cuda->kernels->separate(cuda->lines[0].n, s->evolution.members, cuda->pitch, from, by, stream);
    if (!error)
        error = cudaMemcpyAsync(state, by, state_bytes(s), cudaMemcpyDeviceToHost, stream);
    return error ? error : cudaStreamSynchronize(stream);
}

static slimband_status set(slimband_stepper *s, const void *state)
{
    const sb_stepper_cuda *cuda = s->state;
    int previous;
    slimband_status status = cuda->elements ? sb_app_cuda_enter(s->executor.device, &previous) : SLIMBAND_OK;
    if (status || !cuda->elements)
        return status;
    status = sb_app_cuda_status(put_state(s, state));
    sb_app_cuda_leave(previous);
    return status;
}

static slimband_status get(const slimband_stepper *s, void *state)
{
    const sb_stepper_cuda *cuda = s->state;
    int previous;
    slimband_status status = cuda->elements ? sb_app_cuda_enter(s->executor.device, &previous) : SLIMBAND_OK;
    if (status || !cuda->elements)
        return status;
    status = sb_app_cuda_status(take_state(s, state));
    sb_app_cuda_leave(previous);
    return status;
}

/* Of each member, over its points; energies: those of its points over h, else the points themselves. */
static slimband_status sum(const slimband_stepper *s, bool energies, double *values)
{
    const sb_stepper_cuda *cuda = s->state;
    const slimband_evolution *e = &s->evolution;
    int previous;
    slimband_status status = cuda->elements ? sb_app_cuda_enter(s->executor.device, &previous) : SLIMBAND_OK;
    if (status || !cuda->elements)
        return status;
    const sb_device_members members = {.members = e->members,
                                       .member = cuda->rings ? 1 : sb_points_of_member(e),
                                       .points = sb_points_of_member(e),
                                       .point = cuda->rings ? cuda->pitch : 1,
                                       .slices = cuda->slices,
                                       .gamma = energies ? (double *)cuda->part[SB_DEVICE_GAMMA] : NULL,
                                       .h = sb_spacing(e, 0)};
    cudaStream_t stream = cuda->stream;
    double *there = (double *)cuda->part[SB_DEVICE_SUMS];
    cudaError_t error =
        cuda->kernels->sums(&members, cuda->part[SB_DEVICE_STATE + cuda->current], there, stream);
    if (!error)
        error = cudaMemcpyAsync(cuda->sums, there, (size_t)(e->members * cuda->slices) * sizeof(double),
                                cudaMemcpyDeviceToHost, stream);
    if (!error)
        error = cudaStreamSynchronize(stream);
    sb_app_cuda_leave(previous);
    for (int64_t m = 0; m < e->members; ++m) {
        values[m] = 0;
        for (int64_t k = 0; k < cuda->slices; ++k)
            values[m] += cuda->sums[m * cuda->slices + k];
        values[m] = energies ? values[m] * members.h : values[m] / (double)members.points;
    }
    return sb_app_cuda_status(error);
}

static slimband_status means(const slimband_stepper *s, double *values)
{
    return sum(s, false, values);
}

static slimband_status energies(const slimband_stepper *s, double *values)
{
    return sum(s, true, values);
}

/* A step alone: the first right-hand side 2 words, each further one 4 with its addition, the last addition 3, and the
   solves. */
static void report(const slimband_stepper *s, slimband_stepper_facts *facts)
{
    const sb_stepper_cuda *cuda = s->state;
    int rank = s->evolution.rank;
    facts->method = "none";
    facts->matrices = cuda->elements ? cuda->own ? s->evolution.members : 1 : 0;
    facts->words_per_point = cuda->elements ? 2 + 4 * (rank - 1) + 3 : 0;
    for (int axis = 0; cuda->elements && axis < rank; ++axis) {
        slimband_report plan = {0};
        slimband_plan_report(cuda->plan[axis], &plan);
        facts->method = plan.method;
        facts->words_per_point += plan.words_per_row;
        facts->pivoted += plan.pivoted;
    }
}

const sb_stepper_place sb_stepper_on_cuda = {.place = SLIMBAND_ON_CUDA,
                                             .create = create,
                                             .destroy = destroy,
                                             .set = set,
                                             .get = get,
                                             .step = sb_stepper_cuda_run,
                                             .means = means,
                                             .energies = energies,
                                             .report = report};
