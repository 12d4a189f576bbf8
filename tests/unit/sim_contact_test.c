// SPDX-License-Identifier: MIT
// Contacts of particles with obstacles and bounds, and friction (server/sim/PHYSICS.md 4).
#include "sim_fixture.h"

static const struct vec3 still = {0.0f, 0.0f, 0.0f};

static uint32_t add_obstacle(struct sim_world *world, struct sim_obstacle shape) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_obstacle_add(world, &shape, &id, &fault));
    return id;
}

static void a_particle_comes_to_rest_its_radius_above_a_plane(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_PLANE, .normal = {0.0f, 3.0f, 0.0f}});
    const uint32_t id = spawn_particle(world, (struct vec3){0.0f, 1.0f, 0.0f}, still, 1.0f);
    step(world, 120);
    assert_true(fabs((double)position_of(world, id, 0).y - 0.05) < 1e-5);
    sim_world_destroy(world);
}

static void a_sphere_and_a_turned_box_keep_particles_out(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const float half_turn_about_z = 0.3826834f; // sin 22.5°: a box turned by 45°
    (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_SPHERE, .radius = 0.5f});
    (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_BOX,
                                                    .position = {10.0f, 0.0f, 0.0f},
                                                    .size = {2.0f, 2.0f, 2.0f},
                                                    .rotation = {0.0f, 0.0f, half_turn_about_z, 0.9238795f}});
    const uint32_t ball =
        spawn_particle(world, (struct vec3){0.0f, 3.0f, 0.0f}, (struct vec3){0.0f, -4.0f, 0.0f}, 1.0f);
    const uint32_t box =
        spawn_particle(world, (struct vec3){10.7f, 4.0f, 0.0f}, (struct vec3){0.0f, -4.0f, 0.0f}, 1.0f);
    for (unsigned tick = 0; tick < 120; tick++) {
        sim_world_step(world);
        assert_true(distance_of(position_of(world, ball, 0), still) > 0.55 - 1e-5);
        // The upper right face: x + y = √2, kept at a distance of 0.05.
        const struct vec3 p = position_of(world, box, 0);
        assert_true((double)(p.x - 10.0f + p.y) / sqrt(2.0) > 1.05 - 1e-5 || p.y < 0.7f);
    }
    sim_world_destroy(world);
}

static void what_a_command_puts_inside_an_obstacle_comes_out_without_speed(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_PLANE, .normal = {0.0f, 1.0f, 0.0f}});
    (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_BOX,
                                                    .position = {5.0f, 2.0f, 0.0f},
                                                    .size = {1.0f, 1.0f, 1.0f},
                                                    .rotation = {0.0f, 0.0f, 0.0f, 1.0f}});
    const uint32_t under = spawn_particle(world, (struct vec3){0.0f, -2.0f, 0.0f}, still, 1.0f);
    const uint32_t inside = spawn_particle(world, (struct vec3){5.3f, 2.1f, 0.0f}, still, 1.0f);
    step(world, 60);
    assert_true(fabs((double)position_of(world, under, 0).y - 0.05) < 1e-5);
    assert_true(fabs((double)position_of(world, inside, 0).x - 5.55) < 1e-5);
    sim_world_destroy(world);
}

// A plane inclined by `degrees`, both materials of friction μ: how far a particle slides in 1 s.
static double slide(double degrees, float mu) {
    struct fault fault;
    struct sim_world *world = new_world();
    const double angle = degrees * 3.14159265358979 / 180.0;
    const struct vec3 normal = {(float)sin(angle), (float)cos(angle), 0.0f};
    (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_PLANE, .normal = normal, .friction = mu});
    const float start[3] = {0.05f * normal.x, 0.05f * normal.y, 0.0f};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = start;
    desc.particles = 1;
    desc.friction = mu;
    uint32_t id = 0;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    step(world, 60);
    const double far = distance_of(position_of(world, id, 0), (struct vec3){start[0], start[1], 0.0f});
    sim_world_destroy(world);
    return far;
}

static void a_particle_on_an_incline_holds_or_slides_as_coulomb_says(void **state) {
    (void)state;
    assert_true(slide(25.0, 0.5f) < 1e-3); // tan 25° = 0.466
    assert_true(slide(30.0, 0.6f) < 1e-3); // tan 30° = 0.577
    const double angle = 30.0 * 3.14159265358979 / 180.0;
    const double expected = 0.5 * 9.81 * (sin(angle) - 0.3 * cos(angle));
    assert_true(fabs(slide(30.0, 0.3f) - expected) < 0.02 * expected);
    const double smooth = 0.5 * 9.81 * sin(angle);
    assert_true(fabs(slide(30.0, 0.0f) - smooth) < 0.02 * smooth);
}

// On the floor of the bounds, of friction 1, a material of 0.25: μ = √(1·0.25) = 0.5.
static void the_bounds_rub_with_the_root_of_both_frictions(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    parameters.friction = 1.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const float start[3] = {0.0f, 0.05f, 0.0f};
    const float velocity[3] = {3.0f, 0.0f, 0.0f};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = start;
    desc.velocities = velocity;
    desc.particles = 1;
    desc.friction = 0.25f;
    uint32_t id = 0;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    step(world, 30);
    assert_true(fabs((double)velocity_of(world, id, 0).x - (3.0 - 0.5 * 9.81 * 0.5)) < 0.02);
    step(world, 60);
    assert_true(fabs((double)position_of(world, id, 0).x - 3.0 * 3.0 / (2.0 * 0.5 * 9.81)) < 0.02);
    sim_world_destroy(world);
}

static void friction_never_reverses_motion(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    parameters.friction = 10.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const uint32_t id =
        spawn_particle(world, (struct vec3){0.0f, 0.05f, 0.0f}, (struct vec3){2.0f, -20.0f, 0.0f}, 1.0f);
    float before = 0.0f;
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(world);
        const float x = position_of(world, id, 0).x;
        assert_true(x >= before);
        before = x;
    }
    assert_true(velocity_of(world, id, 0).x == 0.0f);
    sim_world_destroy(world);
}

// ---- bounds ------------------------------------------------------------------------------------------------------

static void spawn_something(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    if (random_below(seed, 3) == 0) {
        struct sim_cloth_desc cloth = sim_cloth_desc_default();
        cloth.columns = 2 + random_below(seed, 12);
        cloth.rows = 2 + random_below(seed, 12);
        cloth.lattice = random_below(seed, 2) == 0 ? SIM_LATTICE_GRID : SIM_LATTICE_HEX;
        cloth.sheet.pins.preset = SIM_PIN_NONE;
        cloth.sheet.position = random_point(seed, 3.0f);
        MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    } else if (random_below(seed, 2) == 0) {
        struct sim_body_desc body = sim_body_desc_default();
        body.position = random_point(seed, 3.0f);
        body.velocity = random_point(seed, 300.0f);
        body.angular_velocity = random_point(seed, 200.0f);
        MUST(sim_body_spawn(world, &body, &id, &fault));
    } else {
        id = spawn_particle(world, random_point(seed, 4.0f), random_point(seed, 900.0f),
                            random_between(seed, 0.001f, 50.0f));
    }
    MUST(sim_force_apply(world, id, NULL, 0, random_point(seed, 5000.0f), 1 + random_below(seed, 30), &fault));
}

static void check_within(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    const struct sim_parameters *parameters = sim_world_parameters(world);
    for (uint32_t i = 0; i < p.count; i++) {
        assert_true(p.x[i] >= parameters->bounds_min.x && p.x[i] <= parameters->bounds_max.x);
        assert_true(p.y[i] >= parameters->bounds_min.y && p.y[i] <= parameters->bounds_max.y);
        assert_true(p.z[i] >= parameters->bounds_min.z && p.z[i] <= parameters->bounds_max.z);
        assert_true(isfinite(p.dx[i]) && isfinite(p.dy[i]) && isfinite(p.dz[i]));
    }
}

static void nothing_ever_leaves_the_bounds(void **state) {
    (void)state;
    uint64_t seed = new_seed("nothing_ever_leaves_the_bounds");
    for (unsigned round = 0; round < 20; round++) {
        struct fault fault;
        struct sim_world *world = new_world();
        struct sim_parameters parameters = *sim_world_parameters(world);
        parameters.bounds_min = (struct vec3){-3.0f, -2.0f, -1.0f};
        parameters.bounds_max = (struct vec3){2.0f, 2.5f, 3.0f};
        parameters.gravity = random_point(&seed, 50.0f);
        parameters.substeps = 1 + random_below(&seed, 8);
        parameters.iterations = 1 + random_below(&seed, 3);
        parameters.square_root = (enum sim_square_root)random_below(&seed, 2);
        parameters.wind_velocity = random_point(&seed, 60.0f);
        parameters.wind_gust = 1.0f;
        MUST(sim_world_set_parameters(world, &parameters, &fault));
        (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_SPHERE,
                                                        .position = random_point(&seed, 3.0f),
                                                        .radius = random_between(&seed, 0.1f, 2.0f),
                                                        .friction = 0.5f});
        (void)add_obstacle(world, (struct sim_obstacle){.shape = SIM_OBSTACLE_BOX,
                                                        .position = random_point(&seed, 3.0f),
                                                        .size = {1.0f, 2.0f, 0.5f},
                                                        .rotation = {0.2f, 0.4f, -0.1f, 0.7f},
                                                        .friction = 0.5f});
        for (unsigned i = 0; i < 8; i++) {
            spawn_something(world, &seed);
        }
        for (unsigned tick = 0; tick < 100; tick++) {
            sim_world_step(world);
            check_within(world);
        }
        sim_world_destroy(world);
    }
}

static void what_lies_outside_shrunken_bounds_is_set_inside_without_speed(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t id = spawn_particle(world, (struct vec3){80.0f, 0.0f, 0.0f}, still, 1.0f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_max.x = 10.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    step(world, 30);
    assert_true(position_of(world, id, 0).x == 10.0f - 0.05f);
    sim_world_destroy(world);
}

static uint32_t spawn_across(struct sim_world *world, enum sim_body_shape shape, struct vec3 position) {
    static const float corner[12] = {-0.3f, -0.2f, -0.2f, 0.3f, -0.2f, -0.2f, 0.0f, 0.4f, 0.0f, 0.0f, -0.2f, 0.5f};
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = shape;
    body.size = 0.5f;
    body.extents = (struct vec3){0.5f, 0.5f, 0.5f};
    if (shape == SIM_BODY_HULL) {
        body.vertices = corner;
        body.vertex_count = 4;
    }
    const struct sim_body_part ball = {
        .shape = SIM_BODY_SPHERE, .radius = 0.25f, .rotation = body.rotation, .density = 1.0f};
    body.radius = shape >= SIM_BODY_SPHERE ? 0.25f : 0.0f;
    body.length = 0.2f;
    body.parts = &ball;
    body.part_count = 1;
    body.position = position;
    MUST(sim_body_spawn(world, &body, &id, &fault));
    return id;
}

// A body is put through the floor and one wall; a figure stands to the hips in the floor.
static void what_begins_across_the_bounds_is_lifted_in_whole_and_does_not_fly(void **state) {
    (void)state;
    static const uint32_t substeps[] = {1, 8, 64};
    struct fault fault;
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned shape = 0; shape <= SIM_BODY_SHAPE_COUNT; shape++) {
            struct sim_world *world = new_world();
            struct sim_parameters parameters = *sim_world_parameters(world);
            parameters.bounds_min = (struct vec3){-2.0f, 0.0f, -2.0f};
            parameters.bounds_max = (struct vec3){2.0f, 4.0f, 2.0f};
            parameters.substeps = substeps[k];
            MUST(sim_world_set_parameters(world, &parameters, &fault));
            uint32_t id = 0;
            if (shape < SIM_BODY_SHAPE_COUNT) {
                id = spawn_across(world, (enum sim_body_shape)shape, (struct vec3){1.9f, 0.0f, 0.0f});
            } else {
                struct sim_ragdoll_desc figure = sim_ragdoll_desc_default();
                figure.position = (struct vec3){0.0f, 0.1f, 0.0f};
                MUST(sim_ragdoll_spawn(world, &figure, &id, &fault));
            }
            sim_world_step(world);
            for (uint32_t i = 0; i < view_of(world, id).particles; i++) {
                const double speed = distance_of(velocity_of(world, id, i), (struct vec3){0});
                if (!(speed < 1.0)) {
                    fail_msg("shape %u at %u substeps: particle %u has %g m/s", shape, substeps[k], i, speed);
                }
            }
            check_within(world);
            sim_world_destroy(world);
        }
    }
}

static double fastest_for(struct sim_world *world, unsigned ticks) {
    double fastest = 0.0;
    for (unsigned tick = 0; tick < ticks; tick++) {
        sim_world_step(world);
        for (uint32_t o = 0; o < sim_world_object_count(world); o++) {
            const struct sim_object_view view = sim_world_object_at(world, o);
            for (uint32_t i = 0; i < view.particles; i++) {
                fastest = fmax(fastest, distance_of(velocity_of(world, view.id, i), (struct vec3){0}));
            }
        }
    }
    return fastest;
}

static struct sim_world *world_with_floor(uint32_t substeps) {
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min = (struct vec3){-5.0f, 0.0f, -5.0f};
    parameters.bounds_max = (struct vec3){5.0f, 10.0f, 5.0f};
    parameters.substeps = substeps;
    parameters.iterations = substeps == 8 ? 1 : 4;
    parameters.damping = 0.02f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    return world;
}

// Round about what lies at `at`, and into it from all sides: between two of them it is jammed against the floor.
static struct sim_obstacle intruder(unsigned kind, unsigned k) {
    const float turn = 0.7f * (float)k;
    const float away = 0.02f * (float)(k % 12);
    const struct vec3 at = {away * cosf(turn), 0.25f + 0.3f * sinf(3.0f * turn), away * sinf(turn)};
    if (kind == 0) {
        return (struct sim_obstacle){.shape = SIM_OBSTACLE_SPHERE, .radius = 0.3f, .position = at};
    }
    if (kind == 1) {
        return (struct sim_obstacle){.shape = SIM_OBSTACLE_BOX,
                                     .size = {0.4f, 0.6f, 0.4f},
                                     .position = at,
                                     .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    }
    return (struct sim_obstacle){.shape = SIM_OBSTACLE_CAPSULE,
                                 .radius = 0.1f,
                                 .from = {at.x - 0.5f, at.y, at.z},
                                 .to = {at.x + 0.5f, at.y, at.z}};
}

// Bodies flew off at 20 to 900 m/s when each of their corners was pushed out by itself.
static void what_an_obstacle_is_put_into_is_let_out_softly(void **state) {
    (void)state;
    static const uint32_t substeps[] = {1, 8, 16};
    double fastest = 0.0;
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned k = 0; k < 12; k++) {
            for (unsigned shape = 0; shape < SIM_BODY_SHAPE_COUNT; shape++) {
                for (unsigned kind = 0; kind < 3; kind++) {
                    struct sim_world *world = world_with_floor(substeps[n]);
                    (void)spawn_across(world, (enum sim_body_shape)shape, (struct vec3){0.0f, 0.25f, 0.0f});
                    step(world, 30);
                    (void)add_obstacle(world, intruder(kind, k));
                    const double speed = fastest_for(world, 40);
                    if (!(speed < (substeps[n] == 1 ? 30.0 : 15.0))) {
                        fail_msg("shape %u at %u substeps, obstacle %u, %u: %g m/s", shape, substeps[n], kind, k,
                                 speed);
                    }
                    fastest = fmax(fastest, speed);
                    sim_world_destroy(world);
                }
            }
        }
    }
    print_message("what an obstacle is put into moves at most at %.1f m/s\n", fastest);
}

static void bodies_that_are_made_in_one_another_part_softly(void **state) {
    (void)state;
    static const uint32_t substeps[] = {1, 8, 16};
    double fastest = 0.0;
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned k = 0; k < 10; k++) {
            struct sim_world *world = world_with_floor(substeps[n]);
            (void)spawn_across(world, SIM_BODY_BOX, (struct vec3){0.0f, 0.25f, 0.0f});
            step(world, 10);
            const uint32_t id = spawn_across(world, (enum sim_body_shape)(k % SIM_BODY_SHAPE_COUNT),
                                             (struct vec3){0.04f * (float)k, 0.3f, 0.02f * (float)k});
            const double speed = fastest_for(world, 60);
            const struct vec3 centre = position_of(world, id, 0);
            if (!(speed < (substeps[n] == 1 ? 15.0 : 8.0))) {
                fail_msg("pair %u at %u substeps: %g m/s", k, substeps[n], speed);
            }
            assert_true(distance_of(centre, (struct vec3){0.0f, 0.25f, 0.0f}) > 0.1); // they do part
            fastest = fmax(fastest, speed);
            sim_world_destroy(world);
        }
    }
    print_message("bodies made in one another part at most at %.1f m/s\n", fastest);
}

// Bounds that rise under a body take it along: it lies on the new floor as it lay on the old one.
static void a_body_rises_with_the_floor_and_lies_on(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const uint32_t id = spawn_across(world, SIM_BODY_BOX, (struct vec3){0.0f, 0.25f, 0.0f});
    step(world, 60);
    const struct vec3 before = position_of(world, id, 0);
    parameters.bounds_min.y = 0.7f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    step(world, 60);
    const struct vec3 after = position_of(world, id, 0);
    assert_true(distance_of(after, (struct vec3){before.x, before.y + 0.7f, before.z}) < 0.01);
    assert_true(view_of(world, id).asleep);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_comes_to_rest_its_radius_above_a_plane),
        cmocka_unit_test(a_sphere_and_a_turned_box_keep_particles_out),
        cmocka_unit_test(what_a_command_puts_inside_an_obstacle_comes_out_without_speed),
        cmocka_unit_test(a_particle_on_an_incline_holds_or_slides_as_coulomb_says),
        cmocka_unit_test(the_bounds_rub_with_the_root_of_both_frictions),
        cmocka_unit_test(friction_never_reverses_motion),
        cmocka_unit_test(nothing_ever_leaves_the_bounds),
        cmocka_unit_test(what_lies_outside_shrunken_bounds_is_set_inside_without_speed),
        cmocka_unit_test(what_begins_across_the_bounds_is_lifted_in_whole_and_does_not_fly),
        cmocka_unit_test(what_an_obstacle_is_put_into_is_let_out_softly),
        cmocka_unit_test(bodies_that_are_made_in_one_another_part_softly),
        cmocka_unit_test(a_body_rises_with_the_floor_and_lies_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
