/* cuSPARSE's loop: memory, matrices, steps. */
#include "bench/steppers_gpsv.h"

#include <stdlib.h>

#include "cli/progress.h"

enum { ALGORITHM = 0, PARTS = 11 }; /* QR is the only one there is */

static void put(const sb_gpsv *g, int64_t i, double value)
{
    if (g->size == sizeof(float))
        ((float *)g->host)[i] = (float)value;
    else
        ((double *)g->host)[i] = value;
}

static double get(const sb_gpsv *g, int64_t i)
{
    return g->size == sizeof(float) ? (double)((const float *)g->host)[i] : ((const double *)g->host)[i];
}

static const char *said(cudaError_t error)
{
    return error ? cudaGetErrorString(error) : NULL;
}

static const char *upload(const sb_gpsv *g, const void *to, int64_t numbers)
{
    return said(cudaMemcpy((void *)to, g->host, (size_t)numbers * g->size, cudaMemcpyHostToDevice));
}

/* W, S and sigma of each matrix, from the baseline in plain C. */
static const char *put_rings(sb_gpsv *g, const sb_plain_ring *rings, int64_t count)
{
    const sb_gpsv_ring *r = &g->ring;
    const char *bad = NULL;
    for (int c = 0; c < 2 && !bad; ++c) {
        for (int64_t j = 0; j < count; ++j)
            for (int64_t i = 0; i < r->n - 2; ++i)
                put(g, i * count + j, rings[j].h[c][i]);
        bad = upload(g, r->w[c], (r->n - 2) * count);
    }
    for (int64_t j = 0; j < count; ++j)
        put(g, j, rings[j].sigma);
    bad = bad ? bad : upload(g, r->sigma, count);
    for (int64_t j = 0; j < 4 * count; ++j)
        put(g, j, rings[j / 4].inverse[j % 4 / 2][j % 2]);
    return bad ? bad : upload(g, r->inverse, 4 * count);
}

static const char *take_memory(sb_gpsv *g)
{
    sb_gpsv_ring *r = &g->ring;
    size_t part = (size_t)((r->n + 4) * r->members) * g->size; /* the largest; all as large */
    void *memory = NULL;
    part = (part + 255) / 256 * 256;
    cudaError_t error = cudaMalloc(&memory, PARTS * part);
    g->memory = memory;
    g->host = malloc(part);
    if (error || !g->host)
        return error ? said(error) : "not enough memory";
    void **const parts[] = {&r->c,           &r->x,           &r->diagonal[0], &r->diagonal[1], &r->diagonal[2],
                            &r->diagonal[3], &r->diagonal[4], &r->w[0],        &r->w[1]};
    for (int k = 0; k < PARTS - 2; ++k)
        *parts[k] = g->memory + (size_t)k * part;
    r->sigma = g->memory + (PARTS - 2) * part;
    r->inverse = g->memory + (PARTS - 1) * part;
    return NULL;
}

const char *sb_gpsv_make(sb_gpsv *g, slimband_scalar scalar, int64_t members, const sb_plain_ring *rings,
                         int64_t count)
{
    bool single = scalar == SLIMBAND_F32;
    *g = (sb_gpsv){.ring = {.n = rings->n, .members = members, .own = count > 1},
                   .kernels = single ? &sb_gpsv_kernels_f32 : &sb_gpsv_kernels_f64,
                   .size = single ? sizeof(float) : sizeof(double)};
    const char *bad = sb_sparse_open(scalar, "gpsvInterleavedBatch", &g->sparse);
    if (!bad && g->sparse.create(&g->handle))
        bad = "cusparseCreate failed";
    if (!bad)
        bad = take_memory(g);
    if (!bad)
        bad = put_rings(g, rings, count);
    size_t bytes = 0;
    const sb_gpsv_ring *r = &g->ring;
    if (!bad &&
        g->sparse.size.penta(g->handle, ALGORITHM, (int)r->n - 2, r->diagonal[0], r->diagonal[1],
                             r->diagonal[2], r->diagonal[3], r->diagonal[4], r->x, (int)members, &bytes))
        bad = "gpsvInterleavedBatch_bufferSizeExt failed";
    return bad ? bad : said(cudaMalloc(&g->buffer, bytes + 1));
}

static const char *step(const sb_gpsv *g)
{
    const sb_gpsv_ring *r = &g->ring;
    cudaError_t error = g->kernels->form(r);
    if (error)
        return said(error);
    if (g->sparse.solve.penta(g->handle, ALGORITHM, (int)r->n - 2, r->diagonal[0], r->diagonal[1],
                              r->diagonal[2], r->diagonal[3], r->diagonal[4], r->x, (int)r->members, g->buffer))
        return "gpsvInterleavedBatch failed";
    return said(g->kernels->close(r));
}

const char *sb_gpsv_run(sb_gpsv *g, int64_t steps, double *state, double *seconds)
{
    const sb_gpsv_ring *r = &g->ring;
    for (int64_t j = 0; j < r->members; ++j)
        for (int64_t i = 0; i < r->n; ++i)
            put(g, i * r->members + j, state[j * r->n + i]);
    const char *bad = upload(g, r->c, r->n * r->members);
    double clock = sb_seconds();
    for (int64_t k = 0; k < steps && !bad; ++k)
        bad = step(g);
    bad = bad ? bad : said(cudaDeviceSynchronize());
    *seconds = sb_seconds() - clock;
    size_t bytes = (size_t)(r->n * r->members) * g->size;
    bad = bad ? bad : said(cudaMemcpy(g->host, r->c, bytes, cudaMemcpyDeviceToHost));
    for (int64_t j = 0; j < r->members; ++j)
        for (int64_t i = 0; i < r->n; ++i)
            state[j * r->n + i] = get(g, i * r->members + j);
    return bad;
}

void sb_gpsv_free(sb_gpsv *g)
{
    if (g->handle)
        (void)g->sparse.destroy(g->handle);
    (void)cudaFree(g->memory);
    (void)cudaFree(g->buffer);
    free(g->host);
    *g = (sb_gpsv){0};
}
