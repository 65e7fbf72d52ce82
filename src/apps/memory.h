/* Memory of the applications: counted, so that reports can tell. */
#ifndef SB_APPS_MEMORY_H
#define SB_APPS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory for `count` things of `size` bytes, aligned to 64, its bytes added to *bytes; NULL when there is none
   or the product overflows. Freed with free. */
void *sb_app_allocate(size_t count, size_t size, size_t *bytes);

#endif
