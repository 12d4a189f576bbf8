// SPDX-License-Identifier: MIT
// The box around the paths of an object's particles in a substep.
#ifndef WEFT_SIM_CONTACT_EXTENT_H
#define WEFT_SIM_CONTACT_EXTENT_H

#include "sim/simd/simd.h"
#include "sim/world/world.h"

// Positions of all particles when the substep began.
struct start_positions {
    float *x, *y, *z; // m
};

static inline struct vec3 start_position(const struct start_positions *start, uint32_t i) {
    return vec3_of(start->x[i], start->y[i], start->z[i]);
}

// A box around the paths of particles in the substep, and the longest of these paths.
struct extent {
    struct vec3 min, max; // m
    float moved;          // m
};

struct extent extent_of(const struct sim_world *world, uint32_t first, uint32_t end,
                        const struct start_positions *start);

// The same for particles of these arrays, from `axes->start`.
struct extent extent_along(const struct sim_world *world, const struct simd_axes *axes, uint32_t first, uint32_t end);

static inline struct extent extent_of_object(const struct sim_world *world, const struct object *object,
                                             const struct start_positions *start) {
    return extent_of(world, object->first, object->first + object->particles, start);
}

// The extent of an object from its particles' positions `start` on, computed where it is not known.
static inline struct extent extent_known(const struct sim_world *world, uint32_t place,
                                         const struct start_positions *start) {
    const struct object *object = &world->object[place];
    return object->extent_known ? world->object_extent[place] : extent_of_object(world, object, start);
}

bool extent_is_near(const struct extent *extent, const struct obstacle *obstacle, float radius);
float contact_half_thickness(const struct obstacle *obstacle); // m

#endif
