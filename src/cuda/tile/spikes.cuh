/* What pieces of lines are solved by: spikes, the inverse of the ends' equations, and a record of all. */
#ifndef SB_CUDA_TILE_SPIKES_CUH
#define SB_CUDA_TILE_SPIKES_CUH

#include <float.h>
#include <limits.h>

#include "src/cuda/tile/factor.cuh"
#include "src/cuda/tile/pieces.h"

namespace
{

enum { LANES = 32 };

/* What kernels are told of pieces, and of the matrix or its transposed. */
struct pieces {
    int count, rows, n;
    int64_t order;
    T *spikes, *inverse;
    short2 *matters; /* of each row of the inverse, the first column that does and the one behind the last */
    sb_pieces_reach *reach;
    sb_cuda_matrix *records;
    sb_cuda_outcome *outcomes;
    T *ends;

    __device__ __forceinline__ int first(int piece) const
    {
        return piece * rows;
    }
    __device__ __forceinline__ int rows_of(int piece) const
    {
        return min(rows, n - piece * rows);
    }
};

pieces pieces_of(const sb_pieces_shape &s, const sb_cuda_job &job, bool transposed)
{
    char *stored = static_cast<char *>(job.stored), *scratch = static_cast<char *>(job.scratch);
    const int64_t order = 2 * s.k * s.count, n = job.n;
    return {static_cast<int>(s.count),
            static_cast<int>(s.rows),
            static_cast<int>(n),
            order,
            reinterpret_cast<T *>(stored + s.spikes_at) + transposed * n * 2 * s.k,
            reinterpret_cast<T *>(stored + s.inverse_at) + transposed * order * order,
            reinterpret_cast<short2 *>(reinterpret_cast<T *>(stored + s.inverse_at) + 2 * order * order) +
                transposed * order,
            reinterpret_cast<sb_pieces_reach *>(stored + s.reach_at) + transposed * s.count,
            reinterpret_cast<sb_cuda_matrix *>(stored + s.records_at),
            reinterpret_cast<sb_cuda_outcome *>(scratch + s.outcomes_at),
            reinterpret_cast<T *>(scratch + s.ends_at)};
}

/* The row of the matrix at which an equation of the ends stands. */
template <int K> __device__ __forceinline__ int row_of_end(const pieces &all, int r)
{
    const int piece = r / (2 * K), row = r % (2 * K);
    return all.first(piece) + (row < K ? row : all.rows_of(piece) - 2 * K + row);
}

/* To factor: U of all rows, and (matrix | inverse) of the ends. */
struct workshop {
    T *upper, *square;
};

workshop workshop_of(const sb_pieces_shape &s, const pieces &of, bool transposed)
{
    const int64_t upper = s.k * static_cast<int64_t>(of.n), square = 2 * of.order * of.order;
    return {of.ends + transposed * upper, of.ends + 2 * upper + transposed * square};
}

/* Row i of a piece, and nothing outside it. */
template <int K> struct piece_row {
    T at[2 * K + 1];

    __device__ __forceinline__ piece_row(const sb_cuda_job &job, bool transposed, int first, int rows, int i)
    {
#pragma unroll
        for (int j = -K; j <= K; ++j)
            at[K + j] =
                i < rows && i + j >= 0 && i + j < rows ? sb_tile_entry(job, transposed, first + i, j) : T(0);
    }
    __device__ __forceinline__ R size() const
    {
        R largest = 0;
#pragma unroll
        for (int j = 0; j <= 2 * K; ++j)
            largest = sb_larger(largest, sb_abs1(at[j]));
        return largest;
    }
};

/* The larger one of all lanes'. */
__device__ __forceinline__ R largest_of(R a)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        a = sb_larger(a, __shfl_xor_sync(~0u, a, step));
    return a;
}

/* The square of rounding. */
__device__ __forceinline__ R least_spike()
{
    return sizeof(R) == 4 ? R(FLT_EPSILON) * R(FLT_EPSILON) : R(DBL_EPSILON) * R(DBL_EPSILON);
}

/* What a lane's spike has on the right of row i: the coupling to the unknown that it multiplies. */
template <int K>
__device__ __forceinline__ T coupling(const sb_cuda_job &job, bool transposed, int first, int rows, int i,
                                      int spike)
{
    const int behind = spike < K ? spike - K - i : rows + spike - K - i;
    return i < rows && spike < 2 * K && behind >= -K && behind <= K
               ? sb_tile_entry(job, transposed, first + i, behind)
               : T(0);
}

/* What the K rows above make of one: the nearest is u[0], its entries behind the diagonal over its pivot. */
template <int K> struct rows_above {
    T u[K][K] = {};

    __device__ __forceinline__ void push(const piece_row<K> &row, T inverse)
    {
#pragma unroll
        for (int t = K - 1; t > 0; --t)
#pragma unroll
            for (int j = 0; j < K; ++j)
                u[t][j] = u[t - 1][j];
#pragma unroll
        for (int j = 0; j < K; ++j)
            u[0][j] = row.at[K + 1 + j] * inverse;
    }
    /* taken: factor, which of the rows above; product: place of the row, what is subtracted from it. */
    template <typename Taken, typename Product>
    __device__ __forceinline__ void eliminate(piece_row<K> &row, Taken taken, Product product) const
    {
#pragma unroll
        for (int t = K; t > 0; --t) {
            const T factor = row.at[K - t];
            taken(factor, t - 1);
#pragma unroll
            for (int j = 0; j < K; ++j) {
                const T less = factor * u[t - 1][j];
                product(factor, K - t + 1 + j, less);
                row.at[K - t + 1 + j] -= less;
            }
        }
    }
};

/* The growth of a piece's elimination, and its spikes' largest row sum: of the lane's rows, which are eliminated once more, since that
   can be done to all of them at once when those above are known. */
template <int K>
__device__ __forceinline__ R growth_of(const sb_cuda_job &job, bool transposed, int first, int rows, R scale,
                                       const T *upper, const T *spikes)
{
    R growth = 0;
    for (int i = static_cast<int>(threadIdx.x); i < rows; i += LANES) {
        piece_row<K> row(job, transposed, first, rows, i);
        const R own_size = row.size(), size = transposed ? scale : own_size;
        rows_above<K> above;
        R sum = 0;
#pragma unroll
        for (int t = 0; t < K; ++t)
#pragma unroll
            for (int j = 0; j < K; ++j)
                above.u[t][j] = i > t ? upper[static_cast<int64_t>(i - t - 1) * K + j] : T(0);
        above.eliminate(
            row, [](T, int) {},
            [&](T factor, int place, T product) {
                growth = sb_grow_beside(growth, sb_abs1(product), size, sb_abs1(factor), sb_abs1(row.at[place]),
                                        place == K);
            });
#pragma unroll
        for (int c = 0; c < 2 * K; ++c)
            sum += sb_abs1(spikes[static_cast<int64_t>(i) * 2 * K + c]);
        if (transposed && sum > 0)
            sum *= own_size / scale;
        growth = sb_grow_to(growth, sum);
    }
    return growth;
}

/* The spikes of a piece, or of the transposed's, a lane each, by elimination without pivots, which all lanes do alike. A block a piece,
   and then one for each of the transposed's. A row is asked for while the one before it is eliminated. */
template <int K>
__global__ void __launch_bounds__(LANES)
    find_spikes(const __grid_constant__ sb_cuda_job job, const __grid_constant__ pieces plain,
                const __grid_constant__ pieces turned, const __grid_constant__ workshop with_plain,
                const __grid_constant__ workshop with_turned)
{
    const bool transposed = static_cast<int>(blockIdx.x) >= plain.count;
    const pieces &all = transposed ? turned : plain;
    const int piece = static_cast<int>(blockIdx.x) % plain.count, first = all.first(piece),
              rows = all.rows_of(piece), lane = static_cast<int>(threadIdx.x);
    T *spikes = all.spikes + static_cast<int64_t>(first) * 2 * K,
      *upper = (transposed ? with_turned : with_plain).upper + static_cast<int64_t>(first) * K;
    R scale = 0;
    for (int i = lane; transposed && i < rows; i += LANES)
        scale = sb_larger(scale, piece_row<K>(job, true, first, rows, i).size());
    scale = largest_of(scale);
    rows_above<K> above;
    T y[K] = {};
    int bad = INT_MAX;
    piece_row<K> next_row(job, transposed, first, rows, 0);
    T next_right = coupling<K>(job, transposed, first, rows, 0, lane);
#pragma unroll 1
    for (int i = 0; i < rows; ++i) {
        piece_row<K> row = next_row;
        T right = next_right;
        next_row = piece_row<K>(job, transposed, first, rows, i + 1);
        next_right = coupling<K>(job, transposed, first, rows, i + 1, lane);
        above.eliminate(
            row, [&](T factor, int which) { right -= factor * y[which]; }, [](T, int, T) {});
        const T inverse = T(1) / row.at[K];
        if (!(sb_abs1(row.at[K]) > 0 && sb_finite(inverse)))
            bad = min(bad, first + i);
        above.push(row, inverse);
        sb_cut_push(K, y, right * inverse);
#pragma unroll
        for (int j = 0; j < K; ++j)
            if (lane == j)
                upper[static_cast<int64_t>(i) * K + j] = above.u[0][j];
        if (lane < 2 * K)
            spikes[static_cast<int64_t>(i) * 2 * K + lane] = y[0];
    }
    __syncwarp();
    int head = K, tail = K;
    T next_x = lane < 2 * K ? spikes[static_cast<int64_t>(rows - 1) * 2 * K + lane] : T(0), next_upper[K];
#pragma unroll
    for (int t = 0; t < K; ++t) {
        y[t] = 0;
        next_upper[t] = upper[static_cast<int64_t>(rows - 1) * K + t];
    }
#pragma unroll 1
    for (int i = rows - 1; i >= 0; --i) {
        T x = next_x;
#pragma unroll
        for (int j = 0; j < K; ++j)
            x -= next_upper[j] * y[j];
        const int64_t before = i > 0 ? i - 1 : 0;
        next_x = lane < 2 * K ? spikes[before * 2 * K + lane] : T(0);
#pragma unroll
        for (int j = 0; j < K; ++j)
            next_upper[j] = upper[before * K + j];
        sb_cut_push(K, y, x);
        if (lane < 2 * K)
            spikes[static_cast<int64_t>(i) * 2 * K + lane] = x;
        if (!(sb_abs1(x) <= least_spike())) {
            head = lane < K ? max(head, i + 1) : head;
            tail = lane >= K ? max(tail, rows - i) : tail;
        }
    }
    __syncwarp();
    head = __reduce_max_sync(~0u, head);
    tail = __reduce_max_sync(~0u, tail);
    const R growth = largest_of(growth_of<K>(job, transposed, first, rows, scale, upper, spikes));
    if (lane == 0)
        all.reach[piece] = {{head, tail}, static_cast<float>(growth), bad};
}

/* The equations of all pieces' ends, inverted: a thread a column of (matrix | inverse), with interchanges of rows. The second block
   does it for the transposed. */
template <int K>
__global__ void __launch_bounds__(2 * SB_PIECES_MOST_ORDER)
    invert_ends(const __grid_constant__ pieces plain, const __grid_constant__ pieces turned,
                const __grid_constant__ workshop with_plain, const __grid_constant__ workshop with_turned)
{
    const pieces &all = blockIdx.x ? turned : plain;
    __shared__ T factor[SB_PIECES_MOST_ORDER];
    __shared__ int chosen;
    const int order = static_cast<int>(all.order), width = 2 * order, column = static_cast<int>(threadIdx.x);
    T *mine = (blockIdx.x ? with_turned : with_plain).square + column;
    for (int r = 0; r < order; ++r)
        mine[r * width] = column % order == r ? T(1) : T(0);
    __syncthreads();
    if (column < 2 * K)
        for (int r = 0; r < order; ++r) {
            const int piece = r / (2 * K), i = row_of_end<K>(all, r);
            const int other = column < K ? (piece + all.count - 1) % all.count * 2 * K + K + column
                                         : (piece + 1) % all.count * 2 * K + column - K;
            mine[r * width + other - column] += all.spikes[static_cast<int64_t>(i) * 2 * K + column];
        }
    __syncthreads();
    bool regular = true;
    for (int i = 0; i < order; ++i) {
        for (int r = column; r < order; r += width)
            factor[r] = mine[r * width + i - column];
        __syncthreads();
        if (column == 0) {
            chosen = i;
            for (int r = i + 1; r < order; ++r)
                if (sb_abs1(factor[r]) > sb_abs1(factor[chosen]))
                    chosen = r;
        }
        __syncthreads();
        const T pivot = factor[chosen];
        regular = regular && sb_abs1(pivot) > 0 && sb_finite(pivot);
        const T top = mine[chosen * width] / pivot;
        mine[chosen * width] = mine[i * width];
        if (sb_abs1(top) > 0 || !sb_finite(top)) /* most are zeros in the beginning */
            for (int r = 0; r < order; ++r) {
                const T taken = factor[r == chosen ? i : r];
                if (r != i && (sb_abs1(taken) > 0 || !sb_finite(taken)))
                    mine[r * width] -= taken * top;
            }
        mine[i * width] = top;
        __syncthreads();
    }
    for (int r = 0; r < order && column >= order; ++r)
        all.inverse[(column - order) * order + r] = mine[r * width];
    __syncthreads();
    if (column < order) {
        short2 some = {static_cast<short>(order), 0};
        for (int c = 0; c < order; ++c)
            if (!(sb_abs1(all.inverse[c * order + column]) <= least_spike())) {
                some.x = min(some.x, static_cast<short>(c));
                some.y = static_cast<short>(c + 1);
            }
        all.matters[column] = some;
    }
    if (column == 0 && !regular)
        all.reach[all.count - 1].bad = min(all.reach[all.count - 1].bad, all.n - 1);
}

/* One record of all pieces. */
__global__ void settle_pieces(const __grid_constant__ sb_cuda_job job, const __grid_constant__ pieces plain,
                              const __grid_constant__ pieces turned)
{
    sb_cuda_matrix record = {SB_CUDA_GOOD, 0, 0};
    for (int p = 0; p < plain.count; ++p) {
        const sb_cuda_matrix &one = plain.records[p];
        record.growth = fmaxf(record.growth, one.growth);
        record.flags |= one.flags;
        record.outcome = record.outcome == SB_CUDA_GOOD ? one.outcome : record.outcome;
    }
    for (int transposed = 0; transposed < 2; ++transposed)
        for (int p = 0; p < plain.count; ++p) {
            const sb_pieces_reach &met = (transposed ? turned : plain).reach[p];
            sb_tile_worsen(&record, job, transposed, met.bad, met.growth);
        }
    *job.matrix = record;
}

} // namespace

#endif
