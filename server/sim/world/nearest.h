// SPDX-License-Identifier: MIT
// The point of an object's surface nearest to a given point, and the particles that carry it.
#ifndef WEFT_SIM_WORLD_NEAREST_H
#define WEFT_SIM_WORLD_NEAREST_H

#include "sim/world/world.h"

struct surface_point {
    struct vec3 position;                 // m
    uint32_t carriers;                    // 1..SIM_GRAB_CARRIERS
    uint32_t particle[SIM_GRAB_CARRIERS]; // local
    float weight[SIM_GRAB_CARRIERS];      // sum 1; may be negative for an embedded shape
};

// On an embedded shape; otherwise on the triangles where the object has any, otherwise on the sticks, otherwise at a
// particle.
struct surface_point nearest_on_object(const struct sim_world *world, const struct object *object, struct vec3 point);

// The weights with which the four particles of a body carry any point, inside or outside of its surface. Returns false
// where they lie in one plane. The weights of a point that is far away are large, and not precise.
bool nearest_carry(const struct sim_world *world, const struct object *object, struct vec3 point,
                   struct surface_point *carried);

#endif
