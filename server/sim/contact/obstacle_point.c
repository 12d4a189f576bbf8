// SPDX-License-Identifier: MIT
// Depth and normal of a ball in each of the simple obstacles (PHYSICS.md 4.5).
#include "sim/contact/obstacle_point.h"

static struct touch out_of_ball(struct vec3 away, float reach) {
    const float distance = vec3_length(away);
    const struct vec3 up = vec3_of(0.0f, 1.0f, 0.0f);
    return (struct touch){
        .normal = distance > 0.0f ? vec3_of(away.x / distance, away.y / distance, away.z / distance) : up,
        .depth = reach - distance,
    };
}

static struct touch in_capsule(const struct obstacle *obstacle, struct vec3 p, float radius) {
    const struct vec3 from = obstacle->shape.from;
    const struct vec3 axis = vec3_sub(obstacle->shape.to, from);
    const float along = scalar_clamp(vec3_dot(vec3_sub(p, from), axis) / vec3_dot(axis, axis), 0.0f, 1.0f);
    const struct vec3 middle = vec3_add(from, vec3_scale(axis, along));
    return out_of_ball(vec3_sub(p, middle), obstacle->shape.radius + radius);
}

static struct touch in_sphere(const struct obstacle *obstacle, struct vec3 p, float radius) {
    return out_of_ball(vec3_sub(p, obstacle->shape.position), obstacle->shape.radius + radius);
}

static struct touch in_plane(const struct obstacle *obstacle, struct vec3 p, float radius) {
    const struct vec3 normal = obstacle->shape.normal;
    return (struct touch){
        .normal = normal,
        .depth = radius - vec3_dot(normal, vec3_sub(p, obstacle->shape.position)),
    };
}

static float sign_of(float value) {
    return value < 0.0f ? -1.0f : 1.0f;
}

// The way out through the nearest face; ties go to x before y before z.
static struct touch inside_box(struct vec3 local, struct vec3 half) {
    const struct vec3 left =
        vec3_of(half.x - scalar_abs(local.x), half.y - scalar_abs(local.y), half.z - scalar_abs(local.z));
    if (left.x <= left.y && left.x <= left.z) {
        return (struct touch){vec3_of(sign_of(local.x), 0.0f, 0.0f), left.x};
    }
    if (left.y <= left.z) {
        return (struct touch){vec3_of(0.0f, sign_of(local.y), 0.0f), left.y};
    }
    return (struct touch){vec3_of(0.0f, 0.0f, sign_of(local.z)), left.z};
}

static struct touch in_box(const struct obstacle *obstacle, struct vec3 p, float radius) {
    const struct vec3 local = mat3_apply_transposed(&obstacle->axes, vec3_sub(p, obstacle->shape.position));
    const struct vec3 half = vec3_scale(obstacle->shape.size, 0.5f);
    const struct vec3 nearest = vec3_of(scalar_clamp(local.x, -half.x, half.x), scalar_clamp(local.y, -half.y, half.y),
                                        scalar_clamp(local.z, -half.z, half.z));
    const struct vec3 away = vec3_sub(local, nearest);
    const float distance = vec3_length(away);
    struct touch contact = {.depth = radius - distance};
    if (distance > 0.0f) {
        contact.normal = vec3_of(away.x / distance, away.y / distance, away.z / distance);
    } else {
        contact = inside_box(local, half);
        contact.depth += radius;
    }
    contact.normal = mat3_apply(&obstacle->axes, contact.normal);
    return contact;
}

struct touch obstacle_touch(const struct obstacle *obstacle, struct vec3 p, float radius) {
    switch (obstacle->shape.shape) {
    case SIM_OBSTACLE_SPHERE:
        return in_sphere(obstacle, p, radius);
    case SIM_OBSTACLE_BOX:
        return in_box(obstacle, p, radius);
    case SIM_OBSTACLE_CAPSULE:
        return in_capsule(obstacle, p, radius);
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_HEIGHTFIELD:
    case SIM_OBSTACLE_MESH:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return in_plane(obstacle, p, radius);
    }
}
