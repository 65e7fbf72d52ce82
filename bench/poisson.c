/* slimband bench poisson: answers first, then turns, then medians. */
#include "bench/poisson.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/poisson_gpu.h"
#include "bench/race.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/lists.h"
#include "cli/progress.h"
#include "slimband/cuda.h"
#include "slimband/method.h"
#include "slimband/poisson.h"

enum { MOST = 8, MOST_TURNS = 1000 };

typedef struct entry {
    char name[SB_BENCH_NAME];
    const char *note; /* why it is not timed; NULL where it is */
    slimband_poisson_plan *plan;
    sb_fftw_poisson *fftw;
    sb_cufft_poisson *cufft;
    double residual, seconds, turn[MOST_TURNS];
} entry;

typedef struct bench {
    int64_t size[SLIMBAND_POISSON_MAX_RANK], threads, repeat;
    int rank, entries, executor, peer;
    const char *methods, *against;
    bool json;
    slimband_poisson_problem problem;
    int64_t points;
    double *f, *u;
    sb_gpu_arrays there; /* executor cuda: f and u */
    entry *entry;
    sb_failure failure;
} bench;

static const struct argp_option options[] = {
    {"size", 'n', "N[,N[,N]]", 0,
     "Unknowns along each axis (default 1023,1023), nodes between Dirichlet walls, f64", 0},
    {"methods", 'm', "LIST", 0, "Names by commas (default spectral); :measure lets FFTW time its choices", 0},
    {"against", 'a', "PEER", 0,
     "Two axes: fftw, FFTW's sine transforms of type I and a tridiagonal sweep with stored pivots, OpenMP; or "
     "on a GPU "
     "cufft, the same by cuFFT's real transforms of odd lines and a thread a column",
     0},
    {"executor", 'x', "WHERE", 0, "cpu (default) or cuda", 0},
    {"threads", 't', "T", 0, "Threads to use (default: all)", 0},
    {"repeat", 'r', "R", 0, "Turns of each (default: as many as fit two seconds); medians are shown", 0},
    {"json", 'j', NULL, 0, "One line of JSON for each method", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    bench *b = state->input;
    static const char *const peers[] = {"fftw", "cufft", NULL};
    static const char *const executors[] = {"cpu", "cuda", NULL};
    switch (key) {
    case 'n':
        return sb_option_integers("--size", text, 1, INT64_C(1) << 40, SLIMBAND_POISSON_MAX_RANK, b->size,
                                  &b->rank, &b->failure);
    case 'm':
        b->methods = text;
        return 0;
    case 'a':
        b->against = text;
        return sb_option_word("--against", text, peers, &b->peer, &b->failure);
    case 'x':
        return sb_option_word("--executor", text, executors, &b->executor, &b->failure);
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &b->threads, &b->failure);
    case 'r':
        return sb_option_integer("--repeat", text, 1, MOST_TURNS, &b->repeat, &b->failure);
    case 'j':
        b->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool open_methods(bench *b)
{
    const char *at = b->methods;
    while (*at) {
        size_t length = strcspn(at, ",");
        if (b->entries == MOST - 1 || length >= SB_BENCH_NAME)
            return sb_fail(&b->failure, "--methods has more than %d entries, or one that is too long",
                           MOST - 1);
        entry *e = &b->entry[b->entries++];
        memcpy(e->name, at, length);
        e->name[length] = '\0';
        slimband_executor executor = b->executor ? slimband_cuda(0, NULL) : slimband_cpu((int)b->threads);
        slimband_status status = slimband_poisson_plan_create(&e->plan, &b->problem, executor, e->name);
        if (status)
            return sb_fail(&b->failure, "--methods %s: %s", e->name, slimband_status_string(status));
        at += length + (at[length] == ',');
    }
    return true;
}

static bool open_peer(bench *b)
{
    if (!b->against)
        return true;
    if (b->rank != 2)
        return sb_fail(&b->failure, "--against %s needs two axes", b->against);
    if (b->peer != b->executor)
        return sb_fail(&b->failure, "--against %s runs on the other executor", b->against);
    entry *e = &b->entry[b->entries++];
    strcpy(e->name, b->against);
    if (b->executor)
        e->cufft = sb_cufft_poisson_create((int)b->size[0], (int)b->size[1], &e->note);
    else
        e->fftw = sb_fftw_poisson_create((int)b->size[0], (int)b->size[1], (int)b->threads, &e->note);
    if (e->fftw || e->cufft)
        e->note = NULL;
    return true;
}

/* Until u is there. */
static bool run(const bench *b, const entry *e)
{
    bool good = true;
    if (e->fftw)
        sb_fftw_poisson_solve(e->fftw, b->f, b->u);
    else if (e->cufft)
        good = sb_cufft_poisson_solve(e->cufft, &b->there);
    else
        good = !slimband_poisson_solve(e->plan, b->executor ? b->there.f : b->f, NULL,
                                       b->executor ? b->there.u : b->u);
    return good && (!b->executor || sb_gpu_wait());
}

static bool verify(bench *b, entry *e)
{
    slimband_poisson_error error;
    memset(b->u, 0xff, (size_t)b->points * sizeof *b->u); /* NaN everywhere */
    if ((b->executor && !sb_gpu_arrays_spoil(&b->there)) || !run(b, e) ||
        (b->executor && !sb_gpu_arrays_fetch(&b->there, b->u)))
        return sb_fail(&b->failure, "%s: did not run", e->name);
    slimband_status status = slimband_poisson_residual(&b->problem, b->f, NULL, b->u, &error);
    e->residual = error.normwise;
    if (status || !(error.normwise <= sb_race_limit(SLIMBAND_F64)))
        return sb_fail(&b->failure, "%s: wrong answer, backward error %.1e", e->name, error.normwise);
    return true;
}

static bool race(bench *b, sb_progress *progress)
{
    double longest = 0;
    for (int k = 0; k < b->entries; ++k) {
        if (b->entry[k].note)
            continue;
        double start = sb_seconds();
        if (!verify(b, &b->entry[k]))
            return false;
        longest += sb_seconds() - start;
    }
    int64_t turns = b->repeat ? b->repeat : (int64_t)(2 / (longest + 1e-6));
    turns = turns < 5 && !b->repeat ? 5 : turns > MOST_TURNS ? MOST_TURNS : turns;
    for (int64_t turn = 0; turn < turns; ++turn) {
        sb_progress_update(progress, "poisson", (double)turn / (double)turns);
        for (int k = 0; k < b->entries; ++k) {
            entry *e = &b->entry[k];
            double start = sb_seconds();
            if (!e->note && !run(b, e))
                return sb_fail(&b->failure, "%s: did not run", e->name);
            e->turn[turn] = sb_seconds() - start;
        }
    }
    for (int k = 0; k < b->entries; ++k)
        b->entry[k].seconds = sb_race_median(b->entry[k].turn, turns);
    return true;
}

static double ns_per_point(const bench *b, const entry *e)
{
    return 1e9 * e->seconds / (double)b->points;
}

static bool tell_json(bench *b, const entry *e, const entry *peer)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "case", "poisson");
    cJSON_AddStringToObject(tree, "method", e->name);
    cJSON *size = cJSON_AddArrayToObject(tree, "size");
    for (int a = 0; a < b->rank; ++a)
        cJSON_AddItemToArray(size, cJSON_CreateNumber((double)b->size[a]));
    cJSON_AddStringToObject(tree, "executor", b->executor ? "cuda" : "cpu");
    cJSON_AddNumberToObject(tree, "threads", b->executor ? 1 : (double)b->threads);
    cJSON_AddNumberToObject(tree, "ns_per_point", ns_per_point(b, e));
    cJSON_AddNumberToObject(tree, "residual", e->residual);
    if (peer && !peer->note) {
        char name[2 * SB_BENCH_NAME];
        snprintf(name, sizeof name, "%s_ns_per_point", peer->name);
        cJSON_AddNumberToObject(tree, name, ns_per_point(b, peer));
        snprintf(name, sizeof name, "%s_ratio", peer->name);
        cJSON_AddNumberToObject(tree, name, peer->seconds / e->seconds);
    } else if (peer) {
        cJSON_AddStringToObject(tree, "note", peer->note);
    }
    return sb_json_print(tree, &b->failure);
}

static bool tell(bench *b)
{
    const entry *peer = b->against ? &b->entry[b->entries - 1] : NULL;
    for (int k = 0; k < b->entries; ++k) {
        const entry *e = &b->entry[k];
        if (b->json && e != peer && !tell_json(b, e, peer))
            return false;
        if (b->json)
            continue;
        if (e->note)
            printf("%-20s %s\n", e->name, e->note);
        else
            printf("%-20s %8.3f ns a point   backward error %.1e", e->name, ns_per_point(b, e), e->residual);
        if (peer && !peer->note && e != peer)
            printf("   %s takes %.2f times as long", peer->name, peer->seconds / e->seconds);
        if (!e->note)
            printf("\n");
    }
    return true;
}

static bool prepare(bench *b)
{
    if (!b->rank) {
        b->rank = 2;
        b->size[0] = b->size[1] = 1023;
    }
    slimband_machine machine;
    slimband_machine_facts(&machine);
    b->threads = b->threads ? b->threads : machine.threads;
    b->problem = slimband_poisson(SLIMBAND_F64, b->rank, b->size);
    slimband_status status = slimband_poisson_validate(&b->problem);
    if (status)
        return sb_fail(&b->failure, "%s", slimband_status_string(status));
    b->points = 1;
    for (int a = 0; a < b->rank; ++a)
        b->points *= b->size[a];
    b->f = malloc((size_t)b->points * sizeof *b->f);
    b->u = malloc((size_t)b->points * sizeof *b->u);
    b->entry = calloc(MOST, sizeof *b->entry);
    if (!b->f || !b->u || !b->entry)
        return sb_fail(&b->failure, "not enough memory for %lld points", (long long)b->points);
    for (int64_t i = 0; i < b->points; ++i)
        b->f[i] = sin(0.7 * (double)i) + 0.1 * (double)(i % 17);
    if (!open_methods(b))
        return false;
    if (b->executor && !sb_gpu_arrays_create(&b->there, b->f, b->points))
        return sb_fail(&b->failure, "not enough memory on the device for %lld points", (long long)b->points);
    return open_peer(b);
}

static bool work(void *settings)
{
    bench *b = settings;
    sb_progress progress;
    sb_progress_begin(&progress);
    bool good = prepare(b) && race(b, &progress);
    sb_progress_end(&progress);
    good = good && tell(b);
    for (int k = 0; k < b->entries; ++k) {
        slimband_poisson_plan_destroy(b->entry[k].plan);
        sb_fftw_poisson_destroy(b->entry[k].fftw);
        sb_cufft_poisson_destroy(b->entry[k].cufft);
    }
    sb_gpu_arrays_destroy(&b->there);
    free(b->entry);
    free(b->f);
    free(b->u);
    return good;
}

int sb_command_bench_poisson(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Measure the Poisson solvers: answers are verified, then methods and the peer take "
        "turns in one process.",
        NULL,
        NULL,
        NULL};
    bench b = {.methods = "spectral"};
    return sb_command_run(&argp, argc, argv, &b, &b.failure, work);
}
