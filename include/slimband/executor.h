/* Where a plan runs. */
#ifndef SLIMBAND_EXECUTOR_H
#define SLIMBAND_EXECUTOR_H

#include "slimband/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum slimband_place {
    SLIMBAND_ON_CPU = 1, /* 0 is no place: a zeroed executor is refused */
    SLIMBAND_ON_CUDA,
    SLIMBAND_ON_MPI
} slimband_place;

/* Passed by value. Made by a constructor: slimband_cpu here, the others in their opt-in headers, which also
   say what `place_data` is. */
typedef struct slimband_executor {
    slimband_place place;
    int threads; /* CPU: as in slimband_cpu */
    int device;
    const void *place_data;
} slimband_executor;

/* The CPU with this many threads; 0: all that OpenMP offers, but one for plans whose work is done before the others are awake.
   The count is checked when a plan is created. */
SLIMBAND_API slimband_executor slimband_cpu(int threads);

#ifdef __cplusplus
}
#endif

#endif
