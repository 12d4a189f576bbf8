// SPDX-License-Identifier: MIT
// Particles and ropes that collide: a heap, what lies on cloth, momentum in free flight, added sticks, refusals.
#include "sim_fixture.h"
#include "threads.h"

#define RADIUS 0.05f

static uint32_t spawn_balls(struct sim_world *world, const float *positions, const float *velocities, uint32_t count,
                            float radius, float friction) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.velocities = velocities;
    desc.particles = count;
    desc.radius = radius;
    desc.friction = friction;
    desc.collision = true;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    return id;
}

static void set_floor(struct sim_world *world) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

// ---- a heap ------------------------------------------------------------------------------------------------------

#define HEAP 150u

static struct sim_world *heap_world(void) {
    static float positions[3 * HEAP];
    struct sim_world *world = new_world();
    set_solver(world, 8, 8, 0.01f);
    set_floor(world);
    uint64_t seed = 26;
    for (uint32_t i = 0; i < HEAP; i++) {
        positions[3 * i] = 0.15f * (float)(i % 3) + 1e-3f * (float)(random_next(&seed) % 40);
        positions[3 * i + 1] = 0.1f + 0.11f * (float)(i / 9);
        positions[3 * i + 2] = 0.15f * (float)(i / 3 % 3) + 1e-3f * (float)(random_next(&seed) % 40);
    }
    (void)spawn_balls(world, positions, NULL, HEAP, RADIUS, 0.6f);
    return world;
}

static void a_heap_of_particles_stands(void **state) {
    (void)state;
    struct sim_world *world = heap_world();
    double nearest = HUGE_VAL;
    for (unsigned tick = 0; tick < 600; tick++) {
        step(world, 1);
        nearest = fmin(nearest, threads_nearest(world, 0.0));
    }
    const struct sim_particles_view p = sim_world_particles(world);
    double height = 0.0;
    for (uint32_t i = 0; i < p.count; i++) {
        height = fmax(height, (double)p.y[i] + (double)RADIUS);
    }
    print_message(
        "a heap of %u particles: no pair nearer than %.3f of the sum of radii, height %.2f diameters, asleep: %u\n",
        HEAP, nearest / (2.0 * (double)RADIUS), height / (2.0 * (double)RADIUS), count_asleep(world));
    assert_true(nearest >= 0.9 * 2.0 * (double)RADIUS && height >= 2.0 * 2.0 * (double)RADIUS);
    sim_world_destroy(world);
}

static void a_heap_is_the_same_with_every_vector_width(void **state) {
    (void)state;
    static const unsigned lanes[] = {4, 8, 16};
    uint64_t expected = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct sim_world *world = heap_world();
        if (sim_world_set_lanes(world, lanes[i])) {
            step(world, 60);
            expected = expected == 0 ? sim_world_hash(world) : expected;
            assert_true(sim_world_hash(world) == expected);
        }
        sim_world_destroy(world);
    }
}

// ---- on cloth ----------------------------------------------------------------------------------------------------

static void a_hanging_cloth_holds_particles_and_a_rope(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0;
    float positions[3 * 16];
    struct sim_world *world = new_world();
    set_solver(world, 8, 8, 0.02f);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 24;
    cloth.spacing = 0.05f;
    cloth.sheet.position = (struct vec3){0.0f, 1.0f, 0.0f};
    cloth.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_CORNERS;
    cloth.sheet.thickness = 0.01f;
    cloth.sheet.mass = 0.5f;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    for (uint32_t i = 0; i < 16; i++) {
        positions[3 * i] = 0.12f * (float)(i % 4) - 0.18f;
        positions[3 * i + 1] = 1.2f;
        positions[3 * i + 2] = 0.12f * (float)(i / 4) - 0.18f;
    }
    float masses[16];
    for (uint32_t i = 0; i < 16; i++) {
        masses[i] = 0.02f;
    }
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.masses = masses;
    desc.particles = 16;
    desc.radius = 0.03f;
    desc.collision = true;
    uint32_t balls = 0;
    MUST(sim_particles_spawn(world, &desc, &balls, &fault));
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){-0.4f, 1.4f, 0.05f};
    rope.to = (struct vec3){0.4f, 1.4f, -0.05f};
    rope.particles = 40;
    rope.mass = 0.1f;
    rope.pins.preset = SIM_PIN_NONE;
    rope.thickness = 0.02f;
    rope.collision = true;
    uint32_t laid = 0;
    MUST(sim_rope_spawn(world, &rope, &laid, &fault));
    step(world, 600);
    unsigned below = 0;
    for (uint32_t i = 0; i < 16; i++) {
        below += position_of(world, balls, i).y < 0.3f ? 1 : 0;
    }
    for (uint32_t i = 0; i < 40; i++) {
        below += position_of(world, laid, i).y < 0.3f ? 1 : 0;
    }
    print_message("a hanging cloth with 16 particles and a rope on it: %u particles have fallen through in 10 s\n",
                  below);
    assert_int_equal(below, 0);
    sim_world_destroy(world);
}

// ---- free flight -------------------------------------------------------------------------------------------------

struct motion {
    double momentum[3], angular[3], size, turning; // size and turning: sums over the particles
    double energy;
};

static struct motion motion_of(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    struct motion m = {.energy = 0.0};
    for (uint32_t i = 0; i < p.count; i++) {
        const double mass = 1.0 / (double)p.inverse_mass[i];
        const double x[3] = {(double)p.x[i], (double)p.y[i], (double)p.z[i]};
        const double h = (double)p.substep;
        const double v[3] = {(double)p.dx[i] / h, (double)p.dy[i] / h, (double)p.dz[i] / h};
        for (unsigned k = 0; k < 3; k++) {
            m.momentum[k] += mass * v[k];
            m.angular[k] += mass * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
            m.energy += 0.5 * mass * v[k] * v[k];
        }
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        m.size += mass * speed;
        m.turning += mass * speed * sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    return m;
}

static double off_by(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// Balls that fly at one another and at a rope that turns.
static void momentum_stays_and_energy_does_not_grow_in_free_flight(void **state) {
    (void)state;
    struct fault fault;
    float positions[3 * 60];
    float velocities[3 * 60];
    uint64_t seed = 7;
    struct sim_world *world = new_world();
    set_solver(world, 8, 8, 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_vacuum(world);
    for (uint32_t i = 0; i < 60; i++) {
        positions[3 * i] = 0.15f * (float)(i % 5) - 0.3f;
        positions[3 * i + 1] = 0.15f * (float)(i / 5 % 4) + 0.1f;
        positions[3 * i + 2] = 0.15f * (float)(i / 20) - 0.15f;
        for (unsigned k = 0; k < 3; k++) {
            velocities[3 * i + k] = -2.0f * positions[3 * i + k] + 1e-3f * (float)(random_next(&seed) % 500);
        }
    }
    (void)spawn_balls(world, positions, velocities, 60, RADIUS, 0.0f);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){-0.5f, 0.0f, 0.0f};
    rope.to = (struct vec3){0.5f, 0.0f, 0.0f};
    rope.particles = 40;
    rope.pins.preset = SIM_PIN_NONE;
    rope.thickness = 0.02f;
    rope.friction = 0.0f;
    rope.collision = true;
    rope.projection = SIM_PROJECTION_START;
    uint32_t id = 0;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    const float h = sim_world_particles(world).substep;
    for (uint32_t k = 0; k < 40; k++) {
        struct vec3 p = position_of(world, id, k);
        p.z += 2.0f * p.x * h;
        MUST(sim_particle_move(world, id, k, p, SIM_MOVE_PUSH, &fault));
    }
    const struct motion before = motion_of(world);
    double most = before.energy;
    double grown = 0.0;
    for (unsigned tick = 0; tick < 600; tick++) {
        step(world, 1);
        const double energy = motion_of(world).energy;
        grown = fmax(grown, energy / most - 1.0);
        most = fmin(most, energy);
    }
    const struct motion after = motion_of(world);
    const double linear = 100.0 * off_by(before.momentum, after.momentum) / before.size;
    const double angular = 100.0 * off_by(before.angular, after.angular) / before.turning;
    print_message(
        "60 particles and a rope that meet in flight: momentum off by %.5f %%, angular momentum by %.5f %% in "
        "10 s; energy %.1f %% of what it was, and it never grows by more than %.5f %%\n",
        linear, angular, 100.0 * after.energy / before.energy, 100.0 * grown);
    assert_true(linear < 0.1 && angular < 0.1 && grown < 1e-3);
    sim_world_destroy(world);
}

// ---- added sticks, places that coincide, refusals ----------------------------------------------------------------

static void what_a_short_stick_joins_does_not_collide(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const float positions[6] = {0.0f, 0.0f, 0.0f, 0.04f, 0.0f, 0.0f};
    const uint32_t balls = spawn_balls(world, positions, NULL, 2, RADIUS, 0.5f);
    uint32_t id = 0;
    MUST(sim_stick_add(world, (struct sim_stick_end){balls, 0}, (struct sim_stick_end){balls, 1}, 0.04f,
                       SIM_STICK_EQUAL, 0.0f, &id, &fault));
    step(world, 60);
    assert_true(fabs(distance_of(position_of(world, balls, 0), position_of(world, balls, 1)) - 0.04) < 1e-4);
    MUST(sim_stick_remove(world, id, &fault));
    step(world, 60);
    assert_true(distance_of(position_of(world, balls, 0), position_of(world, balls, 1)) > 0.099);
    sim_world_destroy(world);
}

static void a_straight_rope_thicker_than_its_links_stays_as_it_is(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){-0.1f, 0.0f, 0.0f};
    rope.to = (struct vec3){0.1f, 0.0f, 0.0f};
    rope.particles = 40;
    rope.pins.preset = SIM_PIN_NONE;
    rope.thickness = 0.03f;
    rope.collision = true;
    uint32_t id = 0;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    step(world, 60);
    assert_true(fastest_of(world) < 1e-6);
    assert_true(fabs(distance_of(position_of(world, id, 0), position_of(world, id, 39)) - 0.2) < 1e-5);
    sim_world_destroy(world);
}

static void particles_in_one_place_come_apart(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const float positions[6] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    const uint32_t balls = spawn_balls(world, positions, NULL, 2, RADIUS, 0.5f);
    step(world, 120);
    assert_true(distance_of(position_of(world, balls, 0), position_of(world, balls, 1)) > 0.099);
    sim_world_destroy(world);
}

static void collision_needs_a_radius_or_a_thickness(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const float position[3] = {0.0f, 1.0f, 0.0f};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = position;
    desc.particles = 1;
    desc.radius = 0.0f;
    desc.collision = true;
    assert_int_equal(sim_particles_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/radius");
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to = (struct vec3){1.0f, 0.0f, 0.0f};
    rope.collision = true;
    assert_int_equal(sim_rope_spawn(world, &rope, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/thickness");
    assert_int_equal(sim_world_object_count(world), 0);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_of_particles_stands),
        cmocka_unit_test(a_heap_is_the_same_with_every_vector_width),
        cmocka_unit_test(a_hanging_cloth_holds_particles_and_a_rope),
        cmocka_unit_test(momentum_stays_and_energy_does_not_grow_in_free_flight),
        cmocka_unit_test(what_a_short_stick_joins_does_not_collide),
        cmocka_unit_test(a_straight_rope_thicker_than_its_links_stays_as_it_is),
        cmocka_unit_test(particles_in_one_place_come_apart),
        cmocka_unit_test(collision_needs_a_radius_or_a_thickness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
