/* Time per step and member. */
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/steppers.h"
#include "bench/steppers_plain.h"
#include "cli/json.h"
#include "slimband/method.h"

enum { MOST_RUNS = 1000 };

typedef struct contest {
    const char *name;
    slimband_equation equation;
    int rank, order;
    bool own, plain; /* matrices; is there a baseline? */
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
    slimband_stepper *stepper;
    int64_t elements;
    double *gamma, *start, *plain;
    float *single;        /* `start` in f32 */
    sb_plain_ring *rings; /* 1 or one for each member */
    int64_t ring_count;
    double ours, theirs, distance; /* seconds; from the baseline's result */
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
    m->plain = calloc((size_t)m->elements, sizeof *m->plain);
    m->single = malloc((size_t)m->elements * sizeof *m->single);
    if (!m->gamma || !m->start || !m->plain || !m->single)
        return sb_fail(&b->failure, "not enough memory for %" PRId64 " points", m->elements);
    for (int64_t k = 0; k < e->members; ++k)
        m->gamma[k] = m->contest->own ? 1 + (double)k / (double)e->members : 1;
    for (int64_t i = 0; i < m->elements; ++i) {
        m->start[i] = 0.5 * cos(4 * 3.14159265358979323846 * (double)(i % e->points[e->rank - 1]) /
                                (double)e->points[e->rank - 1]);
        m->single[i] = (float)m->start[i];
    }
    e->gamma = e->equation == SLIMBAND_HEAT ? NULL : m->gamma;
    slimband_status status = slimband_stepper_create(&m->stepper, e, slimband_cpu((int)b->threads));
    return !status || sb_fail(&b->failure, "%s: %s", m->contest->name, slimband_status_string(status));
}

static bool prepare_plain(sb_stepper_bench *b, match *m)
{
    const slimband_evolution *e = &m->evolution;
    if (!m->contest->plain)
        return true;
    m->ring_count = m->contest->own ? e->members : 1;
    m->rings = calloc((size_t)m->ring_count, sizeof *m->rings);
    bool good = m->rings;
    double h = 1 / (double)e->points[0];
    for (int64_t k = 0; good && k < m->ring_count; ++k)
        good = sb_plain_ring_make(&m->rings[k], e->points[0], e->dt * m->gamma[k] / (2 * h * h * h * h));
    return good || sb_fail(&b->failure, "not enough memory for %" PRId64 " matrices", m->ring_count);
}

static bool run_ours(sb_stepper_bench *b, match *m, double *seconds)
{
    const void *start = b->scalar == SLIMBAND_F32 ? (const void *)m->single : m->start;
    slimband_stepper_set(m->stepper, start, 0);
    double clock = sb_seconds();
    slimband_status status = slimband_stepper_step(m->stepper, b->steps);
    *seconds = sb_seconds() - clock;
    return !status || sb_fail(&b->failure, "%s: %s", m->contest->name, slimband_status_string(status));
}

/* Members shared out among threads; each member takes all its steps in one thread's cache. */
static bool run_plain(const sb_stepper_bench *b, match *m, int threads, double *seconds)
{
    int64_t n = m->evolution.points[0], members = m->evolution.members;
    bool good = true;
    for (int64_t i = 0; i < m->elements; ++i)
        m->plain[i] = m->start[i];
    double clock = sb_seconds();
#pragma omp parallel num_threads(threads)
    {
        double *f = malloc((size_t)n * sizeof *f);
        if (!f) {
#pragma omp atomic write
            good = false;
        }
#pragma omp for
        for (int64_t k = 0; k < members; ++k)
            for (int64_t step = 0; f && step < b->steps; ++step)
                sb_plain_ring_step(&m->rings[m->ring_count > 1 ? k : 0], m->plain + k * n, f);
        free(f);
    }
    *seconds = sb_seconds() - clock;
    return good;
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

/* Ours against theirs after all steps: nothing is shown of a stepper that went elsewhere. */
static bool verify(sb_stepper_bench *b, match *m)
{
    double bound = b->scalar == SLIMBAND_F32 ? 1e-2 : 1e-8;
    slimband_stepper_get(m->stepper, b->scalar == SLIMBAND_F32 ? (void *)m->single : m->start);
    for (int64_t i = 0; i < m->elements; ++i) {
        double ours = b->scalar == SLIMBAND_F32 ? (double)m->single[i] : m->start[i];
        m->distance = fmax(m->distance, m->contest->plain ? fabs(ours - m->plain[i]) : 0);
    }
    return m->distance < bound ||
           sb_fail(&b->failure, "%s: ends %g away from plain C", m->contest->name, m->distance);
}

static bool measure(sb_stepper_bench *b, match *m)
{
    double ours[MOST_RUNS], theirs[MOST_RUNS];
    for (int64_t k = 0; k < b->repeat; ++k) {
        if (!run_ours(b, m, &ours[k]))
            return false;
        if (m->contest->plain &&
            !run_plain(b, m, b->threads ? (int)b->threads : omp_get_max_threads(), &theirs[k]))
            return sb_fail(&b->failure, "not enough memory for plain C");
    }
    m->ours = median(ours, b->repeat);
    m->theirs = m->contest->plain ? median(theirs, b->repeat) : NAN;
    return verify(b, m);
}

static void tell_head(const sb_stepper_bench *b)
{
    printf("%" PRId64 " steps; rings: %" PRId64 " members of %" PRId64
           " points\n%-30s %-8s %10s %14s %10s %12s\n",
           b->steps, b->batch, b->n, "", "method", "ns/point", "us/member", "x plain C", "apart");
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
        printf("%-30s %-8s %10.3f %14.3f", m->contest->name, facts.method, point, member);
        if (m->contest->plain)
            printf(" %10.2f %12.0e", m->theirs / m->ours, m->distance);
        puts("");
        return true;
    }
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "case", m->contest->name);
    cJSON_AddStringToObject(tree, "type", b->scalar == SLIMBAND_F32 ? "f32" : "f64");
    cJSON_AddNumberToObject(tree, "points", (double)m->elements);
    cJSON_AddNumberToObject(tree, "members", (double)m->evolution.members);
    cJSON_AddNumberToObject(tree, "steps", (double)b->steps);
    cJSON_AddNumberToObject(tree, "threads", facts.threads);
    cJSON_AddStringToObject(tree, "method", facts.method);
    cJSON_AddNumberToObject(tree, "ns_per_point_and_step", point);
    cJSON_AddNumberToObject(tree, "us_per_member_and_step", member);
    if (m->contest->plain) {
        cJSON_AddNumberToObject(tree, "plain_over_ours", m->theirs / m->ours);
        cJSON_AddNumberToObject(tree, "distance_from_plain", m->distance);
    }
    return sb_json_print(tree, &b->failure);
}

static void clear(match *m)
{
    slimband_stepper_destroy(m->stepper);
    for (int64_t k = 0; m->rings && k < m->ring_count; ++k)
        sb_plain_ring_free(&m->rings[k]);
    free(m->rings);
    free(m->gamma);
    free(m->start);
    free(m->plain);
    free(m->single);
}

bool sb_steppers_race(sb_stepper_bench *b)
{
    bool good = true;
    for (size_t k = 0; good && k < sizeof contests / sizeof *contests; ++k) {
        match m = {.contest = &contests[k]};
        sb_progress_update(&b->progress, contests[k].name, -1);
        good = prepare(b, &m) && prepare_plain(b, &m) && measure(b, &m) && tell(b, &m);
        clear(&m);
    }
    return good;
}
