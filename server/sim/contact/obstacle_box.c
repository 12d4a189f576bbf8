// SPDX-License-Identifier: MIT
// The boxes around obstacles.
#include "sim/contact/obstacle_box.h"

#include "sim/contact/obstacle_mesh.h"
#include "sim/contact/obstacle_point.h"

// Margin of an obstacle's box, greater than any rounding of a contact, so that skipping objects outside the box changes
// no result: contacts are computed in float32 from coordinates up to SIM_POSITION_MAX.
#define BOX_MARGIN 0.05f // m

// The box around a mesh's vertices, or around a height field and the solid under it.
static void bound_numbers(const struct sim_world *world, struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    if (shape->shape == SIM_OBSTACLE_MESH) {
        const struct mesh_numbers mesh = obstacle_mesh_numbers(world, obstacle); // the box of the root
        obstacle->box_min = vec3_of(mesh.bvh.box[0], mesh.bvh.box[1], mesh.bvh.box[2]);
        obstacle->box_max = vec3_of(mesh.bvh.box[3], mesh.bvh.box[4], mesh.bvh.box[5]);
        return;
    }
    const float *height = world->shape_real + obstacle->data.first_real;
    float top = height[0];
    for (uint32_t i = 1; i < shape->columns * shape->rows; i++) {
        top = scalar_max(top, height[i]);
    }
    const float x = 0.5f * shape->spacing * (float)(shape->columns - 1);
    const float z = 0.5f * shape->spacing * (float)(shape->rows - 1);
    obstacle->box_min = vec3_of(shape->position.x - x, -4.0f * SIM_POSITION_MAX, shape->position.z - z);
    obstacle->box_max = vec3_of(shape->position.x + x, shape->position.y + top, shape->position.z + z);
}

static void bound_capsule(struct obstacle *obstacle) {
    const struct vec3 a = obstacle->shape.from;
    const struct vec3 b = obstacle->shape.to;
    const float r = obstacle->shape.radius;
    obstacle->box_min = vec3_of(scalar_min(a.x, b.x) - r, scalar_min(a.y, b.y) - r, scalar_min(a.z, b.z) - r);
    obstacle->box_max = vec3_of(scalar_max(a.x, b.x) + r, scalar_max(a.y, b.y) + r, scalar_max(a.z, b.z) + r);
}

void obstacle_find_box(const struct sim_world *world, struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    float reach = 4.0f * SIM_POSITION_MAX; // a plane is infinite
    if (shape->shape == SIM_OBSTACLE_SPHERE) {
        reach = shape->radius;
    } else if (shape->shape == SIM_OBSTACLE_BOX) {
        reach = 0.5f * vec3_length(shape->size);
    }
    obstacle->box_min = vec3_sub(shape->position, vec3_of(reach, reach, reach));
    obstacle->box_max = vec3_add(shape->position, vec3_of(reach, reach, reach));
    if (shape->shape == SIM_OBSTACLE_CAPSULE) {
        bound_capsule(obstacle);
    } else if (!obstacle_is_simple(obstacle)) {
        bound_numbers(world, obstacle);
    }
    const struct vec3 margin = vec3_of(BOX_MARGIN, BOX_MARGIN, BOX_MARGIN);
    obstacle->box_min = vec3_sub(obstacle->box_min, margin);
    obstacle->box_max = vec3_add(obstacle->box_max, margin);
}

void obstacle_widen_box(struct obstacle *obstacle, const struct obstacle *start) {
    const float around = obstacle->reach + vec3_length(obstacle->base.motion.pivot);
    float turned = 0.0f; // twice the square of the angle, for small ones
    for (unsigned k = 0; k < 3; k++) {
        turned += (float)point_dot(obstacle->step.turn[k], obstacle->step.turn[k]);
    }
    // Between start and end a point that turns by the angle a leaves the chord by less than a²/8 of its distance.
    const float bulge = 0.125f * turned * around;
    const struct vec3 margin = vec3_of(bulge, bulge, bulge);
    const struct vec3 low = start->box_min;
    const struct vec3 high = start->box_max;
    obstacle->box_min = vec3_sub(vec3_of(scalar_min(obstacle->box_min.x, low.x), scalar_min(obstacle->box_min.y, low.y),
                                         scalar_min(obstacle->box_min.z, low.z)),
                                 margin);
    obstacle->box_max =
        vec3_add(vec3_of(scalar_max(obstacle->box_max.x, high.x), scalar_max(obstacle->box_max.y, high.y),
                         scalar_max(obstacle->box_max.z, high.z)),
                 margin);
}

static float mesh_reach(const struct sim_obstacle *shape) {
    float most = 0.0f;
    for (uint32_t i = 0; i < shape->vertices; i++) {
        const float *at = shape->positions + 3 * (size_t)i;
        most = scalar_max(most, vec3_length(vec3_of(at[0], at[1], at[2])));
    }
    return most;
}

float obstacle_reach(const struct sim_obstacle *shape) {
    switch (shape->shape) {
    case SIM_OBSTACLE_SPHERE:
        return shape->radius;
    case SIM_OBSTACLE_BOX:
        return 0.5f * vec3_length(shape->size);
    case SIM_OBSTACLE_CAPSULE:
        return shape->radius + 0.5f * vec3_length(vec3_sub(shape->to, shape->from));
    case SIM_OBSTACLE_MESH:
        return mesh_reach(shape);
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_HEIGHTFIELD:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return 0.0f;
    }
}
