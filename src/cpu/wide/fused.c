/* Substitution with lines of stride 1 on one side and a tile on the other: squares of a line's entries are transposed in
 * the registers in which they are swept. Words a row of each system: one in and one out, both ways, the tile's in cache;
 * with own factors band words more forwards, 1 + band backwards (`ready`: 1), in cache. Where right-hand sides wait in the
 * lines of the solution, there is no tile. */
#include "src/cpu/wide/band.h"

/* Rows that a square of reals holds; for complex types re and im take turns. */
enum { SQUARE_ROWS = SB_WIDTH / SB_PLANES, SQUARES = SB_CACHE_LINE / (SB_WIDTH * (int)sizeof(R)) };

/* Row r of a square. */
SB_INLINE W square_word(const V *square, int r)
{
#if SB_COMPLEX
    return (W){square[2 * r], square[2 * r + 1]};
#else
    return square[r];
#endif
}

/* Where word r of a square that begins at `corner` waits: vectors of a square lie in one line each. */
SB_INLINE R *square_place(R *corner, int64_t between, int r)
{
    return corner + r * SB_PLANES * between;
}

SB_INLINE void set_square_word(V *square, int r, W a)
{
#if SB_COMPLEX
    square[2 * r] = a.re;
    square[2 * r + 1] = a.im;
#else
    square[r] = a;
#endif
}

/* With the rows that begin at row i. */
SB_INLINE void fetch_lines(const sb_ahead *ahead, int64_t i)
{
    for (int a = 0; a < ahead->arrays; ++a)
        fetch_lines_of(ahead, a, i);
}

/* Structs by value: their members stay in registers, whatever is stored. */
SB_INLINE void forward(sb_line_sweep s, bool own, bool waits, int band, int depth, int64_t lane, int64_t from,
                       int64_t to)
{
    sb_factors f = factors_of(&s.factors, own, band);
    int64_t lanes = s.tile.lanes;
    const R *line = s.line + lane * s.between;
    W before[SB_DEPTH][SB_USUAL_MOST];
    for (int v = 0; v < depth; ++v)
        for (int k = 0; k < band; ++k)
            before[v][k] = wload(place(s.tile, from - 1 - k, lane + v * SB_WIDTH), lanes);
    for (int64_t i = from; i < to; i += SQUARE_ROWS) {
        V square[SB_DEPTH][SB_WIDTH];
        for (int v = 0; v < depth; ++v)
            vload_square(line + v * SB_WIDTH * s.between + i * SB_PLANES, s.between, square[v]);
        if (lane == 0 && i % SB_LINE_ROWS == 0)
            fetch_lines(&s.ahead, i);
        SB_IN_REGISTERS
        for (int r = 0; r < SQUARE_ROWS; ++r)
            for (int v = 0; v < depth; ++v) {
                int64_t at = lane + v * SB_WIDTH;
                W y = forward_row(&f, own, band, i + r, at, square_word(square[v], r), before[v]);
                if (waits)
                    wstore(
                        square_place(s.waiting + at * s.waiting_between + i * SB_PLANES, s.waiting_between, r),
                        s.waiting_between, y);
                else
                    wstore(place(s.tile, i + r, at), lanes, y);
            }
    }
    for (int v = 0; v < depth && waits; ++v)
        for (int k = 0; k < band; ++k)
            wstore(place(s.tile, to - 1 - k, lane + v * SB_WIDTH), lanes, before[v][k]);
}

/* The cache lines that begin with row i, of lines from `line` on. All parts of a cache line one after another: past the caches the
   halves of AVX2's would else go to memory by themselves. */
SB_INLINE void put_squares(const sb_line_sweep *s, V (*square)[SQUARES][SB_WIDTH], R *line, int depth,
                           int64_t i, bool past_cache)
{
    for (int v = 0; v < depth; ++v) {
        R *first = line + v * SB_WIDTH * s->between + i * SB_PLANES;
        for (int q = 0; q < SQUARES; ++q)
            vtranspose(square[v][q]);
        for (int j = 0; j < SB_WIDTH; ++j)
            for (int q = 0; q < SQUARES; ++q)
                (past_cache ? vstream : vstore)(first + j * s->between + q * SB_WIDTH, square[v][q][j]);
    }
}

/* A cache line of every line at once, so that stores past the caches fill it. */
SB_INLINE void backward(sb_line_sweep s, bool own, bool ready, bool ring, bool waits, int band, int depth,
                        int64_t lane, int64_t from, int64_t to)
{
    sb_factors f = factors_of(&s.factors, own, band);
    int64_t lanes = s.tile.lanes;
    R *line = s.line + lane * s.between;
    W behind[SB_DEPTH][SB_USUAL_MOST], border[SB_DEPTH];
    for (int v = 0; v < depth && ring; ++v)
        border[v] = wload(f.border + lane + v * SB_WIDTH, lanes);
    for (int v = 0; v < depth; ++v)
        for (int k = 0; k < band; ++k)
            behind[v][k] = wload(place(s.tile, to + k, lane + v * SB_WIDTH), lanes);
    for (int64_t end = to; end > from; end -= SB_LINE_ROWS) {
        V square[SB_DEPTH][SQUARES][SB_WIDTH];
        SB_IN_REGISTERS
        for (int q = SQUARES - 1; q >= 0; --q)
            SB_IN_REGISTERS
        for (int r = SQUARE_ROWS - 1; r >= 0; --r)
            for (int v = 0; v < depth; ++v) {
                int64_t at = lane + v * SB_WIDTH, first = end - SB_LINE_ROWS + q * SQUARE_ROWS, i = first + r;
                R *corner = s.line + at * s.between + first * SB_PLANES;
                W y = waits ? wload(square_place(corner, s.between, r), s.between)
                            : wload(place(s.tile, i, at), lanes);
                set_square_word(
                    square[v][q], r,
                    backward_row(&f, own, ready, band, ring ? &border[v] : NULL, i, at, y, behind[v]));
            }
        if (lane == 0)
            fetch_lines(&s.ahead, end - SB_LINE_ROWS);
        if (s.past_cache && !waits)
            put_squares(&s, square, line, depth, end - SB_LINE_ROWS, true);
        else
            put_squares(&s, square, line, depth, end - SB_LINE_ROWS, false);
    }
    for (int v = 0; v < depth; ++v) {
        R *odd = s.odd + lane + v * SB_WIDTH;
        vstore(odd, wodd(behind[v][0], vload(odd)));
        for (int k = 0; k < band; ++k)
            wstore(place(s.tile, from + k, lane + v * SB_WIDTH), lanes, behind[v][k]);
    }
}

/* Do SB_DEPTH vectors of lanes go together? Complex rows of wide bands are work enough for one not to wait for itself. */
SB_INLINE bool goes_in_groups(int band)
{
    return !SB_COMPLEX || band <= 2;
}

SB_INLINE void all_forward(int band, const sb_line_sweep *s, bool own, bool waits, int64_t from, int64_t to)
{
    int64_t lane = 0;
    for (; goes_in_groups(band) && lane + SB_GROUP <= s->tile.lanes; lane += SB_GROUP)
        forward(*s, own, waits, band, SB_DEPTH, lane, from, to);
    for (; lane < s->tile.lanes; lane += SB_WIDTH)
        forward(*s, own, waits, band, 1, lane, from, to);
}

SB_INLINE void all_backward(int band, const sb_line_sweep *s, bool own, bool ready, bool ring, bool waits,
                            int64_t from, int64_t to)
{
    int64_t lane = 0;
    for (; goes_in_groups(band) && lane + SB_GROUP <= s->tile.lanes; lane += SB_GROUP)
        backward(*s, own, ready, ring, waits, band, SB_DEPTH, lane, from, to);
    for (; lane < s->tile.lanes; lane += SB_WIDTH)
        backward(*s, own, ready, ring, waits, band, 1, lane, from, to);
}

void SB_WIDE(forward_lines)(const sb_line_sweep *s, int64_t from, int64_t to)
{
    int band = s->factors.lower;
    if (s->waiting)
        SB_FOR_BAND(band, all_forward, s, false, true, from, to);
    else if (s->factors.shared)
        SB_FOR_BAND(band, all_forward, s, false, false, from, to);
    else
        SB_FOR_BAND(band, all_forward, s, true, false, from, to);
}

void SB_WIDE(backward_lines)(const sb_line_sweep *s, int64_t from, int64_t to)
{
    int band = s->factors.lower;
    if (s->waiting)
        SB_FOR_BAND(band, all_backward, s, false, false, false, true, from, to);
    else if (s->factors.border)
        all_backward(1, s, true, true, true, false, from, to);
    else if (s->factors.ready)
        SB_FOR_BAND(band, all_backward, s, true, true, false, false, from, to);
    else if (s->factors.shared)
        SB_FOR_BAND(band, all_backward, s, false, false, false, false, from, to);
    else
        SB_FOR_BAND(band, all_backward, s, true, false, false, false, from, to);
}
