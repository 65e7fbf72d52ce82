/* Devices that need not be there, and what a method is told of a problem on one. */
#ifndef SB_TEST_CUDA_SETUP_H
#define SB_TEST_CUDA_SETUP_H

#include "src/cuda/methods/methods.h"

static const sb_cuda_device devices[] = {
    {.major = 9, .processors = 132, .shared_block = 232448, .threads = 2048},
    {.major = 8, .processors = 108, .shared_block = 166912, .threads = 2048},
    {.major = 8, .processors = 16, .shared_block = 101376, .threads = 1536},
};

static sb_cuda_setup setup_of(slimband_problem *p, const sb_cuda_device *device)
{
    static const size_t bytes[] = {4, 8, 8, 16};
    int64_t systems = slimband_systems(p);
    return (sb_cuda_setup){.problem = p,
                           .device = device,
                           .options = {.steps = -1},
                           .systems = systems,
                           .matrices = systems,
                           .longest = p->n,
                           .scalar_bytes = bytes[p->scalar]};
}

#endif
