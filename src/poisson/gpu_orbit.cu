/* Transforms by orbits (transform_orbit.h) of the pairs of lines that fit a block's shared memory: 2 words a point of the
 * device's, and 9/4 there and back between registers and shared memory for every exchange, of which there are one (N = 128),
 * two (up to 2048) or three. Each thread has 16 complex entries in all stages; there are as many as orbits, so that of the
 * butterflies of 9 parts those of the first are a second turn for an eighth of the threads. Of lines that lie side by side
 * neighbouring threads take neighbouring lines; else neighbouring entries. */
#include "src/poisson/gpu.h"
#include "src/poisson/transform_orbit.h"

namespace
{

enum { most_threads = 512 };

/* A thread's pair of lines in a stage, and its place in them: an orbit or a butterfly. */
struct seat {
    uint32_t pair, own;
};

struct lines {
    int64_t begin[2];
    bool there[2];
};

/* each: seats of a pair, a power of two like the pairs. */
__device__ seat seat_of(const sb_gpu_pass &p, uint32_t each)
{
    const bool strided = p.after > 1;
    uint32_t size = strided ? p.pairs : each, low = threadIdx.x & (size - 1),
             high = threadIdx.x >> (31 - __clz(size));
    return strided ? seat{low, high} : seat{high, low};
}

/* Pair number `pair` of a block's is lines first + pair and first + pairs + pair. Lines that are not there read as the last. */
__device__ lines lines_of(const sb_gpu_pass &p, int64_t first, uint32_t pair)
{
    lines l;
#pragma unroll
    for (int which = 0; which < 2; ++which) {
        int64_t line = first + which * p.pairs + pair;
        l.there[which] = line < p.lines;
        uint32_t known = static_cast<uint32_t>(l.there[which] ? line : p.lines - 1), group = known;
        if (p.after > 1)
            group = sb_over(known, p.by_after);
        l.begin[which] = p.after == 1 ? known * static_cast<int64_t>(p.program.n)
                                      : group * (p.after * p.program.n) + (known - group * p.after);
    }
    return l;
}

/* A block's lines from `first` on, in its memory z. */
struct tile {
    const sb_gpu_pass &pass;
    int64_t first;
    sb_pair *z;
};

/* Orbits r = M / 2. */
__device__ void enter_middle(const tile &t, const T *from)
{
    const sb_transform *p = &t.pass.program;
    for (uint32_t k = threadIdx.x; k < p->orbit.parts * t.pass.pairs && !p->orbit.shifted; k += blockDim.x) {
        uint32_t pair = k & (t.pass.pairs - 1);
        const lines l = lines_of(t.pass, t.first, pair);
        sb_orbit_middle_slot(p, k >> (31 - __clz(t.pass.pairs)), from + l.begin[0], from + l.begin[1],
                             t.pass.after, t.z + pair * t.pass.stride);
    }
}

/* In f64 the middle's entries are asked for while those of the others are on their way; in f32 registers are too few. */
__device__ void enter(const tile &t, const T *from)
{
    const sb_transform *p = &t.pass.program;
    const seat s = seat_of(t.pass, p->orbit.part / 2);
    const lines l = lines_of(t.pass, t.first, s.pair);
    sb_pair e[SB_ORBIT];
    sb_orbit_load(&p->orbit, s.own, e, from + l.begin[0], from + l.begin[1], t.pass.after);
    if (sizeof(T) == 8)
        enter_middle(t, from);
    sb_orbit_forward(p, s.own, e, t.z + s.pair * t.pass.stride);
    if (sizeof(T) == 4)
        enter_middle(t, from);
}

__device__ void leave(const tile &t, T *to)
{
    const sb_transform *p = &t.pass.program;
    const sb_orbit *o = &p->orbit;
    for (uint32_t k = threadIdx.x; k < 8 * t.pass.pairs && !o->shifted; k += blockDim.x) {
        uint32_t pair = k & (t.pass.pairs - 1), m = k >> (31 - __clz(t.pass.pairs));
        const lines l = lines_of(t.pass, t.first, pair);
        sb_pair entry = sb_orbit_middle_entry(p, m, t.z + pair * t.pass.stride);
        int64_t at = sb_orbit_begin(o, o->part / 2 + m * o->part) * t.pass.after;
        if (l.there[0])
            to[l.begin[0] + at] = entry.re;
        if (l.there[1])
            to[l.begin[1] + at] = entry.im;
    }
    const seat s = seat_of(t.pass, o->part / 2);
    sb_pair e[SB_ORBIT];
    sb_orbit_take(p, s.own, e, t.z + s.pair * t.pass.stride);
    const lines l = lines_of(t.pass, t.first, s.pair);
    sb_orbit_end(p, e);
    sb_orbit_store(o, s.own, e, l.there[0] ? to + l.begin[0] : nullptr, l.there[1] ? to + l.begin[1] : nullptr,
                   t.pass.after);
}

/* Visits the thread's butterflies, those of the first of 9 parts before the others. */
template <class Visit> __device__ void each_butterfly(const sb_gpu_pass &p, const Visit &visit)
{
    const uint32_t each = p.program.orbit.part / SB_ORBIT;
    const bool half = p.program.orbit.half;
#pragma unroll 1
    for (int turn = half ? 1 : 0; turn < 2; ++turn) {
        if (turn == 0 && threadIdx.x >= each * p.pairs)
            continue;
        seat s = seat_of(p, turn == 0 ? each : 8 * each);
        s.own += turn == 1 && !half ? each : 0;
        visit(s);
    }
}

__device__ void stages(const tile &t, bool back)
{
    const sb_transform *p = &t.pass.program;
#pragma unroll 1
    for (uint32_t k = 0; k < p->orbit.stages; ++k) {
        each_butterfly(t.pass, [&](seat s) {
            sb_orbit_stage(p, back ? p->orbit.stages - 1 - k : k, back, s.own, t.z + s.pair * t.pass.stride);
        });
        __syncthreads();
    }
}

__device__ void to_coefficients(const tile &t, int radix, T *to)
{
    const sb_orbit *o = &t.pass.program.orbit;
    each_butterfly(t.pass, [&](seat s) {
        const sb_pair *z = t.z + s.pair * t.pass.stride + sb_spaced(SB_ORBIT * s.own);
        sb_pair a[SB_ORBIT];
#pragma unroll
        for (int i = 0; i < SB_ORBIT; ++i)
            a[i] = z[i];
        const lines l = lines_of(t.pass, t.first, s.pair);
        sb_orbit_last(o, radix, false, a);
        sb_orbit_store_coefficients(o, radix, s.own, a, l.there[0] ? to + l.begin[0] : nullptr,
                                    l.there[1] ? to + l.begin[1] : nullptr, t.pass.after);
    });
}

__device__ void from_coefficients(const tile &t, int radix, const T *from)
{
    const sb_orbit *o = &t.pass.program.orbit;
    each_butterfly(t.pass, [&](seat s) {
        const lines l = lines_of(t.pass, t.first, s.pair);
        sb_pair *z = t.z + s.pair * t.pass.stride + sb_spaced(SB_ORBIT * s.own), a[SB_ORBIT];
        sb_orbit_load_coefficients(o, radix, s.own, a, from + l.begin[0], from + l.begin[1], t.pass.after);
        sb_orbit_last(o, radix, true, a);
#pragma unroll
        for (int i = 0; i < SB_ORBIT; ++i)
            z[i] = a[i];
    });
}

/* Has count entries come to the second-level cache, but for what shares 16 bytes with those after them. */
__device__ void fetch_entries(const T *from, int64_t count)
{
#if __CUDA_ARCH__ >= 900
    uint64_t low = reinterpret_cast<uint64_t>(from) / 16 * 16,
             high = reinterpret_cast<uint64_t>(from + count) / 16 * 16;
    if (low < high)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(low),
                     "r"(static_cast<uint32_t>(high - low)));
#endif
}

/* The lines from `first` on, those of the block that follows on this multiprocessor. Of strided lines the ends of each row
   are asked for, and what comes with them: that is faster than all of it. */
__device__ void fetch_ahead(const sb_gpu_pass &p, int64_t first, const T *from)
{
    constexpr int64_t chunk = 4096 / sizeof(T);
    const int64_t n = p.program.n, count = p.lines - first < 2 * p.pairs ? p.lines - first : 2 * p.pairs;
    if (count <= 0)
        return;
    const uint32_t line = static_cast<uint32_t>(first), group = p.after == 1 ? line : sb_over(line, p.by_after);
    const T *begin = from + group * (p.after * n) + (p.after == 1 ? 0 : line - group * p.after);
    if (p.after == 1) {
        for (int64_t j = threadIdx.x * chunk; j < count * n; j += blockDim.x * chunk)
            fetch_entries(begin + j, count * n - j < chunk ? count * n - j : chunk);
        return;
    }
    for (int64_t j = threadIdx.x; j < n; j += blockDim.x) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(begin + j * p.after));
        asm volatile("prefetch.global.L2 [%0];" ::"l"(begin + j * p.after + count - 1));
    }
}

/* As many blocks as 32 warps in f32 and 16 in f64: 64 and 128 registers a thread. */
template <int RADIX, bool BACK>
__global__ void __launch_bounds__(most_threads, 8 / sizeof(T))
    orbit(const __grid_constant__ sb_gpu_pass pass, const T *from, T *to)
{
    extern __shared__ sb_pair memory[];
    const int64_t each = 2 * static_cast<int64_t>(pass.pairs);
    const tile t = {pass, blockIdx.x * each, memory};
    if (BACK)
        from_coefficients(t, RADIX, from);
    else
        enter(t, from);
    fetch_ahead(pass, t.first + pass.ahead * each, from);
    __syncthreads();
    stages(t, BACK);
    if (BACK)
        leave(t, to);
    else
        to_coefficients(t, RADIX, to);
}

using kernel = void (*)(sb_gpu_pass, const T *, T *);

kernel kernel_of(int radix, bool back)
{
    switch (radix) {
    case 2:
        return back ? orbit<2, true> : orbit<2, false>;
    case 4:
        return back ? orbit<4, true> : orbit<4, false>;
    case 8:
        return back ? orbit<8, true> : orbit<8, false>;
    default:
        return back ? orbit<16, true> : orbit<16, false>;
    }
}

} // namespace

extern "C" cudaError_t SB_NAME(gpu_allow_orbits)(sb_gpu_pass *pass, size_t most, int processors)
{
    cudaError_t error = cudaSuccess;
    int resident = 0;
    for (int back = 0; back < 2 && error == cudaSuccess; ++back)
        error = cudaFuncSetAttribute(kernel_of(pass->program.orbit.radix, back != 0),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most));
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &resident, kernel_of(pass->program.orbit.radix, false), static_cast<int>(pass->pairs * pass->lanes),
            pass->shared);
    pass->ahead = static_cast<uint32_t>(resident * processors);
    return error;
}

extern "C" cudaError_t SB_NAME(gpu_orbits)(const sb_gpu_pass *pass, bool back, const T *from, T *to,
                                           cudaStream_t stream)
{
    unsigned threads = pass->pairs * pass->lanes;
    kernel_of(pass->program.orbit.radix, back)<<<pass->blocks, threads, pass->shared, stream>>>(*pass, from,
                                                                                                to);
    return cudaGetLastError();
}
