/* The peer on a GPU. */
#include "bench/poisson_gpu.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

namespace
{

enum { threads = 256, d2z = 0x6a };

typedef int plan_many(int *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                      int ostride, int odist, int type, int batch);
typedef int execute_d2z(int plan, double *in, double2 *out);
typedef int destroy_plan(int plan);
typedef int set_stream(int plan, cudaStream_t stream);

unsigned blocks_for(int64_t count)
{
    return static_cast<unsigned>((count + threads - 1) / threads);
}

/* Entries 0 .. 2 n + 1 of each line: 0, x, 0, -x backwards. */
__global__ void extend(const double *x, double *line, int rows, int columns)
{
    int64_t size = 2 * (static_cast<int64_t>(columns) + 1),
            at = blockIdx.x * static_cast<int64_t>(threads) + threadIdx.x;
    if (at >= rows * size)
        return;
    int64_t row = at / size, j = at % size;
    double value = 0;
    if (j > 0 && j <= columns)
        value = x[row * columns + j - 1];
    else if (j > columns + 1)
        value = -x[row * columns + size - j - 1];
    line[at] = value;
}

__global__ void extract(const double2 *spectrum, double *x, double scale, int rows, int columns)
{
    int64_t at = blockIdx.x * static_cast<int64_t>(threads) + threadIdx.x;
    if (at >= static_cast<int64_t>(rows) * columns)
        return;
    int64_t row = at / columns, k = at % columns;
    x[at] = -scale * spectrum[row * (columns + 2) + k + 1].y;
}

__global__ void sweep(double *u, const double *pivot, int rows, int columns)
{
    int64_t k = blockIdx.x * static_cast<int64_t>(threads) + threadIdx.x, n = columns;
    if (k >= n)
        return;
    double before = 0;
    for (int64_t i = 0; i < rows; ++i)
        u[i * n + k] = before = (u[i * n + k] + before) * pivot[i * n + k];
    for (int64_t i = rows - 2; i >= 0; --i)
        u[i * n + k] = before = u[i * n + k] + pivot[i * n + k] * before;
}

__global__ void fill_pivots(double *pivot, int rows, int columns)
{
    int64_t k = blockIdx.x * static_cast<int64_t>(threads) + threadIdx.x, n = columns;
    if (k >= n)
        return;
    double ratio = (columns + 1.0) / (rows + 1.0), s = 2 * sinpi((k + 1) / (2.0 * (columns + 1))) * ratio,
           before = 0;
    for (int64_t i = 0; i < rows; ++i)
        pivot[i * n + k] = before = 1 / (2 + s * s - before);
}

} // namespace

struct sb_cufft_poisson {
    int rows, columns, plan;
    cudaStream_t stream;
    execute_d2z *execute;
    destroy_plan *destroy;
    double *line, *pivot;
    double2 *spectrum;
};

sb_cufft_poisson *sb_cufft_poisson_create(int rows, int columns, const void *stream, const char **reason)
{
    void *library = dlopen("libcufft.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libcufft.so", RTLD_NOW | RTLD_LOCAL);
    plan_many *make = library ? reinterpret_cast<plan_many *>(dlsym(library, "cufftPlanMany")) : nullptr;
    *reason = make ? "not enough memory" : "cuFFT is not installed";
    sb_cufft_poisson *p = make ? static_cast<sb_cufft_poisson *>(calloc(1, sizeof *p)) : nullptr;
    if (!p)
        return nullptr;
    p->rows = rows;
    p->columns = columns;
    p->stream = static_cast<cudaStream_t>(const_cast<void *>(stream));
    p->execute = reinterpret_cast<execute_d2z *>(dlsym(library, "cufftExecD2Z"));
    destroy_plan *destroy = reinterpret_cast<destroy_plan *>(dlsym(library, "cufftDestroy"));
    set_stream *set = reinterpret_cast<set_stream *>(dlsym(library, "cufftSetStream"));
    size_t points = static_cast<size_t>(rows) * static_cast<size_t>(columns);
    size_t complex_points = static_cast<size_t>(rows) * (static_cast<size_t>(columns) + 2);
    int size = 2 * (columns + 1);
    bool good =
        p->execute && destroy && set &&
        !cudaMalloc(reinterpret_cast<void **>(&p->line),
                    2 * static_cast<size_t>(rows) * (static_cast<size_t>(columns) + 1) * sizeof(double)) &&
        !cudaMalloc(reinterpret_cast<void **>(&p->spectrum), complex_points * sizeof(double2)) &&
        !cudaMalloc(reinterpret_cast<void **>(&p->pivot), points * sizeof(double));
    if (good && !make(&p->plan, 1, &size, nullptr, 1, size, nullptr, 1, columns + 2, d2z, rows))
        p->destroy = destroy;
    if (!p->destroy || set(p->plan, p->stream)) {
        sb_cufft_poisson_destroy(p);
        return nullptr;
    }
    fill_pivots<<<blocks_for(columns), threads, 0, p->stream>>>(p->pivot, rows, columns);
    *reason = nullptr;
    return p;
}

void sb_cufft_poisson_destroy(sb_cufft_poisson *p)
{
    if (!p)
        return;
    if (p->destroy)
        p->destroy(p->plan);
    (void)cudaFree(p->line);
    (void)cudaFree(p->spectrum);
    (void)cudaFree(p->pivot);
    free(p);
}

static bool transform(const sb_cufft_poisson *p, const double *from, double *to, double scale)
{
    int64_t points = static_cast<int64_t>(p->rows) * p->columns;
    extend<<<blocks_for(2 * static_cast<int64_t>(p->rows) * (p->columns + 1)), threads, 0, p->stream>>>(
        from, p->line, p->rows, p->columns);
    if (p->execute(p->plan, p->line, p->spectrum))
        return false;
    extract<<<blocks_for(points), threads, 0, p->stream>>>(p->spectrum, to, scale, p->rows, p->columns);
    return true;
}

bool sb_cufft_poisson_solve(const sb_cufft_poisson *p, const double *f, double *u)
{
    double h = 1.0 / (p->rows + 1);
    if (!transform(p, f, u, h * h / (p->columns + 1)))
        return false;
    sweep<<<blocks_for(p->columns), threads, 0, p->stream>>>(u, p->pivot, p->rows, p->columns);
    return transform(p, u, u, 0.5) && !cudaGetLastError();
}
