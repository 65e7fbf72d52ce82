/* Partition of systems of bands up to 4 + 4, one or many, by elimination without pivots: a strip in each lane.
 *
 * A lane sweeps its strip, looking at it through windows (kernels/window.cuh) as it would at a system of its own, and leaves what
 * src/chunk/wide_chain.h says is left of a chunk: its last four rows and its first four unknowns, which are the equations of a link
 * between the states at the strip's ends. Links are bands.cu's, who joins them and finds the states, with orthogonal elimination.
 * On the way back the states are known: what was known of the rows before each window, kept on the way there, lets windows be swept
 * once more from the last one on, on chip, each row's U in its place. Of large systems only every so many windows' is kept, a
 * group's, whose windows are swept upwards before, so that each has what passed to it.
 * Systems in which a strip's rows grew, had no pivot, or whose links had no solution, are told, and solved by bands.cu from the start.
 * Words a row, w = 2 K + 1 diagonals: w + 1 read, 36 / 16 kept (c128: 36 / 8), both read again, 1 written; links as in bands.cu, of 136 numbers
 * a strip. 4 + 4: 25.5 where 11 are necessary. Groups of g windows: all but one of each read a third time, and 20 / 16 passed to those
 * instead of 36 / 16: 34 where g is large. */
#include "src/cuda/bands/plain.h"

#include "src/chunk/wide_chain.h"
#include "src/cuda/bands/bands.h"
#include "src/cuda/bands/strip.cuh"
#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/kernels/window.cuh"

namespace
{

enum {
    K = SB_WIDE,
    RHS = SB_WIDE_DIAGONALS,
    PLANES = RHS + 1,
    ROWS = SB_PLAIN_WINDOW(sizeof(T)),
    TURN = sizeof(T) == 16 ? 1 : K,
    STATE = 2 * K,
    LINK = STATE * (2 * STATE + 1)
};

typedef sb_window<ROWS> plane;

static_assert(sizeof(sb_wide_known[K]) == SB_PLAIN_KEPT * sizeof(T), "what is kept");
static_assert(sizeof(sb_wide_upper[K]) == SB_PLAIN_PASSED * sizeof(T), "what passes");

/* What all lanes of a launch are told. Diagonals: A's, or A^T's, from the entry of its row 0, or of a Toeplitz matrix' usual one; outside
   the band there are no bytes to read of an entry. */
struct crowd {
    int64_t systems, strips, rows; /* strips of a system; rows of a strip */
    bool across;                   /* neighbouring lanes have neighbouring systems, not strips */
    bool records;                  /* the launch is to tell of matrices */
    int group;                     /* windows of one */
    int32_t *told;                 /* see plain.h */
    T *kept, *passed, *links;
    const T *diagonal[SB_WIDE_DIAGONALS];
    int bytes[SB_WIDE_DIAGONALS];

    __device__ __forceinline__ T *link(int64_t system, int64_t strip) const
    {
        return links + (system * (strips + 1) + strip) * LINK;
    }
};

/* A lane's strip. Rows are counted so that all strips end with row `rows` of their crowd's: the shorter ones have none before `skip`. */
struct lane_strip {
    int64_t system, number, matrix, line, first; /* first: where row 0 is, or would be */
    int skip;
    bool mine;

    __device__ __forceinline__ lane_strip(const sb_cuda_job &job, const crowd &all)
    {
        const int64_t lane = static_cast<int64_t>(blockIdx.x) * SB_WARP + sb_lane();
        mine = lane < all.systems * all.strips;
        const int64_t place = mine ? lane : 0;
        system = all.across ? place % all.systems : place / all.strips;
        number = all.across ? place / all.systems : place % all.strips;
        matrix = sb_matrix_of(job, system);
        line = sb_matrix_line(job, matrix);
        mine = mine && (all.records || job.matrix[matrix].outcome == SB_CUDA_GOOD);
        const int64_t begin = sb_plain_start(job.n, all.strips, all.rows, number),
                      end = sb_plain_start(job.n, all.strips, all.rows, number + 1);
        skip = static_cast<int>(mine ? all.rows - (end - begin) : all.rows);
        first = end - all.rows;
    }
};

/* Where a lane's strip stands in the diagonals, in b and in x: the element of its row 0. And of a strip what is rarely needed. */
struct standing {
    int64_t matrix, b, x, line, first;
    int skip;
};

/* What a warp has on chip: rows of its strips, and where these are. */
struct stage {
    plane window[PLANES];
    standing at[SB_WARP];
};

static_assert(sizeof(stage) + SB_PLAIN_HEADS(sizeof(T)) * sizeof(T) <= SB_PLAIN_SHARED_BYTES(sizeof(T)),
              "what a block has");

__device__ __forceinline__ stage *stage_of(const sb_cuda_job &job, const lane_strip &s)
{
    extern __shared__ __align__(16) char shared[];
    stage *on = reinterpret_cast<stage *>(shared);
    standing &mine = on->at[sb_lane()];
    mine.matrix = s.line + s.first * job.matrix_at.line;
    mine.b = sb_line_of(job, job.b_at, s.system) + s.first * job.b_at.line;
    mine.x = sb_line_of(job, job.x_at, s.system) + s.first * job.x_at.line;
    mine.line = s.line;
    mine.first = s.first;
    mine.skip = s.skip;
    __syncwarp();
    return on;
}

/* Which row of a window a lane moves in one of ROWS steps, and whose: along lines, one of two lines' each, or across them, its own. */
struct part {
    int row, owner;

    __device__ __forceinline__ part(int step, bool along)
        : row(along ? sb_lane() % ROWS : step), owner(along ? sb_owner<ROWS>(step) : sb_lane())
    {
    }
};

__device__ __forceinline__ bool goes_along(const crowd &all, const slimband_layout &at)
{
    return !all.across || at.line == 1;
}

/* Do the rows of a window, and the columns that they know, lie inside the matrix and outside a Toeplitz matrix' own rows? */
__device__ __forceinline__ bool is_even(const sb_cuda_job &job, const standing &s, int from)
{
    const int64_t low = s.first + max(s.skip, from) - K, high = s.first + from + ROWS - 1 + K;
    return s.skip >= from + ROWS ||
           (low >= (job.toeplitz ? job.first : 0) && high < job.n - (job.toeplitz ? job.last : 0));
}

/* Asks for the matrix' rows from .. from + ROWS - 1 of all lanes' strips. Addresses come from shared memory and the launch's constants:
   none has to be shuffled from lane to lane. */
__device__ __forceinline__ void ask_for_matrix(const sb_cuda_job &job, const crowd &all, stage *to, int from)
{
    const standing &s = to->at[sb_lane()];
    const bool along = goes_along(all, job.matrix_at);
    if (!__all_sync(~0u, is_even(job, s, from))) {
        const T *somewhere = static_cast<const T *>(job.diagonal[job.lower]);
#pragma unroll 1
        for (int p = 0; p < SB_WIDE_DIAGONALS * ROWS; ++p) {
            const int d = p / ROWS, r = p % ROWS;
            const T *entry = from + r >= s.skip ? coefficient(job, s.line, s.first + from + r, d - K) : nullptr;
            sb_ask(&to->window[d][r][sb_lane()], entry ? entry : somewhere, entry);
        }
    } else if (job.toeplitz) {
#pragma unroll 1
        for (int d = 0; d < SB_WIDE_DIAGONALS; ++d) {
            const T usual = all.bytes[d] ? *all.diagonal[d] : T(0);
#pragma unroll
            for (int r = 0; r < ROWS; ++r)
                to->window[d][r][sb_lane()] = usual;
        }
    } else {
#pragma unroll 2
        for (int p = 0; p < ROWS; ++p) {
            const part mine(p, along);
            const standing &at = to->at[mine.owner];
            const int64_t place = at.matrix + (from + mine.row) * job.matrix_at.line;
            const bool there = from + mine.row >= at.skip;
#pragma unroll
            for (int d = 0; d < SB_WIDE_DIAGONALS; ++d)
                sb_ask_bytes(&to->window[d][mine.row][mine.owner], all.diagonal[d] + place,
                             there ? all.bytes[d] : 0);
        }
    }
}

/* The same rows of the right-hand sides. */
__device__ __forceinline__ void ask_for_right(const sb_cuda_job &job, const crowd &all, stage *to, int from)
{
    const T *b = static_cast<const T *>(job.b);
    const bool along = goes_along(all, job.b_at);
#pragma unroll 4
    for (int p = 0; p < ROWS; ++p) {
        const part mine(p, along);
        const standing &at = to->at[mine.owner];
        sb_ask(&to->window[RHS][mine.row][mine.owner], b + (at.b + (from + mine.row) * job.b_at.line),
               from + mine.row >= at.skip);
    }
}

__device__ __forceinline__ sb_wide_row read(const sb_cuda_job &job, const stage *on, int r)
{
    sb_wide_row row;
#pragma unroll
    for (int d = 0; d < SB_WIDE_DIAGONALS; ++d)
        row.at[d] = on->window[d][r][sb_lane()];
    row.d = on->window[RHS][r][sb_lane()];
    if (SB_COMPLEX && job.conjugate)
        row.d = sb_conj(row.d);
    return row;
}

/* What is kept of this lane's strip before the group that begins with row `from`: numbers a warp apart. */
__device__ __forceinline__ T *kept_at(const crowd &all, int from)
{
    const int64_t groups = sb_plain_kept_groups(all.rows, ROWS, all.group),
                  place = blockIdx.x * groups + from / (ROWS * all.group) - 1;
    return all.kept + place * (SB_PLAIN_KEPT * SB_WARP) + sb_lane();
}

/* What passes to a group's window, the last one of which needs no place. */
__device__ __forceinline__ T *passed_at(const crowd &all, int window)
{
    const int64_t place = static_cast<int64_t>(blockIdx.x) * (all.group - 1) + window;
    return all.passed + place * (SB_PLAIN_PASSED * SB_WARP) + sb_lane();
}

__device__ __forceinline__ void tell(const crowd &all, int64_t system)
{
    all.told[system] = all.told[all.systems] = 1; /* several may say so */
}

/* Rows begin .. end - 1 of a window, `end` a multiple of TURN, after which what is carried from row to row is where it was: so many at
   a time nothing has to be moved. */
template <class F> __device__ __forceinline__ void upwards(int begin, int end, F row)
{
#pragma unroll 1
    for (; begin < end && begin % TURN != 0; ++begin)
        row(begin);
#pragma unroll 1
    for (; begin < end; begin += TURN)
#pragma unroll
        for (int e = 0; e < TURN; ++e)
            row(begin + e);
}

template <class F> __device__ __forceinline__ void downwards(int begin, int end, F row)
{
#pragma unroll 1
    for (; end - begin >= TURN; end -= TURN)
#pragma unroll
        for (int e = 1; e <= TURN; ++e)
            row(end - e);
#pragma unroll 1
    for (; end > begin; --end)
        row(end - 1);
}

/* A strip's equations, the larger ones brought near 1. */
__device__ __forceinline__ void put_head(T *to, int c, const sb_wide_known &head)
{
#pragma unroll
    for (int j = 0; j < K; ++j) {
        to[j] = -head.p[j];
        to[K + j] = j == c ? T(1) : T(0);
        to[STATE + j] = -head.u[j];
        to[STATE + K + j] = 0;
    }
    to[2 * STATE] = head.y;
}

__device__ __forceinline__ void put_end(T *to, const sb_wide_end &end)
{
    const R unit = sb_unit(
        sb_larger_size(sb_wide_largest(end.a), sb_larger_size(sb_wide_largest(end.b), sb_wide_largest(end.c))));
#pragma unroll
    for (int j = 0; j < K; ++j) {
        to[j] = end.a[j] * unit;
        to[K + j] = 0;
        to[STATE + j] = end.b[j] * unit;
        to[STATE + K + j] = end.c[j] * unit;
    }
    to[2 * STATE] = end.d * unit;
}

__global__ void __launch_bounds__(SB_WARP)
    fold_strips(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all)
{
    stage *on = stage_of(job, lane_strip(job, all));
    const int rows = static_cast<int>(all.rows), skip = on->at[sb_lane()].skip, inner = rows - K;
    sb_wide_sweep sweep = sb_wide_begin();
    sb_wide_known held[K];
    sb_wide_known *heads =
        SB_PLAIN_HEADS(sizeof(T))
            ? reinterpret_cast<sb_wide_known *>(reinterpret_cast<T *>(on + 1) + sb_lane() * (SB_PLAIN_KEPT + 1))
            : held;
    sb_wide_begin_heads(heads);
    sb_met met = sb_nothing_met();
#pragma unroll 1
    for (int from = 0; from < rows; from += ROWS) {
        ask_for_matrix(job, all, on, from);
        ask_for_right(job, all, on, from);
        if (from > 0 && from / ROWS % all.group == 0) {
            T *kept = kept_at(all, from);
#pragma unroll
            for (int e = 0; e < K; ++e) {
                *kept = sweep.last[e].y;
                kept += SB_WARP;
#pragma unroll
                for (int j = 0; j < K; ++j, kept += SB_WARP)
                    *kept = sweep.last[e].p[j];
#pragma unroll
                for (int j = 0; j < K; ++j, kept += SB_WARP)
                    *kept = sweep.last[e].u[j];
            }
        }
        const int end = min(ROWS, inner - from);
        sb_arrived();
        upwards(max(skip - from, 0), end,
                [&](int r) { sb_wide_sweep_row(&sweep, heads, read(job, on, r), 0, &met); });
        __syncwarp();
    }
    const lane_strip s(job, all);
    if (!s.mine)
        return;
    T *link = all.link(s.system, s.number);
#pragma unroll
    for (int e = 0; e < K; ++e) /* first of all, for want of registers */
        put_end(link + (K + e) * (2 * STATE + 1), sb_wide_end_of(e, read(job, on, ROWS - K + e), &sweep, &met));
#pragma unroll
    for (int c = 0; c < K; ++c)
        put_head(link + c * (2 * STATE + 1), c, heads[c]);
    if (!sb_met_within(met, SB_CUDA_GROWTH_LIMIT))
        tell(all, s.system);
}

/* States that links had no solution for; a lane a state. */
__global__ void judge_states(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all)
{
    const int64_t place = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x, each = all.strips + 1;
    const int64_t system = place / each;
    if (system >= all.systems ||
        (!all.records && job.matrix[sb_matrix_of(job, system)].outcome != SB_CUDA_GOOD))
        return;
    const T *state = all.link(system, place % each);
    bool finite = true;
#pragma unroll
    for (int i = 0; i < STATE; ++i)
        finite = finite && sb_finite(state[i]);
    if (!finite)
        tell(all, system);
}

/* Puts a window's unknowns over its right-hand sides, by those behind it, which they become. */
__device__ __forceinline__ void substitute_back(plane *window, int begin, int end, T (&behind)[K], bool *finite)
{
    downwards(begin, end, [&](int r) {
        T x = window[RHS][r][sb_lane()];
#pragma unroll
        for (int j = K - 1; j >= 0; --j)
            x += window[K + 1 + j][r][sb_lane()] * behind[j];
        window[RHS][r][sb_lane()] = x;
        *finite = *finite && sb_finite(x);
#pragma unroll
        for (int j = K - 1; j > 0; --j)
            behind[j] = behind[j - 1];
        behind[0] = x;
    });
}

/* The unknowns of a window, the lane's first being its row `begin`. */
__device__ __forceinline__ void put_back(const sb_cuda_job &job, const crowd &all, stage *on, int begin,
                                         int from)
{
    const bool along = goes_along(all, job.x_at);
    T *x = static_cast<T *>(job.x);
    if (SB_COMPLEX && job.conjugate)
        for (int r = begin; r < ROWS; ++r)
            on->window[RHS][r][sb_lane()] = sb_conj(on->window[RHS][r][sb_lane()]);
    __syncwarp();
#pragma unroll 4
    for (int p = 0; p < ROWS; ++p) {
        const part mine(p, along);
        const standing &at = on->at[mine.owner];
        if (from + mine.row >= at.skip)
            x[at.x + (from + mine.row) * job.x_at.line] = on->window[RHS][mine.row][mine.owner];
    }
    __syncwarp();
}

/* What is known of the four rows before a group, the unknowns before the strip being known. */
__device__ __forceinline__ void begin_group(const crowd &all, int first, const T (&before)[K],
                                            sb_wide_upper (&last)[K])
{
    sb_wide_sweep begin = sb_wide_begin();
    if (first > 0) {
        const T *kept = kept_at(all, first);
#pragma unroll
        for (int e = 0; e < K; ++e) {
            begin.last[e].y = *kept;
            kept += SB_WARP;
#pragma unroll
            for (int j = 0; j < K; ++j, kept += SB_WARP)
                begin.last[e].p[j] = *kept;
#pragma unroll
            for (int j = 0; j < K; ++j, kept += SB_WARP)
                begin.last[e].u[j] = *kept;
        }
    }
#pragma unroll
    for (int e = 0; e < K; ++e)
        last[e] = sb_wide_after(&begin.last[e], before);
}

__device__ __forceinline__ void pass(T *to, const sb_wide_upper (&last)[K])
{
#pragma unroll
    for (int e = 0; e < K; ++e) {
        *to = last[e].y;
        to += SB_WARP;
#pragma unroll
        for (int j = 0; j < K; ++j, to += SB_WARP)
            *to = last[e].u[j];
    }
}

__device__ __forceinline__ void take_passed(const T *from, sb_wide_upper (&last)[K])
{
#pragma unroll
    for (int e = 0; e < K; ++e) {
        last[e].y = *from;
        from += SB_WARP;
#pragma unroll
        for (int j = 0; j < K; ++j, from += SB_WARP)
            last[e].u[j] = *from;
    }
}

__global__ void __launch_bounds__(SB_WARP)
    finish_strips(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all)
{
    lane_strip s(job, all);
    const int rows = static_cast<int>(all.rows), inner = rows - K;
    if (s.mine && all.told[s.system]) {
        s.mine = false;
        s.skip = rows;
    }
    stage *on = stage_of(job, s);
    plane *window = on->window;
    T before[K], behind[K];
    {
        const T *state = all.link(s.system, s.number);
#pragma unroll
        for (int j = 0; j < K; ++j) {
            before[j] = state[j];
            behind[j] = state[LINK + j];
        }
    }
    bool finite = true;
#pragma unroll 1
    for (int first = (rows / ROWS - 1) / all.group * all.group * ROWS; first >= 0; first -= all.group * ROWS) {
        const int last_window = min(first + (all.group - 1) * ROWS, rows - ROWS);
        sb_wide_upper last[K];
        int from = first;
#pragma unroll 1
        for (;; from += ROWS) {
            ask_for_matrix(job, all, on, from);
            ask_for_right(job, all, on, from);
            if (from == first)
                begin_group(all, first, before, last);
            if (from == last_window)
                break;
            pass(passed_at(all, (from - first) / ROWS), last);
            sb_arrived();
            upwards(max(s.skip - from, 0), ROWS,
                    [&](int r) { (void)sb_wide_sweep_known(last, read(job, on, r)); });
            __syncwarp();
        }
#pragma unroll 1
        for (;; from -= ROWS) {
            if (from < last_window) {
                ask_for_matrix(job, all, on, from);
                ask_for_right(job, all, on, from);
                take_passed(passed_at(all, (from - first) / ROWS), last);
            }
            const int begin = max(s.skip - from, 0), end = min(ROWS, inner - from);
            sb_arrived();
            upwards(begin, end, [&](int r) {
                const sb_wide_upper solved = sb_wide_sweep_known(last, read(job, on, r));
                window[RHS][r][sb_lane()] = solved.y;
#pragma unroll
                for (int j = 0; j < K; ++j)
                    window[K + 1 + j][r][sb_lane()] = solved.u[j];
            });
            if (from == rows - ROWS)
#pragma unroll
                for (int j = 0; j < K; ++j)
                    window[RHS][ROWS - K + j][sb_lane()] = behind[j];
            substitute_back(window, begin, end, behind, &finite);
            put_back(job, all, on, begin, from);
            if (from == first)
                break;
        }
    }
    if (s.mine && !finite)
        job.system[s.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

unsigned blocks_of(int64_t work, int64_t threads)
{
    return static_cast<unsigned>((work + threads - 1) / threads);
}

cudaError_t run(const sb_cuda_call *call, sb_cuda_job job, bool stored)
{
    enum { JUDGES = 256 };
    const sb_plain_shape s = sb_plain_prepared(call->state);
    char *scratch = static_cast<char *>(job.scratch);
    if (job.systems == 0)
        return cudaSuccess;
    crowd all = {job.systems,
                 s.links.count[0],
                 s.links.rows,
                 s.links.across,
                 !stored,
                 static_cast<int>(s.group),
                 reinterpret_cast<int32_t *>(scratch + s.told_at),
                 reinterpret_cast<T *>(scratch + s.kept_at),
                 reinterpret_cast<T *>(scratch + s.passed_at),
                 reinterpret_cast<T *>(scratch + s.links.links_at[0]),
                 {},
                 {}};
    for (int d = 0; d < SB_WIDE_DIAGONALS; ++d) {
        const int k = d - K, given = job.transposed ? -k : k;
        const bool there = given >= -job.lower && given <= job.upper;
        const int64_t row = job.toeplitz ? job.first : job.transposed ? k : 0;
        all.diagonal[d] =
            static_cast<const T *>(job.diagonal[job.lower + (there ? given : 0)]) + row * job.matrix_at.line;
        all.bytes[d] = there ? static_cast<int>(sizeof(T)) : 0;
    }
    const unsigned blocks = blocks_of(all.systems * all.strips, SB_WARP);
    const size_t shared = SB_PLAIN_SHARED_BYTES(sizeof(T));
    cudaError_t error =
        cudaMemsetAsync(all.told, 0, static_cast<size_t>(all.systems + 1) * sizeof *all.told, call->stream);
    if (error)
        return error;
    fold_strips<<<blocks, SB_WARP, shared, call->stream>>>(job, all);
    error = cudaGetLastError();
    error = error ? error : SB_NAME(bands_between)(call, &job, &s.links, !stored);
    if (error)
        return error;
    judge_states<<<blocks_of(all.systems * (all.strips + 1), JUDGES), JUDGES, 0, call->stream>>>(job, all);
    finish_strips<<<blocks, SB_WARP, shared, call->stream>>>(job, all);
    error = cudaGetLastError();
    return error ? error : SB_NAME(bands_solve)(call, &s.teams, scratch, all.told, stored);
}

cudaError_t factor(const sb_cuda_call *call)
{
    const sb_plain_shape s = sb_plain_prepared(call->state);
    return SB_NAME(bands_factor)(call, &s.teams, static_cast<char *>(call->job.scratch));
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, SB_NAME(bands_stored)(call), true) : cudaSuccess;
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, call->job, false) : settle_empty(call);
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    const sb_plain_shape s = sb_plain_prepared(state);
    cudaError_t error = SB_NAME(bands_ready)(setup, &s.teams);
    for (auto kernel : {fold_strips, finish_strips})
        error = error ? error
                      : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             SB_PLAIN_SHARED_BYTES(sizeof(T)));
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_bands_plain) = {factor, solve, factor_solve, ready};
