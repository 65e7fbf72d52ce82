/* The same sweep over lines of stride 1: a cache line of each is transposed in registers into rows that wait in the
 * first-level cache until they are swept, array after array, because lines whose distance is a power of two drive one another
 * out of it, and only one cache line, so that the processor sweeps while the next ones are on their way. Words a row of each
 * system: the matrix's 2 band + 1 and the right-hand side in; what is kept (1 or 1 + band) and the swept right-hand side out,
 * both for the way back, in cache. */
#include "src/cpu/wide/march.h"

enum { TOGETHER = SB_DEPTH, LANES = TOGETHER * SB_WIDTH, REALS = SB_CACHE_LINE / sizeof(R) };

/* A cache line's reals of every line, as rows. */
typedef struct slab {
    _Alignas(SB_CACHE_LINE) R row[REALS][LANES];
} slab;

SB_INLINE void bring(const R *line, int64_t between, int depth, slab *to)
{
    for (int v = 0; v < depth; ++v)
        for (int q = 0; q < (int)REALS; q += SB_WIDTH) {
            V square[SB_WIDTH];
            vload_square(line + v * SB_WIDTH * between + q, between, square);
            for (int r = 0; r < SB_WIDTH; ++r)
                vstore(&to->row[q + r][v * SB_WIDTH], square[r]);
        }
}

/* By value: its members stay in registers, whatever is stored. */
SB_INLINE void march(sb_line_march m, int band, int depth, int64_t lane, int64_t rows)
{
    int64_t lanes = m.y.lanes;
    carried c[TOGETHER];
    R *y = m.y.at + lane, *kept = m.kept.at + lane;
    bool ahead = m.ahead.arrays > 0 && lane == 0;
    for (int v = 0; v < depth; ++v) {
        c[v].growth = vload(m.growth + lane + v * SB_WIDTH);
        c[v].bad = vload(m.bad + lane + v * SB_WIDTH);
        take_up(band, kept + v * SB_WIDTH, y + v * SB_WIDTH, lanes, &c[v]);
    }
    for (int64_t i = 0; i < rows; i += SB_LINE_ROWS) {
        slab array[2 * SB_USUAL_MOST + 2];
        for (int a = 0; a < 2 * band + 2; ++a) {
            int64_t between = a <= 2 * band ? m.matrix_between : m.rhs_between;
            const R *line = a <= 2 * band ? m.matrix[a] : m.rhs;
            if (ahead)
                fetch_lines_of(&m.ahead, a, i);
            bring(line + lane * between + i * SB_PLANES, between, depth, &array[a]);
        }
        for (int r = 0; r < (int)REALS; r += SB_PLANES) {
            SB_IN_REGISTERS
            for (int v = 0; v < depth; ++v) {
                int own = v * SB_WIDTH;
                W row[2 * SB_USUAL_MOST + 1];
                for (int d = 0; d <= 2 * band; ++d)
                    row[d] = wload(&array[d].row[r][own], LANES);
                march_row(band, row, wload(&array[2 * band + 1].row[r][own], LANES), &c[v]);
                keep_row(band, &c[v], kept + own, y + own, lanes);
            }
            y += SB_PLANES * lanes;
            kept += kept_words(band) * SB_PLANES * lanes;
        }
    }
    for (int v = 0; v < depth; ++v) {
        vstore(m.growth + lane + v * SB_WIDTH, c[v].growth);
        vstore(m.bad + lane + v * SB_WIDTH, c[v].bad);
    }
}

SB_INLINE void all(const sb_line_march *m, int band, int64_t rows)
{
    int64_t lane = 0;
    for (; lane + LANES <= m->y.lanes; lane += LANES)
        march(*m, band, TOGETHER, lane, rows);
    for (; lane < m->y.lanes; lane += SB_WIDTH)
        march(*m, band, 1, lane, rows);
}

void SB_WIDE(march_lines)(const sb_line_march *m, int64_t rows)
{
    if (m->band == 1)
        all(m, 1, rows);
    else
        all(m, 2, rows);
}
