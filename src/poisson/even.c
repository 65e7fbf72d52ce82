/* The numbers of even lines: even.h. */
#include "src/poisson/even.h"

#include <math.h>

bool sb_even_fits(const sb_stencil *s)
{
    return s->n >= 3 && !s->ring;
}

/* Sum of mu^2 + mu^4 + .. + mu^(2 m), with l = log mu. */
static double even_powers(double l, double m)
{
    return l < 0 ? exp(2 * l) * expm1(2 * m * l) / expm1(2 * l) : m;
}

/* A row at an end of the axis, divided by its coupling: diagonal and the factor of its right-hand side. */
typedef struct end {
    double diagonal, coupling;
} end;

static end end_of(const sb_stencil *s, bool behind)
{
    int64_t i = behind ? s->n - 1 : 0;
    return (end){s->diagonal[i], behind ? s->lower[i] : s->upper[i]};
}

sb_even sb_even_make(const sb_stencil *s, const double *shift, int64_t modes, bool singular, double *table)
{
    end first = end_of(s, false), last = end_of(s, true);
    /* A Neumann wall's row has the sum 0. */
    bool turned = fabs(last.diagonal + last.coupling) < fabs(first.diagonal + first.coupling) / 2;
    if (turned) {
        first = end_of(s, true);
        last = end_of(s, false);
    }
    double c = -s->upper[1];
    int64_t n = s->n, chunks = (n + SB_EVEN_ROWS - 1) / SB_EVEN_ROWS;
    int front = (int)(chunks * SB_EVEN_ROWS - n);
#pragma omp parallel for
    for (int64_t m = 0; m < modes; ++m) {
        double t = shift[m] / c, root = sqrt(t + t * t / 4), rho = 1 + t / 2 + root, mu = 1 / rho;
        double l = log(mu); /* of mu as it was rounded: chunks and corrections must agree to the last digit */
        double epsilon = (first.diagonal + shift[m]) / -first.coupling - rho;
        double diagonal = (last.diagonal + shift[m]) / -last.coupling,
               beta = (2 + t - diagonal) / (diagonal - mu);
        if (singular && m == 0)
            beta = -1;
        /* x'_0 where g is 1 in row 0, else 0 */
        double response = even_powers(l, (double)n) / mu + beta * exp((double)(2 * n - 1) * l);
        table[SB_EVEN_MU * modes + m] = mu;
        table[SB_EVEN_LOG * modes + m] = l;
        table[SB_EVEN_POWER * modes + m] = exp(SB_EVEN_ROWS * l);
        table[SB_EVEN_HEAD * modes + m] = exp((SB_EVEN_ROWS - front) * l);
        table[SB_EVEN_SUM * modes + m] = even_powers(l, SB_EVEN_ROWS);
        table[SB_EVEN_BETA * modes + m] = beta;
        table[SB_EVEN_KAPPA * modes + m] = epsilon / (1 + epsilon * response);
    }
    return (sb_even){n, modes, chunks, front, turned, c / -first.coupling, c / -last.coupling, 1 / c, table};
}
