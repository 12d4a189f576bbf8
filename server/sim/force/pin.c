// SPDX-License-Identifier: MIT
// Commands on single particles: pins, inverse masses and places.
#include <assert.h>

#include "sim/force/grab.h"
#include "sim/stick/tether.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

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
    wake_object(world, object);
    (void)sequence_next(world);
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
    wake_object(world, object);
    (void)sequence_next(world);
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
    wake_object(world, object);
    (void)sequence_next(world);
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
    wake_object(world, object);
    (void)sequence_next(world);
    sequence_note_capped(world, particle_limit(world, slot, 1));
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
