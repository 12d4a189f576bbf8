// SPDX-License-Identifier: MIT
// A convex part of an object, and its box in the broad phase.
#ifndef WEFT_SIM_BODY_BODY_PART_H
#define WEFT_SIM_BODY_BODY_PART_H

#include "sim/geometry/convex.h"
#include "sim/geometry/hull.h"

// A convex part that moves with up to four particles: a body, a bone, or a particle, stick or triangle of another
// object. The box holds the part from the substep's start to its present place, with its radius.
struct body_part {
    uint32_t object; // place in world->object
    uint32_t particles;
    uint32_t slot[4];
    float radius;          // m, distance kept around the part
    uint32_t part;         // of an embedded shape (sim/world/part.h)
    const float *turned;   // weights of a ring that has been turned towards the other solid, or NULL
    struct vec3 low, high; // m
};

// True of a part of a rigid body, whose radius turns with it; other parts are a particle, a stick or a triangle.
static inline bool body_part_is_embedded(const struct body_part *part) {
    return part->particles == 4;
}

// A part's box as the broad phase reads it: first the axis of the sweep, then the axis of the slabs.
struct body_interval {
    float low[3], high[3]; // m
    uint32_t slab, part;
};

_Static_assert(HULL_POINTS_MAX <= COLLIDE_VERTICES_MAX, "a hull is a convex shape");

#endif
