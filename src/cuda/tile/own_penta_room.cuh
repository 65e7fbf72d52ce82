/* Where own pentadiagonal matrices in columns keep what chunks, and blocks of a cluster, tell each other. */
#ifndef SB_CUDA_TILE_OWN_PENTA_ROOM_CUH
#define SB_CUDA_TILE_OWN_PENTA_ROOM_CUH

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

/* Numbers of one column in pieces of 16 bytes, which stand a tile's columns apart, so that a warp's are one behind another. */
template <int WORDS> struct sb_penta_pieces {
    static constexpr int COUNT = (WORDS * sizeof(T) + 15) / 16;
    union {
        T at[WORDS];
        uint64_t halves[COUNT][2];
    };

    __device__ __forceinline__ void send(const uint64_t *to, int columns, uint64_t *told, uint32_t rank) const
    {
        const uint32_t address = sb_cluster_address(to, rank), counted = sb_cluster_address(told, rank);
#pragma unroll
        for (int p = 0; p < COUNT; ++p)
            sb_cluster_send(address + p * columns * 16, halves[p][0], halves[p][1], counted);
    }
    __device__ __forceinline__ void read(const uint64_t *from, int columns)
    {
#pragma unroll
        for (int p = 0; p < COUNT; ++p) {
            const ulonglong2 piece = reinterpret_cast<const ulonglong2 *>(from)[p * columns];
            halves[p][0] = piece.x;
            halves[p][1] = piece.y;
        }
    }
};
typedef sb_penta_pieces<14> sb_penta_row_pieces;
typedef sb_penta_pieces<10> sb_penta_head_pieces;
static_assert((sb_penta_row_pieces::COUNT + sb_penta_head_pieces::COUNT) * 16 <= sizeof(sb_penta_words));

/* a / blocks of a few columns and blocks, which the compiler would not know to be few. */
__device__ __forceinline__ int sb_tile_share(int a, int blocks)
{
    return static_cast<int>(__fdividef(a + 0.5f, blocks));
}

/* Barriers of a cluster's exchange: rows and heads have come from the blocks beside; the verdicts of all, by turns of two; and, where
   couplings stay, what blocks ask of each other, and answers. */
enum {
    SB_PENTA_BESIDE,
    SB_PENTA_VERDICT,
    SB_PENTA_ASKED = SB_PENTA_VERDICT + 2,
    SB_PENTA_ANSWERED,
    SB_PENTA_TOLD
};
static_assert(static_cast<int>(SB_PENTA_TOLD) == SB_TILE_PENTA_BARRIERS);

/* A verdict: growth, as a number that is not negative has its bits, or that the cluster has to ask. */
constexpr uint32_t SB_PENTA_ASKS = ~0u;

/* How many times a cluster has met, and has asked; for how many more tiles it asks without trying to do without, since those of one
   batch are often alike. All blocks count alike, as far as barriers tell phases apart. */
struct sb_penta_turns {
    uint32_t beside : 2, asked : 1, patient : 5;
};
enum { SB_PENTA_PATIENCE = 16 };

/* Shared memory: the warps' stages; a cluster's exchange; words of rows, in places of one thread each; the separators' solution,
   that of the block before first; what became of the columns' matrices. */
struct sb_penta_room {
    int columns, share; /* of a tile; those whose ends a block of the cluster solves for */
    sb_penta_words *asked;
    sb_penta_answer *answers;
    uint64_t *rows, *heads; /* of the blocks before and behind, where `asked` is */
    uint32_t *verdicts;     /* of all blocks, by turns of two, where `answers` are */
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
        rows = reinterpret_cast<uint64_t *>(asked);
        heads = rows + 2 * sb_penta_row_pieces::COUNT * columns;
        verdicts = reinterpret_cast<uint32_t *>(answers);
        kept = reinterpret_cast<T *>(reinterpret_cast<unsigned char *>(answers) +
                                     sb_tile_penta_answers(columns, blocks, sizeof(T)));
        solved = kept + SB_TILE_PENTA_KEPT(tiles.cut.slots, sizeof(T)) * SB_TILE_OWN_THREADS * SB_OWN_LANES;
        told = reinterpret_cast<uint64_t *>(solved + 2 * (chunks + 1) * columns);
        full = told + SB_PENTA_TOLD;
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

__device__ __forceinline__ void sb_penta_ends_of(const T *row, sb_penta_end (&ends)[2])
{
#pragma unroll
    for (int e = 0; e < 2; ++e) {
        const T *at = row + 7 * e;
        ends[e] = {{at[0], at[1]}, {at[2], at[3]}, {at[4], at[5]}, at[6], 0};
        ends[e].scale = max(sb_largest_of(at[0], at[1], at[2]), sb_largest_of(at[3], at[4], at[5]));
    }
}

__device__ __forceinline__ void sb_penta_row_of(const sb_penta_end (&ends)[2], T *row)
{
#pragma unroll
    for (int s = 0; s < 2; ++s, row += 7) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            row[j] = ends[s].a[j];
            row[2 + j] = ends[s].b[j];
            row[4 + j] = ends[s].c[j];
        }
        row[6] = ends[s].d;
    }
}

__device__ __forceinline__ void sb_penta_knowns_of(const sb_penta_known (&known)[2], T *to)
{
#pragma unroll
    for (int s = 0; s < 2; ++s, to += 5) {
        to[0] = known[s].y;
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            to[1 + j] = known[s].p[j];
            to[3 + j] = known[s].u[j];
        }
    }
}

__device__ __forceinline__ void sb_penta_knowns_from(const T *from, sb_penta_known (&known)[2])
{
#pragma unroll
    for (int s = 0; s < 2; ++s, from += 5)
        known[s] = {from[0], {from[1], from[2]}, {from[3], from[4]}};
}

/* The first of a block's last separators. */
__device__ __forceinline__ int sb_penta_number(const sb_tile_cut &cut, int block)
{
    return (block + 1 < cut.blocks ? (block + 1) * cut.block_rows : cut.n) - 2;
}

} // namespace

#endif
