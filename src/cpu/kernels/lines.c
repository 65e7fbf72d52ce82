/* Gather and scatter. */
#include "src/cpu/kernels/lines.h"

void SB_NAME(copy_lines)(const T *from, int64_t from_line, int64_t from_between, T *to, int64_t to_line,
                         int64_t to_between, int64_t n, int64_t count, bool conjugate)
{
    int64_t outer = count, inner = n, fo = from_between, fi = from_line, to_o = to_between, to_i = to_line;
    if (count > 1 && (from_between < from_line || to_between < to_line)) {
        outer = n, inner = count;
        fo = from_line, fi = from_between, to_o = to_line, to_i = to_between;
    }
    for (int64_t o = 0; o < outer; ++o) {
        const T *source = from + o * fo;
        T *target = to + o * to_o;
        if (conjugate)
            for (int64_t i = 0; i < inner; ++i)
                target[i * to_i] = sb_conj(source[i * fi]);
        else
            for (int64_t i = 0; i < inner; ++i)
                target[i * to_i] = source[i * fi];
    }
}

int64_t SB_NAME(first_not_finite)(const T *x, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        if (!sb_finite(x[i]))
            return i;
    return -1;
}
