/* The one place of the applications that allocates. */
#include "src/apps/memory.h"

#include <stdlib.h>
#include <string.h>

void *sb_app_allocate(size_t count, size_t size, size_t *bytes)
{
    enum { alignment = 64 };
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > PTRDIFF_MAX - alignment)
        return NULL;
    size_t rounded = (wanted + alignment) / alignment * alignment;
    void *memory = aligned_alloc(alignment, rounded);
    if (!memory)
        return NULL;
    memset(memory, 0, rounded);
    *bytes += rounded;
    return memory;
}
