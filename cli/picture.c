/* Pictures: a scale of colours, blocks of points, and libpng around them. */
#include "cli/picture.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 255, NO_NUMBER = 255, LEAST_PIXELS = 320, MOST_PIXELS = 2048 };

/* One channel of sRGB from light. */
static unsigned char encode_light(double linear)
{
    double light = fmin(fmax(linear, 0), 1);
    return (unsigned char)lrint(255 *
                                (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055));
}

/* In OKLab's cylinder: lightness is linear along the scale, which makes equal steps look equal; hue goes from violet over
   blue and green to yellow; chroma is a parabola just inside of what sRGB can show there, since edges in chroma would
   be seen as edges in the field. */
void sb_picture_colour(int index, unsigned char rgb[3])
{
    const double turn = 2 * 3.14159265358979323846, first_hue = 300 / 360.0, last_hue = 100 / 360.0;
    double at = (double)index / (COLOURS - 1), hue = turn * (first_hue + (last_hue - first_hue) * at);
    double lightness = 0.20 + 0.74 * at, chroma = 0.088 + 0.1 * (at - 0.4) * (at - 0.4);
    double a = chroma * cos(hue), b = chroma * sin(hue);
    double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    rgb[0] = encode_light(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    rgb[1] = encode_light(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    rgb[2] = encode_light(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

/* How one axis becomes pixels: each point `repeat` times, or blocks of points averaged. */
typedef struct scaling {
    int64_t points, pixels;
} scaling;

static scaling scale(int64_t points)
{
    int64_t repeat = (LEAST_PIXELS + points - 1) / points;
    return (scaling){points, points > MOST_PIXELS ? MOST_PIXELS : points * repeat};
}

/* The points [*from, *to) of a pixel; one at least. */
static void block(const scaling *s, int64_t pixel, int64_t *from, int64_t *to)
{
    *from = (int64_t)((long double)pixel * s->points / s->pixels);
    *to = (int64_t)((long double)(pixel + 1) * s->points / s->pixels);
    *to = *to > *from ? *to : *from + 1;
}

static unsigned char index_of(double value, double low, double high)
{
    if (!isfinite(value))
        return NO_NUMBER;
    double at = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
    return (unsigned char)lrint((COLOURS - 1) * fmin(fmax(at, 0), 1));
}

/* One row of pixels: the mean of each pixel's block. */
static void fill_row(const sb_picture *p, const scaling s[2], int64_t pixel_row, unsigned char *pixels)
{
    int64_t top, bottom, left, right;
    block(&s[0], pixel_row, &top, &bottom);
    for (int64_t x = 0; x < s[1].pixels; ++x) {
        block(&s[1], x, &left, &right);
        double sum = 0, count = (double)((bottom - top) * (right - left));
        for (int64_t row = top; row < bottom; ++row)
            for (int64_t column = left; column < right; ++column)
                sum += p->values[row * p->columns + column] / count;
        pixels[x] = index_of(sum, p->low, p->high);
    }
}

static void find_range(sb_picture *p)
{
    if (!isnan(p->low) || !isnan(p->high))
        return;
    for (int64_t i = 0; i < p->rows * p->columns; ++i)
        if (isfinite(p->values[i])) {
            p->low = fmin(p->low, p->values[i]);
            p->high = fmax(p->high, p->values[i]);
        }
}

static void write_rows(png_structp png, png_infop info, FILE *out, const sb_picture *p, unsigned char *pixels)
{
    const scaling s[] = {scale(p->rows), scale(p->columns)};
    png_color palette[COLOURS + 1];
    memset(palette, 0xd0, sizeof palette);
    for (int k = 0; k < COLOURS; ++k) {
        unsigned char rgb[3];
        sb_picture_colour(k, rgb);
        palette[k] = (png_color){rgb[0], rgb[1], rgb[2]};
    }
    png_init_io(png, out);
    png_set_IHDR(png, info, (png_uint_32)s[1].pixels, (png_uint_32)s[0].pixels, 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, COLOURS + 1);
    png_write_info(png, info);
    for (int64_t y = 0; y < s[0].pixels; ++y) {
        fill_row(p, s, y, pixels);
        png_write_row(png, pixels);
    }
    png_write_end(png, info);
}

/* libpng leaves through longjmp; nothing that changes after setjmp is read again. */
static bool encode(png_structp png, png_infop info, FILE *out, const sb_picture *p, unsigned char *pixels)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    write_rows(png, info, out, p, pixels);
    return true;
}

static void say_nothing(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void give_up(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

bool sb_picture_write(FILE *out, const sb_picture *picture, const char *path, sb_failure *failure)
{
    sb_picture p = *picture;
    if (p.rows < 1 || p.columns < 1)
        return sb_fail(failure, "%s: there is nothing to draw", path);
    find_range(&p);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, say_nothing);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    unsigned char *pixels = malloc((size_t)scale(p.columns).pixels);
    bool good = info && pixels && encode(png, info, out, &p, pixels);
    free(pixels);
    png_destroy_write_struct(&png, &info);
    return good || ferror(out) || sb_fail(failure, "%s: not enough memory for the picture", path);
}
