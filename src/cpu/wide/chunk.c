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
    cursor c = {.at = {0}};
    for (int d = p->batch_rank - 1; d >= 0; --d) {
        c.at[d] = system % p->batch[d];
        system /= p->batch[d];
    }
    locate(t, &c);
    return c;
}

static void advance(const sb_task *t, cursor *c)
{
    const slimband_problem *p = &t->job.plan->problem;
    int last = p->batch_rank - 1;
    if (last >= 0 && ++c->at[last] < p->batch[last]) {
        c->rhs += p->rhs.batch[last];
        c->solution += p->solution.batch[last];
        c->matrix += p->matrix.batch[last];
        c->number += t->matrix_weight[last];
        return;
    }
    for (int d = last; d >= 0 && c->at[d] == p->batch[d]; --d) {
        c->at[d] = 0;
        if (d > 0)
            ++c->at[d - 1];
    }
    locate(t, c);
}

static int64_t store_offset(const sb_cpu *cpu, int64_t matrix)
{
    return matrix * (int64_t)(cpu->factor_bytes / sizeof(T));
}

/* The lane's elimination can be believed. */
static bool good_lane(const sb_task *t, const sb_tiles *tiles, int64_t lane)
{
    bool wary = t->job.cpu->recipe.pivoting == SLIMBAND_PIVOT_AUTO;
    return tiles->bad[lane] == 0 && (!wary || (double)tiles->growth[lane] <= sb_growth_limit);
}

static void record_matrix(const sb_task *t, const sb_tiles *tiles, int64_t lane, int64_t matrix)
{
    t->job.cpu->matrices[matrix] = (sb_matrix_record){.row = -1, .growth = (double)tiles->growth[lane]};
}

static bool all_good(const sb_task *t, const sb_tiles *tiles)
{
    bool good = true;
    for (int64_t lane = 0; lane < tiles->count; ++lane)
        good &= good_lane(t, tiles, lane);
    return good;
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
    SB_NAME(arrange)(plan, &tiles, &tiles.matrix, plan->problem.matrix.line);
    SB_NAME(arrange)(plan, &tiles, &tiles.store, 1);
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

int64_t SB_NAME(factor_chunk)(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count)
{
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
   written. */
static void leave_out(const sb_task *t, sb_tiles *tiles)
{
    const slimband_plan *plan = t->job.plan;
    for (int64_t lane = 0; lane < tiles->lanes; ++lane)
        if (tiles->bad[lane] != 0 || (t->job.diagonals && !good_lane(t, tiles, lane)))
            tiles->solution.offset[lane] = -1;
    SB_NAME(arrange)(plan, tiles, &tiles->solution, plan->problem.solution.line);
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

int64_t SB_NAME(solve_chunk)(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count)
{
    const slimband_plan *plan = t->job.plan;
    const slimband_problem *p = &plan->problem;
    const sb_cpu *cpu = t->job.cpu;
    sb_tiles tiles = *empty;
    cursor c = cursor_at(t, first);
    int64_t failed = INT64_MAX;
    for (int64_t system = first; system < first + count; ++system, advance(t, &c)) {
        int64_t lane = tiles.count;
        if (!sb_plain_factors(&cpu->matrices[c.number])) {
            failed = SB_NAME(solve_one)(&t->job, tiles.thread, system) ? sb_smaller(failed, system) : failed;
            continue;
        }
        tiles.number[lane] = system;
        tiles.rhs.offset[lane] = c.rhs;
        tiles.solution.offset[lane] = c.solution;
        tiles.store.offset[lane] = store_offset(cpu, c.number);
        ++tiles.count;
    }
    if (tiles.count == 0)
        return failed;
    SB_NAME(tiles_close)(plan, &tiles);
    if (t->laned && cpu->matrices[first].kept)
        tiles.laned = SB_NAME(laned_at)(t, &tiles, first, &tiles.border);
    SB_NAME(arrange)(plan, &tiles, &tiles.rhs, p->rhs.line);
    SB_NAME(arrange)(plan, &tiles, &tiles.store, 1);
    if (p->check_finite)
        SB_NAME(search_rhs)(t, &tiles);
    leave_out(t, &tiles);
    sweep_kept(t, &tiles);
    for (int64_t lane = 0; lane < tiles.count; ++lane)
        if (tiles.bad[lane] == 0 ? record_system(t, &tiles, lane, tiles.number[lane])
                                 : SB_NAME(solve_one)(&t->job, tiles.thread, tiles.number[lane]))
            failed = sb_smaller(failed, tiles.number[lane]);
    return failed;
}

/* Systems with a matrix each, factored and solved. Nothing is written before a lane is known to be good, so that
   the right-hand sides of the others are still there, in place or not. */
int64_t SB_NAME(factor_solve_chunk)(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count)
{
    const slimband_plan *plan = t->job.plan;
    const slimband_problem *p = &plan->problem;
    sb_tiles tiles = *empty;
    cursor c = cursor_at(t, first);
    int64_t failed = INT64_MAX;
    tiles.count = count;
    for (int64_t lane = 0; lane < count; ++lane, advance(t, &c)) {
        tiles.rhs.offset[lane] = c.rhs;
        tiles.solution.offset[lane] = c.solution;
        tiles.matrix.offset[lane] = c.matrix;
    }
    SB_NAME(tiles_close)(plan, &tiles);
    SB_NAME(arrange)(plan, &tiles, &tiles.rhs, p->rhs.line);
    SB_NAME(arrange)(plan, &tiles, &tiles.matrix, p->matrix.line);
    if (p->check_finite) {
        SB_NAME(search_matrices)(t, &tiles);
        SB_NAME(search_rhs)(t, &tiles);
    }
    if (t->ring)
        SB_NAME(eliminate_rings)(t, &tiles, first);
    else
        SB_NAME(descend)(t, &tiles, SB_NAME(eliminate_down));
    leave_out(t, &tiles);
    if (t->ring)
        SB_NAME(close_rings)(t, &tiles);
    else
        SB_NAME(return_from)(t, &tiles, SB_NAME(eliminate_down));
    for (int64_t lane = 0; lane < count; ++lane) {
        bool good = good_lane(t, &tiles, lane);
        if (good)
            record_matrix(t, &tiles, lane, first + lane);
        if (good ? record_system(t, &tiles, lane, first + lane)
                 : SB_NAME(solve_one)(&t->job, tiles.thread, first + lane))
            failed = sb_smaller(failed, first + lane);
    }
    return failed;
}
