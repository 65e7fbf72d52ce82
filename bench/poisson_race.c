/* Contenders, their answers and their turns. */
#include "bench/poisson_race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/race.h"
#include "cli/poisson.h"
#include "cli/reason.h"

bool sb_poisson_race_open(sb_poisson_race *r, sb_place *place, const slimband_poisson_problem *problem,
                          sb_failure *failure)
{
    *r = (sb_poisson_race){.place = place, .failure = failure, .problem = *problem, .points = 1};
    slimband_status status = slimband_poisson_validate(&r->problem);
    if (status)
        return sb_fail(failure, "%s", sb_reason(status));
    for (int a = 0; a < problem->rank; ++a)
        r->points *= problem->axis[a].n;
    size_t bytes = (size_t)r->points * sizeof *r->f;
    r->f = malloc(bytes);
    r->u = malloc(bytes);
    if (!r->f || !r->u)
        return sb_fail(failure, "not enough memory for %lld points", (long long)r->points);
    for (int64_t i = 0; i < r->points; ++i)
        r->f[i] = sin(0.7 * (double)i) + 0.1 * (double)(i % 17);
    r->there_f = place->calls->allocate(place, bytes, 0);
    r->there_u = place->calls->allocate(place, bytes, 1);
    if (!r->there_f || !r->there_u)
        return sb_fail(failure, "not enough memory on %s for %lld points", place->calls->name,
                       (long long)r->points);
    place->calls->copy(place, r->there_f, r->f, bytes, SB_COPY_IN);
    return true;
}

static sb_poisson_entry *new_entry(sb_poisson_race *r, const char *name, size_t length)
{
    if (r->entries == SB_POISSON_ENTRIES || length >= SB_BENCH_NAME) {
        sb_fail(r->failure, "--methods has more than %d entries, or one that is too long",
                SB_POISSON_ENTRIES - 1);
        return NULL;
    }
    sb_poisson_entry *e = &r->entry[r->entries++];
    memcpy(e->name, name, length);
    return e;
}

bool sb_poisson_race_add(sb_poisson_race *r, const char *methods)
{
    for (const char *at = methods; *at; at += *at == ',') {
        sb_poisson_entry *e = new_entry(r, at, strcspn(at, ","));
        if (!e)
            return false;
        slimband_status status =
            slimband_poisson_plan_create(&e->plan, &r->problem, r->place->executor, e->name);
        if (status)
            return sb_fail(r->failure, "--methods %s: %s", e->name, sb_reason(status));
        at += strlen(e->name);
    }
    return true;
}

bool sb_poisson_race_add_peer(sb_poisson_race *r, const char *peer)
{
    const slimband_poisson_axis *axis = r->problem.axis;
    bool host = sb_place_is_host(r->place);
    if (r->problem.rank != 2)
        return sb_fail(r->failure, "--against %s needs two axes", peer);
    for (int a = 0; a < 2; ++a)
        if (axis[a].walls != SLIMBAND_WALLS_DD || axis[a].centring != SLIMBAND_AT_NODES)
            return sb_fail(r->failure, "--against %s needs nodes between Dirichlet walls", peer);
    if (strcmp(peer, host ? "fftw" : "cufft") != 0)
        return sb_fail(r->failure, "--against %s runs on the other executor", peer);
    sb_poisson_entry *e = new_entry(r, peer, strlen(peer));
    if (!e)
        return false;
    if (host)
        e->fftw = sb_fftw_poisson_create((int)axis[0].n, (int)axis[1].n, r->place->threads, &e->note);
    else
        e->cufft =
            sb_cufft_poisson_create((int)axis[0].n, (int)axis[1].n, r->place->executor.place_data, &e->note);
    if (e->fftw || e->cufft)
        e->note = NULL;
    return true;
}

/* Until u is there. */
static bool take_turn(const sb_poisson_race *r, const sb_poisson_entry *e, double *seconds)
{
    const char *complaint = NULL;
    slimband_status status = SLIMBAND_OK;
    r->place->calls->start(r->place, 1);
    if (e->fftw)
        sb_fftw_poisson_solve(e->fftw, r->there_f, r->there_u);
    else if (e->cufft)
        complaint = sb_cufft_poisson_solve(e->cufft, r->there_f, r->there_u) ? NULL : "cuFFT failed";
    else
        status = slimband_poisson_solve(e->plan, r->there_f, NULL, r->there_u);
    *seconds = r->place->calls->stop(r->place, &complaint);
    if (status)
        complaint = sb_reason(status);
    return !complaint || sb_fail(r->failure, "%s: %s", e->name, complaint);
}

static bool verify(sb_poisson_race *r, sb_poisson_entry *e, double *seconds)
{
    slimband_poisson_error error;
    size_t bytes = (size_t)r->points * sizeof *r->u;
    r->place->calls->spoil(r->place, r->there_u, bytes);
    if (!take_turn(r, e, seconds))
        return false;
    r->place->calls->copy(r->place, r->u, r->there_u, bytes, SB_COPY_OUT);
    slimband_status status = slimband_poisson_residual(&r->problem, r->f, NULL, r->u, &error);
    e->residual = error.normwise;
    if (status || !(error.normwise <= sb_race_limit(SLIMBAND_F64)))
        return sb_fail(r->failure, "%s: wrong answer, backward error %.1e", e->name, error.normwise);
    return true;
}

/* Of the field, within the place. */
static bool copy_field(const sb_poisson_race *r, double *seconds)
{
    const char *complaint = NULL;
    r->place->calls->start(r->place, 1);
    r->place->calls->copy(r->place, r->there_u, r->there_f, (size_t)r->points * sizeof *r->f, SB_COPY_WITHIN);
    *seconds = r->place->calls->stop(r->place, &complaint);
    return !complaint || sb_fail(r->failure, "copy: %s", complaint);
}

/* turn: `turns` numbers for each entry, and for the copy. */
static bool take_turns(sb_poisson_race *r, int64_t turns, double *turn, sb_progress *progress)
{
    for (int64_t k = 0; k < turns; ++k) {
        sb_progress_update(progress, "poisson", (double)k / (double)turns);
        for (int e = 0; e < r->entries; ++e)
            if (!r->entry[e].note && !take_turn(r, &r->entry[e], &turn[e * turns + k]))
                return false;
        if (!sb_place_is_host(r->place) && !copy_field(r, &turn[r->entries * turns + k]))
            return false;
    }
    if (!sb_place_is_host(r->place))
        r->copy_seconds = sb_race_median(turn + r->entries * turns, turns);
    for (int e = 0; e < r->entries; ++e)
        r->entry[e].seconds = r->entry[e].note ? 0 : sb_race_median(turn + e * turns, turns);
    return true;
}

bool sb_poisson_race_run(sb_poisson_race *r, int64_t repeat, sb_progress *progress)
{
    double all = 0, seconds = 0;
    for (int e = 0; e < r->entries; ++e) {
        if (!r->entry[e].note && !verify(r, &r->entry[e], &seconds))
            return false;
        all += seconds;
    }
    int64_t turns = repeat ? repeat : (int64_t)(2 / (all + 1e-6));
    turns = turns < 5 && !repeat ? 5 : turns > SB_POISSON_TURNS ? SB_POISSON_TURNS : turns;
    double *turn = malloc((size_t)(turns * (r->entries + 1)) * sizeof *turn);
    if (!turn)
        return sb_fail(r->failure, "not enough memory for %lld turns", (long long)turns);
    bool good = take_turns(r, turns, turn, progress);
    free(turn);
    return good;
}

double sb_poisson_race_transfer(sb_poisson_race *r)
{
    enum { turns = 5 };
    double seconds[turns];
    for (int k = 0; k < turns; ++k) {
        double start = sb_seconds();
        r->place->calls->copy(r->place, r->there_f, r->f, (size_t)r->points * sizeof *r->f, SB_COPY_IN);
        seconds[k] = sb_seconds() - start;
    }
    return sb_race_median(seconds, turns);
}

void sb_poisson_race_close(sb_poisson_race *r)
{
    for (int e = 0; e < r->entries; ++e) {
        slimband_poisson_plan_destroy(r->entry[e].plan);
        sb_fftw_poisson_destroy(r->entry[e].fftw);
        sb_cufft_poisson_destroy(r->entry[e].cufft);
    }
    if (r->place && r->place->calls) {
        r->place->calls->release(r->place, r->there_f);
        r->place->calls->release(r->place, r->there_u);
    }
    free(r->f);
    free(r->u);
    *r = (sb_poisson_race){0};
}

double sb_poisson_ns_per_point(const sb_poisson_race *r, const sb_poisson_entry *e)
{
    return 1e9 * e->seconds / (double)r->points;
}

cJSON *sb_poisson_json(const sb_poisson_race *r, const sb_poisson_entry *e, const sb_poisson_entry *peer)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "case", "poisson");
    cJSON_AddStringToObject(tree, "method", e->name);
    cJSON *size = cJSON_AddArrayToObject(tree, "size");
    for (int a = 0; a < r->problem.rank; ++a)
        cJSON_AddItemToArray(size, cJSON_CreateNumber((double)r->problem.axis[a].n));
    cJSON *ends = cJSON_AddArrayToObject(tree, "ends");
    for (int a = 0; a < r->problem.rank; ++a)
        cJSON_AddItemToArray(
            ends, cJSON_CreateString(sb_poisson_walls[r->problem.axis[a].walls - SLIMBAND_WALLS_DD]));
    cJSON_AddStringToObject(tree, "centring", sb_poisson_centrings[r->problem.axis[0].centring]);
    cJSON_AddStringToObject(tree, "executor", r->place->calls->name);
    cJSON_AddNumberToObject(tree, "threads", sb_place_is_host(r->place) ? r->place->threads : 1);
    cJSON_AddNumberToObject(tree, "ns_per_point", sb_poisson_ns_per_point(r, e));
    cJSON_AddNumberToObject(tree, "residual", e->residual);
    if (r->copy_seconds > 0) {
        cJSON_AddNumberToObject(tree, "copy_ns_per_point", 1e9 * r->copy_seconds / (double)r->points);
        cJSON_AddNumberToObject(tree, "copies", e->seconds / r->copy_seconds);
    }
    if (peer && !peer->note) {
        char name[2 * SB_BENCH_NAME];
        snprintf(name, sizeof name, "%s_ns_per_point", peer->name);
        cJSON_AddNumberToObject(tree, name, sb_poisson_ns_per_point(r, peer));
        snprintf(name, sizeof name, "%s_ratio", peer->name);
        cJSON_AddNumberToObject(tree, name, peer->seconds / e->seconds);
    } else if (peer) {
        cJSON_AddStringToObject(tree, "note", peer->note);
    }
    return tree;
}
