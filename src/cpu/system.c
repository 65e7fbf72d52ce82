/* One system from its matrix to its answer.
 *
 * Pivoting `auto` tries the method's own route first. An engine that measures growth is believed while rounding
 * errors stay within `sb_growth_limit` times those of the row itself; for the others the matrix must be diagonally
 * dominant, by the margin that the engine needs. Otherwise the system takes the second route, partial pivoting,
 * which solves whatever can be solved.
 */
#include "src/cpu/system.h"

#include <string.h>

#include "src/cpu/kernels/lines.h"
#include "src/cpu/kernels/residual.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/route.h"

typedef struct choice {
    const sb_route *route;
    const sb_engine *engine;
} choice;

static choice choose(const sb_recipe *recipe, int64_t n, bool fallback)
{
    const sb_engine *engine = fallback ? recipe->pivoted : recipe->engine;
    if (!recipe->periodic || (recipe->lower == 0 && recipe->upper == 0))
        return (choice){&SB_NAME(open), engine};
    if (!engine->pivots && sb_ring_fits(n, recipe->lower, recipe->upper))
        return (choice){&SB_NAME(ring), engine};
    return (choice){&SB_NAME(fold), recipe->pivoted};
}

static bool may_fall_back(const sb_recipe *recipe)
{
    const sb_engine *engine = recipe->engine;
    return recipe->pivoting == SLIMBAND_PIVOT_AUTO && !engine->pivots;
}

typedef size_t measure(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning);

/* The larger of what the routes need that a system may take. */
static size_t over_routes(const sb_recipe *recipe, int64_t n, measure *(*of)(const sb_route *))
{
    size_t most = 0;
    for (int fallback = 0; fallback <= may_fall_back(recipe); ++fallback) {
        choice c = choose(recipe, n, fallback);
        size_t need = of(c.route)(c.engine, n, recipe->lower, recipe->upper, &recipe->tuning);
        most = need > most ? need : most;
    }
    return sb_round(most);
}

static measure *stored_of(const sb_route *route)
{
    return route->stored;
}

static measure *scratch_of(const sb_route *route)
{
    return route->scratch;
}

/* Rows of a matrix copy: all, or those of a Toeplitz matrix that differ and the one that repeats. */
static int64_t copied_rows(const sb_recipe *recipe, int64_t n)
{
    return recipe->toeplitz ? recipe->first + 1 + recipe->last : n;
}

size_t SB_NAME(system_stored)(const sb_recipe *recipe, int64_t n)
{
    if (n == 0)
        return 0;
    size_t copy = (size_t)copied_rows(recipe, n) * (size_t)(recipe->lower + 1 + recipe->upper) * sizeof(T);
    return over_routes(recipe, n, stored_of) + (recipe->keeps_matrix ? sb_round(copy) : 0);
}

size_t SB_NAME(system_scratch)(const sb_recipe *recipe, int64_t n)
{
    if (n == 0)
        return 0;
    size_t refine = recipe->refinements ? 2 * sb_round((size_t)n * sizeof(T)) : 0;
    return over_routes(recipe, n, scratch_of) + refine;
}

static R modulus(T z)
{
#if SB_COMPLEX
    return (R)cabs(z);
#else
    return sb_abs1(z);
#endif
}

typedef struct dominance {
    const sb_matrix *A;
    R least; /* of the diagonal over the sum of the others */
} dominance;

/* Up to SIDE rows with entries of their own, all couplings there: side by side, for the compiler's vectors. */
enum { SIDE = 64 };

static bool weak_among(const dominance *w, int64_t i, int64_t count)
{
    const sb_matrix *A = w->A;
    R sum[SIDE] = {0};
    bool weak = false;
    for (int d = 0; d <= A->lower + A->upper; ++d)
        for (int64_t r = 0; r < count && d != A->lower; ++r)
            sum[r] += modulus(A->diagonal[d][(i + r) * A->stride]);
    for (int64_t r = 0; r < count; ++r)
        weak |= !(modulus(A->diagonal[A->lower][(i + r) * A->stride]) >= w->least * sum[r]);
    return weak;
}

static bool weak_row(const dominance *w, int64_t i)
{
    const sb_matrix *A = w->A;
    R sum = 0;
    for (int k = -A->lower; k <= A->upper; ++k)
        if (k != 0 && (A->periodic || (i + k >= 0 && i + k < A->n)))
            sum += modulus(sb_at(A, i, k));
    return !(modulus(sb_at(A, i, 0)) >= w->least * sum);
}

static int64_t weak_span(const void *work, int64_t begin, int64_t end)
{
    const dominance *w = work;
    int64_t inner = sb_first_row(sb_first_row(w->A->n - w->A->upper, w->A->first), end);
    for (int64_t i = begin, count; i < end; i += count) {
        bool side_by_side = i >= w->A->lower && i < inner;
        count = side_by_side ? sb_first_row(inner - i, SIDE) : 1;
        if (side_by_side ? weak_among(w, i, count) : weak_row(w, i))
            return i;
    }
    return SB_NO_ROW;
}

/* Dominant by rows with a margin, couplings around the ring included. */
static bool dominant(const sb_matrix *A, double margin, int threads)
{
    dominance w = {A, (R)(1 + margin)};
    return sb_spread(weak_span, &w, A->n, A->n, threads) == SB_NO_ROW;
}

int64_t SB_NAME(first_row_not_finite)(const sb_matrix *A)
{
    for (int64_t i = 0; i < A->n; ++i)
        for (int k = -A->lower; k <= A->upper; ++k)
            if ((A->periodic || (i + k >= 0 && i + k < A->n)) && !sb_finite(sb_at(A, i, k)))
                return i;
    return -1;
}

/* A's entries, row after row, behind the factors; and the matrix that they make. */
static T *copy_at(const sb_recipe *recipe, int64_t n, const void *store)
{
    return (T *)((char *)store + over_routes(recipe, n, stored_of));
}

static void keep_matrix(const sb_recipe *recipe, const sb_matrix *A, void *store)
{
    int diagonals = A->lower + 1 + A->upper;
    T *copy = copy_at(recipe, A->n, store);
    if (A->first == A->total)
        SB_NAME(assemble)(A, copy, diagonals);
    else
        for (int64_t e = 0; e < copied_rows(recipe, A->n); ++e)
            for (int d = 0; d < diagonals; ++d)
                copy[e * diagonals + d] = A->diagonal[d][e * A->stride];
}

static sb_matrix kept_matrix(const sb_recipe *recipe, int64_t n, const void *store)
{
    int diagonals = recipe->lower + 1 + recipe->upper;
    const T *copy = copy_at(recipe, n, store);
    sb_matrix A = {.n = n,
                   .lower = recipe->lower,
                   .upper = recipe->upper,
                   .periodic = recipe->periodic,
                   .stride = diagonals,
                   .first = recipe->toeplitz ? recipe->first : n,
                   .last = recipe->toeplitz ? recipe->last : 0,
                   .total = n};
    for (int d = 0; d < diagonals; ++d)
        A.diagonal[d] = copy + d;
    return A;
}

static sb_outcome factor_by(choice c, const sb_recipe *recipe, const sb_matrix *A, void *store, void *scratch,
                            sb_matrix_record *record)
{
    sb_outcome outcome = c.route->factor(c.engine, A, store, scratch, &recipe->tuning);
    record->row = outcome.row;
    record->growth = outcome.growth;
    record->pivoted = c.engine->pivots;
    record->status = outcome.row < 0 ? SLIMBAND_OK : c.engine->pivots ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN;
    return outcome;
}

/* doubted: the engine has given up already, so that the second route, if there is one, is all that is left. */
static void factor_system(const sb_recipe *recipe, const sb_matrix *A, bool doubted, void *store, void *scratch,
                          sb_matrix_record *record)
{
    *record = (sb_matrix_record){.row = -1};
    if (A->n == 0)
        return;
    if (recipe->check_finite && (record->row = SB_NAME(first_row_not_finite)(A)) >= 0) {
        record->status = SLIMBAND_NOT_FINITE;
        return;
    }
    if (recipe->keeps_matrix)
        keep_matrix(recipe, A, store);
    choice first = choose(recipe, A->n, false);
    bool wary = may_fall_back(recipe) && !first.engine->pivots;
    bool safe = !wary || (!doubted && (first.engine->measures_growth ||
                                       dominant(A, first.engine->margin, recipe->tuning.threads)));
    if (safe) {
        sb_outcome outcome = factor_by(first, recipe, A, store, scratch, record);
        safe = !wary || (outcome.row < 0 && outcome.growth <= sb_growth_limit);
    }
    if (!safe) {
        factor_by(choose(recipe, A->n, true), recipe, A, store, scratch, record);
        record->fallback = true;
    }
}

void SB_NAME(system_factor)(const sb_recipe *recipe, const sb_matrix *A, void *store, void *scratch,
                            sb_matrix_record *record)
{
    factor_system(recipe, A, false, store, scratch, record);
}

static void fill(T *x, int64_t n, T value)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = value;
}

/* x += A^-1 (b - A x), as often as the recipe says; b and r are scratch of n entries each. */
static int64_t solve_refined(const sb_recipe *recipe, choice c, const sb_matrix *A, const void *store, sb_op op,
                             T *x, void *scratch)
{
    int64_t n = A->n, row = -1;
    size_t vector = sb_round((size_t)n * sizeof(T));
    T *b = scratch, *r = (T *)((char *)scratch + vector);
    void *rest = (char *)scratch + 2 * vector;
    sb_matrix view = op == SB_PLAIN ? *A : SB_NAME(transpose)(A);
    memcpy(b, x, (size_t)n * sizeof(T));
    row = c.route->solve(c.engine, A, store, op, n, A->lower, A->upper, x, rest, &recipe->tuning);
    for (int step = 0; step < recipe->refinements && row < 0; ++step) {
        SB_NAME(residual)(&view, b, x, r);
        row = c.route->solve(c.engine, A, store, op, n, A->lower, A->upper, r, rest, &recipe->tuning);
        for (int64_t i = 0; i < n; ++i)
            x[i] += r[i];
    }
    return row;
}

static int64_t first_odd(const void *x, int64_t begin, int64_t end)
{
    int64_t row = SB_NAME(first_not_finite)((const T *)x + begin, end - begin);
    return row < 0 ? SB_NO_ROW : begin + row;
}

static int64_t first_not_finite(const sb_recipe *recipe, const T *x, int64_t n)
{
    int64_t row = sb_spread(first_odd, x, n, n, recipe->tuning.threads);
    return row == SB_NO_ROW ? -1 : row;
}

/* NaN throughout if it failed, also if x is no solution. */
static sb_system_record concluded(const sb_recipe *recipe, sb_system_record result, T *x, int64_t n)
{
    if (!result.status && (result.row = first_not_finite(recipe, x, n)) >= 0)
        result.status = SLIMBAND_SOLUTION_NOT_FINITE;
    if (result.status)
        fill(x, n, (T)NAN);
    return result;
}

sb_system_record SB_NAME(system_solve)(const sb_recipe *recipe, const sb_matrix *A, int64_t n,
                                       const void *store, const sb_matrix_record *record, sb_op op, T *x,
                                       void *scratch)
{
    sb_system_record result = {.row = record->row, .status = record->status};
    if (n == 0)
        return result;
    if (!result.status && recipe->check_finite && (result.row = first_not_finite(recipe, x, n)) >= 0)
        result.status = SLIMBAND_NOT_FINITE;
    if (!result.status) {
        choice c = choose(recipe, n, record->fallback);
        sb_matrix kept;
        if (!A && recipe->keeps_matrix) {
            kept = kept_matrix(recipe, n, store);
            A = &kept;
        }
        if (recipe->refinements && A)
            result.row = solve_refined(recipe, c, A, store, op, x, scratch);
        else
            result.row = c.route->solve(c.engine, A, store, op, n, recipe->lower, recipe->upper, x, scratch,
                                        &recipe->tuning);
        if (result.row >= 0)
            result.status = recipe->pivoting == SLIMBAND_PIVOT_AUTO ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN;
    }
    return concluded(recipe, result, x, n);
}

static bool goes_at_once(const sb_recipe *recipe, const sb_matrix *A)
{
    if (A->n == 0 || A->transposed || A->first != A->total || recipe->refinements)
        return false;
    const choice c = choose(recipe, A->n, false);
    return c.route == &SB_NAME(open) && c.engine->once;
}

/* Pivots where the engine has refused: also where unknowns left the type's range on its way. */
sb_system_record SB_NAME(system_solve_once)(const sb_recipe *recipe, const sb_matrix *A, void *store,
                                            sb_matrix_record *record, T *x, void *scratch)
{
    const bool at_once = goes_at_once(recipe, A);
    if (at_once) {
        const sb_engine *engine = recipe->engine;
        *record = (sb_matrix_record){.row = -1};
        if (engine->once(A, store, x, may_fall_back(recipe) ? sb_growth_limit : INFINITY, &record->growth))
            return concluded(recipe, (sb_system_record){.row = -1}, x, A->n);
    }
    factor_system(recipe, A, at_once, store, scratch, record);
    return SB_NAME(system_solve)(recipe, A, A->n, store, record, SB_PLAIN, x, scratch);
}
