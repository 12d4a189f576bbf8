// SPDX-License-Identifier: MIT
// Axis-aligned boxes around objects.
#ifndef WEFT_SIM_WORLD_BOX_H
#define WEFT_SIM_WORLD_BOX_H

#include "sim/simd/simd.h"
#include "sim/world/world.h"

struct box {
    struct vec3 min, max; // m
};

// The box around the particles of a span or of an object, at the substep's start or as relaxed. Coordinates that are
// not numbers are left out.
struct box box_around_span(const struct sim_world *world, struct slot_span span, enum simd_positions at);
struct box box_around(const struct sim_world *world, const struct object *object, enum simd_positions at);
// The position of a vertex of the hull that is embedded in an object's first four particles.
struct vec3 box_hull_vertex(const struct sim_world *world, const struct object *object, uint32_t vertex,
                            enum simd_positions at);
// The box around an object's particles and its hull, whose vertices may lie outside the particles or reach less far.
struct box box_around_whole(const struct sim_world *world, const struct object *object, enum simd_positions at);

#endif
