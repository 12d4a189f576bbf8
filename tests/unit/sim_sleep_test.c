// SPDX-License-Identifier: MIT
// Sleep: what is at rest falls asleep, costs nothing, and is part of the state. What wakes it: sim_wake_test.c.
#include "sim_sleep.h"

// ---- falling asleep ----------------------------------------------------------------------------------------------

static void a_thing_at_rest_falls_asleep_and_it_is_told_once(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    add_floor(world);
    const uint32_t rope = lay_rope(world, 0.0f, 0.0f);
    unsigned slept = 0;
    for (unsigned tick = 0; tick < 180; tick++) {
        sim_world_step(world);
        slept += told(world, SIM_EVENT_SLEPT, rope);
    }
    assert_true(is_asleep(world, rope));
    assert_int_equal(slept, 1);
    const struct vec3 velocity = velocity_of(world, rope, 3);
    assert_true(velocity.x == 0.0f && velocity.y == 0.0f && velocity.z == 0.0f);
    sim_world_destroy(world);
}

static void a_thing_is_told_asleep_half_a_second_after_it_came_to_rest(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t particle = spawn_particle(world, (struct vec3){0, 0, 0}, (struct vec3){0, 0, 0}, 1.0f);
    step(world, 29);
    assert_false(is_asleep(world, particle));
    step(world, 1);
    assert_true(is_asleep(world, particle));
    assert_int_equal(told(world, SIM_EVENT_SLEPT, particle), 1);
    sim_world_destroy(world);
}

static void what_is_thrown_up_stays_awake_at_the_top(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t particle = spawn_particle(world, (struct vec3){0, 0, 0}, (struct vec3){0, 9.81f, 0}, 1.0f);
    for (unsigned tick = 0; tick < 240; tick++) {
        sim_world_step(world);
        assert_false(is_asleep(world, particle));
    }
    sim_world_destroy(world);
}

// How far to the side its free end lies when a rope let go at an angle of 0.3 falls asleep, in shares of its length.
static double end_of_a_swing(uint32_t substeps, uint32_t iterations, float length) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    set_solver(world, substeps, iterations, 0.01f);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){0.0f, 20.0f, 0.0f};
    rope.to = (struct vec3){0.29552f * length, 20.0f - 0.95534f * length, 0.0f};
    rope.particles = 20;
    rope.pins.preset = SIM_PIN_START;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    for (unsigned tick = 0; tick < 3600 && !is_asleep(world, id); tick++) {
        sim_world_step(world);
    }
    assert_true(is_asleep(world, id));
    const double off = fabs((double)position_of(world, id, 19).x) / (double)length;
    sim_world_destroy(world);
    return off;
}

static void what_swings_stays_awake_where_it_turns_round(void **state) {
    (void)state;
    static const uint32_t settings[3][2] = {{1, 32}, {1, 8}, {8, 4}};
    double worst = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned length = 1; length <= 8; length *= 2) {
            worst = fmax(worst, end_of_a_swing(settings[i][0], settings[i][1], (float)length));
        }
    }
    print_message("a rope that swings falls asleep within %.2f %% of its length from the plumb line\n", 100.0 * worst);
    assert_true(worst < 0.001);
}

// A tetrahedron on an added stick.
static void a_body_that_hangs_on_a_stick_stays_awake_until_it_hangs_still(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 1, 16, 0.01f);
    const uint32_t index = 0;
    uint32_t stick = 0;
    const uint32_t nail = spawn_particle(world, (struct vec3){0, 10, 0}, (struct vec3){0, 0, 0}, 1.0f);
    const uint32_t body = spawn_tetrahedron(world, (struct vec3){0.6f, 8.0f, 0.0f});
    MUST(sim_particle_pin(world, nail, &index, 1, NULL, &fault));
    MUST(sim_stick_add(world, (struct sim_stick_end){nail, 0}, (struct sim_stick_end){body, 0}, -1.0f, SIM_STICK_EQUAL,
                       0.0f, &stick, &fault));
    for (unsigned tick = 0; tick < 7200 && !is_asleep(world, body); tick++) {
        sim_world_step(world);
    }
    assert_true(is_asleep(world, body));
    assert_true(fabs((double)position_of(world, body, 0).x) < 0.02);
    sim_world_destroy(world);
}

static void a_sleeping_world_does_no_work(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    add_floor(world);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 20;
    cloth.sheet.position = (struct vec3){0.0f, 0.6f, 0.0f};
    cloth.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    const uint32_t a = lay_rope(world, 3.0f, 0.0f);
    const uint32_t b = lay_rope(world, 4.5f, 0.0f);
    uint32_t stick = 0;
    MUST(sim_stick_add(world, (struct sim_stick_end){a, 7}, (struct sim_stick_end){b, 0}, -1.0f, SIM_STICK_EQUAL, 0.0f,
                       &stick, &fault));
    sim_world_step(world);
    const uint64_t awake = world->sticks_relaxed;
    assert_true(awake > 0);
    step(world, 600);
    assert_true(is_asleep(world, id));
    const uint64_t before = world->sticks_relaxed;
    step(world, 10);
    assert_int_equal(world->sticks_relaxed, before);
    assert_int_equal(world->spans, 0);
    assert_int_equal(world->free_sticks_active, 0);
    sim_world_destroy(world);
}

static void a_world_with_one_thing_awake_works_on_that_alone(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    add_floor(world);
    for (unsigned i = 0; i < 50; i++) {
        lay_rope(world, -5.0f, -9.0f + 0.3f * (float)i);
    }
    step(world, 300);
    assert_int_equal(count_asleep(world), 50);
    const uint32_t falls = spawn_tetrahedron(world, (struct vec3){5.0f, 50.0f, 0.0f});
    const uint64_t before = world->sticks_relaxed;
    step(world, 1);
    assert_int_equal(world->sticks_relaxed - before, 6 * 8);
    assert_int_equal(world->spans, 1);
    assert_false(is_asleep(world, falls));
    sim_world_destroy(world);
}

static void what_a_hand_holds_or_a_force_acts_on_stays_awake(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    add_floor(world);
    const uint32_t held = lay_rope(world, 0.0f, 0.0f);
    const uint32_t forced = lay_rope(world, 0.0f, 1.0f);
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, held, 3, &grab, &fault));
    MUST(sim_force_apply(world, forced, NULL, 0, (struct vec3){0.0f, -0.1f, 0.0f}, 200, &fault));
    step(world, 199);
    assert_false(is_asleep(world, held));
    assert_false(is_asleep(world, forced));
    MUST(sim_grab_end(world, grab, &fault));
    step(world, 60);
    assert_true(is_asleep(world, held));
    assert_true(is_asleep(world, forced));
    sim_world_destroy(world);
}

static void cloth_in_wind_stays_awake_and_a_rope_does_not(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t cloth = 0;
    add_floor(world);
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    desc.columns = desc.rows = 4;
    desc.sheet.position = (struct vec3){5.0f, 5.0f, 0.0f};
    desc.sheet.pins.preset = SIM_PIN_LIST;
    const uint32_t all[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    desc.sheet.pins.indices = all;
    desc.sheet.pins.count = 16;
    MUST(sim_cloth_spawn(world, &desc, &cloth, &fault));
    const uint32_t rope = lay_rope(world, 0.0f, 0.0f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.wind_velocity = (struct vec3){0.001f, 0.0f, 0.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    step(world, 200);
    assert_false(is_asleep(world, cloth));
    assert_true(is_asleep(world, rope));
    parameters.wind_velocity = (struct vec3){0.0f, 0.0f, 0.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    step(world, 60);
    assert_true(is_asleep(world, cloth));
    sim_world_destroy(world);
}

// ---- state -------------------------------------------------------------------------------------------------------

static void a_world_restored_at_any_tick_falls_asleep_at_the_same_one(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    add_floor(world);
    lay_rope(world, 0.0f, 0.0f);
    lay_rope(world, 0.0f, 2.0f);
    for (unsigned tick = 0; tick < 80; tick++) {
        struct sim_snapshot *snapshot = NULL;
        assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
        step(world, 40);
        const uint64_t hash = sim_world_hash(world);
        sim_world_restore(world, snapshot);
        step(world, 40);
        assert_true(sim_world_hash(world) == hash);
        sim_world_restore(world, snapshot);
        sim_snapshot_destroy(snapshot);
        step(world, 1);
    }
    assert_int_equal(count_asleep(world), 2);
    sim_world_destroy(world);
}

static void sleepers_stay_where_they_are_when_those_before_them_are_removed(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    add_floor(world);
    const uint32_t gone = lay_rope(world, 0.0f, 5.0f);
    const uint32_t rope = lay_rope(world, 0.0f, 0.0f);
    step(world, 200);
    const struct vec3 before = position_of(world, rope, 7);
    MUST(sim_object_remove(world, gone, &fault));
    spawn_tetrahedron(world, (struct vec3){0.0f, 30.0f, 5.0f});
    for (unsigned tick = 0; tick < 5; tick++) {
        sim_world_step(world);
        assert_true(is_asleep(world, rope));
        assert_true(distance_of(position_of(world, rope, 7), before) == 0.0);
    }
    sim_world_destroy(world);
}

// Places are remembered modulo 4 m, which is what this goes in a tick.
static void what_goes_four_metres_a_tick_stays_awake(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    (void)spawn_particle(world, (struct vec3){-98.0f, 0.0f, 0.0f}, (struct vec3){240.0f, 0.0f, 0.0f}, 1.0f);
    for (unsigned tick = 0; tick < 45; tick++) {
        sim_world_step(world);
        assert_false(sim_world_object_at(world, 0).asleep);
    }
    assert_true(sim_world_particles(world).x[0] > 80.0f);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thing_at_rest_falls_asleep_and_it_is_told_once),
        cmocka_unit_test(a_thing_is_told_asleep_half_a_second_after_it_came_to_rest),
        cmocka_unit_test(what_is_thrown_up_stays_awake_at_the_top),
        cmocka_unit_test(what_swings_stays_awake_where_it_turns_round),
        cmocka_unit_test(a_body_that_hangs_on_a_stick_stays_awake_until_it_hangs_still),
        cmocka_unit_test(a_sleeping_world_does_no_work),
        cmocka_unit_test(a_world_with_one_thing_awake_works_on_that_alone),
        cmocka_unit_test(what_a_hand_holds_or_a_force_acts_on_stays_awake),
        cmocka_unit_test(cloth_in_wind_stays_awake_and_a_rope_does_not),
        cmocka_unit_test(a_world_restored_at_any_tick_falls_asleep_at_the_same_one),
        cmocka_unit_test(what_goes_four_metres_a_tick_stays_awake),
        cmocka_unit_test(sleepers_stay_where_they_are_when_those_before_them_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
