/* The functions behind the gallery's table. Each fills every entry but for the two outside the matrix; A's
 * arrays hold zeros on entry. */
#ifndef SB_GALLERY_FILL_H
#define SB_GALLERY_FILL_H

#include "gallery/gallery.h"

/* Everything from U(-1, 1); the lower diagonal times `weakening`. */
const char *sb_fill_random(double weakening, int64_t n, sb_random *random, sb_tridiagonal A);

/* Everything from U(-1, 1); the entry in the middle of the lower diagonal times `weakening`. */
const char *sb_fill_random_split(double weakening, int64_t n, sb_random *random, sb_tridiagonal A);

/* Main diagonal from U(-1, 1); the others 0 with this probability, else from U(-1, 1). */
const char *sb_fill_random_gaps(double probability, int64_t n, sb_random *random, sb_tridiagonal A);

/* Toeplitz: this main diagonal, each of the others one number from U(-1, 1). */
const char *sb_fill_toeplitz(double diagonal, int64_t n, sb_random *random, sb_tridiagonal A);

const char *sb_fill_lesp(double unused, int64_t n, sb_random *random, sb_tridiagonal A);
const char *sb_fill_kms_inverse(double rho, int64_t n, sb_random *random, sb_tridiagonal A);
const char *sb_fill_dorr(double theta, int64_t n, sb_random *random, sb_tridiagonal A);
const char *sb_fill_clement(double unused, int64_t n, sb_random *random, sb_tridiagonal A);

/* Singular values of MATLAB's randsvd with this mode, 1 to 4, and condition number 1e15. */
const char *sb_fill_randsvd(double mode, int64_t n, sb_random *random, sb_tridiagonal A);

#endif
