/* The one place that allocates. */
#include <stdlib.h>
#include <string.h>

#include "src/core/backend.h"

enum { alignment = 64 };

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
