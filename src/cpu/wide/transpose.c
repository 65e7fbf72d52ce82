/* Factors of a transpose, from those of the matrix. A = L U with L's diagonal 1; D, the pivots, moves over:
 *
 *     A^T = (U^T D^-1) (D L^T)
 *
 * so that multipliers are U divided by its pivots, and the upper part is L times the pivots. Where thomas keeps U divided by
 * its pivots, both only change places. Words a row: lower + 1 + upper in and out, once a call. */
#include "src/cpu/wide/task.h"

static T conjugated(T z, bool conjugate)
{
#if SB_COMPLEX
    return conjugate ? (T)conj(z) : z;
#else
    (void)conjugate;
    return z;
#endif
}

/* Its reciprocal is a number too, and not a subnormal one. */
static bool fit_pivot(T reciprocal)
{
    R size = sb_abs1(reciprocal), least = sizeof(R) == sizeof(float) ? (R)FLT_MIN : (R)DBL_MIN;
    return size >= 2 * least && size <= 1 / (4 * least);
}

static bool transpose_row(const T *rows, const sb_factors *f, int64_t n, int64_t i, bool conjugate, T *to)
{
    const T *row = rows + i * f->width;
    T pivot = row[f->lower];
    bool fit = f->scaled || fit_pivot(pivot);
    for (int t = 1; t <= f->upper; ++t) {
        T l = 0;
        if (i >= t) {
            const T *above = row - t * f->width;
            l = f->scaled ? above[f->lower + t] : above[f->lower + t] * above[f->lower];
        }
        to[f->upper - t] = conjugated(l, conjugate);
        fit &= sb_finite(l);
    }
    to[f->upper] = conjugated(pivot, conjugate);
    for (int k = 1; k <= f->lower; ++k) {
        T u = i + k >= n ? 0 : row[k * f->width + f->lower - k];
        u = f->scaled ? u : u / pivot;
        to[f->upper + k] = conjugated(u, conjugate);
        fit &= sb_finite(u);
    }
    return fit;
}

bool SB_NAME(transpose_task)(sb_task *t, const sb_tiles *tiles, bool conjugate)
{
    sb_factors f = SB_NAME(tile_factors)(t, tiles);
    int64_t n = t->job.plan->problem.n;
    bool fit = true;
    for (int64_t i = 0; i < n; ++i)
        fit &= transpose_row(f.shared, &f, n, i, conjugate, tiles->transposed + i * f.width);
    if (!fit)
        return false;
    t->shared = tiles->transposed;
    t->lower = f.upper;
    t->upper = f.lower;
    return true;
}
