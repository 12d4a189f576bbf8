// SPDX-License-Identifier: MIT
// Particles: loose ones, and the commands on any of them: pins, masses, places. A particle that is pinned or held has
// w = 0.
#include "sim/world/world.h"

#include <assert.h>

void particle_place(struct sim_world *world, uint32_t slot, struct vec3 position) {
    world->x[slot] = position.x;
    world->y[slot] = position.y;
    world->z[slot] = position.z;
    world->low_x[slot] = 0.0f;
    world->low_y[slot] = 0.0f;
    world->low_z[slot] = 0.0f;
}

void particle_place_apart(struct sim_world *world, uint32_t slot, struct vec3 origin, struct vec3 arm) {
    particle_place(world, slot, vec3_add(origin, arm));
    world->low_x[slot] = scalar_sum_error(origin.x, arm.x, world->x[slot]);
    world->low_y[slot] = scalar_sum_error(origin.y, arm.y, world->y[slot]);
    world->low_z[slot] = scalar_sum_error(origin.z, arm.z, world->z[slot]);
}

void particle_carry(struct sim_world *world, uint32_t slot, struct vec3 way) {
    const struct vec3 arm = vec3_add(particle_low(world, slot), way);
    particle_place_apart(world, slot, particle_position(world, slot), arm);
}

void particle_set_displacement(struct sim_world *world, uint32_t slot, struct vec3 displacement) {
    world->dx[slot] = displacement.x;
    world->dy[slot] = displacement.y;
    world->dz[slot] = displacement.z;
}

bool particle_limit(struct sim_world *world, uint32_t first, uint32_t count) {
    const float most = SIM_SPEED_MAX * world_substep_seconds(world);
    float longest = 0.0f;
    for (uint32_t i = first; i < first + count; i++) {
        longest = scalar_max(longest, vec3_length(particle_displacement(world, i)));
    }
    if (longest <= most * (1.0f + 1e-6f)) { // what is at the limit but for rounding is not above it
        return false;
    }
    for (uint32_t i = first; i < first + count; i++) {
        const struct vec3 displacement = particle_displacement(world, i);
        particle_set_displacement(world, i, vec3_scale(displacement, most / longest));
    }
    return true;
}

void particle_refresh(struct sim_world *world, uint32_t slot) {
    world->w[slot] = world->flags[slot] == 0 ? world->own_w[slot] : 0.0f;
}

void particle_init(struct sim_world *world, uint32_t slot, struct vec3 position, float inverse_mass) {
    particle_init_apart(world, slot, position, vec3_of(0.0f, 0.0f, 0.0f), inverse_mass);
}

void particle_init_apart(struct sim_world *world, uint32_t slot, struct vec3 origin, struct vec3 arm,
                         float inverse_mass) {
    particle_place_apart(world, slot, origin, arm);
    particle_set_displacement(world, slot, vec3_of(0.0f, 0.0f, 0.0f));
    still_remember_place(world, slot);
    world->own_w[slot] = inverse_mass;
    world->flags[slot] = 0;
    particle_refresh(world, slot);
}

void particle_set_pinned(struct sim_world *world, struct object *object, uint32_t index, bool pinned) {
    const uint32_t slot = object->first + index;
    const bool was = (world->flags[slot] & PARTICLE_PINNED) != 0;
    if (pinned && !was) {
        world->flags[slot] |= PARTICLE_PINNED;
        object->pins++;
    } else if (!pinned && was) {
        world->flags[slot] &= (uint8_t)~PARTICLE_PINNED;
        object->pins--;
    }
    object->tethers_stale = true;
    particle_set_displacement(world, slot, vec3_of(0.0f, 0.0f, 0.0f));
    particle_refresh(world, slot);
}

// ---- loose particles ---------------------------------------------------------------------------------------------

struct sim_particles_desc sim_particles_desc_default(void) {
    return (struct sim_particles_desc){.radius = 0.05f, .friction = 0.5f};
}

static enum result check_particles(const struct sim_particles_desc *desc, struct fault *fault) {
    if (desc->particles == 0) {
        return fault_set(fault, RESULT_INVALID, "/positions", "positions must hold at least one particle, got none");
    }
    enum result result = check_array(desc->positions, 3 * desc->particles, -SIM_POSITION_MAX, SIM_POSITION_MAX, "m",
                                     "/positions", fault);
    if (result == RESULT_OK && desc->velocities != NULL) {
        result = check_array(desc->velocities, 3 * desc->particles, -SIM_SPEED_MAX, SIM_SPEED_MAX, "m/s", "/velocities",
                             fault);
    }
    if (result == RESULT_OK && desc->masses != NULL) {
        result = check_array(desc->masses, desc->particles, SIM_MASS_MIN, SIM_MASS_MAX, "kg", "/masses", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->radius, 0.0f, 1000.0f, "m", "/radius", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->restitution, 0.0f, 1.0f, "", "/restitution", fault);
    }
    return result == RESULT_OK ? check_friction(desc->friction, fault) : result;
}

enum result sim_particles_spawn(struct sim_world *world, const struct sim_particles_desc *desc, uint32_t *object,
                                struct fault *fault) {
    struct object made = {0};
    enum result result = layout_reserve(world, (struct object_size){.particles = desc->particles}, &made, fault);
    if (result == RESULT_OK) {
        result = check_particles(desc, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.kind = SIM_KIND_PARTICLES;
    made.radius = desc->radius;
    made.friction = desc->friction;
    made.restitution = desc->restitution;
    const float h = world_substep_seconds(world);
    for (uint32_t i = 0; i < desc->particles; i++) {
        const float *p = desc->positions + 3 * (size_t)i;
        particle_init(world, made.first + i, vec3_of(p[0], p[1], p[2]),
                      desc->masses != NULL ? 1.0f / desc->masses[i] : 1.0f);
        if (desc->velocities != NULL) {
            const float *v = desc->velocities + 3 * (size_t)i;
            particle_set_displacement(world, made.first + i, vec3_of(v[0] * h, v[1] * h, v[2] * h));
        }
    }
    *object = layout_commit(world, &made);
    return RESULT_OK;
}

// ---- commands ----------------------------------------------------------------------------------------------------

static enum result find_particles(const struct sim_world *world, uint32_t object, const uint32_t *indices,
                                  uint32_t count, struct object **found, struct fault *fault) {
    const enum result result = layout_find(world, object, found, fault);
    return result == RESULT_OK ? layout_check_indices(*found, indices, count, "/particles", fault) : result;
}

enum result sim_particle_pin(struct sim_world *world, uint32_t object, const uint32_t *indices, uint32_t count,
                             const struct vec3 *position, struct fault *fault) {
    struct object *found = NULL;
    enum result result = find_particles(world, object, indices, count, &found, fault);
    if (result == RESULT_OK && position != NULL && count != 1) {
        result = fault_set(fault, RESULT_INVALID, "/position",
                           "position goes with exactly one particle, got %u particles", count);
    }
    if (result == RESULT_OK && position != NULL) {
        result = check_vector(*position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        particle_set_pinned(world, found, indices[i], true);
    }
    if (position != NULL) {
        particle_place(world, found->first + indices[0], *position);
        grab_follow_particle(world, object, indices[0], *position);
    }
    tether_refresh(world, found);
    sleep_wake(world, object);
    (void)world_next_sequence(world);
    return RESULT_OK;
}

enum result sim_particle_unpin(struct sim_world *world, uint32_t object, const uint32_t *indices, uint32_t count,
                               struct fault *fault) {
    struct object *found = NULL;
    const enum result result = find_particles(world, object, indices, count, &found, fault);
    if (result != RESULT_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sim_particle_is_pinned(world, found->first + indices[i])) {
            particle_set_pinned(world, found, indices[i], false);
        }
    }
    tether_refresh(world, found);
    sleep_wake(world, object);
    (void)world_next_sequence(world);
    return RESULT_OK;
}

enum result sim_particle_set_inverse_mass(struct sim_world *world, uint32_t object, const uint32_t *indices,
                                          uint32_t count, float inverse_mass, struct fault *fault) {
    struct object *found = NULL;
    enum result result = find_particles(world, object, indices, count, &found, fault);
    const float least = 1.0f / SIM_MASS_MAX;
    const float most = 1.0f / SIM_MASS_MIN;
    if (result == RESULT_OK && inverse_mass != 0.0f && !(inverse_mass >= least && inverse_mass <= most)) {
        result = fault_set(fault, RESULT_INVALID, "/inverseMass",
                           "inverseMass must be 0 (immovable) or from %g to %g 1/kg, got %g", (double)least,
                           (double)most, (double)inverse_mass);
    }
    if (result != RESULT_OK) {
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = found->first + indices[i];
        world->own_w[slot] = inverse_mass == 0.0f ? 0.0f : inverse_mass; // −0 becomes 0
        particle_refresh(world, slot);
        if (inverse_mass == 0.0f) {
            particle_set_displacement(world, slot, vec3_of(0.0f, 0.0f, 0.0f));
        }
    }
    sleep_wake(world, object);
    (void)world_next_sequence(world);
    return RESULT_OK;
}

enum result sim_particle_move(struct sim_world *world, uint32_t object, uint32_t index, struct vec3 position,
                              enum sim_move_mode mode, struct fault *fault) {
    struct object *found = NULL;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK && index >= found->particles) {
        result = fault_set(fault, RESULT_NOT_FOUND, "/particle", "there is no particle %u in object %u, which has %u",
                           index, object, found->particles);
    }
    if (result == RESULT_OK) {
        result = check_vector(position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t slot = found->first + index;
    const struct vec3 moved = vec3_sub(position, particle_position(world, slot));
    const struct vec3 displacement = particle_displacement(world, slot);
    const bool pushes = mode == SIM_MOVE_PUSH && world->w[slot] > 0.0f;
    particle_set_displacement(world, slot, pushes ? vec3_add(displacement, moved) : vec3_of(0.0f, 0.0f, 0.0f));
    particle_place(world, slot, position);
    grab_follow_particle(world, object, index, position);
    sleep_wake(world, object);
    (void)world_next_sequence(world);
    world_note_capped(world, particle_limit(world, slot, 1));
    return RESULT_OK;
}

bool sim_particle_is_pinned(const struct sim_world *world, uint32_t slot) {
    assert(slot < world->state.particles);
    return (world->flags[slot] & PARTICLE_PINNED) != 0;
}

float sim_particle_own_inverse_mass(const struct sim_world *world, uint32_t slot) {
    assert(slot < world->state.particles);
    return world->own_w[slot];
}
