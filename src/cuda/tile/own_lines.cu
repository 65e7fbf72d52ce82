/* The launchers of the method `tile` for own matrices whose lines follow one another. */
#include "src/cuda/tile/launch.cuh"
#include "src/cuda/tile/own_lines.cuh"

namespace
{

/* The diagonals of a band of K + K, NULL those that it does not have, and right-hand sides. */
template <int K> struct sb_line_arrays {
    enum { DIAGONALS = 2 * K + 1, PLANES = DIAGONALS + 1 };
    sb_lane_planes<PLANES> from = {};
    static bool has(const sb_cuda_job &job, int d)
    {
        return d - K >= -job.lower && d - K <= job.upper;
    }
    static sb_line_arrays given(const sb_cuda_job &job, const void *b)
    {
        sb_line_arrays arrays;
        for (int d = 0; d < DIAGONALS; ++d)
            if (has(job, d))
                arrays.from.at[d] = static_cast<const T *>(job.diagonal[job.lower + d - K]);
        arrays.from.at[DIAGONALS] = static_cast<const T *>(b);
        return arrays;
    }
    /* Of A^T, a diagonal is one of A's on the other side, from another row on. */
    static sb_line_arrays stored(const sb_cuda_job &job)
    {
        const T *stored = static_cast<const T *>(job.stored);
        sb_line_arrays arrays;
        for (int d = 0; d < DIAGONALS; ++d) {
            int of = job.transposed ? DIAGONALS - 1 - d : d;
            if (has(job, of))
                arrays.from.at[d] = stored + of * job.systems * job.n + (d - of) / 2;
        }
        arrays.from.at[DIAGONALS] = static_cast<const T *>(job.b);
        return arrays;
    }
};

/* The diagonals, matrix after matrix in the order of their numbers; as many words a row read as written. */
template <int K>
__global__ void __launch_bounds__(256)
    sb_tile_keep_lines(const __grid_constant__ sb_tile_own_lines job,
                       const __grid_constant__ sb_line_arrays<K> arrays, T *stored)
{
    const sb_tile_lines &lines = job.lines;
    const sb_lane_mover<sb_line_arrays<K>::PLANES> mover = {lines,   arrays.from,      nullptr, nullptr,
                                                            nullptr, sb_lane_single(), 0,       lines.cut.n};
    int64_t matrix = (int64_t)lines.systems * lines.cut.n;
    for (int line = blockIdx.x; line < lines.systems; line += gridDim.x) {
        T *to = stored + mover.number(line) * lines.cut.n;
        for (int i = threadIdx.x; i < lines.cut.n; i += blockDim.x)
#pragma unroll
            for (int d = 0; d < sb_line_arrays<K>::DIAGONALS; ++d)
                if (arrays.from.at[d])
                    to[d * matrix + i] = mover.source(d, line)[i];
    }
}

template <int K> struct sb_line_kernel;

template <> struct sb_line_kernel<1> {
    static auto of(const sb_tile_plan &plan)
    {
        return plan.places > 0 ? sb_tile_solve_own_lines<sb_own_tri_lane<SB_TILE_OWN_LINE_PLACES(sizeof(T))>>
                               : sb_tile_solve_own_lines<sb_own_tri_lane<0>>;
    }
};

template <> struct sb_line_kernel<2> {
    static auto of(const sb_tile_plan &)
    {
        return sb_tile_solve_own_lines<sb_own_penta_lane>;
    }
};

const sb_tile_plan &plan_of(const sb_cuda_call *call)
{
    return *reinterpret_cast<const sb_tile_plan *>(call->state);
}

template <int K>
cudaError_t run(const sb_cuda_call *call, sb_tile_own_lines own, const sb_line_arrays<K> &arrays)
{
    const sb_cuda_job &job = call->job;
    const sb_tile_plan &plan = plan_of(call);
    sb_tile_lines &lines = own.lines;
    const T *b = arrays.from.at[sb_line_arrays<K>::DIAGONALS];
    own.wary = job.wary;
    lines.bulk_out = lines.bulk_out && sb_tile_alike(job.x, b);
    int tiles = (lines.systems + lines.together - 1) / lines.together,
        blocks = (tiles + lines.warps - 1) / lines.warps;
    return sb_tile_launch(sb_line_kernel<K>::of(plan), 1, blocks, SB_WARP * lines.warps, plan.shared_bytes,
                          plan.resident[0], call, own, arrays.from, static_cast<T *>(job.x), job.conjugate,
                          job.matrix, job.system, static_cast<unsigned *>(job.scratch));
}

template <int K> cudaError_t judge_and_solve(const sb_cuda_call *call, const void *b)
{
    sb_tile_own_lines own = plan_of(call).own_lines;
    own.judges = 1;
    return run<K>(call, own, sb_line_arrays<K>::given(call->job, b));
}

template <int K> cudaError_t factor(const sb_cuda_call *call)
{
    int blocks = 8 * call->setup->device->processors;
    sb_tile_keep_lines<K><<<blocks, 256, 0, call->stream>>>(plan_of(call).own_lines,
                                                            sb_line_arrays<K>::given(call->job, nullptr),
                                                            static_cast<T *>(call->job.stored));
    cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : judge_and_solve<K>(call, nullptr);
}

template <int K> cudaError_t solve(const sb_cuda_call *call)
{
    sb_tile_own_lines own = plan_of(call).own_lines;
    const int64_t *number = own.lines.grid.number, n = own.lines.cut.n;
    own.lines.matrix_at = {1, number[0] * n, {number[1] * n, number[2] * n}};
    own.turned = call->job.transposed;
    return run<K>(call, own, sb_line_arrays<K>::stored(call->job));
}

template <int K> cudaError_t ready(const sb_cuda_setup *setup, sb_tile_plan *plan)
{
    return sb_tile_ready(sb_line_kernel<K>::of(*plan), 1, SB_WARP * plan->own_lines.lines.warps,
                         plan->shared_bytes, setup->device, &plan->resident[0]);
}

bool is_penta(const sb_tile_plan &plan)
{
    return plan.own_lines.lines.cut.k == 2;
}

} // namespace

extern "C" cudaError_t SB_NAME(tile_own_lines_ready)(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    sb_tile_plan *plan = reinterpret_cast<sb_tile_plan *>(state);
    return is_penta(*plan) ? ready<2>(setup, plan) : ready<1>(setup, plan);
}

extern "C" cudaError_t SB_NAME(tile_own_lines_factor)(const sb_cuda_call *call)
{
    return is_penta(plan_of(call)) ? factor<2>(call) : factor<1>(call);
}

extern "C" cudaError_t SB_NAME(tile_own_lines_solve)(const sb_cuda_call *call)
{
    return is_penta(plan_of(call)) ? solve<2>(call) : solve<1>(call);
}

extern "C" cudaError_t SB_NAME(tile_own_lines_factor_solve)(const sb_cuda_call *call)
{
    return is_penta(plan_of(call)) ? judge_and_solve<2>(call, call->job.b)
                                   : judge_and_solve<1>(call, call->job.b);
}
