/* The streams as contenders. */
#include "bench/ceiling.h"

#include <math.h>
#include <stdio.h>

#include "bench/stream.h"

typedef struct sb_ceiling {
    const char *name;
    bool in_place, around;
} sb_ceiling;

static const sb_ceiling ceilings[SB_CEILINGS] = {
    {"in place", true, false}, {"stores around the caches", false, true}, {"ordinary stores", false, false}};

static const char *run(void *self, sb_bench_data *data, void *work)
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

void sb_ceiling_open(sb_contender *contender, int stream)
{
    static const sb_contender_calls calls = {NULL, run, NULL, NULL};
    snprintf(contender->name, sizeof contender->name, "%s", ceilings[stream].name);
    contender->seconds = contender->residual = NAN;
    contender->calls = &calls;
    contender->self = (void *)&ceilings[stream];
    contender->no_answer = true;
}
