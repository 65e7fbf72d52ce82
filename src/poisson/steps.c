/* The tables of block cyclic reduction. */
#include "src/poisson/steps.h"

#include <math.h>
#include <stdlib.h>

#include "src/apps/memory.h"

static const double pi = 3.14159265358979323846;

static double shift_of(double angle, double h)
{
    double root = 2 * sin(angle / 2) / h;
    return root * root;
}

static bool allocate(sb_step *step, int64_t matrices, size_t *bytes)
{
    step->matrices = matrices;
    step->fraction = sb_app_allocate((size_t)matrices, sizeof *step->fraction, bytes);
    return step->fraction;
}

/* Formulas (5) to (7): fraction j (from 0) of level r, its angle and (-1)^j sin of it. */
static double angle2(int r, int64_t j)
{
    return (double)(2 * j + 1) / (double)(INT64_C(2) << r) * pi;
}

static double sine2(int r, int64_t j)
{
    return (j % 2 ? -1 : 1) * sin(angle2(r, j));
}

/* (3): block i 2^r gains T D^-1 of level r - 1 times its neighbours there. */
static bool reduce2(sb_step *s, int k, int r, double h, size_t *bytes)
{
    int64_t reach = INT64_C(1) << (r - 1);
    *s = (sb_step){.add = true, .sources = 2, .targets = 1, .source = {-reach, reach}};
    s->first = s->stride = 2 * reach;
    s->intervals = (INT64_C(1) << (k - r)) - 1;
    if (!allocate(s, reach, bytes))
        return false;
    for (int64_t j = 0; j < s->matrices; ++j) {
        double weight = sine2(r - 1, j) / (double)reach / (h * h);
        s->fraction[j] = (sb_fraction){shift_of(angle2(r - 1, j), h), {weight, weight}, {1}};
    }
    return true;
}

/* (4): block i 2^r, i odd, from its own right-hand side and its neighbours of level r + 1. */
static bool substitute2(sb_step *s, int k, int r, double h, size_t *bytes)
{
    int64_t reach = INT64_C(1) << r;
    *s = (sb_step){.sources = 3, .targets = 1, .source = {0, -reach, reach}};
    s->first = reach;
    s->stride = 2 * reach;
    s->intervals = INT64_C(1) << (k - r - 1);
    if (!allocate(s, reach, bytes))
        return false;
    for (int64_t j = 0; j < s->matrices; ++j) {
        double own = 1 / (double)reach, other = own * sine2(r, j) / (h * h);
        s->fraction[j] = (sb_fraction){shift_of(angle2(r, j), h), {own, other, other}, {1}};
    }
    return true;
}

/* (15), (16): the eigenvectors of level r, of 4^(r+1) - 1 entries: at 1 and, by quarters, inside. Those whose number is a
   multiple of 4 vanish at all quarters and are left out. */
typedef struct eigenvector {
    double shift, first, last, quarter[3];
} eigenvector;

static eigenvector eigenvector4(int r, int64_t index, double h)
{
    int64_t size = INT64_C(4) << (2 * r), j = index / 3 * 4 + index % 3 + 1;
    double angle = pi * (double)j / (double)size, scale = sqrt(2 / (double)size);
    double first = scale * sin(angle);
    eigenvector w = {.shift = shift_of(angle, h), .first = first, .last = j % 2 ? first : -first};
    static const double eighth[8] = {0, 0.70710678118654752440,  1,  0.70710678118654752440,
                                     0, -0.70710678118654752440, -1, -0.70710678118654752440};
    for (int s = 0; s < 3; ++s)
        w.quarter[s] = scale * eighth[j * (s + 1) % 8];
    return w;
}

/* (11), (12): block i 4^r gains from the intervals on both sides of it; the sub-problems of one j of both are one. */
static bool reduce4(sb_step *s, int k, int r, double h, size_t *bytes)
{
    int64_t quarter = INT64_C(1) << (2 * r - 2);
    *s = (sb_step){.add = true, .sources = 6, .targets = 1};
    s->first = s->stride = 4 * quarter;
    s->intervals = (INT64_C(1) << (k - 2 * r)) - 1;
    for (int q = 0; q < 3; ++q) {
        s->source[q] = (q - 3) * quarter;
        s->source[3 + q] = (q + 1) * quarter;
    }
    if (!allocate(s, 3 * quarter, bytes))
        return false;
    for (int64_t j = 0; j < s->matrices; ++j) {
        eigenvector w = eigenvector4(r - 1, j, h);
        sb_fraction *f = &s->fraction[j];
        *f = (sb_fraction){.shift = w.shift, .out = {1}};
        for (int q = 0; q < 3; ++q) {
            f->in[q] = w.last * w.quarter[q] / (h * h);
            f->in[3 + q] = w.first * w.quarter[q] / (h * h);
        }
    }
    return true;
}

/* (13), (14): the three blocks inside an interval whose ends are known. */
static bool substitute4(sb_step *s, int k, int r, double h, size_t *bytes)
{
    int64_t quarter = INT64_C(1) << (2 * r);
    *s = (sb_step){.sources = 5, .targets = 3, .source = {quarter, 2 * quarter, 3 * quarter, 0, 4 * quarter}};
    s->stride = 4 * quarter;
    s->intervals = INT64_C(1) << (k - 2 * r - 2);
    for (int q = 0; q < 3; ++q)
        s->target[q] = (q + 1) * quarter;
    if (!allocate(s, 3 * quarter, bytes))
        return false;
    for (int64_t j = 0; j < s->matrices; ++j) {
        eigenvector w = eigenvector4(r, j, h);
        sb_fraction *f = &s->fraction[j];
        *f = (sb_fraction){.shift = w.shift, .in = {[3] = w.first / (h * h), [4] = w.last / (h * h)}};
        for (int q = 0; q < 3; ++q) {
            f->in[q] = w.quarter[q];
            f->out[q] = w.quarter[q];
        }
    }
    return true;
}

static bool fill2(sb_steps *steps, int k, double h, size_t *bytes)
{
    bool good = true;
    for (int r = 1; r < k; ++r)
        good = good && reduce2(&steps->step[steps->count++], k, r, h, bytes);
    for (int r = k - 1; r >= 0; --r)
        good = good && substitute2(&steps->step[steps->count++], k, r, h, bytes);
    return good;
}

/* With k odd the middle block is left when no more radix-4 steps fit: it is solved for by radix 2 (the mixed step). */
static bool fill4(sb_steps *steps, int k, double h, size_t *bytes)
{
    bool good = true;
    int reductions = (k + 1) / 2 - 1;
    for (int r = 1; r <= reductions; ++r)
        good = good && reduce4(&steps->step[steps->count++], k, r, h, bytes);
    if (k % 2)
        good = good && substitute2(&steps->step[steps->count++], k, k - 1, h, bytes);
    for (int r = k / 2 - 1; r >= 0; --r)
        good = good && substitute4(&steps->step[steps->count++], k, r, h, bytes);
    return good;
}

slimband_status sb_steps_make(sb_steps *steps, int radix, int64_t n, double h, size_t *bytes)
{
    int k = 0;
    while ((INT64_C(1) << k) <= n)
        ++k;
    *steps = (sb_steps){.step = sb_app_allocate(2 * (size_t)k, sizeof *steps->step, bytes)};
    if (!steps->step)
        return SLIMBAND_OUT_OF_MEMORY;
    bool good = radix == 2 ? fill2(steps, k, h, bytes) : fill4(steps, k, h, bytes);
    return good ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

void sb_steps_free(sb_steps *steps)
{
    for (int s = 0; s < steps->count; ++s)
        free(steps->step[s].fraction);
    free(steps->step);
}
