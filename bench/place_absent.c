/* The GPU's place in a build without CUDA: it does not open, so nothing else of it is called. */
#include "bench/place.h"
#include "cli/reason.h"

static bool open(sb_place *place, sb_failure *failure)
{
    place->calls = NULL;
    return sb_fail(failure, "--executor cuda: %s", sb_reason(SLIMBAND_NOT_BUILT_IN));
}

const sb_place_calls sb_place_cuda = {.name = "cuda", .cold = true, .open = open};
