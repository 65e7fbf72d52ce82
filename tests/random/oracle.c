/* The residual from the definition of A x, row by row. */
#include "tests/random/oracle.h"

#include <stdlib.h>

typedef struct row {
    int count;
    int64_t columns[SLIMBAND_MAX_DIAGONALS];
    number values[SLIMBAND_MAX_DIAGONALS];
    long double given[SLIMBAND_MAX_DIAGONALS]; /* magnitudes of the couplings that the value is the sum of */
} row;

/* Per unknown: the residual, and what the errors are measured against. */
typedef struct sums {
    number residual;
    long double terms, entries,
        given; /* (|A| |x| + |b|)_i; sum of |A(i, j)| over j; of the couplings one by one */
} sums;

int64_t folded(const trial *t, int64_t system, int64_t column)
{
    int64_t n = length_of(t, system);
    return (column % n + n) % n;
}

/* Row i of A with couplings that coincide added up. */
static row row_of(const trial *t, int64_t system, int64_t i)
{
    row r;
    r.count = 0;
    int64_t at = matrix_index(t, system, i);
    bool coincide = length_of(t, system) < t->diagonal_count;
    for (int d = 0; d < t->diagonal_count; ++d) {
        int k = d - t->problem.lower;
        if (!is_coupled(t, system, i, k))
            continue;
        number value = array_get(&t->diagonals[d], at);
        int64_t column = folded(t, system, i + k);
        int same = coincide ? 0 : r.count;
        while (same < r.count && r.columns[same] != column)
            ++same;
        bool fresh = same == r.count;
        r.columns[same] = column;
        r.values[same] = fresh ? value : plus(r.values[same], value);
        r.given[same] = magnitude(value) + (fresh ? 0 : r.given[same]);
        r.count += fresh;
    }
    return r;
}

static number solution_at(const trial *t, int64_t system, int64_t i)
{
    const slimband_layout *layout = &t->problem.solution;
    return array_get(&t->x, line_start(t, layout, system) + i * layout->line);
}

static void add_product(sums *s, number entry, long double given, number unknown)
{
    s->given += given;
    s->residual = minus_product(s->residual, entry, unknown);
    s->terms += magnitude(entry) * magnitude(unknown);
    s->entries += magnitude(entry);
}

static void sum_system(const trial *t, int64_t system, sums *s)
{
    int64_t n = length_of(t, system), start = line_start(t, &t->problem.rhs, system);
    for (int64_t i = 0; i < n; ++i) {
        number b = array_get(&t->b, start + i * t->problem.rhs.line);
        s[i] = (sums){b, magnitude(b), 0, 0};
    }
    bool transposed = t->operation == FACTOR_THEN_TRANSPOSED || t->operation == FACTOR_THEN_ADJOINT;
    for (int64_t i = 0; i < n; ++i) {
        row r = row_of(t, system, i);
        for (int j = 0; j < r.count; ++j) {
            number entry = t->operation == FACTOR_THEN_ADJOINT ? conjugate(r.values[j]) : r.values[j];
            int64_t to = transposed ? r.columns[j] : i, from = transposed ? i : r.columns[j];
            add_product(&s[to], entry, r.given[j], solution_at(t, system, from));
        }
    }
}

static double ratio(long double error, long double scale)
{
    return error == 0 ? 0 : (double)(error / scale);
}

/* Judge one system and merge it into v. */
static void judge(const trial *t, int64_t system, const sums *s, verdict *v)
{
    long double residual = 0, entries = 0, given = 0, unknowns = 0, rhs = 0;
    int64_t start = line_start(t, &t->problem.rhs, system);
    for (int64_t i = 0; i < length_of(t, system); ++i) {
        number unknown = solution_at(t, system, i);
        v->finite &= isfinite(unknown.re) && isfinite(unknown.im);
        residual = fmaxl(residual, magnitude(s[i].residual));
        entries = fmaxl(entries, s[i].entries);
        given = fmaxl(given, s[i].given);
        unknowns = fmaxl(unknowns, magnitude(unknown));
        rhs = fmaxl(rhs, magnitude(array_get(&t->b, start + i * t->problem.rhs.line)));
        v->componentwise = fmax(v->componentwise, ratio(magnitude(s[i].residual), s[i].terms));
    }
    double error = ratio(residual, given * unknowns + rhs);
    if (error > v->error || v->system < 0)
        v->system = system;
    v->error = fmax(v->error, error);
    v->normwise = fmax(v->normwise, ratio(residual, entries * unknowns + rhs));
}

verdict oracle_backward_error(const trial *t)
{
    int64_t systems = slimband_systems(&t->problem), longest = 0;
    for (int64_t s = 0; s < systems; ++s)
        longest = length_of(t, s) > longest ? length_of(t, s) : longest;
    verdict v = {.memory = true, .finite = true, .system = -1};
    sums *s = calloc((size_t)longest + 1, sizeof *s);
    if (!s)
        return (verdict){0};
    for (int64_t system = 0; system < systems; ++system) {
        sum_system(t, system, s);
        judge(t, system, s, &v);
    }
    free(s);
    return v;
}
