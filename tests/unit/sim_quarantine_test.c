// SPDX-License-Identifier: MIT
// What goes non-finite is frozen, told and kept from the rest; what would be too fast is held to the limit, and that
// is told too.
//
// No command leads there, so the tests damage a world from inside.
#include "sim_fixture.h"

#include "sim/world/event.h"
#include "sim/world/world.h"

static uint32_t spawn_rope(struct sim_world *world, float y) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){0.0f, y, 0.0f};
    rope.to = (struct vec3){1.0f, y, 0.0f};
    rope.particles = 10;
    rope.pins.preset = SIM_PIN_NONE;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

static void assert_all_finite(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    for (uint32_t i = 0; i < p.count; i++) {
        assert_true(isfinite(p.x[i]) && isfinite(p.y[i]) && isfinite(p.z[i]));
        assert_true(isfinite(p.dx[i]) && isfinite(p.dy[i]) && isfinite(p.dz[i]));
        assert_true(isfinite(p.inverse_mass[i]));
    }
}

static unsigned told(const struct sim_world *world, uint32_t object) {
    unsigned count = 0;
    for (uint32_t i = 0; i < sim_world_event_count(world); i++) {
        const struct sim_event event = sim_world_event_at(world, i);
        count += event.kind == SIM_EVENT_QUARANTINED && event.object == object ? 1 : 0;
    }
    return count;
}

// Two ropes, of which the first is damaged in the way given after ten ticks.
struct ward {
    struct sim_world *world;
    uint32_t sick, well;
    struct vec3 last; // where the sick one's fifth particle was before
};

static struct ward new_ward(void) {
    struct ward ward = {.world = new_world()};
    ward.sick = spawn_rope(ward.world, 10.0f);
    ward.well = spawn_rope(ward.world, 20.0f);
    step(ward.world, 10);
    ward.last = position_of(ward.world, ward.sick, 5);
    return ward;
}

static void check_ward(struct ward *ward, double moved_at_most) {
    struct fault fault;
    step(ward->world, 1);
    assert_all_finite(ward->world);
    assert_int_equal(told(ward->world, ward->sick), 1);
    assert_true(view_of(ward->world, ward->sick).quarantined);
    assert_false(view_of(ward->world, ward->well).quarantined);
    const struct vec3 frozen = position_of(ward->world, ward->sick, 5);
    assert_true(distance_of(frozen, ward->last) <= moved_at_most);
    const float before = position_of(ward->world, ward->well, 5).y;
    for (unsigned tick = 0; tick < 60; tick++) {
        sim_world_step(ward->world);
        assert_int_equal(told(ward->world, ward->sick), 0);
        assert_true(distance_of(position_of(ward->world, ward->sick, 5), frozen) == 0.0);
    }
    assert_true(position_of(ward->world, ward->well, 5).y < before - 4.0f);
    MUST(sim_object_remove(ward->world, ward->sick, &fault));
    step(ward->world, 10);
    assert_all_finite(ward->world);
    sim_world_destroy(ward->world);
}

static void a_displacement_that_is_no_number_freezes_its_object_where_it_was(void **state) {
    (void)state;
    struct ward ward = new_ward();
    ward.world->dx[view_of(ward.world, ward.sick).first + 5] = NAN;
    check_ward(&ward, 0.0);
}

static void an_infinite_displacement_freezes_its_object_where_it_was(void **state) {
    (void)state;
    struct ward ward = new_ward();
    ward.world->dz[view_of(ward.world, ward.sick).first + 9] = -INFINITY;
    check_ward(&ward, 0.0);
}

static void a_mass_that_is_no_number_freezes_its_object_at_the_substeps_start(void **state) {
    (void)state;
    struct ward ward = new_ward();
    ward.world->w[view_of(ward.world, ward.sick).first + 5] = INFINITY;
    check_ward(&ward, 0.2);
}

static void a_rest_length_that_is_no_number_freezes_its_object_at_the_substeps_start(void **state) {
    (void)state;
    struct ward ward = new_ward();
    ward.world->stick_rest[ward.world->object[0].first_stick + 4] = NAN;
    check_ward(&ward, 0.2);
}

static void a_position_that_is_no_number_to_begin_with_becomes_a_corner_of_the_bounds(void **state) {
    (void)state;
    struct ward ward = new_ward();
    ward.world->y[view_of(ward.world, ward.sick).first + 3] = NAN;
    step(ward.world, 1);
    assert_all_finite(ward.world);
    assert_true(view_of(ward.world, ward.sick).quarantined);
    assert_true(position_of(ward.world, ward.sick, 3).y == -100.0f);
    sim_world_destroy(ward.world);
}

static void what_hangs_on_a_quarantined_object_hangs_on(void **state) {
    (void)state;
    struct fault fault;
    struct ward ward = new_ward();
    uint32_t stick = 0;
    const uint32_t hangs = spawn_particle(ward.world, (struct vec3){0, 9, 0}, (struct vec3){0, 0, 0}, 1.0f);
    MUST(sim_stick_add(ward.world, (struct sim_stick_end){ward.sick, 0}, (struct sim_stick_end){hangs, 0}, -1.0f,
                       SIM_STICK_EQUAL, 0.0f, &stick, &fault));
    ward.world->dx[view_of(ward.world, ward.sick).first + 5] = NAN;
    step(ward.world, 200);
    assert_all_finite(ward.world);
    const struct vec3 held = position_of(ward.world, ward.sick, 0);
    const double length = (double)sim_world_stick_at(ward.world, 0).rest_length;
    assert_true(fabs(distance_of(held, position_of(ward.world, hangs, 0)) - length) < 1e-3);
    MUST(sim_object_remove(ward.world, ward.sick, &fault));
    const float before = position_of(ward.world, hangs, 0).y;
    step(ward.world, 60);
    assert_true(position_of(ward.world, hangs, 0).y < before - 4.0f);
    sim_world_destroy(ward.world);
}

static void hands_let_go_of_a_quarantined_object_and_cannot_take_it(void **state) {
    (void)state;
    struct fault fault;
    struct ward ward = new_ward();
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(ward.world, ward.sick, 2, &grab, &fault));
    MUST(sim_force_apply(ward.world, ward.sick, NULL, 0, (struct vec3){1, 1, 1}, 100, &fault));
    ward.world->dx[view_of(ward.world, ward.sick).first + 5] = NAN;
    step(ward.world, 1);
    assert_true(view_of(ward.world, ward.sick).quarantined);
    assert_int_equal(sim_world_grab_count(ward.world), 0);
    assert_int_equal(sim_grab_start_particle(ward.world, ward.sick, 2, &grab, &fault), RESULT_STATE);
    assert_string_equal(fault.pointer, "/object");
    assert_int_equal(sim_grab_start_point(ward.world, ward.sick, (struct vec3){0, 0, 0}, &grab, &fault), RESULT_STATE);
    MUST(sim_force_apply(ward.world, ward.sick, NULL, 0, (struct vec3){1, 1, 1}, 100, &fault));
    const struct vec3 before = position_of(ward.world, ward.sick, 2);
    step(ward.world, 20);
    assert_true(distance_of(position_of(ward.world, ward.sick, 2), before) == 0.0);
    sim_world_destroy(ward.world);
}

static void quarantine_is_state_that_is_saved_and_hashed(void **state) {
    (void)state;
    struct ward ward = new_ward();
    ward.world->dx[view_of(ward.world, ward.sick).first + 5] = NAN;
    step(ward.world, 1);
    struct sim_snapshot *snapshot = NULL;
    assert_int_equal(sim_world_save(ward.world, &snapshot), RESULT_OK);
    step(ward.world, 30);
    const uint64_t hash = sim_world_hash(ward.world);
    sim_world_restore(ward.world, snapshot);
    step(ward.world, 30);
    assert_true(sim_world_hash(ward.world) == hash);
    assert_true(view_of(ward.world, ward.sick).quarantined);
    ward.world->object[0].quarantined = false;
    assert_true(sim_world_hash(ward.world) != hash);
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(ward.world);
}

static void more_events_than_fit_are_counted(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    for (uint32_t i = 0; i < SIM_EVENTS_MAX + 5; i++) {
        event_add(world, SIM_EVENT_TORN, i, 1, 2);
    }
    assert_int_equal(sim_world_event_count(world), SIM_EVENTS_MAX);
    assert_int_equal(sim_world_events_lost(world), 5);
    assert_int_equal(sim_world_event_at(world, 7).object, 7);
    step(world, 1);
    assert_int_equal(sim_world_event_count(world), 0);
    assert_int_equal(sim_world_events_lost(world), 0);
    sim_world_destroy(world);
}

// ---- the speed limit ---------------------------------------------------------------------------------------------

static double speed_of(struct vec3 v) {
    return distance_of(v, (struct vec3){0, 0, 0});
}

static void a_body_thrown_too_fast_is_slowed_as_a_whole_and_that_is_told(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.velocity = (struct vec3){900.0f, 0.0f, 0.0f};
    MUST(sim_body_spawn(world, &body, &id, &fault));
    assert_false(sim_world_last_capped(world));
    body.velocity = (struct vec3){1000.0f, 1000.0f, 0.0f};
    MUST(sim_body_spawn(world, &body, &id, &fault));
    assert_true(sim_world_last_capped(world));
    for (uint32_t i = 0; i < 4; i++) {
        const struct vec3 v = velocity_of(world, id, i);
        assert_true(fabs(speed_of(v) - 1000.0) < 0.01);
        assert_true(fabsf(v.x - v.y) < 0.01f);
    }
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    assert_false(sim_world_last_capped(world));
    sim_world_destroy(world);
}

static void a_push_too_far_is_held_to_the_limit_and_that_is_told(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, (struct vec3){0, 0, 0}, (struct vec3){0, 0, 0}, 1.0f);
    MUST(sim_particle_move(world, id, 0, (struct vec3){1.0f, 0.0f, 0.0f}, SIM_MOVE_PUSH, &fault));
    assert_false(sim_world_last_capped(world));
    MUST(sim_particle_move(world, id, 0, (struct vec3){50.0f, 0.0f, 0.0f}, SIM_MOVE_PUSH, &fault));
    assert_true(sim_world_last_capped(world));
    assert_true(fabs(speed_of(velocity_of(world, id, 0)) - 1000.0) < 0.01);
    MUST(sim_particle_move(world, id, 0, (struct vec3){-50.0f, 0.0f, 0.0f}, SIM_MOVE_TELEPORT, &fault));
    assert_false(sim_world_last_capped(world));
    sim_world_destroy(world);
}

static void a_force_beyond_all_measure_moves_a_speck_at_the_limit(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, (struct vec3){0, 0, 0}, (struct vec3){0, 0, 0}, 1e-12f);
    for (unsigned i = 0; i < 100; i++) {
        MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){1e9f, 0, 0}, 1, &fault));
    }
    step(world, 1);
    assert_all_finite(world);
    assert_true(fabs(speed_of(velocity_of(world, id, 0)) - 1000.0) < 0.01);
    sim_world_destroy(world);
}

// ---- bounds ------------------------------------------------------------------------------------------------------

static void assert_within(const struct sim_world *world, float reach) {
    const struct sim_particles_view p = sim_world_particles(world);
    for (uint32_t i = 0; i < p.count; i++) {
        assert_true(fabsf(p.x[i]) <= reach && fabsf(p.y[i]) <= reach && fabsf(p.z[i]) <= reach);
    }
}

static void set_bounds(struct sim_world *world, float reach) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min = (struct vec3){-reach, -reach, -reach};
    parameters.bounds_max = (struct vec3){reach, reach, reach};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static void no_limb_of_a_figure_leaves_the_bounds(void **state) {
    (void)state;
    static const float reaches[] = {3.0f, 1.0f, 0.2f}; // the last is smaller than the figure
    for (unsigned k = 0; k < sizeof reaches / sizeof reaches[0]; k++) {
        struct fault fault;
        uint32_t id = 0;
        struct sim_world *world = new_world();
        set_bounds(world, reaches[k]);
        struct sim_ragdoll_desc figure = sim_ragdoll_desc_default();
        figure.velocity = (struct vec3){40.0f, -30.0f, 50.0f};
        MUST(sim_ragdoll_spawn(world, &figure, &id, &fault));
        for (unsigned tick = 0; tick < 120; tick++) {
            sim_world_step(world);
            assert_within(world, reaches[k]);
        }
        sim_world_destroy(world);
    }
}

static void a_body_crushed_by_its_world_stays_sound(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    for (unsigned shape = 0; shape < SIM_BODY_SHAPE_COUNT; shape++) {
        static const float corners[12] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f};
        struct sim_body_desc body = sim_body_desc_default();
        body.shape = (enum sim_body_shape)shape;
        body.vertices = body.shape == SIM_BODY_HULL ? corners : NULL;
        body.vertex_count = body.shape == SIM_BODY_HULL ? 4 : 0;
        const struct sim_body_part ball = {
            .shape = SIM_BODY_SPHERE, .radius = 0.2f, .rotation = body.rotation, .density = 1.0f};
        body.radius = body.shape >= SIM_BODY_SPHERE ? 0.2f : 0.0f;
        body.length = 0.3f;
        body.parts = &ball;
        body.part_count = 1;
        body.restitution = 1.0f;
        body.velocity = (struct vec3){900.0f, 10.0f, -500.0f};
        MUST(sim_body_spawn(world, &body, &id, &fault));
    }
    for (unsigned tick = 0; tick < 240; tick++) {
        const float reach = tick < 120 ? 0.5f / (float)(1 + tick) : 1.0f;
        set_bounds(world, reach);
        sim_world_step(world);
        assert_all_finite(world);
        assert_within(world, reach);
        for (uint32_t i = 0; i < sim_world_object_count(world); i++) {
            assert_false(sim_world_object_at(world, i).quarantined);
        }
    }
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_displacement_that_is_no_number_freezes_its_object_where_it_was),
        cmocka_unit_test(an_infinite_displacement_freezes_its_object_where_it_was),
        cmocka_unit_test(a_mass_that_is_no_number_freezes_its_object_at_the_substeps_start),
        cmocka_unit_test(a_rest_length_that_is_no_number_freezes_its_object_at_the_substeps_start),
        cmocka_unit_test(a_position_that_is_no_number_to_begin_with_becomes_a_corner_of_the_bounds),
        cmocka_unit_test(what_hangs_on_a_quarantined_object_hangs_on),
        cmocka_unit_test(hands_let_go_of_a_quarantined_object_and_cannot_take_it),
        cmocka_unit_test(quarantine_is_state_that_is_saved_and_hashed),
        cmocka_unit_test(more_events_than_fit_are_counted),
        cmocka_unit_test(a_body_thrown_too_fast_is_slowed_as_a_whole_and_that_is_told),
        cmocka_unit_test(a_push_too_far_is_held_to_the_limit_and_that_is_told),
        cmocka_unit_test(a_force_beyond_all_measure_moves_a_speck_at_the_limit),
        cmocka_unit_test(no_limb_of_a_figure_leaves_the_bounds),
        cmocka_unit_test(a_body_crushed_by_its_world_stays_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
