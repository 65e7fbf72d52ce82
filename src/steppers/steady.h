/* What heat between walls with values comes to.
 *
 * With w such that its differences, walls' values included, are zero everywhere, u - w is heat between walls of value 0: each
 * pass forms its right-hand side from u - w instead of u, the splitting stays that of commuting operators, of second order
 * at walls and corners too, and w itself is kept to rounding. Where no wall holds u, fluxes may fill or drain the box:
 * then differences of w are one number everywhere, which every point gains all the time. */
#ifndef SB_STEADY_H
#define SB_STEADY_H

#include "src/steppers/stepper.h"

/* w at the points of a member, and *gain, the differences' number (times diffusivity and dt, what a step adds).
   Errors: OUT_OF_MEMORY, NEEDS_FFTW. */
slimband_status sb_steady_state(const slimband_evolution *e, double *w, double *gain);

#endif
