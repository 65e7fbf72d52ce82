/* The batch drivers: lines are gathered, solved and put back, systems shared out among threads.
 *
 * A contiguous line is solved in place in the solution. Other lines go through a tile: neighbouring systems
 * gathered together, so that each cache line of an interleaved array is fetched once. */
#include <omp.h>

#include "src/cpu/batch.h"
#include "src/cpu/kernels/lines.h"
#include "src/cpu/kernels/residual.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/system.h"

sb_matrix SB_NAME(matrix_at)(const slimband_problem *p, const void *const *diagonals, int64_t matrix)
{
    bool toeplitz = p->coefficients == SLIMBAND_TOEPLITZ;
    int64_t n = p->ragged ? sb_length(p, matrix) : p->n, offset = sb_matrix_offset(p, matrix);
    sb_matrix A = {.n = n,
                   .lower = p->lower,
                   .upper = p->upper,
                   .periodic = p->ends == SLIMBAND_PERIODIC,
                   .stride = toeplitz ? 1 : p->matrix.line,
                   .first = toeplitz ? p->toeplitz_first : n,
                   .last = toeplitz ? p->toeplitz_last : 0,
                   .total = n};
    for (int d = 0; d <= p->lower + p->upper; ++d)
        A.diagonal[d] = (const T *)diagonals[d] + offset;
    return A;
}

/* One thread's memory: the gathered tile, a store if the plan keeps none, and what system.c wants. */
typedef struct memory {
    T *tile;
    void *store, *rest;
} memory;

static memory memory_of(const sb_cpu *cpu, int thread)
{
    char *base = cpu->scratch + (size_t)thread * cpu->scratch_bytes;
    return (memory){(T *)base, base + cpu->tile_bytes, base + cpu->tile_bytes + cpu->store_bytes};
}

void SB_NAME(factor_one)(const slimband_plan *plan, const void *const *diagonals, int thread, int64_t matrix)
{
    const sb_cpu *cpu = plan->state;
    sb_matrix A = SB_NAME(matrix_at)(&plan->problem, diagonals, matrix);
    SB_NAME(system_factor)
    (&cpu->recipe, &A, sb_store(cpu, matrix), memory_of(cpu, thread).rest, &cpu->matrices[matrix]);
}

static void factor(const slimband_plan *plan, const void *const *diagonals)
{
    const sb_cpu *cpu = plan->state;
    for (int64_t m = 0; cpu->threads <= 1 && m < plan->matrices; ++m)
        SB_NAME(factor_one)(plan, diagonals, 0, m);
    if (cpu->threads <= 1)
        return;
#pragma omp parallel for num_threads(cpu->threads) schedule(guided)
    for (int64_t m = 0; m < plan->matrices; ++m)
        SB_NAME(factor_one)(plan, diagonals, omp_get_thread_num(), m);
}

/* Solve one line in place. True if it failed. */
static bool solve_line(const sb_job *j, const memory *mem, int64_t system, T *line)
{
    const slimband_problem *p = &j->plan->problem;
    int64_t m = sb_matrix_of(p, system);
    sb_system_record *record = &j->cpu->systems[system];
    sb_matrix_record *matrix = &j->cpu->matrices[m];
    if (!j->diagonals) {
        *record = SB_NAME(system_solve)(&j->cpu->recipe, NULL, sb_length(p, system), sb_store(j->cpu, m),
                                        matrix, j->op, line, mem->rest);
        return record->status != SLIMBAND_OK;
    }
    sb_matrix A = SB_NAME(matrix_at)(p, j->diagonals, m);
    if (p->one_pass)
        *record = SB_NAME(system_solve_once)(&j->cpu->recipe, &A, mem->store, matrix, line, mem->rest);
    else {
        SB_NAME(system_factor)(&j->cpu->recipe, &A, sb_store(j->cpu, m), mem->rest, matrix);
        *record = SB_NAME(system_solve)(&j->cpu->recipe, &A, A.n, sb_store(j->cpu, m), matrix, j->op, line,
                                        mem->rest);
    }
    return record->status != SLIMBAND_OK;
}

static int64_t earlier(int64_t failed, int64_t system)
{
    return failed < 0 || system < failed ? system : failed;
}

typedef struct copy {
    const T *from;
    int64_t stride;
    T *to;
    bool conjugate;
} copy;

static int64_t copy_span(const void *work, int64_t begin, int64_t end)
{
    const copy *w = work;
    SB_NAME(copy_lines)
    (w->from + begin * w->stride, w->stride, 0, w->to + begin, 1, 0, end - begin, 1, w->conjugate);
    return SB_NO_ROW;
}

/* Lines of stride 1 in the solution: copy the right-hand side there and solve in place. */
static int64_t solve_contiguous(const sb_job *j, const memory *mem, int64_t system)
{
    const slimband_problem *p = &j->plan->problem;
    int64_t n = sb_length(p, system);
    T *line = j->x + sb_line_offset(p, &p->solution, system);
    int threads = j->cpu->recipe.tuning.threads;
    copy in = {j->b + sb_line_offset(p, &p->rhs, system), p->rhs.line, line, j->conjugate};
    copy back = {line, 1, line, true};
    if (in.from != line || j->conjugate)
        sb_spread(copy_span, &in, n, n, threads);
    bool failed = solve_line(j, mem, system, line);
    if (j->conjugate)
        sb_spread(copy_span, &back, n, n, threads);
    return failed ? system : -1;
}

/* `count` systems that follow one another along the last batch dimension. */
static int64_t solve_tile(const sb_job *j, const memory *mem, int64_t system, int64_t count)
{
    const slimband_problem *p = &j->plan->problem;
    int last = p->batch_rank - 1;
    int64_t n = sb_length(p, system), failed = -1;
    int64_t b_between = last >= 0 ? p->rhs.batch[last] : 0, x_between = last >= 0 ? p->solution.batch[last] : 0;
    SB_NAME(copy_lines)
    (j->b + sb_line_offset(p, &p->rhs, system), p->rhs.line, b_between, mem->tile, 1, n, n, count,
     j->conjugate);
    for (int64_t s = 0; s < count; ++s)
        if (solve_line(j, mem, system + s, mem->tile + s * n))
            failed = earlier(failed, system + s);
    SB_NAME(copy_lines)
    (mem->tile, 1, n, j->x + sb_line_offset(p, &p->solution, system), p->solution.line, x_between, n, count,
     j->conjugate);
    return failed;
}

bool SB_NAME(solve_one)(const sb_job *j, int thread, int64_t system)
{
    memory mem = memory_of(j->cpu, thread);
    bool tiled = j->plan->problem.solution.line != 1;
    return (tiled ? solve_tile(j, &mem, system, 1) : solve_contiguous(j, &mem, system)) >= 0;
}

/* Tiles of up to `width` systems of a row of them; lines of stride 1 are tiles by themselves. */
typedef struct tiles {
    bool gathered;
    int64_t row, width, per_row, count;
} tiles;

static tiles tiles_of(const sb_job *j)
{
    const slimband_problem *p = &j->plan->problem;
    tiles t = {.gathered = p->solution.line != 1, .row = 1, .width = 1};
    if (t.gathered && p->batch_rank)
        t.row = p->batch[p->batch_rank - 1];
    if (t.gathered)
        t.width = j->cpu->tile;
    t.per_row = (t.row + t.width - 1) / t.width;
    t.count = j->plan->systems / t.row * t.per_row;
    return t;
}

/* The first system of tile `number` that failed, or INT64_MAX. */
static int64_t run_tile(const sb_job *j, const tiles *t, const memory *mem, int64_t number)
{
    int64_t from = number % t->per_row * t->width, left = t->row - from,
            count = left < t->width ? left : t->width;
    int64_t system = number / t->per_row * t->row + from;
    int64_t bad = t->gathered ? solve_tile(j, mem, system, count) : solve_contiguous(j, mem, system);
    return bad >= 0 ? bad : INT64_MAX;
}

/* One thread opens no region: OpenMP counts even a region of one as a level, and libgomp makes new threads, each time,
   for what a method shares out inside of it. */
static int64_t run(const sb_job *j)
{
    const sb_cpu *cpu = j->cpu;
    tiles t = tiles_of(j);
    int64_t failed = INT64_MAX;
    if (cpu->threads <= 1) {
        memory mem = memory_of(cpu, 0);
        for (int64_t number = 0; number < t.count; ++number)
            failed = sb_first_row(failed, run_tile(j, &t, &mem, number));
        return failed == INT64_MAX ? -1 : failed;
    }
#pragma omp parallel num_threads(cpu->threads)
    {
        memory mem = memory_of(cpu, omp_get_thread_num());
#pragma omp for schedule(guided) reduction(min : failed)
        for (int64_t number = 0; number < t.count; ++number)
            failed = sb_first_row(failed, run_tile(j, &t, &mem, number));
    }
    return failed == INT64_MAX ? -1 : failed;
}

static int64_t solve(const slimband_plan *plan, sb_solve op, const void *b, void *x)
{
    sb_job j = {.plan = plan,
                .cpu = plan->state,
                .op = op == SB_SOLVE ? SB_PLAIN : SB_TRANSPOSED,
                .conjugate = SB_COMPLEX && op == SB_SOLVE_ADJOINT, /* A^H x = b is A^T conj(x) = conj(b) */
                .b = b,
                .x = x};
    return run(&j);
}

/* Systems that share their matrix have it factored once, before. */
static int64_t factor_solve(const slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    if (plan->matrices < plan->systems) {
        factor(plan, diagonals);
        return solve(plan, SB_SOLVE, b, x);
    }
    sb_job j = {.plan = plan, .cpu = plan->state, .diagonals = diagonals, .op = SB_PLAIN, .b = b, .x = x};
    return run(&j);
}

static void backward_error(const slimband_problem *p, const void *const *diagonals, const void *b,
                           const void *x, slimband_backward_error *error)
{
    enum { WORTH_THREADS = 1 << 20 };
    *error = (slimband_backward_error){.system = -1};
    for (int64_t s = 0, systems = slimband_systems(p); s < systems; ++s) {
        sb_matrix A = SB_NAME(matrix_at)(p, diagonals, sb_matrix_of(p, s));
        sb_vector rhs = {(const T *)b + sb_line_offset(p, &p->rhs, s), p->rhs.line};
        sb_vector solution = {(const T *)x + sb_line_offset(p, &p->solution, s), p->solution.line};
        sb_system_error e =
            SB_NAME(backward_error)(&A, rhs, solution, A.n < WORTH_THREADS ? 1 : omp_get_max_threads());
        if (error->system < 0 || e.normwise > error->normwise) {
            error->normwise = e.normwise;
            error->system = s;
        }
        error->componentwise = e.componentwise > error->componentwise ? e.componentwise : error->componentwise;
    }
}

const sb_drivers SB_NAME(drivers) = {.stored = SB_NAME(system_stored),
                                     .scratch = SB_NAME(system_scratch),
                                     .factor = factor,
                                     .solve = solve,
                                     .factor_solve = factor_solve,
                                     .backward_error = backward_error};
