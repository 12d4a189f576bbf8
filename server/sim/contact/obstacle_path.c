// SPDX-License-Identifier: MIT
// Motions of obstacles: the checks, and the storage of the points of paths. These lie in one array, obstacle after
// obstacle, in the order of their times.
#include "sim/contact/obstacle_path.h"

#include <stdio.h>

#include "sim/contact/obstacle_motion.h"
#include "sim/world/check.h"

#define SAME_PLACE 1e-4f      // m: within this a path ends where it began
#define SAME_ROTATION 0.9999f // cosine of half the angle

static bool is_zero(struct quat q) {
    return q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f;
}

static bool is_same(struct quat a, struct quat b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static struct quat rotation_of(const struct sim_obstacle *base) {
    const bool given = (base->shape == SIM_OBSTACLE_BOX || base->shape == SIM_OBSTACLE_MESH);
    return given ? base->rotation : (struct quat){0.0f, 0.0f, 0.0f, 1.0f};
}

static struct vec3 position_of(const struct sim_obstacle *base) {
    return base->shape == SIM_OBSTACLE_CAPSULE ? vec3_scale(vec3_add(base->from, base->to), 0.5f) : base->position;
}

static enum result check_time(const struct sim_path_point *point, float before, const char *name, struct fault *fault) {
    if (point->time >= before + SIM_PATH_TIME_MIN && point->time <= SIM_PATH_TIME_MAX) {
        return RESULT_OK;
    }
    char pointer[FAULT_POINTER_MAX];
    snprintf(pointer, sizeof pointer, "%s/time", name);
    return fault_set(fault, RESULT_INVALID, pointer,
                     "the time of a point of a path must be at least %g s after that of the point before, which is "
                     "%g s, and at most %g s; got %g s",
                     (double)SIM_PATH_TIME_MIN, (double)before, (double)SIM_PATH_TIME_MAX, (double)point->time);
}

static enum result check_point(const struct sim_obstacle *base, uint32_t index, float before, struct vec3 from,
                               struct fault *fault) {
    const struct sim_path_point *point = &base->motion.path[index];
    char name[FAULT_POINTER_MAX / 2];
    char pointer[FAULT_POINTER_MAX];
    snprintf(name, sizeof name, "/path/%u", index);
    enum result result = check_time(point, before, name, fault);
    snprintf(pointer, sizeof pointer, "%s/position", name);
    if (result == RESULT_OK) {
        result = check_vector(point->position, SIM_POSITION_MAX, "m", pointer, fault);
    }
    const float speed = vec3_length(vec3_sub(point->position, from)) / (point->time - before);
    if (result == RESULT_OK && !(speed <= SIM_SPEED_MAX)) {
        return fault_set(fault, RESULT_INVALID, pointer,
                         "an obstacle may move at %g m/s, this point would have it move at %g m/s",
                         (double)SIM_SPEED_MAX, (double)speed);
    }
    struct mat3 axes;
    if (result != RESULT_OK || is_zero(point->rotation) || is_same(point->rotation, rotation_of(base))) {
        return result;
    }
    snprintf(pointer, sizeof pointer, "%s/rotation", name);
    if (base->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        return fault_set(fault, RESULT_INVALID, pointer, "a height field cannot turn: use a mesh");
    }
    if (check_rotation(point->rotation, &axes, NULL) != RESULT_OK) {
        return fault_set(fault, RESULT_INVALID, pointer, "rotation must be a finite quaternion that is not zero");
    }
    return RESULT_OK;
}

static float length_of(struct quat q) {
    return sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

static enum result check_loop(const struct sim_obstacle *base, struct fault *fault) {
    const struct sim_motion *motion = &base->motion;
    const struct vec3 begin = position_of(base);
    const struct sim_path_point *last = &motion->path[motion->points - 1];
    const struct quat from = rotation_of(base);
    struct quat to = from;
    for (uint32_t i = 0; i < motion->points; i++) {
        to = is_zero(motion->path[i].rotation) ? to : motion->path[i].rotation;
    }
    const float same =
        (from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w) / (length_of(from) * length_of(to));
    if (vec3_length(vec3_sub(begin, last->position)) <= SAME_PLACE && scalar_abs(same) >= SAME_ROTATION) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_INVALID, "/path",
                     "a path that loops must end where it begins, at [%g, %g, %g] m with the obstacle's rotation",
                     (double)begin.x, (double)begin.y, (double)begin.z);
}

static enum result check_path(const struct sim_obstacle *base, struct fault *fault) {
    const struct sim_motion *motion = &base->motion;
    if (vec3_reach(motion->velocity) > 0.0f || vec3_reach(motion->angular_velocity) > 0.0f) {
        return fault_set(fault, RESULT_INVALID, "/path",
                         "an obstacle has either a path or a velocity and an angularVelocity");
    }
    enum result result = check_range(motion->path_time, 0.0f, SIM_PATH_TIME_MAX, "s", "/pathTime", fault);
    float before = 0.0f;
    struct vec3 from = position_of(base);
    for (uint32_t i = 0; i < motion->points && result == RESULT_OK; i++) {
        result = check_point(base, i, before, from, fault);
        before = motion->path[i].time;
        from = motion->path[i].position;
    }
    return result == RESULT_OK && motion->loop ? check_loop(base, fault) : result;
}

enum result obstacle_motion_check(const struct sim_obstacle *base, struct fault *fault) {
    const struct sim_motion *motion = &base->motion;
    enum result result = check_vector(motion->velocity, SIM_SPEED_MAX, "m/s", "/velocity", fault);
    if (result == RESULT_OK) {
        result = check_vector(motion->surface_velocity, SIM_SPEED_MAX, "m/s", "/surfaceVelocity", fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(motion->angular_velocity, SIM_TURN_SPEED_MAX, "rad/s", "/angularVelocity", fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(motion->pivot, 2.0f * SIM_POSITION_MAX, "m", "/pivot", fault);
    }
    if (result == RESULT_OK && base->shape == SIM_OBSTACLE_HEIGHTFIELD && vec3_reach(motion->angular_velocity) > 0.0f) {
        return fault_set(fault, RESULT_INVALID, "/angularVelocity", "a height field cannot turn: use a mesh");
    }
    return result == RESULT_OK && motion->points > 0 ? check_path(base, fault) : result;
}

enum result obstacle_path_room(uint32_t points, uint32_t others, struct fault *fault) {
    if (others + points <= SIM_PATH_POINTS_MAX) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_LIMIT, "/path",
                     "%u more points of paths would exceed a world's limit of %u, %u are in use", points,
                     SIM_PATH_POINTS_MAX, others);
}

void obstacle_path_refresh(struct sim_world *world) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < world->state.obstacles; i++) {
        struct obstacle *obstacle = &world->obstacle[i];
        const uint32_t points = obstacle->base.motion.points;
        obstacle->base.motion.path = points > 0 ? world->path_point + first : NULL;
        first += points;
    }
}

void obstacle_path_store(struct sim_world *world, uint32_t place, const struct sim_motion *motion) {
    struct obstacle *obstacle = &world->obstacle[place];
    struct sim_path_point *all = world->path_point;
    uint32_t first = 0;
    for (uint32_t i = 0; i < place; i++) {
        first += world->obstacle[i].base.motion.points;
    }
    const uint32_t end = first + obstacle->base.motion.points;
    memmove(all + first + motion->points, all + end, (world->state.path_points - end) * sizeof *all);
    struct quat rotation = rotation_of(&obstacle->base);
    for (uint32_t i = 0; i < motion->points; i++) {
        rotation = is_zero(motion->path[i].rotation) ? rotation : motion->path[i].rotation;
        all[first + i] = motion->path[i];
        all[first + i].rotation = rotation;
    }
    world->state.path_points += motion->points;
    world->state.path_points -= obstacle->base.motion.points;
    obstacle->base.motion = *motion;
    obstacle_path_refresh(world);
}
