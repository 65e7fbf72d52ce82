/* Elimination without pivoting from both ends of a band that reaches p = 1 or 2 to either side, to p rows in the middle (Babuska 1972;
 * van der Vorst 1987): from above and from below, neither of which waits for the other's divisions. It is plain elimination of the rows
 * 0, n - 1, 1, n - 2 ... in that order, and as stable; those in the middle come last. Row i keeps, in the place of A's row,
 *
 *     l, the multiplier of each neighbour that is eliminated before it,  r = 1 / u of its pivot u,
 *     w = (what is left of A's entry) / u for each neighbour that is eliminated after it,
 *
 * so that A = L D (I + W), and what belongs to row i + k always stands k words behind r. One text for both bandwidths: called with a
 * constant it becomes the kernel of that one. Words a row, with d = 2 p + 1: factor d in, d out; solve d of factors + x twice in and
 * out; both at once d + 1 in, p + 1 out and in again, x out. Growth is measured as by thomas and lu. */
#include <string.h>

#include "src/chunk/band.h"
#include "src/cpu/kernels/needs.h"
#include "src/cpu/kernels/spread.h"

enum { MOST = 2, ABOVE = 0, BELOW, MIDDLE };

/* Rows from above, of the p in the middle, from below: the first are as many as the last, or one more. */
typedef struct ways {
    int64_t above, middle, below;
} ways;

static ways ways_of(int64_t n, int p)
{
    const int64_t middle = sb_first_row(n, p), below = (n - middle) / 2;
    return (ways){n - middle - below, middle, below};
}

/* What the rows that come next on a way want of the last p, the last one first; and what was met. */
typedef struct march {
    T w[MOST][MOST];
    T r[MOST]; /* to keep factors: their reciprocal pivots */
    T z[MOST]; /* with a right-hand side: y / u */
    T odd;     /* 0, or no number if a pivot or a z was none */
    R growth;
    int64_t row; /* of factors, the first without a pivot, or -1 */
} march;

static const march start = {.growth = 1, .row = -1};

/* Growth of a product that is larger than what it is held against: few are, and other comparisons would go either way at random. */
static __attribute__((noinline, cold)) R raised(R growth, R size, R out, R to, bool own)
{
    return sb_grow(growth, size, own ? sb_beside_own(out, to) : sb_larger(out, to));
}

/* Takes a row's entry from[0] away, and with it its multiples of w from the p entries beyond it in direction `on`, of which the own-th
   is the row's own coefficient. Returns the largest product. */
SB_ALWAYS_INLINE R subtract(T *from, int on, const T *w, int p, int own, R *growth)
{
    R largest = 0;
    for (int t = 1; t <= p; ++t) {
        const T product = from[0] * w[t - 1];
        const R size = sb_abs1(product), out = sb_abs1(from[0]), to = sb_abs1(from[on * t]);
        largest = t == 1 ? size : sb_larger(largest, size);
        if (!(size <= *growth * (t == own ? to : sb_larger(out, to))))
            *growth = raised(*growth, size, out, to, t == own);
        from[on * t] -= product;
    }
    return largest;
}

/* Takes from a row, whose own coefficient is *own, the neighbours least..most against direction `on`, which are the last that m has met.
   Leaves their multipliers, or, if there is a right-hand side, takes what they make of it from b. was: the row before all. */
SB_ALWAYS_INLINE void eliminate(march *m, T *own, int on, int least, int most, int p, const T *was, T *b)
{
    R largest = 0;
    for (int k = most; k >= least; --k) {
        T *out = own - on * k;
        largest = sb_larger(largest, subtract(out, on, m->w[k - least], p, k, &m->growth));
        if (b)
            *b -= out[0] * m->z[k - least];
        else
            out[0] *= m->r[k - least];
    }
    /* Products are held against what those before them have left: none may be larger than the row was. */
    if (p > 1 && !(largest <= m->growth * sb_abs1(was[p])))
        m->growth = sb_grow(m->growth, largest, sb_band_largest(was, 2 * p + 1));
}

/* Divides what is left of row i: itself, `ahead` neighbours in direction `on`, and the right-hand side if there is one. A w that is no
   number makes the next product one, and so growth infinite. */
SB_ALWAYS_INLINE void divide(march *m, T *own, int on, int ahead, int p, const T *b, int64_t i)
{
    const T u = own[0], r = 1 / u;
    for (int k = p - 1; k > 0; --k) {
        m->r[k] = m->r[k - 1];
        m->z[k] = m->z[k - 1];
        for (int t = 0; t < p; ++t)
            m->w[k][t] = m->w[k - 1][t];
    }
    bool number = sb_finite(u) && sb_finite(r);
    own[0] = m->r[0] = r;
    for (int t = 0; t < p; ++t) {
        m->w[0][t] = t < ahead ? own[on * (t + 1)] *= r : 0;
        number &= sb_finite(m->w[0][t]);
    }
    if (b) {
        m->z[0] = *b * r;
        m->odd += (u + m->z[0]) * 0;
    } else if (m->row < 0 && !number)
        m->row = i;
}

SB_ALWAYS_INLINE void step(march *m, T *own, int on, int p, T *b, int64_t i)
{
    T was[2 * MOST + 1];
    memcpy(was, own - p, (size_t)(2 * p + 1) * sizeof(T));
    eliminate(m, own, on, 1, p, p, was, b);
    divide(m, own, on, p, p, b, i);
}

/* The s-th row of `rows` in the middle, row i, once all others are eliminated. */
SB_ALWAYS_INLINE void join(march way[3], T *own, int s, int rows, int p, T *b, int64_t i)
{
    T was[2 * MOST + 1];
    memcpy(was, own - p, (size_t)(2 * p + 1) * sizeof(T));
    eliminate(&way[ABOVE], own, 1, s + 1, p, p, was, b);
    eliminate(&way[BELOW], own, -1, rows - s, p, p, was, b);
    eliminate(&way[MIDDLE], own, 1, 1, s, p, was, b);
    divide(&way[MIDDLE], own, 1, rows - 1 - s, p, b, i);
}

SB_ALWAYS_INLINE sb_outcome factor_band(T *rows, int64_t n, int p)
{
    const ways ways = ways_of(n, p);
    const int64_t d = 2 * p + 1;
    march way[3] = {start, start, start};
    T *const first = rows + p, *const last = first + d * (n - 1);
    for (int64_t i = 0; i < ways.above; ++i) {
        step(&way[ABOVE], first + d * i, 1, p, NULL, i);
        if (i < ways.below)
            step(&way[BELOW], last - d * i, -1, p, NULL, n - 1 - i);
    }
    for (int s = 0; s < ways.middle; ++s)
        join(way, first + d * (ways.above + s), s, (int)ways.middle, p, NULL, ways.above + s);
    sb_outcome outcome = {.row = -1};
    for (int k = 0; k < 3; ++k) {
        outcome.row = outcome.row < 0 ? way[k].row : outcome.row;
        outcome.growth = way[k].growth > outcome.growth ? way[k].growth : outcome.growth;
    }
    return outcome;
}

static sb_outcome factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)tuning;
    SB_NAME(assemble)(A, factors, A->lower + 1 + A->upper);
    return A->upper == 1 ? factor_band(factors, A->n, 1) : factor_band(factors, A->n, 2);
}

/* y less what the nearest `count` of p neighbours take of it, of which x[k - 1] is the k-th's unknown and own[on * step * k] its factor:
   the farthest first, so that the nearest, known last, is waited for once. */
SB_ALWAYS_INLINE T less(T y, const T *own, int on, int step, const T *x, int p, int64_t count)
{
    for (int k = p; k > 0; --k)
        if (k <= count)
            y -= own[on * step * k] * x[k - 1];
    return y;
}

SB_ALWAYS_INLINE T follow(T *last, int p, T y)
{
    for (int k = p - 1; k > 0; --k)
        last[k] = last[k - 1];
    return last[0] = y;
}

/* y of a row in the middle, whose neighbours are all eliminated but those behind it in the middle. */
SB_ALWAYS_INLINE T joined(const T *own, int step, const T *x, int64_t i, int64_t n, int p, int behind)
{
    T y = x[i];
    for (int k = -p; k <= p; ++k)
        if ((k < 0 || k > behind) && i + k >= 0 && i + k < n)
            y -= own[step * k] * x[i + k];
    return y;
}

/* Of the transpose, which is (I + W)^T D L^T, a row's factors stand with its neighbours: step is 2 p; otherwise 1. */
SB_ALWAYS_INLINE void substitute(const T *rows, int64_t n, int p, int step, T *x)
{
    const ways ways = ways_of(n, p);
    const int64_t d = 2 * p + 1, middle = ways.above, behind = n - ways.below;
    const T *const first = rows + p;
    T down[MOST] = {0}, up[MOST] = {0};
    for (int64_t i = 0; i < ways.above; ++i) {
        const int64_t j = n - 1 - i;
        x[i] = follow(down, p, less(x[i], first + d * i, -1, step, down, p, i));
        if (i < ways.below)
            x[j] = follow(up, p, less(x[j], first + d * j, 1, step, up, p, i));
    }
    for (int64_t i = middle; i < behind; ++i)
        x[i] = joined(first + d * i, step, x, i, n, p, (int)(behind - 1 - i));
    for (int64_t i = behind - 1; i >= middle; --i)
        x[i] = less(first[d * i] * x[i], first + d * i, 1, step, x + i + 1, p, behind - 1 - i);
    for (int k = 0; k < p && ways.above > 0; ++k) {
        up[k] = x[middle + k];
        down[k] = x[behind - 1 - k];
    }
    for (int64_t k = 0; k < ways.above; ++k) {
        const int64_t i = middle - 1 - k, j = behind + k;
        x[i] = follow(up, p, less(first[d * i] * x[i], first + d * i, 1, step, up, p, p));
        if (k < ways.below)
            x[j] = follow(down, p, less(first[d * j] * x[j], first + d * j, -1, step, down, p, p));
    }
}

SB_ALWAYS_INLINE void solve_band(const T *rows, sb_op op, int64_t n, int p, T *x)
{
    if (op == SB_PLAIN)
        substitute(rows, n, p, 1, x);
    else
        substitute(rows, n, p, 2 * p, x);
}

static int64_t solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper, T *x,
                     void *memory, const sb_tuning *tuning)
{
    (void)A, (void)lower, (void)memory, (void)tuning;
    if (upper == 1)
        solve_band(factors, op, n, 1, x);
    else
        solve_band(factors, op, n, 2, x);
    return -1;
}

/* Row i. at_end: what leaves the matrix is 0, and not read. */
SB_ALWAYS_INLINE void read_row(const sb_matrix *A, int64_t i, int p, bool at_end, T *row)
{
    if (at_end)
        for (int k = -p; k <= p; ++k)
            row[p + k] = i + k >= 0 && i + k < A->n ? A->diagonal[p + k][i * A->stride] : 0;
    else
        for (int k = 0; k <= 2 * p; ++k)
            row[k] = A->diagonal[k][i * A->stride];
}

/* w and z of the last row, in p + 1 words, for the way back. */
SB_ALWAYS_INLINE void keep(const march *m, int p, T *kept)
{
    for (int t = 0; t < p; ++t)
        kept[t] = m->w[0][t];
    kept[p] = m->z[0];
}

SB_ALWAYS_INLINE T unkept(const T *kept, const T *x, int p)
{
    T y = kept[p];
    for (int t = p; t > 0; --t)
        y -= kept[t - 1] * x[t - 1];
    return y;
}

SB_ALWAYS_INLINE bool once_band(const sb_matrix *A, T *kept, int p, T *x, double most, double *growth)
{
    const int64_t n = A->n;
    const ways ways = ways_of(n, p);
    const int64_t d = p + 1, middle = ways.above, behind = n - ways.below;
    march way[3] = {start, start, start};
    T row[2 * MOST + 1], b;
    for (int64_t i = 0; i < ways.above; ++i) {
        const int64_t j = n - 1 - i;
        read_row(A, i, p, i < p, row);
        b = x[i];
        step(&way[ABOVE], row + p, 1, p, &b, i);
        keep(&way[ABOVE], p, kept + d * i);
        if (i < ways.below) {
            read_row(A, j, p, i < p, row);
            b = x[j];
            step(&way[BELOW], row + p, -1, p, &b, j);
            keep(&way[BELOW], p, kept + d * j);
        }
    }
    for (int64_t i = middle; i < behind; ++i) {
        read_row(A, i, p, true, row);
        b = x[i];
        join(way, row + p, (int)(i - middle), (int)ways.middle, p, &b, i);
        keep(&way[MIDDLE], p, kept + d * i);
    }
    *growth = 0;
    for (int k = 0; k < 3; ++k)
        *growth = way[k].growth > *growth ? way[k].growth : *growth;
    if (!(way[ABOVE].odd + way[BELOW].odd + way[MIDDLE].odd == 0 && *growth <= most))
        return false;
    T up[MOST] = {0}, down[MOST] = {0};
    for (int64_t i = behind - 1; i >= middle; --i)
        x[i] = follow(up, p, unkept(kept + d * i, up, p));
    for (int k = 0; k < p && ways.above > 0; ++k)
        down[k] = x[behind - 1 - k];
    for (int64_t k = 0; k < ways.above; ++k) {
        const int64_t i = middle - 1 - k, j = behind + k;
        x[i] = follow(up, p, unkept(kept + d * i, up, p));
        if (k < ways.below)
            x[j] = follow(down, p, unkept(kept + d * j, down, p));
    }
    return true;
}

static bool once(const sb_matrix *A, void *memory, T *x, double most, double *growth)
{
    return A->upper == 1 ? once_band(A, memory, 1, x, most, growth) : once_band(A, memory, 2, x, most, growth);
}

const sb_engine SB_NAME(twisted) = {.measures_growth = true,
                                    .stored = sb_band_stored,
                                    .scratch = sb_no_scratch,
                                    .factor = factor,
                                    .solve = solve,
                                    .once = once};
