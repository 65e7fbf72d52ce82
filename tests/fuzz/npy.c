/* libFuzzer target: the .npy reader. */
#include "cli/npy.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *stream = fuzz_stream(bytes, size);
    if (!stream)
        return 0;
    sb_npy array;
    sb_failure failure = {0};
    if (sb_npy_read_stream(&array, stream, "file", &failure)) {
        size_t data = (size_t)sb_npy_elements(&array) * sb_number_bytes(array.scalar);
        fuzz_require(data < size && (!data || !memcmp(array.data, bytes + size - data, data)));
        sb_npy_free(&array);
    } else {
        fuzz_refused(&failure, array.data);
    }
    fclose(stream);
    return 0;
}
