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

enum { SB_PLANES = SB_COMPLEX ? 2 : 1, SB_CACHE_LINE = 64, SB_LINE_ROWS = SB_CACHE_LINE / sizeof(T) };

/* Where the lines of a tile's systems begin in an array: element i of lane s at [offset[s] + i * stride]. */
typedef struct sb_lines {
    const int64_t *offset; /* negative: this lane is not to be scattered */
    const bool *whole;     /* of each vector of lanes: can be moved as a vector, not lane by lane */
    int64_t stride;
    int64_t ahead; /* elements from what is gathered to what is fetched into the cache meanwhile; 0: nothing */
} sb_lines;

/* lanes: a multiple of the vector's; of rows that are swept where they lie, and for `search`, any number from it on. */
typedef struct sb_tile {
    R *at;
    int64_t lanes;
} sb_tile;

/* Rows of words, one for each lane: row i of all lanes begins at at + i * step. */
typedef struct sb_rows {
    R *at;
    int64_t step; /* in reals */
    bool pairs;   /* complex numbers as they lie in the user's own rows: re and im in turn */
} sb_rows;

/* Bands as wide below as above the diagonal, up to this, have kernels of their own. */
enum { SB_USUAL_MOST = 4 };

/* f for a half bandwidth of 1 to 4, a constant in each of its texts. */
#define SB_FOR_BAND(k, f, ...)      \
    ((k) == 1   ? f(1, __VA_ARGS__) \
     : (k) == 2 ? f(2, __VA_ARGS__) \
     : (k) == 3 ? f(3, __VA_ARGS__) \
                : f(4, __VA_ARGS__))
_Static_assert(SB_USUAL_MOST == 4, "as SB_FOR_BAND");

/* What sweeps over lines fetch meanwhile: `count` cache lines of each array for every
   SB_LINE_ROWS rows, line_step apart; those that belong to row i begin at from[] + i / SB_LINE_ROWS * step, in reals; and
   those that lie `again` in front of them once more, unless it is 0. run: unless it is 0, from a cache line to the next of the same
   line, several of which are fetched where one would be, of one line in as many (see vec.h).
   Nothing is read of them, so they may lie anywhere. */
typedef struct sb_ahead {
    const R *from[2 * SB_USUAL_MOST + 2];
    int64_t step, line_step, again, run;
    int arrays, count;
    bool into_first; /* see fetch.h */
} sb_ahead;

/* Factors of the lu and thomas engines (thomas: `scaled`, U divided by its pivots). Row i has `width` words, its
   reciprocal pivot at `pivot`. */
typedef struct sb_factors {
    const T *shared; /* one matrix for all lanes; or NULL and */
    sb_tile own;     /* one for each lane, from row `first` on */
    int64_t first;
    int width, pivot, lower, upper;
    bool scaled;
    bool
        ready; /* the right-hand sides are already divided by the pivots; of U, the scaled entries are all there is */
    /* Of rings whose last row was eliminated with the others: each lane's last unknown, which a word behind each row's U multiplies;
       or NULL. */
    const R *border;
} sb_factors;

/* From a row side by side that is swept to the one that is fetched meanwhile, and to the one that is asked for again (fetch.h):
   processors do not bring all that is asked for when that is much. */
enum { SB_ROWS_FETCHED = 4, SB_ROWS_FETCHED_AGAIN = 2 };

/* Substitution in the usual bands, side by side in the rows of both. odd: see `backward`. */
typedef struct sb_sweep {
    sb_factors factors;
    sb_rows from, to;
    int64_t n, lanes;
    R *odd;
    /* Fetched (fetch.h): `ahead` with the first row that is swept, the next ones with those that follow, ahead_rows in all; with the
       others, rows from `next` on. Each may be NULL. */
    const R *ahead, *next;
    int64_t ahead_step, ahead_rows;
    bool past_cache; /* backwards: store around the caches; `from`, a tile's rows, is overwritten */
} sb_sweep;

/* The same between a tile and lines of stride 1, `between` reals apart, line 0 at `line`. Swept right-hand sides may
   also wait in the lines of the solution, square by square as they are swept, that is transposed; of the tile, only the
   rows next to those that are swept are then read and written. */
typedef struct sb_line_sweep {
    sb_factors factors;
    sb_tile tile;
    R *line;
    int64_t between;
    R *waiting; /* line 0 of those that swept right-hand sides wait in, or NULL: in the tile */
    int64_t waiting_between;
    sb_ahead ahead;
    R *odd;
    bool past_cache;
} sb_line_sweep;

/* Elimination without pivoting: rows of matrices to factors, those of thomas (scaled) in a band of 1 + 1, else of lu. */
typedef struct sb_elimination {
    sb_tile rows;  /* from row `first` on, lower + 1 + upper words each: A on entry, factors on return */
    sb_tile upper; /* all rows, 1 + upper words each: what substitution backwards needs, written as well */
    int64_t first;
    R *growth, *bad; /* of each lane: see growth.h, never less than on entry; 0 unless a pivot was unfit */
    int lower_width, upper_width;
} sb_elimination;

/* Rings of 1 + 1 whose last row is eliminated with the others, column by column: rows of its words, one for each lane. What is
   left of it in the next column, on the diagonal, and of its right-hand side; its coupling to the row in front, which is
   not eliminated before the others have been; real, the sum or largest of the moduli of products that it met, its largest
   entry, and the largest spike; and in the end its unknown. */
enum {
    SB_LAST_ROW,
    SB_LAST_PIVOT,
    SB_LAST_RHS,
    SB_LAST_LOWER,
    SB_LAST_MET,
    SB_LAST_SIZE,
    SB_LAST_SPIKES,
    SB_LAST_UNKNOWN,
    SB_LAST_WORDS
};

/* Where that begins and ends. Of the last row: its lower, diagonal and upper word; and its right-hand side, in front of which are those
   of the others once they are swept, and in whose place the unknown comes. Of what is kept of rows: that in front of the first
   one; and that of the last but one, with the last behind it. */
typedef struct sb_last_row {
    sb_tile words; /* SB_LAST_WORDS */
    const R *row;
    R *rhs, *front, *kept;
    R *growth, *bad;
} sb_last_row;

/* Elimination and substitution forwards in one, the usual bands. What is kept of a row is all that substitution backwards
   wants: the entries of `ready` factors. */
typedef struct sb_march {
    const R *matrix[2 * SB_USUAL_MOST + 1], *rhs; /* of the first row; the next ones, */
    int64_t matrix_step, rhs_step;                /* so many reals further on */
    bool matrix_pairs, rhs_pairs;                 /* the user's own rows: see sb_rows */
    sb_tile y, kept; /* from the first row on; of the rows in front, `band` are zero or were there before */
    R *growth, *bad;
    int band;
    bool
        as_lines; /* the same arithmetic as sb_line_march's: rows in pairs, from an even one of the matrix on */
    int64_t matrix_ahead,
        rhs_ahead; /* reals from what is read to what is fetched into the cache meanwhile; 0: none */
    int64_t matrix_again, rhs_again; /* and to what is asked for again, in narrow bands; 0: nothing is */
    R *last; /* of rings: words of the last row, which goes along; or NULL. A spike is kept with each row then */
} sb_march;

/* The same over lines of stride 1, line 0 at `matrix` and `rhs`: whole cache lines of each. What leaves the matrix is not
   read. */
typedef struct sb_line_march {
    const R *matrix[2 * SB_USUAL_MOST + 1], *rhs; /* of the first row */
    int64_t matrix_between, rhs_between;
    sb_tile y, kept;
    R *growth, *bad;
    int band;
    bool closes;    /* the last row is the matrix's; the first one always is */
    R *last;        /* as above; the matrix has no ends then */
    sb_ahead ahead; /* of the diagonals, then the right-hand sides if they are fetched on the way down */
} sb_line_march;

/* The spikes of rings, a matrix in each lane: the first of `columns` tiles, each of the interior's rows from `from` on. */
typedef struct sb_spikes {
    sb_tile first;
    int64_t apart; /* reals from one to the next */
    int64_t inner, from;
    int columns;
} sb_spikes;

/* Their borders, as tiles.h says what is in them. */
typedef struct sb_borders {
    sb_tile words;
    int64_t inner;
    int m;
} sb_borders;

typedef struct sb_wide {
    int width; /* lanes of a vector */
    int group; /* lanes that a sweep takes together where it can; tiles have multiples of `width` */
    /* `rows` entries of every line, from `first` on, to rows 0, step, 2 step ... of the tile. */
    void (*gather)(const T *from, const sb_lines *lines, int64_t first, int64_t rows, sb_tile to, int64_t step);
    /* Rows of the tile to entries of the lines, from `first` on. past_cache: around the caches, lines where aligned. */
    void (*scatter)(sb_tile from, T *to, const sb_lines *lines, int64_t first, int64_t rows, bool past_cache);
    void (*fence)(void); /* after the last store past the caches */
    /* Substitution in rows from..to-1; `lower` (`upper`) rows in front of (behind) the tile's are zero.
       odd: of each lane, 0 on entry and then on return unless an unknown is NaN or Inf. */
    void (*forward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to);
    void (*backward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd);
    /* The same with the factors' transpose. The rows in front and behind may hold anything, and then do; of `backward`'s,
       none is read before it is written. */
    void (*forward_columns)(const sb_factors *f, sb_tile x, int64_t from, int64_t to);
    void (*backward_columns)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd);
    void (*eliminate)(const sb_elimination *e, int64_t from, int64_t to);
    /* For the usual bands. *_lines: whole cache lines of every line, so from and to are multiples of SB_LINE_ROWS. */
    void (*forward_rows)(const sb_sweep *s, int64_t from, int64_t to);
    void (*backward_rows)(const sb_sweep *s, int64_t from, int64_t to);
    void (*forward_lines)(const sb_line_sweep *s, int64_t from, int64_t to);
    void (*backward_lines)(const sb_line_sweep *s, int64_t from, int64_t to);
    void (*march)(const sb_march *m, int64_t rows);
    void (*march_lines)(const sb_line_march *m, int64_t rows);
    /* The ring's border, when the interior is solved: x2; and x1 -= W x2 in rows from..to-1. */
    void (*border)(const sb_ring *ring, sb_tile x);
    void (*border_own)(const sb_borders *borders, sb_tile x);
    /* Rings whose last row goes along: before the first row, and after the row in front of the last. */
    void (*begin_last)(const sb_last_row *last);
    void (*end_last)(const sb_last_row *last);
    void (*unspike)(const sb_ring *ring, sb_tile x, int64_t from, int64_t to, R *odd);
    /* The same where each lane has spikes of its own; out: the tile, or the user's rows. */
    void (*unspike_own)(const sb_spikes *spikes, sb_tile x, const sb_rows *out, int64_t from, int64_t to,
                        R *odd);
    /* A ring's border less what its spikes' transpose makes of rows from..to-1. */
    void (*project)(const sb_spikes *spikes, sb_tile x, int64_t from, int64_t to);
    /* odd: NaN of each lane that has NaN or Inf in `rows` rows. */
    void (*search)(sb_tile x, int64_t rows, R *odd);
    /* The largest row sum of the spikes' moduli; bad as in sb_elimination, if a spike is NaN or Inf. */
    void (*measure)(const sb_spikes *spikes, R *largest, R *bad);
} sb_wide;

#define SB_DECLARE(isa, here) extern const sb_wide SB_ISA_NAME(lanes, isa);
SB_ISAS(SB_DECLARE)
#undef SB_DECLARE

#endif
