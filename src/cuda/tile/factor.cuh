/* The factors of a shared matrix, once a plan, by one block: a thread for each chunk, then for each chain of
 * separators, then the inverse of what couples the blocks. */
#ifndef SB_CUDA_TILE_FACTOR_CUH
#define SB_CUDA_TILE_FACTOR_CUH

#include <limits.h>

#include "src/chunk/cut.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/method.h"
#include "src/cuda/tile/strided.h"

namespace
{

/* TRANSPOSED_GROWTH: what the transposed may grow more, its growth being one of norms and not of each row. */
enum { SB_TILE_FACTOR_THREADS = 256, SB_TILE_TRANSPOSED_GROWTH = 2 };

/* k x k, row by row. */
template <int K> struct sb_block {
    T at[K * K];
};

template <int K>
__device__ __forceinline__ sb_block<K> sb_multiply_add(sb_block<K> sum, R scale, const sb_block<K> &a,
                                                       const sb_block<K> &b)
{
    sb_block_multiply_add(K, sum.at, scale, a.at, b.at);
    return sum;
}

template <int K> __device__ __forceinline__ sb_block<K> sb_inverse(sb_block<K> a)
{
    sb_block<K> inverse;
    sb_block_invert(K, a.at, inverse.at);
    return inverse;
}

/* What is factored: the matrix, or some of its rows, from `base` on, and of what is in them what is in their columns. */
struct sb_tile_slice {
    int base, count;
    bool ring;
};

/* One chunk as the factorisation sees it. */
struct sb_tile_piece {
    int first, rows, front,
        end; /* first row of the system; places front .. slots - 1 are used, the interior ends at end */
    T *band, *forward, *back, *spike;
};

template <int K> __device__ sb_tile_piece sb_tile_piece_of(const sb_tile_cut &cut, T *stored, int index)
{
    sb_tile_parts parts = sb_tile_layout(&cut);
    int block = index / cut.chunks, chunk = index % cut.chunks;
    int64_t slot = (int64_t)index * cut.slots;
    sb_tile_piece piece;
    int start = sb_tile_start(&cut, block, chunk);
    piece.rows = sb_tile_start(&cut, block, chunk + 1) - start;
    piece.first = block * cut.block_rows + start;
    piece.front = cut.slots - piece.rows;
    piece.end = cut.slots - K;
    piece.band = stored + parts.band + slot * (2 * K + 1);
    piece.forward = stored + parts.forward + slot * (K + 1);
    piece.back = stored + parts.back + slot * K;
    piece.spike = stored + parts.spike + slot * 2 * K;
    return piece;
}

/* A(i, i + j) of the job's matrix: transposed if it says so. */
__device__ T sb_tile_entry(const sb_cuda_job &job, int i, int j)
{
    int n = (int)job.n;
    if (!job.transposed)
        return sb_entry(job, 0, n, i, j);
    int row = i + j;
    if (row < 0 || row >= n) {
        if (!job.periodic)
            return 0;
        row = (row + n) % n;
    }
    return sb_entry(job, 0, n, row, -j);
}

/* Fills the band; returns its largest entry. Empty places are rows of the identity. */
template <int K>
__device__ R sb_tile_fill(const sb_cuda_job &job, const sb_tile_slice &of, const sb_tile_piece &piece)
{
    R largest = 0;
    for (int i = 0; i < piece.end + K; ++i) {
        for (int j = -K; j <= K; ++j) {
            const int row = piece.first + i - piece.front;
            const bool inside = of.ring || (row + j >= 0 && row + j < of.count);
            T a = i < piece.front ? (T)(j == 0) : inside ? sb_tile_entry(job, of.base + row, j) : T(0);
            piece.band[i * (2 * K + 1) + K + j] = a;
            largest = sb_larger(largest, i < piece.front ? (R)0 : sb_abs1(a));
        }
        for (int j = 0; j < K; ++j) {
            piece.forward[i * (K + 1) + 1 + j] = piece.back[i * K + j] = 0;
            piece.spike[i * 2 * K + j] = piece.spike[i * 2 * K + K + j] = 0;
        }
        piece.forward[i * (K + 1)] = 1;
    }
    return largest;
}

template <int K> __device__ R sb_tile_factor_chunk(const sb_tile_piece &piece, R scale, int *bad)
{
    int inner = min(piece.front, piece.end);
    R growth = sb_cut_eliminate(K, inner, piece.end, piece.band, scale, piece.forward, piece.back, bad);
    R spikes = sb_cut_spikes(K, inner, piece.end, piece.band, scale, piece.forward, piece.back, piece.spike);
    if (*bad >= 0)
        *bad = piece.first + *bad - piece.front;
    return sb_larger(growth, spikes);
}

/* The separators' equations of chunk `here`, whose next is `next`: A, B, C, and in the links what the first and last y of
   interiors contribute: tail to its own right-hand side, head (kept with `next`) to that of `here`. Returns the growth of separators'
   own coefficients. */
template <int K>
__device__ R sb_tile_reduce(const sb_tile_piece &here, const sb_tile_piece &next, T *reduced, T *link,
                            T *next_link)
{
    T *A = reduced, *B = A + K * K, *C = B + K * K;
    R growth = 0;
    for (int s = 0; s < K; ++s) {
        int place = here.end + s;
        bool empty = place < here.front;
        const T *a = here.band + place * (2 * K + 1) + K;
        for (int c = 0; c < K; ++c) {
            T left = 0, own = a[c - s], right = 0;
            for (int j = s + 1; j <= K; ++j) {
                left += a[-j] * here.spike[(place - j) * 2 * K + c];
                own += a[-j] * here.spike[(place - j) * 2 * K + K + c];
            }
            for (int j = K - s; j <= K; ++j) {
                const T *spike = next.spike + min(next.front + s + j - K, next.end) * 2 * K;
                own += a[j] * spike[c];
                right += a[j] * spike[K + c];
            }
            A[s * K + c] = empty ? (T)0 : left;
            B[s * K + c] = empty ? (T)(s == c) : own;
            C[s * K + c] = empty ? (T)0 : right;
            if (s == c && !empty)
                growth = sb_grow(growth, sb_abs1(own), SB_BESIDE_OWN * sb_abs1(a[0]));
            int near = K + s - c, far = c + K - s;
            link[SB_TILE_E * K * K + s * 2 * K + c] = near <= K ? -a[-near] : (T)0;
            link[SB_TILE_E * K * K + s * 2 * K + K + c] = s == c;
            next_link[SB_TILE_W * K * K + s * K + c] = far <= K ? -a[far] : (T)0;
        }
    }
    return growth;
}

template <int K> __device__ sb_block<K> sb_tile_block(const T *at)
{
    sb_block<K> block = sb_block<K>{};
#pragma unroll
    for (int i = 0; i < K * K; ++i)
        block.at[i] = at[i];
    return block;
}

template <int K> __device__ void sb_tile_put(T *at, const sb_block<K> &block, R scale = 1)
{
#pragma unroll
    for (int i = 0; i < K * K; ++i)
        at[i] = (T)scale * block.at[i];
}

/* E and W of a chunk's equations are multiplied by the inverse of its pivot block. */
template <int K> __device__ void sb_tile_premultiply(const sb_block<K> &inverse, T *matrix, int columns)
{
#pragma unroll
    for (int c = 0; c < columns; ++c) {
        T old[K];
#pragma unroll
        for (int r = 0; r < K; ++r)
            old[r] = matrix[r * columns + c];
#pragma unroll
        for (int r = 0; r < K; ++r) {
            T sum = 0;
#pragma unroll
            for (int t = 0; t < K; ++t)
                sum += inverse.at[r * K + t] * old[t];
            matrix[r * columns + c] = sum;
        }
    }
}

/* The largest entry of the equations of one separator block. */
template <int K> __device__ R sb_tile_row_size(const T *reduced)
{
    R row = 0;
#pragma unroll
    for (int i = 0; i < 3 * K * K; ++i)
        row = sb_larger(row, sb_abs1(reduced[i]));
    return row;
}

/* The largest row sum of a link's spikes, weighted as those of chunks are. What they multiply is taken from y, so that y
   is larger than x by as much: the chain alone may grow from end to end where the matrix, a ring, does not. */
template <int K> __device__ R sb_tile_spikes_size(const T *reduced, const T *link, R scale)
{
    const T *P = link + SB_TILE_P * K * K, *Q = link + SB_TILE_Q * K * K;
    R largest = 0;
#pragma unroll
    for (int r = 0; r < K; ++r) {
        R sum = 0;
#pragma unroll
        for (int c = 0; c < K; ++c)
            sum += sb_abs1(P[r * K + c]) + sb_abs1(Q[r * K + c]);
        largest = sb_larger(largest, sum);
    }
    return scale > 0 ? largest * (sb_tile_row_size<K>(reduced) / scale) : largest;
}

/* The chain of a block: block Thomas over all separators but its last, and its spikes. Returns the growth: the largest
   product met over its row, or spikes' row sum. */
template <int K> __device__ R sb_tile_chain(const sb_tile_cut &cut, T *stored, int block, R scale, int *bad)
{
    sb_tile_parts parts = sb_tile_layout(&cut);
    const T *reduced = stored + parts.reduced + (int64_t)block * cut.chunks * 3 * K * K;
    T *link = stored + parts.link + (int64_t)block * cut.chunks * SB_TILE_LINK * K * K;
    int length = cut.chunks - 1;
    const sb_block<K> zero = sb_block<K>{};
    sb_block<K> upper = zero, spike = zero;
    R growth = 0;
    for (int c = 0; c < length; ++c, reduced += 3 * K * K, link += SB_TILE_LINK * K * K) {
        sb_block<K> A = sb_tile_block<K>(reduced), B = sb_tile_block<K>(reduced + K * K),
                    C = sb_tile_block<K>(reduced + 2 * K * K);
        sb_block<K> product = sb_multiply_add(zero, c ? -1 : 0, A, upper);
        const R rows = scale > 0 ? scale : sb_tile_row_size<K>(reduced);
#pragma unroll
        for (int i = 0; i < K * K; ++i) {
            R eliminated = 0;
#pragma unroll
            for (int t = 0; t < K; ++t)
                eliminated = sb_larger(eliminated, sb_abs1(A.at[i / K * K + t]));
            /* Off a row's own coefficient the row alone says what is large: see sb_meet_own in penta_chain.h. */
            growth = sb_grow_beside(growth, sb_abs1(product.at[i]), rows, eliminated,
                                    i % (K + 1) ? rows : sb_abs1(B.at[i]), i % (K + 1) == 0);
            B.at[i] += product.at[i];
        }
        sb_block<K> inverse = sb_inverse(B);
#pragma unroll
        for (int i = 0; i < K * K; ++i)
            if (!sb_finite(inverse.at[i]) && *bad < 0)
                *bad = block * cut.block_rows + sb_tile_start(&cut, block, c + 1) - 1;
        sb_block<K> lower = sb_multiply_add(zero, -1, inverse, A);
        upper = sb_multiply_add(zero, 1, inverse, C);
        spike = c == 0 ? lower : sb_multiply_add(zero, 1, lower, spike);
        sb_tile_put<K>(link + SB_TILE_L * K * K, c == 0 ? zero : lower);
        sb_tile_put<K>(link + SB_TILE_U * K * K, c == length - 1 ? zero : upper, -1);
        sb_tile_put<K>(link + SB_TILE_P * K * K, spike);
        sb_tile_put<K>(link + SB_TILE_Q * K * K, c == length - 1 ? upper : zero, -1);
        sb_tile_premultiply<K>(inverse, link + SB_TILE_E * K * K, 2 * K);
        sb_tile_premultiply<K>(inverse, link + (SB_TILE_LINK + SB_TILE_W) * K * K, K);
    }
    if (length > 0)
        growth =
            sb_larger(growth, sb_tile_spikes_size<K>(reduced - 3 * K * K, link - SB_TILE_LINK * K * K, scale));
    for (int c = length - 2; c >= 0; --c) {
        link -= SB_TILE_LINK * K * K;
        T *before = link - SB_TILE_LINK * K * K;
        sb_block<K> U = sb_tile_block<K>(before + SB_TILE_U * K * K);
        sb_block<K> P = sb_tile_block<K>(before + SB_TILE_P * K * K),
                    behind = sb_tile_block<K>(link + SB_TILE_P * K * K);
        sb_tile_put<K>(before + SB_TILE_P * K * K, sb_multiply_add(P, 1, U, behind));
        behind = sb_tile_block<K>(link + SB_TILE_Q * K * K);
        sb_tile_put<K>(before + SB_TILE_Q * K * K, sb_multiply_add(zero, 1, U, behind));
        growth = sb_larger(growth, sb_tile_spikes_size<K>(reduced + (c - length) * 3 * K * K, before, scale));
    }
    return growth;
}

/* The equations of the blocks' ends, row by row of a (blocks k) square matrix closed into a ring, and the multipliers of
   the chains' first and last y in them. */
template <int K> __device__ void sb_tile_close(const sb_tile_cut &cut, T *stored, int block, T *matrix)
{
    sb_tile_parts parts = sb_tile_layout(&cut);
    int last = (block + 1) * cut.chunks - 1, next = (block + 1) % cut.blocks, order = cut.blocks * K;
    const sb_block<K> zero = sb_block<K>{};
    const T *reduced = stored + parts.reduced + (int64_t)last * 3 * K * K;
    sb_block<K> A = sb_tile_block<K>(reduced), B = sb_tile_block<K>(reduced + K * K),
                C = sb_tile_block<K>(reduced + 2 * K * K);
    sb_tile_put<K>(stored + parts.edge + (int64_t)(2 * block + 1) * K * K, A, -1);
    sb_tile_put<K>(stored + parts.edge + (int64_t)(2 * next) * K * K, C, -1);
    if (cut.chunks > 1) {
        const T *inner = stored + parts.link + (int64_t)(last - 1) * SB_TILE_LINK * K * K;
        const T *head = stored + parts.link + (int64_t)next * cut.chunks * SB_TILE_LINK * K * K;
        sb_block<K> P = sb_tile_block<K>(inner + SB_TILE_P * K * K),
                    Q = sb_tile_block<K>(inner + SB_TILE_Q * K * K);
        B = sb_multiply_add(B, 1, A, Q);
        A = sb_multiply_add(zero, 1, A, P);
        P = sb_tile_block<K>(head + SB_TILE_P * K * K);
        Q = sb_tile_block<K>(head + SB_TILE_Q * K * K);
        B = sb_multiply_add(B, 1, C, P);
        C = sb_multiply_add(zero, 1, C, Q);
    }
    int before = (block + cut.blocks - 1) % cut.blocks;
    for (int r = 0; r < K; ++r) {
        T *row = matrix + (block * K + r) * order;
        for (int c = 0; c < order; ++c)
            row[c] = 0;
        for (int c = 0; c < K; ++c) {
            row[before * K + c] += A.at[r * K + c];
            row[block * K + c] += B.at[r * K + c];
            row[next * K + c] += C.at[r * K + c];
        }
    }
}

/* Gauss-Jordan with row interchanges, where they are needed, on (matrix | inverse), a thread for each of the 2 order columns. */
__device__ bool sb_tile_invert(int order, T *matrix, T *inverse)
{
    int column = threadIdx.x;
    bool active = column < 2 * order, regular = true;
    T *mine = column < order ? matrix + column : inverse + (column - order);
    for (int r = 0; r < order && active && column >= order; ++r)
        mine[r * order] = r == column - order;
    __syncthreads();
    for (int i = 0; i < order; ++i) {
        const bool own = sb_own_pivot(order, matrix, i);
        int pivot = i;
        for (int r = i + 1; r < order && !own; ++r)
            if (sb_abs1(matrix[r * order + i]) > sb_abs1(matrix[pivot * order + i]))
                pivot = r;
        T scale = matrix[pivot * order + i], top = 0;
        regular = regular && sb_abs1(scale) > 0 && sb_finite(scale);
        __syncthreads();
        if (active) {
            top = mine[pivot * order] / scale;
            mine[pivot * order] = mine[i * order];
        }
        __syncthreads();
        for (int r = 0; r < order; ++r) {
            T factor = r == i ? (T)0 : matrix[r * order + i];
            __syncthreads();
            if (active)
                mine[r * order] = r == i ? top : mine[r * order] - factor * top;
        }
        __syncthreads();
    }
    return regular;
}

/* Makes a record worse by what the matrix, or its transposed, has met. Rows that dominate by little may leave columns that do
   not: then the transposed alone is the fallback's. */
__device__ void sb_tile_worsen(sb_cuda_matrix *record, const sb_cuda_job &job, bool transposed, int bad,
                               float growth)
{
    if (transposed)
        growth /= SB_TILE_TRANSPOSED_GROWTH;
    bool unsafe = job.wary && (bad != INT_MAX || !(growth <= SB_CUDA_GROWTH_LIMIT));
    if (!transposed || !unsafe)
        record->growth = fmaxf(record->growth, growth);
    if (unsafe)
        record->flags |= transposed ? SB_CUDA_UNSAFE_TRANSPOSED : SB_CUDA_UNSAFE;
    if (bad != INT_MAX && !job.wary && record->outcome == SB_CUDA_GOOD)
        record->outcome = sb_cuda_failure(SLIMBAND_BREAKDOWN, bad);
}

/* Growth is measured row by row, as on the CPU; that of the transposed against the largest entry of all, since its rows
   are the columns of what was given and need not be of one size. A block factors cut.n rows, those of the first from `base` on, into
   tables of its own, and has a record, which the matrix begins and the transposed makes worse. */
template <int K>
__global__ void __launch_bounds__(SB_TILE_FACTOR_THREADS)
    sb_tile_factor_shared(const __grid_constant__ sb_cuda_job job, sb_tile_cut cut, T *stored, int base,
                          sb_cuda_matrix *records)
{
    constexpr int ORDER = SB_TILE_MOST_BLOCKS(sizeof(T), K) * K;
    __shared__ T matrix[ORDER * ORDER];
    __shared__ int first_bad;
    __shared__ unsigned largest, widest;
    int t = threadIdx.x, bad = -1, total = cut.blocks * cut.chunks;
    sb_tile_parts parts = sb_tile_layout(&cut);
    const sb_tile_slice of = {base + static_cast<int>(blockIdx.x) * cut.n, cut.n,
                              job.periodic && cut.n == job.n};
    R growth = 0, scale = 0;
    stored += (2 * blockIdx.x + job.transposed) * parts.total;
    if (t == 0) {
        first_bad = INT_MAX;
        largest = widest = 0;
    }
    __syncthreads();
    if (t < total)
        atomicMax(&widest,
                  __float_as_uint((float)sb_tile_fill<K>(job, of, sb_tile_piece_of<K>(cut, stored, t))));
    __syncthreads();
    if (job.transposed)
        scale = __uint_as_float(widest);
    if (t < total)
        growth = sb_tile_factor_chunk<K>(sb_tile_piece_of<K>(cut, stored, t), scale, &bad);
    __syncthreads();
    T *link = stored + parts.link;
    int next = (t + 1) % total;
    if (t < total)
        growth = sb_larger(growth, sb_tile_reduce<K>(sb_tile_piece_of<K>(cut, stored, t),
                                                     sb_tile_piece_of<K>(cut, stored, next),
                                                     stored + parts.reduced + (int64_t)t * 3 * K * K,
                                                     link + (int64_t)t * SB_TILE_LINK * K * K,
                                                     link + (int64_t)next * SB_TILE_LINK * K * K));
    __syncthreads();
    if (t < cut.blocks)
        growth = sb_larger(growth, sb_tile_chain<K>(cut, stored, t, scale, &bad));
    __syncthreads();
    if (t < cut.blocks)
        sb_tile_close<K>(cut, stored, t, matrix);
    __syncthreads();
    if (!sb_tile_invert(cut.blocks * K, matrix, stored + parts.inverse))
        bad = bad < 0 ? cut.n - 1 : bad;
    if (bad >= 0)
        atomicMin(&first_bad, bad);
    atomicMax(&largest, __float_as_uint(growth >= 0 ? (float)growth : INFINITY));
    __syncthreads();
    if (t != 0)
        return;
    sb_cuda_matrix record = {SB_CUDA_GOOD, 0, 0};
    if (job.transposed)
        record = records[blockIdx.x];
    sb_tile_worsen(&record, job, job.transposed, first_bad == INT_MAX ? INT_MAX : of.base + first_bad,
                   __uint_as_float(largest));
    records[blockIdx.x] = record;
}

} // namespace

#endif
