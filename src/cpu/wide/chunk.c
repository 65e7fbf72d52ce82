/* Chunks of a batch, as many systems as a tile has lanes: which lines they lie in, what is done to them, and what
 * became of each. */
#include "src/cpu/wide/moves.h"

/* A system, and where it is: systems are numbered with the last batch index fastest. */
typedef struct cursor {
    int64_t at[SLIMBAND_MAX_BATCH_RANK];
    int64_t rhs, solution, matrix, number; /* offsets of its lines, and the number of its matrix */
} cursor;

static int64_t offset_of(const cursor *c, const int64_t *stride, int rank)
{
    int64_t offset = 0;
    for (int d = 0; d < rank; ++d)
        offset += c->at[d] * stride[d];
    return offset;
}

static void locate(const sb_task *t, cursor *c)
{
    const slimband_problem *p = &t->job.plan->problem;
    c->rhs = offset_of(c, p->rhs.batch, p->batch_rank);
    c->solution = offset_of(c, p->solution.batch, p->batch_rank);
    c->matrix = offset_of(c, p->matrix.batch, p->batch_rank);
    c->number = offset_of(c, t->matrix_weight, p->batch_rank);
}

static cursor cursor_at(const sb_task *t, int64_t system)
{
    const slimband_problem *p = &t->job.plan->problem;
    cursor c = {.at = {system}};
    for (int d = p->batch_rank - 1; d > 0; --d) {
        c.at[d] = c.at[0] % p->batch[d];
        c.at[0] /= p->batch[d];
    }
    locate(t, &c);
    return c;
}

/* So many systems further, which is the end of the last batch dimension at most. */
static void advance(const sb_task *t, int64_t systems, cursor *c)
{
    const slimband_problem *p = &t->job.plan->problem;
    int last = p->batch_rank - 1;
    if (last >= 0)
        c->at[last] += systems;
    for (int d = last; d >= 0 && c->at[d] == p->batch[d]; --d) {
        c->at[d] = 0;
        if (d > 0)
            ++c->at[d - 1];
    }
    locate(t, c);
}

static void count_up(int64_t *offset, int64_t from, int64_t step, int64_t count)
{
    for (int64_t s = 0; s < count; ++s)
        offset[s] = from + s * step;
}

/* From a system to the next along the last batch dimension, in one of these. */
static int64_t step_of(const sb_task *t, const int64_t *stride)
{
    int last = t->job.plan->problem.batch_rank - 1;
    return last >= 0 ? stride[last] : 0;
}

static int64_t store_offset(const sb_cpu *cpu, int64_t matrix)
{
    return matrix * (int64_t)(cpu->factor_bytes / sizeof(T));
}

/* Where the lines of systems first..first + count - 1 begin, a system in each lane. */
static void locate_all(const sb_task *t, sb_tiles *tiles, int64_t first, int64_t count)
{
    const slimband_problem *p = &t->job.plan->problem;
    int last = p->batch_rank - 1;
    cursor c = cursor_at(t, first);
    tiles->count = count;
    tiles->beside = t->row > 0 ? t->row - first % t->row - count : 0;
    tiles->overlaps = sb_overlaps(t, count);
    tiles->implied =
        t->implies && (tiles->overlaps || count % t->wide->width == 0) && count <= p->batch[last] - c.at[last];
    if (tiles->implied) {
        tiles->in_a_row = true;
        tiles->rhs.offset[0] = c.rhs;
        tiles->solution.offset[0] = c.solution;
        tiles->matrix.offset[0] = c.matrix;
        return;
    }
    for (int64_t lane = 0, run; lane < count; lane += run) {
        run = last >= 0 ? sb_smaller(count - lane, p->batch[last] - c.at[last]) : 1;
        tiles->in_a_row = run == count;
        count_up(tiles->rhs.offset + lane, c.rhs, step_of(t, p->rhs.batch), run);
        count_up(tiles->solution.offset + lane, c.solution, step_of(t, p->solution.batch), run);
        count_up(tiles->matrix.offset + lane, c.matrix, step_of(t, p->matrix.batch), run);
        count_up(tiles->number + lane, c.number, step_of(t, t->matrix_weight), run);
        advance(t, run, &c);
    }
}

/* Before any of them is changed. */
static void tell_lines_once(sb_tiles *tiles)
{
    SB_NAME(tell_lines)(tiles);
    tiles->implied = false;
}

/* The first `others` are not written, nor read where somebody may write them. */
static void locate_lanes(const sb_task *t, sb_tiles *tiles, int64_t first, int64_t count, int64_t others)
{
    locate_all(t, tiles, first, count);
    tiles->others = others;
    if (others == 0)
        return;
    tell_lines_once(tiles);
    tiles->in_a_row = false;
    for (int64_t lane = 0; (const void *)t->job.b == (const void *)t->job.x && lane < others; ++lane)
        tiles->rhs.offset[lane] = tiles->rhs.offset[others];
}

/* Is growth to be asked about? */
static bool wary(const sb_task *t)
{
    return t->job.diagonals && t->job.cpu->recipe.pivoting == SLIMBAND_PIVOT_AUTO;
}

/* The lane's elimination, if there was one, can be believed. */
static bool good_lane(const sb_task *t, const sb_tiles *tiles, int64_t lane)
{
    return tiles->bad[lane] == 0 && (!wary(t) || (double)tiles->growth[lane] <= sb_growth_limit);
}

static void record_matrix(const sb_task *t, const sb_tiles *tiles, int64_t lane, int64_t matrix)
{
    t->job.cpu->matrices[matrix] = (sb_matrix_record){.row = -1, .growth = (double)tiles->growth[lane]};
}

/* Counted, not asked one by one, which the compiler makes vectors of. */
static bool all_good(const sb_task *t, const sb_tiles *tiles)
{
    int64_t unfit = 0;
    for (int64_t lane = tiles->others; lane < tiles->count; ++lane)
        unfit += tiles->bad[lane] != 0;
    for (int64_t lane = tiles->others; wary(t) && lane < tiles->count; ++lane)
        unfit += !((double)tiles->growth[lane] <= sb_growth_limit);
    return unfit == 0;
}

/* laned: factors are kept in lane order. False, and nothing is recorded, if that cannot be because of a matrix that has to
   be stored in another way. */
static bool factor_tile(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count, bool laned)
{
    const slimband_plan *plan = t->job.plan;
    const sb_cpu *cpu = t->job.cpu;
    sb_tiles tiles = *empty;
    tiles.count = count;
    for (int64_t s = 0; s < count; ++s) {
        tiles.matrix.offset[s] = sb_matrix_offset(&plan->problem, first + s);
        tiles.store.offset[s] = store_offset(cpu, first + s);
    }
    SB_NAME(tiles_close)(plan, &tiles);
    SB_NAME(arrange)(plan, &tiles, &tiles.matrix, plan->problem.matrix.line, 0);
    SB_NAME(arrange)(plan, &tiles, &tiles.store, 1, 0);
    if (laned)
        tiles.laned = SB_NAME(laned_at)(t, &tiles, first, &tiles.border);
    if (plan->problem.check_finite)
        SB_NAME(search_matrices)(t, &tiles);
    if (t->ring)
        SB_NAME(eliminate_rings)(t, &tiles, first);
    else
        SB_NAME(eliminate_by_blocks)(t, &tiles);
    if (laned && !all_good(t, &tiles))
        return false;
    for (int64_t s = 0; s < count; ++s)
        if (good_lane(t, &tiles, s)) {
            record_matrix(t, &tiles, s, first + s);
            cpu->matrices[first + s].kept = laned;
        } else
            SB_NAME(factor_one)(plan, t->job.diagonals, tiles.thread, first + s);
    return true;
}

int64_t SB_NAME(factor_chunk)(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count,
                              int64_t others)
{
    (void)others;
    bool whole = t->laned && count % t->wide->width == 0;
    if (!whole || !factor_tile(t, empty, first, count, true))
        factor_tile(t, empty, first, count, false);
    return INT64_MAX;
}

/* What became of a lane's system, once it is back in its line. True if its solution is no solution. */
static bool record_system(const sb_task *t, const sb_tiles *tiles, int64_t lane, int64_t system)
{
    sb_system_record *record = &t->job.cpu->systems[system];
    *record = (sb_system_record){.row = -1};
    if (tiles->odd[lane] == 0)
        return false;
    const slimband_problem *p = &t->job.plan->problem;
    T *x = t->job.x + tiles->solution.offset[lane];
    record->status = SLIMBAND_SOLUTION_NOT_FINITE;
    for (int64_t i = p->n - 1; i >= 0; --i) {
        record->row = sb_finite(x[i * p->solution.line]) ? record->row : i;
        x[i * p->solution.line] = (T)NAN;
    }
    return true;
}

/* Lanes that are not good are solved one by one, from right-hand sides that are still there: nothing of theirs is
   written. Are there any? */
static bool leave_out(const sb_task *t, sb_tiles *tiles)
{
    const slimband_plan *plan = t->job.plan;
    const slimband_problem *p = &plan->problem;
    bool any = (t->job.diagonals || p->check_finite) && !all_good(t, tiles);
    if (any)
        tell_lines_once(tiles);
    for (int64_t lane = 0; any && lane < tiles->lanes; ++lane)
        if (!good_lane(t, tiles, lane))
            tiles->solution.offset[lane] = -1;
    for (int64_t lane = 0; lane < tiles->others; ++lane)
        tiles->solution.offset[lane] = -1;
    tiles->in_a_row &= !any;
    SB_NAME(arrange)(plan, tiles, &tiles->solution, p->solution.line, step_of(t, p->solution.batch));
    return any;
}

static void tell_other(const sb_task *t)
{
#pragma omp atomic write
    *t->other = true;
}

/* Have all lanes' systems, first and those that follow it, been solved? Then that is recorded. Of most, records have nothing to
   say but that, and that no row grew; where they say so from the call before they are left alone, since those of a system
   are as long as a tridiagonal row and its right-hand side, and would be read and written. */
static bool record_success(const sb_task *t, const sb_tiles *tiles, int64_t first)
{
    const sb_cpu *cpu = t->job.cpu;
    int64_t odd = 0, grown = 0;
    for (int64_t lane = tiles->others; lane < tiles->count; ++lane)
        odd += tiles->odd[lane] != 0;
    for (int64_t lane = tiles->others; t->job.diagonals && lane < tiles->count; ++lane)
        grown += tiles->growth[lane] != 1;
    if (odd)
        return false;
    if (grown)
        tell_other(t);
    if (t->told && !grown)
        return true;
    for (int64_t lane = tiles->others; lane < tiles->count; ++lane)
        cpu->systems[first + lane] = (sb_system_record){.row = -1};
    for (int64_t lane = tiles->others; t->job.diagonals && lane < tiles->count; ++lane)
        record_matrix(t, tiles, lane, first + lane);
    return true;
}

static void sweep_kept(const sb_task *t, sb_tiles *tiles)
{
    if (t->by_columns) {
        SB_NAME(solve_by_columns)(t, tiles);
        return;
    }
    SB_NAME(descend)(t, tiles, SB_NAME(go_down));
    SB_NAME(return_from)(t, tiles, SB_NAME(go_down));
    if (t->ring && t->shared) {
        SB_NAME(close_ring)(t, tiles);
    } else if (t->ring) {
        SB_NAME(load_borders)(t, tiles);
        SB_NAME(close_rings)(t, tiles);
    }
}

/* The systems whose matrices the tiles cannot read are solved one by one, and leave their lanes to the others; in
   tiles.number then each lane's system, but for those of one matrix. Returns the first that failed. */
static int64_t solve_others(const sb_task *t, sb_tiles *tiles, int64_t first)
{
    const sb_cpu *cpu = t->job.cpu;
    int64_t failed = INT64_MAX, lanes = 0;
    if (t->shared) /* which they can */
        return failed;
    for (int64_t s = 0; s < tiles->count; ++s) {
        int64_t system = first + s, matrix = tiles->number[s];
        if (!sb_plain_factors(&cpu->matrices[matrix])) {
            failed = t->alone(&t->job, tiles->thread, system) ? sb_smaller(failed, system) : failed;
            continue;
        }
        tiles->number[lanes] = system;
        tiles->rhs.offset[lanes] = tiles->rhs.offset[s];
        tiles->solution.offset[lanes] = tiles->solution.offset[s];
        tiles->store.offset[lanes] = store_offset(cpu, matrix);
        ++lanes;
    }
    tiles->in_a_row &= lanes == tiles->count;
    tiles->count = lanes;
    return failed;
}

int64_t SB_NAME(solve_chunk)(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count,
                             int64_t others)
{
    const slimband_plan *plan = t->job.plan;
    const slimband_problem *p = &plan->problem;
    const sb_cpu *cpu = t->job.cpu;
    sb_tiles tiles = *empty;
    locate_lanes(t, &tiles, first, count, others);
    int64_t failed = solve_others(t, &tiles, first);
    if (tiles.count == 0) {
        tell_other(t);
        return failed;
    }
    SB_NAME(tiles_close)(plan, &tiles);
    if (t->laned && cpu->matrices[first].kept)
        tiles.laned = SB_NAME(laned_at)(t, &tiles, first, &tiles.border);
    SB_NAME(arrange)(plan, &tiles, &tiles.rhs, p->rhs.line, step_of(t, p->rhs.batch));
    if (!t->shared)
        SB_NAME(arrange)(plan, &tiles, &tiles.store, 1, store_offset(cpu, step_of(t, t->matrix_weight)));
    if (p->check_finite)
        SB_NAME(search_rhs)(t, &tiles);
    bool whole = !leave_out(t, &tiles) && tiles.count == count;
    sweep_kept(t, &tiles);
    if (whole && record_success(t, &tiles, first))
        return failed;
    tell_other(t);
    SB_NAME(tell_lines)(&tiles);
    if (t->shared)
        count_up(tiles.number, first, 1, tiles.count);
    for (int64_t lane = others; lane < tiles.count; ++lane)
        if (tiles.bad[lane] == 0 ? record_system(t, &tiles, lane, tiles.number[lane])
                                 : t->alone(&t->job, tiles.thread, tiles.number[lane]))
            failed = sb_smaller(failed, tiles.number[lane]);
    return failed;
}

/* Where lanes are to be left out of vectors that overlap: whole vectors, and the rest. Nothing of them has been written. */
static int64_t factor_solve_apart(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count)
{
    int64_t rest = count % t->wide->width, whole = count - rest,
            failed = SB_NAME(factor_solve_chunk)(t, empty, first, whole, 0);
    return sb_smaller(failed, SB_NAME(factor_solve_chunk)(t, empty, first + whole, rest, 0));
}

/* Systems with a matrix each, factored and solved. Nothing is written before a lane is known to be good, so that
   the right-hand sides of the others are still there, in place or not. */
int64_t SB_NAME(factor_solve_chunk)(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count,
                                    int64_t others)
{
    const slimband_plan *plan = t->job.plan;
    const slimband_problem *p = &plan->problem;
    sb_tiles tiles = *empty;
    int64_t failed = INT64_MAX;
    locate_lanes(t, &tiles, first, count, others);
    SB_NAME(tiles_close)(plan, &tiles);
    SB_NAME(arrange)(plan, &tiles, &tiles.rhs, p->rhs.line, step_of(t, p->rhs.batch));
    SB_NAME(arrange)(plan, &tiles, &tiles.matrix, p->matrix.line, step_of(t, p->matrix.batch));
    if (p->check_finite) {
        SB_NAME(search_matrices)(t, &tiles);
        SB_NAME(search_rhs)(t, &tiles);
    }
    if (t->ring)
        SB_NAME(eliminate_rings)(t, &tiles, first);
    else
        SB_NAME(descend)(t, &tiles, SB_NAME(eliminate_down));
    if (tiles.overlaps && !all_good(t, &tiles))
        return factor_solve_apart(t, empty, first, count);
    bool whole = !leave_out(t, &tiles);
    if (t->ring)
        SB_NAME(close_rings)(t, &tiles);
    else
        SB_NAME(return_from)(t, &tiles, SB_NAME(eliminate_down));
    if (whole && record_success(t, &tiles, first))
        return failed;
    tell_other(t);
    SB_NAME(tell_lines)(&tiles);
    for (int64_t lane = others; lane < count; ++lane) {
        bool good = good_lane(t, &tiles, lane);
        if (good)
            record_matrix(t, &tiles, lane, first + lane);
        if (good ? record_system(t, &tiles, lane, first + lane) : t->alone(&t->job, tiles.thread, first + lane))
            failed = sb_smaller(failed, first + lane);
    }
    return failed;
}
