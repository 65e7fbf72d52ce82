/* Steppers on a GPU: memory, and the state in and out. */
#include "src/steppers/cuda.h"

#include <stdlib.h>
#include <string.h>

#include "src/apps/device.h"
#include "src/apps/memory.h"
#include "src/steppers/steady.h"

enum { ALIGNMENT = 256, WHOLE_ROW = 32, MOST_SLICES = 64, SLICE = 1 << 14, LONGEST_RUN = 32 };

/* Threads that keep a multiprocessor busy. */
enum { ENOUGH_THREADS = 2048 };

static int64_t over(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static void lay_out_lines(const slimband_evolution *e, sb_stepper_cuda *cuda)
{
    int64_t inside = 1, points = sb_points_of_member(e);
    for (int axis = e->rank - 1; axis >= 0; --axis) {
        int64_t n = e->points[axis], outside = points / inside / n;
        sb_device_lines *l = &cuda->lines[axis];
        *l = (sb_device_lines){.n = n,
                               .stride = cuda->rings ? cuda->pitch : inside,
                               .across = cuda->rings ? e->members : inside,
                               .groups = cuda->rings ? 1 : e->members * outside,
                               .group_stride = n * inside,
                               .groups_of_member = cuda->rings ? 0 : outside,
                               .walls = e->walls[axis],
                               .centring = e->centring,
                               .law = e->equation == SLIMBAND_HYPERDIFFUSION  ? SB_LAW_HYPER
                                      : e->equation == SLIMBAND_CAHN_HILLIARD ? SB_LAW_CUBIC
                                      : e->order == 2                         ? SB_LAW_HEAT2
                                                                              : SB_LAW_HEAT4};
        int64_t run = n * l->across * l->groups / (cuda->processors * ENOUGH_THREADS);
        run = run > LONGEST_RUN ? LONGEST_RUN : run;
        l->run = l->stride == 1 || run < 1 ? 1 : run;
        inside *= n;
    }
}

static void lay_out(const slimband_evolution *e, sb_stepper_cuda *cuda)
{
    int64_t points = sb_points_of_member(e);
    cuda->rings = e->equation != SLIMBAND_HEAT;
    cuda->own = !sb_members_share(e);
    cuda->forced = sb_is_forced(e);
    cuda->pitch = e->members < WHOLE_ROW ? e->members : over(e->members, WHOLE_ROW) * WHOLE_ROW;
    cuda->elements = points * (cuda->rings ? cuda->pitch : e->members);
    cuda->slices = cuda->rings ? 1 : over(points, SLICE);
    cuda->slices = cuda->slices > MOST_SLICES ? MOST_SLICES : cuda->slices;
    lay_out_lines(e, cuda);
}

static size_t bytes_of(const slimband_evolution *e, const sb_stepper_cuda *cuda, int part)
{
    size_t members = (size_t)e->members, numbers = cuda->size;
    switch (part) {
    case SB_DEVICE_STATE:
    case SB_DEVICE_OTHER_STATE:
    case SB_DEVICE_INCREMENTS:
    case SB_DEVICE_OTHER_INCREMENTS:
        return (size_t)cuda->elements * numbers;
    case SB_DEVICE_STIFFNESS:
    case SB_DEVICE_FORCE:
        return cuda->rings ? members * numbers : 0;
    case SB_DEVICE_RATE:
        return members * numbers * (size_t)e->rank;
    case SB_DEVICE_COSINE:
    case SB_DEVICE_SINE:
        return cuda->forced ? (size_t)e->points[0] * sizeof(double) : 0;
    case SB_DEVICE_GAMMA:
        return cuda->rings ? members * sizeof(double) : 0;
    case SB_DEVICE_STEADY:
        return sb_has_wall_values(e) ? (size_t)sb_points_of_member(e) * numbers : 0;
    case SB_DEVICE_GAIN:
        return sb_has_wall_values(e) ? members * numbers : 0;
    default:
        return members * (size_t)cuda->slices * sizeof(double);
    }
}

/* One piece of device memory, zeroed: the state begins so. */
static slimband_status allocate(slimband_stepper *s, sb_stepper_cuda *cuda)
{
    size_t at[SB_DEVICE_PARTS + 1] = {0};
    for (int k = 0; k < SB_DEVICE_PARTS; ++k)
        at[k + 1] = at[k] + (bytes_of(&s->evolution, cuda, k) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
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

/* From the host, whose memory is pageable: CUDA has copied it out when its call returns. */
static slimband_status put(const slimband_stepper *s, char *to, const void *from, size_t bytes)
{
    return sb_app_cuda_status(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, ((const sb_stepper_cuda *)s->state)->stream));
}

/* `count` numbers of the type, from `values`, which are rounded in place. */
static slimband_status put_rounded(const slimband_stepper *s, char *to, double *values, size_t count)
{
    const sb_stepper_cuda *cuda = s->state;
    float *single = (float *)values;
    for (size_t k = 0; cuda->size == sizeof(float) && k < count; ++k) {
        float value = (float)values[k];
        memcpy(&single[k], &value, sizeof value);
    }
    return put(s, to, values, count * cuda->size);
}

/* The numbers that members bring, of one part; axis: of the rates. */
static double number_of(const slimband_stepper *s, int part, int axis, int64_t m)
{
    const slimband_evolution *e = &s->evolution;
    switch (part) {
    case SB_DEVICE_STIFFNESS:
        return sb_stiffness(e, m);
    case SB_DEVICE_FORCE:
        return sb_of_member(e->forcing, m, 0);
    case SB_DEVICE_RATE:
        return sb_rate(e, axis, m);
    case SB_DEVICE_GAIN:
        return e->dt * sb_of_member(e->diffusivity, m, 1) * ((const sb_stepper_cuda *)s->state)->gain;
    default:
        return sb_of_member(e->gamma, m, 1);
    }
}

static slimband_status put_numbers(const slimband_stepper *s, int part, int axis, double *room)
{
    const sb_stepper_cuda *cuda = s->state;
    size_t members = (size_t)s->evolution.members;
    for (size_t m = 0; m < members; ++m)
        room[m] = number_of(s, part, axis, (int64_t)m);
    if (part == SB_DEVICE_GAMMA)
        return put(s, cuda->part[part], room, members * sizeof *room);
    return put_rounded(s, cuda->part[part] + (size_t)axis * members * cuda->size, room, members);
}

static slimband_status put_waves(const slimband_stepper *s, double *room)
{
    const sb_stepper_cuda *cuda = s->state;
    size_t n = (size_t)s->evolution.points[0], bytes = n * sizeof *room;
    sb_wave_points(&s->evolution, room, room + n);
    slimband_status status = put(s, cuda->part[SB_DEVICE_COSINE], room, bytes);
    return status ? status : put(s, cuda->part[SB_DEVICE_SINE], room + n, bytes);
}

static slimband_status put_ring_numbers(slimband_stepper *s, double *room)
{
    static const int parts[] = {SB_DEVICE_STIFFNESS, SB_DEVICE_FORCE, SB_DEVICE_GAMMA};
    sb_stepper_cuda *cuda = s->state;
    slimband_status status = SLIMBAND_OK;
    for (int k = 0; !status && k < 3; ++k)
        status = put_numbers(s, parts[k], 0, room);
    cuda->lines[0].stiffness = cuda->part[SB_DEVICE_STIFFNESS];
    cuda->lines[0].force = cuda->part[SB_DEVICE_FORCE];
    return status || !cuda->forced ? status : put_waves(s, room);
}

static slimband_status put_steady(slimband_stepper *s, double *room)
{
    const slimband_evolution *e = &s->evolution;
    sb_stepper_cuda *cuda = s->state;
    slimband_status status = sb_steady_state(e, room, &cuda->gain);
    if (!status)
        status = put_rounded(s, cuda->part[SB_DEVICE_STEADY], room, (size_t)sb_points_of_member(e));
    for (int axis = 0; axis < e->rank; ++axis)
        cuda->lines[axis].steady = cuda->part[SB_DEVICE_STEADY];
    if (status || cuda->gain == 0)
        return status;
    cuda->lines[0].gain = cuda->part[SB_DEVICE_GAIN];
    return put_numbers(s, SB_DEVICE_GAIN, 0, room);
}

static slimband_status fill(slimband_stepper *s)
{
    sb_stepper_cuda *cuda = s->state;
    const slimband_evolution *e = &s->evolution;
    size_t unused = 0, members = (size_t)e->members, points = (size_t)sb_points_of_member(e);
    double *room = sb_app_allocate(members + 2 * points, sizeof *room, &unused);
    slimband_status status = room ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
    for (int axis = 0; !status && axis < e->rank; ++axis) {
        status = put_numbers(s, SB_DEVICE_RATE, axis, room);
        cuda->lines[axis].rate = cuda->part[SB_DEVICE_RATE] + (size_t)axis * members * cuda->size;
    }
    if (!status && cuda->rings)
        status = put_ring_numbers(s, room);
    if (!status && sb_has_wall_values(e))
        status = put_steady(s, room);
    free(room);
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
    lay_out(&s->evolution, cuda);
    if (cuda->elements == 0)
        return SLIMBAND_OK;
    if (!cuda->stream) {
        status = sb_app_cuda_status(cudaStreamCreateWithFlags(&cuda->own_stream, cudaStreamNonBlocking));
        cuda->stream = cuda->own_stream;
    }
    if (!status)
        status = allocate(s, cuda);
    if (!status)
        status = fill(s);
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
    slimband_status status = sb_app_cuda_enter(s->executor.device, &previous);
    if (status || cuda->elements == 0)
        return status;
    status = sb_app_cuda_status(put_state(s, state));
    sb_app_cuda_leave(previous);
    return status;
}

static slimband_status get(const slimband_stepper *s, void *state)
{
    const sb_stepper_cuda *cuda = s->state;
    int previous;
    slimband_status status = sb_app_cuda_enter(s->executor.device, &previous);
    if (status || cuda->elements == 0)
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
    slimband_status status = sb_app_cuda_enter(s->executor.device, &previous);
    if (status || cuda->elements == 0)
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
