/* What a plan on the GPU keeps on the host. */
#ifndef SB_CUDA_PLAN_H
#define SB_CUDA_PLAN_H

#include "src/cuda/refine.h"
#include "src/cuda/rescue.h"

/* The parts of a plan's device memory, and where each begins. */
typedef enum sb_cuda_part {
    SB_PART_STORED,
    SB_PART_SCRATCH,
    SB_PART_ROWS, /* of sb_cuda_rescue, as are PIVOTS, LINES and FINITE */
    SB_PART_PIVOTS,
    SB_PART_LINES,
    SB_PART_FINITE,
    SB_PART_MATRIX, /* of sb_cuda_refine, as are B and RESIDUAL */
    SB_PART_B,
    SB_PART_RESIDUAL,
    SB_PART_MATRICES,
    SB_PART_SYSTEMS,
    SB_PART_OFFSETS,
    SB_PARTS
} sb_cuda_part;

typedef struct sb_cuda_map {
    size_t at[SB_PARTS + 1]; /* the last is the sum, SIZE_MAX if it overflows */
} sb_cuda_map;

typedef struct sb_cuda_plan {
    sb_cuda_device device;
    sb_cuda_setup setup;
    const sb_cuda_method *method;
    const sb_cuda_launchers *launchers; /* NULL: partial pivoting does it all */
    const sb_cuda_rescuers *rescuers;
    sb_cuda_rescue rescue;
    const sb_cuda_refiners *refiners;
    sb_cuda_refine refine;
    slimband_problem refined; /* as the method sees it, in a plan that refines */
    int refinements;
    bool rescues;    /* matrices can be UNSAFE */
    bool settles;    /* settle is not needed */
    bool fused;      /* factor_solve is one pass */
    sb_cuda_job job; /* all of it that no call changes */
    cudaStream_t stream;
    char *memory;
    bool owned; /* memory is the plan's own */
    int64_t state[SB_CUDA_STATE];
} sb_cuda_plan;

/* device.c */
slimband_status sb_cuda_facts(int number, sb_cuda_device *device);
slimband_status sb_cuda_status(cudaError_t error);
/* Makes a device current and says which one was. */
slimband_status sb_cuda_enter(int number, int *previous);
void sb_cuda_leave(int previous);
/* While a stream is captured, memory can be neither filled nor waited for: BAD_STREAM. */
slimband_status sb_cuda_check_stream(cudaStream_t stream);

/* layout.c: everything about a plan that needs no device but its facts. */
slimband_status sb_cuda_describe(const sb_cuda_method *method, const slimband_problem *problem,
                                 const char *options, sb_cuda_plan *cuda);
sb_cuda_map sb_cuda_measure(const sb_cuda_plan *cuda);
void sb_cuda_place(sb_cuda_plan *cuda, const sb_cuda_map *map);
/* Words a row of a solve (one_pass: factor_solve) by partial pivoting. */
double sb_cuda_rescue_words(const sb_cuda_plan *cuda);

/* fetch.c */
slimband_status sb_cuda_wait(const slimband_plan *plan);
slimband_status sb_cuda_report(const slimband_plan *plan, slimband_report *report);
slimband_status sb_cuda_system_info(const slimband_plan *plan, int64_t system, slimband_system_info *info);

#endif
