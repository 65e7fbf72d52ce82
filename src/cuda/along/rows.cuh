/* Tiles of long pentadiagonal lines: what a warp has of its tile on chip, and which tile is next. */
#ifndef SB_ALONG_ROWS_CUH
#define SB_ALONG_ROWS_CUH

#include "src/cuda/along/links.cuh"
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/kernels/view.cuh"

namespace
{

enum {
    LANE_ROWS = SB_ALONG_LANE_ROWS(sizeof(T)),
    ROWS = SB_ALONG_ROWS(sizeof(T)),
    PLANE_BYTES = SB_ALONG_PLANE_BYTES(sizeof(T)),
    STAGE_BYTES = SB_ALONG_STAGE_BYTES(sizeof(T)),
    DIAGONALS = SB_PENTA_DIAGONALS,
    PLANES = SB_PENTA_PLANES,
    RHS = SB_PENTA_RHS,
    PIECE = 16 /* bytes that the copy engine brings at least */
};

/* One system's lines. */
struct lines {
    const sb_cuda_job &job;
    int64_t system;
    places at;

    __device__ __forceinline__ lines(const sb_cuda_job &j, int64_t s) : job(j), system(s)
    {
        at.matrix = sb_matrix_of(job, system);
        at.line = sb_matrix_line(job, at.matrix);
        at.b = sb_line_of(job, job.b_at, system);
        at.x = sb_line_of(job, job.x_at, system);
    }
    /* Which of the job's diagonals is A's, or A^T's, d; none where it is outside the band. */
    __device__ __forceinline__ bool has(int d) const
    {
        const int k = job.transposed ? 2 - d : d - 2;
        return k >= -job.lower && k <= job.upper;
    }
    __device__ __forceinline__ const T *diagonal(int d) const
    {
        return static_cast<const T *>(job.diagonal[job.lower + (job.transposed ? 2 - d : d - 2)]) + at.line;
    }
    __device__ __forceinline__ const T *right() const
    {
        return static_cast<const T *>(job.b) + at.b;
    }
    /* Any entry; 0 outside an open matrix. */
    __device__ __forceinline__ T entry(int d, int64_t row) const
    {
        const int64_t column = row + d - 2;
        if (!has(d) || (!job.periodic && (column < 0 || column >= job.n)))
            return 0;
        if (job.transposed)
            row = column < 0 ? column + job.n : column >= job.n ? column - job.n : column;
        return diagonal(d)[sb_row_at(job, job.n, row)];
    }
};

/* A warp's rows on chip. */
struct stage {
    unsigned char *bytes;
    uint64_t *full;
    int lane, parity;

    __device__ __forceinline__ explicit stage(unsigned char *shared)
    {
        const int warp = static_cast<int>(threadIdx.x / LANES);
        lane = static_cast<int>(threadIdx.x % LANES);
        bytes = shared + warp * STAGE_BYTES;
        full = reinterpret_cast<uint64_t *>(shared + WARPS * STAGE_BYTES) + warp;
        parity = 0;
        if (lane == 0) {
            sb_barrier_make(full, 1);
            sb_barriers_made();
        }
        __syncwarp();
    }
    /* Where the first of a plane's rows stands, which comes from there. */
    __device__ __forceinline__ T *plane(int p, const T *from) const
    {
        return reinterpret_cast<T *>(bytes + p * PLANE_BYTES + reinterpret_cast<uintptr_t>(from) % PIECE);
    }
};

/* A tile of a system. */
struct piece {
    int64_t first;
    int rows, lanes; /* lanes: those that have a chunk */
    bool inner;      /* away from the ends of lines, whose rows have entries of their own */

    __device__ __forceinline__ piece(const sb_cuda_job &job, int64_t tiles, int64_t tile)
    {
        first = sb_along_start(job.n, tiles, ROWS, tile);
        rows = static_cast<int>(sb_along_start(job.n, tiles, ROWS, tile + 1) - first);
        lanes = rows < 2 * LANES ? max(rows / 2, 1) : static_cast<int>(LANES);
        inner = !job.toeplitz && tile > 0 && tile + 2 < tiles;
    }
    __device__ __forceinline__ int start(int lane) const
    {
        return min(lane * LANE_ROWS, rows - (lanes - lane) * 2);
    }
};

/* Is there anything in plane p? */
__device__ __forceinline__ bool has_plane(const lines &of, int p)
{
    return p == RHS ? of.job.b != nullptr : of.has(p);
}

/* Where a tile's rows of plane p come from, as far as they are the lines' own; NULL: they do not come from there. */
__device__ __forceinline__ const T *source(const lines &of, const piece &tile, int p)
{
    if (!has_plane(of, p) || (p != RHS && of.job.toeplitz))
        return nullptr;
    return p == RHS ? of.right() + tile.first : of.diagonal(p) + tile.first + (of.job.transposed ? p - 2 : 0);
}

/* What the engine brings of a plane, which begins at `from`, in whole pieces: all and what is beside it, or away from the ends of lines.
   There two rows are left out, whose entries may leave the matrix, or stand outside of the line. */
struct run {
    const T *from;
    uintptr_t begin, end;

    __device__ __forceinline__ run(const T *plane, const piece &tile) : from(plane), begin(0), end(0)
    {
        const int aside = tile.inner ? 0 : 2;
        const uintptr_t out = tile.inner ? 0 : PIECE - 1, in = PIECE - 1 - out;
        if (!from || tile.rows <= 2 * aside)
            return;
        begin = (reinterpret_cast<uintptr_t>(from + aside) + out) / PIECE * PIECE;
        end = (reinterpret_cast<uintptr_t>(from + tile.rows - aside) + in) / PIECE * PIECE;
        if (end <= begin)
            begin = end = 0;
    }
    __device__ __forceinline__ uint32_t bytes() const
    {
        return static_cast<uint32_t>(end - begin);
    }
    /* Rows in front of it, and where those behind it begin; all are in front of none. */
    __device__ __forceinline__ int front(int rows) const
    {
        return bytes() ? static_cast<int>(reinterpret_cast<const T *>(begin) - from) : rows;
    }
    __device__ __forceinline__ int back(int rows) const
    {
        return bytes() ? static_cast<int>(reinterpret_cast<const T *>(end) - from) : rows;
    }
};

__device__ __forceinline__ T element(const lines &of, const piece &tile, int p, int i)
{
    return p == RHS ? of.right()[tile.first + i] : of.entry(p, tile.first + i);
}

/* A plane's rows that are not brought: those in front of `front`, and from `back` on. Those between them are, or have what all but a few
   rows of a Toeplitz matrix, or of its transposed, have: the others are of the first ones and the last, or at the ends of an open matrix,
   or two rows away from those at most. */
__device__ __forceinline__ void fill(const lines &of, const piece &tile, int p, const T *from, T *plane,
                                     int lane)
{
    const sb_cuda_job &job = of.job;
    const run middle(from, tile);
    int front = middle.front(tile.rows), back = middle.back(tile.rows);
    if (job.toeplitz && p != RHS) {
        const int64_t rows = tile.rows, begin = job.first + 2 - tile.first,
                      end = job.n - job.last - 2 - tile.first;
        const T usual = of.diagonal(p)[job.first];
        front = static_cast<int>(max(min(begin, rows), int64_t(0)));
        back = max(static_cast<int>(max(min(end, rows), int64_t(0))), front);
        for (int i = front + lane; i < back; i += LANES)
            plane[i] = usual;
    }
    for (int i = lane; i < tile.rows - (back - front); i += LANES) {
        const int row = i < front ? i : i - front + back;
        plane[row] = element(of, tile, p, row);
    }
}

/* Asks for a tile's rows; the stage has been read by all lanes. Await with arrive. */
__device__ __forceinline__ void bring(const lines &of, const piece &tile, stage *to)
{
    const T *from = nullptr;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
        from = to->lane == p ? source(of, tile, p) : from;
    const run mine(from, tile);
    const uint32_t all = __reduce_add_sync(~0u, mine.bytes());
    sb_bulk_fence();
    __syncwarp();
    if (to->lane == 0)
        sb_barrier_expect(to->full, all);
    __syncwarp();
    if (mine.bytes() > 0)
        sb_bulk_load_run(reinterpret_cast<unsigned char *>(to->plane(to->lane, from)) +
                             (mine.begin - reinterpret_cast<uintptr_t>(from)),
                         reinterpret_cast<const void *>(mine.begin), mine.bytes(), to->full);
    if (tile.inner)
        return;
#pragma unroll 1
    for (int p = 0; p < PLANES; ++p) {
        if (!has_plane(of, p))
            continue;
        const T *plane = source(of, tile, p);
        fill(of, tile, p, plane, to->plane(p, plane), to->lane);
    }
    __syncwarp();
}

__device__ __forceinline__ void arrive(stage *at)
{
    sb_barrier_wait<SB_BLOCK>(at->full, at->parity);
    at->parity ^= 1;
}

/* This lane's chunk. */
__device__ __forceinline__ sb_penta_rows chunk_of(const lines &of, const piece &tile, const stage &at)
{
    const int lane = min(at.lane, tile.lanes - 1), start = tile.start(lane);
    sb_penta_rows mine = {{}, nullptr, tile.start(lane + 1) - start, 0, of.job.b != nullptr, of.job.conjugate};
#pragma unroll
    for (int p = 0; p < PLANES; ++p) {
        const T *from = source(of, tile, p);
        mine.at[p] = at.plane(p, from) + start;
        mine.band |= has_plane(of, p) << p;
    }
    mine.x = mine.at[RHS];
    return mine;
}

/* So many of every system, one after another, in turns of all warps of some blocks; or from the last one on, which the cache may still
   have. */
template <bool BACK> struct turn {
    int64_t systems, passed; /* passed: whole systems */
    int each, taken, step, steps;

    __device__ __forceinline__ turn(int64_t of_system, int64_t all, unsigned first, unsigned blocks)
        : systems(all), each(static_cast<int>(of_system))
    {
        const int warp = static_cast<int>(number_of_warp() - first * static_cast<int64_t>(WARPS)),
                  warps = static_cast<int>(blocks * WARPS);
        passed = warp / each;
        taken = warp % each;
        steps = warps / each;
        step = warps % each;
    }
    __device__ __forceinline__ bool more() const
    {
        return passed < systems;
    }
    __device__ __forceinline__ int64_t system() const
    {
        return BACK ? systems - 1 - passed : passed;
    }
    __device__ __forceinline__ int64_t number() const
    {
        return BACK ? each - 1 - taken : taken;
    }
    __device__ __forceinline__ void next()
    {
        passed += steps;
        taken += step;
        if (taken >= each) {
            taken -= each;
            ++passed;
        }
    }
};

/* The tiles that are not alike. */
template <bool BACK> __device__ __forceinline__ turn<BACK> turn_of_others(const crowd &all)
{
    return turn<BACK>(all.tiles - (all.high - all.low), all.systems, 0, all.apart);
}

} // namespace

#endif
