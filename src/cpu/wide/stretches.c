/* Systems side by side that are too long for a tile, stretch by stretch of rows: as many as stay in cache until the way back. On the way
 * down what a stretch leaves to the next one is kept, the rows in front of it; on the way back each but the last goes down once more
 * from there, and back at once. So strips stay as wide as memory likes, however long the systems are. Words a row: the matrix's and the
 * right-hand side twice, the solution once (tridiagonal: 9; of one matrix 3), where what waits for the way back in memory would be
 * written and read. */
#include <string.h>

#include "src/cpu/wide/moves.h"

/* The rows in front of the tile's first one: of vectors, and of what is kept of own matrices. */
typedef struct front {
    R *vectors, *kept;
    size_t vector_bytes, kept_bytes;
} front;

static front front_of(const sb_task *t, const sb_tiles *tiles, int64_t row)
{
    const slimband_problem *p = &t->job.plan->problem;
    int64_t halo = SB_NAME(tile_halo)(p), reals = tiles->lanes * SB_PLANES;
    int64_t width = t->job.diagonals ? SB_NAME(kept_factors)(t, tiles).width : 0;
    return (front){.vectors = tiles->x + (row - halo) * reals,
                   .kept = tiles->upper + (row - p->lower) * width * reals,
                   .vector_bytes = (size_t)(halo * reals) * sizeof(R),
                   .kept_bytes = (size_t)(p->lower * width * reals) * sizeof(R)};
}

/* Where the front of the stretch that begins with this row is remembered. */
static R *remembered(const sb_task *t, const sb_tiles *tiles, int64_t row)
{
    const slimband_plan *plan = t->job.plan;
    int64_t rows = SB_NAME(front_rows)(&plan->problem, plan->matrices > 1);
    return tiles->fronts + row / t->job.cpu->wide.stretch * rows * tiles->lanes * SB_PLANES;
}

/* The tile holds the stretch that begins with this row from now on. */
static void move_to(const sb_task *t, sb_tiles *tiles, int64_t row)
{
    int64_t further = (row - tiles->first) * tiles->lanes * SB_PLANES;
    tiles->x -= further;
    if (t->job.diagonals)
        tiles->upper -= further * SB_NAME(kept_factors)(t, tiles).width;
    tiles->first = row;
}

/* The last rows of the stretch that is there are the front of the next one; of the first, what was there before. */
static void move_down(const sb_task *t, sb_tiles *tiles, int64_t row)
{
    front from = front_of(t, tiles, row);
    move_to(t, tiles, row);
    front to = front_of(t, tiles, row);
    if (row > 0) {
        memcpy(to.vectors, from.vectors, to.vector_bytes);
        memcpy(to.kept, from.kept, to.kept_bytes);
    }
    R *memory = remembered(t, tiles, row);
    memcpy(memory, to.vectors, to.vector_bytes);
    memcpy((char *)memory + to.vector_bytes, to.kept, to.kept_bytes);
}

/* The first rows of the stretch that is there, solved, come behind the one before it. */
static void move_back(const sb_task *t, sb_tiles *tiles, int64_t row)
{
    int64_t reals = tiles->lanes * SB_PLANES;
    const R *solved = tiles->x + tiles->first * reals;
    int64_t behind = tiles->first;
    move_to(t, tiles, row);
    front to = front_of(t, tiles, row);
    memcpy(tiles->x + behind * reals, solved, to.vector_bytes);
    const R *memory = remembered(t, tiles, row);
    memcpy(to.vectors, memory, to.vector_bytes);
    memcpy(to.kept, (const char *)memory + to.vector_bytes, to.kept_bytes);
}

/* Before the first row, what the last one of a ring begins with. */
static void begin_ring(const sb_task *t, sb_tiles *tiles, int64_t from)
{
    int64_t n = t->job.plan->problem.n;
    move_to(t, tiles, from);
    sb_last_row last = SB_NAME(last_row)(t, tiles);
    SB_NAME(gather_matrices)(t, tiles, n - 1, n);
    SB_NAME(gather_rhs)(t, tiles, n - 1, n);
    move_to(t, tiles, 0);
    last.front = SB_NAME(last_row)(t, tiles).front;
    t->wide->begin_last(&last);
}

static int64_t last_stretch(const sb_task *t)
{
    int64_t n = t->job.plan->problem.n, stretch = t->job.cpu->wide.stretch;
    return stretch < n ? (n - 1) / stretch * stretch : 0;
}

void SB_NAME(descend)(const sb_task *t, sb_tiles *tiles, sb_descent *down)
{
    int64_t n = t->job.plan->problem.n, stretch = t->job.cpu->wide.stretch;
    if (t->closed)
        begin_ring(t, tiles, last_stretch(t));
    for (int64_t from = 0; from < n; from += stretch) {
        if (SB_NAME(by_stretches)(t))
            move_down(t, tiles, from);
        down(t, tiles, from, sb_smaller(from + stretch, n));
    }
    if (t->closed) {
        const sb_last_row last = SB_NAME(last_row)(t, tiles);
        t->wide->end_last(&last);
    }
}

void SB_NAME(return_from)(const sb_task *t, sb_tiles *tiles, sb_descent *down)
{
    int64_t n = t->job.plan->problem.n, stretch = t->job.cpu->wide.stretch, last = last_stretch(t);
    if (last > 0) /* others lay behind before */
        memset(SB_NAME(tile_from)(tiles, tiles->x, n).at, 0, front_of(t, tiles, n).vector_bytes);
    SB_NAME(come_back)(t, tiles, last, n);
    for (int64_t from = last - stretch; from >= 0; from -= stretch) {
        move_back(t, tiles, from);
        down(t, tiles, from, from + stretch);
        SB_NAME(come_back)(t, tiles, from, from + stretch);
    }
}
