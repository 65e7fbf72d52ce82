/* Substitution in rows as they lie side by side in the user's arrays or in tiles, a row at a time, its neighbours read
 * where they were just written: in the first-level cache, which a row of a strip fills a part of. Few systems, whose rows
 * would wait for that, go down all rows with their neighbours in registers. Words a row of each system: one in and one
 * out, both ways; with own factors band words more forwards, 1 + band backwards (`ready`: band). */
#include "src/cpu/wide/band.h"
#include "src/cpu/wide/stream.h"

typedef struct sweep_kind {
    int band, reach; /* reach: neighbours that there are, fewer at the ends */
    bool own, ready, ring, past_cache;
    bool pairs; /* both rows have complex numbers as they lie, and all systems one matrix */
} sweep_kind;

/* The row that is to be fetched with the j-th one that is swept, or NULL. */
SB_INLINE const R *wanted(const sb_sweep *s, int64_t j)
{
    const R *from = j < s->ahead_rows ? s->ahead : s->next;
    return from ? from + (j < s->ahead_rows ? j : j - s->ahead_rows) * s->ahead_step : NULL;
}

/* Vectors that a turn of the loop along a row takes: at least a cache line of them. */
enum { TOGETHER = 4 / SB_PLANES };

/* Of both rows, or of none. */
SB_INLINE void fetch_part(const R *ahead, const R *again, int64_t lane)
{
    for (int q = 0; q < TOGETHER * SB_PLANES && ahead; q += SB_LINE_VECTORS) {
        vfetch(ahead, lane * SB_PLANES + q * SB_WIDTH);
        vfetch(again, lane * SB_PLANES + q * SB_WIDTH);
    }
}

/* A row and its factors, those of the one matrix in registers. */
typedef struct swept_row {
    sb_factors f;
    int64_t i, lanes;
    const R *ahead, *again; /* to be fetched, and asked for again; if there is one of them only, it is both */
    R *in, *out;
    bool begins_line; /* where it goes, and is whole vectors */
    W shared[SB_USUAL_MOST + 1];
} swept_row;

/* A word of a row as it is swept: in pairs its two vectors as they lie. */
SB_INLINE W swept_load(sweep_kind kind, const sb_rows *rows, const R *p, int64_t lanes)
{
    return kind.pairs ? wload(p, SB_WIDTH) : row_load(rows->pairs, p, lanes);
}

SB_INLINE void swept_store(sweep_kind kind, const sb_rows *rows, R *p, int64_t lanes, W a)
{
    if (kind.pairs)
        wstore(p, SB_WIDTH, a);
    else
        row_store(rows, p, lanes, a);
}

/* The one matrix' coefficient for words in pairs: what multiplies a vector; and what multiplies it with neighbours swapped. */
SB_INLINE W coefficient_of_pairs(W a)
{
#if SB_COMPLEX
    V same;
    vmerge(-a.im, a.im, &a.im, &same);
#endif
    return a;
}

/* c - a b, and a b; the same operations, in the same order, as of words that are split. */
SB_INLINE W swept_nmadd(sweep_kind kind, W a, W b, W c)
{
#if SB_COMPLEX
    if (kind.pairs)
        return (W){vnmadd(a.im, vswap(b.re), vnmadd(a.re, b.re, c.re)),
                   vnmadd(a.im, vswap(b.im), vnmadd(a.re, b.im, c.im))};
#endif
    (void)kind;
    return wnmadd(a, b, c);
}

SB_INLINE W swept_mul(sweep_kind kind, W a, W b)
{
#if SB_COMPLEX
    if (kind.pairs)
        return (W){vmadd(a.im, vswap(b.re), a.re * b.re), vmadd(a.im, vswap(b.im), a.re * b.im)};
#endif
    (void)kind;
    return wmul(a, b);
}

SB_INLINE W coefficient(const swept_row *row, bool own, int e, int k, int64_t lane)
{
    return own ? factor(&row->f, true, row->i, e, lane) : row->shared[k];
}

SB_INLINE W shared_factor(const swept_row *row, sweep_kind kind, int e)
{
    W a = factor(&row->f, false, row->i, e, 0);
    return kind.pairs ? coefficient_of_pairs(a) : a;
}

/* What goes into a row's word. */
SB_INLINE W word_in(const sb_sweep *s, sweep_kind kind, const swept_row *row, int64_t lane)
{
    return swept_load(kind, &s->from, row->in + lane * lane_step(&s->from), row->lanes);
}

SB_INLINE void forward_word(const sb_sweep *s, sweep_kind kind, const swept_row *row, int64_t lane, W y)
{
    R *to = row->out + lane * lane_step(&s->to);
    for (int k = kind.reach; k > 0; --k)
        y = swept_nmadd(kind, coefficient(row, kind.own, kind.band - k, k, lane),
                        swept_load(kind, &s->to, to - k * s->to.step, row->lanes), y);
    swept_store(kind, &s->to, to, row->lanes, y);
}

/* Past the caches, the row takes the place of what went in; it goes out from the registers if it begins with a cache line and
   is whole vectors, else from there. */
SB_INLINE void backward_word(const sb_sweep *s, sweep_kind kind, const swept_row *row, int64_t lane, W x)
{
    int pivot = row->f.pivot;
    R *from = row->in + lane * lane_step(&s->from), *to = row->out + lane * lane_step(&s->to);
    if (kind.ring)
        x = wnmadd(coefficient(row, true, pivot + 2, 0, lane), wload(row->f.border + lane, row->lanes), x);
    if (kind.band == 1 && !kind.ready)
        x = swept_mul(kind, coefficient(row, kind.own, pivot, 0, lane), x);
    for (int t = kind.reach; t > 0; --t) {
        W behind = kind.past_cache ? swept_load(kind, &s->from, from + t * s->from.step, row->lanes)
                                   : swept_load(kind, &s->to, to + t * s->to.step, row->lanes);
        x = swept_nmadd(kind, coefficient(row, kind.own, pivot + t, t, lane), behind, x);
    }
    if (kind.band > 1 && !kind.ready)
        x = swept_mul(kind, coefficient(row, kind.own, pivot, 0, lane), x);
    swept_store(kind, kind.past_cache ? &s->from : &s->to, kind.past_cache ? from : to, row->lanes, x);
    if (kind.past_cache && row->begins_line)
        stream_word(to, kind.pairs, x);
}

SB_INLINE void look_ahead(const sb_sweep *s, int64_t j, swept_row *row)
{
    enum { nearer = SB_ROWS_FETCHED - SB_ROWS_FETCHED_AGAIN };
    const R *ahead = wanted(s, j), *again = j >= nearer ? wanted(s, j - nearer) : NULL;
    row->ahead = ahead ? ahead : again;
    row->again = again ? again : ahead;
}

SB_INLINE swept_row row_of(const sb_sweep *s, sweep_kind kind, int64_t i, int64_t j)
{
    swept_row row = {.f = factors_of(&s->factors, kind.own, kind.band),
                     .i = i,
                     .lanes = s->lanes,
                     .in = row_place(&s->from, i, 0),
                     .out = row_place(&s->to, i, 0),
                     .begins_line =
                         s->lanes % SB_WIDTH == 0 && (uintptr_t)row_place(&s->to, i, 0) % SB_CACHE_LINE == 0};
    if (s->ahead || s->next)
        look_ahead(s, j, &row);
    return row;
}

/* What goes into the vector that ends with the last lane, where the row is no multiple of vectors: taken up before it is overwritten with those
   that it shares with the vector in front of it, which come out the same both times. */
SB_INLINE W last_in(const sb_sweep *s, sweep_kind kind, const swept_row *row)
{
    return row->lanes % SB_WIDTH ? word_in(s, kind, row, row->lanes - SB_WIDTH) : wzero();
}

/* Structs by value: their members stay in registers, whatever is stored. */
SB_INLINE void forward(sb_sweep s, sweep_kind kind, int64_t i)
{
    int64_t lane = 0;
    swept_row row = row_of(&s, kind, i, i);
    const W last = last_in(&s, kind, &row);
    for (int k = 1; k <= kind.reach && !kind.own; ++k)
        row.shared[k] = shared_factor(&row, kind, kind.band - k);
    for (; lane + TOGETHER * SB_WIDTH <= row.lanes; lane += TOGETHER * SB_WIDTH) {
        fetch_part(row.ahead, row.again, lane);
        SB_IN_REGISTERS
        for (int v = 0; v < TOGETHER; ++v)
            forward_word(&s, kind, &row, lane + v * SB_WIDTH, word_in(&s, kind, &row, lane + v * SB_WIDTH));
    }
    for (; lane + SB_WIDTH <= row.lanes; lane += SB_WIDTH)
        forward_word(&s, kind, &row, lane, word_in(&s, kind, &row, lane));
    if (lane < row.lanes)
        forward_word(&s, kind, &row, row.lanes - SB_WIDTH, last);
}

SB_INLINE void backward(sb_sweep s, sweep_kind kind, int64_t i)
{
    int64_t lane = 0;
    swept_row row = row_of(&s, kind, i, s.n - 1 - i);
    const W last = last_in(&s, kind, &row);
    stream out = stream_of(row.in, kind.pairs, row.lanes, (T *)row.out, row.lanes);
    for (int t = 0; t <= kind.reach && !kind.own; ++t)
        row.shared[t] = shared_factor(&row, kind, row.f.pivot + t);
    for (; lane + TOGETHER * SB_WIDTH <= row.lanes; lane += TOGETHER * SB_WIDTH) {
        fetch_part(row.ahead, row.again, lane);
        SB_IN_REGISTERS
        for (int v = 0; v < TOGETHER; ++v)
            backward_word(&s, kind, &row, lane + v * SB_WIDTH, word_in(&s, kind, &row, lane + v * SB_WIDTH));
        if (kind.past_cache && !row.begins_line)
            stream_part(&out, lane + TOGETHER * SB_WIDTH);
    }
    for (; lane + SB_WIDTH <= row.lanes; lane += SB_WIDTH)
        backward_word(&s, kind, &row, lane, word_in(&s, kind, &row, lane));
    if (lane < row.lanes)
        backward_word(&s, kind, &row, row.lanes - SB_WIDTH, last);
    if (kind.past_cache && !row.begins_line) {
        stream_rest(&out);
        if (i >= SB_ENDS_AHEAD)
            fetch_ends((T *)row.out, row.lanes, -SB_ENDS_AHEAD * s.to.step);
    }
}

/* An unknown that is NaN or Inf makes all that come after it so: only row 0 has to be looked at. */
static void look_at_first_row(const sb_sweep *s)
{
    const sb_rows *rows = s->past_cache ? &s->from : &s->to;
    for (int64_t v = 0; v < s->lanes; v += SB_WIDTH) {
        const int64_t lane = whole_from(v, s->lanes);
        W x = row_load(rows->pairs, row_place(rows, 0, lane), s->lanes);
        vstore(s->odd + lane, wodd(x, vload(s->odd + lane)));
    }
}

/* The first and the last rows: one text for all bands. */
static __attribute__((noinline)) void forward_end(const sb_sweep *s, sweep_kind kind, int64_t i)
{
    forward(*s, kind, i);
}

static __attribute__((noinline)) void backward_end(const sb_sweep *s, sweep_kind kind, int64_t i)
{
    backward(*s, kind, i);
}

SB_INLINE bool in_pairs(const sb_sweep *s)
{
    return SB_COMPLEX && s->factors.shared && s->from.pairs && s->to.pairs;
}

/* Vectors that go down all rows together, what neighbours came to in registers; and tiles of how many times as many do. */
enum { ABREAST = 4, MOST_DOWN = 4 };
_Static_assert(ABREAST == 4, "as band_down");

/* Does a tile have so few that its rows would wait for what was just stored, or for where they are to be found out? In the usual narrow
   bands, from the caches. */
SB_INLINE bool goes_down(const sb_sweep *s)
{
    return s->factors.lower <= 2 && s->lanes <= MOST_DOWN * ABREAST * SB_WIDTH && !s->factors.border &&
           !s->ahead && !s->next && !s->past_cache;
}

/* Rows from..to-1 of so many vectors, none at an end. Structs by value here too. What goes into all of them is taken up before anything is
   overwritten, see last_in. */
SB_INLINE void forward_down(sb_sweep s, sweep_kind kind, int vectors, int64_t lane, int64_t from, int64_t to)
{
    W y[ABREAST], before[ABREAST][SB_USUAL_MOST];
    int64_t own[ABREAST];
    for (int v = 0; v < vectors; ++v) {
        own[v] = whole_from(lane + v * SB_WIDTH, s.lanes);
        for (int k = 0; k < kind.band; ++k)
            before[v][k] = swept_load(kind, &s.to, row_place(&s.to, from - 1 - k, own[v]), s.lanes);
    }
    for (int64_t i = from; i < to; ++i) {
        swept_row row = row_of(&s, kind, i, i);
        for (int k = 1; k <= kind.band && !kind.own; ++k)
            row.shared[k] = shared_factor(&row, kind, kind.band - k);
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v)
            y[v] = word_in(&s, kind, &row, own[v]);
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v) {
            for (int k = kind.band; k > 0; --k)
                y[v] = swept_nmadd(kind, coefficient(&row, kind.own, kind.band - k, k, own[v]),
                                   before[v][k - 1], y[v]);
            push(before[v], kind.band, y[v]);
            swept_store(kind, &s.to, row_place(&s.to, i, own[v]), s.lanes, y[v]);
        }
    }
}

SB_INLINE void backward_down(sb_sweep s, sweep_kind kind, int vectors, int64_t lane, int64_t from, int64_t to)
{
    W x[ABREAST], behind[ABREAST][SB_USUAL_MOST];
    int64_t own[ABREAST];
    for (int v = 0; v < vectors; ++v) {
        own[v] = whole_from(lane + v * SB_WIDTH, s.lanes);
        for (int k = 0; k < kind.band; ++k)
            behind[v][k] = swept_load(kind, &s.to, row_place(&s.to, to + k, own[v]), s.lanes);
    }
    for (int64_t i = to - 1; i >= from; --i) {
        swept_row row = row_of(&s, kind, i, i);
        const int pivot = row.f.pivot;
        for (int t = 0; t <= kind.band && !kind.own; ++t)
            row.shared[t] = shared_factor(&row, kind, pivot + t);
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v)
            x[v] = word_in(&s, kind, &row, own[v]);
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v) {
            if (kind.band == 1 && !kind.ready)
                x[v] = swept_mul(kind, coefficient(&row, kind.own, pivot, 0, own[v]), x[v]);
            for (int t = kind.band; t > 0; --t)
                x[v] = swept_nmadd(kind, coefficient(&row, kind.own, pivot + t, t, own[v]), behind[v][t - 1],
                                   x[v]);
            if (kind.band > 1 && !kind.ready)
                x[v] = swept_mul(kind, coefficient(&row, kind.own, pivot, 0, own[v]), x[v]);
            push(behind[v], kind.band, x[v]);
            swept_store(kind, &s.to, row_place(&s.to, i, own[v]), s.lanes, x[v]);
        }
    }
}

SB_INLINE int64_t part_down(const sb_sweep *s, sweep_kind kind, bool back, int vectors, int64_t lane,
                            int64_t from, int64_t to)
{
    if (back)
        backward_down(*s, kind, vectors, lane, from, to);
    else
        forward_down(*s, kind, vectors, lane, from, to);
    return lane + vectors * SB_WIDTH;
}

/* What is over of ABREAST comes first, so that the last vector, which may share lanes with the one in front of it, is taken up with that. */
SB_INLINE void band_down(const sb_sweep *s, sweep_kind kind, int band, bool back, int64_t from, int64_t to)
{
    const int64_t vectors = (s->lanes + SB_WIDTH - 1) / SB_WIDTH;
    int64_t lane = 0;
    kind.band = kind.reach = band;
    if (vectors % 2)
        lane = part_down(s, kind, back, 1, lane, from, to);
    if (vectors & 2)
        lane = part_down(s, kind, back, 2, lane, from, to);
    while (lane < s->lanes)
        lane = part_down(s, kind, back, ABREAST, lane, from, to);
}

SB_INLINE void any_down(const sb_sweep *s, sweep_kind kind, bool back, int64_t from, int64_t to)
{
    if (s->factors.lower == 1)
        band_down(s, kind, 1, back, from, to);
    else
        band_down(s, kind, 2, back, from, to);
}

/* Not inlined: beside them the others would have to do with fewer registers. */
static __attribute__((noinline)) void go_down(const sb_sweep *s, int64_t from, int64_t to)
{
    if (in_pairs(s))
        any_down(s, (sweep_kind){.pairs = true}, false, from, to);
    else if (s->factors.shared)
        any_down(s, (sweep_kind){.own = false}, false, from, to);
    else
        any_down(s, (sweep_kind){.own = true}, false, from, to);
}

static __attribute__((noinline)) void come_back(const sb_sweep *s, int64_t from, int64_t to)
{
    if (in_pairs(s))
        any_down(s, (sweep_kind){.pairs = true}, true, from, to);
    else if (s->factors.shared)
        any_down(s, (sweep_kind){.own = false}, true, from, to);
    else if (s->factors.ready)
        any_down(s, (sweep_kind){.own = true, .ready = true}, true, from, to);
    else
        any_down(s, (sweep_kind){.own = true}, true, from, to);
}

SB_INLINE void all_forward(int band, const sb_sweep *s, bool own, bool pairs, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; ++i) {
        sweep_kind kind = {.band = band, .reach = band, .own = own, .pairs = pairs};
        if (i >= band && goes_down(s)) {
            go_down(s, i, to);
            return;
        }
        if (i >= band)
            forward(*s, kind, i);
        else {
            kind.reach = (int)i;
            forward_end(s, kind, i);
        }
    }
}

SB_INLINE void all_backward(int band, const sb_sweep *s, bool own, bool ready, bool ring, bool past_cache,
                            bool pairs, int64_t from, int64_t to)
{
    for (int64_t i = to - 1; i >= from; --i) {
        int64_t behind = s->n - 1 - i;
        sweep_kind kind = {band, band, own, ready, ring, past_cache, pairs};
        if (behind >= band && goes_down(s)) {
            come_back(s, from, i + 1);
            break;
        }
        if (behind >= band)
            backward(*s, kind, i);
        else {
            kind.reach = (int)behind;
            backward_end(s, kind, i);
        }
    }
    if (from == 0)
        look_at_first_row(s);
}

void SB_WIDE(forward_rows)(const sb_sweep *s, int64_t from, int64_t to)
{
    if (in_pairs(s))
        SB_FOR_BAND(s->factors.lower, all_forward, s, false, true, from, to);
    else if (s->factors.shared)
        SB_FOR_BAND(s->factors.lower, all_forward, s, false, false, from, to);
    else
        SB_FOR_BAND(s->factors.lower, all_forward, s, true, false, from, to);
}

SB_INLINE void backward_kinds(const sb_sweep *s, bool past_cache, int64_t from, int64_t to)
{
    int band = s->factors.lower;
    if (s->factors.border)
        all_backward(1, s, true, true, true, past_cache, false, from, to);
    else if (s->factors.ready)
        SB_FOR_BAND(band, all_backward, s, true, true, false, past_cache, false, from, to);
    else if (in_pairs(s))
        SB_FOR_BAND(band, all_backward, s, false, false, false, past_cache, true, from, to);
    else if (s->factors.shared)
        SB_FOR_BAND(band, all_backward, s, false, false, false, past_cache, false, from, to);
    else
        SB_FOR_BAND(band, all_backward, s, true, false, false, past_cache, false, from, to);
}

void SB_WIDE(backward_rows)(const sb_sweep *s, int64_t from, int64_t to)
{
    if (s->past_cache)
        backward_kinds(s, true, from, to);
    else
        backward_kinds(s, false, from, to);
}
