/* The scalar type of this compilation on the CPU. */
#ifndef SB_SCALAR_H
#define SB_SCALAR_H

#include "src/chunk/wider.h"

#endif
