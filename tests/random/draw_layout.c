/* How many systems, how long, and where they lie. */
#include "tests/random/trial.h"

/* Mostly small; powers of two, their neighbours and 4097 among the large. */
static int64_t draw_length(sb_random *random)
{
    int64_t kind = sb_random_between(random, 1, 1000);
    if (kind <= 600)
        return sb_random_between(random, 1, 20);
    if (kind <= 900)
        return sb_random_between(random, 21, 130);
    if (kind <= 985)
        return sb_random_between(random, 131, 700);
    if (kind <= 993)
        return (INT64_C(1) << sb_random_between(random, 7, 12)) + sb_random_between(random, -1, 1);
    return sb_random_between(random, 701, 4097);
}

/* Element strides of an array of these extents: any order of axes, gaps anywhere. */
static void draw_strides(int rank, const int64_t *extents, sb_random *random, int64_t *strides)
{
    enum { AXES = SLIMBAND_MAX_BATCH_RANK + 1 };
    int order[AXES] = {0, 1, 2, 3};
    for (int d = AXES - 1; d > 0; --d) {
        int other = pick(random, d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    int64_t stride = one_in(random, 3) ? sb_random_between(random, 2, 3) : 1;
    for (int d = 0; d < AXES; ++d) {
        if (order[d] >= rank)
            continue;
        strides[order[d]] = stride;
        stride = stride * extents[order[d]] + (one_in(random, 2) ? sb_random_between(random, 1, 3) : 0);
    }
}

static void draw_extents(trial *t, int rank, int64_t most, sb_random *random)
{
    t->problem.batch_rank = rank;
    for (int d = 0; d < rank; ++d) {
        t->problem.batch[d] = sb_random_between(random, 1, most < 6 ? most : 6);
        most /= t->problem.batch[d];
    }
}

static void draw_free_layout(const trial *t, slimband_layout *layout, bool repeats, sb_random *random)
{
    int rank = t->problem.batch_rank + 1;
    int64_t extents[SLIMBAND_MAX_BATCH_RANK + 1] = {t->problem.n}, strides[SLIMBAND_MAX_BATCH_RANK + 1];
    for (int d = 1; d < rank; ++d)
        extents[d] = t->problem.batch[d - 1];
    draw_strides(rank, extents, random, strides);
    layout->line = strides[0];
    for (int d = 1; d < rank; ++d)
        layout->batch[d - 1] = repeats && one_in(random, 3) ? 0 : strides[d];
}

static void draw_free(trial *t, int64_t most, sb_random *random)
{
    slimband_problem *p = &t->problem;
    draw_extents(t, pick(random, 4), most, random);
    draw_free_layout(t, &p->solution, false, random);
    draw_free_layout(t, &p->rhs, !t->in_place, random);
    draw_free_layout(t, &p->matrix, true, random);
}

static slimband_status draw_axis(trial *t, int64_t most, bool padded, sb_random *random)
{
    int rank = 1 + pick(random, 4), axis = pick(random, rank), batch = 0;
    int64_t extents[SLIMBAND_MAX_BATCH_RANK + 1], strides[SLIMBAND_MAX_BATCH_RANK + 1];
    draw_extents(t, rank - 1, most, random);
    for (int d = 0; d < rank; ++d)
        extents[d] = d == axis ? t->problem.n : t->problem.batch[batch++];
    if (!padded)
        return slimband_along_axis(&t->problem, rank, extents, axis);
    draw_strides(rank, extents, random, strides);
    return slimband_along_strided_axis(&t->problem, rank, extents, strides, axis);
}

static void draw_ragged(trial *t, sb_random *random)
{
    slimband_problem *p = &t->problem;
    int64_t least = p->coefficients == SLIMBAND_TOEPLITZ ? p->toeplitz_first + p->toeplitz_last : 0, total = 0;
    t->ragged = (slimband_ragged){.systems = sb_random_between(random, 0, 8), .offsets = t->offsets};
    t->offsets[0] = sb_random_between(random, 0, 3);
    for (int64_t s = 0; s < t->ragged.systems; ++s) {
        int64_t length = one_in(random, 8) ? 0 : draw_length(random);
        length = total + length > 1500 ? 5 : length;
        length = length < least ? least : length;
        total += length;
        t->offsets[s + 1] = t->offsets[s] + length;
    }
    p->ragged = &t->ragged;
    p->solution.line = sb_random_between(random, 1, 2);
    p->rhs.line = sb_random_between(random, 1, 2);
    p->matrix.line = sb_random_between(random, 1, 2);
}

static void draw_toeplitz_rows(slimband_problem *p, sb_random *random)
{
    int64_t most = one_in(random, 2) ? 1 : 3;
    p->toeplitz_first = sb_random_between(random, 0, most < p->n ? most : p->n);
    int64_t left = p->n - p->toeplitz_first;
    p->toeplitz_last = sb_random_between(random, 0, most < left ? most : left);
}

/* Of some, a diagonal is one number. By numbers of their own: what else is drawn stays as it is without. */
static void draw_constant_rows(trial *t)
{
    sb_random random = sb_random_seeded(~t->seed);
    bool ragged = t->arrangement == RAGGED;
    if (!ragged && t->problem.coefficients != SLIMBAND_TOEPLITZ && one_in(&random, 8))
        t->problem.matrix.line = 0;
}

void draw_layout(trial *t, sb_random *random)
{
    slimband_problem *p = &t->problem;
    p->n = draw_length(random);
    if (!t->dominant) /* their solutions may grow by 20 a row */
        p->n = 1 + p->n % (p->scalar == SLIMBAND_F64 || p->scalar == SLIMBAND_C128 ? 100 : 16);
    int64_t most = 1 + (1000 / p->n < MOST_SYSTEMS - 1 ? 1000 / p->n : MOST_SYSTEMS - 1);
    if (p->coefficients == SLIMBAND_TOEPLITZ)
        draw_toeplitz_rows(p, random);
    slimband_status status = SLIMBAND_OK;
    t->arrangement = (arrangement)pick(random, ARRANGEMENTS);
    if (t->arrangement == RAGGED && (p->coefficients == SLIMBAND_SHARED || !t->dominant))
        t->arrangement = FREE;
    if (t->arrangement == CONTIGUOUS)
        status = slimband_contiguous(p, sb_random_between(random, 1, most));
    else if (t->arrangement == INTERLEAVED)
        status = slimband_interleaved(p, sb_random_between(random, 1, most));
    else if (t->arrangement == AXIS || t->arrangement == PADDED_AXIS)
        status = draw_axis(t, most, t->arrangement == PADDED_AXIS, random);
    else if (t->arrangement == FREE)
        draw_free(t, most, random);
    else if (t->arrangement == RAGGED)
        draw_ragged(t, random);
    if (status)
        p->n = -1; /* a helper that refuses valid extents: slimband_plan_create will say so */
    if (t->in_place)
        p->rhs = p->solution;
    draw_constant_rows(t);
}
