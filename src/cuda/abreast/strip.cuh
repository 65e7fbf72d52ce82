/* A lane's own system, and how its rows come to a slot and its unknowns leave it. */
#ifndef SB_ABREAST_STRIP_CUH
#define SB_ABREAST_STRIP_CUH

#include "src/cuda/abreast/runs.cuh"
#include "src/cuda/large/pivoted.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/system.cuh"

namespace
{

/* Rows at a system's ends, and those of Toeplitz matrices: zeros past the end, and outside an open matrix. */
template <class STAND>
__device__ __noinline__ void fetch_slowly(const sb_cuda_job &job, const places at, char *part, int64_t first,
                                          int from, int to)
{
    const arrays in = arrays_at(job, at, COLUMNS);
    const int lane = static_cast<int>(threadIdx.x % LANES);
#pragma unroll 1
    for (int p = from; p < to; ++p) {
        const bool one = STAND::ONE && p < RHS; /* each lane brings a row for all */
#pragma unroll 1
        for (int r = one ? lane : 0; r < LANE_ROWS; r += one ? LANES : 1) {
            const int64_t i = first + r;
            const bool outside = !job.periodic && ((p == LOWER && i == 0) || (p == UPPER && i == job.n - 1));
            const T *element = outside ? nullptr : element_of(in, p, i);
            __pipeline_memcpy_async(STAND::row(part, p, r), element ? element : in.from[DIAGONAL], sizeof(T),
                                    element ? 0 : sizeof(T));
        }
    }
}

/* Where a row of plane p stands, away from a system's ends; of A's transpose the diagonals come from the rows beside it. */
__device__ __forceinline__ const T *first_of(const sb_cuda_job &job, const places &at, int p, int64_t row)
{
    if (p == RHS)
        return static_cast<const T *>(job.b) + at.b + row * job.b_at.line;
    row += job.transposed ? p - DIAGONAL : 0;
    return static_cast<const T *>(job.diagonal[job.transposed ? DIAGONAL + DIAGONAL - p : p]) + at.line +
           row * job.matrix_at.line;
}

/* Asks for a tile's rows of planes FROM .. TO - 1. Await with drain. Neighbouring lanes' rows are next to each other; of one matrix
   for all, each lane fetches a row. */
template <int FROM, int TO, bool ONE>
__device__ __forceinline__ void fetch_rows(const sb_cuda_job &job, const places &at, char *part, int64_t first)
{
    typedef abreast<ONE> stand;
    const int lane = static_cast<int>(threadIdx.x % LANES);
    if (ONE)
        __syncwarp();
    if (job.first == INT64_MAX && first > 0 && first + LANE_ROWS < job.n && (TO <= RHS || job.b)) {
#pragma unroll
        for (int p = FROM; p < TO; ++p) {
            if (ONE && p < RHS) {
                if (lane < LANE_ROWS)
                    __pipeline_memcpy_async(stand::row(part, p, lane), first_of(job, at, p, first + lane),
                                            sizeof(T));
                continue;
            }
            const T *from = first_of(job, at, p, first);
            const int64_t step = p == RHS ? job.b_at.line : job.matrix_at.line;
#pragma unroll
            for (int r = 0; r < LANE_ROWS; ++r) {
                __pipeline_memcpy_async(stand::row(part, p, r), from, sizeof(T));
                from += step;
            }
        }
    } else
        fetch_slowly<stand>(job, at, part, first, FROM, TO);
    __pipeline_commit();
}

/* False where a number is NaN or Inf. */
__device__ __forceinline__ bool store_rows(const sb_cuda_job &job, const places &at, char *part, int64_t first,
                                           int rows)
{
    const int64_t step = job.x_at.line;
    T *x = static_cast<T *>(job.x) + at.x + first * step, zero = 0;
#pragma unroll
    for (int r = 0; r < LANE_ROWS; ++r) {
        if (r < rows) {
            const T value = *row_of(part, RHS, r * LANES);
            zero = zero + (R)0 * value;
            *x = value;
        }
        x += step;
    }
    return zero == (T)0;
}

/* A lane's way to eliminate. ONE: all lanes have one matrix. What pivots keeps more of a row than that. */
template <bool ONE_MATRIX> struct plain_lane : plain_of<abreast<ONE_MATRIX>> {
    enum { ONE = ONE_MATRIX };

    static __device__ __forceinline__ ends<T> ends_of(sb_pair left, sb_pair right)
    {
        return {left.first, right.first};
    }
};

struct pivoted_lane : pivoted_of<abreast<false>> {
    enum { ONE = false };

    static __device__ __forceinline__ ends<sb_pair> ends_of(sb_pair left, sb_pair right)
    {
        return {left, right};
    }
};

/* A strip's tiles, forwards: the link of all. writes: keeps a joint for each tile but the first. */
template <class K>
__device__ __forceinline__ typename K::link fold_strip(const K &kind, const sb_cuda_job &job, const crowd &all,
                                                       const member &m, char *part, int64_t strip, bool writes)
{
    const int64_t begin = strip * all.strip, last = begin + all.strip - 1,
                  end = last < all.tiles ? last : all.tiles - 1;
    typename K::link run;
    typename K::kept kept;
    fetch_rows<LOWER, PLANES, K::ONE>(job, m.at, part, begin * LANE_ROWS);
#pragma unroll 1
    for (int64_t tile = begin; tile <= end; ++tile) {
        drain();
        typename K::link mine =
            kind.sweep(part, clamp_to(job.n - tile * LANE_ROWS, LANE_ROWS), false, job.conjugate, &kept);
        if (tile < end)
            fetch_rows<LOWER, PLANES, K::ONE>(job, m.at, part, (tile + 1) * LANE_ROWS);
        if (tile > begin) {
            typename K::used used;
            mine = kind.join(run, mine, &used);
            if (writes && all.numbers == SB_ABREAST_JOINT)
                put<SB_ABREAST_JOINT>(all.joints, tile, all.lanes, m.lane, K::joint_of(used));
            else if (writes)
                put<SB_ABREAST_PLAIN_JOINT>(all.joints, tile, all.lanes, m.lane, K::joint_of(used));
        }
        run = mine;
        if (__all_sync(~0u, K::is_given_up(run)))
            break;
    }
    drain();
    return run;
}

/* The way back: unknowns between the pairs at a strip's ends. False where one is NaN or Inf. */
template <class K>
__device__ __forceinline__ bool finish_strip(const K &kind, const sb_cuda_job &job, const crowd &all,
                                             const member &m, char *part, int64_t strip, sb_pair left,
                                             sb_pair right, bool writes)
{
    enum { SPENT = K::SLOT_IS_SPENT };
    const int64_t begin = strip * all.strip, last = begin + all.strip - 1,
                  end = last < all.tiles ? last : all.tiles - 1;
    typename K::kept kept;
    ends<typename K::end> e = K::ends_of(left, right);
    bool finite = true;
    fetch_rows<LOWER, PLANES, K::ONE>(job, m.at, part, end * LANE_ROWS);
#pragma unroll 1
    for (int64_t tile = end; tile >= begin; --tile) {
        const int64_t first = tile * LANE_ROWS;
        const int rows = clamp_to(job.n - first, LANE_ROWS);
        typename K::joint joint;
        if (tile > begin)
            joint = get<typename K::joint>(all.joints, tile, all.numbers, all.lanes, m.lane);
        drain();
        kind.sweep(part, rows, true, job.conjugate, &kept);
        if (SPENT && tile > begin)
            fetch_rows<LOWER, RHS, K::ONE>(job, m.at, part, first - LANE_ROWS);
        ends<typename K::end> here = e;
        if (tile > begin)
            here.left = K::between(joint, e.left, e.right);
        e.right = here.left;
        K::walk_back(part, part + RHS * PLANE_BYTES, rows, kept, here);
        if (writes)
            finite = store_rows(job, m.at, part, first, rows) && finite;
        if (tile > begin)
            fetch_rows<SPENT ? RHS : LOWER, PLANES, K::ONE>(job, m.at, part, first - LANE_ROWS);
    }
    return finite;
}

} // namespace

#endif
