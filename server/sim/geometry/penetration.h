// SPDX-License-Identifier: MIT
// How deep two convex shapes overlap, and along which direction they come apart soonest, by growing a polytope within
// their difference (expanding polytope algorithm). Pure, in double, with a fixed order of arithmetic. Lengths in m.
#ifndef WEFT_SIM_GEOMETRY_PENETRATION_H
#define WEFT_SIM_GEOMETRY_PENETRATION_H

#include "sim/geometry/convex.h"

struct penetration {
    double depth;        // how far A has to go along `normal`; negative when a gap of at least so much is between them
    struct point normal; // unit, from B to A
    struct mixture a, b; // the points that meet
};

// One of the shapes at least must have a volume. False when their difference is too flat to have a direction.
bool penetration_find(const struct convex *a, const struct convex *b, struct penetration *found);

#endif
