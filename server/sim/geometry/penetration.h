// SPDX-License-Identifier: MIT
// Depth of the overlap of two convex shapes, and the direction along which they come apart soonest, by growing a
// polytope within their difference (expanding polytope algorithm). Pure functions in double, with a fixed order of
// arithmetic. Lengths in m.
#ifndef WEFT_SIM_GEOMETRY_PENETRATION_H
#define WEFT_SIM_GEOMETRY_PENETRATION_H

#include "sim/geometry/convex.h"

struct penetration {
    // Distance that A has to move along `normal`; negative when the shapes are at least so far apart.
    double depth;
    struct point normal; // unit, from B to A
    struct mixture a, b; // the points that touch
};

// At least one of the shapes must have a volume. Returns false when their difference is too flat to have a direction.
bool penetration_find(const struct convex *a, const struct convex *b, struct penetration *found);

#endif
