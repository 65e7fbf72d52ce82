/* Which problems tiles are for. */
#ifndef SB_WORTH_H
#define SB_WORTH_H

#include "src/core/backend.h"

/* Can a plan of this problem use tiles at all? Otherwise `lanes` solves system after system. */
bool sb_fits_tiles(const slimband_problem *problem);

#endif
