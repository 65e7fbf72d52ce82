/* Systems that differ by a shift, on slimband_rows: on the fields' rows where systems lie side by side in whole groups, else on
 * 64 lines at a time in a buffer. 2 words a row; 4 on the rows themselves where 64 lines do not fit the second-level cache, for
 * they pass twice. A system that is singular has another matrix in the rows, and is solved apart: its first n - 1 rows, the last
 * unknown being 0. */
#include "src/cpu/shifted.h"

#include <omp.h>

#include "slimband/rows.h"
#include "src/chunk/dominance.h"
#include "src/chunk/scalar.h"

#if !SB_COMPLEX

enum { GROUP = SLIMBAND_ROWS_GROUP, CACHE = 1 << 18, WIDEST = 1024 };

typedef struct state {
    slimband_rows *rows, *apart;     /* apart: NULL unless a system is singular and has another unknown */
    int64_t singular;                /* its number, or -1 */
    int64_t systems, n, after, size; /* size: entries of a field */
    bool gathers;
    int64_t row;          /* systems that lie side by side; of those that are gathered, all */
    int64_t width, parts; /* a part of a row, GROUP where they are gathered; how many they are in all fields */
    int threads;
    int64_t room; /* of a thread: the singular system, a group's lines */
    T *memory;
} state;

/* Row i of systems side by side, rows `stride` apart. */
typedef struct block {
    T *u;
    int64_t n, stride, first, count; /* its systems */
} block;

static T *row_of(const block *b, int64_t i)
{
    return b->u + i * b->stride;
}

static void solve_block(const slimband_rows *rows, const block *b)
{
    int64_t n = b->n, middle = slimband_rows_middle(rows), first = b->first, count = b->count;
    for (int64_t i = 0; i < middle; ++i)
        slimband_rows_eliminate(rows, i, first, count, i > 0 ? row_of(b, i - 1) : NULL, row_of(b, i));
    for (int64_t i = n - 1; i >= middle; --i)
        slimband_rows_eliminate(rows, i, first, count, i < n - 1 ? row_of(b, i + 1) : NULL, row_of(b, i));
    slimband_rows_meet(rows, first, count, middle ? row_of(b, middle - 1) : NULL, row_of(b, middle));
    for (int64_t i = middle - 2; i >= 0; --i)
        slimband_rows_substitute(rows, i, first, count, row_of(b, i + 1), row_of(b, i));
    for (int64_t i = middle + 1; i < n; ++i)
        slimband_rows_substitute(rows, i, first, count, row_of(b, i - 1), row_of(b, i));
}

/* Lines that are evenly spaced: entry i of line k is u[k * across + i * along], in the buffer buffer[i * GROUP + k]. */
typedef struct bundle {
    T *u;
    int64_t count, across, along;
} bundle;

/* The lines of a group that begin at `first`: neighbours, or where each is contiguous all. */
static bundle bundle_at(const state *s, T *field, int64_t first, int64_t count)
{
    if (s->after == 1)
        return (bundle){field + first * s->n, count, s->n, 1};
    int64_t k = first % s->after, left = s->after - k;
    return (bundle){field + (first - k) * s->n + k, left < count ? left : count, 1, s->after};
}

/* A cache line of each line at a time. */
static void move_bundle(const bundle *b, int64_t n, T *buffer, bool back)
{
    enum { tile = 64 / sizeof(T) };
    for (int64_t top = 0; top < n; top += tile) {
        int64_t end = top + tile < n ? top + tile : n;
        for (int64_t k = 0; k < b->count; ++k)
            for (int64_t i = top; i < end; ++i) {
                T *there = b->u + k * b->across + i * b->along, *here = buffer + i * GROUP + k;
                if (back)
                    *there = *here;
                else
                    *here = *there;
            }
    }
}

static void move_group(const state *s, T *field, int64_t first, int64_t count, T *buffer, bool back)
{
    for (int64_t done = 0; done < count;) {
        bundle b = bundle_at(s, field, first + done, count - done);
        move_bundle(&b, s->n, buffer + done, back);
        done += b.count;
    }
}

static T *line_of(const state *s, T *field, int64_t system)
{
    return field + (system - system % s->after) * s->n + system % s->after;
}

static void solve_apart(const state *s, T *line)
{
    line[s->n - 1] = 0;
    if (s->apart)
        solve_block(s->apart, &(block){line, s->n - 1, 1, 0, 1});
}

/* Systems first .. first + count - 1 of a field. room: the thread's. */
static void solve_part(const state *s, T *field, int64_t first, int64_t count, T *room)
{
    bool singular = s->singular >= first && s->singular < first + count;
    T *held = line_of(s, field, singular ? s->singular : first), *buffer = s->gathers ? room + s->n : NULL;
    for (int64_t i = 0; singular && i < s->n; ++i)
        room[i] = held[i * s->after];
    block b = {line_of(s, field, first), s->n, s->after, first, count};
    if (s->gathers) {
        b.u = buffer;
        b.stride = GROUP;
        move_group(s, field, first, count, buffer, false);
    }
    solve_block(s->rows, &b);
    if (s->gathers)
        move_group(s, field, first, count, buffer, true);
    if (singular)
        solve_apart(s, room);
    for (int64_t i = 0; singular && i < s->n; ++i)
        held[i * s->after] = room[i];
}

static void solve_number(const state *s, T *u, int64_t number, T *room)
{
    int64_t per_row = (s->row + s->width - 1) / s->width, per_field = s->systems / s->row * per_row;
    int64_t part = number % per_field, column = part % per_row * s->width, left = s->row - column;
    solve_part(s, u + number / per_field * s->size, part / per_row * s->row + column,
               left < s->width ? left : s->width, room);
}

/* One thread opens no region: a caller's own would hold a nested one. */
static slimband_status solve(const slimband_shifted *shifted, void *u)
{
    const state *s = shifted->state;
    for (int64_t k = 0; s->threads == 1 && k < s->parts; ++k)
        solve_number(s, u, k, s->memory);
    if (s->threads == 1)
        return SLIMBAND_OK;
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (int64_t k = 0; k < s->parts; ++k)
        solve_number(s, u, k, s->memory + omp_get_thread_num() * s->room);
    return SLIMBAND_OK;
}

/* Parts are as wide as the cache holds, but there are some for each thread. */
static void cut(state *s, int64_t fields)
{
    s->row = s->gathers ? s->systems : s->after;
    s->width = GROUP;
    int64_t rows = s->systems / s->row * fields, wanted = 4 * (int64_t)s->threads;
    while (!s->gathers && 2 * s->width <= WIDEST && 2 * s->width * s->n * (int64_t)sizeof(T) <= CACHE &&
           rows * (s->row / (2 * s->width)) >= wanted)
        s->width *= 2;
    s->parts = rows * ((s->row + s->width - 1) / s->width);
}

static slimband_status take_memory(slimband_shifted *shifted, state *s)
{
    int64_t lines = s->gathers ? GROUP + 1 : s->singular >= 0;
    s->room = lines * s->n;
    s->memory = sb_allocate(sb_times((size_t)s->threads, (size_t)s->room * sizeof(T)), &shifted->report.bytes);
    return s->memory ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

/* The rows; one system of them may have another shift, with which it is regular. */
static slimband_status make_rows(slimband_shifted *shifted, state *s, const sb_tridiagonal *m)
{
    const slimband_shifted_problem *p = &shifted->problem;
    size_t bytes = 0;
    double *shift = sb_allocate(sb_times((size_t)s->systems, sizeof *shift), &bytes);
    if (!shift)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t k = 0; k < s->systems; ++k)
        shift[k] = p->shift[k];
    if (s->singular >= 0)
        shift[s->singular] = sb_shift_enough(m) + (s->n > 1 ? fabs(m->upper[0]) : 1);
    slimband_status status =
        slimband_rows_create(&s->rows, p->scalar, s->n, s->systems, m->lower, m->diagonal, m->upper, shift);
    sb_release(shift);
    if (!status && s->singular >= 0 && s->n > 1)
        status = slimband_rows_create(&s->apart, p->scalar, s->n - 1, 1, m->lower, m->diagonal, m->upper,
                                      p->shift + s->singular);
    if (!status)
        shifted->report.bytes += slimband_rows_bytes(s->rows) + (s->apart ? slimband_rows_bytes(s->apart) : 0);
    return status;
}

static slimband_status create(slimband_shifted *shifted)
{
    const slimband_shifted_problem *p = &shifted->problem;
    const sb_tridiagonal m = {p->n, p->lower, p->diagonal, p->upper};
    state *s = shifted->state = sb_allocate(sizeof *s, &shifted->report.bytes);
    if (!s)
        return SLIMBAND_OUT_OF_MEMORY;
    *s = (state){.singular = -1, .systems = shifted->systems, .n = p->n, .after = p->after};
    bool singular = p->singular >= 0 && sb_standing_of(&m, p->shift[p->singular]) == SB_SINGULAR;
    if (singular && !sb_all_coupled(&m))
        return SLIMBAND_BREAKDOWN;
    if (singular)
        s->singular = p->singular;
    s->size = s->systems * s->n;
    s->threads = shifted->executor.threads ? shifted->executor.threads : omp_get_max_threads();
    s->gathers = p->before != 1 && p->after % GROUP;
    bool stays = s->gathers || s->n * (int64_t)(GROUP * sizeof(T)) <= CACHE;
    shifted->report.method = "pivots";
    shifted->report.words_per_row = stays ? 2 : 4;
    slimband_status status = make_rows(shifted, s, &m);
    if (status || s->systems == 0)
        return status;
    cut(s, p->fields);
    return take_memory(shifted, s);
}

static void destroy(slimband_shifted *shifted)
{
    state *s = shifted->state;
    slimband_rows_destroy(s->rows);
    slimband_rows_destroy(s->apart);
    sb_release(s->memory);
    sb_release(s);
}

const sb_shifted_place SB_NAME(cpu_shifted) = {create, destroy, solve};

#endif
