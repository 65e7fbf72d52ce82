/* Drawing a case's numbers. */
#include "bench/data.h"

#include <math.h>
#include <string.h>

#include "bench/memory.h"
#include "cli/numbers.h"
#include "cli/reason.h"
#include "gallery/random.h"

enum { CHUNK = 1 << 15 };

void *sb_bench_data_array(sb_bench_data *data, size_t bytes)
{
    void *array = sb_bench_allocate(bytes, data->block_count, data->threads);
    if (array)
        data->blocks[data->block_count++] = array;
    return array;
}

static void put(slimband_scalar scalar, void *array, int64_t at, double real, double imaginary)
{
    switch (scalar) {
    case SLIMBAND_F32:
        ((float *)array)[at] = (float)real;
        return;
    case SLIMBAND_F64:
        ((double *)array)[at] = real;
        return;
    case SLIMBAND_C64:
        ((float *)array)[2 * at] = (float)real;
        ((float *)array)[2 * at + 1] = (float)imaginary;
        return;
    case SLIMBAND_C128:
        ((double *)array)[2 * at] = real;
        ((double *)array)[2 * at + 1] = imaginary;
    }
}

/* cuSPARSE wants zeros there; nobody else looks. A Toeplitz matrix's one entry is of all rows. */
static bool is_outside(const sb_bench_data *data, int64_t row, int k)
{
    const sb_bench_case *c = &data->the_case;
    return c->ends == SLIMBAND_OPEN && c->coefficients != SLIMBAND_TOEPLITZ && (row + k < 0 || row + k >= c->n);
}

/* Row `at`: all off-diagonal entries of one sign, so that dominance 1 is as near to singular as -1 2 -1. A
   complex matrix is a real one with its unknowns turned by a constant angle each. */
static void draw_row(const sb_bench_data *data, void *const *diagonals, int64_t at, sb_random *random)
{
    const double angle = 0.7;
    const sb_bench_case *c = &data->the_case;
    int64_t row = at / data->problem.matrix.line % c->n;
    double sum = 0;
    for (int d = 0; d < c->lower + 1 + c->upper; ++d) {
        int k = d - c->lower;
        if (k == 0)
            continue;
        double modulus = c->coefficients == SLIMBAND_TOEPLITZ ? 1 : 0.5 + 0.5 * sb_random_unit(random);
        bool complex = c->scalar == SLIMBAND_C64 || c->scalar == SLIMBAND_C128;
        sum += modulus;
        if (is_outside(data, row, k))
            put(c->scalar, diagonals[d], at, 0, 0);
        else
            put(c->scalar, diagonals[d], at, complex ? -modulus * cos(k * angle) : -modulus,
                -modulus * sin(k * angle));
    }
    put(c->scalar, diagonals[c->lower], at, sum > 0 ? c->dominance * sum : 1, 0);
}

static void draw_matrix(const sb_bench_data *data, void *const *diagonals)
{
    int64_t entries = (int64_t)(data->diagonal_bytes / data->scalar_bytes),
            chunks = (entries + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        sb_random random = sb_random_seeded((uint64_t)chunk);
        int64_t end = (chunk + 1) * CHUNK < entries ? (chunk + 1) * CHUNK : entries;
        for (int64_t i = chunk * CHUNK; i < end; ++i)
            draw_row(data, diagonals, i, &random);
    }
}

static void draw_rhs(const sb_bench_data *data, void *b)
{
    slimband_scalar scalar = data->the_case.scalar;
    int64_t entries = (int64_t)(data->vector_bytes / data->scalar_bytes),
            chunks = (entries + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) num_threads(data->threads)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        sb_random random = sb_random_seeded(~(uint64_t)chunk);
        int64_t end = (chunk + 1) * CHUNK < entries ? (chunk + 1) * CHUNK : entries;
        for (int64_t i = chunk * CHUNK; i < end; ++i) {
            double real = sb_random_signed(&random);
            put(scalar, b, i, real, sb_random_signed(&random));
        }
    }
}

static bool set_sizes(sb_bench_data *data, sb_failure *failure)
{
    const sb_bench_case *c = &data->the_case;
    slimband_status status = sb_bench_problem(c, &data->problem);
    if (status)
        return sb_fail(failure, "%s", sb_reason(status));
    bool own = c->coefficients == SLIMBAND_OWN;
    double rows = sb_bench_rows(c), bytes = rows * (double)sb_number_bytes(c->scalar);
    double need = bytes * (2 + (own ? c->lower + 1 + c->upper : 0)), have = sb_bench_machine_bytes();
    if (2 * need > have)
        return sb_fail(failure, "%.3g rows: need %.3g GB of memory and as much for copies; there are %.3g GB",
                       rows, 1e-9 * need, 1e-9 * have);
    data->scalar_bytes = sb_number_bytes(c->scalar);
    data->vector_bytes = (size_t)bytes;
    size_t line = c->coefficients == SLIMBAND_TOEPLITZ ? 1 : (size_t)c->n;
    data->diagonal_bytes = own ? data->vector_bytes : line * data->scalar_bytes;
    return true;
}

static bool allocate(sb_bench_data *data, void **diagonals, void **b)
{
    int width = data->the_case.lower + 1 + data->the_case.upper;
    bool got = true;
    for (int d = 0; d < width; ++d) {
        data->diagonals[d] = diagonals[d] = sb_bench_data_array(data, data->diagonal_bytes);
        got = got && diagonals[d];
    }
    data->b = *b = sb_bench_data_array(data, data->vector_bytes);
    data->x = sb_bench_data_array(data, data->vector_bytes);
    return got && data->b && data->x;
}

/* One more array in the place's memory; NULL without memory. */
static void *array_there(sb_bench_data *data, size_t bytes)
{
    void *array = data->place->calls->allocate(data->place, bytes, data->there_count);
    if (array)
        data->there_blocks[data->there_count++] = array;
    return array;
}

const void *sb_bench_data_sent(sb_bench_data *data, const void *from, size_t bytes)
{
    void *to = array_there(data, bytes);
    if (to)
        data->place->calls->copy(data->place, to, from, bytes, SB_COPY_IN);
    return to;
}

bool sb_bench_data_send(sb_bench_data *data, sb_place *place, sb_failure *failure)
{
    if (sb_place_is_host(place))
        return true;
    bool got = true;
    data->place = place;
    for (int d = 0; got && d < data->the_case.lower + 1 + data->the_case.upper; ++d) {
        data->there.diagonals[d] = sb_bench_data_sent(data, data->diagonals[d], data->diagonal_bytes);
        got = data->there.diagonals[d] != NULL;
    }
    data->there.b = got ? sb_bench_data_sent(data, data->b, data->vector_bytes) : NULL;
    data->there.x = data->there.b ? array_there(data, data->vector_bytes) : NULL;
    return data->there.x || sb_fail(failure, "%.3g rows do not fit the device's memory of %.3g GB",
                                    sb_bench_rows(&data->the_case), 1e-9 * place->calls->memory(place));
}

sb_bench_arrays sb_bench_data_at(const sb_bench_data *data, const sb_place *place)
{
    if (!sb_place_is_host(place))
        return data->there;
    sb_bench_arrays here = {.b = data->b, .x = data->x};
    memcpy(here.diagonals, data->diagonals, sizeof here.diagonals);
    return here;
}

bool sb_bench_data_build(sb_bench_data *data, const sb_bench_case *c, int threads, sb_failure *failure)
{
    *data = (sb_bench_data){.the_case = *c, .threads = threads};
    void *diagonals[SLIMBAND_MAX_DIAGONALS], *b;
    if (!sb_place_open(&data->host, 0, threads, failure) || !set_sizes(data, failure))
        return false;
    data->place = &data->host;
    if (!allocate(data, diagonals, &b)) {
        sb_bench_data_free(data);
        return sb_fail(failure, "not enough memory for %.3g rows", sb_bench_rows(c));
    }
    draw_matrix(data, diagonals);
    draw_rhs(data, b);
    return true;
}

void sb_bench_data_free(sb_bench_data *data)
{
    for (int k = 0; k < data->block_count; ++k)
        sb_bench_release(data->blocks[k]);
    for (int k = 0; k < data->there_count; ++k)
        data->place->calls->release(data->place, data->there_blocks[k]);
    sb_place_close(&data->host);
    *data = (sb_bench_data){0};
}
