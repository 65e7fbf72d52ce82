/* See steps.h. */
#include "steps.h"

known known_problem(int64_t n, uint64_t seed)
{
    known k = {.p = random_problem(n, 1, seed)};
    k.rows = make_rows(&k.p);
    k.x = malloc((size_t)n * sizeof(T));
    assert_non_null(k.x);
    for (int64_t i = 0; i < n; ++i)
        k.x[i] = random_entry(&k.p.seed);
    for (int64_t i = 0; i < n; ++i) {
        WT d = (WT)k.rows[i].b * k.x[i];
        d += i > 0 ? (WT)k.rows[i].a * k.x[i - 1] : 0;
        d += i + 1 < n ? (WT)k.rows[i].c * k.x[i + 1] : 0;
        k.rows[i].d = (T)d;
    }
    return k;
}

void free_known(known *k)
{
    free_problem(&k->p);
    free(k->rows);
    free(k->x);
}

void assert_couples(const known *k, sb_row row, int64_t left, int64_t own, int64_t right)
{
    int64_t n = k->p.A.n;
    bool has_left = left >= 0, has_right = right < n;
    T l = has_left ? row.a * k->x[left] : 0, m = row.b * k->x[own], r = has_right ? row.c * k->x[right] : 0;
    double size = (double)(sb_abs1(row.a) + sb_abs1(row.b) + sb_abs1(row.c) + sb_abs1(row.d));
    double residual = (double)sb_abs1(l + m + r - row.d);
    if (!(residual <= 32 * EPSILON * size) || (row.a != 0) != has_left || (row.c != 0) != has_right)
        fail_msg("n = %lld: {%lld, %lld, %lld} does not hold: residual %g", (long long)n, (long long)left,
                 (long long)own, (long long)right, residual / size);
}
