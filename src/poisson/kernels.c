/* Compiled for each type and instruction set: SB_TYPE and SB_ISA.
 *
 * fold, unfold: between the inverse real transform of V, which sine.h defines, and one of H = M/2 complex numbers lies another set of
 * butterflies, Z_k = S + i W and Z_(H-k) = conj(S - i W), with S = V_k + conj V_(H-k) and W = (V_k - conj V_(H-k)) exp(2 pi i k / M).
 * Both at once, with p = e_(H+k), q = e_(H-k) and t = exp(i pi k / N) / 2:
 *
 *     S   = t          ((e_(M-k) - i e_k) + ((p + q) + i (q - p)) / sqrt 2)
 *     i W = i t (2 t)^4 ((e_(M-k) - i e_k) - ((p + q) + i (q - p)) / sqrt 2)
 *
 * twist, untwist: the same from one array in place of e, c_j = e_(M-j).
 *
 * Words of an entry, of x: 2 in, 2 out, 1/2 of the table; in the cache. */
#include "src/poisson/kernels.h"

#include "src/cpu/vec/vec.h"

#define ISA_JOIN2(name, type, isa) sb_##name##_##type##_##isa
#define ISA_JOIN(name, type, isa) ISA_JOIN2(name, type, isa)

static const R half_root = (R)0.70710678118654752440;

typedef struct pair {
    V re, im;
} pair;

SB_INLINE pair add(pair a, pair b)
{
    return (pair){a.re + b.re, a.im + b.im};
}

SB_INLINE pair subtract(pair a, pair b)
{
    return (pair){a.re - b.re, a.im - b.im};
}

SB_INLINE pair times(pair a, pair b)
{
    return (pair){vnmadd(a.im, b.im, a.re * b.re), vmadd(a.im, b.re, a.re * b.im)};
}

/* conj(a) b */
SB_INLINE pair times_conjugate(pair a, pair b)
{
    return (pair){vmadd(a.im, b.im, a.re * b.re), vnmadd(a.im, b.re, a.re * b.im)};
}

SB_INLINE pair conjugate(pair a)
{
    return (pair){a.re, -a.im};
}

SB_INLINE pair pair_at(const T *turn)
{
    return (pair){vload(turn), vload(turn + SB_WIDTH)};
}

/* Entries j, j + 1, ... of an array that begins with entry 1; and j, j - 1, ... */
SB_INLINE V up(const T *x, int64_t j)
{
    return vload(x + j - 1);
}

SB_INLINE V down(const T *x, int64_t j)
{
    return vreverse(vload(x + j - SB_WIDTH));
}

SB_INLINE void put_up(T *x, int64_t j, V a)
{
    vstore(x + j - 1, a);
}

SB_INLINE void put_down(T *x, int64_t j, V a)
{
    vstore(x + j - SB_WIDTH, vreverse(a));
}

/* Complex numbers k, k + 1, ... from number 0 on; and k, k - 1, ... */
SB_INLINE pair pair_up(const T *z, int64_t k)
{
    pair a;
    vsplit(vload(z + 2 * k), vload(z + 2 * k + SB_WIDTH), &a.re, &a.im);
    return a;
}

SB_INLINE pair pair_down(const T *z, int64_t k)
{
    const T *last = z + 2 * (k - SB_WIDTH + 1);
    pair a;
    vsplit_down(vload(last), vload(last + SB_WIDTH), &a.re, &a.im);
    return a;
}

SB_INLINE void put_pair_up(T *z, int64_t k, pair a)
{
    V first, second;
    vmerge(a.re, a.im, &first, &second);
    vstore(z + 2 * k, first);
    vstore(z + 2 * k + SB_WIDTH, second);
}

SB_INLINE void put_pair_down(T *z, int64_t k, pair a)
{
    T *last = z + 2 * (k - SB_WIDTH + 1);
    V first, second;
    vmerge_down(a.re, a.im, &first, &second);
    vstore(last, first);
    vstore(last + SB_WIDTH, second);
}

/* The next part of a row that is worked on in parts of `count` entries. */
SB_INLINE void fetch(const T *ahead, int64_t count)
{
    for (int64_t k = 0; ahead && k < count; k += 64 / (int64_t)sizeof *ahead)
        __builtin_prefetch(ahead + k, 0, 2);
}

/* From the sums of a block to Z_k and Z_(H-k). */
SB_INLINE void join(const T *turn, pair outer, pair inner, T *z, int64_t h, int64_t k)
{
    pair s = times(pair_at(turn), add(outer, inner));
    pair w = times(pair_at(turn + 2 * SB_WIDTH), subtract(outer, inner));
    put_pair_up(z, k, add(s, w));
    put_pair_down(z, h - k, (pair){s.re - w.re, w.im - s.im});
}

SB_INLINE void split(const T *turn, const T *z, int64_t h, int64_t k, pair *outer, pair *inner)
{
    pair low = pair_up(z, k), high = conjugate(pair_down(z, h - k));
    pair s = times_conjugate(pair_at(turn), add(low, high));
    pair w = times_conjugate(pair_at(turn + 2 * SB_WIDTH), subtract(low, high));
    *outer = add(s, w);
    *inner = subtract(s, w);
}

/* Blocks beyond H/2 do pairs once more from the other side. */
static void fold(int64_t quarter, const T *restrict turn, const T *ahead, const T *restrict x, T *restrict z,
                 T *restrict d)
{
    int64_t h = quarter;
    T centre = x[2 * h - 1], sum = half_root * (x[h - 1] + x[3 * h - 1]);
    d[h - 1] = x[h - 1] - x[3 * h - 1];
    z[0] = centre + sum;
    z[1] = centre - sum;
    V root = vsplat(half_root);
    for (int64_t k = 1; 2 * k <= h; k += SB_WIDTH, turn += 4 * SB_WIDTH) {
        fetch(ahead ? ahead + 4 * (k - 1) : NULL, 4 * SB_WIDTH);
        V a = up(x, k), b = down(x, 4 * h - k);
        V far_a = down(x, 2 * h - k), far_b = up(x, 2 * h + k);
        V p_a = up(x, h + k), p_b = down(x, 3 * h - k);
        V q_a = down(x, h - k), q_b = up(x, 3 * h + k);
        V p = p_a + p_b, q = q_a + q_b;
        pair outer = {far_a + far_b, -(a + b)}, inner = {root * (p + q), root * (q - p)};
        join(turn, outer, inner, z, h, k);
        put_up(d, k, a - b);
        put_down(d, 2 * h - k, far_a - far_b);
        put_up(d, h + k, p_a - p_b);
        put_down(d, h - k, q_a - q_b);
    }
}

/* x_j and x_(N-j), from half of e_j and d_j. */
SB_INLINE void put_both(T *x, int64_t size, int64_t j, V e, V d)
{
    put_up(x, j, e + d);
    put_down(x, size - j, e - d);
}

SB_INLINE void put_both_down(T *x, int64_t size, int64_t j, V e, V d)
{
    put_down(x, j, e + d);
    put_up(x, size - j, e - d);
}

/* z as the transform there and back makes it, H times too large. */
static void unfold(int64_t quarter, const T *restrict turn, const T *ahead, const T *restrict z,
                   const T *restrict d, T *restrict x)
{
    int64_t h = quarter;
    T scale = 1 / (T)(2 * h), half = (T)0.5 * d[h - 1], sum = half_root * scale * (z[0] - z[1]);
    x[2 * h - 1] = scale * (z[0] + z[1]);
    x[h - 1] = sum + half;
    x[3 * h - 1] = sum - half;
    V g = vsplat(scale), root = vsplat(half_root * scale), two = vsplat((T)0.5);
    for (int64_t k = 1; 2 * k <= h; k += SB_WIDTH, turn += 4 * SB_WIDTH) {
        fetch(ahead ? ahead + 4 * (k - 1) : NULL, 4 * SB_WIDTH);
        pair outer, inner;
        split(turn, z, h, k, &outer, &inner);
        put_both(x, 4 * h, k, -(g * outer.im), two * up(d, k));
        put_both_down(x, 4 * h, 2 * h - k, g * outer.re, two * down(d, 2 * h - k));
        put_both(x, 4 * h, h + k, root * (inner.re - inner.im), two * up(d, h + k));
        put_both_down(x, 4 * h, h - k, root * (inner.re + inner.im), two * down(d, h - k));
    }
}

static void twist(int64_t h, const T *restrict turn, T first, const T *restrict c, T *restrict z)
{
    T sum = half_root * c[h];
    z[0] = first * c[0] + sum;
    z[1] = first * c[0] - sum;
    const T *x = c + 1;
    V root = vsplat(half_root);
    for (int64_t k = 1; 2 * k <= h; k += SB_WIDTH, turn += 4 * SB_WIDTH) {
        V p = down(x, h - k), q = up(x, h + k);
        pair outer = {up(x, k), -down(x, 2 * h - k)}, inner = {root * (p + q), root * (q - p)};
        join(turn, outer, inner, z, h, k);
    }
}

static void untwist(int64_t h, const T *restrict turn, T first, const T *restrict z, T *restrict c)
{
    T scale = 1 / (T)h;
    c[0] = (T)0.5 * scale * first * (z[0] + z[1]);
    c[h] = half_root * scale * (z[0] - z[1]);
    T *x = c + 1;
    V g = vsplat(scale), root = vsplat(half_root * scale);
    for (int64_t k = 1; 2 * k <= h; k += SB_WIDTH, turn += 4 * SB_WIDTH) {
        pair outer, inner;
        split(turn, z, h, k, &outer, &inner);
        put_up(x, k, g * outer.re);
        put_down(x, 2 * h - k, -(g * outer.im));
        put_down(x, h - k, root * (inner.re - inner.im));
        put_up(x, h + k, root * (inner.re + inner.im));
    }
}

static void deal(int64_t h, T sign, const T *restrict x, T *restrict v)
{
    int64_t j = 0;
    V signs = vsplat(sign);
    for (; j + SB_WIDTH <= h; j += SB_WIDTH) {
        pair a = pair_up(x, j);
        vstore(v + j, a.re);
        vstore(v + 2 * h - j - SB_WIDTH, vreverse(signs * a.im));
    }
    for (; j < h; ++j) {
        v[j] = x[2 * j];
        v[2 * h - 1 - j] = sign * x[2 * j + 1];
    }
}

static void undeal(int64_t h, T sign, const T *restrict v, T *restrict x)
{
    int64_t j = 0;
    V signs = vsplat(sign);
    for (; j + SB_WIDTH <= h; j += SB_WIDTH)
        put_pair_up(x, j, (pair){vload(v + j), signs * vreverse(vload(v + 2 * h - j - SB_WIDTH))});
    for (; j < h; ++j) {
        x[2 * j] = v[j];
        x[2 * j + 1] = sign * v[2 * h - 1 - j];
    }
}

static void part(int64_t m, const T *restrict x, T *restrict s, T *restrict d)
{
    for (int64_t j = 0; j < m; ++j) {
        s[j] = x[j] + x[2 * m - j];
        d[j] = x[j] - x[2 * m - j];
    }
    s[m] = 2 * x[m];
}

static void unite(int64_t m, const T *restrict s, const T *restrict d, T *restrict x)
{
    for (int64_t j = 0; j < m; ++j) {
        x[j] = (T)0.5 * (s[j] + d[j]);
        x[2 * m - j] = (T)0.5 * (s[j] - d[j]);
    }
    x[m] = (T)0.5 * s[m];
}

static void reverse(int64_t n, const T *restrict x, T *restrict y)
{
    int64_t j = 0;
    for (; j + SB_WIDTH <= n; j += SB_WIDTH)
        vstore(y + j, vreverse(vload(x + n - j - SB_WIDTH)));
    for (; j < n; ++j)
        y[j] = x[n - 1 - j];
}

/* The last block of a loop over h >= lanes begins where it ends with the array. */
SB_INLINE int64_t start(int64_t h, int64_t k)
{
    return k + SB_WIDTH <= h ? k : h - SB_WIDTH;
}

SB_INLINE pair turn_at(const T *w, int64_t h, int64_t k)
{
    return (pair){vload(w + k), vload(w + h + k)};
}

static void enter(int64_t h, const T *restrict w, bool reversed, const T *restrict x, T *restrict z)
{
    for (int64_t block = 0; block < h; block += SB_WIDTH) {
        int64_t k = start(h, block);
        V even = pair_up(x, k).re, odd = vreverse(pair_up(x, h - SB_WIDTH - k).im);
        pair a = reversed ? (pair){odd, even} : (pair){even, odd};
        put_pair_up(z, k, times(a, turn_at(w, h, k)));
    }
}

static void rotate(int64_t h, const T *restrict w, bool conjugated, const T *restrict a, T *restrict z)
{
    V sign = vsplat(conjugated ? -1 : 1);
    for (int64_t block = 0; block < h; block += SB_WIDTH) {
        int64_t k = start(h, block);
        pair ak = pair_up(a, k);
        put_pair_up(z, k, times((pair){ak.re, sign * ak.im}, turn_at(w, h, k)));
    }
}

static void leave(int64_t h, const T *restrict w, bool reversed, T scale, const T *restrict z, T *restrict x)
{
    V s = vsplat(scale);
    for (int64_t block = 0; block < h; block += SB_WIDTH) {
        int64_t k = start(h, block), mirror = h - SB_WIDTH - k;
        pair a = times(pair_up(z, k), turn_at(w, h, k)), b = times(pair_up(z, mirror), turn_at(w, h, mirror));
        V even = reversed ? -a.im : a.re, odd = reversed ? b.re : -b.im;
        put_pair_up(x, k, (pair){s * even, s * vreverse(odd)});
    }
}

/* `vectors` of the matrix' rows. */
SB_INLINE void rows_times(int vectors, int64_t n, int64_t lead, const T *matrix, T scale, const T *x, T *y)
{
    V sum[8];
    for (int v = 0; v < vectors; ++v)
        sum[v] = vsplat(0);
    for (int64_t j = 0; j < n; ++j) {
        V xj = vsplat(scale * x[j]);
        SB_IN_REGISTERS
        for (int v = 0; v < vectors; ++v)
            sum[v] = vmadd(vload(matrix + j * lead + v * SB_WIDTH), xj, sum[v]);
    }
    for (int v = 0; v < vectors; ++v)
        vstore(y + v * SB_WIDTH, sum[v]);
}

static void multiply(int64_t n, int64_t lead, const T *restrict matrix, T scale, const T *restrict x,
                     T *restrict y)
{
    int64_t q = 0;
    for (; q + 8 * SB_WIDTH <= lead; q += 8 * SB_WIDTH)
        rows_times(8, n, lead, matrix + q, scale, x, y + q);
    for (; q + 4 * SB_WIDTH <= lead; q += 4 * SB_WIDTH)
        rows_times(4, n, lead, matrix + q, scale, x, y + q);
    for (; q < lead; q += SB_WIDTH)
        rows_times(1, n, lead, matrix + q, scale, x, y + q);
}

static void put(T *restrict to, const T *restrict from, int64_t count)
{
    int64_t k = 0;
    for (; k < count && (uintptr_t)(to + k) % sizeof(V); ++k)
        to[k] = from[k];
    for (; k + SB_WIDTH <= count; k += SB_WIDTH)
        vstream(to + k, vload(from + k));
    for (; k < count; ++k)
        to[k] = from[k];
}

static void fence(void)
{
    vfence();
}

extern const sb_facr_kernels ISA_JOIN(facr_kernels, SB_TYPE, SB_ISA);

const sb_poisson_kernels ISA_JOIN(poisson_kernels, SB_TYPE,
                                  SB_ISA) = {SB_WIDTH,
                                             fold,
                                             unfold,
                                             twist,
                                             untwist,
                                             deal,
                                             undeal,
                                             reverse,
                                             enter,
                                             rotate,
                                             leave,
                                             part,
                                             unite,
                                             multiply,
                                             put,
                                             fence,
                                             &ISA_JOIN(facr_kernels, SB_TYPE, SB_ISA)};
