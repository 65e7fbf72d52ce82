/* libFuzzer target: the Matrix Market reader. The first byte says whether ends are periodic and the band given.
 */
#include "cli/matrix_market.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *stream = fuzz_stream(bytes + 1, size ? size - 1 : 0);
    if (!stream)
        return 0;
    bool given = bytes[0] & 2;
    sb_band band = {.lower = given ? bytes[0] >> 6 : -1, .upper = given ? bytes[0] >> 4 & 3 : -1};
    sb_failure failure = {0};
    if (sb_matrix_market_read(&band, stream, "file", bytes[0] & 1, &failure)) {
        fuzz_require(band.lower >= 0 && band.lower <= 8 && band.upper >= 0 && band.upper <= 8);
        fuzz_require(band.n > 0 && band.n <= (int64_t)size && band.diagonals);
        sb_band_free(&band);
    } else {
        fuzz_refused(&failure, band.diagonals);
    }
    fclose(stream);
    return 0;
}
