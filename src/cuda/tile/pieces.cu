/* Lines of one matrix that are too long for tile: a piece of each at a time, by tile, as if nothing were before or behind it; then the
 * unknowns at the pieces' ends, by the inverse of what couples them; and what those add to the unknowns of rows that spikes reach.
 * Words a row: by tile 1 read, 1 written; of rows that spikes reach x read, x written: 2 for matrices whose couplings die away, else 4.
 * Spikes and tables are all systems' and stay in the second-level cache. */
#include <algorithm>

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/spikes.cuh"

extern "C" {
extern const sb_cuda_launchers SB_NAME(cuda_tile);
cudaError_t SB_NAME(tile_factor_pieces)(const sb_cuda_call *call, int64_t base, int64_t pieces,
                                        sb_cuda_matrix *records);
}

namespace
{

/* TOGETHER: numbers that a lane asks for before it looks at the first one; with four of c128, bands of 4 + 4 took longer. SHARE: the
   most systems of a block whose lanes are rows. */
enum {
    GROUP = sizeof(T) == 16 ? 2 : 4,
    ENDS_THREADS = 256,
    ROW_THREADS = 128,
    TOGETHER = sizeof(T) == 16 ? 2 : 8,
    SHARE = 32
};

__device__ __forceinline__ bool is_solved(const sb_cuda_job &job)
{
    return job.matrix->outcome == SB_CUDA_GOOD && !(job.matrix->flags & sb_cuda_unsafe(job.transposed));
}

__device__ __forceinline__ T turned_by(const sb_cuda_job &job, T a)
{
    return SB_COMPLEX && job.conjugate ? sb_conj(a) : a;
}

/* Of GROUP systems what stands at the ends of all pieces. */
struct at_ends {
    T of[GROUP][SB_PIECES_MOST_ORDER];
};

/* Adds the inverse times `right` to `sum`. */
__device__ __forceinline__ void add_solution(const pieces &all, const at_ends &right, at_ends *sum)
{
    const int order = static_cast<int>(all.order);
    for (int r = static_cast<int>(threadIdx.x); r < order; r += ENDS_THREADS) {
        const short2 some = all.matters[r];
        T more[GROUP] = {};
#pragma unroll 8
        for (int c = some.x; c < some.y; ++c) {
            const T weight = all.inverse[c * order + r];
#pragma unroll
            for (int s = 0; s < GROUP; ++s)
                more[s] += weight * right.of[s][c];
        }
#pragma unroll
        for (int s = 0; s < GROUP; ++s)
            sum->of[s][r] += more[s];
    }
    __syncthreads();
}

/* Takes from `right` what these unknowns make of it. */
template <int K>
__device__ __forceinline__ void take_residual(const pieces &all, const at_ends &ends, at_ends *right)
{
    const int order = static_cast<int>(all.order);
    for (int r = static_cast<int>(threadIdx.x); r < order; r += ENDS_THREADS) {
        const T *spikes = all.spikes + static_cast<int64_t>(row_of_end<K>(all, r)) * 2 * K;
        const int before = (r / (2 * K) + all.count - 1) % all.count * 2 * K + K,
                  behind = (r / (2 * K) + 1) % all.count * 2 * K;
#pragma unroll
        for (int s = 0; s < GROUP; ++s)
            right->of[s][r] -= ends.of[s][r];
#pragma unroll
        for (int j = 0; j < K; ++j)
#pragma unroll
            for (int s = 0; s < GROUP; ++s)
                right->of[s][r] -= spikes[j] * ends.of[s][before + j] + spikes[K + j] * ends.of[s][behind + j];
    }
    __syncthreads();
}

/* The unknowns at the ends of all pieces of GROUP systems, by what tile has found there; and whether tile has found all. What an inverse
   makes of a right-hand side is refined once: else residuals would show how large it is. */
template <int K>
__global__ void __launch_bounds__(ENDS_THREADS)
    solve_ends(const __grid_constant__ sb_cuda_job job, const __grid_constant__ pieces all)
{
    __shared__ at_ends right, ends;
    __shared__ unsigned spoilt;
    const int64_t begin = static_cast<int64_t>(blockIdx.x) * GROUP;
    const int order = static_cast<int>(all.order),
              systems = static_cast<int>(min(static_cast<int64_t>(GROUP), job.systems - begin));
    sb_follow();
    if (!is_solved(job))
        return;
    if (threadIdx.x == 0)
        spoilt = 0;
    __syncthreads();
    const T *x = static_cast<const T *>(job.x);
    for (int e = static_cast<int>(threadIdx.x); e < GROUP * order; e += ENDS_THREADS) {
        const int s = e / order, r = e % order;
        right.of[s][r] =
            s < systems
                ? turned_by(job,
                            x[sb_line_of(job, job.x_at, begin + s) + row_of_end<K>(all, r) * job.x_at.line])
                : T(0);
        ends.of[s][r] = 0;
    }
    for (int e = static_cast<int>(threadIdx.x); e < systems * all.count; e += ENDS_THREADS)
        if (all.outcomes[e / systems * job.systems + begin + e % systems] != SB_CUDA_GOOD)
            atomicOr(&spoilt, 1u << e % systems);
    __syncthreads();
    add_solution(all, right, &ends);
    take_residual<K>(all, ends, &right);
    add_solution(all, right, &ends);
    for (int e = static_cast<int>(threadIdx.x); e < systems * order; e += ENDS_THREADS) {
        const T value = ends.of[e / order][e % order];
        all.ends[begin * order + e] = value;
        if (!sb_finite(value))
            atomicOr(&spoilt, 1u << e / order);
    }
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < systems)
        job.system[begin + threadIdx.x] =
            spoilt >> threadIdx.x & 1 ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1) : SB_CUDA_GOOD;
}

/* Where those unknowns of a system are that stand before a piece, K of them, and behind it. */
template <int K> __device__ __forceinline__ int beside(const pieces &all, int piece, int j)
{
    return j < K ? (piece + all.count - 1) % all.count * 2 * K + K + j
                 : (piece + 1) % all.count * 2 * K + j - K;
}

/* Which row of a piece is the k-th that spikes reach, of how many. */
struct reached {
    int head, count, gap;

    __device__ __forceinline__ reached(const sb_pieces_reach &of, int rows)
        : head(of.reach[0]), count(min(of.reach[0] + of.reach[1], rows)), gap(rows - count)
    {
    }
    __device__ __forceinline__ int row(int k) const
    {
        return k < head ? k : k + gap;
    }
};

template <int K> struct spikes_of_row {
    T at[2 * K];

    __device__ __forceinline__ spikes_of_row(const pieces &all, int64_t row)
    {
#pragma unroll
        for (int j = 0; j < 2 * K; ++j)
            at[j] = all.spikes[row * 2 * K + j];
    }
    /* Without what the unknowns beside the piece make of it. */
    __device__ __forceinline__ T less(T x, const T *beside) const
    {
#pragma unroll
        for (int j = 0; j < 2 * K; ++j)
            x -= at[j] * beside[j];
        return x;
    }
};

/* Which of the unknowns at a piece's ends row i has, and -1 if none. */
template <int K> __device__ __forceinline__ int own_end(int rows, int i)
{
    return i < K ? i : i >= rows - K ? i - rows + 2 * K : -1;
}

__device__ __forceinline__ void put(const sb_cuda_job &job, int64_t system, T value, T *x)
{
    *x = turned_by(job, value);
    if (!sb_finite(value))
        job.system[system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

/* Which of a launch's blocks one is: of lanes that are next to each other, x of them; y of what they go through; each piece has
   as many. */
struct blocks {
    unsigned x, y;
    int each; /* systems of a block whose lanes are rows */

    __device__ __forceinline__ int lane() const
    {
        return static_cast<int>(blockIdx.x % x * ROW_THREADS + threadIdx.x);
    }
    __device__ __forceinline__ int lanes() const
    {
        return static_cast<int>(x * ROW_THREADS);
    }
    __device__ __forceinline__ int turn() const
    {
        return static_cast<int>(blockIdx.x / x % y);
    }
    __device__ __forceinline__ int piece() const
    {
        return static_cast<int>(blockIdx.x / x / y);
    }
};

/* Rows next to each other: a lane has one, of `each` systems, whose places and unknowns beside the piece are looked up once. */
template <int K>
__global__ void __launch_bounds__(ROW_THREADS)
    mend_along(const __grid_constant__ sb_cuda_job job, const __grid_constant__ pieces all,
               const __grid_constant__ blocks mine)
{
    __shared__ T ends_beside[SHARE][2 * K];
    __shared__ int64_t line[SHARE];
    sb_follow();
    if (!is_solved(job))
        return;
    const int64_t first = static_cast<int64_t>(mine.turn()) * mine.each;
    const int piece = mine.piece(), rows = all.rows_of(piece),
              systems = static_cast<int>(min(static_cast<int64_t>(mine.each), job.systems - first));
    const reached which(all.reach[piece], rows);
    for (int e = static_cast<int>(threadIdx.x); e < systems * 2 * K; e += ROW_THREADS)
        ends_beside[e / (2 * K)][e % (2 * K)] =
            all.ends[(first + e / (2 * K)) * all.order + beside<K>(all, piece, e % (2 * K))];
    if (static_cast<int>(threadIdx.x) < systems)
        line[threadIdx.x] = sb_line_of(job, job.x_at, first + threadIdx.x);
    __syncthreads();
    for (int k = mine.lane(); k < which.count; k += mine.lanes()) {
        const int i = which.row(k), own = own_end<K>(rows, i);
        const int64_t row = all.first(piece) + i;
        const spikes_of_row<K> spikes(all, row);
        T *x = static_cast<T *>(job.x) + row * job.x_at.line;
        for (int begin = 0; begin < systems; begin += TOGETHER) {
            T value[TOGETHER];
#pragma unroll
            for (int s = 0; s < TOGETHER; ++s)
                value[s] = x[line[min(begin + s, systems - 1)]];
#pragma unroll
            for (int s = 0; s < TOGETHER; ++s)
                value[s] = spikes.less(turned_by(job, value[s]), ends_beside[min(begin + s, systems - 1)]);
#pragma unroll
            for (int s = 0; s < TOGETHER; ++s)
                if (begin + s < systems)
                    put(job, first + begin + s,
                        own < 0 ? value[s] : all.ends[(first + begin + s) * all.order + piece * 2 * K + own],
                        x + line[begin + s]);
        }
    }
}

/* Systems next to each other: a lane has one, and TOGETHER rows of it at once. */
template <int K>
__global__ void __launch_bounds__(ROW_THREADS)
    mend_across(const __grid_constant__ sb_cuda_job job, const __grid_constant__ pieces all,
                const __grid_constant__ blocks mine)
{
    sb_follow();
    if (!is_solved(job))
        return;
    const int64_t system = mine.lane();
    const int piece = mine.piece(), rows = all.rows_of(piece);
    const reached which(all.reach[piece], rows);
    if (system >= job.systems)
        return;
    const T *ends = all.ends + system * all.order;
    T *x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, system) + all.first(piece) * job.x_at.line;
    T ends_beside[2 * K];
#pragma unroll
    for (int j = 0; j < 2 * K; ++j)
        ends_beside[j] = ends[beside<K>(all, piece, j)];
    for (int begin = mine.turn() * TOGETHER; begin < which.count;
         begin += static_cast<int>(mine.y) * TOGETHER) {
        T value[TOGETHER];
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r)
            value[r] = x[which.row(min(begin + r, which.count - 1)) * job.x_at.line];
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r) {
            const int i = which.row(min(begin + r, which.count - 1));
            value[r] = spikes_of_row<K>(all, all.first(piece) + i).less(turned_by(job, value[r]), ends_beside);
        }
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r)
            if (begin + r < which.count) {
                const int i = which.row(begin + r), own = own_end<K>(rows, i);
                put(job, system, own < 0 ? value[r] : ends[piece * 2 * K + own], x + i * job.x_at.line);
            }
    }
}

/* A call of tile for the even pieces, or for the last one, whose plan this is: to factor, all of the matrix' rows are known. */
sb_cuda_call to_factor(const sb_cuda_call *call, const sb_pieces_shape &s, bool last, const sb_tile_plan &plan)
{
    sb_cuda_call one = *call;
    one.state = reinterpret_cast<const int64_t *>(&plan);
    one.job.stored = static_cast<T *>(call->job.stored) + (last ? s.even * s.tables[0] : 0);
    return one;
}

sb_cuda_call to_solve(const sb_cuda_call *call, const sb_pieces_shape &s, bool last, const sb_tile_plan &plan)
{
    const int64_t piece = last ? s.even : 0, first = piece * s.rows;
    sb_cuda_call one = to_factor(call, s, last, plan);
    sb_cuda_job &job = one.job;
    job.n = last ? s.rest : s.rows;
    job.b = static_cast<const T *>(job.b) + first * job.b_at.line;
    job.x = static_cast<T *>(job.x) + first * job.x_at.line;
    job.system = reinterpret_cast<sb_cuda_outcome *>(static_cast<char *>(job.scratch) + s.outcomes_at) +
                 piece * job.systems;
    job.scratch = static_cast<unsigned *>(job.scratch) + piece * SB_TILE_TAKEN;
    return one;
}

template <int K> cudaError_t factor_by(const sb_cuda_call *call, const sb_pieces_shape &s)
{
    const sb_cuda_job &job = call->job;
    const pieces plain = pieces_of(s, job, false), turned = pieces_of(s, job, true);
    const workshop with_plain = workshop_of(s, plain, false), with_turned = workshop_of(s, turned, true);
    const sb_cuda_call evens = to_factor(call, s, false, s.evens), last = to_factor(call, s, true, s.last);
    cudaError_t error = SB_NAME(tile_factor_pieces)(&evens, 0, s.even, plain.records);
    if (!error && s.even < s.count)
        error = SB_NAME(tile_factor_pieces)(&last, s.even * s.rows, 1, plain.records + s.even);
    if (error)
        return error;
    find_spikes<K><<<static_cast<unsigned>(2 * plain.count), LANES, 0, call->stream>>>(job, plain, turned,
                                                                                       with_plain, with_turned);
    invert_ends<K><<<2, static_cast<unsigned>(2 * plain.order), 0, call->stream>>>(plain, turned, with_plain,
                                                                                   with_turned);
    settle_pieces<<<1, 1, 0, call->stream>>>(job, plain, turned);
    return cudaGetLastError();
}

/* How many rows spikes reach is known to the device alone: there are blocks for some, which go on to the others. Where lanes are rows,
   four, or more where all of them would not fill the device; where they are systems, for four times as many as fill it. */
blocks blocks_of(const sb_cuda_call *call, const sb_pieces_shape &s)
{
    const int64_t four = 4, systems = call->job.systems,
                  room = 2048 / ROW_THREADS * static_cast<int64_t>(call->setup->device->processors);
    int each = TOGETHER;
    if (s.lines) {
        while (each < SHARE && systems * s.count >= 2 * room * each)
            each *= 2;
        const int64_t most = (s.rows + ROW_THREADS - 1) / ROW_THREADS, y = (systems + each - 1) / each;
        const int64_t x = std::min(most, std::max(four, room / (y * s.count)));
        return {static_cast<unsigned>(x), static_cast<unsigned>(y), each};
    }
    const int64_t most = (s.rows + each - 1) / each, x = (systems + ROW_THREADS - 1) / ROW_THREADS;
    const int64_t y = std::min(most, four * room / (x * s.count) + 1);
    return {static_cast<unsigned>(x), static_cast<unsigned>(y), each};
}

template <int K> cudaError_t solve_by(const sb_cuda_call *call, const sb_pieces_shape &s)
{
    const sb_cuda_job &job = call->job;
    const pieces all = pieces_of(s, job, job.transposed);
    const int major = call->setup->device->major;
    sb_tile_plan plan = s.evens;
    sb_tile_split &split = plan.form == SB_TILE_LINES ? plan.line.split : plan.strided.split;
    split.count = static_cast<int>(s.even);
    split.tables = s.tables[0];
    split.outcomes = job.systems;
    const sb_cuda_call evens = to_solve(call, s, false, plan), last = to_solve(call, s, true, s.last);
    cudaError_t error = SB_NAME(cuda_tile).solve(&evens);
    if (!error && s.even < s.count)
        error = SB_NAME(cuda_tile).solve(&last);
    error = error ? error
                  : sb_launch_following(major, solve_ends<K>,
                                        static_cast<unsigned>((job.systems + GROUP - 1) / GROUP), ENDS_THREADS,
                                        0, call->stream, job, all);
    if (error)
        return error;
    const blocks each = blocks_of(call, s);
    return sb_launch_following(major, s.lines ? mend_along<K> : mend_across<K>,
                               static_cast<unsigned>(each.x * each.y * s.count), ROW_THREADS, 0, call->stream,
                               job, all, each);
}

const sb_pieces_shape &shape_of(const sb_cuda_call *call)
{
    return *reinterpret_cast<const sb_pieces_shape *>(call->state);
}

cudaError_t factor(const sb_cuda_call *call)
{
    const sb_pieces_shape &s = shape_of(call);
    return s.k == 1 ? factor_by<1>(call, s) : s.k == 2 ? factor_by<2>(call, s) : factor_by<4>(call, s);
}

cudaError_t solve(const sb_cuda_call *call)
{
    const sb_pieces_shape &s = shape_of(call);
    return s.k == 1 ? solve_by<1>(call, s) : s.k == 2 ? solve_by<2>(call, s) : solve_by<4>(call, s);
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    sb_pieces_shape *s = reinterpret_cast<sb_pieces_shape *>(state);
    const cudaError_t error = SB_NAME(cuda_tile).ready(setup, reinterpret_cast<int64_t *>(&s->evens));
    return error ? error : SB_NAME(cuda_tile).ready(setup, reinterpret_cast<int64_t *>(&s->last));
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_pieces) = {factor, solve, NULL, ready};
