/* What a call reports: one code, and for each code one sentence that names the argument and the rule. */
#ifndef SLIMBAND_STATUS_H
#define SLIMBAND_STATUS_H

#include "slimband/scalar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The whole list: code, sentence. Codes keep their numbers; new ones go to the end of their group.
   Groups: 0 success; 1.. arguments; 40.. methods; 60.. resources; 80.. numerics; 100.. fields between walls;
   120.. steppers. */
#define SLIMBAND_STATUS_LIST(X)                                                                                \
    X(SLIMBAND_OK, 0, "success")                                                                               \
    X(SLIMBAND_NULL_ARGUMENT, 1, "a required pointer is NULL")                                                 \
    X(SLIMBAND_BAD_SCALAR, 2, "problem.scalar must be SLIMBAND_F32, _F64, _C64 or _C128")                      \
    X(SLIMBAND_BAD_N, 3, "problem.n must not be negative")                                                     \
    X(SLIMBAND_BAD_BANDWIDTH, 4, "problem.lower and problem.upper must lie in 0..8")                           \
    X(SLIMBAND_BAD_ENDS, 5, "problem.ends must be SLIMBAND_OPEN or SLIMBAND_PERIODIC")                         \
    X(SLIMBAND_BAD_COEFFICIENTS, 6, "problem.coefficients must be SLIMBAND_OWN, _SHARED or _TOEPLITZ")         \
    X(SLIMBAND_BAD_PIVOTING, 7, "problem.pivoting must be SLIMBAND_PIVOT_AUTO, _NONE or _PARTIAL")             \
    X(SLIMBAND_BAD_BATCH, 8, "problem.batch_rank must lie in 0..3 and every problem.batch extent be >= 0")     \
    X(SLIMBAND_NEGATIVE_STRIDE, 9, "strides must not be negative: lines run forwards from their pointer")      \
    X(SLIMBAND_BAD_LINE_STRIDE, 10,                                                                            \
      "a line stride must be at least 1, or 0 for constant diagonals of equal lengths")                        \
    X(SLIMBAND_SOLUTION_OVERLAPS, 11, "problem.solution's strides let two unknowns share one element")         \
    X(SLIMBAND_BAD_TOEPLITZ_ROWS, 12, "toeplitz_first and toeplitz_last must be >= 0 and their sum <= n")      \
    X(SLIMBAND_BAD_REFINEMENTS, 13, "problem.refinements must lie in 0..100")                                  \
    X(SLIMBAND_BAD_RAGGED, 14, "ragged offsets must start at 0 or above and never decrease")                   \
    X(SLIMBAND_RAGGED_NEEDS_PLAIN_BATCH, 15,                                                                   \
      "a ragged batch is one dimension by itself: batch_rank must be 0 and coefficients own or Toeplitz")      \
    X(SLIMBAND_BAD_EXECUTOR, 16, "the executor is not one that a slimband constructor returned")               \
    X(SLIMBAND_BAD_THREADS, 17, "threads must be at least 1 (or 0 for all of the machine's)")                  \
    X(SLIMBAND_BAD_AXIS, 18, "the axis must lie in 0..rank-1, the rank in 1..4 and every extent be >= 0")      \
    X(SLIMBAND_IN_PLACE_LAYOUTS_DIFFER, 19, "x == b needs the same strides for rhs and solution")              \
    X(SLIMBAND_NOT_FACTORED, 20, "slimband_solve needs slimband_factor to have run on this plan")              \
    X(SLIMBAND_PLAN_STORES_NOTHING, 21, "a one_pass plan keeps no factors: call slimband_factor_solve")        \
    X(SLIMBAND_BAD_SYSTEM, 22, "the system's index must lie in 0..systems-1")                                  \
    X(SLIMBAND_BAD_WORKSPACE, 23,                                                                              \
      "the workspace must hold what slimband_cuda_workspace says and be aligned to 256 bytes")                 \
    X(SLIMBAND_UNKNOWN_METHOD, 40, "no method of this name is built in (slimband_method lists them)")          \
    X(SLIMBAND_UNKNOWN_OPTION, 41, "the method has no such option, or the option's value is out of range")     \
    X(SLIMBAND_METHOD_NEEDS_TRIDIAGONAL, 42,                                                                   \
      "this method solves tridiagonal systems only (lower = upper = 1)")                                       \
    X(SLIMBAND_METHOD_NEEDS_TOEPLITZ, 43,                                                                      \
      "this method needs Toeplitz coefficients with at most one different row at each end")                    \
    X(SLIMBAND_METHOD_DOES_NOT_PIVOT, 44, "this method does not pivot: ask for pivoting auto or none")         \
    X(SLIMBAND_METHOD_ALWAYS_PIVOTS, 45, "this method always pivots: ask for pivoting auto or partial")        \
    X(SLIMBAND_METHOD_NOT_HERE, 46, "this method does not run on this executor")                               \
    X(SLIMBAND_NOT_BUILT_IN, 47, "this backend was left out when the library was built")                       \
    X(SLIMBAND_METHOD_NEEDS_NARROWER_BAND, 48,                                                                 \
      "on this executor, this method solves bands of at most 4 diagonals on either side")                      \
    X(SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS, 49, "on this executor, this method does not solve ragged batches")  \
    X(SLIMBAND_METHOD_NEEDS_SHORTER_LINES, 50, "the systems are too long for this method on this device")      \
    X(SLIMBAND_METHOD_NEEDS_OPEN_ENDS, 52, "on this executor, this method solves systems with open ends only") \
    X(SLIMBAND_METHOD_NEEDS_TRI_OR_PENTADIAGONAL, 53,                                                          \
      "this method solves tridiagonal and pentadiagonal systems only (lower = upper = 1 or 2)")                \
    X(SLIMBAND_OUT_OF_MEMORY, 60, "not enough memory for the plan's workspace")                                \
    X(SLIMBAND_TOO_LARGE, 61, "the sizes and strides overflow 64-bit addresses")                               \
    X(SLIMBAND_NO_DEVICE, 62, "there is no usable CUDA device of this number, or no driver for it")            \
    X(SLIMBAND_BAD_STREAM, 63,                                                                                 \
      "the stream belongs to another device, or is being captured where a plan must wait")                     \
    X(SLIMBAND_DEVICE_FAILED, 64, "the CUDA device or its context failed, now or in work queued before")       \
    X(SLIMBAND_SINGULAR, 80, "a matrix is singular to working precision (slimband_system_status says which)")  \
    X(SLIMBAND_NOT_FINITE, 81, "the input holds NaN or Inf (slimband_system_status says where)")               \
    X(SLIMBAND_BREAKDOWN, 82,                                                                                  \
      "elimination without pivoting broke down (slimband_system_status says where); allow pivoting")           \
    X(SLIMBAND_SOLUTION_NOT_FINITE, 83,                                                                        \
      "a solution holds NaN or Inf: so does its input, or the solve overflowed (see slimband_system_status)")  \
    X(SLIMBAND_BAD_POISSON_RANK, 100, "a Poisson problem has 1 to 3 axes")                                     \
    X(SLIMBAND_BAD_POISSON_SCALAR, 101, "a Poisson problem's scalar must be SLIMBAND_F32 or SLIMBAND_F64")     \
    X(SLIMBAND_BAD_POISSON_SIZE, 102,                                                                          \
      "each axis needs n >= 1 unknowns (2 between Neumann walls at nodes), and fields must be >= 0")           \
    X(SLIMBAND_BAD_LENGTH, 103, "the length of an axis must be positive and finite")                           \
    X(SLIMBAND_BAD_WALLS, 104, "the walls of an axis must be SLIMBAND_WALLS_DD, _DN, _ND, _NN or _PP")         \
    X(SLIMBAND_BAD_CENTRING, 105, "centring must be SLIMBAND_AT_NODES or SLIMBAND_AT_CELLS")                   \
    X(SLIMBAND_BAD_LAMBDA, 106, "lambda and mean must be finite")                                              \
    X(SLIMBAND_BAD_LINE_AXIS, 107,                                                                             \
      "line_axis must be -1 or an axis; with spacing or coefficient it must be the axis they belong to")       \
    X(SLIMBAND_BAD_GRID, 108, "spacing and coefficient must be positive and finite")                           \
    X(SLIMBAND_METHOD_NEEDS_BCR_SIZE, 109,                                                                     \
      "block cyclic reduction needs two or three axes, and along all but the last uniform nodes between "      \
      "Dirichlet walls, n = 2^k - 1 of them")                                                                  \
    X(SLIMBAND_METHOD_NEEDS_LAMBDA, 110, "block cyclic reduction needs lambda >= 0")                           \
    X(SLIMBAND_NEEDS_FFTW, 111, "spectral needs FFTW for more than one axis, which this build left out")       \
    X(SLIMBAND_NEAR_EIGENVALUE, 112,                                                                           \
      "-lambda is an eigenvalue of the difference operator to working precision: no solution can be trusted")  \
    X(SLIMBAND_METHOD_NEEDS_UNIFORM, 113,                                                                      \
      "on a GPU, block cyclic reduction takes no axis with spacing or coefficient: spectral does, and both "   \
      "do on the CPU")                                                                                         \
    X(SLIMBAND_POISSON_OUT_OF_RANGE, 114,                                                                      \
      "the points of an axis lie so close together or so far apart that 1 / h^2 overflows or underflows")      \
    X(SLIMBAND_BAD_EQUATION, 120, "equation must be SLIMBAND_HYPERDIFFUSION, _CAHN_HILLIARD or _HEAT")         \
    X(SLIMBAND_BAD_STEPPER_SCALAR, 121, "a stepper's scalar must be SLIMBAND_F32 or SLIMBAND_F64")             \
    X(SLIMBAND_BAD_STEPPER_RANK, 122, "hyperdiffusion and Cahn-Hilliard have one axis, heat has one to three") \
    X(SLIMBAND_TOO_FEW_POINTS, 123, "an axis needs at least 5 points (3 for heat of order 2)")                 \
    X(SLIMBAND_BAD_MEMBERS, 124, "members must not be negative")                                               \
    X(SLIMBAND_BAD_TIME_STEP, 125, "dt must be positive and finite")                                           \
    X(SLIMBAND_BAD_DIFFUSIVITY, 126, "gamma and diffusivity must be positive and finite")                      \
    X(SLIMBAND_BAD_FORCING, 127, "forcing and its speed must be finite and its waves not negative")            \
    X(SLIMBAND_BAD_ORDER, 128, "order must be 2, or 4 for heat")                                               \
    X(SLIMBAND_STEPPER_NEEDS_RING, 129, "hyperdiffusion and Cahn-Hilliard need periodic walls")                \
    X(SLIMBAND_HEAT_HAS_NO_FORCING, 130, "heat takes no gamma and no forcing")                                 \
    X(SLIMBAND_UNSTABLE_STEP, 131,                                                                             \
      "dt is too large: the Cahn-Hilliard scheme is stable while dt * diffusivity <= 2 * gamma for each "      \
      "member")                                                                                                \
    X(SLIMBAND_STEP_BEYOND_PRECISION, 132,                                                                     \
      "dt is so large beside the spacing that rounding drowns the step: take a smaller dt, fewer points or "   \
      "f64")                                                                                                   \
    X(SLIMBAND_STEPPER_NOT_HERE, 133, "there is no stepper for this executor")                                 \
    X(SLIMBAND_BAD_STEPS, 134, "a number of steps must not be negative")                                       \
    X(SLIMBAND_NO_ENERGY, 135, "only the Cahn-Hilliard equation has a free energy")                            \
    X(SLIMBAND_BAD_WALL_VALUES, 136, "walls' values must be finite, and 0 where an axis is periodic")

typedef enum slimband_status {
#define SLIMBAND_STATUS_MEMBER(name, number, sentence) name = number,
    SLIMBAND_STATUS_LIST(SLIMBAND_STATUS_MEMBER)
#undef SLIMBAND_STATUS_MEMBER
} slimband_status;

/* The sentence of a status. Never NULL; a static string, safe from any thread. */
SLIMBAND_API const char *slimband_status_string(slimband_status status);

/* The status's own name, "SLIMBAND_OK" and so on. Never NULL. */
SLIMBAND_API const char *slimband_status_name(slimband_status status);

#ifdef __cplusplus
}
#endif

#endif
