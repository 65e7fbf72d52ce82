/* Pictures, read back with libpng: which pixel shows which number, and what the colours promise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "cli/picture.h"

typedef struct drawn {
    int64_t width, height;
    unsigned char *rgb;
} drawn;

static drawn draw(const sb_picture *picture)
{
    sb_failure failure = {""};
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(sb_picture_write(file, picture, "c.png", &failure));
    rewind(file);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_stdio(&image, file));
    image.format = PNG_FORMAT_RGB;
    drawn d = {image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_true(png_image_finish_read(&image, NULL, d.rgb, 0, NULL));
    fclose(file);
    return d;
}

static void expect_colour(const drawn *d, int64_t row, int64_t column, int index)
{
    unsigned char rgb[3];
    sb_picture_colour(index, rgb);
    assert_memory_equal(d->rgb + 3 * (row * d->width + column), rgb, 3);
}

/* The relative luminance of sRGB. */
static double luminance(const unsigned char rgb[3])
{
    const double weight[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double v = rgb[k] / 255.0;
        sum += weight[k] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static void test_every_colour_is_lighter_than_the_one_before(void **state)
{
    (void)state;
    double last = -1;
    for (int k = 0; k < 255; ++k) {
        unsigned char rgb[3];
        sb_picture_colour(k, rgb);
        assert_true(luminance(rgb) > last);
        last = luminance(rgb);
    }
}

static void test_points_become_squares_in_their_place(void **state)
{
    (void)state;
    const double values[] = {0, 32, 64, 95, NAN, 127};
    const sb_picture p = {2, 3, values, NAN, NAN};
    drawn d = draw(&p);
    assert_int_equal(d.height % 2, 0);
    assert_int_equal(d.width % 3, 0);
    int64_t h = d.height / 2, w = d.width / 3;
    expect_colour(&d, 0, 0, 0);
    expect_colour(&d, h - 1, w, 64);
    expect_colour(&d, h - 1, d.width - 1, 128);
    expect_colour(&d, h, w - 1, 190);
    expect_colour(&d, d.height - 1, d.width - 1, 254);
    const unsigned char grey[] = {0xd0, 0xd0, 0xd0};
    assert_memory_equal(d.rgb + 3 * (h * d.width + w), grey, 3);
    free(d.rgb);
}

static void test_a_given_range_clips(void **state)
{
    (void)state;
    const double values[] = {-9, -1, 1, 9};
    const sb_picture p = {1, 4, values, -1, 1};
    drawn d = draw(&p);
    expect_colour(&d, 0, 0, 0);
    expect_colour(&d, 0, d.width / 4, 0);
    expect_colour(&d, 0, d.width / 2, 254);
    expect_colour(&d, 0, d.width - 1, 254);
    free(d.rgb);
}

static void test_large_fields_are_averaged(void **state)
{
    (void)state;
    enum { columns = 8192 };
    double *values = malloc(columns * sizeof *values);
    for (int i = 0; i < columns; ++i)
        values[i] = i % 2; /* two and two are averaged to the same number */
    const sb_picture p = {1, columns, values, 0, 1};
    drawn d = draw(&p);
    assert_int_equal(d.width, 2048);
    for (int64_t x = 0; x < d.width; ++x)
        expect_colour(&d, 0, x, 127);
    free(d.rgb);
    free(values);
}

static void test_one_number_everywhere_is_the_middle(void **state)
{
    (void)state;
    const double values[] = {7, 7};
    const sb_picture p = {2, 1, values, NAN, NAN};
    drawn d = draw(&p);
    expect_colour(&d, 0, 0, 127);
    free(d.rgb);
}

static void test_nothing_to_draw_is_refused(void **state)
{
    (void)state;
    sb_failure failure = {""};
    const sb_picture p = {0, 3, NULL, NAN, NAN};
    assert_false(sb_picture_write(stdout, &p, "c.png", &failure));
    assert_string_equal(failure.text, "c.png: there is nothing to draw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_colour_is_lighter_than_the_one_before),
        cmocka_unit_test(test_points_become_squares_in_their_place),
        cmocka_unit_test(test_a_given_range_clips),
        cmocka_unit_test(test_large_fields_are_averaged),
        cmocka_unit_test(test_one_number_everywhere_is_the_middle),
        cmocka_unit_test(test_nothing_to_draw_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
