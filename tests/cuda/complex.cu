/* The GPU's complex numbers, for a test in C: they compile for the host as well. */
#include "src/chunk/scalar.h"

static void put(double *to, T z)
{
    to[0] = z.re;
    to[1] = z.im;
}

/* Sum, difference, product, quotient, negative, conjugate; then the same by the assigning operators. */
extern "C" void complex_results(const double a[2], const double b[2], double results[10][2])
{
    T x(a[0], a[1]), y(b[0], b[1]);
    const T values[] = {x + y, x - y, x * y, x / y, -x, sb_conj(x)};
    for (int k = 0; k < 6; ++k)
        put(results[k], values[k]);
    T assigned[] = {x, x, x, x};
    assigned[0] += y;
    assigned[1] -= y;
    assigned[2] *= y;
    assigned[3] /= y;
    for (int k = 0; k < 4; ++k)
        put(results[6 + k], assigned[k]);
}

extern "C" double complex_abs1(const double a[2])
{
    return sb_abs1(T(a[0], a[1]));
}

extern "C" bool complex_finite(const double a[2])
{
    return sb_finite(T(a[0], a[1]));
}
