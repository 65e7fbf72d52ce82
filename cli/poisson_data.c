/* slimband poisson: f and the walls' values from files and options. */
#include <math.h>
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
static bool set_side(sb_poisson_job *job, int axis, int side, sb_run from, int64_t count)
{
    int64_t points = job->problem.fields * job->points / job->problem.axis[axis].n;
    void **to = &job->side[axis][side];
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
    for (int64_t k = 0; k < points; ++k) {
        ((float *)*to)[k] = (float)wide[k * from.stride];
        if (!isfinite(((float *)*to)[k]))
            return sb_fail(&job->settings->failure, "--boundary: %g is beyond the largest f32",
                           wide[k * from.stride]);
    }
    return true;
}

static bool periodic(const sb_poisson_job *job, int axis)
{
    return job->problem.axis[axis].walls == SLIMBAND_WALLS_PP;
}

/* An axis without ends has a place in the list all the same. */
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
    for (int k = 0; k < sides; ++k) {
        if (periodic(job, k / 2) && values[k] != 0)
            return sb_fail(&s->failure, "--boundary: axis %d is periodic, its two values must be 0", k / 2);
        if (!periodic(job, k / 2) && !set_side(job, k / 2, k % 2, (sb_run){SLIMBAND_F64, &values[k], 1}, 1))
            return false;
    }
    return true;
}

/* The shape of an axis' wall: the other axes, behind that of the fields if f has it. */
static sb_npy wall_shape(const sb_poisson_job *job, int axis)
{
    sb_npy wall = {0};
    if (job->f.rank > job->problem.rank)
        wall.shape[wall.rank++] = job->problem.fields;
    for (int a = 0; a < job->problem.rank; ++a)
        if (a != axis)
            wall.shape[wall.rank++] = job->problem.axis[a].n;
    return wall;
}

static bool same_shape(const sb_npy *a, const sb_npy *b)
{
    bool same = a->rank == b->rank;
    for (int k = 0; k < a->rank && same; ++k)
        same = a->shape[k] == b->shape[k];
    return same;
}

enum { SHAPE_TEXT = 128 };

/* As Python writes it. */
static void print_shape(const sb_npy *array, char text[SHAPE_TEXT])
{
    size_t used = 1;
    snprintf(text, SHAPE_TEXT, "(");
    for (int k = 0; k < array->rank && used < SHAPE_TEXT; ++k)
        used += (size_t)snprintf(text + used, SHAPE_TEXT - used, "%s%lld", k ? ", " : "",
                                 (long long)array->shape[k]);
    if (used < SHAPE_TEXT)
        snprintf(text + used, SHAPE_TEXT - used, array->rank == 1 ? ",)" : ")");
}

/* One number stands for all; else there is one for each point, in the wall's own shape: as many in another would be
   scrambled. */
static bool check_wall(const sb_poisson_job *job, int axis, const sb_npy *array, const char *name)
{
    char given[SHAPE_TEXT], wanted[SHAPE_TEXT];
    sb_npy wall = wall_shape(job, axis);
    if ((array->rank <= 1 && sb_npy_elements(array) == 1) || same_shape(array, &wall))
        return true;
    print_shape(array, given);
    print_shape(&wall, wanted);
    return sb_fail(&job->settings->failure, "%s: has shape %s, but the wall has %s%s", name, given, wanted,
                   job->f.rank > job->problem.rank ? ": the fields stand in front" : "");
}

typedef char wall_name[16];

static void name_wall(int axis, int side, wall_name name)
{
    snprintf(name, sizeof(wall_name), "%s%d", side ? "high" : "low", axis);
}

static bool read_member(sb_poisson_job *job, int axis, int side)
{
    sb_poisson *s = job->settings;
    wall_name name;
    char called[512];
    sb_npy array;
    bool found;
    name_wall(axis, side, name);
    if (!sb_npz_read(&array, &found, s->boundary, name, &s->failure))
        return false;
    if (!found)
        return true;
    snprintf(called, sizeof called, "%s: %s.npy", s->boundary, name);
    bool good =
        periodic(job, axis)
            ? sb_fail(&s->failure, "%s has no meaning: axis %d is periodic", called, axis)
            : check_array(&array, called, &s->failure) && check_wall(job, axis, &array, called) &&
                  set_side(job, axis, side, (sb_run){array.scalar, array.data, 1}, sb_npy_elements(&array));
    sb_npy_free(&array);
    return good;
}

static bool read_members(sb_poisson_job *job)
{
    wall_name name[SB_POISSON_SIDES];
    const char *names[SB_POISSON_SIDES + 1] = {NULL};
    int sides = 2 * job->problem.rank;
    for (int k = 0; k < sides; ++k) {
        name_wall(k / 2, k % 2, name[k]);
        names[k] = name[k];
    }
    bool good = sb_npz_only(job->settings->boundary, names, &job->settings->failure);
    for (int k = 0; k < sides && good; ++k)
        good = read_member(job, k / 2, k % 2);
    return good;
}

bool sb_poisson_read_rhs(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    return sb_npy_read(&job->f, s->rhs, &s->failure) && check_array(&job->f, s->rhs, &s->failure);
}

/* Constants begin with a number, whatever its first character; but a file may be called 2.npz, too. */
static bool are_constants(const char *text)
{
    char *end;
    size_t length = strlen(text), tail = strlen(".npz");
    (void)strtod(text, &end);
    return end != text && (!*end || *end == ',') && !(length > tail && !strcmp(text + length - tail, ".npz"));
}

bool sb_poisson_read_walls(sb_poisson_job *job)
{
    sb_poisson *s = job->settings;
    if (!s->boundary)
        return true;
    if (are_constants(s->boundary))
        return read_constants(job);
    return read_members(job);
}
