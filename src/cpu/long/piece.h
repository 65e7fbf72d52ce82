/* A piece of SB_LINE_ROWS rows out of the user's lines: a cache line of each, transposed in the registers, laid out as in
 * a block, in a few KB that never leave the first-level cache. */
#ifndef SB_LONG_PIECE_H
#define SB_LONG_PIECE_H

#include "src/cpu/long/row.h"

enum {
    PIECE = SB_LINE_ROWS,
    PIECE_REALS = PIECE * (2 * BAND + 2) * WORD,
    SQUARES = 64 / (SB_WIDTH * (int)sizeof(R))
};

/* Reals from piece `number` to the one that is fetched with it, so many rows further on: of the chunk that comes next where this
   one ends. */
SB_INLINE int64_t ahead_of(const sb_long_lines *lines, int64_t number, int64_t rows)
{
    return rows * SB_PLANES + (number * PIECE + rows < lines->left ? 0 : lines->jump);
}

/* The same to what is asked for again, half as far ahead; 0 if nothing is. */
SB_INLINE int64_t again_of(const sb_long_lines *lines, int64_t number, int64_t rows)
{
    return sb_asks_twice && lines->far ? ahead_of(lines, number, rows / 2 / PIECE * PIECE) : 0;
}

/* Whose turn it is to be fetched with piece `number`. */
SB_INLINE int64_t turn_of(const sb_long_lines *lines, int64_t number)
{
    return (number - lines->left / PIECE) & (SB_IN_A_ROW - 1);
}

/* Of word w, on the way down? */
SB_INLINE bool fetches(int w, int k, bool rhs_fetched)
{
    return w <= 2 * k || !rhs_fetched;
}

/* Word w of a piece. */
SB_INLINE void take_word(const sb_long_lines *lines, int k, int w, int64_t number, R *piece)
{
    const R *from = lines->word[w] + number * PIECE * SB_PLANES;
    int64_t ahead = ahead_of(lines, number, SB_ROWS_AHEAD), again = again_of(lines, number, SB_ROWS_AHEAD);
    for (int v = 0; v < DEPTH; ++v) {
        const int64_t *offset = lines->offset + v * SB_WIDTH;
        for (int q = 0; q < SQUARES; ++q) {
            V square[SB_WIDTH];
            vload_square_at(from + q * SB_WIDTH, offset, square);
            SB_IN_REGISTERS
            for (int j = 0; j < SB_WIDTH; ++j) {
                int real = q * SB_WIDTH + j, row = real / SB_PLANES, plane = real % SB_PLANES;
                vstore(piece + (row * (2 * k + 2) + w) * WORD + plane * LANES + v * SB_WIDTH, square[j]);
            }
        }
        if (!fetches(w, k, lines->rhs_fetched))
            continue;
        if (sb_into_first)
            vfetch_at(from, ahead, offset);
        else
            vfetch_turn_at(from, ahead, offset, turn_of(lines, number));
        if (again)
            vfetch_at(from, again, offset);
    }
}

/* On the way back. Into the second level, whatever the processor: there is a whole group's or chunk's to come. */
SB_INLINE void fetch_some(sb_long_fetch *fetch)
{
    if (fetch->times == 0)
        return;
    for (int v = 0; v < DEPTH; ++v)
        vfetch_turn_at(fetch->next, 0, fetch->offset + v * SB_WIDTH, fetch->times);
    fetch->next += PIECE * SB_PLANES;
    --fetch->times;
}

/* One piece is eliminated while the next one is taken, a word of it after every few rows: the processor does not look far enough
   beyond their chain of divisions to find all of the next piece there. */
typedef struct pieces {
    R room[2][PIECE_REALS];
} pieces;

/* The first piece, and the matrix's part of both if its rows are all alike. */
SB_INLINE void take_first(const sb_long_lines *lines, int k, pieces *p)
{
    for (int row = 0; row < 2 * PIECE && lines->constant; ++row)
        for (int w = 0; w <= 2 * k; ++w)
            for (int v = 0; v < DEPTH; ++v)
                wstore(p->room[row / PIECE] + (row % PIECE * (2 * k + 2) + w) * WORD + v * SB_WIDTH, LANES,
                       wsplat(&lines->constant[w]));
    for (int w = lines->constant ? 2 * k + 1 : 0; w <= 2 * k + 1; ++w)
        take_word(lines, k, w, 0, p->room[0]);
}

/* Word w of piece `number`, if there is such a piece. */
SB_INLINE void take_next(const sb_long_lines *lines, int k, int w, int64_t number, int64_t count, pieces *p)
{
    if (number < count && (w > 2 * k || !lines->constant))
        take_word(lines, k, w, number, p->room[number % 2]);
}

/* The first row that is eliminated after w words were taken. */
SB_INLINE int rows_before(int w, int k)
{
    return w * PIECE / (2 * k + 2);
}

/* As many rows as go together, of vector v of the lanes: `at` is its place in the first one, and k + 1 words each go to
   `kept`. And what there is to do after the last row of a piece. */
typedef void some_rows(void *carried, int v, const R *at, R *kept, int k);
typedef void piece_end(void *carried, int k);

/* What is done to rows of half bandwidth k; keeps: they leave words in `kept`. carried: of all vectors of lanes. */
typedef struct work_on_rows {
    int k;
    some_rows *rows;
    piece_end *end;
    bool keeps;
    void *carried;
} work_on_rows;

/* Rows of a piece from row i on, in the lanes of vector v; row 0's words are at `kept`. */
SB_INLINE void work_on(const work_on_rows *w, int v, const R *at, R *kept, int i)
{
    w->rows(w->carried, v, at, w->keeps ? kept + i * (w->k + 1) * WORD + v * SB_WIDTH : NULL, w->k);
}

SB_INLINE void over_pieces(const sb_long_lines *lines, int64_t count, const work_on_rows *work, R *kept)
{
    int k = work->k;
    pieces p __attribute__((aligned(64)));
    take_first(lines, k, &p);
    for (int64_t number = 0; number < count / PIECE; ++number) {
        const R *piece = p.room[number % 2];
        SB_AS_A_SEQUENCE
        for (int w = 0; w <= 2 * k + 1; ++w) {
            SB_AS_A_SEQUENCE
            for (int i = rows_before(w, k); i < rows_before(w + 1, k); i += together(k))
                for (int v = 0; v < DEPTH; ++v)
                    work_on(work, v, row_at(piece, i, 2 * k + 2) + v * SB_WIDTH, kept, i);
            take_next(lines, k, w, number + 1, count / PIECE, &p);
        }
        work->end(work->carried, k);
        kept = work->keeps ? kept + PIECE * (k + 1) * WORD : NULL;
    }
}

#if SB_STRIP && !SB_COMPLEX
/* Rows that fit in the registers need no room. Where lines come from memory that is worth more than the loads and stores it
   spares: a core waits for fewer lines at a time the more it stores meanwhile. Half as far ahead as else is best then, and a third
   into the first level. A line of f32 is come back to three times, which costs more than it spares where it comes from a
   cache. Lines evenly apart: a few registers then have all their addresses (`truncated`'s last tile may have others). */
typedef struct strips {
    const R *from[2 * BAND + 2];         /* the first of a vector's lines, of each word */
    int64_t between, ahead, again, turn; /* again: 0 if nothing is asked for twice */
    bool into_first, rhs_fetched;
} strips;

SB_INLINE void take_strip(const strips *s, int64_t skipped, int k, int step, R *room)
{
    SB_IN_REGISTERS
    for (int w = 0; w <= 2 * k + 1; ++w) {
        V strip[SB_STRIP];
        vload_strip(s->from[w] + skipped + step * SB_STRIP, s->between, strip);
        SB_IN_REGISTERS
        for (int j = 0; j < SB_STRIP; ++j)
            vstore(room + (j * (2 * k + 2) + w) * WORD, strip[j]);
        if (step != w * (PIECE / SB_STRIP) / (2 * k + 2) || !fetches(w, k, s->rhs_fetched))
            continue;
        if (s->into_first)
            vfetch_lines(true, s->from[w] + skipped, s->ahead, s->between);
        else
            vfetch_turn(s->from[w] + skipped, s->ahead, s->between, s->turn);
        if (s->again)
            vfetch_lines(s->into_first, s->from[w] + skipped, s->again, s->between);
    }
}

SB_INLINE void over_strip(const strips *s, const work_on_rows *work, int step, R *kept)
{
    R room[DEPTH][SB_STRIP * (2 * BAND + 2) * WORD] __attribute__((aligned(64)));
    SB_AS_A_SEQUENCE
    for (int v = 0; v < DEPTH; ++v)
        take_strip(s, v * SB_WIDTH * s->between, work->k, step, room[v]);
    SB_AS_A_SEQUENCE
    for (int i = 0; i < SB_STRIP; i += together(work->k)) {
        SB_AS_A_SEQUENCE
        for (int v = 0; v < DEPTH; ++v)
            work_on(work, v, row_at(room[v], i, 2 * work->k + 2), kept, step * SB_STRIP + i);
    }
}

/* Each cache line is come back to, so it had better be there still. */
SB_INLINE void over_strips(const sb_long_lines *lines, int64_t count, const work_on_rows *work, R *kept,
                           bool into_first)
{
    int64_t rows = into_first ? SB_ROWS_AHEAD / 3 : SB_ROWS_AHEAD / 2;
    int k = work->k;
    strips s = {.between = lines->between, .into_first = into_first, .rhs_fetched = lines->rhs_fetched};
    for (int w = 0; w <= 2 * k + 1; ++w)
        s.from[w] = lines->word[w];
    for (int64_t number = 0; number < count / PIECE; ++number) {
        s.ahead = ahead_of(lines, number, rows);
        s.again = again_of(lines, number, rows);
        s.turn = turn_of(lines, number);
        SB_AS_A_SEQUENCE
        for (int step = 0; step < PIECE / SB_STRIP; ++step)
            over_strip(&s, work, step, kept);
        work->end(work->carried, k);
        kept = work->keeps ? kept + PIECE * (k + 1) * WORD : NULL;
        for (int w = 0; w <= 2 * k + 1; ++w)
            s.from[w] += PIECE;
    }
}

SB_INLINE bool by_strips(const sb_long_lines *lines, int k)
{
    return k == 1 && lines->apart && lines->between && !lines->constant && (lines->far || !SB_SINGLE);
}
#endif

/* `count` rows, a multiple of PIECE. */
SB_INLINE void over_lines(const sb_long_lines *lines, int64_t count, const work_on_rows *work, R *kept)
{
#if SB_STRIP && !SB_COMPLEX
    if (by_strips(lines, work->k)) {
        if (sb_into_first)
            over_strips(lines, count, work, kept, true);
        else
            over_strips(lines, count, work, kept, false);
        return;
    }
#endif
    over_pieces(lines, count, work, kept);
}

#endif
