/* Simplified scalar cyclic reduction of many lines at once (bcr-poisson.txt 2.3 and 3.4). All weights of a level have a closed form:
 * with 2 cosh(theta) the diagonal over the couplings, row i << r of the line depends on its neighbours at level r, 2^r rows
 * away, as the homogeneous solutions do there.
 *
 * Shared words a row: 1 written when right-hand sides are formed, 4 for reduction, 4 for substitution, 0.5 read for the result. Rows
 * that shared memory has no room for are reduced and substituted in device memory, 4 words each for both. */
#include "src/poisson/gpu_bcr.h"
#include "src/poisson/gpu_blocks.cuh"

namespace
{

constexpr int threads = 256;
constexpr uint32_t warp = 32, narrow = 64; /* levels of fewer rows are one warp's */

/* 1 - exp(-2 x) or 1 + exp(-2 x): 2 exp(-x) times sinh x or cosh x. */
__device__ double wave(bool even, double x)
{
    return even ? 1 + exp(-2 * x) : -expm1(-2 * x);
}

struct angle {
    double theta, sine; /* sine: 2 sinh(theta) */
};

/* The homogeneous solution of a wall y rows away over that u rows further on. */
__device__ double fading(const sb_gpu_end &e, const angle &a, double y, double u)
{
    return wave(e.even, (y - e.offset) * a.theta) / wave(e.even, (y + u - e.offset) * a.theta);
}

/* Level r of a line; distances in rows: u between the level's rows, y from its last row to the wall behind it. */
__device__ sb_gpu_weights weights_of(const sb_gpu_cr &cr, const angle &a, int r)
{
    double square = cr.h * cr.h, u = ldexp(1.0, r), m = cr.rows >> r, y = cr.rows + 1.0 - m * u,
           shrink = exp(-u * a.theta), odd = wave(false, u * a.theta), even = wave(true, u * a.theta);
    double first = fading(cr.end[0], a, u, u), last = fading(cr.end[1], a, y, u);
    sb_gpu_weights w;
    w.inner = static_cast<T>(shrink / even);
    w.own = static_cast<T>(square * odd / even / a.sine);
    w.first = static_cast<T>(shrink * first);
    w.first_own = static_cast<T>(square * odd / a.sine * first);
    w.last = static_cast<T>(shrink * last);
    w.last_own = static_cast<T>(square * odd / a.sine * last);
    if (m == 1) {
        double x = u - cr.end[0].offset, z = y - cr.end[1].offset;
        double both = wave(cr.end[0].even != cr.end[1].even, (x + z) * a.theta);
        w.last_own = static_cast<T>(square / a.sine * wave(cr.end[0].even, x * a.theta) *
                                    wave(cr.end[1].even, z * a.theta) / both);
    }
    if (cr.rows < cr.n)
        w.first = static_cast<T>(exp(-y * a.theta) * odd / wave(false, (u + y) * a.theta));
    return w;
}

__global__ void __launch_bounds__(threads)
    fill_weights(const __grid_constant__ sb_gpu_cr cr, const __grid_constant__ sb_gpu_shifts s,
                 sb_gpu_weights *to)
{
    int64_t each = cr.levels + 1, total = s.outers * s.inners * each,
            step = static_cast<int64_t>(gridDim.x) * threads;
    for (int64_t at = static_cast<int64_t>(blockIdx.x) * threads + threadIdx.x; at < total; at += step) {
        int64_t matrix = at / each;
        int r = static_cast<int>(at % each);
        double square = cr.h * cr.h * (s.lambda + s.outer[matrix / s.inners] + s.inner[matrix % s.inners]);
        angle a = {2 * asinh(sqrt(square) / 2), sqrt(square * (square + 4))};
        if (r < cr.levels) {
            to[at] = weights_of(cr, a, r);
        } else {
            double half = cr.n * a.theta / 2;
            sb_gpu_weights ring = {
                0, static_cast<T>(cr.h * cr.h * wave(true, half) / wave(false, half) / a.sine), 0, 0, 0, 0};
            to[at] = ring;
        }
    }
}

/* A line while its team works on it. */
template <bool LONG> struct line {
    const sb_gpu_cr &cr;
    T *near, *far; /* near: places from cr.split on; far: all */
    const sb_gpu_weights *weights;
    uint32_t lane;

    __device__ __forceinline__ T &at(uint32_t place) const
    {
        if (!LONG)
            return near[place];
        return place < cr.split ? far[place] : near[place - cr.split];
    }

    __device__ __forceinline__ bool ring() const
    {
        return cr.rows < cr.n;
    }
};

__device__ __forceinline__ void meet(uint32_t lanes)
{
    if (lanes == warp)
        __syncwarp();
    else
        __syncthreads();
}

template <bool LONG> __device__ void reduce(const line<LONG> &l, int r, uint32_t lanes)
{
    const sb_gpu_weights &w = l.weights[r];
    uint32_t rows = l.cr.rows, m = rows >> r, odds = (m + 1) / 2, base = rows - m;
    bool ring = l.ring();
    for (uint32_t i = l.lane + 1; i <= m / 2; i += lanes) {
        T &kept = l.at(sb_place(rows, r + 1, i));
        T sum = kept + (i == 1 && !ring ? w.first : w.inner) * l.at(base + i - 1);
        if (i < odds)
            sum += (m % 2 && i == odds - 1 ? w.last : w.inner) * l.at(base + i);
        kept = sum;
    }
    if (ring && l.lane == 0) {
        T sum = l.at(rows) + (m == 1 ? w.last : w.inner) * l.at(base);
        l.at(rows) = m % 2 ? sum + w.first * l.at(base + odds - 1) : sum;
    }
}

/* The odd rows of level r from the even ones; those of level 0 are nobody's neighbours and leave at once. */
template <bool LONG> __device__ void substitute(const line<LONG> &l, int r, uint32_t lanes)
{
    const sb_gpu_weights &w = l.weights[r];
    uint32_t rows = l.cr.rows, m = rows >> r, odds = (m + 1) / 2, base = rows - m;
    bool ring = l.ring();
    for (uint32_t k = l.lane; k < odds; k += lanes) {
        bool last = m % 2 && k == odds - 1, first = k == 0 && !ring;
        T x = (last ? w.last_own : first ? w.first_own : w.own) * l.at(base + k);
        if (k > 0 || ring)
            x += (last ? w.last : w.inner) * l.at(k > 0 ? sb_place(rows, r + 1, k) : rows);
        if (!last || ring)
            x += (last || first ? w.first : w.inner) * l.at(last ? rows : sb_place(rows, r + 1, k + 1));
        if (r == 0)
            l.far[k] = x;
        else
            l.at(base + k) = x;
    }
}

/* Once right-hand sides are there; returns before other threads' rows of level 0 are. */
template <bool LONG> __device__ void solve_line(const line<LONG> &l)
{
    uint32_t lanes = l.cr.lanes;
    int r = 0, levels = l.cr.levels;
    for (; r < levels && l.cr.rows >> r >= narrow; ++r) {
        reduce(l, r, lanes);
        meet(lanes);
    }
    int wide = r;
    if (l.lane < warp) {
        for (; r < levels; ++r) {
            reduce(l, r, warp);
            __syncwarp();
        }
        if (l.ring() && l.lane == 0)
            l.at(l.cr.rows) *= l.weights[levels].own;
        __syncwarp();
        while (r > wide) {
            substitute(l, --r, warp);
            __syncwarp();
        }
    }
    meet(lanes);
    for (r = wide; r > 0; meet(lanes))
        substitute(l, --r, lanes);
}

template <bool LONG>
__device__ void load_line(const line<LONG> &l, const sb_sources &from, const T (&in)[SB_STEP_SOURCES])
{
    uint32_t n = l.cr.n;
#pragma unroll 4
    for (uint32_t i = l.lane + 1; i <= n; i += l.cr.lanes) {
        T g = sb_mix(from, in, i - 1);
        if (i == 1)
            g *= static_cast<T>(l.cr.end[0].factor);
        if (i == n)
            g *= static_cast<T>(l.cr.end[1].factor);
        l.at(sb_place_in_line(l.cr.rows, i)) = g;
    }
}

template <bool LONG>
__global__ void __launch_bounds__(LONG ? 1024 : 256, LONG ? 1 : 5)
    solve(const __grid_constant__ sb_gpu_cr cr, const __grid_constant__ sb_gpu_step s,
          const __grid_constant__ sb_gpu_matrices matrices, const T *u, T *v)
{
    extern __shared__ __align__(16) char memory[];
    uint32_t team = threadIdx.x / cr.lanes, lane = threadIdx.x % cr.lanes, kept = cr.n - cr.split,
             count = cr.levels + 1;
    T *near = reinterpret_cast<T *>(memory) + team * kept;
    sb_gpu_weights *weights =
        reinterpret_cast<sb_gpu_weights *>(reinterpret_cast<T *>(memory) + cr.teams * kept) + team * count;
    int64_t total = matrices.fields * s.step.intervals * s.step.matrices,
            step = static_cast<int64_t>(gridDim.x) * cr.teams;
    for (int64_t p = static_cast<int64_t>(blockIdx.x) * cr.teams + team; p < total; p += step) {
        int64_t j = p % s.step.matrices, interval = p / s.step.matrices % s.step.intervals,
                field = p / s.step.matrices / s.step.intervals;
        const line<LONG> l = {cr, near, v + p * cr.n, weights, lane};
        const sb_gpu_weights *own = matrices.weights + field % matrices.outers * matrices.apart + j * count;
        for (uint32_t k = lane; k < count; k += cr.lanes)
            weights[k] = own[k];
        const sb_gpu_fraction &fraction = s.fraction[j];
        T in[SB_STEP_SOURCES];
#pragma unroll
        for (int k = 0; k < SB_STEP_SOURCES; ++k)
            in[k] = fraction.in[k];
        load_line(l, sb_sources_of(s, field, interval, u), in);
        meet(cr.lanes);
        solve_line(l);
        uint32_t odds = cr.levels ? (cr.rows + 1) / 2 : 0, first = odds > cr.split ? odds : cr.split;
        for (uint32_t place = first + lane; place < cr.n; place += cr.lanes)
            l.far[place] = l.at(place);
        meet(cr.lanes);
    }
}

} // namespace

extern "C" cudaError_t SB_NAME(gpu_cr_weights)(const sb_gpu_cr *cr, const sb_gpu_shifts *shifts,
                                               sb_gpu_weights *weights, cudaStream_t stream)
{
    constexpr int64_t most = 1 << 16;
    int64_t blocks = (shifts->outers * shifts->inners * (cr->levels + 1) + threads - 1) / threads;
    fill_weights<<<static_cast<unsigned>(blocks < most ? blocks : most), threads, 0, stream>>>(*cr, *shifts,
                                                                                               weights);
    return cudaGetLastError();
}

extern "C" cudaError_t SB_NAME(gpu_cr_allow_shared)(size_t bytes)
{
    int most = static_cast<int>(bytes);
    cudaError_t error = cudaFuncSetAttribute(solve<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    return error ? error : cudaFuncSetAttribute(solve<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}

extern "C" cudaError_t SB_NAME(gpu_cr)(const sb_gpu_cr *cr, const sb_gpu_step *step,
                                       const sb_gpu_matrices *matrices, const T *u, T *v, cudaStream_t stream)
{
    int64_t blocks =
        (matrices->fields * step->step.intervals * step->step.matrices + cr->teams - 1) / cr->teams;
    unsigned grid = sb_grid_for(blocks);
    if (cr->split)
        solve<true><<<grid, cr->lanes * cr->teams, cr->shared, stream>>>(*cr, *step, *matrices, u, v);
    else
        solve<false><<<grid, cr->lanes * cr->teams, cr->shared, stream>>>(*cr, *step, *matrices, u, v);
    return cudaGetLastError();
}
