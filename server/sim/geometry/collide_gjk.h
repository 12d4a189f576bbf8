// SPDX-License-Identifier: MIT
// The distance of two convex shapes.
#ifndef WEFT_SIM_GEOMETRY_COLLIDE_GJK_H
#define WEFT_SIM_GEOMETRY_COLLIDE_GJK_H

#include "sim/geometry/convex.h"

// collide_gjk.c
struct separation collide_distance(const struct convex *a, const struct convex *b);

#endif
