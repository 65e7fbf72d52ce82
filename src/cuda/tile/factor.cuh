/* The factors of a shared matrix, once a plan, by one block of threads, among which are dealt in turn rows of the matrix, chunks to eliminate,
 * columns of their spikes, chunks' separators, entries of each chain of them (team.cuh), and the inverse of what couples the blocks. */
#ifndef SB_CUDA_TILE_FACTOR_CUH
#define SB_CUDA_TILE_FACTOR_CUH

#include <limits.h>

#include "src/chunk/cut.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/method.h"
#include "src/cuda/tile/strided.h"
#include "src/cuda/tile/team.cuh"

namespace
{

/* TRANSPOSED_GROWTH: what the transposed may grow more, its growth being one of norms and not of each row. */
enum { SB_TILE_FACTOR_THREADS = 256, SB_TILE_TRANSPOSED_GROWTH = 2 };

/* What is factored: the matrix or its transposed, or some rows, from `base` on, and of what is in them what is in their columns. */
struct sb_tile_slice {
    int base, count;
    bool ring, transposed;
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

/* A(i, i + j) of the job's matrix, or of the transposed. */
__device__ T sb_tile_entry(const sb_cuda_job &job, bool transposed, int i, int j)
{
    int n = (int)job.n;
    if (!transposed)
        return sb_entry(job, 0, n, i, j);
    int row = i + j;
    if (row < 0 || row >= n) {
        if (!job.periodic)
            return 0;
        row = (row + n) % n;
    }
    return sb_entry(job, 0, n, row, -j);
}

/* Fills the thread's rows of the band; returns their largest entry. Empty places are rows of the identity. */
template <int K>
__device__ R sb_tile_fill(const sb_cuda_job &job, const sb_tile_slice &of, const sb_tile_cut &cut, T *stored)
{
    const int places = cut.blocks * cut.chunks * cut.slots;
    R largest = 0;
    for (int at = threadIdx.x; at < places; at += SB_TILE_FACTOR_THREADS) {
        const sb_tile_piece piece = sb_tile_piece_of<K>(cut, stored, at / cut.slots);
        const int i = at % cut.slots, row = piece.first + i - piece.front;
        for (int j = -K; j <= K; ++j) {
            const bool inside = of.ring || (row + j >= 0 && row + j < of.count);
            T a = i < piece.front ? (T)(j == 0)
                  : inside        ? sb_tile_entry(job, of.transposed, of.base + row, j)
                                  : T(0);
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

template <int K> __device__ R sb_tile_eliminate(const sb_tile_piece &piece, R scale, int *bad)
{
    R growth = sb_cut_eliminate(K, min(piece.front, piece.end), piece.end, piece.band, scale, piece.forward,
                                piece.back, bad);
    if (*bad >= 0)
        *bad = piece.first + *bad - piece.front;
    return growth;
}

/* The thread's columns of the spikes. */
template <int K> __device__ void sb_tile_spikes(const sb_tile_cut &cut, T *stored)
{
    for (int at = threadIdx.x; at < cut.blocks * cut.chunks * 2 * K; at += SB_TILE_FACTOR_THREADS) {
        const sb_tile_piece piece = sb_tile_piece_of<K>(cut, stored, at / (2 * K));
        sb_cut_spike(K, min(piece.front, piece.end), piece.end, piece.band, piece.forward, piece.back,
                     at % (2 * K), piece.spike);
    }
}

/* The largest of the thread's rows of them. Those of separators and of empty places are zeros. */
template <int K> __device__ R sb_tile_spikes_growth(const sb_tile_cut &cut, T *stored, R scale)
{
    const sb_tile_parts parts = sb_tile_layout(&cut);
    R largest = 0;
    for (int at = threadIdx.x; at < cut.blocks * cut.chunks * cut.slots; at += SB_TILE_FACTOR_THREADS)
        largest = sb_grow_to(largest, sb_cut_spikes_size(K, stored + parts.band + at * (2 * K + 1), scale,
                                                         stored + parts.spike + at * 2 * K));
    return largest;
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

/* The largest entry of the equations of one separator block. */
template <int K> __device__ R sb_tile_row_size(const sb_team<K> &team, const T *reduced)
{
    R mine = 0;
#pragma unroll
    for (int i = 0; i < 3; ++i)
        mine = sb_larger(mine, sb_abs1(reduced[i * K * K + team.entry]));
    return team.largest(mine);
}

/* The row sum of a link's spikes, weighted as those of chunks are. What they multiply is taken from y, so that y is
   larger than x by as much: the chain alone may grow from end to end where the matrix, a ring, does not. */
template <int K> __device__ R sb_tile_spikes_size(const sb_team<K> &team, T P, T Q, const T *reduced, R scale)
{
    const R sum = team.sum_of_row(sb_abs1(P) + sb_abs1(Q));
    return scale > 0 ? sum * (sb_tile_row_size<K>(team, reduced) / scale) : sum;
}

/* The chain of a block, which has the team's number: block Thomas over all separators but its last, and its spikes. Returns the growth:
   the largest product met over its row, or spikes' row sum, of the lane's own entries. */
template <int K>
__device__ R sb_tile_chain(const sb_tile_cut &cut, T *stored, const sb_team<K> &team, R scale, int *bad)
{
    const sb_tile_parts parts = sb_tile_layout(&cut);
    const int block = team.number, length = cut.chunks - 1;
    const bool own = team.row == team.column;
    const T *reduced = stored + parts.reduced + (int64_t)block * cut.chunks * 3 * K * K;
    T *link = stored + parts.link + (int64_t)block * cut.chunks * SB_TILE_LINK * K * K;
    T upper = 0, P = 0;
    R growth = 0;
    for (int c = 0; c < length; ++c, reduced += 3 * K * K, link += SB_TILE_LINK * K * K) {
        const T A = reduced[team.entry], B = reduced[K * K + team.entry], C = reduced[2 * K * K + team.entry];
        const T product = -team.multiply(A, upper);
        const R rows = scale > 0 ? scale : sb_tile_row_size<K>(team, reduced);
        /* Off a row's own coefficient the row alone says what is large: see sb_meet_own in penta_chain.h. */
        growth = sb_grow_beside(growth, sb_abs1(product), rows, team.largest_of_row(sb_abs1(A)),
                                own ? sb_abs1(B) : rows, own);
        const T inverse = team.inverse(B + product);
        if (!sb_finite(inverse) && *bad < 0)
            *bad = block * cut.block_rows + sb_tile_start(&cut, block, c + 1) - 1;
        const T lower = -team.multiply(inverse, A);
        upper = team.multiply(inverse, C);
        P = c == 0 ? lower : team.multiply(lower, P);
        T *mine = link + team.entry;
        mine[SB_TILE_L * K * K] = c == 0 ? T(0) : lower;
        mine[SB_TILE_U * K * K] = c == length - 1 ? T(0) : -upper;
        mine[SB_TILE_P * K * K] = P;
        T *E = link + SB_TILE_E * K * K + team.row * 2 * K + team.column;
        E[0] = team.multiply(inverse, E[0]);
        E[K] = team.multiply(inverse, E[K]);
        T *W = mine + (SB_TILE_LINK + SB_TILE_W) * K * K;
        *W = team.multiply(inverse, *W);
    }
    T Q = -upper;
    for (int c = length - 1; c >= 0; --c) {
        reduced -= 3 * K * K;
        link -= SB_TILE_LINK * K * K;
        T *mine = link + team.entry;
        if (c < length - 1) {
            const T U = mine[SB_TILE_U * K * K];
            P = mine[SB_TILE_P * K * K] + team.multiply(U, P);
            Q = team.multiply(U, Q);
        }
        mine[SB_TILE_P * K * K] = P;
        mine[SB_TILE_Q * K * K] = Q;
        growth = sb_grow_to(growth, sb_tile_spikes_size<K>(team, P, Q, reduced, scale));
    }
    return growth;
}

/* The equations of the blocks' ends, rows of a (blocks k) square matrix of zeros, closed into a ring, and the multipliers
   of the chains' first and last y in them. */
template <int K>
__device__ void sb_tile_close(const sb_tile_cut &cut, T *stored, const sb_team<K> &team, T *matrix)
{
    const sb_tile_parts parts = sb_tile_layout(&cut);
    const int block = team.number, last = (block + 1) * cut.chunks - 1, next = (block + 1) % cut.blocks,
              before = (block + cut.blocks - 1) % cut.blocks;
    const T *reduced = stored + parts.reduced + (int64_t)last * 3 * K * K + team.entry;
    T A = reduced[0], B = reduced[K * K], C = reduced[2 * K * K];
    T *edge = stored + parts.edge + team.entry;
    edge[(2 * block + 1) * K * K] = -A;
    edge[2 * next * K * K] = -C;
    if (cut.chunks > 1) {
        const T *link = stored + parts.link + team.entry;
        const T *tail = link + (int64_t)(last - 1) * SB_TILE_LINK * K * K;
        const T *head = link + (int64_t)next * cut.chunks * SB_TILE_LINK * K * K;
        B += team.multiply(A, tail[SB_TILE_Q * K * K]) + team.multiply(C, head[SB_TILE_P * K * K]);
        A = team.multiply(A, tail[SB_TILE_P * K * K]);
        C = team.multiply(C, head[SB_TILE_Q * K * K]);
    }
    /* All three may be one block. */
    T *row = matrix + (block * K + team.row) * cut.blocks * K + team.column;
    row[before * K] += A;
    row[block * K] += B;
    row[next * K] += C;
}

/* What the block's threads tell each other of a step of the elimination: the column that goes, and which rows changed places. */
template <int MOST> struct sb_tile_steps {
    T factor[MOST];
    int pivot[MOST];
};

/* Gauss-Jordan in place with row interchanges, where they are needed: a column is dealt to some threads, row by row. */
template <int MOST> __device__ bool sb_tile_invert(int order, T *matrix, sb_tile_steps<MOST> *steps, T *inverse)
{
    const int t = threadIdx.x, c = t % order, turns = SB_TILE_FACTOR_THREADS / order,
              first = t / order < turns ? t / order : order;
    bool regular = true;
    for (int i = 0; i < order; ++i) {
        const bool fits = t <= i || t >= order || sb_own_beside(order, matrix, i, t);
        const bool own = __syncthreads_and(fits) && sb_abs1(matrix[i * order + i]) > 0;
        int pivot = i;
        for (int r = i + 1; r < order && !own; ++r)
            if (sb_abs1(matrix[r * order + i]) > sb_abs1(matrix[pivot * order + i]))
                pivot = r;
        const T scale = matrix[pivot * order + i], top = (c == i ? T(1) : matrix[pivot * order + c]) / scale,
                moved = c == i ? T(0) : matrix[i * order + c];
        regular = regular && sb_abs1(scale) > 0 && sb_finite(scale);
        if (t < order)
            steps->factor[t] = matrix[(t == pivot ? i : t) * order + i];
        if (t == 0)
            steps->pivot[i] = pivot;
        __syncthreads();
        for (int r = first; r < order; r += turns) {
            const T before = r == pivot ? moved : c == i ? T(0) : matrix[r * order + c];
            matrix[r * order + c] = r == i ? top : before - steps->factor[r] * top;
        }
        __syncthreads();
    }
    /* Rows that changed places are columns of the inverse that do. */
    int column = c;
    for (int i = order - 1; i >= 0; --i) {
        const int other = steps->pivot[i];
        column = column == i ? other : column == other ? i : column;
    }
    for (int r = first; r < order; r += turns)
        inverse[r * order + column] = matrix[r * order + c];
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

/* What a block has met, kept where the separators' equations were, which nothing reads after it. */
struct sb_tile_met {
    float growth;
    int bad;
};
static_assert(sizeof(sb_tile_met) <= 3 * sizeof(T));

__device__ sb_tile_met *sb_tile_met_at(const sb_tile_cut &cut, T *stored, int block)
{
    const sb_tile_parts parts = sb_tile_layout(&cut);
    return reinterpret_cast<sb_tile_met *>(stored + block * parts.total + parts.reduced);
}

/* Growth is measured row by row, as on the CPU; that of the transposed against the largest entry of all, since its rows
   are the columns of what was given and need not be of one size. Of two blocks the first one factors cut.n rows, those of the first two
   from `base` on, the second one the transposed, into tables of their own. */
template <int K>
__global__ void __launch_bounds__(SB_TILE_FACTOR_THREADS)
    sb_tile_factor_shared(const __grid_constant__ sb_cuda_job job, sb_tile_cut cut, T *all, int base)
{
    constexpr int ORDER = SB_TILE_MOST_BLOCKS(sizeof(T), K) * K;
    static_assert(ORDER * K <= SB_TILE_FACTOR_THREADS, "a team for every block");
    __shared__ T matrix[ORDER * ORDER];
    __shared__ sb_tile_steps<ORDER> steps;
    __shared__ int first_bad;
    __shared__ unsigned largest, widest;
    int t = threadIdx.x, bad = -1, total = cut.blocks * cut.chunks;
    const sb_tile_parts parts = sb_tile_layout(&cut);
    const sb_tile_slice of = {base + static_cast<int>(blockIdx.x / 2) * cut.n, cut.n,
                              job.periodic && cut.n == job.n, blockIdx.x % 2 != 0};
    R growth = 0, scale = 0;
    T *stored = all + blockIdx.x * parts.total, *link = stored + parts.link;
    if (t == 0) {
        first_bad = INT_MAX;
        largest = widest = 0;
    }
    __syncthreads();
    atomicMax(&widest, __float_as_uint((float)sb_tile_fill<K>(job, of, cut, stored)));
    __syncthreads();
    if (of.transposed)
        scale = __uint_as_float(widest);
    if (t < total)
        growth = sb_tile_eliminate<K>(sb_tile_piece_of<K>(cut, stored, t), scale, &bad);
    __syncthreads();
    sb_tile_spikes<K>(cut, stored);
    __syncthreads();
    growth = sb_grow_to(growth, sb_tile_spikes_growth<K>(cut, stored, scale));
    int next = (t + 1) % total;
    if (t < total)
        growth = sb_grow_to(growth, sb_tile_reduce<K>(sb_tile_piece_of<K>(cut, stored, t),
                                                      sb_tile_piece_of<K>(cut, stored, next),
                                                      stored + parts.reduced + (int64_t)t * 3 * K * K,
                                                      link + (int64_t)t * SB_TILE_LINK * K * K,
                                                      link + (int64_t)next * SB_TILE_LINK * K * K));
    for (int i = t; i < ORDER * ORDER; i += SB_TILE_FACTOR_THREADS)
        matrix[i] = 0;
    __syncthreads();
    const sb_team<K> team(t);
    if (team.number < cut.blocks)
        growth = sb_grow_to(growth, sb_tile_chain<K>(cut, stored, team, scale, &bad));
    __syncthreads();
    if (team.number < cut.blocks)
        sb_tile_close<K>(cut, stored, team, matrix);
    __syncthreads();
    if (!sb_tile_invert<ORDER>(cut.blocks * K, matrix, &steps, stored + parts.inverse))
        bad = bad < 0 ? cut.n - 1 : bad;
    if (bad >= 0)
        atomicMin(&first_bad, bad);
    atomicMax(&largest, __float_as_uint((float)growth));
    __syncthreads();
    if (t == 0)
        *sb_tile_met_at(cut, all, static_cast<int>(blockIdx.x)) = {
            __uint_as_float(largest), first_bad == INT_MAX ? INT_MAX : of.base + first_bad};
}

/* A record of each slice, which the matrix begins and the transposed makes worse. */
__global__ void __launch_bounds__(SB_TILE_FACTOR_THREADS)
    sb_tile_settle_slices(const __grid_constant__ sb_cuda_job job, sb_tile_cut cut, T *stored, int slices,
                          sb_cuda_matrix *records)
{
    const int slice = static_cast<int>(blockIdx.x) * SB_TILE_FACTOR_THREADS + static_cast<int>(threadIdx.x);
    if (slice >= slices)
        return;
    sb_cuda_matrix record = {SB_CUDA_GOOD, 0, 0};
    for (int transposed = 0; transposed < 2; ++transposed) {
        const sb_tile_met met = *sb_tile_met_at(cut, stored, 2 * slice + transposed);
        sb_tile_worsen(&record, job, transposed, met.bad, met.growth);
    }
    records[slice] = record;
}

} // namespace

#endif
