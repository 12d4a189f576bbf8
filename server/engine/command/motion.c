// SPDX-License-Identifier: MIT
#include "engine/command/motion.h"

#include <stdlib.h>

bool motion_is_given(const struct motion_given *given) {
    return given->velocity != NULL || given->angular_velocity != NULL || given->pivot != NULL ||
           given->surface_velocity != NULL || given->path != NULL || given->loop != NULL || given->path_time != NULL;
}

static enum result check(const struct motion_given *given, struct fault *fault) {
    if (given->path == NULL && given->loop != NULL) {
        return fault_set(fault, RESULT_INVALID, "/loop", "loop belongs to a path: give path as well");
    }
    if (given->path == NULL && given->path_time != NULL) {
        return fault_set(fault, RESULT_INVALID, "/pathTime", "pathTime belongs to a path: give path as well");
    }
    if (given->path != NULL && given->pivot != NULL) {
        return fault_set(fault, RESULT_INVALID, "/pivot", "pivot belongs to angularVelocity, and a path has none");
    }
    return RESULT_OK;
}

static struct sim_path_point *copy_points(const struct proto_list *list) {
    const struct proto_path_point *from = list->items;
    struct sim_path_point *points = calloc(list->count, sizeof *points);
    for (uint32_t i = 0; points != NULL && i < list->count; i++) {
        points[i].time = from[i].time;
        points[i].position = from[i].position;
        if (from[i].has_rotation) {
            points[i].rotation = from[i].rotation;
        }
    }
    return points;
}

static struct vec3 offset_of(struct vec3 pivot, const struct sim_obstacle *shape) {
    struct vec3 at = shape->position;
    if (shape->shape == SIM_OBSTACLE_CAPSULE) {
        at = (struct vec3){0.5f * (shape->from.x + shape->to.x), 0.5f * (shape->from.y + shape->to.y),
                           0.5f * (shape->from.z + shape->to.z)};
    }
    return (struct vec3){pivot.x - at.x, pivot.y - at.y, pivot.z - at.z};
}

enum result motion_read(const struct motion_given *given, const struct sim_obstacle *shape, struct sim_motion *motion,
                        struct sim_path_point **points, struct fault *fault) {
    const bool moves = given->velocity != NULL || given->angular_velocity != NULL;
    const enum result result = check(given, fault);
    *points = NULL;
    if (result != RESULT_OK) {
        return result;
    }
    if (given->path != NULL) {
        *points = copy_points(given->path);
        if (*points == NULL) {
            return fault_set(fault, RESULT_MEMORY, "", "out of memory");
        }
        const struct vec3 surface = motion->surface_velocity;
        *motion = (struct sim_motion){.surface_velocity = surface, .path = *points, .points = given->path->count};
        motion->loop = given->loop != NULL && *given->loop;
        motion->path_time = given->path_time != NULL ? *given->path_time : 0.0f;
    } else if (moves) {
        motion->points = 0;
    }
    motion->velocity = given->velocity != NULL ? *given->velocity : motion->velocity;
    motion->angular_velocity = given->angular_velocity != NULL ? *given->angular_velocity : motion->angular_velocity;
    motion->pivot = given->pivot != NULL ? offset_of(*given->pivot, shape) : motion->pivot;
    motion->surface_velocity = given->surface_velocity != NULL ? *given->surface_velocity : motion->surface_velocity;
    return RESULT_OK;
}
