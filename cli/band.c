/* Memory and limits of band matrices. */
#include "cli/band.h"

#include <stdlib.h>

#include "cli/npy.h"

bool sb_band_allocate(sb_band *band, const char *name, sb_failure *failure)
{
    size_t bytes = sb_number_bytes(band->scalar);
    if (!__builtin_mul_overflow(bytes, (size_t)(band->lower + 1 + band->upper), &bytes) &&
        !__builtin_mul_overflow(bytes, (size_t)band->matrices, &bytes) &&
        !__builtin_mul_overflow(bytes, (size_t)band->n, &bytes) && bytes <= PTRDIFF_MAX)
        band->diagonals = calloc(bytes ? bytes : 1, 1);
    return band->diagonals || sb_fail(failure, "%s: not enough memory for its diagonals", name);
}

void sb_band_free(sb_band *band)
{
    free(band->diagonals);
    *band = (sb_band){0};
}

bool sb_band_fits(int64_t lower, int64_t upper, const char *name, sb_failure *failure)
{
    if (lower >= 0 && upper >= 0 && lower <= SLIMBAND_MAX_BANDWIDTH && upper <= SLIMBAND_MAX_BANDWIDTH)
        return true;
    return sb_fail(failure, "%s: the band is too wide: lower %lld and upper %lld, at most %d are possible",
                   name, (long long)lower, (long long)upper, SLIMBAND_MAX_BANDWIDTH);
}
