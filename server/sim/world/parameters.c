// SPDX-License-Identifier: MIT
// Parameters of a world: defaults, checks, and what follows from a change.
#include "sim/world/parameters.h"

#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

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

struct vec3 world_within_bounds(const struct sim_world *world, struct vec3 p) {
    const struct vec3 low = world->state.parameters.bounds_min;
    const struct vec3 high = world->state.parameters.bounds_max;
    return vec3_of(scalar_clamp(p.x, low.x, high.x), scalar_clamp(p.y, low.y, high.y),
                   scalar_clamp(p.z, low.z, high.z));
}

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

enum result parameters_check(const struct sim_parameters *parameters, struct fault *fault) {
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

// A displacement depends on the length of a substep, a velocity does not (PHYSICS.md 2.2).
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
    const enum result result = parameters_check(parameters, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_parameters *now = &world->state.parameters;
    if (parameters->substeps != now->substeps) {
        scale_displacements(world, (float)now->substeps / (float)parameters->substeps);
    }
    const bool moved = !same_bounds(parameters, now);
    *now = *parameters;
    wake_all(world);
    if (moved) {
        layout_changed(world);
    }
    (void)sequence_next(world);
    return RESULT_OK;
}
