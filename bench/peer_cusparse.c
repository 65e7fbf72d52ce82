/* cuSPARSE's routines as contenders. What they overwrite is copied for them outside of the clock; one matrix for all is
 * written out for those that want one a system, and the middle axis of three lies side by side for them already. */
#include <limits.h>
#include <stdlib.h>

#include "bench/library_cusparse.h"
#include "bench/peer_open.h"

enum { ALIGNMENT = 256, KEEPS_MATRIX = 1, PIVOTS = 2, ONE_MATRIX = 4, INTERLEAVED = 8 };

static const struct {
    const char *name;
    int width, algorithm, traits;
} routines[] = {
    [SB_GTSV2] = {"gtsv2", 3, 0, KEEPS_MATRIX | PIVOTS | ONE_MATRIX},
    [SB_GTSV2_NOPIVOT] = {"gtsv2_nopivot", 3, 0, KEEPS_MATRIX | ONE_MATRIX},
    [SB_GTSV2_STRIDED] = {"gtsv2StridedBatch", 3, 0, KEEPS_MATRIX},
    [SB_GTSV_INTERLEAVED] = {"gtsvInterleavedBatch", 3, 0, INTERLEAVED},
    [SB_GTSV_INTERLEAVED + 1] = {"gtsvInterleavedBatch", 3, 1, INTERLEAVED | PIVOTS},
    [SB_GTSV_INTERLEAVED + 2] = {"gtsvInterleavedBatch", 3, 2, INTERLEAVED | PIVOTS},
    [SB_GPSV_INTERLEAVED] = {"gpsvInterleavedBatch", 5, 0, INTERLEAVED | PIVOTS},
};

typedef struct sparse_peer {
    sb_sparse sparse;
    sb_sparse_handle handle;
    int routine, n, width;
    int systems;
    size_t array_bytes, buffer_bytes;
    sb_bench_arrays given; /* not to be written to */
} sparse_peer;

static bool has(const sparse_peer *s, int trait)
{
    return (routines[s->routine].traits & trait) != 0;
}

static bool is_contiguous(const sb_bench_case *c)
{
    return !c->batch || c->layout == SB_BENCH_CONTIGUOUS || (c->layout == SB_BENCH_AXIS && c->axis == 2);
}

const char *sb_peer_refuse_cusparse(const sb_peer *peer, const sb_bench_case *c)
{
    int traits = routines[peer->routine].traits, width = routines[peer->routine].width / 2;
    if (c->lower != width || c->upper != width)
        return width == 1 ? "solves tridiagonal systems only" : "solves pentadiagonal systems only";
    if (c->n < 3 || c->systems > INT_MAX)
        return "takes at least 3 rows, and counts systems in 32 bits";
    if (c->pivoting == SLIMBAND_PIVOT_PARTIAL && !(traits & PIVOTS))
        return "does not pivot";
    if (traits & ONE_MATRIX && c->coefficients == SLIMBAND_OWN && c->systems > 1)
        return "takes one matrix";
    if (traits & INTERLEAVED)
        return is_contiguous(c) ? "takes interleaved batches" : NULL;
    return is_contiguous(c) ? NULL : "takes contiguous lines";
}

/* Work: the diagonals that are overwritten, then x, then the buffer. */
static char *x_in(const sparse_peer *s, void *work)
{
    return (char *)work + (has(s, KEEPS_MATRIX) ? 0 : (size_t)s->width * s->array_bytes);
}

static void restore(void *self, sb_bench_data *data, void *work)
{
    const sparse_peer *s = self;
    sb_place *place = data->place;
    for (int d = 0; d < s->width && !has(s, KEEPS_MATRIX); ++d)
        place->calls->copy(place, (char *)work + (size_t)d * s->array_bytes, s->given.diagonals[d],
                           data->vector_bytes, SB_COPY_WITHIN);
    place->calls->copy(place, x_in(s, work), s->given.b, data->vector_bytes, SB_COPY_WITHIN);
}

/* end: the buffer, or where its size goes. */
static int call(const sparse_peer *s, sb_sparse_call f, void *const *d, void *x, void *end)
{
    int algorithm = routines[s->routine].algorithm;
    if (s->routine == SB_GPSV_INTERLEAVED)
        return f.penta(s->handle, algorithm, s->n, d[0], d[1], d[2], d[3], d[4], x, s->systems, end);
    if (has(s, INTERLEAVED))
        return f.tri(s->handle, algorithm, s->n, d[0], d[1], d[2], x, s->systems, end);
    if (has(s, ONE_MATRIX))
        return f.plain(s->handle, s->n, s->systems, d[0], d[1], d[2], x, s->n, end);
    return f.strided(s->handle, s->n, d[0], d[1], d[2], x, s->systems, s->n, end);
}

static const char *run(void *self, sb_bench_data *data, void *work)
{
    const sparse_peer *s = self;
    void *diagonals[SLIMBAND_MAX_DIAGONALS] = {NULL};
    (void)data;
    for (int d = 0; d < s->width; ++d)
        diagonals[d] =
            has(s, KEEPS_MATRIX) ? (char *)s->given.diagonals[d] : (char *)work + (size_t)d * s->array_bytes;
    char *x = x_in(s, work);
    return call(s, s->sparse.solve, diagonals, x, x + s->array_bytes) ? "cuSPARSE's status is not success"
                                                                      : NULL;
}

static void fetch(void *self, sb_bench_data *data, void *work)
{
    sb_bench_data_take_whole(data, x_in(self, work));
}

static void close(void *self)
{
    sparse_peer *s = self;
    if (s->handle)
        (void)s->sparse.destroy(s->handle);
    free(s);
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static const char *get_ready(sparse_peer *s, sb_bench_data *data)
{
    const slimband_problem *p = &data->problem;
    const char *excuse = sb_sparse_open(p->scalar, routines[s->routine].name, &s->sparse);
    if (excuse)
        return excuse;
    bool one = has(s, ONE_MATRIX) && p->coefficients == SLIMBAND_SHARED;
    s->given = data->there;
    if (!one && !sb_bench_data_whole(data, &s->given))
        return "not enough memory";
    if (s->sparse.create(&s->handle) || s->sparse.set_stream(s->handle, data->place->executor.place_data))
        return "cuSPARSE does not start";
    if (call(s, s->sparse.size, (void *const *)s->given.diagonals, data->there.x, &s->buffer_bytes))
        return "cuSPARSE does not tell the size of its buffer";
    return NULL;
}

void sb_peer_open_cusparse(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl)
{
    static const sb_contender_calls calls = {restore, run, fetch, close};
    (void)mkl;
    sparse_peer *s = calloc(1, sizeof *s);
    if (!s) {
        sb_contender_excuse(contender, "not enough memory");
        return;
    }
    const slimband_problem *p = &data->problem;
    s->routine = peer->routine;
    s->n = (int)p->n;
    s->width = routines[peer->routine].width;
    s->systems = (int)slimband_systems(p);
    s->array_bytes = aligned(data->vector_bytes);
    contender->calls = &calls;
    contender->self = s;
    contender->brings_copies = !has(s, KEEPS_MATRIX);
    const char *excuse = get_ready(s, data);
    if (excuse)
        sb_contender_excuse(contender, "%s", excuse);
    contender->work_bytes =
        (has(s, KEEPS_MATRIX) ? 1 : (size_t)s->width + 1) * s->array_bytes + aligned(s->buffer_bytes);
}
