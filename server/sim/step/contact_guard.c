// SPDX-License-Identifier: MIT
// The guard (PHYSICS.md 4.7): after the last iteration, the straight paths of objects that move far within the substep
// are checked once more, from their places when relaxation began to their present places. Particles that have passed
// through an obstacle or a body go back to the side that they came from and lose the speed that took them through.
//
// The start is the position stored before the first iteration, not x: contacts move x together with a depth that they
// give back, and several of them may move it through a wall.
//
// Of hulls all vertices are checked, and a hull goes back as a whole; the particles of every other object go back one
// by one.
#include "sim/step/contact_guard.h"

#include "sim/body/body_guard.h"
#include "sim/contact/contact.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/extent.h"
#include "sim/contact/obstacle_motion.h"
#include "sim/contact/sweep.h"
#include "sim/contact/sweep_hit.h"
#include "sim/world/part.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define GUARD_ROUNDS 8u
#define SAFE_SHARE 0.1f // share of its thickness that a hull may move unguarded

// The displacement of a particle, where an obstacle moves relative to its material.
static struct vec3 displacement_from(const struct sim_world *world, uint32_t i, const struct obstacle *obstacle) {
    const struct vec3 u = contact_displacement(world, i);
    if (!obstacle->step.moves) {
        return u;
    }
    return vec3_sub(u, point_rounded(obstacle_carries(&obstacle->step, point_of(particle_position(world, i)))));
}

// The share of the way out that takes back the motion of the centre of mass. The rest, of a corner that rotation has
// moved in, is moved without gaining speed: x moves with it.
static float share_of_motion(const struct sim_world *world, const struct sweep *sweep, const struct obstacle *obstacle,
                             struct vec3 way) {
    float mass = 0.0f;
    float in = 0.0f;
    for (uint32_t k = 0; k < sweep->slots; k++) {
        const uint32_t i = sweep->slot[k];
        mass += 1.0f / world->w[i];
        in -= vec3_dot(displacement_from(world, i, obstacle), way) / world->w[i];
    }
    const float squared = vec3_dot(way, way) * mass;
    return in > 0.0f ? scalar_min(in / squared, 1.0f) : 0.0f;
}

// An embedded hull goes back as a whole; a hull that is pinned or held cannot, and turns about the particles that hold
// it.
static bool guard_hull(struct sim_world *world, uint32_t place, uint32_t part, const struct obstacle *obstacle,
                       struct sweep *sweep) {
    struct vec3 way;
    bool free = true;
    sweep_of_hull(sweep, world, place, part);
    for (uint32_t k = 0; k < sweep->slots; k++) {
        free = free && world->w[sweep->slot[k]] > 0.0f;
    }
    if (!free) {
        const uint32_t first = world->contacts;
        sweep_hit(sweep, world, obstacle);
        return contact_relax_from(world, first);
    }
    if (!sweep_way_out(sweep, world, obstacle, &way)) {
        return false;
    }
    const struct vec3 carried = vec3_scale(way, 1.0f - share_of_motion(world, sweep, obstacle, way));
    for (uint32_t k = 0; k < sweep->slots; k++) {
        const uint32_t i = sweep->slot[k];
        particle_carry(world, i, carried);
        particle_shift(world, i, way);
    }
    return true;
}

static bool guard_particles(struct sim_world *world, uint32_t place, const struct obstacle *obstacle,
                            struct sweep *sweep) {
    const struct object *object = &world->object[place];
    bool back = false;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        if (world->w[i] > 0.0f) {
            const uint32_t first = world->contacts;
            sweep->slots = 1;
            sweep->slot[0] = i;
            sweep_of_particles(sweep, world, place);
            sweep_hit(sweep, world, obstacle);
            back |= contact_relax_from(world, first);
        }
    }
    return back;
}

// A particle without a radius passes through a mesh without an inside however slow it is, and is on the other side
// afterwards.
static bool may_creep_through(const struct object *object, const struct obstacle *obstacle) {
    return obstacle->shape.shape == SIM_OBSTACLE_MESH && !obstacle->closed && object->radius < (float)SWEEP_SKIN;
}

// The distance that an object may move before it has to be checked against an obstacle.
static float safe_way(const struct sim_world *world, const struct object *object, const struct obstacle *obstacle) {
    // A thin hull is soon so deep in an obstacle that it would leave by another side; so is a hull that an impact has
    // pressed flat and that expands again, half of it forwards.
    const float own = object->hull_vertices > 0 ? SAFE_SHARE * body_thickness(world, object) : 8.0f * SIM_POSITION_MAX;
    return scalar_min(own, contact_half_thickness(obstacle));
}

static bool is_to_be_guarded(const struct sim_world *world, const struct extent *extent, const struct object *object,
                             const struct obstacle *obstacle) {
    return extent->moved + obstacle->step.farthest > safe_way(world, object, obstacle) ||
           may_creep_through(object, obstacle);
}

static bool is_concerned(const struct sim_world *world, const struct object *object, const struct body_guard *bodies,
                         const struct extent *extent) {
    bool concerned = body_guard_concerns(world, bodies, extent);
    for (uint32_t k = 0; k < world->state.obstacles && !concerned; k++) {
        concerned = is_to_be_guarded(world, extent, object, &world->obstacle[k]);
    }
    return concerned;
}

bool contact_guard_concerns(const struct sim_world *world, uint32_t place, const struct body_guard *bodies,
                            const struct extent *extent) {
    return world->state.obstacles + world->body_parts > 0 && is_concerned(world, &world->object[place], bodies, extent);
}

// Marks the objects that have to be checked, on all threads; most objects need no check.
static void note_passer(struct sim_world *world, uint32_t place, const void *bodies) {
    struct object *object = &world->object[place];
    const struct start_positions from = {world->begun_x, world->begun_y, world->begun_z};
    object->may_pass = object_is_active(object) && !object->settled;
    if (!object->may_pass) {
        return;
    }
    if (!object->extent_known) {
        contact_note_start(world, object);
    }
    const struct extent extent = extent_known(world, place, &from);
    object->may_pass = is_concerned(world, object, bodies, &extent);
}

// Returns true if anything moved back.
static bool guard_object(struct sim_world *world, uint32_t place, struct body_guard *bodies, struct sweep *sweep) {
    const struct object *object = &world->object[place];
    const struct extent extent = extent_of_object(world, object, &sweep->from);
    const bool parted = body_guard_object(world, bodies, place, &extent);
    bool back = false;
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (!is_to_be_guarded(world, &extent, object, obstacle) || contact_is_ignored(world, object, obstacle)) {
            continue;
        }
        for (uint32_t part = 0; part < part_count(object); part++) {
            back |= guard_hull(world, place, part, obstacle, sweep);
        }
        if (object->hull_vertices > 0) {
            continue;
        }
        if (extent_is_near(&extent, obstacle, object->radius)) {
            back |= guard_particles(world, place, obstacle, sweep);
        }
    }
    if (back) {
        body_guard_moved(world, bodies, place);
    }
    return back || parted;
}

bool contact_guard(struct sim_world *world) {
    if (world->state.obstacles + world->body_parts == 0 || world->objects_settled == world->active_objects) {
        return false;
    }
    struct sweep_cache cache[SWEEP_CACHE_SIZE];
    for (unsigned i = 0; i < SWEEP_CACHE_SIZE; i++) {
        cache[i].obstacle = NULL;
    }
    struct sweep sweep = {.cache = cache, .from = {world->begun_x, world->begun_y, world->begun_z}};
    struct body_guard bodies = body_guard_of(world, &sweep.from);
    bool pushed = false;
    work_objects(world, note_passer, &bodies);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        // Bodies that others have pushed are checked when their turn comes.
        struct object *object = &world->object[i];
        if (object->may_pass) {
            contact_note_start(world, object);
            object->alone = object->extent_known = false; // it may get contacts
        }
        bool again = object->may_pass || (pushed && object->kind == SIM_KIND_BODY && object_is_active(object));
        for (unsigned round = 0; round < GUARD_ROUNDS && again; round++) {
            again = guard_object(world, i, &bodies, &sweep);
            pushed |= again;
        }
    }
    if (pushed) {
        contact_particles_relax_again(world); // the bounds act last
    }
    return pushed;
}
