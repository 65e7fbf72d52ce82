/* cr, pcr, pcr_thomas, wang_mou and tpr: launches of one solve. Matrix and right-hand side are reduced together, so factor only
 * copies the matrix (3 words a row in, 3 out) and looks whether it is dominant by the method's margin. */
#include "src/cuda/reduction/cr.cuh"
#include "src/cuda/reduction/launch.cuh"
#include "src/cuda/reduction/pcr.cuh"
#include "src/cuda/reduction/tpr.cuh"
#include "src/cuda/reduction/wang_mou.cuh"

namespace
{

/* cr and thomas alike need no margin; unknowns that round independently of their neighbours do (docs/methods.md). */
constexpr R no_margin = 1, margin = R(1.01);

__global__ void __launch_bounds__(SB_REDUCTION_THREADS)
    copy_matrices(const __grid_constant__ sb_cuda_job job, R least)
{
    int64_t pitch = sb_reduction_pitch(job.n), all = job.n * job.matrices;
    T *to = static_cast<T *>(job.stored);
    for (int64_t t = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; t < all;
         t += gridDim.x * static_cast<int64_t>(blockDim.x)) {
        int64_t i = t % job.n, matrix = t / job.n, line = sb_matrix_line(job, matrix);
        sb_row e;
        e.a = sb_entry(job, line, job.n, i, -1);
        e.b = sb_entry(job, line, job.n, i, 0);
        e.c = sb_entry(job, line, job.n, i, 1);
        to[3 * matrix * pitch + i] = e.a;
        to[(3 * matrix + 1) * pitch + i] = e.b;
        to[(3 * matrix + 2) * pitch + i] = e.c;
        if (job.wary && weak(e, least))
            atomicOr(&job.matrix[matrix].flags, SB_CUDA_UNSAFE);
    }
}

cudaError_t factor_by(const sb_cuda_call *call, R least)
{
    if (!plan_of(call).listed)
        return settle_empty(call);
    cudaError_t error =
        cudaMemsetAsync(call->job.matrix, 0, call->job.matrices * sizeof(sb_cuda_matrix), call->stream);
    int64_t items = call->job.n * call->job.matrices, blocks = 16 * call->setup->device->processors;
    int64_t needed = (items + SB_REDUCTION_THREADS - 1) / SB_REDUCTION_THREADS;
    return error != cudaSuccess
               ? error
               : start(copy_matrices, call, needed < blocks ? needed : blocks, SB_REDUCTION_THREADS, 0, least);
}

cudaError_t factor(const sb_cuda_call *call)
{
    return factor_by(call, no_margin);
}

cudaError_t factor_with_margin(const sb_cuda_call *call)
{
    return factor_by(call, margin);
}

/* The launches of a wave, one after another until one fails. */
struct wave {
    const sb_cuda_call *call;
    const sb_reduction &plan;
    spread all; /* one block a system */
    cudaError_t error;

    /* In blocks of `per` items, or as many as suit. */
    spread parts(int64_t items, int64_t per = 0) const
    {
        spread s = all;
        s.per = per ? per : share_of(call, items, s.count);
        s.parts = (items + s.per - 1) / s.per;
        return s;
    }
    template <class Kernel, class... Given>
    void run(Kernel *kernel, spread s, int threads, int64_t shared, Given... given)
    {
        if (error == cudaSuccess)
            error = start(kernel, call, s.count * s.parts, threads, shared, s, given...);
    }
};

level user_rows(const sb_reduction &plan)
{
    return {LINES, plan.n, 0, 1, 0, 0, 1, 0};
}

/* A level by halves, and back into `to`. Its halves lie from `rows` on in the room. */
void halve(wave &w, level top, target to, int64_t rows)
{
    auto at = [&](int l) {
        return l == 0 ? top : level{ROOM,           top.m >> l,  sb_trunk_rows(&w.plan, rows, l), 1, 0, 0,
                                    top.scale << l, top.step + l};
    };
    auto into = [&](int l) { return l == 0 ? to : target{false, sb_trunk_unknowns(&w.plan, rows, l)}; };
    int depth = w.plan.levels;
    for (int l = 0; l < depth; ++l)
        w.run(cr_down, w.parts(at(l).m / 2), SB_REDUCTION_THREADS, 0, at(l), at(l + 1).at);
    w.run(cr_trunk, w.all, w.plan.threads, w.plan.shared, at(depth), into(depth));
    for (int l = depth; l-- > 0;)
        w.run(cr_up, w.parts((at(l).m + 1) / 2), SB_REDUCTION_THREADS, 0, at(l), into(l + 1).at, into(l));
}

void cr(wave &w)
{
    halve(w, user_rows(w.plan), {true, 0}, 0);
}

void tpr(wave &w)
{
    const sb_reduction &p = w.plan;
    const int64_t half = sb_spots(p.tile / 2, 4 * sizeof(T)), unknowns = sb_tpr_unknowns(&p);
    spread slices = w.parts(p.n, p.tile);
    level tree = {SLICES, p.trunk, 0, p.tile / 2, sb_tpr_tops(&p), 0, p.tile, 0};
    for (int64_t rows = p.tile; rows > 1; rows /= 2)
        ++tree.step;
    w.run(reduce_slices, slices, p.slice_threads, 2 * half, user_rows(p), sb_tpr_tops(&p));
    halve(w, tree, {false, unknowns}, sb_tpr_trunk(&p));
    w.run(substitute_slices, slices, p.slice_threads, half, user_rows(p), unknowns);
}

void wang_mou(wave &w)
{
    const sb_reduction &p = w.plan;
    tiled_naming naming = {p.n, p.tile, 0, 0};
    level of = user_rows(p);
    auto into = [&](int l) { return l == 0 ? target{true, 0} : target{false, sb_tiled_unknowns(&p, l)}; };
    for (; naming.depth < p.levels; ++naming.depth, naming.step += 64) {
        int64_t next = 4 * sb_tiled_start(&p, naming.depth + 1);
        w.run(merge_tiles, w.parts(of.m, p.tile), p.slice_threads, p.shared, of, naming, false,
              4 * sb_tiled_start(&p, naming.depth), next, target{false, 0});
        of = {ROOM, sb_tiled_rows(p.n, p.tile, naming.depth + 1), next, 1, 0, 0, 1, 0};
    }
    w.run(merge_tiles, w.parts(of.m, of.m), p.threads, p.shared, of, naming, true, int64_t(0), int64_t(0),
          into(p.levels));
    for (int l = p.levels; l-- > 0;) {
        int64_t m = sb_tiled_rows(p.n, p.tile, l);
        w.run(part_tiles, w.parts(m), SB_REDUCTION_THREADS, 0, m, p.tile, 4 * sb_tiled_start(&p, l),
              into(l + 1).at, into(l));
    }
}

/* Steps go to and fro between two copies of the rows. */
level split(wave &w)
{
    level of = user_rows(w.plan);
    for (int step = 0; step < w.plan.levels; ++step) {
        int64_t next = step % 2 ? 4 * w.plan.n : 0;
        w.run(pcr_step, w.parts(of.m), SB_REDUCTION_THREADS, 0, of, next);
        of = {ROOM, of.m, next, 1, 0, 0, 1, step + 1};
    }
    return of;
}

void pcr(wave &w)
{
    const int as_many_as_it_takes = 64;
    level of = split(w);
    spread s = w.all;
    s.parts = INT64_C(1) << w.plan.levels;
    w.run(pcr_end, s, w.plan.threads, w.plan.shared, of, as_many_as_it_takes);
    if (w.plan.levels)
        w.run(judge_systems, w.all, WARP, 0);
}

void pcr_thomas(wave &w)
{
    if (!w.plan.thomas_alone) {
        w.run(pcr_end, w.all, w.plan.threads, w.plan.shared, user_rows(w.plan), w.plan.steps);
        return;
    }
    level of = split(w);
    w.run(thomas_systems, w.parts(INT64_C(1) << w.plan.levels, SB_REDUCTION_THREADS), SB_REDUCTION_THREADS, 0,
          of, of.at);
    w.run(judge_systems, w.all, WARP, 0);
}

/* With the user's diagonals this is factor_solve: every system has a matrix of its own. */
template <void of(wave &)> cudaError_t solve_by(const sb_cuda_call *call, R least)
{
    const sb_reduction &plan = plan_of(call);
    if (!plan.listed)
        return settle_empty(call);
    cudaError_t error = cudaSuccess;
    if (call->job.diagonal[0])
        error = cudaMemsetAsync(call->job.matrix, 0, call->job.matrices * sizeof(sb_cuda_matrix), call->stream);
    for (int64_t first = 0; first < call->job.systems && error == cudaSuccess; first += plan.together) {
        int64_t rest = call->job.systems - first;
        spread all = {first,
                      rest < plan.together ? rest : plan.together,
                      1,
                      plan.n,
                      plan.room,
                      bytes_of_keys(plan),
                      call->job.wary ? least : R(0)};
        wave w = {call, plan, all, cudaSuccess};
        of(w);
        error = w.error;
    }
    return error;
}

template <void of(wave &)> cudaError_t solve(const sb_cuda_call *call)
{
    return solve_by<of>(call, no_margin);
}

template <void of(wave &)> cudaError_t solve_with_margin(const sb_cuda_call *call)
{
    return solve_by<of>(call, margin);
}

} // namespace

/* The table of a method: factor, then `of` with the user's diagonals or without. */
#define REDUCTION(name, factors, solves) \
    extern "C" const sb_cuda_launchers SB_NAME(cuda_##name) = {factors, solves<name>, solves<name>, nullptr};
REDUCTION(cr, factor, solve)
REDUCTION(pcr, factor_with_margin, solve_with_margin)
REDUCTION(pcr_thomas, factor_with_margin, solve_with_margin)
REDUCTION(wang_mou, factor_with_margin, solve_with_margin)
REDUCTION(tpr, factor_with_margin, solve_with_margin)
