// SPDX-License-Identifier: MIT
// The motion of an obstacle, as obstacle.add and obstacle.set share it by name; the generated structs are different
// types.
#ifndef WEFT_ENGINE_COMMAND_MOTION_H
#define WEFT_ENGINE_COMMAND_MOTION_H

#include "proto/message/request.h"
#include "sim/sim.h"

// Members that are NULL are absent.
struct motion_given {
    const struct vec3 *velocity, *angular_velocity, *pivot, *surface_velocity;
    const struct proto_list *path;
    const bool *loop;
    const float *path_time;
};

#define MOTION_OF(params)                                                                                              \
    (struct motion_given) {                                                                                            \
        .velocity = (params)->has_velocity ? &(params)->velocity : NULL,                                               \
        .angular_velocity = (params)->has_angular_velocity ? &(params)->angular_velocity : NULL,                       \
        .pivot = (params)->has_pivot ? &(params)->pivot : NULL,                                                        \
        .surface_velocity = (params)->has_surface_velocity ? &(params)->surface_velocity : NULL,                       \
        .path = (params)->has_path ? &(params)->path : NULL, .loop = (params)->has_loop ? &(params)->loop : NULL,      \
        .path_time = (params)->has_path_time ? &(params)->path_time : NULL,                                            \
    }

bool motion_is_given(const struct motion_given *given);
// Changes the motion of an obstacle at `shape`'s place by the members that are given. `points` has to be freed after
// the motion was used. Errors: RESULT_INVALID, RESULT_MEMORY.
enum result motion_read(const struct motion_given *given, const struct sim_obstacle *shape, struct sim_motion *motion,
                        struct sim_path_point **points, struct fault *fault) WEFT_MUST_USE;

#endif
