/* What a method on the GPU is.
 *
 * The driver (backend.c, kernels/rescue.cu) puts around every method: argument checks, workspace, NaN and Inf on request, the pivoting
 * fallback, NaN for failed systems, and fetching of records. A method brings launchers, one of each for each scalar
 * type, that queue its kernels on the stream:
 *
 *   factor        reads job.diagonal, fills job.stored, writes every job.matrix record in full: outcome (SINGULAR
 *                 where it pivots, else BREAKDOWN, with the first bad row), growth, flags. Where job.wary is set and a
 *                 matrix is not shown to be safe (growth above SB_CUDA_GROWTH_LIMIT, a bad pivot, not dominant), sets
 *                 SB_CUDA_UNSAFE: the driver's fallback then factors that matrix with pivoting and overwrites the
 *                 record, UNSAFE still set. Until then the outcome is GOOD: settle goes by it. UNSAFE_TRANSPOSED: the
 *                 same for solves with the transposed alone; the record stays unless the matrix is singular.
 *   solve         job.diagonal is NULL: only what was stored may be read. For systems whose matrix is good and
 *                 not unsafe (sb_cuda_unsafe): writes x (not before the last read of an x == b that it needs) and job.system: GOOD, or
 *                 SOLUTION_NOT_FINITE with row -1 if x holds NaN or Inf. Leaves all other systems alone, x included.
 *   factor_solve  both in one pass, called only when every system has its own matrix; records as above, nothing is
 *                 stored. An UNSAFE system's x, which may be b, must be left as it was. NULL: the driver calls factor
 *                 and solve.
 *
 * After solve and factor_solve the driver's `settle` looks at all records, solves what is UNSAFE, and fills what
 * failed with NaN. A method that sets `settles` has done all that itself, and settle is not launched.
 *
 * Small rings (sb_cuda_smallest_ring) never reach a method in a batch of equal lengths: the driver pivots them. A method
 * that takes ragged batches marks them UNSAFE, whatever job.wary says.
 *
 * The sequence of launches depends on the plan only, never on data: it may be captured in a graph. */
#ifndef SB_CUDA_METHOD_H
#define SB_CUDA_METHOD_H

#include <assert.h>
#include <cuda_runtime_api.h>
#include <string.h>

#include "src/core/backend.h"
#include "src/cuda/job.h"

#define SB_CUDA_GROWTH_LIMIT 4 /* as sb_growth_limit on the CPU */

enum { SB_CUDA_SCALARS = 4, SB_CUDA_STATE = 104 };

/* Facts of a device; host tests make them up. */
typedef struct sb_cuda_device {
    int number;
    int major, minor;               /* compute capability */
    int processors;                 /* streaming multiprocessors */
    int shared_block, shared_total; /* bytes a block can have (opt-in), and one multiprocessor */
    int registers, threads;         /* of one multiprocessor */
    int64_t l2;                     /* bytes */
    bool cooperative;
} sb_cuda_device;

/* A method's options, parsed from what follows its name; each method uses what it knows. */
typedef struct sb_cuda_options {
    int64_t slice; /* 0: chosen */
    int form, steps;
} sb_cuda_options;

/* All that is known when a plan is made. */
typedef struct sb_cuda_setup {
    const slimband_problem *problem;
    const sb_cuda_device *device;
    sb_cuda_options options;
    int64_t systems, matrices, longest;
    size_t scalar_bytes;
} sb_cuda_setup;

typedef struct sb_cuda_sizes {
    /* Bytes; SIZE_MAX when they overflow (sb_times, sb_plus). A method that has factor_solve needs no `stored` for
       one_pass plans whose systems all have their own matrix. */
    size_t stored, scratch;
} sb_cuda_sizes;

/* A call as launchers see it. state: filled by the method's prepare and ready, read-only afterwards. */
typedef struct sb_cuda_call {
    sb_cuda_job job;
    const sb_cuda_setup *setup;
    const int64_t *state;
    cudaStream_t stream;
} sb_cuda_call;

/* The first error of its launches, cudaSuccess if there was none. */
typedef cudaError_t sb_cuda_launch(const sb_cuda_call *call);

/* Once a plan, behind prepare, the plan's device being current: what launches would have to ask the device at every
   call, who asks being kept waiting for microseconds. */
typedef cudaError_t sb_cuda_ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE]);

typedef struct sb_cuda_launchers {
    sb_cuda_launch *factor, *solve, *factor_solve;
    sb_cuda_ready *ready; /* or NULL */
} sb_cuda_launchers;

typedef struct sb_cuda_method {
    bool pivots;  /* safe for every nonsingular matrix: never UNSAFE */
    bool settles; /* see above */
    /* On the host, without a device but for its facts. configure: NULL when there are no options. */
    slimband_status (*configure)(const char *options, sb_cuda_options *parsed);
    slimband_status (*fits)(const sb_cuda_setup *setup);
    double (*cost)(const sb_cuda_setup *setup); /* microseconds of one solve (one_pass: factor_solve) */
    sb_cuda_sizes (*sizes)(const sb_cuda_setup *setup);
    void (*prepare)(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE]); /* NULL, or: once a plan */
    int (*levels)(const sb_cuda_setup *setup);
    double (*words)(const sb_cuda_setup *setup); /* a row, that solve moves (one_pass: factor_solve) */
    size_t (*bound_at)(
        const sb_cuda_setup *setup); /* NULL, or: where scratch has the float that slimband_report wants
                                                       as truncation_bound */
    const sb_cuda_launchers *launchers[SB_CUDA_SCALARS];
    /* NULL, or: which method goes by the same name for such a problem, itself or another one. */
    const struct sb_cuda_method *(*instead)(const sb_cuda_setup *setup);
} sb_cuda_method;

/* What a room finds out once a plan, `type found_by(setup)`: room_prepare leaves it in the plan's state, where launches find it by
   room_prepared. */
#define SB_CUDA_KEPT_IN_STATE(type, found_by, room)                                             \
    static_assert(sizeof(type) <= SB_CUDA_STATE * sizeof(int64_t), "the state holds it");       \
    static inline void room##_prepare(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE]) \
    {                                                                                           \
        type shape = found_by(setup);                                                           \
        memcpy(state, &shape, sizeof shape);                                                    \
    }                                                                                           \
    static inline type room##_prepared(const int64_t *state)                                    \
    {                                                                                           \
        type shape;                                                                             \
        memcpy(&shape, state, sizeof shape);                                                    \
        return shape;                                                                           \
    }

/* Declares the four tables that NAME.cu defines as `extern "C" const sb_cuda_launchers SB_NAME(cuda_NAME)`. */
#define SB_CUDA_DECLARE(name)                                                                        \
    extern const sb_cuda_launchers sb_cuda_##name##_f32, sb_cuda_##name##_f64, sb_cuda_##name##_c64, \
        sb_cuda_##name##_c128;
#define SB_CUDA_LAUNCHERS(name)                                                                     \
    {                                                                                               \
        &sb_cuda_##name##_f32, &sb_cuda_##name##_f64, &sb_cuda_##name##_c64, &sb_cuda_##name##_c128 \
    }

/* layout.c: are neighbouring systems nearer to each other than neighbouring rows are? */
bool sb_cuda_lies_across(const slimband_problem *problem);

/* layout.c: the batch dimension along which systems are nearest to each other; the last where there is but one. */
int sb_cuda_nearest(const slimband_problem *problem);

/* methods.c: the table, one row a method. Each method's sb_cuda_method lives in src/cuda/methods/NAME.c. */
extern const sb_method sb_cuda_methods[];
extern const int sb_cuda_method_count;

#endif
