/* Residuals and backward errors of one system. */
#include "src/cpu/kernels/residual.h"

static WR wide_abs(WT z)
{
#if SB_COMPLEX
    return (WR)hypotl(creall(z), cimagl(z));
#else
    return z < 0 ? -z : z;
#endif
}

/* Row i of b - A x; the sums of |A| and of |A| |x| along it on request. */
static WT row_residual(const sb_matrix *A, int64_t i, WT b, sb_vector x, WR *size, WR *weight)
{
    for (int k = -A->lower; k <= A->upper; ++k) {
        int64_t j = A->periodic ? sb_wrap(i + k, A->n) : i + k;
        if (j < 0 || j >= A->n)
            continue;
        bool taken;
        WT a = sb_coupling(A, i, k, &taken), xj = x.at[j * x.stride];
        if (taken)
            continue;
        b -= a * xj;
        if (size) {
            *size += wide_abs(a);
            *weight += wide_abs(a) * wide_abs(xj);
        }
    }
    return b;
}

void SB_NAME(residual)(const sb_matrix *A, const T *b, const T *x, T *r)
{
    for (int64_t i = 0; i < A->n; ++i)
        r[i] = (T)row_residual(A, i, b[i], (sb_vector){x, 1}, NULL, NULL);
}

/* a / b with 0 / 0 = 0; anything that is no number is an infinite error. */
static double ratio(WR a, WR b)
{
    WR quotient = a == 0 ? 0 : a / b;
    return quotient >= 0 ? (double)quotient : (double)INFINITY;
}

static WR larger(WR a, WR b)
{
    return a >= b ? a : b;
}

/* Largest values are the same in any order, so threads change nothing; within a parallel region there is only one. */
sb_system_error SB_NAME(backward_error)(const sb_matrix *A, sb_vector b, sb_vector x)
{
    enum { worth_threads = 1 << 20 };
    WR norm_r = 0, norm_a = 0, norm_x = 0, norm_b = 0;
    double componentwise = 0;
#pragma omp parallel for schedule(static) if (A->n >= worth_threads) \
    reduction(max                                                    \
              : norm_r, norm_a, norm_x, norm_b, componentwise)
    for (int64_t i = 0; i < A->n; ++i) {
        WR size = 0, weight = 0, bi = wide_abs(b.at[i * b.stride]);
        WR r = wide_abs(row_residual(A, i, b.at[i * b.stride], x, &size, &weight));
        double error = ratio(r, weight + bi);
        componentwise = error > componentwise ? error : componentwise;
        norm_r = larger(r, norm_r);
        norm_a = larger(size, norm_a);
        norm_b = larger(bi, norm_b);
        norm_x = larger(wide_abs(x.at[i * x.stride]), norm_x);
    }
    double normwise = ratio(norm_r, norm_a * norm_x + norm_b);
    return (sb_system_error){isinf(componentwise) ? (double)INFINITY : normwise, componentwise};
}
