/* How far the elimination of a ring lets rounding grow. A row's rounding is `growth` of its size times the solution of the
 * interior, which is up to 1 + spikes times that of the ring: spikes is the largest row sum of the spikes' moduli. So
 * growth and spikes are believed while growth (1 + spikes) is at most what LIMIT of each would make, and the result says
 * so by staying at LIMIT or below. Symmetric positive definite interiors have growth <= 1, however small their
 * eigenvalues, which leaves spikes up to LIMIT (1 + LIMIT) - 1. */
#ifndef SB_RING_GROWTH_H
#define SB_RING_GROWTH_H

#include "src/chunk/growth.h"

SB_BOTH R sb_ring_growth(R growth, R spikes, R limit)
{
    return sb_grow_to(growth, (growth < 1 ? 1 : growth) * ((1 + spikes) / (1 + limit)));
}

#endif
