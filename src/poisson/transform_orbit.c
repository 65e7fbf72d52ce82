/* Which axes have orbits (transform_orbit.h), their tables, and one thread's run. */
#include "src/poisson/transform_orbit.h"

#include <stdlib.h>

#include "src/apps/memory.h"

enum { least_size = 128, most_size = 8192 };

static sb_pair times_unit(double re, double im, double numerator,
                          double denominator) /* * exp(-i pi numerator / denominator) */
{
    double angle = 3.14159265358979323846 * numerator / denominator, c = cos(angle), s = -sin(angle);
    return (sb_pair){(T)(re * c - im * s), (T)(re * s + im * c)};
}

/* N, or 0 where a type has no orbits. */
static uint32_t size_of(const slimband_poisson_axis *axis)
{
    bool cells = axis->centring == SLIMBAND_AT_CELLS;
    int64_t n = axis->n;
    if (axis->walls == SLIMBAND_WALLS_DD && !cells)
        ++n;
    else if (axis->walls == SLIMBAND_WALLS_NN && !cells)
        --n;
    bool fits = axis->walls != SLIMBAND_WALLS_PP && n >= least_size && n <= most_size && (n & (n - 1)) == 0;
    return fits ? (uint32_t)n : 0;
}

static void describe_symmetry(sb_orbit *o, const slimband_poisson_axis *axis)
{
    bool cells = axis->centring == SLIMBAND_AT_CELLS;
    bool like = axis->walls == SLIMBAND_WALLS_DD || axis->walls == SLIMBAND_WALLS_NN;
    o->shifted = cells;
    o->half = !like;
    o->direction = axis->walls == SLIMBAND_WALLS_DN ? -1 : 1;
    o->origin = axis->walls == SLIMBAND_WALLS_DN ? (int32_t)axis->n - 1 : 0;
    o->begins = o->ends = true;
    o->alternating = cells && axis->walls == SLIMBAND_WALLS_DD;
    o->mirrored = axis->walls == SLIMBAND_WALLS_NN ? 1 : -1;
    o->halved = like;
    if (!cells && !like)
        o->ends = false;
    if (!cells && axis->walls == SLIMBAND_WALLS_DD) {
        o->begins = o->ends = o->halved = false;
        o->origin = o->skip = -1;
    }
    o->extra = !cells && axis->walls == SLIMBAND_WALLS_NN;
}

static void describe_stages(sb_orbit *o)
{
    uint32_t left = o->part;
    o->parts = o->half ? 8 : 9;
    o->pitch = sb_spaced(o->part);
    for (o->stages = 0; left > SB_ORBIT; ++o->stages) {
        left /= SB_ORBIT;
        while (left >> o->bits[o->stages] > 1)
            ++o->bits[o->stages];
        for (uint32_t k = 0; k < SB_ORBIT; ++k)
            o->step[o->stages][k] = sb_spaced(k * left);
    }
    o->radix = (int)left;
}

static void fill_stage(sb_transform_plan *plan, uint32_t stage)
{
    sb_orbit *o = &plan->program.orbit;
    uint32_t sub = UINT32_C(1) << o->bits[stage];
    o->turn[stage] = plan->pair_count;
    for (uint32_t power = 1; power <= 8; power *= 2)
        for (uint32_t j = 0; j < sub; ++j)
            plan->pairs[plan->pair_count++] =
                times_unit(1, 0, (2.0 * j + o->shifted) * power, (double)SB_ORBIT * sub);
}

/* T_0, T_1, w^2, w^4, all of them with -1 for each odd r where signs alternate; factor g: real or, for sines, imaginary. */
static void fill_table(sb_transform_plan *plan, int way, double factor)
{
    sb_orbit *o = &plan->program.orbit;
    bool sines = !o->begins;
    o->table[way] = plan->pair_count;
    for (int column = 0; column < 4; ++column)
        for (uint32_t r = 0; r < o->part / 2; ++r) {
            double power = column < 2 ? column + 0.5 * o->half : 2 * column - 2;
            double g = column >= 2 ? 1 : o->alternating && r % 2 ? -factor : factor;
            bool imaginary = sines && column < 2;
            plan->pairs[plan->pair_count++] =
                times_unit(imaginary ? 0 : g, imaginary ? g : 0, (2.0 * r + o->shifted) * power,
                           (double)SB_ORBIT * o->part);
        }
}

static void fill_middle(sb_transform_plan *plan, double there, double back)
{
    sb_orbit *o = &plan->program.orbit;
    o->middle = plan->pair_count;
    for (uint32_t k = 0; k < o->parts && !o->shifted; ++k)
        for (uint32_t m = 0; m < 8; ++m) {
            sb_pair w = times_unit(2, 0, (2.0 * m + 1) * (k + 0.5 * o->half), SB_ORBIT);
            T wave = o->begins ? w.re : -w.im;
            plan->pairs[plan->pair_count++] = (sb_pair){(T)there * wave, (T)back * wave};
        }
}

/* Frequency of a place in a part after all stages. */
static uint32_t frequency(const sb_orbit *o, uint32_t part, uint32_t place)
{
    uint32_t q = 0, factor = 1;
    for (uint32_t stage = 0; stage < o->stages; ++stage, factor *= SB_ORBIT) {
        q += (place >> o->bits[stage]) * factor;
        place &= (UINT32_C(1) << o->bits[stage]) - 1;
    }
    return SB_ORBIT * (q + place * factor) + part;
}

static void fill_order(sb_transform_plan *plan, const slimband_poisson_axis *axis)
{
    const sb_orbit *o = &plan->program.orbit;
    uint32_t size = 8 * o->part, each = o->part / SB_ORBIT;
    for (uint32_t b = 0; b < o->parts * each; ++b) {
        sb_places s = sb_orbit_places(o, b);
        for (int i = 0; i < SB_ORBIT; ++i) {
            int upper = i / 8, k = i % 8;
            int32_t first = upper ? s.high : s.low, at = first + k * s.step;
            if (at < 0 || (upper && first < 0))
                continue;
            uint32_t place = b % each * SB_ORBIT + (uint32_t)sb_orbit_register(o->radix, upper, k);
            uint32_t f = frequency(o, b / each, place);
            int64_t number = f <= size - o->half ? f : 2 * size - o->half - f;
            bool turned = o->alternating;
            plan->order[at] = turned ? axis->n - 1 - number : number + o->skip;
        }
    }
    if (o->extra)
        plan->order[size] = size;
}

bool SB_NAME(orbit_make)(sb_transform_plan *plan, const slimband_poisson_axis *axis, size_t room)
{
    sb_orbit *o = &plan->program.orbit;
    *o = (sb_orbit){.part = size_of(axis) / 8};
    if (o->part == 0)
        return false;
    describe_symmetry(o, axis);
    describe_stages(o);
    if ((size_t)o->parts * o->pitch > room) {
        o->part = 0;
        return false;
    }
    size_t bytes = 0, pairs = 4 * (size_t)o->part + (size_t)8 * o->parts;
    for (uint32_t stage = 0; stage < o->stages; ++stage)
        pairs += (size_t)4 << o->bits[stage];
    plan->pairs = sb_app_allocate(pairs, sizeof *plan->pairs, &bytes);
    plan->order = sb_app_allocate((size_t)axis->n, sizeof *plan->order, &bytes);
    plan->failed = !plan->pairs || !plan->order;
    if (plan->failed)
        return true;
    for (uint32_t stage = 0; stage < o->stages; ++stage)
        fill_stage(plan, stage);
    double there = o->extra ? 1 : 0.5, back = (double)plan->program.scale / 2;
    fill_table(plan, 0, there);
    fill_table(plan, 1, back);
    fill_middle(plan, there, back);
    fill_order(plan, axis);
    plan->program.pairs = plan->pairs;
    return true;
}

void SB_NAME(orbit_forward)(const sb_transform *p, const T *a, const T *b, T *fa, T *fb, sb_pair *z)
{
    const sb_orbit *o = &p->orbit;
    uint32_t count = o->parts * (o->part / SB_ORBIT);
    sb_pair e[SB_ORBIT];
    for (uint32_t r = 0; r < o->part / 2; ++r) {
        sb_orbit_load(o, r, e, a, b, 1);
        sb_orbit_forward(p, r, e, z);
    }
    for (uint32_t k = 0; k < o->parts && !o->shifted; ++k)
        sb_orbit_middle_slot(p, k, a, b, 1, z);
    for (uint32_t stage = 0; stage < o->stages; ++stage)
        for (uint32_t k = 0; k < count; ++k)
            sb_orbit_stage(p, stage, false, k, z);
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i = 0; i < SB_ORBIT; ++i)
            e[i] = z[sb_spaced(SB_ORBIT * k) + i];
        sb_orbit_last(o, o->radix, false, e);
        sb_orbit_store_coefficients(o, o->radix, k, e, fa, fb, 1);
    }
}

void SB_NAME(orbit_backward)(const sb_transform *p, const T *fa, const T *fb, T *a, T *b, sb_pair *z)
{
    const sb_orbit *o = &p->orbit;
    uint32_t count = o->parts * (o->part / SB_ORBIT);
    sb_pair e[SB_ORBIT];
    for (uint32_t k = 0; k < count; ++k) {
        sb_orbit_load_coefficients(o, o->radix, k, e, fa, fb, 1);
        sb_orbit_last(o, o->radix, true, e);
        for (uint32_t i = 0; i < SB_ORBIT; ++i)
            z[sb_spaced(SB_ORBIT * k) + i] = e[i];
    }
    for (uint32_t stage = o->stages; stage-- > 0;)
        for (uint32_t k = 0; k < count; ++k)
            sb_orbit_stage(p, stage, true, k, z);
    for (uint32_t m = 0; m < 8 && !o->shifted; ++m) {
        sb_pair entry = sb_orbit_middle_entry(p, m, z);
        int64_t at = sb_orbit_begin(o, o->part / 2 + m * o->part);
        a[at] = entry.re;
        b[at] = entry.im;
    }
    for (uint32_t r = 0; r < o->part / 2; ++r) {
        sb_orbit_take(p, r, e, z);
        sb_orbit_end(p, e);
        sb_orbit_store(o, r, e, a, b, 1);
    }
}
