/* What lanes are told, and what they keep in memory: numbers side by side. */
#ifndef SB_ABREAST_LEVEL_CUH
#define SB_ABREAST_LEVEL_CUH

#include <string.h>

#include "src/chunk/scalar.h"
#include "src/cuda/abreast/shape.h"
#include "src/cuda/kernels/lanes.cuh"

namespace
{

/* A level's links, whose places become joints' and then those of states: see shape.h. */
struct level {
    T *numbers;
    int64_t count; /* of a system; there is room for one more */
};

/* What all lanes of a launch are told. Tridiagonal alone: numbers to pivoted_lanes. */
struct crowd {
    order of;
    int64_t groups, lanes, tiles, strip, strips;
    bool records; /* the launch is to tell of matrices */
    T *joints;
    int32_t *told; /* see shape.h */
    int numbers;
    bool plain, pivoted;     /* what may be tried, in this order */
    R limit;                 /* of plain elimination */
    uint32_t *pivoted_lanes; /* of each strip and group */
};

/* Number i of N that a lane keeps at place k. */
template <int N, class S>
__device__ __forceinline__ void put(T *numbers, int64_t place, int64_t lanes, int64_t lane, const S &what)
{
    enum { COUNT = sizeof(S) / sizeof(T) };
    T words[COUNT];
    memcpy(words, &what, sizeof what);
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        numbers[(place * N + i) * lanes + lane] = words[i];
}

template <class S>
__device__ __forceinline__ S get(const T *numbers, int64_t place, int n, int64_t lanes, int64_t lane)
{
    enum { COUNT = sizeof(S) / sizeof(T) };
    T words[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        words[i] = numbers[(place * n + i) * lanes + lane];
    S what;
    memcpy(&what, words, sizeof what);
    return what;
}

} // namespace

#endif
