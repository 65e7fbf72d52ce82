/* Own tridiagonal matrices, lines one after another: 5 words a row.
 *
 * Warps work alone: `width` lanes (a power of two) hold a line, a chunk each, 32 / width lines at a time. Matrices and
 * right-hand sides come to the warp's stages by the copy engine; a lane sweeps its chunk from the first row on and keeps
 * what the rows are solved by, in registers if it can, else in the rows' places; the separators are solved for over the
 * lanes, and then the chunk from the last row on. Chunks of an odd number of rows keep lanes on different banks; any length will do, the last lanes having one row
 * if need be. Rings are closed by the last separator. */
#ifndef SB_CUDA_TILE_OWN_LINES_CUH
#define SB_CUDA_TILE_OWN_LINES_CUH

#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/chain.cuh"
#include "src/cuda/tile/mover.cuh"
#include "src/cuda/tile/queue.cuh"

namespace
{

enum { SB_LOWER, SB_DIAGONAL, SB_UPPER, SB_RHS, SB_OWN_PLANES };

/* The lanes' separators, from their rows and the heads of their chunks. number: the separator's row. */
__device__ __forceinline__ T sb_lanes_chain(sb_row row, sb_known head, int lane, int width, int number,
                                            sb_met *met)
{
    int around = width - 1;
    sb_known kept = {0, 0, 0};
    sb_take_behind(&row, sb_known_from(head, (lane + 1) & around, width), met);
    for (int step = 1; step < width; step *= 2) {
        sb_met mine = *met;
        sb_known solved = sb_row_solve(&row, number, &mine);
        sb_known before = sb_known_from(solved, (lane - step) & around, width);
        sb_known behind = sb_known_from(solved, (lane + step) & around, width);
        if (((lane + 1) & (2 * step - 1)) == step) {
            kept = solved;
            *met = mine;
        } else if (((lane + 1) & (2 * step - 1)) == 0) {
            sb_take_before(&row, before, met);
            sb_take_behind(&row, behind, met);
        }
    }
    T x = 0;
    if (lane == around)
        x = sb_close_ring(row, number, met);
    for (int step = width / 2; step > 0; step /= 2) {
        T before = sb_shuffle(x, (lane - step) & around, width);
        T behind = sb_shuffle(x, (lane + step) & around, width);
        if (((lane + 1) & (2 * step - 1)) == step)
            x = sb_known_at(kept, before, behind);
    }
    return x;
}

/* What a lane's rows are solved by, if registers hold it. */
template <int PLACES> struct sb_own_kept {
    sb_known row[PLACES > 1 ? PLACES - 1 : 1];
};

/* A lane's chunk of the line that its group of lanes holds; its rows are staged in a .. d. */
template <int PLACES> struct sb_own_lane {
    const sb_tile_own_lines &job;
    const sb_lane_mover<SB_OWN_PLANES> &mover;
    int lane, group, start, rows;
    bool solves, conjugate;
    T *a, *b, *c, *d, *x;

    __device__ sb_own_lane(const sb_tile_own_lines &j, const sb_lane_mover<SB_OWN_PLANES> &m, bool adjoint)
        : job(j), mover(m), solves(m.from[SB_RHS]), conjugate(adjoint)
    {
        lane = threadIdx.x % job.lines.width;
        group = threadIdx.x % SB_WARP / job.lines.width;
        start = sb_tile_start(&job.lines.cut, 0, lane);
        rows = sb_tile_start(&job.lines.cut, 0, lane + 1) - start;
    }
    __device__ __forceinline__ void turn_to(int tile, int stage)
    {
        a = mover.staged(tile, stage, group, SB_LOWER) + start;
        b = mover.staged(tile, stage, group, SB_DIAGONAL) + start;
        c = mover.staged(tile, stage, group, SB_UPPER) + start;
        d = mover.staged(tile, stage, group) + start;
        x = mover.solved(tile, stage, group) + start;
    }
    /* Entries that leave an open matrix are not there; those of a transposed ring stand at the other end. */
    __device__ __forceinline__ T lower(int line) const
    {
        if (lane > 0)
            return a[0];
        return job.open ? (T)0 : job.turned ? mover.source(SB_LOWER, line)[job.lines.cut.n] : a[0];
    }
    __device__ __forceinline__ T upper(int line) const
    {
        if (lane < job.lines.width - 1)
            return c[rows - 1];
        return job.open ? (T)0 : job.turned ? mover.source(SB_UPPER, line)[-1] : c[rows - 1];
    }
    __device__ __forceinline__ T right(int i) const
    {
        T value = solves ? d[i] : (T)0;
        return SB_COMPLEX && conjugate ? sb_conj(value) : value;
    }
    /* From the first row on; returns the last, with the head of the chunk. */
    __device__ __forceinline__ sb_row sweep(int line, sb_known *head, sb_own_kept<PLACES> *kept,
                                            sb_met *met) const
    {
        sb_sweep sweep = sb_sweep_begin();
        sb_row next = {lower(line), b[0], c[0], right(0), 0};
        if constexpr (PLACES > 0) {
#pragma unroll
            for (int i = 0; i < PLACES - 1; ++i) {
                if (i >= rows - 1)
                    continue;
                sb_row row = sb_row_of(i > 0 ? a[i] : next.a, b[i], c[i], right(i));
                kept->row[i] = sb_sweep_row(&sweep, row, start + i, met);
            }
            if (rows > 1)
                next = {a[rows - 1], b[rows - 1], 0, right(rows - 1), 0};
        } else
            for (int i = 0; i < rows - 1; ++i) {
                sb_row row = sb_row_of(next.a, next.b, next.c, next.d);
                next = {a[i + 1], b[i + 1], c[i + 1], right(i + 1), 0};
                sb_known solved = sb_sweep_row(&sweep, row, start + i, met);
                a[i] = solved.p;
                c[i] = solved.u;
                if (solves)
                    d[i] = solved.y;
            }
        sb_row last = sb_row_of(next.a, next.b, upper(line), next.d);
        sb_take_before(&last, sweep.last, met);
        *head = sweep.head;
        return last;
    }
    __device__ __forceinline__ void put(int i, T value, sb_exponent *seen) const
    {
        seen->see(value);
        x[i] = SB_COMPLEX && conjugate ? sb_conj(value) : value;
    }
    /* From the separators on both sides; in place, rows ahead are read before one is written. False: a number of the
       solution is NaN or Inf. */
    __device__ __forceinline__ bool back(const sb_own_kept<PLACES> &kept, T left, T own) const
    {
        sb_exponent seen;
        sb_known next = {0, 0, 0};
        if constexpr (PLACES > 0) {
            put(rows - 1, own, &seen);
#pragma unroll
            for (int i = PLACES - 2; i >= 0; --i) {
                if (i >= rows - 1)
                    continue;
                own = sb_known_at(kept.row[i], left, own);
                put(i, own, &seen);
            }
        } else
            for (int i = rows - 1; i >= 0; --i) {
                sb_known here = next;
                if (i > 0)
                    next = {d[i - 1], a[i - 1], c[i - 1]};
                if (i < rows - 1)
                    own = sb_known_at(here, left, own);
                put(i, own, &seen);
            }
        return !seen.broken();
    }
    /* Whether the line's matrix may be solved with. */
    __device__ __forceinline__ bool judge(int line, bool real, sb_met met, sb_cuda_matrix *matrix) const
    {
        sb_cuda_matrix *record = matrix + mover.number(line);
        if (!job.judges)
            return real && record->outcome == SB_CUDA_GOOD && !(record->flags & SB_CUDA_UNSAFE);
        met = sb_lanes_met(met, job.lines.width);
        return sb_own_judge(job.wary, sb_growth_met(met), met.bad, real && lane == 0 ? record : nullptr) &&
               real;
    }
    /* What became of the systems; returns a bit for each of the tile's lines whose solution goes to memory. */
    __device__ __forceinline__ unsigned tell(int line, bool good, bool real, bool finite,
                                             sb_cuda_outcome *system) const
    {
        int width = job.lines.width;
        unsigned broken = __ballot_sync(~0u, !finite), whole = __ballot_sync(~0u, good || !real);
        unsigned lanes = width == SB_WARP ? ~0u : (1u << width) - 1;
        if (good && lane == 0)
            system[mover.number(line)] = broken & lanes << group * width
                                             ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1)
                                             : SB_CUDA_GOOD;
        return whole == ~0u
                   ? whole
                   : __ballot_sync(~0u, __shfl_sync(~0u, good, threadIdx.x % job.lines.together * width));
    }
};

/* b null: matrices are judged, nothing is solved. Where registers keep the rows, the next tile comes as soon as they have
   been swept, and solutions have a plane of their own. */
template <int PLACES>
__global__ void __launch_bounds__(SB_WARP *SB_TILE_OWN_LINE_WARPS(sizeof(T), PLACES), 1)
    sb_tile_solve_own_lines(const __grid_constant__ sb_tile_own_lines job, const T *lower, const T *diagonal,
                            const T *upper, const T *b, T *x, bool conjugate, sb_cuda_matrix *matrix,
                            sb_cuda_outcome *system, unsigned *taken)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    sb_follow();
    const sb_tile_lines &lines = job.lines;
    int warp = threadIdx.x / SB_WARP, warps = blockDim.x / SB_WARP;
    int warp_bytes = lines.stages * (SB_OWN_PLANES + lines.apart) * lines.stage_bytes;
    uint64_t *full = reinterpret_cast<uint64_t *>(shared + (size_t)warps * warp_bytes) + warp * lines.stages;
    const sb_lane_mover<SB_OWN_PLANES> mover = {
        lines, {lower, diagonal, upper, b}, x, shared + (size_t)warp * warp_bytes, full};
    sb_own_lane<PLACES> mine(job, mover, conjugate);
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
        sb_own_kept<PLACES> kept;
        sb_known head;
        sb_row row;
        sb_met met = sb_nothing_met();
        if (begun) {
            if (lines.bulk_in)
                sb_barrier_wait<SB_BLOCK>(full + stage, parity);
            mine.turn_to(tile, stage);
            row = mine.sweep(line, &head, &kept, &met);
        }
        __syncwarp();
        if (PLACES > 0 && coming < tiles)
            mover.load(coming, stage);
        if (begun) {
            T own = sb_lanes_chain(row, head, mine.lane, lines.width, mine.start + mine.rows - 1, &met);
            T left = sb_shuffle(own, (mine.lane - 1) & (lines.width - 1), lines.width);
            bool real = mine.group < mover.count(tile), good = mine.judge(line, real, met, matrix);
            if (b) {
                if (PLACES > 0 && lines.bulk_out)
                    sb_bulk_stores_left<0>();
                __syncwarp();
                bool finite = mine.back(kept, left, own);
                mover.store(tile, stage, mine.tell(line, good, real, finite, system));
            }
        }
        if (PLACES == 0) {
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
