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

/* 0 x is NaN where x is NaN or Inf: eight sums at once, so that the usual answer costs next to nothing. */
static bool all_finite(const R *x, int64_t count)
{
    R sum[8] = {0};
    int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; ++k)
            sum[k] += 0 * x[i + k];
    for (; i < count; ++i)
        sum[0] += 0 * x[i];
    for (int k = 1; k < 8; ++k)
        sum[0] += sum[k];
    return sum[0] == 0;
}

int64_t SB_NAME(first_not_finite)(const T *x, int64_t n)
{
    if (all_finite((const R *)x, n * (int64_t)(sizeof(T) / sizeof(R))))
        return -1;
    for (int64_t i = 0; i < n; ++i)
        if (!sb_finite(x[i]))
            return i;
    return -1;
}
