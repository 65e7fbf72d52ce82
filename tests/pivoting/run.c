#include "run.h"

extern const sb_engine SB_NAME(pivoted_lu);

static const sb_tuning tuning = {.threads = 1};

factored factor_band(const band *A)
{
    int width = A->lower + 1 + A->upper;
    sb_matrix matrix = {
        .n = A->n, .lower = A->lower, .upper = A->upper, .stride = width, .first = A->n, .total = A->n};
    for (int d = 0; d < width; ++d)
        matrix.diagonal[d] = A->rows + d;
    size_t bytes = SB_NAME(pivoted_lu).stored(A->n, A->lower, A->upper, &tuning);
    factored F = {.A = A, .factors = malloc(bytes)};
    assert_non_null(F.factors);
    memset(F.factors, 0xff, bytes);
    F.outcome = SB_NAME(pivoted_lu).factor(&matrix, F.factors, &tuning);
    return F;
}

void drop_factored(factored *F)
{
    free(F->factors);
}

T *solve_band(const factored *F, sb_op op, const T *b)
{
    const band *A = F->A;
    T *x = copy_vector(A->n, b);
    int64_t row = SB_NAME(pivoted_lu).solve(NULL, F->factors, op, A->n, A->lower, A->upper, x, NULL, &tuning);
    assert_int_equal(row, -1);
    return x;
}

void assert_solves(const band *A, double roundings, uint64_t seed)
{
    factored F = factor_band(A);
    T *b = draw_vector(A->n, seed + 1);
    for (sb_op op = SB_PLAIN; op <= SB_TRANSPOSED; ++op) {
        T *x = solve_band(&F, op, b);
        double error = backward_error(A, op == SB_PLAIN ? 'N' : 'T', x, b);
        if (F.outcome.row >= 0 || !(error <= roundings * EPSILON))
            fail_msg("n %d, band %d + %d, op %d, seed %llu: row %lld, error %g", A->n, A->lower, A->upper,
                     (int)op, (unsigned long long)seed, (long long)F.outcome.row, error);
        free(x);
    }
    free(b);
    drop_factored(&F);
}
