/* Square band matrices from Matrix Market files. */
#ifndef SB_MATRIX_MARKET_H
#define SB_MATRIX_MARKET_H

#include "cli/band.h"

/* Reads coordinate and array files; real, integer and complex; general, symmetric, skew-symmetric and
   Hermitian. Duplicate entries add up, zeros do not count towards the band. The band is as wide as it must be,
   or just band->lower and band->upper where those are set on entry (-1: to be detected); with `periodic` an
   entry may stand on either side of the matrix, whichever is nearer to the main diagonal. On false the band is
   empty and *failure says why, beginning with `name`. */
bool sb_matrix_market_read(sb_band *band, FILE *stream, const char *name, bool periodic, sb_failure *failure);

#endif
