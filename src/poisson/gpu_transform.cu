/* Transforms of lines, a few pairs of them in each block's memory; 2 words a point of the device's. */
#include "src/poisson/gpu.h"
#include "src/poisson/transform_run.h"

namespace
{

enum { most_threads = 1024 };

/* A block's lines first .. first + 2 pairs - 1. */
struct lines {
    const sb_gpu_pass &pass;
    int64_t first;
    sb_pair *z;
};

__device__ int64_t begin_of(const sb_gpu_pass &p, int64_t line)
{
    return p.after == 1 ? line * p.program.n : line / p.after * p.after * p.program.n + line % p.after;
}

__device__ T *half_of(sb_pair *z, int which)
{
    return reinterpret_cast<T *>(z) + which;
}

/* Calls visit(z of the pair, which of the two, offset of entry 0, the thread's first entry, step); false for lines that are
   not there. Contiguous lines: neighbouring threads take neighbouring entries; else neighbouring lines. */
template <class Visit> __device__ void each_line(const lines &l, const Visit &visit)
{
    const sb_gpu_pass &p = l.pass;
    if (p.after == 1) {
        uint32_t team = threadIdx.x / p.lanes, lane = threadIdx.x % p.lanes;
        for (int which = 0; which < 2; ++which) {
            int64_t line = l.first + 2 * team + which;
            visit(l.z + team * p.stride, which, begin_of(p, line), lane, p.lanes, line < p.lines);
        }
    } else {
        uint32_t width = 2 * p.pairs, own = threadIdx.x % width;
        int64_t line = l.first + own;
        visit(l.z + own / 2 * p.stride, static_cast<int>(own % 2), begin_of(p, line), threadIdx.x / width,
              blockDim.x / width, line < p.lines);
    }
}

__device__ void load_entries(const lines &l, const T *from)
{
    const sb_transform &p = l.pass.program;
    const int32_t *place = p.ints + p.place;
    each_line(l, [&](sb_pair *z, int which, int64_t begin, uint32_t lane, uint32_t step, bool there) {
#pragma unroll 8
        for (uint32_t j = lane; j < p.n; j += step) {
            int32_t code = __ldg(place + j);
            T x = there ? __ldcs(from + begin + j * l.pass.after) * sb_weight(code, true) : T(0);
            *half_of(z + sb_padded(sb_slot(code)), which) = x;
            if (code & SB_MIRRORED)
                *half_of(z + sb_padded(p.mirror - sb_slot(code)), which) = x;
        }
    });
}

__device__ void store_entries(const lines &l, T *to)
{
    const sb_transform &p = l.pass.program;
    const int32_t *place = p.ints + p.place;
    each_line(l, [&](sb_pair *z, int which, int64_t begin, uint32_t lane, uint32_t step, bool there) {
        for (uint32_t j = lane; there && j < p.n; j += step) {
            int32_t code = __ldg(place + j);
            to[begin + j * l.pass.after] =
                *half_of(z + sb_padded(sb_slot(code)), which) * sb_weight(code, false);
        }
    });
}

__device__ void load_coefficients(const lines &l, const T *from)
{
    const sb_transform &p = l.pass.program;
    const int32_t *slot = p.ints + p.coefficient;
    uint32_t team = threadIdx.x / l.pass.lanes, lane = threadIdx.x % l.pass.lanes;
    if (p.sparse) {
        for (uint32_t k = lane; k < p.segment[p.segments - 1].fft.length; k += l.pass.lanes)
            l.z[team * l.pass.stride + sb_padded(k)] = sb_make(0, 0);
        __syncthreads();
    }
    each_line(l, [&](sb_pair *z, int which, int64_t begin, uint32_t first, uint32_t step, bool there) {
#pragma unroll 8
        for (uint32_t k = first; k < p.n; k += step) {
            int32_t code = __ldg(slot + k);
            T x = there ? __ldcs(from + begin + k * l.pass.after) * (p.scale * sb_weight(code, true)) : T(0);
            *half_of(z + sb_padded(sb_slot(code)), which) = x;
        }
    });
}

__device__ void store_coefficients(const lines &l, T *to)
{
    const sb_transform &p = l.pass.program;
    const int32_t *slot = p.ints + p.coefficient;
    each_line(l, [&](sb_pair *z, int which, int64_t begin, uint32_t first, uint32_t step, bool there) {
        for (uint32_t k = first; there && k < p.n; k += step)
            to[begin + k * l.pass.after] = *half_of(z + sb_padded(sb_slot(__ldg(slot + k))), which);
    });
}

template <bool SHARED>
__global__ void __launch_bounds__(most_threads)
    transform(const __grid_constant__ sb_gpu_pass pass, bool back, const T *from, T *to)
{
    extern __shared__ sb_pair memory[];
    sb_pair *z = SHARED ? memory : pass.scratch + static_cast<int64_t>(blockIdx.x) * pass.pairs * pass.stride;
    sb_pair *own = z + threadIdx.x / pass.lanes * pass.stride;
    sb_team team = {threadIdx.x % pass.lanes, pass.lanes};
    int64_t each = 2 * pass.pairs;
    for (int64_t first = blockIdx.x * each; first < pass.lines; first += gridDim.x * each) {
        const lines l = {pass, first, z};
        if (back)
            load_coefficients(l, from);
        else
            load_entries(l, from);
        __syncthreads();
        if (back) {
            sb_backward(&pass.program, team, own);
            store_entries(l, to);
        } else {
            sb_forward(&pass.program, team, own);
            store_coefficients(l, to);
        }
        __syncthreads();
    }
}

} // namespace

extern "C" cudaError_t SB_NAME(gpu_allow_shared)(size_t bytes)
{
    return cudaFuncSetAttribute(transform<true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(bytes));
}

extern "C" cudaError_t SB_NAME(gpu_transform)(const sb_gpu_pass *pass, bool back, const T *from, T *to,
                                              cudaStream_t stream)
{
    unsigned threads = pass->pairs * pass->lanes;
    if (pass->scratch)
        transform<false><<<pass->blocks, threads, 0, stream>>>(*pass, back, from, to);
    else
        transform<true><<<pass->blocks, threads, pass->shared, stream>>>(*pass, back, from, to);
    return cudaGetLastError();
}
