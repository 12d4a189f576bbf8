// SPDX-License-Identifier: MIT
#include "engine/describe/motion.h"

static bool is_zero(struct vec3 v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static void write_pivot(const struct sim_obstacle *obstacle, struct json_writer *out) {
    const struct vec3 from =
        obstacle->shape == SIM_OBSTACLE_CAPSULE
            ? (struct vec3){0.5f * (obstacle->from.x + obstacle->to.x), 0.5f * (obstacle->from.y + obstacle->to.y),
                            0.5f * (obstacle->from.z + obstacle->to.z)}
            : obstacle->position;
    const struct vec3 arm = obstacle->motion.pivot;
    json_writer_member_vec3(out, "pivot", (struct vec3){from.x + arm.x, from.y + arm.y, from.z + arm.z});
}

static void write_path(const struct sim_motion *motion, struct json_writer *out) {
    json_writer_key(out, "path");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < motion->points; i++) {
        const struct sim_path_point *point = &motion->path[i];
        json_writer_open_object(out);
        json_writer_member_float(out, "time", point->time);
        json_writer_member_vec3(out, "position", point->position);
        json_writer_key(out, "rotation");
        json_writer_quat(out, point->rotation);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
    json_writer_member_boolean(out, "loop", motion->loop);
    json_writer_member_float(out, "pathTime", motion->path_time);
}

void describe_motion_members(const struct sim_obstacle *obstacle, struct json_writer *out) {
    const struct sim_motion *motion = &obstacle->motion;
    if (!is_zero(motion->velocity)) {
        json_writer_member_vec3(out, "velocity", motion->velocity);
    }
    if (!is_zero(motion->angular_velocity)) {
        json_writer_member_vec3(out, "angularVelocity", motion->angular_velocity);
        write_pivot(obstacle, out);
    }
    if (!is_zero(motion->surface_velocity)) {
        json_writer_member_vec3(out, "surfaceVelocity", motion->surface_velocity);
    }
    if (motion->points > 0) {
        write_path(motion, out);
    }
}

void describe_velocities(const struct sim_obstacle *obstacle, struct json_writer *out) {
    json_writer_member_vec3(out, "velocity", obstacle->motion.velocity);
    json_writer_member_vec3(out, "angularVelocity", obstacle->motion.angular_velocity);
    if (!is_zero(obstacle->motion.angular_velocity)) {
        write_pivot(obstacle, out);
    }
    json_writer_member_vec3(out, "surfaceVelocity", obstacle->motion.surface_velocity);
}

void describe_motion(const struct sim_obstacle *obstacle, uint64_t start, struct json_writer *out) {
    const struct sim_motion *motion = &obstacle->motion;
    if (is_zero(motion->velocity) && is_zero(motion->angular_velocity) && is_zero(motion->surface_velocity) &&
        motion->points == 0) {
        return;
    }
    json_writer_key(out, "motion");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "start", start);
    describe_motion_members(obstacle, out);
    json_writer_close_object(out);
}
