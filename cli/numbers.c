/* Numbers of a type that is known only at run time. */
#include "cli/numbers.h"

#include <math.h>
#include <string.h>

/* The numbers of the enumeration are two bits, complex and double, so that the common type is their union. */
_Static_assert(SLIMBAND_F32 == 0 && SLIMBAND_F64 == 1 && SLIMBAND_C64 == 2 && SLIMBAND_C128 == 3, "two bits");

static bool is_double(slimband_scalar scalar)
{
    return scalar & 1;
}

static int components(slimband_scalar scalar)
{
    return scalar & 2 ? 2 : 1;
}

slimband_scalar sb_common_scalar(slimband_scalar a, slimband_scalar b)
{
    return (slimband_scalar)((unsigned)a | (unsigned)b);
}

size_t sb_number_bytes(slimband_scalar scalar)
{
    return (is_double(scalar) ? sizeof(double) : sizeof(float)) * (size_t)components(scalar);
}

const char *sb_scalar_name(slimband_scalar scalar)
{
    static const char *const names[] = {"f32", "f64", "c64", "c128"};
    return names[scalar];
}

sb_run sb_run_at(sb_run run, int64_t offset)
{
    run.start = (char *)run.start + offset * run.stride * (int64_t)sb_number_bytes(run.scalar);
    return run;
}

static double component(sb_run run, int64_t index)
{
    return is_double(run.scalar) ? ((const double *)run.start)[index]
                                 : (double)((const float *)run.start)[index];
}

static void convert(sb_run to, sb_run from, int64_t count)
{
    int wide = components(to.scalar), narrow = components(from.scalar);
    for (int64_t i = 0; i < count; ++i) {
        for (int c = 0; c < wide; ++c) {
            double value = c < narrow ? component(from, i * from.stride * narrow + c) : 0;
            int64_t at = i * to.stride * wide + c;
            if (is_double(to.scalar))
                ((double *)to.start)[at] = value;
            else
                ((float *)to.start)[at] = (float)value;
        }
    }
}

void sb_copy_numbers(sb_run to, sb_run from, int64_t count)
{
    bool plain = to.scalar == from.scalar && to.stride == 1 && from.stride == 1;
    if (plain && count > 0)
        memcpy(to.start, from.start, (size_t)count * sb_number_bytes(to.scalar));
    else if (!plain)
        convert(to, from, count);
}

bool sb_number_is_finite(sb_run run)
{
    return isfinite(component(run, 0)) && (components(run.scalar) == 1 || isfinite(component(run, 1)));
}
