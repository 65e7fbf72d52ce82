/* Where trials run. Linked in one of two ways: place_cpu.c, or tests/cuda/place.c. */
#ifndef SB_RANDOM_PLACE_H
#define SB_RANDOM_PLACE_H

#include "tests/random/trial.h"

/* "cpu" or "cuda", as slimband_method says it. */
extern const char place_name[];

/* A sentence why nothing can run here, or NULL. */
const char *place_missing(void);

slimband_executor place_executor(const trial *t);

/* Frees what the place keeps between trials. */
void place_release(void);

/* Takes back what no method of the place can do. */
void place_limit(trial *t);

/* The trial's arrays as the library is to be handed them. False without memory. */
typedef struct placed {
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    const void *b;
    void *x;
} placed;

bool place_bring(const trial *t, placed *arrays);

/* After a call that returned `status`: the arrays are the trial's again. Returns what became of the systems. */
slimband_status place_take_back(const trial *t, const placed *arrays, const slimband_plan *plan,
                                slimband_status status);

#endif
