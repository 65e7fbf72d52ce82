/* References are kept whole: two vectors beside the system. */
#include "bench/lass_apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/memory.h"

/* The routine of the paper first. */
static int reference_named(const char *peer)
{
    static const char *const routines[] = {"mkl", "lapack", "openblas"};
    if (!strcmp(peer, "thomas"))
        return 0;
    for (size_t k = 0; k < sizeof routines / sizeof *routines; ++k)
        if (!strcmp(peer, routines[k]))
            return 1;
    return -1;
}

bool sb_lass_references_keep(sb_lass_references *references, const sb_bench_data *data, const char *peer)
{
    int which = reference_named(peer);
    if (which < 0 || references->x[which])
        return true;
    double *x = references->x[which] = malloc(data->vector_bytes);
    if (x)
        sb_bench_copy(x, data->x, data->vector_bytes, data->threads);
    return x != NULL;
}

void sb_lass_references_compare(const sb_lass_references *references, const sb_bench_data *data,
                                sb_lass_apart apart[SB_LASS_REFERENCES])
{
    int64_t n = data->problem.n;
    const double *x = data->x;
    for (int which = 0; which < SB_LASS_REFERENCES; ++which) {
        const double *reference = references->x[which];
        double most = 0, sum = 0;
#pragma omp parallel for schedule(static) num_threads(data->threads) reduction(max : most) reduction(+ : sum)
        for (int64_t i = 0; i < (reference ? n : 0); ++i) {
            double difference = fabs(x[i] - reference[i]);
            most = difference > most ? difference : most;
            sum += difference;
        }
        apart[which] = reference ? (sb_lass_apart){most, sum / (double)n} : (sb_lass_apart){NAN, NAN};
    }
}

void sb_lass_references_free(sb_lass_references *references)
{
    for (int which = 0; which < SB_LASS_REFERENCES; ++which)
        free(references->x[which]);
    *references = (sb_lass_references){0};
}
