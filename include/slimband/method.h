/* The methods that are built in, for listing. */
#ifndef SLIMBAND_METHOD_H
#define SLIMBAND_METHOD_H

#include "slimband/executor.h"
#include "slimband/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slimband_method_info {
    const char *name;
    const char *place;     /* "cpu", "cuda", "mpi" */
    const char *solves;    /* what it can solve */
    const char *stability; /* when its answers can be trusted */
    const char *options;   /* "" or "slice=N (...)" */
    const char *source;    /* where it is described */
} slimband_method_info;

/* Method number `index` (0, 1, ...), false past the last. Static strings. */
SLIMBAND_API bool slimband_method(int index, slimband_method_info *info);

/* Would slimband_plan_create accept this method for this problem? OK, or the reason against it. */
SLIMBAND_API slimband_status slimband_method_fits(const slimband_problem *problem, slimband_executor executor,
                                                  const char *method);

/* What the library was built with and where it runs. */
typedef struct slimband_machine {
    const char *version;
    const char *instruction_sets; /* of this processor, as "sse2 avx2 fma" */
    const char *backends;         /* built in, as "cpu" */
    int cores;                    /* that this process may use */
    int threads;                  /* OpenMP's default */
    int64_t cache_bytes[3];       /* one core's L1d and L2, and the last level's that this process'
                                     processors share, 16 MiB for each at most; 0 where unknown */
} slimband_machine;

SLIMBAND_API void slimband_machine_facts(slimband_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
