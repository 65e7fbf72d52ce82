/* Tridiagonal elimination without pivoting (Thomas). A = L D (I + C): row i keeps
 *
 *     l_i = a_i / u_{i-1},  r_i = 1 / u_i,  c_i / u_i    with  u_i = b_i - l_i c_{i-1},
 *
 * so that a solve divides by nothing: y_i = b_i - l_i y_{i-1} forwards, x_i = r_i y_i - (c_i / u_i) x_{i+1}
 * backwards. Words a row: factor 3 in 3 out; solve 3 of factors + x twice in and out (2 + 2). Rounding errors
 * are bounded row by row by |l_i c_{i-1}|: the growth that is measured, beside a_i and b_i. Beside c_i it would say nothing of
 * x_{i-1} where x_{i+1} is in other units. */
#include "src/chunk/growth.h"
#include "src/cpu/kernels/needs.h"

static sb_outcome factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)tuning;
    T *row = factors;
    SB_NAME(assemble)(A, row, 3);
    sb_outcome outcome = {.row = -1};
    R growth = 0;
    T r = 0, c = 0, scaled_c = 0;
    for (int64_t i = 0; i < A->n; ++i, row += 3) {
        T l = row[0] * r, lc = l * c;
        growth = sb_grow(growth, sb_abs1(lc), sb_beside_own(sb_abs1(row[0]), sb_abs1(row[1])));
        T u = row[1] - lc;
        c = row[2];
        r = 1 / u;
        scaled_c = c * r;
        if (outcome.row < 0 && !(sb_finite(r) && sb_finite(scaled_c) && sb_finite(u)))
            outcome.row = i;
        row[0] = l;
        row[1] = r;
        row[2] = scaled_c;
    }
    outcome.growth = growth;
    return outcome;
}

static void solve_plain(int64_t n, const T *rows, T *x)
{
    T y = 0;
    for (int64_t i = 0; i < n; ++i)
        x[i] = y = x[i] - rows[3 * i] * y;
    for (int64_t i = n - 1; i >= 0; --i)
        x[i] = y = rows[3 * i + 1] * x[i] - (i == n - 1 ? 0 : rows[3 * i + 2] * y);
}

/* transpose(A) = (I + C)^T D L^T */
static void solve_transposed(int64_t n, const T *rows, T *x)
{
    T y = 0;
    for (int64_t i = 0; i < n; ++i)
        x[i] = y = x[i] - (i == 0 ? 0 : rows[3 * i - 1] * y);
    for (int64_t i = n - 1; i >= 0; --i)
        x[i] = y = rows[3 * i + 1] * x[i] - (i == n - 1 ? 0 : rows[3 * i + 3] * y);
}

static int64_t solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper, T *x,
                     void *memory, const sb_tuning *tuning)
{
    (void)A, (void)lower, (void)upper, (void)memory, (void)tuning;
    (op == SB_PLAIN ? solve_plain : solve_transposed)(n, factors, x);
    return -1;
}

const sb_engine SB_NAME(thomas) = {.measures_growth = true,
                                   .stored = sb_band_stored,
                                   .scratch = sb_no_scratch,
                                   .factor = factor,
                                   .solve = solve};
