/* Lines side by side: what the host plans and the kernel reads. */
#ifndef SB_CUDA_TILE_STRIDED_H
#define SB_CUDA_TILE_STRIDED_H

#include <stdbool.h>

#include "src/cuda/job.h"
#include "src/cuda/tile/cut.h"

/* Blocks that have a processor to themselves, of 8 warps: those of wider bands, whose tables are long, and of lines one after
   another, which wait in their stages until they have gone. */
#define SB_TILE_ALONE(k, in_lines) ((k) == 4 || (in_lines))
/* Places of a chunk and systems of a thread: 256 bytes of registers; complex 128, unless there are but 8 warps. (32 complex ones
   of wide bands end up in local memory.) */
#define SB_TILE_SLOTS(bytes, complex, k, alone) \
    ((bytes) == 16 ? ((alone) ? 16 : 8) : (complex) && ((k) == 4 || !(alone)) ? 16 : 32)
/* Chunks of a block, a warp each: as many as registers allow. */
#define SB_TILE_MOST_CHUNKS(bytes, alone) ((alone) ? 8 : (bytes) == 16 ? 12 : 16)
/* Chunks of blocks that are alone and yet two to a processor, by the registers that their threads need. */
#define SB_TILE_PAIR_CHUNKS(k) ((k) == 4 ? 4 : 6)
/* Rows of a line that a lane reads and writes at once: 16 bytes; complex ones would have the compiler put chunks into local memory. */
#define SB_TILE_PIECE(bytes, complex) ((complex) ? 1 : 16 / (int)(bytes))
/* Words of a row's forward multipliers in shared memory: k + 1, and one more that makes them even where there are registers for it. */
#define SB_TILE_FORWARD(k, alone) ((k) + 1 + ((k) > 1 && (alone)))
/* Blocks of a cluster: those whose ends' equations have room to be inverted in. */
#define SB_TILE_MOST_BLOCKS(bytes, k) ((k) * (bytes) > 32 ? 8 : 16)
/* Own matrices: rows of a chunk, of which registers hold two words and shared memory one (k = 2: two or three of five each);
   rows that the engine copies at once for a warp, a box of each array; what a block tells its cluster; and posts' pitch.
   FAR, of tridiagonal ones: the first rows whose word is in shared memory; that of the others is in registers, which leaves
   room for one more stage of rows where a cluster's exchange would take it. */
#define SB_TILE_OWN_SLOTS(k, bytes) ((k) == 2 ? SB_TILE_PENTA_SHORT : (bytes) == 16 ? 12 : 32)
#define SB_TILE_OWN_ROWS(bytes) ((bytes) == 16 ? 1 : 4)
#define SB_TILE_OWN_FAR(slots, bytes) ((slots) - ((bytes) == 16 ? 1 : (bytes) == 4 ? 9 : 3))
#define SB_TILE_OWN_ARRAYS(k) (2 * (k) + 2)
#define SB_TILE_OWN_BOX(bytes) (32 * SB_TILE_LANES(bytes) * SB_TILE_OWN_ROWS(bytes) * (bytes))
#define SB_TILE_OWN_WORDS_BYTES(bytes) ((7 * (bytes) + 8 + 15) / 16 * 16)
#define SB_TILE_OWN_PITCH(columns, chunks, bytes) ((columns) + 128 / (bytes) / (chunks))
/* Pentadiagonal ones: first rows of a chunk that have three words in shared memory, the others two, as few as leave the
   sweep its registers; words of a thread's interior there; what a block tells that block of its cluster which solves for a
   column's ends, and what it hears. */
#define SB_TILE_PENTA_FAR(slots, bytes) \
    ((bytes) == 4 ? ((slots) == SB_TILE_PENTA_SHORT ? 0 : 5) : (slots) == SB_TILE_PENTA_SHORT ? 6 : 18)
#define SB_TILE_PENTA_KEPT(slots, bytes) (2 * ((slots)-2) + SB_TILE_PENTA_FAR(slots, bytes))
#define SB_TILE_PENTA_WORDS_BYTES(bytes) ((24 * (bytes) + 8 + 15) / 16 * 16)
#define SB_TILE_PENTA_ANSWER_BYTES(bytes) ((4 * (bytes) + 8 + 15) / 16 * 16)
/* Warps of a block of lines: more of them hide more of what each waits for, as long as nothing is spilled; pentadiagonal chunks
   of middle length were slower with twelve (n = 1024: 405 us, 455). Warps that share a line, in f64: with twelve, 40 bytes are. */
#define SB_TILE_LINE_WARPS(bytes, complex, k, slots, team) \
    ((complex) || ((k) == 2 && (slots) != SB_TILE_SHORT) ? 8 : (bytes) == 4 ? 16 : (team) ? 11 : 12)
/* Own lines: rows of a chunk that registers hold, and a block's warps; chunks that stay in shared memory have PLACES 0. With twelve
   warps, c128's would spill. */
#define SB_TILE_OWN_LINE_PLACES(bytes) ((bytes) == 4 ? 33 : (bytes) == 8 ? 17 : 9)
#define SB_TILE_OWN_LINE_WARPS(bytes, places) ((bytes) == 16 ? ((places) > 0 ? 8 : 12) : (places) > 0 ? 12 : 16)
/* Words of a warp's barriers. Between those of two warps one is left free: compute-sanitizer's racecheck takes what makes a barrier
   for 16 bytes, and reports it as if it reached into the next warp's. */
#define SB_TILE_OWN_LINE_BARRIERS(stages) (2 * (stages))
/* Pentadiagonal ones: rows of a chunk as long as there are lanes, and a block's warps, as many as registers are for (c128: but for 100
   bytes of local memory). */
#define SB_TILE_PENTA_LINE_ROWS 25
#define SB_TILE_PENTA_LINE_WARPS(bytes) ((bytes) == 4 ? 16 : (bytes) == 8 ? 10 : 8)
/* The copy engine's words: of 4 or 8 bytes. */
#define SB_TILE_WORDS(bytes) ((bytes) == 16 ? 2 : 1)
#define SB_TILE_LANES(bytes) ((bytes) == 4 ? 2 : 1)

/* The same for lines one after another, where chunks come in three sizes. */
#define SB_TILE_DEPTH(bytes, slots, k) \
    ((slots) == SB_TILE_SHORT ? ((bytes) == 4 ? 4 / (k) : (bytes) == 8 ? 2 / (k) : 1) : 1)

/* Chunks of lines: the longest that registers hold. */
#define SB_TILE_LONGEST(bytes, complex) ((complex) && (bytes) == 16 ? SB_TILE_SHORT : SB_TILE_MIDDLE)

enum { SB_TILE_SHORT = 17, SB_TILE_BETWEEN = 25, SB_TILE_MIDDLE = 33 };
/* TURNS: tiles whose separators may be in use at once. A warp may be on its next tile while others end theirs, and so may the
   blocks of a cluster, of which none ends a tile before all have told of it. */
enum {
    SB_TILE_MOST_STAGES = 8,
    SB_TILE_TURNS = 2,
    SB_TILE_NUMBERS =
        2 * SB_TILE_MOST_STAGES, /* of tiles that are known, and of those that other blocks may still look up */
    SB_TILE_OWN_THREADS = 256,
    SB_TILE_OWN_EACH_STAGES = 2, /* where threads fetch for themselves */
    SB_TILE_OWN_POSTS = 7,
    SB_TILE_OWN_SIZES = 3,
    SB_TILE_PENTA_SHORT = 16, /* rows of a chunk; LONG where clusters become smaller by it */
    SB_TILE_PENTA_LONG = 20,
    SB_TILE_PENTA_POSTS = 10,
    SB_TILE_PENTA_SIZES = 2,
    SB_TILE_PENTA_BARRIERS = 5,
    SB_TILE_PENTA_MOST_BESIDE = 12, /* blocks of a cluster that has room for all verdicts */
    SB_TILE_LINE_ALIGNMENT = 128
};

/* Strides of one array, in elements. */
typedef struct sb_tile_line {
    int64_t row, column, outer[2];
} sb_tile_line;

/* From the count of tiles that have been taken of a piece to the next one's. */
enum { SB_TILE_TAKEN = 16 };

/* Pieces of lines, if there is more than one, that a launch solves alike, as if each were a line: cut.n rows behind the one before, with
   tables of its own, so many scalars behind, and outcomes, one a system, so many behind. Clusters have one piece each
   (sb_tile_deal): the first `whole` pieces one cluster, then `more` pieces each + 1, the others `each` and `later` more. */
typedef struct sb_tile_split {
    int count;
    int64_t tables, outcomes;
    int whole, each, more, later;
} sb_tile_split;

/* How systems are numbered and where they lie: along a dimension of columns, and two outer ones. */
typedef struct sb_tile_grid {
    int64_t extent; /* of the columns */
    int outer[2];   /* extents */
    int single;     /* both are 1 */
    sb_tile_line b_at, x_at;
    int64_t number[3]; /* of systems: steps along the columns and the outer dimensions */
} sb_tile_grid;

typedef struct sb_tile_strided {
    sb_tile_grid grid;
    sb_tile_cut cut;
    int columns; /* of a tile */
    int stages;  /* of the ring; 0 without the copy engine */
    int stage_bytes;
    int parts, part_rows; /* of a stage: what the engine copies at once */
    int across;           /* tiles along the columns */
    int tiles;
    /* Lines one after another: how many, 0 if they stand side by side; how far apart they are in a stage; whether lanes may read and
       write 16 bytes of them at once; whether the copy engine takes them back. */
    int lines, pitch_bytes, pieces, bulk_out;
    sb_tile_split split;
} sb_tile_strided;

/* Own matrices, in tiles as above; tri- or pentadiagonal as cut.k says. */
typedef struct sb_tile_own {
    sb_tile_strided tiles;
    sb_tile_line matrix_at, stored_at; /* as given; as kept: systems by their numbers, row after row */
    int bulk, stored_bulk;             /* the copy engine can fetch rows of either */
    int open;
    int turned; /* transposed: the couplings that close a ring stand at the other end */
    int judges; /* writes the matrices' records, else reads them */
    int wary;   /* as sb_cuda_job */
} sb_tile_own;

/* Lines one after another: `together` of them are a warp's tile. */
typedef struct sb_tile_lines {
    sb_tile_grid grid;
    sb_tile_line matrix_at; /* own matrices only */
    sb_tile_cut cut;
    int width;    /* lanes of a line; with own matrices a power of two */
    int together; /* lines of a tile: as many as a warp holds, or twice or four times that */
    int near;     /* warps of a block that share a line; cut.blocks of them all over a cluster */
    int warps, stages;
    int stage_bytes; /* of a stage and array */
    int pitch_bytes; /* between lines in a stage, unless they are joined */
    int apart;       /* planes of a stage beyond those of the arrays, for solutions */
    int joined;      /* lines follow each other without gaps */
    int bulk_in, bulk_out;
    int queued; /* tiles are taken as they come, not in turns */
    int systems;
    sb_tile_split split;
} sb_tile_lines;

/* Own matrices, lines as above. */
typedef struct sb_tile_own_lines {
    sb_tile_lines lines;
    int open, turned, judges, wary; /* as sb_tile_own */
} sb_tile_own_lines;

/* Own pentadiagonal ones: bytes of the answers on a tile's columns that blocks of a cluster hear, or of two turns of verdicts, a
   word of each block and column, in their place. */
SB_CUDA_INLINE int64_t sb_tile_penta_answers(int64_t columns, int64_t blocks, int64_t bytes)
{
    const int64_t answer = SB_TILE_PENTA_ANSWER_BYTES(bytes), word = 4, verdicts = 2 * word * blocks;
    const bool beside = blocks <= SB_TILE_PENTA_MOST_BESIDE;
    return blocks > 1 ? columns * (beside && verdicts > answer ? verdicts : answer) : 0;
}

#endif
