#include "src/cuda/tile/grid.h"

int sb_tile_half_band(const slimband_problem *p)
{
    const int wider = p->lower > p->upper ? p->lower : p->upper;
    return wider > 2 ? 4 : wider > 1 ? 2 : 1;
}

/* One dimension of the batch: extent, strides of the arrays, step of the systems' numbers. */
typedef struct dimension {
    int64_t extent, b, x, matrix, number;
} dimension;

/* The dimensions longer than 1, the last first, neighbours that follow on from each other made one. */
static int dimensions(const slimband_problem *p, dimension *all)
{
    int count = 0;
    int64_t number = 1;
    for (int d = p->batch_rank - 1; d >= 0; number *= p->batch[d], --d) {
        int64_t matrix = p->coefficients == SLIMBAND_OWN ? p->matrix.batch[d] : 0;
        dimension here = {p->batch[d], p->rhs.batch[d], p->solution.batch[d], matrix, number};
        dimension *last = all + count - 1;
        if (here.extent == 1)
            continue;
        if (count > 0 && here.b == last->extent * last->b && here.x == last->extent * last->x &&
            here.matrix == last->extent * last->matrix)
            last->extent *= here.extent;
        else
            all[count++] = here;
    }
    return count;
}

void sb_tile_lay_out(const slimband_problem *p, sb_tile_grid *job, sb_tile_line *matrix)
{
    dimension all[SLIMBAND_MAX_BATCH_RANK];
    int count = dimensions(p, all), nearest = 0;
    for (int d = 1; d < count; ++d)
        if (all[d].x < all[nearest].x)
            nearest = d;
    job->extent = 1;
    job->outer[0] = job->outer[1] = 1;
    job->b_at.row = p->rhs.line;
    job->x_at.row = p->solution.line;
    matrix->row = p->matrix.line;
    for (int d = 0, outer = 0; d < count; ++d) {
        if (d == nearest) {
            job->extent = all[d].extent;
            job->b_at.column = all[d].b;
            job->x_at.column = all[d].x;
            matrix->column = all[d].matrix;
            job->number[0] = all[d].number;
            continue;
        }
        job->outer[outer] = (int)all[d].extent;
        job->b_at.outer[outer] = all[d].b;
        job->x_at.outer[outer] = all[d].x;
        matrix->outer[outer] = all[d].matrix;
        job->number[1 + outer++] = all[d].number;
    }
    job->single = job->outer[0] * job->outer[1] == 1;
}

bool sb_tile_engine_takes(const sb_tile_line *at, const sb_tile_grid *job, int64_t bytes)
{
    const int64_t farthest = (INT64_C(1) << 40) / bytes; /* of the maps' strides */
    bool takes = at->column == 1 || job->extent == 1;
    takes = takes && at->row * bytes % 16 == 0 && at->row > 0 && at->row < farthest;
    for (int d = 0; d < 2; ++d)
        if (job->outer[d] > 1)
            takes = takes && at->outer[d] * bytes % 16 == 0 && at->outer[d] > 0 && at->outer[d] < farthest;
    return takes;
}

bool sb_tile_lines_in_pieces(const sb_tile_line *at, int64_t bytes)
{
    const int64_t piece = 16;
    return at->outer[0] * bytes % piece == 0 && at->outer[1] * bytes % piece == 0 &&
           at->column * bytes % piece == 0;
}

bool sb_tile_lines_alike(const sb_tile_line *one, const sb_tile_line *other, int64_t bytes)
{
    const sb_tile_line apart = {one->row - other->row,
                                one->column - other->column,
                                {one->outer[0] - other->outer[0], one->outer[1] - other->outer[1]}};
    return sb_tile_lines_in_pieces(&apart, bytes);
}
