/* Messages between the blocks of a cooperative grid: words of 8 bytes, each stored at once with the number of the call that
   it belongs to, so that whoever reads it there needs no other sign that it has come. */
#ifndef SB_LARGE_EXCHANGE_CUH
#define SB_LARGE_EXCHANGE_CUH

#include <stdint.h>
#include <string.h>

namespace
{

struct __align__(16) word
{
    uint64_t data, call;
};

template <class S> struct message {
    enum { WORDS = (sizeof(S) + 7) / 8 };
    word at[WORDS];
};

__device__ __forceinline__ word look(const word *at)
{
    word w;
    asm volatile("{\n.reg .b128 both;\nld.relaxed.gpu.global.b128 both, [%2];\nmov.b128 {%0, %1}, both;\n}"
                 : "=l"(w.data), "=l"(w.call)
                 : "l"(at)
                 : "memory");
    return w;
}

/* The number of the call that a message belongs to, which nothing waits for but who uses it. */
template <class S> __device__ __forceinline__ uint64_t look_at_call(const message<S> *of)
{
    uint64_t call;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(call) : "l"(&of->at[0].call) : "memory");
    return call;
}

__device__ __forceinline__ void put(word *at, uint64_t data, uint64_t call)
{
    asm volatile(
        "{\n.reg .b128 both;\nmov.b128 both, {%1, %2};\nst.relaxed.gpu.global.b128 [%0], both;\n}" ::"l"(at),
        "l"(data), "l"(call)
        : "memory");
}

template <class S> __device__ __forceinline__ void send(message<S> *to, const S &what, uint64_t call)
{
    enum { WORDS = message<S>::WORDS };
    uint64_t words[WORDS] = {};
    memcpy(words, &what, sizeof what);
#pragma unroll
    for (int i = 0; i < WORDS; ++i)
        put(to->at + i, words[i], call);
}

/* The same by the first lanes of a warp, a word each; all lanes know what. */
template <class S>
__device__ __forceinline__ void send_by_lanes(message<S> *to, const S &what, uint64_t call, int lane)
{
    enum { WORDS = message<S>::WORDS };
    uint64_t words[WORDS] = {}, mine = 0;
    memcpy(words, &what, sizeof what);
#pragma unroll
    for (int i = 0; i < WORDS; ++i)
        mine = lane == i ? words[i] : mine;
    if (lane < WORDS)
        put(to->at + lane, mine, call);
}

/* Waits for a word. */
__device__ __forceinline__ uint64_t receive_word(const word *from, uint64_t call)
{
    word w;
    do
        w = look(from);
    while (w.call != call);
    return w.data;
}

/* Waits for all. */
template <class S> __device__ __forceinline__ S receive(const message<S> *from, uint64_t call)
{
    enum { WORDS = message<S>::WORDS };
    uint64_t words[WORDS];
    bool there;
    do {
        there = true;
#pragma unroll
        for (int i = 0; i < WORDS; ++i) {
            word w = look(from->at + i);
            words[i] = w.data;
            there = there && w.call == call;
        }
    } while (!there);
    S what;
    memcpy(&what, words, sizeof what);
    return what;
}

/* A sign that anyone may give and that stands until the next call. */
__device__ __forceinline__ void give_sign(uint64_t *sign, uint64_t call)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(sign), "l"(call) : "memory");
}

__device__ __forceinline__ bool sign_is_given(const uint64_t *sign, uint64_t call)
{
    uint64_t seen;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(sign) : "memory");
    return seen == call;
}

} // namespace

#endif
