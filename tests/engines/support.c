/* See support.h. */
#include "support.h"

static R uniform(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (R)((double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1);
}

T random_entry(uint64_t *seed)
{
#if SB_COMPLEX
    R re = uniform(seed), im = uniform(seed);
    return re + im * (T)I;
#else
    return uniform(seed);
#endif
}

static T *allocate(int64_t count)
{
    T *array = malloc((size_t)count * sizeof(T));
    assert_non_null(array);
    return array;
}

/* `count` stored rows. */
static problem empty_problem(int64_t n, int64_t count, int64_t stride, uint64_t seed)
{
    problem p = {.A = {.n = n, .lower = 1, .upper = 1, .stride = stride, .first = n, .total = n}, .seed = seed};
    p.entries = allocate(3 * count * stride);
    p.rhs = allocate(n);
    p.solution = allocate(n);
    for (int k = 0; k < 3; ++k)
        p.A.diagonal[k] = p.entries + k * count * stride;
    for (int64_t i = 0; i < n; ++i)
        p.rhs[i] = random_entry(&p.seed);
    for (int64_t i = 0; i < 3 * count * stride; ++i)
        p.entries[i] = NAN;
    return p;
}

static void fill_row(problem *p, int64_t count, int64_t i)
{
    T *row = p->entries + i * p->A.stride;
    int64_t along = count * p->A.stride;
    row[0] = random_entry(&p->seed);
    row[2 * along] = random_entry(&p->seed);
    T phase = random_entry(&p->seed);
    R size = (R)1.2 * (sb_abs1(row[0]) + sb_abs1(row[2 * along])) + (R)0.01;
    row[along] = phase == 0 ? size : 2 * size * (phase / sb_abs1(phase));
}

problem random_problem(int64_t n, int64_t stride, uint64_t seed)
{
    problem p = empty_problem(n, n, stride, seed);
    for (int64_t i = 0; i < n; ++i)
        fill_row(&p, n, i);
    p.entries[0] = NAN;
    p.entries[(3 * n - 1) * stride] = NAN;
    return p;
}

problem random_toeplitz_problem(int64_t n, int64_t total, int first, int last, uint64_t seed)
{
    int count = first + 1 + last;
    problem p = empty_problem(n, count, 1, seed);
    p.A.first = first;
    p.A.last = last;
    p.A.total = total;
    for (int i = 0; i < count; ++i)
        fill_row(&p, count, i);
    if (first)
        p.entries[0] = NAN;
    if (last)
        p.entries[3 * count - 1] = NAN;
    return p;
}

void free_problem(problem *p)
{
    free(p->entries);
    free(p->rhs);
    free(p->solution);
}

T entry(const sb_matrix *A, int64_t i, int k)
{
    return i + k < 0 || i + k >= A->n ? 0 : sb_at(A, i, k);
}

sb_row *make_rows(const problem *p)
{
    sb_row *rows = malloc((size_t)p->A.n * sizeof *rows);
    assert_non_null(rows);
    for (int64_t i = 0; i < p->A.n; ++i)
        rows[i] = (sb_row){entry(&p->A, i, -1), entry(&p->A, i, 0), entry(&p->A, i, 1), p->rhs[i]};
    return rows;
}

T *reference(const sb_matrix *A, const T *rhs)
{
    int64_t n = A->n;
    WT *c = malloc(2 * (size_t)n * sizeof *c), *d = c + n;
    assert_non_null(c);
    for (int64_t i = 0; i < n; ++i) {
        WT a = entry(A, i, -1), b = entry(A, i, 0) - a * (i > 0 ? c[i - 1] : 0);
        c[i] = entry(A, i, 1) / b;
        d[i] = (rhs[i] - a * (i > 0 ? d[i - 1] : 0)) / b;
    }
    T *x = allocate(n);
    for (int64_t i = n - 1; i >= 0; --i) {
        d[i] -= i + 1 < n ? c[i] * d[i + 1] : 0;
        x[i] = (T)d[i];
    }
    free(c);
    return x;
}

/* As small and as aligned as engine.h promises, so that a sanitizer sees the first byte outside. */
static void *engine_memory(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_true(memory || size == 0);
    return memory;
}

int64_t run(const sb_engine *engine, problem *p, sb_op op, sb_tuning tuning)
{
    int64_t n = p->A.n;
    void *factors = engine_memory(engine->stored(n, 1, 1, &tuning));
    void *scratch = engine_memory(engine->scratch(n, 1, 1, &tuning));
    memcpy(p->solution, p->rhs, (size_t)n * sizeof(T));
    int64_t row = engine->factor(&p->A, factors, &tuning).row;
    if (row < 0)
        row = engine->solve(engine->reads_matrix ? &p->A : NULL, factors, op, n, 1, 1, p->solution, scratch,
                            &tuning);
    free(factors);
    free(scratch);
    return row;
}

double difference(const T *x, const T *y, int64_t n)
{
    double most = 0, size = 0;
    for (int64_t i = 0; i < n; ++i) {
        double error = (double)sb_abs1(x[i] - y[i]), value = (double)sb_abs1(y[i]);
        most = error <= most ? most : error;
        size = value <= size ? size : value;
    }
    return size > 0 ? most / size : most;
}
