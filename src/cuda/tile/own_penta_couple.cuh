/* How the chunks of own pentadiagonal matrices in columns, and the blocks of a cluster, come by their separators. */
#ifndef SB_CUDA_TILE_OWN_PENTA_COUPLE_CUH
#define SB_CUDA_TILE_OWN_PENTA_COUPLE_CUH

#include "src/chunk/penta_chain.h"
#include "src/chunk/ring_order.h"
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

/* a / blocks of a few columns and blocks, which the compiler would not know to be few. */
__device__ __forceinline__ int sb_tile_share(int a, int blocks)
{
    return static_cast<int>(__fdividef(a + 0.5f, blocks));
}

/* Shared memory: the warps' stages; a cluster's exchange; words of rows, in places of one thread each; the separators' solution,
   that of the block before first; what became of the columns' matrices. */
struct sb_penta_room {
    int columns, share; /* of a tile; those whose ends a block of the cluster solves for */
    sb_penta_words *asked;
    sb_penta_answer *answers;
    uint64_t *told, *full;
    T *solved, *stages, *kept;
    int *bad;
    float *growth;

    __device__ sb_penta_room(const sb_tile_own &job, unsigned char *shared)
    {
        const sb_tile_strided &tiles = job.tiles;
        int chunks = tiles.cut.chunks, blocks = tiles.cut.blocks;
        columns = tiles.columns;
        share = (columns + blocks - 1) / blocks;
        stages = reinterpret_cast<T *>(shared);
        asked = reinterpret_cast<sb_penta_words *>(shared + tiles.stages * tiles.stage_bytes);
        answers = reinterpret_cast<sb_penta_answer *>(asked + (blocks > 1 ? blocks * share : 0));
        kept = reinterpret_cast<T *>(answers + (blocks > 1 ? columns : 0));
        solved = kept + SB_TILE_PENTA_KEPT(tiles.cut.slots, sizeof(T)) * SB_TILE_OWN_THREADS * SB_OWN_LANES;
        told = reinterpret_cast<uint64_t *>(solved + 2 * (chunks + 1) * columns);
        full = told + 2;
        growth = reinterpret_cast<float *>(full + blockDim.x / 32 * SB_TILE_MOST_STAGES);
        bad = reinterpret_cast<int *>(growth + columns);
    }
    /* Those whose ends this block solves for. */
    __device__ __forceinline__ int columns_of(int block, int blocks) const
    {
        return sb_tile_share(columns - block + blocks - 1, blocks);
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

/* What chunks post: two unknowns that have been solved for, and what became of a matrix. It lies in that stage of each chunk's
   warp which its tile's last rows have left, and whose first arrays are not fetched again before all have read. v: as threads
   count their columns; all of a column's chunks are held by lanes of one number. */
struct sb_penta_posts {
    T *stage; /* the first chunk's */
    int step; /* from a chunk's to the next one's */

    __device__ __forceinline__ T *words(int chunk, int v) const
    {
        return stage + chunk * step + threadIdx.x % 32 + 32 * v;
    }
    __device__ __forceinline__ int *sizes(int chunk, int v) const
    {
        return reinterpret_cast<int *>(stage + chunk * step + SB_TILE_PENTA_POSTS * SB_OWN_WIDTH) +
               threadIdx.x % 32 + 32 * v;
    }
    __device__ __forceinline__ void post(int chunk, int v, const sb_penta_known (&of)[2]) const
    {
        T *to = words(chunk, v);
#pragma unroll
        for (int s = 0; s < 2; ++s, to += SB_TILE_PENTA_POSTS / 2 * SB_OWN_WIDTH) {
            to[0] = of[s].y;
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                to[(1 + j) * SB_OWN_WIDTH] = of[s].p[j];
                to[(3 + j) * SB_OWN_WIDTH] = of[s].u[j];
            }
        }
    }
    __device__ __forceinline__ void posted(int chunk, int v, sb_penta_known (&to)[2]) const
    {
        const T *from = words(chunk, v);
        constexpr int W = SB_OWN_WIDTH;
#pragma unroll
        for (int s = 0; s < 2; ++s, from += SB_TILE_PENTA_POSTS / 2 * W)
            to[s] = {from[0], {from[W], from[2 * W]}, {from[3 * W], from[4 * W]}};
    }
    __device__ __forceinline__ void meet(int chunk, int v, const sb_met &met) const
    {
        int *to = sizes(chunk, v);
        to[0] = met.growth;
        to[SB_OWN_WIDTH] = met.bad;
    }
    __device__ __forceinline__ void met(int chunk, int v, sb_met *with) const
    {
        const int *from = sizes(chunk, v);
        with->growth = max(with->growth, from[0]);
        with->bad = min(with->bad, from[SB_OWN_WIDTH]);
    }
};

/* A chunk's separators of one column, and its heads. */
struct sb_penta_separators {
    sb_penta_end ends[2];
    sb_penta_known head[2];
    sb_met met;
};

/* The ends of all blocks of one column, whose words lie one after another, a lane for each: a ring of its own. What is solved
   for goes to where the heads were that its own lane alone reads, unknowns to where the lane's row was. Each block hears of
   its own and of those before. All lanes of a warp call; there: this one has a block. Blocks that are parted from those around
   them, as in any dominant matrix, are solved for at once; where one of a warp's is not, all take part in the reduction,
   by which those that are get the same bits. */
__device__ __forceinline__ void sb_penta_chain(const sb_tile_own &job, const sb_penta_room &room,
                                               sb_penta_words *words, int column, int block, bool there)
{
    const sb_tile_cut &cut = job.tiles.cut;
    int end = cut.blocks - 1, s;
    sb_penta_words &mine = words[block], &closing = words[end];
    sb_penta_known(&posted)[2] = words[block < end ? block + 1 : 0].head;
    sb_penta_end ends[2];
    sb_met met = {mine.growth, mine.bad};
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        const T *row = mine.row[e];
        ends[e] = {{row[0], row[1]}, {row[2], row[3]}, {row[4], row[5]}, row[6], 0};
        ends[e].scale = max(sb_largest_of(row[0], row[1], row[2]), sb_largest_of(row[3], row[4], row[5]));
    }
    sb_penta_take_behind(ends, posted, &met);
    bool coupled = __any_sync(~0u, !sb_penta_part(ends) && there);
    for (s = 1; coupled && s <= end; s *= 2) {
        bool leaves = sb_ring_leaves(block, end, s), stays = !leaves && sb_ring_has(block, end, s);
        int before = sb_ring_before(block, end, s), behind = sb_ring_behind(block, end, s);
        if (there && leaves)
            sb_penta_solve(ends, (block + 1) * cut.block_rows - 2, posted, &met);
        __syncwarp();
        if (there && stays && sb_ring_leaves(before, end, s))
            sb_penta_take_before(ends, words[before + 1].head, &met);
        if (there && stays && sb_ring_leaves(behind, end, s))
            sb_penta_take_behind(ends, words[behind + 1].head, &met);
    }
    if (there) {
        if (block == end || !coupled)
            sb_penta_close(ends, (block < end ? (block + 1) * cut.block_rows : cut.n) - 2, mine.row[0], &met);
        mine.growth = met.growth;
        mine.bad = met.bad;
    }
    __syncwarp();
    if (there && block == end) {
        for (int r = 0; r < end; ++r) {
            met.growth = max(met.growth, words[r].growth);
            met.bad = min(met.bad, words[r].bad);
        }
        mine.growth = met.growth;
        mine.bad = met.bad;
    }
    __syncwarp();
    for (s /= 2; s > 0; s /= 2) {
        if (there && sb_ring_leaves(block, end, s)) {
            const T *before = words[sb_ring_before(block, end, s)].row[0],
                    *behind = words[sb_ring_behind(block, end, s)].row[0];
            const T around[2][2] = {{before[0], before[1]}, {behind[0], behind[1]}};
            mine.row[0][0] = sb_penta_at(posted[0], around[0], around[1]);
            mine.row[0][1] = sb_penta_at(posted[1], around[0], around[1]);
        }
        __syncwarp();
    }
    const T *before = words[block > 0 ? block - 1 : end].row[0];
    sb_penta_answer answer = {{before[0], before[1]},
                              {mine.row[0][0], mine.row[0][1]},
                              sb_growth_met({closing.growth, closing.bad}),
                              closing.bad};
    uint64_t sent[sizeof answer / sizeof(uint64_t)];
    memcpy(sent, &answer, sizeof sent);
    __syncwarp(); /* who has heard tells of the next tile, in the same place */
    if (there)
        sb_cluster_send_few(room.answers + column, sent, room.told + 1, block);
}

/* The last chunk's warp tells the cluster of its block's ends: every block solves for those of some columns, so that each tells
   one other and hears from all. Nobody tells before having heard, so one room for each suffices. */
__device__ __forceinline__ void sb_penta_tell(const sb_penta_room &room, int blocks, int block,
                                              const sb_penta_separators (&left)[SB_OWN_LANES],
                                              const int (&columns)[SB_OWN_LANES])
{
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
        int first = sb_tile_share(columns[v], blocks) * blocks;
        sb_cluster_send_few(room.asked + first + block, sent, room.told, columns[v] - first);
    }
    if (threadIdx.x % 32 == 0) {
        sb_barrier_expect(room.told, room.columns_of(block, blocks) * blocks * sizeof(sb_penta_words));
        sb_barrier_expect(room.told + 1, room.columns * sizeof(sb_penta_answer));
    }
}

/* The blocks' ends of the columns that are this block's to solve for: as many of them as a warp has lanes for are a warp's,
   the last one's first. */
__device__ __forceinline__ void sb_penta_ask(const sb_tile_own &job, const sb_penta_room &room, int block,
                                             int chunk, int parity,
                                             const sb_penta_separators (&left)[SB_OWN_LANES],
                                             const int (&columns)[SB_OWN_LANES])
{
    const sb_tile_cut &cut = job.tiles.cut;
    int blocks = cut.blocks, last = cut.chunks - 1, together = sb_tile_share(32, blocks);
    int lane = threadIdx.x % 32, group = sb_tile_share(lane, blocks), mine = room.columns_of(block, blocks);
    if (chunk == last)
        sb_penta_tell(room, blocks, block, left, columns);
    for (int first = (last - chunk) * together; first < mine; first += cut.chunks * together) {
        int column = first + group;
        bool there = group < together && column < mine;
        if (first == (last - chunk) * together)
            sb_barrier_wait<SB_CLUSTER>(room.told, parity);
        sb_penta_chain(job, room, room.asked + (there ? column : first) * blocks, column * blocks + block,
                       there ? lane - group * blocks : 0, there);
    }
    if (chunk == last)
        sb_barrier_wait<SB_CLUSTER>(room.told + 1, parity);
}

/* What closes a block, by the warps of its last chunk. */
__device__ __forceinline__ void sb_penta_close_block(const sb_tile_own &job, const sb_penta_room &room,
                                                     sb_penta_separators (&left)[SB_OWN_LANES],
                                                     const int (&columns)[SB_OWN_LANES])
{
    const sb_tile_cut &cut = job.tiles.cut;
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

/* The separators of a block that are left at step s, once nothing couples them to each other in any of its columns: those whose
   turn it is have been solved for. All but the last ones are, and tell them what they have met. */
__device__ __forceinline__ void sb_penta_apart(const sb_penta_room &room, const sb_penta_posts &posts, int s,
                                               int width, int chunk, int number,
                                               sb_penta_separators (&mine)[SB_OWN_LANES],
                                               const int (&columns)[SB_OWN_LANES])
{
    int around = width - 1, turn = (chunk + 1) & (2 * s - 1);
    sb_penta_known solved[2];
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v)
        if (chunk < around && (turn == s || turn == 0)) {
            if (turn == s)
                posts.posted(chunk + 1, v, solved);
            else {
                sb_penta_solve(mine[v].ends, number, solved, &mine[v].met);
                posts.meet(chunk, v, mine[v].met);
            }
            const T x[2] = {solved[0].y, solved[1].y};
            room.solve(chunk + 1, columns[v], x);
        }
    if (2 * s < width)
        __syncthreads();
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v)
        for (int other = s - 1; chunk == around && other < around; other += s)
            posts.met(other, v, &mine[v].met);
}

/* The separators of all columns. Chunks stay with their warps: every second of those that are left is solved for and posted,
   in the place of the heads that its own thread alone has read, and goes into those around it. number: a chunk's first
   separator's row. Couplings that roundings hide are dropped on the way, and once none is left in a block, its separators are
   solved for at once, to the same bits. */
__device__ __forceinline__ void sb_penta_couple(const sb_tile_own &job, const sb_penta_room &room,
                                                const sb_penta_posts &posts, int block, int chunk, int number,
                                                int parity, sb_penta_separators (&mine)[SB_OWN_LANES],
                                                const int (&columns)[SB_OWN_LANES])
{
    int width = job.tiles.cut.chunks, around = width - 1, behind = (chunk + 1) & around;
    sb_penta_known other[2];
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v)
        posts.post(chunk, v, mine[v].head);
    __syncthreads();
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        posts.posted(behind, v, mine[v].head);
        if (chunk < around)
            sb_penta_take_behind(mine[v].ends, mine[v].head, &mine[v].met);
    }
    int s = 1;
    for (; s < width; s *= 2) {
        int turn = (chunk + 1) & (2 * s - 1);
        bool coupled = false;
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v) {
            if (s > 1 && (turn == s || turn == 0))
                coupled |= !(chunk < around ? sb_penta_part(mine[v].ends)
                                            : sb_penta_part_last(mine[v].ends, mine[v].head));
            if (turn == s) {
                sb_penta_solve(mine[v].ends, number, other, &mine[v].met);
                posts.post(behind, v, other);
                posts.meet(chunk, v, mine[v].met);
            }
        }
        if (!__syncthreads_or(coupled || s == 1)) {
            sb_penta_apart(room, posts, s, width, chunk, number, mine, columns);
            break;
        }
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v)
            if (turn == 0) {
                posts.met(chunk - s, v, &mine[v].met);
                posts.posted(chunk - s + 1, v, other);
                sb_penta_take_before(mine[v].ends, other, &mine[v].met);
                posts.posted((chunk + s + 1) & around, v, other);
                if (chunk < around)
                    sb_penta_take_behind(mine[v].ends, other, &mine[v].met);
                else
                    sb_penta_heads_pass(mine[v].head, other);
            }
    }
    if (job.tiles.cut.blocks > 1)
        sb_penta_ask(job, room, block, chunk, parity, mine, columns);
    if (chunk == around)
        sb_penta_close_block(job, room, mine, columns);
    sb_bulk_fence(); /* nothing is posted any more */
    __syncthreads();
    for (s /= 2; s > 0; s /= 2) {
#pragma unroll
        for (int v = 0; v < SB_OWN_LANES; ++v)
            if (((chunk + 1) & (2 * s - 1)) == s) {
                T before[2], after[2];
                posts.posted(behind, v, other);
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
