/* What all teams of a launch are told, and which part is each one's. */
#ifndef SB_BANDS_CROWD_CUH
#define SB_BANDS_CROWD_CUH

#include "src/cuda/bands/strip.cuh"

namespace
{

/* A level's links, and on the way back its states; those of all systems one behind another. */
struct level {
    T *links;
    int64_t count; /* links of a system; there is room for one more */
};

/* All teams of a launch: `systems` (matrices where there is no right-hand side) times `count`. */
struct crowd {
    int64_t systems, count, rows; /* rows: of a strip */
    unsigned blocks;              /* that there is work for */
    bool across, records;         /* records: the launch is to tell of matrices */
    unsigned long long *zeros;
    const int32_t *only,
        *any; /* NULL, or: nonzero for the systems that are to be solved, and if there are any */
};

template <int K> constexpr int link_words = 2 * K *(4 * K + 1);

template <int K> __device__ __forceinline__ T *link_of(const level &at, int64_t system, int64_t number)
{
    return at.links + (system * (at.count + 1) + number) * link_words<K>;
}

/* The number of this warp's team among all; its place in shared memory, of so many words each. */
template <int K> __device__ __forceinline__ int64_t number_of(const team<K> &t, unsigned block)
{
    return (static_cast<int64_t>(block) * SB_BANDS_WARPS + threadIdx.x / LANES) * team<K>::OF_WARP + t.number;
}

template <int K> __device__ __forceinline__ T *room_of(const team<K> &t, char *shared, int64_t words)
{
    return reinterpret_cast<T *>(shared) +
           (threadIdx.x / LANES * team<K>::OF_WARP + t.number) * (words + SB_BANDS_APART);
}

/* Is there nothing to do for a whole launch? */
__device__ __forceinline__ bool is_idle(const crowd &all)
{
    return all.any && !*all.any;
}

/* Which system and which strip or run of it is this team's. False: none, or of a matrix that is known to be bad; then it goes along
   with the first system's first. */
__device__ __forceinline__ bool place_of(const sb_cuda_job &job, const crowd &all, int64_t number, strip *s)
{
    const bool exists = number < all.systems * all.count;
    number = exists ? number : 0;
    s->system = all.across ? number % all.systems : number / all.count;
    s->number = all.across ? number / all.systems : number % all.count;
    s->matrix = job.b ? sb_matrix_of(job, s->system) : s->system;
    return exists && (!all.only || all.only[s->system]) &&
           (all.records || job.matrix[s->matrix].outcome == SB_CUDA_GOOD);
}

/* An unknown that none of the equations knows which are left to it. */
__device__ __forceinline__ void tell_zero(const sb_cuda_job &job, const crowd &all, int64_t system,
                                          int64_t unknown)
{
    if (!all.records)
        return;
    unknown = unknown < 0 ? (job.periodic ? unknown + job.n : 0) : unknown;
    unknown = unknown < job.n ? unknown : job.n - 1;
    atomicMax(all.zeros + system, static_cast<unsigned long long>(job.n - unknown));
}

} // namespace

#endif
