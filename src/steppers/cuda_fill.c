/* What members bring, rounded and sent to a GPU. */
#include <stdlib.h>
#include <string.h>

#include "src/apps/device.h"
#include "src/apps/memory.h"
#include "src/steppers/cuda.h"
#include "src/steppers/steady.h"

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

slimband_status sb_stepper_cuda_fill(slimband_stepper *s)
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
