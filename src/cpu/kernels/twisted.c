/* Elimination without pivoting from both ends of a band that reaches p = 1 or 2 to either side, to p rows in the middle (Babuska 1972;
 * van der Vorst 1987): from above and from below, neither of which waits for the other's divisions. It is plain elimination of the rows
 * 0, n - 1, 1, n - 2 ... in that order, and as stable; those in the middle come last. Row i keeps, in the place of A's row,
 *
 *     l, the multiplier of each neighbour that is eliminated before it,  r = 1 / u of its pivot u,
 *     w = (what is left of A's entry) / u for each neighbour that is eliminated after it,
 *
 * so that A = L D (I + W), and what belongs to row i + k always stands k words behind r. One text for both bandwidths: called with a
 * constant it becomes the kernel of that one.
 *
 * Both ways are one: row i from above and row n - 1 - i, read backwards, are two lanes of a vector, of 128 bits, which every processor has.
 * (Each for itself they need more registers than there are, and what waits in memory is waited for: on a Zen 3 twice as long.) Rows in the
 * middle, and one more from above if their number is odd, go alone in both lanes. Words a row, with d = 2 p + 1: factor d in, d out; solve d
 * of factors + x twice in and out; both at once d + 1 in, p + 1 out and in again, x out. Growth is measured as by thomas and lu. */
#include <string.h>

#include "src/chunk/growth.h"
#include "src/cpu/kernels/needs.h"
#include "src/cpu/kernels/pair.h"
#include "src/cpu/kernels/spread.h"

enum { MOST = 2, DIAGONALS = 2 * MOST + 1 };

/* Rows from above, of the p in the middle, from below: the first are as many as the last, or one more. */
typedef struct ways {
    int64_t above, middle, below;
} ways;

static ways ways_of(int64_t n, int p)
{
    const int64_t middle = sb_first_row(n, p), below = (n - middle) / 2;
    return (ways){n - middle - below, middle, below};
}

/* A row from p entries before its own coefficient to p behind it. */
typedef struct row {
    W at[DIAGONALS];
} row;

/* What the rows that come next want of the last p, the last one first; and what was met. */
typedef struct march {
    W w[MOST][MOST];
    W r[MOST];        /* to keep factors: their reciprocal pivots */
    W z[MOST];        /* with a right-hand side: y / u */
    vmask over[MOST]; /* is some w larger than growth was, or no number? */
    V odd;            /* 0, or no number if a pivot or a z was none */
    V growth;
    int64_t broken[WAYS]; /* of factors, the first row without a pivot, or -1 */
} march;

static march start(void)
{
    march m = {.broken = {-1, -1}};
    m.growth = vsplat(1);
    return m;
}

/* A way by itself. */
SB_INLINE march one_way(const march *m, int p, int way)
{
    march one = start();
    SB_AS_A_SEQUENCE
    for (int k = 0; k < p; ++k) {
        SB_AS_A_SEQUENCE
        for (int t = 0; t < p; ++t)
            one.w[k][t] = pair_alone(m->w[k][t], way);
        one.over[k] = m->over[k][way] ? ~(vmask){0} : (vmask){0};
        one.r[k] = pair_alone(m->r[k], way);
        one.z[k] = pair_alone(m->z[k], way);
    }
    one.odd = lane_splat(m->odd, way);
    one.growth = lane_splat(m->growth, way);
    one.broken[0] = m->broken[way];
    return one;
}

/* Takes a row's entry from[0] away, and with it its multiples of w from the p entries beyond it in direction `on`. */
SB_INLINE void subtract(W *from, int on, const W *w, int p)
{
    SB_AS_A_SEQUENCE
    for (int t = 1; t <= p; ++t)
        from[on * t] = wnmadd(from[0], w[t - 1], from[on * t]);
}

static V grown(V growth, V size, V beside)
{
    for (int s = 0; s < SB_WIDTH; ++s)
        growth[s] = sb_grow(growth[s], size[s], beside[s]);
    return growth;
}

/* Growth with the products that are taken from a row, each held against what those before it have left (growth.h), and none larger than
   `whole`, the largest entry of the row before all. */
static __attribute__((noinline)) V growth_with(row *r, W w[MOST][MOST], int on, int least, int most, int p,
                                               V whole, V growth)
{
    V largest = vsplat(0);
    for (int k = most; k >= least; --k) {
        W *from = r->at + p - on * k;
        const V out = wabs1(from[0]);
        for (int t = 1; t <= p; ++t) {
            const V size = wabs1(wmul(from[0], w[k - least][t - 1])), to = wabs1(from[on * t]);
            const V beside = t == k ? vmax(to, vmin(out, vsplat(SB_BESIDE_OWN) * to)) : vmax(out, to);
            largest = vmax(largest, size);
            if (vany(vexceeds(size, growth * beside)))
                growth = grown(growth, size, beside);
        }
        subtract(from, on, w[k - least], p);
    }
    return p > 1 && vany(vexceeds(largest, growth * whole)) ? grown(growth, largest, whole) : growth;
}

static V largest_of(const row *r, int p)
{
    V largest = vsplat(0);
    for (int d = 0; d <= 2 * p; ++d)
        largest = wlargest(largest, r->at[d]);
    return largest;
}

SB_INLINE row copy_of(const row *r, int p)
{
    row copy;
    SB_AS_A_SEQUENCE
    for (int d = 0; d <= 2 * p; ++d)
        copy.at[d] = r->at[d];
    return copy;
}

/* From copies of its own: m and the row would not stay in registers if they went there themselves. */
SB_INLINE void weigh(march *m, const row *was, int on, int least, int most, int p, V whole)
{
    W w[MOST][MOST] = {{wzero()}};
    row r = copy_of(was, p);
    SB_AS_A_SEQUENCE
    for (int k = 0; k < p; ++k)
        for (int t = 0; t < p; ++t)
            w[k][t] = m->w[k][t];
    m->growth = growth_with(&r, w, on, least, most, p, whole, m->growth);
}

/* Takes the k-th neighbour against direction `on` from a row, of those that m has met the i-th from the last. Leaves its multiplier, or, if
   there is a right-hand side, takes what it makes of it from b. */
SB_INLINE void take(march *m, row *r, int on, int k, int i, int p, W *b)
{
    W *from = r->at + p - on * k;
    subtract(from, on, m->w[i], p);
    if (b)
        *b = wnmadd(from[0], m->z[i], *b);
    else
        from[0] = wmul(from[0], m->r[i]);
}

/* Takes from a row, of the p neighbours against direction `on`, those from the least-th to the most-th, which are the last that m has met:
   the farthest first. before: the row before all. Products raise growth only if w is larger than growth, an entry that is eliminated larger
   than the row's own coefficient was, or what is subtracted from that larger than growth times it. */
SB_INLINE void eliminate(march *m, row *r, int on, int least, int most, int p, const row *before, W *b)
{
    const row was = copy_of(r, p);
    V largest = vsplat(0);
    vmask doubt = {0};
    SB_AS_A_SEQUENCE
    for (int k = p; k > 0; --k) {
        if (k < least || k > most)
            continue;
        const W from = r->at[p - on * k];
        const V own = wabs1(r->at[p]), out = wabs1(from);
        doubt |= vexceeds(wabs1(wmul(from, m->w[k - least][k - 1])), m->growth * own);
        if (p > 1)
            doubt |= m->over[k - least];
        largest = k == p ? out : vmax(largest, out);
        take(m, r, on, k, k - least, p, b);
    }
    if (p > 1)
        doubt |= vexceeds(largest, wabs1(before->at[p]));
    if (vany(doubt))
        weigh(m, &was, on, least, most, p, largest_of(before, p));
}

/* Divides what is left of a row: itself, `ahead` neighbours in direction 1, and the right-hand side if there is one. A w that is no number
   makes the next product one, and so growth infinite. */
SB_INLINE void divide(march *m, row *r, int ahead, int p, const W *b, int64_t above, int64_t below)
{
    const W u = r->at[p], reciprocal = wreciprocal(u);
    SB_AS_A_SEQUENCE
    for (int k = p - 1; k > 0; --k) {
        m->over[k] = m->over[k - 1];
        m->r[k] = m->r[k - 1];
        m->z[k] = m->z[k - 1];
        SB_AS_A_SEQUENCE
        for (int t = 0; t < p; ++t)
            m->w[k][t] = m->w[k - 1][t];
    }
    r->at[p] = m->r[0] = reciprocal;
    m->over[0] = (vmask){0};
    SB_AS_A_SEQUENCE
    for (int t = 0; t < p; ++t) {
        m->w[0][t] = t < ahead ? r->at[p + t + 1] = wmul(r->at[p + t + 1], reciprocal) : wzero();
        m->over[0] |= vexceeds(wabs1(m->w[0][t]), m->growth);
    }
    if (b) {
        m->z[0] = wmul(*b, reciprocal);
        m->odd = wodd(wsub(u, m->z[0]), m->odd);
        return;
    }
    V none = wodd(u, wodd(reciprocal, vsplat(0)));
    SB_AS_A_SEQUENCE
    for (int t = 0; t < p; ++t)
        none = wodd(m->w[0][t], none);
    if (!vany(vexceeds(none, vsplat(0))))
        return;
    if (!(none[0] == 0) && m->broken[0] < 0)
        m->broken[0] = above;
    if (!(none[1] == 0) && m->broken[1] < 0)
        m->broken[1] = below;
}

SB_INLINE void step(march *m, row *r, int p, W *b, int64_t above, int64_t below)
{
    const row before = copy_of(r, p);
    eliminate(m, r, 1, 1, p, p, &before, b);
    divide(m, r, p, p, b, above, below);
}

/* What is met in the middle, where both ways end. */
typedef struct meeting {
    march above, below, middle;
} meeting;

SB_INLINE meeting meet(const march *m, int p)
{
    return (meeting){one_way(m, p, 0), one_way(m, p, 1), start()};
}

/* The s-th row of `rows` in the middle, row i, once all others are eliminated. */
SB_INLINE void join(meeting *m, row *r, int s, int rows, int p, W *b, int64_t i)
{
    const row before = copy_of(r, p);
    eliminate(&m->above, r, 1, s + 1, p, p, &before, b);
    eliminate(&m->below, r, -1, rows - s, p, p, &before, b);
    eliminate(&m->middle, r, 1, 1, s, p, &before, b);
    divide(&m->middle, r, rows - 1 - s, p, b, i, i);
}

static double growth_of(const meeting *m)
{
    const V largest = vmax(vmax(m->above.growth, m->below.growth), m->middle.growth);
    return largest[0];
}

SB_INLINE row load(const T *above, const T *below, int p)
{
    row r;
    SB_AS_A_SEQUENCE
    for (int k = 0; k <= 2 * p; ++k)
        r.at[k] = pair_load(above + k, below + 2 * p - k);
    return r;
}

SB_INLINE void store(const row *r, int p, T *above, T *below)
{
    SB_AS_A_SEQUENCE
    for (int k = 0; k <= 2 * p; ++k) {
        pair_put(r->at[k], 0, above + k);
        if (below)
            pair_put(r->at[k], 1, below + 2 * p - k);
    }
}

SB_INLINE row load_one(const T *own, int p)
{
    row r;
    for (int k = 0; k <= 2 * p; ++k)
        r.at[k] = pair_load(own + k, own + k);
    return r;
}

SB_INLINE sb_outcome factor_band(T *rows, int64_t n, int p)
{
    const ways ways = ways_of(n, p);
    const int64_t d = 2 * p + 1;
    march m = start();
    for (int64_t i = 0; i < ways.below; ++i) {
        T *above = rows + d * i, *below = rows + d * (n - 1 - i);
        row r = load(above, below, p);
        step(&m, &r, p, NULL, i, n - 1 - i);
        store(&r, p, above, below);
    }
    meeting met = meet(&m, p);
    if (ways.above > ways.below) {
        T *own = rows + d * ways.below;
        row r = load_one(own, p);
        step(&met.above, &r, p, NULL, ways.below, ways.below);
        store(&r, p, own, NULL);
    }
    for (int s = 0; s < ways.middle; ++s) {
        T *own = rows + d * (ways.above + s);
        row r = load_one(own, p);
        join(&met, &r, s, (int)ways.middle, p, NULL, ways.above + s);
        store(&r, p, own, NULL);
    }
    const int64_t broken[] = {met.above.broken[0], met.below.broken[0], met.middle.broken[0]};
    sb_outcome outcome = {.row = -1, .growth = growth_of(&met)};
    for (int k = 0; k < 3; ++k)
        outcome.row = outcome.row < 0 ? broken[k] : outcome.row;
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
SB_INLINE T less(T y, const T *own, int on, int step, const T *x, int p, int64_t count)
{
    for (int k = p; k > 0; --k)
        if (k <= count)
            y -= own[on * step * k] * x[k - 1];
    return y;
}

/* The same of both ways: on, as seen from above. */
SB_INLINE W less_both(W y, const T *above, const T *below, int on, int step, const W *x, int p, int64_t count)
{
    SB_AS_A_SEQUENCE
    for (int k = p; k > 0; --k)
        if (k <= count)
            y = wnmadd(pair_load(above + on * step * k, below - on * step * k), x[k - 1], y);
    return y;
}

SB_INLINE W follow(W *last, int p, W y)
{
    for (int k = p - 1; k > 0; --k)
        last[k] = last[k - 1];
    return last[0] = y;
}

/* y of a row in the middle, or of the last one above, whose neighbours are all eliminated but `behind` of those behind it. */
SB_INLINE T joined(const T *own, int step, const T *x, int64_t i, int64_t n, int p, int64_t behind)
{
    T y = x[i];
    for (int k = -p; k <= p; ++k)
        if ((k < 0 || k > behind) && i + k >= 0 && i + k < n)
            y -= own[step * k] * x[i + k];
    return y;
}

/* Of the transpose, which is (I + W)^T D L^T, a row's factors stand with its neighbours: step is 2 p; otherwise 1. */
SB_INLINE void substitute(const T *rows, int64_t n, int p, int step, T *x)
{
    const ways ways = ways_of(n, p);
    const int64_t d = 2 * p + 1, pairs = ways.below, middle = ways.above, behind = n - ways.below;
    const T *const first = rows + p;
    W last[MOST] = {wzero(), wzero()};
    for (int64_t i = 0; i < pairs; ++i) {
        T *above = x + i, *below = x + n - 1 - i;
        const W y =
            less_both(pair_load(above, below), first + d * i, first + d * (n - 1 - i), -1, step, last, p, i);
        follow(last, p, y);
        pair_put(y, 0, above);
        pair_put(y, 1, below);
    }
    if (middle > pairs)
        x[pairs] = joined(first + d * pairs, step, x, pairs, n, p, p);
    for (int64_t i = middle; i < behind; ++i)
        x[i] = joined(first + d * i, step, x, i, n, p, behind - 1 - i);
    for (int64_t i = behind - 1; i >= middle; --i)
        x[i] = less(first[d * i] * x[i], first + d * i, 1, step, x + i + 1, p, behind - 1 - i);
    if (middle > pairs)
        x[pairs] = less(first[d * pairs] * x[pairs], first + d * pairs, 1, step, x + middle, p, p);
    for (int k = 0; k < p && pairs > 0; ++k)
        last[k] = pair_load(x + pairs + k, x + behind - 1 - k);
    for (int64_t i = pairs - 1; i >= 0; --i) {
        T *above = x + i, *below = x + n - 1 - i;
        const T *own[] = {first + d * i, first + d * (n - 1 - i)};
        const W y = less_both(wmul(pair_load(own[0], own[1]), pair_load(above, below)), own[0], own[1], 1, step,
                              last, p, p);
        follow(last, p, y);
        pair_put(y, 0, above);
        pair_put(y, 1, below);
    }
}

SB_INLINE void solve_band(const T *rows, sb_op op, int64_t n, int p, T *x)
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

/* Where the entries of row 0 stand, and what else is read of a matrix. */
typedef struct source {
    const T *diagonal[DIAGONALS];
    int64_t n, stride;
} source;

/* Rows i and n - 1 - i. at_end: what leaves the matrix is 0, and not read. */
SB_INLINE row read_rows(const source *A, int64_t i, int p, bool at_end)
{
    const int64_t above = i * A->stride, below = (A->n - 1 - i) * A->stride;
    row r;
    SB_AS_A_SEQUENCE
    for (int k = 0; k <= 2 * p; ++k)
        r.at[k] =
            at_end && i + k < p ? wzero() : pair_load(A->diagonal[k] + above, A->diagonal[2 * p - k] + below);
    return r;
}

SB_INLINE row read_one(const source *A, int64_t i, int p)
{
    row r;
    for (int k = 0; k <= 2 * p; ++k) {
        const T *at = A->diagonal[k] + i * A->stride;
        r.at[k] = i + k >= p && i + k < A->n + p ? pair_load(at, at) : wzero();
    }
    return r;
}

/* w and z of the last row, for the way back. */
SB_INLINE void keep_last(const march *m, int p, T *to)
{
    SB_AS_A_SEQUENCE
    for (int t = 0; t < p; ++t)
        pair_keep(m->w[0][t], to + (ptrdiff_t)WAYS * t);
    pair_keep(m->z[0], to + (ptrdiff_t)WAYS * p);
}

SB_INLINE W unkept(const T *from, const W *x, int p)
{
    W y = pair_kept(from + (ptrdiff_t)WAYS * p);
    SB_AS_A_SEQUENCE
    for (int t = p; t > 0; --t)
        y = wnmadd(pair_kept(from + (ptrdiff_t)WAYS * (t - 1)), x[t - 1], y);
    return y;
}

SB_INLINE void go(const source *A, march *m, int64_t i, int p, bool at_end, const T *x, T *memory)
{
    row r = read_rows(A, i, p, at_end);
    W b = pair_load(x + i, x + A->n - 1 - i);
    step(m, &r, p, &b, i, i);
    keep_last(m, p, memory + i * WAYS * (p + 1));
}

SB_INLINE bool once_band(const sb_matrix *matrix, T *memory, int p, T *x, double most, double *growth)
{
    const int64_t n = matrix->n;
    const ways ways = ways_of(n, p);
    const int64_t d = (int64_t)WAYS * (p + 1), pairs = ways.below, behind = n - ways.below;
    T alone[MOST + 1][WAYS * (MOST + 1)];
    source A = {.n = n, .stride = matrix->stride};
    march m = start();
    int64_t i = 0;
    SB_AS_A_SEQUENCE
    for (int k = 0; k <= 2 * p; ++k)
        A.diagonal[k] = matrix->diagonal[k];
    for (; i < sb_first_row(p, pairs); ++i)
        go(&A, &m, i, p, true, x, memory);
    for (; i < pairs; ++i)
        go(&A, &m, i, p, false, x, memory);
    meeting met = meet(&m, p);
    for (i = pairs; i < behind; ++i) {
        row r = read_one(&A, i, p);
        W b = pair_load(x + i, x + i);
        if (i < ways.above)
            step(&met.above, &r, p, &b, i, i);
        else
            join(&met, &r, (int)(i - ways.above), (int)ways.middle, p, &b, i);
        keep_last(i < ways.above ? &met.above : &met.middle, p, alone[i - pairs]);
    }
    *growth = growth_of(&met);
    const V odd = met.above.odd + met.below.odd + met.middle.odd;
    if (!(odd[0] == 0 && *growth <= most))
        return false;
    W last[MOST] = {wzero(), wzero()};
    for (i = behind - 1; i >= pairs; --i)
        pair_put(follow(last, p, unkept(alone[i - pairs], last, p)), 0, x + i);
    for (int k = 0; k < p && pairs > 0; ++k)
        last[k] = pair_load(x + pairs + k, x + behind - 1 - k);
    for (i = pairs - 1; i >= 0; --i) {
        const W y = follow(last, p, unkept(memory + d * i, last, p));
        pair_put(y, 0, x + i);
        pair_put(y, 1, x + n - 1 - i);
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
