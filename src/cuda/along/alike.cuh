/* Tiles of alike rows, of one Toeplitz matrix: elimination does the same to all of them, so that it is found once, and a tile's
 * own are its right-hand sides, which lanes have in registers when they have swept them.
 *
 * In such a tile all lanes but the last do the same as well, at every step: the last one has nothing behind it, and the tile's heads.
 * So a lane alone finds out about all of them, by what is left of one chunk joined to itself, to that of two, four, .. of them. */
#ifndef SB_ALONG_ALIKE_CUH
#define SB_ALONG_ALIKE_CUH

#include "src/cuda/along/rows.cuh"

namespace
{

enum {
    INNER = LANE_ROWS - 2,
    LEVELS = SB_ALONG_ALIKE_LEVELS,
    AT_ONCE = SB_ALONG_AT_ONCE(sizeof(T)),
    SLOTS = PLANES / AT_ONCE
};

/* A row of a chunk: y = inverse b - far y(two before) - near y(one before); its part in the heads; x = y + p x(before the chunk) + u
   x(behind). */
struct alike_row {
    T far, near, inverse, head[2], p[2], u[2];
};

/* What becomes of right-hand sides when every second one of the lanes that are left leaves: their pivots; what those that stay take from
   before and behind, and the tile's heads from behind; those that leave, as alike_row. */
struct alike_level {
    sb_penta_pivots pivots;
    T a[2][2], c[2][2], head[2][2], p[2][2], u[2][2];
};

struct alike {
    alike_row row[INNER];
    T far, near[2]; /* of a chunk's last two rows: near[0] and far are the first one's */
    T behind[2][2]; /* what these take from the chunk behind */
    alike_level level[LEVELS];
    T link[LINK]; /* but for the right-hand sides; its b is no number where elimination is not safe */
};

static_assert(sizeof(alike) == SB_ALONG_ALIKE_WORDS(sizeof(T)) * sizeof(T), "scratch has room for it");

/* All rows are as this one. */
__device__ __forceinline__ void find(const lines &of, int64_t row, alike *to)
{
    const sb_penta_row each = {
        {of.entry(0, row), of.entry(1, row), of.entry(2, row), of.entry(3, row), of.entry(4, row)}, 1};
    sb_met met = sb_nothing_met();
    sb_penta_sweep swept = sb_penta_begin();
#pragma unroll 1
    for (int i = 0; i < INNER; ++i) {
        alike_row &r = to->row[i];
        const T near = each.at[1] + each.at[0] * swept.last[1].u[0];
        r.head[0] = swept.head[0].u[0];
        r.head[1] = swept.head[1].u[0];
        swept.last[0].y = swept.last[1].y = 0;
        const sb_penta_known solved =
            sb_penta_sweep_row(&swept, each, i, &met); /* of 1, which is why y is the inverse */
        r.inverse = solved.y;
        r.far = each.at[0] * solved.y;
        r.near = near * solved.y;
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            r.p[j] = solved.p[j];
            r.u[j] = solved.u[j];
        }
    }
    to->far = to->near[1] = each.at[0];
    to->near[0] = each.at[1] + each.at[0] * swept.last[1].u[0];
    sb_penta_left whole = {{sb_penta_end_of(0, each, &swept, &met), sb_penta_end_of(1, each, &swept, &met)},
                           {swept.head[0], swept.head[1]}};
    sb_penta_end ends[2] = {whole.ends[0], whole.ends[1]};
#pragma unroll
    for (int e = 0; e < 2; ++e)
#pragma unroll
        for (int j = 0; j < 2; ++j)
            to->behind[e][j] = ends[e].c[j];
    sb_penta_take_behind(ends, whole.head, &met);
#pragma unroll 1
    for (int l = 0; l < LEVELS; ++l) {
        alike_level &level = to->level[l];
        sb_penta_end here[2] = {ends[0], ends[1]};
        sb_penta_known between[2];
        const sb_penta_pivots by = sb_penta_pivot(here, 0, &met);
        level.pivots = by;
        sb_penta_solve_by(here, &by, between);
#pragma unroll
        for (int e = 0; e < 2; ++e)
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                level.a[e][j] = ends[e].a[j];
                level.c[e][j] = ends[e].c[j];
                level.head[e][j] = whole.head[e].u[j];
                level.p[e][j] = between[e].p[j];
                level.u[e][j] = between[e].u[j];
            }
        sb_penta_take_before(whole.ends, between, &met);
        sb_penta_heads_pass(whole.head, between);
        if (l + 1 < LEVELS) { /* the last one is alone */
            sb_penta_take_before(ends, between, &met);
            sb_penta_take_behind(ends, between, &met);
        }
    }
    if (!sb_met_within(met, SB_CUDA_GROWTH_LIMIT))
        poison(&whole);
    put_link(to->link, whole);
}

/* What two factors take from two unknowns. */
__device__ __forceinline__ T product(const T (&factor)[2], const sb_penta_pair &of)
{
    return factor[0] * of.at[0] + factor[1] * of.at[1];
}

__device__ __forceinline__ sb_penta_pair shuffled(const sb_penta_pair &a, int lane)
{
    return a.of_lane(lane & (LANES - 1), LANES);
}

/* Right-hand sides of a lane's chunks on their way, one of each of the tiles that a warp has at once: what is read of the factors serves
   them all, and while one waits for a sum the others have theirs. */
struct alike_chunks {
    T y[AT_ONCE][INNER];
    sb_penta_pair ends[AT_ONCE], head[AT_ONCE], joint[AT_ONCE];

    /* rows: of the first tile. */
    __device__ __forceinline__ alike_chunks(const alike &by, const T *rows, int lane, bool conjugate)
    {
        const T *b = rows + lane * LANE_ROWS;
        const auto right = [=](int t, int i) {
            return SB_COMPLEX && conjugate ? sb_conj(b[t * ROWS + i]) : b[t * ROWS + i];
        };
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t)
            head[t] = {{0, 0}};
#pragma unroll
        for (int i = 0; i < INNER; ++i) {
            const alike_row &r = by.row[i];
#pragma unroll
            for (int t = 0; t < AT_ONCE; ++t) {
                y[t][i] = r.inverse * right(t, i);
                if (i > 1)
                    y[t][i] -= r.far * y[t][i - 2];
                if (i > 0)
                    y[t][i] -= r.near * y[t][i - 1];
                head[t].at[0] += r.head[0] * y[t][i];
                head[t].at[1] += r.head[1] * y[t][i];
            }
        }
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t) {
            ends[t].at[0] = (right(t, INNER) - by.far * y[t][INNER - 2]) - by.near[0] * y[t][INNER - 1];
            ends[t].at[1] = right(t, INNER + 1) - by.near[1] * y[t][INNER - 1];
        }
    }
    /* The lanes' ends, until those that are left are `until` apart; the last one's, and its heads, become the tile's. */
    __device__ __forceinline__ void fold(const alike &by, int lane, int until)
    {
        const bool last = lane == LANES - 1;
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t) {
            const sb_penta_pair next = shuffled(head[t], lane + 1);
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                head[t].at[e] = next.at[e];
                if (!last)
                    ends[t].at[e] -= product(by.behind[e], next);
            }
        }
        const alike_level *level = by.level;
#pragma unroll 1
        for (int s = 1; s < until; s *= 2, ++level) {
#pragma unroll
            for (int t = 0; t < AT_ONCE; ++t) {
                const T second = ends[t].at[1] + level->pivots.below * ends[t].at[0],
                        first = ends[t].at[0] + level->pivots.above * second;
                const sb_penta_pair own = {{first * level->pivots.inverse[0],
                                            second * level->pivots.inverse[1]}},
                                    before = shuffled(own, lane - s), behind = shuffled(own, lane + s);
                if (sb_ring_leaves(lane, LANES - 1, s))
                    joint[t] = own;
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    ends[t].at[e] -= product(level->a[e], before);
                    head[t].at[e] += product(level->head[e], behind); /* the last one's are the tile's */
                    if (!last)
                        ends[t].at[e] -= product(level->c[e], behind);
                }
            }
        }
    }
    /* From the unknowns before the tiles and their last ones, those before the chunks and their own. */
    __device__ __forceinline__ void unfold(const alike &by, int lane, const sb_penta_pair (&left)[AT_ONCE],
                                           const sb_penta_pair (&right)[AT_ONCE],
                                           sb_penta_pair (&before)[AT_ONCE])
    {
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t)
            ends[t] = right[t];
        const alike_level *level = by.level + LEVELS - 1;
#pragma unroll 1
        for (int s = LANES / 2; s > 0; s /= 2, --level) {
#pragma unroll
            for (int t = 0; t < AT_ONCE; ++t) {
                sb_penta_pair front = shuffled(ends[t], lane - s);
                const sb_penta_pair behind = shuffled(ends[t], lane + s);
                if (lane < s)
                    front = left[t];
                if (sb_ring_leaves(lane, LANES - 1, s))
#pragma unroll
                    for (int e = 0; e < 2; ++e)
                        ends[t].at[e] = sb_penta_at({joint[t].at[e],
                                                     {level->p[e][0], level->p[e][1]},
                                                     {level->u[e][0], level->u[e][1]}},
                                                    front.at, behind.at);
            }
        }
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t) {
            before[t] = shuffled(ends[t], lane - 1);
            if (lane == 0)
                before[t] = left[t];
        }
    }
    /* The unknowns take the rows' place. False: one of them is NaN or Inf. */
    __device__ __forceinline__ bool back(const alike &by, const sb_penta_pair (&before)[AT_ONCE], T *rows,
                                         int lane, bool conjugate)
    {
        sb_exponent seen;
        T *x = rows + lane * LANE_ROWS;
        T behind[AT_ONCE][2];
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                behind[t][e] = ends[t].at[e];
                seen.see(behind[t][e]);
            }
#pragma unroll
        for (int i = INNER - 1; i >= 0; --i) {
            const alike_row &r = by.row[i];
#pragma unroll
            for (int t = 0; t < AT_ONCE; ++t) {
                const T value =
                    sb_penta_at({y[t][i], {r.p[0], r.p[1]}, {r.u[0], r.u[1]}}, before[t].at, behind[t]);
                behind[t][1] = behind[t][0];
                behind[t][0] = value;
                seen.see(value);
                y[t][i] = value; /* lest factors have to be read behind what is written to their memory */
            }
        }
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t)
#pragma unroll
            for (int i = 0; i < LANE_ROWS; ++i) {
                const T value = i < INNER ? y[t][i] : ends[t].at[i - INNER];
                x[t * ROWS + i] = SB_COMPLEX && conjugate ? sb_conj(value) : value;
            }
        return !seen.broken();
    }
};

/* Lines of the system that a warp is at. */
struct at_system {
    int64_t system;
    places at;

    __device__ __forceinline__ at_system() : system(-1)
    {
    }
    __device__ __forceinline__ const places &find(const sb_cuda_job &job, int64_t s)
    {
        if (s != system)
            at = lines(job, s).at;
        system = s;
        return at;
    }
};

/* Alike tiles, as many at once as a warp has; and the first of those with that number. */
template <bool BACK> __device__ __forceinline__ turn<BACK> turn_of_alike(const crowd &all)
{
    return turn<BACK>((all.high - all.low) / AT_ONCE, all.systems, all.apart, gridDim.x - all.apart);
}

__device__ __forceinline__ int64_t first_of(const crowd &all, int64_t number)
{
    return all.low + number * AT_ONCE;
}

/* Right-hand sides of the tiles that are a warp's next ones, as many as it has at once in a slot, one slot after another. */
template <bool BACK> struct queue {
    enum { SLOT_BYTES = AT_ONCE * PLANE_BYTES };
    const sb_cuda_job &job;
    const crowd &all;
    unsigned char *slots;
    uint64_t *full;
    int lane, slot, parity;
    turn<BACK> ahead;
    at_system where;

    __device__ __forceinline__ queue(const sb_cuda_job &j, const crowd &a, unsigned char *shared)
        : job(j), all(a), slots(shared + threadIdx.x / LANES * STAGE_BYTES),
          lane(static_cast<int>(threadIdx.x % LANES)), slot(0), parity(0), ahead(turn_of_alike<BACK>(a))
    {
        full = reinterpret_cast<uint64_t *>(shared + SB_ALONG_SHARED_BYTES(sizeof(T))) +
               threadIdx.x / LANES * SLOTS;
        if (lane == 0) {
#pragma unroll 1
            for (int p = 0; p < SLOTS; ++p)
                sb_barrier_make(full + p, 1);
            sb_barriers_made();
        }
        __syncwarp();
        for (int p = 0; p < SLOTS; ++p)
            bring(p);
    }
    __device__ __forceinline__ const T *right(at_system *w, const turn<BACK> &t) const
    {
        return static_cast<const T *>(job.b) + w->find(job, t.system()).b + first_of(all, t.number()) * ROWS;
    }
    /* Where the first of the rows from there stands. */
    __device__ __forceinline__ T *rows(const T *from) const
    {
        return reinterpret_cast<T *>(slots + slot * SLOT_BYTES + reinterpret_cast<uintptr_t>(from) % PIECE);
    }
    /* The next tiles' to a slot that all lanes have read. */
    __device__ __forceinline__ void bring(int p)
    {
        if (!ahead.more())
            return;
        const T *from = right(&where, ahead);
        const uintptr_t begin = reinterpret_cast<uintptr_t>(from) / PIECE * PIECE,
                        end = (reinterpret_cast<uintptr_t>(from + AT_ONCE * ROWS) + PIECE - 1) / PIECE * PIECE;
        sb_bulk_fence();
        __syncwarp();
        if (lane == 0) {
            sb_barrier_expect(full + p, static_cast<uint32_t>(end - begin));
            sb_bulk_load_run(slots + p * SLOT_BYTES, reinterpret_cast<const void *>(begin),
                             static_cast<uint32_t>(end - begin), full + p);
        }
        ahead.next();
    }
    __device__ __forceinline__ void arrive() const
    {
        sb_barrier_wait<SB_BLOCK>(full + slot, parity);
    }
    /* The slot has been read. */
    __device__ __forceinline__ void next()
    {
        bring(slot);
        slot = slot + 1 < SLOTS ? slot + 1 : 0;
        parity ^= slot == 0;
    }
};

/* A block's own copy of what alike tiles have in common. */
__device__ __forceinline__ alike *place_of_alike(unsigned char *shared)
{
    return reinterpret_cast<alike *>(shared + SB_ALONG_SHARED_BYTES(sizeof(T)) +
                                     SB_ALONG_QUEUE_BYTES(sizeof(T)));
}

/* All threads call. */
__device__ __forceinline__ void copy_alike(alike *to, const alike *from)
{
    for (unsigned i = threadIdx.x; i < sizeof(alike) / sizeof(T); i += WARPS * LANES)
        reinterpret_cast<T *>(to)[i] = reinterpret_cast<const T *>(from)[i];
    __syncthreads();
}

} // namespace

#endif
