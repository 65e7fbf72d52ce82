/* The stream, in the widest vectors of one level. */
#include "bench/stream.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

#if defined __AVX512F__
#define STORE_AROUND(to, v) _mm512_stream_si512((__m512i *)(to), (__m512i)(v))
enum { VECTOR = 64 };
#elif defined __AVX2__
#define STORE_AROUND(to, v) _mm256_stream_si256((__m256i *)(to), (__m256i)(v))
enum { VECTOR = 32 };
#elif defined __x86_64__
#define STORE_AROUND(to, v) _mm_stream_si128((__m128i *)(to), (__m128i)(v))
enum { VECTOR = 16 };
#else
#define STORE_AROUND(to, v) (*(to) = (v))
enum { VECTOR = 16 };
#endif

typedef uint64_t vector __attribute__((vector_size(VECTOR), may_alias));

static inline __attribute__((always_inline)) void run(const sb_stream_part *part, int sources, bool around)
{
    enum { LINE = 64 };
    size_t vectors = part->bytes / LINE * (LINE / VECTOR);
    vector *to = (vector *)part->to;
    for (size_t i = 0; i < vectors; i += LINE / VECTOR) {
        for (size_t j = i; j < i + LINE / VECTOR; ++j) {
            vector v = ((const vector *)part->from[0])[j];
            for (int k = 1; k < sources; ++k)
                v ^= ((const vector *)part->from[k])[j];
            if (around)
                STORE_AROUND(to + j, v);
            else
                to[j] = v;
        }
    }
    for (size_t i = vectors * VECTOR; i < part->bytes; ++i) {
        char byte = part->from[0][i];
        for (int k = 1; k < sources; ++k)
            byte = (char)(byte ^ part->from[k][i]);
        part->to[i] = byte;
    }
}

/* The usual numbers of sources: one matrix for all, tridiagonal, pentadiagonal. */
static inline __attribute__((always_inline)) void run_unrolled(const sb_stream_part *part, bool around)
{
    switch (part->sources) {
    case 1:
        run(part, 1, around);
        return;
    case 4:
        run(part, 4, around);
        return;
    case 6:
        run(part, 6, around);
        return;
    default:
        run(part, part->sources, around);
    }
}

void SB_LEVEL_NAME(stream)(const sb_stream_part *part, bool around)
{
    if (!around) {
        run_unrolled(part, false);
        return;
    }
    run_unrolled(part, true);
#if defined __x86_64__
    _mm_sfence();
#endif
}
