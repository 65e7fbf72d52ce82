/* A matrix file whose rows repeat, handed over as a Toeplitz matrix, for the method that asks for one. */
#include <string.h>

#include "cli/solve_job.h"

/* Are entries 1 .. n - 2 of a diagonal the same number, bit for bit? */
static bool repeats(const char *diagonal, int64_t n, size_t bytes)
{
    for (int64_t i = 2; i < n - 1; ++i)
        if (memcmp(diagonal + bytes, diagonal + (size_t)i * bytes, bytes))
            return false;
    return true;
}

void sb_solve_recognise_toeplitz(sb_job *job)
{
    slimband_problem *p = &job->problem;
    size_t bytes = sb_number_bytes(p->scalar);
    int diagonals = p->lower + 1 + p->upper;
    bool toeplitz = !strcmp(job->solve->method, "cr_toeplitz") && !job->file.matrices && p->n >= 3;
    for (int d = 0; d < diagonals && toeplitz; ++d)
        toeplitz = repeats(job->diagonals[d], p->n, bytes);
    if (!toeplitz)
        return;
    p->coefficients = SLIMBAND_TOEPLITZ;
    p->toeplitz_first = p->toeplitz_last = 1;
    for (int d = 0; d < diagonals; ++d) /* first row, constant, last row */
        memmove((char *)job->diagonals[d] + 2 * bytes, (char *)job->diagonals[d] + (size_t)(p->n - 1) * bytes,
                bytes);
}
