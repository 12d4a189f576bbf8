// SPDX-License-Identifier: MIT
// Obstacles: adding, removing, looking at them.
#include "sim/world.h"

#include <assert.h>

// Wider than any rounding of a contact, so that skipping what lies outside changes no result: contacts are computed in
// float32 from coordinates up to SIM_POSITION_MAX.
#define BOX_MARGIN 0.05f // m

static enum result check_shape(const struct sim_obstacle *shape, struct fault *fault) {
    enum result result = RESULT_OK;
    switch (shape->shape) {
    case SIM_OBSTACLE_SPHERE:
        if (!(shape->radius > 0.0f && shape->radius <= SIM_POSITION_MAX)) {
            result = fault_set(fault, RESULT_INVALID, "/radius", "radius must be above 0 and at most %g m, got %g",
                               (double)SIM_POSITION_MAX, (double)shape->radius);
        }
        break;
    case SIM_OBSTACLE_BOX:
        result = check_vector(shape->size, SIM_POSITION_MAX, "m", "/size", fault);
        if (result == RESULT_OK && !(shape->size.x > 0.0f && shape->size.y > 0.0f && shape->size.z > 0.0f)) {
            result = fault_set(fault, RESULT_INVALID, "/size", "size must be above 0 on every axis, got %g × %g × %g m",
                               (double)shape->size.x, (double)shape->size.y, (double)shape->size.z);
        }
        break;
    case SIM_OBSTACLE_PLANE:
        result = check_vector(shape->normal, SIM_POSITION_MAX, "", "/normal", fault);
        if (result == RESULT_OK && !(vec3_length(shape->normal) > 1e-6f)) {
            result = fault_set(fault, RESULT_INVALID, "/normal", "normal must not be zero");
        }
        break;
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        result = fault_set(fault, RESULT_INVALID, "/shape", "shape must be sphere, box or plane");
    }
    return result;
}

static enum result check_obstacle(const struct sim_world *world, const struct sim_obstacle *shape,
                                  struct fault *fault) {
    enum result result = check_shape(shape, fault);
    if (result == RESULT_OK) {
        result = check_vector(shape->position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result == RESULT_OK) {
        result = check_friction(shape->friction, fault);
    }
    if (result == RESULT_OK && world->state.obstacles == world->capacity.obstacles) {
        result = fault_set(fault, RESULT_LIMIT, "", "one more obstacle would exceed this world's limit of %u",
                           world->capacity.obstacles);
    }
    return result == RESULT_OK ? world_can_name(world, fault) : result;
}

// What a shape does not use is zero, whatever the caller left there.
static struct sim_obstacle used_part(const struct sim_obstacle *shape) {
    struct sim_obstacle used = {.shape = shape->shape, .position = shape->position, .friction = shape->friction};
    if (shape->shape == SIM_OBSTACLE_SPHERE) {
        used.radius = shape->radius;
    } else if (shape->shape == SIM_OBSTACLE_BOX) {
        used.size = shape->size;
        used.rotation = shape->rotation;
    } else {
        const float length = vec3_length(shape->normal);
        used.normal = vec3_of(shape->normal.x / length, shape->normal.y / length, shape->normal.z / length);
    }
    return used;
}

static void find_box(struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    float reach = 4.0f * SIM_POSITION_MAX; // a plane has no end
    if (shape->shape == SIM_OBSTACLE_SPHERE) {
        reach = shape->radius;
    } else if (shape->shape == SIM_OBSTACLE_BOX) {
        reach = 0.5f * vec3_length(shape->size);
    }
    reach += BOX_MARGIN;
    const struct vec3 margin = vec3_of(reach, reach, reach);
    obstacle->box_min = vec3_sub(shape->position, margin);
    obstacle->box_max = vec3_add(shape->position, margin);
}

enum result sim_obstacle_add(struct sim_world *world, const struct sim_obstacle *shape, uint32_t *obstacle,
                             struct fault *fault) {
    struct obstacle made = {0};
    enum result result = check_obstacle(world, shape, fault);
    if (result == RESULT_OK && shape->shape == SIM_OBSTACLE_BOX) {
        result = check_rotation(shape->rotation, &made.axes, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.shape = used_part(shape);
    find_box(&made);
    made.shape.id = world_next_sequence(world);
    world->obstacle[world->state.obstacles] = made;
    world->state.obstacles++;
    world_layout_changed(world);
    *obstacle = made.shape.id;
    return RESULT_OK;
}

enum result sim_obstacle_remove(struct sim_world *world, uint32_t obstacle, struct fault *fault) {
    const uint32_t count = world->state.obstacles;
    for (uint32_t i = 0; i < count; i++) {
        if (world->obstacle[i].shape.id == obstacle) {
            memmove(&world->obstacle[i], &world->obstacle[i + 1], (count - i - 1) * sizeof *world->obstacle);
            world->state.obstacles--;
            world_layout_changed(world);
            (void)world_next_sequence(world);
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_NOT_FOUND, "/obstacle", "there is no obstacle %u in this world", obstacle);
}

uint32_t sim_world_obstacle_count(const struct sim_world *world) {
    return world->state.obstacles;
}

const struct sim_obstacle *sim_world_obstacle_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.obstacles);
    return &world->obstacle[index].shape;
}
