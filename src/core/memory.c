/* The one place that allocates, and arithmetic on sizes that cannot wrap around. */
#include <stdlib.h>
#include <string.h>

#include "src/core/backend.h"

enum { alignment = 64 };

size_t sb_times(size_t a, size_t b)
{
    size_t product;
    return a == SIZE_MAX || b == SIZE_MAX || __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

size_t sb_plus(size_t a, size_t b)
{
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

void *sb_allocate(size_t size, size_t *bytes)
{
    size_t rounded = sb_plus(size, alignment) / alignment * alignment;
    if (size > PTRDIFF_MAX - alignment)
        return NULL;
    void *memory = aligned_alloc(alignment, rounded);
    if (memory) {
        memset(memory, 0, rounded);
        *bytes += rounded;
    }
    return memory;
}

void sb_release(void *memory)
{
    free(memory);
}
