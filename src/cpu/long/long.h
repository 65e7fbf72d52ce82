/* Kernels for one long system, cut into chunks of m consecutive rows, a chunk in each lane.
 *
 * Half bandwidth k. A chunk's first k unknowns, its top, and its last k, its bottom, are interfaces; the rows between
 * are its interior, which needs nobody else. Eliminating the interior leaves k equations of the top,
 *
 *     left couplings, top, bottom | right-hand side,
 *
 * folded forwards while the interior is eliminated, and k of the bottom (top, bottom, right couplings). Together
 * they are a band system again, of 2 k unknowns a chunk: the reduced system. Once it is solved, the interior is
 * eliminated a second time, now with its top known, and substituted backwards from its bottom.
 *
 * Rows of a tile are handed over in blocks: row i of a chunk is 2 k + 2 words (A's row, then its right-hand side),
 * a word being `lanes` reals, for complex types followed by as many imaginary parts. Or kernels take them from the
 * user's arrays themselves, SB_LINE_ROWS rows of all lanes at a time. */
#ifndef SB_LONG_H
#define SB_LONG_H

#include "src/cpu/long/chunks.h"
#include "src/cpu/wide/wide.h"

enum { SB_LONG_SIDES = 2 * SB_CHUNKED_BAND }; /* equations of a chunk, at most */
_Static_assert(SB_CHUNKED_BAND == 4, "as SB_FOR_BAND");

/* Rows from what is read to what is fetched: a memory's latency at the speed of a core. Into the cache that fetch.h says. */
enum { SB_ROWS_AHEAD = 12 * SB_LINE_ROWS };

/* Rows that stand in lines of stride 1, the same lane by lane in all arrays. */
typedef struct sb_long_lines {
    /* Of lane 0, where each word of the first row stands; the other lanes' so many reals further on. */
    const R *word[2 * SB_CHUNKED_BAND + 2];
    const int64_t *offset;
    int64_t between;   /* from each lane to the next, in reals; 0 if that differs */
    const T *constant; /* of rows that are all alike: A's part, instead of the first 2 k + 1 words; or NULL */
    int64_t left,
        jump; /* from the first row to the chunk's end; what is fetched behind it lies so many reals further on */
    bool apart;       /* as by sb_lanes_apart: a line stays in the first-level cache until all of it was used */
    bool far;         /* lines come from memory */
    bool rhs_fetched; /* as by sb_long_fetch */
} sb_long_lines;

/* Right-hand sides of the rows that are eliminated next, fetched while others are substituted: SB_LINE_ROWS of each chunk
   at a time. Memory would have nothing to do meanwhile but to take what is stored. */
typedef struct sb_long_fetch {
    const R *next; /* of lane 0; the other lanes' so many reals further on */
    const int64_t *offset;
    int64_t times; /* that are left */
} sb_long_fetch;

/* What is left of a tile's chunks. */
typedef struct sb_sides {
    R *equations; /* 2 k of 2 k + 1 words: coefficients of top and bottom, right-hand side */
    R *reach;     /* of each equation and lane, the largest entry or product met while it was formed */
    R *growth;    /* of each lane: see growth.h; fill-in counts as a product */
    R *odd;       /* of each lane: 0, but NaN once a pivot was NaN or Inf */
} sb_sides;

/* What is left of chunks that pivot, lane by lane. */
typedef struct sb_pivoted {
    R *equations; /* 2 k of 4 k + 1 words: left neighbour's bottom, top, bottom, right neighbour's top, right-hand side */
    R *growth; /* the largest entry of U over that of A: of each unknown that is left, and of all others */
    R *unfit;  /* the number of the interior's first row whose pivot was zero, NaN or infinite; or -1 */
} sb_pivoted;

/* What truncation is worth, lane by lane. */
typedef struct sb_verdict {
    R *bound;  /* |error of an unknown| / max |x| is no larger once all are there; never falls before */
    R *growth; /* as in sb_sides */
    R *odd;    /* 0, but NaN once a pivot or a bound was NaN or Inf; */
    R *spoilt; /* or an unknown */
} sb_verdict;

/* Factors of a tile's rows, k words, k and k + 1 for each, from row 0 of its chunks on. Row i's `lower` are the multipliers
   of the rows i - 1, i - 2 ...; its `fold` those with which it is subtracted from the equations of the top; `upper` its
   reciprocal pivot and U's entries beside it times that. */
typedef struct sb_long_factors {
    R *lower, *fold, *upper;
    bool alike; /* all rows have the factors of row 0 */
} sb_long_factors;

typedef struct sb_long {
    int lanes;
    size_t state_bytes; /* that the sweeps keep from block to block, zero before rows are kept */
    /* Rows from..to-1 of all m, blocks following one another; fills `sides` with the block that ends at m. */
    void (*reduce)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                   const sb_sides *sides);
    /* The same of `count` rows of the interior, a multiple of SB_LINE_ROWS, unless they grow more than dominated rows
       can: false then, and nothing is changed. */
    bool (*reduce_lines)(int k, const sb_long_lines *lines, int64_t count, void *state);
    /* The same with known interfaces: 2 k words `ends`, top and bottom. Row i leaves its part of U and its right-hand
       side, both divided by the pivot, in k + 1 words of `kept`. */
    void (*forward)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                    R *kept);
    void (*forward_lines)(int k, const sb_long_lines *lines, int64_t count, void *state, R *kept);
    /* Unknowns to-1 down to `from`, interfaces included, to x. odd: as in wide.h. fetch: goes on with every SB_LINE_ROWS
       rows. */
    void (*backward)(int k, const R *kept, int64_t from, int64_t to, int64_t m, void *state, const R *ends,
                     R *x, R *odd, sb_long_fetch *fetch);
    /* Truncated: begin a chunk above its own rows; eliminate `count` rows, a multiple of SB_LINE_ROWS, which leave k + 1
       words each in `kept`. owned: they are the chunk's. sweep_lines: as reduce_lines. */
    void (*start)(void *state);
    void (*sweep)(int k, const R *rows, int64_t count, void *state, R *kept, bool owned);
    bool (*sweep_lines)(int k, const sb_long_lines *lines, int64_t count, void *state, R *kept, bool owned);
    /* Begin upwards at the last row swept; substitute `count` rows, which lie below those that are wanted if x is
       NULL. fetch: goes on with every SB_LINE_ROWS rows that are wanted. */
    void (*look)(void *state);
    void (*back)(int k, const R *kept, int64_t count, void *state, R *x, sb_long_fetch *fetch);
    void (*judge)(const void *state, const sb_verdict *verdict);
    /* Pivoting within chunks, or rotations, by which nothing grows: eliminate the interior's unknowns in rows
       from..to-1, the first 2 k + 1 of a chunk together; 4 k + 1 words of each row that is spent as a pivot to `kept`, if that is not NULL. And their unknowns;
       ends: 4 k words, as in an equation. */
    void (*pivot)(int k, bool rotates, const R *rows, int64_t from, int64_t to, int64_t m, void *state, R *kept,
                  const sb_pivoted *out);
    void (*unpivot)(int k, const R *kept, int64_t from, int64_t to, int64_t m, void *state, const R *ends, R *x,
                    R *odd);
    /* Form the factors of rows from..to-1 of blocks without right-hand sides: of chunks of m rows, with the equations'
       coefficients when to == m; or of chunks that reach into their neighbours. */
    void (*keep_chunk)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                       const sb_long_factors *factors, R *equations);
    void (*keep_rows)(int k, const R *rows, int64_t from, int64_t to, void *state,
                      const sb_long_factors *factors);
    /* Substitute with factors in rows from..to-1, a word each: downwards in place, or, with `folded`, only to
       subtract them from the k right-hand sides of the top; upwards to x, which may be `rows`, or NULL: to
       nowhere. above, below: k words, of the rows next to these, nearest first, which the last ones replace. */
    void (*descend)(int k, const sb_long_factors *factors, R *rows, int64_t from, int64_t to, R *above,
                    R *folded);
    void (*ascend)(int k, const sb_long_factors *factors, const R *rows, int64_t from, int64_t to, R *below,
                   R *x, R *odd);
} sb_long;

#define SB_DECLARE(isa, here) extern const sb_long SB_ISA_NAME(long, isa);
SB_ISAS(SB_DECLARE)
#undef SB_DECLARE

/* With a vector of chunks in a tile instead of two, up to 2 + 2: half as many lines are read at a time, of which some
   processors follow no more (fetch.h). */
#define SB_DECLARE(isa, here) extern const sb_long SB_ISA_NAME(narrow, isa);
SB_NARROW_ISAS(SB_DECLARE)
#undef SB_DECLARE
enum { SB_NARROW_BAND = 2 };

#endif
