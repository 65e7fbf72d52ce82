/* The header of a .npy file: a Python dictionary, {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
 */
#ifndef SB_NPY_HEADER_H
#define SB_NPY_HEADER_H

#include "cli/npy.h"

/* Fill array's type, order and shape, and the bytes of data they ask for (which fit in int64_t). */
bool sb_npy_parse_header(sb_npy *array, size_t *bytes, const char *header, const char *name,
                         sb_failure *failure);

/* Magic, version and header of a version 1 file, padded to 64 bytes as NumPy does; its length. */
size_t sb_npy_print_header(const sb_npy *array, char *header, size_t room);

#endif
