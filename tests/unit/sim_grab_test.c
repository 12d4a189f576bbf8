// SPDX-License-Identifier: MIT
// Grabs: what is held follows the hand, and flies on when it is let go in motion.
#include "sim_fixture.h"

#include "sim/world/world.h"

static const struct vec3 still = {0.0f, 0.0f, 0.0f};

static void a_held_particle_reaches_the_hand_at_the_end_of_the_tick(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, still, still, 1.0f);
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, id, 0, &grab, &fault));
    step(world, 10);
    assert_true(distance_of(position_of(world, id, 0), still) == 0.0);
    const struct vec3 hand = {0.3f, -0.1f, 0.2f};
    MUST(sim_grab_move(world, grab, hand, &fault));
    step(world, 1);
    assert_true(distance_of(position_of(world, id, 0), hand) < 1e-6);
    step(world, 5);
    assert_true(distance_of(position_of(world, id, 0), hand) < 1e-6);
    sim_world_destroy(world);
}

// A world without gravity, and in it a particle in a hand.
static struct sim_world *world_with_a_held_particle(float mass, uint32_t *id, uint32_t *grab) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    *id = spawn_particle(world, still, still, mass);
    MUST(sim_grab_start_particle(world, *id, 0, grab, &fault));
    return world;
}

static void move_hand(struct sim_world *world, uint32_t grab, float x) {
    struct fault fault;
    MUST(sim_grab_move(world, grab, (struct vec3){x, 0.0f, 0.0f}, &fault));
}

static void what_is_let_go_in_motion_flies_on_with_its_own_mass(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0, grab = 0;
    struct sim_world *world = world_with_a_held_particle(4.0f, &id, &grab);
    for (unsigned tick = 1; tick <= 8; tick++) {
        move_hand(world, grab, 0.05f * (float)tick);
        step(world, 1);
    }
    MUST(sim_grab_end(world, grab, &fault));
    assert_true(sim_world_particles(world).inverse_mass[0] == 0.25f);
    step(world, 60);
    assert_true(fabs((double)position_of(world, id, 0).x - (0.4 + 3.0)) < 1e-3);
    sim_world_destroy(world);
}

// How far a particle flies in a tenth of a second that was held still for some ticks, moved by `way`, and let go: at
// once, or after the tick that moves it.
static double flight(unsigned ticks, float way, bool waits) {
    struct fault fault;
    uint32_t id = 0, grab = 0;
    struct sim_world *world = world_with_a_held_particle(1.0f, &id, &grab);
    step(world, ticks);
    move_hand(world, grab, way);
    step(world, waits ? 1 : 0);
    MUST(sim_grab_end(world, grab, &fault));
    const double before = (double)position_of(world, id, 0).x;
    step(world, 6);
    const double gone = (double)position_of(world, id, 0).x - before;
    sim_world_destroy(world);
    return gone;
}

static void a_last_move_counts_though_no_tick_has_seen_it(void **state) {
    (void)state;
    for (unsigned ticks = 1; ticks <= 6; ticks++) {
        const unsigned remembered = ticks < 3 ? ticks + 1 : 4;
        const float way = 0.05f * (float)remembered;
        assert_true(fabs(flight(ticks, way, false) - 0.3) < 1e-4);
        assert_true(fabs(flight(ticks, way, true) - 0.3) < 1e-4);
    }
    assert_true(fabs(flight(2, 1000.0f, false) - 100.0 / 3.0) < 1e-3); // one tick of three at a hand's speed limit
    assert_true(flight(0, 0.05f, false) == 0.0);                       // what was never held for a tick is not thrown
}

static void what_is_let_go_at_rest_stays(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0, grab = 0;
    struct sim_world *world = world_with_a_held_particle(1.0f, &id, &grab);
    move_hand(world, grab, 1.0f);
    step(world, 6);
    MUST(sim_grab_end(world, grab, &fault));
    step(world, 20);
    assert_true(fabs((double)position_of(world, id, 0).x - 1.0) < 1e-6);
    sim_world_destroy(world);
}

static void a_hand_is_no_faster_than_the_speed_limit(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, still, still, 1.0f);
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, id, 0, &grab, &fault));
    MUST(sim_grab_move(world, grab, (struct vec3){90.0f, 0.0f, 0.0f}, &fault));
    step(world, 1);
    assert_true(fabs((double)position_of(world, id, 0).x - 1000.0 / 60.0) < 1e-3);
    step(world, 9);
    assert_true(fabs((double)position_of(world, id, 0).x - 90.0) < 1e-4);
    sim_world_destroy(world);
}

static void a_hand_on_a_surface_is_no_faster_either(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_body_desc body = sim_body_desc_default();
    uint32_t id = 0;
    uint32_t grab = 0;
    MUST(sim_body_spawn(world, &body, &id, &fault));
    MUST(sim_grab_start_point(world, id, (struct vec3){1.0f, 0.0f, 0.0f}, &grab, &fault));
    MUST(sim_grab_move(world, grab, (struct vec3){90.0f, 0.0f, 0.0f}, &fault));
    for (unsigned tick = 1; tick <= 4; tick++) {
        step(world, 1);
        for (uint32_t i = 0; i < 4; i++) {
            assert_true((double)position_of(world, id, i).x < (double)tick * 1000.0 / 60.0 + 1.0);
        }
    }
    sim_world_destroy(world);
}

static void a_held_particle_cannot_be_grabbed_again_and_the_message_names_the_grab(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, still, still, 1.0f);
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, id, 0, &grab, &fault));
    uint32_t second = 77;
    assert_int_equal(sim_grab_start_particle(world, id, 0, &second, &fault), RESULT_STATE);
    assert_string_equal(fault.message, "particle 0 of object 1 is held by grab 2");
    assert_int_equal(second, 77);
    sim_world_destroy(world);
}

static void a_pinned_particle_is_pinned_again_where_it_is_let_go(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_particle(world, still, still, 1.0f);
    const uint32_t index = 0;
    MUST(sim_particle_pin(world, id, &index, 1, NULL, &fault));
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, id, 0, &grab, &fault));
    MUST(sim_grab_move(world, grab, (struct vec3){0.5f, 0.0f, 0.0f}, &fault));
    step(world, 1);
    MUST(sim_grab_end(world, grab, &fault));
    step(world, 20);
    assert_true(fabs((double)position_of(world, id, 0).x - 0.5) < 1e-6);
    assert_true(position_of(world, id, 0).y == 0.0f);
    sim_world_destroy(world);
}

static struct vec3 carried_point(const struct sim_world *world, struct sim_grab_view view) {
    struct vec3 point = {0};
    for (uint32_t k = 0; k < view.carriers; k++) {
        const struct vec3 p = position_of(world, view.object, view.particle[k]);
        point.x += view.weight[k] * p.x;
        point.y += view.weight[k] * p.y;
        point.z += view.weight[k] * p.z;
    }
    return point;
}

static void a_point_of_a_surface_follows_the_hand_and_keeps_its_masses(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_body_desc body = sim_body_desc_default();
    uint32_t id = 0;
    MUST(sim_body_spawn(world, &body, &id, &fault));
    uint32_t grab = 0;
    MUST(sim_grab_start_point(world, id, (struct vec3){0.4f, 0.3f, 0.35f}, &grab, &fault));
    const struct sim_grab_view view = sim_world_grab_at(world, 0);
    assert_true(distance_of(carried_point(world, view), view.target) < 1e-6);
    assert_true(sim_world_particles(world).inverse_mass[0] == 4.0f);
    for (unsigned tick = 0; tick < 200; tick++) {
        const struct vec3 hand = {view.target.x + 0.01f * (float)tick, view.target.y, view.target.z};
        MUST(sim_grab_move(world, grab, hand, &fault));
        step(world, 1);
        assert_true(distance_of(carried_point(world, view), hand) < 1e-4);
    }
    sim_world_destroy(world);
}

static void the_nearest_point_lies_on_faces_ropes_and_particles(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    uint32_t grab = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 2;
    cloth.rows = 2;
    cloth.spacing = 1.0f;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    MUST(sim_grab_start_point(world, id, (struct vec3){-0.2f, 0.1f, 2.0f}, &grab, &fault));
    assert_true(distance_of(sim_world_grab_at(world, 0).target, (struct vec3){-0.2f, 0.1f, 0.0f}) < 1e-6);
    assert_int_equal(sim_world_grab_at(world, 0).carriers, 3);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to.x = 1.9f;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    MUST(sim_grab_start_point(world, id, (struct vec3){0.33f, 5.0f, 0.0f}, &grab, &fault));
    assert_true(distance_of(sim_world_grab_at(world, 1).target, (struct vec3){0.33f, 0.0f, 0.0f}) < 1e-6);
    assert_int_equal(sim_world_grab_at(world, 1).carriers, 2);
    id = spawn_particle(world, (struct vec3){7.0f, 0.0f, 0.0f}, still, 1.0f);
    MUST(sim_grab_start_point(world, id, still, &grab, &fault));
    assert_true(distance_of(sim_world_grab_at(world, 2).target, (struct vec3){7.0f, 0.0f, 0.0f}) == 0.0);
    sim_world_destroy(world);
}

static void a_removed_object_takes_its_grabs_sticks_and_forces_along(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const uint32_t gone = spawn_particle(world, still, still, 1.0f);
    const uint32_t kept = spawn_particle(world, (struct vec3){1.0f, 0.0f, 0.0f}, still, 1.0f);
    uint32_t id = 0;
    MUST(sim_grab_start_particle(world, gone, 0, &id, &fault));
    MUST(sim_grab_start_particle(world, kept, 0, &id, &fault));
    MUST(sim_force_apply(world, gone, NULL, 0, (struct vec3){1.0f, 0.0f, 0.0f}, 9, &fault));
    uint32_t stick = 0;
    MUST(sim_stick_add(world, (struct sim_stick_end){gone, 0}, (struct sim_stick_end){kept, 0}, -1.0f, SIM_STICK_EQUAL,
                       0.0f, &stick, &fault));
    MUST(sim_object_remove(world, gone, &fault));
    assert_int_equal(sim_world_grab_count(world), 1);
    assert_int_equal(sim_world_stick_count(world), 0);
    assert_int_equal(world->state.forces, 0);
    MUST(sim_grab_move(world, id, (struct vec3){0.0f, 1.0f, 0.0f}, &fault));
    step(world, 2);
    assert_true(fabs((double)position_of(world, kept, 0).y - 1.0) < 1e-6);
    sim_world_destroy(world);
}

static struct vec3 held_point(const struct sim_world *world, uint32_t object, const struct sim_grab_view *grab) {
    struct vec3 held = {0};
    for (uint32_t k = 0; k < grab->carriers; k++) {
        const struct vec3 p = position_of(world, object, grab->particle[k]);
        held.x += grab->weight[k] * p.x;
        held.y += grab->weight[k] * p.y;
        held.z += grab->weight[k] * p.z;
    }
    return held;
}

static void an_embedded_shape_is_held_where_it_is_touched(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = (struct vec3){0.8f, 0.4f, 0.6f};
    uint32_t id = 0, grab = 0;
    MUST(sim_body_spawn(world, &desc, &id, &fault));
    // Beyond the face at +x, near one of its corners: far outside of the four particles.
    MUST(sim_grab_start_point(world, id, (struct vec3){0.5f, 0.18f, 0.27f}, &grab, &fault));
    const struct sim_grab_view view = sim_world_grab_at(world, 0);
    const struct vec3 touched = {0.4f, 0.18f, 0.27f};
    assert_int_equal(view.carriers, 4);
    assert_true(distance_of(view.target, touched) < 1e-5);
    assert_true(distance_of(held_point(world, id, &view), touched) < 1e-5);
    const struct vec3 hand = {0.5f, 0.3f, 0.2f};
    MUST(sim_grab_move(world, grab, hand, &fault));
    step(world, 60);
    assert_true(distance_of(held_point(world, id, &view), hand) < 0.01);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_particle_reaches_the_hand_at_the_end_of_the_tick),
        cmocka_unit_test(what_is_let_go_in_motion_flies_on_with_its_own_mass),
        cmocka_unit_test(a_last_move_counts_though_no_tick_has_seen_it),
        cmocka_unit_test(what_is_let_go_at_rest_stays),
        cmocka_unit_test(a_hand_is_no_faster_than_the_speed_limit),
        cmocka_unit_test(a_hand_on_a_surface_is_no_faster_either),
        cmocka_unit_test(a_held_particle_cannot_be_grabbed_again_and_the_message_names_the_grab),
        cmocka_unit_test(a_pinned_particle_is_pinned_again_where_it_is_let_go),
        cmocka_unit_test(a_point_of_a_surface_follows_the_hand_and_keeps_its_masses),
        cmocka_unit_test(the_nearest_point_lies_on_faces_ropes_and_particles),
        cmocka_unit_test(an_embedded_shape_is_held_where_it_is_touched),
        cmocka_unit_test(a_removed_object_takes_its_grabs_sticks_and_forces_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
