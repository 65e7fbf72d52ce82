/* Short systems side by side, a lane each: rows come straight from memory while those before them are eliminated with partial
 * pivoting, and unknowns go straight back. Warps by themselves, so that some wait for memory while others compute. Of a row, U's
 * 2 K numbers and what is left of b stay on chip until the way back. Words a row: 2 K + 1 and b read, x written. */
#ifndef SB_SHORT_STRAIGHT_CUH
#define SB_SHORT_STRAIGHT_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/short/front.cuh"

namespace
{

/* A lane's lines of each diagonal and of b; null for what is not there. */
template <int K> struct source {
    enum { WIDTH = 2 * K + 1 };
    const T *from[WIDTH + 1];
    int64_t step, b_step;
    int n;
    bool conjugate;

    __device__ __forceinline__ source(const sb_cuda_job &job, const places &of)
    {
        step = job.matrix_at.line;
        b_step = job.b_at.line;
        n = static_cast<int>(job.n);
        conjugate = job.conjugate;
#pragma unroll
        for (int d = 0; d < WIDTH; ++d) {
            const int k = d - K, wanted = job.transposed ? -k : k;
            const bool has = wanted >= -job.lower && wanted <= job.upper;
            from[d] = has ? static_cast<const T *>(job.diagonal[wanted + job.lower]) + of.line +
                                (job.transposed ? k * step : 0)
                          : nullptr;
        }
        from[WIDTH] = job.b ? static_cast<const T *>(job.b) + of.b : nullptr;
    }

    /* Row i; zeros outside of the matrix. */
    __device__ __forceinline__ void read(int i, T (&row)[WIDTH + 1]) const
    {
        const int64_t at = i * step;
#pragma unroll
        for (int d = 0; d < WIDTH; ++d) {
            const int column = i + d - K;
            row[d] = from[d] && i < n && column >= 0 && column < n ? from[d][at] : T(0);
        }
        row[WIDTH] = from[WIDTH] && i < n ? from[WIDTH][i * b_step] : T(0);
    }

    /* As it enters the elimination; later than read, which nobody waits for. */
    __device__ __forceinline__ void turn(T (&row)[WIDTH + 1]) const
    {
        if (conjugate)
#pragma unroll
            for (int d = 0; d < WIDTH; ++d)
                row[d] = sb_conj(row[d]);
    }
};

/* Where rows wait for the way back. ONE: of one matrix for all, which lane 0 writes. */
template <int K, bool ONE> struct resting {
    enum { WIDTH = 2 * K + 1, ROW = ONE ? 2 * K : WIDTH * LANES };
    T *matrix, *rhs;
    int lane;

    __device__ __forceinline__ resting(char *shared, int n)
    {
        lane = static_cast<int>(threadIdx.x);
        matrix = reinterpret_cast<T *>(shared) + (ONE ? 0 : lane);
        rhs = ONE ? reinterpret_cast<T *>(shared) + n * ROW + lane : matrix + 2 * K * LANES;
    }
    __device__ __forceinline__ T *right(int i) const
    {
        return rhs + i * (ONE ? static_cast<int>(LANES) : static_cast<int>(ROW));
    }
    __device__ __forceinline__ void put(int i, const T (&done)[WIDTH]) const
    {
#pragma unroll
        for (int c = 0; c < 2 * K; ++c)
            if (!ONE || lane == 0)
                matrix[i * ROW + c * (ONE ? 1 : LANES)] = done[c];
        *right(i) = done[2 * K];
    }
    __device__ __forceinline__ void get(int i, T (&done)[WIDTH]) const
    {
#pragma unroll
        for (int c = 0; c < 2 * K; ++c)
            done[c] = matrix[i * ROW + c * (ONE ? 1 : LANES)];
        done[2 * K] = *right(i);
    }
};

template <int K, bool ONE, int AHEAD>
__device__ __forceinline__ sb_elimination go(const source<K> &from, const resting<K, ONE> &rest, bool may_pivot)
{
    enum { WIDTH = 2 * K + 1 };
    front<K> at_work;
    T ring[AHEAD][WIDTH + 1], first[K + 1][WIDTH + 1], done[WIDTH];
    sb_elimination found = {-1, -1};
#pragma unroll
    for (int j = 0; j <= K; ++j)
        from.read(j, first[j]);
#pragma unroll
    for (int j = 0; j < AHEAD; ++j)
        from.read(K + 1 + j, ring[j]);
#pragma unroll
    for (int j = 0; j <= K; ++j) {
        from.turn(first[j]);
        at_work.begin(j, first[j]);
    }
#pragma unroll 1
    for (int i = 0; i < from.n; i += AHEAD)
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (i + j < from.n) {
                from.turn(ring[j]);
                at_work.step(&found, i + j, may_pivot, ring[j], done);
                rest.put(i + j, done);
                from.read(i + j + K + 1 + AHEAD, ring[j]);
            }
    return found;
}

template <int K, bool ONE>
__global__ void __launch_bounds__(LANES)
    solve_straight(const __grid_constant__ sb_cuda_job job, const __grid_constant__ lie as, bool records)
{
    enum { AHEAD = K == 1 ? 4 : 2 }; /* rows on their way; more registers than these would leave fewer warps */
    extern __shared__ __align__(16) char shared[];
    sb_follow();
    member m = member_of(job, as.of, blockIdx.x * static_cast<int64_t>(LANES) + threadIdx.x);
    m.at.matrix = ONE ? 0 : m.at.matrix;
    const source<K> from(job, m.at);
    const resting<K, ONE> rest(shared, from.n);
    const sb_elimination found = go<K, ONE, AHEAD>(from, rest, as.may_pivot);
    const sb_cuda_outcome outcome = judge(job, as, m, found, records);
    if (!job.b)
        return;
    __syncwarp();
    unknowns<K> back;
    T *x = static_cast<T *>(job.x) + m.at.x;
    const int64_t step = job.x_at.line;
#pragma unroll 4
    for (int i = from.n - 1; i >= 0; --i) {
        T done[2 * K + 1];
        rest.get(i, done);
        const T value = back.step(done);
        if (m.exists)
            x[i * step] = value;
    }
    if (!tell(job, m, outcome, back.zero == (T)0) && m.exists)
#pragma unroll 1
        for (int i = 0; i < from.n; ++i)
            x[i * step] = T((R)NAN);
}

} // namespace

#endif
