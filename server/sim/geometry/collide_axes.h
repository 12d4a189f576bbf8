// SPDX-License-Identifier: MIT
// The direction in which one convex shape leaves another soonest.
#ifndef WEFT_SIM_GEOMETRY_COLLIDE_AXES_H
#define WEFT_SIM_GEOMETRY_COLLIDE_AXES_H

#include "sim/geometry/convex.h"

// collide_axes.c: the direction in which A leaves B soonest, unit. With `outward` only directions on its side count.
struct point collide_escape(const struct convex *a, const struct convex *b, const struct point *outward);

#endif
