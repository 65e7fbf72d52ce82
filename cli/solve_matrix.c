/* The matrix of `slimband solve`: SciPy's column-aligned rows, or Matrix Market, to row-aligned diagonals. */
#include "cli/solve.h"

#include <stdlib.h>

#include "cli/input.h"
#include "cli/matrix_market.h"

static bool check_shape(sb_matrix_file *file, sb_solve *solve)
{
    const sb_npy *ab = &file->ab;
    const char *name = solve->matrix;
    if (solve->lower < 0 || solve->upper < 0)
        return sb_fail(&solve->failure, "%s is missing: a .npy matrix needs --lower and --upper",
                       solve->lower < 0 ? "--lower" : "--upper");
    if (ab->rank != 2 && ab->rank != 3)
        return sb_fail(
            &solve->failure,
            "%s: wrong rank %d: a band matrix has 2 axes (lower + 1 + upper, n), or 3 with the systems "
            "in front",
            name, ab->rank);
    int64_t rows = ab->shape[ab->rank - 2];
    if (rows != solve->lower + 1 + solve->upper)
        return sb_fail(&solve->failure,
                       "%s: has %lld diagonals, but --lower %lld and --upper %lld ask for %lld", name,
                       (long long)rows, (long long)solve->lower, (long long)solve->upper,
                       (long long)(solve->lower + 1 + solve->upper));
    if (sb_npy_elements(ab) == 0)
        return sb_fail(&solve->failure, "%s: the array is empty", name);
    file->lower = (int)solve->lower;
    file->upper = (int)solve->upper;
    file->n = ab->shape[ab->rank - 1];
    file->matrices = ab->rank == 3 ? ab->shape[0] : 0;
    file->scalar = ab->scalar;
    return true;
}

static bool read_market(sb_matrix_file *file, FILE *stream, sb_solve *solve)
{
    if ((solve->lower < 0) != (solve->upper < 0))
        return sb_fail(&solve->failure, "give both --lower and --upper, or none to have them detected");
    file->band.lower = (int)solve->lower;
    file->band.upper = (int)solve->upper;
    if (!sb_matrix_market_read(&file->band, stream, solve->matrix, solve->periodic, &solve->failure))
        return false;
    file->lower = file->band.lower;
    file->upper = file->band.upper;
    file->n = file->band.n;
    file->scalar = file->band.scalar;
    return true;
}

static bool read_npy(sb_matrix_file *file, FILE *stream, int first, sb_solve *solve)
{
    file->is_npy = true;
    if (first != EOF && first != SB_NPY_FIRST_BYTE)
        return sb_fail(&solve->failure, "%s: neither a .npy nor a Matrix Market file", solve->matrix);
    return sb_npy_read_stream(&file->ab, stream, solve->matrix, &solve->failure) && check_shape(file, solve);
}

bool sb_matrix_file_read(sb_matrix_file *file, sb_solve *solve)
{
    *file = (sb_matrix_file){0};
    FILE *stream = sb_input_open(solve->matrix, &solve->failure);
    if (!stream)
        return false;
    int first = getc(stream);
    ungetc(first, stream);
    bool good;
    if (first == '%')
        good = read_market(file, stream, solve);
    else
        good = read_npy(file, stream, first, solve);
    fclose(stream);
    return good;
}

void sb_matrix_file_free(sb_matrix_file *file)
{
    sb_npy_free(&file->ab);
    sb_band_free(&file->band);
}

int64_t sb_system_at(const slimband_problem *problem, const slimband_layout *layout, int64_t system)
{
    int64_t offset = 0;
    for (int d = problem->batch_rank - 1; d >= 0; --d) {
        offset += system % problem->batch[d] * layout->batch[d];
        system /= problem->batch[d];
    }
    return offset;
}

/* Entry i of diagonal k of matrix m is ab[m, upper - k, i + k]; what falls outside wraps around in a ring, and
   is left 0 in an open matrix. */
static void copy_diagonal(const sb_matrix_file *file, int k, int64_t matrix, bool periodic, sb_run diagonal)
{
    const sb_npy *ab = &file->ab;
    int64_t n = file->n, strides[SB_NPY_MAX_RANK];
    sb_npy_strides(ab, strides);
    const int64_t *s = strides + ab->rank - 2;
    int64_t origin = (file->upper - k) * s[0] + (ab->rank == 3 ? matrix * strides[0] : 0);
    sb_run row = sb_run_at((sb_run){ab->scalar, ab->data, 1}, origin);
    row.stride = s[1];
    for (int64_t i = 0; i < n;) {
        bool outside = i + k < 0 || i + k >= n;
        int64_t column = ((i + k) % n + n) % n;
        int64_t count = n - column < n - i ? n - column : n - i;
        if (!periodic && outside)
            count = i + k < 0 && -k - i < n - i ? -k - i : n - i;
        else
            sb_copy_numbers(sb_run_at(diagonal, i), sb_run_at(row, column), count);
        i += count;
    }
}

bool sb_matrix_file_diagonals(const sb_matrix_file *file, const slimband_problem *problem, int64_t elements,
                              void *diagonals[SLIMBAND_MAX_DIAGONALS])
{
    int count = file->lower + 1 + file->upper;
    size_t bytes = sb_number_bytes(problem->scalar) * (size_t)elements; /* as many as an array in memory has */
    char *block = calloc((size_t)count, bytes);
    int64_t matrices = file->matrices ? file->matrices : 1;
    diagonals[0] = block;
    for (int d = 0; block && d < count; ++d) {
        diagonals[d] = block + (size_t)d * bytes;
        sb_run diagonal = {problem->scalar, diagonals[d], problem->matrix.line};
        for (int64_t m = 0; file->is_npy && m < matrices; ++m) {
            sb_run line = {problem->scalar, diagonals[d], 1};
            line = sb_run_at(line, file->matrices ? sb_system_at(problem, &problem->matrix, m) : 0);
            line.stride = problem->matrix.line;
            copy_diagonal(file, d - file->lower, m, problem->ends == SLIMBAND_PERIODIC, line);
        }
        if (!file->is_npy)
            sb_copy_numbers(diagonal, sb_run_at((sb_run){file->scalar, file->band.diagonals, 1}, d * file->n),
                            file->n);
    }
    return block != NULL;
}
