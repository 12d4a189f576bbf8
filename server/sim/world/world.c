// SPDX-License-Identifier: MIT
// A world's life, its parameters and the views into it.
#include "sim/world/world.h"
#include "sim/cloth_contact/cloth_contact.h"
#include "sim/contact/obstacle.h"
#include "sim/simd/simd.h"
#include "sim/state/memory.h"

#include <stdlib.h>

struct sim_capacity sim_capacity_default(void) {
    return (struct sim_capacity){.particles = 1000000,
                                 .sticks = 8000000,
                                 .triangles = 2000000,
                                 .objects = 100000,
                                 .obstacles = 1024,
                                 .shape_words = 16000000};
}

struct sim_parameters sim_parameters_default(void) {
    return (struct sim_parameters){
        .gravity = {0.0f, -9.81f, 0.0f},
        .substeps = 8,
        .iterations = 1,
        .square_root = SIM_SQUARE_ROOT_EXACT,
        .bounds_min = {-100.0f, -100.0f, -100.0f},
        .bounds_max = {100.0f, 100.0f, 100.0f},
        .friction = 0.5f,
        .air_density = 1.2f,
        .sleep = true,
    };
}

void sim_world_set_allowance(struct sim_world *world, const struct sim_allowance *allowance) {
    static const struct sim_allowance unlimited = {
        .most = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    world->allowance = allowance != NULL ? *allowance : unlimited;
}

void world_own_room(struct sim_world *world) {
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
    sim_world_set_allowance(made, NULL);
    made->tick_hz = tick_hz;
    made->state.parameters = sim_parameters_default();
    made->state.epoch = 1;
    world_own_room(made);
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
    world_layout_changed(world);
}

uint32_t world_next_sequence(struct sim_world *world) {
    if (world->state.sequence < UINT32_MAX) {
        world->state.sequence++;
    }
    return world->state.sequence;
}

void world_note_capped(struct sim_world *world, bool capped) {
    if (capped) {
        world->capped = world->state.sequence;
    }
}

uint32_t sim_world_sequence(const struct sim_world *world) {
    return world->state.sequence;
}

bool sim_world_last_capped(const struct sim_world *world) {
    return world->capped != 0 && world->capped == world->state.sequence;
}

enum result world_can_name(const struct sim_world *world, struct fault *fault) {
    if (world->state.sequence == UINT32_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "this world has used up its %u ids", UINT32_MAX);
    }
    return RESULT_OK;
}

void world_layout_changed(struct sim_world *world) {
    world->stick_plans_stale = true;
    world->state.epoch++;
    obstacle_refresh(world);
    world->free_sticks_stale = true;
    world->cloth_contacts->stale = true;
    world->spans_stale = true;
    grab_resolve(world);
}

struct vec3 world_within_bounds(const struct sim_world *world, struct vec3 p) {
    const struct vec3 low = world->state.parameters.bounds_min;
    const struct vec3 high = world->state.parameters.bounds_max;
    return vec3_of(scalar_clamp(p.x, low.x, high.x), scalar_clamp(p.y, low.y, high.y),
                   scalar_clamp(p.z, low.z, high.z));
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

// ---- parameters --------------------------------------------------------------------------------------------------

const struct sim_parameters *sim_world_parameters(const struct sim_world *world) {
    return &world->state.parameters;
}

static enum result check_counts(const struct sim_parameters *parameters, struct fault *fault) {
    if (parameters->substeps < 1 || parameters->substeps > SIM_SUBSTEPS_MAX) {
        return fault_set(fault, RESULT_INVALID, "/substeps", "substeps must be 1 to %u, got %u", SIM_SUBSTEPS_MAX,
                         parameters->substeps);
    }
    if (parameters->iterations < 1 || parameters->iterations > SIM_ITERATIONS_MAX) {
        return fault_set(fault, RESULT_INVALID, "/iterations", "iterations must be 1 to %u, got %u", SIM_ITERATIONS_MAX,
                         parameters->iterations);
    }
    if ((uint32_t)parameters->square_root >= SIM_SQUARE_ROOT_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/squareRoot", "squareRoot must be exact or approximate");
    }
    return RESULT_OK;
}

static enum result check_bounds(const struct sim_parameters *parameters, struct fault *fault) {
    enum result result = check_vector(parameters->bounds_min, SIM_POSITION_MAX, "m", "/bounds/min", fault);
    if (result == RESULT_OK) {
        result = check_vector(parameters->bounds_max, SIM_POSITION_MAX, "m", "/bounds/max", fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const struct vec3 size = vec3_sub(parameters->bounds_max, parameters->bounds_min);
    if (!(size.x > 0.0f && size.y > 0.0f && size.z > 0.0f)) {
        return fault_set(fault, RESULT_INVALID, "/bounds/max",
                         "bounds max must exceed min on every axis, got a box of %g × %g × %g m", (double)size.x,
                         (double)size.y, (double)size.z);
    }
    return RESULT_OK;
}

enum result world_check_parameters(const struct sim_parameters *parameters, struct fault *fault) {
    enum result result = check_vector(parameters->gravity, 10000.0f, "m/s²", "/gravity", fault);
    if (result == RESULT_OK && !(parameters->damping >= 0.0f && parameters->damping < 1.0f)) {
        result = fault_set(fault, RESULT_INVALID, "/damping", "damping must be at least 0 and below 1, got %g",
                           (double)parameters->damping);
    }
    if (result == RESULT_OK) {
        result = check_counts(parameters, fault);
    }
    if (result == RESULT_OK) {
        result = check_bounds(parameters, fault);
    }
    if (result == RESULT_OK) {
        result = check_friction(parameters->friction, fault);
    }
    if (result == RESULT_OK) {
        result = check_range(parameters->tolerance, 0.0f, 1.0f, "", "/tolerance", fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(parameters->wind_velocity, SIM_SPEED_MAX, "m/s", "/wind/velocity", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(parameters->wind_gust, 0.0f, 1.0f, "", "/wind/gust", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(parameters->air_density, 0.0f, SIM_AIR_DENSITY_MAX, "kg/m³", "/airDensity", fault);
    }
    return result;
}

// A displacement belongs to a substep's length, a velocity does not (PHYSICS.md 2.2).
static void scale_displacements(struct sim_world *world, float factor) {
    for (uint32_t i = 0; i < world->state.particles; i++) {
        world->dx[i] *= factor;
        world->dy[i] *= factor;
        world->dz[i] *= factor;
    }
}

static bool same_bounds(const struct sim_parameters *a, const struct sim_parameters *b) {
    const struct vec3 low = vec3_sub(a->bounds_min, b->bounds_min);
    const struct vec3 high = vec3_sub(a->bounds_max, b->bounds_max);
    return vec3_reach(low) == 0.0f && vec3_reach(high) == 0.0f;
}

enum result sim_world_set_parameters(struct sim_world *world, const struct sim_parameters *parameters,
                                     struct fault *fault) {
    const enum result result = world_check_parameters(parameters, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_parameters *now = &world->state.parameters;
    if (parameters->substeps != now->substeps) {
        scale_displacements(world, (float)now->substeps / (float)parameters->substeps);
    }
    const bool moved = !same_bounds(parameters, now);
    *now = *parameters;
    sleep_wake_all(world);
    if (moved) {
        world_layout_changed(world);
    }
    (void)world_next_sequence(world);
    return RESULT_OK;
}
