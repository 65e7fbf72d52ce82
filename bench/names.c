/* Words separated by commas, looked up. */
#include "bench/names.h"

#include <stdio.h>
#include <string.h>

#include "cli/reason.h"
#include "slimband/method.h"
#include "slimband/plan.h"

static slimband_status fits(const slimband_problem *problem, const sb_bench_plan *plan, const char *method)
{
    return slimband_method_fits(problem, plan->place->executor, method);
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

/* Is it in the list, behind a minus? */
static bool is_left_out(const char *list, const char *name)
{
    for (const char *word = list; *word; word += strspn(word, ",")) {
        size_t length = strcspn(word, ",");
        if (word[0] == '-' && length == strlen(name) + 1 && !memcmp(word + 1, name, length - 1))
            return true;
        word += length;
    }
    return false;
}

static void add_if_fit(sb_bench_names *names, const slimband_problem *problem, const char *name,
                       const sb_bench_plan *plan)
{
    slimband_status status = fits(problem, plan, name);
    if (status)
        snprintf(names->refusal, sizeof names->refusal, "%s", sb_reason(status));
    else if (!is_left_out(plan->methods, name))
        add_method(names, name, plan);
}

static void add_all_methods(sb_bench_names *names, const slimband_problem *problem, const sb_bench_plan *plan)
{
    slimband_method_info info;
    for (int k = 0; slimband_method(k, &info); ++k)
        if (!strcmp(info.place, plan->place->calls->name))
            add_if_fit(names, problem, info.name, plan);
}

/* Is it a method at all? */
static bool known(slimband_status status)
{
    return status != SLIMBAND_UNKNOWN_METHOD && status != SLIMBAND_UNKNOWN_OPTION;
}

static bool find_methods(sb_bench_names *names, const slimband_problem *problem, const sb_bench_plan *plan,
                         sb_failure *failure)
{
    bool any = false, named = false;
    for (const char *word = plan->methods; *word; word += strspn(word, ",")) {
        char name[SB_BENCH_NAME];
        size_t length = strcspn(word, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        word += length;
        any = true;
        if (name[0] == '-') {
            if (fits(problem, plan, name + 1) == SLIMBAND_UNKNOWN_METHOD)
                return sb_fail(failure, "--methods %s: %s", name, sb_reason(SLIMBAND_UNKNOWN_METHOD));
            continue;
        }
        named = true;
        if (!strcmp(name, "all")) {
            add_if_fit(names, problem, SLIMBAND_AUTO, plan);
            add_all_methods(names, problem, plan);
            continue;
        }
        slimband_status status = fits(problem, plan, name);
        if (status && (!plan->skip_unfit || !known(status)))
            return sb_fail(failure, "--methods %s: %s", name, sb_reason(status));
        add_if_fit(names, problem, name, plan);
    }
    if (!any)
        return sb_fail(failure, "--methods names none");
    if (!named)
        return sb_fail(failure, "--methods %s only leaves out: all,-NAME leaves one out of all that fit",
                       plan->methods);
    if (!names->methods && !plan->skip_unfit)
        return sb_fail(failure, "--methods %s: all methods that fit are left out", plan->methods);
    if (!names->methods && !names->refusal[0])
        snprintf(names->refusal, sizeof names->refusal, "all methods that fit are left out");
    return true;
}

static bool is_here(const sb_peer *peer, const sb_bench_plan *plan)
{
    return peer->device != sb_place_is_host(plan->place);
}

static bool unknown_peer(const char *name, size_t length, const sb_bench_plan *plan, sb_failure *failure)
{
    char list[512] = "";
    const sb_peer *peer;
    for (int k = 0; (peer = sb_peer_at(k)); ++k) {
        size_t used = strlen(list);
        if (is_here(peer, plan))
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", peer->name);
    }
    return sb_fail(failure, "--against: there is no '%.*s'; there are %s", (int)length, name, list);
}

static void add_peer(sb_bench_names *names, const sb_peer *peer)
{
    if (names->peers < SB_BENCH_MOST)
        names->peer[names->peers++] = peer;
}

/* Those that the word names; false if there are none. Of a library's routines those that fit, unless none does. */
static bool add_peers(sb_bench_names *names, const char *word, size_t length, const sb_bench_case *c,
                      const sb_bench_plan *plan)
{
    const sb_peer *peer;
    int answer = 0, fit = 0;
    for (int k = 0; (peer = sb_peer_at(k)); ++k)
        if (is_here(peer, plan) && sb_peer_answers(peer, word, length)) {
            ++answer;
            fit += !sb_peer_refusal(peer, c);
        }
    for (int k = 0; (peer = sb_peer_at(k)); ++k)
        if (is_here(peer, plan) && sb_peer_answers(peer, word, length) &&
            (!sb_peer_refusal(peer, c) || (!plan->skip_unfit && fit == 0)))
            add_peer(names, peer);
    return answer > 0;
}

bool sb_bench_find_peers(sb_bench_names *names, const sb_bench_case *c, const sb_bench_plan *plan,
                         sb_failure *failure)
{
    const sb_peer *peer;
    names->peers = 0;
    if (!strcmp(plan->against, "all")) {
        for (int k = 0; (peer = sb_peer_at(k)); ++k)
            if (is_here(peer, plan) && !sb_peer_refusal(peer, c))
                add_peer(names, peer);
        return true;
    }
    for (const char *word = plan->against; *word; word += strspn(word, ",")) {
        size_t length = strcspn(word, ",");
        if (!add_peers(names, word, length, c, plan))
            return unknown_peer(word, length, plan, failure);
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
        return sb_fail(failure, "%s", sb_reason(status));
    return find_methods(names, &problem, plan, failure) && sb_bench_find_peers(names, c, plan, failure);
}
