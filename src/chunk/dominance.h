/* Is a tridiagonal matrix plus a shift diagonally dominant by rows, and if so is it singular? To working precision: a row is
 * tight where its diagonal is all that its neighbours weigh, to a few roundings. */
#ifndef SB_CHUNK_DOMINANCE_H
#define SB_CHUNK_DOMINANCE_H

#include <float.h>
#include <math.h>

#include "slimband/status.h"

#define SB_TIGHT (4 * DBL_EPSILON)

/* lower[0] and upper[n - 1] are not read. */
typedef struct sb_tridiagonal {
    int64_t n;
    const double *lower, *diagonal, *upper;
} sb_tridiagonal;

typedef enum sb_standing { SB_REGULAR, SB_SINGULAR, SB_NOT_DOMINANT } sb_standing;

static inline double sb_coupling_before(const sb_tridiagonal *m, int64_t i)
{
    return i > 0 ? m->lower[i] : 0;
}

static inline double sb_coupling_behind(const sb_tridiagonal *m, int64_t i)
{
    return i < m->n - 1 ? m->upper[i] : 0;
}

static inline double sb_neighbours_weigh(const sb_tridiagonal *m, int64_t i)
{
    return fabs(sb_coupling_before(m, i)) + fabs(sb_coupling_behind(m, i));
}

/* A null vector x has the largest modulus on a set of tight rows that no coupling leaves, all of it of that modulus, with signs
   that make each coupling oppose its diagonal; a least set of that kind is a run of rows. Couplings between two rows must not
   contradict one another, then. */
static inline bool sb_signs_agree(const sb_tridiagonal *m, double shift, int64_t i)
{
    double behind = m->upper[i - 1] * (m->diagonal[i - 1] + shift > 0 ? 1 : -1),
           before = m->lower[i] * (m->diagonal[i] + shift > 0 ? 1 : -1);
    return behind == 0 || before == 0 || (behind > 0) == (before > 0);
}

static inline sb_standing sb_standing_of(const sb_tridiagonal *m, double shift)
{
    bool singular = false, run = false;
    for (int64_t i = 0; i < m->n; ++i) {
        double own = fabs(m->diagonal[i] + shift), others = sb_neighbours_weigh(m, i);
        if (!(own >= others * (1 - SB_TIGHT)) || !isfinite(own))
            return SB_NOT_DOMINANT;
        run = (run && sb_signs_agree(m, shift, i)) || sb_coupling_before(m, i) == 0;
        run = run && own <= others * (1 + SB_TIGHT);
        singular = singular || (run && sb_coupling_behind(m, i) == 0);
    }
    return singular ? SB_SINGULAR : SB_REGULAR;
}

/* With a larger finite shift no row is tight and all are dominant; INFINITY where that cannot be said. */
static inline double sb_shift_enough(const sb_tridiagonal *m)
{
    double enough = -INFINITY;
    for (int64_t i = 0; i < m->n; ++i) {
        double others = sb_neighbours_weigh(m, i) * (1 + 2 * SB_TIGHT),
               need = others - m->diagonal[i] + SB_TIGHT * fabs(m->diagonal[i]);
        if (!isfinite(need))
            return INFINITY;
        enough = fmax(enough, need);
    }
    return enough;
}

/* Do all rows hang together? Then a singular matrix has rank n - 1, and any unknown may be chosen. */
static inline bool sb_all_coupled(const sb_tridiagonal *m)
{
    for (int64_t i = 1; i < m->n; ++i)
        if (m->lower[i] == 0 || m->upper[i - 1] == 0)
            return false;
    return true;
}

/* Are it and its reciprocal numbers of the type with all their digits? A pivot's are not where rows leave the type's range. */
static inline bool sb_fits(double a, bool single)
{
    double least = single ? (double)FLT_MIN : DBL_MIN;
    return fabs(a) >= least && fabs(a) <= 1 / least;
}

static inline bool sb_couplings_fit(const sb_tridiagonal *m, bool single)
{
    for (int64_t i = 0; single && i < m->n; ++i)
        if (!(fmax(fabs(sb_coupling_before(m, i)), fabs(sb_coupling_behind(m, i))) <= (double)FLT_MAX))
            return false;
    return true;
}

/* BREAKDOWN unless all systems are dominant and regular, but for number `allowed` (-1: none), which may be singular if its rows
   hang together; *singular says whether it is. single: the systems are in f32, which couplings must not leave. */
static inline slimband_status sb_check_shifts(const sb_tridiagonal *m, int64_t systems, const double *shift,
                                              int64_t allowed, bool single, bool *singular)
{
    if (!sb_couplings_fit(m, single))
        return SLIMBAND_BREAKDOWN;
    double enough = sb_shift_enough(m);
    *singular = false;
    for (int64_t k = 0; k < systems; ++k) {
        if (shift[k] > enough && isfinite(shift[k]))
            continue;
        sb_standing standing = sb_standing_of(m, shift[k]);
        if (standing == SB_NOT_DOMINANT || (standing == SB_SINGULAR && (k != allowed || !sb_all_coupled(m))))
            return SLIMBAND_BREAKDOWN;
        *singular |= standing == SB_SINGULAR;
    }
    return SLIMBAND_OK;
}

#endif
