/* How members lie on a GPU, and how much memory that takes. */
#include "src/steppers/cuda.h"

enum { WHOLE_ROW = 32, MOST_SLICES = 64, SLICE = 1 << 14, LONGEST_RUN = 32 };

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

void sb_stepper_cuda_lay_out(const slimband_evolution *e, sb_stepper_cuda *cuda)
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

size_t sb_stepper_cuda_bytes(const slimband_evolution *e, const sb_stepper_cuda *cuda, int part)
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
