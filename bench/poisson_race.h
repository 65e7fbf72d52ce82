/* Poisson solvers at one place and one size: answers first, then turns, then medians. */
#ifndef SB_BENCH_POISSON_RACE_H
#define SB_BENCH_POISSON_RACE_H

#include <cjson/cJSON.h>

#include "bench/case.h"
#include "bench/place.h"
#include "bench/poisson.h"
#include "bench/poisson_gpu.h"
#include "cli/progress.h"
#include "slimband/poisson.h"

enum { SB_POISSON_ENTRIES = 8, SB_POISSON_TURNS = 1000 };

typedef struct sb_poisson_entry {
    char name[SB_BENCH_NAME];
    const char *note; /* why it is not timed; NULL where it is */
    slimband_poisson_plan *plan;
    sb_fftw_poisson *fftw;
    sb_cufft_poisson *cufft;
    double residual, seconds;
} sb_poisson_entry;

typedef struct sb_poisson_race {
    sb_place *place;
    slimband_poisson_problem problem;
    int64_t points;
    double *f, *u;             /* the host's */
    double *there_f, *there_u; /* the place's */
    double copy_seconds; /* on a GPU: a copy of the field, the necessary traffic, in the same turns; else 0 */
    int entries;
    sb_poisson_entry entry[SB_POISSON_ENTRIES];
    sb_failure *failure;
} sb_poisson_race;

/* All return false with a sentence. The problem: f64. Methods and the peer's name by commas; a peer that is not there is
   noted. */
bool sb_poisson_race_open(sb_poisson_race *race, sb_place *place, const slimband_poisson_problem *problem,
                          sb_failure *failure);
bool sb_poisson_race_add(sb_poisson_race *race, const char *methods);
bool sb_poisson_race_add_peer(sb_poisson_race *race, const char *peer);
bool sb_poisson_race_run(sb_poisson_race *race, int64_t repeat,
                         sb_progress *progress); /* repeat 0: as fits 2 s */
void sb_poisson_race_close(sb_poisson_race *race);

/* Seconds that the right-hand side takes from the host's memory to the place. */
double sb_poisson_race_transfer(sb_poisson_race *race);

double sb_poisson_ns_per_point(const sb_poisson_race *race, const sb_poisson_entry *entry);

/* An entry's line; peer: what it is compared with, or NULL. */
cJSON *sb_poisson_json(const sb_poisson_race *race, const sb_poisson_entry *entry,
                       const sb_poisson_entry *peer);

#endif
