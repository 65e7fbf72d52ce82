/* The arithmetic of even systems, for the GPU and for a test on the CPU: even.h. */
#ifndef SB_CUDA_SHIFTED_EVEN_RUN_H
#define SB_CUDA_SHIFTED_EVEN_RUN_H

#include "src/chunk/scalar.h"
#include "src/cuda/shifted/even.h"

/* One sweep over a chunk's right-hand sides with nothing passed to it; empty places hold 0. beta: 0 but in the last one. */
SB_ALWAYS_INLINE sb_even_pair sb_even_sums(const T *g, int front, double mu, double beta)
{
    sb_even_pair sum = {0, 0};
    double power = 1;
    SB_UNROLL
    for (int i = 0; i < SB_EVEN_ROWS; ++i) {
        sum.y = (double)g[i] + mu * sum.y;
        if (i >= front)
            power *= mu;
        sum.x += power * sum.y;
    }
    sum.x += power * beta * sum.y;
    return sum;
}

/* The unknowns in place of the right-hand sides. */
SB_ALWAYS_INLINE void sb_even_solve(double *v, int front, double mu, double beta, bool head, bool last,
                                    sb_even_pair passed)
{
    double y = head ? 0 : passed.y;
    if (head) {
        SB_UNROLL
        for (int i = 0; i < SB_EVEN_ROWS; ++i)
            if (i == front)
                v[i] -= passed.y;
    }
    SB_UNROLL
    for (int i = 0; i < SB_EVEN_ROWS; ++i)
        v[i] = y = v[i] + mu * y;
    double x = last ? beta * y : passed.x;
    SB_UNROLL
    for (int i = SB_EVEN_ROWS - 1; i >= 0; --i)
        v[i] = x = mu * v[i] + mu * x; /* one product in the chain from row to row */
}

/* Chunk k: mu to the number of rows before it less one, what a change of g_0 is when it comes to that chunk. */
SB_BOTH double sb_even_decay(const sb_even *e, double log_mu, int64_t k)
{
    return exp(log_mu * (double)(k * SB_EVEN_ROWS - e->front - 1));
}

/* One mode's chunks, `stride` pairs apart: from sums to what is passed to each chunk. number: that of the mode in the
   table. decay: of each chunk, or NULL. Pairs are read `some` at a time, before one of them is written. */
SB_ALWAYS_INLINE void sb_even_scan(const sb_even *e, const double *number, const double *decay,
                                   sb_even_pair *pair, int64_t stride, int some)
{
    enum { MOST = 16 };
    double whole = number[SB_EVEN_POWER * e->modes], sum = number[SB_EVEN_SUM * e->modes],
           slope = number[SB_EVEN_LOG * e->modes], end = sum + whole * whole * number[SB_EVEN_BETA * e->modes];
    double y = 0, x = 0, power = 1, first = 0;
    int64_t last = e->chunks - 1;
    sb_even_pair own[MOST];
    for (int64_t k = 0; k <= last; k += some) {
        SB_UNROLL
        for (int j = 0; j < some; ++j)
            if (k + j <= last)
                own[j] = pair[(k + j) * stride];
        SB_UNROLL
        for (int j = 0; j < some; ++j) {
            if (k + j <= last) {
                first += power * (own[j].x + (k + j < last ? sum : end) * y);
                pair[(k + j) * stride].y = y;
                y = own[j].y + whole * y;
                power *= k + j == 0 ? number[SB_EVEN_HEAD * e->modes] : whole;
            }
        }
    }
    double kappa = number[SB_EVEN_KAPPA * e->modes] * first;
    for (int64_t k = last; k >= 0; k -= some) {
        SB_UNROLL
        for (int j = 0; j < some; ++j)
            if (k - j >= 0)
                own[j] = pair[(k - j) * stride];
        SB_UNROLL
        for (int j = 0; j < some; ++j) {
            if (k - j >= 0) {
                double far = decay ? decay[(k - j) * stride] : sb_even_decay(e, slope, k - j);
                y = k - j == 0 ? kappa : own[j].y - kappa * far;
                sb_even_pair passed = {y, x};
                pair[(k - j) * stride] = passed;
                x = own[j].x + (k - j < last ? sum : end) * y + whole * x;
            }
        }
    }
}

#endif
