/* libFuzzer target: the CSV reader. The first byte says which column is asked for. */
#include "cli/csv.h"

#include <math.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const columns[] = {NULL, "1", "2", "value"};
    FILE *stream = fuzz_stream(bytes + 1, size ? size - 1 : 0);
    if (!stream)
        return 0;
    sb_csv csv;
    sb_failure failure = {0};
    if (sb_csv_read_stream(&csv, stream, "file", columns[bytes[0] % 4], &failure)) {
        int64_t missing = 0;
        for (int64_t i = 0; i < csv.rows; ++i) {
            missing += isnan(csv.values[i]);
            fuzz_require(!isinf(csv.values[i]));
            fuzz_require(!csv.labels || strlen(csv.labels[i]) < size);
        }
        fuzz_require(csv.rows > 0 && missing == csv.missing);
        sb_csv_free(&csv);
    } else {
        fuzz_refused(&failure, csv.text);
    }
    fclose(stream);
    return 0;
}
