/* The right-hand sides of a step's sub-problems, and the weighted sums of their solutions. */
#include "src/poisson/gpu_blocks.cuh"

namespace
{

constexpr int threads = 256;

/* A thread keeps its point's sources for all matrices of its slice. */
__global__ void __launch_bounds__(threads)
    gather(const __grid_constant__ sb_gpu_step s, int64_t fields, int64_t tiles, const T *u, T *v)
{
    int64_t total = fields * s.step.intervals * tiles;
    for (int64_t item = blockIdx.x; item < total; item += gridDim.x) {
        int64_t point = item % tiles * threads + threadIdx.x, number = item / tiles,
                interval = number % s.step.intervals;
        if (point >= s.points)
            continue;
        const sb_sources from = sb_sources_of(s, number / s.step.intervals, interval, u);
        T x[SB_STEP_SOURCES], *to = v + number * s.step.matrices * s.points + point;
#pragma unroll
        for (int k = 0; k < SB_STEP_SOURCES; ++k)
            x[k] = from.block[k] ? from.block[k][point] : T(0);
        for (int64_t j = blockIdx.y; j < s.step.matrices; j += gridDim.y) {
            const sb_gpu_fraction &f = s.fraction[j];
            T sum = 0;
#pragma unroll
            for (int k = 0; k < SB_STEP_SOURCES; ++k)
                sum += f.in[k] * x[k];
            to[j * s.points] = sum;
        }
    }
}

/* A block has blockDim.x points and shares their matrices among blockDim.y slices, whose sums are added in order. */
__global__ void __launch_bounds__(1024)
    sum(const __grid_constant__ sb_gpu_step s, int64_t fields, int64_t tiles, uint32_t rows, const T *v, T *u)
{
    extern __shared__ __align__(16) char memory[];
    T *part = reinterpret_cast<T *>(memory) + threadIdx.x;
    int slices = static_cast<int>(blockDim.y), slice = static_cast<int>(threadIdx.y);
    int64_t total = fields * s.step.intervals * tiles;
    for (int64_t item = blockIdx.x; item < total; item += gridDim.x) {
        int64_t point = item % tiles * blockDim.x + threadIdx.x, number = item / tiles;
        bool there = point < s.points;
        int64_t place = rows && there ? sb_place_in_line(rows, static_cast<uint32_t>(point) + 1) : point;
        const T *from = v + number * s.step.matrices * s.points + place;
        T sums[SB_STEP_TARGETS] = {0, 0, 0};
#pragma unroll 4
        for (int64_t j = slice; j < (there ? s.step.matrices : 0); j += slices) {
            T x = from[j * s.points];
#pragma unroll
            for (int t = 0; t < SB_STEP_TARGETS; ++t)
                sums[t] += s.fraction[j].out[t] * x;
        }
        for (int t = 0; t < s.step.targets; ++t) {
            if (slices > 1) {
                part[slice * blockDim.x] = t == 0 ? sums[0] : t == 1 ? sums[1] : sums[2];
                __syncthreads();
            }
            if (slice == 0 && there) {
                int64_t block = s.step.first + number % s.step.intervals * s.step.stride + s.step.target[t];
                T *to = u + (number / s.step.intervals * s.n + block - 1) * s.points + point;
                T whole = t == 0 ? sums[0] : t == 1 ? sums[1] : sums[2];
                for (int k = 1; k < slices; ++k)
                    whole += part[k * blockDim.x];
                *to = s.step.add ? *to + whole : whole;
            }
            if (slices > 1)
                __syncthreads();
        }
    }
}

} // namespace

extern "C" cudaError_t SB_NAME(gpu_gather)(const sb_gpu_step *step, int64_t fields, const T *u, T *v,
                                           cudaStream_t stream)
{
    constexpr int64_t enough = 2048, most_slices = 65535; /* blocks */
    int64_t tiles = (step->points + threads - 1) / threads, items = fields * step->step.intervals * tiles;
    int64_t slices = items < enough ? (enough + items - 1) / items : 1;
    slices = slices < step->step.matrices ? slices : step->step.matrices;
    dim3 grid(sb_grid_for(items), static_cast<unsigned>(slices < most_slices ? slices : most_slices));
    gather<<<grid, threads, 0, stream>>>(*step, fields, tiles, u, v);
    return cudaGetLastError();
}

extern "C" cudaError_t SB_NAME(gpu_sum)(const sb_gpu_step *step, int64_t fields, uint32_t rows, const T *v,
                                        T *u, cudaStream_t stream)
{
    constexpr int64_t each = 8, most_slices = 32; /* matrices of a slice, at least */
    unsigned slices = 1, lanes = threads;
    while (slices < most_slices && slices * 2 * each <= step->step.matrices) {
        slices *= 2;
        lanes = lanes > 32 ? lanes / 2 : lanes;
    }
    int64_t tiles = (step->points + lanes - 1) / lanes, items = fields * step->step.intervals * tiles;
    size_t shared = slices > 1 ? slices * lanes * sizeof(T) : 0;
    sum<<<sb_grid_for(items), dim3(lanes, slices), shared, stream>>>(*step, fields, tiles, rows, v, u);
    return cudaGetLastError();
}
