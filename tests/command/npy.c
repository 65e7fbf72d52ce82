/* The .npy reader and writer. */
#include "tests/command/memory_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/npy.h"

/* A file of this header and `data` zero bytes; returns its length. */
static size_t make_file(unsigned char *file, int version, const char *header, size_t data)
{
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    memset(file, 0, start + length + data);
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)(length & 0xff);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + start, header, length);
    return start + length + data;
}

static bool read_bytes(sb_npy *array, const void *bytes, size_t size, sb_failure *failure)
{
    FILE *stream = memory_file(bytes, size);
    bool good = sb_npy_read_stream(array, stream, "file", failure);
    fclose(stream);
    return good;
}

static bool read_header(sb_npy *array, int version, const char *header, size_t data, sb_failure *failure)
{
    unsigned char file[1024];
    return read_bytes(array, file, make_file(file, version, header, data), failure);
}

static void test_every_spelling_of_a_header_is_read(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }          \n",
        "{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"<f8\"}",
        " { 'fortran_order' : True , 'shape' : ( 2 , 3 , ) , 'descr' : '<f8' } ",
    };
    for (int version = 1; version <= 3; ++version) {
        for (size_t i = 0; i < sizeof headers / sizeof headers[0]; ++i) {
            sb_npy array;
            sb_failure failure;
            assert_true(read_header(&array, version, headers[i], 48, &failure));
            assert_int_equal(array.scalar, SLIMBAND_F64);
            assert_true(array.fortran);
            assert_int_equal(array.rank, 2);
            assert_int_equal(array.shape[0], 2);
            assert_int_equal(array.shape[1], 3);
            sb_npy_free(&array);
        }
    }
}

static void test_bad_headers_are_refused_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *header, *part;
    } cases[] = {
        {"", "dictionary"},
        {"{}", "must hold"},
        {"{'descr': '<f8', 'fortran_order': False, }", "must hold"},
        {"{'descr': '<f8', 'descr': '<f8', 'shape': (), }", "twice"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}", "'more'"},
        {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}", "fortran_order"},
        {"{'descr': 8, 'fortran_order': False, 'shape': (1,)}", "type"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,)}", "holds integers"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", "holds unsigned integers"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "holds Python objects"},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "holds booleans"},
        {"{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}", "byte order"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (1,)}", "another width"},
        {"{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}", "holds strings"},
        {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", "something else"},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "records"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': 3}", "shape cannot be read"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3 4)}", "shape cannot be read"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}", "negative"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1)}", "wrong rank"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808,)}", "overflows"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "overflows"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,)}", "overflows"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 9223372036854775807)}", "overflows"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} and more", "no more"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}", "truncated"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': ()}", "longer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sb_npy array;
        sb_failure failure = {0};
        assert_false(read_header(&array, 1, cases[i].header, 16, &failure));
        assert_complaint(failure.text, cases[i].part);
        assert_null(array.data);
    }
}

static void test_a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    unsigned char file[1024];
    size_t size = make_file(file, 2, "{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }", 48);
    sb_npy array;
    sb_failure failure;
    for (size_t length = 0; length < size; ++length) {
        assert_false(read_bytes(&array, file, length, &failure));
        assert_complaint(failure.text, length == 0 ? "empty" : "");
    }
    assert_true(read_bytes(&array, file, size, &failure));
    sb_npy_free(&array);
    file[size] = 0;
    assert_false(read_bytes(&array, file, size + 1, &failure));
    assert_complaint(failure.text, "longer");
}

static void test_unknown_versions_and_magic_are_refused(void **state)
{
    (void)state;
    unsigned char file[1024];
    sb_npy array;
    sb_failure failure;
    size_t size = make_file(file, 4, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4);
    assert_false(read_bytes(&array, file, size, &failure));
    assert_complaint(failure.text, "version 4.0");
    file[0] = 'P';
    assert_false(read_bytes(&array, file, size, &failure));
    assert_complaint(failure.text, "not a .npy file");
}

static void test_what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    char place[] = "/tmp/slimband-npy-XXXXXX", path[64];
    assert_non_null(mkdtemp(place));
    snprintf(path, sizeof path, "%s/a.npy", place);
    unsigned char bytes[2 * 3 * 4 * 5 * 16];
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)(i * 37);
    for (int kind = 0; kind < 4 * 2 * 5; ++kind) {
        sb_npy out = {(slimband_scalar)(kind % 4), kind / 4 % 2, kind / 8, {2, 3, 4, 5}, bytes}, in;
        sb_output output;
        sb_failure failure;
        assert_true(sb_output_open(&output, path, &failure));
        sb_npy_write(&out, &output);
        assert_true(sb_output_commit(&output, &failure));
        assert_true(sb_npy_read(&in, path, &failure));
        assert_int_equal(in.scalar, out.scalar);
        assert_int_equal(in.fortran, out.fortran);
        assert_int_equal(in.rank, out.rank);
        assert_memory_equal(in.shape, out.shape, (size_t)in.rank * sizeof in.shape[0]);
        assert_memory_equal(in.data, bytes, (size_t)sb_npy_elements(&in) * sb_number_bytes(in.scalar));
        sb_npy_free(&in);
    }
    unlink(path);
    rmdir(place);
}

static void test_strides_follow_the_order(void **state)
{
    (void)state;
    sb_npy array = {.rank = 3, .shape = {2, 3, 5}};
    int64_t strides[SB_NPY_MAX_RANK];
    sb_npy_strides(&array, strides);
    assert_memory_equal(strides, ((int64_t[]){15, 5, 1}), 3 * sizeof strides[0]);
    array.fortran = true;
    sb_npy_strides(&array, strides);
    assert_memory_equal(strides, ((int64_t[]){1, 2, 6}), 3 * sizeof strides[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_spelling_of_a_header_is_read),
        cmocka_unit_test(test_bad_headers_are_refused_with_a_sentence),
        cmocka_unit_test(test_a_file_cut_anywhere_is_refused),
        cmocka_unit_test(test_unknown_versions_and_magic_are_refused),
        cmocka_unit_test(test_what_is_written_reads_back_the_same),
        cmocka_unit_test(test_strides_follow_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
