// SPDX-License-Identifier: MIT
// A world's lifecycle, its parameters and the views into it.
#include "sim/state/lifecycle.h"

#include <stdlib.h>

#include "sim/contact/obstacle.h"
#include "sim/simd/simd.h"
#include "sim/state/memory.h"
#include "sim/stick/tether.h"
#include "sim/world/event.h"
#include "sim/world/layout.h"

struct sim_capacity sim_capacity_default(void) {
    return (struct sim_capacity){.particles = 1000000,
                                 .sticks = 8000000,
                                 .triangles = 2000000,
                                 .objects = 100000,
                                 .obstacles = 1024,
                                 .shape_words = 16000000};
}

void sim_world_set_quota(struct sim_world *world, const struct sim_quota *quota) {
    static const struct sim_quota unlimited = {
        .most = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    world->quota = quota != NULL ? *quota : unlimited;
}

void lifecycle_own_room(struct sim_world *world) {
    world->state.room_particles = world->capacity.particles;
    world->state.room_sticks = world->capacity.sticks;
}

enum result sim_world_create(const struct sim_capacity *capacity, float tick_hz, struct sim_world **world) {
    if (!(tick_hz >= 1.0f && tick_hz <= 1000.0f)) {
        return RESULT_INVALID;
    }
    struct sim_world *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return RESULT_MEMORY;
    }
    made->capacity = *capacity;
    sim_world_set_quota(made, NULL);
    made->tick_hz = tick_hz;
    made->state.parameters = sim_parameters_default();
    made->state.epoch = 1;
    lifecycle_own_room(made);
    made->simd = simd_kernels_of(0);
    if (memory_reserve(made) != RESULT_OK) {
        sim_world_destroy(made);
        return RESULT_MEMORY;
    }
    *world = made;
    return RESULT_OK;
}

unsigned sim_world_lanes(const struct sim_world *world) {
    return world->simd->lanes;
}

bool sim_world_set_lanes(struct sim_world *world, unsigned lanes) {
    const struct simd_kernels *kernels = lanes > 0 ? simd_kernels_of(lanes) : NULL;
    world->simd = kernels != NULL ? kernels : world->simd;
    return kernels != NULL;
}

void sim_world_destroy(struct sim_world *world) {
    if (world == NULL) {
        return;
    }
    memory_release(world);
    free(world);
}

void sim_world_clear(struct sim_world *world) {
    const struct sim_state before = world->state;
    world->state = (struct sim_state){.parameters = sim_parameters_default(),
                                      .epoch = before.epoch,
                                      .sequence = before.sequence,
                                      .room_particles = before.room_particles,
                                      .room_sticks = before.room_sticks};
    layout_changed(world);
}

void lifecycle_refresh(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].tethers_stale = true;
    }
    tether_resolve(world);
    obstacle_refresh(world);
    layout_stale(world);
    event_clear(world);
    world->capped = 0;
}

uint64_t sim_world_tick(const struct sim_world *world) {
    return world->state.tick;
}

uint32_t sim_world_epoch(const struct sim_world *world) {
    return world->state.epoch;
}

float sim_world_tick_hz(const struct sim_world *world) {
    return world->tick_hz;
}

struct sim_counts sim_world_counts(const struct sim_world *world) {
    const struct sim_state *state = &world->state;
    struct sim_counts counts = {
        .particles = state->particles,
        .sticks = state->sticks + state->free_sticks,
        .triangles = state->triangles,
        .tetrahedra = state->tetrahedra,
        .objects = state->objects,
        .obstacles = state->obstacles,
        .grabs = state->grabs,
    };
    for (uint32_t i = 0; i < state->objects; i++) {
        counts.pins += world->object[i].pins;
    }
    return counts;
}

struct sim_capacity sim_world_capacity(const struct sim_world *world) {
    return world->capacity;
}

struct sim_particles_view sim_world_particles(const struct sim_world *world) {
    return (struct sim_particles_view){
        .count = world->state.particles,
        .x = world->x,
        .y = world->y,
        .z = world->z,
        .dx = world->dx,
        .dy = world->dy,
        .dz = world->dz,
        .inverse_mass = world->w,
        .substep = world_substep_seconds(world),
    };
}
