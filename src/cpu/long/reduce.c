/* From the rows of a tile's chunks to the equations of their interfaces: 2 k + 2 words a row in, nothing out.
 *
 * Three things are carried from row to row: the k rows above, their coefficients of the top unknowns (the fill), and
 * the k equations of the top, into which each eliminated row is folded at once. What has decayed to nothing beside
 * its row is set to zero after each SB_LINE_ROWS rows, so that it does not stay denormal.
 *
 * Rows out of the user's lines are eliminated by the same operations, but growth is not measured where every row is found
 * to be dominated: half of what there is to do is measuring. */
#include "src/cpu/long/piece.h"

/* Top rows are taken for rows that are eliminated already, of which x = known remains. */
SB_INLINE void start(carried *c, const R *rows, int k)
{
    const T minus_one = -1;
    c->growth = vsplat(1);
    c->odd = vsplat(0);
    for (int q = 0; q < k; ++q) {
        row r = load_row(row_at(rows, q, 2 * k + 2), k);
        folded *e = &c->equation[q];
        e->y = r.y;
        e->largest = e->reach = vsplat(0);
        for (int b = 0; b < k; ++b) {
            e->top[b] = r.a[k + b - q];
            e->next[b] = b <= q ? r.a[2 * k + b - q] : wzero();
            e->largest = vmax(e->largest, vmax(wabs1(e->top[b]), wabs1(e->next[b])));
            c->fill[q][b] = b == k - 1 - q ? wsplat(&minus_one) : wzero();
            c->up.upper[q][b] = wzero();
        }
        c->up.y[q] = wzero();
    }
}

/* Fold the row just eliminated, which is now the nearest above, into an equation of the top. */
SB_INLINE void fold(folded *e, const carried *c, int k, bool measured)
{
    W g = e->next[0];
    for (int b = 0; b < k; ++b) {
        e->top[b] = wnmadd(g, c->fill[0][b], e->top[b]);
        if (measured)
            e->reach = vmax(e->reach, wabs1(wmul(g, c->fill[0][b])));
    }
    e->y = wnmadd(g, c->up.y[0], e->y);
    for (int b = 0; b < k; ++b) {
        e->next[b] = wnmadd(g, c->up.upper[0][b], b + 1 < k ? e->next[b + 1] : wzero());
        if (measured)
            e->reach = vmax(e->reach, wabs1(e->next[b]));
    }
}

SB_INLINE void drop_from(carried *c, int k)
{
    for (int j = 0; j < k; ++j)
        for (int b = 0; b < k; ++b)
            c->fill[j][b] = unless_gone(c->fill[j][b], wabs1(c->fill[j][b]), vsplat(1));
    for (int q = 0; q < k; ++q) {
        folded *e = &c->equation[q];
        for (int b = 0; b < k; ++b)
            e->next[b] = unless_gone(e->next[b], wabs1(e->next[b]), e->largest);
    }
}

/* After the last row of a piece. Rows above are divided by their pivots. */
SB_INLINE void drop_what_is_gone(void *state, int k)
{
    carried *c = state;
    for (int v = 0; v < DEPTH; ++v)
        drop_from(&c[v], k);
}

SB_INLINE void reduce_row(carried *c, const R *at, int k, const W *known, bool measured)
{
    row r = load_row(at, k);
    const W own = r.a[k];
    W fill[BAND];
    V largest = vsplat(0), left = vsplat(0), product = vsplat(0), filled = vsplat(0);
    if (measured)
        measure_row(&r, k, &largest, &left);
    for (int b = 0; b < k; ++b)
        fill[b] = wzero();
    for (int j = k - 1; j >= 0; --j) {
        if (measured)
            c->growth = grow_beside(c->growth, &r, &c->up, j, k);
        W l = subtract(&r, &c->up, j, 0, k);
        if (measured)
            product = vmax(product, largest_product(l, c->up.upper[j], k));
        for (int b = 0; b < k; ++b)
            fill[b] = wnmadd(l, c->fill[j][b], fill[b]);
    }
    W reciprocal = known ? *known : invert(r.a[k], &c->odd);
    if (!measured)
        c->least = own_beside(c->least, own, r.a[k], reciprocal);
    for (int b = 0; b < k; ++b) {
        if (measured)
            filled = vmax(filled, wabs1(fill[b]));
        for (int j = k - 1; j > 0; --j)
            c->fill[j][b] = c->fill[j - 1][b];
        c->fill[0][b] = wmul(fill[b], reciprocal);
    }
    if (measured)
        c->growth = grow(grow(c->growth, product, largest), filled, left);
    push(&c->up, &r, reciprocal, k);
    if (!measured)
        c->rest = left_beside(c->rest, &c->up, 0, c->fill[0], k);
    for (int q = 0; q < k; ++q)
        fold(&c->equation[q], c, k, measured);
}

SB_INLINE void reduce_lanes(carried *c, const R *at, int k, int rows, bool measured)
{
    W reciprocal[TOGETHER];
    const W *known = invert_together(at, &c->up, k, rows, reciprocal, &c->odd);
    for (int i = 0; i < rows; ++i)
        reduce_row(c, row_at(at, i, 2 * k + 2), k, known ? &known[i] : NULL, measured);
}

SB_INLINE void reduce_rows(carried *c, const R *at, int k, int rows)
{
    for (int v = 0; v < DEPTH; ++v)
        reduce_lanes(&c[v], at + v * SB_WIDTH, k, rows, true);
}

SB_INLINE void reduce_some(void *state, int v, const R *at, R *kept, int k)
{
    carried *c = state;
    (void)kept;
    reduce_lanes(&c[v], at, k, together(k), false);
}

SB_INLINE void put_side(const sb_sides *sides, int e, int lane, const W *top, const W *bottom, W y, V reach,
                        int k)
{
    R *at = sides->equations + (ptrdiff_t)e * (2 * k + 1) * WORD + lane;
    for (int b = 0; b < k; ++b) {
        wstore(at + b * WORD, LANES, top[b]);
        wstore(at + (k + b) * WORD, LANES, bottom[b]);
    }
    wstore(at + 2 * k * WORD, LANES, y);
    vstore(sides->reach + e * LANES + lane, reach);
}

/* The equations of the top are done; those of the bottom are its rows, rid of the interior's unknowns. */
SB_INLINE void finish(const carried *c, const R *rows, int lane, const sb_sides *sides, int k)
{
    for (int q = 0; q < k; ++q) {
        const folded *e = &c->equation[q];
        put_side(sides, q, lane, e->top, e->next, e->y, e->reach, k);
    }
    for (int p = 0; p < k; ++p) {
        row r = load_row(row_at(rows, p, 2 * k + 2), k);
        W fill[BAND];
        V reach = vsplat(0);
        for (int b = 0; b < k; ++b)
            fill[b] = wzero();
        for (int j = k - 1 - p; j >= 0; --j) {
            W l = subtract(&r, &c->up, j, p, k);
            reach = vmax(reach, largest_product(l, c->up.upper[j], k));
            for (int b = 0; b < k; ++b)
                fill[b] = wnmadd(l, c->fill[j][b], fill[b]);
        }
        for (int b = 0; b < k; ++b)
            reach = vmax(reach, wabs1(fill[b]));
        put_side(sides, k + p, lane, fill, r.a + k - p, r.y, reach, k);
    }
    vstore(sides->growth + lane, c->growth);
    vstore(sides->odd + lane, c->odd);
}

SB_INLINE void reduce(int k, const R *rows, int64_t from, int64_t to, int64_t m, carried *state,
                      const sb_sides *sides)
{
    int64_t first = from < k ? k : from, last = to > m - k ? m - k : to;
    carried c[DEPTH];
    for (int v = 0; v < DEPTH; ++v)
        if (from == 0)
            start(&c[v], rows + v * SB_WIDTH, k);
        else
            copy_carried(&c[v], &state[v], k);
    for (int64_t i = first, end; i < last; i = end) {
        end = i + next_rows(i, last, k);
        if (end - i == together(k))
            reduce_rows(c, row_at(rows, i - from, 2 * k + 2), k, together(k));
        else
            reduce_rows(c, row_at(rows, i - from, 2 * k + 2), k, 1);
        if (end % PIECE == 0)
            drop_what_is_gone(c, k);
    }
    for (int v = 0; v < DEPTH; ++v)
        if (to == m)
            finish(&c[v], row_at(rows, m - k - from, 2 * k + 2) + v * SB_WIDTH, v * SB_WIDTH, sides, k);
        else
            copy_carried(&state[v], &c[v], k);
}

void SB_LONG(reduce)(int k, const R *rows, int64_t from, int64_t to, int64_t m, void *state,
                     const sb_sides *sides)
{
    SB_FOR_BAND(k, reduce, rows, from, to, m, state, sides);
}

SB_INLINE bool reduce_lines(int k, const sb_long_lines *lines, int64_t count, carried *state)
{
    carried c[DEPTH];
    V rest = vsplat(0), least = vsplat(1);
    for (int v = 0; v < DEPTH; ++v) {
        copy_carried(&c[v], &state[v], k);
        c[v].least = vsplat(1);
        c[v].rest = vsplat(0); /* rows above take part in the first products */
        for (int j = 0; j < k; ++j)
            c[v].rest = left_beside(c[v].rest, &c[v].up, j, c[v].fill[j], k);
    }
    work_on_rows work = {k, reduce_some, drop_what_is_gone, false, c};
    over_lines(lines, count, &work, NULL);
    for (int v = 0; v < DEPTH; ++v) {
        rest = vmax(rest, c[v].rest);
        least = vmin(least, c[v].least);
    }
    if (may_have_grown(rest, least))
        return false;
    for (int v = 0; v < DEPTH; ++v)
        copy_carried(&state[v], &c[v], k);
    return true;
}

bool SB_LONG(reduce_lines)(int k, const sb_long_lines *lines, int64_t count, void *state)
{
    return SB_FOR_BAND(k, reduce_lines, lines, count, state);
}
