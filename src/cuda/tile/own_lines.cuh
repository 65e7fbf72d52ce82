/* Own matrices, lines one after another: 5 words a row of tridiagonal ones, 7 of pentadiagonal ones.
 *
 * Warps work alone: `width` lanes (a power of two) hold a line, a chunk each, 32 / width lines at a time. Matrices and
 * right-hand sides come to the warp's stages by the copy engine; a lane sweeps its chunk from the first row on and keeps
 * what the rows are solved by, in registers or in the rows' places (arrange.c chooses); the separators are solved for over the
 * lanes, and then the chunk from the last row on. Chunks of an odd number of rows keep lanes on different banks; any length
 * will do, the last lanes having no more rows than separators if need be. Rings are closed by the last separators. */
#ifndef SB_CUDA_TILE_OWN_LINES_CUH
#define SB_CUDA_TILE_OWN_LINES_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/own_penta_lane.cuh"
#include "src/cuda/tile/own_tri_lane.cuh"
#include "src/cuda/tile/queue.cuh"

namespace
{

/* LANE: see own_lane.cuh. Without right-hand sides, matrices are judged and nothing is solved. Where registers keep the rows, the
   next tile comes as soon as they have been swept, and solutions have a plane of their own. */
template <class LANE>
__global__ void __launch_bounds__(SB_WARP *LANE::WARPS, 1)
    sb_tile_solve_own_lines(const __grid_constant__ sb_tile_own_lines job,
                            const __grid_constant__ sb_lane_planes<LANE::PLANES> from, T *x, bool conjugate,
                            sb_cuda_matrix *matrix, sb_cuda_outcome *system, unsigned *taken)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    constexpr int PLANES = LANE::PLANES;
    constexpr bool FREE = LANE::IN_REGISTERS; /* a stage, once its rows have been swept */
    sb_follow();
    const sb_tile_lines &lines = job.lines;
    int warp = threadIdx.x / SB_WARP, warps = blockDim.x / SB_WARP;
    int warp_bytes = lines.stages * (PLANES + lines.apart) * lines.stage_bytes;
    uint64_t *full = reinterpret_cast<uint64_t *>(shared + (size_t)warps * warp_bytes) +
                     warp * SB_TILE_OWN_LINE_BARRIERS(lines.stages);
    const sb_lane_mover<PLANES> mover = {
        lines, from, x, shared + (size_t)warp * warp_bytes, full, sb_lane_single(), 0, lines.cut.n};
    LANE mine(job, mover, conjugate);
    if (threadIdx.x % SB_WARP == 0 && lines.bulk_in) {
        for (int s = 0; s < lines.stages; ++s)
            sb_barrier_make(full + s, 1);
        sb_barriers_made();
    }
    __syncwarp();
    int tiles = (lines.systems + lines.together - 1) / lines.together, step = gridDim.x * warps;
    const sb_tile_queue queue = {taken, tiles, step, lines.stages + 1};
    int stage = 0, parity = 1, coming = blockIdx.x * warps + warp, tile = coming - lines.stages * step,
        second = tile + step; /* of two stages */
#pragma unroll 1
    while (tile < tiles) {
        bool begun = tile >= 0;
        int after = coming + step;
        if (lines.queued && begun && coming < tiles && threadIdx.x % SB_WARP == 0)
            after = queue.take();
        int line = min(tile * lines.together + mine.group, lines.systems - 1);
        typename LANE::kept_rows kept;
        typename LANE::separators left;
        sb_met met = sb_nothing_met();
        if (begun) {
            if (lines.bulk_in)
                sb_barrier_wait<SB_BLOCK>(full + stage, parity);
            mine.turn_to(tile, stage);
            left = mine.sweep(line, &kept, &met);
        }
        __syncwarp();
        if (FREE && coming < tiles)
            mover.load(coming, stage);
        if (begun) {
            const typename LANE::unknowns own = mine.chain(left, &met),
                                          before =
                                              own.of_lane((mine.lane - 1) & (lines.width - 1), lines.width);
            bool real = mine.group < mover.count(tile), good = mine.judge(line, real, met, matrix);
            if (mine.solves) {
                if (FREE && lines.bulk_out)
                    sb_bulk_stores_left<0>();
                __syncwarp();
                bool finite = mine.back(kept, before, own);
                mover.store(tile, stage, mine.tell(line, good, real, finite, system));
            }
        }
        if (!FREE) {
            if (lines.bulk_out)
                sb_bulk_stores_left<0>();
            __syncwarp();
            if (coming < tiles)
                mover.load(coming, stage);
        }
        stage = stage + 1 == lines.stages ? 0 : stage + 1;
        parity ^= stage == 0;
        tile = lines.stages > 1 ? second : coming;
        second = coming;
        coming = __shfl_sync(~0u, after, 0);
    }
    sb_bulk_stores_done();
}

} // namespace

#endif
