/* slimband bench poisson. */
#include "bench/poisson.h"

#include <stdio.h>

#include "bench/poisson_figures.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/lists.h"
#include "cli/poisson.h"
#include "slimband/method.h"

enum { KEY_CENTRING = 0x200 };

#ifdef SB_HAVE_FFTW
#define USUAL_METHOD "spectral"
#else
#define USUAL_METHOD "bcr4"
#endif

typedef struct bench {
    int64_t size[SLIMBAND_POISSON_MAX_RANK], threads, repeat;
    int walls[SLIMBAND_POISSON_MAX_RANK];
    int rank, ends, centring, executor, peer;
    const char *methods, *against, *figures;
    bool json;
    sb_failure failure;
} bench;

static const struct argp_option options[] = {
    {"size", 'n', "N[,N[,N]]", 0, "Unknowns along each axis (default 1023,1023), f64", 0},
    {"ends", 'e', "E[,E[,E]]", 0, "Walls of each axis, or of all: dd (default), dn, nd, nn or pp", 0},
    {"centring", KEY_CENTRING, "WHERE", 0, "node (default) or cell", 0},
    {"methods", 'm', "LIST", 0,
     "Names by commas (default " USUAL_METHOD "); :measure lets FFTW time its choices", 0},
    {"against", 'a', "PEER", 0,
     "Two axes: fftw, FFTW's sine transforms of type I and a tridiagonal sweep with stored pivots, OpenMP; or "
     "on a GPU "
     "cufft, the same by cuFFT's real transforms of odd lines and a thread a column",
     0},
    {"executor", 'x', "WHERE", 0, "cpu (default) or cuda", 0},
    {"threads", 't', "T", 0, "Threads to use (default: all)", 0},
    {"repeat", 'r', "R", 0, "Turns of each (default: as many as fit two seconds); medians are shown", 0},
    {"json", 'j', NULL, 0, "One line of JSON for each method", 0},
    {"figures", 'f', "FOLDER", 0,
     "Instead: bcr2 and bcr4 on squares and cubes of 2^k - 1 along each axis, up to --size N[,M] (default "
     "4095,255), on the CPU "
     "and, if there is one, the GPU; the times and figures 3 to 5 of the paper go there",
     0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    bench *b = state->input;
    static const char *const peers[] = {"fftw", "cufft", NULL};
    switch (key) {
    case 'n':
        return sb_option_integers("--size", text, 1, INT64_C(1) << 40, SLIMBAND_POISSON_MAX_RANK, b->size,
                                  &b->rank, &b->failure);
    case 'e':
        return sb_option_words("--ends", text, sb_poisson_walls, SLIMBAND_POISSON_MAX_RANK, b->walls, &b->ends,
                               &b->failure);
    case KEY_CENTRING:
        return sb_option_word("--centring", text, sb_poisson_centrings, &b->centring, &b->failure);
    case 'm':
        b->methods = text;
        return 0;
    case 'a':
        b->against = text;
        return sb_option_word("--against", text, peers, &b->peer, &b->failure);
    case 'x':
        return sb_option_word("--executor", text, sb_place_names, &b->executor, &b->failure);
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &b->threads, &b->failure);
    case 'r':
        return sb_option_integer("--repeat", text, 1, SB_POISSON_TURNS, &b->repeat, &b->failure);
    case 'j':
        b->json = true;
        return 0;
    case 'f':
        b->figures = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool tell(bench *b, const sb_poisson_race *race)
{
    const sb_poisson_entry *peer = b->against ? &race->entry[race->entries - 1] : NULL;
    for (int k = 0; k < race->entries; ++k) {
        const sb_poisson_entry *e = &race->entry[k];
        if (b->json && e != peer && !sb_json_print(sb_poisson_json(race, e, peer), &b->failure))
            return false;
        if (b->json)
            continue;
        if (e->note)
            printf("%-20s %s\n", e->name, e->note);
        else
            printf("%-20s %8.3f ns a point   backward error %.1e", e->name, sb_poisson_ns_per_point(race, e),
                   e->residual);
        if (!e->note && race->copy_seconds > 0)
            printf("   %.1f copies", e->seconds / race->copy_seconds);
        if (peer && !peer->note && e != peer)
            printf("   %s takes %.2f times as long", peer->name, peer->seconds / e->seconds);
        if (!e->note)
            printf("\n");
    }
    return true;
}

static bool describe(bench *b, slimband_poisson_problem *p)
{
    if (!b->rank) {
        b->rank = 2;
        b->size[0] = b->size[1] = 1023;
    }
    if (b->ends && !sb_list_fits("--ends", b->ends, b->rank, &b->failure))
        return false;
    *p = slimband_poisson(SLIMBAND_F64, b->rank, b->size);
    for (int a = 0; a < b->rank; ++a) {
        int walls = b->ends == 0 ? 0 : b->walls[b->ends == 1 ? 0 : a];
        p->axis[a].walls = (slimband_walls)(SLIMBAND_WALLS_DD + walls);
        p->axis[a].centring = b->centring ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES;
    }
    return true;
}

static bool measure(bench *b, sb_place *place)
{
    sb_progress progress;
    sb_poisson_race race = {0};
    slimband_poisson_problem problem;
    if (!describe(b, &problem))
        return false;
    sb_progress_begin(&progress);
    bool good = sb_poisson_race_open(&race, place, &problem, &b->failure) &&
                sb_poisson_race_add(&race, b->methods) &&
                (!b->against || sb_poisson_race_add_peer(&race, b->against)) &&
                sb_poisson_race_run(&race, b->repeat, &progress);
    sb_progress_end(&progress);
    good = good && tell(b, &race);
    sb_poisson_race_close(&race);
    return good;
}

static bool work(void *settings)
{
    bench *b = settings;
    slimband_machine machine;
    sb_place place;
    slimband_machine_facts(&machine);
    int threads = b->threads ? (int)b->threads : machine.threads;
    if (b->figures && (b->ends || b->centring))
        return sb_fail(&b->failure, "--figures measures nodes between Dirichlet walls");
    if (!sb_place_open(&place, b->executor, threads, &b->failure))
        return false;
    /* Figures open their own places, a GPU if there is one; if one was asked for, it is there by now. */
    bool good = b->figures ? sb_poisson_figures(b->figures, b->size, b->rank, threads, b->repeat, &b->failure)
                           : measure(b, &place);
    sb_place_close(&place);
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
    bench b = {.methods = USUAL_METHOD};
    return sb_command_run(&argp, argc, argv, &b, &b.failure, work);
}
