// SPDX-License-Identifier: MIT
// Depth of a ball in a sphere, box, plane or capsule.
#ifndef WEFT_SIM_CONTACT_OBSTACLE_POINT_H
#define WEFT_SIM_CONTACT_OBSTACLE_POINT_H

#include "sim/world/world.h"

struct touch {
    struct vec3 normal; // outward
    float depth;        // m; > 0 inside
};

// Depth and normal of a ball of radius `radius` about p in a sphere, box, plane or capsule.
struct touch obstacle_touch(const struct obstacle *obstacle, struct vec3 p, float radius);

static inline bool obstacle_is_simple(const struct obstacle *obstacle) {
    return obstacle->shape.shape != SIM_OBSTACLE_HEIGHTFIELD && obstacle->shape.shape != SIM_OBSTACLE_MESH;
}

#endif
