/* Time per step and member. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/steppers.h"
#include "bench/steppers_rival.h"
#include "cli/json.h"
#include "cli/reason.h"
#include "slimband/cuda.h"

enum { MOST_RUNS = 1000 };

typedef struct contest {
    const char *name;
    slimband_equation equation;
    int rank, order;
    bool own, rival; /* matrices; is there a rival? */
} contest;

static const contest contests[] = {
    {"hyperdiffusion, one matrix", SLIMBAND_HYPERDIFFUSION, 1, 2, false, true},
    {"hyperdiffusion, own matrices", SLIMBAND_HYPERDIFFUSION, 1, 2, true, true},
    {"cahn-hilliard, one matrix", SLIMBAND_CAHN_HILLIARD, 1, 2, false, false},
    {"heat2d, order 2", SLIMBAND_HEAT, 2, 2, false, false},
    {"heat2d, order 4", SLIMBAND_HEAT, 2, 4, false, false},
    {"heat3d, order 2", SLIMBAND_HEAT, 3, 2, false, false},
};

typedef struct match {
    const contest *contest;
    slimband_evolution evolution;
    slimband_stepper *stepper, *host; /* host: the CPU's, beside a GPU's */
    int64_t elements;
    double *gamma, *start, *other; /* other: a rival's state */
    float *single;                 /* `start` in f32 */
    sb_rival *rival;
    double ours, theirs, on_cpu, distance; /* seconds; from the others' results */
} match;

static slimband_evolution evolution_of(const sb_stepper_bench *b, const contest *c)
{
    double points = (double)b->n * (double)b->batch;
    int64_t side = (int64_t)llround(pow(points, 1.0 / c->rank));
    side = side < 8 ? 8 : side;
    slimband_evolution e = c->equation == SLIMBAND_HEAT
                               ? slimband_heat(b->scalar, c->rank, (int64_t[]){side, side, side}, b->dt)
                               : slimband_hyperdiffusion(b->scalar, b->n, b->batch, b->dt);
    e.equation = c->equation;
    e.order = c->order;
    return e;
}

static bool prepare(sb_stepper_bench *b, match *m)
{
    slimband_evolution *e = &m->evolution;
    *e = evolution_of(b, m->contest);
    m->elements = e->members;
    for (int a = 0; a < e->rank; ++a)
        m->elements *= e->points[a];
    m->gamma = calloc((size_t)e->members, sizeof *m->gamma);
    m->start = malloc((size_t)m->elements * sizeof *m->start);
    m->other = calloc((size_t)m->elements, sizeof *m->other);
    m->single = malloc((size_t)m->elements * sizeof *m->single);
    if (!m->gamma || !m->start || !m->other || !m->single)
        return sb_fail(&b->failure, "not enough memory for %" PRId64 " points", m->elements);
    for (int64_t k = 0; k < e->members; ++k)
        m->gamma[k] = m->contest->own ? 1 + (double)k / (double)e->members : 1;
    for (int64_t i = 0; i < m->elements; ++i) {
        m->start[i] = 0.5 * cos(4 * 3.14159265358979323846 * (double)(i % e->points[e->rank - 1]) /
                                (double)e->points[e->rank - 1]);
        m->single[i] = (float)m->start[i];
    }
    e->gamma = e->equation == SLIMBAND_HEAT ? NULL : m->gamma;
    slimband_executor cpu = slimband_cpu((int)b->threads), there = b->cuda ? slimband_cuda(0, NULL) : cpu;
    slimband_status status = slimband_stepper_create(&m->stepper, e, there);
    if (!status && b->cuda)
        status = slimband_stepper_create(&m->host, e, cpu);
    return !status || sb_fail(&b->failure, "%s: %s", m->contest->name, sb_reason(status));
}

static bool prepare_rival(sb_stepper_bench *b, match *m)
{
    return !m->contest->rival || sb_rival_make(&m->rival, &m->evolution, b->cuda, (int)b->threads, &b->failure);
}

static bool run_stepper(sb_stepper_bench *b, match *m, slimband_stepper *stepper, double *seconds)
{
    const void *start = b->scalar == SLIMBAND_F32 ? (const void *)m->single : m->start;
    slimband_status status = slimband_stepper_set(stepper, start, 0);
    double clock = sb_seconds();
    if (!status)
        status = slimband_stepper_step(stepper, b->steps);
    *seconds = sb_seconds() - clock;
    return !status || sb_fail(&b->failure, "%s: %s", m->contest->name, sb_reason(status));
}

static bool run_rival(sb_stepper_bench *b, match *m, double *seconds)
{
    for (int64_t i = 0; i < m->elements; ++i)
        m->other[i] = m->start[i];
    return sb_rival_run(m->rival, b->steps, m->other, seconds, &b->failure);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int64_t count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The state of a stepper, in double, and its distance from `from` (NULL: none is wanted). */
static double fetch(const sb_stepper_bench *b, match *m, slimband_stepper *stepper, double *state,
                    const double *from)
{
    bool single = b->scalar == SLIMBAND_F32;
    double distance = 0;
    if (slimband_stepper_get(stepper, single ? (void *)m->single : state))
        return INFINITY;
    for (int64_t i = 0; i < m->elements; ++i) {
        state[i] = single ? (double)m->single[i] : state[i];
        distance = fmax(distance, from ? fabs(state[i] - from[i]) : 0);
    }
    return distance;
}

/* Ours against theirs after all steps: nothing is shown of a stepper that went elsewhere. */
static bool verify(sb_stepper_bench *b, match *m)
{
    /* In f32 cuSPARSE's loop rounds states, not their small increments, by the size of the matrix. */
    double bound = b->scalar == SLIMBAND_F64 ? 1e-8 : m->rival && b->cuda ? 1e-1 : 1e-2;
    m->distance = fetch(b, m, m->stepper, m->start, m->rival ? m->other : NULL);
    if (m->host)
        m->distance = fmax(m->distance, fetch(b, m, m->host, m->other, m->start));
    return m->distance < bound || sb_fail(&b->failure, "%s: ends %g away from %s", m->contest->name,
                                          m->distance, m->host ? "the others" : "plain C");
}

static bool measure(sb_stepper_bench *b, match *m)
{
    double ours[MOST_RUNS], theirs[MOST_RUNS] = {0}, on_cpu[MOST_RUNS] = {0};
    for (int64_t k = 0; k < b->repeat; ++k)
        if (!run_stepper(b, m, m->stepper, &ours[k]) || (m->host && !run_stepper(b, m, m->host, &on_cpu[k])) ||
            (m->rival && !run_rival(b, m, &theirs[k])))
            return false;
    m->ours = median(ours, b->repeat);
    m->theirs = median(theirs, b->repeat);
    m->on_cpu = median(on_cpu, b->repeat);
    return verify(b, m);
}

static void tell_head(const sb_stepper_bench *b)
{
    printf("%" PRId64 " steps; rings: %" PRId64 " members of %" PRId64 " points\n%-30s %-8s %10s %14s",
           b->steps, b->batch, b->n, "", "method", "ns/point", "us/member");
    if (b->cuda)
        printf(" %10s", "x our CPU");
    printf(" %12s %12s\n", b->cuda ? "x cuSPARSE" : "x plain C", "apart");
}

static void tell_row(const sb_stepper_bench *b, const match *m, const char *method, double point, double member)
{
    printf("%-30s %-8s %10.4f %14.4f", m->contest->name, method, point, member);
    if (b->cuda)
        printf(" %10.1f", m->on_cpu / m->ours);
    if (m->rival)
        printf(" %12.2f", m->theirs / m->ours);
    else
        printf(" %12s", "");
    if (m->rival || m->host)
        printf(" %12.0e", m->distance);
    puts("");
}

static bool tell(sb_stepper_bench *b, const match *m)
{
    slimband_stepper_facts facts;
    slimband_stepper_report(m->stepper, &facts);
    double point = 1e9 * m->ours / (double)b->steps / (double)m->elements;
    double member = 1e6 * m->ours / (double)b->steps / (double)m->evolution.members;
    sb_progress_end(&b->progress);
    if (!b->json) {
        if (m->contest == contests)
            tell_head(b);
        tell_row(b, m, facts.method, point, member);
        return true;
    }
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "case", m->contest->name);
    cJSON_AddStringToObject(tree, "type", b->scalar == SLIMBAND_F32 ? "f32" : "f64");
    cJSON_AddNumberToObject(tree, "points", (double)m->elements);
    cJSON_AddNumberToObject(tree, "members", (double)m->evolution.members);
    cJSON_AddNumberToObject(tree, "steps", (double)b->steps);
    cJSON_AddStringToObject(tree, "executor", b->cuda ? "cuda" : "cpu");
    cJSON_AddNumberToObject(tree, "threads", facts.threads);
    cJSON_AddStringToObject(tree, "method", facts.method);
    cJSON_AddNumberToObject(tree, "ns_per_point_and_step", point);
    cJSON_AddNumberToObject(tree, "us_per_member_and_step", member);
    if (m->host)
        cJSON_AddNumberToObject(tree, "cpu_over_ours", m->on_cpu / m->ours);
    if (m->rival)
        cJSON_AddNumberToObject(tree, b->cuda ? "cusparse_over_ours" : "plain_over_ours", m->theirs / m->ours);
    if (m->rival || m->host)
        cJSON_AddNumberToObject(tree, b->cuda ? "distance_from_others" : "distance_from_plain", m->distance);
    return sb_json_print(tree, &b->failure);
}

static void clear(match *m)
{
    slimband_stepper_destroy(m->stepper);
    slimband_stepper_destroy(m->host);
    sb_rival_free(m->rival);
    free(m->gamma);
    free(m->start);
    free(m->other);
    free(m->single);
}

bool sb_steppers_race(sb_stepper_bench *b)
{
    bool good = true;
    for (size_t k = 0; good && k < sizeof contests / sizeof *contests; ++k) {
        match m = {.contest = &contests[k]};
        sb_progress_update(&b->progress, contests[k].name, -1);
        good = prepare(b, &m) && prepare_rival(b, &m) && measure(b, &m) && tell(b, &m);
        clear(&m);
    }
    return good;
}
