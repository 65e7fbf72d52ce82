/* Systems side by side: the pivots of both halves, until they have converged, and the way to the kernels. */
#include "slimband/rows.h"

#include "src/chunk/dominance.h"
#include "src/core/backend.h"
#include "src/cpu/wide/shifted.h"

enum { group_size = SLIMBAND_ROWS_GROUP };

/* One half, seen from its end: row j counts from there. */
typedef struct half {
    int64_t n;
    double *outer, *diagonal, *inner; /* of each row */
    int64_t settled;                  /* from this row on all rows are alike */
    sb_pivots pivots;
} half;

struct slimband_rows {
    slimband_scalar scalar;
    int64_t n, systems, groups;
    half half[2]; /* rows 0 .. n/2 - 1, and n - 1 .. n/2 */
    const sb_rows_kernels *kernels;
    size_t bytes;
};

static slimband_status make_half(slimband_rows *r, half *h, int side, const double *lower,
                                 const double *diagonal, const double *upper)
{
    h->n = side ? r->n - r->n / 2 : r->n / 2;
    h->outer = sb_allocate(sb_times(3 * sizeof(double), (size_t)h->n), &r->bytes);
    h->pivots.stored = sb_allocate(sb_times(sizeof *h->pivots.stored, (size_t)r->groups), &r->bytes);
    h->pivots.table = sb_allocate(sb_times(sizeof *h->pivots.table, (size_t)r->groups), &r->bytes);
    if (!h->outer || !h->pivots.stored || !h->pivots.table)
        return SLIMBAND_OUT_OF_MEMORY;
    h->diagonal = h->outer + h->n;
    h->inner = h->diagonal + h->n;
    for (int64_t j = 0; j < h->n; ++j) {
        int64_t i = side ? r->n - 1 - j : j;
        h->outer[j] = j == 0 ? 0 : side ? upper[i] : lower[i];
        h->diagonal[j] = diagonal[i];
        h->inner[j] = r->n == 1 ? 0 : side ? lower[i] : upper[i];
    }
    h->settled = h->n;
    while (h->settled > 1 && h->outer[h->settled - 1] == h->outer[h->n - 1] &&
           h->diagonal[h->settled - 1] == h->diagonal[h->n - 1] &&
           h->inner[h->settled - 2] == h->inner[h->n - 1])
        --h->settled;
    return SLIMBAND_OK;
}

/* The pivots of a group's next row from those of the last. Are they all within half a rounding of their limits? The map
   from pivot to pivot contracts by outer inner w^2. */
static bool next_pivots(const half *h, int64_t j, const double *shift, int64_t count, double rounding,
                        double *w)
{
    bool converged = true;
    for (int64_t k = 0; k < count; ++k) {
        double before = j > 0 ? w[k] : 0, outer = j > 0 ? h->outer[j] : 0, inner = j > 0 ? h->inner[j - 1] : 0;
        /* Of a dominant row what is left of its coupling inwards is 1 at most; no other product need be a number. */
        w[k] = 1 / (h->diagonal[j] + shift[k] - outer * (before * inner));
        double rate = fabs(outer * w[k]) * fabs(inner * w[k]);
        converged &= fabs(w[k] - before) * rate <= rounding / 2 * fabs(w[k]) * (1 - rate);
    }
    return converged && j >= h->settled;
}

static void put(const slimband_rows *r, void *table, int64_t at, double value)
{
    if (r->scalar == SLIMBAND_F32)
        ((float *)table)[at] = (float)value;
    else
        ((double *)table)[at] = value;
}

/* Rows of a group until they converge; with `table` they are stored, else only counted. -1: a pivot was unfit. */
static int64_t run_group(const slimband_rows *r, const half *h, int64_t g, const double *shift, void *table)
{
    int64_t first = g * group_size, left = r->systems - first, count = left < group_size ? left : group_size;
    double w[group_size], rounding = r->scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    for (int64_t j = 0; j < h->n; ++j) {
        bool converged = next_pivots(h, j, shift + first, count, rounding, w);
        for (int64_t k = 0; k < count; ++k)
            if (!sb_fits(w[k], r->scalar == SLIMBAND_F32))
                return -1;
        for (int64_t k = 0; table && k < count; ++k)
            put(r, table, j * group_size + k, w[k]);
        if (converged)
            return j + 1;
    }
    return h->n;
}

static slimband_status fill_half(slimband_rows *r, half *h, const double *shift)
{
    for (int64_t g = 0; g < r->groups; ++g) {
        int64_t rows = run_group(r, h, g, shift, NULL);
        if (rows < 0)
            return SLIMBAND_BREAKDOWN;
        h->pivots.stored[g] = rows;
        h->pivots.table[g] =
            sb_allocate(sb_times(sb_scalar_bytes(r->scalar) * group_size, (size_t)rows), &r->bytes);
        if (!h->pivots.table[g])
            return SLIMBAND_OUT_OF_MEMORY;
        run_group(r, h, g, shift, h->pivots.table[g]);
    }
    return SLIMBAND_OK;
}

static const sb_rows_kernels *kernels_of(slimband_scalar scalar)
{
#define BOTH(isa, here) {&sb_rows_f32_##isa, &sb_rows_f64_##isa},
    static const sb_rows_kernels *const kernels[][2] = {SB_ISAS(BOTH)};
#undef BOTH
    return kernels[sb_isa_named("")][scalar];
}

static double last_pivot(const slimband_rows *r, const half *h, int64_t k)
{
    const void *table = h->pivots.table[k / group_size];
    int64_t at = (h->pivots.stored[k / group_size] - 1) * group_size + k % group_size;
    return r->scalar == SLIMBAND_F32 ? (double)((const float *)table)[at] : ((const double *)table)[at];
}

static double rounded(const slimband_rows *r, double x)
{
    return r->scalar == SLIMBAND_F32 ? (double)(float)x : x;
}

/* The last pivot of all, where the halves meet, must not vanish in the rows' own precision either. */
static bool meets(const slimband_rows *r)
{
    const half *top = &r->half[0], *bottom = &r->half[1];
    double above = top->n ? rounded(r, top->inner[top->n - 1]) : 0,
           below = rounded(r, bottom->inner[bottom->n - 1]);
    for (int64_t k = 0; k < r->systems && top->n; ++k) {
        double a = rounded(r, above * last_pivot(r, top, k)), b = rounded(r, below * last_pivot(r, bottom, k));
        if (rounded(r, a * b) == 1)
            return false;
    }
    return true;
}

slimband_status slimband_rows_create(slimband_rows **rows, slimband_scalar scalar, int64_t n, int64_t systems,
                                     const double *lower, const double *diagonal, const double *upper,
                                     const double *shift)
{
    if (!rows)
        return SLIMBAND_NULL_ARGUMENT;
    *rows = NULL;
    if (scalar != SLIMBAND_F32 && scalar != SLIMBAND_F64)
        return SLIMBAND_BAD_SCALAR;
    if (n < 1)
        return SLIMBAND_BAD_N;
    if (systems < 0)
        return SLIMBAND_BAD_BATCH;
    if (!lower || !diagonal || !upper || (systems && !shift))
        return SLIMBAND_NULL_ARGUMENT;
    const sb_tridiagonal matrix = {n, lower, diagonal, upper};
    bool singular;
    slimband_status status = sb_check_shifts(&matrix, systems, shift, -1, scalar == SLIMBAND_F32, &singular);
    if (status)
        return status;
    size_t bytes = 0;
    slimband_rows *r = sb_allocate(sizeof *r, &bytes);
    if (!r)
        return SLIMBAND_OUT_OF_MEMORY;
    *r = (slimband_rows){.scalar = scalar, .n = n, .systems = systems, .bytes = bytes};
    r->groups = (systems + group_size - 1) / group_size;
    r->kernels = kernels_of(scalar);
    for (int side = 0; side < 2 && !status; ++side) {
        status = make_half(r, &r->half[side], side, lower, diagonal, upper);
        if (!status)
            status = fill_half(r, &r->half[side], shift);
    }
    if (!status && !meets(r))
        status = SLIMBAND_BREAKDOWN;
    if (status) {
        slimband_rows_destroy(r);
        return status;
    }
    *rows = r;
    return SLIMBAND_OK;
}

void slimband_rows_destroy(slimband_rows *r)
{
    if (!r)
        return;
    for (int side = 0; side < 2; ++side) {
        half *h = &r->half[side];
        for (int64_t g = 0; h->pivots.table && g < r->groups; ++g)
            sb_release(h->pivots.table[g]);
        sb_release(h->pivots.table);
        sb_release(h->pivots.stored);
        sb_release(h->outer);
    }
    sb_release(r);
}

int64_t slimband_rows_middle(const slimband_rows *r)
{
    return r->n / 2;
}

size_t slimband_rows_bytes(const slimband_rows *r)
{
    return r->bytes;
}

/* Row i in its half. */
static const half *half_of(const slimband_rows *r, int64_t i, int64_t *j)
{
    bool bottom = i >= r->n / 2;
    *j = bottom ? r->n - 1 - i : i;
    return &r->half[bottom];
}

static const void *pivots(const slimband_rows *r, const half *h, int64_t g, int64_t j)
{
    int64_t row = j < h->pivots.stored[g] ? j : h->pivots.stored[g] - 1;
    return (const char *)h->pivots.table[g] + (size_t)(row * group_size) * sb_scalar_bytes(r->scalar);
}

/* Where the entries of group g are in a part of a row that begins with system `first`, and how many there are. */
static size_t part_of(const slimband_rows *r, int64_t g, int64_t first, int64_t count, int64_t *entries)
{
    int64_t at = g * group_size - first;
    *entries = count - at < group_size ? count - at : group_size;
    return (size_t)at * sb_scalar_bytes(r->scalar);
}

void slimband_rows_eliminate(const slimband_rows *r, int64_t i, int64_t first, int64_t count, const void *outer,
                             void *row)
{
    int64_t j;
    const half *h = half_of(r, i, &j);
    r->kernels->eliminate(h->outer[j], &h->pivots, j, first / group_size, count, j > 0 ? outer : NULL, row);
}

void slimband_rows_substitute(const slimband_rows *r, int64_t i, int64_t first, int64_t count,
                              const void *inner, void *row)
{
    int64_t j;
    const half *h = half_of(r, i, &j);
    r->kernels->substitute(h->inner[j], &h->pivots, j, first / group_size, count, inner, row);
}

void slimband_rows_meet(const slimband_rows *r, int64_t first, int64_t count, void *before, void *middle)
{
    const half *top = &r->half[0], *bottom = &r->half[1];
    if (top->n == 0)
        return;
    const double coupling[2] = {top->inner[top->n - 1], bottom->inner[bottom->n - 1]};
    for (int64_t g = first / group_size; g * group_size < first + count; ++g) {
        int64_t entries;
        size_t at = part_of(r, g, first, count, &entries);
        r->kernels->meet(coupling, pivots(r, top, g, top->n - 1), pivots(r, bottom, g, bottom->n - 1),
                         (char *)before + at, (char *)middle + at, entries);
    }
}
