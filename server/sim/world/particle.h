// SPDX-License-Identifier: MIT
// Reading and placing single particles.
#ifndef WEFT_SIM_WORLD_PARTICLE_H
#define WEFT_SIM_WORLD_PARTICLE_H

#include "sim/world/world.h"

// Initialises a particle: at rest, free.
void particle_init(struct sim_world *world, uint32_t slot, struct vec3 position, float inverse_mass);
void particle_init_apart(struct sim_world *world, uint32_t slot, struct vec3 origin, struct vec3 arm,
                         float inverse_mass);                  // see particle_place_apart
void particle_refresh(struct sim_world *world, uint32_t slot); // computes w from own_w and flags
void particle_set_pinned(struct sim_world *world, struct object *object, uint32_t index, bool pinned);

static inline struct vec3 particle_position(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->x[slot], world->y[slot], world->z[slot]);
}

static inline struct vec3 particle_low(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->low_x[slot], world->low_y[slot], world->low_z[slot]);
}

static inline struct vec3 particle_displacement(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->dx[slot], world->dy[slot], world->dz[slot]);
}

static inline struct vec3 particle_ahead(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->ahead_x[slot], world->ahead_y[slot], world->ahead_z[slot]);
}

static inline struct vec3 particle_off(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->off_x[slot], world->off_y[slot], world->off_z[slot]);
}

// Moves p by `way`; the start stays.
static inline void particle_shift(struct sim_world *world, uint32_t slot, struct vec3 way) {
    world->off_x[slot] += way.x;
    world->off_y[slot] += way.y;
    world->off_z[slot] += way.z;
}

// p, as relaxed so far, rounded to the coordinates that would be published.
static inline struct vec3 particle_relaxed(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->ahead_x[slot] + world->off_x[slot], world->ahead_y[slot] + world->off_y[slot],
                   world->ahead_z[slot] + world->off_z[slot]);
}

// Sets p to `position` exactly; the start stays. Along an axis on which it is there already, nothing changes.
static inline void particle_set_relaxed(struct sim_world *world, uint32_t slot, struct vec3 position) {
    const struct vec3 p = particle_relaxed(world, slot);
    if (position.x != p.x) {
        world->ahead_x[slot] = position.x;
        world->off_x[slot] = 0.0f;
    }
    if (position.y != p.y) {
        world->ahead_y[slot] = position.y;
        world->off_y[slot] = 0.0f;
    }
    if (position.z != p.z) {
        world->ahead_z[slot] = position.z;
        world->off_z[slot] = 0.0f;
    }
}

void particle_place(struct sim_world *world, uint32_t slot, struct vec3 position); // exactly at `position`
// Places a particle at `origin` + `arm`, with more digits than one float: objects that are built from arms keep their
// shape however far from the origin they are.
void particle_place_apart(struct sim_world *world, uint32_t slot, struct vec3 origin, struct vec3 arm);
// Moves the start, x + low, by `way`; p stays.
void particle_carry(struct sim_world *world, uint32_t slot, struct vec3 way);
void particle_set_displacement(struct sim_world *world, uint32_t slot, struct vec3 displacement);
// Slows particles down together until none is above SIM_SPEED_MAX. Returns true if that was needed.
bool particle_limit(struct sim_world *world, uint32_t first, uint32_t count);

#endif
