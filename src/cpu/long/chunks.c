/* How one long system is cut. */
#include "src/cpu/long/chunks.h"

bool sb_fits_chunks(const slimband_problem *p)
{
    int half = p->lower > p->upper ? p->lower : p->upper;
    return half >= 1 && half <= SB_CHUNKED_BAND && !p->ragged && p->refinements == 0;
}

/* System s at s * n? */
static bool follow_one_another(const slimband_problem *p, const slimband_layout *layout)
{
    int64_t apart = p->n;
    bool follow = layout->line == 1;
    for (int d = p->batch_rank - 1; d >= 0; apart *= p->batch[d], --d)
        follow &= layout->batch[d] == apart || p->batch[d] == 1;
    return follow;
}

int64_t sb_lines_joined(const slimband_problem *p)
{
    /* Rows where lines meet take longer than others; a system of so many rows is as good by itself; as many for all threads. */
    enum { least = 2048, enough = 1 << 18, many = 32 };
    if (!sb_fits_chunks(p) || p->ends != SLIMBAND_OPEN || p->coefficients != SLIMBAND_OWN || !p->one_pass ||
        p->check_finite || p->n < least || !follow_one_another(p, &p->rhs) ||
        !follow_one_another(p, &p->solution) || !follow_one_another(p, &p->matrix))
        return 1;
    int64_t systems = slimband_systems(p), share = systems / many, lines = enough / p->n;
    lines = lines < share ? lines : share;
    return lines > 1 ? lines : 1;
}

sb_chunks sb_chunks_of(int64_t n, int64_t lanes, int64_t rows, int64_t least)
{
    sb_chunks c = {.n = n, .lanes = lanes, .tiles = n / (lanes * rows), .rows = rows, .last_rows = rows};
    c.tail = n - c.tiles * lanes * rows;
    if (c.tail >= lanes * least) {
        c.last_rows = c.tail / lanes;
        c.tail -= c.last_rows * lanes;
        ++c.tiles;
    }
    return c;
}

/* Tiles of about `wanted` rows a lane: an even number, unless chunks would become much shorter than that. */
static int64_t tiles_near(int64_t n, int64_t lanes, int64_t wanted)
{
    int64_t tiles = (n + lanes * wanted / 2) / (lanes * wanted);
    return tiles > 1 || n / lanes > wanted / 2 ? tiles + tiles % 2 : 1;
}

enum { PAGE_LINES = 64 };

bool sb_lanes_apart(int64_t rows, int64_t lanes, int64_t unit)
{
    enum { ahead = 4 };
    int64_t page = PAGE_LINES * unit, lines = PAGE_LINES / lanes < ahead ? PAGE_LINES / lanes : ahead;
    for (int64_t lane = 1; lane < lanes; ++lane) {
        int64_t past = lane * rows % page, off = past < page - past ? past : page - past;
        if (off < lines * unit)
            return false;
    }
    return true;
}

/* So many rows or a few more, so that the lines of all lanes lie apart. The last tile has fewer instead, down to half as
   many: 0 if that does not do. */
static int64_t a_few_more(int64_t rows, int64_t lanes, int64_t tiles, int64_t unit)
{
    for (int64_t more = rows; (more - rows) * tiles <= rows / 2; more += unit)
        if (sb_lanes_apart(more, lanes, unit))
            return more;
    return 0;
}

/* Where there are too many tiles for that: a lane's share of a page, an odd number of times, or as many rows as there
   were if they are less. */
static int64_t apart(int64_t rows, int64_t lanes, int64_t tiles, int64_t unit)
{
    int64_t share = PAGE_LINES / lanes * unit, more = a_few_more(rows, lanes, tiles, unit);
    if (more > 0)
        return more;
    return share == 0 || rows < share ? rows : ((rows / share - 1) | 1) * share;
}

sb_spans sb_spans_of(int64_t n, int64_t lanes, int64_t wanted, int64_t unit)
{
    sb_spans s = {.n = n, .lanes = lanes, .tiles = tiles_near(n, lanes, wanted)};
    s.tiles = n / (lanes * s.tiles) < unit ? 1 : s.tiles;
    int64_t rows = n / (lanes * s.tiles) / unit * unit;
    s.rows = apart(rows, lanes, s.tiles, unit);
    s.tiles = s.rows < rows ? n / (lanes * s.rows) : s.tiles;
    int64_t last = n - (s.tiles - 1) * lanes * s.rows;
    s.last_rows = last / lanes / 2 * 2;
    s.more = last - lanes * s.last_rows;
    return s;
}

int64_t sb_chunk_rows_near(int64_t n, int64_t lanes, int64_t wanted, int64_t unit)
{
    int64_t tiles = tiles_near(n, lanes, wanted);
    if (tiles <= 1)
        return n / lanes;
    int64_t rows = (n + lanes * tiles - 1) / (lanes * tiles);
    return apart((rows + unit - 1) / unit * unit, lanes, tiles, unit);
}
