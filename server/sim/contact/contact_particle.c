// SPDX-License-Identifier: MIT
// Contacts of particles with obstacles and with the world's bounds (PHYSICS.md 4.3 to 4.5), last in every iteration.
//
// A particle of radius ρ that is nearer than ρ to a surface is moved out along the outward normal n by the depth D.
// Friction then takes back the tangential part u_t of its displacement since the substep's start, up to μ·D and never
// more than all of it. These particles need no place in the list of contacts: the depth is computed in every iteration.
// Only pairs that bounce, height fields and meshes use the list.
//
// A particle that was inside when the substep began (by a command, or between two obstacles) is moved out together with
// its start x°, so that it gains no speed. A particle that is very deep is eased out (contact.h).
#include "sim/contact/contact_particle.h"

#include "sim/contact/contact.h"
#include "sim/contact/extent.h"
#include "sim/contact/sweep.h"
#include "sim/simd/simd.h"
#include "sim/world/axes.h"
#include "sim/world/box.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

// ---- response ----------------------------------------------------------------------------------------------------

// u after friction: u − u_t·min(1, μ·D/|u_t|).
static struct vec3 apply_friction(struct vec3 u, struct vec3 normal, float licence) {
    const struct vec3 tangential = vec3_sub(u, vec3_scale(normal, vec3_dot(u, normal)));
    const float slide = vec3_length(tangential);
    if (slide <= licence) {
        return vec3_sub(u, tangential);
    }
    return vec3_sub(u, vec3_scale(tangential, licence / slide));
}

static bool collide(struct sim_world *world, const struct object *object, struct slot_span piece,
                    const struct obstacle *obstacle, bool first) {
    const float reach = contact_reach(object, obstacle);
    const struct sim_obstacle *shape = &obstacle->shape;
    const bool round = shape->shape == SIM_OBSTACLE_SPHERE || shape->shape == SIM_OBSTACLE_CAPSULE;
    const bool capsule = shape->shape == SIM_OBSTACLE_CAPSULE;
    const struct simd_axes axes = world_axes(world);
    struct simd_obstacle solid = {
        .shape = shape->shape,
        .position = capsule ? shape->from : shape->position,
        .axis = capsule ? vec3_sub(shape->to, shape->from) : shape->normal,
        .half = vec3_scale(shape->size, 0.5f),
        .axes = obstacle->axes,
        .reach = round ? shape->radius + reach : reach,
        .friction = contact_friction(object->friction, shape->friction),
        .whole = object_is_tied(object) && shape->shape != SIM_OBSTACLE_PLANE,
        .eased = first ? contact_easing(world) : 0.0f,
        .deep = contact_easing(world),
    };
    if (obstacle->step.moves) {
        const struct obstacle_step *step = &obstacle->step;
        solid.moves = true;
        solid.from = point_rounded(step->from);
        solid.shift = point_rounded(step->shift);
        solid.along = vec3_scale(obstacle->base.motion.surface_velocity, world_substep_seconds(world));
        for (unsigned k = 0; k < 3; k++) {
            solid.turn.column[k] = point_rounded(step->turn[k]);
        }
    }
    return world->simd->collide(&axes, &solid, piece.first, piece.end);
}

// ---- bounds ------------------------------------------------------------------------------------------------------

// The box in which centres of particles of this radius may be; a point where the radius leaves no room.
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

// Moves the start to `inside`; along an axis on which it is there already, no digit changes.
static void move_start_inside(struct sim_world *world, uint32_t i, struct vec3 inside) {
    const struct vec3 start = particle_position(world, i);
    const struct vec3 low = particle_low(world, i);
    particle_place(world, i, inside);
    world->low_x[i] = inside.x == start.x ? low.x : 0.0f;
    world->low_y[i] = inside.y == start.y ? low.y : 0.0f;
    world->low_z[i] = inside.z == start.z ? low.z : 0.0f;
}

// Positions that are not finite stay, for quarantine.c to find.
static void confine(struct sim_world *world, uint32_t i, const struct box *room, float mu) {
    const struct vec3 p = particle_relaxed(world, i);
    const struct vec3 inside = clamp_into(p, room);
    const struct vec3 pushed = vec3_sub(inside, p);
    const bool inside_already = pushed.x == 0.0f && pushed.y == 0.0f && pushed.z == 0.0f;
    if (world->w[i] == 0.0f || inside_already || !vec3_is_finite(p)) {
        return;
    }
    const struct vec3 moved = contact_displacement(world, i);
    const struct vec3 start = particle_position(world, i);
    const struct vec3 start_inside = clamp_into(start, room);
    const struct vec3 before = vec3_sub(start_inside, start);
    move_start_inside(world, i, start_inside);
    const float push[3] = {pushed.x - before.x, pushed.y - before.y, pushed.z - before.z};
    struct vec3 u = vec3_add(moved, vec3_sub(pushed, before));
    for (unsigned axis = 0; axis < 3; axis++) {
        if (push[axis] != 0.0f) {
            const struct vec3 normal =
                vec3_of(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
            u = apply_friction(u, normal, mu * scalar_abs(push[axis]));
        }
    }
    contact_displace(world, i, u);
    particle_set_relaxed(world, i, clamp_into(particle_relaxed(world, i), room));
}

// ---- over objects ------------------------------------------------------------------------------------------------

static bool apart(const struct box *box, struct vec3 min, struct vec3 max, float radius) {
    return box->max.x + radius < min.x || box->min.x - radius > max.x || box->max.y + radius < min.y ||
           box->min.y - radius > max.y || box->max.z + radius < min.z || box->min.z - radius > max.z;
}

static bool is_within(const struct box *box, const struct box *room) {
    return box->min.x >= room->min.x && box->min.y >= room->min.y && box->min.z >= room->min.z &&
           box->max.x <= room->max.x && box->max.y <= room->max.y && box->max.z <= room->max.z;
}

// The distance kept between a particle and an obstacle: from a box as far as the sticks and faces that meet in the
// particle. If it were nearer, an object half on an edge would be lifted by the difference whenever they collide, and
// never come to rest.
float contact_reach(const struct object *object, const struct obstacle *obstacle) {
    const bool has_features = object->sticks > 0 || object->triangles > 0;
    const bool are_felt = has_features && obstacle->shape.shape == SIM_OBSTACLE_BOX;
    return are_felt ? scalar_max(object->radius, (float)SWEEP_SKIN) : object->radius;
}

// Particles do not interact here, so going obstacle by obstacle gives the same result as going particle by particle.
static void leave_obstacles(struct sim_world *world, const struct object *object, struct slot_span piece, bool first) {
    bool moved = true;
    struct box box = {0};
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (contact_pair_is_listed(object, obstacle) || contact_is_ignored(world, object, obstacle)) {
            continue;
        }
        const float reach = contact_reach(object, obstacle);
        box = moved ? box_around_span(world, piece, SIMD_RELAXED) : box;
        moved =
            !apart(&box, obstacle->box_min, obstacle->box_max, reach) && collide(world, object, piece, obstacle, first);
    }
}

static void stay_in_bounds(struct sim_world *world, const struct object *object, struct slot_span piece) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const struct box room = room_within_bounds(parameters, object->radius);
    const struct simd_axes axes = world_axes(world);
    const uint32_t end = piece.end;
    uint32_t i = piece.first;
    while ((i = world->simd->outside(&axes, room.min, room.max, i, end)) < end) {
        const float mu = contact_friction(object->friction, parameters->friction);
        const uint32_t batch_end = end - i < world->simd->lanes ? end : i + world->simd->lanes;
        for (; i < batch_end; i++) {
            confine(world, i, &room, mu);
        }
    }
}

static void relax_piece(struct sim_world *world, const struct object *object, struct slot_span piece, bool first) {
    if (object_is_active(object) && object->hull_vertices == 0) {
        leave_obstacles(world, object, piece, first);
        stay_in_bounds(world, object, piece);
    }
}

static void relax_particles(struct sim_world *world, uint32_t place, struct slot_span piece, const void *context) {
    const bool *first = context;
    if (!world->object[place].alone) {
        relax_piece(world, &world->object[place], piece, *first);
    }
}

void contact_particles_relax(struct sim_world *world, bool first) {
    if (world->objects_relaxed < world->active_objects) {
        work_pieces(world, relax_particles, &first);
    }
}

// True if nothing that stays within this extent touches an obstacle or the bounds.
static bool is_clear(const struct sim_world *world, const struct object *object, const struct extent *extent) {
    const struct box box = {extent->min, extent->max};
    const struct box room = room_within_bounds(&world->state.parameters, object->radius);
    bool clear = is_within(&box, &room);
    for (uint32_t k = 0; k < world->state.obstacles && clear; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        clear = apart(&box, obstacle->box_min, obstacle->box_max, contact_reach(object, obstacle));
    }
    return clear;
}

void contact_particles_relax_alone(struct sim_world *world, uint32_t place, bool first) {
    struct object *object = &world->object[place];
    const struct extent extent =
        extent_of_object(world, object, &(struct start_positions){world->x, world->y, world->z});
    object->extent_known = object->start_late && is_clear(world, object, &extent);
    if (object->extent_known) {
        world->object_extent[place] = extent;
        return;
    }
    contact_note_start(world, object);
    relax_piece(world, object, (struct slot_span){object->first, object->first + object->particles}, first);
}

// An object that is alone is one piece.
static void relax_again(struct sim_world *world, uint32_t place, struct slot_span piece, const void *context) {
    struct object *object = &world->object[place];
    (void)context;
    if (object->settled) { // nothing was near
        return;
    }
    if (object->alone) {
        contact_note_start(world, object);
        object->extent_known = false;
    }
    relax_piece(world, object, piece, false);
}

void contact_particles_relax_again(struct sim_world *world) {
    work_pieces(world, relax_again, NULL);
}

// ---- bodies and figures ------------------------------------------------------------------------------------------

static struct box widened(const struct box *box, float share) {
    const struct vec3 margin = vec3_scale(vec3_sub(box->max, box->min), share);
    return (struct box){vec3_sub(box->min, margin), vec3_add(box->max, margin)};
}

// An object that takes more than this share of the room is squeezed, so that rounding does not push it out on the other
// side.
#define ROOM_SHARE 0.999f

// The new coordinate p when the interval from min to max is moved back into the room, or squeezed into a room that is
// too small. Rounding may leave a last digit outside: later rounds move by the factor `further`.
static float moved_inside(float p, float min, float max, float low, float high, float further) {
    const float most = ROOM_SHARE * (high - low);
    if (max - min > most) {
        return 0.5f * (low + high) - 0.5f * most + (p - min) * (most / (max - min));
    }
    const float back = min < low ? low - min : max > high ? high - max : 0.0f;
    const float way = further * back;
    // An object that nearly fills the room cannot go further.
    return p + (min + way < low || max + way > high ? back : way);
}

// A figure that settling has moved out of the room is moved back with its start, so that it gains no speed.
static void move_inside(struct sim_world *world, const struct object *object, const struct box *box,
                        const struct box *room, float further) {
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 p = particle_relaxed(world, i);
        if (world->w[i] == 0.0f || !vec3_is_finite(p)) {
            continue;
        }
        const struct vec3 to = vec3_of(moved_inside(p.x, box->min.x, box->max.x, room->min.x, room->max.x, further),
                                       moved_inside(p.y, box->min.y, box->max.y, room->min.y, room->max.y, further),
                                       moved_inside(p.z, box->min.z, box->max.z, room->min.z, room->max.z, further));
        if (object->kind == SIM_KIND_RAGDOLL) {
            particle_carry(world, i, vec3_sub(to, p));
        }
        particle_set_relaxed(world, i, to);
    }
}

// Moves the whole object without changing its rotation; particles with w = 0 stay. An object larger than the bounds is
// squeezed into them, its hull with it. Positions that are not finite stay, for quarantine.c to find.
static void confine_whole(struct sim_world *world, const struct object *object, const struct box *room) {
    for (unsigned round = 0; round < 4; round++) {
        const struct box box = box_around_whole(world, object, SIMD_RELAXED);
        if (is_within(&box, room)) {
            return;
        }
        move_inside(world, object, &box, room, round == 0 ? 1.0f : 1.5f);
    }
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 p = particle_relaxed(world, i);
        if (world->w[i] > 0.0f && vec3_is_finite(p)) {
            particle_set_relaxed(world, i, clamp_into(p, room));
        }
    }
}

// A hull reaches no farther beyond its particles than this many times their spread; the tip of a cone is the extreme.
#define HULL_REACH 3.0f

// m: relaxation leaves less than this outside the bounds, commands usually put more there.
#define ACROSS_MIN 1e-4f // m

// True if no particle of the object and no vertex of its hull can be outside the room.
static bool lies_deep_within(const struct sim_world *world, const struct object *object, enum simd_positions at,
                             const struct box *room) {
    const struct box particles = box_around(world, object, at);
    if (object->hull_parts > 0) { // its parts may be anywhere
        const struct box whole = box_around_whole(world, object, at);
        return is_within(&whole, room);
    }
    const struct box reached = object->hull_vertices > 0 ? widened(&particles, HULL_REACH) : particles;
    return is_within(&reached, room);
}

static void confine_object(struct sim_world *world, uint32_t place, const void *context) {
    const struct box *room = context;
    const struct object *object = &world->object[place];
    const bool whole = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
    if (!whole || !object_is_active(object)) {
        return;
    }
    if (!lies_deep_within(world, object, SIMD_RELAXED, room)) {
        confine_whole(world, object, room);
    }
}

void contact_confine(struct sim_world *world) {
    const struct box room = room_within_bounds(&world->state.parameters, 0.0f);
    if (world->active_solids > 0) {
        work_objects(world, confine_object, &room);
    }
}

static bool fits(const struct box *box, const struct box *room) {
    const struct vec3 size = vec3_sub(box->max, box->min);
    const struct vec3 most = vec3_scale(vec3_sub(room->max, room->min), ROOM_SHARE);
    return size.x <= most.x && size.y <= most.y && size.z <= most.z;
}

static bool is_free(const struct sim_world *world, const struct object *object) {
    bool all = true;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        all = all && world->w[i] > 0.0f && vec3_is_finite(particle_position(world, i));
    }
    return all;
}

static void bring_in(struct sim_world *world, uint32_t place, const void *context) {
    const struct box *room = context;
    const struct object *object = &world->object[place];
    const bool is_solid = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
    if (!is_solid || !object_is_active(object) || lies_deep_within(world, object, SIMD_START, room)) {
        return;
    }
    const struct box box = box_around_whole(world, object, SIMD_START);
    const struct vec3 leeway = vec3_of(ACROSS_MIN, ACROSS_MIN, ACROSS_MIN);
    const struct box around = {vec3_sub(room->min, leeway), vec3_add(room->max, leeway)};
    if (is_within(&box, &around) || !fits(&box, room) || !is_free(world, object)) {
        return;
    }
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 x = particle_position(world, i);
        const struct vec3 to = vec3_of(moved_inside(x.x, box.min.x, box.max.x, room->min.x, room->max.x, 1.0f),
                                       moved_inside(x.y, box.min.y, box.max.y, room->min.y, room->max.y, 1.0f),
                                       moved_inside(x.z, box.min.z, box.max.z, room->min.z, room->max.z, 1.0f));
        particle_carry(world, i, vec3_sub(to, x));
    }
}

void contact_bring_in(struct sim_world *world) {
    const struct box room = room_within_bounds(&world->state.parameters, 0.0f);
    work_objects(world, bring_in, &room);
}
