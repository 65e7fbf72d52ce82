/* The reduced system, by the engine that pivots. */
#include "src/cpu/long/reduced.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "src/chunk/growth.h"
#include "src/cpu/kernels/residual.h"
#include "src/cpu/route.h"

_Static_assert(2 * (3 * SB_CHUNKED_BAND - 1) <= SB_MAX_REACH, "a ring's reduced system, folded");

static const sb_route *route_of(bool periodic)
{
    return periodic ? &SB_NAME(fold) : &SB_NAME(open);
}

/* Of the engine's part of the store, behind which the rows' scales stand. */
static size_t engine_bytes(const sb_engine *engine, int64_t n, int k, bool periodic)
{
    enum { ALIGNED = 64 };
    const int reach = 3 * k - 1;
    const size_t bytes = route_of(periodic)->stored(engine, n, reach, reach, NULL);
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

sb_reduced_bytes SB_NAME(reduced_bytes)(const sb_engine *engine, int64_t n, int k, bool periodic)
{
    const sb_route *route = route_of(periodic);
    int reach = 3 * k - 1;
    return (sb_reduced_bytes){.rows = (size_t)(n * sb_reduced_width(k)) * sizeof(T),
                              .x = (size_t)n * sizeof(T),
                              .beside = (size_t)(2 * n) * sizeof(T),
                              .store = engine_bytes(engine, n, k, periodic) + (size_t)n * sizeof(R),
                              .scratch = route->scratch(engine, n, reach, reach, NULL)};
}

static int reach_of(const sb_reduced *r, bool wide)
{
    return wide ? 3 * r->k - 1 : 2 * r->k - 1;
}

static R *scales_of(const sb_reduced *r)
{
    return (R *)((char *)r->store + engine_bytes(r->engine, r->n, r->k, r->periodic));
}

/* Of a size; 0 for what is no size. */
static int exponent_of(R size)
{
    return size > 0 && size < (R)INFINITY ? ilogb((double)size) : 0;
}

static R power_of_two(int exponent)
{
    enum { MOST = sizeof(R) == 8 ? 1020 : 124 };
    exponent = exponent < MOST ? exponent : MOST;
    return (R)ldexp(1, exponent > -MOST ? exponent : -MOST);
}

static R largest_in_row(const sb_reduced *r, int reach, int64_t i)
{
    const T *row = r->rows + i * sb_reduced_width(r->k) + 3 * r->k - 1;
    R largest = 0;
    for (int d = -reach; d <= reach; ++d)
        if (r->periodic || (i + d >= 0 && i + d < r->n)) {
            const R size = sb_abs1(row[d]);
            largest = size <= largest ? largest : size; /* NaN too */
        }
    return largest;
}

static bool has_pivoted(const sb_reduced *r, const unsigned char *pivots, int64_t i)
{
    return pivots && i < r->of_chunks && pivots[i / (2 * r->k)];
}

/* The average over rows of chunks that pivoted; 0 where none did. */
static int common_exponent(const sb_reduced *r, int reach, const unsigned char *pivots)
{
    int64_t sum = 0, count = 0;
    for (int64_t i = 0; i < r->of_chunks && pivots; ++i)
        if (has_pivoted(r, pivots, i)) {
            sum += exponent_of(largest_in_row(r, reach, i));
            ++count;
        }
    return count ? (int)(sum / count) : 0;
}

/* Rows come in the sizes of rows of A that may be far apart: brought to one, lest a nearly decayed coupling of a large row be the pivot
   of a small one's column. Those of chunks that pivoted stay as they are: they are in the midst of an elimination with partial pivoting, which
   no column in other units disturbs as long as rows keep their sizes. Returns whether some row's own coefficient may be lost beside another
   of its. */
static bool scale_rows(const sb_reduced *r, int reach, const unsigned char *pivots)
{
    bool weak = false;
    const int middle = 3 * r->k - 1, common = common_exponent(r, reach, pivots);
    R *scales = scales_of(r);
    for (int64_t i = 0; i < r->n; ++i) {
        T *row = r->rows + i * sb_reduced_width(r->k) + middle;
        const R largest = largest_in_row(r, reach, i);
        const bool stays = has_pivoted(r, pivots, i) || !(largest > 0);
        weak |= !(largest <= SB_BESIDE_OWN * sb_abs1(row[0]));
        scales[i] = stays ? 1 : power_of_two(common - exponent_of(largest));
        for (int d = -reach; d <= reach; ++d)
            row[d] *= scales[i];
    }
    return weak;
}

static sb_matrix matrix_of(const sb_reduced *r, int reach)
{
    sb_matrix A = {.n = r->n,
                   .lower = reach,
                   .upper = reach,
                   .periodic = r->periodic,
                   .stride = sb_reduced_width(r->k),
                   .first = r->n,
                   .total = r->n};
    for (int d = 0; d <= 2 * reach; ++d)
        A.diagonal[d] = r->rows + 3 * r->k - 1 - reach + d;
    return A;
}

int64_t SB_NAME(reduced_factor)(const sb_reduced *r, const unsigned char *pivots, bool *weak)
{
    const int reach = reach_of(r, pivots != NULL);
    *weak = scale_rows(r, reach, pivots);
    const sb_matrix A = matrix_of(r, reach);
    return route_of(r->periodic)->factor(r->engine, &A, r->store, r->scratch, NULL).row;
}

static int64_t solve(const sb_reduced *r, int reach, T *x)
{
    return route_of(r->periodic)
        ->solve(r->engine, NULL, r->store, SB_PLAIN, r->n, reach, reach, x, r->scratch, NULL);
}

static double error_of(const sb_matrix *A, const T *b, const T *x)
{
    return SB_NAME(backward_error)(A, (sb_vector){b, 1}, (sb_vector){x, 1}, 1).componentwise;
}

/* Steps as LAPACK's gbrfs makes them, while each halves the error; one is enough but where A is so nearly singular that it changes all
   digits. other: n words. */
static void refine(const sb_reduced *r, int reach, const T *b, T *other)
{
    enum { MOST_STEPS = 5 };
    const double rounding = sizeof(R) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON;
    const sb_matrix A = matrix_of(r, reach);
    double error = INFINITY, refined = error_of(&A, b, r->x);
    for (int step = 0; step < MOST_STEPS && refined > rounding && 2 * refined <= error; ++step) {
        error = refined;
        SB_NAME(residual)(&A, b, r->x, other);
        solve(r, reach, other);
        for (int64_t i = 0; i < r->n; ++i)
            other[i] += r->x[i];
        refined = error_of(&A, b, other);
        if (refined < error)
            memcpy(r->x, other, (size_t)r->n * sizeof(T));
    }
}

int64_t SB_NAME(reduced_solve)(const sb_reduced *r, bool wide, bool weak)
{
    const int reach = reach_of(r, wide);
    const R *scales = scales_of(r);
    for (int64_t i = 0; i < r->n; ++i)
        r->x[i] *= scales[i];
    if (weak)
        memcpy(r->beside, r->x, (size_t)r->n * sizeof(T));
    const int64_t broken = solve(r, reach, r->x);
    if (broken < 0 && weak)
        refine(r, reach, r->beside, r->beside + r->n);
    return broken;
}
