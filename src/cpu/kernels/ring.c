/* Periodic systems, cut open. With m = max(lower, upper), the last m unknowns are the border that closes the
 * ring:
 *
 *     [ A11 A12 ] [ x1 ]   [ b1 ]       A11: n - m rows, an open band for the engine
 *     [ A21 A22 ] [ x2 ] = [ b2 ]       A12, A21: non-zero only in the first and last m rows (columns)
 *
 * W = A11^-1 A12 (the spikes, m columns) and the LU factors of S = A22 - A21 W are stored. Then
 *
 *     y = A11^-1 b1,  S x2 = b2 - A21 y,  x1 = y - W x2
 *
 * and for the transpose  S^T x2 = b2 - W^T b1,  x1 = A11^-T (b1 - A21^T x2).
 * Words a row beyond the engine's: m of W.  This is stable where the interior's elimination is and the spikes
 * are no larger than a few: the outcome's growth covers both, see ring_growth.h. */
#include <string.h>

#include "src/chunk/dense.h"
#include "src/chunk/growth.h"
#include "src/chunk/ring_growth.h"
#include "src/cpu/kernels/ring.h"
#include "src/cpu/route.h"

static int border_width(int lower, int upper)
{
    return lower > upper ? lower : upper;
}

static size_t engine_bytes(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    return sb_round(engine->stored(n - border_width(lower, upper), lower, upper, tuning));
}

sb_ring SB_NAME(ring_view)(const sb_engine *engine, const void *factors, int64_t n, int lower, int upper,
                           const sb_tuning *tuning)
{
    int m = border_width(lower, upper);
    sb_ring r = {.inner = n - m, .m = m};
    r.spikes = (T *)((char *)factors + engine_bytes(engine, n, lower, upper, tuning));
    r.border = r.spikes + r.inner * m;
    r.schur = r.border + (ptrdiff_t)2 * m * m;
    r.swap = (int32_t *)(r.schur + (ptrdiff_t)m * m);
    return r;
}

static size_t stored(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    size_t m = (size_t)border_width(lower, upper);
    return engine_bytes(engine, n, lower, upper, tuning) + ((size_t)n - m) * m * sizeof(T) +
           3 * m * m * sizeof(T) + m * sizeof(int32_t);
}

static size_t scratch(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    return engine->scratch(n - border_width(lower, upper), lower, upper, tuning);
}

static sb_matrix interior(const sb_matrix *A, int m)
{
    sb_matrix inner = *A;
    inner.n = A->n - m;
    inner.periodic = false;
    return inner;
}

/* Scatter the interior's couplings to the border into W, which is still A12. */
static void gather_spikes(const sb_matrix *A, const sb_ring *r)
{
    memset(r->spikes, 0, (size_t)(r->inner * r->m) * sizeof(T));
    for (int64_t i = 0; i < r->inner; ++i) {
        if (i == r->m && i < r->inner - r->m)
            i = r->inner - r->m; /* rows between couple to the interior only */
        for (int k = -A->lower; k <= A->upper; ++k) {
            int64_t column = sb_wrap(i + k, A->n) - r->inner;
            if (column >= 0)
                r->spikes[column * r->inner + i] += sb_at(A, i, k);
        }
    }
}

void SB_NAME(ring_gather)(const sb_matrix *A, const sb_ring *r)
{
    memset(r->border, 0, (size_t)(3 * r->m * r->m) * sizeof(T));
    for (int row = 0; row < r->m; ++row)
        for (int k = -A->lower; k <= A->upper; ++k) {
            int64_t j = sb_wrap(r->inner + row + k, A->n), column = j - r->inner;
            T a = sb_at(A, r->inner + row, k);
            if (column >= 0)
                r->schur[row * r->m + column] += a;
            else
                r->border[row * 2 * r->m + (j < r->m ? j : j - r->inner + 2 * r->m)] += a;
        }
}

static sb_dense schur_of(const sb_ring *r)
{
    return (sb_dense){.m = r->m, .step = 1, .S = r->schur, .swap = r->swap};
}

int64_t SB_NAME(ring_factor)(const sb_ring *r, const T *ends, R *growth)
{
    for (int i = 0; i < r->m; ++i) {
        T *row = r->schur + i * r->m;
        const R own = sb_abs1(row[i]);
        for (int c = 0; c < 2 * r->m; ++c)
            for (int j = 0; j < r->m; ++j)
                row[j] -= r->border[i * 2 * r->m + c] * ends[c * r->m + j];
        *growth = sb_grow(*growth, sb_abs1(row[i]), SB_BESIDE_OWN * own);
    }
    sb_dense schur = schur_of(r);
    int64_t broken = sb_dense_factor(&schur);
    return broken < 0 ? -1 : r->inner + broken;
}

void SB_NAME(ring_solve)(const sb_ring *r, const T *ends, T *x2)
{
    for (int i = 0; i < r->m; ++i)
        for (int c = 0; c < 2 * r->m; ++c)
            x2[i] -= r->border[i * 2 * r->m + c] * ends[c];
    sb_dense schur = schur_of(r);
    sb_dense_solve(&schur, x2, 1);
}

void SB_NAME(ring_solve_transposed)(const sb_ring *r, T *ends, T *x2)
{
    sb_dense schur = schur_of(r);
    sb_dense_solve_transposed(&schur, x2, 1);
    for (int i = 0; i < r->m; ++i)
        for (int c = 0; c < 2 * r->m; ++c)
            ends[c] -= r->border[i * 2 * r->m + c] * x2[i];
}

/* The largest row sum of |W|. */
static double spike_size(const sb_ring *r)
{
    double size = 0;
    for (int64_t i = 0; i < r->inner; ++i) {
        double sum = 0;
        for (int c = 0; c < r->m; ++c)
            sum += (double)sb_abs1(r->spikes[c * r->inner + i]);
        size = sum <= size ? size : sum;
    }
    return size;
}

static sb_outcome factor(const sb_engine *engine, const sb_matrix *A, void *factors, void *memory,
                         const sb_tuning *tuning)
{
    int m = border_width(A->lower, A->upper);
    sb_ring r = SB_NAME(ring_view)(engine, factors, A->n, A->lower, A->upper, tuning);
    sb_matrix inner = interior(A, m);
    sb_outcome outcome = engine->factor(&inner, factors, tuning);
    gather_spikes(A, &r);
    SB_NAME(ring_gather)(A, &r);
    for (int c = 0; c < m && outcome.row < 0; ++c)
        outcome.row = sb_engine_solve(engine, &inner, factors, SB_PLAIN, r.inner, A->lower, A->upper,
                                      r.spikes + c * r.inner, memory, tuning);
    if (outcome.row >= 0)
        return outcome;
    T ends[2 * SB_RING_MOST * SB_RING_MOST] = {0};
    for (int c = 0; c < 2 * m; ++c)
        for (int j = 0; j < m; ++j)
            ends[c * m + j] = r.spikes[j * r.inner + sb_border_column(&r, c)];
    R growth = (R)outcome.growth;
    outcome.row = SB_NAME(ring_factor)(&r, ends, &growth);
    if (engine->measures_growth)
        outcome.growth = (double)sb_ring_growth(growth, (R)spike_size(&r), (R)sb_growth_limit);
    return outcome;
}

static int64_t solve_plain(const sb_engine *engine, const sb_matrix *inner, const void *factors,
                           const sb_ring *r, int lower, int upper, T *x, void *memory, const sb_tuning *tuning)
{
    T *x2 = x + r->inner;
    int64_t row = sb_engine_solve(engine, inner, factors, SB_PLAIN, r->inner, lower, upper, x, memory, tuning);
    T ends[2 * SB_RING_MOST] = {0};
    for (int c = 0; c < 2 * r->m; ++c)
        ends[c] = x[sb_border_column(r, c)];
    SB_NAME(ring_solve)(r, ends, x2);
    for (int c = 0; c < r->m; ++c)
        for (int64_t i = 0; i < r->inner; ++i)
            x[i] -= r->spikes[c * r->inner + i] * x2[c];
    return row;
}

static int64_t solve_transposed(const sb_engine *engine, const sb_matrix *inner, const void *factors,
                                const sb_ring *r, int lower, int upper, T *x, void *memory,
                                const sb_tuning *tuning)
{
    T *x2 = x + r->inner;
    for (int c = 0; c < r->m; ++c)
        for (int64_t i = 0; i < r->inner; ++i)
            x2[c] -= r->spikes[c * r->inner + i] * x[i];
    T ends[2 * SB_RING_MOST] = {0};
    for (int c = 0; c < 2 * r->m; ++c)
        ends[c] = x[sb_border_column(r, c)];
    SB_NAME(ring_solve_transposed)(r, ends, x2);
    for (int c = 0; c < 2 * r->m; ++c)
        x[sb_border_column(r, c)] = ends[c];
    return sb_engine_solve(engine, inner, factors, SB_TRANSPOSED, r->inner, lower, upper, x, memory, tuning);
}

static int64_t solve(const sb_engine *engine, const sb_matrix *A, const void *factors, sb_op op, int64_t n,
                     int lower, int upper, T *x, void *memory, const sb_tuning *tuning)
{
    sb_ring r = SB_NAME(ring_view)(engine, factors, n, lower, upper, tuning);
    sb_matrix inner = {0};
    if (A)
        inner = interior(A, r.m);
    return (op == SB_PLAIN ? solve_plain : solve_transposed)(engine, &inner, factors, &r, lower, upper, x,
                                                             memory, tuning);
}

const sb_route SB_NAME(ring) = {.stored = stored, .scratch = scratch, .factor = factor, .solve = solve};
