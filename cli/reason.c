/* Sentences for those who have no C interface at hand. */
#include "cli/reason.h"

const char *sb_reason(slimband_status status)
{
    switch (status) {
    case SLIMBAND_UNKNOWN_METHOD:
        return "no method of this name is built in (slimband methods lists them)";
    case SLIMBAND_SINGULAR:
        return "a matrix is singular to working precision";
    case SLIMBAND_NOT_FINITE:
        return "the input holds NaN or Inf";
    case SLIMBAND_BREAKDOWN:
        return "elimination without pivoting broke down";
    case SLIMBAND_SOLUTION_NOT_FINITE:
        return "a solution holds NaN or Inf: so does its input, or the solve overflowed";
    default:
        return slimband_status_string(status);
    }
}
