/* Programs of transform.h: which steps an axis needs, and their tables. */
#include "src/poisson/transform.h"

#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/transform_run.h"

static const double pi = 3.14159265358979323846;

/* While tables are filled: what is still free of them. */
typedef struct maker {
    sb_transform_plan *plan;
    sb_transform *p;
    const slimband_poisson_axis *axis;
    uint32_t coefficients;
    size_t bytes;
} maker;

static sb_pair unit(double numerator, double denominator) /* exp(-i pi numerator / denominator) */
{
    double angle = pi * numerator / denominator;
    return (sb_pair){(T)cos(angle), (T)-sin(angle)};
}

sb_divisor SB_NAME(divisor)(uint32_t d)
{
    int bits = 0;
    while ((UINT64_C(1) << bits) < d)
        ++bits;
    return (sb_divisor){(uint32_t)(((UINT64_C(1) << (31 + bits)) + d - 1) / d), 31 + bits};
}

/* Eights first, but 16 = 4 x 4; then odd factors. False where others are left. */
static bool cut(sb_fft *f, uint32_t length)
{
    static const uint32_t odd[] = {7, 5, 3};
    uint32_t left = length;
    f->stages = 0;
    while (left > 1 && f->stages < SB_STAGES) {
        uint32_t r = 0;
        int twos = 0;
        for (uint32_t power = left; power % 2 == 0; power /= 2)
            ++twos;
        if (twos > 0)
            r = twos == 2 || twos == 4 ? 4 : twos == 1 ? 2 : 8;
        for (int k = 0; k < 3 && !r; ++k)
            if (left % odd[k] == 0)
                r = odd[k];
        if (!r)
            return false;
        left /= r;
        f->stage[f->stages++] =
            (sb_stage){.radix = (int)r, .sub = left, .count = length / r, .by_sub = SB_NAME(divisor)(left)};
    }
    return left == 1;
}

static void plan_fft(sb_fft *f, uint32_t length)
{
    *f = (sb_fft){.length = length, .work = length};
    if (cut(f, length))
        return;
    f->chirp = true;
    for (f->work = 2; f->work < 2 * length - 1;)
        f->work *= 2;
    cut(f, f->work);
}

/* The frequency at a place after the stages. */
static uint32_t frequency(const sb_fft *f, uint32_t place)
{
    uint32_t result = 0, factor = 1;
    for (int k = 0; k < f->stages && !f->chirp; ++k) {
        result += place / f->stage[k].sub * factor;
        place %= f->stage[k].sub;
        factor *= (uint32_t)f->stage[k].radix;
    }
    return f->chirp ? place : result;
}

static uint32_t place_of(const sb_fft *f, uint32_t number)
{
    uint32_t result = 0;
    for (int k = 0; k < f->stages && !f->chirp; ++k) {
        result += number % (uint32_t)f->stage[k].radix * f->stage[k].sub;
        number /= (uint32_t)f->stage[k].radix;
    }
    return f->chirp ? number : result;
}

static uint32_t take_pairs(maker *m, uint32_t count)
{
    uint32_t at = m->plan->pair_count;
    m->plan->pair_count += count;
    return at;
}

static uint32_t take_ints(maker *m, uint32_t count)
{
    uint32_t at = m->plan->int_count;
    m->plan->int_count += count;
    return at;
}

static void fill_stages(maker *m, sb_fft *f)
{
    for (int k = 0; k < f->stages; ++k) {
        sb_stage *s = &f->stage[k];
        s->turn = take_pairs(m, s->sub);
        for (uint32_t j = 0; j < s->sub; ++j)
            m->plan->pairs[s->turn + j] = unit(2.0 * j, (double)s->sub * s->radix);
    }
}

/* Radix 2 in double, for the convolution's table; n is a power of two. */
static void plain_fft(double *x, uint32_t n, uint32_t stride, double *to)
{
    if (n == 1) {
        to[0] = x[0];
        to[1] = x[1];
        return;
    }
    plain_fft(x, n / 2, 2 * stride, to);
    plain_fft(x + 2 * stride, n / 2, 2 * stride, to + n);
    for (uint32_t k = 0; k < n / 2; ++k) {
        double c = cos(2 * pi * k / n), s = -sin(2 * pi * k / n), *a = to + 2 * k, *b = a + n;
        double re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
    }
}

static void fill_chirp(maker *m, sb_fft *f)
{
    uint32_t n = f->length, work = f->work;
    double *b = sb_app_allocate(4 * (size_t)work, sizeof *b, &m->bytes);
    m->plan->failed |= !b;
    f->wave = take_pairs(m, n);
    f->spectrum = take_pairs(m, work);
    if (!b)
        return;
    for (uint32_t j = 0; j < n; ++j) {
        double angle = pi * (double)((uint64_t)j * j % (2 * (uint64_t)n)) / n;
        m->plan->pairs[f->wave + j] = (sb_pair){(T)cos(angle), (T)-sin(angle)};
        for (uint32_t at = j, side = 0; side < (j ? 2U : 1U); at = work - j, ++side) {
            b[2 * at] = cos(angle) / work;
            b[2 * at + 1] = sin(angle) / work;
        }
    }
    plain_fft(b, work, 1, b + 2 * (size_t)work);
    sb_fft plain = *f;
    plain.chirp = false;
    for (uint32_t place = 0; place < work; ++place) {
        const double *value = b + 2 * (size_t)work + 2 * (size_t)frequency(&plain, place);
        m->plan->pairs[f->spectrum + place] = (sb_pair){(T)value[0], (T)value[1]};
    }
    free(b);
}

typedef struct turn {
    sb_pair at;
    uint32_t partner; /* frequency */
} turn;

/* t and the partner of frequency (spread: slot) k. */
static turn turn_of(const maker *m, const sb_segment *s, uint32_t k)
{
    uint32_t n = s->fft.length;
    turn t = {{1, 0}, k ? n - k : 0};
    if (m->p->odd && !s->spread) {
        t.at = (sb_pair){0, (T)0.5};
    } else if (s->twisted) {
        t.at = unit(2.0 * k + 1, 4.0 * n);
        t.partner = n - 1 - k;
    } else if (m->axis->walls == SLIMBAND_WALLS_PP) {
        t.at = k <= n / 2 ? (sb_pair){1, 0} : (sb_pair){0, 1};
    } else if (!m->p->mirror) {
        t.at = unit(k, 2.0 * n);
    }
    return t;
}

static void fill_segment(maker *m, sb_segment *s)
{
    const sb_fft *f = &s->fft;
    fill_stages(m, &s->fft);
    if (f->chirp)
        fill_chirp(m, &s->fft);
    s->turn = take_pairs(m, f->length);
    s->partners = take_ints(m, f->length + 2 + f->length % 2); /* even: couples lie on 8 bytes */
    for (uint32_t place = 0; place < f->length; ++place) {
        turn t = turn_of(m, s, s->spread ? place : frequency(f, place));
        uint32_t partner = s->spread ? t.partner : place_of(f, t.partner);
        m->plan->pairs[s->turn + place] = t.at;
        if (place > partner)
            continue;
        m->plan->ints[s->partners + 2 * s->couples] = (int32_t)place;
        m->plan->ints[s->partners + 2 * s->couples++ + 1] = (int32_t)partner;
    }
    if (!s->twisted)
        return;
    s->twist = take_pairs(m, f->length);
    for (uint32_t k = 0; k < f->length; ++k)
        m->plan->pairs[s->twist + k] = unit(k, f->length);
}

static void add_segment(maker *m, uint32_t first, uint32_t length, bool spread)
{
    sb_segment *s = &m->p->segment[m->p->segments++];
    *s = (sb_segment){.first = first, .spread = spread};
    plan_fft(&s->fft, length);
}

/* Where entry j lies: Makhoul's order, its second half negative for type IV. */
static int32_t makhoul(uint32_t n, uint32_t j, bool turned)
{
    return (int32_t)(j % 2 ? n - 1 - j / 2 : j / 2) | (j % 2 && turned ? SB_NEGATIVE : 0);
}

static int32_t place_code(const maker *m, uint32_t j)
{
    const sb_transform *p = m->p;
    uint32_t n = p->n;
    bool reversed = m->axis->walls == SLIMBAND_WALLS_DN, cells = m->axis->centring == SLIMBAND_AT_CELLS;
    uint32_t k = reversed ? n - 1 - j : j;
    switch (m->axis->walls) {
    case SLIMBAND_WALLS_DD:
        return cells ? makhoul(n, j, true) : (int32_t)(p->odd + 1 + j);
    case SLIMBAND_WALLS_NN:
        return cells ? makhoul(n, j, false) : (int32_t)j | (j > 0 && j < n - 1 ? SB_MIRRORED : 0);
    case SLIMBAND_WALLS_DN:
    case SLIMBAND_WALLS_ND:
        return cells ? makhoul(n, k, true) : (int32_t)k | (k == 0 ? SB_HALF : 0);
    default:
        return (int32_t)j;
    }
}

/* Number of the odd frequency that slot k of a type III has. */
static uint32_t third(uint32_t n, uint32_t k)
{
    return k < (n + 1) / 2 ? 2 * k : 2 * (n - 1 - k) + 1;
}

/* Which eigenvalue slot `place` of segment number `number` has, -1 for none; and whether its weight is half. */
static int64_t eigen_of(const maker *m, int number, uint32_t place, bool *half)
{
    const sb_transform *p = m->p;
    const sb_segment *s = &p->segment[number];
    uint32_t k = frequency(&s->fft, place), n = p->n;
    bool cells = m->axis->centring == SLIMBAND_AT_CELLS;
    *half = false;
    if (p->odd && s->spread)
        return (2 * (int64_t)third(s->fft.length, k) + 1) * (INT64_C(1) << number) - 1;
    if (p->odd)
        return k == 0 || k >= p->odd ? -1 : (int64_t)k * (INT64_C(1) << p->levels) - 1;
    if (s->spread)
        return third(n, k);
    switch (m->axis->walls) {
    case SLIMBAND_WALLS_DD:
        *half = k == 0;
        return (int64_t)n - 1 - k;
    case SLIMBAND_WALLS_NN:
        *half = k == 0 || (!cells && k == n - 1);
        return k < n ? (int64_t)k : -1;
    case SLIMBAND_WALLS_PP:
        *half = k == 0 || 2 * k == n;
        return k;
    default:
        return k;
    }
}

static void fill_ends(maker *m)
{
    sb_transform *p = m->p;
    p->place = take_ints(m, p->n);
    p->coefficient = take_ints(m, p->n);
    for (uint32_t j = 0; j < p->n; ++j)
        m->plan->ints[p->place + j] = place_code(m, j);
    uint32_t found = 0;
    for (int k = 0; k < p->segments; ++k)
        for (uint32_t place = 0; place < p->segment[k].fft.length; ++place) {
            bool half;
            int64_t number = eigen_of(m, k, place, &half);
            if (number < 0)
                continue;
            m->plan->order[found] = number;
            m->plan->ints[p->coefficient + found++] =
                (int32_t)(p->segment[k].first + place) | (half ? SB_HALF : 0);
        }
}

static void add_sines(maker *m, uint32_t size)
{
    sb_transform *p = m->p;
    for (p->odd = size; p->odd % 2 == 0 && p->odd >= 8 && p->levels < SB_SEGMENTS - 1; p->odd /= 2)
        ++p->levels;
    for (int l = 0; l < p->levels; ++l) {
        uint32_t half = p->odd << (p->levels - 1 - l);
        add_segment(m, p->odd + half, half, true);
    }
    add_segment(m, 0, 2 * p->odd, false);
    p->sparse = true;
    p->room = p->odd + size;
    p->scale = 2 / (T)size;
}

static void choose(maker *m)
{
    const slimband_poisson_axis *axis = m->axis;
    sb_transform *p = m->p;
    uint32_t n = p->n;
    bool cells = axis->centring == SLIMBAND_AT_CELLS;
    bool mixed = axis->walls == SLIMBAND_WALLS_DN || axis->walls == SLIMBAND_WALLS_ND;
    p->room = n;
    p->scale = 2 / (T)n;
    m->plan->norm = n;
    if (!cells && axis->walls == SLIMBAND_WALLS_DD) {
        add_sines(m, n + 1);
    } else if (!cells && axis->walls == SLIMBAND_WALLS_NN) {
        p->mirror = p->room = 2 * (n - 1);
        p->sparse = true;
        p->scale = 1 / (T)(n - 1);
        m->plan->norm = 2.0 * (n - 1);
        add_segment(m, 0, p->mirror, false);
    } else {
        add_segment(m, 0, n, !cells && mixed);
        p->segment[0].twisted = cells && mixed;
    }
    p->slots = p->room;
    for (int k = 0; k < p->segments; ++k) {
        const sb_fft *f = &p->segment[k].fft;
        if (f->chirp && p->room + f->work > p->slots)
            p->slots = p->room + f->work;
    }
}

slimband_status SB_NAME(transform_make)(sb_transform_plan *plan, const slimband_poisson_axis *axis, size_t room)
{
    *plan = (sb_transform_plan){.norm = 1};
    if (axis->n > SB_SLOT / 16)
        return SLIMBAND_TOO_LARGE;
    maker m = {.plan = plan, .p = &plan->program, .axis = axis};
    m.p->n = (uint32_t)axis->n;
    choose(&m);
    if (SB_NAME(orbit_make)(plan, axis, room))
        return plan->failed ? SLIMBAND_OUT_OF_MEMORY : SLIMBAND_OK;
    size_t pairs = 0, ints = 2 * (size_t)m.p->n;
    for (int k = 0; k < m.p->segments; ++k) {
        const sb_fft *f = &m.p->segment[k].fft;
        pairs += 4 * (size_t)f->length + 2 * (size_t)f->work;
        ints += f->length + 3;
    }
    plan->pairs = sb_app_allocate(pairs, sizeof *plan->pairs, &m.bytes);
    plan->ints = sb_app_allocate(ints, sizeof *plan->ints, &m.bytes);
    plan->order = sb_app_allocate((size_t)axis->n, sizeof *plan->order, &m.bytes);
    if (!plan->pairs || !plan->ints || !plan->order)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int k = 0; k < m.p->segments; ++k)
        fill_segment(&m, &m.p->segment[k]);
    fill_ends(&m);
    m.p->pairs = plan->pairs;
    m.p->ints = plan->ints;
    return plan->failed ? SLIMBAND_OUT_OF_MEMORY : SLIMBAND_OK;
}

void SB_NAME(transform_free)(sb_transform_plan *plan)
{
    free(plan->pairs);
    free(plan->ints);
    free(plan->order);
    *plan = (sb_transform_plan){.norm = 1};
}

uint32_t SB_NAME(transform_room)(const sb_transform *p)
{
    return p->orbit.part ? p->orbit.parts * p->orbit.pitch : sb_padded(p->slots) + 1;
}

void SB_NAME(transform_forward)(const sb_transform *p, const T *a, const T *b, T *fa, T *fb, sb_pair *z)
{
    if (p->orbit.part) {
        SB_NAME(orbit_forward)(p, a, b, fa, fb, z);
        return;
    }
    const int32_t *place = p->ints + p->place, *coefficient = p->ints + p->coefficient;
    for (uint32_t j = 0; j < p->n; ++j) {
        T weight = sb_weight(place[j], true);
        uint32_t slot = sb_slot(place[j]);
        z[sb_padded(slot)] = sb_make(weight * a[j], weight * b[j]);
        if (place[j] & SB_MIRRORED)
            z[sb_padded(p->mirror - slot)] = z[sb_padded(slot)];
    }
    sb_forward(p, (sb_team){0, 1}, z);
    for (uint32_t k = 0; k < p->n; ++k) {
        sb_pair c = z[sb_padded(sb_slot(coefficient[k]))];
        fa[k] = c.re;
        fb[k] = c.im;
    }
}

void SB_NAME(transform_backward)(const sb_transform *p, const T *fa, const T *fb, T *a, T *b, sb_pair *z)
{
    if (p->orbit.part) {
        SB_NAME(orbit_backward)(p, fa, fb, a, b, z);
        return;
    }
    const int32_t *place = p->ints + p->place, *coefficient = p->ints + p->coefficient;
    const sb_segment *last = &p->segment[p->segments - 1];
    for (uint32_t k = 0; p->sparse && k < last->fft.length; ++k)
        z[sb_padded(k)] = sb_make(0, 0);
    for (uint32_t k = 0; k < p->n; ++k) {
        T weight = p->scale * sb_weight(coefficient[k], true);
        z[sb_padded(sb_slot(coefficient[k]))] = sb_make(weight * fa[k], weight * fb[k]);
    }
    sb_backward(p, (sb_team){0, 1}, z);
    for (uint32_t j = 0; j < p->n; ++j) {
        sb_pair c = z[sb_padded(sb_slot(place[j]))];
        T sign = sb_weight(place[j], false);
        a[j] = sign * c.re;
        b[j] = sign * c.im;
    }
}
