/* libFuzzer target: the .npz reader. */
#include "cli/npz.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *stream = fuzz_stream(bytes, size);
    if (!stream)
        return 0;
    sb_npy array;
    sb_failure failure = {0};
    bool found;
    if (sb_npz_read_stream(&array, &found, stream, "file", "a", &failure)) {
        fuzz_require(found || !array.data);
        fuzz_require((size_t)sb_npy_elements(&array) * sb_number_bytes(array.scalar) < size || !array.data);
        sb_npy_free(&array);
    } else {
        fuzz_refused(&failure, array.data);
    }
    fclose(stream);
    return 0;
}
