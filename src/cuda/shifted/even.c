/* The numbers of even systems: even.h. */
#include "src/cuda/shifted/even.h"

/* A row at an end, to be divided by its coupling; coupling < 0. */
typedef struct end {
    double diagonal, coupling;
} end;

static end end_of(const sb_tridiagonal *m, bool behind)
{
    int64_t i = behind ? m->n - 1 : 0;
    return (end){m->diagonal[i], behind ? m->lower[i] : m->upper[i]};
}

/* Of the rows that are alike. A sum that rounding made negative is none. */
static double excess_of(const sb_tridiagonal *m, double shift)
{
    double c = -m->upper[1];
    return fmax(0, (shift + (m->diagonal[1] - 2 * c)) / c);
}

static bool rows_alike(const sb_tridiagonal *m)
{
    for (int64_t i = 1; i < m->n - 1; ++i)
        if (m->lower[i] != m->upper[1] || m->upper[i] != m->upper[1] || m->diagonal[i] != m->diagonal[1])
            return false;
    return true;
}

bool sb_even_fits(const sb_tridiagonal *m)
{
    if (m->n < 3 || !rows_alike(m))
        return false;
    const double least = 1e-290, most = 1e290,
                 ratio = 8; /* reciprocals and factors of f32's rows do not overflow */
    double c = -m->upper[1], first = -end_of(m, false).coupling, last = -end_of(m, true).coupling;
    return c >= least && c <= most && c <= ratio * first && first <= ratio * c && c <= ratio * last &&
           last <= ratio * c;
}

/* Sum of mu^2 + mu^4 + .. + mu^(2 m), with l = log mu. */
static double even_powers(double l, double m)
{
    return l < 0 ? exp(2 * l) * expm1(2 * m * l) / expm1(2 * l) : m;
}

/* How dominant an end is where the rows between are tight. */
static double margin(const sb_tridiagonal *m, const end *e)
{
    return (e->diagonal - (m->diagonal[1] + 2 * m->upper[1])) / -e->coupling - 1;
}

/* A mode: its ends' diagonals over their couplings, and what is derived from t. */
typedef struct mode {
    double t, rho, mu, l, first, epsilon, last, beta, response;
} mode;

static mode mode_of(const sb_tridiagonal *m, const end *first, const end *last, double shift, bool singular)
{
    double t = singular ? 0 : excess_of(m, shift), root = sqrt(t + t * t / 4), rho = 1 + t / 2 + root,
           mu = 1 / rho;
    double l = log(mu); /* of mu as it was rounded: chunks and corrections must agree to the last digit */
    mode x = {.t = t, .rho = rho, .mu = mu, .l = l, .first = (first->diagonal + shift) / -first->coupling};
    x.epsilon = x.first - rho;
    x.last = (last->diagonal + shift) / -last->coupling;
    x.beta = singular ? -1 : (2 + t - x.last) / (x.last - mu);
    /* x'_0 where g is 1 in row 0, else 0 */
    x.response = even_powers(l, (double)m->n) / mu + x.beta * exp((double)(2 * m->n - 1) * l);
    return x;
}

static double loss_of(const sb_tridiagonal *m, const mode *x, double shift)
{
    const double most = 1e100; /* its square is finite, mu no less than tiny */
    double correction = x->epsilon * x->response, ends = fmax(x->first, x->last) / (2 + x->t),
           sums = 8 * even_powers(x->l, SB_EVEN_ROWS), /* as measured: 48 roundings of up to 48 summands */
        loss = fmax(fmax(sums, ends), fmax(fabs(x->beta), fmax(fabs(correction), 1 / (1 + correction))));
    bool sound = m->diagonal[1] + shift > 0 && x->t <= most && correction > -1 && isfinite(x->beta);
    return sound ? loss : INFINITY;
}

sb_even sb_even_make(const sb_tridiagonal *m, const double *shift, int64_t modes, int64_t singular,
                     double *table, double *loss)
{
    end first = end_of(m, false), last = end_of(m, true);
    bool turned = margin(m, &last) < margin(m, &first) / 2;
    if (turned) {
        first = end_of(m, true);
        last = end_of(m, false);
    }
    double c = -m->upper[1], worst = 0;
    int64_t n = m->n, chunks = (n + SB_EVEN_ROWS - 1) / SB_EVEN_ROWS;
    int front = (int)(chunks * SB_EVEN_ROWS - n);
#pragma omp parallel for reduction(max : worst)
    for (int64_t k = 0; k < modes; ++k) {
        mode x = mode_of(m, &first, &last, shift[k], k == singular);
        table[SB_EVEN_MU * modes + k] = x.mu;
        table[SB_EVEN_LOG * modes + k] = x.l;
        table[SB_EVEN_POWER * modes + k] = exp(SB_EVEN_ROWS * x.l);
        table[SB_EVEN_HEAD * modes + k] = exp((SB_EVEN_ROWS - front) * x.l);
        table[SB_EVEN_SUM * modes + k] = even_powers(x.l, SB_EVEN_ROWS);
        table[SB_EVEN_BETA * modes + k] = x.beta;
        table[SB_EVEN_KAPPA * modes + k] = x.epsilon / (1 + x.epsilon * x.response);
        worst = fmax(worst, loss_of(m, &x, shift[k]));
    }
    *loss = worst;
    return (sb_even){n, modes, chunks, front, turned, c / -first.coupling, c / -last.coupling, 1 / c, table};
}
