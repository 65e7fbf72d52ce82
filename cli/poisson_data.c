/* slimband poisson: f and the walls' values from files and options. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lists.h"
#include "cli/npz.h"
#include "cli/poisson.h"

bool sb_poisson_allocate(sb_poisson_job *job, void **data, int64_t count)
{
    size_t bytes;
    *data = NULL;
    if (!__builtin_mul_overflow((size_t)count, sb_number_bytes(job->problem.scalar), &bytes))
        *data = malloc(bytes ? bytes : 1);
    if (!*data) {
        sb_fail(&job->settings->failure, "not enough memory for %lld numbers", (long long)count);
        return false;
    }
    memset(*data, 0, bytes); /* so that no page is missing when the clock runs */
    return true;
}

/* Real, in C order, finite. */
static bool check_array(const sb_npy *array, const char *name, sb_failure *failure)
{
    if (array->scalar != SLIMBAND_F32 && array->scalar != SLIMBAND_F64)
        return sb_fail(failure, "%s: holds complex numbers; f and boundary values are float32 or float64",
                       name);
    if (array->fortran && array->rank > 1)
        return sb_fail(failure, "%s: is in Fortran order; save numpy.ascontiguousarray of it", name);
    int64_t count = sb_npy_elements(array);
    if (count == 0)
        return sb_fail(failure, "%s: the array is empty", name);
    sb_run run = {array->scalar, array->data, 1};
    for (int64_t k = 0; k < count; ++k)
        if (!sb_number_is_finite(sb_run_at(run, k)))
            return sb_fail(failure, "%s: entry %lld is NaN or Inf", name, (long long)k);
    return true;
}

/* As many numbers as the side has points, from one that stands for all or from as many. */
static bool set_side(sb_poisson_job *job, int axis, int side, sb_run from, int64_t count, const char *name)
{
    int64_t points = job->problem.fields * job->points / job->problem.axis[axis].n;
    void **to = &job->side[axis][side];
    if (count != 1 && count != points)
        return sb_fail(&job->settings->failure, "%s: has %lld values, but the wall has %lld points", name,
                       (long long)count, (long long)points);
    if (!sb_poisson_allocate(job, to, points))
        return false;
    job->boundary.side[axis][side] = *to;
    if (count == 1)
        from.stride = 0;
    if (sb_common_scalar(from.scalar, job->problem.scalar) == job->problem.scalar) {
        sb_copy_numbers((sb_run){job->problem.scalar, *to, 1}, from, points);
        return true;
    }
    const double *wide = from.start;
    for (int64_t k = 0; k < points; ++k)
        ((float *)*to)[k] = (float)wide[k * from.stride];
    return true;
}

static bool read_constants(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    double values[SB_POISSON_SIDES];
    int count, sides = 2 * job->problem.rank;
    if (sb_option_numbers("--boundary", s->boundary, false, SB_POISSON_SIDES, values, &count, &s->failure))
        return false;
    if (count != sides)
        return sb_fail(&s->failure, "--boundary has %d values, but %d axes have %d ends", count,
                       job->problem.rank, sides);
    for (int k = 0; k < sides; ++k)
        if (!set_side(job, k / 2, k % 2, (sb_run){SLIMBAND_F64, &values[k], 1}, 1, "--boundary"))
            return false;
    return true;
}

static bool read_member(sb_poisson_job *job, int axis, int side)
{
    sb_poisson *s = job->settings;
    char name[16], called[512];
    sb_npy array;
    bool found;
    snprintf(name, sizeof name, "%s%d", side ? "high" : "low", axis);
    if (!sb_npz_read(&array, &found, s->boundary, name, &s->failure))
        return false;
    if (!found)
        return true;
    snprintf(called, sizeof called, "%s: %s.npy", s->boundary, name);
    bool good =
        check_array(&array, called, &s->failure) &&
        set_side(job, axis, side, (sb_run){array.scalar, array.data, 1}, sb_npy_elements(&array), called);
    sb_npy_free(&array);
    return good;
}

bool sb_poisson_read_rhs(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    return sb_npy_read(&job->f, s->rhs, &s->failure) && check_array(&job->f, s->rhs, &s->failure);
}

bool sb_poisson_read_walls(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    if (!s->boundary)
        return true;
    const char *first = s->boundary + (*s->boundary == '-' || *s->boundary == '+');
    if (isdigit((unsigned char)*first) && !strstr(s->boundary, ".npz"))
        return read_constants(job);
    bool good = true;
    for (int k = 0; k < 2 * job->problem.rank && good; ++k)
        good = read_member(job, k / 2, k % 2);
    return good;
}
