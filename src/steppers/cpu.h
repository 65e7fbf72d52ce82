/* A stepper on the CPU: units, passes, tiles.
 *
 * A unit is a piece of state that no other touches during a step: on rings a strip of neighbouring members, interleaved and
 * filled up with zero members; otherwise one member's field. A step passes over a unit once along each axis, in tiles of
 * `width` lines, for which there are plans. Threads take units, or share the tiles of one after the other where there
 * are fewer units than threads (teams). */
#ifndef SB_STEPPER_CPU_H
#define SB_STEPPER_CPU_H

#include "slimband/plan.h"
#include "src/steppers/kernels.h"
#include "src/steppers/stepper.h"

/* A tile of so many lines at least is solved with a line in each vector lane, and then no line's bits depend on its
   neighbours: no narrower tiles where there are enough lines. */
enum { SB_GRANULE = 8 };

typedef struct sb_pass {
    int64_t n, stride;           /* of a line */
    int64_t outer, outer_stride; /* groups of lines */
    int64_t lines, line_stride;  /* of a group */
    int64_t width, across;       /* lines of a tile, tiles of a group */
    slimband_plan **plans;       /* copies x matrices */
} sb_pass;

typedef struct sb_stepper_cpu {
    const sb_stepper_kernels *kernels;
    size_t size; /* of a number */
    int threads;
    bool rings, own, teams, bordered; /* bordered: rings with own matrices, wide enough for vectors */
    int64_t units, unit_elements;
    int64_t copies, matrices; /* of plans: for each thread, where two might want the same matrix at once */
    sb_pass pass[SLIMBAND_STEPPER_MAX_RANK];
    char *state, *scratch;
    char *steady;                          /* heat between walls with values: see steady.h; else NULL */
    double gain;                           /* of a point, over dt and diffusivity */
    size_t tile_bytes, scratch_bytes;      /* of a thread: increments, rows or ghosts, u - steady */
    char *stiffness, *rate, *force;        /* of each member in its strip */
    char *weight, *border;                 /* bordered: of each member; of each unit, W and S */
    double *cosine, *sine;                 /* of the forcing at each point; NULL without */
    int64_t cache_bytes, last_cache_bytes; /* of one core; of all together, 0 if unknown */
} sb_stepper_cpu;

/* Widths, copies and everything else that needs no memory. */
void sb_stepper_lay_out(const slimband_evolution *e, sb_stepper_cpu *cpu);

/* Plans of every pass, factored. What it made so far is in the passes even if it fails. */
slimband_status sb_stepper_make_plans(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes);

slimband_status sb_stepper_run(slimband_stepper *stepper, int64_t count);

/* A unit's border. */
sb_border sb_border_of(const sb_stepper_cpu *cpu, int64_t unit);

static inline int64_t sb_tiles_of(const sb_pass *pass)
{
    return pass->outer * pass->across;
}

#endif
