/* From options to a stepper with its first state. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/npy.h"
#include "cli/reason.h"
#include "cli/simulate.h"
#include "gallery/random.h"
#include "slimband/cuda.h"

enum { PICTURE_ROWS = 512 };

static bool no_memory(sb_simulation *run)
{
    return sb_fail(&run->settings->failure, "not enough memory for %" PRId64 " members of %" PRId64 " points",
                   run->settings->batch, run->member_points);
}

/* Zeroed memory; NULL also where the bytes overflow. */
static void *room(int64_t count, size_t size)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes) || bytes > PTRDIFF_MAX)
        return NULL;
    return calloc((size_t)count + 1, size);
}

static bool spread(sb_simulation *run, const sb_range *range, double **values)
{
    int64_t members = run->settings->batch;
    if (!range->given)
        return true;
    *values = room(members, sizeof **values);
    for (int64_t m = 0; *values && m < members; ++m)
        (*values)[m] = range->first +
                       (members > 1 ? (range->last - range->first) * ((double)m / (double)(members - 1)) : 0);
    return *values || no_memory(run);
}

static bool set_evolution(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    slimband_evolution *e = &run->evolution;
    if (!spread(run, &s->gamma, &run->gamma) || !spread(run, &s->diffusivity, &run->diffusivity) ||
        !spread(run, &s->forcing, &run->forcing))
        return false;
    *e = slimband_heat(s->scalar, s->rank, s->size, s->dt);
    e->equation = s->equation;
    e->members = s->batch;
    e->order = (int)s->order;
    e->centring = (slimband_centring)s->centring;
    e->gamma = run->gamma;
    e->diffusivity = run->diffusivity;
    e->forcing = run->forcing;
    e->forcing_waves = s->forcing_waves;
    e->forcing_speed = s->forcing_speed;
    for (int a = 0; a < s->rank; ++a) {
        e->length[a] = s->length[a];
        e->walls[a] = s->walls[a];
        e->wall_values[a][0] = s->boundary[2 * a];
        e->wall_values[a][1] = s->boundary[2 * a + 1];
    }
    return true;
}

static bool refuse(sb_simulation *run, slimband_status status)
{
    const slimband_evolution *e = &run->evolution;
    sb_failure *failure = &run->settings->failure;
    const char *sentence = sb_reason(status);
    if (status == SLIMBAND_NO_DEVICE || status == SLIMBAND_NOT_BUILT_IN)
        return sb_fail(failure, "--executor cuda: %s", sentence);
    if (status != SLIMBAND_UNSTABLE_STEP)
        return sb_fail(failure, "%s", sentence);
    double most = INFINITY;
    int64_t different = e->gamma || e->diffusivity ? e->members : 1;
    for (int64_t m = 0; m < different; ++m)
        most = fmin(most, 2 * (e->gamma ? e->gamma[m] : 1) / (e->diffusivity ? e->diffusivity[m] : 1));
    return sb_fail(failure, "%s: --dt %g at most", sentence, most);
}

static bool make_stepper(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    slimband_executor executor = s->cuda ? slimband_cuda(0, NULL) : slimband_cpu((int)s->threads);
    slimband_status status = slimband_stepper_create(&run->stepper, &run->evolution, executor);
    return !status || refuse(run, status);
}

static bool reserve(sb_records *records, int64_t every, int64_t steps, int64_t each, size_t size)
{
    *records = (sb_records){.every = every, .room = steps / every + 1, .each = each, .size = size};
    int64_t numbers;
    records->data = __builtin_mul_overflow(records->room, each, &numbers) ? NULL : room(numbers, size);
    return records->data;
}

static bool reserve_all(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    int64_t each_row = s->steps / PICTURE_ROWS + 1;
    run->state = room(run->elements, run->size);
    run->means = room(s->batch, sizeof *run->means);
    run->energies = s->equation == SLIMBAND_CAHN_HILLIARD ? room(s->batch, sizeof *run->energies) : NULL;
    bool good = run->state && run->means && (run->energies || s->equation != SLIMBAND_CAHN_HILLIARD);
    if (good && s->every)
        good = reserve(&run->frames, s->every, s->steps, run->elements, run->size);
    if (good && s->picture && s->rank == 1)
        good = reserve(&run->rows, each_row, s->steps, s->size[0], sizeof(double));
    return good || no_memory(run);
}

/* Everything that the numbers depend on; threads are none of it. */
static void write_parameters(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    snprintf(
        run->parameters, sizeof run->parameters,
        "equation=%s type=%s size=%" PRId64 ",%" PRId64 ",%" PRId64 " length=%.17g,%.17g,%.17g ends=%d,%d,%d "
        "boundary=%.17g,%.17g,%.17g,%.17g,%.17g,%.17g "
        "centring=%d order=%" PRId64 " batch=%" PRId64 " steps=%" PRId64 " dt=%.17g gamma=%.17g:%.17g "
        "diffusivity=%.17g:%.17g forcing=%.17g:%.17g forcing-waves=%" PRId64
        " forcing-speed=%.17g waves=%" PRId64 " amplitude=%.17g mean=%.17g seed=%" PRId64 " every=%" PRId64
        " picture=%d member=%" PRId64 " executor=%s initial=%.256s",
        s->what, s->scalar == SLIMBAND_F32 ? "f32" : "f64", s->size[0], s->size[1], s->size[2], s->length[0],
        s->length[1], s->length[2], (int)s->walls[0], (int)s->walls[1], (int)s->walls[2], s->boundary[0],
        s->boundary[1], s->boundary[2], s->boundary[3], s->boundary[4], s->boundary[5], s->centring, s->order,
        s->batch, s->steps, s->dt, s->gamma.first, s->gamma.last, s->diffusivity.first, s->diffusivity.last,
        s->forcing.first, s->forcing.last, s->forcing_waves, s->forcing_speed, s->waves, s->amplitude, s->mean,
        s->seed, s->every, s->picture != NULL, s->member, s->cuda ? "cuda" : "cpu", s->initial_file);
    for (char *c = run->parameters; *c; ++c)
        *c = *c == '\n' ? '?' : *c;
}

static bool count_elements(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    bool good = true;
    run->member_points = 1;
    for (int a = 0; good && a < s->rank; ++a)
        good = !__builtin_mul_overflow(run->member_points, s->size[a], &run->member_points);
    good = good && !__builtin_mul_overflow(run->member_points, s->batch, &run->elements);
    return good || sb_fail(&run->settings->failure, "%s", sb_reason(SLIMBAND_TOO_LARGE));
}

bool sb_simulation_prepare(sb_simulation *run)
{
    run->size = run->settings->scalar == SLIMBAND_F32 ? sizeof(float) : sizeof(double);
    write_parameters(run);
    return count_elements(run) && set_evolution(run) && make_stepper(run) && reserve_all(run) &&
           sb_simulation_initial(run);
}

static void put(sb_simulation *run, int64_t i, double value)
{
    if (run->size == sizeof(float))
        ((float *)run->state)[i] = (float)value;
    else
        ((double *)run->state)[i] = value;
}

/* Along each axis a sine from a Dirichlet wall, else a cosine, of `waves` half waves (on a ring: waves); or 1 in the middle
   half. */
static double factor(const sb_simulate *s, int axis, double x)
{
    double at = x / s->length[axis];
    if (s->initial == SB_BLOCK)
        return at >= 0.25 && at < 0.75 ? 1 : 0;
    const double pi = 3.14159265358979323846;
    slimband_walls walls = s->walls[axis];
    bool sine = walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_DN;
    double halves = (double)s->waves * (walls == SLIMBAND_WALLS_PP ? 2 : 1);
    halves -= walls == SLIMBAND_WALLS_DN || walls == SLIMBAND_WALLS_ND ? 0.5 : 0;
    return sine ? sin(pi * halves * at) : cos(pi * halves * at);
}

/* The product of the axes' factors at each point of each member; axes that there are not count as one point. */
static void fill_products(sb_simulation *run, double *const factors[SLIMBAND_STEPPER_MAX_RANK])
{
    const sb_simulate *s = run->settings;
    static const double one = 1;
    const double *along[SLIMBAND_STEPPER_MAX_RANK];
    int64_t n[SLIMBAND_STEPPER_MAX_RANK], i = 0;
    for (int k = 0; k < SLIMBAND_STEPPER_MAX_RANK; ++k) {
        along[k] = factors[k] ? factors[k] : &one;
        n[k] = factors[k] ? s->size[k] : 1;
    }
    for (int64_t z = 0; z < n[0]; ++z)
        for (int64_t y = 0; y < n[1]; ++y)
            for (int64_t x = 0; x < n[2]; ++x, ++i)
                for (int64_t m = 0; m < s->batch; ++m)
                    put(run, m * run->member_points + i,
                        s->mean + s->amplitude * along[0][z] * along[1][y] * along[2][x]);
}

static bool fill_shape(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    double *factors[SLIMBAND_STEPPER_MAX_RANK] = {NULL, NULL, NULL};
    bool good = true;
    for (int a = 0; a < s->rank; ++a) {
        factors[a] = room(s->size[a], sizeof **factors);
        good = good && factors[a] && !slimband_evolution_points(&run->evolution, a, factors[a]);
        for (int64_t i = 0; good && i < s->size[a]; ++i)
            factors[a][i] = factor(s, a, factors[a][i]);
    }
    if (good)
        fill_products(run, factors);
    for (int a = 0; a < s->rank; ++a)
        free(factors[a]);
    return good || no_memory(run);
}

static bool fill_random(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    sb_random random = sb_random_seeded((uint64_t)s->seed);
    for (int64_t i = 0; i < run->elements; ++i)
        put(run, i, s->mean + s->amplitude * sb_random_signed(&random));
    return true;
}

/* One member's points, or all members'. */
static bool fits(const sb_simulation *run, const sb_npy *file)
{
    const sb_simulate *s = run->settings;
    int members = file->rank - s->rank;
    bool good = (members == 0 || (members == 1 && file->shape[0] == s->batch)) &&
                (file->scalar == SLIMBAND_F32 || file->scalar == SLIMBAND_F64);
    for (int a = 0; good && a < s->rank; ++a)
        good = file->shape[members + a] == s->size[a];
    return good;
}

static bool copy_file(sb_simulation *run, const sb_npy *file)
{
    sb_simulate *s = run->settings;
    int64_t strides[SB_NPY_MAX_RANK];
    sb_npy_strides(file, strides);
    for (int64_t i = 0; i < run->elements; ++i) {
        int64_t rest = i, at = 0;
        double value;
        for (int a = s->rank - 1; a >= 0; --a) {
            at += rest % s->size[a] * strides[file->rank - s->rank + a];
            rest /= s->size[a];
        }
        at += file->rank > s->rank ? rest * strides[0] : 0;
        value = file->scalar == SLIMBAND_F32 ? (double)((const float *)file->data)[at]
                                             : ((const double *)file->data)[at];
        if (!isfinite(value))
            return sb_fail(&s->failure, "%s: holds NaN or infinity", s->initial_file);
        put(run, i, value);
    }
    return true;
}

static bool fill_from_file(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    sb_npy file;
    sb_progress_update(&run->progress, "reading", -1);
    if (!sb_npy_read(&file, s->initial_file, &s->failure))
        return false;
    bool good = fits(run, &file) ? copy_file(run, &file)
                                 : sb_fail(&s->failure,
                                           "%s: must be real and of the shape that --size says, with or "
                                           "without a first axis of --batch members",
                                           s->initial_file);
    sb_npy_free(&file);
    return good;
}

/* Later overflows are the stepper's to find, but a run of no steps asks it for none. */
static bool check_range(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    sb_run numbers = {s->scalar, run->state, 1};
    const char *type = s->scalar == SLIMBAND_F32 ? "f32" : "f64";
    int64_t i = 0;
    while (i < run->elements && sb_number_is_finite(sb_run_at(numbers, i)))
        ++i;
    if (i == run->elements)
        return true;
    if (s->initial == SB_FROM_FILE)
        return sb_fail(&s->failure, "%s: holds numbers beyond the largest %s", s->initial_file, type);
    return sb_fail(&s->failure, "--amplitude %g and --mean %g make numbers beyond the largest %s", s->amplitude,
                   s->mean, type);
}

bool sb_simulation_initial(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    bool good = s->initial == SB_FROM_FILE ? fill_from_file(run)
                : s->initial == SB_RANDOM  ? fill_random(run)
                                           : fill_shape(run);
    if (!good || !check_range(run))
        return false;
    slimband_status status = slimband_stepper_set(run->stepper, run->state, 0);
    return !status || sb_fail(&run->settings->failure, "%s", sb_reason(status));
}
