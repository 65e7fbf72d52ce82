/* Arrays of the type under test. */
#include "tests/random/array.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct kind {
    size_t bytes;
    bool wide, complex;
    const char *name;
} kind;

static const kind kinds[] = {
    [SLIMBAND_F32] = {4, false, false, "f32"},
    [SLIMBAND_F64] = {8, true, false, "f64"},
    [SLIMBAND_C64] = {8, false, true, "c64"},
    [SLIMBAND_C128] = {16, true, true, "c128"},
};

double scalar_epsilon(slimband_scalar scalar)
{
    return kinds[scalar].wide ? DBL_EPSILON : (double)FLT_EPSILON;
}

bool scalar_is_complex(slimband_scalar scalar)
{
    return kinds[scalar].complex;
}

const char *scalar_name(slimband_scalar scalar)
{
    return kinds[scalar].name;
}

static unsigned char *element(const array *a, int64_t index)
{
    return a->bytes + (size_t)(a->origin + index) * kinds[a->scalar].bytes;
}

static size_t all_bytes(const array *a)
{
    return (size_t)a->total * kinds[a->scalar].bytes;
}

bool array_make(array *a, slimband_scalar scalar, int64_t elements, int64_t origin)
{
    *a = (array){.scalar = scalar, .origin = origin, .total = elements + 2 * origin + 1};
    a->bytes = malloc(all_bytes(a));
    for (int64_t i = -origin; a->bytes && i < a->total - origin; ++i)
        array_set(a, i, (number){NAN, NAN});
    return a->bytes != NULL;
}

void array_free(array *a)
{
    free(a->bytes);
    *a = (array){0};
}

bool array_copy(array *copy, const array *a)
{
    *copy = *a;
    copy->bytes = malloc(all_bytes(a));
    if (copy->bytes)
        memcpy(copy->bytes, a->bytes, all_bytes(a));
    return copy->bytes != NULL;
}

void array_mark(array *a)
{
    memset(a->bytes, 0x5a, all_bytes(a));
}

void *array_pointer(const array *a)
{
    return element(a, 0);
}

number array_get(const array *a, int64_t index)
{
    number value = {0, 0};
    if (kinds[a->scalar].wide) {
        double parts[2] = {0, 0};
        memcpy(parts, element(a, index), kinds[a->scalar].bytes);
        value = (number){parts[0], parts[1]};
    } else {
        float parts[2] = {0, 0};
        memcpy(parts, element(a, index), kinds[a->scalar].bytes);
        value = (number){parts[0], parts[1]};
    }
    return value;
}

void array_set(array *a, int64_t index, number value)
{
    const double wide[2] = {(double)value.re, (double)value.im};
    const float narrow[2] = {(float)value.re, (float)value.im};
    memcpy(element(a, index), kinds[a->scalar].wide ? (const void *)wide : (const void *)narrow,
           kinds[a->scalar].bytes);
}

bool array_is_nan(const array *a, int64_t index)
{
    return isnan(array_get(a, index).re);
}

bool array_same_element(const array *a, const array *b, int64_t index)
{
    return !memcmp(element(a, index), element(b, index), kinds[a->scalar].bytes);
}

bool array_same(const array *a, const array *b)
{
    return a->total == b->total && !memcmp(a->bytes, b->bytes, all_bytes(a));
}
