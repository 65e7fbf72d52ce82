/* Small systems as dense matrices, inverted in long double. Knows of the band only where its entries go. */
#include <stdlib.h>
#include <string.h>

#include "tests/random/oracle.h"

enum { MOST = 16 };

typedef struct dense {
    int n;
    number a[MOST][2 * MOST]; /* [A, I], then [I, inverse] */
} dense;

static void assemble(const trial *t, int64_t system, dense *D)
{
    memset(D, 0, sizeof *D);
    D->n = (int)length_of(t, system);
    bool transposed = t->operation == FACTOR_THEN_TRANSPOSED || t->operation == FACTOR_THEN_ADJOINT;
    for (int i = 0; i < D->n; ++i) {
        D->a[i][D->n + i].re = 1;
        for (int d = 0; d < t->diagonal_count; ++d) {
            int k = d - t->problem.lower;
            if (!is_coupled(t, system, i, k))
                continue;
            number entry = array_get(&t->diagonals[d], matrix_index(t, system, i));
            int j = (int)folded(t, system, i + k);
            number *place = transposed ? &D->a[j][i] : &D->a[i][j];
            *place = plus(*place, t->operation == FACTOR_THEN_ADJOINT ? conjugate(entry) : entry);
        }
    }
}

static double norm(const dense *D, int first)
{
    long double largest = 0;
    for (int i = 0; i < D->n; ++i) {
        long double sum = 0;
        for (int j = 0; j < D->n; ++j)
            sum += magnitude(D->a[i][first + j]);
        largest = fmaxl(largest, sum);
    }
    return (double)largest;
}

static void swap_rows(dense *D, int i, int j)
{
    number kept[2 * MOST];
    memcpy(kept, D->a[i], sizeof kept);
    memcpy(D->a[i], D->a[j], sizeof kept);
    memcpy(D->a[j], kept, sizeof kept);
}

/* Gauss-Jordan with partial pivoting. */
static void invert(dense *D)
{
    for (int k = 0; k < D->n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < D->n; ++i)
            pivot = magnitude(D->a[i][k]) > magnitude(D->a[pivot][k]) ? i : pivot;
        swap_rows(D, k, pivot);
        number inverse = quotient((number){1, 0}, D->a[k][k]);
        for (int j = 0; j < 2 * D->n; ++j)
            D->a[k][j] = minus_product((number){0, 0}, (number){-inverse.re, -inverse.im}, D->a[k][j]);
        for (int i = 0; i < D->n; ++i) {
            number factor = D->a[i][k];
            for (int j = 0; i != k && j < 2 * D->n; ++j)
                D->a[i][j] = minus_product(D->a[i][j], factor, D->a[k][j]);
        }
    }
}

static double forward_error(const trial *t, int64_t system, const dense *D)
{
    const slimband_layout *in = &t->problem.rhs, *out = &t->problem.solution;
    int64_t b = line_start(t, in, system), x = line_start(t, out, system);
    long double error = 0, largest = 0;
    for (int i = 0; i < D->n; ++i) {
        number y = {0, 0};
        for (int j = 0; j < D->n; ++j) {
            number entry = D->a[i][D->n + j];
            y = minus_product(y, (number){-entry.re, -entry.im}, array_get(&t->b, b + j * in->line));
        }
        number found = array_get(&t->x, x + i * out->line);
        error = fmaxl(error, magnitude((number){found.re - y.re, found.im - y.im}));
        largest = fmaxl(largest, magnitude(y));
    }
    return error == 0 ? 0 : (double)(error / largest);
}

double oracle_dense_error(const trial *t)
{
    dense *D = malloc(sizeof *D);
    double worst = D ? 0 : -1;
    for (int64_t s = 0, systems = slimband_systems(&t->problem); D && s < systems; ++s) {
        if (length_of(t, s) > MOST || length_of(t, s) == 0)
            continue;
        assemble(t, s, D);
        double condition = norm(D, 0);
        invert(D);
        condition *= norm(D, D->n);
        worst = fmax(worst, forward_error(t, s, D) / condition);
    }
    free(D);
    return worst;
}
