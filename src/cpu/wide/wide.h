/* Wide kernels: the same steps for many systems at once, one system in each lane.
 *
 * A tile holds one vector of each of its systems: row i of a tile is `lanes` reals, for complex types followed by
 * as many imaginary parts. Sweeps run over groups of lanes, SB_DEPTH words together, which hides the latency of
 * each lane's recurrence. Arithmetic in a lane depends on nothing outside it: the bits are the same however
 * systems are put into tiles.
 *
 * A sweep goes over the rows in blocks that stay in the first-level cache, so that gathering, elimination and
 * substitution of a block follow one another there. */
#ifndef SB_WIDE_H
#define SB_WIDE_H

#include "src/cpu/engine.h"
#include "src/cpu/kernels/ring.h"
#include "src/cpu/wide/isa.h"

/* SB_ISA_NAME(gather, avx2) becomes sb_gather_f64_avx2. */
#define SB_ISA_JOIN2(name, type, isa) sb_##name##_##type##_##isa
#define SB_ISA_JOIN(name, type, isa) SB_ISA_JOIN2(name, type, isa)
#define SB_ISA_NAME(name, isa) SB_ISA_JOIN(name, SB_TYPE, isa)

enum { SB_PLANES = SB_COMPLEX ? 2 : 1 };

/* Where the lines of a tile's systems begin in an array: element i of lane s at [offset[s] + i * stride]. */
typedef struct sb_lines {
    const int64_t *offset; /* negative: this lane is not to be scattered */
    const bool *whole;     /* of each vector of lanes: can be moved as a vector, not lane by lane */
    int64_t stride;
    int64_t
        ahead; /* elements from what is gathered to what will be wanted next: fetched into the cache meanwhile */
} sb_lines;

typedef struct sb_tile {
    R *at;
    int64_t lanes; /* a multiple of the group */
} sb_tile;

/* Factors of the lu and thomas engines (thomas: `scaled`, U divided by its pivots). Row i has `width` words, its
   reciprocal pivot at `pivot`. */
typedef struct sb_factors {
    const T *shared; /* one matrix for all lanes; or NULL and */
    sb_tile own;     /* one for each lane, from row `first` on */
    int64_t first;
    int width, pivot, lower, upper;
    bool scaled;
} sb_factors;

/* Elimination without pivoting: rows of matrices to factors. */
typedef struct sb_elimination {
    sb_tile rows;  /* from row `first` on, lower + 1 + upper words each: A on entry, factors on return */
    sb_tile upper; /* all rows, 1 + upper words each: what substitution backwards needs, written as well */
    int64_t first;
    R *growth, *bad; /* of each lane: see growth.h; 1 once a pivot was unfit, else 0 */
    int lower_width, upper_width;
    bool scaled;
} sb_elimination;

typedef struct sb_wide {
    int width; /* lanes of a vector */
    int group; /* tiles have multiples of so many lanes */
    /* `rows` entries of every line, from `first` on, to rows 0, step, 2 step ... of the tile. */
    void (*gather)(const T *from, const sb_lines *lines, int64_t first, int64_t rows, sb_tile to, int64_t step);
    /* Rows of the tile to entries of the lines, from `first` on. past_cache: around the caches where aligned. */
    void (*scatter)(sb_tile from, T *to, const sb_lines *lines, int64_t first, int64_t rows, bool past_cache);
    void (*fence)(void); /* after the last scatter past the caches */
    /* Substitution in rows from..to-1; `lower` (`upper`) rows in front of (behind) the tile's are zero.
       odd: of each lane, 0 on entry and then on return unless an unknown is NaN or Inf. */
    void (*forward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to);
    void (*backward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd);
    void (*eliminate)(const sb_elimination *e, int64_t from, int64_t to);
    /* The ring's border, when the interior is solved: x2; and x1 -= W x2 in rows from..to-1. */
    void (*border)(const sb_ring *ring, sb_tile x);
    void (*unspike)(const sb_ring *ring, sb_tile x, int64_t from, int64_t to, R *odd);
} sb_wide;

#define SB_DECLARE(isa, here) extern const sb_wide SB_ISA_NAME(lanes, isa);
SB_ISAS(SB_DECLARE)
#undef SB_DECLARE

#endif
