/* A LAPACK as a contender: the blocks of lines are shared out among the threads. */
#include "bench/peer_lapack.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/memory.h"
#include "bench/peer_open.h"

/* Entries between diagonals, so that they are not equal modulo 4096 bytes when n is a power of two. */
enum { PAD = 72 };

static char *lines_of(const sb_lapack *l, void *work)
{
    return (char *)work + (l->factors ? 0 : (size_t)l->blocks * l->matrix_bytes);
}

static void restore(void *self, sb_bench_data *data, void *work)
{
    const sb_lapack *l = self;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t k = 0; k < (l->factors ? 0 : l->blocks); ++k)
        sb_lapack_fill(l, data, k * l->block, (char *)work + (size_t)k * l->matrix_bytes);
    sb_bench_copy(lines_of(l, work), sb_bench_data_line_b(data), data->vector_bytes, data->threads);
}

static const char *run(void *self, sb_bench_data *data, void *work)
{
    sb_lapack *l = self;
    int worst = 0;
#pragma omp parallel for schedule(static) num_threads(data->threads) reduction(| : worst) if (l->blocks > 1)
    for (int64_t k = 0; k < l->blocks; ++k) {
        int64_t first = k * l->block, left = l->systems - first;
        char *b = lines_of(l, work) + (size_t)(first * l->n) * l->bytes;
        int nrhs = (int)(left < l->block ? left : l->block);
        int *pivots = l->factors ? l->pivots : l->pivots + (int64_t)omp_get_thread_num() * l->n;
        worst |= l->factors ? sb_lapack_substitute(l, nrhs, b)
                            : sb_lapack_solve(l, (char *)work + (size_t)k * l->matrix_bytes, pivots, nrhs, b);
    }
    if (!worst)
        return NULL;
    snprintf(l->complaint, sizeof l->complaint, "info is not 0");
    return l->complaint;
}

static void fetch(void *self, sb_bench_data *data, void *work)
{
    sb_bench_data_take_lines(data, lines_of(self, work));
}

static void close(void *self)
{
    sb_lapack *l = self;
    free(l->factors);
    free(l->pivots);
    free(l);
}

/* As many right-hand sides as a second-level cache holds; one where each has a matrix. */
static int64_t block_size(const sb_lapack *l, int threads)
{
    const int64_t cached = INT64_C(1) << 17;
    int64_t block = cached / ((int64_t)l->bytes * l->n), fair = (l->systems + threads - 1) / threads;
    block = block < fair ? block : fair;
    return l->own || block < 1 ? 1 : block;
}

static bool get_memory(sb_lapack *l, sb_contender *contender, sb_bench_data *data, bool prefactored)
{
    size_t factors = l->band ? l->matrix_bytes : 4 * l->line * l->bytes;
    l->factors = prefactored ? malloc(factors) : NULL;
    l->pivots = malloc((size_t)l->n * (size_t)(prefactored ? 1 : data->threads) * sizeof *l->pivots);
    contender->work_bytes = data->vector_bytes + (prefactored ? 0 : (size_t)l->blocks * l->matrix_bytes);
    return (l->factors || !prefactored) && l->pivots && sb_bench_data_line_diagonals(data) &&
           sb_bench_data_line_b(data);
}

static void set_sizes(sb_lapack *l, const sb_bench_data *data)
{
    const slimband_problem *p = &data->problem;
    l->band = p->lower != 1 || p->upper != 1;
    l->own = p->coefficients == SLIMBAND_OWN;
    l->n = (int)p->n;
    l->kl = p->lower;
    l->ku = p->upper;
    l->ldab = 2 * l->kl + l->ku + 1;
    l->bytes = data->scalar_bytes;
    l->systems = slimband_systems(p);
    l->block = block_size(l, data->threads);
    l->blocks = (l->systems + l->block - 1) / l->block;
    l->line = (size_t)l->n + PAD;
    l->matrix_bytes = (l->band ? (size_t)l->ldab * (size_t)l->n : 3 * l->line) * l->bytes;
}

void sb_peer_open_lapack(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl)
{
    static const sb_contender_calls calls = {restore, run, fetch, close};
    sb_lapack *l = calloc(1, sizeof *l);
    if (!l) {
        sb_contender_excuse(contender, "not enough memory");
        return;
    }
    contender->calls = &calls;
    contender->self = l;
    contender->brings_copies = true;
    set_sizes(l, data);
    l->dominant = peer->dominant;
    /* Where there is only one call, its threads are the library's own. */
    const char *excuse = sb_library_open(peer->library, data->problem.scalar, l->blocks > 1 ? 1 : data->threads,
                                         mkl, &l->routines);
    if (!excuse && peer->dominant && (!l->routines.dtsvb || !l->routines.dttrfb || !l->routines.dttrsb))
        excuse = "lacks the routines";
    if (!excuse && !get_memory(l, contender, data, peer->prefactored))
        excuse = "not enough memory";
    if (excuse) {
        sb_contender_excuse(contender, "%s", excuse);
        return;
    }
    if (!l->factors)
        return;
    sb_lapack_fill(l, data, 0, l->factors);
    int info = sb_lapack_factor(l);
    if (info)
        sb_contender_excuse(contender, "failed: the factorisation's info is %d", info);
}
