/* Plain C as a contender: lines or strips of them, shared out among the threads. */
#include <omp.h>
#include <stdlib.h>

#include "bench/memory.h"
#include "bench/peer_open.h"
#include "bench/plain.h"

typedef struct sb_thomas {
    const sb_plain_kernels *kernels;
    sb_plain_job job; /* but for what differs from strip to strip */
    bool own, prefactored, strips;
    int64_t outer, inner; /* lines side by side are `inner` neighbours; there are `outer` such rows of them */
    int64_t width;        /* of a strip; 1 for lines */
    size_t store_bytes;   /* one thread's, in work */
    void *factors;
} sb_thomas;

/* The strip of `width` lines at `first` of row `row`, in the arrays' elements. */
static void solve_strip(const sb_thomas *t, sb_bench_data *data, int64_t row, int64_t first, void *store)
{
    const slimband_problem *p = &data->problem;
    size_t bytes = data->scalar_bytes;
    int64_t start = sb_bench_line_start(p, &p->rhs, row * t->inner + first);
    sb_plain_job job = t->job;
    job.width = t->inner - first < t->width ? t->inner - first : t->width;
    job.x = (char *)data->x + (size_t)start * bytes;
    job.b = (data->the_case.in_place ? (const char *)data->x : (const char *)data->b) + (size_t)start * bytes;
    for (int d = 0; t->own && d < p->lower + 1 + p->upper; ++d)
        job.diagonals[d] = (const char *)data->diagonals[d] + (size_t)start * bytes;
    job.store = t->prefactored ? t->factors : store;
    /* On a strip, one matrix for all is eliminated once and applied to every line. */
    if (t->strips && !t->own && !t->prefactored)
        t->kernels->factor(&job);
    if (t->prefactored || (t->strips && !t->own))
        (t->strips ? t->kernels->substitute_strip : t->kernels->substitute_line)(&job);
    else
        (t->strips ? t->kernels->eliminate_strip : t->kernels->eliminate_line)(&job);
}

static const char *run(void *self, sb_bench_data *data, void *work)
{
    const sb_thomas *t = self;
    int64_t across = (t->inner + t->width - 1) / t->width;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t k = 0; k < t->outer * across; ++k) {
        void *store = (char *)work + (size_t)omp_get_thread_num() * t->store_bytes;
        solve_strip(t, data, k / across, k % across * t->width, store);
    }
    return NULL;
}

static void restore(void *self, sb_bench_data *data, void *work)
{
    (void)self;
    (void)work;
    if (data->the_case.in_place)
        sb_bench_copy(data->x, data->b, data->vector_bytes, data->threads);
}

static void close(void *self)
{
    sb_thomas *t = self;
    free(t->factors);
    free(t);
}

/* Neighbouring lines make strips; rows of 2 KB of them are as good as any. */
static void arrange(sb_thomas *t, const sb_bench_data *data)
{
    enum { STRIP_BYTES = 2048, ROUND = 16 };
    const slimband_problem *p = &data->problem;
    int last = p->batch_rank - 1;
    int64_t systems = slimband_systems(p);
    t->inner = last >= 0 ? p->batch[last] : 1;
    t->strips = last >= 0 && p->rhs.batch[last] == 1 && p->rhs.line > 1 && t->inner > 1;
    t->width = 1;
    if (t->strips) {
        int64_t widest = STRIP_BYTES / (int64_t)data->scalar_bytes,
                fair = systems / data->threads / ROUND * ROUND;
        t->width = fair < ROUND ? ROUND : fair < widest ? fair : widest;
    }
    t->outer = t->inner ? systems / t->inner : 0;
}

static bool get_matrix(sb_thomas *t, sb_bench_data *data)
{
    const slimband_problem *p = &data->problem;
    int width = p->lower + 1 + p->upper;
    const void *const *diagonals = t->own ? data->diagonals : sb_bench_data_line_diagonals(data);
    for (int d = 0; diagonals && d < width; ++d)
        t->job.diagonals[d] = diagonals[d];
    if (!diagonals || !t->prefactored)
        return diagonals != NULL;
    sb_plain_job job = t->job;
    job.store = t->factors = malloc((size_t)(width * p->n) * data->scalar_bytes);
    if (t->factors)
        t->kernels->factor(&job);
    return t->factors != NULL;
}

void sb_peer_open_thomas(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl)
{
    static const sb_contender_calls calls = {restore, run, NULL, close};
    (void)mkl;
    const slimband_problem *p = &data->problem;
    sb_thomas *t = calloc(1, sizeof *t);
    if (!t) {
        sb_contender_excuse(contender, "not enough memory");
        return;
    }
    t->kernels = sb_plain_kernels_of(p->scalar, sb_bench_level());
    t->own = p->coefficients == SLIMBAND_OWN;
    t->prefactored = peer->prefactored;
    t->job = (sb_plain_job){.lower = p->lower, .upper = p->upper, .n = p->n, .stride = p->rhs.line};
    arrange(t, data);
    /* A line keeps its upper entries, a strip with one matrix whole rows of it. */
    int64_t words = t->strips && !t->own ? p->lower + 1 + p->upper : p->upper * t->width;
    t->store_bytes =
        t->prefactored ? 0 : ((size_t)(words * p->n) * data->scalar_bytes + 4095) / 4096 * 4096 + 64;
    contender->calls = &calls;
    contender->self = t;
    contender->work_bytes = t->store_bytes * (size_t)data->threads;
    if (!get_matrix(t, data))
        sb_contender_excuse(contender, "not enough memory");
}
