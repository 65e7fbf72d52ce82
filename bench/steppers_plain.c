/* Hyperdiffusion's baseline. */
#include "bench/steppers_plain.h"

#include <stdlib.h>

/* g from f = L g, then x from R x = g, in place: rows 0..m-1 of E, whose diagonals are constant. */
static void substitute(const sb_plain_ring *r, double *f)
{
    int64_t m = r->n - 2;
    double a = r->sigma;
    f[0] *= r->reciprocal[0];
    f[1] = (f[1] - r->beta[1] * f[0]) * r->reciprocal[1];
    for (int64_t i = 2; i < m; ++i)
        f[i] = (f[i] - a * f[i - 2] - r->beta[i] * f[i - 1]) * r->reciprocal[i];
    f[m - 2] -= r->gamma[m - 2] * f[m - 1];
    for (int64_t i = m - 3; i >= 0; --i)
        f[i] -= r->gamma[i] * f[i + 1] + r->delta[i] * f[i + 2];
}

static void factor(sb_plain_ring *r)
{
    double a = r->sigma, b = -4 * r->sigma, c = 1 + 6 * r->sigma;
    for (int64_t i = 0; i < r->n - 2; ++i) {
        double delta2 = i > 1 ? r->delta[i - 2] : 0, gamma2 = i > 1 ? r->gamma[i - 2] : 0, a2 = i > 1 ? a : 0;
        r->beta[i] = i > 0 ? b - a2 * gamma2 : 0;
        double pivot = c - a2 * delta2 - (i > 0 ? r->beta[i] * r->gamma[i - 1] : 0);
        r->reciprocal[i] = 1 / pivot;
        r->gamma[i] = (b - (i > 0 ? r->beta[i] * r->delta[i - 1] : 0)) / pivot;
        r->delta[i] = a / pivot;
    }
}

/* E is symmetric here: h^T E^-1 is the solution with the columns of h, which are those of k. */
static void border(sb_plain_ring *r)
{
    int64_t m = r->n - 2;
    double a = r->sigma, b = -4 * r->sigma, c = 1 + 6 * r->sigma, s[2][2];
    const int64_t rows[2][3] = {{0, m - 2, m - 1}, {0, 1, m - 1}};
    const double values[2][3] = {{a, a, b}, {b, a, a}};
    for (int k = 0; k < 2; ++k) {
        for (int e = 0; e < 3; ++e)
            r->h[k][rows[k][e]] = values[k][e];
        substitute(r, r->h[k]);
    }
    for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) {
            s[j][k] = j == k ? c : b;
            for (int e = 0; e < 3; ++e)
                s[j][k] -= r->h[j][rows[k][e]] * values[k][e];
        }
    double determinant = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    r->inverse[0][0] = s[1][1] / determinant;
    r->inverse[1][1] = s[0][0] / determinant;
    r->inverse[0][1] = -s[0][1] / determinant;
    r->inverse[1][0] = -s[1][0] / determinant;
}

bool sb_plain_ring_make(sb_plain_ring *r, int64_t n, double sigma)
{
    size_t m = (size_t)n - 2;
    double *all = calloc(6 * m, sizeof *all);
    *r = (sb_plain_ring){.n = n, .sigma = sigma, .beta = all};
    if (!all)
        return false;
    r->reciprocal = all + m;
    r->gamma = all + 2 * m;
    r->delta = all + 3 * m;
    r->h[0] = all + 4 * m;
    r->h[1] = all + 5 * m;
    factor(r);
    border(r);
    return true;
}

void sb_plain_ring_free(sb_plain_ring *r)
{
    free(r->beta);
    *r = (sb_plain_ring){0};
}

/* (7c) of the paper. */
static void right_hand_side(int64_t n, double s, const double *restrict c, double *restrict f)
{
    for (int64_t i = 2; i < n - 2; ++i)
        f[i] = (1 - 6 * s) * c[i] + 4 * s * (c[i - 1] + c[i + 1]) - s * (c[i - 2] + c[i + 2]);
    for (int64_t k = 0; k < 4; ++k) {
        int64_t i = k < 2 ? k : n - 4 + k;
        f[i] = (1 - 6 * s) * c[i] + 4 * s * (c[(i + n - 1) % n] + c[(i + 1) % n]) -
               s * (c[(i + n - 2) % n] + c[(i + 2) % n]);
    }
}

void sb_plain_ring_step(const sb_plain_ring *r, double *c, double *f)
{
    int64_t n = r->n, m = n - 2;
    double a = r->sigma, b = -4 * r->sigma, g0, g1, d0 = 0, d1 = 0;
    right_hand_side(n, r->sigma, c, f);
    for (int64_t i = 0; i < m; ++i) {
        d0 += r->h[0][i] * f[i];
        d1 += r->h[1][i] * f[i];
    }
    g0 = f[m] - d0;
    g1 = f[m + 1] - d1;
    double y = r->inverse[0][0] * g0 + r->inverse[0][1] * g1, z = r->inverse[1][0] * g0 + r->inverse[1][1] * g1;
    f[0] -= a * y + b * z;
    f[1] -= a * z;
    f[m - 2] -= a * y;
    f[m - 1] -= b * y + a * z;
    substitute(r, f);
    for (int64_t i = 0; i < m; ++i)
        c[i] = f[i];
    c[m] = y;
    c[m + 1] = z;
}
