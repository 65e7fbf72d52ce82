/* The arithmetic of the oracle: complex numbers of long double, whatever the type under test. */
#ifndef SB_RANDOM_NUMBER_H
#define SB_RANDOM_NUMBER_H

#include <math.h>

typedef struct number {
    long double re, im;
} number;

static inline number minus_product(number sum, number a, number b)
{
    return (number){sum.re - (a.re * b.re - a.im * b.im), sum.im - (a.re * b.im + a.im * b.re)};
}

static inline number plus(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static inline number conjugate(number a)
{
    return (number){a.re, -a.im};
}

static inline number quotient(number a, number b)
{
    long double square = b.re * b.re + b.im * b.im;
    return (number){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

static inline long double magnitude(number a)
{
    return a.im == 0 ? fabsl(a.re) : sqrtl(a.re * a.re + a.im * a.im);
}

#endif
