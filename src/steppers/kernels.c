/* Compiled for each type and instruction set: SB_TYPE and SB_ISA. */
#include "src/steppers/kernels.h"

#include <string.h>

#include "src/steppers/point.h"

#define ISA_JOIN2(name, type, isa) sb_##name##_##type##_##isa
#define ISA_JOIN(name, type, isa) ISA_JOIN2(name, type, isa)

/* The potential of one row from itself and its neighbours. */
static void potential(const sb_rings *s, const T *restrict lo, const T *restrict at, const T *restrict hi,
                      T *restrict w)
{
    const T *restrict stiffness = s->stiffness;
    if (s->cubic)
        for (int64_t j = 0; j < s->width; ++j)
            w[j] = sb_potential(true, stiffness[j], lo[j], at[j], hi[j]);
    else
        for (int64_t j = 0; j < s->width; ++j)
            w[j] = sb_potential(false, stiffness[j], lo[j], at[j], hi[j]);
}

static void balance(const sb_rings *s, const T *restrict lo, const T *restrict at, const T *restrict hi,
                    T *restrict d)
{
    const T *restrict rate = s->rate;
    for (int64_t j = 0; j < s->width; ++j)
        d[j] = rate[j] * sb_bend(lo[j], at[j], hi[j]);
}

static void push(const sb_rings *s, int64_t row, T *restrict d)
{
    const T *restrict force = s->force;
    T phase = sb_phase(s->cosine[row], s->sine[row], s->along, s->across);
    for (int64_t j = 0; j < s->width; ++j)
        d[j] += force[j] * phase;
}

/* Potentials are kept for three rows at a time, and for the two where the ring closes. */
static T *kept(const sb_rings *s, int64_t row)
{
    int64_t slot = row == 0 ? 3 : row == s->n - 1 ? 4 : row % 3;
    return (T *)s->rows + slot * s->width;
}

static void ring_increments(const sb_rings *s, const void *state, void *increments)
{
    const T *c = state;
    T *d = increments;
    int64_t n = s->n, width = s->width, last = (n - 1) * width;
    potential(s, c + last - width, c + last, c, kept(s, n - 1));
    potential(s, c + last, c, c + width, kept(s, 0));
    for (int64_t i = 0; i < n; ++i) {
        int64_t below = i == 0 ? n - 1 : i - 1, above = i == n - 1 ? 0 : i + 1;
        if (i < n - 2)
            potential(s, c + i * width, c + above * width, c + (above + 1) * width, kept(s, above));
        balance(s, kept(s, below), kept(s, i), kept(s, above), d + i * width);
        if (s->cosine)
            push(s, i, d + i * width);
    }
}

static void differences2(int64_t count, const T *restrict lo, const T *restrict at, const T *restrict hi,
                         T rate, T *restrict d)
{
    for (int64_t j = 0; j < count; ++j)
        d[j] = rate * sb_bend(lo[j], at[j], hi[j]);
}

static void differences4(int64_t count, const T *const row[5], T rate, T *restrict d)
{
    const T *restrict lo2 = row[0], *restrict lo = row[1], *restrict at = row[2], *restrict hi = row[3],
                      *restrict hi2 = row[4];
    T part = rate / 12;
    for (int64_t j = 0; j < count; ++j)
        d[j] = sb_heat4(part, lo2[j], lo[j], at[j], hi[j], hi2[j]);
}

static void differences(const sb_bundle *b, int64_t count, const T *const row[5], T *d)
{
    if (b->order == 2)
        differences2(count, row[1], row[2], row[3], (T)b->rate, d);
    else
        differences4(count, row, (T)b->rate, d);
}

/* Row j of u, or what stands for it beyond a wall. */
static const T *row_of(const sb_bundle *b, const T *u, int64_t j, int slot)
{
    sb_image image = sb_fold(b->walls, b->centring, b->n, j);
    const T *row = u + image.row * b->stride;
    if (image.sign == 1)
        return row;
    T *ghost = (T *)b->ghosts + slot * b->width;
    for (int64_t k = 0; k < b->lines; ++k)
        ghost[k] = image.sign ? -row[k] : 0;
    return ghost;
}

static void increments_of_rows(const sb_bundle *b, const T *u, T *d)
{
    int reach = b->order / 2;
    size_t none = (size_t)(b->width - b->lines) * sizeof(T);
    for (int64_t i = 0; i < b->n; ++i) {
        const T *at = u + i * b->stride, *row[5] = {at, at, at, at, at};
        for (int k = 1; k <= reach; ++k) {
            row[2 - k] = row_of(b, u, i - k, 2 * k - 2);
            row[2 + k] = row_of(b, u, i + k, 2 * k - 1);
        }
        differences(b, b->lines, row, d + i * b->width);
        memset(d + i * b->width + b->lines, 0, none);
    }
}

/* Point i of a line of stride 1 where a wall is near. */
static void increment_at_wall(const sb_bundle *b, const T *line, int64_t i, T *d)
{
    int reach = b->order / 2;
    T value[5];
    const T *row[5] = {value, value + 1, value + 2, value + 3, value + 4};
    for (int k = -reach; k <= reach; ++k) {
        sb_image image = sb_fold(b->walls, b->centring, b->n, i + k);
        value[2 + k] = image.sign == 1 ? line[image.row] : image.sign ? -line[image.row] : 0;
    }
    differences(b, 1, row, d + i);
}

static void increments_of_lines(const sb_bundle *b, const T *u, T *d)
{
    int64_t reach = b->order / 2, n = b->n;
    for (int64_t j = 0; j < b->lines; ++j) {
        const T *line = u + j * n, *row[5];
        for (int k = 0; k < 5; ++k)
            row[k] = line + reach + k - 2;
        for (int64_t i = 0; i < reach; ++i) {
            increment_at_wall(b, line, i, d + j * n);
            increment_at_wall(b, line, n - 1 - i, d + j * n);
        }
        differences(b, n - 2 * reach, row, d + j * n + reach);
    }
    memset(d + b->lines * n, 0, (size_t)((b->width - b->lines) * n) * sizeof(T));
}

static void heat_increments(const sb_bundle *b, const void *u, void *d)
{
    if (b->line_stride == 1)
        increments_of_rows(b, u, d);
    else
        increments_of_lines(b, u, d);
}

static void subtract(const sb_bundle *b, const void *state, const void *steady, void *difference)
{
    const T *u = state, *w = steady;
    T *e = difference;
    int64_t rows = b->line_stride == 1 ? b->n : 1, count = b->line_stride == 1 ? b->lines : b->n * b->lines;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < count; ++j)
            e[i * b->width + j] = u[i * b->stride + j] - w[i * b->stride + j];
}

static void raise_all(int64_t count, double amount, void *increments)
{
    T *d = increments, more = (T)amount;
    for (int64_t i = 0; i < count; ++i)
        d[i] += more;
}

static void add(int64_t count, const T *restrict d, T *restrict u)
{
    for (int64_t j = 0; j < count; ++j)
        u[j] += d[j];
}

static void add_rings(const sb_rings *s, const void *d, void *c)
{
    add(s->n * s->width, d, c);
}

static void couple(int64_t n, int64_t width, const sb_border *b)
{
    const T *s = b->weight;
    T *y = b->w[0], *z = b->w[1];
    int64_t last = (n - 3) * width;
    memset(y, 0, (size_t)((n - 2) * width) * sizeof(T));
    memset(z, 0, (size_t)((n - 2) * width) * sizeof(T));
    for (int64_t j = 0; j < width; ++j) {
        y[j] = y[last - width + j] = s[j];
        y[last + j] = z[j] = -4 * s[j];
        z[width + j] = z[last + j] = s[j];
    }
}

/* k^T times rows of a tile of n - 2 rows, for the unknown n - 2 and for the unknown n - 1. */
static T pull_first(T s, const T *at, int64_t last, int64_t width)
{
    return s * (at[0] + at[last - width] - 4 * at[last]);
}

static T pull_second(T s, const T *at, int64_t last, int64_t width)
{
    return s * (at[last] + at[width] - 4 * at[0]);
}

static void close_rings(int64_t n, int64_t width, const sb_border *b)
{
    const T *s = b->weight, *y = b->w[0], *z = b->w[1];
    T *s00 = b->inverse[0], *s01 = b->inverse[1], *s11 = b->inverse[2];
    int64_t last = (n - 3) * width;
    for (int64_t j = 0; j < width; ++j) {
        T a = 1 + 6 * s[j] - pull_first(s[j], y + j, last, width);
        T c = 1 + 6 * s[j] - pull_second(s[j], z + j, last, width);
        T m = -4 * s[j] - pull_first(s[j], z + j, last, width), determinant = a * c - m * m;
        s00[j] = c / determinant;
        s01[j] = -m / determinant;
        s11[j] = a / determinant;
    }
}

static void add_bordered(const sb_rings *r, const sb_border *b, const void *increments, void *state)
{
    const T *d = increments, *w0 = b->w[0], *w1 = b->w[1], *s = b->weight;
    const T *s00 = b->inverse[0], *s01 = b->inverse[1], *s11 = b->inverse[2];
    int64_t width = r->width, rows = r->n - 2, last = (rows - 1) * width;
    T *c = state, *restrict y = r->rows, *restrict z = y + width;
    for (int64_t j = 0; j < width; ++j) {
        T f = d[last + width + j] - pull_first(s[j], d + j, last, width);
        T g = d[last + 2 * width + j] - pull_second(s[j], d + j, last, width);
        y[j] = s00[j] * f + s01[j] * g;
        z[j] = s01[j] * f + s11[j] * g;
        c[last + width + j] += y[j];
        c[last + 2 * width + j] += z[j];
    }
    for (int64_t i = 0; i < rows; ++i) {
        const T *restrict di = d + i * width, *restrict u = w0 + i * width, *restrict v = w1 + i * width;
        T *restrict to = c + i * width;
        for (int64_t j = 0; j < width; ++j)
            to[j] += di[j] - u[j] * y[j] - v[j] * z[j];
    }
}

static void add_lines(const sb_bundle *b, const void *d, void *u)
{
    if (b->line_stride != 1)
        add(b->n * b->lines, d, u);
    else
        for (int64_t i = 0; i < b->n; ++i)
            add(b->lines, (const T *)d + i * b->width, (T *)u + i * b->stride);
}

static void pack(int64_t n, int64_t width, int64_t count, const void *members, void *strip)
{
    const T *from = members;
    T *to = strip;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < count; ++j)
            to[i * width + j] = from[j * n + i];
}

static void unpack(int64_t n, int64_t width, int64_t count, const void *strip, void *members)
{
    const T *from = strip;
    T *to = members;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < count; ++j)
            to[j * n + i] = from[i * width + j];
}

static double mean(int64_t n, int64_t stride, const void *state)
{
    const T *u = state;
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += (double)u[i * stride];
    return sum / (double)n;
}

static double energy(int64_t n, int64_t stride, double h, double gamma, const void *state)
{
    const T *c = state;
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        double here = (double)c[i * stride], next = (double)c[(i + 1 < n ? i + 1 : 0) * stride];
        sum += sb_energy_of(here, next, h, gamma);
    }
    return h * sum;
}

static void round_to_type(int64_t count, const double *from, void *to)
{
    for (int64_t i = 0; i < count; ++i)
        ((T *)to)[i] = (T)from[i];
}

extern const sb_stepper_kernels ISA_JOIN(stepper_kernels, SB_TYPE, SB_ISA);
const sb_stepper_kernels ISA_JOIN(stepper_kernels, SB_TYPE, SB_ISA) = {
    .ring_increments = ring_increments,
    .heat_increments = heat_increments,
    .subtract = subtract,
    .raise = raise_all,
    .add_rings = add_rings,
    .couple = couple,
    .close = close_rings,
    .add_bordered = add_bordered,
    .add_lines = add_lines,
    .pack = pack,
    .unpack = unpack,
    .mean = mean,
    .energy = energy,
    .round = round_to_type,
};
