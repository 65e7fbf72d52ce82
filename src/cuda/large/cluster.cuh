/* The blocks of a cluster: who they are, their barrier, and writing into each other's shared memory. Devices without
   clusters compile this, and are never asked for one. */
#ifndef SB_LARGE_CLUSTER_CUH
#define SB_LARGE_CLUSTER_CUH

#include <string.h>

namespace
{

__device__ __forceinline__ void cluster_arrive()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

/* What needs no memory to be seen. */
__device__ __forceinline__ void cluster_arrive_relaxed()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}

__device__ __forceinline__ void cluster_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/* To the same place in the shared memory of block `rank` of the cluster. */
template <class S> __device__ __forceinline__ void give(S *to, const S &what, int rank)
{
#if __CUDA_ARCH__ >= 900
    enum { WORDS = sizeof(S) / sizeof(unsigned) };
    unsigned words[WORDS], at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    memcpy(words, &what, sizeof what);
    asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(at) : "r"(rank));
#pragma unroll
    for (int i = 0; i < WORDS; ++i)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at + 4 * i), "r"(words[i]) : "memory");
#endif
}

} // namespace

#endif
