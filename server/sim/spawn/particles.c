// SPDX-License-Identifier: MIT
// Loose particles.
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

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
    if (result == RESULT_OK && desc->collision && !(desc->radius > 0.0f)) {
        result = fault_set(fault, RESULT_INVALID, "/radius", "collision needs a radius above 0 m");
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
    made.self_collision = desc->collision;
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
