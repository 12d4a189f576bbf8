// SPDX-License-Identifier: MIT
// What the tests of the simulation core share: a small world, calls that must succeed, and a printed-seed generator.
// Nothing but the core is linked for them: they are also the proof that it works without a server.
#ifndef WEFT_TESTS_SIM_FIXTURE_H
#define WEFT_TESTS_SIM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/sim.h"

#define TICK_HZ 60.0f

static inline void must(enum result result, const struct fault *fault) {
    if (result != RESULT_OK) {
        fail_msg("refused (%d): %s: %s", (int)result, fault->pointer, fault->message);
    }
}

// Calls that have to work; `fault` is a local of the test.
#define MUST(call) must((call), &fault)

static inline struct sim_world *new_world(void) {
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {.particles = 20000,
                                          .sticks = 100000,
                                          .triangles = 40000,
                                          .objects = 100,
                                          .obstacles = 20,
                                          .shape_words = 1000000};
    assert_int_equal(sim_world_create(&capacity, TICK_HZ, &world), RESULT_OK);
    return world;
}

static inline void set_solver(struct sim_world *world, uint32_t substeps, uint32_t iterations, float damping) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.substeps = substeps;
    parameters.iterations = iterations;
    parameters.damping = damping;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static inline void set_gravity(struct sim_world *world, float x, float y, float z) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.gravity = (struct vec3){x, y, z};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static inline void set_vacuum(struct sim_world *world) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.air_density = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static inline uint32_t spawn_particle(struct sim_world *world, struct vec3 position, struct vec3 velocity, float mass) {
    struct fault fault;
    uint32_t id = 0;
    const float p[3] = {position.x, position.y, position.z};
    const float v[3] = {velocity.x, velocity.y, velocity.z};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = p;
    desc.velocities = v;
    desc.masses = &mass;
    desc.particles = 1;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    return id;
}

// A cloth that lies level and comes down, and that meets itself.
static inline struct sim_cloth_desc level_cloth(uint32_t side, float height) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = side;
    cloth.sheet.position = (struct vec3){0.0f, height, 0.0f};
    cloth.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.thickness = 0.02f;
    cloth.sheet.self_collision = true;
    return cloth;
}

static inline struct sim_object_view view_of(const struct sim_world *world, uint32_t object) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, object, &view, &fault));
    return view;
}

static inline struct vec3 position_of(const struct sim_world *world, uint32_t object, uint32_t index) {
    const struct sim_object_view view = view_of(world, object);
    assert_true(index < view.particles);
    const struct sim_particles_view particles = sim_world_particles(world);
    const uint32_t slot = view.first + index;
    return (struct vec3){particles.x[slot], particles.y[slot], particles.z[slot]};
}

static inline struct vec3 velocity_of(const struct sim_world *world, uint32_t object, uint32_t index) {
    const struct sim_object_view view = view_of(world, object);
    assert_true(index < view.particles);
    const struct sim_particles_view p = sim_world_particles(world);
    const uint32_t slot = view.first + index;
    return (struct vec3){p.dx[slot] / p.substep, p.dy[slot] / p.substep, p.dz[slot] / p.substep};
}

static inline uint32_t count_asleep(const struct sim_world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sim_world_object_count(world); i++) {
        count += sim_world_object_at(world, i).asleep ? 1 : 0;
    }
    return count;
}

// The speed of the fastest particle, in m/s.
static inline double fastest_of(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    double most = 0.0;
    for (uint32_t i = 0; i < p.count; i++) {
        const double squared = (double)(p.dx[i] * p.dx[i] + p.dy[i] * p.dy[i] + p.dz[i] * p.dz[i]);
        most = fmax(most, sqrt(squared) / (double)p.substep);
    }
    return most;
}

static inline double distance_of(struct vec3 a, struct vec3 b) {
    const double x = (double)a.x - (double)b.x;
    const double y = (double)a.y - (double)b.y;
    const double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static inline void step(struct sim_world *world, unsigned ticks) {
    for (unsigned i = 0; i < ticks; i++) {
        sim_world_step(world);
    }
}

// ---- random worlds -----------------------------------------------------------------------------------------------

// The seed of a property test: WEFT_SEED, or the clock; printed, so that a failure can be run again.
static inline uint64_t new_seed(const char *test) {
    const char *given = getenv("WEFT_SEED");
    const uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 2654435761u;
    print_message("%s: WEFT_SEED=%llu\n", test, (unsigned long long)seed);
    return seed;
}

// splitmix64
static inline uint64_t random_next(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit) {
    return (uint32_t)(random_next(state) >> 32) % limit;
}

static inline float random_between(uint64_t *state, float low, float high) {
    return low + (high - low) * (float)((double)(random_next(state) >> 11) / 9007199254740992.0);
}

static inline struct vec3 random_point(uint64_t *state, float reach) {
    struct vec3 point;
    point.x = random_between(state, -reach, reach);
    point.y = random_between(state, -reach, reach);
    point.z = random_between(state, -reach, reach);
    return point;
}

#endif
