/* The drivers of `partition` and `truncated`. A plan that is to be factored once and solved often keeps factors of its
 * matrices where they need no pivots inside chunks; and a copy of them, which is what other solves eliminate anew. Systems
 * are solved one after another by all threads, or one by each thread where there are enough; those of one matrix in
 * groups, and lines that follow one another joined. Plans that chunks are not for (too few rows, other bands, refinement,
 * ragged batches) are solved as by thomas and lu. How they are cut: prepare.c. */
#include <omp.h>
#include <string.h>

#include "src/cpu/kernels/lines.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/long/task.h"
#include "src/cpu/route.h"

extern const sb_drivers SB_NAME(drivers);

enum { CACHE_LINE = 64, UNIT = CACHE_LINE / sizeof(T) };

static int64_t copied_rows(const sb_recipe *r, int64_t n)
{
    return r->toeplitz ? r->first + 1 + r->last : n;
}

/* From one diagonal of the copy to the next. */
static int64_t copy_step(const sb_recipe *r, int64_t n)
{
    return (copied_rows(r, n) + UNIT - 1) / UNIT * UNIT + UNIT;
}

static size_t copy_bytes(const sb_recipe *r, int64_t n)
{
    size_t diagonals = (size_t)(r->lower + 1 + r->upper);
    return sb_plus(sb_times(sb_times((size_t)copy_step(r, n), diagonals), sizeof(T)), 63) / 64 * 64;
}

static size_t scratch(const sb_recipe *r, int64_t n)
{
    return r->tuning.chunk == 0 ? SB_NAME(system_scratch)(r, n) : 0;
}

static sb_matrix copy_in(const sb_cpu *cpu, int64_t n, int64_t matrix)
{
    const sb_recipe *r = &cpu->recipe;
    sb_matrix A = SB_NAME(long_shape)(r, n);
    for (int d = 0; d <= r->lower + r->upper; ++d)
        A.diagonal[d] = (const T *)sb_store(cpu, matrix) + d * copy_step(r, n);
    return A;
}

/* Rows from a chunk's first to the first that a vector can be stored to, past the caches. */
static int64_t rows_to_aligned(const T *x, int64_t stride)
{
    int64_t past = (int64_t)((uintptr_t)x % CACHE_LINE), bytes = past ? CACHE_LINE - past : 0;
    return stride == 1 && bytes % (int64_t)sizeof(T) == 0 ? bytes / (int64_t)sizeof(T) : 0;
}

/* The copy of a matrix; and behind it factors, of whichever task solves. */
static size_t stored(const sb_recipe *r, int64_t n)
{
    if (r->tuning.chunk == 0)
        return SB_NAME(system_stored)(r, n);
    size_t factors = 0, truncated = 0;
    if (sb_keeps_factors(r)) {
        sb_long_task t = SB_NAME(long_task)(r, n);
        factors = SB_NAME(long_place_factors)(&t, r->pivoted, NULL);
    }
    if (sb_keeps_factors(r) && r->tuning.truncates) {
        sb_long_task t = SB_NAME(truncating_task)(r, n, 1);
        truncated = SB_NAME(long_place_factors)(&t, r->pivoted, NULL);
    }
    return r->keeps_matrix ? sb_plus(copy_bytes(r, n), factors > truncated ? factors : truncated) : 0;
}

/* One system, or joined lines, and the memory to solve it in. */
typedef struct job_of_system {
    const slimband_plan *plan;
    int slice;
    int64_t lines;
    sb_matrix A;
    sb_vector b;
    T *x;
    int64_t x_stride;
} job_of_system;

static void place_task(sb_long_task *t, const job_of_system *s)
{
    const sb_cpu *cpu = s->plan->state;
    char *memory =
        cpu->scratch + (size_t)(s->slice + 1) * cpu->scratch_bytes - cpu->wide.bytes - cpu->chunked.bytes;
    t->A = s->A;
    if (t->reaches)
        SB_NAME(truncated_layout)(t, cpu->recipe.tuning.threads, memory);
    else
        SB_NAME(long_layout)(t, cpu->recipe.pivoted, cpu->recipe.tuning.threads, memory);
    t->b = s->b;
    t->x = s->x;
    t->x_stride = s->x_stride;
    t->far = cpu->chunked.far;
    t->past_cache = t->far && s->b.at != s->x;
    t->align = t->past_cache ? rows_to_aligned(s->x, s->x_stride) : 0;
}

static const sb_recipe *recipe_of(const slimband_plan *plan)
{
    return &((const sb_cpu *)plan->state)->recipe;
}

static sb_long_outcome work(const job_of_system *s)
{
    sb_long_task t = SB_NAME(long_task)(recipe_of(s->plan), s->plan->problem.n);
    place_task(&t, s);
    return SB_NAME(long_solve)(&t, recipe_of(s->plan)->tuning.threads);
}

/* In one pass; false if what is dropped is not below rounding, or elements grow. */
static bool truncate(const job_of_system *s, sb_long_outcome *outcome)
{
    sb_long_task t = SB_NAME(truncating_task)(recipe_of(s->plan), s->plan->problem.n, s->lines);
    place_task(&t, s);
    *outcome = SB_NAME(long_truncate)(&t, recipe_of(s->plan)->tuning.threads);
    return sb_truncation_holds(&t, outcome->bound, outcome->growth);
}

/* A task that keeps factors, in one pass or in two. */
static sb_long_task keeping_task(const job_of_system *s, int64_t matrix, bool truncated)
{
    const sb_cpu *cpu = s->plan->state;
    const sb_recipe *r = &cpu->recipe;
    int64_t n = s->plan->problem.n;
    sb_long_task t = truncated ? SB_NAME(truncating_task)(r, n, 1) : SB_NAME(long_task)(r, n);
    place_task(&t, s);
    SB_NAME(long_place_factors)(&t, r->pivoted, (char *)sb_store(cpu, matrix) + copy_bytes(r, n));
    return t;
}

static slimband_status failure(const sb_recipe *r)
{
    return r->pivoting == SLIMBAND_PIVOT_NONE ? SLIMBAND_BREAKDOWN : SLIMBAND_SINGULAR;
}

static sb_matrix_record matrix_record(const sb_recipe *r, const sb_long_outcome *o)
{
    return (sb_matrix_record){.row = o->row,
                              .growth = o->growth,
                              .status = o->row < 0 ? SLIMBAND_OK : failure(r),
                              .bound = o->bound,
                              .pivoted = o->pivoted};
}

/* Looks for NaN and Inf, if asked to. */
static bool refused(const sb_recipe *r, const sb_matrix *A, sb_matrix_record *record)
{
    *record = (sb_matrix_record){.row = -1};
    if (r->check_finite && (record->row = SB_NAME(first_row_not_finite)(A)) >= 0)
        record->status = SLIMBAND_NOT_FINITE;
    return record->status != SLIMBAND_OK;
}

static void factor_matrix(const slimband_plan *plan, const void *const *diagonals, int slice, int64_t matrix)
{
    const sb_cpu *cpu = plan->state;
    const sb_recipe *r = &cpu->recipe;
    int64_t n = plan->problem.n;
    sb_matrix A = SB_NAME(matrix_at)(&plan->problem, diagonals, matrix), copy = copy_in(cpu, n, matrix);
    for (int d = 0; d <= A.lower + A.upper; ++d)
        SB_NAME(copy_lines)
    (A.diagonal[d], A.stride, 0, (T *)copy.diagonal[d], 1, 0, copied_rows(r, n), 1, false);
    if (refused(r, &copy, &cpu->matrices[matrix]))
        return;
    job_of_system s = {.plan = plan, .slice = slice, .lines = 1, .A = copy, .b = {NULL, 1}, .x_stride = 1};
    sb_long_outcome outcome = {.row = -1};
    bool good = cpu->chunked.truncates && truncate(&s, &outcome);
    if (!good)
        outcome = work(&s);
    cpu->matrices[matrix] = matrix_record(r, &outcome);
    cpu->matrices[matrix].fallback = cpu->chunked.truncates && !good;
    if (sb_keeps_factors(r) && outcome.row < 0 && !outcome.pivoted) {
        sb_long_task t = keeping_task(&s, matrix, good);
        cpu->matrices[matrix].kept = SB_NAME(long_keep)(&t, r->tuning.threads);
    }
}

static void factor(const slimband_plan *plan, const void *const *diagonals)
{
    const sb_cpu *cpu = plan->state;
    if (!cpu->chunked.kernels) {
        SB_NAME(drivers).factor(plan, diagonals);
        return;
    }
    for (int64_t m = 0; cpu->threads <= 1 && m < plan->matrices; ++m)
        factor_matrix(plan, diagonals, 0, m);
    if (cpu->threads <= 1)
        return;
#pragma omp parallel for num_threads(cpu->threads) schedule(dynamic)
    for (int64_t m = 0; m < plan->matrices; ++m)
        factor_matrix(plan, diagonals, omp_get_thread_num(), m);
}

int64_t SB_NAME(vector_not_finite)(sb_vector v, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (!sb_finite(v.at[i * v.stride]))
            return i;
    return -1;
}

/* With the right-hand side out of the way, truncation may be tried; in place, it must be known to be good. The
   transpose has bounds of its own. */
static bool may_truncate(const sb_job *j, const job_of_system *s, const sb_matrix_record *matrix)
{
    bool known = !j->diagonals && !matrix->fallback;
    return j->cpu->chunked.truncates && j->op == SB_PLAIN && (j->diagonals ? s->b.at != s->x : known);
}

static sb_system_record solve_system(const sb_job *j, int slice, int64_t system)
{
    const slimband_problem *p = &j->plan->problem;
    const sb_recipe *r = &j->cpu->recipe;
    int64_t m = sb_matrix_of(p, system), n = p->n, x_stride = p->solution.line;
    sb_matrix_record *matrix = &j->cpu->matrices[m];
    sb_matrix A = j->diagonals ? SB_NAME(matrix_at)(p, j->diagonals, m) : copy_in(j->cpu, n, m);
    sb_vector b = {j->b + sb_line_offset(p, &p->rhs, system), p->rhs.line};
    T *x = j->x + sb_line_offset(p, &p->solution, system);
    if (j->diagonals)
        refused(r, &A, matrix);
    sb_system_record result = {.row = matrix->row, .status = matrix->status};
    if (!result.status && r->check_finite && (result.row = SB_NAME(vector_not_finite)(b, n)) >= 0)
        result.status = SLIMBAND_NOT_FINITE;
    if (result.status)
        return result;
    if (j->conjugate) {
        SB_NAME(copy_lines)(b.at, b.stride, 0, x, x_stride, 0, n, 1, true);
        b = (sb_vector){x, x_stride};
    }
    if (j->op == SB_TRANSPOSED)
        A = SB_NAME(transpose)(&A);
    job_of_system s = {
        .plan = j->plan, .slice = slice, .lines = 1, .A = A, .b = b, .x = x, .x_stride = x_stride};
    sb_long_outcome outcome = {.row = -1};
    if (!may_truncate(j, &s, matrix) || !truncate(&s, &outcome))
        outcome = work(&s);
    if (j->conjugate)
        SB_NAME(copy_lines)(x, x_stride, 0, x, x_stride, 0, n, 1, true);
    if (j->diagonals)
        *matrix = matrix_record(r, &outcome);
    if (outcome.row >= 0)
        return (sb_system_record){.row = outcome.row, .status = failure(r)};
    slimband_status status = outcome.not_finite < 0 ? SLIMBAND_OK : SLIMBAND_SOLUTION_NOT_FINITE;
    return (sb_system_record){.row = outcome.not_finite, .status = status};
}

/* No unknown of a system that failed is a number. */
static void spoil(const slimband_problem *p, T *x, int64_t system)
{
    T *line = x + sb_line_offset(p, &p->solution, system);
    for (int64_t i = 0; i < p->n; ++i)
        line[i * p->solution.line] = (T)NAN;
}

static bool solved_by_factors(const sb_job *j, int64_t system)
{
    const sb_matrix_record *matrix = &j->cpu->matrices[sb_matrix_of(&j->plan->problem, system)];
    return !j->diagonals && j->op == SB_PLAIN && matrix->kept;
}

/* Up to a group of systems of one matrix, from `first` on; returns how many. */
static int solve_together(const sb_job *j, int slice, int64_t first, int64_t end)
{
    const slimband_problem *p = &j->plan->problem;
    sb_long_task tasks[SB_MOST_TOGETHER];
    bool odd[SB_MOST_TOGETHER] = {false};
    int64_t matrix = sb_matrix_of(p, first);
    bool truncated = j->cpu->chunked.truncates && !j->cpu->matrices[matrix].fallback;
    job_of_system s = {.plan = j->plan,
                       .slice = slice,
                       .lines = 1,
                       .A = copy_in(j->cpu, p->n, matrix),
                       .x_stride = p->solution.line};
    int count = 0;
    for (int64_t system = first; system < end && sb_matrix_of(p, system) == matrix; ++system, ++count) {
        s.b = (sb_vector){j->b + sb_line_offset(p, &p->rhs, system), p->rhs.line};
        s.x = j->x + sb_line_offset(p, &p->solution, system);
        tasks[count] = keeping_task(&s, matrix, truncated);
        SB_NAME(long_place_beside)(&tasks[count], count);
    }
    (truncated ? SB_NAME(long_truncate_kept) : SB_NAME(long_solve_kept))(tasks, count,
                                                                         j->cpu->recipe.tuning.threads, odd);
    for (int i = 0; i < count; ++i) {
        int64_t row = odd[i] ? SB_NAME(vector_not_finite)((sb_vector){tasks[i].x, s.x_stride}, p->n) : -1;
        j->cpu->systems[first + i] =
            (sb_system_record){.row = row, .status = row < 0 ? SLIMBAND_OK : SLIMBAND_SOLUTION_NOT_FINITE};
    }
    return count;
}

/* Lines first..end-1 in one pass, for one system. False if what is dropped of one of them is not below rounding, if its elements
   grow, or if it has no solution in numbers, and where right-hand sides would be lost by then: each is for itself. */
static bool solve_joined(const sb_job *j, int slice, int64_t first, int64_t end)
{
    const slimband_problem *p = &j->plan->problem;
    int64_t offset = first * p->n;
    if (end - first < 2 || j->b == j->x)
        return false;
    job_of_system s = {.plan = j->plan,
                       .slice = slice,
                       .lines = end - first,
                       .A = SB_NAME(matrix_at)(p, j->diagonals, first),
                       .b = {j->b + offset, 1},
                       .x = j->x + offset,
                       .x_stride = 1};
    s.A.first = s.A.total = p->n * s.lines;
    sb_long_outcome outcome;
    if (!truncate(&s, &outcome) || outcome.not_finite >= 0)
        return false;
    for (int64_t i = first; i < end; ++i) {
        j->cpu->matrices[i] = matrix_record(&j->cpu->recipe, &outcome);
        j->cpu->systems[i] = (sb_system_record){.row = -1};
    }
    return true;
}

/* How many go together: joined lines, or those that share factors. */
static int64_t group_of(const sb_job *j)
{
    return j->diagonals ? j->cpu->chunked.joined : j->cpu->chunked.group;
}

/* Did it fail? */
static bool concluded(const sb_job *j, int64_t system)
{
    const bool failed = j->cpu->systems[system].status != SLIMBAND_OK;
    if (failed)
        spoil(&j->plan->problem, j->x, system);
    return failed;
}

static bool solve_alone(const sb_job *j, int slice, int64_t system)
{
    j->cpu->systems[system] = solve_system(j, slice, system);
    return concluded(j, system);
}

/* Do lines fill a vector of lanes? Then those that can't be joined go so, in fewer words than partition moves. */
static bool fill_lanes(const sb_job *j, int64_t first, int64_t end)
{
    const sb_wide *wide = j->cpu->wide.kernels;
    return j->diagonals && wide && end - first >= wide->width;
}

/* A group of systems from `first` on. Returns the first that failed, or INT64_MAX. */
static int64_t settle(const sb_job *j, int slice, int64_t first)
{
    int64_t failed = INT64_MAX, end = first + group_of(j);
    end = end < j->plan->systems ? end : j->plan->systems;
    if (j->diagonals && solve_joined(j, slice, first, end))
        return failed;
    if (fill_lanes(j, first, end))
        return SB_NAME(solve_in_lanes)(j, slice, first, end, solve_alone);
    for (int64_t s = first; s < end;)
        if (solved_by_factors(j, s))
            s += solve_together(j, slice, s, end);
        else {
            j->cpu->systems[s] = solve_system(j, slice, s);
            ++s;
        }
    for (int64_t s = first; s < end; ++s)
        if (concluded(j, s))
            failed = sb_first_row(failed, s);
    return failed;
}

/* One thread opens no region, as in batch.c: a system's own region would be a nested one. */
static int64_t each_system(const sb_job *j)
{
    int threads = j->cpu->threads;
    int64_t failed = INT64_MAX, systems = j->plan->systems, group = group_of(j);
    for (int64_t s = 0; threads <= 1 && s < systems; s += group)
        failed = sb_first_row(failed, settle(j, 0, s));
    if (threads <= 1)
        return failed == INT64_MAX ? -1 : failed;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(min : failed)
    for (int64_t s = 0; s < systems; s += group)
        failed = sb_first_row(failed, settle(j, omp_get_thread_num(), s));
    return failed == INT64_MAX ? -1 : failed;
}

static int64_t solve(const slimband_plan *plan, sb_solve op, const void *b, void *x)
{
    const sb_cpu *cpu = plan->state;
    if (!cpu->chunked.kernels)
        return SB_NAME(drivers).solve(plan, op, b, x);
    sb_job j = {.plan = plan,
                .cpu = cpu,
                .op = op == SB_SOLVE ? SB_PLAIN : SB_TRANSPOSED,
                .conjugate = SB_COMPLEX && op == SB_SOLVE_ADJOINT,
                .b = b,
                .x = x};
    return each_system(&j);
}

static int64_t factor_solve(const slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    const sb_cpu *cpu = plan->state;
    if (!cpu->chunked.kernels)
        return SB_NAME(drivers).factor_solve(plan, diagonals, b, x);
    if (plan->matrices < plan->systems) {
        factor(plan, diagonals);
        return solve(plan, SB_SOLVE, b, x);
    }
    sb_job j = {.plan = plan, .cpu = cpu, .diagonals = diagonals, .op = SB_PLAIN, .b = b, .x = x};
    return each_system(&j);
}

const sb_drivers SB_NAME(chunked_drivers) = {.prepare = SB_NAME(long_prepare),
                                             .stored = stored,
                                             .scratch = scratch,
                                             .factor = factor,
                                             .solve = solve,
                                             .factor_solve = factor_solve};
