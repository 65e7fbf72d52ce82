/* What a stepper is, and what a place to run brings. */
#ifndef SB_STEPPER_H
#define SB_STEPPER_H

#include "slimband/steppers.h"

/* A place that steppers run in: a row of the table in stepper.c. Everything is allocated by create, in `state`. */
typedef struct sb_stepper_place {
    slimband_place place;
    slimband_status (*create)(slimband_stepper *stepper);
    void (*destroy)(slimband_stepper *stepper); /* also what a failed create left behind */
    slimband_status (*set)(slimband_stepper *stepper, const void *state);
    slimband_status (*get)(const slimband_stepper *stepper, void *state);
    slimband_status (*step)(slimband_stepper *stepper, int64_t count);
    slimband_status (*means)(const slimband_stepper *stepper, double *means);
    slimband_status (*energies)(const slimband_stepper *stepper, double *energies);
    void (*report)(const slimband_stepper *stepper, slimband_stepper_facts *facts);
} sb_stepper_place;

extern const sb_stepper_place sb_stepper_on_cpu, sb_stepper_on_cuda;

struct slimband_stepper {
    slimband_evolution evolution; /* its arrays are copies */
    slimband_executor executor;
    const sb_stepper_place *place;
    int64_t steps;
    size_t bytes;
    void *state; /* the place's */
};

/* The value of member m of an array that may be NULL. */
static inline double sb_of_member(const double *values, int64_t m, double otherwise)
{
    return values ? values[m] : otherwise;
}

/* Do all members have the same matrix? */
bool sb_members_share(const slimband_evolution *e);

int64_t sb_points_of_member(const slimband_evolution *e);
double sb_spacing(const slimband_evolution *e, int axis);

/* What stands beside the identity in the matrix of an axis: a multiple of its difference operator.
     1-D: share dt gamma D / h^4, share 1/2 for Crank-Nicolson and 1 for Cahn-Hilliard; heat: dt D / (2 h^2) */
double sb_implicit_weight(const slimband_evolution *e, int axis, int64_t member);

/* What a right-hand side's differences are multiplied with: dt D / h^2; and rings' gamma / h^2 within. */
double sb_rate(const slimband_evolution *e, int axis, int64_t member);
double sb_stiffness(const slimband_evolution *e, int64_t member);

bool sb_has_wall_values(const slimband_evolution *e);

/* Does any member have a wave that pushes? Its phases: cosine and sine at each point; and dt times those of the time of a
   step, by which a ring's points[0] pairs are then combined. */
bool sb_is_forced(const slimband_evolution *e);
void sb_wave_points(const slimband_evolution *e, double *cosine, double *sine);
void sb_wave_time(const slimband_evolution *e, int64_t step, double *along, double *across);

#endif
