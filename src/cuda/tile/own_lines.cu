/* The launchers of the method `tile` for own matrices whose lines follow one another. */
#include "src/cuda/tile/launch.cuh"
#include "src/cuda/tile/own_lines.cuh"

namespace
{

/* Three diagonals, matrix after matrix in the order of their numbers: 3 words a row read, 3 written. */
__global__ void __launch_bounds__(256)
    sb_tile_keep_lines(const __grid_constant__ sb_tile_own_lines job, const T *lower, const T *diagonal,
                       const T *upper, T *stored)
{
    const sb_tile_lines &lines = job.lines;
    const sb_lane_mover<SB_OWN_PLANES> mover = {
        lines, {lower, diagonal, upper, nullptr}, nullptr, nullptr, nullptr};
    int64_t matrix = (int64_t)lines.systems * lines.cut.n;
    for (int line = blockIdx.x; line < lines.systems; line += gridDim.x) {
        T *to = stored + mover.number(line) * lines.cut.n;
        for (int i = threadIdx.x; i < lines.cut.n; i += blockDim.x) {
            to[i] = mover.source(SB_LOWER, line)[i];
            to[matrix + i] = mover.source(SB_DIAGONAL, line)[i];
            to[2 * matrix + i] = mover.source(SB_UPPER, line)[i];
        }
    }
}

auto kernel_of(const sb_tile_plan &plan)
{
    return plan.places > 0 ? sb_tile_solve_own_lines<SB_TILE_OWN_LINE_PLACES(sizeof(T))>
                           : sb_tile_solve_own_lines<0>;
}

cudaError_t run(const sb_cuda_call *call, sb_tile_own_lines own, const T *const (&diagonal)[3], const void *b)
{
    const sb_cuda_job &job = call->job;
    const sb_tile_plan &plan = *reinterpret_cast<const sb_tile_plan *>(call->state);
    sb_tile_lines &lines = own.lines;
    own.wary = job.wary;
    lines.bulk_out =
        lines.bulk_out && (reinterpret_cast<uintptr_t>(b) | reinterpret_cast<uintptr_t>(job.x)) % 16 == 0;
    int tiles = (lines.systems + lines.together - 1) / lines.together,
        blocks = (tiles + lines.warps - 1) / lines.warps;
    return sb_tile_launch(kernel_of(plan), 1, blocks, SB_WARP * lines.warps, plan.shared_bytes,
                          plan.resident[0], call, own, diagonal[0], diagonal[1], diagonal[2],
                          static_cast<const T *>(b), static_cast<T *>(job.x), job.conjugate, job.matrix,
                          job.system, static_cast<unsigned *>(job.scratch));
}

cudaError_t judge_and_solve(const sb_cuda_call *call, const void *b)
{
    const void *const *from = call->job.diagonal;
    const T *diagonal[3] = {static_cast<const T *>(from[0]), static_cast<const T *>(from[1]),
                            static_cast<const T *>(from[2])};
    sb_tile_own_lines own = reinterpret_cast<const sb_tile_plan *>(call->state)->own_lines;
    own.judges = 1;
    return run(call, own, diagonal, b);
}

} // namespace

extern "C" cudaError_t SB_NAME(tile_own_lines_ready)(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    sb_tile_plan *plan = reinterpret_cast<sb_tile_plan *>(state);
    return sb_tile_ready(kernel_of(*plan), 1, SB_WARP * plan->own_lines.lines.warps, plan->shared_bytes,
                         setup->device, &plan->resident[0]);
}

extern "C" cudaError_t SB_NAME(tile_own_lines_factor)(const sb_cuda_call *call)
{
    const void *const *from = call->job.diagonal;
    int blocks = 8 * call->setup->device->processors;
    sb_tile_keep_lines<<<blocks, 256, 0, call->stream>>>(
        reinterpret_cast<const sb_tile_plan *>(call->state)->own_lines, static_cast<const T *>(from[0]),
        static_cast<const T *>(from[1]), static_cast<const T *>(from[2]), static_cast<T *>(call->job.stored));
    cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : judge_and_solve(call, nullptr);
}

extern "C" cudaError_t SB_NAME(tile_own_lines_solve)(const sb_cuda_call *call)
{
    sb_tile_own_lines own = reinterpret_cast<const sb_tile_plan *>(call->state)->own_lines;
    const int64_t *number = own.lines.grid.number, n = own.lines.cut.n, matrix = call->job.systems * n;
    const T *stored = static_cast<const T *>(call->job.stored);
    own.lines.matrix_at = {1, number[0] * n, {number[1] * n, number[2] * n}};
    const T *diagonal[3] = {stored, stored + matrix, stored + 2 * matrix};
    if (call->job.transposed) {
        diagonal[0] = stored + 2 * matrix - 1;
        diagonal[2] = stored + 1;
        own.turned = 1;
    }
    return run(call, own, diagonal, call->job.b);
}

extern "C" cudaError_t SB_NAME(tile_own_lines_factor_solve)(const sb_cuda_call *call)
{
    return judge_and_solve(call, call->job.b);
}
