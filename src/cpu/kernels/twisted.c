/* Tridiagonal elimination without pivoting from both ends, to a row in the middle (Babuska 1972; van der Vorst 1987): thomas from
 * above and thomas from below, neither of which waits for the other's divisions. It is plain elimination of the rows 0, n - 1, 1, n - 2
 * ... in that order, and as stable. Row i keeps
 *
 *     above the middle   l_i = a_i / u_{i-1},  1 / u_i,  w_i = c_i / u_i    with  u_i = b_i - a_i w_{i-1}
 *     below it           w_i = a_i / u_i,  1 / u_i,  l_i = c_i / u_{i+1}    with  u_i = b_i - c_i w_{i+1}
 *     in the middle      l_i, 1 / u_i, and the other l_i                    with  u_i = b_i - a_i w_{i-1} - c_i w_{i+1}
 *
 * so that the first word always belongs to the row above, the third to the row below. Words a row: factor 3 in, 3 out; solve 3 of
 * factors + x twice in and out (2 + 2); both at once 4 in, 2 out and in again, x out. Growth is measured as in thomas.c. */
#include "src/chunk/growth.h"
#include "src/cpu/kernels/needs.h"

/* Rows above the middle, and those of them with one below it in the same place from its end. */
static int64_t above_middle(int64_t n)
{
    return n / 2;
}

static int64_t in_pairs(int64_t n)
{
    return (n - 1) / 2;
}

/* growth, once eliminated * w is subtracted from the row's own coefficient: which is the least that it is held against. */
static inline R grow(R growth, T product, T eliminated, T own)
{
    const R size = sb_abs1(product), beside = sb_abs1(own);
    return size <= growth * beside ? growth : sb_grow(growth, size, sb_beside_own(sb_abs1(eliminated), beside));
}

/* What the next row wants of the one that was eliminated last; and what was met. */
typedef struct chain {
    T r, w;
    R growth;
    int64_t row; /* the first without a pivot, or -1 */
} chain;

/* From the row beyond word `from` of the row, towards the other one. */
static void eliminate(chain *c, T *row, int from, int64_t i)
{
    const T product = row[from] * c->w, u = row[1] - product, r = 1 / u, w = row[2 - from] * r;
    c->growth = grow(c->growth, product, row[from], row[1]);
    if (c->row < 0 && !(sb_finite(u) && sb_finite(r) && sb_finite(w)))
        c->row = i;
    row[from] *= c->r;
    row[1] = c->r = r;
    row[2 - from] = c->w = w;
}

static void eliminate_both(T *row, chain *above, const chain *below, int64_t i)
{
    const T first = row[0] * above->w, second = row[2] * below->w, left = row[1] - first, u = left - second;
    R growth = grow(above->growth, first, row[0], row[1]);
    growth = growth >= below->growth ? growth : below->growth;
    above->growth = grow(growth, second, row[2], left);
    row[0] *= above->r;
    row[1] = 1 / u;
    row[2] *= below->r;
    if (above->row < 0)
        above->row = below->row >= 0 ? below->row : sb_finite(u) && sb_finite(row[1]) ? -1 : i;
}

static sb_outcome factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)tuning;
    T *rows = factors;
    const int64_t n = A->n, middle = above_middle(n), pairs = in_pairs(n);
    chain above = {.growth = 1, .row = -1}, below = above;
    SB_NAME(assemble)(A, rows, 3);
    for (int64_t i = 0; i < middle; ++i) {
        eliminate(&above, rows + 3 * i, 0, i);
        if (i < pairs)
            eliminate(&below, rows + 3 * (n - 1 - i), 2, n - 1 - i);
    }
    eliminate_both(rows + 3 * middle, &above, &below, middle);
    return (sb_outcome){above.row, above.growth};
}

/* above, below: from a row's first word, where the multiplier for the row above stands, and the one for the row below. */
static void substitute(int64_t n, const T *rows, T *x, int above, int below)
{
    const int64_t middle = above_middle(n), pairs = in_pairs(n);
    T first = middle > 0 ? x[0] : 0, last = pairs > 0 ? x[n - 1] : 0, y = x[middle];
    int64_t i = 1;
    for (; i < pairs; ++i) {
        const int64_t j = n - 1 - i;
        x[i] = first = x[i] - rows[3 * i + above] * first;
        x[j] = last = x[j] - rows[3 * j + below] * last;
    }
    for (; i < middle; ++i)
        x[i] = first = x[i] - rows[3 * i + above] * first;
    if (middle > 0)
        y -= rows[3 * middle + above] * first;
    if (pairs > 0)
        y -= rows[3 * middle + below] * last;
    x[middle] = first = last = rows[3 * middle + 1] * y;
    for (i = middle - 1; i >= pairs; --i)
        x[i] = first = rows[3 * i + 1] * x[i] - rows[3 * i + below] * first;
    for (; i >= 0; --i) {
        const int64_t j = n - 1 - i;
        x[i] = first = rows[3 * i + 1] * x[i] - rows[3 * i + below] * first;
        x[j] = last = rows[3 * j + 1] * x[j] - rows[3 * j + above] * last;
    }
}

/* Of the transpose, which is (I + W)^T D L^T, a row's multipliers are its neighbours'. */
static int64_t solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper, T *x,
                     void *memory, const sb_tuning *tuning)
{
    (void)A, (void)lower, (void)upper, (void)memory, (void)tuning;
    if (op == SB_PLAIN)
        substitute(n, factors, x, 0, 2);
    else
        substitute(n, factors, x, -1, 3);
    return -1;
}

/* The same with the right-hand side: z is y / u. odd: 0, or no number if a pivot or z was none. */
typedef struct march {
    T w, z, odd;
    R growth;
} march;

static inline void march_on(march *m, T eliminated, T own, T other, T b, T *kept)
{
    const T product = eliminated * m->w, u = own - product, r = 1 / u;
    m->growth = grow(m->growth, product, eliminated, own);
    kept[0] = m->w = other * r;
    kept[1] = m->z = (b - eliminated * m->z) * r;
    m->odd += (u + m->z) * 0;
}

/* A w that is no number makes the next product one, and so growth infinite. */
static bool once(const sb_matrix *A, void *memory, T *x, double most, double *growth)
{
    const T *a = A->diagonal[0], *b = A->diagonal[1], *c = A->diagonal[2];
    T *kept = memory;
    const int64_t n = A->n, s = A->stride, middle = above_middle(n), pairs = in_pairs(n);
    march above = {.growth = 1}, below = above;
    int64_t i = 0;
    for (; i < pairs; ++i) {
        const int64_t j = n - 1 - i;
        march_on(&above, i > 0 ? a[i * s] : 0, b[i * s], c[i * s], x[i], kept + 2 * i);
        march_on(&below, i > 0 ? c[j * s] : 0, b[j * s], a[j * s], x[j], kept + 2 * j);
    }
    for (; i < middle; ++i)
        march_on(&above, i > 0 ? a[i * s] : 0, b[i * s], c[i * s], x[i], kept + 2 * i);
    const T up = middle > 0 ? a[middle * s] : 0, down = pairs > 0 ? c[middle * s] : 0;
    const T left = b[middle * s] - up * above.w;
    R grown = grow(above.growth, up * above.w, up, b[middle * s]);
    grown = grown >= below.growth ? grown : below.growth;
    below.growth = grown;
    march_on(&below, down, left, 0, x[middle] - up * above.z, kept + 2 * middle);
    *growth = below.growth;
    if (!(above.odd + below.odd == 0 && below.growth <= most))
        return false;
    T first = below.z, last = first;
    x[middle] = first;
    for (i = middle - 1; i >= pairs; --i)
        x[i] = first = kept[2 * i + 1] - kept[2 * i] * first;
    for (; i >= 0; --i) {
        const int64_t j = n - 1 - i;
        x[i] = first = kept[2 * i + 1] - kept[2 * i] * first;
        x[j] = last = kept[2 * j + 1] - kept[2 * j] * last;
    }
    return true;
}

const sb_engine SB_NAME(twisted) = {.measures_growth = true,
                                    .stored = sb_three_words_stored,
                                    .scratch = sb_no_scratch,
                                    .factor = factor,
                                    .solve = solve,
                                    .once = once};
