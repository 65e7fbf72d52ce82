/* The kernels of one scalar type and instruction set; see long.h. */
#ifndef SB_LONG_NAMES_H
#define SB_LONG_NAMES_H

#include "src/cpu/long/long.h"
#include "src/cpu/vec/word.h"

/* A tile is one group of lanes: DEPTH words side by side. Two hide the latency of each lane's divisions; but vectors of 64
   bytes would bring 16 lanes or more, whose lines are more than the first-level cache and its prefetchers can follow. Where
   those of 32 bytes are too many already, narrow kernels do with one, which the build says by SB_NARROW. */
#ifdef SB_NARROW
#define SB_LONG_TABLE SB_ISA_NAME(narrow, SB_ISA)
#define SB_LONG(name) SB_ISA_NAME(narrow_##name, SB_ISA)
enum { DEPTH = 1 };
#undef SB_FOR_BAND
#define SB_FOR_BAND(k, f, ...) ((k) == 1 ? f(1, __VA_ARGS__) : f(2, __VA_ARGS__))
_Static_assert(SB_NARROW_BAND == 2, "as SB_FOR_BAND");
#else
#define SB_LONG_TABLE SB_ISA_NAME(long, SB_ISA)
#define SB_LONG(name) SB_ISA_NAME(long_##name, SB_ISA)
enum { DEPTH = SB_WIDTH * sizeof(R) == 64 ? 1 : 2 };
#endif
enum { LANES = DEPTH * SB_WIDTH, WORD = SB_PLANES * LANES };

void SB_LONG(reduce)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                     const sb_sides *sides);
bool SB_LONG(reduce_lines)(int k, const sb_long_lines *lines, int64_t count, void *state);
void SB_LONG(forward)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                      R *kept);
void SB_LONG(forward_lines)(int k, const sb_long_lines *lines, int64_t count, void *state, R *kept);
void SB_LONG(backward)(int k, const R *kept, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                       R *x, R *odd, sb_long_fetch *fetch);
void SB_LONG(start)(void *state);
void SB_LONG(sweep)(int k, const R *rows, int64_t count, void *state, R *kept, bool owned);
bool SB_LONG(sweep_lines)(int k, const sb_long_lines *lines, int64_t count, void *state, R *kept, bool owned);
void SB_LONG(look)(void *state);
void SB_LONG(back)(int k, const R *kept, int64_t count, void *state, R *x, sb_long_fetch *fetch);
void SB_LONG(judge)(const void *state, const sb_verdict *verdict);
void SB_LONG(pivot)(int k, bool rotates, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                    R *kept, const sb_pivoted *out);
void SB_LONG(unpivot)(int k, const R *kept, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                      R *x, R *odd);
void SB_LONG(keep_chunk)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                         const sb_long_factors *factors, R *equations);
void SB_LONG(keep_rows)(int k, const R *rows, int64_t from, int64_t to, void *state,
                        const sb_long_factors *factors);
void SB_LONG(descend)(int k, const sb_long_factors *factors, R *rows, int64_t from, int64_t to, R *above,
                      R *folded);
void SB_LONG(ascend)(int k, const sb_long_factors *factors, const R *rows, int64_t from, int64_t to, R *below,
                     R *x, R *odd);

#endif
