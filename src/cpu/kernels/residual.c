/* Residuals and backward errors of one system. */
#include "src/cpu/kernels/residual.h"

#include "src/cpu/team.h"

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

/* The largest values of some rows. */
typedef struct largest {
    WR r, a, x, b;
    double componentwise;
} largest;

static void meet_row(largest *l, const sb_matrix *A, sb_vector b, sb_vector x, int64_t i)
{
    WR size = 0, weight = 0, bi = wide_abs(b.at[i * b.stride]);
    WR r = wide_abs(row_residual(A, i, b.at[i * b.stride], x, &size, &weight));
    double error = ratio(r, weight + bi);
    l->componentwise = error > l->componentwise ? error : l->componentwise;
    l->r = larger(r, l->r);
    l->a = larger(size, l->a);
    l->b = larger(bi, l->b);
    l->x = larger(wide_abs(x.at[i * x.stride]), l->x);
}

/* Rows met by a team. */
typedef struct meeting {
    const sb_matrix *A;
    sb_vector b, x;
    largest all;
} meeting;

/* Largest values are the same in any order, so threads change nothing. No reductions: clang makes calls to libatomic of
   those of long double. */
static void meet_part(void *work, int part, int parts)
{
    meeting *m = work;
    largest own = {0};
    for (int64_t i = m->A->n * part / parts; i < m->A->n * (part + 1) / parts; ++i)
        meet_row(&own, m->A, m->b, m->x, i);
    if (parts == 1) {
        m->all = own;
        return;
    }
#pragma omp critical(sb_backward_error)
    m->all = (largest){larger(own.r, m->all.r), larger(own.a, m->all.a), larger(own.x, m->all.x),
                       larger(own.b, m->all.b),
                       own.componentwise > m->all.componentwise ? own.componentwise : m->all.componentwise};
}

sb_system_error SB_NAME(backward_error)(const sb_matrix *A, sb_vector b, sb_vector x, int threads)
{
    static sb_pass *const passes[] = {meet_part};
    meeting m = {.A = A, .b = b, .x = x};
    sb_in_team(threads, 1, passes, &m);
    double normwise = ratio(m.all.r, m.all.a * m.all.x + m.all.b);
    return (sb_system_error){isinf(m.all.componentwise) ? (double)INFINITY : normwise, m.all.componentwise};
}
