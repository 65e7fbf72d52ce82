#include "tests/shifted/family.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"

static void *need(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

static double weight(const family *f, int64_t i)
{
    return (i > 0 ? fabs(f->lower[i]) : 0) + (i < f->problem.n - 1 ? fabs(f->upper[i]) : 0);
}

static double coupling(family_kind kind, sb_random *random)
{
    double size = 0.5 + sb_random_unit(random);
    if (kind == FAMILY_SIGNS)
        return sb_random_between(random, 0, 9) == 0 ? 0 : sb_random_between(random, 0, 1) ? size : -size;
    return -size;
}

/* An end's coupling and diagonal in terms of c: Dirichlet or Neumann at nodes or cells, or anything. */
static void draw_end(double c, sb_random *random, double *coupling, double *diagonal)
{
    static const double walls[4][2] = {{1, 2}, {1, 3}, {1, 1}, {2, 2}};
    int64_t wall = sb_random_between(random, 0, 5);
    double size = wall < 4 ? walls[wall][0] : ldexp(1, (int)sb_random_between(random, -5, 5));
    *coupling = -c * size;
    *diagonal = c * (wall < 4 ? walls[wall][1] : size * (1 + sb_random_unit(random)));
}

static void draw_even(family *f, sb_random *random)
{
    int64_t n = f->problem.n;
    double c = ldexp(1 + sb_random_unit(random), (int)sb_random_between(random, -20, 20)), ignored;
    for (int64_t i = 0; i < n; ++i) {
        f->lower[i] = f->upper[i] = -c;
        f->diagonal[i] = 2 * c;
    }
    draw_end(c, random, &f->upper[0], &f->diagonal[0]);
    draw_end(c, random, n > 1 ? &f->lower[n - 1] : &ignored, &f->diagonal[n - 1]);
}

static void draw_matrix(family *f, family_kind kind, sb_random *random)
{
    int64_t n = f->problem.n;
    for (int64_t i = 0; i < n; ++i) {
        f->lower[i] = coupling(kind, random);
        f->upper[i] = coupling(kind, random);
    }
    for (int64_t i = 0; i < n; ++i)
        f->diagonal[i] = weight(f, i);
    if (kind == FAMILY_EVEN)
        draw_even(f, random);
    else
        f->diagonal[sb_random_between(random, 0, n - 1)] += 0.25 + sb_random_unit(random);
    f->lower[0] = f->upper[n - 1] = NAN;
}

static double norm(const family *f)
{
    double norm = 0;
    for (int64_t i = 0; i < f->problem.n; ++i)
        norm = fmax(norm, weight(f, i) + fabs(f->diagonal[i]));
    return norm;
}

/* Some are 0 where the matrix by itself is known to be regular. */
static void draw_shifts(family *f, family_kind kind, sb_random *random)
{
    double scale = norm(f);
    int64_t last = f->problem.n - 1;
    bool walls = f->diagonal[0] > 1.5 * weight(f, 0) || f->diagonal[last] > 1.5 * weight(f, last),
         regular = kind == FAMILY_EVEN ? walls : kind != FAMILY_SIGNS;
    for (int64_t k = 0; k < f->systems; ++k) {
        f->shift[k] = scale * ldexp(1 + sb_random_unit(random), (int)sb_random_between(random, -16, 12));
        if (regular && sb_random_between(random, 0, 7) == 0)
            f->shift[k] = 0;
    }
}

static void put(const family *f, void *x, int64_t at, double value)
{
    if (f->problem.scalar == SLIMBAND_F32)
        ((float *)x)[at] = (float)value;
    else
        ((double *)x)[at] = value;
}

static double get(const family *f, const void *x, int64_t at)
{
    return f->problem.scalar == SLIMBAND_F32 ? (double)((const float *)x)[at] : ((const double *)x)[at];
}

/* Entry 0 of system s of a field; others are `after` apart. */
static int64_t line_at(const family *f, int64_t field, int64_t s)
{
    const slimband_shifted_problem *p = &f->problem;
    return (field * p->before + s / p->after) * p->n * p->after + s % p->after;
}

/* Row i of the matrix plus a shift, times x. */
static long double product(const family *f, double shift, const double *x, int64_t i)
{
    long double sum = ((long double)f->diagonal[i] + shift) * x[i];
    if (i > 0)
        sum += (long double)f->lower[i] * x[i - 1];
    if (i < f->problem.n - 1)
        sum += (long double)f->upper[i] * x[i + 1];
    return sum;
}

/* Zero row sums all over, symmetric but for even ones, whose ends need not be: what is left of an inconsistency shows in one
   row, weighted by how far from symmetric the matrix is. The named system's right-hand sides are products. */
static void make_singular(family *f, family_kind kind, sb_random *random)
{
    int64_t n = f->problem.n, s = sb_random_between(random, 0, f->systems - 1);
    double sign = f->diagonal[0] < 0 ? -1 : 1;
    for (int64_t i = 1; i < n && kind != FAMILY_EVEN; ++i)
        f->lower[i] = f->upper[i - 1];
    for (int64_t i = 0; i < n; ++i)
        f->diagonal[i] = sign * weight(f, i);
    for (int64_t k = 0; k < f->systems; ++k)
        f->shift[k] += sign * (n > 1 ? 0.125 * norm(f) : 1);
    f->problem.singular = s;
    f->shift[s] = 0;
    double *x = need(n, sizeof *x);
    for (int64_t field = 0; field < f->problem.fields; ++field) {
        for (int64_t i = 0; i < n; ++i)
            x[i] = sb_random_signed(random);
        for (int64_t i = 0; i < n; ++i)
            put(f, f->b, line_at(f, field, s) + i * f->problem.after, (double)product(f, 0, x, i));
    }
    free(x);
}

family family_draw(family_kind kind, slimband_scalar scalar, const int64_t extents[4], bool singular,
                   uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    int64_t n = extents[2], systems = extents[1] * extents[3];
    family f = {.problem = {scalar, extents[0], extents[1], n, extents[3], NULL, NULL, NULL, NULL, -1},
                .systems = systems,
                .elements = extents[0] * systems * n,
                .seed = seed};
    f.problem.lower = f.lower = need(n, sizeof *f.lower);
    f.problem.diagonal = f.diagonal = need(n, sizeof *f.diagonal);
    f.problem.upper = f.upper = need(n, sizeof *f.upper);
    f.problem.shift = f.shift = need(systems, sizeof *f.shift);
    f.b = need(f.elements, sizeof(double));
    draw_matrix(&f, kind, &random);
    draw_shifts(&f, kind, &random);
    for (int64_t i = 0; kind == FAMILY_NEGATIVE && i < n; ++i)
        f.diagonal[i] = -f.diagonal[i];
    for (int64_t k = 0; kind == FAMILY_NEGATIVE && k < systems; ++k)
        f.shift[k] = -f.shift[k];
    for (int64_t i = 0; i < f.elements; ++i)
        put(&f, f.b, i, sb_random_signed(&random) + 0.25);
    if (singular && systems)
        make_singular(&f, kind, &random);
    return f;
}

void family_free(family *f)
{
    free(f->lower);
    free(f->diagonal);
    free(f->upper);
    free(f->shift);
    free(f->b);
}

size_t family_bytes(const family *f)
{
    return (size_t)f->elements * (f->problem.scalar == SLIMBAND_F32 ? sizeof(float) : sizeof(double));
}

void *family_copy(const family *f)
{
    void *copy = need(f->elements, sizeof(double));
    memcpy(copy, f->b, family_bytes(f));
    return copy;
}

static double line_error(const family *f, const void *u, int64_t field, int64_t s, double *x)
{
    int64_t n = f->problem.n, first = line_at(f, field, s);
    long double residual = 0, size = 0, rhs = 0, rows = 0;
    for (int64_t i = 0; i < n; ++i)
        x[i] = get(f, u, first + i * f->problem.after);
    for (int64_t i = 0; i < n; ++i) {
        long double b = get(f, f->b, first + i * f->problem.after),
                    r = fabsl(b - product(f, f->shift[s], x, i));
        if (s == f->problem.singular && x[i] == 0)
            r *= 0.01L; /* it bears what rounding left inconsistent in all others */
        residual = r <= residual ? residual : r;
        size = fabsl((long double)x[i]) <= size ? size : fabsl((long double)x[i]);
        rhs = fmaxl(rhs, fabsl(b));
        rows = fmaxl(rows, fabsl((long double)f->diagonal[i] + f->shift[s]) + weight(f, i));
    }
    return residual == 0 ? 0 : (double)(residual / (rows * size + rhs));
}

double family_error(const family *f, const void *x)
{
    double worst = 0, *line = need(f->problem.n, sizeof *line);
    for (int64_t field = 0; field < f->problem.fields; ++field)
        for (int64_t s = 0; s < f->systems; ++s) {
            double error = line_error(f, x, field, s, line);
            worst = error <= worst ? worst : error;
        }
    free(line);
    return worst / (f->problem.scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
}

int64_t family_zeros(const family *f, const void *x)
{
    int64_t least = INT64_MAX;
    for (int64_t field = 0; field < f->problem.fields; ++field) {
        int64_t zeros = 0, first = line_at(f, field, f->problem.singular);
        for (int64_t i = 0; i < f->problem.n; ++i)
            zeros += get(f, x, first + i * f->problem.after) == 0;
        least = zeros < least ? zeros : least;
    }
    return least;
}
