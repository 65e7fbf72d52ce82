/* One array of the type under test, with room around it that nobody may touch. */
#ifndef SB_RANDOM_ARRAY_H
#define SB_RANDOM_ARRAY_H

#include "slimband/scalar.h"
#include "tests/random/number.h"

typedef struct array {
    slimband_scalar scalar;
    int64_t origin; /* elements in front of the one that the library is handed */
    int64_t total;
    unsigned char *bytes;
} array;

/* `elements` of them, `origin` in front and as many behind; all NaN. The memory is aligned to elements and no
   more. False without memory. */
bool array_make(array *a, slimband_scalar scalar, int64_t elements, int64_t origin);
void array_free(array *a);

/* A copy with its own memory. */
bool array_copy(array *copy, const array *a);

/* Every byte 0x5a: what the gaps of a solution must still be afterwards. */
void array_mark(array *a);

void *array_pointer(const array *a);
number array_get(const array *a, int64_t index);
void array_set(array *a, int64_t index, number value);
bool array_is_nan(const array *a, int64_t index);

/* Do element `index` of both hold the same bits? */
bool array_same_element(const array *a, const array *b, int64_t index);
bool array_same(const array *a, const array *b);

double scalar_epsilon(slimband_scalar scalar);
bool scalar_is_complex(slimband_scalar scalar);
const char *scalar_name(slimband_scalar scalar);

#endif
