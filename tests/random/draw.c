/* A problem out of a seed. */
#include <stdio.h>

#include "tests/random/place.h"

/* Half tridiagonal, which most methods are for; a sixth pentadiagonal, which has kernels of its own. */
static void draw_band(slimband_problem *p, sb_random *random)
{
    int kind = pick(random, 6);
    p->lower = kind < 3 ? 1 : kind == 3 ? 2 : pick(random, one_in(random, 3) ? 9 : 4);
    p->upper = kind < 3 ? 1 : kind == 3 ? 2 : pick(random, one_in(random, 3) ? 9 : 4);
}

static void draw_kind(trial *t, sb_random *random)
{
    slimband_problem *p = &t->problem;
    t->dominant = !one_in(random, 7);
    t->sparse = one_in(random, 10);
    t->margin = 1 + pow(10, -4 + 4.5 * sb_random_unit(random));
    t->threads = one_in(random, 20) ? 2 : 1;
    t->in_place = one_in(random, 3);
    *p = slimband_banded((slimband_scalar)pick(random, 4), 1, 1, 1);
    draw_band(p, random);
    p->ends = (slimband_ends)pick(random, 2);
    p->coefficients = (slimband_coefficients)pick(random, 3);
    p->pivoting = (slimband_pivoting)pick(random, 3);
    /* A random triangular band is singular to working precision before long (its condition number grows
       exponentially), and LAPACK's elimination, which pivots alike, then meets a zero pivot too. */
    t->dominant |= p->lower == 0 || p->upper == 0;
    if (!t->dominant && p->pivoting == SLIMBAND_PIVOT_NONE)
        p->pivoting = SLIMBAND_PIVOT_AUTO;
    p->refinements = one_in(random, 5) ? 1 + pick(random, 3) : 0;
    p->check_finite = one_in(random, 4);
    t->diagonal_count = p->lower + 1 + p->upper;
}

bool trial_draw(trial *t, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    *t = (trial){.seed = seed};
    draw_kind(t, &random);
    draw_layout(t, &random);
    t->operation = (operation)pick(&random, OPERATIONS);
    t->problem.one_pass = t->operation == FACTOR_SOLVE && one_in(&random, 2);
    place_limit(t);
    draw_method(t, &random);
    return t->problem.n >= 0 && draw_values(t, &random);
}

void trial_free(trial *t)
{
    for (int d = 0; d < SLIMBAND_MAX_DIAGONALS; ++d)
        array_free(&t->diagonals[d]);
    array_free(&t->b);
    array_free(&t->x);
}

static void print_layout(const char *name, const slimband_layout *layout, int rank)
{
    printf("    %s: line %lld", name, (long long)layout->line);
    for (int d = 0; d < rank; ++d)
        printf(", batch[%d] %lld", d, (long long)layout->batch[d]);
    printf("\n");
}

void trial_print(const trial *t)
{
    static const char *const ends[] = {"open", "periodic"},
                             *const coefficients[] = {"own", "shared", "Toeplitz"},
                             *const pivoting[] = {"auto", "none", "partial"},
                             *const operations[] = {"factor, solve", "factor, solve_transposed",
                                                    "factor, solve_adjoint", "factor_solve"};
    const slimband_problem *p = &t->problem;
    printf("    %s, lower %d, upper %d, %s, %s, pivoting %s, n %lld, method %s, %s%s, threads %d\n",
           scalar_name(p->scalar), p->lower, p->upper, ends[p->ends], coefficients[p->coefficients],
           pivoting[p->pivoting], (long long)p->n, t->method, operations[t->operation],
           p->one_pass ? " (one_pass)" : "", t->threads);
    printf(
        "    refinements %d, check_finite %d, in place %d, dominant %d (margin %.3g), sparse %d, Toeplitz rows "
        "%lld and %lld\n",
        p->refinements, p->check_finite, t->in_place, t->dominant, t->margin, t->sparse,
        (long long)p->toeplitz_first, (long long)p->toeplitz_last);
    printf("    batch rank %d:", p->batch_rank);
    for (int d = 0; d < p->batch_rank; ++d)
        printf(" %lld", (long long)p->batch[d]);
    if (p->ragged) {
        printf(" ragged offsets");
        for (int64_t s = 0; s <= t->ragged.systems; ++s)
            printf(" %lld", (long long)t->offsets[s]);
    }
    printf("\n");
    print_layout("rhs", &p->rhs, p->batch_rank);
    print_layout("solution", &p->solution, p->batch_rank);
    if (p->coefficients == SLIMBAND_OWN)
        print_layout("matrix", &p->matrix, p->batch_rank);
}
