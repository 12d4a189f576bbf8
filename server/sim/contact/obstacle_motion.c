// SPDX-License-Identifier: MIT
// Where moving obstacles are. Their place follows from the tick alone: it is computed in double, by + − × ÷ and √, from
// the place where the motion began and the time since then, and never added up. So it is the same whatever ticks were
// computed before, and after loading or going back.
//
// Within a substep contacts take the obstacle where it is at the end, and see everything from it: the start of a path
// is displaced with the obstacle's material (obstacle_carries), so that the way from there to the end is the way
// relative to the obstacle.
#include "sim/contact/obstacle_motion.h"

#include "sim/contact/obstacle_box.h"
#include "sim/contact/obstacle_mesh.h"
#include "sim/geometry/turn.h"
#include "sim/world/box.h"
#include "sim/world/wake.h"

#define FULL_TURN 6.283185307179586 // rad
#define NEAR 0.05f                  // m: objects nearer than this to a moving obstacle do not fall asleep

struct rotation {
    double x, y, z, w; // a unit quaternion
};

struct pose {
    struct point position;
    struct rotation rotation;
};

bool obstacle_has_motion(const struct sim_motion *motion) {
    return motion->points > 0 || vec3_reach(motion->velocity) > 0.0f || vec3_reach(motion->angular_velocity) > 0.0f ||
           vec3_reach(motion->surface_velocity) > 0.0f;
}

static bool changes_place(const struct sim_motion *motion) {
    return motion->points > 0 || vec3_reach(motion->velocity) > 0.0f || vec3_reach(motion->angular_velocity) > 0.0f;
}

// ---- rotations ---------------------------------------------------------------------------------------------------

static struct rotation unit(struct rotation q) {
    const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (struct rotation){q.x / length, q.y / length, q.z / length, q.w / length};
}

static struct rotation rotation_of(struct quat q) {
    return unit((struct rotation){(double)q.x, (double)q.y, (double)q.z, (double)q.w});
}

static struct rotation product(struct rotation a, struct rotation b) {
    return (struct rotation){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

static struct rotation inverse(struct rotation q) {
    return (struct rotation){-q.x, -q.y, -q.z, q.w};
}

// The columns of the rotation less the identity.
static void turn_columns(struct rotation q, struct point column[3]) {
    column[0] =
        (struct point){-2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y)};
    column[1] =
        (struct point){2.0 * (q.x * q.y - q.w * q.z), -2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)};
    column[2] =
        (struct point){2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), -2.0 * (q.x * q.x + q.y * q.y)};
}

static struct point rotated(struct rotation q, struct point v) {
    struct point column[3];
    turn_columns(q, column);
    return point_add(
        v, point_add(point_scale(column[0], v.x), point_add(point_scale(column[1], v.y), point_scale(column[2], v.z))));
}

// A rotation by ω·t about ω.
static struct rotation spun(struct vec3 angular_velocity, double seconds) {
    const struct point omega = point_of(angular_velocity);
    const double speed = point_length(omega);
    const double half = 0.5 * speed * seconds / FULL_TURN;
    const double sine = speed > 0.0 ? turn_sine(half) / speed : 0.0;
    return unit((struct rotation){omega.x * sine, omega.y * sine, omega.z * sine, turn_cosine(half)});
}

// Between two rotations, by the shorter way.
static struct rotation between(struct rotation a, struct rotation b, double share) {
    const double same = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0 ? -share : share;
    const double rest = 1.0 - share;
    return unit((struct rotation){rest * a.x + same * b.x, rest * a.y + same * b.y, rest * a.z + same * b.z,
                                  rest * a.w + same * b.w});
}

// ---- places ------------------------------------------------------------------------------------------------------

static bool has_rotation(const struct sim_obstacle *shape) {
    return shape->shape == SIM_OBSTACLE_BOX || shape->shape == SIM_OBSTACLE_MESH;
}

static struct pose start_of(const struct sim_obstacle *base) {
    const struct point ends = point_add(point_of(base->from), point_of(base->to));
    return (struct pose){
        base->shape == SIM_OBSTACLE_CAPSULE ? point_scale(ends, 0.5) : point_of(base->position),
        has_rotation(base) ? rotation_of(base->rotation) : (struct rotation){0.0, 0.0, 0.0, 1.0},
    };
}

static double time_on_path(const struct sim_motion *motion, double seconds) {
    const double end = (double)motion->path[motion->points - 1].time;
    const double t = (double)motion->path_time + seconds;
    if (!motion->loop) {
        return t < end ? t : end;
    }
    return t - end * (double)(int64_t)(t / end);
}

static struct pose point_at(const struct sim_path_point *point) {
    return (struct pose){point_of(point->position), rotation_of(point->rotation)};
}

static struct pose pose_on_path(const struct sim_obstacle *base, double t) {
    const struct sim_motion *motion = &base->motion;
    struct pose before = start_of(base);
    double begin = 0.0;
    uint32_t next = 0;
    while (next + 1 < motion->points && t >= (double)motion->path[next].time) {
        before = point_at(&motion->path[next]);
        begin = (double)motion->path[next].time;
        next++;
    }
    const struct pose after = point_at(&motion->path[next]);
    const double share = (t - begin) / ((double)motion->path[next].time - begin);
    const struct point way = point_sub(after.position, before.position);
    return (struct pose){share < 1.0 ? point_add(before.position, point_scale(way, share)) : after.position,
                         share < 1.0 ? between(before.rotation, after.rotation, share) : after.rotation};
}

static double limited(double value) {
    const double most = (double)SIM_POSITION_MAX;
    return value > most ? most : value < -most ? -most : value;
}

static struct point within_limits(struct point p) {
    return (struct point){limited(p.x), limited(p.y), limited(p.z)};
}

// `ticks` since the motion began. An obstacle stops at the limit of coordinates.
static struct pose pose_after(const struct sim_world *world, const struct sim_obstacle *base, double ticks) {
    const struct sim_motion *motion = &base->motion;
    const double seconds = ticks / (double)world->tick_hz;
    if (motion->points > 0) {
        return pose_on_path(base, time_on_path(motion, seconds));
    }
    struct pose pose = start_of(base);
    const struct rotation spin = spun(motion->angular_velocity, seconds);
    const struct point pivot = point_of(motion->pivot);
    const struct point swung = point_sub(pivot, rotated(spin, pivot));
    const struct point way = point_add(point_scale(point_of(motion->velocity), seconds), swung);
    const struct point to = point_add(pose.position, way);
    pose.position = within_limits(to);
    pose.rotation = product(spin, pose.rotation);
    return pose;
}

static double ticks_of(const struct sim_world *world, const struct obstacle *obstacle) {
    const uint64_t start = (uint64_t)obstacle->start_high << 32 | obstacle->start_low;
    return (double)(world->state.tick - start);
}

double obstacle_path_time(const struct sim_world *world, const struct obstacle *obstacle) {
    const struct sim_motion *motion = &obstacle->base.motion;
    return motion->points > 0 ? time_on_path(motion, ticks_of(world, obstacle) / (double)world->tick_hz) : 0.0;
}

struct vec3 obstacle_pivot(const struct sim_world *world, const struct obstacle *obstacle) {
    const struct sim_motion *motion = &obstacle->base.motion;
    if (!(vec3_reach(motion->pivot) > 0.0f)) {
        return motion->pivot;
    }
    const double seconds = ticks_of(world, obstacle) / (double)world->tick_hz;
    return point_rounded(rotated(spun(motion->angular_velocity, seconds), point_of(motion->pivot)));
}

// Puts the shape there. Coordinates that the motion does not change keep their bits.
static void set_shape(const struct sim_world *world, struct obstacle *obstacle, const struct pose *pose) {
    const struct sim_obstacle *base = &obstacle->base;
    struct sim_obstacle *shape = &obstacle->shape;
    const struct pose start = start_of(base);
    const struct rotation turn = product(pose->rotation, inverse(start.rotation));
    if (shape->shape == SIM_OBSTACLE_CAPSULE) {
        const struct point half = rotated(turn, point_sub(point_of(base->to), start.position));
        shape->from = point_rounded(within_limits(point_sub(pose->position, half)));
        shape->to = point_rounded(within_limits(point_add(pose->position, half)));
    } else {
        shape->position = point_rounded(pose->position);
    }
    const bool turns = base->motion.points > 0 || vec3_reach(base->motion.angular_velocity) > 0.0f;
    if (shape->shape == SIM_OBSTACLE_PLANE && turns) {
        const struct point normal = rotated(turn, point_of(base->normal));
        shape->normal = point_rounded(point_scale(normal, 1.0 / point_length(normal)));
    }
    if (has_rotation(shape) && turns) {
        const struct rotation q = pose->rotation;
        shape->rotation = (struct quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
        obstacle->axes = mat3_of_unit_quat(shape->rotation);
    }
    if (shape->shape == SIM_OBSTACLE_MESH) {
        obstacle_mesh_place(world, obstacle);
    }
}

void obstacle_motion_place(const struct sim_world *world, struct obstacle *obstacle) {
    obstacle->step = (struct obstacle_step){0};
    if (changes_place(&obstacle->base.motion)) {
        const struct pose pose = pose_after(world, &obstacle->base, ticks_of(world, obstacle));
        set_shape(world, obstacle, &pose);
    }
    obstacle_find_box(world, obstacle);
}

// ---- in the tick -------------------------------------------------------------------------------------------------

static struct obstacle_step step_between(const struct obstacle *obstacle, const struct pose *start,
                                         const struct pose *end) {
    struct obstacle_step step = {.from = start->position, .shift = point_sub(end->position, start->position)};
    double turned = 0.0;
    turn_columns(product(end->rotation, inverse(start->rotation)), step.turn);
    for (unsigned k = 0; k < 3; k++) {
        turned += point_dot(step.turn[k], step.turn[k]);
    }
    const double shifted = point_length(step.shift);
    step.moves = shifted > 0.0 || turned > 0.0 || vec3_reach(obstacle->base.motion.surface_velocity) > 0.0f;
    step.farthest = (float)(shifted + sqrt(turned) * (double)obstacle->reach);
    return step;
}

static void advance(struct sim_world *world, struct obstacle *obstacle, uint32_t index) {
    const double substeps = (double)world->state.parameters.substeps;
    const double ticks = ticks_of(world, obstacle);
    const struct pose start = pose_after(world, &obstacle->base, ticks + (double)index / substeps);
    const struct pose end = pose_after(world, &obstacle->base, ticks + (double)(index + 1) / substeps);
    obstacle->step = step_between(obstacle, &start, &end);
    if (changes_place(&obstacle->base.motion)) {
        obstacle_find_box(world, obstacle);
        const struct obstacle before = *obstacle;
        set_shape(world, obstacle, &end);
        obstacle_find_box(world, obstacle);
        obstacle_widen_box(obstacle, &before);
    }
}

void obstacle_motion_advance(struct sim_world *world, uint32_t index) {
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        if (obstacle_has_motion(&world->obstacle[k].base.motion)) {
            advance(world, &world->obstacle[k], index);
        }
    }
}

void obstacle_motion_end_tick(struct sim_world *world) {
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        if (changes_place(&world->obstacle[k].base.motion)) {
            obstacle_motion_place(world, &world->obstacle[k]);
        }
    }
}

// ---- sleep -------------------------------------------------------------------------------------------------------

static bool is_at_its_end(const struct sim_world *world, const struct obstacle *obstacle) {
    const struct sim_motion *motion = &obstacle->base.motion;
    return motion->points > 0 && !motion->loop &&
           obstacle_path_time(world, obstacle) >= (double)motion->path[motion->points - 1].time &&
           !(vec3_reach(motion->surface_velocity) > 0.0f);
}

// m, the longest way of a point at this distance from the position in a tick.
static float way_in_tick(const struct sim_world *world, const struct obstacle *obstacle, float distance) {
    const struct sim_motion *motion = &obstacle->base.motion;
    const float h = 1.0f / world->tick_hz;
    if (motion->points == 0) {
        const float arm = distance + vec3_length(motion->pivot);
        return h * (vec3_length(motion->velocity) + arm * vec3_length(motion->angular_velocity));
    }
    const double ticks = ticks_of(world, obstacle);
    const struct pose now = pose_after(world, &obstacle->base, ticks);
    const struct pose then = pose_after(world, &obstacle->base, ticks + 1.0);
    const struct rotation turn = product(then.rotation, inverse(now.rotation));
    const double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z); // of half the angle
    return (float)(point_length(point_sub(then.position, now.position)) + 2.0 * sine * (double)distance);
}

static bool plane_is_near(const struct sim_world *world, const struct obstacle *plane, const struct box *box) {
    const struct vec3 n = plane->shape.normal;
    const struct vec3 low = vec3_of(n.x > 0.0f ? box->min.x : box->max.x, n.y > 0.0f ? box->min.y : box->max.y,
                                    n.z > 0.0f ? box->min.z : box->max.z);
    const struct vec3 from = vec3_sub(low, plane->shape.position);
    return vec3_dot(n, from) <= NEAR + way_in_tick(world, plane, vec3_length(from));
}

static bool is_near(const struct sim_world *world, const struct obstacle *obstacle, const struct box *box) {
    if (obstacle->shape.shape == SIM_OBSTACLE_PLANE) {
        return plane_is_near(world, obstacle, box);
    }
    const float reach = way_in_tick(world, obstacle, obstacle->reach);
    return box->min.x <= obstacle->box_max.x + reach && box->max.x >= obstacle->box_min.x - reach &&
           box->min.y <= obstacle->box_max.y + reach && box->max.y >= obstacle->box_min.y - reach &&
           box->min.z <= obstacle->box_max.z + reach && box->max.z >= obstacle->box_min.z - reach;
}

bool obstacle_motion_disturbs(const struct sim_world *world, const struct object *object) {
    bool near = false;
    struct box box = {0};
    bool known = false;
    for (uint32_t k = 0; k < world->state.obstacles && !near; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (!obstacle_has_motion(&obstacle->base.motion) || is_at_its_end(world, obstacle)) {
            continue;
        }
        if (!known) {
            const struct vec3 margin = vec3_of(object->radius, object->radius, object->radius);
            box = box_around_whole(world, object, SIMD_START);
            box = (struct box){vec3_sub(box.min, margin), vec3_add(box.max, margin)};
            known = true;
        }
        near = is_near(world, obstacle, &box);
    }
    return near;
}

void obstacle_motion_wake(struct sim_world *world) {
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->object[i].asleep && obstacle_motion_disturbs(world, &world->object[i])) {
            wake_mark_island(world, &world->object[i]);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
    }
}
