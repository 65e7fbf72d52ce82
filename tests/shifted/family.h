/* Random systems that differ by a shift, and how well they are solved. */
#ifndef SB_TEST_SHIFTED_FAMILY_H
#define SB_TEST_SHIFTED_FAMILY_H

#include "slimband/shifted.h"

typedef enum family_kind {
    FAMILY_EVEN,     /* rows alike but for the ends, which are Poisson's walls or others; couplings negative */
    FAMILY_VARYING,  /* couplings negative */
    FAMILY_SIGNS,    /* couplings of any sign, some of them 0 */
    FAMILY_NEGATIVE, /* diagonals and shifts too */
    FAMILY_KINDS
} family_kind;

typedef struct family {
    slimband_shifted_problem problem;
    double *lower, *diagonal, *upper, *shift;
    int64_t systems, elements; /* of a field; of all */
    void *b;                   /* right-hand sides, of the problem's type */
    uint64_t seed;
} family;

/* Weakly dominant; shifts from 0 to far above the matrix. With `singular` a system, drawn too, has zero row sums and right-hand
   sides that are consistent, and is named. Diagonals outside the matrix are NaN. Ends the test when there is no memory. */
family family_draw(family_kind kind, slimband_scalar scalar, const int64_t extents[4], bool singular,
                   uint64_t seed);
void family_free(family *f);

size_t family_bytes(const family *f); /* of all fields */
void *family_copy(const family *f);   /* of b; to be freed */

/* The largest backward error of a system, residual over norm of the matrix times that of the solution plus that of the
   right-hand side, in roundings of the fields' type. */
double family_error(const family *f, const void *x);

/* How many unknowns of the named system are 0 in the field where they are fewest. */
int64_t family_zeros(const family *f, const void *x);

#endif
