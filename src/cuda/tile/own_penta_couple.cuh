/* How the chunks of own pentadiagonal matrices in columns come by their separators. */
#ifndef SB_CUDA_TILE_OWN_PENTA_COUPLE_CUH
#define SB_CUDA_TILE_OWN_PENTA_COUPLE_CUH

#include "src/cuda/tile/own_penta_cluster.cuh"

namespace
{

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

/* The way back through a block's separators, of which those with a turn behind step s have been solved for. */
__device__ __forceinline__ void sb_penta_back(const sb_penta_room &room, const sb_penta_posts &posts, int s,
                                              int chunk, int behind, const int (&columns)[SB_OWN_LANES])
{
    sb_penta_known other[2];
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

/* The separators of all columns. Chunks stay with their warps: every second of those that are left is solved for and posted,
   in the place of the heads that its own thread alone has read, and goes into those around it. number: a chunk's first
   separator's row; real: columns that there are. Couplings that roundings hide are dropped on the way, and once none is left in a
   block, its separators are solved for at once, to the same bits. */
__device__ __forceinline__ void sb_penta_couple(const sb_tile_own &job, const sb_penta_room &room,
                                                const sb_penta_posts &posts, int block, int chunk, int number,
                                                int64_t real, sb_penta_turns *turns,
                                                sb_penta_separators (&mine)[SB_OWN_LANES],
                                                const int (&columns)[SB_OWN_LANES],
                                                float (&growth)[SB_OWN_LANES], int (&bad)[SB_OWN_LANES])
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
    const int blocks = job.tiles.cut.blocks;
    const bool tries = blocks > 1 && blocks <= SB_TILE_PENTA_MOST_BESIDE;
    bool asks = !tries || turns->patient > 0;
    turns->patient -= turns->patient > 0;
    for (bool again = false;; again = asks = true) {
        if (again) {
            turns->patient = SB_PENTA_PATIENCE;
            __syncthreads(); /* all have read the verdicts */
        }
        uint32_t verdict[SB_OWN_LANES];
        if (asks && blocks > 1)
            sb_penta_ask(job, room, block, chunk, turns->asked++ & 1, mine, columns);
        if (!asks) {
            if (chunk == around)
                sb_penta_tell_beside(job, room, posts, block, turns->beside, mine, columns);
            __syncthreads();
        }
        if (!asks && (chunk == around || chunk == 0))
            sb_penta_beside(job, room, posts, block, chunk == around, turns->beside, real, mine, columns,
                            verdict);
        else if (chunk == around)
            sb_penta_close_block(job, room, mine, columns);
        sb_bulk_fence(); /* nothing is posted any more */
        __syncthreads();
        if (!asks && chunk == around)
            sb_penta_judge(job, room, block, turns->beside, verdict, columns);
        sb_penta_back(room, posts, s, chunk, behind, columns);
        if (asks)
            break;
        if (sb_penta_hear(room, blocks, turns->beside++, columns, growth, bad))
            return;
    }
    if (tries && turns->patient == 0)
        sb_cluster_meet(); /* all have read their answers, in whose place verdicts come from now on */
#pragma unroll
    for (int v = 0; v < SB_OWN_LANES; ++v) {
        growth[v] = room.growth[columns[v]];
        bad[v] = room.bad[columns[v]];
    }
}

} // namespace

#endif
