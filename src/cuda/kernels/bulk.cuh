/* What Hopper adds to move tiles: barriers in shared memory that count bytes, copies by the bulk copy engine, and
 * clusters of blocks that see each other's shared memory. Every function is a no-op before compute capability 9.0,
 * where the kernels that need them are not launched. */
#ifndef SB_CUDA_BULK_CUH
#define SB_CUDA_BULK_CUH

#include <cuda.h>
#include <stdint.h>
#include <string.h>

/* Sources that include this are in a list of src/CMakeLists.txt; the others' code for Hopper is made of Ampere's PTX, in which
   all of this would be missing. */
#ifndef SB_FOR_HOPPER
#error "list this source among those compiled for Hopper: src/CMakeLists.txt"
#endif

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
#define SB_HOPPER(...) ((void)0)
#else
#define SB_HOPPER(...) asm volatile(__VA_ARGS__)
#endif

namespace
{

/* Kernels that are launched only where there is an engine are left empty elsewhere. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
constexpr bool sb_has_engine = false;
#else
constexpr bool sb_has_engine = true;
#endif

__device__ __forceinline__ uint32_t sb_shared_address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

/* Barriers that `arrivals` and the bytes promised to them complete; phases alternate between parity 0 and 1. */
__device__ __forceinline__ void sb_barrier_make(uint64_t *barrier, uint32_t arrivals)
{
    SB_HOPPER("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sb_shared_address(barrier)), "r"(arrivals));
}

__device__ __forceinline__ void sb_barriers_made()
{
    SB_HOPPER("fence.mbarrier_init.release.cluster;" ::: "memory");
    SB_HOPPER("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void sb_barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    SB_HOPPER("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sb_shared_address(barrier)),
              "r"(bytes)
              : "memory");
}

/* Promise bytes; the last promise of a phase also arrives. */
__device__ __forceinline__ void sb_barrier_promise(uint64_t *barrier, uint32_t bytes, bool last)
{
    if (last)
        sb_barrier_expect(barrier, bytes);
    else
        SB_HOPPER("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(sb_shared_address(barrier)),
                  "r"(bytes)
                  : "memory");
}

__device__ __forceinline__ void sb_barrier_arrive(uint64_t *barrier)
{
    SB_HOPPER("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sb_shared_address(barrier)) : "memory");
}

/* Whose writes before the barrier's phase ended are seen after it. Waiting for a cluster costs more: first-level caches are
   invalid then. */
enum sb_scope { SB_BLOCK, SB_CLUSTER };

template <sb_scope OF> __device__ __forceinline__ void sb_barrier_wait(uint64_t *barrier, uint32_t parity)
{
    if (OF == SB_CLUSTER)
        SB_HOPPER("{\n.reg .pred done;\n"
                  "again%=:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
                  "@!done bra again%=;\n}" ::"r"(sb_shared_address(barrier)),
                  "r"(parity)
                  : "memory");
    else
        SB_HOPPER("{\n.reg .pred done;\n"
                  "again%=:\nmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
                  "@!done bra again%=;\n}" ::"r"(sb_shared_address(barrier)),
                  "r"(parity)
                  : "memory");
}

/* So many threads of a block meet, in whole warps, by one of its barriers 1 to 15. */
__device__ __forceinline__ void sb_meet(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/* One lane of the warp, all of which ask; the compiler then knows that it is one. */
__device__ __forceinline__ bool sb_elected()
{
    uint32_t elected = 0;
    SB_HOPPER("{\n.reg .pred mine;\nelect.sync _|mine, 0xffffffff;\nselp.u32 %0, 1, 0, mine;\n}"
              : "=r"(elected));
    return elected;
}

/* Ordinary writes to shared memory become visible to the copy engine. */
__device__ __forceinline__ void sb_bulk_fence()
{
    SB_HOPPER("fence.proxy.async.shared::cta;" ::: "memory");
}

/* A box of a tensor map of four dimensions: column, row, and two outer ones. */
__device__ __forceinline__ void sb_bulk_load(void *to, const CUtensorMap *map, int column, int row, int outer,
                                             int outest, uint64_t *barrier)
{
    SB_HOPPER("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
              "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(sb_shared_address(to)),
              "l"(map), "r"(column), "r"(row), "r"(outer), "r"(outest), "r"(sb_shared_address(barrier))
              : "memory");
}

/* Runs of bytes, everything a multiple of 16. */
__device__ __forceinline__ void sb_bulk_load_run(void *to, const void *from, uint32_t bytes, uint64_t *barrier)
{
    SB_HOPPER("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                  sb_shared_address(to)),
              "l"(from), "r"(bytes), "r"(sb_shared_address(barrier))
              : "memory");
}

__device__ __forceinline__ void sb_bulk_store_run(void *to, const void *from, uint32_t bytes)
{
    SB_HOPPER("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
              "r"(sb_shared_address(from)), "r"(bytes)
              : "memory");
    SB_HOPPER("cp.async.bulk.commit_group;" ::: "memory");
}

/* This thread's stores but the latest `N` have left shared memory. */
template <int N> __device__ __forceinline__ void sb_bulk_stores_left()
{
    SB_HOPPER("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

__device__ __forceinline__ void sb_bulk_stores_done()
{
    SB_HOPPER("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* The same place in the shared memory of another block of the cluster. */
__device__ __forceinline__ uint32_t sb_cluster_address(const void *p, uint32_t rank)
{
    uint32_t peer = sb_shared_address(p);
    SB_HOPPER("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(peer) : "r"(rank));
    return peer;
}

/* Words to another block of the cluster, their arrival counted by its barrier (addresses by sb_cluster_address). */
__device__ __forceinline__ void sb_cluster_send(uint32_t to, uint64_t word, uint32_t barrier)
{
    SB_HOPPER("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to), "l"(word),
              "r"(barrier)
              : "memory");
}

__device__ __forceinline__ void sb_cluster_send(uint32_t to, uint32_t word, uint32_t barrier)
{
    SB_HOPPER("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to), "r"(word),
              "r"(barrier)
              : "memory");
}

__device__ __forceinline__ void sb_cluster_send(uint32_t to, uint64_t first, uint64_t second, uint32_t barrier)
{
    SB_HOPPER("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(to),
              "l"(first), "l"(second), "r"(barrier)
              : "memory");
}

/* An even number of scalars to their place in another block's shared memory. */
template <typename Few>
__device__ __forceinline__ void sb_cluster_send_few(const void *to, const Few &few, uint64_t *barrier,
                                                    uint32_t rank)
{
    constexpr int WORDS = sizeof(Few) / sizeof(uint64_t);
    const uint32_t address = sb_cluster_address(to, rank), counted = sb_cluster_address(barrier, rank);
    uint64_t words[WORDS];
    memcpy(words, few, sizeof words);
    if (WORDS == 1)
        sb_cluster_send(address, words[0], counted);
#pragma unroll
    for (int w = 0; w + 1 < WORDS; w += 2)
        sb_cluster_send(address + w * sizeof(uint64_t), words[w], words[w + 1], counted);
}

/* All threads of the cluster; what they wrote before they arrive is seen by all that have waited. Who exits has arrived. */
__device__ __forceinline__ void sb_cluster_arrive()
{
    SB_HOPPER("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

/* The same where barriers that have been made are all that the others will look at: it waits for nothing that is on its way. */
__device__ __forceinline__ void sb_cluster_arrive_made()
{
    SB_HOPPER("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void sb_cluster_wait()
{
    SB_HOPPER("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ __forceinline__ void sb_cluster_meet()
{
    sb_cluster_arrive();
    sb_cluster_wait();
}

} // namespace

#endif
