/* What the lanes of a warp need of a shared matrix's factors, in the order in which they read it: written once a plan, brought to
 * shared memory by one copy. Where several warps share a line, each has tables of its own. */
#ifndef SB_CUDA_TILE_LANES_CUH
#define SB_CUDA_TILE_LANES_CUH

#include "src/cuda/tile/chunk.cuh"
#include "src/cuda/tile/factor.cuh"
#include "src/cuda/tile/mover.cuh"

namespace
{

constexpr int SB_SCANS = 5;

/* A lane's constants of the chain, each a k x k matrix, K K words of 32 lanes: */
enum {
    SB_LANE_E = 0,
    SB_LANE_W = 2,
    SB_LANE_P = 3,
    SB_LANE_Q = 4,
    SB_LANE_UP = 5,
    SB_LANE_DOWN = 10,
    SB_LANE_EDGE = 15,
    SB_LANE_INVERSE = 17
};
static_assert(SB_LANE_INVERSE + 1 == SB_TILE_LANE_WORDS);

/* From chunk after chunk to place after place; lanes without a chunk get zeros. */
__device__ __forceinline__ T *sb_lanes_spread(T *to, const T *from, int slots, int words, int chunks, int width)
{
    for (int i = threadIdx.x; i < SB_WARP * slots * words; i += blockDim.x) {
        int lane = i / words % SB_WARP, place = i / (words * SB_WARP), chunk = lane % width;
        int64_t at = chunk < chunks ? ((int64_t)chunk * slots + place) * words + i % words : 0;
        to[i] = chunk < chunks ? from[at] : (T)0;
    }
    return to + SB_WARP * slots * words;
}

/* The lanes of a line, any number of them side by side. */
struct sb_lane_group {
    int lane, chunk, width;

    /* The lane so many chunks before or behind; or this one, where the line has none. */
    __device__ __forceinline__ int before(int by) const
    {
        return chunk >= by ? lane - by : lane;
    }
    __device__ __forceinline__ int behind(int by) const
    {
        return chunk + by < width ? lane + by : lane;
    }
    __device__ __forceinline__ int at(int other) const
    {
        return lane - chunk + other;
    }
};

/* k x k, row by row. */
template <int K> struct sb_block {
    T at[K * K];
};

/* Or zeros. */
template <int K> __device__ __forceinline__ sb_block<K> sb_lanes_block(bool any, const T *from)
{
    sb_block<K> block;
#pragma unroll
    for (int i = 0; i < K * K; ++i)
        block.at[i] = any ? from[i] : T(0);
    return block;
}

template <int K>
__device__ __forceinline__ sb_block<K> sb_lanes_product(bool any, const sb_block<K> &a, const sb_block<K> &b)
{
    sb_block<K> product = sb_block<K>{};
#pragma unroll
    for (int i = 0; i < K * K; ++i)
#pragma unroll
        for (int t = 0; t < K; ++t)
            product.at[i] += (any ? a.at[i / K * K + t] : T(0)) * b.at[t * K + i % K];
    return product;
}

template <int K> __device__ __forceinline__ sb_block<K> sb_lanes_shift(const sb_block<K> &block, int from)
{
    sb_block<K> shifted = sb_block<K>{};
#pragma unroll
    for (int i = 0; i < K * K; ++i)
        shifted.at[i] = sb_shuffle(block.at[i], from, SB_WARP);
    return shifted;
}

/* The first warp fills the constants of the scans: products of 1, 2, 4 .. multipliers before and behind a lane. */
template <int K>
__device__ void sb_lanes_constants(const sb_tile_cut &cut, const T *stored, int block, int width, T *constants)
{
    sb_tile_parts parts = sb_tile_layout(&cut);
    int lane = threadIdx.x, chunk = lane % width, last = cut.chunks - 1;
    const T *link =
                stored + parts.link + ((int64_t)block * cut.chunks + min(chunk, last)) * SB_TILE_LINK * K * K,
            *edge = stored + parts.edge + (int64_t)block * 2 * K * K;
    const sb_lane_group group = {lane, chunk, width};
    sb_block<K> up = sb_lanes_block<K>(chunk < last, link + SB_TILE_L * K * K),
                down = sb_lanes_block<K>(chunk < last, link + SB_TILE_U * K * K);
    auto keep = [&](int which, int i, T value) { constants[(which * K * K + i) * SB_WARP + lane] = value; };
    constexpr int READ = 8, place[READ] = {SB_LANE_E, SB_LANE_E + 1, SB_LANE_W,        SB_LANE_P,
                                           SB_LANE_Q, SB_LANE_EDGE,  SB_LANE_EDGE + 1, SB_LANE_INVERSE};
    T read[K * K][READ]; /* all of it before any is written, or each would be waited for */
#pragma unroll
    for (int i = 0; i < K * K; ++i) {
        read[i][0] = chunk <= last ? link[i] : (T)0;
        read[i][1] = chunk <= last ? link[K * K + i] : (T)0;
        read[i][2] = chunk <= last ? link[SB_TILE_W * K * K + i] : (T)0;
        read[i][3] = chunk < last ? link[SB_TILE_P * K * K + i] : (T)0;
        read[i][4] = chunk < last ? link[SB_TILE_Q * K * K + i] : (T)(i % (K + 1) == 0);
        read[i][5] = last > 0 ? edge[i] : (T)0;
        read[i][6] = last > 0 ? edge[K * K + i] : (T)0;
        read[i][7] = stored[parts.inverse + i];
    }
#pragma unroll
    for (int i = 0; i < K * K; ++i)
#pragma unroll
        for (int r = 0; r < READ; ++r)
            keep(place[r], i, read[i][r]);
    for (int q = 0; q < SB_SCANS; ++q) {
        sb_block<K> before = sb_lanes_shift<K>(up, group.before(1 << q)),
                    behind = sb_lanes_shift<K>(down, group.behind(1 << q));
        for (int i = 0; i < K * K; ++i) {
            keep(SB_LANE_UP + q, i, chunk >= 1 << q ? up.at[i] : (T)0);
            keep(SB_LANE_DOWN + q, i, chunk + (1 << q) < width ? down.at[i] : (T)0);
        }
        up = sb_lanes_product(chunk >= 1 << q, up, before);
        down = sb_lanes_product(chunk + (1 << q) < width, down, behind);
    }
}

/* A block writes those of a block of a cut, all of whose blocks those of the matrix are before those of its transposed. */
template <int K>
__global__ void __launch_bounds__(SB_TILE_FACTOR_THREADS)
    sb_tile_write_lanes(const sb_tile_cut cut, int width, T *stored)
{
    sb_tile_parts parts = sb_tile_layout(&cut);
    const int block = blockIdx.x % cut.blocks, order = cut.blocks * K,
              before = (block + cut.blocks - 1) % cut.blocks;
    const int64_t slots = (int64_t)block * cut.chunks * cut.slots;
    stored += blockIdx.x / cut.blocks * parts.total;
    T *tables = stored + parts.lanes + block * SB_TILE_LANE_TABLES(K, cut.slots, cut.blocks);
    T *spike =
        sb_lanes_spread(tables, stored + parts.forward + slots * (K + 1), cut.slots, K + 1, cut.chunks, width);
    T *back = sb_lanes_spread(spike, stored + parts.spike + slots * 2 * K, cut.slots, 2 * K, cut.chunks, width);
    T *constants = sb_lanes_spread(back, stored + parts.back + slots * K, cut.slots, K, cut.chunks, width);
    if (threadIdx.x < SB_WARP)
        sb_lanes_constants<K>(cut, stored, block, width, constants);
    for (int i = threadIdx.x; i < 2 * K * order && cut.blocks > 1; i += blockDim.x)
        constants[SB_TILE_LANE_WORDS * K * K * SB_WARP + i] =
            stored[parts.inverse + (i < K * order ? before : block) * K * order + i % (K * order)];
}

} // namespace

#endif
