// SPDX-License-Identifier: MIT
// The patch in which two convex shapes face each other.
#ifndef WEFT_SIM_GEOMETRY_COLLIDE_PATCH_H
#define WEFT_SIM_GEOMETRY_COLLIDE_PATCH_H

#include "sim/geometry/convex.h"

// collide_patch.c: up to four points in which the side of A that faces −normal meets the side of B that faces +normal.
uint32_t collide_patch(const struct convex *a, const struct convex *b, struct point normal,
                       struct patch_point patch[COLLIDE_PATCH_MAX]);

#endif
