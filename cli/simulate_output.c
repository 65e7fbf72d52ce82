/* What is left of a run: arrays, pictures, words. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/npy.h"
#include "cli/picture.h"
#include "cli/simulate.h"

static double number_at(const sb_simulation *run, int64_t i)
{
    return run->size == sizeof(float) ? (double)((const float *)run->state)[i]
                                      : ((const double *)run->state)[i];
}

static void write_array(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    sb_npy array = {.scalar = s->scalar, .data = s->every ? (void *)run->frames.data : run->state};
    if (s->every)
        array.shape[array.rank++] = run->frames.count;
    if (s->batched)
        array.shape[array.rank++] = s->batch;
    for (int a = 0; a < s->rank; ++a)
        array.shape[array.rank++] = s->size[a];
    sb_npy_write(&array, &run->output);
}

/* A ring's rows in time; a field, of three axes the plane in the middle of the first one. */
static bool write_picture(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    sb_picture picture = {.low = NAN, .high = NAN};
    if (s->rank == 1) {
        picture.rows = run->rows.count;
        picture.columns = run->rows.each;
        picture.values = (const double *)run->rows.data;
        return sb_picture_write(run->picture.stream, &picture, s->picture, &s->failure);
    }
    picture.rows = s->size[s->rank - 2];
    picture.columns = s->size[s->rank - 1];
    int64_t plane = picture.rows * picture.columns, first = s->member * run->member_points;
    first += s->rank == 3 ? s->size[0] / 2 * plane : 0;
    double *values = malloc((size_t)plane * sizeof *values);
    if (!values)
        return sb_fail(&s->failure, "%s: not enough memory for the picture", s->picture);
    for (int64_t i = 0; i < plane; ++i)
        values[i] = number_at(run, first + i);
    picture.values = values;
    bool good = sb_picture_write(run->picture.stream, &picture, s->picture, &s->failure);
    free(values);
    return good;
}

bool sb_simulation_write(sb_simulation *run)
{
    const sb_simulate *s = run->settings;
    sb_progress_update(&run->progress, "writing", -1);
    if (s->output)
        write_array(run);
    return !s->picture || write_picture(run);
}

/* Over all members, at the end and since this process began. */
typedef struct summary {
    double low, high, drift; /* drift: the largest change of a member's mean */
    double energy[2];        /* of all members together, then and now */
    double nanoseconds;      /* a point and step */
    int64_t taken;
    slimband_stepper_facts facts;
} summary;

static bool summarise(sb_simulation *run, summary *all)
{
    const sb_simulate *s = run->settings;
    size_t members = (size_t)s->batch;
    double *now = malloc(2 * members * sizeof *now), *energy = now ? now + members : NULL;
    if (!now)
        return sb_fail(&run->settings->failure, "not enough memory for the report");
    *all = (summary){.low = INFINITY, .high = -INFINITY, .taken = run->step - run->first_step};
    for (int64_t i = 0; i < run->elements; ++i) {
        all->low = fmin(all->low, number_at(run, i));
        all->high = fmax(all->high, number_at(run, i));
    }
    bool good = sb_simulation_diagnose(run, now, run->energies ? energy : NULL);
    for (int64_t m = 0; good && m < s->batch; ++m) {
        all->drift = fmax(all->drift, fabs(now[m] - run->means[m]));
        all->energy[0] += run->energies ? run->energies[m] : 0;
        all->energy[1] += run->energies ? energy[m] : 0;
    }
    free(now);
    if (!good)
        return false;
    slimband_stepper_report(run->stepper, &all->facts);
    double points = (double)all->taken * (double)run->elements;
    all->nanoseconds = points > 0 ? 1e9 * run->seconds / points : 0;
    return true;
}

static bool tell_json(const sb_simulation *run, const summary *all)
{
    sb_simulate *s = run->settings;
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "equation", s->what);
    cJSON_AddStringToObject(tree, "type", s->scalar == SLIMBAND_F32 ? "f32" : "f64");
    cJSON *size = cJSON_AddArrayToObject(tree, "size");
    for (int a = 0; a < s->rank; ++a)
        cJSON_AddItemToArray(size, cJSON_CreateNumber((double)s->size[a]));
    cJSON_AddNumberToObject(tree, "batch", (double)s->batch);
    cJSON_AddStringToObject(tree, "scheme", all->facts.scheme);
    cJSON_AddStringToObject(tree, "method", all->facts.method);
    cJSON_AddStringToObject(tree, "executor", s->cuda ? "cuda" : "cpu");
    cJSON_AddNumberToObject(tree, "threads", all->facts.threads);
    cJSON_AddNumberToObject(tree, "matrices", (double)all->facts.matrices);
    cJSON_AddNumberToObject(tree, "steps", (double)run->step);
    cJSON_AddNumberToObject(tree, "resumed_at", (double)run->first_step);
    cJSON_AddNumberToObject(tree, "time", all->facts.time);
    cJSON_AddNumberToObject(tree, "seconds", run->seconds);
    cJSON_AddNumberToObject(tree, "nanoseconds_per_point", all->nanoseconds);
    cJSON_AddNumberToObject(tree, "least", all->low);
    cJSON_AddNumberToObject(tree, "largest", all->high);
    cJSON_AddNumberToObject(tree, "mean_drift", all->drift);
    if (run->energies) {
        cJSON_AddNumberToObject(tree, "energy_before", all->energy[0]);
        cJSON_AddNumberToObject(tree, "energy", all->energy[1]);
    }
    return sb_json_print(tree, &s->failure);
}

static void tell_files(const sb_simulate *s)
{
    if (s->output)
        printf("output          %s\n", s->output);
    if (s->picture)
        printf("picture         %s\n", s->picture);
}

bool sb_simulation_tell(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    summary all = {0};
    if (!summarise(run, &all))
        return false;
    if (s->json)
        return tell_json(run, &all);
    printf("equation        %s, %s, %" PRId64 " member%s of", s->what,
           s->scalar == SLIMBAND_F32 ? "f32" : "f64", s->batch, s->batch == 1 ? "" : "s");
    for (int a = 0; a < s->rank; ++a)
        printf("%s%" PRId64, a ? " x " : " ", s->size[a]);
    printf(" points\nscheme          %s\n", all.facts.scheme);
    printf("method          %s, %" PRId64 " matri%s, ", all.facts.method, all.facts.matrices,
           all.facts.matrices == 1 ? "x" : "ces");
    if (s->cuda)
        puts("on the GPU");
    else
        printf("%d thread%s\n", all.facts.threads, all.facts.threads == 1 ? "" : "s");
    printf("steps           %" PRId64 ", to time %g", run->step, all.facts.time);
    if (run->first_step)
        printf(" (resumed at step %" PRId64 ")", run->first_step);
    printf("\ntime            %.6f s, %.3f ns a point and step\n", run->seconds, all.nanoseconds);
    printf("state           %g to %g; means moved by %.1e at most\n", all.low, all.high, all.drift);
    if (run->energies)
        printf("free energy     %.9g to %.9g, all members together\n", all.energy[0], all.energy[1]);
    tell_files(s);
    return true;
}
