// SPDX-License-Identifier: MIT
// The box around the paths of an object's particles in a substep, and the obstacles that it may come near.
#include "sim/contact/extent.h"

#include "sim/simd/simd.h"
#include "sim/world/axes.h"

// In m: half the thickness of the thinnest wall that a mesh or a height field is expected to have.
#define SURFACE_HALF_THICKNESS 0.005f

// A particle that moves less far than this in a substep cannot pass the middle of the obstacle.
float contact_half_thickness(const struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    if (shape->shape == SIM_OBSTACLE_BOX) {
        return 0.5f * scalar_min(shape->size.x, scalar_min(shape->size.y, shape->size.z));
    }
    if (shape->shape == SIM_OBSTACLE_MESH || shape->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        return SURFACE_HALF_THICKNESS;
    }
    if (shape->shape == SIM_OBSTACLE_SPHERE || shape->shape == SIM_OBSTACLE_CAPSULE) {
        return shape->radius;
    }
    return 4.0f * SIM_POSITION_MAX;
}

struct extent extent_of(const struct sim_world *world, uint32_t first, uint32_t end,
                        const struct start_positions *start) {
    struct simd_axes axes = world_axes(world);
    axes.start[0] = start->x;
    axes.start[1] = start->y;
    axes.start[2] = start->z;
    return extent_along(world, &axes, first, end);
}

struct extent extent_along(const struct sim_world *world, const struct simd_axes *axes, uint32_t first, uint32_t end) {
    float min[3];
    float max[3];
    const float squared = world->simd->extent(axes, first, end, min, max);
    return (struct extent){
        .min = vec3_of(min[0], min[1], min[2]),
        .max = vec3_of(max[0], max[1], max[2]),
        .moved = sqrtf(squared),
    };
}

bool extent_is_near(const struct extent *extent, const struct obstacle *obstacle, float radius) {
    return extent->max.x + radius >= obstacle->box_min.x && extent->min.x - radius <= obstacle->box_max.x &&
           extent->max.y + radius >= obstacle->box_min.y && extent->min.y - radius <= obstacle->box_max.y &&
           extent->max.z + radius >= obstacle->box_min.z && extent->min.z - radius <= obstacle->box_max.z;
}
