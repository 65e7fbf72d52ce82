/* Complex numbers on the GPU: the operators that C gives its own. Quotients by Smith's method, as gcc's with
 * -fcx-fortran-rules. */
#ifndef SB_COMPLEX_CUH
#define SB_COMPLEX_CUH

struct __align__(2 * sizeof(R)) T
{
    R re, im;
    T() = default; /* shared memory holds T */
    __host__ __device__ T(R real, R imaginary = 0) : re(real), im(imaginary)
    {
    }
};

static __host__ __device__ __forceinline__ T operator-(T a)
{
    return T(-a.re, -a.im);
}

static __host__ __device__ __forceinline__ T operator+(T a, T b)
{
    return T(a.re + b.re, a.im + b.im);
}

static __host__ __device__ __forceinline__ T operator-(T a, T b)
{
    return T(a.re - b.re, a.im - b.im);
}

static __host__ __device__ __forceinline__ T operator*(T a, T b)
{
    return T(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

static __host__ __device__ __forceinline__ T operator/(T a, T b)
{
    bool flat = fabs(b.re) >= fabs(b.im);
    R large = flat ? b.re : b.im, small = flat ? b.im : b.re;
    R ratio = small / large, scale = large + small * ratio;
    R p = flat ? a.re : a.im, q = flat ? a.im : a.re;
    R second = q - p * ratio;
    return T((p + q * ratio) / scale, (flat ? second : -second) / scale);
}

static __host__ __device__ __forceinline__ T &operator+=(T &a, T b)
{
    return a = a + b;
}

static __host__ __device__ __forceinline__ T &operator-=(T &a, T b)
{
    return a = a - b;
}

static __host__ __device__ __forceinline__ T &operator*=(T &a, T b)
{
    return a = a * b;
}

static __host__ __device__ __forceinline__ T &operator/=(T &a, T b)
{
    return a = a / b;
}

static __host__ __device__ __forceinline__ bool operator==(T a, T b)
{
    return a.re == b.re && a.im == b.im;
}

static __host__ __device__ __forceinline__ bool operator!=(T a, T b)
{
    return !(a == b);
}

#endif
