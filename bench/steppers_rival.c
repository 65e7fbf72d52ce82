/* Plain C among threads, and the way to cuSPARSE where there is CUDA. */
#include "bench/steppers_rival.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>

#include "bench/steppers_plain.h"
#include "cli/progress.h"
#ifdef SB_HAS_CUDA
#include "bench/steppers_gpsv.h"
#endif

struct sb_rival {
    int64_t n, members;
    int threads;
    sb_plain_ring *rings; /* 1 or one for each member */
    int64_t count;
#ifdef SB_HAS_CUDA
    bool cuda;
    sb_gpsv gpsv;
#endif
};

static bool make_rings(sb_rival *r, const slimband_evolution *e)
{
    bool own = false;
    for (int64_t k = 0; k < e->members; ++k)
        own = own || e->gamma[k] != e->gamma[0];
    r->count = own ? e->members : 1;
    r->rings = calloc((size_t)r->count, sizeof *r->rings);
    bool good = r->rings;
    double h = 1 / (double)r->n;
    for (int64_t k = 0; good && k < r->count; ++k)
        good = sb_plain_ring_make(&r->rings[k], r->n, e->dt * e->gamma[k] / (2 * h * h * h * h));
    return good;
}

bool sb_rival_make(sb_rival **rival, const slimband_evolution *e, bool cuda, int threads, sb_failure *failure)
{
    sb_rival *r = *rival = calloc(1, sizeof *r);
    if (r)
        *r = (sb_rival){.n = e->points[0], .members = e->members, .threads = threads};
    if (!r || !make_rings(r, e))
        return sb_fail(failure, "not enough memory for the matrices of %" PRId64 " members", e->members);
#ifdef SB_HAS_CUDA
    r->cuda = cuda;
    const char *bad = cuda ? sb_gpsv_make(&r->gpsv, e->scalar, e->members, r->rings, r->count) : NULL;
    if (bad && r->gpsv.sparse.create)
        return sb_fail(failure, "cuSPARSE: %s", bad);
    if (bad) {
        sb_rival_free(r);
        *rival = NULL;
    }
#else
    (void)cuda;
#endif
    return true;
}

/* Members shared out among threads; each member takes all its steps in one thread's cache. */
static bool run_plain(const sb_rival *r, int64_t steps, double *state)
{
    bool good = true;
#pragma omp parallel num_threads(r->threads ? r->threads : omp_get_max_threads())
    {
        double *f = malloc((size_t)r->n * sizeof *f);
        if (!f) {
#pragma omp atomic write
            good = false;
        }
#pragma omp for
        for (int64_t k = 0; k < r->members; ++k)
            for (int64_t step = 0; f && step < steps; ++step)
                sb_plain_ring_step(&r->rings[r->count > 1 ? k : 0], state + k * r->n, f);
        free(f);
    }
    return good;
}

bool sb_rival_run(sb_rival *r, int64_t steps, double *state, double *seconds, sb_failure *failure)
{
#ifdef SB_HAS_CUDA
    if (r->cuda) {
        const char *bad = sb_gpsv_run(&r->gpsv, steps, state, seconds);
        return !bad || sb_fail(failure, "cuSPARSE: %s", bad);
    }
#endif
    double clock = sb_seconds();
    bool good = run_plain(r, steps, state);
    *seconds = sb_seconds() - clock;
    return good || sb_fail(failure, "not enough memory for plain C");
}

void sb_rival_free(sb_rival *r)
{
    if (!r)
        return;
#ifdef SB_HAS_CUDA
    if (r->cuda)
        sb_gpsv_free(&r->gpsv);
#endif
    for (int64_t k = 0; r->rings && k < r->count; ++k)
        sb_plain_ring_free(&r->rings[k]);
    free(r->rings);
    free(r);
}
