/* How the blocks of a cluster come by their ends, of own pentadiagonal matrices in columns.
 *
 * Each block has a row for each of its two last separators, which couples them to those of the blocks before and behind, and heads.
 * Mostly nothing but the rows beside matters: then a block hears once, from those, and solves (sb_penta_beside). What it comes to
 * is worth nothing before all blocks have said that this was so, but nothing else waits for them. Otherwise a lane each, of one
 * block for every column, solves for all blocks' ends (sb_penta_ask), which takes two messages one after the other. */
#ifndef SB_CUDA_TILE_OWN_PENTA_CLUSTER_CUH
#define SB_CUDA_TILE_OWN_PENTA_CLUSTER_CUH

#include "src/chunk/ring_order.h"
#include "src/cuda/tile/own_penta_room.cuh"

namespace
{

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
    sb_penta_ends_of(mine.row[0], ends);
    sb_penta_take_behind(ends, posted, &met);
    bool coupled = __any_sync(~0u, !sb_penta_part(ends) && there);
    __syncwarp(); /* lanes without a block have read, for nothing, what the first one writes */
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
            sb_penta_close(ends, sb_penta_number(cut, block), mine.row[0], &met);
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
        sb_cluster_send_few(room.answers + column, sent, room.told + SB_PENTA_ANSWERED, block);
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
        sb_penta_row_of(left[v].ends, words.row[0]);
        words.head[0] = left[v].head[0];
        words.head[1] = left[v].head[1];
        words.growth = left[v].met.growth;
        words.bad = left[v].met.bad;
        uint64_t sent[sizeof words / sizeof(uint64_t)];
        memcpy(sent, &words, sizeof sent);
        int first = sb_tile_share(columns[v], blocks) * blocks;
        sb_cluster_send_few(room.asked + first + block, sent, room.told + SB_PENTA_ASKED, columns[v] - first);
    }
    if (threadIdx.x % 32 == 0) {
        sb_barrier_expect(room.told + SB_PENTA_ASKED,
                          room.columns_of(block, blocks) * blocks * sizeof(sb_penta_words));
        sb_barrier_expect(room.told + SB_PENTA_ANSWERED, room.columns * sizeof(sb_penta_answer));
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
    int blocks = sb_anew(cut.blocks), last = cut.chunks - 1, together = sb_tile_share(32, blocks);
    int lane = sb_anew(threadIdx.x % 32), group = sb_tile_share(lane, blocks),
        mine = room.columns_of(block, blocks);
    if (chunk == last)
        sb_penta_tell(room, blocks, block, left, columns);
    for (int first = (last - chunk) * together; first < mine; first += cut.chunks * together) {
        int column = first + group;
        bool there = group < together && column < mine;
        if (first == (last - chunk) * together)
            sb_barrier_wait<SB_CLUSTER>(room.told + SB_PENTA_ASKED, parity);
        sb_penta_chain(job, room, room.asked + (there ? column : first) * blocks, column * blocks + block,
                       there ? lane - group * blocks : 0, there);
    }
    if (chunk == last)
        sb_barrier_wait<SB_CLUSTER>(room.told + SB_PENTA_ANSWERED, parity);
}

/* Where nothing but the rows beside couples a block's ends. Its last chunk's warp tells the block behind of its last separators and
   the one before of its heads, and of those the first chunk's warp too. One room suffices, since nobody tells of the next tile before
   having heard all verdicts on this one. */
__device__ __forceinline__ void sb_penta_tell_beside(const sb_tile_own &job, const sb_penta_room &room,
                                                     const sb_penta_posts &posts, int block, uint32_t turn,
                                                     const sb_penta_separators (&left)[SB_OWN_LANES],
                                                     const int (&columns)[SB_OWN_LANES])
{
    const int blocks = sb_anew(job.tiles.cut.blocks), here = sb_anew(block),
              before = here > 0 ? here - 1 : blocks - 1, behind = here + 1 < blocks ? here + 1 : 0;
    uint64_t *told = room.told + SB_PENTA_BESIDE;
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        sb_penta_row_pieces row;
        sb_penta_head_pieces heads;
        posts.post(0, v, left[v].head); /* where the first chunk's were, which only this one has read */
        sb_penta_row_of(left[v].ends, row.at);
        sb_penta_knowns_of(left[v].head, heads.at);
        row.send(room.rows + 2 * columns[v], room.columns, told, behind);
        heads.send(room.heads + 2 * columns[v], room.columns, told, before);
    }
    if (threadIdx.x % 32 == 0) {
        sb_barrier_expect(told, room.columns * (sb_penta_row_pieces::COUNT + sb_penta_head_pieces::COUNT) * 16);
        sb_barrier_expect(room.told + SB_PENTA_VERDICT + turn % 2, room.columns * blocks * sizeof(uint32_t));
    }
}

/* Two warps do the same with what they hear: the last chunk's, which closes the block, for its ends, the first chunk's for those
   before it, as the block before does. The verdict: the growth, unless couplings stay or a pivot is missing: all then ask. There is
   nothing to ask for columns from `real` on, which no system has. */
__device__ __forceinline__ void
sb_penta_beside(const sb_tile_own &job, const sb_penta_room &room, const sb_penta_posts &posts, int block,
                bool closes, uint32_t turn, int64_t real, const sb_penta_separators (&left)[SB_OWN_LANES],
                const int (&columns)[SB_OWN_LANES], uint32_t (&verdict)[SB_OWN_LANES])
{
    const sb_tile_cut &cut = job.tiles.cut;
    const int here = sb_anew(block), before = here > 0 ? here - 1 : cut.blocks - 1;
    sb_barrier_wait<SB_CLUSTER>(room.told + SB_PENTA_BESIDE, turn & 1);
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        sb_penta_end ends[2];
        sb_penta_known posted[2];
        T x[2];
        sb_met met = left[v].met;
        sb_penta_row_pieces row;
        if (closes) {
            sb_penta_head_pieces heads;
            heads.read(room.heads + 2 * columns[v], room.columns);
            sb_penta_knowns_from(heads.at, posted);
            sb_penta_row_of(left[v].ends, row.at);
        } else {
            row.read(room.rows + 2 * columns[v], room.columns);
            posts.posted(0, v, posted);
        }
        sb_penta_ends_of(row.at, ends);
        sb_penta_take_behind(ends, posted, &met);
        const bool parted = sb_penta_part(ends);
        sb_penta_close(ends, sb_penta_number(cut, closes ? here : before), x, &met);
        room.solve(closes ? cut.chunks : 0, columns[v], x);
        const bool known = parted && met.bad == SB_NO_ROW;
        verdict[v] = columns[v] >= real ? 0 : known ? __float_as_uint(sb_growth_met(met)) : SB_PENTA_ASKS;
    }
}

/* A block's verdict, to all, once both its warps have read what others overwrite when they have heard it. It is on its way while
   solutions are computed. That on the next tile may come before all have read this one. */
__device__ __forceinline__ void sb_penta_judge(const sb_tile_own &job, const sb_penta_room &room, int block,
                                               uint32_t turn, const uint32_t (&verdict)[SB_OWN_LANES],
                                               const int (&columns)[SB_OWN_LANES])
{
    const int blocks = sb_anew(job.tiles.cut.blocks);
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        const uint32_t *to = room.verdicts + (turn % 2 * blocks + block) * room.columns + columns[v];
#pragma unroll 1
        for (int peer = 0; peer < blocks; ++peer)
            sb_cluster_send(sb_cluster_address(to, peer), verdict[v],
                            sb_cluster_address(room.told + SB_PENTA_VERDICT + turn % 2, peer));
    }
}

/* The cluster's verdict on a thread's columns; all of a tile's are looked at by each warp, so that all find the same. False: it has
   to ask. */
__device__ __forceinline__ bool sb_penta_hear(const sb_penta_room &room, int blocks, uint32_t turn,
                                              const int (&columns)[SB_OWN_LANES], float (&growth)[SB_OWN_LANES],
                                              int (&bad)[SB_OWN_LANES])
{
    enum { TOGETHER = 4 };
    bool asks = false;
    sb_barrier_wait<SB_CLUSTER>(room.told + SB_PENTA_VERDICT + turn % 2, turn / 2 & 1);
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        const uint32_t *verdict = room.verdicts + turn % 2 * blocks * room.columns + columns[v];
        uint32_t largest = 0;
#pragma unroll 1
        for (int r = 0; r < blocks; r += TOGETHER)
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i)
                largest = max(largest, verdict[min(r + i, blocks - 1) * room.columns]);
        asks |= largest == SB_PENTA_ASKS;
        growth[v] = __uint_as_float(largest);
        bad[v] = SB_NO_ROW;
    }
    return !__any_sync(~0u, asks);
}

} // namespace

#endif
