/* Short systems whose rows are nearer to each other than systems are: a block brings all rows of 32 systems on chip, one of its
 * warps eliminates, a lane each, and all take their unknowns back. Rows of U and what is left of b take the places of A's and
 * b's rows: 2 K + 2 numbers either way. Little code, since a call whose kernel is not in the instruction cache waits for it
 * longer than for its rows. Words a row: 2 K + 1 and b read, x written; one matrix for all is read once a warp. Operations a
 * row, K = 1: a quotient, some 15 products and differences, 12 choices. */
#ifndef SB_SHORT_STAGED_CUH
#define SB_SHORT_STAGED_CUH

#include <cuda_pipeline.h>

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/short/front.cuh"

namespace
{

enum { WARPS = 4 };

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

/* A = P L U and y = L^-1 P^-1 b, of which rows over their pivots stay. */
template <int K, bool ONE>
__device__ __forceinline__ sb_elimination eliminate(const rows<K, ONE> &at, bool conjugate, bool may_pivot)
{
    enum { WIDTH = 2 * K + 1 };
    front<K> at_work;
    T ahead[WIDTH + 1], done[WIDTH];
    sb_elimination found = {-1, -1};
#pragma unroll
    for (int j = 0; j <= K; ++j) {
        at.read(j, conjugate, ahead);
        at_work.begin(j, ahead);
    }
    at.read(K + 1, conjugate, ahead);
#pragma unroll 1
    for (int i = 0; i < at.n; ++i) {
        at_work.step(&found, i, may_pivot, ahead, done);
        if (ONE)
            __syncwarp(); /* all lanes have read this row */
#pragma unroll
        for (int c = 1; c < WIDTH; ++c)
            if (!ONE || at.lane == 0)
                *at.entry(i, c) = done[c - 1];
        *at.right(i) = done[WIDTH - 1];
        at.read(i + K + 2, conjugate, ahead);
    }
    return found;
}

/* From the rows that stay to x, in the place of y. False where it has NaN or Inf. */
template <int K, bool ONE> __device__ __forceinline__ bool substitute(const rows<K, ONE> &at)
{
    enum { WIDTH = 2 * K + 1 };
    unknowns<K> found;
    T ahead[WIDTH + 1];
    at.read(at.n - 1, false, ahead);
#pragma unroll 1
    for (int i = at.n - 1; i >= 0; --i) {
        T row[WIDTH];
#pragma unroll
        for (int c = 0; c < WIDTH; ++c)
            row[c] = ahead[c + 1];
        at.read(i ? i - 1 : 0, false, ahead);
        *at.right(i) = found.step(row);
    }
    return found.zero == (T)0;
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
    solve_staged(const __grid_constant__ sb_cuda_job job, const __grid_constant__ lie as, bool records)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ unsigned good;
    sb_follow();
    const int lane = static_cast<int>(threadIdx.x % LANES), warp = static_cast<int>(threadIdx.x / LANES);
    const member m = member_of(job, as.of, blockIdx.x * static_cast<int64_t>(LANES) + lane);
    rows<K, ONE> at;
    at.n = static_cast<int>(job.n);
    at.matrix = reinterpret_cast<T *>(shared);
    at.rhs = at.matrix + (2 * K + 1) * at.n * (ONE ? 1 : LANES);
    at.lane = lane;
    bring_rows(job, as, at, m.at, warp);
    if (warp == 0) {
        const sb_elimination found = eliminate(at, job.conjugate, as.may_pivot);
        const sb_cuda_outcome outcome = judge(job, as, m, found, records);
        __syncwarp();
        const bool finite = !job.b || substitute(at);
        const unsigned all = __ballot_sync(~0u, tell(job, m, outcome, finite));
        if (lane == 0)
            good = all;
    }
    __syncthreads();
    if (job.b)
        give(job, as, at.rhs, static_cast<T *>(job.x) + sb_line_of(job, job.x_at, m.system), good,
             __ballot_sync(~0u, m.exists), at.n, warp, lane);
}

} // namespace

#endif
