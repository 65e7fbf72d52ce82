/* What a plan on the CPU keeps, whatever its scalar type, and the table of what is compiled per type. */
#ifndef SB_WORKSPACE_H
#define SB_WORKSPACE_H

#include "slimband/residual.h"
#include "src/core/backend.h"
#include "src/cpu/cost_facts.h"
#include "src/cpu/record.h"

enum { SB_SCALARS = 4 };

typedef struct sb_cpu sb_cpu;

/* The batch drivers of one scalar type. first_failed: the lowest number of a failed system, or -1. */
typedef struct sb_drivers {
    void (*prepare)(slimband_plan *plan); /* NULL, or: choose how, before the workspace is sized */
    size_t (*stored)(const sb_recipe *recipe, int64_t n);
    size_t (*scratch)(const sb_recipe *recipe, int64_t n);
    void (*factor)(const slimband_plan *plan, const void *const *diagonals);
    int64_t (*solve)(const slimband_plan *plan, sb_solve op, const void *b, void *x);
    int64_t (*factor_solve)(const slimband_plan *plan, const void *const *diagonals, const void *b, void *x);
    void (*backward_error)(const slimband_problem *problem, const void *const *diagonals, const void *b,
                           const void *x, slimband_backward_error *error);
} sb_drivers;

extern const sb_drivers sb_drivers_f32, sb_drivers_f64, sb_drivers_c64, sb_drivers_c128;
extern const sb_drivers *const sb_drivers_of[SB_SCALARS]; /* by slimband_scalar */
extern const sb_drivers sb_lanes_drivers_f32, sb_lanes_drivers_f64, sb_lanes_drivers_c64, sb_lanes_drivers_c128;
extern const sb_drivers sb_chunked_drivers_f32, sb_chunked_drivers_f64, sb_chunked_drivers_c64,
    sb_chunked_drivers_c128;

/* A row of the method table, the part that computes: one engine for each scalar type. */
typedef struct sb_cpu_method {
    const void *engine[SB_SCALARS];        /* const sb_engine * of that type */
    const sb_drivers *drivers[SB_SCALARS]; /* NULL: those of batch.c */
    const sb_cost_facts *cost;             /* NULL: `auto` never chooses it */
    bool parallel_inside;                  /* can use threads within one system */
    bool reads_matrix, pivots;             /* as the engines say; known here without their type */
    bool by_name_only; /* its rounding errors can exceed elimination's: `auto` leaves it alone */
    bool (*worth)(
        const slimband_problem *problem); /* NULL, or: problems that do not turn it into another method */
    slimband_status (*fits)(const slimband_problem *problem);
    slimband_status (*configure)(const char *options, sb_tuning *tuning);
    int (*levels)(int64_t n, const sb_tuning *tuning);
} sb_cpu_method;

/* Seconds that `auto` expects of a method that fits; infinite if it should never choose it. */
double sb_cpu_cost(const sb_cpu_method *method, const slimband_problem *problem,
                   const sb_cost_machine *machine);

extern const sb_cpu_method sb_pivoted_lu_method;
extern const sb_method sb_cpu_methods[];
extern const int sb_cpu_method_count;

/* How the method `lanes` puts a plan's systems side by side. */
typedef struct sb_wide_plan {
    const void *kernels; /* const sb_wide * of the scalar type; NULL: systems are solved one by one */
    int64_t lanes;       /* most systems of a tile */
    int64_t block;       /* rows that are gathered and swept together */
    int64_t stretch;     /* rows that a tile holds: all, or of long systems side by side a part (stretches.c) */
    int64_t factor_rows; /* rows of factors that a tile holds: a block, or all where they are few enough */
    size_t bytes;        /* of one thread's tiles, the last part of its scratch */
    bool laned;          /* own factors are kept in lane order */
    bool small;          /* the second-level cache has room for the next tile too */
    bool far;            /* the batch is larger than the cores' own caches */
    bool past_cache;     /* the batch is much larger than all caches */
    bool systems_told;   /* every system's record says success, */
    bool matrices_told;  /* every matrix's that nothing grew: none has to say so again (chunk.c) */
} sb_wide_plan;

/* How the methods `partition` and `truncated` cut a plan's systems into chunks. */
typedef struct sb_chunked_plan {
    const void *kernels; /* const sb_long * of the scalar type; NULL: systems are solved whole */
    size_t bytes;        /* of one system in work, the last part of a thread's scratch but for tiles */
    bool truncates;      /* one pass where that is as good, before two */
    int group;           /* systems that go together through the factors of one matrix */
    int64_t joined;      /* lines that go together as one system: sb_lines_joined */
    bool far;            /* a system is much larger than the caches */
} sb_chunked_plan;

struct sb_cpu {
    const sb_drivers *drivers;
    sb_recipe recipe;
    int threads;            /* over the batch */
    int64_t tile;           /* systems gathered at once where lines are not contiguous */
    char *factors;          /* of all matrices, or NULL */
    size_t factor_bytes;    /* of one matrix; */
    size_t *factor_offsets; /* or, ragged, where each begins */
    char *scratch;
    size_t scratch_bytes; /* of one thread: a tile of lines, a store when nothing is kept, what system.c asks
                             for */
    size_t tile_bytes, store_bytes;
    sb_wide_plan wide;
    sb_chunked_plan chunked;
    double words_per_row; /* 0: right-hand side, solution and factors */
    sb_matrix_record *matrices;
    sb_system_record *systems;
};

static inline void *sb_store(const sb_cpu *cpu, int64_t matrix)
{
    return cpu->factors +
           (cpu->factor_offsets ? cpu->factor_offsets[matrix] : (size_t)matrix * cpu->factor_bytes);
}

slimband_status sb_cpu_create(slimband_plan *plan, const char *options);
void sb_cpu_destroy(slimband_plan *plan);

#endif
