/* Implicit time steppers (libslimband-apps), in batches: hyperdiffusion, the Cahn-Hilliard equation, heat.
 *
 *     slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, 512, members, 1e-4);
 *     e.gamma = gamma;                                              // one for each member
 *     slimband_stepper *stepper;
 *     slimband_status s = slimband_stepper_create(&stepper, &e, slimband_cpu(0));
 *     if (!s) s = slimband_stepper_set(stepper, c, 0);
 *     if (!s) s = slimband_stepper_step(stepper, 1000);
 *     if (!s) s = slimband_stepper_get(stepper, c);
 *     slimband_stepper_destroy(stepper);
 *
 * Threads: one stepper may be used by one thread at a time; distinct steppers by any number of threads at once.
 * Memory:  slimband_stepper_create allocates everything; the other calls allocate nothing.
 * Bits:    those of a state depend on the evolution, the executor and the number of steps, not on how many calls
 *          the steps were spread over. A state that was taken out and put back goes on to the same bits. */
#ifndef SLIMBAND_STEPPERS_H
#define SLIMBAND_STEPPERS_H

#include "slimband/executor.h"
#include "slimband/walls.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIMBAND_STEPPER_MAX_RANK = 3 };

typedef enum slimband_equation {
    SLIMBAND_HYPERDIFFUSION =
        1, /* C_t = -gamma D C_xxxx + F: Crank-Nicolson, second order in time, stable for any dt */
    SLIMBAND_CAHN_HILLIARD, /* C_t = D (C^3 - C - gamma C_xx)_xx + F: the fourth derivative implicit, the rest explicit;
                               first order in time. The free energy does not rise while dt D (3 M^2 - 1)^2 <= 8 gamma,
                               M the largest |C|; for M = 1 that is dt D <= 2 gamma. Mass is conserved to the rounding
                               of the solve: a step moves the mean by up to some hundredths of epsilon s times its
                               largest increment, s = dt D gamma / h^4. From noise of 0.1 on 1024 points, gamma = D = 1,
                               the first step moved it by 1.5e-6 (dt 1, s 1e12), 9.6e-9 (dt 1e-2) or 1.5e-10 (dt 1e-4),
                               and the thousand after it, from smooth states, by nothing more */
    SLIMBAND_HEAT /* u_t = D Laplacian u: alternating directions, a Crank-Nicolson step along each axis after
                               the other (which commute); second order in time, stable for any dt */
} slimband_equation;

/* Plain data; start from one of the constructors below and change the fields that differ.

   Hyperdiffusion and Cahn-Hilliard have one periodic axis. Their forcing is a travelling wave,
   F(x, t) = forcing cos(2 pi forcing_waves (x - forcing_speed t) / length), taken at the middle of a step by
   hyperdiffusion and at its beginning by Cahn-Hilliard. Heat has up to three axes, walls at which u or du/dx keeps one
   value, and no forcing. */
typedef struct slimband_evolution {
    slimband_equation equation;
    slimband_scalar scalar;                    /* F32 or F64 */
    int rank;                                  /* 1; heat: 1 to 3 */
    int64_t points[SLIMBAND_STEPPER_MAX_RANK]; /* at least 5; heat of order 2: at least 3 */
    double length[SLIMBAND_STEPPER_MAX_RANK];
    slimband_walls walls[SLIMBAND_STEPPER_MAX_RANK];
    slimband_centring centring; /* of the axes that are not periodic */
    double wall_values[SLIMBAND_STEPPER_MAX_RANK]
                      [2]; /* at the lower and the upper end of an axis: u (D), or du/dx, the
                                                         derivative along the axis (N); 0 for PP */
    int order;             /* of heat's differences: 2 (tridiagonal) or 4 (pentadiagonal); else 2 */
    double dt;
    int64_t members;                             /* problems side by side; 0 is a valid batch */
    const double *gamma, *diffusivity, *forcing; /* one for each member, or NULL: 1, 1 and 0; copied */
    int64_t forcing_waves;
    double forcing_speed;
} slimband_evolution;

/* Length 1 along each axis, periodic, unknowns at nodes, order 2. */
SLIMBAND_API slimband_evolution slimband_hyperdiffusion(slimband_scalar scalar, int64_t n, int64_t members,
                                                        double dt);
SLIMBAND_API slimband_evolution slimband_cahn_hilliard(slimband_scalar scalar, int64_t n, int64_t members,
                                                       double dt);
SLIMBAND_API slimband_evolution slimband_heat(slimband_scalar scalar, int rank, const int64_t *points,
                                              double dt);

/* Every rule of this page, checked; the first that is broken is returned. Among them: dt at which Cahn-Hilliard's scheme
   is unstable for |C| = 1 (UNSTABLE_STEP), and coefficients so large beside 1 that the scalar type loses the 1
   (STEP_BEYOND_PRECISION). */
SLIMBAND_API slimband_status slimband_evolution_validate(const slimband_evolution *evolution);

/* The coordinates of an axis' points, 0 at its lower end. Errors: NULL_ARGUMENT, BAD_AXIS, and the evolution's. */
SLIMBAND_API slimband_status slimband_evolution_points(const slimband_evolution *evolution, int axis,
                                                       double *x);

typedef struct slimband_stepper slimband_stepper;

/* The evolution is copied; the state is zero until set. On error *stepper is NULL. Executors: slimband_cpu, slimband_cuda
   (states are then passed from and to the host's memory all the same, kept on the device between, and each call waits for
   its stream). Errors: every rule of this page, and the executor; STEPPER_NOT_HERE where there is no stepper for it;
   NEEDS_FFTW where walls have values, there is more than one axis, and this build left FFTW out. */
SLIMBAND_API slimband_status slimband_stepper_create(slimband_stepper **stepper,
                                                     const slimband_evolution *evolution,
                                                     slimband_executor executor);
SLIMBAND_API void slimband_stepper_destroy(slimband_stepper *stepper); /* NULL is fine */

/* The state: members x points[0] x points[1] x points[2] numbers of the scalar type, C order. set: after `steps` steps, so
   that time is steps * dt. */
SLIMBAND_API slimband_status slimband_stepper_set(slimband_stepper *stepper, const void *state, int64_t steps);
SLIMBAND_API slimband_status slimband_stepper_get(const slimband_stepper *stepper, void *state);

/* Take `count` steps. Members are independent: when one overflows, it holds NaN, the others go on, and the call returns
   SOLUTION_NOT_FINITE. */
SLIMBAND_API slimband_status slimband_stepper_step(slimband_stepper *stepper, int64_t count);

/* Of each member: the mean of its points; and Cahn-Hilliard's free energy, the sum over points of
   h ((C^2 - 1)^2 / 4 + gamma / 2 (difference to the next point / h)^2). Sums in double. */
SLIMBAND_API slimband_status slimband_stepper_means(const slimband_stepper *stepper, double *means);
SLIMBAND_API slimband_status slimband_stepper_energies(const slimband_stepper *stepper, double *energies);

typedef struct slimband_stepper_facts {
    const char *scheme; /* static strings */
    const char *method; /* of the plans that solve */
    int threads;        /* that have something to do; 0 on a GPU */
    int64_t steps;      /* taken since the beginning of time */
    double time;
    int64_t matrices; /* distinct ones: 1, or one for each member; of each axis */
    int64_t pivoted;  /* factors of plans that needed pivoting */
    double
        words_per_point; /* that one call of slimband_stepper_step moves between memory and core when it takes a single
                               step; on one axis of a CPU, more steps in the call move no more than one */
    size_t workspace_bytes; /* all that was allocated, the state and the plans included */
} slimband_stepper_facts;

SLIMBAND_API slimband_status slimband_stepper_report(const slimband_stepper *stepper,
                                                     slimband_stepper_facts *facts);

#ifdef __cplusplus
}
#endif

#endif
