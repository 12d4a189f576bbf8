// SPDX-License-Identifier: MIT
// Boxes around objects (box.h), by the kernel of simd_touch.h.
#include "sim/world/box.h"

#include "sim/world/axes.h"
#include "sim/world/part.h"
#include "sim/world/particle.h"

struct box box_around_span(const struct sim_world *world, struct slot_span span, enum simd_positions at) {
    float min[3];
    float max[3];
    const struct simd_axes axes = world_axes(world);
    world->simd->box(&axes, at, span.first, span.end, min, max);
    return (struct box){vec3_of(min[0], min[1], min[2]), vec3_of(max[0], max[1], max[2])};
}

struct box box_around(const struct sim_world *world, const struct object *object, enum simd_positions at) {
    return box_around_span(world, (struct slot_span){object->first, object->first + object->particles}, at);
}

struct vec3 box_hull_vertex(const struct sim_world *world, const struct object *object, uint32_t vertex,
                            enum simd_positions at) {
    const float *weight = world->shape_real + object->hull.first_real + 4 * (size_t)vertex;
    struct vec3 p = {0};
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t i = object->first + k;
        const struct vec3 carrier = at == SIMD_RELAXED ? particle_relaxed(world, i) : particle_position(world, i);
        p = vec3_add(p, vec3_scale(carrier, weight[k]));
    }
    return p;
}

struct box box_around_whole(const struct sim_world *world, const struct object *object, enum simd_positions at) {
    struct box box = box_around(world, object, at);
    for (uint32_t k = 0; k < part_count(object); k++) {
        const struct hull_part part = part_at(world, object, k);
        for (uint32_t v = part.first_vertex; v < part.first_vertex + part.vertices; v++) {
            const struct vec3 p = box_hull_vertex(world, object, v, at);
            const float r = part.radius;
            box.min =
                vec3_of(scalar_min(box.min.x, p.x - r), scalar_min(box.min.y, p.y - r), scalar_min(box.min.z, p.z - r));
            box.max =
                vec3_of(scalar_max(box.max.x, p.x + r), scalar_max(box.max.y, p.y + r), scalar_max(box.max.z, p.z + r));
        }
    }
    return box;
}
