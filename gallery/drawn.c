/* The matrices whose entries are drawn one by one. */
#include "gallery/fill.h"

const char *sb_fill_random(double weakening, int64_t n, sb_random *random, sb_tridiagonal A)
{
    for (int64_t i = 0; i < n; ++i) {
        A.diagonal[i] = sb_random_signed(random);
        if (i > 0)
            A.lower[i] = weakening * sb_random_signed(random);
        if (i < n - 1)
            A.upper[i] = sb_random_signed(random);
    }
    return NULL;
}

const char *sb_fill_random_split(double weakening, int64_t n, sb_random *random, sb_tridiagonal A)
{
    const char *complaint = sb_fill_random(1, n, random, A);
    A.lower[n / 2] *= weakening;
    return complaint;
}

const char *sb_fill_random_gaps(double probability, int64_t n, sb_random *random, sb_tridiagonal A)
{
    for (int64_t i = 0; i < n; ++i) {
        A.diagonal[i] = sb_random_signed(random);
        if (i > 0 && sb_random_unit(random) >= probability)
            A.lower[i] = sb_random_signed(random);
        if (i < n - 1 && sb_random_unit(random) >= probability)
            A.upper[i] = sb_random_signed(random);
    }
    return NULL;
}

const char *sb_fill_toeplitz(double diagonal, int64_t n, sb_random *random, sb_tridiagonal A)
{
    double lower = sb_random_signed(random), upper = sb_random_signed(random);
    for (int64_t i = 0; i < n; ++i) {
        A.diagonal[i] = diagonal;
        if (i > 0)
            A.lower[i] = lower;
        if (i < n - 1)
            A.upper[i] = upper;
    }
    return NULL;
}
