/* Between the lines of the user's arrays and tiles. Lines of stride 1 go through the registers as square
 * blocks that are transposed there; lines that lie side by side are rows already; all others go lane by lane. */
#include "src/cpu/vec/word.h"
#include "src/cpu/wide/names.h"
#include "src/cpu/wide/stream.h"

/* Real row q of consecutive entries, re and im in turn, in a tile where entries are `step` rows apart. */
SB_INLINE int64_t tile_row(int64_t q, int64_t step)
{
    return SB_COMPLEX ? (q >> 1) * 2 * step + (q & 1) : q * step;
}

static void scatter_lane(const R *from, int64_t lanes, T *line, int64_t stride, int64_t rows)
{
    for (int64_t i = 0; i < rows; ++i) {
        R *entry = (R *)(line + i * stride);
        for (int plane = 0; plane < SB_PLANES; ++plane)
            entry[plane] = from[(i * SB_PLANES + plane) * lanes];
    }
}

/* Are the lines of a vector of lanes evenly spaced? So many reals apart, then. */
static bool evenly_spaced(const int64_t *offset, int64_t *between)
{
    bool even = true;
    for (int s = 2; s < SB_WIDTH; ++s)
        even &= offset[s] - offset[s - 1] == offset[1] - offset[0];
    *between = (offset[1] - offset[0]) * SB_PLANES;
    return even;
}

static void gather_lines(const T *from, const int64_t *offset, int64_t first, int64_t rows, int64_t ahead,
                         R *to, int64_t lanes, int64_t step)
{
    int64_t reals = rows * SB_PLANES, q = 0, between, further = ahead * SB_PLANES;
    bool even = evenly_spaced(offset, &between);
    const R *line[SB_WIDTH];
    for (int s = 0; s < SB_WIDTH; ++s)
        line[s] = (const R *)(from + offset[s] + first);
    for (; q + SB_WIDTH <= reals; q += SB_WIDTH) {
        V square[SB_WIDTH];
        if (even)
            vload_square(line[0] + q, between, square);
        else {
            for (int s = 0; s < SB_WIDTH; ++s)
                square[s] = vload(line[s] + q);
            vtranspose(square);
        }
        for (int s = 0; s < SB_WIDTH && further && q * (int64_t)sizeof(R) % SB_CACHE_LINE == 0; ++s)
            vfetch(line[s] + q, further);
        for (int j = 0; j < SB_WIDTH; ++j)
            vstore(to + tile_row(q + j, step) * lanes, square[j]);
    }
    for (; q < reals; ++q)
        for (int s = 0; s < SB_WIDTH; ++s)
            to[tile_row(q, step) * lanes + s] = line[s][q];
}

/* Can all lines be written with aligned vectors? */
static bool aligned(R *const *line)
{
    uintptr_t low = 0;
    for (int s = 0; s < SB_WIDTH; ++s)
        low |= (uintptr_t)line[s];
    return low % sizeof(V) == 0;
}

enum { SQUARES = SB_CACHE_LINE / (SB_WIDTH * (int)sizeof(R)) };

/* Lines whose offset is negative are left out: none if they are whole, as those that go past the caches are, a cache line at once,
   whose parts would else go to memory by themselves. */
SB_INLINE void scatter_squares(const R *from, int64_t lanes, R *const *line, const int64_t *offset,
                               int64_t reals, bool whole, bool past_cache)
{
    int64_t q = 0;
    for (; q + SQUARES * SB_WIDTH <= reals && past_cache; q += SQUARES * SB_WIDTH) {
        V square[SQUARES][SB_WIDTH];
        for (int p = 0; p < SQUARES; ++p) {
            for (int j = 0; j < SB_WIDTH; ++j)
                square[p][j] = vload(from + (q + p * SB_WIDTH + j) * lanes);
            vtranspose(square[p]);
        }
        for (int s = 0; s < SB_WIDTH; ++s)
            for (int p = 0; p < SQUARES; ++p)
                vstream(line[s] + q + p * SB_WIDTH, square[p][s]);
    }
    for (; q + SB_WIDTH <= reals; q += SB_WIDTH) {
        V square[SB_WIDTH];
        for (int j = 0; j < SB_WIDTH; ++j)
            square[j] = vload(from + (q + j) * lanes);
        vtranspose(square);
        for (int s = 0; s < SB_WIDTH; ++s)
            if (whole || offset[s] >= 0)
                (past_cache ? vstream : vstore)(line[s] + q, square[s]);
    }
    for (; q < reals; ++q)
        for (int s = 0; s < SB_WIDTH; ++s)
            if (whole || offset[s] >= 0)
                line[s][q] = from[q * lanes + s];
}

static void scatter_lines(const R *from, int64_t lanes, T *to, const int64_t *offset, int64_t first,
                          int64_t rows, bool whole, bool past_cache)
{
    R *line[SB_WIDTH];
    for (int s = 0; s < SB_WIDTH; ++s)
        line[s] = (R *)(to + (offset[s] < 0 ? 0 : offset[s] + first));
    if (!whole)
        scatter_squares(from, lanes, line, offset, rows * SB_PLANES, false, false);
    else if (past_cache && aligned(line))
        scatter_squares(from, lanes, line, offset, rows * SB_PLANES, true, true);
    else
        scatter_squares(from, lanes, line, offset, rows * SB_PLANES, true, false);
}

SB_INLINE void gather_side_by_side(const T *from, int64_t ahead, R *to, int64_t lanes)
{
    const R *p = (const R *)from;
    if (ahead)
        vfetch(p, ahead * SB_PLANES);
#if SB_COMPLEX
    V re, im;
    vsplit(vload(p), vload(p + SB_WIDTH), &re, &im);
    vstore(to, re);
    vstore(to + lanes, im);
#else
    (void)lanes;
    vstore(to, vload(p));
#endif
}

SB_INLINE void scatter_side_by_side(const R *from, int64_t lanes, T *to)
{
    R *p = (R *)to;
#if SB_COMPLEX
    V first, second;
    vmerge(vload(from), vload(from + lanes), &first, &second);
    vstore(p, first);
    vstore(p + SB_WIDTH, second);
#else
    (void)lanes;
    vstore(p, vload(from));
#endif
}

/* Lanes from this one on whose places in a row are neighbours. */
static int64_t neighbours(const sb_lines *lines, int64_t lane, int64_t lanes)
{
    int64_t end = lane + SB_WIDTH;
    while (end < lanes && lines->whole[end / SB_WIDTH] && lines->offset[end] == lines->offset[end - 1] + 1)
        end += SB_WIDTH;
    return end - lane;
}

static void scatter_row(const R *from, int64_t lanes, T *row, const sb_lines *lines, bool past_cache)
{
    for (int64_t lane = 0, some; lane < lanes; lane += some) {
        some = SB_WIDTH;
        if (!lines->whole[lane / SB_WIDTH])
            continue;
        if (past_cache) {
            some = neighbours(lines, lane, lanes);
            stream_row(from + lane, lanes, row + lines->offset[lane], some);
        } else
            scatter_side_by_side(from + lane, lanes, row + lines->offset[lane]);
    }
}

/* Neighbours that a vector of lanes begins with, if the others repeat the last of them; or 0. */
static int run_of(const int64_t *offset)
{
    int run = 1;
    while (run < SB_WIDTH && offset[run] == offset[0] + run)
        ++run;
    for (int s = run; s < SB_WIDTH; ++s)
        if (offset[s] != offset[run - 1])
            return 0;
    return offset[0] < 0 || SB_COMPLEX ? 0 : run;
}

/* A vector of lanes that is not full of neighbours. from: row 0. */
static void gather_part(const T *from, int64_t stride, const int64_t *offset, int64_t rows, R *to,
                        int64_t lanes, int64_t step)
{
    int run = run_of(offset);
    vpart some = vfirst(run);
    for (int64_t i = 0; i < rows && run; ++i) {
        const R *row = (const R *)(from + offset[0] + i * stride);
        vstore(to + i * step * lanes, vload_part(row, some, vsplat(row[run - 1])));
    }
    for (int64_t i = 0; i < rows && !run; ++i)
        for (int s = 0; s < SB_WIDTH; ++s)
            for (int plane = 0; plane < SB_PLANES; ++plane)
                to[(i * step * SB_PLANES + plane) * lanes + s] =
                    ((const R *)(from + offset[s] + i * stride))[plane];
}

static void scatter_part(const R *from, int64_t lanes, T *to, int64_t stride, const int64_t *offset,
                         int64_t rows)
{
    int run = run_of(offset);
    vpart some = vfirst(run);
    for (int64_t i = 0; i < rows && run; ++i)
        vstore_part((R *)(to + offset[0] + i * stride), some, vload(from + i * lanes));
    for (int s = 0; s < SB_WIDTH && !run; ++s)
        if (offset[s] >= 0)
            scatter_lane(from + s, lanes, to + offset[s], stride, rows);
}

void SB_WIDE(gather)(const T *from, const sb_lines *lines, int64_t first, int64_t rows, sb_tile to,
                     int64_t step)
{
    bool rowwise = false;
    for (int64_t lane = 0; lane < to.lanes; lane += SB_WIDTH)
        if (lines->stride == 1)
            gather_lines(from, lines->offset + lane, first, rows, lines->ahead, to.at + lane, to.lanes, step);
        else if (!lines->whole[lane / SB_WIDTH])
            gather_part(from + first * lines->stride, lines->stride, lines->offset + lane, rows, to.at + lane,
                        to.lanes, step);
        else
            rowwise = true;
    for (int64_t i = 0; rowwise && i < rows; ++i)
        for (int64_t lane = 0; lane < to.lanes; lane += SB_WIDTH)
            if (lines->whole[lane / SB_WIDTH])
                gather_side_by_side(from + lines->offset[lane] + (first + i) * lines->stride, lines->ahead,
                                    to.at + i * step * SB_PLANES * to.lanes + lane, to.lanes);
}

void SB_WIDE(scatter)(sb_tile from, T *to, const sb_lines *lines, int64_t first, int64_t rows, bool past_cache)
{
    bool rowwise = false;
    for (int64_t lane = 0; lane < from.lanes; lane += SB_WIDTH)
        if (lines->stride == 1)
            scatter_lines(from.at + lane, from.lanes, to, lines->offset + lane, first, rows,
                          lines->whole[lane / SB_WIDTH], past_cache);
        else if (!lines->whole[lane / SB_WIDTH])
            scatter_part(from.at + lane, from.lanes, to + first * lines->stride, lines->stride,
                         lines->offset + lane, rows);
        else
            rowwise = true;
    for (int64_t i = 0; rowwise && i < rows; ++i)
        scatter_row(from.at + i * SB_PLANES * from.lanes, from.lanes, to + (first + i) * lines->stride, lines,
                    past_cache);
}

void SB_WIDE(fence)(void)
{
    vfence();
}
