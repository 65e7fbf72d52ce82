/* The numbers. Everything is NaN but what the contract says is read. */
#include "tests/random/trial.h"

static number draw_number(const trial *t, double size, sb_random *random)
{
    double re = sb_random_signed(random) * size, im = sb_random_signed(random) * size;
    return (number){re, scalar_is_complex(t->problem.scalar) ? im : 0};
}

/* A number of this magnitude and any sign or angle. */
static number draw_direction(const trial *t, long double size, sb_random *random)
{
    number direction = draw_number(t, 1, random);
    long double scale = magnitude(direction);
    return scale > 0 ? (number){direction.re * size / scale, direction.im * size / scale} : (number){size, 0};
}

/* Everything but the main diagonal. Systems that share a matrix find it drawn. */
static void draw_couplings(trial *t, int64_t system, double size, sb_random *random)
{
    for (int d = 0; d < t->diagonal_count; ++d) {
        int k = d - t->problem.lower;
        for (int64_t i = 0; k && i < length_of(t, system); ++i) {
            int64_t at = matrix_index(t, system, i);
            if (!is_coupled(t, system, i, k) || !array_is_nan(&t->diagonals[d], at))
                continue;
            bool zero = t->sparse && one_in(random, 2);
            array_set(&t->diagonals[d], at, draw_number(t, zero ? 0 : size, random));
        }
    }
}

static long double sum_of_couplings(const trial *t, int64_t system, int64_t i)
{
    long double sum = 0;
    for (int d = 0; d < t->diagonal_count; ++d) {
        int k = d - t->problem.lower;
        if (k && is_coupled(t, system, i, k))
            sum += magnitude(array_get(&t->diagonals[d], matrix_index(t, system, i)));
    }
    return sum;
}

/* Large enough for the row, and for every other row that uses the same constant. */
static void draw_main_diagonal(trial *t, int64_t system, double size, sb_random *random)
{
    array *diagonal = &t->diagonals[t->problem.lower];
    for (int64_t i = 0; i < length_of(t, system); ++i) {
        int64_t at = matrix_index(t, system, i);
        bool drawn = !array_is_nan(diagonal, at);
        long double needed = t->dominant ? t->margin * sum_of_couplings(t, system, i) : 0;
        if (drawn && magnitude(array_get(diagonal, at)) >= needed)
            continue;
        long double own = size * (0.05 + 0.95 * sb_random_unit(random));
        array_set(diagonal, at,
                  draw_direction(t, needed > own ? needed * (1 + own / size / 100) : own, random));
    }
}

static void draw_lines(trial *t, array *b, const slimband_layout *layout, double size, sb_random *random)
{
    for (int64_t s = 0, systems = slimband_systems(&t->problem); s < systems; ++s) {
        for (int64_t i = 0; i < length_of(t, s); ++i)
            array_set(b, line_start(t, layout, s) + i * layout->line, draw_number(t, size, random));
    }
}

bool draw_values(trial *t, sb_random *random)
{
    const slimband_problem *p = &t->problem;
    double matrix_size = pow(10, 4 * sb_random_signed(random)), b_size = pow(10, 4 * sb_random_signed(random));
    for (int d = 0; d < t->diagonal_count; ++d) {
        if (!array_make(&t->diagonals[d], p->scalar, matrix_elements(t), pick(random, 4)))
            return false;
    }
    for (int64_t s = 0, systems = slimband_systems(p); s < systems; ++s) {
        draw_couplings(t, s, matrix_size, random);
        draw_main_diagonal(t, s, matrix_size, random);
    }
    if (!array_make(&t->b, p->scalar, elements_of(t, &p->rhs), pick(random, 4)))
        return false;
    draw_lines(t, &t->b, &p->rhs, b_size, random);
    if (t->in_place)
        return array_copy(&t->x, &t->b);
    if (!array_make(&t->x, p->scalar, elements_of(t, &p->solution), pick(random, 4)))
        return false;
    array_mark(&t->x);
    return true;
}
