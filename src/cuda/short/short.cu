/* Short systems, a lane each: a block brings all rows of 32 of them on chip, one of its warps eliminates with partial pivoting,
 * and all take their unknowns back. Rows of U and what is left of b take the places of A's and b's rows: 2 K + 2 numbers
 * either way. Little code, since a call whose kernel is not in the instruction cache waits for it longer than for its rows.
 * Words a row: 2 K + 1 and b read, x written; one matrix for all is read once a warp. Operations a row, K = 1: a quotient, some
 * 15 products and differences, 12 choices. */
#include <cuda_pipeline.h>

#include "src/chunk/pivot.h"
#include "src/chunk/plain.h"
#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/kernels/keep.cuh"
#include "src/cuda/kernels/lanes.cuh"
#include "src/cuda/short/shape.h"

namespace
{

enum { LANES = 32, WARPS = 4 };

/* How a launch's arrays lie. */
struct lie {
    order of;
    bool matrix_along, b_along, x_along, may_pivot;
    unsigned inverse; /* 2^20 / n, rounded up: finds rows of elements that are counted through */
};

/* Where a lane's row stands. Turned row by row, so that neither a lane's rows nor a row's lanes meet in a bank. */
__device__ __forceinline__ int place_of(int row, int lane)
{
    return row * LANES + ((lane + row) & (LANES - 1));
}

/* What of a line comes, element by element: rows below `first` and from `end` on are zeros. */
struct line {
    const T *from;
    int64_t step;
    int shift, first, end;
    int head,
        tail; /* Toeplitz: rows before those that are alike, and the first one behind them; else n and n */
};

__device__ __forceinline__ const T *element_of(const line &at, int i, const T *from)
{
    i += at.shift;
    const int alike = i < at.tail ? at.head : at.head + 1 + i - at.tail;
    return from + (i < at.head ? i : alike) * at.step;
}

/* Of each lane a line; along: elements of a line by neighbouring lanes. */
__device__ __forceinline__ void bring(const lie &as, T *plane, const line &mine, int n, int lane, bool along)
{
    if (along) {
#pragma unroll 2
        for (int k = 0; k < n; ++k) {
            const int q = k * LANES + lane, system = static_cast<int>(q * as.inverse >> 20), i = q - system * n;
            const T *from =
                reinterpret_cast<const T *>(__shfl_sync(~0u, reinterpret_cast<uint64_t>(mine.from), system));
            const bool there = i >= mine.first && i < mine.end;
            __pipeline_memcpy_async(plane + place_of(i, system), there ? element_of(mine, i, from) : mine.from,
                                    sizeof(T), there ? 0 : sizeof(T));
        }
        return;
    }
#pragma unroll 4
    for (int i = mine.first; i < mine.end; ++i)
        __pipeline_memcpy_async(plane + place_of(i, lane), element_of(mine, i, mine.from), sizeof(T));
#pragma unroll 1
    for (int i = 0; i < mine.first; ++i)
        plane[place_of(i, lane)] = 0;
#pragma unroll 1
    for (int i = mine.end; i < n; ++i)
        plane[place_of(i, lane)] = 0;
}

/* The line that all lanes have. */
__device__ __forceinline__ void bring_one(T *plane, const line &mine, int n, int lane)
{
    for (int i = lane; i < n; i += LANES) {
        const bool there = i >= mine.first && i < mine.end;
        __pipeline_memcpy_async(plane + i, there ? element_of(mine, i, mine.from) : mine.from, sizeof(T),
                                there ? 0 : sizeof(T));
    }
}

/* A lane's rows on chip. ONE: of one matrix for all. */
template <int K, bool ONE> struct rows {
    enum { WIDTH = 2 * K + 1 };
    T *matrix, *rhs;
    int n, lane;

    __device__ __forceinline__ T *entry(int row, int diagonal) const
    {
        return ONE ? matrix + diagonal * n + row : matrix + diagonal * n * LANES + place_of(row, lane);
    }
    __device__ __forceinline__ T *right(int row) const
    {
        return rhs + place_of(row, lane);
    }
    /* Zeros behind the last. */
    __device__ __forceinline__ void read(int row, bool conjugate, T (&a)[WIDTH + 1]) const
    {
#pragma unroll
        for (int d = 0; d <= WIDTH; ++d)
            a[d] = 0;
        if (row >= n)
            return;
#pragma unroll
        for (int d = 0; d < WIDTH; ++d) {
            const T value = *entry(row, d);
            a[d] = conjugate ? sb_conj(value) : value;
        }
        a[WIDTH] = *right(row);
    }
};

__device__ __forceinline__ T inverse_of(T p)
{
    const sb_pivot v = sb_pivot_of(p);
    return sb_inverse_of(&v);
}

/* A = P L U and y = L^-1 P^-1 b, of which rows over their pivots stay. Returns the first row without a pivot; n for none. */
template <int K, bool ONE>
__device__ __forceinline__ int eliminate(const rows<K, ONE> &at, bool conjugate, bool may_pivot)
{
    enum { WIDTH = 2 * K + 1 };
    T w[K + 1][WIDTH + 1], ahead[WIDTH + 1];
    sb_elimination found = {-1, -1};
#pragma unroll
    for (int j = 0; j <= K; ++j) {
        T row[WIDTH + 1];
        at.read(j, conjugate, row);
#pragma unroll
        for (int c = 0; c < WIDTH; ++c)
            w[j][c] = c - j + K < WIDTH ? row[c - j + K] : T(0);
        w[j][WIDTH] = row[WIDTH];
    }
    at.read(K + 1, conjugate, ahead);
#pragma unroll 1
    for (int i = 0; i < at.n; ++i) {
        R size = sb_plain_abs(w[0][0]);
        int best = 0;
#pragma unroll
        for (int j = 1; j <= K; ++j) {
            const R other = sb_plain_abs(w[j][0]);
            const bool larger = may_pivot && other > size;
            best = larger ? j : best;
            size = larger ? other : size;
        }
#pragma unroll
        for (int c = 0; c <= WIDTH; ++c) {
            const T first = w[0][c];
#pragma unroll
            for (int j = 1; j <= K; ++j) {
                w[0][c] = best == j ? w[j][c] : w[0][c];
                w[j][c] = best == j ? first : w[j][c];
            }
        }
        sb_note_pivot(&found, i, w[0][0], size);
        const T inverse = inverse_of(w[0][0]);
        T pivot[WIDTH + 1];
#pragma unroll
        for (int c = 1; c <= WIDTH; ++c)
            pivot[c] = w[0][c];
#pragma unroll
        for (int j = 1; j <= K; ++j) {
            const T m = w[j][0] * inverse;
#pragma unroll
            for (int c = 1; c < WIDTH; ++c)
                w[j - 1][c - 1] = sb_less(w[j][c], m, pivot[c]);
            w[j - 1][WIDTH - 1] = T(0);
            w[j - 1][WIDTH] = sb_less(w[j][WIDTH], m, pivot[WIDTH]);
        }
        if (ONE)
            __syncwarp(); /* all lanes have read this row */
#pragma unroll
        for (int c = 1; c < WIDTH; ++c)
            if (!ONE || at.lane == 0)
                *at.entry(i, c) = pivot[c] * inverse;
        *at.right(i) = pivot[WIDTH] * inverse;
#pragma unroll
        for (int c = 0; c <= WIDTH; ++c)
            w[K][c] = ahead[c];
        at.read(i + K + 2, conjugate, ahead);
    }
    return found.broken < 0 ? at.n : static_cast<int>(found.broken);
}

/* From the rows that stay to x, in the place of y. False where it has NaN or Inf. */
template <int K, bool ONE> __device__ __forceinline__ bool substitute(const rows<K, ONE> &at)
{
    enum { WIDTH = 2 * K + 1 };
    T x[WIDTH], ahead[WIDTH + 1], zero = 0;
#pragma unroll
    for (int c = 0; c < WIDTH; ++c)
        x[c] = 0;
    at.read(at.n - 1, false, ahead);
#pragma unroll 1
    for (int i = at.n - 1; i >= 0; --i) {
        T row[WIDTH + 1];
#pragma unroll
        for (int c = 0; c <= WIDTH; ++c)
            row[c] = ahead[c];
        at.read(i ? i - 1 : 0, false, ahead);
        T rest = row[WIDTH];
#pragma unroll
        for (int c = WIDTH - 1; c > 0; --c)
            rest = sb_less(rest, row[c], x[c - 1]);
#pragma unroll
        for (int c = WIDTH - 1; c > 0; --c)
            x[c] = x[c - 1];
        x[0] = rest;
        zero = zero + (R)0 * x[0];
        *at.right(i) = x[0];
    }
    return zero == (T)0;
}

/* Each warp has a part of the rows. NaN where there is no answer. */
__device__ __forceinline__ void give(const sb_cuda_job &job, const lie &as, const T *plane, T *x, unsigned good,
                                     unsigned exist, int n, int warp, int lane)
{
#pragma unroll 2
    for (int k = warp; k < n; k += WARPS) {
        const int q = k * LANES + lane, system = as.x_along ? static_cast<int>(q * as.inverse >> 20) : lane,
                  i = as.x_along ? q - system * n : k;
        T *to = reinterpret_cast<T *>(__shfl_sync(~0u, reinterpret_cast<uint64_t>(x), system));
        if (exist >> system & 1)
            to[i * job.x_at.line] = good >> system & 1 ? plane[place_of(i, system)] : T((R)NAN);
    }
}

/* Rows of A and of b, plane by plane, each by a warp. */
template <int K, bool ONE>
__device__ __forceinline__ void bring_rows(const sb_cuda_job &job, const lie &as, const rows<K, ONE> &at,
                                           const places &of, int warp)
{
    enum { WIDTH = 2 * K + 1 };
    const int n = at.n, head = job.first < n ? static_cast<int>(job.first) : n,
              tail = job.first < n ? n - static_cast<int>(job.last) : n;
#pragma unroll 1
    for (int d = warp; d <= WIDTH; d += WARPS) {
        const int k = d - K, wanted = job.transposed ? -k : k;
        const bool right = d == WIDTH, has = !right && wanted >= -job.lower && wanted <= job.upper;
        const T *from = static_cast<const T *>(job.diagonal[has ? wanted + job.lower : job.lower]) + of.line;
        line mine = {from,
                     job.matrix_at.line,
                     job.transposed ? k : 0,
                     has ? (k < 0 ? -k : 0) : n,
                     has && k > 0 ? n - k : n,
                     head,
                     tail};
        if (right && job.b)
            mine = {static_cast<const T *>(job.b) + of.b, job.b_at.line, 0, 0, n, n, n};
        if (ONE && !right)
            bring_one(at.matrix + d * n, mine, n, at.lane);
        else
            bring(as, right ? at.rhs : at.matrix + d * n * LANES, mine, n, at.lane,
                  right ? as.b_along : as.matrix_along);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

template <int K, bool ONE>
__global__ void __launch_bounds__(WARPS *LANES)
    solve_short(const __grid_constant__ sb_cuda_job job, const __grid_constant__ lie as, bool records)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ unsigned good;
    const int lane = static_cast<int>(threadIdx.x % LANES), warp = static_cast<int>(threadIdx.x / LANES);
    const member m = member_of(job, as.of, blockIdx.x * static_cast<int64_t>(LANES) + lane);
    rows<K, ONE> at;
    at.n = static_cast<int>(job.n);
    at.matrix = reinterpret_cast<T *>(shared);
    at.rhs = at.matrix + (2 * K + 1) * at.n * (ONE ? 1 : LANES);
    at.lane = lane;
    bring_rows(job, as, at, m.at, warp);
    if (warp == 0) {
        const int bad = eliminate(at, job.conjugate, as.may_pivot);
        sb_cuda_outcome outcome = SB_CUDA_GOOD;
        if (!records)
            outcome = job.matrix[m.at.matrix].outcome;
        else if (bad < at.n)
            outcome = sb_cuda_failure(as.may_pivot ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN, bad);
        if (records && m.exists)
            job.matrix[m.at.matrix] = {outcome, 0, as.may_pivot ? static_cast<uint32_t>(SB_CUDA_PIVOTED) : 0};
        __syncwarp();
        const bool finite = !job.b || substitute(at);
        if (outcome == SB_CUDA_GOOD && !finite)
            outcome = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
        if (job.b && m.exists)
            job.system[m.system] = outcome;
        const unsigned all = __ballot_sync(~0u, outcome == SB_CUDA_GOOD);
        if (lane == 0)
            good = all;
    }
    __syncthreads();
    if (job.b)
        give(job, as, at.rhs, static_cast<T *>(job.x) + m.at.x, good, __ballot_sync(~0u, m.exists), at.n, warp,
             lane);
}

typedef void kernel(const sb_cuda_job, const lie, bool);

/* Wide bands of complex doubles would need more registers than there are: see sb_short_widest. */
template <bool ONE> kernel *kernel_of(int half)
{
    if constexpr (sb_short_widest(sizeof(T)) == 4)
        return half == 1 ? solve_short<1, ONE> : half == 2 ? solve_short<2, ONE> : solve_short<4, ONE>;
    else
        return half == 1 ? solve_short<1, ONE> : solve_short<2, ONE>;
}

kernel *kernel_of(int half, bool one)
{
    return one ? kernel_of<true>(half) : kernel_of<false>(half);
}

/* count: systems; without a right-hand side matrices. */
cudaError_t launch(const sb_cuda_call *call, const sb_cuda_job &job, int64_t count, const sb_short_shape &s,
                   bool records)
{
    if (count == 0)
        return cudaSuccess;
    const int half = sb_short_half(job.lower, job.upper);
    const bool one = job.matrices == 1;
    const lie as = {{count, s.nearest},
                    s.matrix_along,
                    s.b_along,
                    s.x_along,
                    call->setup->problem->pivoting != SLIMBAND_PIVOT_NONE,
                    static_cast<unsigned>(((1 << 20) + job.n - 1) / job.n)};
    kernel_of(half, one)<<<static_cast<unsigned>((count + LANES - 1) / LANES), WARPS * LANES,
                           static_cast<size_t>(sb_short_shared(half, job.n, one, sizeof(T))), call->stream>>>(
        job, as, records);
    return cudaGetLastError();
}

/* The same for copies, of which neighbouring lanes' are next to each other. */
sb_short_shape kept_shape(const sb_cuda_call *call)
{
    sb_short_shape s = sb_short_prepared(call->state);
    s.matrix_along = false;
    return s;
}

/* Elimination alone says which matrices are singular. */
cudaError_t factor(const sb_cuda_call *call)
{
    if (!call->job.n || !call->job.matrices)
        return settle_empty(call);
    const sb_short_shape s = kept_shape(call);
    sb_cuda_job job = kept_abreast(call, s.nearest);
    cudaError_t error = keep_abreast(call, s.nearest);
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    if (!error)
        error = launch(call, job, job.matrices, s, true);
    return error ? error : tell_all(call);
}

cudaError_t solve(const sb_cuda_call *call)
{
    if (!call->job.n)
        return cudaSuccess;
    const sb_short_shape s = kept_shape(call);
    return launch(call, kept_abreast(call, s.nearest), call->job.systems, s, false);
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, call->job, call->job.systems, sb_short_prepared(call->state), true)
                       : settle_empty(call);
}

/* As much shared memory as there is, so that plans do not take from one another what they have asked for. */
cudaError_t ready(const sb_cuda_setup *setup, int64_t *)
{
    const slimband_problem *p = setup->problem;
    const int half = sb_short_half(p->lower, p->upper);
    cudaError_t error = cudaSuccess;
    for (int one = 0; one < 2 && !error; ++one)
        error = cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel_of(half, one)),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     setup->device->shared_block - SB_SHORT_STATIC);
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_short) = {factor, solve, factor_solve, ready};
