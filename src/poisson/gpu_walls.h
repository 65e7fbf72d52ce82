/* f and the walls' terms, as solves on a GPU begin. */
#ifndef SB_POISSON_GPU_WALLS_H
#define SB_POISSON_GPU_WALLS_H

#include "src/poisson/gpu.h"
#include "src/poisson/internal.h"

void SB_NAME(gpu_rhs_describe)(sb_gpu_rhs *rhs, const slimband_poisson_plan *plan);

/* The kernel's sides become the boundary's. Are there values at walls? */
bool SB_NAME(gpu_rhs_note)(sb_gpu_rhs *rhs, const slimband_poisson_plan *plan,
                           const slimband_poisson_boundary *boundary);

#endif
