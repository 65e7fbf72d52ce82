/* All that a backend sees of the core, and the core of a backend. Not all of slimband.h: nvcc takes 2 s longer over each
 * source of kernels where that brings in C++'s <complex>. */
#ifndef SB_BACKEND_H
#define SB_BACKEND_H

#include "slimband/executor.h"
#include "slimband/method.h"
#include "slimband/plan.h"
#include "slimband/problem.h"
#include "slimband/shifted.h"

typedef enum sb_solve { SB_SOLVE, SB_SOLVE_TRANSPOSED, SB_SOLVE_ADJOINT } sb_solve;

typedef struct sb_backend sb_backend;

/* A row of a backend's method table. */
typedef struct sb_method {
    slimband_method_info info;
    const void *data; /* the backend's own */
} sb_method;

/* Systems that differ by a shift, in one place and scalar type; shifted.h. The problem is valid, but for its numbers. */
typedef struct sb_shifted_place {
    slimband_status (*create)(
        slimband_shifted *shifted);             /* fills state and report; the problem's arrays go afterwards */
    void (*destroy)(slimband_shifted *shifted); /* where there is a state */
    slimband_status (*solve)(const slimband_shifted *shifted, void *u); /* of at least one system and field */
} sb_shifted_place;

struct slimband_shifted {
    slimband_shifted_problem problem;
    slimband_executor executor;
    int64_t systems; /* of a field */
    const sb_shifted_place *place;
    slimband_shifted_report report;
    void *state; /* the place's */
};

struct sb_backend {
    slimband_place place;
    const char *name;
    const sb_method *methods;
    const int *method_count;
    /* Would this method solve the problem? options: what follows the name and a colon, or "". The problem is
     * valid. */
    slimband_status (*fits)(const sb_method *method, const slimband_problem *problem,
                            slimband_executor executor, const char *options);
    /* Relative cost of a method that fits, for `auto`; infinite if auto should never choose it. */
    double (*cost)(const sb_method *method, const slimband_problem *problem, slimband_executor executor);
    /* Fill plan->state; everything is allocated here, through sb_allocate. */
    slimband_status (*create)(slimband_plan *plan, const char *options);
    void (*destroy)(slimband_plan *plan);
    slimband_status (*factor)(slimband_plan *plan, const void *const *diagonals);
    slimband_status (*solve)(slimband_plan *plan, sb_solve op, const void *b, void *x);
    slimband_status (*factor_solve)(slimband_plan *plan, const void *const *diagonals, const void *b, void *x);
    slimband_status (*report)(const slimband_plan *plan, slimband_report *report);
    slimband_status (*system_info)(const slimband_plan *plan, int64_t system, slimband_system_info *info);
    /* Backends whose calls return before their work is done, else NULL: wait for it and say how it went. */
    slimband_status (*wait)(const slimband_plan *plan);
    /* Backends that can work in memory of the caller's, else NULL: how much create would need of it. */
    slimband_status (*workspace)(const sb_method *method, const slimband_problem *problem,
                                 slimband_executor executor, const char *options, size_t *bytes);
    const sb_shifted_place *shifted[2]; /* f32, f64 */
};

/* Every backend that this build knows, one list expanded wherever they are needed. */
#ifdef SB_HAS_CUDA
#define SB_BACKENDS(X) X(cpu) X(cuda)
#else
#define SB_BACKENDS(X) X(cpu)
#endif

struct slimband_plan {
    slimband_problem problem; /* ragged points to the copy below, or is NULL */
    slimband_ragged ragged;
    slimband_executor executor;
    const sb_backend *backend;
    const sb_method *method;
    int64_t systems, matrices;
    bool factored;
    size_t bytes; /* of everything allocated for this plan */
    void *given;  /* workspace of the caller's, or NULL */
    size_t given_bytes;
    void *state; /* the backend's */
};

/* Zeroed memory aligned to 64 bytes, its size added to *bytes; NULL when there is none. Freed with sb_release.
 */
void *sb_allocate(size_t size, size_t *bytes);
void sb_release(void *memory);

/* a * b and a + b, or SIZE_MAX once anything overflows (and from then on). */
static inline size_t sb_times(size_t a, size_t b)
{
    size_t product;
    return a == SIZE_MAX || b == SIZE_MAX || __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static inline size_t sb_plus(size_t a, size_t b)
{
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

size_t sb_scalar_bytes(slimband_scalar scalar);

/* Where things are: the length of a system, the element offset of its line in an array of this layout, the
   number of the matrix it uses, and the offset of a matrix along each diagonal. */
int64_t sb_length(const slimband_problem *problem, int64_t system);
int64_t sb_longest(const slimband_problem *problem);
int64_t sb_line_offset(const slimband_problem *problem, const slimband_layout *layout, int64_t system);
int64_t sb_matrices(const slimband_problem *problem);
int64_t sb_matrix_of(const slimband_problem *problem, int64_t system);
int64_t sb_matrix_offset(const slimband_problem *problem, int64_t matrix);

/* slimband_plan_create in workspace of the caller's, or with NULL its own. */
slimband_status sb_plan_create(slimband_plan **plan, const slimband_problem *problem,
                               slimband_executor executor, const char *method, void *workspace, size_t bytes);

typedef struct sb_choice {
    const sb_backend *backend;
    const sb_method *method;
    const char *options; /* what follows the name's colon; points into the name */
} sb_choice;

/* The backend of an executor that is checked here. Errors: BAD_EXECUTOR, BAD_THREADS, NOT_BUILT_IN. */
slimband_status sb_find_backend(slimband_executor executor, const sb_backend **backend);

/* The method of this name, or that `auto` takes, for a problem that is validated here too. */
slimband_status sb_find_method(const slimband_problem *problem, slimband_executor executor, const char *name,
                               sb_choice *choice);

#endif
