/* What a step is made of at one point: the same text for the CPU's kernels and the GPU's. */
#ifndef SB_POINT_H
#define SB_POINT_H

#include "src/chunk/scalar.h"

/* The second difference, as the difference of neighbouring differences: its rounding is that of these. */
SB_BOTH T sb_bend(T lo, T at, T hi)
{
    return (hi - at) - (at - lo);
}

/* C^3 - C - stiffness C'', or without C^3 - C. */
SB_BOTH T sb_potential(bool cubic, T stiffness, T lo, T at, T hi)
{
    return cubic ? (at * at * at - at) - stiffness * sb_bend(lo, at, hi) : -stiffness * sb_bend(lo, at, hi);
}

/* (-u(-2) + 16 u(-1) - 30 u(0) + 16 u(1) - u(2)) / 12; part: a twelfth of the rate. */
SB_BOTH T sb_heat4(T part, T lo2, T lo, T at, T hi, T hi2)
{
    return part * (16 * sb_bend(lo, at, hi) - sb_bend(lo2, at, hi2));
}

/* Of the travelling wave at a point: cosine and sine of the point's phase; along and across, dt times those of the
   time's. */
SB_BOTH T sb_phase(double cosine, double sine, double along, double across)
{
    return (T)(cosine * along + sine * across);
}

/* What a point adds to Cahn-Hilliard's free energy, over h. */
SB_BOTH double sb_energy_of(double here, double next, double h, double gamma)
{
    double well = here * here - 1, slope = (next - here) / h;
    return well * well / 4 + gamma / 2 * slope * slope;
}

#endif
