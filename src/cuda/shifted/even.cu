/* Even systems (even.h), 32 neighbouring ones a warp, a chunk of their rows in its registers. Where a block holds all of a
 * line's chunks, 2 words a point; else sums, a scan, and the unknowns: 3 words and 11 / SB_EVEN_ROWS. */
#include "src/cuda/kernels/anew.cuh"
#include "src/cuda/shifted/even_run.h"
#include "src/cuda/shifted/launch.h"

namespace
{

constexpr int lanes = 32, rows_most = SB_EVEN_ROWS, held_most = SB_EVEN_HELD, pass_warps = 4;

/* Lanes without a line do what the last line's do, but write nothing. */
struct chunk {
    T *first; /* its first place's */
    int64_t step;
    int front;
    bool there, head, last;

    __device__ chunk(const sb_cuda_even &g, T *u, int64_t mode, int64_t field, int64_t k)
    {
        const sb_even &e = g.even;
        int64_t start = k * rows_most - e.front, row = e.turned ? e.n - 1 - start : start;
        there = mode < e.modes;
        mode = there ? mode : e.modes - 1;
        head = k == 0;
        last = k + 1 == e.chunks;
        step = e.turned ? -g.after : g.after;
        front = head ? e.front : 0;
        first = u + (field * e.modes + mode / g.after * g.after) * e.n + mode % g.after + row * g.after;
    }
    /* The right-hand sides, those of the ends divided by their couplings. */
    __device__ __forceinline__ void load(const sb_even &e, T (&g)[rows_most]) const
    {
        const T *from = first;
#pragma unroll
        for (int i = 0; i < rows_most; ++i, from += step)
            g[i] = i >= front ? *from : T(0);
        if (head) {
#pragma unroll
            for (int i = 0; i < rows_most; ++i)
                if (i == front)
                    g[i] = static_cast<T>(g[i] * e.first);
        }
        if (last)
            g[rows_most - 1] = static_cast<T>(g[rows_most - 1] * e.last);
    }
    __device__ __forceinline__ void solve(const sb_even &e, const T (&g)[rows_most], double mu, double beta,
                                          sb_even_pair passed) const
    {
        double v[rows_most];
#pragma unroll
        for (int i = 0; i < rows_most; ++i)
            v[i] = static_cast<double>(g[i]);
        sb_even_solve(v, front, mu, beta, head, last, passed);
        T *to = first + (rows_most - 1) * step;
        asm volatile("" : "+l"(to)); /* else the addresses of all loads are kept */
        if (!there)
            return;
#pragma unroll
        for (int i = rows_most - 1; i >= 0; --i, to -= step)
            if (i >= front)
                *to = static_cast<T>(e.scale * v[i]);
    }
};

__device__ double number_of(const sb_even &e, sb_even_number which, int64_t mode)
{
    return mode < e.modes ? e.table[which * e.modes + mode] : 0;
}

/* The rows that a later block will load, its first mode given, on their way into the second-level cache. */
__device__ void ask_for(const sb_cuda_even &g, T *u, int64_t mode, int64_t field)
{
    if (mode + lanes > g.even.modes || mode % g.after + lanes > g.after)
        return;
    const chunk c(g, u, mode, field, threadIdx.x / lanes);
#pragma unroll
    for (int i = threadIdx.x % lanes; i < rows_most; i += lanes) {
        if (i >= c.front) {
            const T *row = c.first + i * c.step;
#pragma unroll
            for (int column = 0; column < lanes; column += 128 / static_cast<int>(sizeof(T)))
                asm volatile("prefetch.global.L2 [%0];" ::"l"(row + column));
            asm volatile("prefetch.global.L2 [%0];" ::"l"(row + lanes - 1));
        }
    }
}

/* A warp a chunk, a block all chunks of 32 lines of one field. (A loop over fields would cost registers.) */
__global__ void __launch_bounds__(lanes *held_most, 1) solve_held(const __grid_constant__ sb_cuda_even g, T *u)
{
    __shared__ sb_even_pair pair[held_most * lanes];
    __shared__ double decay[held_most * lanes];
    const sb_even &e = g.even;
    int64_t mode = static_cast<int64_t>(blockIdx.x) * lanes + threadIdx.x % lanes;
    double mu = number_of(e, SB_EVEN_MU, mode), beta = number_of(e, SB_EVEN_BETA, mode);
    int64_t field = blockIdx.y + static_cast<int64_t>(blockIdx.z) * gridDim.y;
    if (field >= g.fields)
        return;
    const chunk c(g, u, mode, field, threadIdx.x / lanes);
    T rhs[rows_most];
    c.load(e, rhs);
    decay[threadIdx.x] = sb_even_decay(&e, number_of(e, SB_EVEN_LOG, mode), threadIdx.x / lanes);
    ask_for(g, u, mode - threadIdx.x % lanes + static_cast<int64_t>(g.ahead) * lanes, field);
    pair[threadIdx.x] = sb_even_sums(rhs, c.front, mu, c.last ? beta : 0);
    __syncthreads();
    if (threadIdx.x < lanes && c.there)
        sb_even_scan(&e, e.table + mode, decay + threadIdx.x, pair + threadIdx.x, lanes, 4);
    __syncthreads();
    c.solve(e, rhs, mu, beta, pair[threadIdx.x]);
}

/* Chunks by themselves: blockIdx.y counts them, field by field. */
__device__ __forceinline__ int64_t mode_of(int thread)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + thread;
}

/* Blocks that a processor has registers for; floats, which become doubles as they are summed, take more. */
template <bool SOLVES> constexpr int pass_blocks = sizeof(T) == 4 && !SOLVES ? 3 : 4;

template <bool SOLVES>
__global__ void __launch_bounds__(lanes *pass_warps, pass_blocks<SOLVES>)
    pass_chunks(const __grid_constant__ sb_cuda_even g, T *u)
{
    const sb_even &e = g.even;
    for (int64_t k = blockIdx.y; k < e.chunks * g.fields; k += gridDim.y) {
        const int64_t mode = mode_of(sb_anew(static_cast<int>(threadIdx.x)));
        const double mu = number_of(e, SB_EVEN_MU, mode), beta = number_of(e, SB_EVEN_BETA, mode);
        const chunk c(g, u, mode, k / e.chunks, k % e.chunks);
        sb_even_pair *pair = g.pair + k * e.modes + (c.there ? mode : 0);
        T rhs[rows_most];
        c.load(e, rhs);
        if (SOLVES)
            c.solve(e, rhs, mu, beta, *pair);
        else if (c.there)
            *pair = sb_even_sums(rhs, c.front, mu, c.last ? beta : 0);
    }
}

__global__ void __launch_bounds__(lanes *pass_warps) scan_chunks(const __grid_constant__ sb_cuda_even g)
{
    const sb_even &e = g.even;
    int64_t mode = mode_of(static_cast<int>(threadIdx.x));
    for (int64_t field = blockIdx.y; field < g.fields && mode < e.modes; field += gridDim.y)
        sb_even_scan(&e, e.table + mode, nullptr, g.pair + field * e.chunks * e.modes + mode, e.modes, 16);
}

unsigned at_most(int64_t count)
{
    constexpr int64_t most = 65535;
    return static_cast<unsigned>(count < most ? count : most);
}

} // namespace

extern "C" cudaError_t SB_NAME(shifted_even)(const sb_cuda_even *g, T *u, cudaStream_t stream)
{
    const sb_even &e = g->even;
    if (e.chunks <= held_most) {
        unsigned groups = static_cast<unsigned>((e.modes + lanes - 1) / lanes), fields = at_most(g->fields);
        dim3 grid(groups, fields, static_cast<unsigned>((g->fields + fields - 1) / fields));
        solve_held<<<grid, lanes *static_cast<unsigned>(e.chunks), 0, stream>>>(*g, u);
        return cudaGetLastError();
    }
    constexpr int threads = lanes * pass_warps;
    unsigned groups = static_cast<unsigned>((e.modes + threads - 1) / threads);
    pass_chunks<false><<<dim3(groups, at_most(e.chunks * g->fields)), threads, 0, stream>>>(*g, u);
    scan_chunks<<<dim3(groups, at_most(g->fields)), threads, 0, stream>>>(*g);
    pass_chunks<true><<<dim3(groups, at_most(e.chunks * g->fields)), threads, 0, stream>>>(*g, u);
    return cudaGetLastError();
}
