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
static problem empty_problem(int64_t n, int reach, int64_t count, int64_t stride, uint64_t seed)
{
    problem p = {.A = {.n = n, .lower = reach, .upper = reach, .stride = stride, .first = n, .total = n},
                 .seed = seed};
    const int diagonals = 2 * reach + 1;
    p.entries = allocate(diagonals * count * stride);
    p.rhs = allocate(n);
    p.solution = allocate(n);
    for (int k = 0; k < diagonals; ++k)
        p.A.diagonal[k] = p.entries + k * count * stride;
    for (int64_t i = 0; i < n; ++i)
        p.rhs[i] = random_entry(&p.seed);
    for (int64_t i = 0; i < diagonals * count * stride; ++i)
        p.entries[i] = NAN;
    return p;
}

static void fill_row(problem *p, int64_t count, int64_t i)
{
    T *row = p->entries + i * p->A.stride;
    const int64_t along = count * p->A.stride;
    R others = 0;
    for (int k = 0; k <= p->A.lower + p->A.upper; ++k)
        if (k != p->A.lower)
            others += sb_abs1(row[k * along] = random_entry(&p->seed));
    T phase = random_entry(&p->seed);
    R size = (R)1.2 * others + (R)0.01;
    row[p->A.lower * along] = phase == 0 ? size : 2 * size * (phase / sb_abs1(phase));
}

problem random_band(int64_t n, int reach, int64_t stride, uint64_t seed)
{
    problem p = empty_problem(n, reach, n, stride, seed);
    for (int64_t i = 0; i < n; ++i) {
        fill_row(&p, n, i);
        for (int k = -reach; k <= reach; ++k)
            if (i + k < 0 || i + k >= n)
                p.entries[((reach + k) * n + i) * stride] = NAN;
    }
    return p;
}

problem random_problem(int64_t n, int64_t stride, uint64_t seed)
{
    return random_band(n, 1, stride, seed);
}

problem random_toeplitz_problem(int64_t n, int64_t total, int first, int last, uint64_t seed)
{
    int count = first + 1 + last;
    problem p = empty_problem(n, 1, count, 1, seed);
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
    const int64_t n = A->n;
    const int lower = A->lower, width = lower + 1 + A->upper;
    WT *rows = malloc((size_t)n * (size_t)(width + 1) * sizeof *rows), *y = rows + n * width;
    assert_non_null(rows);
    for (int64_t i = 0; i < n; ++i) {
        WT *row = rows + i * width;
        for (int d = 0; d < width; ++d)
            row[d] = entry(A, i, d - lower);
        y[i] = rhs[i];
        for (int k = lower; k > 0; --k)
            if (k <= i) {
                const WT *above = row - k * width, out = row[lower - k] / above[lower];
                for (int d = lower + 1; d < width; ++d)
                    row[d - k] -= out * above[d];
                y[i] -= out * y[i - k];
            }
    }
    T *x = allocate(n);
    for (int64_t i = n - 1; i >= 0; --i) {
        const WT *row = rows + i * width + lower;
        for (int k = 1; k <= A->upper && i + k < n; ++k)
            y[i] -= row[k] * y[i + k];
        x[i] = (T)(y[i] /= row[0]);
    }
    free(rows);
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
    const int lower = p->A.lower, upper = p->A.upper;
    void *factors = engine_memory(engine->stored(n, lower, upper, &tuning));
    void *scratch = engine_memory(engine->scratch(n, lower, upper, &tuning));
    memcpy(p->solution, p->rhs, (size_t)n * sizeof(T));
    int64_t row = engine->factor(&p->A, factors, &tuning).row;
    if (row < 0)
        row = engine->solve(engine->reads_matrix ? &p->A : NULL, factors, op, n, lower, upper, p->solution,
                            scratch, &tuning);
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
