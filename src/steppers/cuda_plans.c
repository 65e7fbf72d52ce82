/* The plans of axes on a GPU, and their matrices. */
#include <stdlib.h>

#include "slimband/cuda.h"
#include "src/apps/device.h"
#include "src/apps/memory.h"
#include "src/steppers/cuda.h"
#include "src/steppers/matrix.h"

/* Lines along an axis: an axis of the array of members x points, or columns of interleaved rings. Matrices of one's own are
   a member's, whatever line of it is solved. */
static slimband_status describe(const slimband_stepper *s, int axis, slimband_problem *p)
{
    const slimband_evolution *e = &s->evolution;
    const sb_stepper_cuda *cuda = s->state;
    int band = sb_stepper_bandwidth(e);
    *p = slimband_banded(e->scalar, e->points[axis], band, band);
    p->ends = e->walls[axis] == SLIMBAND_WALLS_PP ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p->pivoting = SLIMBAND_PIVOT_NONE; /* as in plans.c */
    p->coefficients = cuda->own ? SLIMBAND_OWN : SLIMBAND_SHARED;
    if (cuda->rings) {
        p->batch_rank = 1;
        p->batch[0] = e->members;
        p->rhs = p->solution = p->matrix = (slimband_layout){.line = cuda->pitch, .batch = {1}};
        p->matrix.line = cuda->own ? cuda->pitch : 1;
        return SLIMBAND_OK;
    }
    int64_t extents[SLIMBAND_STEPPER_MAX_RANK + 1] = {e->members};
    for (int a = 0; a < e->rank; ++a)
        extents[a + 1] = e->points[a];
    slimband_status status = slimband_along_axis(p, e->rank + 1, extents, axis + 1);
    p->matrix = (slimband_layout){.line = 1, .batch = {e->points[axis]}};
    return status;
}

/* Room on the host and on the device, both freed when the plan has its factors. */
typedef struct room {
    double *exact;
    void *rounded;
    char *device;
} room;

static cudaError_t upload(const slimband_stepper *s, const room *r, int64_t numbers)
{
    const sb_stepper_cuda *cuda = s->state;
    for (int64_t i = 0; i < numbers; ++i) {
        if (cuda->size == sizeof(float))
            ((float *)r->rounded)[i] = (float)r->exact[i];
        else
            ((double *)r->rounded)[i] = r->exact[i];
    }
    return cudaMemcpyAsync(r->device, r->rounded, (size_t)numbers * cuda->size, cudaMemcpyHostToDevice,
                           cuda->stream);
}

/* Rings of members with their own matrices: one row of each, at the start of the room, then n times that behind it. */
static cudaError_t fill_rings(const slimband_stepper *s, const room *r, const void *diagonals[])
{
    const sb_stepper_cuda *cuda = s->state;
    const slimband_evolution *e = &s->evolution;
    int64_t n = e->points[0], pitch = cuda->pitch;
    for (int64_t m = 0; m < e->members; ++m) {
        double row[SB_MOST_DIAGONALS];
        sb_stepper_row(e, 0, m, row);
        for (int k = 0; k < SB_MOST_DIAGONALS; ++k)
            r->exact[k * pitch + m] = row[k];
    }
    cudaError_t error = upload(s, r, SB_MOST_DIAGONALS * pitch);
    for (int k = 0; k < SB_MOST_DIAGONALS && !error; ++k) {
        char *to = r->device + (size_t)((SB_MOST_DIAGONALS + k * n) * pitch) * cuda->size;
        error = cuda->kernels->repeat(n, pitch, r->device + (size_t)(k * pitch) * cuda->size, to, cuda->stream);
        diagonals[k] = to;
    }
    return error;
}

/* One matrix, or those of members one after another. */
static cudaError_t fill_lines(const slimband_stepper *s, int axis, const room *r, const void *diagonals[])
{
    const sb_stepper_cuda *cuda = s->state;
    const slimband_evolution *e = &s->evolution;
    int width = 2 * sb_stepper_bandwidth(e) + 1;
    int64_t n = e->points[axis], matrices = cuda->own ? e->members : 1;
    for (int64_t m = 0; m < matrices; ++m) {
        double *exact[SB_MOST_DIAGONALS];
        for (int k = 0; k < width; ++k)
            exact[k] = r->exact + (k * matrices + m) * n;
        sb_stepper_matrix(e, axis, m, exact, 1);
    }
    for (int k = 0; k < width; ++k)
        diagonals[k] = r->device + (size_t)(k * matrices * n) * cuda->size;
    return upload(s, r, width * matrices * n);
}

static slimband_status factor(const slimband_stepper *s, int axis, const room *r)
{
    const sb_stepper_cuda *cuda = s->state;
    const void *diagonals[SB_MOST_DIAGONALS];
    bool rows = cuda->rings && cuda->own;
    slimband_status status =
        sb_app_cuda_status(rows ? fill_rings(s, r, diagonals) : fill_lines(s, axis, r, diagonals));
    if (!status)
        status = slimband_factor(cuda->plan[axis], diagonals);
    return status ? status : slimband_cuda_wait(cuda->plan[axis]);
}

static slimband_status take_room(const slimband_stepper *s, int axis, room *r)
{
    const sb_stepper_cuda *cuda = s->state;
    const slimband_evolution *e = &s->evolution;
    bool rows = cuda->rings && cuda->own;
    int64_t each = rows ? cuda->pitch : (cuda->own ? e->members : 1) * e->points[axis];
    size_t unused = 0, host = SB_MOST_DIAGONALS * (size_t)each,
           device = rows ? host * (size_t)(1 + e->points[axis]) : host;
    void *memory = NULL;
    cudaError_t error = cudaMalloc(&memory, device * cuda->size);
    if (error)
        (void)cudaGetLastError();
    r->device = memory;
    r->exact = sb_app_allocate(host, sizeof *r->exact, &unused);
    r->rounded = sb_app_allocate(host, cuda->size, &unused);
    return error ? sb_app_cuda_status(error) : r->exact && r->rounded ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

static slimband_status make_plan(slimband_stepper *s, int axis)
{
    sb_stepper_cuda *cuda = s->state;
    slimband_problem problem;
    slimband_report report = {0};
    room r = {NULL, NULL, NULL};
    slimband_status status = describe(s, axis, &problem);
    if (!status)
        status = slimband_plan_create(&cuda->plan[axis], &problem,
                                      slimband_cuda(s->executor.device, cuda->stream), SLIMBAND_AUTO);
    if (!status)
        status = take_room(s, axis, &r);
    if (!status)
        status = factor(s, axis, &r);
    if (!status)
        status = slimband_plan_report(cuda->plan[axis], &report);
    s->bytes += report.workspace_bytes;
    (void)cudaFree(r.device);
    free(r.exact);
    free(r.rounded);
    return status;
}

slimband_status sb_stepper_cuda_plans(slimband_stepper *s)
{
    slimband_status status = SLIMBAND_OK;
    for (int axis = 0; !status && axis < s->evolution.rank; ++axis)
        status = make_plan(s, axis);
    return status;
}
