/* Periodic systems of any size, folded: taking the unknowns in the order 0, n-1, 1, n-2, ... brings neighbours
 * on the ring to within 2 m places of each other, m = max(lower, upper). The folded matrix is an open band of
 * width 2 m on both sides, and an engine that pivots makes it as safe as any open one. Couplings that coincide
 * because n is small fall on the same entry and add up. */
#include <string.h>

#include "src/cpu/route.h"

static int64_t place(int64_t i, int64_t n)
{
    return i < n - i ? 2 * i : 2 * (n - 1 - i) + 1;
}

static int64_t unknown_at(int64_t place, int64_t n)
{
    return place % 2 == 0 ? place / 2 : n - 1 - place / 2;
}

static int folded_bandwidth(int64_t n, int lower, int upper)
{
    int m = lower > upper ? lower : upper;
    return n - 1 < 2 * m ? (int)(n - 1) : 2 * m;
}

static size_t stored(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    int k = folded_bandwidth(n, lower, upper);
    return engine->stored(n, k, k, tuning);
}

/* The folded matrix while factoring, the folded right-hand side while solving. */
static size_t scratch(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    int k = folded_bandwidth(n, lower, upper);
    return sb_round((size_t)n * (size_t)(2 * k + 1) * sizeof(T)) + engine->scratch(n, k, k, tuning);
}

static sb_outcome factor(const sb_engine *engine, const sb_matrix *A, void *factors, void *memory,
                         const sb_tuning *tuning)
{
    int k = folded_bandwidth(A->n, A->lower, A->upper);
    int64_t width = 2 * k + 1;
    T *rows = memory;
    memset(rows, 0, (size_t)(A->n * width) * sizeof(T));
    for (int64_t i = 0; i < A->n; ++i)
        for (int d = -A->lower; d <= A->upper; ++d) {
            int64_t row = place(i, A->n), column = place(sb_wrap(i + d, A->n), A->n);
            bool taken;
            T entry = (T)sb_coupling(A, i, d, &taken);
            if (!taken)
                rows[row * width + k + column - row] = entry;
        }
    sb_matrix folded = {.n = A->n, .lower = k, .upper = k, .stride = width, .first = A->n, .total = A->n};
    for (int d = 0; d < width; ++d)
        folded.diagonal[d] = rows + d;
    sb_outcome outcome = engine->factor(&folded, factors, tuning);
    outcome.row = outcome.row < 0 ? -1 : unknown_at(outcome.row, A->n);
    return outcome;
}

static int64_t solve(const sb_engine *engine, const sb_matrix *A, const void *factors, sb_op op, int64_t n,
                     int lower, int upper, T *x, void *memory, const sb_tuning *tuning)
{
    (void)A;
    int k = folded_bandwidth(n, lower, upper);
    T *folded = memory;
    size_t used = sb_round((size_t)n * sizeof(T));
    for (int64_t i = 0; i < n; ++i)
        folded[place(i, n)] = x[i];
    int64_t row = engine->solve(NULL, factors, op, n, k, k, folded, (char *)memory + used, tuning);
    for (int64_t i = 0; i < n; ++i)
        x[i] = folded[place(i, n)];
    return row < 0 ? -1 : unknown_at(row, n);
}

const sb_route SB_NAME(fold) = {.stored = stored, .scratch = scratch, .factor = factor, .solve = solve};
