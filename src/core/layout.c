/* Where systems, lines and matrices lie. */
#include "src/core/backend.h"

size_t sb_scalar_bytes(slimband_scalar scalar)
{
    static const size_t bytes[] = {
        [SLIMBAND_F32] = 4, [SLIMBAND_F64] = 8, [SLIMBAND_C64] = 8, [SLIMBAND_C128] = 16};
    return bytes[scalar];
}

int64_t slimband_systems(const slimband_problem *problem)
{
    if (!problem)
        return 0;
    if (problem->ragged)
        return problem->ragged->systems;
    int64_t systems = 1;
    bool empty = false, over = false;
    for (int d = 0; d < problem->batch_rank; ++d) {
        empty |= problem->batch[d] == 0;
        over |= __builtin_mul_overflow(systems, problem->batch[d], &systems);
    }
    return empty ? 0 : over ? INT64_MAX : systems;
}

int64_t sb_length(const slimband_problem *problem, int64_t system)
{
    if (!problem->ragged)
        return problem->n;
    return problem->ragged->offsets[system + 1] - problem->ragged->offsets[system];
}

int64_t sb_longest(const slimband_problem *problem)
{
    int64_t systems = slimband_systems(problem), longest = problem->ragged ? 0 : problem->n;
    for (int64_t s = 0; problem->ragged && s < systems; ++s)
        longest = sb_length(problem, s) > longest ? sb_length(problem, s) : longest;
    return longest;
}

int64_t sb_line_offset(const slimband_problem *problem, const slimband_layout *layout, int64_t system)
{
    if (problem->ragged)
        return problem->ragged->offsets[system] * layout->line;
    int64_t offset = 0;
    for (int d = problem->batch_rank - 1; d >= 0; --d) {
        offset += system % problem->batch[d] * layout->batch[d];
        system /= problem->batch[d];
    }
    return offset;
}

/* Systems differ in their matrix along the batch dimensions in which the matrix moves. */
static bool matrix_moves(const slimband_problem *problem, int d)
{
    return problem->coefficients == SLIMBAND_OWN && problem->matrix.batch[d] != 0;
}

int64_t sb_matrices(const slimband_problem *problem)
{
    if (problem->ragged)
        return problem->ragged->systems;
    int64_t matrices = 1;
    for (int d = 0; d < problem->batch_rank; ++d)
        matrices *= matrix_moves(problem, d) || problem->batch[d] == 0 ? problem->batch[d] : 1;
    return matrices;
}

int64_t sb_matrix_of(const slimband_problem *problem, int64_t system)
{
    if (problem->ragged)
        return system;
    int64_t matrix = 0, weight = 1;
    for (int d = problem->batch_rank - 1; d >= 0; --d) {
        if (matrix_moves(problem, d)) {
            matrix += system % problem->batch[d] * weight;
            weight *= problem->batch[d];
        }
        system /= problem->batch[d];
    }
    return matrix;
}

int64_t sb_matrix_offset(const slimband_problem *problem, int64_t matrix)
{
    if (problem->coefficients != SLIMBAND_OWN)
        return 0;
    if (problem->ragged)
        return problem->ragged->offsets[matrix] * problem->matrix.line;
    int64_t offset = 0;
    for (int d = problem->batch_rank - 1; d >= 0; --d)
        if (matrix_moves(problem, d)) {
            offset += matrix % problem->batch[d] * problem->matrix.batch[d];
            matrix /= problem->batch[d];
        }
    return offset;
}
