/* The matrices of implicit steps. */
#ifndef SB_STEPPER_MATRIX_H
#define SB_STEPPER_MATRIX_H

#include "src/steppers/stepper.h"

enum { SB_MOST_DIAGONALS = 5 };

/* 1 or 2: diagonals on either side. */
int sb_stepper_bandwidth(const slimband_evolution *e);

/* I + weight * difference operator, of an axis and a member: entry of row i in diagonals[k][i * stride], lowest first,
   zero before. */
void sb_stepper_matrix(const slimband_evolution *e, int axis, int64_t member, double *const *diagonals,
                       int64_t stride);

/* The row far from walls, for a band of 2: all rows of a ring. */
void sb_stepper_row(const slimband_evolution *e, int axis, int64_t member, double row[SB_MOST_DIAGONALS]);

#endif
