/* How one long system is cut. */
#include "src/cpu/long/chunks.h"

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

int64_t sb_chunk_rows_near(int64_t n, int64_t lanes, int64_t wanted, int64_t unit)
{
    int64_t tiles = (n + lanes * wanted / 2) / (lanes * wanted);
    if (tiles <= 1)
        return n / lanes;
    tiles += tiles % 2;
    int64_t rows = (n + lanes * tiles - 1) / (lanes * tiles);
    return (rows + unit - 1) / unit * unit;
}
