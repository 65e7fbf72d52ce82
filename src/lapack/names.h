/* LAPACK's names for this compilation's scalar type: SB_LAPACK(gtsv) is slimband_dgtsv for f64. */
#ifndef SB_LAPACK_NAMES_H
#define SB_LAPACK_NAMES_H

#include "slimband/lapack.h"
#include "src/cpu/scalar.h"

#define SB_LETTER_f32(name) slimband_s##name
#define SB_LETTER_f64(name) slimband_d##name
#define SB_LETTER_c64(name) slimband_c##name
#define SB_LETTER_c128(name) slimband_z##name
#define SB_LETTER2(type, name) SB_LETTER_##type(name)
#define SB_LETTER(type, name) SB_LETTER2(type, name)
#define SB_LAPACK(name) SB_LETTER(SB_TYPE, name)

#define SB_QUOTE2(text) #text
#define SB_QUOTE(text) SB_QUOTE2(text)

/* The second name, with Fortran's underscore, for a routine defined in this file. */
#define SB_LAPACK_FORTRAN(name) \
    extern __typeof__(SB_LAPACK(name)) SB_LAPACK(name##_) __attribute__((alias(SB_QUOTE(SB_LAPACK(name)))))

/* Does a character argument say `letter` (lower case)? */
static inline bool sb_says(const char *argument, char letter)
{
    return *argument == letter || *argument == letter - 'a' + 'A';
}

static inline int sb_at_least_1(int n)
{
    return n > 1 ? n : 1;
}

#endif
