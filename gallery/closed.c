/* The matrices that have a formula: MATLAB's lesp, dorr and clement, and the inverse of kms. Row numbers in the
 * formulas count from 1, as they do there. */
#include "gallery/fill.h"

const char *sb_fill_lesp(double unused, int64_t n, sb_random *random, sb_tridiagonal A)
{
    (void)unused, (void)random;
    for (int64_t i = 1; i <= n; ++i) {
        A.diagonal[i - 1] = -(double)(2 * i + 3);
        if (i > 1)
            A.lower[i - 1] = 1 / (double)i;
        if (i < n)
            A.upper[i - 1] = (double)(i + 1);
    }
    return NULL;
}

/* kms has the entries rho^|i-j|; its inverse is tridiagonal. */
const char *sb_fill_kms_inverse(double rho, int64_t n, sb_random *random, sb_tridiagonal A)
{
    (void)random;
    double scale = n == 1 ? 1 : 1 / (1 - rho * rho);
    for (int64_t i = 1; i <= n; ++i) {
        A.diagonal[i - 1] = i == 1 || i == n ? scale : scale * (1 + rho * rho);
        if (i > 1)
            A.lower[i - 1] = -rho * scale;
        if (i < n)
            A.upper[i - 1] = -rho * scale;
    }
    return NULL;
}

/* Upwind differences for theta u'' + (1/2 - s) u' on 0 < s < 1: row sums are 0 but for the two end rows, where
   the coupling to the boundary is missing. */
const char *sb_fill_dorr(double theta, int64_t n, sb_random *random, sb_tridiagonal A)
{
    (void)random;
    double h = 1 / (double)(n + 1), diffusion = theta / (h * h);
    for (int64_t i = 1; i <= n; ++i) {
        double drift = (0.5 - (double)i * h) / h;
        double lower = i <= (n + 1) / 2 ? -diffusion : -diffusion + drift;
        double upper = i <= (n + 1) / 2 ? -diffusion - drift : -diffusion;
        A.diagonal[i - 1] = -(lower + upper);
        if (i > 1)
            A.lower[i - 1] = lower;
        if (i < n)
            A.upper[i - 1] = upper;
    }
    return NULL;
}

const char *sb_fill_clement(double unused, int64_t n, sb_random *random, sb_tridiagonal A)
{
    (void)unused, (void)random;
    for (int64_t i = 1; i <= n; ++i) {
        A.diagonal[i - 1] = 0;
        if (i > 1)
            A.lower[i - 1] = (double)(n + 1 - i);
        if (i < n)
            A.upper[i - 1] = (double)i;
    }
    return NULL;
}
