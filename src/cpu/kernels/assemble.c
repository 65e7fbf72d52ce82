/* Rows of a matrix, gathered from its diagonals: the one place that knows of open ends, Toeplitz rows and
 * views. */
#include "src/cpu/engine.h"

/* Rows whose couplings all exist and stand at the same place of every diagonal. */
static void copy_inner(const sb_matrix *A, T *rows, int64_t width, int64_t from, int64_t to)
{
    int diagonals = A->lower + A->upper + 1;
    for (int64_t i = from; i < to; ++i) {
        int64_t at = sb_row_index(A, i);
        for (int d = 0; d < diagonals; ++d)
            rows[i * width + d] = A->diagonal[d][at];
    }
}

static void copy_outer(const sb_matrix *A, T *rows, int64_t width, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; ++i)
        for (int k = -A->lower; k <= A->upper; ++k) {
            bool exists = A->periodic || (i + k >= 0 && i + k < A->n);
            rows[i * width + A->lower + k] = exists ? sb_at(A, i, k) : 0;
        }
}

static int64_t clamp(int64_t i, int64_t least, int64_t most)
{
    return i < least ? least : i > most ? most : i;
}

void SB_NAME(assemble_span)(const sb_matrix *A, T *rows, int64_t width, int64_t begin, int64_t end)
{
    int64_t from = A->transposed ? begin : clamp(A->lower, begin, end);
    int64_t to = A->transposed ? begin : clamp(A->n - A->upper, from, end);
    copy_outer(A, rows, width, begin, from);
    copy_inner(A, rows, width, from, to);
    copy_outer(A, rows, width, to, end);
}

void SB_NAME(assemble)(const sb_matrix *A, T *rows, int64_t width)
{
    SB_NAME(assemble_span)(A, rows, width, 0, A->n);
}

sb_matrix SB_NAME(transpose)(const sb_matrix *A)
{
    sb_matrix view = *A;
    view.transposed = !A->transposed;
    view.lower = A->upper;
    view.upper = A->lower;
    return view;
}
