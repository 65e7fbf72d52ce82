/* The launchers of the method `tile`. */
#include <algorithm>

#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/tile/beside.cuh"
#include "src/cuda/tile/factor.cuh"
#include "src/cuda/tile/in_lines.cuh"
#include "src/cuda/tile/launch.cuh"
#include "src/cuda/tile/lines.cuh"

namespace
{

/* The matrix' rows from `base` on, as many pieces of them as there are records; width: lanes of a line, or 0 where chunks are not lanes. */
template <int K>
cudaError_t factor_rows(const sb_cuda_call *call, const sb_tile_cut &cut, int width, int base, int pieces,
                        sb_cuda_matrix *records)
{
    T *stored = static_cast<T *>(call->job.stored);
    const int64_t tables = 2 * sb_tile_layout(&cut).total;
    /* Blocks copy all of it, empty places too. */
    cudaError_t error = cudaMemsetAsync(stored, 0, pieces * tables * sizeof(T), call->stream);
    if (error != cudaSuccess)
        return error;
    sb_tile_factor_shared<K>
        <<<2 * pieces, SB_TILE_FACTOR_THREADS, 0, call->stream>>>(call->job, cut, stored, base);
    sb_tile_settle_slices<<<(pieces - 1) / SB_TILE_FACTOR_THREADS + 1, SB_TILE_FACTOR_THREADS, 0,
                            call->stream>>>(call->job, cut, stored, pieces, records);
    if constexpr (K <= 2)
        if (width > 0)
            sb_tile_write_lanes<K>
                <<<2 * pieces * cut.blocks, SB_TILE_FACTOR_THREADS, 0, call->stream>>>(cut, width, stored);
    return cudaGetLastError();
}

cudaError_t factor_shared(const sb_cuda_call *call, const sb_tile_plan &plan, int base, int pieces,
                          sb_cuda_matrix *records)
{
    const sb_tile_cut &cut = *sb_tile_cut_of(&plan);
    const int width = plan.form == SB_TILE_LINES ? plan.line.width : 0;
    return cut.k == 1   ? factor_rows<1>(call, cut, width, base, pieces, records)
           : cut.k == 2 ? factor_rows<2>(call, cut, width, base, pieces, records)
                        : factor_rows<4>(call, cut, width, base, pieces, records);
}

int threads_of(const sb_tile_strided &tile)
{
    return tile.columns / sb_tile_lanes * tile.cut.chunks;
}

size_t shared_of(const sb_tile_plan &plan, bool staged)
{
    return plan.shared_bytes + (staged ? (size_t)plan.strided.stages * plan.strided.stage_bytes : 0);
}

template <int K, typename Traffic>
cudaError_t ready_strided_by(const sb_cuda_device *device, sb_tile_plan *plan, int *resident)
{
    const sb_tile_strided &tile = plan->strided;
    return sb_tile_ready(sb_tile_solve_strided<K, Traffic>, tile.cut.blocks, threads_of(tile),
                         shared_of(*plan, Traffic::STAGED), device, resident);
}

template <int K> cudaError_t ready_strided(const sb_cuda_device *device, sb_tile_plan *plan)
{
    if constexpr (K > 1) /* in lines, tridiagonal ones go by lanes */
        if (plan->strided.lines > 0)
            return ready_strided_by<K, sb_tile_in_lines<K>>(device, plan, plan->resident);
    cudaError_t error = ready_strided_by<K, sb_tile_beside<K, false>>(device, plan, plan->resident);
    if (error != cudaSuccess || !plan->bulk)
        return error;
    return ready_strided_by<K, sb_tile_beside<K, true>>(device, plan, plan->resident + 1);
}

template <int K, typename Traffic>
cudaError_t solve_strided_by(const sb_cuda_call *call, const sb_tile_plan &plan, const sb_tile_strided &tile,
                             const CUtensorMap &map, int resident)
{
    const sb_cuda_job &job = call->job;
    const T *stored = static_cast<const T *>(job.stored) + job.transposed * sb_tile_layout(&tile.cut).total;
    sb_tile_strided dealt = tile;
    const int clusters = sb_tile_deal(&dealt.split, tile.tiles, resident);
    return sb_tile_launch(sb_tile_solve_strided<K, Traffic>, tile.cut.blocks, clusters, threads_of(tile),
                          shared_of(plan, Traffic::STAGED), clusters, call, map, dealt, stored,
                          static_cast<const T *>(job.b), static_cast<T *>(job.x), job.conjugate, job.matrix,
                          sb_cuda_unsafe(job.transposed), job.system, static_cast<unsigned *>(job.scratch));
}

template <int K> cudaError_t solve_strided(const sb_cuda_call *call, const sb_tile_plan &plan)
{
    sb_tile_strided tile = plan.strided;
    const T *b = static_cast<const T *>(call->job.b);
    CUtensorMap map = {};
    if constexpr (K > 1)
        if (tile.lines > 0) {
            tile.bulk_out = tile.bulk_out && sb_tile_alike(call->job.x, b);
            tile.pieces = tile.pieces && sb_tile_aligned(b);
            return solve_strided_by<K, sb_tile_in_lines<K>>(call, plan, tile, map, plan.resident[0]);
        }
    if (plan.bulk && sb_tile_aligned(b)) {
        cudaError_t error = sb_tile_map(&map, b, tile, tile.grid.b_at, tile.columns, tile.part_rows);
        return error != cudaSuccess
                   ? error
                   : solve_strided_by<K, sb_tile_beside<K, true>>(call, plan, tile, map, plan.resident[1]);
    }
    tile.stages = 0;
    return solve_strided_by<K, sb_tile_beside<K, false>>(call, plan, tile, map, plan.resident[0]);
}

/* Chunks of lines come in three sizes; of lines that warps share, in the longer ones. */
constexpr int LONGEST = SB_TILE_LONGEST(sizeof(T), SB_COMPLEX);

template <int K> auto lines_kernel(const sb_tile_plan &plan)
{
    const bool team = plan.line.cut.blocks > 1;
    if constexpr (SB_TILE_BETWEEN < LONGEST)
        if (plan.places == SB_TILE_BETWEEN)
            return team ? sb_tile_solve_lines<K, SB_TILE_BETWEEN, 1, true>
                        : sb_tile_solve_lines<K, SB_TILE_BETWEEN, 1, false>;
    if (team)
        return sb_tile_solve_lines<K, LONGEST, 1, true>;
    return plan.places == SB_TILE_SHORT
               ? sb_tile_solve_lines<K, SB_TILE_SHORT, SB_TILE_DEPTH(sizeof(T), SB_TILE_SHORT, K), false>
               : sb_tile_solve_lines<K, LONGEST, SB_TILE_DEPTH(sizeof(T), LONGEST, K), false>;
}

int lines_blocks(const sb_tile_lines &job)
{
    return job.cut.blocks / job.near;
}

template <int K> cudaError_t ready_lines(const sb_cuda_device *device, sb_tile_plan *plan)
{
    return sb_tile_ready(lines_kernel<K>(*plan), lines_blocks(plan->line), SB_WARP * plan->line.warps,
                         plan->shared_bytes, device, &plan->resident[0]);
}

template <int K> cudaError_t solve_lines(const sb_cuda_call *call, const sb_tile_plan &plan)
{
    const sb_cuda_job &job = call->job;
    sb_tile_lines tile = plan.line;
    const T *b = static_cast<const T *>(job.b),
            *stored = static_cast<const T *>(job.stored) + job.transposed * sb_tile_layout(&tile.cut).total;
    tile.bulk_out = tile.bulk_out && sb_tile_alike(job.x, b);
    /* few lines: warps on as many processors as there are, of which some help with the tables */
    const int fewest = K == 1 ? 4 : tile.warps;
    const int tiles = (tile.systems + tile.together - 1) / tile.together,
              pieces = std::max(tile.split.count, 1),
              processors = std::max(call->setup->device->processors / lines_blocks(tile) / pieces, 1),
              each = (tiles + processors - 1) / processors * tile.near,
              warps = std::min(std::max(each, (fewest + tile.near - 1) / tile.near * tile.near), tile.warps),
              teams = warps / tile.near,
              clusters = sb_tile_deal(&tile.split, (tiles + teams - 1) / teams, plan.resident[0]);
    return sb_tile_launch(lines_kernel<K>(plan), lines_blocks(tile), clusters, SB_WARP * warps,
                          plan.shared_bytes, clusters, call, tile, stored, b, static_cast<T *>(job.x),
                          job.conjugate, job.matrix, sb_cuda_unsafe(job.transposed), job.system,
                          static_cast<unsigned *>(job.scratch));
}

bool empty(const sb_cuda_call *call)
{
    return call->job.n == 0 || call->job.systems == 0;
}

cudaError_t factor(const sb_cuda_call *call)
{
    if (empty(call))
        return settle_empty(call);
    const sb_tile_plan &plan = *reinterpret_cast<const sb_tile_plan *>(call->state);
    if (plan.form == SB_TILE_OWN)
        return SB_NAME(tile_own_factor)(call);
    if (plan.form == SB_TILE_OWN_LINES)
        return SB_NAME(tile_own_lines_factor)(call);
    return factor_shared(call, plan, 0, 1, call->job.matrix);
}

cudaError_t solve(const sb_cuda_call *call)
{
    if (empty(call))
        return settle_empty(call);
    const sb_tile_plan &plan = *reinterpret_cast<const sb_tile_plan *>(call->state);
    if (plan.form == SB_TILE_OWN)
        return SB_NAME(tile_own_solve)(call);
    if (plan.form == SB_TILE_OWN_LINES)
        return SB_NAME(tile_own_lines_solve)(call);
    if (plan.form == SB_TILE_LINES)
        return plan.line.cut.k == 1 ? solve_lines<1>(call, plan) : solve_lines<2>(call, plan);
    return plan.strided.cut.k == 1   ? solve_strided<1>(call, plan)
           : plan.strided.cut.k == 2 ? solve_strided<2>(call, plan)
                                     : solve_strided<4>(call, plan);
}

/* A single matrix may be factored as shared ones are. */
cudaError_t factor_solve(const sb_cuda_call *call)
{
    if (empty(call))
        return settle_empty(call);
    const sb_tile_plan &plan = *reinterpret_cast<const sb_tile_plan *>(call->state);
    if (plan.form == SB_TILE_OWN)
        return SB_NAME(tile_own_factor_solve)(call);
    if (plan.form == SB_TILE_OWN_LINES)
        return SB_NAME(tile_own_lines_factor_solve)(call);
    cudaError_t error = factor(call);
    return error != cudaSuccess ? error : solve(call);
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    sb_tile_plan *plan = reinterpret_cast<sb_tile_plan *>(state);
    if (setup->longest == 0 || setup->systems == 0)
        return cudaSuccess;
    if (plan->form == SB_TILE_OWN)
        return SB_NAME(tile_own_ready)(setup, state);
    if (plan->form == SB_TILE_OWN_LINES)
        return SB_NAME(tile_own_lines_ready)(setup, state);
    const int k = sb_tile_cut_of(plan)->k;
    if (plan->form == SB_TILE_LINES)
        return k == 1 ? ready_lines<1>(setup->device, plan) : ready_lines<2>(setup->device, plan);
    return k == 1   ? ready_strided<1>(setup->device, plan)
           : k == 2 ? ready_strided<2>(setup->device, plan)
                    : ready_strided<4>(setup->device, plan);
}

} // namespace

extern "C" cudaError_t SB_NAME(tile_factor_pieces)(const sb_cuda_call *call, int64_t base, int64_t pieces,
                                                   sb_cuda_matrix *records)
{
    return factor_shared(call, *reinterpret_cast<const sb_tile_plan *>(call->state), static_cast<int>(base),
                         static_cast<int>(pieces), records);
}

extern "C" const sb_cuda_launchers SB_NAME(cuda_tile) = {factor, solve, factor_solve, ready};
