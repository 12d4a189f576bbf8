// SPDX-License-Identifier: MIT
// Particles: loose particles, and the commands on all particles: pins, masses, positions. A particle that is pinned or
// held has w = 0.
#include "sim/world/particle.h"

#include <assert.h>

#include "sim/world/still_place.h"

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
    if (longest <= most * (1.0f + 1e-6f)) { // rounding is not an excess
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
