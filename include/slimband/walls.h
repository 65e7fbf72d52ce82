/* The ends of an axis of a field, and where its points lie between them: what fast Poisson solvers and steppers share. */
#ifndef SLIMBAND_WALLS_H
#define SLIMBAND_WALLS_H

/* The two ends of an axis, the lower one first: u given (D), du/dx given (N), or periodic. */
typedef enum slimband_walls {
    SLIMBAND_WALLS_DD = 1,
    SLIMBAND_WALLS_DN,
    SLIMBAND_WALLS_ND,
    SLIMBAND_WALLS_NN,
    SLIMBAND_WALLS_PP
} slimband_walls;

/* Where the unknowns of an axis lie. Nodes: a Dirichlet wall is no unknown and a Neumann wall is one (its ghost
   mirrored), so that h = length / (n + 1) for DD, length / n for DN, ND and PP, length / (n - 1) for NN. Cell centres:
   the walls are half a cell away and h = length / n. */
typedef enum slimband_centring { SLIMBAND_AT_NODES, SLIMBAND_AT_CELLS } slimband_centring;

#endif
