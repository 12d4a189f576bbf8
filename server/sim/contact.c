// SPDX-License-Identifier: MIT
// Contacts of particles with obstacles and with the world's bounds (physics.md 3 and 5), last in every sweep.
//
// A particle of radius ρ less than ρ from a surface is put back along the outward normal n, by the depth D. That
// licenses friction: of the displacement u since the substep's start its tangential part u_t is taken back, up to μ·D,
// never more than all of it.
//
// What was inside already when the substep began (it was put there by a command, or between two obstacles) is moved out
// together with its start x°: it comes out without gaining speed from it.
#include "sim/world.h"

struct contact {
    struct vec3 normal;
    float depth; // m; > 0 inside
};

struct box {
    struct vec3 min, max; // m
};

// ---- depth of a point in each shape ------------------------------------------------------------------------------

static struct contact in_sphere(const struct obstacle *obstacle, struct vec3 p, float radius) {
    const struct vec3 away = vec3_sub(p, obstacle->shape.position);
    const float distance = vec3_length(away);
    const struct vec3 up = vec3_of(0.0f, 1.0f, 0.0f);
    return (struct contact){
        .normal = distance > 0.0f ? vec3_of(away.x / distance, away.y / distance, away.z / distance) : up,
        .depth = obstacle->shape.radius + radius - distance,
    };
}

static struct contact in_plane(const struct obstacle *obstacle, struct vec3 p, float radius) {
    const struct vec3 normal = obstacle->shape.normal;
    return (struct contact){
        .normal = normal,
        .depth = radius - vec3_dot(normal, vec3_sub(p, obstacle->shape.position)),
    };
}

static float sign_of(float value) {
    return value < 0.0f ? -1.0f : 1.0f;
}

// Out of the nearest face; ties go to x before y before z.
static struct contact inside_box(struct vec3 local, struct vec3 half) {
    const struct vec3 left =
        vec3_of(half.x - scalar_abs(local.x), half.y - scalar_abs(local.y), half.z - scalar_abs(local.z));
    if (left.x <= left.y && left.x <= left.z) {
        return (struct contact){vec3_of(sign_of(local.x), 0.0f, 0.0f), left.x};
    }
    if (left.y <= left.z) {
        return (struct contact){vec3_of(0.0f, sign_of(local.y), 0.0f), left.y};
    }
    return (struct contact){vec3_of(0.0f, 0.0f, sign_of(local.z)), left.z};
}

static struct contact in_box(const struct obstacle *obstacle, struct vec3 p, float radius) {
    const struct vec3 local = mat3_apply_transposed(&obstacle->axes, vec3_sub(p, obstacle->shape.position));
    const struct vec3 half = vec3_scale(obstacle->shape.size, 0.5f);
    const struct vec3 nearest = vec3_of(scalar_clamp(local.x, -half.x, half.x), scalar_clamp(local.y, -half.y, half.y),
                                        scalar_clamp(local.z, -half.z, half.z));
    const struct vec3 away = vec3_sub(local, nearest);
    const float distance = vec3_length(away);
    struct contact contact = {.depth = radius - distance};
    if (distance > 0.0f) {
        contact.normal = vec3_of(away.x / distance, away.y / distance, away.z / distance);
    } else {
        contact = inside_box(local, half);
        contact.depth += radius;
    }
    contact.normal = mat3_apply(&obstacle->axes, contact.normal);
    return contact;
}

static struct contact in_obstacle(const struct obstacle *obstacle, struct vec3 p, float radius) {
    switch (obstacle->shape.shape) {
    case SIM_OBSTACLE_SPHERE:
        return in_sphere(obstacle, p, radius);
    case SIM_OBSTACLE_BOX:
        return in_box(obstacle, p, radius);
    case SIM_OBSTACLE_PLANE:
    case SIM_OBSTACLE_SHAPE_COUNT:
    default:
        return in_plane(obstacle, p, radius);
    }
}

// ---- response ----------------------------------------------------------------------------------------------------

static struct vec3 relaxed_position(const struct sim_world *world, uint32_t i) {
    return vec3_of(world->px[i], world->py[i], world->pz[i]);
}

static void set_relaxed_position(struct sim_world *world, uint32_t i, struct vec3 p) {
    world->px[i] = p.x;
    world->py[i] = p.y;
    world->pz[i] = p.z;
}

// p after friction: −u_t·min(1, μ·D/|u_t|)
static struct vec3 rub(struct vec3 p, struct vec3 start, const struct contact *contact, float mu) {
    const struct vec3 u = vec3_sub(p, start);
    const struct vec3 tangential = vec3_sub(u, vec3_scale(contact->normal, vec3_dot(u, contact->normal)));
    const float slide = vec3_length(tangential);
    const float licence = mu * contact->depth;
    if (slide <= licence) {
        return vec3_sub(p, tangential);
    }
    return vec3_sub(p, vec3_scale(tangential, licence / slide));
}

static bool collide(struct sim_world *world, uint32_t i, const struct obstacle *obstacle, float radius, float mu) {
    struct vec3 p = relaxed_position(world, i);
    const struct contact contact = in_obstacle(obstacle, p, radius);
    if (!(contact.depth > 0.0f) || world->w[i] == 0.0f) {
        return false;
    }
    const float before = in_obstacle(obstacle, particle_position(world, i), radius).depth;
    if (before > 0.0f) {
        const struct vec3 out = vec3_scale(contact.normal, scalar_min(before, contact.depth));
        particle_place(world, i, vec3_add(particle_position(world, i), out));
    }
    p = vec3_add(p, vec3_scale(contact.normal, contact.depth));
    set_relaxed_position(world, i, rub(p, particle_position(world, i), &contact, mu));
    return true;
}

// ---- bounds ------------------------------------------------------------------------------------------------------

// Where centres of particles of this radius may be; a point where the radius leaves no room.
static struct box room_within_bounds(const struct sim_parameters *parameters, float radius) {
    const float low[3] = {parameters->bounds_min.x, parameters->bounds_min.y, parameters->bounds_min.z};
    const float high[3] = {parameters->bounds_max.x, parameters->bounds_max.y, parameters->bounds_max.z};
    float min[3];
    float max[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        const float middle = 0.5f * (low[axis] + high[axis]);
        min[axis] = scalar_min(low[axis] + radius, middle);
        max[axis] = scalar_max(high[axis] - radius, middle);
    }
    return (struct box){vec3_of(min[0], min[1], min[2]), vec3_of(max[0], max[1], max[2])};
}

static struct vec3 clamp_into(struct vec3 p, const struct box *room) {
    return vec3_of(scalar_clamp(p.x, room->min.x, room->max.x), scalar_clamp(p.y, room->min.y, room->max.y),
                   scalar_clamp(p.z, room->min.z, room->max.z));
}

static void confine(struct sim_world *world, uint32_t i, const struct box *room, float mu) {
    struct vec3 p = relaxed_position(world, i);
    const struct vec3 inside = clamp_into(p, room);
    const struct vec3 pushed = vec3_sub(inside, p);
    if (world->w[i] == 0.0f || (pushed.x == 0.0f && pushed.y == 0.0f && pushed.z == 0.0f)) {
        return;
    }
    const struct vec3 start = clamp_into(particle_position(world, i), room);
    particle_place(world, i, start);
    p = inside;
    const float push[3] = {pushed.x, pushed.y, pushed.z};
    for (unsigned axis = 0; axis < 3; axis++) {
        if (push[axis] != 0.0f) {
            const struct contact contact = {
                .normal = vec3_of(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f),
                .depth = scalar_abs(push[axis]),
            };
            p = rub(p, start, &contact, mu);
        }
    }
    set_relaxed_position(world, i, clamp_into(p, room));
}

// ---- over objects ------------------------------------------------------------------------------------------------

static struct box box_around(const struct sim_world *world, const struct object *object) {
    struct box box = {relaxed_position(world, object->first), relaxed_position(world, object->first)};
    const uint32_t end = object->first + object->particles;
    for (uint32_t i = object->first + 1; i < end; i++) {
        const struct vec3 p = relaxed_position(world, i);
        box.min = vec3_of(scalar_min(box.min.x, p.x), scalar_min(box.min.y, p.y), scalar_min(box.min.z, p.z));
        box.max = vec3_of(scalar_max(box.max.x, p.x), scalar_max(box.max.y, p.y), scalar_max(box.max.z, p.z));
    }
    return box;
}

static bool apart(const struct box *box, struct vec3 min, struct vec3 max, float radius) {
    return box->max.x + radius < min.x || box->min.x - radius > max.x || box->max.y + radius < min.y ||
           box->min.y - radius > max.y || box->max.z + radius < min.z || box->min.z - radius > max.z;
}

static bool is_within(const struct box *box, const struct box *room) {
    return box->min.x >= room->min.x && box->min.y >= room->min.y && box->min.z >= room->min.z &&
           box->max.x <= room->max.x && box->max.y <= room->max.y && box->max.z <= room->max.z;
}

// Particles do not meet one another here, so obstacle by obstacle gives what particle by particle would.
static void relax_object(struct sim_world *world, const struct object *object) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const uint32_t end = object->first + object->particles;
    struct box box = box_around(world, object);
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (apart(&box, obstacle->box_min, obstacle->box_max, object->radius)) {
            continue;
        }
        const float mu = sqrtf(object->friction * obstacle->shape.friction);
        bool touched = false;
        for (uint32_t i = object->first; i < end; i++) {
            touched |= collide(world, i, obstacle, object->radius, mu);
        }
        if (touched) {
            box = box_around(world, object);
        }
    }
    const struct box room = room_within_bounds(parameters, object->radius);
    if (is_within(&box, &room)) {
        return;
    }
    const float mu = sqrtf(object->friction * parameters->friction);
    for (uint32_t i = object->first; i < end; i++) {
        confine(world, i, &room, mu);
    }
}

void contact_relax(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        relax_object(world, &world->object[i]);
    }
}
