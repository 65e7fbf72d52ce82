/* Own tridiagonal matrices, lines one after another: 5 words a row.
 *
 * Warps work alone: `width` lanes (a power of two) hold a line, a chunk each, 32 / width lines at a time. Matrices and
 * right-hand sides come to the warp's stages by the copy engine; a lane sweeps its chunk from the first row on and leaves in
 * the row's places what it is solved by, the separators are solved for over the lanes, and then the chunk from the last
 * row on. Chunks of an odd number of rows keep lanes on different banks; any length will do, the last lanes having one row
 * if need be. Rings are closed by the last separator. */
#ifndef SB_CUDA_TILE_OWN_LINES_CUH
#define SB_CUDA_TILE_OWN_LINES_CUH

#include "src/cuda/tile/chain.cuh"
#include "src/cuda/tile/mover.cuh"

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

/* A lane's chunk of the line that its group of lanes holds. */
struct sb_own_lane {
    const sb_tile_own_lines &job;
    const sb_lane_mover<SB_OWN_PLANES> &mover;
    int lane, group, start, rows;

    __device__ sb_own_lane(const sb_tile_own_lines &j, const sb_lane_mover<SB_OWN_PLANES> &m) : job(j), mover(m)
    {
        lane = threadIdx.x % job.lines.width;
        group = threadIdx.x % SB_WARP / job.lines.width;
        start = sb_tile_start(&job.lines.cut, 0, lane);
        rows = sb_tile_start(&job.lines.cut, 0, lane + 1) - start;
    }
    /* Entries that leave an open matrix are not there; those of a transposed ring stand at the other end. */
    __device__ __forceinline__ T lower(const T *staged, int line) const
    {
        if (lane > 0)
            return staged[0];
        return job.open ? (T)0 : job.turned ? mover.source(SB_LOWER, line)[job.lines.cut.n] : staged[0];
    }
    __device__ __forceinline__ T upper(const T *staged, int line) const
    {
        if (lane < job.lines.width - 1)
            return staged[0];
        return job.open ? (T)0 : job.turned ? mover.source(SB_UPPER, line)[-1] : staged[0];
    }
    /* The lane's rows of one tile, in place. False: a number of the solution is NaN or Inf. */
    __device__ __forceinline__ bool solve(int tile, int stage, int line, bool real, bool conjugate,
                                          sb_met *met) const
    {
        T *a = mover.staged(tile, stage, group, SB_LOWER) + start,
          *b = mover.staged(tile, stage, group, SB_DIAGONAL) + start,
          *c = mover.staged(tile, stage, group, SB_UPPER) + start,
          *d = mover.staged(tile, stage, group) + start;
        bool solves = mover.from[SB_RHS];
        sb_sweep sweep = sb_sweep_begin();
        sb_row row = sb_row_of(0, 1, 0, 0);
        auto right = [&](int i) {
            T value = solves ? d[i] : (T)0;
            return SB_COMPLEX && conjugate ? sb_conj(value) : value;
        };
        if (real) {
            sb_row next = {lower(a, line), b[0], c[0], right(0), 0};
            for (int i = 0; i < rows - 1; ++i) {
                row = sb_row_of(next.a, next.b, next.c, next.d);
                next = {a[i + 1], b[i + 1], c[i + 1], right(i + 1), 0};
                sb_known solved = sb_sweep_row(&sweep, row, start + i, met);
                a[i] = solved.p;
                c[i] = solved.u;
                if (solves)
                    d[i] = solved.y;
            }
            row = sb_row_of(next.a, next.b, upper(c + rows - 1, line), next.d);
            sb_take_before(&row, sweep.last, met);
        }
        T own = sb_lanes_chain(row, sweep.head, lane, job.lines.width, start + rows - 1, met);
        T left = sb_shuffle(own, (lane - 1) & (job.lines.width - 1), job.lines.width);
        return !solves || !real || back(a, c, d, left, own, conjugate);
    }
    /* From the separator on; rows ahead are read before one is written. */
    __device__ __forceinline__ bool back(const T *p, const T *u, T *d, T left, T x, bool conjugate) const
    {
        sb_exponent seen;
        sb_known next = {0, 0, 0};
        for (int i = rows - 1; i >= 0; --i) {
            sb_known here = next;
            if (i > 0)
                next = {d[i - 1], p[i - 1], u[i - 1]};
            if (i < rows - 1)
                x = sb_known_at(here, left, x);
            seen.see(x);
            d[i] = SB_COMPLEX && conjugate ? sb_conj(x) : x;
        }
        return !seen.broken();
    }
};

/* b null: matrices are judged, nothing is solved. */
__global__ void __launch_bounds__(SB_TILE_OWN_LINE_THREADS(sizeof(T)), 1)
    sb_tile_solve_own_lines(const __grid_constant__ sb_tile_own_lines job, const T *lower, const T *diagonal,
                            const T *upper, const T *b, T *x, bool conjugate, sb_cuda_matrix *matrix,
                            sb_cuda_outcome *system)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const sb_tile_lines &lines = job.lines;
    int warp = threadIdx.x / SB_WARP, warps = blockDim.x / SB_WARP;
    int warp_bytes = lines.stages * SB_OWN_PLANES * lines.stage_bytes;
    uint64_t *full = reinterpret_cast<uint64_t *>(shared + (size_t)warps * warp_bytes) + warp * lines.stages;
    const sb_lane_mover<SB_OWN_PLANES> mover = {
        lines, {lower, diagonal, upper, b}, x, shared + (size_t)warp * warp_bytes, full};
    const sb_own_lane mine(job, mover);
    if (threadIdx.x % SB_WARP == 0 && lines.bulk_in) {
        for (int s = 0; s < lines.stages; ++s)
            sb_barrier_make(full + s, 1);
        sb_barriers_made();
    }
    __syncwarp();
    int tiles = (lines.systems + lines.together - 1) / lines.together, step = gridDim.x * warps;
    int stage = 0, parity = 0, tile = blockIdx.x * warps + warp;
    for (int s = 0; s < lines.stages; ++s)
        if (tile + s * step < tiles)
            mover.load(tile + s * step, s);
    for (; tile < tiles; tile += step) {
        int line = tile * lines.together + mine.group;
        bool real = mine.group < mover.count(tile), good = real;
        int64_t number = real ? mover.number(line) : 0;
        sb_cuda_matrix record = matrix[number];
        if (lines.bulk_in)
            sb_barrier_wait(full + stage, parity);
        sb_met met = sb_nothing_met();
        bool finite = mine.solve(tile, stage, line, real, conjugate, &met);
        if (job.judges) {
            met = sb_lanes_met(met, lines.width);
            good = sb_own_judge(job.wary, sb_growth_met(met), met.bad,
                                real && mine.lane == 0 ? matrix + number : nullptr);
            good = good && real;
        } else if (real)
            good = record.outcome == SB_CUDA_GOOD && !(record.flags & SB_CUDA_UNSAFE);
        if (b) {
            unsigned broken = __ballot_sync(~0u, !finite), whole = __ballot_sync(~0u, good || !real);
            unsigned lanes = lines.width == SB_WARP ? ~0u : (1u << lines.width) - 1;
            if (good && mine.lane == 0)
                system[number] = broken & lanes << mine.group * lines.width
                                     ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1)
                                     : SB_CUDA_GOOD;
            unsigned each = whole;
            if (whole != ~0u)
                each = __ballot_sync(~0u, __shfl_sync(~0u, good, threadIdx.x % lines.together * lines.width));
            mover.store(tile, stage, each);
        }
        if (lines.bulk_out)
            sb_bulk_stores_left<0>();
        __syncwarp();
        if (tile + lines.stages * step < tiles)
            mover.load(tile + lines.stages * step, stage);
        stage = stage + 1 == lines.stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
    sb_bulk_stores_done();
}

} // namespace

#endif
