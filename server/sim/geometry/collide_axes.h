// SPDX-License-Identifier: MIT
// The direction in which one convex shape leaves another soonest.
#ifndef WEFT_SIM_GEOMETRY_COLLIDE_AXES_H
#define WEFT_SIM_GEOMETRY_COLLIDE_AXES_H

#include "sim/geometry/convex.h"

// collide_axes.c: the unit direction in which A leaves B soonest. With `outward`, only directions on its side are
// considered.
struct point collide_escape(const struct convex *a, const struct convex *b, const struct point *outward);

#endif
