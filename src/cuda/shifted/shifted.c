/* Systems that differ by a shift on a GPU: by their roots (even.h) where rows are alike and that loses no more digits than T has
 * to lose, else by stored pivots (pivots.h). */
#include "src/cuda/shifted/shifted.h"

#include "src/cuda/plan.h"
#include "src/cuda/shifted/launch.h"

/* Something in device memory: a copy of `from`, or room. */
typedef struct part {
    const void *from;
    size_t bytes;
} part;

enum { PARTS = 5 };

typedef struct state {
    sb_cuda_device device;
    cudaStream_t stream;
    bool even;
    sb_cuda_even even_lines;
    sb_cuda_lines lines;
    char *memory;
} state;

/* One piece of device memory for all parts; at[k]: where part k is, or NULL if it has no bytes. The device is current; CUDA has
   read what is copied, pageable memory, when this returns. */
static slimband_status place(slimband_shifted *shifted, const part parts[PARTS], void *at[PARTS])
{
    enum { alignment = 256 };
    state *s = shifted->state;
    size_t total = 0, begin[PARTS];
    for (int k = 0; k < PARTS; ++k) {
        begin[k] = total;
        total = sb_plus(total, sb_plus(parts[k].bytes, alignment - 1) / alignment * alignment);
    }
    void *memory = NULL;
    cudaError_t error = total > PTRDIFF_MAX ? cudaErrorMemoryAllocation : cudaMalloc(&memory, total);
    s->memory = memory;
    shifted->report.bytes += error ? 0 : total;
    for (int k = 0; k < PARTS && !error; ++k) {
        at[k] = parts[k].bytes ? s->memory + begin[k] : NULL;
        if (parts[k].bytes && parts[k].from)
            error = cudaMemcpyAsync(at[k], parts[k].from, parts[k].bytes, cudaMemcpyHostToDevice, s->stream);
    }
    if (!error)
        error = cudaStreamSynchronize(s->stream);
    if (error)
        (void)cudaGetLastError();
    return sb_cuda_status(error);
}

/* Roundings of f64 that may be lost: f32 would not see more; f64 keeps 11 digits at worst, between Poisson's walls on grids of
   less than 2^16 points. */
static double most_loss(void)
{
    return sizeof(T) == sizeof(float) ? 0x1p28 : 0x1p16;
}

/* numbers: the modes' in host memory. */
static slimband_status place_even(slimband_shifted *shifted, const double *numbers)
{
    state *s = shifted->state;
    sb_cuda_even *g = &s->even_lines;
    int64_t modes = g->even.modes, chunks = g->even.chunks;
    bool held = chunks <= SB_EVEN_HELD;
    g->after = shifted->problem.after;
    g->fields = shifted->problem.fields;
    g->ahead = s->device.processors * SB_EVEN_HELD / (int)(held ? chunks : SB_EVEN_HELD);
    size_t pairs = sb_times(sb_times((size_t)g->fields, (size_t)chunks), (size_t)modes);
    const part parts[PARTS] = {{numbers, (size_t)modes * SB_EVEN_NUMBERS * sizeof *numbers},
                               {NULL, held ? 0 : sb_times(pairs, sizeof(sb_even_pair))}};
    void *at[PARTS];
    slimband_status status = place(shifted, parts, at);
    g->even.table = status ? NULL : at[0];
    g->pair = status ? NULL : at[1];
    const double scan = 11.0 * sizeof(double) / sizeof(T) / SB_EVEN_ROWS;
    shifted->report.method = "root";
    shifted->report.words_per_row = held ? 2 : 3 + scan;
    return status;
}

/* Sets s->even if the systems can be solved so. */
static slimband_status make_even(slimband_shifted *shifted, const sb_tridiagonal *m, int64_t singular)
{
    state *s = shifted->state;
    if (!sb_even_fits(m))
        return SLIMBAND_OK;
    size_t bytes = 0;
    double loss,
        *numbers = sb_allocate(sb_times((size_t)shifted->systems, SB_EVEN_NUMBERS * sizeof *numbers), &bytes);
    if (!numbers)
        return SLIMBAND_OUT_OF_MEMORY;
    s->even_lines.even = sb_even_make(m, shifted->problem.shift, shifted->systems, singular, numbers, &loss);
    s->even = loss <= most_loss();
    slimband_status status = s->even ? place_even(shifted, numbers) : SLIMBAND_OK;
    sb_release(numbers);
    return status;
}

/* Couplings as T, 0 where there is no neighbour: lower ones, then upper ones. */
static T *couplings_of(const sb_tridiagonal *m)
{
    size_t bytes = 0;
    T *couplings = sb_allocate(sb_times(2 * (size_t)m->n, sizeof *couplings), &bytes);
    for (int64_t i = 0; couplings && i < m->n; ++i) {
        couplings[i] = (T)sb_coupling_before(m, i);
        couplings[m->n + i] = (T)sb_coupling_behind(m, i);
    }
    return couplings;
}

static slimband_status make_lines(slimband_shifted *shifted, const sb_tridiagonal *m, int64_t singular)
{
    state *s = shifted->state;
    sb_pivot_table p = {0};
    T *couplings = couplings_of(m);
    slimband_status status =
        couplings ? SB_NAME(pivots_make)(&p, m, shifted->problem.shift, shifted->systems, singular)
                  : SLIMBAND_OUT_OF_MEMORY;
    if (!status) {
        size_t rows = (size_t)p.row[2 * p.groups] + 1, groups = (size_t)p.groups;
        const part parts[PARTS] = {{p.row, (2 * groups + 1) * sizeof *p.row},
                                   {p.table, rows * SB_PIVOT_GROUP * sizeof(T)},
                                   {p.middle, (size_t)p.modes * sizeof(T)},
                                   {couplings, 2 * (size_t)m->n * sizeof(T)}};
        void *at[PARTS];
        status = place(shifted, parts, at);
        if (!status)
            s->lines = (sb_cuda_lines){m->n,  shifted->problem.after, p.modes, shifted->problem.fields,
                                       at[3], (T *)at[3] + m->n,      at[0],   at[1],
                                       at[2]};
    }
    SB_NAME(pivots_free)(&p);
    sb_release(couplings);
    shifted->report.method = "pivots";
    shifted->report.words_per_row = 4;
    return status;
}

/* Grids count groups of 32 systems, and fields in two dimensions. */
static bool launches(const slimband_shifted *shifted)
{
    const int64_t groups = INT32_MAX, fields = (int64_t)65535 * 65535;
    return shifted->systems / SB_PIVOT_GROUP < groups && shifted->problem.fields <= fields;
}

static slimband_status make(slimband_shifted *shifted)
{
    state *s = shifted->state;
    const slimband_shifted_problem *p = &shifted->problem;
    const sb_tridiagonal m = {p->n, p->lower, p->diagonal, p->upper};
    bool singular;
    slimband_status status =
        sb_check_shifts(&m, shifted->systems, p->shift, p->singular, sizeof(T) == sizeof(float), &singular);
    if (status)
        return status;
    int64_t number = singular ? p->singular : SLIMBAND_NONE_SINGULAR;
    status = make_even(shifted, &m, number);
    return status || s->even ? status : make_lines(shifted, &m, number);
}

static slimband_status create(slimband_shifted *shifted)
{
    state *s = shifted->state = sb_allocate(sizeof *s, &shifted->report.bytes);
    if (!s)
        return SLIMBAND_OUT_OF_MEMORY;
    s->stream = (cudaStream_t)shifted->executor.place_data;
    slimband_status status = launches(shifted) ? SLIMBAND_OK : SLIMBAND_TOO_LARGE;
    if (!status)
        status = sb_cuda_facts(shifted->executor.device, &s->device);
    int previous;
    if (!status)
        status = sb_cuda_enter(s->device.number, &previous);
    if (status)
        return status;
    status = sb_cuda_check_stream(s->stream);
    if (!status)
        status = make(shifted);
    sb_cuda_leave(previous);
    return status;
}

static void destroy(slimband_shifted *shifted)
{
    state *s = shifted->state;
    int previous;
    if (s->memory && !sb_cuda_enter(s->device.number, &previous)) {
        (void)cudaFree(s->memory); /* waits for what still uses it */
        sb_cuda_leave(previous);
    }
    sb_release(s);
}

static slimband_status solve(const slimband_shifted *shifted, void *u)
{
    const state *s = shifted->state;
    int previous;
    slimband_status status = sb_cuda_enter(s->device.number, &previous);
    if (status)
        return status;
    cudaError_t error = s->even ? SB_NAME(shifted_even)(&s->even_lines, u, s->stream)
                                : SB_NAME(shifted_lines)(&s->lines, u, s->stream);
    sb_cuda_leave(previous);
    return sb_cuda_status(error);
}

const sb_shifted_place SB_NAME(cuda_shifted) = {create, destroy, solve};
