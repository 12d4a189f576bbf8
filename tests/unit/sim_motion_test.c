// SPDX-License-Identifier: MIT
// Integration: free fall, damping, forces, pins, the speed limit (server/sim/PHYSICS.md 2).
#include "sim_fixture.h"

static const struct vec3 still = {0.0f, 0.0f, 0.0f};

static double fall_error(uint32_t substeps) {
    struct sim_world *world = new_world();
    set_solver(world, substeps, 1, 0.0f);
    const uint32_t id = spawn_particle(world, (struct vec3){0.0f, 50.0f, 0.0f}, still, 1.0f);
    step(world, 120);
    const double n = 120.0 * substeps;
    const double h = 1.0 / (60.0 * substeps);
    const double expected = 9.81 * h * h * n * (n + 1.0) / 2.0;
    const double fallen = 50.0 - (double)position_of(world, id, 0).y;
    sim_world_destroy(world);
    return fabs(fallen - expected) / expected;
}

static void free_fall_from_fifty_metres_is_exact_to_2e5_with_1_4_and_16_substeps(void **state) {
    (void)state;
    const uint32_t substeps[] = {1, 4, 16};
    for (size_t i = 0; i < 3; i++) {
        const double error = fall_error(substeps[i]);
        print_message("%2u substeps: relative error %.2e\n", substeps[i], error);
        assert_true(error < 2e-5);
    }
}

static void damping_takes_its_share_each_tick_whatever_the_substeps(void **state) {
    (void)state;
    const uint32_t substeps[] = {1, 5, 64};
    for (size_t i = 0; i < 3; i++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, substeps[i], 1, 0.1f);
        const uint32_t id = spawn_particle(world, still, (struct vec3){2.0f, 0.0f, 0.0f}, 1.0f);
        step(world, 10);
        const double expected = 2.0 * pow(0.9, 10.0);
        assert_true(fabs((double)velocity_of(world, id, 0).x - expected) < 1e-4);
        sim_world_destroy(world);
    }
}

static void a_change_of_substeps_keeps_the_velocity(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t id = spawn_particle(world, still, (struct vec3){3.0f, -1.0f, 0.5f}, 1.0f);
    set_solver(world, 3, 1, 0.0f);
    assert_true(fabs((double)velocity_of(world, id, 0).x - 3.0) < 1e-5);
    step(world, 60);
    assert_true(fabs((double)position_of(world, id, 0).x - 3.0) < 1e-4);
    sim_world_destroy(world);
}

// Without the reset of the accumulator the force would act for ever, and grow where it is applied anew.
static void a_force_acts_for_its_ticks_and_no_longer(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t id = spawn_particle(world, still, still, 2.0f);
    MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){12.0f, 0.0f, 0.0f}, 3, &fault));
    step(world, 3);
    const float after = velocity_of(world, id, 0).x;
    assert_true(fabs((double)after - 12.0 / 2.0 * 3.0 / 60.0) < 1e-6);
    step(world, 30);
    assert_true(velocity_of(world, id, 0).x == after);
    sim_world_destroy(world);
}

static void a_force_is_spread_so_that_its_total_is_what_was_asked(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_vacuum(world);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 7;
    cloth.rows = 5;
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    uint32_t id = 0;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    const uint32_t some[] = {0, 8, 17};
    MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){0.0f, 6.0f, 0.0f}, 2, &fault));
    MUST(sim_force_apply(world, id, some, 3, (struct vec3){0.0f, 0.0f, 1.5f}, 1, &fault));
    step(world, 4);
    double y = 0.0;
    double z = 0.0;
    for (uint32_t i = 0; i < 35; i++) {
        const double mass = 1.0 / (double)sim_particle_own_inverse_mass(world, i);
        y += mass * (double)velocity_of(world, id, i).y;
        z += mass * (double)velocity_of(world, id, i).z;
    }
    assert_true(fabs(y - 6.0 * 2.0 / 60.0) < 1e-4);
    assert_true(fabs(z - 1.5 / 60.0) < 1e-4);
    sim_world_destroy(world);
}

static void a_pinned_particle_ignores_every_force(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){9.0f, 1.0f, 4.0f};
    parameters.wind_gust = 1.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const struct sim_cloth_desc cloth = sim_cloth_desc_default();
    uint32_t id = 0;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    const struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .position = {-0.4f, 0.4f, 0.0f}, .radius = 0.2f};
    uint32_t obstacle = 0;
    MUST(sim_obstacle_add(world, &ball, &obstacle, &fault));
    MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){50.0f, -80.0f, 20.0f}, 1000, &fault));
    const struct vec3 left = position_of(world, id, 0);
    const struct vec3 right = position_of(world, id, 19);
    for (unsigned tick = 0; tick < 200; tick++) {
        sim_world_step(world);
        assert_true(distance_of(position_of(world, id, 0), left) == 0.0);
        assert_true(distance_of(position_of(world, id, 19), right) == 0.0);
        assert_true(distance_of(velocity_of(world, id, 0), still) == 0.0);
    }
    sim_world_destroy(world);
}

static void an_unpinned_particle_has_its_own_mass_again_and_starts_from_rest(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, still, (struct vec3){5.0f, 0.0f, 0.0f}, 4.0f);
    const uint32_t index = 0;
    const struct vec3 there = {1.0f, 2.0f, 3.0f};
    MUST(sim_particle_pin(world, id, &index, 1, &there, &fault));
    assert_true(sim_world_particles(world).inverse_mass[0] == 0.0f);
    assert_int_equal(sim_world_counts(world).pins, 1);
    step(world, 5);
    assert_true(distance_of(position_of(world, id, 0), there) == 0.0);
    MUST(sim_particle_unpin(world, id, &index, 1, &fault));
    assert_true(sim_world_particles(world).inverse_mass[0] == 0.25f);
    assert_int_equal(sim_world_counts(world).pins, 0);
    step(world, 1);
    assert_true(velocity_of(world, id, 0).x == 0.0f);
    assert_true(velocity_of(world, id, 0).y < 0.0f);
    sim_world_destroy(world);
}

static void a_particle_of_no_inverse_mass_is_immovable_until_it_has_one(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, still, (struct vec3){5.0f, 0.0f, 0.0f}, 1.0f);
    const uint32_t index = 0;
    MUST(sim_particle_set_inverse_mass(world, id, &index, 1, 0.0f, &fault));
    step(world, 10);
    assert_true(distance_of(position_of(world, id, 0), still) == 0.0);
    MUST(sim_particle_set_inverse_mass(world, id, &index, 1, 2.0f, &fault));
    step(world, 10);
    assert_true(position_of(world, id, 0).y < 0.0f);
    sim_world_destroy(world);
}

static void a_teleport_stops_and_a_push_drives(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t id = spawn_particle(world, still, (struct vec3){6.0f, 0.0f, 0.0f}, 1.0f);
    MUST(sim_particle_move(world, id, 0, (struct vec3){1.0f, 0.0f, 0.0f}, SIM_MOVE_TELEPORT, &fault));
    step(world, 1);
    assert_true(position_of(world, id, 0).x == 1.0f);
    MUST(sim_particle_move(world, id, 0, (struct vec3){1.01f, 0.0f, 0.0f}, SIM_MOVE_PUSH, &fault));
    step(world, 1);
    assert_true(fabs((double)position_of(world, id, 0).x - 1.09) < 1e-5);
    sim_world_destroy(world);
}

static void nothing_is_faster_than_the_speed_limit(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min = (struct vec3){-90000.0f, -90000.0f, -90000.0f};
    parameters.bounds_max = (struct vec3){90000.0f, 90000.0f, 90000.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const uint32_t id = spawn_particle(world, still, still, 1e-6f);
    MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){1e9f, 1e9f, -1e9f}, 60, &fault));
    for (unsigned i = 0; i < 60; i++) {
        sim_world_step(world);
        const double speed = distance_of(velocity_of(world, id, 0), still);
        assert_true(speed <= 1000.1);
    }
    assert_true(fabs(distance_of(position_of(world, id, 0), still) - 1000.0) < 1.0);
    sim_world_destroy(world);
}

static void wind_carries_a_light_sheet_and_never_faster_than_it_blows(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.gravity = still;
    parameters.wind_velocity = (struct vec3){0.0f, 0.0f, 40.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.areal_density = 0.001f;
    uint32_t id = 0;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(world);
        assert_true(velocity_of(world, id, 210).z < 40.5f);
    }
    assert_true(velocity_of(world, id, 210).z > 30.0f);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_from_fifty_metres_is_exact_to_2e5_with_1_4_and_16_substeps),
        cmocka_unit_test(damping_takes_its_share_each_tick_whatever_the_substeps),
        cmocka_unit_test(a_change_of_substeps_keeps_the_velocity),
        cmocka_unit_test(a_force_acts_for_its_ticks_and_no_longer),
        cmocka_unit_test(a_force_is_spread_so_that_its_total_is_what_was_asked),
        cmocka_unit_test(a_pinned_particle_ignores_every_force),
        cmocka_unit_test(an_unpinned_particle_has_its_own_mass_again_and_starts_from_rest),
        cmocka_unit_test(a_particle_of_no_inverse_mass_is_immovable_until_it_has_one),
        cmocka_unit_test(a_teleport_stops_and_a_push_drives),
        cmocka_unit_test(nothing_is_faster_than_the_speed_limit),
        cmocka_unit_test(wind_carries_a_light_sheet_and_never_faster_than_it_blows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
