// SPDX-License-Identifier: MIT
// Adaptive relaxation: sweeps stop when no correction would exceed the tolerance, and not before.
#include "sim_fixture.h"

#include "sim/world/world.h" // to count work, and for nothing else

static enum result set_tolerance(struct sim_world *world, float tolerance, struct fault *fault) {
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.tolerance = tolerance;
    return sim_world_set_parameters(world, &parameters, fault);
}

static struct sim_world *new_cloth_world(uint32_t iterations, float tolerance, uint32_t *cloth) {
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    desc.columns = desc.rows = 20;
    desc.sheet.position = (struct vec3){0.0f, 10.0f, 0.0f};
    desc.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f}; // level, so that it swings
    desc.sheet.pins.preset = SIM_PIN_TOP_CORNERS;
    MUST(sim_cloth_spawn(world, &desc, cloth, &fault));
    set_solver(world, 1, iterations, 0.01f);
    MUST(set_tolerance(world, tolerance, &fault));
    return world;
}

// The largest stretch of the cloth's own sticks, as a share.
static double worst_stretch(const struct sim_world *world) {
    double worst = 0.0;
    for (uint32_t i = 0; i < world->state.sticks; i++) {
        const uint32_t a = world->stick_a[i];
        const uint32_t b = world->stick_b[i];
        const struct vec3 p = {world->x[a], world->y[a], world->z[a]};
        const struct vec3 q = {world->x[b], world->y[b], world->z[b]};
        const double share = fabs(distance_of(p, q) / (double)world->stick_rest[i] - 1.0);
        worst = share > worst ? share : worst;
    }
    return worst;
}

static void without_a_tolerance_every_sweep_is_made(void **state) {
    (void)state;
    uint32_t cloth = 0;
    struct sim_world *world = new_cloth_world(17, 0.0f, &cloth);
    step(world, 5);
    assert_int_equal(world->sticks_relaxed, 5 * 17 * world->state.sticks);
    sim_world_destroy(world);
}

static void sweeps_stop_once_every_stick_is_within_the_tolerance(void **state) {
    (void)state;
    uint32_t cloth = 0;
    struct sim_world *world = new_cloth_world(200, 0.02f, &cloth);
    uint64_t least = UINT64_MAX;
    for (unsigned tick = 0; tick < 60; tick++) {
        const uint64_t before = world->sticks_relaxed;
        step(world, 1);
        const uint64_t sweeps = (world->sticks_relaxed - before) / world->state.sticks;
        least = sweeps < least ? sweeps : least;
        assert_true(sweeps >= 1 && sweeps <= 200);
        assert_true(sweeps == 200 || worst_stretch(world) <= 0.0201);
    }
    assert_true(least < 20);
    sim_world_destroy(world);
}

static void a_tighter_tolerance_takes_more_sweeps(void **state) {
    (void)state;
    static const float tolerances[] = {0.2f, 0.05f, 0.01f, 0.0f};
    uint64_t work[4];
    for (unsigned i = 0; i < 4; i++) {
        uint32_t cloth = 0;
        struct sim_world *world = new_cloth_world(100, tolerances[i], &cloth);
        step(world, 60);
        work[i] = world->sticks_relaxed;
        sim_world_destroy(world);
    }
    assert_true(work[0] < work[1] && work[1] < work[2] && work[2] < work[3]);
}

static void a_tolerance_too_small_to_meet_changes_no_bit(void **state) {
    (void)state;
    uint32_t cloth = 0;
    struct fault fault;
    struct sim_world *without = new_cloth_world(9, 0.0f, &cloth);
    struct sim_world *with = new_cloth_world(9, 1e-9f, &cloth);
    step(without, 100);
    step(with, 100);
    MUST(set_tolerance(without, 0.0f, &fault));
    MUST(set_tolerance(with, 0.0f, &fault));
    assert_true(sim_world_hash(with) == sim_world_hash(without));
    sim_world_destroy(with);
    sim_world_destroy(without);
}

static void an_added_stick_out_of_tolerance_keeps_the_sweeps_going(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 1, 50, 0.0f);
    MUST(set_tolerance(world, 0.001f, &fault));
    const struct vec3 still = {0, 0, 0};
    const uint32_t a = spawn_particle(world, (struct vec3){0, 0, 0}, still, 1.0f);
    const uint32_t b = spawn_particle(world, (struct vec3){1, 0, 0}, still, 1.0f);
    const uint32_t c = spawn_particle(world, (struct vec3){2, 0, 0}, still, 1.0f);
    uint32_t stick = 0;
    MUST(sim_stick_add(world, (struct sim_stick_end){a, 0}, (struct sim_stick_end){b, 0}, 1.1f, SIM_STICK_EQUAL, 0.0f,
                       &stick, &fault));
    MUST(sim_stick_add(world, (struct sim_stick_end){b, 0}, (struct sim_stick_end){c, 0}, 1.1f, SIM_STICK_EQUAL, 0.0f,
                       &stick, &fault));
    step(world, 1);
    assert_true(fabs(distance_of(position_of(world, a, 0), position_of(world, b, 0)) - 1.1) < 0.0012);
    assert_true(fabs(distance_of(position_of(world, b, 0), position_of(world, c, 0)) - 1.1) < 0.0012);
    sim_world_destroy(world);
}

static void a_tolerance_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    static const float wrong[] = {-0.1f, 1.5f, NAN, INFINITY};
    for (unsigned i = 0; i < 4; i++) {
        struct fault fault;
        struct sim_world *world = new_world();
        assert_int_equal(set_tolerance(world, wrong[i], &fault), RESULT_INVALID);
        assert_string_equal(fault.pointer, "/tolerance");
        sim_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_tolerance_every_sweep_is_made),
        cmocka_unit_test(sweeps_stop_once_every_stick_is_within_the_tolerance),
        cmocka_unit_test(a_tighter_tolerance_takes_more_sweeps),
        cmocka_unit_test(a_tolerance_too_small_to_meet_changes_no_bit),
        cmocka_unit_test(an_added_stick_out_of_tolerance_keeps_the_sweeps_going),
        cmocka_unit_test(a_tolerance_out_of_range_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
