/* Where everything lies, from the contract in problem.h and nothing else. */
#include "tests/random/trial.h"

int64_t length_of(const trial *t, int64_t system)
{
    return t->problem.ragged ? t->offsets[system + 1] - t->offsets[system] : t->problem.n;
}

int64_t line_start(const trial *t, const slimband_layout *layout, int64_t system)
{
    const slimband_problem *p = &t->problem;
    if (p->ragged)
        return t->offsets[system] * layout->line;
    int64_t start = 0, rest = system;
    for (int d = p->batch_rank - 1; d >= 0; --d) {
        start += rest % p->batch[d] * layout->batch[d];
        rest /= p->batch[d];
    }
    return start;
}

int64_t matrix_index(const trial *t, int64_t system, int64_t row)
{
    const slimband_problem *p = &t->problem;
    if (p->coefficients == SLIMBAND_OWN)
        return line_start(t, &p->matrix, system) + row * p->matrix.line;
    if (p->coefficients == SLIMBAND_SHARED)
        return row * p->matrix.line;
    int64_t last_begins = length_of(t, system) - p->toeplitz_last;
    if (row < p->toeplitz_first)
        return row;
    return row < last_begins ? p->toeplitz_first : p->toeplitz_first + 1 + (row - last_begins);
}

bool is_coupled(const trial *t, int64_t system, int64_t row, int k)
{
    return t->problem.ends == SLIMBAND_PERIODIC || (row + k >= 0 && row + k < length_of(t, system));
}

int64_t elements_of(const trial *t, const slimband_layout *layout)
{
    const slimband_problem *p = &t->problem;
    if (p->ragged)
        return t->offsets[t->ragged.systems] * layout->line;
    int64_t last = (p->n - 1) * layout->line;
    for (int d = 0; d < p->batch_rank; ++d) {
        if (p->batch[d] == 0)
            return 0;
        last += (p->batch[d] - 1) * layout->batch[d];
    }
    return last + 1;
}

int64_t matrix_elements(const trial *t)
{
    const slimband_problem *p = &t->problem;
    if (p->coefficients == SLIMBAND_OWN)
        return elements_of(t, &p->matrix);
    if (p->coefficients == SLIMBAND_SHARED)
        return (p->n - 1) * p->matrix.line + 1;
    return p->toeplitz_first + 1 + p->toeplitz_last;
}
