/* Words separated by commas, looked up. */
#include "bench/names.h"

#include <stdio.h>
#include <string.h>

#include "slimband/method.h"
#include "slimband/plan.h"

static slimband_status fits(const slimband_problem *problem, const char *method)
{
    slimband_problem p = *problem;
    p.one_pass = p.coefficients == SLIMBAND_OWN;
    return slimband_method_fits(&p, slimband_cpu(0), method);
}

/* pcr_thomas by itself or with a form only is told where to switch, if anything was said. */
static void add_method(sb_bench_names *names, const char *name, const sb_bench_plan *plan)
{
    const char switches[] = "pcr_thomas";
    size_t length = strcspn(name, ":");
    if (names->methods == SB_BENCH_MOST)
        return;
    char *added = names->method[names->methods++];
    bool told = plan->switches && length == strlen(switches) && !strncmp(name, switches, length);
    if (told && !strstr(name, "switch="))
        snprintf(added, SB_BENCH_NAME, "%s%sswitch=%d", name, name[length] ? "," : ":", plan->switch_point);
    else
        snprintf(added, SB_BENCH_NAME, "%s", name);
}

static void add_all_methods(sb_bench_names *names, const slimband_problem *problem, const sb_bench_plan *plan)
{
    slimband_method_info info;
    add_method(names, SLIMBAND_AUTO, plan);
    for (int k = 0; slimband_method(k, &info); ++k)
        if (!strcmp(info.place, "cpu") && !fits(problem, info.name))
            add_method(names, info.name, plan);
}

/* Is it a method at all? */
static bool known(slimband_status status)
{
    return status != SLIMBAND_UNKNOWN_METHOD && status != SLIMBAND_UNKNOWN_OPTION;
}

static bool find_methods(sb_bench_names *names, const slimband_problem *problem, const sb_bench_plan *plan,
                         sb_failure *failure)
{
    if (!strcmp(plan->methods, "all")) {
        add_all_methods(names, problem, plan);
        return true;
    }
    bool any = false;
    for (const char *word = plan->methods; *word; word += strspn(word, ",")) {
        char name[SB_BENCH_NAME];
        size_t length = strcspn(word, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        slimband_status status = fits(problem, name);
        if (!status)
            add_method(names, name, plan);
        else if (!plan->skip_unfit || !known(status))
            return sb_fail(failure, "--methods %s: %s", name, slimband_status_string(status));
        any = true;
        word += length;
    }
    return any || sb_fail(failure, "--methods names none");
}

static bool unknown_peer(const char *name, size_t length, sb_failure *failure)
{
    char list[256] = "";
    const sb_peer *peer;
    for (int k = 0; (peer = sb_peer_at(k)); ++k) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", peer->name);
    }
    return sb_fail(failure, "--against: there is no '%.*s'; there are %s", (int)length, name, list);
}

static void add_peer(sb_bench_names *names, const sb_peer *peer)
{
    if (names->peers < SB_BENCH_MOST)
        names->peer[names->peers++] = peer;
}

bool sb_bench_find_peers(sb_bench_names *names, const sb_bench_case *c, const sb_bench_plan *plan,
                         sb_failure *failure)
{
    const sb_peer *peer;
    names->peers = 0;
    if (!strcmp(plan->against, "all")) {
        for (int k = 0; (peer = sb_peer_at(k)); ++k)
            if (!sb_peer_refusal(peer, c))
                add_peer(names, peer);
        return true;
    }
    for (const char *word = plan->against; *word; word += strspn(word, ",")) {
        size_t length = strcspn(word, ",");
        if (!(peer = sb_peer_find(word, length)))
            return unknown_peer(word, length, failure);
        if (!plan->skip_unfit || !sb_peer_refusal(peer, c))
            add_peer(names, peer);
        word += length;
    }
    return true;
}

bool sb_bench_find_names(sb_bench_names *names, const sb_bench_case *c, const sb_bench_plan *plan,
                         sb_failure *failure)
{
    slimband_problem problem;
    slimband_status status = sb_bench_problem(c, &problem);
    *names = (sb_bench_names){0};
    if (status)
        return sb_fail(failure, "%s", slimband_status_string(status));
    return find_methods(names, &problem, plan, failure) && sb_bench_find_peers(names, c, plan, failure);
}
