/* How the chunks of own pentadiagonal matrices in columns, and the blocks of a cluster, come by their separators. */
#ifndef SB_CUDA_TILE_OWN_PENTA_COUPLE_CUH
#define SB_CUDA_TILE_OWN_PENTA_COUPLE_CUH

#include "src/chunk/penta_chain.h"
#include "src/cuda/tile/chain.cuh"
#include "src/cuda/tile/own_ring.cuh"

namespace
{

/* What is left of a block. */
struct __align__(16) sb_penta_words
{
    T row[2][7];            /* the last separators: a, b, c, d */
    sb_penta_known head[2]; /* of the block's first chunk; then the separators, solved for */
    int growth, bad;
};
static_assert(sizeof(sb_penta_words) == SB_TILE_PENTA_WORDS_BYTES(sizeof(T)));

/* The separators before a block and its own last ones; what became of the matrix. */
struct __align__(16) sb_penta_answer
{
    T before[2], own[2];
    float growth;
    int bad;
};
static_assert(sizeof(sb_penta_answer) == SB_TILE_PENTA_ANSWER_BYTES(sizeof(T)));

/* Shared memory: the warps' stages; a cluster's exchange; words of rows, in places of one thread each; what chunks post;
   the separators' solution, that of the block before first; what became of the columns' matrices. */
struct sb_penta_room {
    int columns, share; /* of a tile; those whose ends a block of the cluster solves for */
    sb_penta_words *asked;
    sb_penta_answer *answers;
    uint64_t *told, *full;
    T *posts, *solved, *stages, *kept;
    int *sizes, *bad;
    float *growth;

    __device__ sb_penta_room(const sb_tile_own &job, unsigned char *shared)
    {
        constexpr int INNER = sb_own_shape<2>::SLOTS - 2;
        const sb_tile_strided &tiles = job.tiles;
        int chunks = tiles.cut.chunks, blocks = tiles.cut.blocks;
        columns = tiles.columns;
        share = (columns + blocks - 1) / blocks;
        stages = reinterpret_cast<T *>(shared);
        asked = reinterpret_cast<sb_penta_words *>(shared + tiles.stages * tiles.stage_bytes);
        answers = reinterpret_cast<sb_penta_answer *>(asked + (blocks > 1 ? blocks * share : 0));
        kept = reinterpret_cast<T *>(answers + (blocks > 1 ? columns : 0));
        posts = kept + SB_TILE_PENTA_KEPT(INNER) * SB_TILE_OWN_THREADS * SB_OWN_LANES;
        solved = posts + SB_TILE_PENTA_POSTS * chunks * columns;
        told = reinterpret_cast<uint64_t *>(solved + 2 * (chunks + 1) * columns);
        full = told + 2;
        sizes = reinterpret_cast<int *>(full + blockDim.x / 32 * SB_TILE_MOST_STAGES);
        growth = reinterpret_cast<float *>(sizes + SB_TILE_PENTA_SIZES * chunks * columns);
        bad = reinterpret_cast<int *>(growth + columns);
    }
    /* Two unknowns that have been solved for, of one column, in the place of a chunk. */
    __device__ __forceinline__ void post(int chunk, int column, const sb_penta_known (&of)[2]) const
    {
        T *to = posts + chunk * SB_TILE_PENTA_POSTS * columns + column;
#pragma unroll
        for (int s = 0; s < 2; ++s, to += SB_TILE_PENTA_POSTS / 2 * columns) {
            to[0] = of[s].y;
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                to[(1 + j) * columns] = of[s].p[j];
                to[(3 + j) * columns] = of[s].u[j];
            }
        }
    }
    __device__ __forceinline__ void posted(int chunk, int column, sb_penta_known (&to)[2]) const
    {
        const T *from = posts + chunk * SB_TILE_PENTA_POSTS * columns + column;
#pragma unroll
        for (int s = 0; s < 2; ++s, from += SB_TILE_PENTA_POSTS / 2 * columns)
            to[s] = {from[0], {from[columns], from[2 * columns]}, {from[3 * columns], from[4 * columns]}};
    }
    __device__ __forceinline__ void meet(int chunk, int column, const sb_met &met) const
    {
        sizes[2 * chunk * columns + column] = met.growth;
        sizes[(2 * chunk + 1) * columns + column] = met.bad;
    }
    __device__ __forceinline__ void met(int chunk, int column, sb_met *with) const
    {
        with->growth = max(with->growth, sizes[2 * chunk * columns + column]);
        with->bad = min(with->bad, sizes[(2 * chunk + 1) * columns + column]);
    }
    /* at: the chunk behind. */
    __device__ __forceinline__ void solution(int at, int column, T (&x)[2]) const
    {
        x[0] = solved[2 * at * columns + column];
        x[1] = solved[(2 * at + 1) * columns + column];
    }
    __device__ __forceinline__ void solve(int at, int column, const T (&x)[2]) const
    {
        solved[2 * at * columns + column] = x[0];
        solved[(2 * at + 1) * columns + column] = x[1];
    }
};

/* A chunk's separators of one column, and its heads. */
struct sb_penta_separators {
    sb_penta_end ends[2];
    sb_penta_known head[2];
    sb_met met;
};

/* The ends of all blocks of one column, whose words lie one after another: a ring of its own. Each block hears of its own and
   of those before. */
__device__ __forceinline__ void sb_penta_chain(const sb_tile_own &job, const sb_penta_room &room,
                                               sb_penta_words *words, int column)
{
    const sb_tile_cut &cut = job.tiles.cut;
    sb_penta_known last[2] = {{0, {1, 0}, {0, 0}}, {0, {0, 1}, {0, 0}}},
                   head[2] = {words[0].head[0], words[0].head[1]};
    sb_met met = sb_nothing_met();
    sb_penta_answer answer;
    T x[2];
    for (int r = 0; r < cut.blocks; ++r) {
        sb_penta_end ends[2];
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const T *row = words[r].row[s];
            ends[s] = {{row[0], row[1]}, {row[2], row[3]}, {row[4], row[5]}, row[6], 0};
            ends[s].scale = max(sb_largest_of(row[0], row[1], row[2]), sb_largest_of(row[3], row[4], row[5]));
        }
        met.growth = max(met.growth, words[r].growth);
        met.bad = min(met.bad, words[r].bad);
        sb_penta_take_before(ends, last, &met);
        if (r + 1 == cut.blocks) {
            sb_penta_take_behind(ends, head, &met);
            sb_penta_close(ends, cut.n - 2, answer.own, &met);
            continue;
        }
        sb_penta_take_behind(ends, words[r + 1].head, &met);
        sb_penta_solve(ends, (r + 1) * cut.block_rows - 2, last, &met);
        sb_penta_heads_pass(head, last);
        words[r].head[0] = last[0];
        words[r].head[1] = last[1];
    }
    answer.growth = sb_growth_met(met);
    answer.bad = met.bad;
    x[0] = answer.own[0];
    x[1] = answer.own[1];
    for (int r = cut.blocks - 1; r >= 0; --r) {
        answer.before[0] = x[0];
        answer.before[1] = x[1];
        if (r > 0) {
            answer.before[0] = sb_penta_at(words[r - 1].head[0], x, answer.own);
            answer.before[1] = sb_penta_at(words[r - 1].head[1], x, answer.own);
        }
        uint64_t sent[sizeof answer / sizeof(uint64_t)];
        memcpy(sent, &answer, sizeof sent);
        sb_tile_send(reinterpret_cast<const T *>(room.answers + column), sent, room.told + 1, r);
        answer.own[0] = answer.before[0];
        answer.own[1] = answer.before[1];
    }
}

/* The blocks' ends, by the warp of each block's last chunk: every block solves for those of some columns, so that each tells
   one other and hears from all. Nobody tells before having heard, so one room for each suffices. */
__device__ __forceinline__ void sb_penta_ask(const sb_tile_own &job, const sb_penta_room &room, int block,
                                             int parity, const sb_penta_separators (&left)[SB_OWN_LANES],
                                             const int (&columns)[SB_OWN_LANES])
{
    int blocks = job.tiles.cut.blocks, lane = threadIdx.x % 32;
    int mine = (room.columns - block + blocks - 1) / blocks;
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        sb_penta_words words;
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const sb_penta_end &end = left[v].ends[s];
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                words.row[s][j] = end.a[j];
                words.row[s][2 + j] = end.b[j];
                words.row[s][4 + j] = end.c[j];
            }
            words.row[s][6] = end.d;
            words.head[s] = left[v].head[s];
        }
        words.growth = left[v].met.growth;
        words.bad = left[v].met.bad;
        uint64_t sent[sizeof words / sizeof(uint64_t)];
        memcpy(sent, &words, sizeof sent);
        int at = columns[v] / blocks * blocks + block;
        sb_tile_send(reinterpret_cast<const T *>(room.asked + at), sent, room.told, columns[v] % blocks);
    }
    if (lane == 0) {
        sb_barrier_expect(room.told, mine * blocks * sizeof(sb_penta_words));
        sb_barrier_expect(room.told + 1, room.columns * sizeof(sb_penta_answer));
    }
    sb_barrier_wait<SB_CLUSTER>(room.told, parity);
    if (lane < mine)
        sb_penta_chain(job, room, room.asked + lane * blocks, lane * blocks + block);
    sb_barrier_wait<SB_CLUSTER>(room.told + 1, parity);
}

/* What closes a block, by the warps of its last chunk. */
__device__ __forceinline__ void sb_penta_close_block(const sb_tile_own &job, const sb_penta_room &room,
                                                     int block, int parity,
                                                     sb_penta_separators (&left)[SB_OWN_LANES],
                                                     const int (&columns)[SB_OWN_LANES])
{
    const sb_tile_cut &cut = job.tiles.cut;
    if (cut.blocks > 1)
        sb_penta_ask(job, room, block, parity, left, columns);
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        sb_penta_answer answer;
        if (cut.blocks > 1)
            answer = room.answers[columns[v]];
        else {
            sb_penta_take_behind(left[v].ends, left[v].head, &left[v].met);
            sb_penta_close(left[v].ends, cut.n - 2, answer.own, &left[v].met);
            answer.before[0] = answer.own[0];
            answer.before[1] = answer.own[1];
            answer.growth = sb_growth_met(left[v].met);
            answer.bad = left[v].met.bad;
        }
        room.growth[columns[v]] = answer.growth;
        room.bad[columns[v]] = answer.bad;
        room.solve(0, columns[v], answer.before);
        room.solve(cut.chunks, columns[v], answer.own);
    }
}

/* The separators of all columns. Chunks stay with their warps: every second of those that are left is solved for and posted,
   in the place of the heads that its own thread alone has read, and goes into those around it. number: a chunk's first
   separator's row. */
__device__ __forceinline__ void sb_penta_couple(const sb_tile_own &job, const sb_penta_room &room, int block,
                                                int chunk, int number, int parity,
                                                sb_penta_separators (&mine)[SB_OWN_LANES],
                                                const int (&columns)[SB_OWN_LANES])
{
    int width = job.tiles.cut.chunks, around = width - 1, behind = (chunk + 1) & around;
    sb_penta_known other[2];
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v)
        room.post(chunk, columns[v], mine[v].head);
    __syncthreads();
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        room.posted(behind, columns[v], mine[v].head);
        if (chunk < around)
            sb_penta_take_behind(mine[v].ends, mine[v].head, &mine[v].met);
    }
    for (int s = 1; s < width; s *= 2) {
        int turn = (chunk + 1) & (2 * s - 1);
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v)
            if (turn == s) {
                sb_penta_solve(mine[v].ends, number, other, &mine[v].met);
                room.post(behind, columns[v], other);
                room.meet(chunk, columns[v], mine[v].met);
            }
        __syncthreads();
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v)
            if (turn == 0) {
                room.met(chunk - s, columns[v], &mine[v].met);
                room.posted(chunk - s + 1, columns[v], other);
                sb_penta_take_before(mine[v].ends, other, &mine[v].met);
                room.posted((chunk + s + 1) & around, columns[v], other);
                if (chunk < around)
                    sb_penta_take_behind(mine[v].ends, other, &mine[v].met);
                else
                    sb_penta_heads_pass(mine[v].head, other);
            }
    }
    if (chunk == around)
        sb_penta_close_block(job, room, block, parity, mine, columns);
    __syncthreads();
    for (int s = width / 2; s > 0; s /= 2) {
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v)
            if (((chunk + 1) & (2 * s - 1)) == s) {
                T before[2], after[2];
                room.posted(behind, columns[v], other);
                room.solution(chunk + 1 - s, columns[v], before);
                room.solution(chunk + 1 + s, columns[v], after);
                const T x[2] = {sb_penta_at(other[0], before, after), sb_penta_at(other[1], before, after)};
                room.solve(chunk + 1, columns[v], x);
            }
        __syncthreads();
    }
}

} // namespace

#endif
