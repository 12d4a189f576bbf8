// SPDX-License-Identifier: MIT
// The guard: after the last sweep, what moves far within the substep is looked at once more, on the straight way from
// where it was when relaxation began to where relaxation has put it. What has come through an obstacle or a body goes
// back to the side it came from, and loses the speed that took it through.
//
// The start is the one noted before the first sweep, not x: contacts carry x along with what they give back of a depth
// that was there already, and several of them may carry it through a wall.
//
// Of hulls all vertices count, and they go back as a whole; of everything else each particle goes back alone.
#include "sim/step/contact_guard.h"

#include "sim/body/body_guard.h"
#include "sim/contact/contact.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/extent.h"
#include "sim/contact/sweep.h"
#include "sim/contact/sweep_hit.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define GUARD_ROUNDS 8u
#define SAFE_SHARE 0.1f // of its thickness a hull may move unguarded

// How much of the way out takes back what the centre of mass has come in by. The rest, of a corner that turning has
// brought in, is gone without gaining speed: x is carried along.
static float share_of_motion(const struct sim_world *world, const struct sweep *sweep, struct vec3 way) {
    float mass = 0.0f;
    float in = 0.0f;
    for (uint32_t k = 0; k < sweep->slots; k++) {
        const uint32_t i = sweep->slot[k];
        mass += 1.0f / world->w[i];
        in -= vec3_dot(contact_displacement(world, i), way) / world->w[i];
    }
    const float squared = vec3_dot(way, way) * mass;
    return in > 0.0f ? scalar_min(in / squared, 1.0f) : 0.0f;
}

// An embedded hull goes back as a whole; one that is pinned or held cannot, and turns about what holds it.
static bool guard_hull(struct sim_world *world, uint32_t place, const struct obstacle *obstacle, struct sweep *sweep) {
    struct vec3 way;
    bool free = true;
    sweep_of_hull(sweep, world, place);
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
    const struct vec3 carried = vec3_scale(way, 1.0f - share_of_motion(world, sweep, way));
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

// What has no radius goes through a mesh without an inside however slow it is, and belongs to the other side then.
static bool may_creep_through(const struct object *object, const struct obstacle *obstacle) {
    return obstacle->shape.shape == SIM_OBSTACLE_MESH && !obstacle->closed && object->radius < (float)SWEEP_SKIN;
}

// How far an object may move before an obstacle asks for it to be looked at.
static float safe_way(const struct object *object, const struct obstacle *obstacle) {
    // A hull that is thin is soon so deep in what is not, or as thin, that it would leave by another side: also one
    // that a blow has pressed flat and that grows again, half of it forwards.
    const float own = object->hull_vertices > 0 ? SAFE_SHARE * body_thickness(object) : 8.0f * SIM_POSITION_MAX;
    return scalar_min(own, contact_half_thickness(obstacle));
}

static bool is_to_be_guarded(const struct extent *extent, const struct object *object,
                             const struct obstacle *obstacle) {
    return extent->moved > safe_way(object, obstacle) || may_creep_through(object, obstacle);
}

// Most objects have nothing to do with it, which all threads find out. Bodies give way to one another meanwhile, so
// they are looked at in their turn.
static void note_passer(struct sim_world *world, uint32_t place, const void *bodies) {
    struct object *object = &world->object[place];
    const struct start_positions from = {world->begun_x, world->begun_y, world->begun_z};
    object->may_pass = object_is_active(object);
    if (!object->may_pass || object->kind == SIM_KIND_BODY) {
        return;
    }
    const struct extent extent = extent_of_object(world, object, &from);
    object->may_pass = body_guard_concerns(world, bodies, &extent);
    for (uint32_t k = 0; k < world->state.obstacles && !object->may_pass; k++) {
        object->may_pass = is_to_be_guarded(&extent, object, &world->obstacle[k]);
    }
}

// Whether anything had to go back.
static bool guard_object(struct sim_world *world, uint32_t place, const struct body_guard *bodies,
                         struct sweep *sweep) {
    const struct object *object = &world->object[place];
    const struct extent extent = extent_of_object(world, object, &sweep->from);
    bool back = body_guard_object(world, bodies, place, &extent);
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (!is_to_be_guarded(&extent, object, obstacle) || contact_is_ignored(world, object, obstacle)) {
            continue;
        }
        if (object->hull_vertices > 0) {
            back |= guard_hull(world, place, obstacle, sweep);
        } else if (extent_is_near(&extent, obstacle, object->radius)) {
            back |= guard_particles(world, place, obstacle, sweep);
        }
    }
    return back;
}

bool contact_guard(struct sim_world *world) {
    if (world->state.obstacles + world->body_parts == 0) {
        return false;
    }
    struct sweep_cache cache[SWEEP_CACHE_SIZE];
    for (unsigned i = 0; i < SWEEP_CACHE_SIZE; i++) {
        cache[i].obstacle = NULL;
    }
    struct sweep sweep = {.cache = cache, .from = {world->begun_x, world->begun_y, world->begun_z}};
    const struct body_guard bodies = body_guard_of(world, &sweep.from);
    bool pushed = false;
    work_objects(world, note_passer, &bodies);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        bool again = world->object[i].may_pass;
        for (unsigned round = 0; round < GUARD_ROUNDS && again; round++) {
            again = guard_object(world, i, &bodies, &sweep);
            pushed |= again;
        }
    }
    if (pushed) {
        contact_particles_relax(world, false); // the bounds have the last word
    }
    return pushed;
}
