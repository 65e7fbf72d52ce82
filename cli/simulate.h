/* What the parts of `slimband simulate` share. */
#ifndef SB_SIMULATE_H
#define SB_SIMULATE_H

#include "cli/fail.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "slimband/steppers.h"

/* "a:b": from the first member's value to the last one's, by equal steps. */
typedef struct sb_range {
    double first, last;
    bool given;
} sb_range;

typedef enum sb_initial { SB_FROM_FILE = -1, SB_WAVE, SB_RANDOM, SB_BLOCK } sb_initial;

/* The options, those that were not given set to what is usual once sb_simulate_settle has run. */
typedef struct sb_simulate {
    const char *what; /* hyperdiffusion, cahn-hilliard, heat2d or heat3d */
    slimband_equation equation;
    slimband_scalar scalar;
    int rank;
    int64_t size[SLIMBAND_STEPPER_MAX_RANK];
    double length[SLIMBAND_STEPPER_MAX_RANK];
    slimband_walls walls[SLIMBAND_STEPPER_MAX_RANK];
    double boundary[2 * SLIMBAND_STEPPER_MAX_RANK];
    int sizes, lengths, ends, boundaries; /* how many were given */
    int centring;
    int64_t order;
    int64_t batch, steps, every, seed, threads, waves, member;
    double dt, amplitude, mean; /* NaN: not given */
    sb_range gamma, diffusivity, forcing;
    int64_t forcing_waves; /* -1: not given */
    double forcing_speed;  /* NaN: not given */
    bool batched, cuda, json;
    sb_initial initial;
    const char *initial_file; /* or a shape's name */
    const char *output, *picture, *checkpoint;
    int interrupted; /* the signal, once the run was stopped by one */
    sb_failure failure;
} sb_simulate;

/* Numbers that were kept on the way: record k of `each` numbers, taken after k * every steps. */
typedef struct sb_records {
    int64_t every, count, room, each; /* every 0: none are wanted */
    size_t size;                      /* of a number */
    char *data;
} sb_records;

/* A run under way. */
typedef struct sb_simulation {
    sb_simulate *settings;
    double *gamma, *diffusivity, *forcing; /* of each member; NULL where not given */
    slimband_evolution evolution;
    slimband_stepper *stepper;
    int64_t member_points, elements;
    size_t size;              /* of a number */
    void *state;              /* as it lies in files */
    int64_t step, first_step; /* reached; at which this process began */
    sb_records frames, rows;  /* whole states for --output; doubles, a line of the picture each */
    char parameters[2048];    /* all that decides over bits, as words with blanks between */
    double seconds;           /* spent stepping */
    double *means, *energies; /* of each member at the start of this process; energies NULL if there are none */
    sb_output output, picture;
    sb_progress progress;
} sb_simulation;

/* Check the options that belong together and fill in the others. */
bool sb_simulate_settle(sb_simulate *s);

/* Evolution, stepper, memory, and the state at step 0. */
bool sb_simulation_prepare(sb_simulation *run);

bool sb_simulation_initial(sb_simulation *run);

/* All steps that remain; false with the failure, or with settings->interrupted. */
bool sb_simulation_steps(sb_simulation *run);

/* The stepper's state into run->state; means, and energies unless NULL, of each member. */
bool sb_simulation_state(sb_simulation *run);
bool sb_simulation_diagnose(sb_simulation *run, double *means, double *energies);

/* Checkpoints: written under a temporary name and renamed. resume: true if there is no such file, or if it was read and
   fits this run. */
bool sb_simulation_save(sb_simulation *run);
bool sb_simulation_resume(sb_simulation *run);

/* The final state or the frames as .npy; a picture of one member in time, or of its field. */
bool sb_simulation_write(sb_simulation *run);
bool sb_simulation_tell(sb_simulation *run);

#endif
