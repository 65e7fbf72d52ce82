/* Own tridiagonal matrices, lines side by side: 5 words a row.
 *
 * Threads and tiles as in strided.cuh, but every chunk is eliminated here: x = y + p x(separator before) + q x(own
 * separator) for its interior, in registers. Rows come by asynchronous copies into places of shared memory that belong to
 * one thread each, SB_OWN_AHEAD rows ahead and across tiles, so that nobody waits for anybody before the separators'
 * equations are posted. One thread a column eliminates the chain of separators and, where blocks of a cluster split the
 * rows, solves for the ends of all blocks; all blocks do so by the same sums. Growth is measured in every row and
 * gathered with the equations, before anything is written. */
#ifndef SB_CUDA_TILE_OWN_CUH
#define SB_CUDA_TILE_OWN_CUH

#include <cuda_pipeline_primitives.h>

#include "src/cuda/method.h"
#include "src/cuda/tile/strided.cuh"

namespace
{

constexpr int SB_OWN_AHEAD = sb_tile_slots / 2, SB_OWN_ARRAYS = SB_TILE_OWN_ARRAYS;

/* The words of an equation A x(before) + B x + c x(first row of the next) = E, of the first row behind the separator
   before, x(first) = Y + P x(before) + Q x(own); and what was met on the way. After the sweep, the first three are y, p and
   q of the separator itself. */
enum { SB_OWN_A, SB_OWN_B, SB_OWN_E, SB_OWN_C, SB_OWN_Y, SB_OWN_P, SB_OWN_Q, SB_OWN_GROWTH, SB_OWN_BAD };

/* Posted between chunks; sent between blocks, rounded up to 16 bytes. */
constexpr int SB_OWN_POSTS = SB_TILE_OWN_POSTS, SB_OWN_WORDS = SB_TILE_OWN_WORDS;
static_assert(SB_OWN_BAD + 1 == SB_OWN_POSTS && SB_OWN_WORDS * sizeof(T) % 16 == 0);

/* Growth and row numbers travel as scalars. */
__device__ __forceinline__ R sb_own_number(T a)
{
#if SB_COMPLEX
    return a.re;
#else
    return a;
#endif
}

struct sb_own_arrays {
    const T *lower, *diagonal, *upper, *b;
};

/* A column of a tile: where its rows lie for one thread's chunk. */
struct sb_own_cursor {
    const T *lower, *diagonal, *upper, *b;
    bool real;

    __device__ __forceinline__ sb_own_cursor(const sb_tile_own &job, const sb_own_arrays &arrays,
                                             const sb_tile_seat &seat, int tile, int row)
    {
        sb_tile_place place(job.tiles, tile);
        int64_t first = row + seat.row - seat.front;
        int64_t at = place.of(job.matrix_at) + first * job.matrix_at.row + seat.column * job.matrix_at.column;
        lower = arrays.lower + at;
        diagonal = arrays.diagonal + at;
        upper = arrays.upper + at;
        b = arrays.b ? arrays.b + place.of(job.tiles.grid.b_at) + first * job.tiles.grid.b_at.row +
                           seat.column * job.tiles.grid.b_at.column
                     : nullptr;
        real = tile < job.tiles.tiles && place.column + seat.column < job.tiles.grid.extent;
    }
    /* Row i of the chunk into its place; entries that leave the matrix are not read. */
    __device__ __forceinline__ void fetch(const sb_tile_own &job, const sb_tile_seat &seat, T *ring,
                                          int threads, int i, bool first_row, bool last_row) const
    {
        if (real && i >= seat.front) {
            T *to = ring + i % SB_OWN_AHEAD * SB_OWN_ARRAYS * threads;
            int64_t at = i * job.matrix_at.row;
            if (!first_row)
                __pipeline_memcpy_async(to, lower + at, sizeof(T));
            __pipeline_memcpy_async(to + threads, diagonal + at, sizeof(T));
            if (!last_row)
                __pipeline_memcpy_async(to + 2 * threads, upper + at, sizeof(T));
            if (b)
                __pipeline_memcpy_async(to + 3 * threads, b + i * job.tiles.grid.b_at.row, sizeof(T));
        }
        __pipeline_commit();
    }
};

struct sb_own_row {
    T a, b, c, d;
};

__device__ __forceinline__ float sb_own_ratio(T met, T a, T b, T c)
{
    return __fdividef((float)sb_abs1(met), (float)sb_larger(sb_abs1(a), sb_larger(sb_abs1(b), sb_abs1(c))));
}

/* A chunk: y, p, q of its interior, the separator's row, and growth. */
struct sb_own_chunk {
    T y[sb_tile_slots - 1], p[sb_tile_slots - 1], q[sb_tile_slots - 1];
    sb_own_row last;
    float growth;
    int bad;

    /* One row of the interior. Empty places repeat the separator before: x = x(before). */
    __device__ __forceinline__ void eliminate(int i, const sb_own_row &row)
    {
        T product = i > 0 ? row.a * q[i > 0 ? i - 1 : 0] : (T)0, pivot = row.b + product;
        T inverse = (T)1 / pivot;
        y[i] = (row.d - (i > 0 ? row.a * y[i > 0 ? i - 1 : 0] : (T)0)) * inverse;
        p[i] = -row.a * inverse * (i > 0 ? p[i > 0 ? i - 1 : 0] : (T)1);
        q[i] = -row.c * inverse;
        float met = sb_own_ratio(product, row.a, row.b, row.c);
        growth = met > growth ? met : growth;
        if ((!(sb_abs1(pivot) > 0) || !sb_finite(inverse)) && bad < 0)
            bad = i;
    }
    __device__ __forceinline__ void substitute()
    {
        float largest = 0;
#pragma unroll
        for (int i = sb_tile_slots - 2; i >= 0; --i) {
            if (i < sb_tile_slots - 2) {
                y[i] += q[i] * y[i + 1];
                p[i] += q[i] * p[i + 1];
                q[i] *= q[i + 1];
            }
            float sum = (float)sb_abs1(p[i]) + (float)sb_abs1(q[i]);
            largest = sum > largest ? sum : largest;
        }
        growth = largest > growth ? largest : growth;
    }
};

/* The chunk's words, `pitch` apart. */
__device__ __forceinline__ void sb_own_post(const sb_own_chunk &chunk, T *post, int pitch, int front,
                                            int first_row)
{
    constexpr int S = sb_tile_slots;
    T a = chunk.last.a, Y = chunk.y[0], P = chunk.p[0], Q = chunk.q[0];
    if (front > 0) {
        Y = P = 0;
        Q = 1;
#pragma unroll
        for (int i = 1; i < S - 1; ++i)
            if (i == front) {
                Y = chunk.y[i];
                P = chunk.p[i];
                Q = chunk.q[i];
            }
    }
    post[SB_OWN_A * pitch] = a * chunk.p[S - 2];
    post[SB_OWN_B * pitch] = chunk.last.b + a * chunk.q[S - 2];
    post[SB_OWN_E * pitch] = chunk.last.d - a * chunk.y[S - 2];
    post[SB_OWN_C * pitch] = chunk.last.c;
    post[SB_OWN_Y * pitch] = Y;
    post[SB_OWN_P * pitch] = P;
    post[SB_OWN_Q * pitch] = Q;
    post[SB_OWN_GROWTH * pitch] = chunk.growth;
    post[SB_OWN_BAD * pitch] = chunk.bad < 0 ? (R)-1 : (R)(first_row + chunk.bad - front);
}

/* One equation of a chain, its next taken in, eliminated with what the one before left. */
struct sb_own_link {
    T y, p, u; /* x = y + p x(end before) + u x(next) */
    float growth;
    bool broken;

    __device__ __forceinline__ sb_own_link(const sb_own_link &before, T A, T B, T E, T c, T Y, T P, T Q)
    {
        B += c * P;
        T C = c * Q, product = A * before.u, pivot = B + product, inverse = (T)1 / pivot;
        y = (E - c * Y - A * before.y) * inverse;
        p = -A * inverse * before.p;
        u = -C * inverse;
        growth = sb_larger(before.growth, sb_own_ratio(product, A, B, C));
        broken = !(sb_abs1(pivot) > 0) || !sb_finite(inverse);
    }
    __device__ __forceinline__ sb_own_link() : y(0), p(1), u(0), growth(0), broken(false)
    {
    }
};

/* One column's chain: y, p, q of every separator but the last in its first three words, and the block's words. */
__device__ __forceinline__ void sb_own_sweep(const sb_tile_cut &cut, T *post, int pitch, int block,
                                             T (&words)[SB_OWN_WORDS])
{
    int length = cut.chunks - 1, step = SB_OWN_POSTS * pitch, bad = -1;
    sb_own_link link;
    float growth = 0;
    for (int k = 0; k <= length; ++k) {
        const T *here = post + k * step;
        growth = sb_larger(growth, (float)sb_own_number(here[SB_OWN_GROWTH * pitch]));
        int row = (int)sb_own_number(here[SB_OWN_BAD * pitch]);
        bad = bad < 0 ? row : bad;
    }
    for (int k = 0; k < length; ++k) {
        T *here = post + k * step, *next = here + step;
        link = sb_own_link(link, here[SB_OWN_A * pitch], here[SB_OWN_B * pitch], here[SB_OWN_E * pitch],
                           here[SB_OWN_C * pitch], next[SB_OWN_Y * pitch], next[SB_OWN_P * pitch],
                           next[SB_OWN_Q * pitch]);
        if (link.broken && bad < 0)
            bad = block * cut.block_rows + sb_tile_start(&cut, block, k + 1) - 1;
        here[SB_OWN_A * pitch] = link.y;
        here[SB_OWN_B * pitch] = link.p;
        here[SB_OWN_E * pitch] = link.u;
    }
    const T *last = post + length * step;
    T y = 0, p = 0, q = 1, A = last[SB_OWN_A * pitch];
    words[SB_OWN_B] = last[SB_OWN_B * pitch] + A * link.u;
    words[SB_OWN_E] = last[SB_OWN_E * pitch] - A * link.y;
    words[SB_OWN_A] = A * link.p;
    for (int k = length - 1; k >= 0; --k) {
        T *here = post + k * step, u = here[SB_OWN_E * pitch];
        here[SB_OWN_A * pitch] = y = here[SB_OWN_A * pitch] + u * y;
        here[SB_OWN_B * pitch] = p = here[SB_OWN_B * pitch] + u * p;
        here[SB_OWN_E * pitch] = q = u * q;
    }
    T Q = post[SB_OWN_Q * pitch];
    words[SB_OWN_C] = last[SB_OWN_C * pitch];
    words[SB_OWN_Y] = post[SB_OWN_Y * pitch] + Q * y;
    words[SB_OWN_P] = post[SB_OWN_P * pitch] + Q * p;
    words[SB_OWN_Q] = Q * q;
    words[SB_OWN_GROWTH] = (R)sb_larger(growth, link.growth);
    words[SB_OWN_BAD] = (R)bad;
    for (int i = SB_OWN_POSTS; i < SB_OWN_WORDS; ++i)
        words[i] = 0;
}

/* What all threads of a column need to finish. */
struct sb_own_ends {
    T before, own;
    float growth;
    int bad;
};
static_assert(sizeof(sb_own_ends) <= SB_TILE_OWN_ENDS_BYTES);

/* The ends of all blocks from their words, solved by every block alike. */
__device__ __forceinline__ sb_own_ends sb_own_solve(const sb_tile_cut &cut, T *words, int step, int block)
{
    sb_own_link link;
    sb_own_ends ends = {0, 0, 0, -1};
    for (int r = 0; r < cut.blocks; ++r) {
        T *here = words + r * step, *next = words + (r + 1 < cut.blocks ? r + 1 : r) * step;
        T c = r + 1 < cut.blocks ? here[SB_OWN_C] : (T)0;
        ends.growth = sb_larger(ends.growth, (float)sb_own_number(here[SB_OWN_GROWTH]));
        ends.bad = ends.bad < 0 ? (int)sb_own_number(here[SB_OWN_BAD]) : ends.bad;
        link = sb_own_link(link, r ? here[SB_OWN_A] : (T)0, here[SB_OWN_B], here[SB_OWN_E], c, next[SB_OWN_Y],
                           next[SB_OWN_P], next[SB_OWN_Q]);
        if (link.broken && ends.bad < 0)
            ends.bad = sb_tile_smaller((r + 1) * cut.block_rows, cut.n) - 1;
        here[SB_OWN_A] = link.y;
        here[SB_OWN_B] = link.u;
    }
    ends.growth = sb_larger(ends.growth, link.growth);
    T x = 0;
    for (int r = cut.blocks - 1; r >= 0 && r >= block - 1; --r) {
        x = words[r * step + SB_OWN_A] + words[r * step + SB_OWN_B] * x;
        if (r == block)
            ends.own = x;
        else if (r == block - 1)
            ends.before = x;
    }
    return ends;
}

/* Shared memory: the threads' rings, then by turns of two the posts, the blocks' words and the ends. */
struct sb_own_room {
    T *ring, *posts, *words;
    sb_own_ends *ends;
    uint64_t *told;

    __device__ sb_own_room(const sb_tile_own &job, unsigned char *shared)
    {
        int columns = job.tiles.columns;
        told = reinterpret_cast<uint64_t *>(shared);
        words = reinterpret_cast<T *>(told + 2);
        posts = words + 2 * job.tiles.cut.blocks * columns * SB_OWN_WORDS;
        ends = reinterpret_cast<sb_own_ends *>(posts + 2 * job.tiles.cut.chunks * columns * SB_OWN_POSTS);
        ring = reinterpret_cast<T *>(ends + 2 * columns);
    }
};

/* The columns' sweeps, the exchange in a cluster, and the ends for all threads of the block. */
__device__ __forceinline__ void sb_own_couple(const sb_tile_own &job, const sb_own_room &room, int odd,
                                              int parity, int block)
{
    int columns = job.tiles.columns, blocks = job.tiles.cut.blocks, column = threadIdx.x;
    T *all = room.words + odd * blocks * columns * SB_OWN_WORDS;
    if (column < columns) {
        T words[SB_OWN_WORDS], *to = all + (block * columns + column) * SB_OWN_WORDS;
        sb_own_sweep(job.tiles.cut, room.posts + odd * job.tiles.cut.chunks * columns * SB_OWN_POSTS + column,
                     columns, block, words);
        for (int peer = 0; peer < blocks && blocks > 1; ++peer)
            sb_tile_send(to, words, room.told + odd, peer);
        if (blocks == 1)
            memcpy(to, words, sizeof words);
        else {
            if (column == 0)
                sb_barrier_expect(room.told + odd, blocks * columns * SB_OWN_WORDS * sizeof(T));
            else
                sb_barrier_arrive(room.told + odd);
            sb_barrier_wait(room.told + odd, parity);
        }
        room.ends[odd * columns + column] =
            sb_own_solve(job.tiles.cut, all + column * SB_OWN_WORDS, columns * SB_OWN_WORDS, block);
    }
    __syncthreads();
}

/* x of separator `chunk`, -1 for the end of the block before. */
__device__ __forceinline__ T sb_own_separator(const T *post, int pitch, int chunk, int chunks,
                                              const sb_own_ends &ends)
{
    if (chunk < 0 || chunk == chunks - 1)
        return chunk < 0 ? ends.before : ends.own;
    post += chunk * SB_OWN_POSTS * pitch;
    return post[SB_OWN_A * pitch] + post[SB_OWN_B * pitch] * ends.before + post[SB_OWN_E * pitch] * ends.own;
}

/* The record of a matrix, by its column's first thread. */
__device__ __forceinline__ bool sb_own_judge(const sb_tile_own &job, const sb_own_ends &ends,
                                             sb_cuda_matrix *record)
{
    bool unsafe = job.wary && (ends.bad >= 0 || !(ends.growth <= SB_CUDA_GROWTH_LIMIT));
    if (record) {
        sb_cuda_matrix verdict = {ends.bad < 0 ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_BREAKDOWN, ends.bad),
                                  ends.growth, unsafe ? (uint32_t)SB_CUDA_UNSAFE : 0u};
        *record = verdict;
    }
    return !unsafe && ends.bad < 0;
}

/* FACTOR: matrices are judged here, else their records are read. b null: nothing is solved. */
template <bool FACTOR>
__global__ void __launch_bounds__(SB_TILE_OWN_THREADS(SB_COMPLEX), 1)
    sb_tile_solve_own(const __grid_constant__ sb_tile_own job, sb_own_arrays arrays, T *x, bool conjugate,
                      sb_cuda_matrix *matrix, sb_cuda_outcome *system)
{
    constexpr int S = sb_tile_slots;
    extern __shared__ __align__(1024) unsigned char shared[];
    const sb_tile_strided &tiles = job.tiles;
    const sb_tile_cut &cut = tiles.cut;
    int blocks = cut.blocks, block = blockIdx.x % blocks, clusters = gridDim.x / blocks, threads = blockDim.x;
    sb_own_room room(job, shared);
    sb_tile_seat seat(tiles, block, 1);
    int tile = blockIdx.x / blocks, row = block * cut.block_rows, odd = 0, parity = 0;
    bool first = block == 0 && seat.chunk == 0, last = block == blocks - 1 && seat.chunk == cut.chunks - 1;
    T *ring = room.ring + threadIdx.x;
    sb_own_cursor cursor(job, arrays, seat, tile, row);
    if (blocks > 1) {
        if (threadIdx.x == 0) {
            for (int s = 0; s < 2; ++s)
                sb_barrier_make(room.told + s, tiles.columns);
            sb_barriers_made();
        }
        sb_cluster_meet();
    }
#pragma unroll
    for (int i = 0; i < SB_OWN_AHEAD; ++i)
        cursor.fetch(job, seat, ring, threads, i, first && i == seat.front, false);
    for (; tile < tiles.tiles; tile += clusters) {
        sb_tile_place place(tiles, tile);
        sb_own_cursor next(job, arrays, seat, tile + clusters, row);
        sb_own_chunk chunk;
        chunk.growth = 0;
        chunk.bad = -1;
#pragma unroll
        for (int i = 0; i < S; ++i) {
            sb_own_row here = {i + 1 < S ? (T)-1 : (T)0, 1, 0, 0};
            const T *from = ring + i % SB_OWN_AHEAD * SB_OWN_ARRAYS * threads;
            __pipeline_wait_prior(SB_OWN_AHEAD - 1);
            if (cursor.real && i >= seat.front) {
                here.a = first && i == seat.front ? (T)0 : from[0];
                here.b = from[threads];
                here.c = i + 1 == S && last ? (T)0 : from[2 * threads];
                here.d = cursor.b ? from[3 * threads] : (T)0;
                if (SB_COMPLEX && conjugate)
                    here.d = sb_conj(here.d);
            }
            if (i + 1 < S)
                chunk.eliminate(i, here);
            else
                chunk.last = here;
            if (i + SB_OWN_AHEAD < S)
                cursor.fetch(job, seat, ring, threads, i + SB_OWN_AHEAD,
                             first && i + SB_OWN_AHEAD == seat.front, last && i + SB_OWN_AHEAD + 1 == S);
            else
                next.fetch(job, seat, ring, threads, i + SB_OWN_AHEAD - S,
                           first && i + SB_OWN_AHEAD - S == seat.front, false);
        }
        chunk.substitute();
        T *post = room.posts + odd * cut.chunks * tiles.columns * SB_OWN_POSTS + seat.column;
        sb_own_post(chunk, post + seat.chunk * SB_OWN_POSTS * tiles.columns, tiles.columns, seat.front,
                    row + seat.row);
        __syncthreads();
        sb_own_couple(job, room, odd, parity, block);
        sb_own_ends ends = room.ends[odd * tiles.columns + seat.column];
        int64_t number = (place.column + seat.column) * tiles.grid.number[0] +
                         place.outer[0] * tiles.grid.number[1] + place.outer[1] * tiles.grid.number[2];
        bool good = cursor.real;
        if (FACTOR && good)
            good = sb_own_judge(job, ends, first ? matrix + number : nullptr);
        else if (good)
            good = matrix[number].outcome == SB_CUDA_GOOD && !(matrix[number].flags & SB_CUDA_UNSAFE);
        if (good && x) {
            T left = sb_own_separator(post, tiles.columns, seat.chunk - 1, cut.chunks, ends);
            T own = sb_own_separator(post, tiles.columns, seat.chunk, cut.chunks, ends);
            T *to = x + place.of(tiles.grid.x_at) + (row + seat.row - seat.front) * tiles.grid.x_at.row +
                    seat.column * tiles.grid.x_at.column;
            bool broken = !sb_finite(own);
#pragma unroll
            for (int i = 0; i < S - 1; ++i) {
                chunk.y[i] += chunk.p[i] * left;
                chunk.y[i] += chunk.q[i] * own;
                if (i >= seat.front) {
                    broken = broken || !sb_finite(chunk.y[i]);
                    to[i * tiles.grid.x_at.row] = SB_COMPLEX && conjugate ? sb_conj(chunk.y[i]) : chunk.y[i];
                }
            }
            to[(S - 1) * tiles.grid.x_at.row] = SB_COMPLEX && conjugate ? sb_conj(own) : own;
            if (first || broken)
                system[number] = broken ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1) : SB_CUDA_GOOD;
        }
        cursor = next;
        parity ^= odd;
        odd ^= 1;
    }
    if (blocks > 1)
        sb_cluster_meet();
}

} // namespace

#endif
