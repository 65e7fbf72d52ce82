/* NumPy's .npz files: zip archives of .npy files, as numpy.savez writes them. */
#ifndef SB_NPZ_H
#define SB_NPZ_H

#include "cli/npy.h"

/* Read the member `name` (without ".npy"). A member that is missing leaves *array with data NULL and *found false; that is
   no failure. Compressed members (numpy.savez_compressed) are refused. */
bool sb_npz_read(sb_npy *array, bool *found, const char *path, const char *name, sb_failure *failure);

/* The same from an open file that can be sought; `path` is what failures call it. */
bool sb_npz_read_stream(sb_npy *array, bool *found, FILE *file, const char *path, const char *name,
                        sb_failure *failure);

/* False where the archive has a member that is none of these; a list that ends with NULL. */
bool sb_npz_only(const char *path, const char *const *names, sb_failure *failure);

#endif
