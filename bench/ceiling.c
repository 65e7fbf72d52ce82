/* The streams and the copy as contenders. */
#include "bench/ceiling.h"

#include <math.h>
#include <stdio.h>

#include "bench/stream.h"

typedef struct sb_ceiling {
    const char *name;
    bool in_place, around;
} sb_ceiling;

static const char *run_stream(void *self, sb_bench_data *data, void *work)
{
    (void)work;
#define FUNCTION(level) sb_stream_##level,
    static sb_stream_function *const functions[] = {SB_LEVELS(FUNCTION)};
#undef FUNCTION
    enum { LINE = 64 };
    const sb_ceiling *ceiling = self;
    const slimband_problem *p = &data->problem;
    sb_stream_function *stream = functions[sb_bench_level()];
    sb_stream_part whole = {.to = data->x};
    for (int d = 0; p->coefficients == SLIMBAND_OWN && d < p->lower + 1 + p->upper; ++d)
        whole.from[whole.sources++] = data->diagonals[d];
    whole.from[whole.sources++] = ceiling->in_place ? data->x : data->b;
    size_t share = (data->vector_bytes / (size_t)data->threads + LINE - 1) / LINE * LINE;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int t = 0; t < data->threads; ++t) {
        size_t start = (size_t)t * share;
        if (start >= data->vector_bytes)
            continue;
        sb_stream_part part = {.sources = whole.sources, .to = whole.to + start};
        for (int k = 0; k < whole.sources; ++k)
            part.from[k] = whole.from[k] + start;
        part.bytes = data->vector_bytes - start < share ? data->vector_bytes - start : share;
        stream(&part, ceiling->around);
    }
    return NULL;
}

/* Half of work is read, the other half written. */
static size_t half_of(const sb_bench_data *data)
{
    const size_t multiple = 256;
    size_t least = 6 * data->place->calls->broom_bytes(data->place);
    size_t half = (size_t)sb_bench_traffic(&data->the_case) / 2;
    return ((half < least ? least : half) + multiple - 1) / multiple * multiple;
}

static const char *run_copy(void *self, sb_bench_data *data, void *work)
{
    (void)self;
    size_t half = half_of(data);
    data->place->calls->copy(data->place, (char *)work + half, work, half, SB_COPY_WITHIN);
    return NULL;
}

static const sb_contender_calls stream_calls = {NULL, run_stream, NULL, NULL},
                                copy_calls = {NULL, run_copy, NULL, NULL};
static const sb_ceiling streams[SB_CEILINGS] = {
    {"in place", true, false}, {"stores around the caches", false, true}, {"ordinary stores", false, false}};
static const sb_ceiling device_copy = {"copy within device memory", false, false};

int sb_ceilings(const sb_place *place)
{
    return sb_place_is_host(place) ? SB_CEILINGS : 1;
}

/* A small copy would measure the cache and the launch: it is always many times the caches, and the case's share of its
   time is the ceiling. */
void sb_ceiling_open(sb_contender *contender, const sb_bench_data *data, int index)
{
    bool host = sb_place_is_host(data->place);
    const sb_ceiling *ceiling = host ? &streams[index] : &device_copy;
    snprintf(contender->name, sizeof contender->name, "%s", ceiling->name);
    contender->seconds = contender->residual = NAN;
    contender->calls = host ? &stream_calls : &copy_calls;
    contender->self = (void *)ceiling;
    contender->no_answer = true;
    if (host)
        return;
    contender->work_bytes = 2 * half_of(data);
    contender->share = sb_bench_traffic(&data->the_case) / (double)contender->work_bytes;
}
