/* A stepper on a GPU: one unit, all members and whole passes at a time, on the executor's stream.
 *
 * Rings lie interleaved, `pitch` members side by side (a multiple of 32 where there are that many: whole segments); fields
 * as they come. */
#ifndef SB_STEPPER_CUDA_H
#define SB_STEPPER_CUDA_H

#include "slimband/plan.h"
#include "src/steppers/device.h"
#include "src/steppers/stepper.h"

/* The parts of the device memory. The state and increments are double: a step goes from one pair to the other. */
typedef enum sb_device_part {
    SB_DEVICE_STATE,
    SB_DEVICE_OTHER_STATE,
    SB_DEVICE_INCREMENTS,
    SB_DEVICE_OTHER_INCREMENTS,
    SB_DEVICE_STIFFNESS,
    SB_DEVICE_FORCE,
    SB_DEVICE_RATE, /* of each member, axis after axis */
    SB_DEVICE_COSINE,
    SB_DEVICE_SINE,
    SB_DEVICE_GAMMA,
    SB_DEVICE_STEADY,
    SB_DEVICE_GAIN,
    SB_DEVICE_SUMS,
    SB_DEVICE_PARTS
} sb_device_part;

typedef struct sb_stepper_cuda {
    const sb_device_kernels *kernels;
    size_t size;        /* of a number */
    int64_t processors; /* of the device */
    bool rings, own, forced;
    int64_t elements; /* of the state, gaps between rows included */
    int64_t pitch;    /* rings: from a row to the next */
    int64_t slices;   /* that sums over a member are cut into */
    sb_device_lines lines[SLIMBAND_STEPPER_MAX_RANK];
    slimband_plan *plan[SLIMBAND_STEPPER_MAX_RANK];
    char *memory;
    char *part[SB_DEVICE_PARTS];
    double gain; /* heat between walls with values: see steady.h */
    int current; /* of the two pairs: which the state lies in */
    /* The executor's stream, or one of our own where that is the default one, which no graph can be taken from. */
    cudaStream_t stream, own_stream;
    /* SB_GRAPH_STEPS from either pair, increments pending; NULL where a wave pushes differently in each step. */
    cudaGraphExec_t graph[2];
    double *sums; /* the host's copy */
} sb_stepper_cuda;

/* Everything that needs no memory; bytes of a part. */
void sb_stepper_cuda_lay_out(const slimband_evolution *e, sb_stepper_cuda *cuda);
size_t sb_stepper_cuda_bytes(const slimband_evolution *e, const sb_stepper_cuda *cuda, int part);

/* The numbers of members, waves and walls, into their parts. */
slimband_status sb_stepper_cuda_fill(slimband_stepper *stepper);

/* Steps that a graph takes: an even number, so that the state ends in the pair that it began in. */
enum { SB_GRAPH_STEPS = 8 };

/* The plan of each axis, factored; nothing where there are no points. What was made so far is there even on failure. */
slimband_status sb_stepper_cuda_plans(slimband_stepper *stepper);

/* Graphs of steps, so that launching them costs little. */
slimband_status sb_stepper_cuda_graphs(slimband_stepper *stepper);

slimband_status sb_stepper_cuda_run(slimband_stepper *stepper, int64_t count);

#endif
