/* From a case to its race and the race's results. */
#include "bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ceiling.h"
#include "bench/names.h"
#include "bench/ours.h"
#include "cli/progress.h"

typedef struct sb_meeting {
    sb_bench_data data;
    sb_contender contenders[2 * SB_BENCH_MOST + SB_CEILINGS]; /* methods, peers, streams */
    int methods, peers, count;
} sb_meeting;

void sb_bench_keep(sb_bench_entry *entry, const sb_contender *c)
{
    memcpy(entry->name, c->name, sizeof entry->name);
    memcpy(entry->about, c->about, sizeof entry->about);
    memcpy(entry->note, c->note, sizeof entry->note);
    entry->residual = c->residual;
    entry->seconds = c->seconds;
    entry->workspace_bytes = c->workspace_bytes;
    entry->levels = c->levels;
}

static void keep_all(sb_bench_result *result, const sb_meeting *m)
{
    const sb_contender *c = m->contenders;
    result->methods = m->methods;
    result->peers = m->peers;
    for (int k = 0; k < m->methods; ++k)
        sb_bench_keep(&result->method[k], c++);
    for (int k = 0; k < m->peers; ++k)
        sb_bench_keep(&result->peer[k], c++);
    sb_bench_keep(&result->ceiling, c);
    for (const sb_contender *end = m->contenders + m->count; c < end; ++c)
        if (!(result->ceiling.seconds <= c->seconds))
            sb_bench_keep(&result->ceiling, c);
}

static void leave_out(sb_contender *c)
{
    sb_contender_close(c);
    sb_contender_excuse(c, "left out: not enough memory");
}

static void invite(sb_meeting *m, const sb_bench_names *names, const sb_bench_plan *plan)
{
    for (int k = 0; k < names->methods; ++k) {
        sb_contender *c = &m->contenders[m->count++];
        sb_ours_open(c, &m->data, names->method[k]);
        if (c->no_memory && plan->skip_unfit)
            leave_out(c);
    }
    for (int k = 0; k < names->peers; ++k) {
        m->contenders[m->count].stays = true;
        sb_peer_open(names->peer[k], &m->contenders[m->count++], &m->data, plan->mkl);
    }
    for (int k = 0; k < sb_ceilings(m->data.place); ++k)
        sb_ceiling_open(&m->contenders[m->count++], &m->data, k);
    m->methods = names->methods;
    m->peers = names->peers;
}

/* The method or peer that takes most memory; NULL where none takes part. */
static sb_contender *largest(sb_meeting *m)
{
    sb_contender *found = NULL;
    size_t most = 0;
    for (int k = 0; k < m->methods + m->peers; ++k) {
        sb_contender *c = &m->contenders[k];
        size_t bytes = c->workspace_bytes + c->work_bytes;
        if (c->note[0] || bytes <= most)
            continue;
        found = c;
        most = bytes;
    }
    return found;
}

/* All plans are there at once: where they leave too little for the runs, the largest makes room for the others. */
static bool race(sb_meeting *m, const sb_bench_plan *plan, sb_failure *failure)
{
    sb_contender *c;
    bool done = sb_race_run(&m->data, m->contenders, m->count, &plan->rules, failure);
    while (!done && plan->skip_unfit && (c = largest(m))) {
        leave_out(c);
        done = sb_race_run(&m->data, m->contenders, m->count, &plan->rules, failure);
    }
    return done;
}

bool sb_bench_is_late(const sb_bench_plan *plan)
{
    return plan->until > 0 && sb_seconds() > plan->until;
}

bool sb_bench_measure(const sb_bench_case *c, const sb_bench_plan *plan, sb_bench_result *result,
                      sb_failure *failure)
{
    sb_bench_names names;
    if (!sb_bench_find_names(&names, c, plan, failure))
        return false;
    *result = (sb_bench_result){.the_case = *c,
                                .threads = plan->threads,
                                .executor = plan->place->calls->name,
                                .cold = plan->rules.flush,
                                .in_a_row = plan->rules.in_a_row};
    memcpy(result->device, plan->place->machine, sizeof result->device);
    if (!names.methods) {
        memcpy(result->refusal, names.refusal, sizeof result->refusal);
        return true;
    }
    sb_meeting *m = calloc(1, sizeof *m);
    if (!m)
        return sb_fail(failure, "not enough memory");
    bool there = sb_bench_data_build(&m->data, c, plan->threads, failure) &&
                 sb_bench_data_send(&m->data, plan->place, failure);
    bool done = !there && plan->skip_unfit;
    if (there) {
        invite(m, &names, plan);
        done = race(m, plan, failure);
        keep_all(result, m);
    } else if (done) {
        snprintf(result->refusal, sizeof result->refusal, "%.*s", SB_BENCH_TEXT - 1, failure->text);
        failure->text[0] = '\0';
    }
    for (int k = 0; k < m->count; ++k)
        sb_contender_close(&m->contenders[k]);
    sb_bench_data_free(&m->data);
    free(m);
    return done;
}

double sb_bench_ns_per_row(const sb_bench_result *result, const sb_bench_entry *entry)
{
    return 1e9 * entry->seconds / sb_bench_rows(&result->the_case);
}

double sb_bench_gb_per_s(const sb_bench_result *result, const sb_bench_entry *entry)
{
    const sb_bench_case *c = &result->the_case;
    return 1e-9 * sb_bench_traffic(c) / entry->seconds;
}

double sb_bench_ceiling_fraction(const sb_bench_result *result, const sb_bench_entry *entry)
{
    return result->ceiling.seconds / entry->seconds;
}

const sb_bench_entry *sb_bench_fastest(const sb_bench_entry *entries, int count)
{
    const sb_bench_entry *fastest = NULL;
    for (int k = 0; k < count; ++k)
        if (!entries[k].note[0] && (!fastest || entries[k].seconds < fastest->seconds))
            fastest = &entries[k];
    return fastest;
}

double sb_bench_ratio(const sb_bench_entry *method, const sb_bench_entry *peer)
{
    return peer->seconds / method->seconds;
}
