/* What the GPU half of spectral does to fields point by point, and to singular lines. */
#include "src/poisson/gpu.h"

namespace
{

constexpr int threads = 256;
constexpr int64_t most_blocks = 1 << 20;

/* Rows of the last axis: its number among all fields, and the indices of the axes before. */
struct row {
    int64_t number, at[SLIMBAND_POISSON_MAX_RANK];
};

__device__ row row_of(const sb_gpu_field &f, int64_t number)
{
    row r = {number, {0, 0, 0}};
    int64_t left = number;
    for (int a = f.rank - 2; a >= 0; --a) {
        r.at[a] = left % f.n[a];
        left /= f.n[a];
    }
    return r;
}

__device__ int64_t rows_of(const sb_gpu_field &f)
{
    return f.fields * (f.points / f.n[f.rank - 1]);
}

__global__ void __launch_bounds__(threads) divide(const __grid_constant__ sb_gpu_quotient q, T *u)
{
    int last = q.field.rank - 1;
    int64_t n = q.field.n[last], rows = rows_of(q.field), in_field = q.field.points / n;
    for (int64_t number = blockIdx.x; number < rows; number += gridDim.x) {
        row r = row_of(q.field, number);
        double sum = q.lambda;
        for (int a = 0; a < last; ++a)
            sum += q.eigen[a][r.at[a]];
        bool first = q.singular && number % in_field == 0;
        for (int64_t j = threadIdx.x; j < n; j += threads) {
            T *at = u + number * n + j;
            if (first && j == 0) {
                q.away[number / in_field] = static_cast<double>(*at) / q.norm;
                *at = static_cast<T>(q.mean * q.norm);
            } else {
                *at = static_cast<T>(static_cast<double>(*at) / (sum + q.eigen[last][j]));
            }
        }
    }
}

/* Where a side's entry for this row and column lies; its axis is left out. */
__device__ T wall(const sb_gpu_field &f, const T *side, int axis, const row &r, int64_t column)
{
    int64_t index = r.number;
    for (int a = f.rank - 2; a >= 0; --a)
        index /= f.n[a];
    for (int a = 0; a < f.rank; ++a)
        if (a != axis)
            index = index * f.n[a] + (a == f.rank - 1 ? column : r.at[a]);
    return side[index];
}

__global__ void __launch_bounds__(threads) load(const __grid_constant__ sb_gpu_rhs b, const T *f, T *u)
{
    int last = b.field.rank - 1;
    int64_t n = b.field.n[last], rows = rows_of(b.field);
    for (int64_t number = blockIdx.x; number < rows; number += gridDim.x) {
        row r = row_of(b.field, number);
        for (int64_t j = threadIdx.x; j < n; j += threads) {
            T sum = f[number * n + j];
            for (int a = 0; a <= last; ++a) {
                int64_t at = a == last ? j : r.at[a];
                if (b.side[a][0] && at == 0)
                    sum += static_cast<T>(b.inflow[a][0]) * wall(b.field, b.side[a][0], a, r, j);
                if (b.side[a][1] && at == b.field.n[a] - 1)
                    sum += static_cast<T>(b.inflow[a][1]) * wall(b.field, b.side[a][1], a, r, j);
            }
            u[number * n + j] = sum;
        }
    }
}

/* The weighted mean of a line, in every thread of a block; sums are formed in an order that does not change. */
__device__ double mean_of(const sb_gpu_mean &m, const T *line)
{
    __shared__ double part[threads];
    double sum = 0;
    for (int64_t i = threadIdx.x; i < m.n; i += threads)
        sum += m.weight[i] * static_cast<double>(line[i * m.after]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int width = threads / 2; width > 0; width /= 2) {
        if (static_cast<int>(threadIdx.x) < width)
            part[threadIdx.x] += part[threadIdx.x + width];
        __syncthreads();
    }
    return part[0] / m.total;
}

__device__ void add_to(const sb_gpu_mean &m, T *line, double value)
{
    for (int64_t i = threadIdx.x; i < m.n; i += threads)
        line[i * m.after] = static_cast<T>(static_cast<double>(line[i * m.after]) + value);
}

/* Returns what was taken off; all threads of the block are together again. */
__device__ double take_mean_off(const sb_gpu_mean &m, T *line)
{
    double mean = mean_of(m, line);
    add_to(m, line, -mean);
    __syncthreads();
    return mean;
}

/* Twice, as on the CPU: what the first subtraction leaves is a rounding of the mean. */
__global__ void __launch_bounds__(threads) project(const __grid_constant__ sb_gpu_mean m, T *u)
{
    T *line = u + blockIdx.x * m.points;
    double away = take_mean_off(m, line);
    away += take_mean_off(m, line);
    if (threadIdx.x == 0) {
        m.away[blockIdx.x] = away / m.norm;
        if (m.last)
            line[(m.n - 1) * m.after] = 0;
    }
}

__global__ void __launch_bounds__(threads) recentre(const __grid_constant__ sb_gpu_mean m, T *u)
{
    T *line = u + blockIdx.x * m.points;
    if (m.last && threadIdx.x == 0)
        line[(m.n - 1) * m.after] = 0;
    __syncthreads();
    double offset = m.mean * m.norm - mean_of(m, line);
    add_to(m, line, offset);
}

unsigned blocks_for(const sb_gpu_field &f)
{
    int64_t rows = f.fields * (f.points / f.n[f.rank - 1]);
    return static_cast<unsigned>(rows < most_blocks ? rows : most_blocks);
}

} // namespace

extern "C" cudaError_t SB_NAME(gpu_divide)(const sb_gpu_quotient *q, T *u, cudaStream_t stream)
{
    divide<<<blocks_for(q->field), threads, 0, stream>>>(*q, u);
    return cudaGetLastError();
}

extern "C" cudaError_t SB_NAME(gpu_load)(const sb_gpu_rhs *rhs, const T *f, T *u, cudaStream_t stream)
{
    load<<<blocks_for(rhs->field), threads, 0, stream>>>(*rhs, f, u);
    return cudaGetLastError();
}

extern "C" cudaError_t SB_NAME(gpu_project)(const sb_gpu_mean *m, T *u, cudaStream_t stream)
{
    project<<<static_cast<unsigned>(m->fields), threads, 0, stream>>>(*m, u);
    return cudaGetLastError();
}

extern "C" cudaError_t SB_NAME(gpu_recentre)(const sb_gpu_mean *m, T *u, cudaStream_t stream)
{
    recentre<<<static_cast<unsigned>(m->fields), threads, 0, stream>>>(*m, u);
    return cudaGetLastError();
}
