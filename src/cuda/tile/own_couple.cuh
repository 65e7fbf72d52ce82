/* How the chunks of own matrices in columns, and the blocks of a cluster, come by their separators. */
#ifndef SB_CUDA_TILE_OWN_COUPLE_CUH
#define SB_CUDA_TILE_OWN_COUPLE_CUH

#include "src/cuda/tile/chain.cuh"
#include "src/cuda/tile/own_ring.cuh"

namespace
{

constexpr int SB_OWN_SLOTS = sb_own_shape<1>::SLOTS, SB_OWN_ROWS = sb_own_shape<1>::ROWS,
              SB_OWN_ARRAYS = sb_own_shape<1>::ARRAYS, SB_OWN_BOX = sb_own_shape<1>::BOX;

/* What is left of a block, for the others of its cluster. */
struct __align__(16) sb_own_words
{
    T a, b, c, d;
    sb_known head;
    float growth;
    int bad;
};
static_assert(sizeof(sb_own_words) == SB_TILE_OWN_WORDS_BYTES(sizeof(T)));

/* Shared memory: the warps' stages; the exchange of a cluster, by turns of two; what chunks post; the separators' solution,
   that of the block before first; what became of the columns' matrices. */
struct sb_own_room {
    int pitch; /* of posts: such that both ways of reading them touch all banks */
    uint64_t *told, *full;
    sb_own_words *words, *left;        /* of all blocks; of this one */
    T *posts, *solved, *stages, *kept; /* kept: a word a row, in places of one thread each */
    int *sizes;
    float *growth;
    int *bad;

    __device__ sb_own_room(const sb_tile_own &job, unsigned char *shared)
    {
        const sb_tile_strided &tiles = job.tiles;
        int columns = tiles.columns, chunks = tiles.cut.chunks, blocks = tiles.cut.blocks;
        pitch = SB_TILE_OWN_PITCH(columns, chunks, (int)sizeof(T));
        stages = reinterpret_cast<T *>(shared);
        left = reinterpret_cast<sb_own_words *>(shared + tiles.stages * tiles.stage_bytes);
        words = left + columns;
        kept = reinterpret_cast<T *>(words + (blocks > 1 ? 2 * blocks * columns : 0));
        posts = kept + SB_TILE_OWN_FAR(SB_OWN_SLOTS, sizeof(T)) * SB_TILE_OWN_THREADS * SB_OWN_LANES;
        solved = posts + SB_TILE_OWN_POSTS * chunks * pitch;
        told = reinterpret_cast<uint64_t *>(solved + (chunks + 1) * pitch);
        full = told + 2;
        sizes = reinterpret_cast<int *>(full + blockDim.x / 32 * SB_TILE_MOST_STAGES);
        growth = reinterpret_cast<float *>(sizes + SB_TILE_OWN_SIZES * chunks * pitch);
        bad = reinterpret_cast<int *>(growth + columns);
    }
};

/* The ends of the block before and of this one, from what is left of all blocks: a chain, or a ring, of its own. */
__device__ __forceinline__ void sb_own_ends(const sb_tile_own &job, sb_own_words *words, int block, T *before,
                                            T *own, sb_met *met, float *growth)
{
    const sb_tile_cut &cut = job.tiles.cut;
    int step = job.tiles.columns, last = cut.blocks - 1;
    sb_sweep sweep = sb_sweep_begin();
    sweep.head = words[0].head;
    for (int r = 0; r <= last; ++r) {
        sb_own_words here = words[r * step];
        sb_row row = sb_row_of(here.a, here.b, here.c, here.d);
        *growth = fmaxf(*growth, here.growth);
        met->bad = min(met->bad, here.bad);
        if (r < last) {
            sb_take_behind(&row, words[(r + 1) * step].head, met);
            sb_known known = sb_sweep_row(&sweep, row, (r + 1) * cut.block_rows - 1, met);
            words[r * step].a = known.y;
            words[r * step].b = known.p;
            words[r * step].c = known.u;
            continue;
        }
        sb_take_before(&row, sweep.last, met);
        sb_take_behind(&row, sweep.head, met);
        *own = *before = sb_close_ring(row, cut.n - 1, met);
    }
    T end = *own, x = end;
    for (int r = last - 1; r >= 0 && r >= block - 1; --r) {
        const sb_own_words &here = words[r * step];
        x = sb_known_at({here.a, here.b, here.c}, end, x);
        if (r == block)
            *own = x;
        else if (r < block)
            *before = x;
    }
}

/* The blocks' ends, a lane a column: what is left of this block goes to all of the cluster. */
__device__ __forceinline__ void sb_own_close(const sb_tile_own &job, const sb_own_room &room, int odd,
                                             int parity, int block)
{
    int blocks = job.tiles.cut.blocks, columns = job.tiles.columns, width = job.tiles.cut.chunks;
    sb_own_words *all = blocks > 1 ? room.words + odd * blocks * columns : room.left;
    for (int column = threadIdx.x; column < columns && blocks > 1; column += blockDim.x) {
        uint64_t words[sizeof(sb_own_words) / sizeof(uint64_t)];
        memcpy(words, room.left + column, sizeof words);
        for (int peer = 0; peer < blocks; ++peer)
            sb_cluster_send_few(all + block * columns + column, words, room.told + odd, peer);
        if (column == 0)
            sb_barrier_expect(room.told + odd, blocks * columns * sizeof words);
        else
            sb_barrier_arrive(room.told + odd);
    }
    if (blocks > 1)
        sb_barrier_wait<SB_CLUSTER>(room.told + odd, parity);
    for (int column = threadIdx.x; column < columns; column += blockDim.x) {
        T before, own;
        float growth = 0;
        sb_met ends = sb_nothing_met();
        sb_own_ends(job, all + column, block, &before, &own, &ends, &growth);
        room.growth[column] = fmaxf(growth, sb_growth_met(ends));
        room.bad[column] = ends.bad;
        room.solved[column] = before;
        room.solved[width * room.pitch + column] = own;
    }
}

/* Where a lane's separators are: its place among those of a column, its first column, and its row. */
struct sb_own_turn {
    int lane, width, column, across, number;

    __device__ sb_own_turn(const sb_tile_own &job, int block)
    {
        const sb_tile_cut &cut = job.tiles.cut;
        width = cut.chunks;
        lane = threadIdx.x % width;
        column = threadIdx.x / width;
        across = job.tiles.columns / SB_OWN_LANES;
        number = block * cut.block_rows + sb_tile_start(&cut, block, lane + 1) - 1;
    }
};

/* A lane's separator of one column. */
struct sb_own_separator {
    sb_row row;
    sb_known head, kept;
    sb_met met;

    __device__ __forceinline__ void read(const sb_own_room &room, int at, int step, int lane, int width)
    {
        const T *post = room.posts + at;
        int around = width - 1;
        row = {post[0], post[step], post[2 * step], post[3 * step], room.sizes[at]};
        head = {post[4 * step], post[5 * step], post[6 * step]};
        kept = {0, 0, 0};
        met = {room.sizes[step + at], room.sizes[2 * step + at]};
        head = sb_known_from(head, (lane + 1) & around, width);
        if (lane < around)
            sb_take_behind(&row, head, &met);
    }
    /* Every second of the separators that are left is solved for and goes into those around it. */
    __device__ __forceinline__ void halve(int s, int number, int lane, int width)
    {
        int around = width - 1;
        sb_met mine = met;
        sb_known solved = sb_row_solve(&row, number, &mine);
        sb_known before = sb_known_from(solved, (lane - s) & around, width);
        sb_known behind = sb_known_from(solved, (lane + s) & around, width);
        if (((lane + 1) & (2 * s - 1)) == s) {
            kept = solved;
            met = mine;
        } else if (((lane + 1) & (2 * s - 1)) == 0) {
            sb_take_before(&row, before, &met);
            if (lane < around)
                sb_take_behind(&row, behind, &met);
            else
                sb_head_pass(&head, behind);
        }
    }
};

/* The separators of all columns, by lanes that hold a column's chunks side by side. */
__device__ __forceinline__ void sb_own_couple(const sb_tile_own &job, const sb_own_room &room,
                                              const sb_own_turn &turn, int odd, int parity, int block)
{
    constexpr int LANES = SB_OWN_LANES;
    int width = turn.width, lane = turn.lane, column = turn.column, across = turn.across, around = width - 1;
    int step = width * room.pitch, at = lane * room.pitch + column;
    sb_own_separator mine[LANES];
#pragma unroll
    for (int v = 0; v < LANES; ++v)
        mine[v].read(room, at + v * across, step, lane, width);
    for (int s = 1; s < width; s *= 2)
#pragma unroll
        for (int v = 0; v < LANES; ++v)
            mine[v].halve(s, turn.number, lane, width);
#pragma unroll
    for (int v = 0; v < LANES; ++v) {
        sb_met met = sb_lanes_met(mine[v].met, width);
        const sb_row &row = mine[v].row;
        if (lane == around)
            room.left[column + v * across] = {row.a,  row.b, row.c, row.d, mine[v].head, sb_growth_met(met),
                                              met.bad};
    }
    __syncthreads();
    sb_own_close(job, room, odd, parity, block);
    __syncthreads();
    T x[LANES], before_block[LANES];
#pragma unroll
    for (int v = 0; v < LANES; ++v) {
        const T *solved = room.solved + column + v * across;
        x[v] = lane == around ? solved[width * room.pitch] : (T)0;
        before_block[v] = solved[0];
    }
    for (int s = width / 2; s > 0; s /= 2)
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            T before = sb_shuffle(x[v], (lane - s) & around, width),
              behind = sb_shuffle(x[v], (lane + s) & around, width);
            if (((lane + 1) & (2 * s - 1)) == s)
                x[v] = sb_known_at(mine[v].kept, lane < s ? before_block[v] : before, behind);
        }
#pragma unroll
    for (int v = 0; v < LANES; ++v)
        if (lane < around)
            room.solved[(lane + 1) * room.pitch + column + v * across] = x[v];
}

} // namespace

#endif
