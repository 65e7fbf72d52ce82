/* The calls themselves. */
#include <string.h>

#include "bench/peer_lapack.h"

/* Diagonal 0, 1, 2, 3: dl, d, du, du2. Rows of dl count from 1. */
static void *part(const sb_lapack *l, void *matrix, int diagonal)
{
    size_t entries = (size_t)diagonal * l->line + (diagonal == 0 ? 1 : 0);
    return (char *)matrix + entries * l->bytes;
}

static void fill_band(const sb_lapack *l, const void *const *diagonals, int64_t first, char *ab)
{
    memset(ab, 0, l->matrix_bytes);
    for (int k = -l->kl; k <= l->ku; ++k) {
        const char *from = (const char *)diagonals[l->kl + k] + (size_t)first * l->bytes;
        for (int i = k < 0 ? -k : 0; i < l->n && i + k < l->n; ++i) {
            size_t to = (size_t)(l->kl + l->ku - k) + (size_t)(i + k) * (size_t)l->ldab;
            memcpy(ab + to * l->bytes, from + (size_t)i * l->bytes, l->bytes);
        }
    }
}

void sb_lapack_fill(const sb_lapack *l, sb_bench_data *data, int64_t system, void *matrix)
{
    const void *const *diagonals = sb_bench_data_line_diagonals(data);
    int64_t first = l->own ? system * l->n : 0;
    if (l->band) {
        fill_band(l, diagonals, first, matrix);
        return;
    }
    for (int d = 0; d < 3; ++d)
        memcpy((char *)matrix + (size_t)d * l->line * l->bytes,
               (const char *)diagonals[d] + (size_t)first * l->bytes, (size_t)l->n * l->bytes);
}

int sb_lapack_factor(sb_lapack *l)
{
    const sb_routines *r = &l->routines;
    void *f = l->factors;
    int info = 0;
    if (l->band)
        r->gbtrf(&l->n, &l->n, &l->kl, &l->ku, f, &l->ldab, l->pivots, &info);
    else if (l->dominant)
        r->dttrfb(&l->n, part(l, f, 0), part(l, f, 1), part(l, f, 2), &info);
    else
        r->gttrf(&l->n, part(l, f, 0), part(l, f, 1), part(l, f, 2), part(l, f, 3), l->pivots, &info);
    return info;
}

int sb_lapack_solve(const sb_lapack *l, void *matrix, int *pivots, int nrhs, void *b)
{
    const sb_routines *r = &l->routines;
    int info = 0;
    if (l->band)
        r->gbsv(&l->n, &l->kl, &l->ku, &nrhs, matrix, &l->ldab, pivots, b, &l->n, &info);
    else
        (l->dominant ? r->dtsvb : r->gtsv)(&l->n, &nrhs, part(l, matrix, 0), part(l, matrix, 1),
                                           part(l, matrix, 2), b, &l->n, &info);
    return info;
}

int sb_lapack_substitute(const sb_lapack *l, int nrhs, void *b)
{
    const sb_routines *r = &l->routines;
    void *f = l->factors;
    int info = 0;
    if (l->band)
        r->gbtrs("N", &l->n, &l->kl, &l->ku, &nrhs, f, &l->ldab, l->pivots, b, &l->n, &info, 1);
    else if (l->dominant)
        r->dttrsb("N", &l->n, &nrhs, part(l, f, 0), part(l, f, 1), part(l, f, 2), b, &l->n, &info);
    else
        r->gttrs("N", &l->n, &nrhs, part(l, f, 0), part(l, f, 1), part(l, f, 2), part(l, f, 3), l->pivots, b,
                 &l->n, &info, 1);
    return info;
}
